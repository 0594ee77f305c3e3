"""All that a report says of the models, as values: scores with intervals, foils, what stood first, chance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from builders.dataset_folder import DatasetFolder
from eval_harness.analysis.comparisons import PairedComparison, TaskComparison, compare_models, compare_tasks
from eval_harness.analysis.foils import FoilAnalysis, analyse_foils
from eval_harness.analysis.intervals import Interval, TaskIntervals, mean_intervals, task_intervals
from eval_harness.analysis.results import ModelResult, Results
from eval_harness.loading import SCOPES, SET
from eval_harness.report.sharing import opened, shared_out
from eval_harness.scores import MAIN_SCORE, TaskScores, clip_ids

Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Entry:
    """What is known of one model in one scope.

    Attributes:
        result: its rankings and scores.
        name: as the report calls it: with its revision where another of that name is in the report.
        tasks: task -> intervals of all scores.
        mean: name of a score -> interval of the mean over the five tasks; None where not all were run.
        foils: what misleads it; None outside the main scope.
    """

    result: ModelResult
    name: str
    tasks: Mapping[str, TaskIntervals]
    mean: Mapping[str, Interval] | None
    foils: FoilAnalysis | None = None

    @property
    def is_scale(self) -> bool:
        return self.result.is_scale

    def score(self, task: str, name: str = MAIN_SCORE) -> Interval | None:
        """The interval of a score; None where the task was not run."""
        return self.tasks[task].scores[name] if task in self.tasks else None


@dataclass(frozen=True, slots=True)
class Chance:
    """What a random order gives, computed from the qrels.

    Attributes:
        hit: share of queries with a relevant clip first.
        in_set: the same among the clips of the set alone.
        twins: share of sets for both of whose queries a relevant clip is first.
    """

    hit: float
    in_set: float
    twins: float


@dataclass(frozen=True, eq=False)
class Findings:
    """All of it.

    Attributes:
        results: what was read.
        scopes: "task", "all" as far as models were run in them -> models, best mean first, then the scale.
        chance: scope -> task -> chance.
        pairs: every two models of the main scope compared (with the scale where there is but one model).
        task_pairs: every model of it on two tasks.
        probes: models in the probes in text, one for each scope and style.
    """

    results: Results
    scopes: Mapping[str, tuple[Entry, ...]]
    chance: Mapping[str, Mapping[str, Chance]]
    pairs: tuple[PairedComparison, ...] = ()
    task_pairs: tuple[TaskComparison, ...] = ()
    probes: tuple[Entry, ...] = ()

    @property
    def folder(self) -> DatasetFolder:
        return self.results.data.folder

    @property
    def main_scope(self) -> str:
        """The one whose findings are told in full: "task" where it is there."""
        return next(iter(self.scopes))

    @property
    def tasks(self) -> tuple[str, ...]:
        return self.results.tasks

    def models(self, scope: str) -> tuple[Entry, ...]:
        """Those that are no systems of the scale."""
        return tuple(one for one in self.scopes[scope] if not one.is_scale)

    def scale(self, scope: str) -> tuple[Entry, ...]:
        return tuple(one for one in self.scopes[scope] if one.is_scale)


def gather(results: Results, resamples: int, num_proc: int = 1, progress: Progress = lambda done, total: None) -> Findings:
    """Scores, intervals, foils and tests of all models.

    Args:
        results: a folder of results.
        resamples: of the bootstrap.
        num_proc: processes that models are shared out to.
        progress: called with (models done, models), each in each scope; the comparison of all counts as one more.

    Raises:
        EvaluationError: a file of rankings is damaged, or a worker process died.
    """
    runs = (*results.models, *results.probes)
    names = _names(runs)
    scopes = tuple(scope for scope in SCOPES if results.of_scope(scope))
    main, total = scopes[0], len(runs) + 1
    entries: list[Entry] = []
    place = (results.path, results.data.folder.path)
    jobs = [(*place, number, resamples, not one.style and one.scope == main) for number, one in enumerate(runs)]
    for one, measured in zip(runs, shared_out(_measure, jobs, num_proc, "models were scored"), strict=True):
        scored = replace(one, _scores=dict(measured.scores))
        entries.append(Entry(scored, names[one.name, one.revision], measured.tasks, measured.mean, measured.foils))
        progress(len(entries), total)
    models, probes = entries[: len(results.models)], entries[len(results.models) :]
    found = {scope: tuple(sorted((one for one in models if one.result.scope == scope), key=_order)) for scope in scopes}
    folder = results.data.folder
    chance = {scope: {task: chance_of(folder, task, scope) for task in results.tasks} for scope in scopes}
    pairs, task_pairs = _compared(found[main], resamples)
    progress(total, total)
    return Findings(results, found, chance, pairs, task_pairs, tuple(probes))


@dataclass(frozen=True, eq=False)
class _Measured:
    """What is known of one model by itself."""

    scores: Mapping[str, TaskScores]
    tasks: Mapping[str, TaskIntervals]
    mean: Mapping[str, Interval] | None
    foils: FoilAnalysis | None


_Job = tuple[Path, Path, int, int, bool]
"""The folder of results, the dataset, the number of the model or probe, resamples, and whether its foils are looked at."""


def _measure(job: _Job) -> _Measured:
    out, data, number, resamples, with_foils = job
    results = opened(out, data)
    one = (*results.models, *results.probes)[number]
    scores = one.all_scores()
    return _Measured(
        scores,
        {task: task_intervals(own, resamples) for task, own in scores.items()},
        mean_intervals(scores.values(), resamples) if one.complete else None,
        analyse_foils(one, resamples) if with_foils else None,
    )


def _compared(entries: Sequence[Entry], resamples: int) -> tuple[tuple[PairedComparison, ...], tuple[TaskComparison, ...]]:
    """Every two models; where there is but one, it is compared with the scale."""
    models = [one for one in entries if not one.is_scale]
    compared = models if len(models) > 1 else [one for one in entries if not one.result.model.endswith("/oracle")]
    scale = {one.name for one in compared if one.is_scale}
    pairs = compare_models({one.name: one.result.all_scores() for one in compared}, resamples=resamples, scale=scale)
    return pairs, tuple(pair for one in models for pair in compare_tasks(one.name, one.result.all_scores()))


def chance_of(folder: DatasetFolder, task: str, scope: str) -> Chance:
    """What a random order of the clips gives: for a query, relevant clips over clips."""
    queries = [query for query in folder.queries.values() if query.task == task]
    in_set = {query.id: len(query.relevant) / (len(query.relevant) + len(query.foils)) for query in queries}
    if scope == SET:
        first = in_set
    else:
        relevant = folder.qrels(None if scope == "all" else task)
        clips = len(clip_ids(folder, task, scope))
        first = {query.id: len(relevant[query.id]) / clips for query in queries}
    both = [first[query.id] * first[query.twin] for query in queries if query.twin in first]
    return Chance(float(np.mean(list(first.values()))), float(np.mean(list(in_set.values()))), float(np.mean(both)))


def _names(models: Iterable[ModelResult]) -> Mapping[tuple[str, str], str]:
    """(name, revision) -> what the report calls it. Systems of the scale go by their last name."""
    pairs = dict.fromkeys((one.name, one.revision) for one in models)
    several = {name for name, _ in pairs if sum(name == other for other, _ in pairs) > 1}
    return {(name, revision): f"{name} @ {revision[:8]}" if name in several else name for name, revision in pairs}


def called(results: Results) -> dict[str, ModelResult]:
    """The models of the main scope, the scale last, by what a report calls them; without scores."""
    scope = next((scope for scope in SCOPES if results.of_scope(scope)), SCOPES[0])
    models = results.of_scope(scope)
    names = _names(models)
    return {names[one.name, one.revision]: one for one in sorted(models, key=lambda one: one.is_scale)}


def _order(entry: Entry) -> tuple[bool, int, bool, float, str]:
    """Models before the scale; those run on all tasks first, the best of them first. The scale from nothing to everything."""
    from eval_harness.systems.scale import SCALE  # loads mteb

    if entry.mean is not None:
        score = entry.mean[MAIN_SCORE].value
    else:
        score = float(np.mean([one.scores[MAIN_SCORE].value for one in entry.tasks.values()]))
    place = [system.name for system in SCALE].index(entry.result.model) if entry.is_scale else 0
    return entry.is_scale, place, entry.mean is None, -score, entry.name
