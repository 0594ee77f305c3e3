"""Where a sound is audible: the one definition that cutting, planning and checking share.

A frame (20 ms, every 5 ms) is audible when its RMS is within 30 dB of the loudest frame's. Frames begin one frame less one hop
before the first sample (the missing samples count as zero), so that a sound that starts at once is seen. A sound is audible from
the start of its first audible frame to the end of its last.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from builders.recipe import AudibleRules
from builders.sounds.library import Samples

SILENCE_DB = -200.0
"""Level given to frames of digital silence."""


@dataclass(frozen=True, slots=True)
class Span:
    """An audible stretch [`start_ms`, `end_ms`) of some audio."""

    start_ms: int
    end_ms: int

    @property
    def duration_ms(self) -> int:
        return self.end_ms - self.start_ms


def frame_levels(samples: Samples, sample_rate: int, rules: AudibleRules = AudibleRules()) -> NDArray[np.float64]:
    """RMS level of each frame in dB re full scale, shape [frames]; frame k starts at `frame_start_ms(k, rules)`.

    Args:
        samples: mono, shape [n]; n > 0. A last, incomplete hop counts as filled up with zeros.
        sample_rate: in Hz. Where a hop is no whole number of samples, its bounds are rounded to the nearest.
    """
    per_frame = rules.frame_ms // rules.hop_ms
    hop = sample_rate * rules.hop_ms / 1000
    count = max(1, math.ceil(len(samples) / hop - 1e-6))
    energy = np.zeros(count + 2 * (per_frame - 1))
    energy[per_frame - 1 : per_frame - 1 + count] = _hop_energies(samples, hop, count)
    frames = np.lib.stride_tricks.sliding_window_view(energy, per_frame).sum(axis=1) / (hop * per_frame)
    return np.asarray(10 * np.log10(np.maximum(frames, 10 ** (SILENCE_DB / 10))))


def _hop_energies(samples: Samples, hop: float, count: int) -> NDArray[np.float32]:
    if hop == int(hop) and count * hop == len(samples):  # by far the most common, and faster
        hops = samples.reshape(count, int(hop))
        return np.asarray(np.einsum("ij,ij->i", hops, hops))
    bounds = np.round(np.arange(count) * hop).astype(np.intp)
    return np.asarray(np.add.reduceat(np.square(samples), np.minimum(bounds, len(samples) - 1)))


def frame_start_ms(frame: int, rules: AudibleRules = AudibleRules()) -> int:
    """Start of frame number `frame`, in ms from the first sample; negative for the first few."""
    return frame * rules.hop_ms - (rules.frame_ms - rules.hop_ms)


def audible_spans(
    levels: NDArray[np.float64], split_gap_ms: int, rules: AudibleRules = AudibleRules(), loudest_db: float | None = None
) -> tuple[Span, ...]:
    """The audible stretches that remain when audio is split wherever it is inaudible for more than `split_gap_ms`.

    Args:
        levels: as `frame_levels` gives them.
        split_gap_ms: shorter inaudible stretches do not split.
        loudest_db: level of the loudest frame, where it is not that of `levels`.

    Returns:
        Spans in order, in ms from the first sample; a start may be negative and an end past the last sample (by less than a
        frame): the caller clips them. Digital silence has no span.
    """
    loudest = float(levels.max(initial=SILENCE_DB)) if loudest_db is None else loudest_db
    if loudest <= SILENCE_DB:
        return ()
    audible = np.flatnonzero(levels >= loudest - rules.range_db)
    if not len(audible):
        return ()
    # Between two audible frames k < m the audio is inaudible from the end of k to the start of m.
    gaps = np.diff(audible) * rules.hop_ms - rules.frame_ms
    breaks = np.flatnonzero(gaps > split_gap_ms)
    firsts = audible[np.r_[0, breaks + 1]]
    lasts = audible[np.r_[breaks, len(audible) - 1]]
    return tuple(
        Span(frame_start_ms(int(first), rules), frame_start_ms(int(last), rules) + rules.frame_ms)
        for first, last in zip(firsts, lasts, strict=True)
    )


def audible_span(samples: Samples, sample_rate: int, rules: AudibleRules = AudibleRules()) -> Span | None:
    """From the first to the last audible frame, clipped to the samples; None for digital silence."""
    spans = audible_spans(frame_levels(samples, sample_rate, rules), 1 << 30, rules)
    if not spans:
        return None
    length_ms = round(len(samples) * 1000 / sample_rate)
    return Span(max(spans[0].start_ms, 0), min(spans[-1].end_ms, length_ms))


def longest_gap_ms(levels: NDArray[np.float64], rules: AudibleRules = AudibleRules()) -> int:
    """The longest inaudible stretch between two audible frames, in ms."""
    spans = audible_spans(levels, 0, rules)
    return max((after.start_ms - before.end_ms for before, after in itertools.pairwise(spans)), default=0)
