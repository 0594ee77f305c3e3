"""equal-energy: gaps filled with a bed that lies a fixed distance below the events, then one gain for the whole clip."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from builders.recipe import Recipe
from builders.sounds.library import Samples
from builders.timeline import Timeline, blocks_of


def gaps(timeline: Timeline, recipe: Recipe, clip_samples: int) -> tuple[tuple[int, int], ...]:
    """Where no event sounds: [first sample, first sample of the next event), in order; the ends of the clip are gaps too."""
    bounds = [0]
    for block in blocks_of(timeline):
        last = max(block, key=lambda event: event.offset_ms)
        # As rendering places it: whole samples from a rounded onset.
        end = recipe.samples(last.onset_ms) + recipe.samples(last.duration_ms)
        bounds += [recipe.samples(min(event.onset_ms for event in block)), max(end, recipe.samples(last.offset_ms))]
    bounds.append(clip_samples)
    return tuple((start, end) for start, end in zip(bounds[::2], bounds[1::2], strict=True) if start < end)


def sounding(timeline: Timeline, recipe: Recipe, clip_samples: int) -> NDArray[np.bool_]:
    """Where an event sounds, shape [n]."""
    found = np.ones(clip_samples, np.bool_)
    for start, end in gaps(timeline, recipe, clip_samples):
        found[start:end] = False
    return found


def gap_level_db(mixed: Samples, timeline: Timeline, recipe: Recipe) -> float:
    """Level for the bed in the gaps, in dB re full scale: so far below the clip's RMS where events sound as the recipe says."""
    return rms_db(mixed[sounding(timeline, recipe, len(mixed))]) - recipe.control_rules.gap_bed_db


def fill_gaps(mixed: Samples, timeline: Timeline, recipe: Recipe, level_db: float) -> None:
    """Raises the bed in the gaps from the recipe's level to `level_db`, in place; raised-cosine fades lie inside the gaps.

    In a gap a mixed clip holds its bed and nothing else, so that raising what is there raises the bed.
    """
    raised = 10 ** ((level_db - recipe.sound.bed_dbfs) / 20)
    for start, end in gaps(timeline, recipe, len(mixed)):
        mixed[start:end] *= (1 + (raised - 1) * gap_weights(start, end, len(mixed), recipe)).astype(np.float32)


def gap_weights(start: int, end: int, clip_samples: int, recipe: Recipe) -> NDArray[np.float64]:
    """How much of the raised bed is there in each sample of a gap, 0 to 1: less in the fades next to events."""
    weights = np.ones(end - start)
    fade = min(recipe.samples(recipe.sound.fade_ms), end - start)
    ramp = 0.5 - 0.5 * np.cos(np.pi * (np.arange(fade) + 0.5) / max(fade, 1))
    if start > 0:
        weights[:fade] *= ramp
    if end < clip_samples:
        weights[len(weights) - fade :] *= ramp[::-1]
    return weights


def rms_db(samples: NDArray[np.floating]) -> float:
    """RMS in dB re full scale; -200 for digital silence or no samples."""
    energy = float(np.mean(np.square(samples, dtype=np.float64))) if len(samples) else 0.0
    return float(10 * np.log10(max(energy, 1e-20)))
