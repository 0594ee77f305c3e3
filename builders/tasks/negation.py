"""Negation: what must not be heard. Matching finds exactly the wrong clips, as they hold every sound that the query names."""

from __future__ import annotations

from itertools import combinations

from builders.logic import And, Formula, Has, Lacks, Margins, Relations
from builders.tasks.forms import Arrangement, Form, Pattern, Task
from builders.timeline import Timeline

_LAST = {"negation": "last"}
_FIRST = {"negation": "first"}

NEGATION_1 = Form(
    name="negation-1",
    formulas=(And(Has("A"), Has("B"), Lacks("C")), And(Has("A"), Has("B"), Lacks("E"))),
    arrangements=(
        Arrangement("A, B and C", ("A", "B", "C")),
        Arrangement("A, B and E", ("A", "B", "E")),
    ),
    copies=8,
    exchange={"C": "E", "E": "C"},
    patterns=(
        Pattern("{A} and {B}, without {C}", _LAST),
        Pattern("without {C}, you hear {A} and {B}", _FIRST),
        Pattern("there is no sound of {C:of}, but {A} and {B} can be heard", _FIRST),
        Pattern("you can hear {A} and {B}, but never {C}", _LAST),
        Pattern("{A:clause} and {B:clause}, and there is no sound of {C:of}", _LAST),
        Pattern("at no point do you hear {C}, but you do hear {A} and {B}", _FIRST),
        Pattern("with no trace of {C}, a recording of {A} as well as {B}", _FIRST),
        Pattern("a recording of {B} and {A} in which you never hear {C}", _LAST),
    ),
)

NEGATION_2 = Form(
    name="negation-2",
    formulas=(
        And(Has("A"), Has("B"), Lacks("C"), Lacks("D")),
        And(Has("A"), Has("B"), Lacks("E"), Lacks("F")),
    ),
    arrangements=tuple(Arrangement(f"A, B, {x} and {y}", ("A", "B", x, y)) for x, y in combinations("CDEF", 2)),
    copies=3,
    exchange={"C": "E", "D": "F", "E": "C", "F": "D"},
    patterns=(
        Pattern("{A} and {B}, but neither {C} nor {D}", _LAST),
        Pattern("with neither {C} nor {D}, you hear {A} and {B}", _FIRST),
        Pattern("there is no sound of {C:of} or of {D:of}, but {A} and {B} can be heard", _FIRST),
        Pattern("{A:clause} and {B:clause}, without {C} and without {D}", _LAST),
        Pattern("you can hear {B} and {A}, but never {D} and never {C}", _LAST),
        Pattern("without {C} and without {D}, {A:clause} and {B:clause}", _FIRST),
        Pattern("at no point do you hear {D} or {C}, but you do hear {B} and {A}", _FIRST),
        Pattern("a recording of {A} and {B} in which both {C} and {D} are absent", _LAST),
    ),
)


def foil_kind(formula: Formula, timeline: Timeline, margins: Margins, relations: Relations) -> str:
    """A clip with both anchors that is not relevant holds a sound that it must not hold."""
    return "forbidden-present"


NEGATION = Task("negation", (NEGATION_1, NEGATION_2), foil_kind)
