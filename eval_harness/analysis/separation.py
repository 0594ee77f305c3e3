"""How far the relevant clips of a query stand from its foils, on the scale of the model's own similarities."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.tasks.forms import ANCHOR_MISSING
from eval_harness.analysis.by_set import grouped, totals_interval
from eval_harness.analysis.embeddings_of import Embeddings
from eval_harness.analysis.intervals import RESAMPLES, Floats, Interval
from eval_harness.rankings import Rankings

OUTSIDE = "outside-set"
"""The kind of all clips of the task's other sets that are not relevant: what matching alone has to tell apart."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
BINS = 60


@dataclass(frozen=True, eq=False)
class Distribution:
    """How some similarities are spread.

    Attributes:
        count: of (query, clip) pairs.
        mean: their mean similarity.
        sd: their standard deviation.
        quantiles: at `QUANTILES`.
        histogram: counts in the bins of the task's `Separation.edges`.
    """

    count: int
    mean: float
    sd: float
    quantiles: tuple[float, ...]
    histogram: tuple[int, ...]

    @classmethod
    def of(cls, values: Floats, edges: Floats) -> Distribution:
        """That of `values`, shape [n], n at least 1."""
        counts, _ = np.histogram(values, edges)
        quantiles = tuple(float(value) for value in np.quantile(values, QUANTILES))
        return cls(len(values), float(values.mean()), float(values.std()), quantiles, tuple(int(count) for count in counts))

    def to_json(self) -> dict[str, Any]:
        quantiles = {f"{share:g}": value for share, value in zip(QUANTILES, self.quantiles, strict=True)}
        return {
            "count": self.count,
            "mean": self.mean,
            "sd": self.sd,
            "quantiles": quantiles,
            "histogram": list(self.histogram),
        }


@dataclass(frozen=True, eq=False)
class FoilSeparation:
    """One foil kind against the relevant clips of the queries that have such foils.

    Attributes:
        kind: "reversed", ..., or `OUTSIDE`.
        similarity: of query and foil.
        d_prime: of the similarities as they are (`d_prime`); above 0, relevant clips are nearer.
        d_prime_within: the same after each query's similarities have been brought to mean 0 and deviation 1 over its set's clips,
            so that queries that are near to everything do not blur it.
    """

    kind: str
    similarity: Distribution
    d_prime: Interval
    d_prime_within: Interval

    def to_json(self) -> dict[str, Any]:
        return {
            "similarity": self.similarity.to_json(),
            "d_prime": self.d_prime.to_json(),
            "d_prime_within": self.d_prime_within.to_json(),
        }


@dataclass(frozen=True, eq=False)
class Separation:
    """The similarities of one task.

    Attributes:
        task: "order".
        edges: of the bins of all its histograms, `BINS` + 1.
        relevant: similarity of queries and the relevant clips of their sets.
        kinds: each foil kind, `OUTSIDE` last.
    """

    task: str
    edges: tuple[float, ...]
    relevant: Distribution
    kinds: tuple[FoilSeparation, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "edges": list(self.edges),
            "relevant": self.relevant.to_json(),
            "kinds": {one.kind: one.to_json() for one in self.kinds},
        }


def d_prime(totals: Floats) -> Floats:
    """The distance of two distributions in standard deviations, (m1 - m2) / sqrt((s1² + s2²) / 2).

    d_a of signal detection theory for unequal variances (Simpson and Fitter 1973; Macmillan and Creelman, "Detection Theory",
    2005), of observations instead of hit rates; it is d' where the variances are equal. s² is the variance over n.

    Args:
        totals: shape [..., 6]: count, sum and sum of squares of the first, then of the second.

    Returns:
        shape [...]; NaN without either, or without any variance.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = totals[..., 1] / totals[..., 0], totals[..., 4] / totals[..., 3]
        variance = totals[..., 2] / totals[..., 0] - first**2 + totals[..., 5] / totals[..., 3] - second**2
        return np.asarray(np.where(variance > 1e-15, (first - second) / np.sqrt(variance / 2), np.nan))


def cosines(embeddings: Embeddings, folder: DatasetFolder, task: str) -> Rankings:
    """The cosine of every query of a task with every clip of it."""
    queries = tuple(query.id for query in folder.queries.values() if query.task == task)
    clips = tuple(clip.id for clip in folder.clips.values() if clip.task == task)
    asked = embeddings.unit_queries[[embeddings.query_row[query] for query in queries]]
    held = embeddings.unit_clips[[embeddings.clip_row[clip] for clip in clips]]
    return Rankings(queries, clips, asked @ held.T)


def separation(rankings: Rankings, folder: DatasetFolder, task: str, draws: int = RESAMPLES, seed: int = 0) -> Separation:
    """How similar a task's queries are to relevant clips and to each kind of foil.

    Args:
        rankings: similarities, such as `cosines`, or those that a run kept; of all of the task's queries and clips.
        folder: the dataset.
        task: "order".
        draws: resamples of the intervals.
        seed: of these.

    Raises:
        EvaluationError: the rankings lack a query or a clip of the task.
    """
    queries = [query for query in folder.queries.values() if query.task == task]
    clips = [clip.id for clip in folder.clips.values() if clip.task == task]
    scores = _scores(rankings, [query.id for query in queries], clips)
    place = {clip: number for number, clip in enumerate(clips)}
    qrels = folder.qrels(task)
    of_kind: dict[str, list[Floats]] = defaultdict(list)
    sets: dict[str, list[str]] = defaultdict(list)
    totals: dict[str, dict[str, list[Floats]]] = {"as they are": defaultdict(list), "within": defaultdict(list)}
    centre = float(scores.mean())
    for query, row in zip(queries, scores, strict=True):
        relevant = row[[place[clip] for clip in query.relevant]]
        foils = _foils(query, row, place, qrels[query.id])
        of_set = np.concatenate([relevant, *(values for kind, values in foils.items() if kind != OUTSIDE)])
        mean, sd = of_set.mean(), of_set.std()
        of_kind[""].append(relevant)
        for kind, values in foils.items():
            of_kind[kind].append(values)
            sets[kind].append(query.set)
            for what, shift, scale in (("as they are", centre, 1.0), ("within", mean, sd or 1.0)):
                both = [part for side in (relevant, values) for part in _moments((side - shift) / scale)]
                totals[what][kind].append(np.array(both))
    pooled = {kind: np.concatenate(values) for kind, values in of_kind.items()}
    edges = _edges(pooled.values())
    found = []
    for kind in sorted(sets, key=lambda kind: (kind == OUTSIDE, kind == ANCHOR_MISSING, kind)):
        plain, within = (
            totals_interval(grouped(sets[kind], np.stack(totals[what][kind])), d_prime, draws, seed) for what in totals
        )
        found.append(FoilSeparation(kind, Distribution.of(pooled[kind], edges), plain, within))
    return Separation(task, tuple(float(edge) for edge in edges), Distribution.of(pooled[""], edges), tuple(found))


def _scores(rankings: Rankings, queries: Sequence[str], clips: Sequence[str]) -> Floats:
    rows = {query: number for number, query in enumerate(rankings.queries)}
    columns = {clip: number for number, clip in enumerate(rankings.clips)}
    missing = [one for one in queries if one not in rows] + [one for one in clips if one not in columns]
    if missing:
        who = rankings.origin.model or "the similarities"
        raise EvaluationError(f"{who}: {missing[0]} and {len(missing) - 1} more of the task's queries and clips are not in them")
    found = rankings.scores[np.ix_([rows[query] for query in queries], [columns[clip] for clip in clips])].astype(np.float64)
    if not np.isfinite(found).all():
        raise EvaluationError(f"{rankings.origin.model or 'the similarities'}: not every clip has a score for every query")
    return found


def _foils(query: Query, row: Floats, place: Mapping[str, int], relevant: frozenset[str]) -> dict[str, Floats]:
    """Foil kind -> similarities."""
    clips: dict[str, list[int]] = defaultdict(list)
    for foil in query.foils:
        clips[foil.kind].append(place[foil.clip])
    outside = np.ones(len(row), dtype=bool)
    outside[[place[clip] for clip in (*query.relevant, *(foil.clip for foil in query.foils))]] = False
    outside[[place[clip] for clip in relevant if clip in place]] = False
    found = {kind: row[numbers] for kind, numbers in clips.items()}
    return found | ({OUTSIDE: row[outside]} if outside.any() else {})


def _moments(values: Floats) -> tuple[float, float, float]:
    return float(len(values)), float(values.sum()), float((values**2).sum())


def _edges(groups: Iterable[Floats]) -> Floats:
    every = list(groups)
    low, high = min(float(values.min()) for values in every), max(float(values.max()) for values in every)
    room = max((high - low) * 1e-6, 1e-9)  # so that the greatest lies inside the last bin
    return np.linspace(low - room, high + room, BINS + 1)
