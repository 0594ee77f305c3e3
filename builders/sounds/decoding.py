"""From an audio file to mono samples at the corpus's rate, or to the one reason why it cannot be used."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from builders.errors import UnusableRecordingError
from builders.sounds.audible import frame_levels
from builders.sounds.containers import container_fault, mp3_fault
from builders.sounds.library import Samples

MAX_READ_S = 300
"""No more than this is read of one file: an hour of rain serves no better than its first five minutes."""
MIN_SOURCE_MS = 20
"""Below, there is not even one frame to look at."""
MIN_SOURCE_RATE = 8000
"""Hz. Below, half of what tells sounds apart is missing."""
NEAR_SILENCE_DBFS = -60.0
"""The loudest 20 ms must reach this: 16-bit noise then stays below the 30 dB range in which a sound counts as audible."""
MAX_CLIPPED_SHARE = 0.01
"""Share of samples stuck at full scale, in runs of three or more, from which a recording counts as hard clipped."""
MIN_MIX_RATIO = 0.1
"""Power of the mix of all channels over what unrelated channels would give; below, they cancel each other."""

_FULL_SCALE = 0.99  # 8-bit audio reaches 127/128
_BLOCK = 1 << 16


def read_audio(audio: Path | str | bytes, sample_rate: int) -> Samples:
    """A file's audio (its first `MAX_READ_S` seconds), channels mixed by their mean, resampled (soxr, VHQ).

    A DC offset is kept (`screening` removes it and says so); peaks over full scale are kept.

    Args:
        audio: a file in any format of libsndfile, by its path or as all its bytes; its suffix does not matter.
        sample_rate: wanted rate in Hz; a multiple of 200.

    Returns:
        Mono float32, shape [n], n > 0.

    Raises:
        UnusableRecordingError: with one plain reason, which does not name the file.
    """
    audio = Path(audio) if isinstance(audio, str) else audio
    try:
        if isinstance(audio, Path) and not audio.is_file():
            raise UnusableRecordingError("there is no such file")
        if (len(audio) if isinstance(audio, bytes) else audio.stat().st_size) == 0:
            raise UnusableRecordingError("the file is empty (0 bytes)")
        fault = container_fault(audio)
        if fault:
            raise UnusableRecordingError(fault)
        mono, rate = _decode(audio)
    except OSError as error:
        raise UnusableRecordingError(f"cannot be read: {error.strerror or error}") from None
    # Resampled around the mean: an offset would ring at both ends, where the signal seems to jump from and to zero.
    mean = np.float32(mono.mean(dtype=np.float64))
    samples = mono - mean
    if rate != sample_rate:
        samples = np.asarray(soxr.resample(samples, rate, sample_rate, quality="VHQ"), dtype=np.float32)
    if len(samples) < sample_rate * MIN_SOURCE_MS // 1000:
        raise UnusableRecordingError(f"too short: {len(mono) / rate * 1000:.1f} ms")
    if not np.any(samples):
        raise UnusableRecordingError("digital silence: all samples are equal")
    loudest = float(frame_levels(samples, sample_rate).max())
    if loudest < NEAR_SILENCE_DBFS:
        raise UnusableRecordingError(
            f"nearly silent: its loudest 20 ms reach {loudest:.0f} dBFS, at least {NEAR_SILENCE_DBFS:.0f} dBFS are needed"
        )
    return np.asarray(samples + mean, dtype=np.float32)


@dataclass(slots=True)
class _Tally:
    """What is counted while blocks of frames go by; one number a channel."""

    channels: int
    frames: int = 0
    not_finite: int = 0
    sums: NDArray[np.float64] = field(init=False)
    squares: NDArray[np.float64] = field(init=False)
    clipped: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        self.sums = np.zeros(self.channels)
        self.squares = np.zeros(self.channels)
        self.clipped = np.zeros(self.channels, dtype=np.int64)

    def add(self, block: Samples) -> None:
        self.frames += len(block)
        finite = np.isfinite(block)
        if not finite.all():
            self.not_finite += int(block.size - finite.sum())
            return
        self.sums += block.sum(axis=0, dtype=np.float64)
        self.squares += np.square(block, dtype=np.float64).sum(axis=0)
        if np.abs(block).max(initial=0.0) >= _FULL_SCALE and len(block) > 2:
            stuck = (block[1:] == block[:-1]) & (np.abs(block[1:]) >= _FULL_SCALE)
            inside = np.zeros(block.shape, dtype=bool)
            for shift in range(3):  # all three samples of each run of three
                inside[shift : len(block) - 2 + shift] |= stuck[1:] & stuck[:-1]
            self.clipped += inside.sum(axis=0)

    def power(self) -> NDArray[np.float64]:
        """Mean power of each channel without its offset."""
        return np.maximum(self.squares / self.frames - np.square(self.sums / self.frames), 0.0)


def _decode(audio: Path | bytes) -> tuple[Samples, int]:
    """All channels mixed, at the file's own rate; every check that needs the channels or the file's own samples."""
    blocks: list[Samples] = []
    try:
        with soundfile.SoundFile(io.BytesIO(audio) if isinstance(audio, bytes) else audio) as file:
            rate, channels, promised, kind = file.samplerate, file.channels, file.frames, file.format
            if rate < MIN_SOURCE_RATE:
                raise UnusableRecordingError(f"sampling rate {rate} Hz; at least {MIN_SOURCE_RATE} Hz are needed")
            limit = rate * MAX_READ_S
            tally = _Tally(channels)
            while tally.frames < limit:
                # Not `soundfile.read` or `blocks`: they go by the number of frames that the file promises.
                block = file.read(min(_BLOCK, limit - tally.frames), dtype="float32", always_2d=True)
                if not len(block):
                    break
                tally.add(block)
                blocks.append(block.mean(axis=1, dtype=np.float32) if channels > 1 else block[:, 0])
    except (RuntimeError, TypeError, ValueError) as error:  # LibsndfileError is a RuntimeError
        raise UnusableRecordingError(_plain(audio, error)) from None
    if tally.not_finite:
        raise UnusableRecordingError(f"{tally.not_finite} samples are not numbers (NaN or infinite)")
    fault = mp3_fault(audio, promised, tally.frames, limit) if kind == "MP3" else None
    if fault:
        raise UnusableRecordingError(fault)
    if not tally.frames:
        raise UnusableRecordingError("holds no audio (0 frames)")
    if tally.frames < min(promised, limit) and kind != "MP3":
        raise UnusableRecordingError(f"damaged or truncated: {promised} frames are promised, {tally.frames} can be decoded")
    mono = np.concatenate(blocks)
    _check_mix(mono, tally)
    return mono, rate


def _check_mix(mono: Samples, tally: _Tally) -> None:
    power = tally.power()
    unrelated = float(power.sum()) / tally.channels**2
    mixed = float(np.var(mono, dtype=np.float64))
    # Far below 16 bits there is nothing to compare; such audio is found to be silent later.
    if tally.channels > 1 and unrelated > 1e-9 and mixed < MIN_MIX_RATIO * unrelated:
        raise UnusableRecordingError(f"its {tally.channels} channels cancel each other when mixed to mono (opposite phase)")
    share = float(tally.clipped.max()) / tally.frames
    if share > MAX_CLIPPED_SHARE:
        raise UnusableRecordingError(f"hard clipped: {share:.0%} of the samples are stuck at full scale")


def _plain(audio: Path | bytes, error: Exception) -> str:
    """libsndfile's words without the path, made plain where they mislead."""
    said = str(getattr(error, "error_string", error)).strip().rstrip(".")
    if "Format not recognised" in said or isinstance(error, TypeError):
        if isinstance(audio, bytes):
            return "not audio in a known format"
        return f"not audio in a known format, whatever its suffix{f' {audio.suffix}' if audio.suffix else ''} says"
    if "does not exist" in said:  # said of an existing file without a single frame, such as a lone ID3 tag
        return "holds no audio that can be decoded"
    if "malformed" in said:
        return "damaged: its header cannot be read"
    return f"damaged or truncated: {said.removeprefix('Error :').strip()}"
