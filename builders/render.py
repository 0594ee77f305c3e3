"""(timeline, recordings) -> samples. A pure function: no random number that the plan has not fixed, no clock, no order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from builders.corpus import Measured
from builders.errors import BuildError
from builders.placing import Placer, bed_noise, bed_start
from builders.recipe import CLIP_MS, Recipe
from builders.sounds.library import Samples, SoundLibrary
from builders.timeline import Event, Timeline


class Renderer:
    """Renders clips of one recipe from one library."""

    def __init__(self, recipe: Recipe, library: SoundLibrary, measured: Measured = Measured()) -> None:
        self.recipe = recipe
        self.library = library
        self.placer = Placer(recipe, library, measured)
        self.clip_samples = recipe.samples(CLIP_MS)
        self._bed = bed_noise(recipe)
        # Megabytes that are used again for every clip: taking them from the system each time costs more than the mixing.
        self._mixed, self._stem = np.empty((2, self.clip_samples), np.float32)

    def event(self, event: Event) -> Samples:
        """The event's samples as they stand in the mix, gain applied: float32, shape [samples(duration)]."""
        placed = self.placer.samples(event.recording, event.duration_ms)
        return placed * _factor(event)

    def bed(self, clip_id: str) -> Samples:
        """The noise bed of a clip: float32, shape [10 s x rate], a view."""
        start = bed_start(clip_id, len(self._bed), self.clip_samples)
        return self._bed[start : start + self.clip_samples]

    def mix(self, clip_id: str, timeline: Timeline, into: Samples | None = None) -> Samples:
        """The clip before quantisation: float32, shape [10 s x rate]: its bed plus its events, each at its onset.

        Args:
            clip_id: it tells where the clip's bed begins.
            timeline: its events.
            into: an array of that shape and type to write to; a new one is made where it is None.
        """
        return self._mix_into(np.empty(self.clip_samples, np.float32) if into is None else into, 1.0, clip_id, timeline)

    def clip(self, clip_id: str, timeline: Timeline) -> NDArray[np.int16]:
        """The clip, mono, 16 bit, shape [10 s x rate]; full scale is never reached. Not to be called from two threads at once."""
        scaled = self._mix_into(self._mixed, 32768.0, clip_id, timeline)
        return quantised(clip_id, scaled)

    def _mix_into(self, mixed: Samples, scale: float, clip_id: str, timeline: Timeline) -> Samples:
        """`scale` is a power of two, so that the samples are the same but for their exponent."""
        np.multiply(self.bed(clip_id), np.float32(scale), out=mixed)
        for event in timeline:
            placed = self.placer.samples(event.recording, event.duration_ms)
            start = self.recipe.samples(event.onset_ms)
            if start + len(placed) > len(mixed):
                raise BuildError(f"clip {clip_id}: event {event.label!r} ends after {CLIP_MS} ms; the timeline is damaged")
            stem = np.multiply(placed, _factor(event) * np.float32(scale), out=self._stem[: len(placed)])
            mixed[start : start + len(placed)] += stem
        return mixed


def quantised(clip_id: str, scaled: Samples) -> NDArray[np.int16]:
    """Samples in units of the 16-bit scale, rounded; they are rounded in place too. Raises BuildError at full scale."""
    np.rint(scaled, out=scaled)
    if max(scaled.max(), -scaled.min()) >= 32767:
        raise BuildError(f"clip {clip_id} reaches full scale; lower sound.peak_dbfs or sound.max_gain_db in the recipe")
    return scaled.astype(np.int16)


def _factor(event: Event) -> np.float32:
    """The planned gain as a factor."""
    return np.float32(10 ** (event.gain_db / 20))
