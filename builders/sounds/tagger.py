"""A pretrained tagger of AudioSet's classes (YAMNet), run with LiteRT: what a model hears in a recording, and when."""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import soxr
from numpy.typing import NDArray

from builders.errors import SoundLibraryError
from builders.sounds.library import Samples

RATE = 16_000
WINDOW = 15_600
"""Samples at 16 kHz (0.975 s) that the model takes at once."""
HOP_S = 0.48
"""Seconds from one window to the next."""
_HOP = round(HOP_S * RATE)


@dataclass(frozen=True, slots=True, eq=False)
class Tags:
    """What the tagger says of one recording.

    Attributes:
        scores: of every class in every window, in [0, 1], shape [windows, classes].
        embeddings: one vector for each window, shape [windows, 1024].
    """

    scores: NDArray[np.float32]
    embeddings: NDArray[np.float32]

    def top(self, number: int) -> NDArray[np.intp]:
        """The classes with the highest mean score over all windows, best first, shape [number]."""
        return np.argsort(-self.scores.mean(axis=0), kind="stable")[:number]

    def top_by_window(self, number: int) -> NDArray[np.intp]:
        """The same for every window, shape [windows, number]."""
        return np.argsort(-self.scores, axis=1, kind="stable")[:, :number]

    @property
    def embedding(self) -> NDArray[np.float32]:
        """Mean over the windows, shape [1024]."""
        return np.asarray(self.embeddings.mean(axis=0), dtype=np.float32)


class Tagger:
    """YAMNet as one `.tflite` file that takes 15,600 samples at 16 kHz and gives scores and an embedding."""

    def __init__(self, interpreter: Any, classes: tuple[str, ...], names: tuple[str, ...]) -> None:
        """Args: an allocated LiteRT interpreter; AudioSet's id and name of each score."""
        self.classes, self.names = classes, names
        self._interpreter = interpreter
        self._input = interpreter.get_input_details()[0]["index"]
        outputs = {int(detail["shape"][-1]): detail["index"] for detail in interpreter.get_output_details()}
        if len(classes) not in outputs or len(outputs) != 2:
            raise SoundLibraryError(
                f"tagger: the model's outputs have {sorted(outputs)} values, its class map lists {len(classes)} classes; "
                "give the .tflite file and the class map that belong together"
            )
        self._scores = outputs.pop(len(classes))
        self._embedding = next(iter(outputs.values()))

    @classmethod
    def open(cls, path: Path | str) -> Tagger:
        """The tagger at `path`: the `.tflite` file, with a `*class_map.csv` beside it; or their folder.

        Raises:
            SoundLibraryError: a file is missing or something else, or LiteRT is not installed.
        """
        path = Path(path).expanduser()
        models = sorted(path.glob("*.tflite")) if path.is_dir() else [path]
        if len(models) != 1 or not models[0].is_file():
            raise SoundLibraryError(
                f"tagger {path}: "
                + (f"{len(models)} .tflite files there" if path.is_dir() else "there is no such file")
                + "; give the path of YAMNet's .tflite file"
            )
        maps = sorted(models[0].parent.glob("*class_map.csv"))
        if len(maps) != 1:
            raise SoundLibraryError(
                f"tagger {path}: {len(maps)} files named *class_map.csv beside it; exactly one is needed, with the columns "
                "index, mid, display_name"
            )
        try:
            with maps[0].open(encoding="utf-8", newline="") as file:
                rows = sorted(csv.DictReader(file), key=lambda row: int(row["index"]))
            classes, names = tuple(row["mid"] for row in rows), tuple(row["display_name"] for row in rows)
        except (KeyError, ValueError, TypeError):
            raise SoundLibraryError(f"tagger: {maps[0]} has not the columns index, mid, display_name") from None
        return cls(_interpreter(models[0]), classes, names)

    def tag(self, samples: Samples, sample_rate: int) -> Tags:
        """Scores and embeddings in windows of 0.975 s, 0.48 s apart.

        Args:
            samples: mono, shape [n], n > 0. What is shorter than a window is followed by silence; of the rest, the last window
                ends with the recording.
            sample_rate: of `samples`, in Hz.
        """
        audio = np.asarray(samples, dtype=np.float32)
        if sample_rate != RATE:
            audio = soxr.resample(audio, sample_rate, RATE, quality="HQ")
        audio = np.clip(audio, -1, 1)
        if len(audio) < WINDOW:
            audio = np.pad(audio, (0, WINDOW - len(audio)))
        last = len(audio) - WINDOW
        starts = [*range(0, last, _HOP), last]
        scores, embeddings = [], []
        for start in starts:
            self._interpreter.set_tensor(self._input, self._shaped(audio[start : start + WINDOW]))
            self._interpreter.invoke()
            scores.append(self._interpreter.get_tensor(self._scores).reshape(-1, len(self.classes)).mean(axis=0))
            embeddings.append(self._interpreter.get_tensor(self._embedding).reshape(-1))
        return Tags(np.asarray(scores, dtype=np.float32), np.asarray(embeddings, dtype=np.float32))

    def _shaped(self, window: Samples) -> Samples:
        shape = self._interpreter.get_input_details()[0]["shape"]
        return np.ascontiguousarray(window.reshape(shape), dtype=np.float32)


def fingerprint(tagger: Path) -> str:
    """SHA-256 (hex) of the model and its class map, at a path as `Tagger.open` takes it."""
    tagger = tagger.expanduser()
    folder = tagger if tagger.is_dir() else tagger.parent
    models = sorted(folder.glob("*.tflite")) if tagger.is_dir() else [tagger]
    digest = hashlib.sha256()
    for path in (*models, *sorted(folder.glob("*class_map.csv"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _interpreter(model: Path) -> Any:
    try:
        from ai_edge_litert.interpreter import Interpreter
    except ImportError:
        raise SoundLibraryError("the tagger runs with LiteRT: pip install 'reasonaudio[tagger]'") from None
    try:
        with _hushed():
            interpreter = Interpreter(model_path=str(model), num_threads=1)
            interpreter.allocate_tensors()
    except (ValueError, RuntimeError, OSError) as error:
        raise SoundLibraryError(f"tagger {model}: not a model that LiteRT reads: {error}") from None
    return interpreter


@contextmanager
def _hushed() -> Iterator[None]:
    """Keeps off stderr what LiteRT writes there itself, and offers no way to turn off: it would break a progress bar."""
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)
        os.close(kept)
