"""equal-spectrum: third-octave spectra of whole clips, and one zero-phase filter for each clip.

A filter is a symmetric impulse response, applied about its centre: nothing is delayed, and nothing is spread further than its
reach. It is designed in the frequency domain from gains in third-octave bands (interpolated in dB over the logarithm of
frequency) and cut to its reach by a Parzen window. The transform of that window is nowhere negative, so the response is a
weighted mean of the gains asked for, and stays within their bounds at every frequency.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import fft
from scipy.signal.windows import parzen

from builders.recipe import Recipe
from builders.sounds.library import Samples

_LOWEST_HZ = 50.0
_TOP = 0.45
"""Bands end at this share of the sampling rate."""
SHARES = (1.0, 0.5, 0.25, 0.0)
"""Of the gains that a clip's spectrum asks for: the largest with which its events are heard when they were."""

Bands = NDArray[np.float64]
"""One number in dB for each third-octave band."""


def centres(sample_rate: int) -> NDArray[np.float64]:
    """Centres of the third-octave bands in Hz, shape [bands]: the base-two series about 1 kHz, as in IEC 61260."""
    lowest, highest = (np.log2(hertz / 1000) * 3 for hertz in (_LOWEST_HZ, _TOP * sample_rate / 2 ** (1 / 6)))
    return np.asarray(1000 * 2 ** (np.arange(round(lowest), int(np.floor(highest)) + 1) / 3))


def bounds(sample_rate: int) -> NDArray[np.float64]:
    """Where the bands begin and end in Hz, shape [bands + 1]."""
    middles = centres(sample_rate)
    return np.append(middles * 2 ** (-1 / 6), middles[-1] * 2 ** (1 / 6))


def band_energies(samples: Samples, sample_rate: int) -> NDArray[np.float64]:
    """Energy (sum of squares) in each third-octave band, shape [bands]: the long-term spectrum, but for its scale.

    The power of one transform of everything is summed, so that by Parseval nothing is counted twice or left out. No window is
    needed: events begin and end in fades, and clips in their bed.
    """
    spectrum = fft.rfft(samples)
    power = np.square(spectrum.view(spectrum.real.dtype))  # real and imaginary parts, one after the other
    edges = np.minimum(_edges(sample_rate, len(samples)), len(power) - 1)
    return np.asarray(np.add.reduceat(power, edges, dtype=np.float64)[:-1] * (2 / len(samples)))


def noise_energies(level_dbfs: float, samples: int, sample_rate: int) -> NDArray[np.float64]:
    """The same for white noise of this RMS level, as expected."""
    return np.asarray(10 ** (level_dbfs / 10) * samples * np.diff(bounds(sample_rate)) / (sample_rate / 2))


def in_db(energies: NDArray[np.float64]) -> Bands:
    """Energies in dB."""
    return np.asarray(10 * np.log10(np.maximum(energies, 1e-20)))


@lru_cache(maxsize=8)
def _edges(sample_rate: int, samples: int) -> NDArray[np.intp]:
    """First number of each band in a spectrum whose real and imaginary parts follow each other, and the first above them all."""
    return np.asarray(2 * np.ceil(bounds(sample_rate) * samples / sample_rate), np.intp)


def target(levels: Bands) -> Bands:
    """The set's mean spectrum: the mean of its clips' levels in dB, shape [bands]; `levels` has shape [clips, bands]."""
    return np.asarray(levels.mean(axis=0))


def gains(levels: Bands, wanted: Bands, recipe: Recipe) -> Bands:
    """Gains in dB, shape as `levels`, that bring spectra as near to `wanted` as the recipe's limit allows."""
    most = recipe.control_rules.filter_db
    # Rounded, so that the last digit of a sum, which may differ between machines, decides nothing.
    return np.asarray(np.clip(wanted - levels, -most, most).round(3))


def distances(levels: Bands) -> NDArray[np.float64]:
    """Log-spectral distance of each clip to the set's mean spectrum: RMS over bands in dB, shape [clips]."""
    return np.asarray(np.sqrt(np.mean(np.square(levels - target(levels)), axis=1)))


def impulse_response(gains_db: Bands, recipe: Recipe) -> Samples:
    """A zero-phase filter, shape [2 x reach + 1], float32, symmetric about its centre."""
    rate, reach = recipe.sample_rate, recipe.samples(recipe.control_rules.filter_reach_ms)
    size = fft.next_fast_len(8 * reach, real=True)
    hertz = np.maximum(fft.rfftfreq(size, 1 / rate), 1.0)
    asked = 10 ** (np.interp(np.log2(hertz), np.log2(centres(rate)), gains_db) / 20)
    circular = fft.irfft(asked, size)
    response = np.concatenate([circular[-reach:], circular[: reach + 1]]) * parzen(2 * reach + 1)
    return np.asarray(response, np.float32)


def apply(samples: Samples, response: Samples) -> Samples:
    """`samples` filtered, float32, shape as before: the convolution with a symmetric response, about its centre.

    Overlap-add with real factors only: products of complex numbers are rounded differently on different processors.
    """
    reach = len(response) // 2
    size = 1 << int(np.ceil(np.log2(16 * reach)))
    step = size - 2 * reach
    blocks = -(-len(samples) // step)
    padded = np.zeros((blocks, size), np.float32)
    for n in range(blocks):
        part = samples[n * step : (n + 1) * step]
        padded[n, reach : reach + len(part)] = part
    spectra = fft.rfft(padded, axis=1)
    # Turned round so that its centre is the first sample, a symmetric response has a real transform.
    factors = fft.rfft(np.concatenate([response[reach:], np.zeros(size - len(response), np.float32), response[:reach]])).real
    spectra.view(np.float32).reshape(blocks, -1, 2)[...] *= factors[:, None]
    filtered = fft.irfft(spectra, size, axis=1)
    out = np.zeros(blocks * step + 2 * reach, np.float32)
    for n in range(blocks):
        out[n * step : n * step + size] += filtered[n]
    return out[reach : reach + len(samples)]
