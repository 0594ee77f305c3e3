"""A recording as an event plays it: cut or looped to the event's length, faded, and brought to the common loudness.

Everything here is a pure function of (recording, length, recipe), so that planning, rendering and checking agree without passing
samples around. Results are cached per process: one set uses the same few (recording, length) pairs in twenty clips.
"""

from __future__ import annotations

import os
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.fft import rfft
from scipy.ndimage import maximum_filter1d

from builders.corpus import EventKey, Measured
from builders.errors import SoundLibraryError
from builders.recipe import Recipe
from builders.sounds.audible import audible_spans, frame_levels, frame_start_ms, longest_gap_ms
from builders.sounds.cutting import faded
from builders.sounds.library import Recording, Samples, SoundLibrary

EDGE_TOLERANCE_MS = 20
"""A cut is good when its audible span, measured on the samples as placed, is this near to the cut."""
_FADE_GUARD_DB = 4.0  # a fade takes up to some 3 dB from the frame at a cut
_BED_SECONDS = 60

T = TypeVar("T")


class _Cache(Generic[T]):
    """The most recently used results, at most `size` of them."""

    def __init__(self, make: Callable[[str, int], T], size: int, known: Mapping[EventKey, T] | None = None) -> None:
        self._make, self._size = make, size
        self._kept: OrderedDict[EventKey, T] = OrderedDict(known or {})

    @property
    def known(self) -> Mapping[EventKey, T]:
        return self._kept

    def __call__(self, recording_id: str, duration_ms: int) -> T:
        key = (recording_id, duration_ms)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        value = self._kept[key] = self._make(recording_id, duration_ms)
        if len(self._kept) > self._size:
            self._kept.popitem(last=False)
        return value


class Placer:
    """Recordings as events play them, for one recipe and library."""

    def __init__(self, recipe: Recipe, library: SoundLibrary, measured: Measured = Measured(), cached_events: int = 128) -> None:
        self.recipe, self.library = recipe, library
        self._levels: dict[str, NDArray[np.float64]] = {}  # some 10 kB each
        self._start = _Cache(self._find_start, 200_000, measured.starts)
        self._gain = _Cache(self._measure_gain, 200_000, measured.gains)
        self._samples = _Cache(self._place, cached_events)  # some 0.3 MB each at 32 kHz
        self._bands = _Cache(self._measure_bands, 20_000)  # some 15 kB each

    def measure(self, events: Iterable[EventKey]) -> Measured:
        """Where these events are cut and how loud they are; in threads, as the loudness meter's filters run beside each other."""
        wanted = sorted(set(events))
        fresh = [key for key in wanted if key not in self._gain.known]
        gains = {key: self._gain(*key) for key in wanted if key in self._gain.known}
        self._meter  # noqa: B018 - made here, not by several threads at once
        with warnings.catch_warnings(), ThreadPoolExecutor(os.cpu_count()) as threads:
            gains.update(zip(fresh, threads.map(lambda key: self._measure_gain(*key), fresh), strict=True))
        return Measured({key: self._start.known[key] for key in wanted if key in self._start.known}, gains)

    # --- lengths ------------------------------------------------------------------------------------------------------

    def can_last(self, recording: Recording, duration_ms: int) -> bool:
        """Whether an event of this recording can be exactly so long: its own length, or, if sustained, cut or looped."""
        if duration_ms == recording.duration_ms:
            return True
        if not self.library.sound(recording.label).sustained or duration_ms % self.recipe.audible.hop_ms:
            return False
        if duration_ms > recording.duration_ms and recording.duration_ms < self.recipe.sound.loop_material_ms:
            return False
        return self._start(recording.id, duration_ms) is not None

    def _material(self, recording: Recording, duration_ms: int) -> Samples:
        """What an event is cut from: the recording, or enough rounds of it, joined by equal-power cross-fades."""
        samples = recording.samples
        if duration_ms <= recording.duration_ms:
            return samples
        crossfade = self.recipe.samples(self.recipe.sound.loop_crossfade_ms)
        period = len(samples) - crossfade
        rounds = 1 + -(-self.recipe.samples(duration_ms) // period)  # one more, so that the cut may start anywhere in the first
        phase = (np.arange(crossfade, dtype=np.float32) + np.float32(0.5)) * np.float32(np.pi / 2 / crossfade)
        # Sustained sounds are mostly noise, so the parts that meet are uncorrelated and their powers add up.
        joint = samples[-crossfade:] * np.cos(phase) + samples[:crossfade] * np.sin(phase)
        once = np.concatenate([joint, samples[crossfade:-crossfade]])
        return np.concatenate([samples[:-crossfade], *([once] * rounds)])

    def _material_levels(self, recording: Recording) -> NDArray[np.float64]:
        if recording.id not in self._levels:
            self._levels[recording.id] = frame_levels(recording.samples, self.recipe.sample_rate, self.recipe.audible)
        return self._levels[recording.id]

    def _find_start(self, recording_id: str, duration_ms: int) -> int | None:
        """Where the cut starts, in ms from the start of the material: the first place where both its ends are audible."""
        recording = self.library.recording(recording_id)
        rules = self.recipe.audible
        rate = self.recipe.sample_rate
        material = self._material(recording, duration_ms)
        levels = self._material_levels(recording) if material is recording.samples else frame_levels(material, rate, rules)
        inside = -frame_start_ms(0, rules) // rules.hop_ms  # frames before this one start before the material
        levels = levels[inside : len(levels) - inside]
        span = (duration_ms - rules.frame_ms) // rules.hop_ms + 1  # frames that lie within the cut
        starts = len(levels) - span + 1
        if starts < 1:
            return None
        loudest = maximum_filter1d(levels, span, origin=-(span // 2))[:starts]
        floor = loudest - rules.range_db + _FADE_GUARD_DB
        good = np.flatnonzero((levels[:starts] >= floor) & (levels[span - 1 :] >= floor))
        allowed_gap = rules.continuous_gap_ms if recording.continuous else rules.split_gap_ms
        for start in good[:: max(1, len(good) // 20)]:  # neighbours share their faults, so look at some twenty places
            if longest_gap_ms(levels[start : start + span], rules) > allowed_gap:
                continue
            begin = self.recipe.samples(int(start) * rules.hop_ms)
            if self._ends_audible(material[begin : begin + self.recipe.samples(duration_ms)], float(loudest[start])):
                return int(start) * rules.hop_ms
        return None

    def _ends_audible(self, cut: Samples, loudest_db: float) -> bool:
        """Whether a cut, faded, is audible at its very ends."""
        rules, rate = self.recipe.audible, self.recipe.sample_rate
        end_ms = 3 * rules.frame_ms
        count = self.recipe.samples(end_ms)
        ends = faded(np.concatenate([cut[:count], cut[-count:]]), self.recipe)
        tolerance = EDGE_TOLERANCE_MS - rules.hop_ms
        head = audible_spans(frame_levels(ends[:count], rate, rules), 1 << 30, rules, loudest_db)
        tail = audible_spans(frame_levels(ends[-count:], rate, rules), 1 << 30, rules, loudest_db)
        return bool(head and tail and head[0].start_ms <= tolerance and end_ms - tail[-1].end_ms <= tolerance)

    # --- samples ------------------------------------------------------------------------------------------------------

    def samples(self, recording_id: str, duration_ms: int) -> Samples:
        """The event's samples at the common loudness, before its planned gain: float32, read-only, shape [samples(duration)].

        Raises:
            SoundLibraryError: the recording cannot last so long.
        """
        return self._samples(recording_id, duration_ms)

    def _cut(self, recording_id: str, duration_ms: int) -> Samples:
        recording = self.library.recording(recording_id)
        if not self.can_last(recording, duration_ms):
            raise SoundLibraryError(
                f"recording {recording_id!r} ({recording.duration_ms} ms) cannot be an event of {duration_ms} ms; "
                "the plan was made from another library or recipe"
            )
        if duration_ms == recording.duration_ms:
            return faded(recording.samples, self.recipe)
        start = self._start(recording_id, duration_ms) or 0
        begin = self.recipe.samples(start)
        return faded(self._material(recording, duration_ms)[begin : begin + self.recipe.samples(duration_ms)], self.recipe)

    def _place(self, recording_id: str, duration_ms: int) -> Samples:
        placed = self._cut(recording_id, duration_ms)
        placed *= np.float32(10 ** (self._gain(recording_id, duration_ms) / 20))
        placed.flags.writeable = False
        return placed

    # --- levels -------------------------------------------------------------------------------------------------------

    @cached_property
    def _meter(self) -> Callable[[Samples], float]:
        import pyloudnorm

        meter = pyloudnorm.Meter(self.recipe.sample_rate)

        return lambda samples: float(meter.integrated_loudness(samples))

    def _measure_gain(self, recording_id: str, duration_ms: int) -> float:
        """dB that bring the cut to the common loudness (ITU-R BS.1770) or to the common peak, whichever is quieter."""
        cut = self._cut(recording_id, duration_ms)
        peak_db = 20 * np.log10(float(np.abs(cut).max()))
        # Measured at a common peak, so that the standard's absolute gate (-70 LUFS) treats quiet files as it treats loud ones.
        normal = cut * np.float32(10 ** ((-1 - peak_db) / 20))
        block = round(0.4 * self.recipe.sample_rate)
        if len(normal) < block:
            normal = np.tile(normal, -(-block // len(normal)))
        loudness = self._meter(normal) + peak_db + 1
        return float(min(self.recipe.sound.loudness_lufs - loudness, self.recipe.sound.peak_dbfs - peak_db))

    # --- whether both of a pair are heard -----------------------------------------------------------------------------

    def _measure_bands(self, recording_id: str, duration_ms: int) -> NDArray[np.float32]:
        """Level of the placed event per 20 ms frame and band, in dB, shape [frames, bands]; bands are log-spaced from 50 Hz."""
        samples = self._samples(recording_id, duration_ms)
        hop = self.recipe.samples(self.recipe.audible.frame_ms)
        frames = len(samples) // hop
        window = np.hanning(hop).astype(np.float32)
        spectra = rfft(samples[: frames * hop].reshape(frames, hop) * window, axis=1)
        power = np.square(spectra.real) + np.square(spectra.imag)
        top = 0.45 * self.recipe.sample_rate
        bands = self.recipe.plan.heard_bands
        edges = np.geomspace(50.0, top, bands + 1) * hop / self.recipe.sample_rate  # in bins of the transform
        # A band holds the bins whose centres lie in it; narrow low bands that hold none share the nearest bin.
        firsts = np.minimum(np.round(edges[:-1]).astype(int), power.shape[1] - 1)
        lasts = np.maximum(np.round(edges[1:]).astype(int), firsts + 1)
        summed = np.concatenate([np.zeros((frames, 1)), np.cumsum(power, axis=1)], axis=1)
        energy = summed[:, np.minimum(lasts, power.shape[1])] - summed[:, firsts]
        return np.asarray(10 * np.log10(np.maximum(energy, 1e-20)), dtype=np.float32)

    def both_heard(self, a: tuple[str, int, float], b: tuple[str, int, float], b_later_ms: int) -> bool:
        """Whether each of two overlapping events exceeds the other in at least one band for long enough of their overlap.

        Args:
            a: (recording id, length in ms, planned gain in dB); b likewise.
            b_later_ms: by how much b starts after a; negative: before.
        """
        frame = self.recipe.audible.frame_ms
        bands_a, bands_b = self._bands(a[0], a[1]), self._bands(b[0], b[1])
        shift = round(b_later_ms / frame)
        begin_a, begin_b = max(0, shift), max(0, -shift)
        count = min(len(bands_a) - begin_a, len(bands_b) - begin_b)
        needed = -(-self.recipe.plan.heard_ms // frame)
        if count < needed:
            return False
        louder = bands_a[begin_a : begin_a + count] - bands_b[begin_b : begin_b + count] + (a[2] - b[2])
        return bool(np.count_nonzero(louder > 0, axis=0).max() >= needed and np.count_nonzero(louder < 0, axis=0).max() >= needed)


def bed_noise(recipe: Recipe) -> Samples:
    """The one long noise that lies under every clip: white, at `bed_dbfs` RMS, shape [60 s x rate]; depends on the seed alone."""
    stream = np.random.default_rng(np.random.SeedSequence(recipe.seed, spawn_key=(0xBED,)))
    noise = stream.standard_normal(_BED_SECONDS * recipe.sample_rate, dtype=np.float32)
    noise *= np.float32(10 ** (recipe.sound.bed_dbfs / 20))
    return noise


def bed_start(clip_id: str, bed_samples: int, clip_samples: int) -> int:
    """Where in the long noise a clip's bed begins: follows from the clip's id."""
    return int(clip_id, 16) % (bed_samples - clip_samples)
