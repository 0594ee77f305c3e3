"""What a control does to each clip of a set. It follows from the whole set, so it is worked out before any clip is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from builders.controls import energy, spectrum
from builders.corpus import Clip
from builders.heard import as_exact, heard
from builders.recipe import EQUAL_ENERGY, Recipe
from builders.render import Renderer
from builders.sounds.library import Samples
from builders.timeline import Timeline

_DIGITS = 6
"""Levels are rounded, so that the last digit of a sum, which may differ between machines, decides nothing."""


@dataclass(frozen=True, slots=True)
class Treatment:
    """What is done to a clip.

    Attributes:
        gain_db: constant gain of the whole clip.
        gap_bed_dbfs: level of the bed in the gaps (equal-energy), else None.
        filter_db: gain in each third-octave band (equal-spectrum), else empty.
    """

    gain_db: float = 0.0
    gap_bed_dbfs: float | None = None
    filter_db: tuple[float, ...] = ()

    def apply(self, mixed: Samples, timeline: Timeline, recipe: Recipe) -> Samples:
        """The clip as it is to be, shape and unit as `mixed`, which is changed."""
        if self.gap_bed_dbfs is not None:
            energy.fill_gaps(mixed, timeline, recipe, self.gap_bed_dbfs)
        if any(self.filter_db):
            mixed = spectrum.apply(mixed, spectrum.impulse_response(np.array(self.filter_db), recipe))
        mixed *= np.float32(10 ** (self.gain_db / 20))
        return mixed


def treat_set(clips: Sequence[Clip], renderer: Renderer) -> dict[str, Treatment]:
    """Clip id -> treatment, for all clips of one set."""
    if renderer.recipe.control == EQUAL_ENERGY:
        return _equal_energy(clips, renderer)
    return _equal_spectrum(clips, renderer)


def _equal_energy(clips: Sequence[Clip], renderer: Renderer) -> dict[str, Treatment]:
    """Every clip to the mean RMS of the set's clips, gaps filled; or to less, where that would exceed the recipe's peak."""
    recipe = renderer.recipe
    beds, levels, peaks = [], [], []
    mixed = np.empty(renderer.clip_samples, np.float32)
    for clip in clips:
        renderer.mix(clip.id, clip.timeline, into=mixed)
        beds.append(round(energy.gap_level_db(mixed, clip.timeline, recipe), _DIGITS))
        energy.fill_gaps(mixed, clip.timeline, recipe, beds[-1])
        levels.append(energy.rms_db(mixed))
        peaks.append(_peak_db(mixed))
    wanted = float(20 * np.log10(np.mean(10 ** (np.array(levels) / 20))))
    exceeding = max(peak + wanted - level for peak, level in zip(peaks, levels, strict=True)) - recipe.control_rules.peak_dbfs
    wanted -= max(exceeding, 0.0)
    return {
        clip.id: Treatment(gain_db=round(wanted - level, _DIGITS), gap_bed_dbfs=bed)
        for clip, level, bed in zip(clips, levels, beds, strict=True)
    }


def _equal_spectrum(clips: Sequence[Clip], renderer: Renderer) -> dict[str, Treatment]:
    """Every clip toward the mean spectrum of the set's; all of them lower, where one would exceed the recipe's peak."""
    recipe = renderer.recipe
    mixed = np.empty(renderer.clip_samples, np.float32)
    spectra = _spectra(clips, renderer)
    asked = spectrum.gains(spectra, spectrum.target(spectra), recipe)
    filters, peaks = [], []
    for clip, gains_db in zip(clips, asked, strict=True):
        gains_db, filtered = _exact(renderer.mix(clip.id, clip.timeline, into=mixed), clip, gains_db, recipe)
        filters.append(gains_db)
        peaks.append(_peak_db(filtered))
    common = min(0.0, round(recipe.control_rules.peak_dbfs - max(peaks), _DIGITS))
    return {
        clip.id: Treatment(gain_db=common, filter_db=tuple(map(float, gains_db)))
        for clip, gains_db in zip(clips, filters, strict=True)
    }


def _spectra(clips: Sequence[Clip], renderer: Renderer) -> spectrum.Bands:
    """Long-term average spectra in dB, shape [clips, bands].

    The energies of a clip's events and of its bed add up, as their phases are unrelated; and a set has few different events.
    """
    recipe, known = renderer.recipe, dict[tuple[str, int, float], NDArray[np.float64]]()
    bed = spectrum.noise_energies(recipe.sound.bed_dbfs, renderer.clip_samples, recipe.sample_rate)
    found = []
    for clip in clips:
        total = bed.copy()
        for event in clip.timeline:
            key = (event.recording, event.duration_ms, event.gain_db)
            if key not in known:
                known[key] = spectrum.band_energies(renderer.event(event), recipe.sample_rate)
            total += known[key]
        found.append(spectrum.in_db(total))
    return np.array(found)


def _exact(mixed: Samples, clip: Clip, gains_db: spectrum.Bands, recipe: Recipe) -> tuple[spectrum.Bands, Samples]:
    """The gains, or a share of them with which onsets and offsets are heard as exactly as before; and the clip so filtered.

    A slow decay that is brighter or darker than the rest of its sound is heard for longer or shorter where a filter changes the
    balance of the two.
    """
    before = heard(mixed, clip.timeline, recipe)
    for share in spectrum.SHARES:
        shared = (gains_db * share).round(3)
        filtered = spectrum.apply(mixed, spectrum.impulse_response(shared, recipe)) if share else mixed
        if as_exact(heard(filtered, clip.timeline, recipe), before):
            break
    return shared, filtered


def _peak_db(samples: Samples) -> float:
    return float(20 * np.log10(max(float(samples.max()), -float(samples.min()), 1e-10)))
