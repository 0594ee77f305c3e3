"""What `reasonaudio run` hands to mteb in a model's place: it searches alike, keeps every ranking, embeds nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from builders.errors import EvaluationError
from eval_harness.data import Data
from eval_harness.embedding import Embedder
from eval_harness.rankings import Rankings
from eval_harness.systems.base import ScoringSystem


class RecordedSearch:
    """mteb's `SearchProtocol` around a model.

    Args:
        model: an mteb encoder, a `ScoringSystem`, or any other `SearchProtocol`.
        meta: mteb's record that results are filed under.
        data: the dataset of the tasks.
        embedder: for an encoder.
        keep: is given the rankings of every task, all clips for every query, before mteb scores them.
    """

    def __init__(
        self, model: Any, meta: Any, data: Data, embedder: Embedder | None, keep: Callable[[Any, Rankings], None]
    ) -> None:
        self.mteb_model_meta = meta
        self._model = model
        self._data = data
        self._embedder = embedder
        self._keep = keep

    def index(self, corpus: Any, **of_task: Any) -> None:
        """mteb hands over the clips, or the texts in their place."""
        self._corpus = corpus

    def search(
        self, queries: Any, *, task_metadata: Any, hf_split: str, hf_subset: str, top_k: int, **settings: Any
    ) -> dict[str, dict[str, float]]:
        """Query id -> clip id -> score of the `top_k` best clips."""
        of_task = {"task_metadata": task_metadata, "hf_split": hf_split, "hf_subset": hf_subset}
        candidates = settings.get("top_ranked")
        if self._embedder is not None:
            found = self._by_similarity(self._embedder, queries, of_task)
        elif isinstance(self._model, ScoringSystem):
            found = self._model.rank_in(self._data, queries["id"][:], self._corpus)
        else:
            found = self._by_search(queries, of_task, settings)
        del self._corpus
        found = found if candidates is None else _only(found, candidates)
        found.require_finite()
        self._keep(task_metadata, found)
        return found.top(top_k)

    def _by_similarity(self, embedder: Embedder, queries: Any, of_task: dict[str, Any]) -> Rankings:
        import torch

        of_text = "text" in self._corpus.column_names
        task, ids = of_task["hf_subset"], queries["id"][:]
        if of_text:
            clips = embedder.texts(self._corpus, **of_task)
            keys = [f"text:{one}" for one in ids]  # the prompt is another, and so may the embedding be
        else:
            searched = self._corpus.with_format(None)["id"][:]
            clips = embedder.clips(self._corpus, [self._data.clip_key(task, one) for one in searched], **of_task)
            keys = [self._data.query_key(task, one) for one in ids]
        asked = embedder.queries(queries, keys, **of_task)
        scores = self._model.similarity(torch.from_numpy(asked), torch.from_numpy(clips))
        scores = scores.detach().cpu().float().numpy() if hasattr(scores, "detach") else scores
        return Rankings(tuple(queries["id"]), tuple(self._corpus.with_format(None)["id"]), np.asarray(scores, dtype=np.float32))

    def _by_search(self, queries: Any, of_task: dict[str, Any], settings: dict[str, Any]) -> Rankings:
        clips = self._corpus.with_format(None)["id"][:]
        self._model.index(self._corpus, **of_task, encode_kwargs=settings.get("encode_kwargs", {}), num_proc=None)
        found = self._model.search(queries, **of_task, top_k=len(clips), **settings)
        try:
            return Rankings.of(found, queries=queries["id"][:], clips=clips)
        except EvaluationError as error:
            raise EvaluationError(f"{self.mteb_model_meta.name}: what it ranks cannot be used: {error}") from None


def _only(rankings: Rankings, candidates: Mapping[str, Sequence[str]]) -> Rankings:
    """The same, in which for each query its candidates alone are ranked."""
    place = {clip: number for number, clip in enumerate(rankings.clips)}
    scores = np.full_like(rankings.scores, -np.inf)
    for row, query in enumerate(rankings.queries):
        columns = [place[clip] for clip in candidates[query]]
        scores[row, columns] = rankings.scores[row, columns]
    return replace(rankings, scores=scores)
