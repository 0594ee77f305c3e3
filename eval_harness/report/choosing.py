"""Which queries and clips are shown as examples: by a rule, so that nobody has picked them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder
from builders.recipe import TASK_NAMES
from eval_harness.rankings import Rankings
from eval_harness.report.gather import Entry, Findings

RELEVANT, OUTSIDE = "relevant", "outside the set"
MOST_OUTSIDE = 2
RULE = (
    "The {number} queries that most models miss (no relevant clip first; of equals those with the lowest mean reciprocal rank, "
    "at most one of each set), and one query of each form drawn at random (seed {seed}). Of a set's twenty clips is shown, for "
    "each role, the one that the models rank highest on average; beside them the clips of other sets that most models put "
    "first, at most two."
)
"""What is told of the choice."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A query to show, and why it was chosen."""

    query: Query
    why: str


def choose_queries(findings: Findings, task: str, number: int, seed: int = 0) -> tuple[Chosen, ...]:
    """The queries of a task that `RULE` says. Systems of the scale have no say."""
    folder = findings.folder
    models = [one for one in findings.models(findings.main_scope) if task in one.tasks]
    found: list[Chosen] = []
    sets: set[str] = set()
    for query, missed in _most_missed(folder, models, task):
        if len(found) < number and query.set not in sets:
            found.append(Chosen(query, f"missed by {missed} of {len(models)} models" if len(models) > 1 else "missed"))
            sets.add(query.set)
    rng = np.random.default_rng(np.random.SeedSequence([seed, TASK_NAMES.index(task)]))
    there = {one.query.id for one in found}
    of_task = [query for query in folder.queries.values() if query.task == task]
    for form in sorted({query.form for query in of_task}):
        of_form = sorted((query for query in of_task if query.form == form), key=lambda query: query.id)
        drawn = of_form[int(rng.integers(len(of_form)))]
        if drawn.id not in there:
            found.append(Chosen(drawn, f"drawn at random of {form}"))
    return tuple(found)


def _most_missed(folder: DatasetFolder, models: Sequence[Entry], task: str) -> list[tuple[Query, int]]:
    """Queries and how many models miss them, the most often missed first; those that nobody misses are left out."""
    missed: Counter[str] = Counter()
    reciprocal: Counter[str] = Counter()
    for one in models:
        table = one.result.scores(task).per_query
        for query, hit, rank in zip(*(table[name].to_pylist() for name in ("query", "hit_rate_at_1", "rr_at_10")), strict=True):
            missed[query] += int(hit < 1)
            reciprocal[query] += rank
    ids = sorted(
        (query for query, count in missed.items() if count), key=lambda query: (-missed[query], reciprocal[query], query)
    )
    return [(folder.queries[query], missed[query]) for query in ids]


@dataclass(frozen=True, slots=True)
class Order:
    """How one model orders the clips for one query.

    Attributes:
        clips: ids, best first; those that were not ranked are left out.
        rank: clip -> its place, from 1.
    """

    clips: tuple[str, ...]
    rank: Mapping[str, int]

    def first_of(self, clips: Iterable[str]) -> int | None:
        """The best place of any of these clips; None where none was ranked."""
        return min((self.rank[clip] for clip in clips if clip in self.rank), default=None)


def order_of(rankings: Rankings, query: str, clips: Iterable[str]) -> Order:
    """The order of the clips for one query; empty where it has no ranking."""
    if query not in rankings.queries:
        return Order((), {})
    searched = set(clips)
    row = rankings.scores[rankings.queries.index(query)]
    ranked = [
        (float(score), clip) for score, clip in zip(row, rankings.clips, strict=True) if clip in searched and np.isfinite(score)
    ]
    ids = tuple(clip for _, clip in sorted(ranked, reverse=True))
    return Order(ids, {clip: place for place, clip in enumerate(ids, 1)})


def role(query: Query, clip: str, relevant: Iterable[str] = ()) -> str:
    """What a clip is to a query: `RELEVANT`, a foil kind or `OUTSIDE`. `relevant` are those of the whole corpus."""
    if clip in query.relevant or clip in relevant:
        return RELEVANT
    return next((foil.kind for foil in query.foils if foil.clip == clip), OUTSIDE)


def choose_clips(query: Query, orders: Sequence[Order], relevant: Iterable[str]) -> tuple[str, ...]:
    """The clips of a query that `RULE` says: relevant ones first, then foils by kind, then those of other sets."""
    groups: dict[str, list[str]] = {RELEVANT: list(query.relevant)}
    for foil in sorted(query.foils, key=lambda foil: (foil.kind == "anchor-missing", foil.kind)):
        groups.setdefault(foil.kind, []).append(foil.clip)
    shown = [min(clips, key=lambda clip: (_mean_rank(clip, orders), clip)) for clips in groups.values() if clips]
    others = put_first(orders, query.clips)[:MOST_OUTSIDE]
    wanted = set(relevant)
    return (*shown, *sorted(others, key=lambda clip: (clip not in wanted, clip)))


def put_first(orders: Iterable[Order], own: Collection[str]) -> list[str]:
    """The clips outside a set that stand first in any order, those first that do in most."""
    firsts = Counter(order.clips[0] for order in orders if order.clips and order.clips[0] not in own)
    return sorted(firsts, key=lambda clip: (-firsts[clip], clip))


def _mean_rank(clip: str, orders: Sequence[Order]) -> float:
    return float(np.mean([order.rank.get(clip, len(order.clips) + 1) for order in orders])) if orders else 0.0
