"""Mix: two relations at once. A clip can break either, or both."""

from __future__ import annotations

from collections.abc import Mapping

from builders.logic import (
    And,
    Before,
    Formula,
    Lacks,
    Longer,
    Margins,
    Overlaps,
    Relations,
    Truth,
    conjuncts,
    evaluate,
)
from builders.tasks.forms import Arrangement, Form, Length, Pattern, Task
from builders.timeline import Timeline

_ABSENT = ("C", "E")


def _traits(order: str = "", negation: str = "", comparison: str = "") -> Mapping[str, str]:
    given = {"order": order, "negation": negation, "comparison": comparison}
    return {name: value for name, value in given.items() if value}


_EARLIER_LAST = _traits(order="earlier first", negation="last")
_EARLIER_FIRST = _traits(order="earlier first", negation="first")
_LATER_LAST = _traits(order="later first", negation="last")
_LATER_FIRST = _traits(order="later first", negation="first")

MIX_1 = Form(
    name="mix-1",
    formulas=(And(Before("A", "B"), Lacks("C")), And(Before("B", "A"), Lacks("E"))),
    arrangements=tuple(
        Arrangement(f"{x} before {y}, with {third}", (third, x, y), order=(x, y)) for x, y in ("AB", "BA") for third in _ABSENT
    ),
    copies=4,
    exchange={"A": "B", "B": "A", "C": "E", "E": "C"},
    patterns=(
        Pattern("{A} before {B}, without {C}", _EARLIER_LAST),
        Pattern("without {C}, you hear {B} after {A}", _LATER_FIRST),
        Pattern("{B:clause} after {A:clause}, and there is no sound of {C:of}", _LATER_LAST),
        Pattern("there is no sound of {C:of}; first {A:clause}, then {B:clause}", _EARLIER_FIRST),
        Pattern("you never hear {C}, but you do hear {A} followed by {B}", _EARLIER_FIRST),
        Pattern("{B}, preceded by {A}, with {C} absent", _LATER_LAST),
        Pattern("with {C} absent, you hear {B}, but only after {A}", _LATER_FIRST),
        Pattern("{A:clause}, and later {B:clause}, but you never hear {C}", _EARLIER_LAST),
    ),
)

MIX_2 = Form(
    name="mix-2",
    formulas=(And(Overlaps("A", "B"), Lacks("C")), And(Overlaps("A", "B"), Lacks("E"))),
    arrangements=tuple(
        arrangement
        for third in _ABSENT
        for arrangement in (
            Arrangement(f"A with B, {third} apart", ("AB", third, "P")),
            Arrangement(f"A and B apart, with {third}", (f"{third}P", "A", "B")),
        )
    ),
    copies=4,
    # A foil has E and P stand as A and B do, beside an absent C: so C may tell E and P from A and B in no way.
    alike=("ABCEP",),
    exchange={"C": "E", "E": "C"},
    patterns=(
        Pattern("{A} and {B} at the same time, without {C}", _traits(negation="last")),
        Pattern("without {C}, you hear {A} together with {B}", _traits(negation="first")),
        Pattern("there is no sound of {C:of}; {B:clause} while {A:clause}", _traits(negation="first")),
        Pattern("{A:clause} while {B:clause}, and there is no sound of {C:of}", _traits(negation="last")),
        Pattern("{B} overlapping with {A}, with {C} absent", _traits(negation="last")),
        Pattern("you never hear {C}, but {B} and {A} sound at once", _traits(negation="first")),
        Pattern("with {C} absent, you hear {B} at the same time as {A}", _traits(negation="first")),
        Pattern("you hear {A} and {B} together, but never {C}", _traits(negation="last")),
    ),
)

_LONGER_LAST = _traits(comparison="longer", negation="last")
_LONGER_FIRST = _traits(comparison="longer", negation="first")
_SHORTER_LAST = _traits(comparison="shorter", negation="last")
_SHORTER_FIRST = _traits(comparison="shorter", negation="first")


def _lengths(long: str, **others: Length) -> dict[str, Length]:
    """Lengths of A and B with `long` the long one, and those of the other letters as given."""
    lengths: dict[str, Length] = {"A": "short", "B": "short", **others}
    lengths[long] = "long"
    return lengths


MIX_3 = Form(
    name="mix-3",
    formulas=(And(Longer("A", "B"), Lacks("C")), And(Longer("B", "A"), Lacks("E"))),
    arrangements=tuple(
        Arrangement(f"{long} long, with {third}", ("A", "B", third), lengths=_lengths(long) | {third: "middle"})
        for long in "AB"
        for third in _ABSENT
    ),
    copies=4,
    exchange={"A": "B", "B": "A", "C": "E", "E": "C"},
    patterns=(
        Pattern("{A} for longer than {B}, without {C}", _LONGER_LAST),
        Pattern("without {C}, you hear {B} for a shorter time than {A}", _SHORTER_FIRST),
        Pattern("the sound of {B:of} is shorter than that of {A:of}, and there is no sound of {C:of}", _SHORTER_LAST),
        Pattern("there is no sound of {C:of}, and the sound of {A:of} lasts longer than that of {B:of}", _LONGER_FIRST),
        Pattern("you never hear {C}, but you do hear {A} for longer than {B}", _LONGER_FIRST),
        Pattern("{B} more briefly than {A}, with {C} absent", _SHORTER_LAST),
        Pattern("with {C} absent, you hear {B} more briefly than {A}", _SHORTER_FIRST),
        Pattern("{A:clause} for longer than you hear {B}, but you never hear {C}", _LONGER_LAST),
    ),
)

_EARLIER_LONGER = _traits(order="earlier first", comparison="longer")
_EARLIER_SHORTER = _traits(order="earlier first", comparison="shorter")
_LATER_LONGER = _traits(order="later first", comparison="longer")
_LATER_SHORTER = _traits(order="later first", comparison="shorter")

MIX_4 = Form(
    name="mix-4",
    # The twin asks for the other order, but for the same sound to be the longer one. If it asked for both the other way round,
    # the longer sound would come first in every relevant clip, and no ear for which sound it is would be needed.
    formulas=(And(Before("A", "B"), Longer("A", "B")), And(Before("B", "A"), Longer("A", "B"))),
    arrangements=tuple(
        Arrangement(f"{x} before {y}, {long} long", ("P", x, y), order=(x, y), lengths=_lengths(long, P="middle"))
        for x, y in ("AB", "BA")
        for long in "AB"
    ),
    copies=4,
    patterns=(
        Pattern("{A} before {B}, the former for longer", _EARLIER_LONGER),
        Pattern("{B} after {A}, the former for a shorter time", _LATER_SHORTER),
        Pattern("{B:clause} after {A:clause}, and the earlier sound is the longer one", _LATER_LONGER),
        Pattern("first {A:clause}, then {B:clause}, and the later sound is the shorter one", _EARLIER_SHORTER),
        Pattern("{A} followed by {B}, the latter for a shorter time", _EARLIER_SHORTER),
        Pattern("{B}, preceded by {A}, the latter for longer", _LATER_LONGER),
        Pattern("you hear {B} only after {A}, and more briefly", _LATER_SHORTER),
        Pattern("{A:clause}, and later {B:clause}, the first of them for longer", _EARLIER_LONGER),
    ),
    twin_patterns=(
        Pattern("{B} before {A}, the latter for longer", _EARLIER_LONGER),
        Pattern("{A} after {B}, the latter for a shorter time", _LATER_SHORTER),
        Pattern("{A:clause} after {B:clause}, and the later sound is the longer one", _LATER_LONGER),
        Pattern("first {B:clause}, then {A:clause}, and the earlier sound is the shorter one", _EARLIER_SHORTER),
        Pattern("{B:clause}, and later {A:clause}, the first of them for a shorter time", _EARLIER_SHORTER),
        Pattern("{A}, preceded by {B}, the former for longer", _LATER_LONGER),
        Pattern("you hear {A} only after {B}, and the latter more briefly", _LATER_SHORTER),
        Pattern("{B} followed by {A}, the latter for longer", _EARLIER_LONGER),
    ),
)

_EARLIER = _traits(order="earlier first")
_LATER = _traits(order="later first")

MIX_5 = Form(
    name="mix-5",
    formulas=(
        And(Overlaps("A", "B"), Before("A", "E"), Before("B", "E")),
        And(Overlaps("A", "E"), Before("B", "A"), Before("B", "E")),
    ),
    arrangements=(
        Arrangement("A with B, then E", ("AB", "E"), order=("AB", "E")),
        Arrangement("E, then A with B", ("AB", "E"), order=("E", "AB")),
        Arrangement("A with E, then B", ("AE", "B"), order=("AE", "B")),
        Arrangement("B, then A with E", ("AE", "B"), order=("B", "AE")),
    ),
    copies=4,
    patterns=(
        Pattern("{A} and {B} together, then {E}", _EARLIER),
        Pattern("{E} after {A} and {B} together", _LATER),
        Pattern("{E:clause} after {A:clause} while {B:clause}", _LATER),
        Pattern("first {A:clause} while {B:clause}, and then {E:clause}", _EARLIER),
        Pattern("{B} at the same time as {A}, followed by {E}", _EARLIER),
        Pattern("{E}, preceded by {B} and {A} at the same time", _LATER),
        Pattern("you hear {E} only after {A} and {B}, which sound at once", _LATER),
        Pattern("{A} overlapping with {B}, and later {E}", _EARLIER),
    ),
    twin_patterns=(
        Pattern("{B}, then {A} and {E} together", _EARLIER),
        Pattern("{A} and {E} together after {B}", _LATER),
        Pattern("{A:clause} while {E:clause}, after {B:clause}", _LATER),
        Pattern("first {B:clause}, and then {A:clause} while {E:clause}", _EARLIER),
        Pattern("{B}, followed by {E} at the same time as {A}", _EARLIER),
        Pattern("{E} and {A} at the same time, preceded by {B}", _LATER),
        Pattern("you hear {A} and {E}, which sound at once, only after {B}", _LATER),
        Pattern("{B}, and later {A} overlapping with {E}", _EARLIER),
    ),
)

MIX_6 = Form(
    name="mix-6",
    formulas=(And(Overlaps("A", "B"), Longer("A", "B")), And(Overlaps("A", "B"), Longer("B", "A"))),
    arrangements=tuple(
        arrangement
        for long in "AB"
        for arrangement in (
            Arrangement(f"A with B, {long} long", ("AB", "P", "Q"), lengths=_lengths(long, P="long", Q="short")),
            Arrangement(f"A and B apart, {long} long", ("PQ", "A", "B"), lengths=_lengths(long, P="long", Q="short")),
        )
    ),
    copies=4,
    alike=("PQ",),
    exchange={"A": "B", "B": "A"},
    patterns=(
        Pattern("{A} and {B} at the same time, the former for longer", _traits(comparison="longer")),
        Pattern("{B} and {A} at the same time, the former for a shorter time", _traits(comparison="shorter")),
        Pattern("{B:clause} while {A:clause}, with {B} as the shorter sound", _traits(comparison="shorter")),
        Pattern("{A:clause} while {B:clause}, with {A} as the longer sound", _traits(comparison="longer")),
        Pattern("{A} overlapping with {B}, the former lasting longer", _traits(comparison="longer")),
        Pattern("{B} overlapping with {A}, the former for a shorter time", _traits(comparison="shorter")),
        Pattern("you hear {B} and {A} together, {B} more briefly", _traits(comparison="shorter")),
        Pattern("you hear {A} and {B} together, {A} for longer", _traits(comparison="longer")),
    ),
)

_PARTS = {Before: "before", Overlaps: "overlaps", Longer: "longer", Lacks: "lacks"}


def foil_kind(formula: Formula, timeline: Timeline, margins: Margins, relations: Relations) -> str:
    """Which of the query's two relations the clip does not satisfy, or both."""
    broken = {
        _PARTS[type(part)]
        for part in conjuncts(formula)
        if type(part) in _PARTS and evaluate(part, timeline, margins, relations) is not Truth.TRUE
    }
    return f"{broken.pop()}-broken" if len(broken) == 1 else "both-broken"


MIX = Task("mix", (MIX_1, MIX_2, MIX_3, MIX_4, MIX_5, MIX_6), foil_kind)
