"""What a system that is no embedding model needs to run in mteb: scores for pairs in, mteb's search protocol out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from mteb.models.model_meta import ModelMeta
from numpy.typing import NDArray

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from eval_harness.data import Data
from eval_harness.rankings import Rankings

Scores = NDArray[np.float32]
"""One score for each query and clip, higher is better, shape [queries, clips]."""


class SystemMeta(ModelMeta):
    """mteb's record of a system that needs none of what mteb installs for audio models (torchaudio)."""

    def _resolve_extras_groups(self) -> list[str]:  # mteb's own: without it, mteb asks every model with audio for torchaudio
        return list(self.extra_requirements_groups or [])


def system_meta(name: str, revision: str, **fields: Any) -> ModelMeta:
    """mteb's record of a system made here.

    Args:
        name: "reasonaudio/oracle": organisation and name.
        revision: changes whenever the scores may.
        **fields: further fields of `ModelMeta`.
    """
    return SystemMeta.create_empty(
        {
            "name": name,
            "revision": revision,
            "release_date": "2026-12-01",
            "languages": ["eng-Latn"],
            "modalities": ["text", "audio"],
            "license": "apache-2.0",
            "open_weights": True,
            "use_instructions": False,
            "training_datasets": set(),
            "framework": ["NumPy"],
            **fields,
        }
    )


class ScoringSystem(ABC):
    """A system that scores pairs of queries and clips: mteb's `SearchProtocol`."""

    mteb_model_meta: ModelMeta

    @abstractmethod
    def scores(self, queries: Sequence[Query], clips: Sequence[str], corpus: Any, folder: DatasetFolder) -> Scores:
        """Scores of all pairs.

        Args:
            queries: what is asked.
            clips: ids of the clips that are searched.
            corpus: their rows, in the same order: a `datasets.Dataset` with "id" and "audio", the latter
                {"array": float32 [n], "sampling_rate": Hz}.
            folder: the dataset that they are of.
        """

    def rank(self, queries: Sequence[Query], corpus: Any, folder: DatasetFolder) -> Rankings:
        """The same as `Rankings`, with the ids."""
        clips = list(corpus["id"])
        found = np.asarray(self.scores(queries, clips, corpus, folder), dtype=np.float32)
        return Rankings(tuple(query.id for query in queries), tuple(clips), found)

    def rank_in(self, data: Data, queries: Sequence[str], corpus: Any) -> Rankings:
        """The same of queries by id. Raises EvaluationError where the dataset has not what the system looks at."""
        try:
            folder = data.folder
        except EvaluationError as error:
            raise EvaluationError(f"{self.mteb_model_meta.name}: {error}") from None
        return self.rank([folder.queries[query] for query in queries], corpus, folder)

    def index(self, corpus: Any, **settings: Any) -> None:
        """mteb hands over the clips (`mteb.models.SearchProtocol`)."""
        self._corpus = corpus

    def search(self, queries: Any, *, task_metadata: Any, top_k: int, **settings: Any) -> dict[str, dict[str, float]]:
        """mteb asks for the `top_k` best clips of each query, as query id -> clip id -> score."""
        from eval_harness import registry

        found = self.rank_in(registry.data_of(task_metadata), queries["id"][:], self._corpus)
        del self._corpus
        return found.top(top_k)
