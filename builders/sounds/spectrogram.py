"""Small pictures of sounds: log-mel spectrograms, for people to look at."""

from __future__ import annotations

import io

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from PIL import Image

from builders.sounds.library import Samples

BANDS, COLUMNS = 64, 160
RANGE_DB = 70.0
"""From the loudest point of a picture down to its darkest."""
LOWEST_HZ = 50.0

_WINDOW_S = 0.032
_STOPS = (
    # Position, red, green, blue: from night blue over violet and orange to a pale yellow, ever brighter.
    (0.0, 10, 12, 32),
    (0.2, 45, 25, 90),
    (0.4, 125, 38, 112),
    (0.6, 205, 66, 82),
    (0.8, 248, 140, 60),
    (1.0, 255, 240, 180),
)


def log_mel(samples: Samples, sample_rate: int, bands: int = BANDS, columns: int = COLUMNS) -> NDArray[np.float64]:
    """Power in mel bands over time, in dB under the loudest point, shape [bands, columns]; from -`RANGE_DB` to 0.

    Args:
        samples: mono, shape [n], n > 0.
        sample_rate: of `samples`, in Hz.
        bands: equally wide in mel (2595 log10(1 + f / 700)), from 50 Hz to half the sampling rate or 16 kHz; the lowest first.
        columns: equally far apart from the beginning to the end, each the power of 32 ms around it.
    """
    found = decibels(samples, sample_rate, bands, columns)
    return np.asarray(np.maximum(found - found.max(), -RANGE_DB))


def decibels(samples: Samples, sample_rate: int, bands: int = BANDS, columns: int = COLUMNS) -> NDArray[np.float64]:
    """The same in dB over a level that is equal for all sounds of a sampling rate, so that they can be put on one scale."""
    width = round(_WINDOW_S * sample_rate)
    padded = np.pad(np.asarray(samples, dtype=np.float64), (width // 2, width - width // 2))
    starts = np.linspace(0, len(samples), columns, endpoint=False).astype(int)
    frames = sliding_window_view(padded, width)[starts] * np.hanning(width)
    size = 4 * 2 ** int(np.ceil(np.log2(width)))  # fine enough for the narrow bands at the lower end
    power = np.square(np.abs(np.fft.rfft(frames, size)))
    mel = power @ _filters(sample_rate, size, bands)
    return np.asarray(10 * np.log10(np.maximum(mel, 1e-20)).T)


def _filters(sample_rate: int, size: int, bands: int) -> NDArray[np.float64]:
    """Triangles over the bins of a Fourier transform, each reaching from one centre to the one after next, [bins, bands]."""
    top = min(sample_rate / 2, 16_000)
    mel = np.linspace(_mel(LOWEST_HZ), _mel(top), bands + 2)
    edges = 700 * (10 ** (mel / 2595) - 1)
    bins = np.fft.rfftfreq(size, 1 / sample_rate)[:, None]
    rising = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    return np.asarray(np.clip(np.minimum(rising, falling), 0, None))


def _mel(hertz: float) -> float:
    return float(2595 * np.log10(1 + hertz / 700))


def picture(samples: Samples, sample_rate: int) -> bytes:
    """The spectrogram as a WebP file of `COLUMNS` × `BANDS` pixels, time to the right and high sounds above."""
    return paint(log_mel(samples, sample_rate))


def paint(levels: NDArray[np.float64]) -> bytes:
    """Levels in dB under the top of the scale, shape [bands, columns], as a WebP file of as many pixels; high sounds above."""
    place = np.linspace(0, 1, 256)
    stops = np.array(_STOPS)
    colours = np.stack([np.interp(place, stops[:, 0], stops[:, channel]) for channel in (1, 2, 3)], axis=1)
    shades = np.round((np.clip(levels[::-1], -RANGE_DB, 0) / RANGE_DB + 1) * 255).astype(int)
    file = io.BytesIO()
    Image.fromarray(np.round(colours[shades]).astype(np.uint8)).save(file, "WEBP", quality=60, method=4)
    return file.getvalue()
