"""A model's embeddings of a dataset, as `reasonaudio run` kept them in a folder of results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.data import Data
from eval_harness.embedding_cache import EmbeddingStore

Vectors = NDArray[np.float32]
EMBEDDINGS = "embeddings"
_KEY = "key.json"


@dataclass(frozen=True, eq=False)
class Embeddings:
    """Embeddings of clips and of queries.

    Attributes:
        model: as mteb names it.
        revision: of the model.
        clips: clip ids.
        clip_vectors: shape [clips, dimensions], of any length; cosines are taken.
        queries: query ids.
        query_vectors: shape [queries, dimensions].
        key: what the store is of; empty for arrays from elsewhere.
    """

    model: str
    revision: str
    clips: tuple[str, ...]
    clip_vectors: NDArray[np.floating] = field(repr=False)
    queries: tuple[str, ...]
    query_vectors: NDArray[np.floating] = field(repr=False)
    key: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for what, ids, vectors in (
            ("clips", self.clips, self.clip_vectors),
            ("queries", self.queries, self.query_vectors),
        ):
            if vectors.ndim != 2 or len(ids) != len(vectors):
                raise EvaluationError(f"{self.model}: {len(ids)} {what}, but embeddings of shape {vectors.shape}")
            if not np.isfinite(vectors).all():
                raise EvaluationError(f"{self.model}: embeddings of {what} hold NaN or infinite values")
        if self.clip_vectors.shape[1] != self.query_vectors.shape[1]:
            raise EvaluationError(
                f"{self.model}: clips have {self.clip_vectors.shape[1]} dimensions, queries {self.query_vectors.shape[1]}; "
                "only models that put both into one space can be looked at"
            )

    @cached_property
    def unit_clips(self) -> Vectors:
        """At length 1."""
        return unit(self.clip_vectors)

    @cached_property
    def unit_queries(self) -> Vectors:
        """At length 1."""
        return unit(self.query_vectors)

    @cached_property
    def clip_row(self) -> Mapping[str, int]:
        return {clip: row for row, clip in enumerate(self.clips)}

    @cached_property
    def query_row(self) -> Mapping[str, int]:
        return {query: row for row, query in enumerate(self.queries)}

    def tasks(self, folder: DatasetFolder) -> tuple[str, ...]:
        """The tasks all of whose queries and clips are there."""
        found = []
        for task in TASK_NAMES:
            queries = [query.id for query in folder.queries.values() if query.task == task]
            clips = (clip.id for clip in folder.clips.values() if clip.task == task)
            if queries and all(query in self.query_row for query in queries) and all(clip in self.clip_row for clip in clips):
                found.append(task)
        return tuple(found)


def unit(vectors: NDArray[np.floating]) -> Vectors:
    """Rows at length 1; rows of zeros stay."""
    wide = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    return np.asarray(wide / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def read_embeddings(out: Path, data: Data, models: Sequence[str] | None = None) -> list[Embeddings]:
    """The embeddings of each model that a folder of results has some of, by name, then revision.

    Args:
        out: the folder that `reasonaudio run` wrote.
        data: the dataset that the results are of.
        models: names, also without what stands before the "/"; None is all.

    Raises:
        EvaluationError: there are none, or none of a model that is asked for.
    """
    found = []
    for file in sorted((out / EMBEDDINGS).glob(f"*/*/{_KEY}")):
        key = _read_key(file)
        if key.get("dataset") == data.content_hash and _is_asked(key["model"], models):
            read = _read(out / EMBEDDINGS, key, data.folder)
            found += [read] if read else []
    missing = [name for name in models or () if not any(_is_asked(one.model, [name]) for one in found)]
    if missing or not found:
        there = sorted({_read_key(file)["model"] for file in (out / EMBEDDINGS).glob(f"*/*/{_KEY}")})
        has = f"it has {', '.join(there)}" if there else "it has none"
        raise EvaluationError(
            f"{out}: no embeddings of {missing[0] if missing else 'clips and queries'} on this dataset; {has}. "
            "`reasonaudio run` keeps them for models that embed (not for systems of the scale, nor +logic)"
        )
    return sorted(found, key=lambda one: (one.model, one.revision))


def _is_asked(model: str, names: Sequence[str] | None) -> bool:
    return names is None or any(name in (model, model.partition("/")[2]) for name in names)


def _read_key(file: Path) -> dict[str, str]:
    try:
        key = json.loads(file.read_bytes())
    except (OSError, ValueError):
        key = None
    if not isinstance(key, dict) or not isinstance(key.get("model"), str):
        raise EvaluationError(f"{file} is damaged; remove {file.parent} and run the model again")
    return key


def _read(root: Path, key: Mapping[str, str], folder: DatasetFolder) -> Embeddings | None:
    """None where a run was interrupted before there were any of either."""
    store = EmbeddingStore(root, key)
    kept = []
    for ids in (list(folder.clips), list(folder.queries)):
        missing = set(store.missing(ids))
        kept.append(tuple(one for one in ids if one not in missing))
    if not all(kept):
        return None
    clips, queries = kept
    return Embeddings(
        key["model"], key.get("revision", ""), clips, store.get(clips), queries, store.get(queries), key=dict(key)
    )
