"""Log-mel spectrograms with torch alone: what the baseline hears."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

_FLOOR = 1e-6
"""Added to the power of a band: below the bed of noise that lies under every clip."""


@dataclass(frozen=True, slots=True)
class MelSettings:
    """How samples become a log-mel spectrogram.

    Attributes:
        sample_rate: Hz; other rates are resampled to it.
        window: samples of the (Hann) window, and of the Fourier transform.
        hop: samples from frame to frame (640 are 20 ms).
        bands: number of mel bands between `low_hz` and `high_hz`.
        max_seconds: longer clips are cut to this.
    """

    sample_rate: int = 32000
    window: int = 1024
    hop: int = 640
    bands: int = 64
    low_hz: float = 40.0
    high_hz: float = 15000.0
    max_seconds: float = 30.0


class LogMel:
    """Samples in, log-mel spectrogram out."""

    def __init__(self, settings: MelSettings | None = None) -> None:
        self.settings = settings or MelSettings()
        self._window = torch.hann_window(self.settings.window)
        self._filters = mel_filters(self.settings)

    def __call__(self, samples: NDArray[np.float32], rate: int) -> Tensor:
        """The logarithm of the power in each band: float32, shape [frames, bands], frames = 1 + samples // hop.

        Args:
            samples: mono in [-1, 1), shape [n], n >= 1.
            rate: Hz.
        """
        settings = self.settings
        samples = samples[: int(settings.max_seconds * rate)]
        if rate != settings.sample_rate:
            import soxr

            samples = soxr.resample(samples, rate, settings.sample_rate)
        found = torch.stft(
            torch.from_numpy(np.ascontiguousarray(samples, dtype=np.float32)),
            settings.window,
            settings.hop,
            window=self._window,
            center=True,
            pad_mode="constant",
            return_complex=True,
        )
        return torch.log(self._filters @ found.abs().square() + _FLOOR).T.contiguous()


def mel_filters(settings: MelSettings) -> Tensor:
    """Triangular filters, equally wide on the mel scale (2595 log10(1 + f / 700), O'Shaughnessy): [bands, window // 2 + 1]."""
    ends = 2595 * np.log10(1 + np.array([settings.low_hz, settings.high_hz]) / 700)
    corners = 700 * (10 ** (np.linspace(ends[0], ends[1], settings.bands + 2) / 2595) - 1)
    bins = np.fft.rfftfreq(settings.window, 1 / settings.sample_rate)
    widths = np.maximum(np.diff(corners), settings.sample_rate / settings.window)  # no low band falls between two bins
    centres = corners[1:-1, None]
    rising = 1 - (centres - bins) / widths[:-1, None]
    falling = 1 - (bins - centres) / widths[1:, None]
    found = np.clip(np.minimum(rising, falling), 0, 1)
    return torch.from_numpy(found.astype(np.float32))
