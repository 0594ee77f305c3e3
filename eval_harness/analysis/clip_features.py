"""What anything can measure of a clip without understanding it: some sixty numbers of level, time, spectrum and timbre.

Everything spectral comes from one short-time spectrum of a clip. Features of timbre are taken over the frames that are heard, as
a clip's gaps hold only the noise bed.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterator
from concurrent.futures import as_completed
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import fft, signal

from builders.cache import cache_folder
from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.files import make_folder, write_whole
from builders.processes import pool
from builders.recipe import TASK_NAMES

Floats = NDArray[np.float64]

_VERSION = 1
"""Of the features below: raised whenever one of them changes, as they are kept between runs."""
_FRAME_MS = 32
_MFCC = 13
_BANDS = 40
_HEARD_DB = 30.0
"""A frame is heard within so many dB of the clip's loudest, as a recording's audible part is found."""
_FLOOR_DB = -100.0

_OVER_FRAMES = ("centroid", "bandwidth", "rolloff", "flatness", "zero crossings", *(f"mfcc {n}" for n in range(_MFCC)))
NAMES: tuple[str, ...] = (
    *("rms", "peak", "crest factor"),
    *(f"envelope {name}" for name in ("mean", "deviation", "skewness", "p10", "p50", "p90", "change")),
    *("active time", "active runs", "longest run", "first heard", "last heard"),
    *("energy centre", "energy spread", "active centre", "energy in 1st quarter", "in 2nd quarter", "in 3rd quarter"),
    *("loudest run, when", "longest run, when"),
    *("onsets", "onset strength", "onset strength deviation"),
    *(f"{name} {what}" for name in _OVER_FRAMES for what in ("mean", "deviation")),
)
"""The features of a clip, in the order of their columns."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class ClipFeatures:
    """The features of all clips of a corpus.

    Attributes:
        ids: the clips, in the order of the tasks and files.
        values: shape [clips, len(NAMES)].
        flac_bytes, samples: size of each clip's file, and its number of samples; shape [clips].
    """

    ids: tuple[str, ...]
    values: Floats
    flac_bytes: NDArray[np.int64]
    samples: NDArray[np.int64]


def clip_features(samples: NDArray[np.int16], rate: int) -> Floats:
    """The features of one clip, shape [len(NAMES)].

    Args:
        samples: mono, shape [n], n at least one frame of 32 ms.
        rate: in Hz.
    """
    y = samples.astype(np.float32) / 32768
    size = 1 << (rate * _FRAME_MS // 1000 - 1).bit_length()
    frames = y[: len(y) // size * size].reshape(-1, size)
    spectrum = fft.rfft(frames * np.hanning(size).astype(np.float32), axis=1)  # [frames, bins]
    power = spectrum.real**2 + spectrum.imag**2 + np.float32(1e-12)
    energy: Floats = np.square(frames, dtype=np.float64).mean(axis=1)
    level = np.maximum(10 * np.log10(energy + 1e-12), _FLOOR_DB)
    heard = level >= level.max() - _HEARD_DB

    mel = 10 * np.log10(power @ _mel_filters(rate, size) + 1e-10)  # [frames, bands]
    # Spectral flux: how much louder the bands become from frame to frame (S. Dixon, "Onset detection revisited", 2006).
    onset = np.maximum(np.diff(mel, axis=0), 0).mean(axis=1) if len(mel) > 1 else np.zeros(1)
    peaks, _ = signal.find_peaks(onset, height=onset.mean() + onset.std(), distance=max(1, round(0.05 * rate / size)))
    signs = np.signbit(frames[heard])
    crossings = np.count_nonzero(signs[:, 1:] != signs[:, :-1], axis=1) / size
    over_frames = np.column_stack([_shape(power[heard], rate), crossings, fft.dct(mel[heard], norm="ortho")[:, :_MFCC]])
    rms, peak = 10 * np.log10(np.mean(y**2, dtype=np.float64) + 1e-12), 20 * np.log10(np.abs(y).max() + 1e-6)
    values = np.concatenate(
        [
            [rms, peak, peak - rms],
            _envelope(level),
            _when(energy, heard),
            [len(peaks), onset.mean(), onset.std()],
            np.stack([over_frames.mean(axis=0), over_frames.std(axis=0)], axis=1).ravel(),
        ]
    )
    return values.astype(np.float64)


def _shape(power: NDArray[np.float32], rate: int) -> Floats:
    """Centroid, bandwidth and rolloff (85 %) in Hz, flatness in dB; shape [frames, 4].

    As in G. Peeters, "A large set of audio features for sound description" (2004), on the power spectrum.
    """
    hertz = np.linspace(0, rate / 2, power.shape[1], dtype=np.float32)
    total = power.sum(axis=1)
    centroid = power @ hertz / total
    bandwidth = np.sqrt(np.maximum(power @ hertz**2 / total - centroid**2, 0))
    rolloff = hertz[np.argmax(np.cumsum(power, axis=1) >= 0.85 * total[:, None], axis=1)]
    flatness = 10 * (np.log10(power).mean(axis=1) - np.log10(total / power.shape[1]))
    return np.column_stack([centroid, bandwidth, rolloff, flatness]).astype(np.float64)


@lru_cache(maxsize=8)
def _mel_filters(rate: int, size: int) -> NDArray[np.float32]:
    """Triangles of equal width in mel (2595 log10(1 + f / 700)), shape [bins, bands]."""
    hertz = np.linspace(0, rate / 2, size // 2 + 1)
    mel = np.linspace(0, 2595 * np.log10(1 + rate / 2 / 700), _BANDS + 2)
    edges = 700 * (10 ** (mel / 2595) - 1)
    rising = (hertz[:, None] - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - hertz[:, None]) / (edges[2:] - edges[1:-1])
    return np.maximum(0, np.minimum(rising, falling)).astype(np.float32)


def _envelope(level: Floats) -> Floats:
    """Statistics of the level of the frames, in dB."""
    centred = level - level.mean()
    deviation = centred.std()
    skewness = np.mean(centred**3) / deviation**3 if deviation > 1e-9 else 0.0
    return np.array(
        [
            level.mean(),
            deviation,
            skewness,
            *np.percentile(level, (10, 50, 90)),
            np.abs(np.diff(level)).mean() if len(level) > 1 else 0,
        ]
    )


def _when(energy: Floats, heard: NDArray[np.bool_]) -> Floats:
    """Where in the clip its sound is. All but the number of runs are shares of the clip's length."""
    count = len(energy)
    at = (np.arange(count) + 0.5) / count
    share = energy / max(energy.sum(), 1e-12)
    centre = float(share @ at)
    spread = float(np.sqrt(share @ (at - centre) ** 2))
    edges = np.flatnonzero(np.diff(np.concatenate([[False], heard, [False]]).astype(np.int8)))
    begins, ends = edges[::2], edges[1::2]
    lengths = ends - begins
    loudest = int(np.argmax([energy[a:b].mean() for a, b in zip(begins, ends, strict=True)]))
    longest = int(lengths.argmax())
    quarters = [float(part.sum()) for part in np.array_split(share, 4)[:3]]
    middles = (begins + ends) / (2 * count)
    return np.array(
        [
            *(heard.mean(), len(begins), lengths.max() / count, begins[0] / count, ends[-1] / count),
            *(centre, spread, at[heard].mean(), *quarters),
            *(middles[loudest], middles[longest]),
        ]
    )


# --- a whole corpus ---------------------------------------------------------------------------------------------------


def corpus_features(folder: DatasetFolder, num_proc: int = 1, progress: Progress | None = None) -> ClipFeatures:
    """The features of all clips. Those of a file that was looked at before come from the user's cache, by the file's checksum.

    Args:
        folder: a dataset folder whose files are those of its manifest.
        num_proc: processes.
        progress: called with (clips, clips in all).

    Raises:
        DatasetFolderError: a clip cannot be decoded.
        EvaluationError: a clip is shorter than a frame, or a worker process was ended from outside.
    """
    report = progress or (lambda done, total: None)
    files = [file for task in TASK_NAMES for file in folder.audio_files(task)]
    found: dict[str, ClipFeatures] = {}
    for file in files:
        kept = _read(_place(folder, file))
        if kept is not None:
            found[file] = kept
    total, done = len(folder.clips), sum(len(one.ids) for one in found.values())
    report(done, total)
    for file, one in _computed(folder, [file for file in files if file not in found], num_proc):
        found[file] = one
        _write(one, _place(folder, file))
        done += len(one.ids)
        report(done, total)
    parts = [found[file] for file in files]
    return ClipFeatures(
        tuple(clip for part in parts for clip in part.ids),
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.flac_bytes for part in parts]),
        np.concatenate([part.samples for part in parts]),
    )


def _computed(folder: DatasetFolder, files: list[str], num_proc: int) -> Iterator[tuple[str, ClipFeatures]]:
    if num_proc == 1 or len(files) <= 1:
        for file in files:
            yield file, _of_file(folder.path, file)
        return
    with pool(min(num_proc, len(files)), EvaluationError, "clips were measured") as executor:
        jobs = {executor.submit(_of_file, folder.path, file): file for file in files}
        for job in as_completed(jobs):
            yield jobs[job], job.result()


def _of_file(path: Path, file: str) -> ClipFeatures:
    """The features of the clips in one of the folder's files."""
    folder = DatasetFolder.open(path)
    ids, values, sizes, lengths = [], [], [], []
    for clip_id, flac in folder.iter_flac(file):
        samples, rate = folder.decode(clip_id, flac)
        if len(samples) < rate * 2 * _FRAME_MS // 1000:
            raise EvaluationError(
                f"clip {clip_id} has {len(samples)} samples, fewer than a frame; `reasonaudio check` the folder"
            )
        ids.append(clip_id)
        values.append(clip_features(samples, rate))
        sizes.append(len(flac))
        lengths.append(len(samples))
    return ClipFeatures(tuple(ids), np.array(values).reshape(-1, len(NAMES)), np.array(sizes), np.array(lengths))


def _place(folder: DatasetFolder, file: str) -> Path:
    """Where the features of a file are kept."""
    key = json.dumps([_VERSION, NAMES, folder.manifest["files"][file]])
    return cache_folder("audit") / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.npz"


def _read(place: Path) -> ClipFeatures | None:
    """None where nothing is kept, or it cannot be read."""
    try:
        with np.load(place) as kept:
            found: dict[str, NDArray[Any]] = dict(kept)
        return ClipFeatures(tuple(found["ids"].tolist()), found["values"], found["flac_bytes"], found["samples"])
    except (OSError, ValueError, KeyError, EOFError):
        return None


def _write(features: ClipFeatures, place: Path) -> None:
    content = io.BytesIO()
    np.savez(
        content, ids=np.array(features.ids), values=features.values, flac_bytes=features.flac_bytes, samples=features.samples
    )
    make_folder(place.parent)
    write_whole(place, content.getvalue())
