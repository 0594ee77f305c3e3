"""The probes of reasoning in text, as a section of a report: what models get right where nothing has to be heard."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from builders.recipe import TASK_NAMES
from builders.styles import STYLES
from eval_harness.analysis.intervals import Interval
from eval_harness.loading import SCOPES, SET
from eval_harness.report.content import Part, Section
from eval_harness.report.gather import Entry, Findings, chance_of
from eval_harness.report.values import NONE, Cell, Column, Rows, Table, percent, share
from eval_harness.scores import MAIN_SCORE

_TEXTS = (
    "The same queries search exact accounts of the clips in their place, told in three styles: a plain sentence, a list of "
    "events with times, and a story that says in words what follows what. Nothing has to be heard here, so what is missed is "
    "missed in reading or reasoning. Lines marked clips are the same model on the sound, or a pipeline that ends in it.",
)
_IN_SET = "in_set"
_SEARCHED = {
    "task": "A query searches the accounts of its own task's clips",
    "all": "A query searches the accounts of all tasks' clips",
    SET: "A query searches the accounts of the clips of its own set",
}
CLIPS = "clips"
_SCALE = "The scale"


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a table: whose it is, what was searched, and what it got."""

    entry: Entry
    searched: str


def probe_sections(findings: Findings) -> tuple[Section, ...]:
    """The section of the probes; none without any."""
    if not findings.probes:
        return ()
    parts = [
        Part(
            "Inside the set",
            (
                "Share of queries for which the best of the set's twenty is relevant. A model that judges every pair of a query "
                "and a text, such as a language model, is asked of these alone, so here it stands beside models that embed.",
            ),
            tables=(in_set_table(findings),),
        )
    ]
    parts += [
        Part(_SEARCHED[scope], tables=(probe_table(findings, scope),))
        for scope in SCOPES
        if any(one.result.scope == scope for one in findings.probes)
    ]
    return (Section("probes", "Reasoning in text", _TEXTS, tuple(parts)),)


def in_set_table(findings: Findings) -> Table:
    """Accuracy inside the set of every model and style. All scopes give the same, so it is of the one with most tasks."""
    chosen: dict[tuple[str, str], Entry] = {}
    for scope in (SET, *SCOPES):
        for one in findings.probes:
            if one.result.scope == scope:
                there = chosen.get((one.name, one.result.style))
                if there is None or len(one.tasks) > len(there.tasks):
                    chosen[one.name, one.result.style] = one
    caption = "Accuracy inside the set by text, in %, with 95 % intervals."
    return _table(findings, "probes-in-set", caption, list(chosen.values()), _IN_SET, SET)


def probe_table(findings: Findings, scope: str) -> Table:
    """Accuracy of every model and style that was run in a scope."""
    caption = f"Accuracy by text in %, with 95 % intervals. {_SEARCHED[scope]}."
    own = [one for one in findings.probes if one.result.scope == scope]
    return _table(findings, f"probes-{scope}", caption, own, MAIN_SCORE, scope)


def _table(findings: Findings, name: str, caption: str, probes: Sequence[Entry], score: str, scope: str) -> Table:
    heard = findings.scopes.get(scope, ()) if scope != SET else findings.scopes[findings.main_scope]
    lines = _lines(probes, heard, score)
    best = _best([line for line in lines if not line.entry.is_scale and line.searched != CLIPS], score)
    rows = tuple(_row(line, score, best) for line in lines if not line.entry.is_scale)
    scale = [_row(line, score, [None] * (len(TASK_NAMES) + 1)) for line in lines if line.entry.is_scale]
    tasks = {task for one in probes for task in one.tasks}
    chance = [chance_of(findings.folder, task, scope).hit if task in tasks else math.nan for task in TASK_NAMES]
    every = [*chance, float(np.mean(chance))]
    cells = (Cell(percent(value), sort=None if math.isnan(value) else value) for value in every)
    scale.append((Cell("a random order, exactly"), Cell(NONE), *cells))
    columns = (
        Column("Model", numeric=False),
        Column("Searched", numeric=False),
        *(Column(task.capitalize()) for task in TASK_NAMES),
        Column("Average"),
    )
    return Table(name, caption, columns, (Rows(rows), Rows(tuple(scale), _SCALE, True)), True)


def _lines(probes: Iterable[Entry], heard: Sequence[Entry], score: str) -> list[_Line]:
    """Models by their best style, each followed by itself, and by pipelines that end in it, on clips."""
    models: dict[str, list[Entry]] = {}
    for one in probes:
        models.setdefault(one.name, []).append(one)
    found = []
    for own in sorted(models.values(), key=lambda own: (-max(_height(one, score) for one in own), own[0].name)):
        styles = list(STYLES)
        found += [_Line(one, one.result.style) for one in sorted(own, key=lambda one: styles.index(one.result.style))]
        found += [_Line(one, CLIPS) for one in heard if _is_of(one, own[0])]
    return found


def _is_of(heard: Entry, probe: Entry) -> bool:
    """Whether what searched clips is the model of the probe, or a pipeline whose last part is called as it is."""
    one, other = heard.result, probe.result
    if (one.model, one.revision, one.experiment) == (other.model, other.revision, other.experiment):
        return True
    return one.model.endswith(f"+{other.model.rpartition('/')[2]}")


def _height(one: Entry, score: str) -> float:
    """What models are sorted by: those that were run on all tasks first."""
    if one.mean is not None:
        return one.mean[score].value
    return float(np.mean([own.scores[score].value for own in one.tasks.values()])) - 1


def _found(entry: Entry, score: str) -> list[Interval | None]:
    return [*(entry.score(task, score) for task in TASK_NAMES), entry.mean[score] if entry.mean else None]


def _best(lines: Sequence[_Line], score: str) -> list[str | None]:
    """The highest value of each column as it is shown, where there are several to compare."""
    found: list[str | None] = []
    for column in zip(*(_found(line.entry, score) for line in lines), strict=True):
        values = [one.value for one in column if one is not None]
        found.append(percent(max(values)) if len(values) > 1 else None)
    return found or [None] * (len(TASK_NAMES) + 1)


def _row(line: _Line, score: str, best: Sequence[str | None]) -> tuple[Cell, ...]:
    searched = line.searched
    cells = (
        share(one, "best" if one and searched != CLIPS and percent(one.value) == top else "")
        for one, top in zip(_found(line.entry, score), best, strict=True)
    )
    return (Cell(line.entry.name), Cell(searched), *cells)
