"""A clip as people look at it: lanes, what it is to a query, why, and who ranks it where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from builders.corpus import Clip, Query
from builders.dataset_folder import DatasetFolder
from builders.explain import explain
from builders.logic import Formula, Lacks, Truth, conjuncts, labels_of
from builders.recipe import CLIP_MS
from builders.timeline import overlap_ms, overlapping_pairs
from eval_harness.report.choosing import RELEVANT, role

COLOURS = 6
"""Colours of named sounds; free sounds are grey."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One sound on the time axis.

    Attributes:
        label: of the sound.
        start, length: in thousandths of the clip's length.
        style: "named-0", ..., or "free" for a sound that neither query names.
        absent: whether the query wants it absent.
        said: what is read out: "rain, 0.80 to 3.10 s".
    """

    label: str
    start: float
    length: float
    style: str
    absent: bool
    said: str


@dataclass(frozen=True, slots=True)
class RankOf:
    """Where a model ranks a clip for the query and for its twin; None where it does not."""

    model: str
    scale: bool
    query: int | None
    twin: int | None


@dataclass(frozen=True, slots=True)
class ShownClip:
    """One clip of an example.

    Attributes:
        id, arrangement, caption: as the dataset has them.
        role, twin_role: what it is to the query and to its twin.
        lanes: of its sounds, by onset.
        overlaps: (start, length) of what sounds together, in thousandths.
        reasons: each part of the query's formula: whether it holds, and the numbers behind it.
        ranks: of all models.
    """

    id: str
    arrangement: str
    caption: str
    role: str
    twin_role: str
    lanes: tuple[Lane, ...]
    overlaps: tuple[tuple[float, float], ...]
    reasons: tuple[tuple[bool, str], ...]
    ranks: tuple[RankOf, ...]

    @property
    def relevant(self) -> bool:
        return self.role == RELEVANT


def show_clip(
    folder: DatasetFolder,
    clip: Clip,
    query: Query,
    twin: Query,
    qrels: Mapping[str, Iterable[str]],
    ranks: Iterable[RankOf] = (),
) -> ShownClip:
    """A clip as it is shown for a query.

    Args:
        folder: the dataset.
        clip: of the query's set, or any other.
        query, twin: whose sounds have colours.
        qrels: query id -> relevant clips of the whole corpus.
        ranks: of all models.
    """
    reasons = explain(query.formula, clip.timeline, folder.recipe.margins_value(), folder.relations)
    return ShownClip(
        clip.id,
        clip.arrangement if clip.set == query.set else f"set {clip.set}",
        folder.caption(clip.id),
        role(query, clip.id, qrels[query.id]),
        role(twin, clip.id, qrels[twin.id]),
        lanes(clip, label_styles(query.formula, twin.formula), query.formula, CLIP_MS),
        overlaps(clip, CLIP_MS),
        tuple(dict.fromkeys((one.truth is Truth.TRUE, one.text) for one in reasons)),  # a sound that is not there, once
        tuple(ranks),
    )


def label_styles(*formulas: Formula) -> dict[str, str]:
    """A colour for every label that the formulas name, in their order."""
    labels = dict.fromkeys(label for formula in formulas for label in labels_of(formula))
    return {label: f"named-{number % COLOURS}" for number, label in enumerate(labels)}


def lanes(clip: Clip, styles: Mapping[str, str], formula: Formula | None, clip_ms: int) -> tuple[Lane, ...]:
    """The sounds of a clip, by onset; without a formula none is unwanted."""
    unwanted = {part.a for part in conjuncts(formula) if isinstance(part, Lacks)} if formula else set()
    return tuple(
        Lane(
            event.label,
            round(1000 * event.onset_ms / clip_ms, 1),
            round(1000 * event.duration_ms / clip_ms, 1),
            styles.get(event.label, "free"),
            event.label in unwanted,
            f"{event.label}, {event.onset_ms / 1000:.2f} to {event.offset_ms / 1000:.2f} s",
        )
        for event in clip.timeline
    )


def overlaps(clip: Clip, clip_ms: int) -> tuple[tuple[float, float], ...]:
    """(start, length) of each stretch in which two sounds are heard together, in thousandths of the clip."""
    return tuple(
        (round(1000 * max(a.onset_ms, b.onset_ms) / clip_ms, 1), round(1000 * overlap_ms(a, b) / clip_ms, 1))
        for a, b in overlapping_pairs(clip.timeline)
    )
