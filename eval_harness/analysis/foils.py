"""What a model is misled by: foil kinds against chance, what stands first where it is wrong, the queries most often missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder
from builders.recipe import TASK_NAMES
from builders.timeline import Timeline
from eval_harness.analysis.holm import holm
from eval_harness.analysis.intervals import LEVEL, RESAMPLES, Floats, Interval, SetSums, bootstrap, foil_sums, score_sums
from eval_harness.analysis.results import ModelResult
from eval_harness.rankings import Rankings
from eval_harness.scores import TaskScores, clip_ids

CHANCE = 0.5
ALPHA = 0.05
RELEVANT = "relevant"
OUTSIDE = "outside the set"
"""The kind of a top clip that is not relevant and of another set (or, in the scope "all", of another task)."""
NOTHING = "nothing"
"""Where no clip was ranked for a query."""
BETTER, WORSE, UNTOLD = "better than chance", "worse than chance", "not told from chance"


@dataclass(frozen=True, slots=True)
class FoilShare:
    """How often relevant clips rank before foils of one kind, against a coin.

    Attributes:
        task: "negation", ...
        form: one form's queries; None for all of the task.
        kind: of foil.
        pairs: (relevant, foil) pairs.
        right: those in which the relevant clip ranks first.
        sets: that have such foils.
        interval: of right / pairs, by sets.
        p: of a test that the share is a half: the signs of the sets' deviations are flipped at random, two-sided.
        p_holm: the same, corrected over all shares that were made with it.
    """

    task: str
    form: str | None
    kind: str
    pairs: int
    right: int
    sets: int
    interval: Interval
    p: float
    p_holm: float

    @property
    def share(self) -> float:
        return self.interval.value

    @property
    def verdict(self) -> str:
        """`BETTER`, `WORSE` or `UNTOLD`, by the corrected p value at 5 %."""
        if not self.p_holm < ALPHA:
            return UNTOLD
        return BETTER if self.share > CHANCE else WORSE

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`: the fields, with the interval as "share", and the verdict."""
        plain = asdict(self)
        del plain["interval"]
        return plain | {"share": self.interval.to_json(), "verdict": self.verdict}


def foil_shares(
    tasks: Iterable[TaskScores], by_form: bool = False, resamples: int = RESAMPLES, seed: int = 0, level: float = LEVEL
) -> tuple[FoilShare, ...]:
    """Every foil kind of every task (or of every form) against chance; Holm's correction runs over all of them."""
    found: list[FoilShare] = []
    for scores in tasks:
        whole = foil_sums(scores)
        for number, form in enumerate(sorted(set(whole.forms)) if by_form else (None,)):
            entropy = (seed, TASK_NAMES.index(scores.task), number)
            found += _shares(scores.task, form, whole.of_form(form) if form else whole, resamples, entropy, level)
    corrected = holm([one.p for one in found])
    return tuple(replace(one, p_holm=p) for one, p in zip(found, corrected, strict=True))


def _shares(task: str, form: str | None, sums: SetSums, resamples: int, entropy: Sequence[int], level: float) -> list[FoilShare]:
    limits = bootstrap(sums, resamples, entropy, level)
    p_values = sign_flips(sums.numerators - CHANCE * sums.denominators, resamples, entropy)
    return [
        FoilShare(
            task,
            form,
            kind,
            int(sums.denominators[:, column].sum()),
            int(sums.numerators[:, column].sum()),
            int((sums.denominators[:, column] > 0).sum()),
            limits[kind],
            float(p_values[column]),
            float("nan"),
        )
        for column, kind in enumerate(sums.names)
        if sums.denominators[:, column].any()
    ]


def sign_flips(deviations: Floats, resamples: int = RESAMPLES, seed: int | Sequence[int] = 0) -> Floats:
    """Two-sided p values of the sums of columns: shape [sets, columns] -> [columns].

    If nothing tells right from wrong, a set deviates to one side as often as to the other, so that flipping the signs of whole
    sets gives the sums that chance gives (Fisher's randomisation test; Smucker, Allan and Carterette 2007 compare it with others
    in retrieval). Drawn at random, with one added above and below the line (Phipson and Smyth 2010), so never 0.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    signs = rng.integers(2, size=(resamples, len(deviations)), dtype=np.int8) * 2.0 - 1.0
    observed = np.abs(deviations.sum(axis=0))
    margin = 1e-9 * np.maximum(1.0, np.abs(deviations).sum(axis=0))
    as_far = (np.abs(signs @ deviations) >= observed - margin).sum(axis=0)
    found: Floats = (as_far + 1) / (resamples + 1)
    return found


# --- what stands first ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model puts first for a query.

    Attributes:
        query: its id.
        clip: the id of the first clip; "" where nothing was ranked.
        kind: `RELEVANT`, a foil kind, `OUTSIDE` or `NOTHING`.
        rank: of the first relevant clip, from 1; 0 where none was ranked.
    """

    query: str
    clip: str
    kind: str
    rank: int

    @property
    def reciprocal_rank(self) -> float:
        return 1 / self.rank if self.rank else 0.0


def answers(rankings: Rankings, folder: DatasetFolder, task: str, scope: str = "task") -> dict[str, Answer]:
    """Query id -> what stands first, for all queries of a task, over the clips of the scope."""
    searched = set(clip_ids(folder, task, scope))
    # Ids descending, so that of equal scores the first found is the one that ranks first.
    columns = np.array(sorted(range(len(rankings.clips)), key=rankings.clips.__getitem__, reverse=True), dtype=np.intp)
    columns = columns[[rankings.clips[column] in searched for column in columns]]
    clips = [rankings.clips[column] for column in columns]
    place = {clip: number for number, clip in enumerate(clips)}
    row_of = {query: number for number, query in enumerate(rankings.queries)}
    relevant = folder.qrels(None if scope == "all" else task)
    found = {}
    for query in (query for query in folder.queries.values() if query.task == task):
        row = row_of.get(query.id)
        scores = rankings.scores[row, columns] if row is not None and len(columns) else np.zeros(0, np.float32)
        found[query.id] = _answer(query, scores, clips, [place[clip] for clip in relevant[query.id] if clip in place])
    return found


def _answer(query: Query, scores: NDArray[np.float32], clips: Sequence[str], good: Sequence[int]) -> Answer:
    if not len(scores) or np.isneginf(scores.max()):
        return Answer(query.id, "", NOTHING, 0)
    first = int(np.argmax(scores))
    best = min(good, key=lambda number: (-scores[number], number), default=-1)
    rank = 0
    if best >= 0 and np.isfinite(scores[best]):
        rank = 1 + int((scores > scores[best]).sum() + (scores[:best] == scores[best]).sum())
    kinds = {foil.clip: foil.kind for foil in query.foils}
    kind = RELEVANT if rank == 1 else kinds.get(clips[first], OUTSIDE)
    return Answer(query.id, clips[first], kind, rank)


@dataclass(frozen=True, slots=True)
class Confusion:
    """What stood first, counted.

    Attributes:
        task: "negation", ...
        form: one form's queries; None for all of the task.
        queries: how many.
        counts: kind -> queries whose first clip is of it: `RELEVANT`, the task's foil kinds, `OUTSIDE`, and `NOTHING` if any.
        at_random: kind -> its share among the clips of the sets: what a random pick inside the set would give.
    """

    task: str
    form: str | None
    queries: int
    counts: Mapping[str, int]
    at_random: Mapping[str, float]

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        return asdict(self)


def confusions(found: Mapping[str, Answer], folder: DatasetFolder) -> tuple[Confusion, ...]:
    """Of the queries answered: for each task the whole, then its forms."""
    queries = [folder.queries[query] for query in found]
    rows = []
    for task in (task for task in TASK_NAMES if any(query.task == task for query in queries)):
        of_task = [query for query in queries if query.task == task]
        kinds = {foil.kind for query in of_task for foil in query.foils}
        names = [RELEVANT, *sorted(kinds, key=lambda kind: (kind == "anchor-missing", kind)), OUTSIDE]
        for form in (None, *sorted({query.form for query in of_task})):
            rows.append(_confusion(task, form, [query for query in of_task if form in (None, query.form)], found, names))
    return tuple(rows)


def _confusion(
    task: str, form: str | None, queries: Sequence[Query], found: Mapping[str, Answer], names: Sequence[str]
) -> Confusion:
    counted = Counter(found[query.id].kind for query in queries)
    shares: Counter[str] = Counter()
    for query in queries:
        size = len(query.clips)
        shares[RELEVANT] += len(query.relevant) / size / len(queries)  # type: ignore[assignment]  # a Counter of floats
        for foil in query.foils:
            shares[foil.kind] += 1 / size / len(queries)  # type: ignore[assignment]
    shown = [*names, NOTHING] if counted[NOTHING] else names
    return Confusion(
        task, form, len(queries), {name: counted[name] for name in shown}, {name: float(shares[name]) for name in names}
    )


# --- one model --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FoilAnalysis:
    """All of it for one model.

    Attributes:
        model: its name.
        scope: "task" or "all".
        shares: every foil kind of every task against chance.
        by_form: the same for every form; corrected over all forms.
        twins: task, and form, -> share of sets for both of whose queries a relevant clip is first.
        confusions: what stood first, for every task and its forms.
    """

    model: str
    scope: str
    shares: tuple[FoilShare, ...]
    by_form: tuple[FoilShare, ...]
    twins: Mapping[str, Interval]
    confusions: tuple[Confusion, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        return {
            "model": self.model,
            "scope": self.scope,
            "shares": [one.to_json() for one in self.shares],
            "by_form": [one.to_json() for one in self.by_form],
            "twins": {name: one.to_json() for name, one in self.twins.items()},
            "confusions": [one.to_json() for one in self.confusions],
        }


def analyse_foils(model: ModelResult, resamples: int = RESAMPLES, seed: int = 0, level: float = LEVEL) -> FoilAnalysis:
    """The foil analysis of a model on all tasks that it was run on. Raises EvaluationError as `ModelResult.rankings`."""
    scores = model.all_scores()
    folder = model.data.folder
    first: dict[str, Answer] = {}
    twins: dict[str, Interval] = {}
    for task, one in scores.items():
        first |= answers(model.rankings(task), folder, task, model.scope)
        sums = score_sums(one)
        for number, form in enumerate((None, *sorted(set(sums.forms)))):
            part = sums.of_form(form) if form else sums
            entropy = (seed, TASK_NAMES.index(task), number)
            twins[form or task] = bootstrap(part.only("twins"), resamples, entropy, level)["twins"]
    return FoilAnalysis(
        model.name,
        model.scope,
        foil_shares(scores.values(), False, resamples, seed, level),
        foil_shares(scores.values(), True, resamples, seed, level),
        twins,
        confusions(first, folder),
    )


# --- the queries most often missed ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """A model's answer with what is heard in its clip.

    Attributes:
        model: its name.
        answer: what stands first.
        caption: the exact English account of that clip; "" where nothing was ranked.
        timeline: of that clip; None where nothing was ranked.
    """

    model: str
    answer: Answer
    caption: str
    timeline: Timeline | None


@dataclass(frozen=True, slots=True)
class MissedQuery:
    """A query with what models put first.

    Attributes:
        query: with its text, formula, relevant clips and foils.
        twin: the text of its twin.
        missed: models with no relevant clip first.
        models: how many were asked.
        mean_reciprocal_rank: over models, of the first relevant clip.
        answers: of every model, in the order given.
    """

    query: Query
    twin: str
    missed: int
    models: int
    mean_reciprocal_rank: float
    answers: tuple[ShownAnswer, ...]


def most_missed(
    models: Mapping[str, Mapping[str, Answer]], folder: DatasetFolder, number: int | None = None
) -> tuple[MissedQuery, ...]:
    """The queries that most models miss; of those the ones with the lowest mean reciprocal rank first.

    Args:
        models: name -> query id -> answer, as `answers` gives them. Queries that a model was not asked are left out.
        folder: the dataset.
        number: how many; all if not given.
    """
    asked = set.intersection(*(set(found) for found in models.values())) if models else set()
    found = []
    for query in (query for query in folder.queries.values() if query.id in asked):
        given = {name: theirs[query.id] for name, theirs in models.items()}
        missed = sum(one.kind != RELEVANT for one in given.values())
        mean = float(np.mean([one.reciprocal_rank for one in given.values()]))
        found.append((missed, mean, query, given))
    found.sort(key=lambda one: (-one[0], one[1], one[2].id))
    return tuple(
        MissedQuery(
            query,
            folder.queries[query.twin].text,
            missed,
            len(models),
            mean,
            tuple(_shown(name, one, folder) for name, one in given.items()),
        )
        for missed, mean, query, given in found[:number]
    )


def _shown(model: str, answer: Answer, folder: DatasetFolder) -> ShownAnswer:
    if not answer.clip:
        return ShownAnswer(model, answer, "", None)
    return ShownAnswer(model, answer, folder.caption(answer.clip), folder.clips[answer.clip].timeline)
