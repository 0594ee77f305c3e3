"""What a judge is, and how judgements become a search of mteb's: each pair judged once, kept in shards, ranked by log-odds."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from mteb.models.model_meta import ModelMeta
from numpy.typing import NDArray

from builders.cache import cache_folder
from builders.errors import EvaluationError
from eval_harness.embedding import SHARD_SECONDS
from eval_harness.embedding_cache import EmbeddingStore
from eval_harness.rankings import Rankings
from eval_harness.systems.base import system_meta

Pair: TypeAlias = tuple[str, str]
"""The texts of a query and of what may be relevant to it."""

_LEAST = 1e-15
"""Probabilities nearer to 0 or 1 than this are taken to be this near, so that their log-odds are finite."""


@runtime_checkable
class Judge(Protocol):
    """Says how probable it is that a text is relevant to a query.

    Attributes:
        name: of letters that a folder may have: results are filed under "judge/<name>".
        revision: changes whenever a judgement may, so it covers weights, settings and words.
    """

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...

    def judge(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """The probability that the answer is yes, for each pair of a batch: shape [pairs], in [0, 1]."""
        ...


class JudgeSearch:
    """mteb's `SearchProtocol` around a judge, for tasks over text. Clips that a task lists for a query are judged, else all.

    Judgements lie in a store of this judge, by the texts' content: the same pair is judged once, over tasks, scopes and runs.
    """

    def __init__(self, judge: Judge, store: Path | None = None) -> None:
        """
        Args:
            judge: for all pairs.
            store: folder of all judgements; None is the user's cache folder.
        """
        self._judge = judge
        self._store = EmbeddingStore(
            store or cache_folder("judgements"), {"model": f"judge/{judge.name}", "revision": judge.revision}
        )
        self.mteb_model_meta: ModelMeta = system_meta(
            f"judge/{judge.name}", judge.revision, modalities=["text"], framework=["PyTorch"]
        )
        self.report: Callable[[int, int], None] = lambda done, total: None
        """Is called with (pairs judged, pairs to be judged)."""

    def index(self, corpus: Any, **of_task: Any) -> None:
        """mteb hands over the texts."""
        if "text" not in corpus.column_names:
            raise EvaluationError(f"{self.mteb_model_meta.name} judges texts, and these are clips; give a task over text")
        self._texts = dict(zip(corpus["id"][:], corpus["text"][:], strict=True))

    def search(
        self,
        queries: Any,
        *,
        top_k: int,
        top_ranked: Mapping[str, Sequence[str]] | None = None,
        encode_kwargs: Mapping[str, Any] | None = None,
        **of_task: Any,
    ) -> dict[str, dict[str, float]]:
        """Query id -> clip id -> log-odds of the `top_k` most probable clips, of those in `top_ranked` where it is given."""
        asked = dict(zip(queries["id"][:], queries["text"][:], strict=True))
        chosen = [(query, clip) for query in asked for clip in (self._texts if top_ranked is None else top_ranked[query])]
        pairs = [(asked[query], self._texts[clip]) for query, clip in chosen]
        odds = _log_odds(self._probabilities(pairs, int((encode_kwargs or {}).get("batch_size", 32))))
        found: dict[str, dict[str, float]] = {query: {} for query in asked}
        for (query, clip), score in zip(chosen, odds.tolist(), strict=True):
            found[query][clip] = score
        return Rankings.of(found).top(top_k)

    def _probabilities(self, pairs: Sequence[Pair], batch_size: int) -> NDArray[np.float64]:
        """Of yes, for each pair: shape [pairs]. Those that are not in the store are judged, texts of like length together."""
        keys = [_key_of(pair) for pair in pairs]
        of_key = dict(zip(keys, pairs, strict=True))
        missing = sorted(self._store.missing(of_key), key=lambda key: (sum(map(len, of_key[key])), key))
        fresh: list[tuple[str, float]] = []
        started = time.monotonic()
        try:
            for start in range(0, len(missing), batch_size):
                batch = missing[start : start + batch_size]
                fresh += zip(batch, self._asked([of_key[key] for key in batch]), strict=True)
                if time.monotonic() - started > SHARD_SECONDS:
                    self._keep(fresh)
                    fresh, started = [], time.monotonic()
                self.report(start + len(batch), len(missing))
        finally:  # also when interrupted
            self._keep(fresh)
        found = self._store.get(keys)[:, 0]
        if len(set(pairs)) > 1 and (found == found[0]).all():
            raise EvaluationError(
                f"{self.mteb_model_meta.name}: all {len(found)} judgements are the same, {found[0]:g}, as if the model did not "
                "look at its input; every ranking would be by id alone"
            )
        return found

    def _asked(self, pairs: Sequence[Pair]) -> list[float]:
        found = np.asarray(self._judge.judge(pairs), dtype=np.float64)
        if found.shape != (len(pairs),):
            raise EvaluationError(
                f"{self.mteb_model_meta.name} gave judgements of shape {found.shape} for {len(pairs)} pairs; each needs one"
            )
        wrong = np.flatnonzero(~((found >= 0) & (found <= 1)))
        if len(wrong):
            raise EvaluationError(
                f"{self.mteb_model_meta.name}: {found[wrong[0]]} is no probability; {len(wrong)} of {len(pairs)} judgements are "
                "NaN or not in [0, 1]; float16 may be too narrow for the model (--dtype)"
            )
        return [float(one) for one in found]

    def _keep(self, fresh: Sequence[tuple[str, float]]) -> None:
        if fresh:
            self._store.add([key for key, _ in fresh], np.array([[one] for _, one in fresh], dtype=np.float64))


def _key_of(pair: Pair) -> str:
    return hashlib.sha256("\0".join(pair).encode()).hexdigest()[:32]


def _log_odds(probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """ln(p / (1 - p)): float32 holds it where p itself is too near to 1."""
    kept = np.clip(probabilities, _LEAST, 1 - _LEAST)
    return np.asarray(np.log(kept) - np.log1p(-kept), dtype=np.float64)
