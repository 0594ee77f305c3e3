"""Whether the audio of a clip is what its timeline says: measured, not taken on trust."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from builders.check.problems import Problem
from builders.corpus import Clip
from builders.heard import EXACT_MS, heard
from builders.recipe import CLIP_MS, Recipe
from builders.shards import pcm_sha256
from builders.timeline import Event

USUAL_SHARE = 0.95
"""Onsets and offsets are found within 20 ms for at least this share of the events that stand alone."""
SAME_EVENT_MS = 25
"""The same recording at the same length is found with the same error wherever it stands (frames begin every 5 ms)."""
SAME_LEVEL_DB = 0.5


@dataclass(frozen=True, slots=True)
class Measured:
    """One event that stands alone, as measured in the audio of its clip.

    Attributes:
        onset_error_ms, offset_error_ms: measured less planned.
        level_db: RMS from onset to offset in dB re full scale, less the planned gain.
    """

    clip: str
    event: Event
    onset_error_ms: int
    offset_error_ms: int
    level_db: float

    @property
    def inexactness_ms(self) -> int:
        return max(abs(self.onset_error_ms), abs(self.offset_error_ms))


def check_samples(
    clip_id: str, samples: NDArray[np.int16], sample_rate: int, recipe: Recipe, expected_sha256: str
) -> Iterator[Problem]:
    """Rate, length, headroom and hash of one clip."""
    where = f"clip {clip_id}"
    if sample_rate != recipe.sample_rate:
        yield Problem(where, f"is at {sample_rate} Hz, not {recipe.sample_rate} Hz")
    if samples.shape != (recipe.samples(CLIP_MS),):
        yield Problem(where, f"has samples of shape {samples.shape}, not ({recipe.samples(CLIP_MS)},)")
    elif max(int(samples.max()), -int(samples.min())) >= 32767:
        yield Problem(where, "reaches full scale")
    if pcm_sha256(samples) != expected_sha256:
        yield Problem(where, "its samples are not those that were rendered (pcm_sha256 differs)")


def measure(clip: Clip, samples: NDArray[np.int16], recipe: Recipe) -> tuple[list[Measured], list[Problem]]:
    """Finds the events of a clip in its audio by the definition of "audible".

    Of a pair only the outer bounds are looked at: the louder sets the level from which "audible" counts.

    Returns:
        What was measured of events that stand alone, and problems: nothing audible where an event should be, or something
        audible where none should be.
    """
    scaled = samples.astype(np.float32) / np.float32(32768)
    measured, problems = [], []
    for block in heard(scaled, clip.timeline, recipe):
        onset, end = block.onset_ms, block.offset_ms
        names = " and ".join(repr(event.label) for event in block.events)
        # The bed is under everything: nothing that is not well above it is an event.
        if block.errors_ms is None or block.loudest_db < recipe.sound.bed_dbfs + recipe.audible.range_db / 3:
            problems.append(Problem(f"clip {clip.id}", f"nothing is heard where {names} should be, {onset} to {end} ms"))
            continue
        errors, most = block.errors_ms, recipe.audible.max_error_ms
        outside = max(-errors[0], errors[1])
        if outside > most or (len(block.events) == 1 and max(map(abs, errors)) > most):
            found = f"{onset + errors[0]} to {end + errors[1]} ms"
            problems.append(Problem(f"clip {clip.id}", f"{names} is heard from {found}, planned from {onset} to {end} ms"))
        if len(block.events) == 1:
            part, gain = scaled[recipe.samples(onset) : recipe.samples(end)], block.events[0].gain_db
            level = 10 * np.log10(max(float(np.mean(np.square(part, dtype=np.float64))), 1e-20)) - gain
            measured.append(Measured(clip.id, block.events[0], errors[0], errors[1], float(level)))
    return measured, problems


def check_measured(measured: Iterable[Measured]) -> Iterator[Problem]:
    """What only many clips together show: too many inexact events, and events that differ from others of the same recording."""
    everything = list(measured)
    inexact = [m for m in everything if m.inexactness_ms > EXACT_MS]
    if len(inexact) > (1 - USUAL_SHARE) * len(everything):
        worst = max(inexact, key=lambda m: m.inexactness_ms)
        yield Problem(
            "audio",
            f"{len(inexact)} of {len(everything)} events that stand alone are found over {EXACT_MS} ms off, "
            f"the worst is {worst.event.label!r} in clip {worst.clip}",
        )
    groups: dict[tuple[str, int], list[Measured]] = defaultdict(list)
    for m in everything:
        groups[m.event.recording, m.event.duration_ms].append(m)
    for group in groups.values():
        if len(group) < 3:  # of two that differ, neither can be said to be the wrong one
            continue
        onset = np.median([m.onset_error_ms for m in group])
        offset = np.median([m.offset_error_ms for m in group])
        level = np.median([m.level_db for m in group])
        for m in group:
            exact = m.inexactness_ms <= EXACT_MS  # of a sound whose end is barely audible, likes may be heard to end early
            if max(abs(m.onset_error_ms - onset), abs(m.offset_error_ms - offset)) > SAME_EVENT_MS and not exact:
                yield Problem(f"clip {m.clip}", f"{m.event.label!r} does not sound when the timeline says, as in other clips")
            elif abs(m.level_db - level) > SAME_LEVEL_DB:
                yield Problem(f"clip {m.clip}", f"{m.event.label!r} is {m.level_db - level:+.1f} dB off its planned gain")
