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

    def event(self, event: Event) -> Samples:
        """The event's samples as they stand in the mix, gain applied: float32, shape [samples(duration)]."""
        placed = self.placer.samples(event.recording, event.duration_ms)
        return placed * np.float32(10 ** (event.gain_db / 20))

    def bed(self, clip_id: str) -> Samples:
        """The noise bed of a clip: float32, shape [10 s x rate], a view."""
        start = bed_start(clip_id, len(self._bed), self.clip_samples)
        return self._bed[start : start + self.clip_samples]

    def mix(self, clip_id: str, timeline: Timeline) -> Samples:
        """The clip before quantisation: float32, shape [10 s x rate]: its bed plus its events, each at its onset."""
        mixed = self.bed(clip_id).copy()
        for event in timeline:
            samples = self.event(event)
            start = self.recipe.samples(event.onset_ms)
            if start + len(samples) > len(mixed):
                raise BuildError(f"clip {clip_id}: event {event.label!r} ends after {CLIP_MS} ms; the timeline is damaged")
            mixed[start : start + len(samples)] += samples
        return mixed

    def clip(self, clip_id: str, timeline: Timeline) -> NDArray[np.int16]:
        """The clip, mono, 16 bit, shape [10 s x rate]; full scale is never reached."""
        scaled = self.mix(clip_id, timeline)
        scaled *= np.float32(32768)
        np.rint(scaled, out=scaled)
        if max(scaled.max(), -scaled.min()) >= 32767:
            raise BuildError(f"clip {clip_id} reaches full scale; lower sound.peak_dbfs or sound.max_gain_db in the recipe")
        return scaled.astype(np.int16)
