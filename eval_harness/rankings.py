"""How a system ranks clips for queries: a matrix of scores with its ids, and the files it is kept in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Rankings:
    """Scores of every clip for every query.

    A clip ranks before another with a lower score; of clips with equal scores that with the higher id ranks first, as in
    trec_eval and mteb.

    Attributes:
        queries: query ids.
        clips: clip ids.
        scores: shape [queries, clips], finite; -inf where a clip was not ranked for a query.
    """

    queries: tuple[str, ...]
    clips: tuple[str, ...]
    scores: NDArray[np.float32]

    def order(self) -> NDArray[np.intp]:
        """Indices into `clips`, best first, for every query: shape [queries, clips]."""
        by_id = np.argsort(np.asarray(self.clips))[::-1]
        best = np.argsort(-self.scores[:, by_id], axis=1, kind="stable")
        return np.asarray(by_id[best], dtype=np.intp)

    def top(self, number: int) -> dict[str, dict[str, float]]:
        """Query id -> clip id -> score of the `number` best clips, as mteb wants it."""
        found = {}
        for query, scores, order in zip(self.queries, self.scores, self.order()[:, :number], strict=True):
            found[query] = {self.clips[clip]: float(scores[clip]) for clip in order if np.isfinite(scores[clip])}
        return found
