"""Duration: how long sounds last, beside each other and in seconds."""

from __future__ import annotations

from itertools import permutations

from builders.logic import And, AtLeast, AtMost, Formula, Has, Longer, Margins, Relations
from builders.tasks.forms import Arrangement, Form, Length, Pattern, Task
from builders.timeline import Timeline

_LONGER = {"comparison": "longer"}
_SHORTER = {"comparison": "shorter"}
_MEASURED = {"named": "measured sound first"}
_OTHER = {"named": "other sound first"}
_LENGTHS: tuple[Length, ...] = ("long", "middle", "short")


def _deal_lengths(letters: str) -> tuple[Arrangement, ...]:
    """The six ways to deal three lengths to three letters."""
    return tuple(
        Arrangement(
            ", ".join(f"{letter} {length}" for letter, length in zip(letters, lengths, strict=True)),
            tuple(letters),
            lengths=dict(zip(letters, lengths, strict=True)),
        )
        for lengths in permutations(_LENGTHS)
    )


DURATION_1 = Form(
    name="duration-1",
    formulas=(And(Longer("A", "B"), Longer("A", "E")), And(Longer("B", "A"), Longer("B", "E"))),
    arrangements=_deal_lengths("ABE"),
    copies=3,
    exchange={"A": "B", "B": "A"},
    patterns=(
        Pattern("{A} for longer than {B} and for longer than {E}", _LONGER),
        Pattern("{B} and {E}, both for a shorter time than {A}", _SHORTER),
        Pattern("you hear both {B} and {E} more briefly than {A}", _SHORTER),
        Pattern("of {A}, {B} and {E}, the first lasts longest", _LONGER),
        Pattern("the sound of {A:of} lasts longer than the sound of {B:of} and that of {E:of}", _LONGER),
        Pattern("{E} and {B}, each of them shorter than {A}", _SHORTER),
        Pattern("the sounds of {B:of} and of {E:of} are both shorter than the sound of {A:of}", _SHORTER),
        Pattern("{A:clause} for longer than you hear either {B} or {E}", _LONGER),
    ),
)

DURATION_2 = Form(
    name="duration-2",
    formulas=(And(Longer("A", "B"), Longer("B", "E")), And(Longer("E", "B"), Longer("B", "A"))),
    arrangements=_deal_lengths("ABE"),
    copies=3,
    exchange={"A": "E", "E": "A"},
    patterns=(
        Pattern("{A} for longer than {B}, which is heard for longer than {E}", _LONGER),
        Pattern("{E} for a shorter time than {B}, which is heard for a shorter time than {A}", _SHORTER),
        Pattern("you hear {E} more briefly than {B}, which in turn is shorter than {A}", _SHORTER),
        Pattern("from longest to shortest: {A}, {B}, {E}", _LONGER),
        Pattern("the sound of {A:of} lasts longer than that of {B:of}, which lasts longer than that of {E:of}", _LONGER),
        Pattern("from shortest to longest: {E}, {B}, {A}", _SHORTER),
        Pattern("the sound of {E:of} is shorter than that of {B:of}, which is shorter than that of {A:of}", _SHORTER),
        Pattern("{A:clause} for longest, {B:clause} for less long, and {E:clause} least long of all", _LONGER),
    ),
)

DURATION_3 = Form(
    name="duration-3",
    formulas=(And(AtLeast("A", 0.0), Has("B")), And(AtLeast("B", 0.0), Has("A"))),
    arrangements=_deal_lengths("ABP"),
    copies=3,
    alike=("AP", "BP"),
    exchange={"A": "B", "B": "A"},
    seconds="at_least_seconds",
    separates=("long", "middle"),
    patterns=(
        Pattern("{A} for at least {seconds}, with {B} in the same recording", _MEASURED),
        Pattern("{B}, and besides that {A} for at least {seconds}", _OTHER),
        Pattern("in a recording with {B}, {A:clause} for more than {seconds}", _OTHER),
        Pattern("{A:clause} for {seconds} or longer, and you hear {B} too", _MEASURED),
        Pattern("{A:clause} for no less than {seconds}, and {B:clause} too", _MEASURED),
        Pattern("you hear {B}, and you hear {A} lasting {seconds} or more", _OTHER),
        Pattern("besides {B}, you hear {A} for {seconds} or more", _OTHER),
        Pattern("you hear {A} for more than {seconds}, and also {B}", _MEASURED),
    ),
)

DURATION_4 = Form(
    name="duration-4",
    formulas=(And(AtMost("A", 0.0), Has("B")), And(AtMost("B", 0.0), Has("A"))),
    arrangements=_deal_lengths("ABP"),
    copies=3,
    alike=("AP", "BP"),
    exchange={"A": "B", "B": "A"},
    seconds="at_most_seconds",
    separates=("middle", "short"),
    patterns=(
        Pattern("{A} for at most {seconds}, with {B} in the same recording", _MEASURED),
        Pattern("{B}, and besides that {A} for at most {seconds}", _OTHER),
        Pattern("in a recording with {B}, {A:clause} for less than {seconds}", _OTHER),
        Pattern("{A:clause} for {seconds} or less, and you hear {B} too", _MEASURED),
        Pattern("{A:clause} for no more than {seconds}, and {B:clause} too", _MEASURED),
        Pattern("you hear {B}, and you hear {A} lasting {seconds} or less", _OTHER),
        Pattern("besides {B}, you hear {A} for {seconds} or less", _OTHER),
        Pattern("you hear {A} for less than {seconds}, and also {B}", _MEASURED),
    ),
)


def foil_kind(formula: Formula, timeline: Timeline, margins: Margins, relations: Relations) -> str:
    """A clip with all anchors that is not relevant has one of them too long or too short."""
    return "wrong-length"


DURATION = Task("duration", (DURATION_1, DURATION_2, DURATION_3, DURATION_4), foil_kind)
