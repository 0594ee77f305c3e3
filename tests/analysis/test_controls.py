"""A corpus and its controls: which results belong together, and which changes are more than chance."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from builders.recipe import TASK_NAMES
from eval_harness.analysis.comparisons import MEAN
from eval_harness.analysis.controls import Change, compare_controls, same_models
from eval_harness.analysis.intervals import Interval, mean_intervals, task_intervals
from eval_harness.analysis.results import ModelResult
from eval_harness.scores import MAIN_SCORE, TaskScores
from tests.analysis.made_scores import hits, made

SETS = 60


def tables(seed: int, share: float = 0.5) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {task: hits(rng, share, SETS) for task in TASK_NAMES}


def scores(values: dict[str, np.ndarray]) -> dict[str, TaskScores]:
    return {task: made(task, table) for task, table in values.items()}


def lost(values: dict[str, np.ndarray], share: float, seed: int, tasks: tuple[str, ...] = TASK_NAMES) -> dict[str, np.ndarray]:
    """The same with a share of the hits missed, in some tasks."""
    rng = np.random.default_rng(seed)
    return {task: table * (rng.random(table.shape) >= (share if task in tasks else 0)) for task, table in values.items()}


def values(one: Interval) -> tuple[float, float, float]:
    return one.value, one.low, one.high


def near(one: Interval) -> object:
    """The same but for the last bits."""
    return pytest.approx(values(one), rel=1e-9)


def of(changes: tuple[Change, ...], name: str, control: str) -> dict[str, Change]:
    return {one.task: one for one in changes if (one.name, one.control) == (name, control)}


def test_a_model_that_loses_is_told_and_an_equal_one_is_not() -> None:
    deaf, loud = tables(1), tables(2)
    found = compare_controls(
        {"deaf": scores(deaf), "loud": scores(loud)},
        {
            "equal-energy": {"deaf": scores(deaf), "loud": scores(lost(loud, 0.5, 3, ("order", "mix")))},
            "equal-spectrum": {"deaf": scores(deaf), "loud": scores(loud)},
        },
        resamples=1000,
    )
    assert len(found) == 4 * 6
    fallen = {(one.name, one.control, one.task) for one in found if one.verdict}
    assert fallen == {("loud", "equal-energy", task) for task in ("order", "mix", MEAN)}
    assert all(one.verdict == -1 for one in found if one.verdict)
    for one in of(found, "loud", "equal-energy").values():
        assert one.difference.value == pytest.approx(one.controlled.value - one.plain.value)
        assert (one.difference.high < 0) == (one.verdict == -1)
    for one in of(found, "deaf", "equal-energy").values():
        assert (one.difference.value, one.test.p_holm) == (0, 1)
    json.dumps([one.to_json() for one in found], allow_nan=False)


def test_a_model_that_gains_is_told_too() -> None:
    better = tables(5)
    found = compare_controls({"m": scores(lost(better, 0.6, 6))}, {"equal-energy": {"m": scores(better)}}, 1000)
    assert {one.verdict for one in found} == {1}


def test_accuracies_are_those_of_the_leaderboard() -> None:
    own, theirs = scores(tables(7)), scores(tables(8))
    found = of(compare_controls({"m": own}, {"equal-energy": {"m": theirs}}, 500), "m", "equal-energy")
    for task in TASK_NAMES:
        assert values(found[task].plain) == near(task_intervals(own[task], 500).scores[MAIN_SCORE])
        assert values(found[task].controlled) == near(task_intervals(theirs[task], 500).scores[MAIN_SCORE])
    assert values(found[MEAN].plain) == near(mean_intervals(own.values(), 500)[MAIN_SCORE])


def test_chance_alone_is_seldom_told() -> None:
    """A model whose answers are drawn anew on the control, at the same rate: some verdict in about one of twenty tries."""
    told = 0
    for seed in range(40):
        found = compare_controls({"m": scores(tables(seed))}, {"equal-energy": {"m": scores(tables(1000 + seed))}}, 400, seed)
        told += any(one.verdict for one in found if one.task != MEAN)
    assert told <= 6


def test_tasks_that_are_not_on_both_are_left_out_and_then_the_mean() -> None:
    own = scores(tables(1))
    some = {task: own[task] for task in ("order", "mix")}
    found = compare_controls({"m": own}, {"equal-energy": {"m": some}}, 200)
    assert [one.task for one in found] == ["order", "mix"]
    assert compare_controls({"m": own}, {}, 200) == ()


# --- which are the same -----------------------------------------------------------------------------------------------


def model(name: str, revision: str = "1", experiment: str = "", scope: str = "task") -> ModelResult:
    return ModelResult(name, revision, scope, experiment, {}, None, Path())  # type: ignore[arg-type]


def paired(plain: list[ModelResult], control: list[ModelResult]) -> Iterator[tuple[str, str, str]]:
    return ((one.model, one.revision, other.revision) for one, other in same_models(plain, control))


def test_models_are_the_same_by_name_settings_and_revision() -> None:
    plain = [
        model("a"),
        model("b"),
        model("b", "2"),
        model("c"),
        model("c", experiment="dtype_float16"),
        model("reasonaudio/oracle"),
    ]
    control = [model("b", "2"), model("b"), model("c"), model("a", scope="all"), model("reasonaudio/oracle")]
    assert list(paired(plain, control)) == [("b", "1", "1"), ("b", "2", "2"), ("c", "1", "1")]


def test_a_revision_that_tells_what_was_heard_may_differ() -> None:
    assert list(paired([model("heard+text", "x"), model("z")], [model("z"), model("heard+text", "y")])) == [
        ("heard+text", "x", "y"),
        ("z", "1", "1"),
    ]
    assert list(paired([model("a", "1"), model("a", "2")], [model("a", "3")])) == [], "which of the two is not known"
    assert list(paired([model("a", "1")], [model("a", "2"), model("a", "3")])) == []
