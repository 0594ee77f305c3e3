"""People beside models, as a section of a report: on the queries that people were asked, with the clips that they heard."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from builders.files import read_object
from builders.recipe import TASK_NAMES
from eval_harness.analysis.intervals import RESAMPLES, Interval, bootstrap, bootstrap_mean, foil_sums, score_sums
from eval_harness.analysis.results import ModelResult
from eval_harness.loading import LISTENED
from eval_harness.rankings import Rankings
from eval_harness.report.content import Part, Section
from eval_harness.report.gather import Findings
from eval_harness.report.values import Cell, Column, Rows, Table, percent, share
from eval_harness.scores import MAIN_SCORE, TaskScores, score_task

_NAME = "people"
_SCALE = "The scale, on the same"


@dataclass(frozen=True, eq=False)
class OnHeard:
    """What people, a model or a system of the scale get on what people heard.

    Attributes:
        name: as the report calls it.
        is_scale: as `ModelResult`.
        tasks: task -> interval of the accuracy: whether the best of the clips heard for a query is relevant.
        mean: over the tasks that people were asked, each weighing the same; None where it was not run on all of them.
        foils: task -> foil kind -> interval of the share of pairs the right way round.
    """

    name: str
    is_scale: bool
    tasks: Mapping[str, Interval]
    mean: Interval | None
    foils: Mapping[str, Mapping[str, Interval]]

    def to_json(self) -> dict[str, object]:
        """Plain values for `json.dumps`."""
        return {
            "name": self.name,
            "scale": self.is_scale,
            "tasks": {task: one.to_json() for task, one in self.tasks.items()},
            "mean": self.mean.to_json() if self.mean else None,
            "foils": {task: {kind: one.to_json() for kind, one in kinds.items()} for task, kinds in self.foils.items()},
        }


@dataclass(frozen=True, eq=False)
class Heard:
    """People's answers of one revision, and everybody on what these people heard.

    Attributes:
        revision: of the answers.
        listeners: how many; None where the scores that say so are gone.
        modes: in which they answered.
        queries: task -> how many they were asked.
        clips: (least, most) clips heard for a query.
        chance: task -> what a random order gives.
        people: what they got.
        others: models and the scale, in the report's order.
    """

    revision: str
    listeners: int | None
    modes: tuple[str, ...]
    queries: Mapping[str, int]
    clips: tuple[int, int]
    chance: Mapping[str, float]
    people: OnHeard
    others: tuple[OnHeard, ...]

    def to_json(self) -> dict[str, object]:
        """Plain values for `json.dumps`."""
        return {
            "revision": self.revision,
            "listeners": self.listeners,
            "modes": list(self.modes),
            "queries": dict(self.queries),
            "clips": list(self.clips),
            "chance": dict(self.chance),
            "people": self.people.to_json(),
            "others": [one.to_json() for one in self.others],
        }


def gather_people(findings: Findings, resamples: int = RESAMPLES) -> tuple[Heard, ...]:
    """All people in a folder of results, with its models and scale on what they heard.

    Raises:
        EvaluationError: a file of rankings is damaged.
    """
    return tuple(_heard(findings, one, resamples) for one in findings.results.people)


def _heard(findings: Findings, people: ModelResult, resamples: int) -> Heard:
    folder = findings.folder
    scores = people.all_scores()
    counts, chance = [], {}
    for task in scores:
        rankings = people.rankings(task)
        shares = []
        for query, row in zip(rankings.queries, np.isfinite(rankings.scores), strict=True):
            own = {clip for clip, heard in zip(rankings.clips, row, strict=True) if heard}
            counts.append(len(own))
            shares.append(len(own & set(folder.queries[query].relevant)) / len(own))
        chance[task] = float(np.mean(shares))
    others = []
    for entry in findings.scopes[findings.main_scope]:
        own_scores = {
            task: score_task(on_heard(entry.result.rankings(task), people.rankings(task)), folder, task, LISTENED)
            for task in scores
            if task in entry.tasks
        }
        others.append(_on_heard(entry.name, entry.is_scale, own_scores, len(scores), resamples))
    listeners, modes = _told(people)
    return Heard(
        people.revision,
        listeners,
        modes,
        {task: len(one.per_query) for task, one in scores.items()},
        (min(counts), max(counts)),
        chance,
        _on_heard(_NAME, False, scores, len(scores), resamples),
        tuple(others),
    )


def on_heard(rankings: Rankings, people: Rankings) -> Rankings:
    """A model's rankings of what people heard. A clip that it did not rank stands last."""
    least = np.finfo(np.float32).min
    scores = np.full(people.scores.shape, least, np.float32)
    rows = {query: number for number, query in enumerate(rankings.queries)}
    columns = {clip: number for number, clip in enumerate(rankings.clips)}
    there = [number for number, clip in enumerate(people.clips) if clip in columns]
    taken = [columns[people.clips[number]] for number in there]
    for number, query in enumerate(people.queries):
        if query in rows:
            scores[number, there] = np.maximum(rankings.scores[rows[query], taken], least)
    scores[~np.isfinite(people.scores)] = -np.inf
    return Rankings(people.queries, people.clips, scores, replace(rankings.origin, scope=LISTENED))


def _on_heard(name: str, is_scale: bool, scores: Mapping[str, TaskScores], asked: int, resamples: int) -> OnHeard:
    seeds = {task: (0, TASK_NAMES.index(task)) for task in scores}
    sums = {task: score_sums(one).only(MAIN_SCORE) for task, one in scores.items()}
    whole = len(scores) == asked
    return OnHeard(
        name,
        is_scale,
        {task: bootstrap(one, resamples, seeds[task])[MAIN_SCORE] for task, one in sums.items()},
        bootstrap_mean(list(sums.values()), resamples, list(seeds.values()))[MAIN_SCORE] if whole else None,
        {task: bootstrap(foil_sums(one), resamples, seeds[task]) for task, one in scores.items()},
    )


def _told(people: ModelResult) -> tuple[int | None, tuple[str, ...]]:
    """How many listeners there were and in which modes, as the files of their scores say."""
    for file in people.tasks.values():
        place = people.out / "scores" / file.relative_to(people.out / "rankings")
        found = read_object(place.with_suffix(".json")) or {}
        number, modes = found.get("listeners"), found.get("modes")
        if isinstance(number, int) and isinstance(modes, list):
            return number, tuple(map(str, modes))
    return None, ()


# --- what is told -----------------------------------------------------------------------------------------------------


def people_sections(found: Sequence[Heard]) -> tuple[Section, ...]:
    """The section of people; none without any."""
    if not found:
        return ()
    texts = (
        "People listened to some queries of this corpus, each with a few clips of its set. Here models and the scale are held to "
        "the same queries and the same clips, so that all lines of a table compare; with accuracies on the whole task none does.",
    )
    parts = [part for number, one in enumerate(found) for part in _parts(one, number, len(found) > 1)]
    return (Section("people", "People", texts, tuple(parts)),)


def _parts(one: Heard, number: int, several: bool) -> Iterator[Part]:
    suffix = f"-{number + 1}" if several else ""
    of = f" (answers {one.revision[:8]})" if several else ""
    yield Part(
        f"Whether the best of the clips heard is relevant{of}",
        (_compared(one), *_headline(one)),
        tables=(accuracy_table(one, f"people{suffix}"),),
    )
    kinds = [task for task in one.people.foils if one.people.foils[task]]
    yield Part(
        f"By kind of foil{of}",
        (
            "Of each pair of a relevant clip and a foil that were both heard it is counted whether the relevant one is scored "
            "higher: a coin gets 50 %. Where people score both alike, the ids of the clips decide, as a coin does.",
        ),
        tables=tuple(foil_table(one, task, f"people-foils-{task}{suffix}") for task in kinds),
    )


def _compared(one: Heard) -> str:
    least, most = one.clips
    queries = sum(one.queries.values())
    who = "People" if one.listeners is None else "1 person" if one.listeners == 1 else f"{one.listeners} people"
    hows = {
        "judge": "judged each clip by itself (fits 1, cannot tell 0.5, does not fit 0)",
        "best": "chose the best of the clips",
    }
    how = " or ".join(hows[mode] for mode in one.modes if mode in hows) or "answered"
    clips = f"{least}" if least == most else f"{least} to {most}"
    return (
        f"{who} {how} for {queries} {'query' if queries == 1 else 'queries'}, with {clips} clips each; a clip's score is the "
        "mean over them, and of equal ones that with the higher id stands first, as with models. Intervals are over sets: they "
        "tell what other sentences and clips would give with these people."
    )


def _headline(one: Heard) -> Iterable[str]:
    models = [other for other in one.others if not other.is_scale and other.mean]
    if one.people.mean and models:
        best = max(models, key=lambda other: other.mean.value if other.mean else 0.0)
        assert best.mean is not None
        chance = float(np.mean(list(one.chance.values())))
        yield (
            f"People: {percent(one.people.mean.value)} %; the best model there, {best.name}: {percent(best.mean.value)} %; "
            f"a random order: {percent(chance)} %."
        )


def accuracy_table(one: Heard, name: str) -> Table:
    """Accuracy among the clips heard of people, models and the scale, and what a random order gives."""
    tasks = tuple(one.people.tasks)
    columns = (
        Column("Who", numeric=False),
        *(Column(task.capitalize(), f"{one.queries[task]} queries") for task in tasks),
        Column("Average", "mean of these tasks, each weighing the same"),
    )

    def row(other: OnHeard) -> tuple[Cell, ...]:
        return (Cell(other.name), *(share(other.tasks.get(task)) for task in tasks), share(other.mean))

    chance = [one.chance[task] for task in tasks]
    shares = (Cell(percent(value), sort=value) for value in (*chance, float(np.mean(chance))))
    scale = (*(row(other) for other in one.others if other.is_scale), (Cell("a random order, exactly"), *shares))
    groups = (
        Rows((row(one.people),)),
        Rows(tuple(row(other) for other in _sorted(one.others)), "Models, on the same"),
        Rows(scale, _SCALE, True),
    )
    numbers = ", ".join(f"{task} {one.queries[task]}" for task in tasks)
    caption = f"Accuracy among the clips heard in %, with 95 % intervals. Queries: {numbers}."
    return Table(name, caption, columns, tuple(group for group in groups if group.rows))


def foil_table(one: Heard, task: str, name: str) -> Table:
    """Pairs the right way round on a task, by foil kind."""
    kinds = tuple(one.people.foils[task])

    def row(other: OnHeard) -> tuple[Cell, ...]:
        found = other.foils.get(task, {})
        return (Cell(other.name), *(_marked(found.get(kind)) for kind in kinds))

    groups = (
        Rows((row(one.people),)),
        Rows(tuple(row(other) for other in _sorted(one.others) if task in other.tasks), "Models, on the same"),
        Rows(tuple(row(other) for other in one.others if other.is_scale and task in other.tasks), _SCALE, True),
    )
    caption = f"{task.capitalize()}: pairs of clips heard, the right way round, in %, with 95 % intervals."
    columns = (Column("Who", numeric=False), *(Column(kind) for kind in kinds))
    return Table(name, caption, columns, tuple(group for group in groups if group.rows))


def _marked(interval: Interval | None) -> Cell:
    """With a mark where a coin's half lies outside of the interval."""
    if interval is None or math.isnan(interval.value) or 0.5 in interval:
        return share(interval)
    return share(interval, "above" if interval.value > 0.5 else "below")


def _sorted(others: Iterable[OnHeard]) -> list[OnHeard]:
    """The models, the best on what people heard first."""
    models = [other for other in others if not other.is_scale]
    return sorted(models, key=lambda other: (other.mean is None, -(other.mean.value if other.mean else 0.0), other.name))
