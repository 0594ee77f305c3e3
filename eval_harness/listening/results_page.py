"""The folder of `reasonaudio listen-results --out`: values, what to leave out of a build, contradictions to see and hear."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder, content_hash
from builders.logic import to_text
from eval_harness.listening.contradictions import JudgedPair
from eval_harness.listening.excluding import write_exclude
from eval_harness.listening.findings import Findings
from eval_harness.listening.suspects import Fault, Suspect, faults
from eval_harness.listening.tables import verdicts
from eval_harness.report.clips import ShownClip, show_clip
from eval_harness.report.media import write_media
from eval_harness.report.pages import STYLE, Page, render, style
from eval_harness.report.place import Kind, mark, written_aside

PLACE = Kind("results.json", "reasonaudio listen-results", "folder of listening results", "--out")
EXCLUDE, PAGE = "exclude.csv", "contradictions.html"

Shown = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]


@dataclass(frozen=True, slots=True)
class ShownPair:
    """A contradicted pair as the page shows it.

    Attributes:
        clip: as a report's examples show it.
        fits: by the rule.
        verdicts: of the listeners, in words.
        recordings: (label, recording, whether it may be at fault) of its events.
        pairs: (sound, what it may be taken for).
    """

    clip: ShownClip
    fits: bool
    verdicts: str
    recordings: tuple[tuple[str, str, bool], ...]
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ShownQuery:
    """A query with all of its pairs that are contradicted."""

    query: Query
    formula: str
    pairs: tuple[ShownPair, ...]


def write_results(found: Findings, to: Path, shown: Shown, num_proc: int = 1) -> None:
    """Writes results.json, exclude.csv and contradictions.html with its clips into the folder `to`; an earlier one is replaced.

    Raises:
        EvaluationError: `to` is something else, or a worker process died.
    """
    with written_aside(to, PLACE) as out:
        clips = sorted({one.clip for one in found.contradictions})
        with shown("clips") as report:
            media = write_media(found.folder, clips, out, num_proc, report)
        values = {
            "title": "What listeners contradict",
            "version": version("reasonaudio"),
            "dataset": content_hash(found.folder.path)[:12],
            "queries": queries_of(found.folder, found.contradictions),
            "media": media,
            "judged": len(found.pairs),
            "contradicted": len(found.contradictions),
            "listeners": [one for one in found.listeners if not one.left_out and one.answers],
            "suspects": found.suspects,
            "names": {one.fault: _name(one) for one in found.suspects},
        }
        (out / STYLE).write_text(style(), encoding="utf-8", newline="\n")
        page = render("contradictions", Page(PAGE, "Contradictions"), (), values)
        (out / PAGE).write_text(page, encoding="utf-8", newline="\n")
        write_exclude(out / EXCLUDE, found.suspects)
        mark(out, found.to_json(), PLACE)


def queries_of(folder: DatasetFolder, pairs: tuple[JudgedPair, ...]) -> tuple[ShownQuery, ...]:
    """Contradicted pairs by query, in their order."""
    qrels = folder.qrels(None)
    found: dict[str, list[JudgedPair]] = {}
    for pair in pairs:
        found.setdefault(pair.query.id, []).append(pair)
    return tuple(
        ShownQuery(own[0].query, to_text(own[0].query.formula), tuple(_shown(folder, pair, qrels) for pair in own))
        for own in found.values()
    )


def _shown(folder: DatasetFolder, pair: JudgedPair, qrels: Mapping[str, frozenset[str]]) -> ShownPair:
    clip, query = folder.clips[pair.clip], pair.query
    blamed = faults(folder, pair)
    events = [(event.label, event.recording) for event in clip.timeline]
    return ShownPair(
        show_clip(folder, clip, query, folder.queries[query.twin], qrels),
        pair.fits,
        verdicts(pair),
        tuple((label, recording, Fault("recording", recording, label) in blamed) for label, recording in events),
        tuple(sorted((one.a, one.b) for one in blamed if one.kind == "pair")),
    )


def _name(one: Suspect) -> str:
    found = one.fault
    return f"the recording {found.a} of {found.b}" if found.kind == "recording" else f"the sound {found.a}, taken for {found.b}"
