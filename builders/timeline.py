"""Events and timelines: plain frozen records in integer milliseconds, no audio.

A timeline is the ground truth of one clip. Everything else (relevance, captions, the audio itself) follows from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """One recording placed in a clip: audible in [`onset_ms`, `offset_ms`), `gain_db` above the common loudness.

    Attributes:
        label: label of the atomic sound.
        onset_ms: first audible millisecond, from the start of the clip.
        offset_ms: the millisecond at which it is no longer audible; greater than `onset_ms`.
        recording: id of the recording.
        gain_db: planned gain in dB, on top of the common loudness that every event is brought to.
    """

    label: str
    onset_ms: int
    offset_ms: int
    recording: str = ""
    gain_db: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.onset_ms < self.offset_ms:
            raise ValueError(f"event {self.label!r}: needs 0 <= onset < offset, got [{self.onset_ms}, {self.offset_ms}) ms")

    @property
    def duration_ms(self) -> int:
        return self.offset_ms - self.onset_ms


@dataclass(frozen=True, slots=True)
class Timeline:
    """The events of one clip, ordered by onset (then by label)."""

    events: tuple[Event, ...]

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.events, key=lambda event: (event.onset_ms, event.label)))
        object.__setattr__(self, "events", ordered)

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(event.label for event in self.events)

    def event(self, label: str) -> Event:
        """The event of `label`. Raises KeyError where the clip does not hold it."""
        for event in self.events:
            if event.label == label:
                return event
        raise KeyError(label)


def overlap_ms(a: Event, b: Event) -> int:
    """Milliseconds for which both sound; negative: the length of the gap between them."""
    return min(a.offset_ms, b.offset_ms) - max(a.onset_ms, b.onset_ms)


def overlapping_pairs(timeline: Timeline) -> tuple[tuple[Event, Event], ...]:
    """All pairs of events that sound together for at least one millisecond, in order of onset."""
    events = timeline.events
    return tuple((a, b) for i, a in enumerate(events) for b in events[i + 1 :] if overlap_ms(a, b) > 0)


def blocks_of(timeline: Timeline) -> tuple[tuple[Event, ...], ...]:
    """The events in groups that overlap each other, in order of time."""
    blocks: list[list[Event]] = []
    for event in timeline:
        if blocks and event.onset_ms < max(other.offset_ms for other in blocks[-1]):
            blocks[-1].append(event)
        else:
            blocks.append([event])
    return tuple(map(tuple, blocks))
