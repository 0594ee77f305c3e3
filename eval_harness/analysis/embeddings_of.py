"""A model's embeddings of a dataset, as `reasonaudio run` kept them in a folder of results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.analysis.results import ModelResult, Results

Vectors = NDArray[np.float32]
_KEY = "key.json"


@dataclass(frozen=True, eq=False)
class Embeddings:
    """Embeddings of clips and of queries.

    Attributes:
        model: as mteb names it, with what it was run with if that is not its own ("org/name (dtype_float16)").
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


def read_embeddings(results: Results, models: Sequence[str] | None = None) -> list[Embeddings]:
    """The embeddings of each model of a folder of results that has some, in its order of models.

    Args:
        results: `read_results`.
        models: names, also without what stands before the "/"; None is all.

    Raises:
        EvaluationError: there are none, or none of a model that is asked for.
    """
    found: dict[tuple[str, str], Embeddings] = {}
    for one in results.models:
        if (one.name, one.revision) not in found and (models is None or any(_is_called(one.name, name) for name in models)):
            read = embeddings_of(one)
            found |= {(one.name, one.revision): read} if read else {}
    missing = [name for name in models or () if not any(_is_called(one.model, name) for one in found.values())]
    if missing or not found:
        there = ", ".join(sorted({one.name for one in results.models}))
        raise EvaluationError(
            f"{results.path}: no embeddings of {missing[0] if missing else 'any model'}; `reasonaudio run` keeps them for models "
            f"that embed (not for systems of the scale, nor +logic). It has results of {there}"
        )
    return list(found.values())


def embeddings_of(result: ModelResult) -> Embeddings | None:
    """What a model's run kept; None where it kept none of clips or none of queries.

    Raises:
        EvaluationError: they cannot be used.
    """
    store = result.embeddings()
    if store is None:
        return None
    kept = []
    for ids in (list(result.data.folder.clips), list(result.data.folder.queries)):
        missing = set(store.missing(ids))
        kept.append(tuple(one for one in ids if one not in missing))
    clips, queries = kept
    if not clips or not queries:
        return None
    key = {name: str(value) for name, value in json.loads((store.folder / _KEY).read_bytes()).items()}
    return Embeddings(result.name, result.revision, clips, store.get(clips), queries, store.get(queries), key)


def _is_called(model: str, name: str) -> bool:
    return name in (model, model.partition("/")[2])
