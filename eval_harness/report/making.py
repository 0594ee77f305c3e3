"""A report, from a folder of results to a folder of pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any

from eval_harness.analysis.audit import Audit
from eval_harness.analysis.intervals import RESAMPLES
from eval_harness.analysis.results import Results
from eval_harness.report import pages as page_files
from eval_harness.report.audits import audit_sections
from eval_harness.report.choosing import RULE
from eval_harness.report.content import Part, Section, Sketch
from eval_harness.report.controls import Controlled, control_sections, gather_controls
from eval_harness.report.drawing import Drawn, draw
from eval_harness.report.examples import Example, examples
from eval_harness.report.gather import Entry, Findings, gather
from eval_harness.report.leaderboard import TASKS, leaderboard, leaderboard_csv
from eval_harness.report.media import write_media
from eval_harness.report.pages import Fact, Page, render
from eval_harness.report.people import Heard, gather_people, people_sections
from eval_harness.report.place import mark, written_aside
from eval_harness.report.probes import probe_sections
from eval_harness.report.sections import index_sections, task_sections
from eval_harness.report.spaces import space_sections, spaces
from eval_harness.report.values import escape_markdown, markdown, tex
from eval_harness.scores import MAIN_SCORE

Shown = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]
"""Shows progress of what is named: `Screen.progress`."""


TITLE = "ReasonAudio: reasoning in text-audio retrieval"


@dataclass(frozen=True, slots=True)
class Settings:
    """How a report is made.

    Attributes:
        title: of the first page.
        examples: queries of each task that are shown because most models miss them.
        spaces: models whose embedding spaces are told, the best that have any.
        seed: of the queries drawn at random.
        resamples: of the bootstrap.
        num_proc: processes that models and clips are shared out to.
    """

    title: str = TITLE
    examples: int = 3
    spaces: int = 1
    seed: int = 0
    resamples: int = RESAMPLES
    num_proc: int = 1


def make_report(
    results: Results,
    to: Path,
    settings: Settings,
    shown: Shown,
    audit: Audit | None = None,
    controls: Mapping[str, Results] = MappingProxyType({}),
) -> Findings:
    """Writes the report of a folder of results into the folder `to`; an earlier report there is replaced at the end.

    Args:
        results: what is told.
        to: the report's folder.
        settings: how it is made.
        shown: shows progress.
        audit: of the corpus, if there is one.
        controls: results on controls of the corpus, by control, as `read_controls` gives them.

    Raises:
        EvaluationError: `to` is something else, or a file of rankings is damaged.
    """
    with written_aside(to) as out:
        with shown("scores") as report:
            findings = gather(results, settings.resamples, settings.num_proc, report)
        with shown("controls") as report:
            controlled = gather_controls(findings, controls, settings.resamples, settings.num_proc, report)
        heard = gather_people(findings, settings.resamples)
        with shown("examples") as report:
            found = {}
            for number, task in enumerate(findings.tasks):
                found[task] = examples(findings, task, settings.examples, settings.seed)
                report(number + 1, len(findings.tasks))
        with shown("clips") as report:
            clips = sorted({clip.id for each in found.values() for one in each for clip in one.clips})
            media = write_media(findings.folder, clips, out, settings.num_proc, report)
        with shown("embedding spaces") as report:
            found_spaces, there = spaces(findings, settings.spaces, settings.num_proc, report)
        sections: dict[str, tuple[Section, ...]] = {
            "index": (
                *index_sections(findings),
                *control_sections(controlled),
                *people_sections(heard),
                *probe_sections(findings),
                *audit_sections(audit),
                *space_sections(found_spaces, there),
            )
        }
        sections |= {task: task_sections(findings, task) for task in findings.tasks}
        with shown("figures") as report:
            sections = _draw(sections, out, report)
        with shown("pages") as report:
            _write(findings, sections, found, media, out, settings, controlled, heard)
            report(1, 1)
    return findings


def _draw(
    sections: Mapping[str, Sequence[Section]], out: Path, report: Callable[[int, int], None]
) -> dict[str, tuple[Section, ...]]:
    """The same sections with their figures drawn."""
    total = sum(len(part.figures) for each in sections.values() for section in each for part in section.parts)
    done = 0

    def drawn(it: Sketch | Drawn) -> Drawn:
        nonlocal done
        found = draw(out, it.name, it.title, it.alt, it.make, it.dark) if isinstance(it, Sketch) else it
        done += 1
        report(done, total)
        return found

    def of_section(section: Section) -> Section:
        return replace(section, parts=tuple(replace(part, figures=tuple(map(drawn, part.figures))) for part in section.parts))

    return {name: tuple(map(of_section, each)) for name, each in sections.items()}


def _write(
    findings: Findings,
    sections: Mapping[str, Sequence[Section]],
    found: Mapping[str, Sequence[Example]],
    media: Mapping[str, Any],
    out: Path,
    settings: Settings,
    controlled: Controlled | None,
    heard: Sequence[Heard],
) -> None:
    """All files but figures and clips."""
    folder = findings.folder
    common = {
        "title": settings.title,
        "version": version("reasonaudio"),
        "dataset": {
            "hash": findings.results.data.content_hash[:12],
            "queries": f"{len(folder.queries):,}",
            "clips": f"{len(folder.clips):,}",
        },
    }
    tasks = {task: Page(f"{task}.html", task.capitalize()) for task in findings.tasks}
    index = Page("index.html", "Results")
    pages = (index, *tasks.values())
    _text(out / page_files.STYLE, page_files.style())
    values = {**common, "sections": sections["index"], "facts": _facts(findings)}
    _text(out / index.file, render("index", index, pages, values))
    for task, page in tasks.items():
        queries = sum(query.task == task for query in folder.queries.values())
        values = {
            **common,
            "dataset": {**common["dataset"], "of_task": f"{queries:,} queries."},  # type: ignore[dict-item]
            "task": {"name": task.capitalize(), "about": TASKS[task]},
            "sections": sections[task],
            "examples": found[task],
            "rule": RULE.format(number=settings.examples, seed=settings.seed),
            "searched": f"{found[task][0].searched:,}" if found[task] else "0",
            "media": media,
        }
        _text(out / page.file, render("task", page, pages, values))
    _text(out / "report.md", _markdown(findings, sections, settings))
    _text(out / "leaderboard.csv", leaderboard_csv(findings))
    boards = [tex(leaderboard(findings, scope), f"tab:reasonaudio-{scope}") for scope in findings.scopes]
    _text(out / "leaderboard.tex", "\n".join(boards))
    mark(out, _values(findings, settings, controlled, heard))


def _facts(findings: Findings) -> list[Fact]:
    folder, scope = findings.folder, findings.main_scope
    models = findings.models(scope)
    return [
        Fact("Models", str(len(models)), f"and {len(findings.scale(scope))} systems of the scale"),
        Fact(
            "Queries", f"{len(folder.queries):,}", f"in {len({query.set for query in folder.queries.values()}):,} sets of twins"
        ),
        Fact("Clips", f"{len(folder.clips):,}", "of ten seconds"),
        Fact("Sounds", f"{len(folder.sounds):,}", f"from {folder.library_name}"),
    ]


def _markdown(findings: Findings, sections: Mapping[str, Sequence[Section]], settings: Settings) -> str:
    lines = [f"# {escape_markdown(settings.title)}", ""]
    lines += [f"- {fact.name}: {fact.value} {escape_markdown(fact.note)}" for fact in _facts(findings)]
    lines += [f"- Dataset: {findings.results.data.content_hash}", ""]
    for section in sections["index"]:
        lines += [f"## {escape_markdown(section.title)}", "", *_paragraphs(section.texts)]
        for part in section.parts:
            lines += _part(part, 3)
    for task in findings.tasks:
        lines += [f"## {task.capitalize()}: {TASKS[task]}", ""]
        for section in sections[task]:
            lines += [f"### {escape_markdown(section.title)}", "", *_paragraphs(section.texts)]
            for part in section.parts:
                lines += _part(part, 4)
        lines += [f"[Examples of {task.capitalize()}]({task}.html#examples)", ""]
    return "\n".join(lines)


def _part(part: Part, level: int) -> list[str]:
    lines = [f"{'#' * level} {escape_markdown(part.title)}", ""] if part.title else []
    lines += _paragraphs(part.texts)
    for it in part.figures:
        lines += [f"![{escape_markdown(it.alt)}](figures/{it.name}.png)", "", escape_markdown(it.title), ""]
    for table in part.tables:
        lines += [markdown(table)]
    return lines


def _paragraphs(texts: Sequence[str]) -> list[str]:
    return [line for text in texts for line in (escape_markdown(text), "")]


def _values(findings: Findings, settings: Settings, controlled: Controlled | None, heard: Sequence[Heard]) -> dict[str, object]:
    """The report's values, unrounded, for other programs."""
    return {
        "title": settings.title,
        "dataset": findings.results.data.content_hash,
        "main_score": MAIN_SCORE,
        "models": [_entry(one) for entries in findings.scopes.values() for one in entries],
        "probes": [{**_entry(one), "style": one.result.style} for one in findings.probes],
        "controls": controlled.to_json() if controlled else None,
        "people": [one.to_json() for one in heard],
    }


def _entry(one: Entry) -> dict[str, object]:
    return {
        "name": one.name,
        "model": one.result.model,
        "revision": one.result.revision,
        "scope": one.result.scope,
        "scale": one.is_scale,
        "tasks": {task: intervals.to_json() for task, intervals in one.tasks.items()},
        "mean": {name: interval.to_json() for name, interval in one.mean.items()} if one.mean else None,
    }


def _text(path: Path, content: str) -> None:
    path.write_text(content, encoding="utf-8", newline="\n")
