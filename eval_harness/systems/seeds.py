"""The scores of a seeded system of the scale over many seeds: their mean, and the interval that most of them lie in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from eval_harness.scores import QueryScores, TaskScores, clip_ids, collect, measure
from eval_harness.systems.base import Scores
from eval_harness.systems.scale import ScaleSystem, uniform

COVERED = 0.95
_TOP = 10
"""The deepest cut of the measures that look at the best clips only."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A score over seeds.

    Attributes:
        mean: over the seeds.
        low, high: between them lie 95 % of the seeds (the 2.5th and 97.5th percentile): what one run of the system may give.
        deviation: standard deviation over the seeds (n - 1); 0 with one seed.
        seeds: how many.
    """

    mean: float
    low: float
    high: float
    deviation: float
    seeds: int


def over_seeds(
    system: type[ScaleSystem],
    folder: DatasetFolder,
    task: str,
    scope: str = "task",
    seeds: int = 100,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Spread]:
    """The scores of a system of the scale with the seeds 0, 1, ..., as `scores.score_task` gives them for each.

    Args:
        system: `Random`, `BagOfSounds`, `RelationBlind`; `Oracle` gives the same for each seed.
        folder: the dataset.
        task: "negation", ...
        scope: "task" or "all".
        seeds: how many.
        progress: called with (seeds done, seeds).

    Returns:
        The names of `scores.HEADLINE`, and `foil:<kind>` for the share of pairs of each foil kind.

    Raises:
        EvaluationError: the dataset lacks the task, or there is no such scope, or `seeds` is below 1.
    """
    if seeds < 1:
        raise EvaluationError(f"seeds must be 1 or more, not {seeds}")
    queries = [query for query in folder.queries.values() if query.task == task]
    clips = clip_ids(folder, task, scope)
    if not queries:
        raise EvaluationError(f"{folder.path} has no queries of the task {task}")
    asked = _Asked(queries, clips, folder.qrels(None if scope == "all" else task))
    known = system().known(queries, clips, folder)
    ids = [query.id for query in queries]
    runs = []
    for seed in range(seeds):
        scores = known + np.float32(system.noise) * uniform(seed, ids, clips) if system.noise else known
        found = collect(task, scope, len(clips), queries, asked.measure(scores))
        runs.append(dict(found.scores) | _foils(found))
        if progress:
            progress(seed + 1, seeds)
    return {name: _spread([run[name] for run in runs]) for name in runs[0]}


def _foils(found: TaskScores) -> dict[str, float]:
    return {f"foil:{kind}": one.share for kind, one in found.foils.items()}


def _spread(values: Sequence[float]) -> Spread:
    tail = 100 * (1 - COVERED) / 2
    low, high = np.percentile(values, [tail, 100 - tail])
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return Spread(float(np.mean(values)), float(low), float(high), deviation, len(values))


class _Asked:
    """Queries and what is relevant to them, made ready to measure many rankings of the same clips.

    pytrec_eval is given only the clips that its measures look at, the ten best and the set's own; average precision, which looks
    at the whole ranking, is taken from the ranks of the relevant clips.
    """

    def __init__(self, queries: Sequence[Query], clips: Sequence[str], relevant: Mapping[str, frozenset[str]]) -> None:
        self._queries = queries
        self._clips = clips
        self._relevant = {query.id: relevant[query.id] for query in queries}
        place = {clip: number for number, clip in enumerate(clips)}
        self._by_id = np.empty(len(clips), np.int64)
        self._by_id[np.argsort(np.asarray(clips))] = np.arange(len(clips))
        self._good = [np.array(sorted(place[clip] for clip in relevant[query.id])) for query in queries]
        self._own = [np.array([place[clip] for clip in query.clips]) for query in queries]

    def measure(self, scores: Scores) -> list[QueryScores]:
        """As `scores.measure` of all pairs; `scores` has shape [queries, clips] and is finite."""
        run: dict[str, dict[str, float]] = {}
        precision = []
        limits = np.partition(scores, -min(_TOP, scores.shape[1]), axis=1)[:, -min(_TOP, scores.shape[1])]
        for query, row, limit, own, good in zip(self._queries, scores, limits, self._own, self._good, strict=True):
            kept = np.union1d(np.flatnonzero(row >= limit), own)  # with all that tie with the tenth
            run[query.id] = {self._clips[clip]: float(row[clip]) for clip in kept}
            precision.append(self._average_precision(row, good))
        found = measure(self._queries, run, self._relevant)
        return [
            replace(one, values={**one.values, "map": whole, "map_at_1000": cut})
            for one, (whole, cut) in zip(found, precision, strict=True)
        ]

    def _average_precision(self, row: NDArray[np.float32], good: NDArray[np.int64]) -> tuple[float, float]:
        """Over the whole ranking and over the 1,000 best: the mean of (relevant clips so far) / rank over the relevant clips."""
        ranks = np.sort([self._rank(row, clip) for clip in good])
        parts = np.arange(1, len(ranks) + 1) / ranks
        return float(parts.sum() / len(ranks)), float(parts[ranks <= 1000].sum() / len(ranks))

    def _rank(self, row: NDArray[np.float32], clip: int) -> int:
        before = int(np.count_nonzero(row > row[clip]))
        ties = np.flatnonzero(row == row[clip])
        return before + int(np.count_nonzero(self._by_id[ties] > self._by_id[clip])) + 1
