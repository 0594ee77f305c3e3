"""A timeline said in English, exactly."""

from __future__ import annotations

from collections.abc import Mapping

from builders.sounds.library import AtomicSound
from builders.timeline import Event, Timeline, overlap_ms


def caption(timeline: Timeline, sounds: Mapping[str, AtomicSound]) -> str:
    """An account of `timeline` from which it could be drawn again: what sounds, from when to when, and what sounds together.

    "A dog barks from 0.8 to 3.1 s, then a bell rings from 4 to 6 s, while rain falls from 4.5 to 7 s (both from 4.5 to 6 s)."

    Args:
        timeline: events in any number; none gives "Nothing is heard.".
        sounds: label -> sound, for every label of the timeline.
    """
    said: list[str] = []
    for group in _groups(timeline):
        parts = [f"{_clause(event, sounds)}{_together(event, group[:i], len(group), sounds)}" for i, event in enumerate(group)]
        said.append(", while ".join(parts))
    text = ", then ".join(said) or "nothing is heard"
    return f"{text[0].upper()}{text[1:]}."


def _groups(timeline: Timeline) -> list[list[Event]]:
    """The events in order of onset, cut wherever silence, or one event's end, parts them."""
    groups: list[list[Event]] = []
    for event in timeline:
        if groups and any(overlap_ms(event, other) > 0 for other in groups[-1]):
            groups[-1].append(event)
        else:
            groups.append([event])
    return groups


def _clause(event: Event, sounds: Mapping[str, AtomicSound]) -> str:
    return f"{sounds[event.label].clause} {_span(event.onset_ms, event.offset_ms)}"


def _together(event: Event, earlier: list[Event], group_size: int, sounds: Mapping[str, AtomicSound]) -> str:
    """Which of the events that began before it the event sounds together with, and when."""
    found = [
        (f"with {sounds[other.label].noun} " if group_size > 2 else "both ")
        + _span(max(event.onset_ms, other.onset_ms), min(event.offset_ms, other.offset_ms))
        for other in earlier
        if overlap_ms(event, other) > 0
    ]
    return f" ({', '.join(found)})" if found else ""


def _span(start_ms: int, end_ms: int) -> str:
    return f"from {in_seconds(start_ms)} to {in_seconds(end_ms)} s"


def in_seconds(milliseconds: int) -> str:
    """A time in seconds, exact, without trailing zeros: 800 -> "0.8", 4000 -> "4", 6020 -> "6.02"."""
    whole, rest = divmod(milliseconds, 1000)
    return f"{whole}.{rest:03d}".rstrip("0").rstrip(".") if rest else str(whole)
