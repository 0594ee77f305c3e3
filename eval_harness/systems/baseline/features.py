"""The spectrograms of a dataset's clips, computed once and kept: one file for each task, read from disk as it is needed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import astuple
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from builders.cache import cache_folder
from builders.errors import EvaluationError
from eval_harness.data import Data
from eval_harness.systems.baseline.mel import LogMel, MelSettings

Report = Callable[[int, int], None]
"""Called with (done, total)."""


class Features:
    """The spectrograms of some clips, in their order.

    Attributes:
        clips: ids.
    """

    def __init__(self, clips: Sequence[str], parts: Sequence[NDArray[np.float16]]) -> None:
        self.clips = tuple(clips)
        self._parts = tuple(parts)
        self._starts = np.cumsum([0, *map(len, parts)])

    def __len__(self) -> int:
        return len(self.clips)

    def take(self, numbers: Sequence[int] | NDArray[np.intp]) -> NDArray[np.float32]:
        """The spectrograms of clips by their numbers: shape [clips, frames, bands]."""
        found = []
        for number in numbers:
            part = int(np.searchsorted(self._starts, number, side="right")) - 1
            found.append(self._parts[part][number - self._starts[part]])
        return np.asarray(found, dtype=np.float32)

    def statistics(self) -> tuple[float, float]:
        """Mean and standard deviation of all values, of at most 500 clips spread evenly."""
        some = self.take(np.unique(np.linspace(0, len(self) - 1, 500).astype(np.intp)))
        return float(some.mean()), max(float(some.std()), 1e-6)


def features_of(data: Data, settings: MelSettings | None = None, progress: Report = lambda done, total: None) -> Features:
    """The spectrograms of all clips of a dataset, in the order of tasks, then of the files.

    Tasks that were finished before are not computed again.

    Raises:
        EvaluationError: the clips are not equally long, or the cache cannot be written.
        DatasetFolderError: audio is damaged.
    """
    settings = settings or MelSettings()
    key = hashlib.sha256(f"1 {data.content_hash} {astuple(settings)}".encode()).hexdigest()[:16]
    folder = cache_folder("baseline") / key
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EvaluationError(f"{folder} cannot be made ({error.strerror}); set REASONAUDIO_CACHE to another folder") from None
    ids = {task: [clip for file in data.folder.audio_files(task) for clip in data.folder.ids_in(file)] for task in data.tasks}
    total, done = sum(map(len, ids.values())), 0
    parts = []
    for task, clips in ids.items():
        file = folder / f"{task}.npy"
        if not file.is_file():
            _compute(data, task, len(clips), LogMel(settings), file, partial(_later, progress, done, total))
        parts.append(np.load(file, mmap_mode="r"))
        done += len(clips)
        progress(done, total)
    if len({part.shape[1:] for part in parts}) > 1:
        raise EvaluationError(f"{data.path}: the tasks' clips are not equally long; build the dataset again")
    return Features([clip for clips in ids.values() for clip in clips], parts)


def _later(progress: Report, before: int, total: int, done: int) -> None:
    progress(before + done, total)


def _compute(data: Data, task: str, clips: int, mel: LogMel, file: Path, report: Callable[[int], None]) -> None:
    """Writes a task's spectrograms beside `file` and moves them into place."""
    aside = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    out: np.memmap[tuple[int, int, int], np.dtype[np.float16]] | None = None
    try:
        for number, (clip, (samples, rate)) in enumerate(data.folder.iter_audio(task)):
            found = mel(samples.astype(np.float32) / np.float32(32768), rate).numpy()
            if out is None:
                out = np.lib.format.open_memmap(aside, "w+", np.dtype(np.float16), (clips, *found.shape))
            if found.shape != out.shape[1:]:
                raise EvaluationError(f"{data.path}: clip {clip} is not as long as the others; build the dataset again")
            out[number] = found
            report(number + 1)
        assert out is not None
        out.flush()
        aside.replace(file)
    except OSError as error:
        raise EvaluationError(
            f"{file} cannot be written ({error.strerror}); make room, or set REASONAUDIO_CACHE to another folder"
        ) from None
    finally:
        aside.unlink(missing_ok=True)
