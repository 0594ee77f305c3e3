"""The blocks that sounds are built of: curves, oscillators, noise, filters, struck and plucked bodies, trains of events.

Every signal and curve is a float64 array of shape [n] at `RATE`. Lengths are in seconds, frequencies in Hz; a frequency or gain
may be a number or a curve. `scipy.signal` is imported where it is used: it takes longer to import than the rest together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

RATE = 32_000
"""Sampling rate at which everything is synthesised, Hz."""

Signal: TypeAlias = NDArray[np.float64]
Rng: TypeAlias = np.random.Generator


# --- time and curves --------------------------------------------------------------------------------------------------


def count(seconds: float) -> int:
    """Number of samples that last `seconds`."""
    return round(seconds * RATE)


def ramp(seconds: float) -> Signal:
    """Time in seconds of each sample."""
    return np.arange(count(seconds)) / RATE


def curve(seconds: float, *points: tuple[float, float]) -> Signal:
    """A smooth curve through (fraction of the length, value) points, flat outside them; cosine-eased in between."""
    at = np.linspace(0, 1, count(seconds))
    xs, ys = np.array(points).T
    piece = np.clip(np.searchsorted(xs, at, side="right") - 1, 0, len(xs) - 2)
    share = np.clip((at - xs[piece]) / np.maximum(xs[piece + 1] - xs[piece], 1e-9), 0, 1)
    return np.asarray(ys[piece] + (ys[piece + 1] - ys[piece]) * (0.5 - 0.5 * np.cos(np.pi * share)))


def steps(seconds: float, values: Sequence[float], glide: float = 0.02) -> Signal:
    """`values` in turn, each for an equal share of the time, with straight glides of `glide` seconds between them."""
    edges = np.arange(1, len(values)) / len(values) * seconds
    at = np.sort(np.concatenate([[0.0], edges - glide / 2, edges + glide / 2]))
    return np.asarray(np.interp(ramp(seconds), at, np.repeat(values, 2)[:-1] if len(values) > 1 else values))


def wander(rng: Rng, seconds: float, rate: float, depth: float) -> Signal:
    """1 + `depth` × a smooth random walk of unit variance whose direction changes some `rate` times a second."""
    knots = rng.standard_normal(int(seconds * rate * 2) + 4)
    knots = np.convolve(knots, [0.5, 1, 0.5])[1:-1] / np.sqrt(1.5)
    # Cosine-eased at eight points between two knots, straight between those.
    share = 0.5 - 0.5 * np.cos(np.pi * np.arange(8) / 8)
    fine = (knots[:-1, None] * (1 - share) + knots[1:, None] * share).ravel()
    return np.asarray(1 + depth * np.interp(ramp(seconds) * (rate * 2 * 8) + 8, np.arange(len(fine)), fine))


def vibrato(seconds: float, rate: float, depth: float) -> Signal:
    """1 + `depth` × a sine at `rate` Hz, which sets in over the first 0.3 s."""
    at = ramp(seconds)
    return np.asarray(1 + depth * np.minimum(at / 0.3, 1) * np.sin(2 * np.pi * rate * at))


def envelope(seconds: float, attack: float, release: float) -> Signal:
    """Rises from 0 to 1 in `attack` seconds, falls back to 0 in the last `release`; raised cosines."""
    at = ramp(seconds)
    rise = np.clip(at / max(attack, 1e-6), 0, 1)
    fall = np.clip((seconds - at) / max(release, 1e-6), 0, 1)
    return np.asarray((0.5 - 0.5 * np.cos(np.pi * rise)) * (0.5 - 0.5 * np.cos(np.pi * fall)))


def decay(seconds: float, t60: float, attack: float = 0.001) -> Signal:
    """Falls by 60 dB in `t60` seconds, after a linear rise of `attack` seconds."""
    at = ramp(seconds)
    return np.asarray(np.exp(-6.91 * at / t60) * np.minimum(at / attack, 1))


# --- oscillators ------------------------------------------------------------------------------------------------------


def phase(frequency: Signal) -> Signal:
    """Running phase of a frequency curve, in cycles."""
    return np.asarray(np.cumsum(frequency) / RATE)


def sine(frequency: Signal) -> Signal:
    return np.asarray(np.sin(2 * np.pi * phase(frequency)))


def harmonics(frequency: Signal, amplitudes: Sequence[float]) -> Signal:
    """Sum of sines at 1, 2, 3... × `frequency`; those above 0.45 × RATE are left out."""
    turn = np.exp(2j * np.pi * phase(frequency))
    total, power = np.zeros(len(turn)), np.ones_like(turn)
    top = float(frequency.max())
    for k, amplitude in enumerate(amplitudes, 1):
        if k * top > 0.45 * RATE:
            break
        power *= turn
        total += amplitude * power.imag
    return total


def saw(frequency: Signal) -> Signal:
    """Sawtooth in [-1, 1] without most of its aliasing."""
    return _smooth_saw(phase(frequency) % 1, frequency / RATE)


def pulse(frequency: Signal, width: float = 0.5) -> Signal:
    """Rectangular wave in [-1, 1] that is high for `width` of each period; the difference of two sawtooths."""
    cycle, step = phase(frequency) % 1, frequency / RATE
    return np.asarray(_smooth_saw((cycle + 1 - width) % 1, step) - _smooth_saw(cycle, step) - (1 - 2 * width))


def _smooth_saw(cycle: Signal, step: Signal) -> Signal:
    """Sawtooth at `cycle` in [0, 1), its jumps smoothed by polynomials (PolyBLEP: Välimäki & Huovilainen 2007)."""
    since, until = cycle / step, (1 - cycle) / step  # samples since and until the jump
    return np.asarray(2 * cycle - 1 + np.maximum(1 - since, 0) ** 2 - np.maximum(1 - until, 0) ** 2)


def glottis(frequency: Signal, open_share: float = 0.6) -> Signal:
    """Derivative of the air flow through vibrating vocal folds: the pulse of Rosenberg (1971), open for `open_share`."""
    cycle = phase(frequency) % 1
    rise, fall = 0.7 * open_share, 0.3 * open_share
    flow = np.where(
        cycle < rise,
        0.5 - 0.5 * np.cos(np.pi * cycle / rise),
        np.where(cycle < rise + fall, np.cos(np.pi / 2 * (cycle - rise) / fall), 0.0),
    )
    return np.asarray(np.diff(flow, prepend=0.0) * RATE / frequency)


# --- noise and filters ------------------------------------------------------------------------------------------------


def noise(rng: Rng, seconds: float) -> Signal:
    """White noise of unit variance."""
    return rng.standard_normal(count(seconds))


def shaped_noise(rng: Rng, seconds: float, *points: tuple[float, float]) -> Signal:
    """Noise of unit variance whose spectrum runs through (frequency, dB) points, straight in log frequency."""
    length = count(seconds)
    size = -(-length // 4096) * 4096  # a length without large prime factors, for speed
    spectrum = np.fft.rfft(rng.standard_normal(size))
    at = np.log(np.maximum(np.fft.rfftfreq(size, 1 / RATE), 1.0))
    xs, ys = np.array(points).T
    shaped = np.fft.irfft(spectrum * 10 ** (np.interp(at, np.log(xs), ys) / 20), size)[:length]
    return np.asarray(shaped / shaped.std())


def lowpass(signal: Signal, cutoff: float, order: int = 2) -> Signal:
    """Butterworth low-pass."""
    return _butter(signal, cutoff, "lowpass", order, RATE)


def highpass(signal: Signal, cutoff: float, sample_rate: int = RATE) -> Signal:
    """Butterworth high-pass of order 2."""
    return _butter(signal, cutoff, "highpass", 2, sample_rate)


def bandpass(signal: Signal, low: float, high: float, order: int = 2) -> Signal:
    """Butterworth band-pass."""
    return _butter(signal, (low, high), "bandpass", order, RATE)


def _butter(signal: Signal, cutoff: Any, kind: str, order: int, sample_rate: int) -> Signal:
    from scipy.signal import butter, sosfilt

    return np.asarray(sosfilt(butter(order, cutoff, kind, fs=sample_rate, output="sos"), signal))


def resonate(signal: Signal, frequency: float, bandwidth: float) -> Signal:
    """Two-pole resonator with unit gain at its peak (Klatt 1980, with the zeros of a band-pass)."""
    from scipy.signal import lfilter

    radius = np.exp(-np.pi * bandwidth / RATE)
    gain = (1 - radius**2) / 2
    return np.asarray(lfilter([gain, 0, -gain], [1, -2 * radius * np.cos(2 * np.pi * frequency / RATE), radius**2], signal))


def formants(signal: Signal, peaks: Iterable[tuple[float, float, float]]) -> Signal:
    """Parallel resonators at (frequency, bandwidth, gain dB); signs alternate, which keeps the valleys between them shallow."""
    total = np.zeros(len(signal))
    for k, (frequency, bandwidth, gain_db) in enumerate(peaks):
        if frequency < 0.45 * RATE:
            total += (-1) ** k * 10 ** (gain_db / 20) * resonate(signal, frequency, bandwidth)
    return total


def convolve(signal: Signal, response: Signal) -> Signal:
    """Full convolution."""
    from scipy.signal import oaconvolve

    return np.asarray(oaconvolve(signal, response))


def room(rng: Rng, signal: Signal, t60: float, wet: float) -> Signal:
    """The signal in a room: exponentially decaying noise (Moorer 1979) at `wet` times the direct sound's energy."""
    tail = noise(rng, t60) * np.exp(-6.91 * ramp(t60) / t60)
    tail = lowpass(tail, 5000, 1)
    wetted = convolve(signal, tail / np.sqrt(np.square(tail).sum()))
    wetted[: len(signal)] *= wet
    wetted[len(signal) :] *= wet
    wetted[: len(signal)] += signal
    return wetted


def compress(signal: Signal, seconds: float = 0.1, amount: float = 1.0) -> Signal:
    """Evens out the level: divides by the RMS over some `seconds`, raised to `amount`."""
    from scipy.ndimage import uniform_filter1d

    # Two running means of half the length make a triangular window.
    half = max(count(seconds / 2), 1)
    rms = np.sqrt(np.maximum(uniform_filter1d(uniform_filter1d(np.square(signal), half), half), 0))
    return np.asarray(signal / np.maximum(rms, 0.05 * rms.max()) ** amount)


def saturate(signal: Signal, drive: float = 1.0) -> Signal:
    """Brings the signal to unit RMS times `drive` and bends what is far above 1 (tanh)."""
    return np.asarray(np.tanh(unit(signal) * drive))


def unit(signal: Signal) -> Signal:
    """The signal at an RMS of 1."""
    return np.asarray(signal / max(float(np.sqrt(np.mean(np.square(signal)))), 1e-12))


# --- bodies -----------------------------------------------------------------------------------------------------------


def modes(seconds: float, partials: Iterable[tuple[float, float, float]], attack: float = 0.0005) -> Signal:
    """A struck body: damped sines at (frequency, T60 in seconds, amplitude) (modal synthesis: Adrien 1991)."""
    from scipy.signal import lfilter

    total = np.zeros(count(seconds))
    impulse = np.zeros(len(total))
    impulse[0] = 1.0
    for frequency, t60, amplitude in partials:
        if frequency < 0.45 * RATE:
            # The impulse response of two poles is a damped sine, and cheaper than an exponential and a sine.
            turn, radius = 2 * np.pi * frequency / RATE, np.exp(-6.91 / (t60 * RATE))
            total += amplitude * lfilter([0, radius * np.sin(turn)], [1, -2 * radius * np.cos(turn), radius**2], impulse)
    return np.asarray(total * np.minimum(ramp(seconds) / attack, 1))


def random_modes(rng: Rng, low: float, high: float, number: int, t60: float) -> list[tuple[float, float, float]]:
    """Partials of an irregular body: log-uniform in [low, high]; the higher, the shorter and weaker."""
    frequencies = np.exp(rng.uniform(np.log(low), np.log(high), number))
    shrink = (low / frequencies) ** 0.4
    return [(float(f), float(t60 * s), float(s * rng.uniform(0.4, 1))) for f, s in zip(frequencies, shrink, strict=True)]


def pluck(rng: Rng, seconds: float, frequency: float, t60: float, brightness: float = 0.5) -> Signal:
    """A plucked string (Karplus & Strong 1983, with the decay stretched as in Jaffe & Smith 1983).

    Args:
        frequency: of the string; rounded so that the loop's delay is a whole number of samples and a half.
        t60: decay of the fundamental.
        brightness: 0 to 1: how much of the high noise of the pluck is kept.
    """
    from scipy.signal import lfilter

    period = int(RATE / frequency - 0.5)
    burst = np.zeros(count(seconds))
    # A burst without its mean: the loop would hold a constant for long.
    first = rng.uniform(-1, 1, period)
    burst[:period] = lfilter([brightness], [1, brightness - 1], first - first.mean())
    loss = 10 ** (-3 * period / (RATE * t60))
    loop = np.zeros(period + 2)
    loop[0], loop[period], loop[period + 1] = 1, -0.5 * loss, -0.5 * loss
    return np.asarray(lfilter([1.0], loop, burst))


def bubble(seconds: float, frequency: float, rise: float = 0.1) -> Signal:
    """An air bubble in water: a sine that dies away while its pitch rises (van den Doel 2005)."""
    at = ramp(seconds)
    radius = 3 / frequency
    damping = 0.13 / radius + 0.0072 * radius**-1.5
    return np.asarray(np.sin(2 * np.pi * frequency * at * (1 + rise * damping * at / 2)) * np.exp(-damping * at))


# --- placing ----------------------------------------------------------------------------------------------------------


def place(seconds: float, events: Iterable[tuple[float, Signal]]) -> Signal:
    """Events (start in seconds, signal) added into `seconds` of silence; what reaches past the end is cut off."""
    total = np.zeros(count(seconds))
    for start, signal in events:
        at = count(start)
        piece = signal[: max(len(total) - at, 0)]
        total[at : at + len(piece)] += piece
    return total


def series(pieces: Sequence[Signal], gap: float = 0.0) -> Signal:
    """Pieces one after the other, `gap` seconds of silence between them."""
    silence = np.zeros(count(gap))
    return np.concatenate([part for piece in pieces for part in (piece, silence)][:-1])


def train(seconds: float, times: Iterable[float], gains: Iterable[float]) -> Signal:
    """Impulses of height `gains` at `times`."""
    total = np.zeros(count(seconds))
    for at, gain in zip(times, gains, strict=True):
        if 0 <= count(at) < len(total):
            total[count(at)] += gain
    return total


def sparse(rng: Rng, seconds: float, rate: float, spread_db: float = 6.0) -> Signal:
    """Impulses at random, `rate` a second on average (a Poisson process), of either sign, their level varied by `spread_db`."""
    length = count(seconds)
    number = int(rng.poisson(rate * seconds))
    total = np.zeros(length)
    gains = 10 ** (rng.standard_normal(number) * spread_db / 20) * rng.choice([-1.0, 1.0], number)
    np.add.at(total, rng.integers(0, length, number), gains)
    return total


def beats(rng: Rng, seconds: float, rate: float, jitter: float = 0.0, start: float = 0.0) -> Signal:
    """Times of a beat of `rate` a second, each off by a normal `jitter` (as a share of the period)."""
    at = np.arange(start, seconds, 1 / rate)
    return np.asarray(np.maximum(at + rng.standard_normal(len(at)) * jitter / rate, 0))
