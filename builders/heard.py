"""Where the events of a clip are heard, by the definition of "audible"."""

from __future__ import annotations

from dataclasses import dataclass

from builders.recipe import CLIP_MS, Recipe
from builders.sounds.audible import audible_spans, frame_levels
from builders.sounds.library import Samples
from builders.timeline import Event, Timeline, blocks_of

EXACT_MS = 20
"""An onset or offset that is heard this near to where it is planned counts as exact."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A block of a timeline (an event alone, or a pair) as it is heard.

    Attributes:
        onset_ms, offset_ms: as planned, of the whole block.
        errors_ms: heard less planned, at its beginning and its end; None where nothing is audible.
        loudest_db: level of its loudest frame in dB re full scale.
    """

    events: tuple[Event, ...]
    onset_ms: int
    offset_ms: int
    errors_ms: tuple[int, int] | None
    loudest_db: float


def heard(samples: Samples, timeline: Timeline, recipe: Recipe) -> tuple[Heard, ...]:
    """The blocks of a timeline, each looked for from the middle of the gap before it to the middle of the gap after it.

    Args:
        samples: the clip, float32, shape [10 s x rate].
        timeline: its events.
        recipe: it says what is audible.
    """
    rules = recipe.audible
    levels = frame_levels(samples, recipe.sample_rate, rules)
    offset = rules.frame_ms - rules.hop_ms
    found = []
    blocks = blocks_of(timeline)
    bounds = [(min(e.onset_ms for e in block), max(e.offset_ms for e in block)) for block in blocks]
    for n, (block, (onset, end)) in enumerate(zip(blocks, bounds, strict=True)):
        left = 0 if n == 0 else (onset + bounds[n - 1][1]) // 2
        right = CLIP_MS if n + 1 == len(blocks) else (end + bounds[n + 1][0]) // 2
        first, last = (left + offset) // rules.hop_ms, (right + offset - rules.frame_ms) // rules.hop_ms + 1
        inside = levels[first:last]
        spans = audible_spans(inside, 1 << 30, rules)
        shift = first * rules.hop_ms
        errors = (spans[0].start_ms + shift - onset, spans[0].end_ms + shift - end) if spans else None
        found.append(Heard(block, onset, end, errors, float(inside.max())))
    return tuple(found)


def as_exact(after: tuple[Heard, ...], before: tuple[Heard, ...]) -> bool:
    """Whether every block is heard within `EXACT_MS` of its plan, or no further off than before a change of the sound."""
    for changed, was in zip(after, before, strict=True):
        if was.errors_ms is None:
            continue
        if changed.errors_ms is None or any(
            abs(now) > max(EXACT_MS, abs(then)) for now, then in zip(changed.errors_ms, was.errors_ms, strict=True)
        ):
            return False
    return True
