"""Overlap: which sounds are heard at the same time."""

from __future__ import annotations

from builders.logic import Formula, Margins, Overlaps, Relations, required_labels
from builders.tasks.forms import Arrangement, Form, Pattern, Task
from builders.timeline import Timeline, overlapping_pairs

_SHARED = {"named": "shared anchor first"}
_PARTNER = {"named": "partner first"}

OVERLAP_1 = Form(
    name="overlap-1",
    formulas=(Overlaps("A", "B"), Overlaps("A", "E")),
    arrangements=tuple(
        Arrangement(f"{pair[0]} with {pair[1]}", (pair, *(letter for letter in "ABEF" if letter not in pair)))
        for pair in ("AB", "AE", "BE", "EF")
    ),
    copies=4,
    alike=("BF", "EF"),
    exchange={"B": "E", "E": "B"},
    patterns=(
        Pattern("{A} and {B} at the same time", _SHARED),
        Pattern("{B} at the same time as {A}", _PARTNER),
        Pattern("{B:clause} while {A:clause}", _PARTNER),
        Pattern("{A} together with {B}", _SHARED),
        Pattern("{A} overlapping with {B}", _SHARED),
        Pattern("simultaneously, {B:clause} and {A:clause}", _PARTNER),
        Pattern("you hear {B} and {A} together", _PARTNER),
        Pattern("for a while, {A} and {B} sound at once", _SHARED),
    ),
)


def foil_kind(formula: Formula, timeline: Timeline, margins: Margins, relations: Relations) -> str:
    """An anchor is heard together with something else, or neither of them is heard together with anything."""
    anchors = required_labels(formula)
    pairs = overlapping_pairs(timeline)
    alone = not any(relations.related(event.label, anchor) for pair in pairs for event in pair for anchor in anchors)
    return "sequential" if alone else "wrong-partner"


OVERLAP = Task("overlap", (OVERLAP_1,), foil_kind)
