"""What a report holds of a clip: its sound and its spectrogram, as files that every browser shows from a disk."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np
import soundfile
import soxr
from numpy.typing import NDArray

from builders.dataset_folder import Audio, DatasetFolder
from builders.errors import EvaluationError
from builders.processes import pool
from builders.sounds.spectrogram import decibels, paint

FOLDER = "clips"
COLUMNS, BANDS = 320, 64
"""Of a spectrogram, in pixels."""
_RATES = (8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000)
"""Sampling rates that MP3 knows, in Hz."""


@dataclass(frozen=True, slots=True)
class Media:
    """The files of one clip, from the report's folder."""

    audio: str
    audio_type: str
    image: str


def write_media(
    folder: DatasetFolder,
    clips: Sequence[str],
    out: Path,
    num_proc: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Media]:
    """Writes sound and spectrogram of clips into `out`/clips.

    The sound is MP3 (Ogg Vorbis where libsndfile is too old to write that) at the clip's own level. All spectrograms have one
    scale, from the loudest point of all of them down.

    Args:
        folder: the dataset.
        clips: ids.
        out: the report's folder.
        num_proc: processes.
        progress: called with (clips done, clips).

    Raises:
        EvaluationError: a worker process died.
    """
    if not clips:
        return {}
    place = out / FOLDER
    place.mkdir(exist_ok=True)
    levels: dict[str, NDArray[np.float64]] = {}
    found: dict[str, Media] = {}
    ids = sorted(clips)
    for clip, (content, kind, level) in zip(
        ids, from_sound(_make, (folder.audio(clip) for clip in ids), min(num_proc, len(ids))), strict=True
    ):
        ending = "mp3" if kind == "audio/mpeg" else "ogg"
        (place / f"{clip}.{ending}").write_bytes(content)
        levels[clip] = level
        found[clip] = Media(f"{FOLDER}/{clip}.{ending}", kind, f"{FOLDER}/{clip}.webp")
        progress(len(found), len(ids))
    loudest = max(float(one.max()) for one in levels.values())
    for clip, level in levels.items():
        (place / f"{clip}.webp").write_bytes(paint(level - loudest))
    return found


Made = TypeVar("Made")
_BATCH = 16


def from_sound(make: Callable[[Audio], Made], audio: Iterator[Audio], num_proc: int = 1) -> Iterator[Made]:
    """What is made of each of many clips, in their order, in `num_proc` processes.

    Raises:
        EvaluationError: a worker process died.
    """
    if num_proc <= 1:
        yield from map(make, audio)
        return
    with pool(num_proc, EvaluationError, "clips were made for pages") as executor:
        while batch := list(islice(audio, _BATCH * num_proc)):  # so that never all of them are in memory
            yield from executor.map(make, batch)


def _make(audio: Audio) -> tuple[bytes, str, NDArray[np.float64]]:
    """Of a clip its file to listen to, that one's media type, and the levels of its spectrogram."""
    return (*listening(audio), _levels(audio))


def _levels(audio: Audio) -> NDArray[np.float64]:
    samples, rate = audio
    return decibels(samples.astype(np.float32) / np.float32(32768), rate, BANDS, COLUMNS)


def spectrogram(audio: Audio) -> bytes:
    """A clip's spectrogram as WebP, on a scale that is the same for all clips: from a tone at -20 dBFS down."""
    rate = audio[1]
    tone = 0.1 * np.sin(2 * np.pi * 1000 / rate * np.arange(rate))
    return paint(_levels(audio) - decibels(tone.astype(np.float32), rate, BANDS, 1).max())


def listening(audio: Audio) -> tuple[bytes, str]:
    """A clip as a file to listen to, and its media type."""
    samples, rate = audio
    if rate not in _RATES:
        samples = np.clip(soxr.resample(samples.astype(np.float32), rate, 48_000), -32768, 32767).astype(np.int16)
        rate = 48_000
    name, subtype, kind = ("OGG", "VORBIS", "audio/ogg")
    if "MP3" in soundfile.available_formats():
        name, subtype, kind = ("MP3", "MPEG_LAYER_III", "audio/mpeg")
    file = io.BytesIO()
    soundfile.write(file, samples, rate, format=name, subtype=subtype, compression_level=0.7)
    return file.getvalue(), kind
