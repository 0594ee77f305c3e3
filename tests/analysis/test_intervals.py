"""Intervals: values, coverage over seeds, limits where all sets agree, and what is drawn."""

from __future__ import annotations

import time

import numpy as np
import pytest
from scipy import stats

from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.analysis.intervals import (
    Interval,
    bootstrap,
    bootstrap_mean,
    bootstrap_values,
    foil_sums,
    mean_intervals,
    resampled,
    score_sums,
    task_intervals,
)
from eval_harness.scores import HEADLINE
from tests.analysis.made_scores import hits, made, sums


def test_values_are_those_of_the_scores() -> None:
    rng = np.random.default_rng(1)
    pairs = rng.integers(1, 9, (40, 2))
    scores = made("order", hits(rng, 0.3, 40), {"reversed": (rng.integers(0, pairs + 1), pairs)}, forms=2)
    found = task_intervals(scores, resamples=500)
    assert found.sets == 40
    assert {name: one.value for name, one in found.scores.items()} == pytest.approx(dict(scores.scores))
    assert found.foils["reversed"].value == pytest.approx(scores.foils["reversed"].share)
    halves = [found.forms[form]["map"].value for form in ("order-1", "order-2")]
    assert np.mean(halves) == pytest.approx(scores.scores["map"])
    for one in (*found.scores.values(), *found.foils.values(), *found.forms["order-1"].values()):
        assert 0 <= one.low < one.value < one.high <= 1
        assert one.value in one


def test_limits_are_scipys_but_for_the_widening_for_few_sets() -> None:
    """scipy.stats.bootstrap's BCa at the level that Hesterberg's widening makes of 95 %."""
    values = np.random.default_rng(2).beta(0.6, 2.4, 40)
    wide = stats.t.ppf(0.975, 39) * (40 / 39) ** 0.5
    level = 1 - 2 * stats.norm.sf(wide)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=40_000, confidence_level=level, method="BCa", rng=1)
    ours = bootstrap_values(values, resamples=40_000)
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.003)
    assert ours.low < ours.value - 0.05


@pytest.mark.parametrize(("sets", "share"), [(100, 0.03), (100, 0.2), (100, 0.9), (30, 0.1), (30, 0.5), (10, 0.5)])
def test_coverage_of_hits(sets: int, share: float) -> None:
    rng = np.random.default_rng(3)
    covered = [share in bootstrap(sums(hits(rng, share, sets).mean(axis=1)), 1000, (seed,))["s"] for seed in range(300)]
    assert np.mean(covered) >= 0.925  # 2 standard errors of 300 trials below 0.95


@pytest.mark.parametrize(("sets", "share"), [(100, 0.1), (100, 0.5), (30, 0.5), (10, 0.5)])
def test_coverage_of_graded_scores_is_neither_too_small_nor_too_large(sets: int, share: float) -> None:
    rng = np.random.default_rng(4)
    drawn = rng.beta(1.5 * share, 1.5 * (1 - share), (300, sets, 2)).mean(axis=2)
    covered = [share in bootstrap(sums(values), 1000, (seed,))["s"] for seed, values in enumerate(drawn)]
    assert 0.92 <= np.mean(covered) <= 0.985


def test_coverage_of_a_mean_of_which_one_task_is_always_0() -> None:
    rng = np.random.default_rng(5)
    shares = (0.0, 0.05, 0.1, 0.2, 0.3)
    covered = 0
    for seed in range(200):
        parts = [sums(hits(rng, share, 50).mean(axis=1) if share else np.zeros(50)) for share in shares]
        covered += np.mean(shares) in bootstrap_mean(parts, 1000, [(seed, part) for part in range(5)])["s"]
    assert covered >= 183


def test_where_all_sets_agree_the_limits_are_clopper_and_pearsons() -> None:
    exact = stats.binomtest(0, 100).proportion_ci(method="exact")
    assert (exact.low, exact.high) == (0, pytest.approx(0.0362, abs=1e-4))
    assert bootstrap_values(np.zeros(100)) == Interval(0.0, 0.0, pytest.approx(exact.high))
    assert bootstrap_values(np.ones(100)) == Interval(1.0, pytest.approx(1 - exact.high), 1.0)
    # One query of each set right: no set that differs was seen.
    assert bootstrap_values(np.full(100, 0.5)) == Interval(0.5, pytest.approx(0.4819, abs=1e-4), pytest.approx(0.5181, abs=1e-4))
    assert bootstrap_values(np.zeros(50), least=-1) == Interval(
        0.0, pytest.approx(-0.0711, abs=1e-4), pytest.approx(0.0711, abs=1e-4)
    )
    one = bootstrap_values([1.0])
    assert (one.low, one.high) == (pytest.approx(0.025), 1.0)
    all_five = bootstrap_mean([sums(np.zeros(100))] * 5)["s"]
    assert all_five.high == pytest.approx(5**0.5 * exact.high / 5)


def test_both_twins_are_drawn_together() -> None:
    """Twins that are right together tell as much as half as many queries; twins of which one is right are certain."""
    together = np.repeat(np.random.default_rng(6).integers(0, 2, (100, 1)), 2, axis=1)
    apart = np.tile([0, 1], (100, 1))
    wide, narrow = (bootstrap(score_sums(made("mix", one)))["hit_rate_at_1"] for one in (together, apart))
    assert wide.high - wide.low > 0.15
    assert narrow.high - narrow.low < 0.04
    drawn = resampled(score_sums(made("mix", together)).only("hit_rate_at_1"), 4000)
    assert drawn.std() == pytest.approx((together.mean() * (1 - together.mean()) / 100) ** 0.5, rel=0.05)


def test_a_mean_weighs_tasks_alike_and_draws_them_apart() -> None:
    rng = np.random.default_rng(7)
    tasks = [made(task, hits(rng, 0.4, number)) for task, number in zip(TASK_NAMES, (20, 40, 60, 80, 100), strict=True)]
    found = mean_intervals(tasks)
    alone = [task_intervals(one).scores["map"] for one in tasks]
    assert found["map"].value == pytest.approx(np.mean([one.value for one in alone]))
    expected = np.sqrt(sum((one.high - one.low) ** 2 for one in alone)) / 5
    assert found["map"].high - found["map"].low == pytest.approx(expected, rel=0.15)


def test_a_seed_decides_all() -> None:
    scores = made("order", np.random.default_rng(8).random((50, 2)))
    assert task_intervals(scores) == task_intervals(scores)
    assert task_intervals(scores, seed=1) != task_intervals(scores)
    assert task_intervals(scores, level=0.5).scores["map"].high < task_intervals(scores).scores["map"].high


def test_sets_without_a_foil_kind_count_nothing() -> None:
    pairs = np.zeros((30, 2), int)
    pairs[:10] = 4
    found = foil_sums(made("mix", np.zeros((30, 2)), {"lacks-broken": (pairs, pairs), "none": (0 * pairs, 0 * pairs)}))
    one = bootstrap(found)
    assert one["lacks-broken"].low == pytest.approx(0.025 ** (1 / 10))
    assert np.isnan(one["none"].value)
    assert one["none"].to_json() == {"value": None, "low": None, "high": None, "level": 0.95}


def test_wrong_input() -> None:
    with pytest.raises(EvaluationError, match="no score 'accuracy'; there are hit_rate_at_1"):
        score_sums(made("mix", np.zeros((3, 2)))).of("accuracy")
    with pytest.raises(EvaluationError, match="different sets"):
        score_sums(made("mix", np.zeros((3, 2)))).minus(score_sums(made("mix", np.zeros((4, 2)))))
    with pytest.raises(EvaluationError, match="no sets"):
        bootstrap_values([])


def test_all_scores_of_a_model_take_less_than_two_seconds() -> None:
    rng = np.random.default_rng(9)
    pairs = np.full((100, 2), 20)
    kinds = {f"kind-{number}": (rng.integers(0, 21, (100, 2)), pairs) for number in range(5)}
    tasks = [made(task, hits(rng, 0.3, 100), kinds, forms=4) for task in TASK_NAMES]
    start = time.process_time()
    found = [task_intervals(one) for one in tasks]
    mean_intervals(tasks)
    assert time.process_time() - start < 2
    assert all(set(one.scores) == set(HEADLINE) for one in found)
