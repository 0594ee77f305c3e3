"""Order: which sound comes first."""

from __future__ import annotations

from itertools import permutations

from builders.logic import And, Before, Formula, Margins, Relations, Truth, conjuncts, evaluate
from builders.tasks.forms import Arrangement, Form, Pattern, Task
from builders.timeline import Timeline, overlapping_pairs

_EARLIER = {"order": "earlier first"}
_LATER = {"order": "later first"}

ORDER_1 = Form(
    name="order-1",
    formulas=(Before("A", "B"), Before("B", "A")),
    arrangements=(
        Arrangement("A before B", ("PQ", "A", "B"), order=("A", "B")),
        Arrangement("B before A", ("PQ", "B", "A"), order=("B", "A")),
        Arrangement("A with B", ("AB", "P", "Q")),
    ),
    copies=5,
    alike=("PQ",),
    pairs_start_together=True,
    exchange={"A": "B", "B": "A"},
    patterns=(
        Pattern("{A} before {B}", _EARLIER),
        Pattern("{B} after {A}", _LATER),
        Pattern("{B:clause} after {A:clause}", _LATER),
        Pattern("first {A:clause}, then {B:clause}", _EARLIER),
        Pattern("{A:clause}, and later {B:clause}", _EARLIER),
        Pattern("{B}, preceded by {A}", _LATER),
        Pattern("you hear {B}, but only after {A}", _LATER),
        Pattern("{A} followed by {B}", _EARLIER),
    ),
)

ORDER_2 = Form(
    name="order-2",
    formulas=(And(Before("A", "B"), Before("B", "C")), And(Before("C", "B"), Before("B", "A"))),
    arrangements=tuple(Arrangement(f"{x}, then {y}, then {z}", (x, y, z), order=(x, y, z)) for x, y, z in permutations("ABC")),
    copies=3,
    exchange={"A": "C", "C": "A"},
    patterns=(
        Pattern("{A}, then {B}, then {C}", _EARLIER),
        Pattern("{C} after {B}, which comes after {A}", _LATER),
        Pattern("{C:clause} after {B:clause}, which in turn comes after {A}", _LATER),
        Pattern("first {A:clause}, next {B:clause}, and finally {C:clause}", _EARLIER),
        Pattern("{A} before {B}, which is before {C}", _EARLIER),
        Pattern("{C}, preceded by {B}, preceded in turn by {A}", _LATER),
        Pattern("last {C}, before that {B}, and first of all {A}", _LATER),
        Pattern("{A} followed by {B}, followed in turn by {C}", _EARLIER),
    ),
)


def foil_kind(formula: Formula, timeline: Timeline, margins: Margins, relations: Relations) -> str:
    """How a clip with all anchors has them: the other way round, at the same time, or in another order."""
    parts = [part for part in conjuncts(formula) if isinstance(part, Before)]
    if all(evaluate(Before(part.b, part.a), timeline, margins, relations) is Truth.TRUE for part in parts):
        return "reversed"
    anchors = {label for part in parts for label in (part.a, part.b)}
    if any(a.label in anchors and b.label in anchors for a, b in overlapping_pairs(timeline)):
        return "simultaneous"
    return "permuted"


ORDER = Task("order", (ORDER_1, ORDER_2), foil_kind)
