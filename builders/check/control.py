"""Whether the audio of a control is what its timelines and its treatment say.

A folder does not hold what was done to its clips, but the bed under every clip is known to the sample: it follows from the seed
and the clip's id. So what a control did to a clip is measured on the bed, in the gaps where nothing else sounds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import fft

from builders.check.audio import Measured, check_measured, measure
from builders.check.problems import Problem
from builders.controls import energy, spectrum
from builders.corpus import Clip
from builders.placing import bed_noise, bed_start
from builders.recipe import CLIP_MS, EQUAL_ENERGY, EQUAL_SPECTRUM, Recipe
from builders.sounds.library import Samples

SAME_RMS_DB = 0.01
"""Rounding to 16 bits changes the level of a clip by less than a hundredth of this."""
GAP_LEVEL_DB = 0.1
FILTER_DB = 1.0
"""How exactly a filter is measured, RMS over bands; single bands of a few Hz are measured less exactly than the rest."""
LIMIT_DB = 0.5
PHASE = 0.1
_FRAME_MS = 200
_ROUNDS = 6
_LOWEST_BED_DBFS = -85.0
"""A quieter bed drowns in the rounding to 16 bits, and shows no filter."""


@dataclass(frozen=True, slots=True)
class Treated:
    """What a control did to a clip, as measured.

    Attributes:
        rms_db: of the whole clip, in dB re full scale.
        levels_db, filter_db: equal-spectrum: energy before the filter, and the filter's gain, in each third-octave band.
    """

    clip: str
    set: str
    rms_db: float
    levels_db: tuple[float, ...] = ()
    filter_db: tuple[float, ...] = ()


class _Listen(Protocol):
    def __call__(
        self, clip: Clip, samples: NDArray[np.int16], recipe: Recipe
    ) -> tuple[list[Measured], list[Treated], list[Problem]]: ...


def listen(clip: Clip, samples: NDArray[np.int16], recipe: Recipe) -> tuple[list[Measured], list[Treated], list[Problem]]:
    """The events of a clip as measured (see `audio.measure`), what its control did to it, and problems of this clip alone."""
    special: dict[str, _Listen] = {EQUAL_ENERGY: _equal_energy, EQUAL_SPECTRUM: _equal_spectrum}
    if recipe.control in special:
        return special[recipe.control](clip, samples, recipe)
    measured, problems = measure(clip, samples, recipe)
    return measured, [], problems


def check_heard(measured: Sequence[Measured], treated: Sequence[Treated], recipe: Recipe) -> Iterator[Problem]:
    """What only many clips together show: of events (see `audio.check_measured`), and of the sets of a control."""
    sets: dict[str, list[Treated]] = defaultdict(list)
    for clip in treated:
        sets[clip.set].append(clip)
    if recipe.control == EQUAL_ENERGY:
        for name, clips in sets.items():
            spread = max(clip.rms_db for clip in clips) - min(clip.rms_db for clip in clips)
            if spread > SAME_RMS_DB:
                yield Problem(f"set {name}", f"its clips differ by {spread:.2f} dB in RMS; in this control they are equal")
    elif recipe.control == EQUAL_SPECTRUM:
        for clips in sets.values():
            yield from _check_filters(clips, recipe)
    yield from check_measured(measured)


# --- equal-energy -----------------------------------------------------------------------------------------------------


def _equal_energy(clip: Clip, samples: NDArray[np.int16], recipe: Recipe) -> tuple[list[Measured], list[Treated], list[Problem]]:
    """Events are looked for in what is left when the raised bed is taken out of the gaps; their levels are less the clip's gain.

    In a gap a clip is `gain * bed * (1 + (raised - 1) * weight)`, and the weight goes from 0 to 1 in the fades next to events: a
    linear fit to the bed, plain and weighted, tells how much the clip was amplified and how much the bed was raised.
    """
    scaled = samples.astype(np.float64)
    bed = _bed(clip, recipe) * 32768
    gap = ~energy.sounding(clip.timeline, recipe, len(samples))
    weights = np.zeros(len(samples))
    for start, end in energy.gaps(clip.timeline, recipe, len(samples)):
        weights[start:end] = energy.gap_weights(start, end, len(samples), recipe)
    (gain, more), *_ = np.linalg.lstsq(np.stack([bed[gap], bed[gap] * weights[gap]], axis=1), scaled[gap])
    left = scaled - more * bed * weights
    problems = []
    if np.sqrt(np.mean(np.square(left[gap] - gain * bed[gap]))) > 1 or gain <= 0:
        problems.append(Problem(f"clip {clip.id}", "its gaps hold something other than the bed"))
        gain = 1.0
    else:
        events_db = energy.rms_db(scaled[~gap] / 32768)
        below = events_db - recipe.sound.bed_dbfs - 20 * np.log10(max(gain + more, 1e-10))
        wanted = recipe.control_rules.gap_bed_db
        if abs(below - wanted) > GAP_LEVEL_DB:
            problems.append(
                Problem(f"clip {clip.id}", f"the bed in its gaps lies {below:.1f} dB below its events, not {wanted:g} dB")
            )
    measured, unheard = measure(clip, np.rint(left).astype(np.int16), recipe)
    levelled = [replace(m, level_db=m.level_db - 20 * float(np.log10(gain))) for m in measured]
    return levelled, [Treated(clip.id, clip.set, energy.rms_db(scaled / 32768))], problems + unheard


# --- equal-spectrum ---------------------------------------------------------------------------------------------------


def _equal_spectrum(
    clip: Clip, samples: NDArray[np.int16], recipe: Recipe
) -> tuple[list[Measured], list[Treated], list[Problem]]:
    """Levels are those with the filter undone; onsets and offsets the nearer to the plan, of those with it and those without.

    One that lies at the threshold of what is audible may be heard in the one and not in the other.
    """
    where = f"clip {clip.id}"
    measured, problems = measure(clip, samples, recipe)
    scaled = samples.astype(np.float64) / 32768
    response = _response(clip, scaled, recipe)
    if response is None:
        return [replace(m, level_db=float("nan")) for m in measured], [], problems
    filter_db, phase = response
    most = recipe.control_rules.filter_db
    if filter_db.max() > most + LIMIT_DB or np.ptp(filter_db) > 2 * (most + LIMIT_DB):
        found = f"{filter_db.min():+.1f} to {filter_db.max():+.1f} dB"
        problems.append(Problem(where, f"its filter goes from {found}, more than ±{most:g} dB"))
    if phase > PHASE:
        problems.append(Problem(where, "its filter is not zero-phase, or its bed is not the recipe's"))
        return measured, [], problems
    plain = _undone(scaled, filter_db, recipe)
    levels = spectrum.in_db(spectrum.band_energies(scaled.astype(np.float32), recipe.sample_rate)) - filter_db
    treated = Treated(clip.id, clip.set, energy.rms_db(scaled), tuple(map(float, levels)), tuple(map(float, filter_db)))
    undone, _ = measure(clip, np.clip(np.rint(plain * 32768), -32767, 32767).astype(np.int16), recipe)
    without = {m.event: m for m in undone}
    compared = []
    for m in measured:
        other = without.get(m.event, m)
        level_db = energy.rms_db(plain[recipe.samples(m.event.onset_ms) : recipe.samples(m.event.offset_ms)]) - m.event.gain_db
        compared.append(replace(min(m, other, key=lambda of: of.inexactness_ms), level_db=level_db))
    return compared, [treated], problems


def _response(clip: Clip, scaled: NDArray[np.float64], recipe: Recipe) -> tuple[NDArray[np.float64], float] | None:
    """The filter's gain in each band, in dB, and how far it is from zero-phase: from what became of the bed in the gaps.

    Frames lie within gaps, clear of what filtered events spread into them. None where there is no such frame, or no bed to see.
    """
    reach, size = recipe.samples(recipe.control_rules.filter_reach_ms), recipe.samples(_FRAME_MS)
    starts = [
        start
        for first, last in energy.gaps(clip.timeline, recipe, len(scaled))
        for start in range(first + reach, last - reach - size + 1, size // 2)
    ]
    if not starts or recipe.sound.bed_dbfs < _LOWEST_BED_DBFS:
        return None
    window = np.hanning(size)
    bed = _bed(clip, recipe)
    heard, known = (fft.rfft(np.stack([of[s : s + size] for s in starts]) * window, axis=1) for of in (scaled, bed))
    cross, power = (heard * known.conj()).sum(axis=0), np.square(np.abs(known)).sum(axis=0)
    gains = np.array([cross[band].sum() / power[band].sum() for band in _bands(recipe)])
    phase = float(np.mean(np.abs(gains.imag)) / max(float(np.mean(np.abs(gains))), 1e-10))
    return 20 * np.log10(np.maximum(gains.real, 1e-5)), phase


def _undone(scaled: NDArray[np.float64], filter_db: NDArray[np.float64], recipe: Recipe) -> Samples:
    """The clip as it was before a filter that does this in each band."""
    asked = filter_db.copy()
    for _ in range(_ROUNDS):  # what was asked for is what is found, less what cutting the filter to its reach has smoothed
        asked += filter_db - _smoothed(asked, recipe)
    response = spectrum.impulse_response(asked, recipe)
    size = fft.next_fast_len(len(scaled) + len(response), real=True)
    factors = np.abs(fft.rfft(response, size))
    return np.asarray(fft.irfft(fft.rfft(scaled.astype(np.float32), size) / factors, size)[: len(scaled)])


def _check_filters(clips: Sequence[Treated], recipe: Recipe) -> Iterator[Problem]:
    """Whether the filters of a set are those, or shares of those, that its clips' spectra before the filters ask for."""
    levels = np.array([clip.levels_db for clip in clips])
    asked = spectrum.gains(levels, spectrum.target(levels), recipe)
    for clip, gains_db in zip(clips, asked, strict=True):
        expected = np.array([_smoothed(gains_db * share, recipe) for share in spectrum.SHARES])
        off = clip.filter_db - expected
        off -= np.median(off, axis=1, keepdims=True)  # the gain of the whole set
        error = float(np.sqrt(np.mean(np.square(off), axis=1)).min())
        if error > FILTER_DB:
            yield Problem(f"clip {clip.clip}", f"its filter is {error:.1f} dB off that which brings its set's spectra together")


def _smoothed(gains_db: NDArray[np.float64], recipe: Recipe) -> NDArray[np.float64]:
    """What a filter asked for with these gains does in each band, in dB; means over the same frequencies as in `_response`."""
    found = np.abs(fft.rfft(spectrum.impulse_response(gains_db, recipe).astype(np.float64), recipe.samples(_FRAME_MS)))
    return np.asarray(20 * np.log10(np.array([found[band].mean() for band in _bands(recipe)])))


@lru_cache(maxsize=4)
def _bands(recipe: Recipe) -> list[slice]:
    """Where the third-octave bands are in the transform of a frame."""
    firsts = np.round(spectrum.bounds(recipe.sample_rate) * recipe.samples(_FRAME_MS) / recipe.sample_rate).astype(int)
    return [slice(first, max(last, first + 1)) for first, last in pairwise(firsts)]


# --- the bed ----------------------------------------------------------------------------------------------------------


def _bed(clip: Clip, recipe: Recipe) -> NDArray[np.float64]:
    """The bed that was mixed into a clip, shape [10 s x rate]."""
    noise = _noise(recipe)
    length = recipe.samples(CLIP_MS)
    start = bed_start(clip.id, len(noise), length)
    return noise[start : start + length].astype(np.float64)


@lru_cache(maxsize=2)
def _noise(recipe: Recipe) -> Samples:
    return bed_noise(recipe)
