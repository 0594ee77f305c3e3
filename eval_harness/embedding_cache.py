"""Embeddings kept while they are made, in shards: each clip is embedded once per model, for all tasks, across interruptions.

A store belongs to one key: model, revision, everything else that changes embeddings, and the dataset's content. Ids are then
enough to find an embedding again. A shard is written to a temporary name and moved into place, so what lies there is whole.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builders.errors import EvaluationError
from builders.files import write_whole

Vectors = NDArray[Any]
"""One embedding a row, shape [rows, dimensions]."""

_KEY = "key.json"


class EmbeddingStore:
    """Embeddings by id, in one folder.

    Args:
        root: the folder of all stores.
        key: what the embeddings depend on, besides the id.
    """

    def __init__(self, root: Path, key: Mapping[str, str]) -> None:
        text = json.dumps(dict(key), indent=2, sort_keys=True)
        name = key.get("model", "model").replace("/", "__").replace(" ", "_")
        self.folder = root / name / hashlib.sha256(text.encode()).hexdigest()[:16]
        self._place: dict[str, tuple[int, int]] = {}
        self._shards: list[Vectors] = []
        self._next = 0
        self.folder.mkdir(parents=True, exist_ok=True)
        if not (self.folder / _KEY).is_file():
            write_whole(self.folder / _KEY, text.encode())
        for file in sorted(self.folder.glob("shard-*.npz")):
            self._next = max(self._next, int(file.stem.split("-")[1]) + 1)
            found = _read(file)
            if found:
                self._hold(*found)

    def missing(self, ids: Iterable[str]) -> list[str]:
        """Those of `ids` that have no embedding yet, in their order."""
        return [one for one in ids if one not in self._place]

    def add(self, ids: Sequence[str], vectors: Vectors) -> None:
        """Keeps a shard of embeddings, at once and whole.

        Raises:
            EvaluationError: the number of dimensions is another than before.
        """
        if self._shards and self._shards[0].shape[1] != vectors.shape[1]:
            raise EvaluationError(
                f"the model gave embeddings of {vectors.shape[1]} dimensions, and of {self._shards[0].shape[1]} before; "
                f"if the model has changed, remove {self.folder}"
            )
        written = io.BytesIO()
        np.savez(written, ids=np.asarray(ids), vectors=vectors)
        write_whole(self.folder / f"shard-{self._next:05}.npz", written.getvalue())
        self._next += 1
        self._hold(list(ids), vectors)

    def get(self, ids: Sequence[str]) -> Vectors:
        """The embeddings of `ids`, in their order, shape [ids, dimensions]. Raises KeyError."""
        places = [self._place[one] for one in ids]
        found = np.empty((len(places), self._shards[0].shape[1]), dtype=np.result_type(*self._shards))
        for row, (shard, line) in enumerate(places):
            found[row] = self._shards[shard][line]
        return found

    def clear(self) -> None:
        """Forgets and removes all embeddings."""
        for file in self.folder.glob("shard-*.npz"):
            file.unlink()
        self._place, self._shards, self._next = {}, [], 0

    def _hold(self, ids: list[str], vectors: Vectors) -> None:
        self._shards.append(vectors)
        self._place.update((one, (len(self._shards) - 1, row)) for row, one in enumerate(ids))


def _read(file: Path) -> tuple[list[str], Vectors] | None:
    """What a shard holds; None where it cannot be read: its embeddings are then made again."""
    try:
        with np.load(file) as stored:
            ids, vectors = stored["ids"].tolist(), np.asarray(stored["vectors"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
    return (ids, vectors) if vectors.ndim == 2 and len(ids) == len(vectors) else None


def as_vectors(embeddings: Any, rows: int, what: str) -> Vectors:
    """What a model's `encode` returned, as floats that can be kept: [rows, dimensions].

    Args:
        embeddings: a numpy array or torch tensor.
        rows: how many were asked for.
        what: names the model, for errors.

    Raises:
        EvaluationError: it is no such array, or holds NaN or infinite values.
    """
    if hasattr(embeddings, "detach"):
        embeddings = embeddings.detach().cpu()
        if embeddings.dtype.is_floating_point and embeddings.element_size() < 4:  # numpy has no bfloat16
            embeddings = embeddings.float()
        embeddings = embeddings.numpy()
    if not isinstance(embeddings, np.ndarray) or embeddings.ndim != 2:
        shape = f" of shape {embeddings.shape}" if hasattr(embeddings, "shape") else ""
        raise EvaluationError(
            f"{what} gives no matrix with one embedding a row but {type(embeddings).__name__}{shape}; models with several "
            "vectors an input run with `reasonaudio mteb run`"
        )
    if len(embeddings) != rows:
        raise EvaluationError(f"{what} gave {len(embeddings)} embeddings for {rows} inputs; its `encode` is wrong")
    if embeddings.dtype == np.float16 or embeddings.dtype.kind in "biu":  # whole numbers and bits have no cosine in torch
        embeddings = embeddings.astype(np.float32)
    return np.asarray(embeddings)


def check_sound(ids: Sequence[str], vectors: Vectors, what: str) -> None:
    """Refuses embeddings that would silently score 0.

    Raises:
        EvaluationError: some are NaN or infinite, or all are the same.
    """
    wrong = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(wrong):
        kind = "NaN" if np.isnan(vectors[wrong[0]]).any() else "infinite"
        raise EvaluationError(
            f"{what}: {len(wrong)} of {len(ids)} embeddings hold {kind} values, as that of {ids[wrong[0]]}; "
            "float16 may be too narrow for the model (--dtype), or the checkpoint is damaged"
        )
    if len(ids) > 1 and (vectors == vectors[0]).all():
        raise EvaluationError(
            f"{what}: all {len(ids)} embeddings are the same, as if the model did not look at its input; every ranking would be "
            "by id alone"
        )
