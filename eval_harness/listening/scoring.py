"""How often listeners agree with the rule: accuracy by task and form, what they do with each kind of foil, with intervals.

What is drawn for the intervals is the set, as for models (`eval_harness.analysis.intervals`): they tell what other sentences and
clips would give with these listeners, not what other listeners would.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from builders.recipe import TASK_NAMES
from eval_harness.analysis.intervals import RESAMPLES, Interval, SetSums, bootstrap, bootstrap_mean
from eval_harness.listening.judged import RELEVANT, Judged, role
from eval_harness.listening.study import MISSING, Mode

_ACCURACY = "accuracy"


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its interval.

    Attributes:
        interval: over sets.
        count: trials, or of foil kinds clips, each as often as somebody judged it.
        queries, sets: that they are of.
        chance: the share for answers that know nothing.
    """

    interval: Interval
    count: int
    queries: int
    sets: int
    chance: float

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        return {
            **self.interval.to_json(),
            "count": self.count,
            "queries": self.queries,
            "sets": self.sets,
            "chance": None if np.isnan(self.chance) else self.chance,
        }


@dataclass(frozen=True, eq=False)
class ModeScores:
    """What listeners got in one mode.

    Attributes:
        mode: "judge" or "best".
        listeners: names of those who answered.
        unfinished: trials that were begun and are left out of the accuracies.
        untelling: trials of which all clips or none fit, which are left out of them too.
        unsure: share of verdicts that are "cannot tell"; NaN in the mode "best".
        tasks, forms: accuracy.
        mean: the same over the tasks that were asked, each weighing the same; None without a complete trial.
        kinds: task -> what a clip is to the query ("relevant", or a foil kind) -> in the mode "judge" the share of judged clips
            that are judged as the rule says ("cannot tell" is half); in the mode "best", of the trials with such a clip, the
            share in which one was chosen.
    """

    mode: Mode
    listeners: tuple[str, ...]
    unfinished: int
    untelling: int
    unsure: float
    tasks: Mapping[str, Share]
    forms: Mapping[str, Share]
    mean: Share | None
    kinds: Mapping[str, Mapping[str, Share]]

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        return {
            "mode": self.mode,
            "listeners": list(self.listeners),
            "unfinished_trials": self.unfinished,
            "untelling_trials": self.untelling,
            "cannot_tell": None if np.isnan(self.unsure) else self.unsure,
            "mean": self.mean.to_json() if self.mean else None,
            "tasks": {task: one.to_json() for task, one in self.tasks.items()},
            "forms": {form: one.to_json() for form, one in self.forms.items()},
            "kinds": {task: {kind: one.to_json() for kind, one in kinds.items()} for task, kinds in self.kinds.items()},
        }


def score_mode(found: Iterable[Judged], mode: Mode, resamples: int = RESAMPLES, seed: int = 0) -> ModeScores:
    """The scores of one mode. Accuracies count trials that are complete, also of sessions that are not; clips all judged ones."""
    own = [one for one in found if one.mode == mode]
    asked = [one for one in own if one.trial.kind == "asked"]
    counted = [one for one in asked if one.complete and one.telling]
    verdicts = [answer.verdict for one in asked for answer in one.answers.values()]
    tasks, forms, kinds = {}, {}, {}
    for number, task in enumerate(TASK_NAMES):
        of_task = [one for one in counted if _task(one) == task]
        if of_task:
            tasks[task] = _accuracy(of_task, resamples, (seed, number))
            for place, form in enumerate(sorted({_form(one) for one in of_task}), 1):
                forms[form] = _accuracy([one for one in of_task if _form(one) == form], resamples, (seed, number, place))
        every = [one for one in asked if _task(one) == task and one.answers]
        if every:
            kinds[task] = _kinds(every, resamples, (seed, number))
    return ModeScores(
        mode,
        tuple(dict.fromkeys(one.listener for one in own)),
        sum(not one.complete for one in asked),
        sum(one.complete and not one.telling for one in asked),
        verdicts.count("unsure") / len(verdicts) if verdicts and mode == "judge" else float("nan"),
        tasks,
        forms,
        mean_accuracy(counted, resamples, seed),
        kinds,
    )


def mean_accuracy(counted: Sequence[Judged], resamples: int = RESAMPLES, seed: int = 0) -> Share | None:
    """Accuracy over the tasks of complete trials, each task weighing the same; None without trials."""
    parts = {
        task: of_task
        for task in TASK_NAMES
        if (of_task := [one for one in counted if one.query and one.query.task == task and one.complete and one.telling])
    }
    if not parts:
        return None
    sums = [_accuracies(of_task) for of_task in parts.values()]
    seeds = [(seed, TASK_NAMES.index(task)) for task in parts]
    interval = bootstrap_mean(sums, resamples, seeds)[_ACCURACY]
    trials = [one for of_task in parts.values() for one in of_task]
    chance = float(np.mean([np.mean([one.chance for one in of_task]) for of_task in parts.values()]))
    return Share(interval, len(trials), *_extent(trials), chance)


def _accuracy(trials: Sequence[Judged], resamples: int, seed: tuple[int, ...]) -> Share:
    interval = bootstrap(_accuracies(trials), resamples, seed)[_ACCURACY]
    return Share(interval, len(trials), *_extent(trials), float(np.mean([one.chance for one in trials])))


def _accuracies(trials: Sequence[Judged]) -> SetSums:
    return _sums(((one, _ACCURACY, one.accuracy) for one in trials), (_ACCURACY,))


def _kinds(trials: Sequence[Judged], resamples: int, seed: tuple[int, ...]) -> dict[str, Share]:
    """What is done with clips by what they are to the query."""
    counts: list[tuple[Judged, str, float]] = []
    chances: dict[str, list[float]] = {}
    for one in trials:
        assert one.query is not None
        roles = {clip: role(one.query, clip) for clip in one.trial.clips}
        if one.mode == "best":
            for kind in sorted(set(roles.values())):
                counts.append((one, kind, float(any(roles[clip] == kind for clip in one.answers))))
                share = sum(own == kind for own in roles.values()) / len(roles)
                chances.setdefault(kind, []).append(share)
        else:
            for clip, value in one.said.items():
                counts.append((one, roles[clip], value if roles[clip] == RELEVANT else 1 - value))
                chances.setdefault(roles[clip], []).append(0.5)
    names = tuple(sorted(chances, key=lambda kind: (kind != RELEVANT, kind == MISSING, kind)))
    intervals = bootstrap(_sums(counts, names), resamples, seed)
    return {
        kind: Share(
            intervals[kind],
            len(chances[kind]),
            *_extent([one for one, own, _ in counts if own == kind]),
            float(np.mean(chances[kind])),
        )
        for kind in names
    }


def _sums(counts: Iterable[tuple[Judged, str, float]], names: Sequence[str]) -> SetSums:
    """Values by what they are of, summed over each set."""
    found = list(counts)
    forms = {one.query.set: one.query.form for one, _, _ in found if one.query}
    sets = tuple(sorted(forms))
    numerators, denominators = np.zeros((len(sets), len(names))), np.zeros((len(sets), len(names)))
    for one, name, value in found:
        assert one.query is not None
        place = sets.index(one.query.set), names.index(name)
        numerators[place] += value
        denominators[place] += 1
    return SetSums(sets, tuple(forms[name] for name in sets), tuple(names), numerators, denominators)


def _extent(trials: Iterable[Judged]) -> tuple[int, int]:
    """How many queries, and sets."""
    queries = {one.query.id: one.query.set for one in trials if one.query}
    return len(queries), len(set(queries.values()))


def _task(one: Judged) -> str:
    return one.query.task if one.query else ""


def _form(one: Judged) -> str:
    return one.query.form if one.query else ""
