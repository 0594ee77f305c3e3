"""Why a formula is TRUE, FALSE or UNCLEAR for a timeline: plain English with the measured numbers.

The verdict of every part comes from `logic.evaluate`; this module only puts into words what that looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from builders.logic import (
    NO_RELATIONS,
    AtLeast,
    AtMost,
    Before,
    Formula,
    Has,
    Lacks,
    Longer,
    Margins,
    Overlaps,
    Relations,
    Truth,
    conjuncts,
    evaluate,
)
from builders.timeline import Event, Timeline, overlap_ms


@dataclass(frozen=True, slots=True)
class Reason:
    """One part of a formula, its value for a timeline, and the numbers behind it in plain English (no full stop)."""

    part: Formula
    truth: Truth
    text: str


def explain(
    formula: Formula, timeline: Timeline, margins: Margins = Margins(), relations: Relations = NO_RELATIONS
) -> tuple[Reason, ...]:
    """One `Reason` for each conjunct of `formula`, in the order of the formula."""
    reasons = []
    for part in conjuncts(formula):
        truth = evaluate(part, timeline, margins, relations)
        reasons.append(Reason(part, truth, _text(part, truth, timeline, margins, relations)))
    return tuple(reasons)


def number(milliseconds: int) -> str:
    """The time in seconds, exact, with no more digits than it takes, but two at least: 3100 -> "3.10", 3104 -> "3.104"."""
    return f"{milliseconds / 1000:.{3 if milliseconds % 10 else 2}f}"


def seconds(milliseconds: int) -> str:
    """The same with its unit: 3100 -> "3.10 s"."""
    return f"{number(milliseconds)} s"


def _text(part: Formula, truth: Truth, timeline: Timeline, margins: Margins, relations: Relations) -> str:
    labels = [getattr(part, name) for name in ("a", "b") if hasattr(part, name)]
    absent = [words for label in dict.fromkeys(labels) if (words := _absence(label, timeline, relations))]
    if absent:
        return "; ".join(absent)
    choices = list(product(*(_holders(label, timeline, relations) for label in labels)))
    if isinstance(part, Has | Lacks):
        return " and ".join(_sounding(event, part.a) for (event,) in choices)
    text = "; ".join(_measured(part, events) for events in choices)
    return f"{text} (clear would be {_clear(part, margins)})" if truth is Truth.UNCLEAR else text


def _holders(label: str, timeline: Timeline, relations: Relations) -> list[Event]:
    return [event for event in timeline if relations.holds(event.label, label) is Truth.TRUE]


def _absence(label: str, timeline: Timeline, relations: Relations) -> str:
    """Says that the clip does not hold `label`, or only may hold it; "" where it does."""
    if _holders(label, timeline, relations):
        return ""
    perhaps = [event for event in timeline if relations.holds(event.label, label) is Truth.UNCLEAR]
    return " and ".join(_perhaps(event.label, label, relations) for event in perhaps) or f"no {label}"


def _perhaps(present: str, asked: str, relations: Relations) -> str:
    if present in relations.ancestors.get(asked, ()):
        return f"{present} sounds, which may or may not be {asked}"
    return f"{present} sounds, which is easily taken for {asked}"


def _sounding(event: Event, asked: str) -> str:
    kind = "" if event.label == asked else f" (a kind of {asked})"
    return f"{event.label}{kind} from {number(event.onset_ms)} to {seconds(event.offset_ms)}"


def _measured(part: Formula, events: tuple[Event, ...]) -> str:
    match part:
        case Before():
            return _order(*events)
        case Overlaps():
            return _together(*events)
        case Longer():
            return _lengths(*events)
        case AtLeast(seconds=asked) | AtMost(seconds=asked):
            return _length(events[0], asked)
        case _:  # pragma: no cover - the caller hands only the parts above
            raise TypeError(f"not a relation between events: {part!r}")


def _clear(part: Formula, m: Margins) -> str:
    """What would have settled an UNCLEAR relation."""
    match part:
        case Before():
            return (
                f"{seconds(m.gap_ms)} apart, or together for {seconds(m.simultaneous_ms)}, started at once or the other way round"
            )
        case Overlaps():
            return f"{seconds(m.overlap_ms)} together and {m.overlap_share:.0%} of the shorter, or {seconds(m.gap_ms)} apart"
        case Longer():
            return f"{m.longer_ratio:g} times and {seconds(m.longer_ms)} more, or at most {m.not_longer_ratio:g} times"
        case _:
            return f"{m.above_ratio:g} times or more, or {m.below_ratio:g} times or less"


def _apart(a: Event, b: Event) -> str:
    first, second = (a, b) if a.offset_ms <= b.onset_ms else (b, a)
    return (
        f"{first.label} ends at {seconds(first.offset_ms)}, {second.label} starts at {seconds(second.onset_ms)}: "
        f"{seconds(-overlap_ms(a, b))} apart"
    )


def _both(a: Event, b: Event) -> str:
    onset, offset = max(a.onset_ms, b.onset_ms), min(a.offset_ms, b.offset_ms)
    return f"{a.label} and {b.label} sound together from {number(onset)} to {seconds(offset)}, for {seconds(offset - onset)}"


def _order(a: Event, b: Event) -> str:
    if overlap_ms(a, b) <= 0:
        return _apart(a, b)
    lead = b.onset_ms - a.onset_ms
    return f"{_both(a, b)}, " + (
        f"{(a if lead > 0 else b).label} starting {seconds(abs(lead))} earlier" if lead else "starting at once"
    )


def _together(a: Event, b: Event) -> str:
    together = overlap_ms(a, b)
    if together <= 0:
        return _apart(a, b)
    shorter = min(a, b, key=lambda event: event.duration_ms)
    return f"{_both(a, b)}, {together / shorter.duration_ms:.0%} of {shorter.label}"


def _lengths(a: Event, b: Event) -> str:
    difference = a.duration_ms - b.duration_ms
    more = f"{seconds(abs(difference))} {'more' if difference > 0 else 'less'}" if difference else "no difference"
    lasts = f"{a.label} lasts {seconds(a.duration_ms)}, {b.label} {seconds(b.duration_ms)}"
    return f"{lasts}: {a.duration_ms / b.duration_ms:.2f} times as long, {more}"


def _length(event: Event, asked: float) -> str:
    return f"{event.label} lasts {seconds(event.duration_ms)}, {event.duration_ms / (asked * 1000):.2f} times {asked:g} s"
