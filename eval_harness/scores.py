"""The benchmark's scores of rankings: retrieval measures by pytrec_eval, and what a set of twin queries tells beyond them.

Rankings are what `eval_harness.rankings` says: by score (float32), ties by id descending. A clip that was not ranked is not
retrieved; a query that nothing was ranked for counts 0 everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.loading import LISTENED, SCOPES, SET
from eval_harness.rankings import Rankings

MAIN_SCORE = "hit_rate_at_1"
_MEASURES = {  # pytrec_eval's names
    "success_1": "hit_rate_at_1",
    "success_5": "hit_rate_at_5",
    "success_10": "hit_rate_at_10",
    "ndcg_cut_10": "ndcg_at_10",
    "map": "map",
    "map_cut_1000": "map_at_1000",
    "recip_rank": "mrr_at_10",
    "recall_1": "recall_at_1",
    "recall_5": "recall_at_5",
    "recall_10": "recall_at_10",
}
_ASKED = {"success.1,5,10", "ndcg_cut.10", "map", "map_cut.1000", "recip_rank", "recall.1,5,10"}
HEADLINE = (*_MEASURES.values(), "in_set", "twins")
"""Names of the scores that every task has, the main score first.

hit_rate_at_k: share of queries with a relevant clip among the k best. ndcg_at_10, recall_at_k: as in trec_eval. map: mean
average precision over the whole ranking; map_at_1000: the same over the 1,000 best, which is mteb's. mrr_at_10: 1 / rank of the
first relevant clip, 0 beyond rank 10. in_set: share of queries for which the best of the set's 20 clips is relevant. twins: share
of sets for both of whose queries a relevant clip is first.
"""
PER_QUERY = {
    "hit_rate_at_1": "hit_rate_at_1",
    "hit_rate_at_5": "hit_rate_at_5",
    "hit_rate_at_10": "hit_rate_at_10",
    "ndcg_at_10": "ndcg_at_10",
    "map": "ap",
    "map_at_1000": "ap_at_1000",
    "mrr_at_10": "rr_at_10",
    "recall_at_1": "recall_at_1",
    "recall_at_5": "recall_at_5",
    "recall_at_10": "recall_at_10",
    "in_set": "in_set",
}
"""Score -> the column of `TaskScores.per_query` that it is the mean of."""
_CHUNK = 1_000_000
"""(query, clip) pairs that are handed to pytrec_eval at a time, as dicts: about 100 MB."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class FoilScore:
    """How often a relevant clip ranks before a foil of one kind, within the set.

    Attributes:
        pairs: (relevant, foil) pairs of which at least one was ranked.
        right: those in which the relevant clip comes first.
    """

    pairs: int
    right: int

    @property
    def share(self) -> float:
        """0.5 is chance; below it, a system is misled. NaN without pairs."""
        return self.right / self.pairs if self.pairs else float("nan")


@dataclass(frozen=True, eq=False)
class TaskScores:
    """The scores of one task.

    Attributes:
        task: "negation", ...
        scope: "task", "all", "set" or "listened": which clips were searched.
        clips: how many; in the scope "set" those of the largest set, in the scope "listened" of the query with most.
        scores: `HEADLINE` name -> value in [0, 1].
        forms: form -> the same.
        foils: foil kind -> share of pairs the right way round.
        per_query: one row a query, by id: query, form, set, twin, the columns of `PER_QUERY`, and of every foil kind
            `<kind>_right` and `<kind>_pairs`.
    """

    task: str
    scope: str
    clips: int
    scores: Mapping[str, float]
    forms: Mapping[str, Mapping[str, float]]
    foils: Mapping[str, FoilScore]
    per_query: pa.Table = field(repr=False)

    @property
    def main_score(self) -> float:
        return self.scores[MAIN_SCORE]

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`, without the table of queries."""
        return {
            "task": self.task,
            "scope": self.scope,
            "queries": len(self.per_query),
            "clips": self.clips,
            "main_score": self.main_score,
            "scores": dict(self.scores),
            "forms": {form: dict(scores) for form, scores in self.forms.items()},
            "foils": {
                kind: {"share": one.share if one.pairs else None, "right": one.right, "pairs": one.pairs}
                for kind, one in self.foils.items()
            },
        }


def clip_ids(folder: DatasetFolder, task: str, scope: str = "task") -> list[str]:
    """The ids of the clips that a task's queries search, in the dataset's order.

    Raises:
        EvaluationError: no scope is called so.
        UnknownIdError: no task is called so.
    """
    if scope not in (*SCOPES, SET, LISTENED):
        raise EvaluationError(f"no scope {scope!r}; it is {' or '.join(SCOPES)}, or {SET} for text probes, {LISTENED} for people")
    tasks = TASK_NAMES if scope == "all" else (task,)
    return [clip for name in tasks for file in folder.audio_files(name) for clip in folder.ids_in(file)]


def score_task(
    rankings: Rankings, folder: DatasetFolder, task: str, scope: str = "task", progress: Progress | None = None
) -> TaskScores:
    """All scores of a task's queries.

    Args:
        rankings: of clips for queries. Queries of other tasks, and clips outside the scope, are left out; queries of the task
            that are not there count 0.
        folder: the dataset.
        task: "negation", "order", "overlap", "duration" or "mix".
        scope: "task": the queries search their task's clips; "all": all clips of the corpus; "set": those of their own set, so
            that no other clip is relevant, and `hit_rate_at_1` is `in_set`; "listened": only the queries that have a ranking are
            asked, and each searches the clips that are ranked for it, which are of its set.
        progress: called with (queries done, queries).

    Raises:
        EvaluationError: the rankings are of another dataset, task or scope, or hold NaN; or the dataset lacks the task.
        UnknownIdError: no task is called so.
    """
    clips = clip_ids(folder, task, scope)
    if (rankings.origin.scope == LISTENED) != (scope == LISTENED):
        raise EvaluationError(
            f"{rankings.origin.model or 'the rankings'}: what people answered is of the clips that they heard, scope "
            f"{LISTENED!r}, and of no other; scope {scope!r} was asked for"
        )
    queries = [query for query in folder.queries.values() if query.task == task]
    if not queries:
        raise EvaluationError(f"{folder.path} has no queries of the task {task}")
    rankings.require_finite()
    if scope == LISTENED:
        return _listened(rankings, task, queries, clips)
    others = set(clips).difference(clip_ids(folder, task))
    ranked = _in_scope(rankings, [query.id for query in queries], clips, others)
    own = {query.id: query.clips for query in queries} if scope == SET else {}
    relevant: Mapping[str, frozenset[str]]
    if scope == SET:
        relevant = {query.id: frozenset(query.relevant) for query in queries}
    else:
        relevant = folder.qrels(None if scope == "all" else task)
    found: list[QueryScores] = []
    step = max(1, _CHUNK // len(clips))
    for start in range(0, len(queries), step):
        chunk = queries[start : start + step]
        found += measure(chunk, {query.id: ranked.row(query.id, own.get(query.id)) for query in chunk}, relevant)
        if progress:
            progress(min(start + step, len(queries)), len(queries))
    return collect(task, scope, max(map(len, own.values()), default=len(clips)), queries, found)


def _listened(rankings: Rankings, task: str, queries: Sequence[Query], clips: Sequence[str]) -> TaskScores:
    """The scores of queries over the clips that are ranked for them, as far as those are of their sets."""
    ranked = _in_scope(rankings, [query.id for query in queries], clips, ())
    rows = {query.id: ranked.row(query.id, query.clips) for query in queries}
    asked = []
    for query in queries:
        there = rows[query.id]
        relevant = tuple(clip for clip in query.relevant if clip in there)
        foils = tuple(foil for foil in query.foils if foil.clip in there)
        if relevant and foils:
            asked.append(replace(query, relevant=relevant, foils=foils))
    if not asked:
        raise EvaluationError(f"{rankings.origin.model or 'the rankings'}: no query has both a relevant clip and another to rank")
    found = measure(asked, rows, {query.id: frozenset(query.relevant) for query in asked})
    most = max(len(query.clips) for query in asked)
    scores = collect(task, LISTENED, most, asked, found)
    return replace(scores, scores=_without_sets(scores.scores), forms={f: _without_sets(one) for f, one in scores.forms.items()})


def _without_sets(scores: Mapping[str, float]) -> dict[str, float]:
    """Without those that mean something for whole sets alone."""
    return {name: value for name, value in scores.items() if name not in ("in_set", "twins")}


def score_plain(
    rankings: Rankings,
    task: str,
    queries: Sequence[str],
    clips: Sequence[str],
    relevant: Mapping[str, Mapping[str, int]],
) -> TaskScores:
    """The scores that queries, clips and qrels alone give: `HEADLINE` without in_set and twins; no forms and no foils.

    Args:
        rankings: of clips for queries; others are left out, and queries that are not there count 0.
        task: "negation", ...
        queries: the ids of the task's queries.
        clips: the ids of the clips that they search.
        relevant: query id -> clip id -> gain, 1 or more.

    Raises:
        EvaluationError: the rankings are of something else, or hold NaN.
    """
    rankings.require_finite()
    ranked = _in_scope(rankings, queries, clips, ())
    measured = _measured({query: ranked.row(query) for query in queries}, relevant)
    columns: dict[str, list[Any]] = {"query": list(queries)}
    for name in _MEASURES.values():
        columns[PER_QUERY[name]] = [measured[query][name] for query in queries]
    scores = {name: float(np.mean(columns[PER_QUERY[name]])) for name in _MEASURES.values()}
    return TaskScores(task, "task", len(clips), scores, {}, {}, pa.table(columns))


def mean_scores(tasks: Iterable[TaskScores]) -> dict[str, float]:
    """`HEADLINE` name -> mean over tasks, each weighing the same, of the scores that all of them have."""
    found = list(tasks)
    return {
        name: float(np.mean([one.scores[name] for one in found])) for name in HEADLINE if all(name in one.scores for one in found)
    }


# --- the parts --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _InScope:
    """Rankings with the columns of the scope, and the row of every query that has one."""

    clips: list[str]
    columns: NDArray[np.intp]
    scores: NDArray[np.float32]
    row_of: Mapping[str, int]

    def row(self, query: str, among: Collection[str] | None = None) -> dict[str, float]:
        """Clip -> score of the ranked clips, all or those `among` some; empty for a query without a ranking."""
        number = self.row_of.get(query)
        if number is None:
            return {}
        row = self.scores[number, self.columns]
        ranked = np.isfinite(row)
        if ranked.all():
            found = dict(zip(self.clips, row.tolist(), strict=True))
        else:
            kept = np.flatnonzero(ranked)
            found = dict(zip((self.clips[clip] for clip in kept), row[kept].tolist(), strict=True))
        return found if among is None else {clip: found[clip] for clip in among if clip in found}


def _in_scope(rankings: Rankings, queries: Sequence[str], clips: Sequence[str], others: Collection[str]) -> _InScope:
    """`others` are the clips of other tasks, at least one of which must be ranked: else they were not searched."""
    place = {clip: number for number, clip in enumerate(rankings.clips)}
    kept = [clip for clip in clips if clip in place]
    row_of = {query: number for number, query in enumerate(rankings.queries)}
    rows = [row_of[query] for query in queries if query in row_of]
    who = rankings.origin.model or "the rankings"
    if not kept or not rows:
        what = "queries" if kept else "clips"
        raise EvaluationError(f"{who}: none of the task's {what} are in them; are they of another dataset, or of another task?")
    if others:
        of_others = [place[clip] for clip in kept if clip in others]
        if not np.isfinite(rankings.scores[np.ix_(rows, of_others)]).any():
            raise EvaluationError(f"{who}: only the task's own clips are ranked in them; score them with the scope 'task'")
    return _InScope(kept, np.array([place[clip] for clip in kept], dtype=np.intp), rankings.scores, row_of)


@dataclass(frozen=True, slots=True)
class QueryScores:
    """One query's values of the names in `PER_QUERY`, and its foils by kind."""

    values: Mapping[str, float]
    foils: Mapping[str, FoilScore]


def measure(
    queries: Sequence[Query], run: Mapping[str, Mapping[str, float]], relevant: Mapping[str, frozenset[str]]
) -> list[QueryScores]:
    """The scores of each query.

    Args:
        queries: what was asked.
        run: query id -> clip id -> score of the clips that were ranked.
        relevant: query id -> ids of the relevant clips.
    """
    asked = {query.id: run.get(query.id, {}) for query in queries}
    measured = _measured(asked, {query: dict.fromkeys(relevant[query], 1) for query in asked if asked[query]})
    found = []
    for query in queries:
        in_set, foils = _within_set(query, asked[query.id])
        found.append(QueryScores(measured[query.id] | {"in_set": in_set}, foils))
    return found


def _measured(run: Mapping[str, Mapping[str, float]], gains: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, float]]:
    """Query id -> the scores in `_MEASURES` of its ranking in `run`; 0 where nothing was ranked. `gains` as trec_eval's qrels."""
    import pytrec_eval

    retrieved = {query: dict(row) for query, row in run.items() if row}
    theirs = pytrec_eval.RelevanceEvaluator({query: dict(gains[query]) for query in retrieved}, _ASKED).evaluate(retrieved)
    found = {}
    for query in run:
        values = {name: float(theirs.get(query, {}).get(measure, 0.0)) for measure, name in _MEASURES.items()}
        values["mrr_at_10"] *= values["hit_rate_at_10"]  # recip_rank has no cut
        found[query] = values
    return found


def _within_set(query: Query, row: Mapping[str, float]) -> tuple[float, dict[str, FoilScore]]:
    """Whether the best of the set's clips is relevant; foil kind -> how many pairs are the right way round."""
    keys = {clip: (row.get(clip, -np.inf), clip) for clip in query.clips}
    best = max(keys.values(), default=(-np.inf, ""))
    pairs: dict[str, int] = {}
    right: dict[str, int] = {}
    for foil in query.foils:
        pairs.setdefault(foil.kind, 0)
        for clip in query.relevant:
            if clip in row or foil.clip in row:
                pairs[foil.kind] += 1
                right[foil.kind] = right.get(foil.kind, 0) + (keys[clip] > keys[foil.clip])
    in_set = float(np.isfinite(best[0]) and best[1] in query.relevant)
    return in_set, {kind: FoilScore(count, right.get(kind, 0)) for kind, count in pairs.items()}


def collect(task: str, scope: str, clips: int, queries: Sequence[Query], found: Sequence[QueryScores]) -> TaskScores:
    """The scores of a task from those of its queries, which are in the same order."""
    columns: dict[str, list[Any]] = {
        "query": [query.id for query in queries],
        "form": [query.form for query in queries],
        "set": [query.set for query in queries],
        "twin": [query.twin for query in queries],
    }
    for name, column in PER_QUERY.items():
        columns[column] = [one.values[name] for one in found]
    kinds = sorted({kind for one in found for kind in one.foils}, key=lambda kind: (kind == "anchor-missing", kind))
    none = FoilScore(0, 0)
    foils = {}
    for kind in kinds:
        counted = [one.foils.get(kind, none) for one in found]
        columns[f"{kind}_right"] = [one.right for one in counted]
        columns[f"{kind}_pairs"] = [one.pairs for one in counted]
        foils[kind] = FoilScore(sum(one.pairs for one in counted), sum(one.right for one in counted))
    forms = {
        form: _means(columns, [number for number, own in enumerate(columns["form"]) if own == form])
        for form in sorted(set(columns["form"]))
    }
    return TaskScores(task, scope, clips, _means(columns, range(len(queries))), forms, foils, pa.table(columns))


def _means(columns: Mapping[str, Sequence[Any]], rows: Sequence[int]) -> dict[str, float]:
    found = {name: float(np.mean([columns[column][row] for row in rows])) for name, column in PER_QUERY.items()}
    both: dict[str, float] = {}
    for row in rows:
        both[columns["set"][row]] = min(both.get(columns["set"][row], 1.0), columns[PER_QUERY[MAIN_SCORE]][row])
    return found | {"twins": float(np.mean(list(both.values())))}
