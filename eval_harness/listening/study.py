"""What listeners are asked: queries, a selection of clips for each, practice and catch trials. A value, fixed by a seed."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, zip_longest
from typing import Annotated, Literal, Self, TypeVar

import numpy as np
from numpy.random import Generator
from pydantic import BaseModel, ConfigDict, Field, model_validator

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import EvaluationError
from builders.logic import Has, Truth, evaluate
from builders.recipe import TASK_NAMES

T = TypeVar("T")
Mode = Literal["judge", "best"]
Kind = Literal["asked", "practice", "catch"]
MISSING = "anchor-missing"
LEAST_CLIPS, MOST_CLIPS = 2, 20
MOST_QUERIES = 2000
Id = Annotated[str, Field(min_length=1, max_length=64)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Trial(_Record):
    """One question: a sentence, and clips to judge by it. Which of them fit is told by the dataset, not here.

    Attributes:
        id: in its study.
        kind: "asked"; "practice", which gives feedback and counts nowhere; "catch", which everybody who listens gets right.
        query: id of the query; "" for catch trials.
        sound: for catch trials the label of the sound that `text` says; else "".
        text: the sentence.
        clips: ids, in order of id: every listener hears them in an order of their own.
    """

    id: Id
    kind: Kind
    query: str = Field(max_length=64)
    sound: str = Field(max_length=500)
    text: str = Field(max_length=2000)
    clips: tuple[Id, ...] = Field(min_length=LEAST_CLIPS, max_length=MOST_CLIPS)


class Study(_Record):
    """All that listeners of one study are asked.

    Attributes:
        content_hash: of the dataset.
        mode: "judge": every clip fits, does not fit, or one cannot tell; "best": one of the clips is chosen.
        seed: of the choice.
        trials: practice first, then what is asked, then catch trials.
    """

    content_hash: str = Field(max_length=64)
    mode: Mode
    seed: int
    trials: tuple[Trial, ...] = Field(min_length=1, max_length=2 * MOST_QUERIES)

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        if len({trial.id for trial in self.trials}) < len(self.trials):
            raise ValueError("two trials have one id")
        return self

    @property
    def id(self) -> str:
        """16 hex digits of a SHA-256 of all of it."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]

    @cached_property
    def by_id(self) -> Mapping[str, Trial]:
        """The trials by id."""
        return {trial.id: trial for trial in self.trials}

    def of_kind(self, kind: Kind) -> tuple[Trial, ...]:
        """The trials of one kind."""
        return tuple(trial for trial in self.trials if trial.kind == kind)

    @property
    def clips(self) -> tuple[str, ...]:
        """Ids of all clips that are heard, sorted."""
        return tuple(sorted({clip for trial in self.trials for clip in trial.clips}))


@dataclass(frozen=True, slots=True)
class StudySettings:
    """What is asked.

    Attributes:
        queries: how many; fewer where the corpus has not as many.
        tasks: names of tasks ("order") or forms ("order-1"); none is all.
        clips: to judge for each query.
        mode: as `Study.mode`.
        seed: another one chooses other queries and clips.
        practice: trials with feedback.
        catch_every: a catch trial for so many queries; 0 for none.
    """

    queries: int = 50
    tasks: tuple[str, ...] = ()
    clips: int = 4
    mode: Mode = "judge"
    seed: int = 0
    practice: int = 2
    catch_every: int = 10


def make_study(folder: DatasetFolder, settings: StudySettings = StudySettings()) -> Study:
    """The study of a corpus: tasks and their forms have equal shares; no set is asked for twice while its task has others left.

    Sets that are practised on are not asked for.

    Raises:
        EvaluationError: a task is unknown, a number cannot be, or the corpus has too few sets.
    """
    _check(folder, settings)
    rng = np.random.default_rng(np.random.SeedSequence([settings.seed, 0x115]))
    chosen = [query for query in folder.queries.values() if not settings.tasks or {query.task, query.form} & set(settings.tasks)]
    practice = _practice(chosen, settings.practice, rng)
    practised = {query.set for query in practice}
    asked = _asked([query for query in chosen if query.set not in practised], settings.queries, rng)
    if not asked:
        raise EvaluationError(
            f"{folder.path}: --task {' '.join(settings.tasks)} has {len({query.set for query in chosen})} sets, and "
            f"{len(practised)} are practised on; give --practice 0"
        )
    catches = -(-len(asked) // settings.catch_every) if settings.catch_every else 0
    trials = chain(
        (_trial(folder, f"p{n:03}", "practice", query, settings.clips, rng) for n, query in enumerate(practice, 1)),
        (_trial(folder, f"q{n:04}", "asked", query, settings.clips, rng) for n, query in enumerate(asked, 1)),
        _catches(folder, chosen, catches, settings.clips, rng),
    )
    return Study(content_hash=content_hash(folder.path), mode=settings.mode, seed=settings.seed, trials=tuple(trials))


def fitting(folder: DatasetFolder, trial: Trial) -> frozenset[str]:
    """The clips of a trial that fit by the rule.

    Raises:
        UnknownIdError: the dataset does not know the query or a clip.
    """
    if trial.kind == "catch":
        return frozenset(clip for clip in trial.clips if _holds(folder, trial.sound, clip) is Truth.TRUE)
    return frozenset(folder.queries[trial.query].relevant) & frozenset(trial.clips)


def balanced(folder: DatasetFolder, query: Query, number: int, rng: Generator) -> tuple[str, ...]:
    """A selection of the clips of a query's set: every arrangement as often as any other (±1); always a relevant clip and a foil.

    Clips in which an anchor is replaced count as one more arrangement.
    """
    missing = {foil.clip for foil in query.foils if foil.kind == MISSING}
    groups: dict[str, list[str]] = defaultdict(list)
    for clip in sorted(query.clips):
        groups[MISSING if clip in missing else folder.clips[clip].arrangement].append(clip)
    names = _shuffled(sorted(groups), rng)
    first = next(name for name in names if set(groups[name]) & set(query.relevant))
    second = next(name for name in names if not set(groups[name]) & set(query.relevant))
    order = [first, second, *(name for name in names if name not in (first, second))]
    queues = [_shuffled(groups[name], rng) for name in order]
    return tuple(sorted(_in_turn(queues)[:number]))


def _check(folder: DatasetFolder, settings: StudySettings) -> None:
    known = sorted({name for query in folder.queries.values() for name in (query.task, query.form)})
    for name in settings.tasks:
        if name not in known:
            raise EvaluationError(f"--task {name}: no such task or form; there are {', '.join(known)}")
    limits = {
        "queries": (1, MOST_QUERIES),
        "clips": (LEAST_CLIPS, MOST_CLIPS),
        "practice": (0, 50),
        "seed": (0, 2**63 - 1),
        "catch_every": (0, MOST_QUERIES),
    }
    for field, (least, most) in limits.items():
        value = getattr(settings, field)
        if not least <= value <= most:
            raise EvaluationError(f"--{field.replace('_', '-')} {value}: not from {least} to {most}")


def _practice(queries: Sequence[Query], number: int, rng: Generator) -> list[Query]:
    """Queries to practise on, tasks in turn, one of a set; from the forms with most sets, so that none is left out by it."""
    sets: dict[str, set[str]] = defaultdict(set)
    for query in queries:
        sets[query.form].add(query.set)
    most: dict[str, int] = {}
    for query in queries:
        most[query.task] = max(most.get(query.task, 0), len(sets[query.form]))
    spare = [query for query in queries if len(sets[query.form]) == most[query.task]]
    firsts, _ = _twins(spare, rng)
    return _in_turn(_by_task(firsts))[:number]


def _asked(queries: Sequence[Query], number: int, rng: Generator) -> list[Query]:
    """Queries to ask: tasks in turn, in each its forms in turn; the second query of a set only after all first ones."""
    firsts, seconds = _twins(queries, rng)
    both = [
        [*_in_turn(_by_form(first)), *_in_turn(_by_form(second))]
        for first, second in zip(_by_task(firsts), _by_task(seconds), strict=True)
    ]
    return _in_turn(both)[:number]


def _twins(queries: Sequence[Query], rng: Generator) -> tuple[list[Query], list[Query]]:
    """The sets in an order drawn at random, a query of each, likewise, and its twin."""
    sets: dict[str, list[Query]] = defaultdict(list)
    for query in sorted(queries, key=lambda query: query.id):
        sets[query.set].append(query)
    firsts, seconds = [], []
    for name in _shuffled(sorted(sets), rng):
        first, second = (sets[name][int(place)] for place in rng.permutation(len(sets[name])))
        firsts.append(first)
        seconds.append(second)
    return firsts, seconds


def _by_task(queries: Iterable[Query]) -> list[list[Query]]:
    found: dict[str, list[Query]] = {task: [] for task in TASK_NAMES}
    for query in queries:
        found[query.task].append(query)
    return list(found.values())


def _by_form(queries: Iterable[Query]) -> list[list[Query]]:
    found: dict[str, list[Query]] = defaultdict(list)
    for query in queries:
        found[query.form].append(query)
    return [found[form] for form in sorted(found)]


def _in_turn(queues: Iterable[Sequence[T]]) -> list[T]:
    """The first of each, then the second of each, and so on."""
    none = object()
    return [one for row in zip_longest(*queues, fillvalue=none) for one in row if one is not none]  # type: ignore[misc]


def _trial(folder: DatasetFolder, name: str, kind: Kind, query: Query, clips: int, rng: Generator) -> Trial:
    return Trial(id=name, kind=kind, query=query.id, sound="", text=query.text, clips=balanced(folder, query, clips, rng))


def _catches(folder: DatasetFolder, queries: Sequence[Query], number: int, clips: int, rng: Generator) -> Iterator[Trial]:
    """Questions for one sound that some of the clips hold and the others have nothing like."""
    pool = sorted({clip for query in queries for clip in query.clips})
    labels = sorted({label for clip in pool for label in folder.clips[clip].timeline.labels})
    made = 0
    for label in _shuffled(labels, rng):
        if made == number:
            return
        held: dict[Truth, list[str]] = {truth: [] for truth in Truth}
        for clip in _shuffled(pool, rng):
            held[_holds(folder, label, clip)].append(clip)
        fit = min(len(held[Truth.TRUE]), 1 + int(rng.integers(clips - 1)))
        if len(held[Truth.FALSE]) < clips - fit:
            continue
        chosen = (*held[Truth.TRUE][:fit], *held[Truth.FALSE][: clips - fit])
        clause = folder.sounds[label].sound.clause
        made += 1
        yield Trial(
            id=f"c{made:03}",
            kind="catch",
            query="",
            sound=label,
            text=f"{clause[:1].upper()}{clause[1:]}.",
            clips=tuple(sorted(chosen)),
        )


def _holds(folder: DatasetFolder, label: str, clip: str) -> Truth:
    return evaluate(Has(label), folder.clips[clip].timeline, folder.recipe.margins_value(), folder.relations)


def _shuffled(items: Sequence[T], rng: Generator) -> list[T]:
    return [items[int(place)] for place in rng.permutation(len(items))]
