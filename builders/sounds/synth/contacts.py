"""Hard things that touch."""

from __future__ import annotations

import numpy as np

from builders.sounds.synth.blocks import RATE, Signal, decay, highpass, noise
from builders.sounds.synth.declare import Take
from builders.sounds.synth.textures import shells


def blow(take: Take, low: float, high: float, number: int, t60: float, tap: float, tap_s: float = 0.01) -> Signal:
    """A hard thing struck: its modes in [low, high], of unit energy, and `tap`, the noise of the contact."""
    body = shells(take.rng, low, high, number, t60)
    contact = highpass(noise(take.rng, len(body) / RATE), 1200) * decay(len(body) / RATE, tap_s, 0.0003)
    return np.asarray(body + tap * contact / np.sqrt(np.square(contact).sum()))
