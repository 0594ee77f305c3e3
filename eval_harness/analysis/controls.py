"""A corpus and its controls, which say the same in another sound: how much of a model's accuracy hangs on level or colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders.errors import EvaluationError
from builders.recipe import NO_CONTROL, TASK_NAMES
from eval_harness.analysis.comparisons import MEAN, PairedComparison, compare_pairs
from eval_harness.analysis.intervals import RESAMPLES, Interval, bootstrap_mean, score_sums
from eval_harness.analysis.power import ALPHA
from eval_harness.analysis.results import ModelResult, Results, read_results
from eval_harness.data import Data
from eval_harness.results_folder import DATASET, read_marker
from eval_harness.scores import MAIN_SCORE, TaskScores


@dataclass(frozen=True, slots=True)
class Change:
    """What a control changes for one model on one task.

    Attributes:
        name: of the model.
        control: "equal-energy", ...
        task: its name, or `MEAN`.
        plain, controlled: accuracy on the corpus itself, and on the control.
        test: the second minus the first, of the same sets.
    """

    name: str
    control: str
    task: str
    plain: Interval
    controlled: Interval
    test: PairedComparison

    @property
    def difference(self) -> Interval:
        return self.test.difference

    @property
    def verdict(self) -> int:
        """-1 where accuracy falls beyond chance (Holm's p below `ALPHA`), 1 where it rises, else 0."""
        told = self.test.p_holm < ALPHA
        return (int(self.difference.value > 0) - int(self.difference.value < 0)) * told

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        return {
            "name": self.name,
            "control": self.control,
            "task": self.task,
            "plain": self.plain.to_json(),
            "controlled": self.controlled.to_json(),
            "test": self.test.to_json(),
        }


def read_controls(results: Results, outs: Sequence[Path], datas: Sequence[Data] = ()) -> dict[str, Results]:
    """The control that each folder of results is of -> the results, in the order given.

    Args:
        results: of the corpus itself.
        outs: folders of results of its controls.
        datas: datasets that lie elsewhere than where the models were run; each serves the results of its content.

    Raises:
        EvaluationError: as `read_results`; or a folder is of no control, of another plan, or of a control that came before.
    """
    folder = results.data.folder
    if outs and folder.control != NO_CONTROL:
        raise EvaluationError(
            f"{results.path} is itself of the control {folder.control} ({results.data.path}); give the results of the corpus "
            "without a control as OUT, and these with --control"
        )
    found: dict[str, Results] = {}
    for out in outs:
        own = read_results(out, data_of(out, datas))
        theirs = own.data.folder
        if theirs.control == NO_CONTROL:
            raise EvaluationError(
                f"{out} is of a corpus without a control ({own.data.path}); run the models on one that "
                f"`reasonaudio build --recipe {folder.path}/recipe.json --control equal-energy` made"
            )
        if theirs.plan_hash != folder.plan_hash:
            raise EvaluationError(
                f"{out} is of another plan than {results.path} (plan {theirs.plan_hash[:12]} and {folder.plan_hash[:12]}); build "
                f"the control from the same recipe and sounds (`reasonaudio build --recipe {folder.path}/recipe.json --control "
                f"{theirs.control}`), and run the models on it"
            )
        if theirs.control in found:
            raise EvaluationError(
                f"{found[theirs.control].path} and {out} are both of the control {theirs.control}; give one of them"
            )
        found[theirs.control] = own
    return found


def data_of(out: Path, datas: Sequence[Data]) -> Data | None:
    """The dataset among `datas` that a folder of results is of; None where it is none of them.

    Raises:
        EvaluationError: what the folder says of its dataset is damaged.
    """
    marker = out / DATASET
    content = read_marker(marker).get("content") if datas and marker.is_file() else None
    return next((data for data in datas if data.content_hash == content), None)


def same_models(plain: Sequence[ModelResult], control: Sequence[ModelResult]) -> list[tuple[ModelResult, ModelResult]]:
    """The models that are in both, in the order of the first: of the same name, settings and revision.

    Pipelines whose revision tells what they heard (a file of captions) have another on a control: where a name stands once in
    both, it is the same model. Scopes must be equal; systems of the scale hear nothing, and are left out.
    """
    pairs = []
    left = list(control)
    waiting = []
    for one in (one for one in plain if not one.is_scale):
        other = next((other for other in left if _named(other) == _named(one) and other.revision == one.revision), None)
        if other is None:
            waiting.append(one)
        else:
            left.remove(other)
            pairs.append((one, other))
    for one in waiting:
        others = [other for other in left if _named(other) == _named(one)]
        if len(others) == 1 and sum(_named(own) == _named(one) for own in waiting) == 1:
            pairs.append((one, others[0]))
    place = {id(one): number for number, one in enumerate(plain)}
    return sorted(pairs, key=lambda pair: place[id(pair[0])])


def _named(one: ModelResult) -> tuple[str, str, str]:
    return one.model, one.experiment, one.scope


def compare_controls(
    plain: Mapping[str, Mapping[str, TaskScores]],
    controlled: Mapping[str, Mapping[str, Mapping[str, TaskScores]]],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> tuple[Change, ...]:
    """What each control changes for each model on every task that it was run on in both; and on the mean of all five.

    The sets are the same in both, so they are paired. Holm's correction runs over all models, controls and tasks, and apart
    from these over all means.

    Args:
        plain: name of a model -> task -> scores on the corpus itself.
        controlled: control -> name -> task -> scores on it. Models that are not in `plain` are an error (KeyError).
        resamples, seed: of the bootstrap.
    """
    scores = dict(plain)
    whose = {}
    for control, models in controlled.items():
        for name, tasks in models.items():
            key = f"{name} on {control}"
            scores[key] = tasks
            whose[key] = (name, control)
    tests = compare_pairs(scores, [(key, name) for key, (name, _) in whose.items()], MAIN_SCORE, resamples, seed)
    of_name = {name: _accuracies(plain[name], resamples, seed) for name, _ in whose.values()}
    of_key = {key: _accuracies(scores[key], resamples, seed) for key in whose}
    order = (*TASK_NAMES, MEAN)
    return tuple(
        Change(*whose[one.first], one.task, of_name[one.second][one.task], of_key[one.first][one.task], one)
        for one in sorted(tests, key=lambda one: (list(whose).index(one.first), order.index(one.task)))
    )


def _accuracies(tasks: Mapping[str, TaskScores], resamples: int, seed: int) -> dict[str, Interval]:
    """Task -> interval of the main score, and `MEAN` where there are all five; the draws are those of `task_intervals`."""
    sums = {task: score_sums(one).only(MAIN_SCORE) for task, one in tasks.items()}
    seeds = {task: (seed, TASK_NAMES.index(task)) for task in tasks}
    found = {task: bootstrap_mean([one], resamples, [seeds[task]])[MAIN_SCORE] for task, one in sums.items()}
    if set(sums) == set(TASK_NAMES):
        found[MEAN] = bootstrap_mean(list(sums.values()), resamples, list(seeds.values()))[MAIN_SCORE]
    return found
