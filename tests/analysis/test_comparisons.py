"""Comparisons: planted differences are found and absent ones are not, values as published and as scipy gives them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.analysis.comparisons import bootstrap_shift, compare_models, compare_tasks, rank_biserial, wilcoxon
from eval_harness.analysis.holm import holm
from eval_harness.analysis.power import power
from tests.analysis.made_scores import hits, made, sums

DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
"""Heights of 15 pairs of maize plants, cross- minus self-fertilised, in eighths of an inch: Darwin (1876), in Fisher (1935)."""


def test_holm_is_that_of_statsmodels() -> None:
    """statsmodels 0.15.0: multipletests(p, method="holm"); the first four p values are a textbook's example of Holm (1979)."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.01, 0.04, 0.03, 0.005, 0.6, 0.03]) == pytest.approx([0.05, 0.12, 0.12, 0.03, 0.6, 0.12])
    assert holm([0.02, float("nan"), 0.7]) == pytest.approx([0.04, float("nan"), 0.7], nan_ok=True)
    assert holm([]) == []


def test_wilcoxon_of_darwins_plants() -> None:
    """W- = 24 of 120, as in textbooks and R's wilcox.test: p = 0.04126 (exact)."""
    assert wilcoxon(DARWIN) == pytest.approx(0.04126, abs=1e-5)
    assert rank_biserial(DARWIN) == pytest.approx((96 - 24) / 120)
    assert wilcoxon([*DARWIN, 0, 0, 0]) == wilcoxon(DARWIN)  # sets without a difference are left out
    assert (wilcoxon([0, 0, 0]), rank_biserial([0, 0, 0])) == (1.0, 0.0)


def test_wilcoxon_is_scipys() -> None:
    rng = np.random.default_rng(8)
    for number in (5, 12, 40):
        values = rng.normal(0.3, 1, number)
        assert wilcoxon(values) == pytest.approx(stats.wilcoxon(values, method="exact").pvalue)
    ties = np.array([0.5, 0.5, -0.5, 1, 1, 0.5, -1, 0.5, 1])
    assert wilcoxon(ties) == pytest.approx(stats.wilcoxon(ties, method=stats.PermutationMethod()).pvalue)  # all signs
    many = rng.choice([-1, -0.5, 0.5, 1], 150, p=[0.1, 0.3, 0.4, 0.2])
    assert wilcoxon(many) == pytest.approx(stats.wilcoxon(many, method="asymptotic").pvalue, rel=0.05)


def test_one_pair() -> None:
    rng = np.random.default_rng(1)
    first, second = hits(rng, 0.6, 80), hits(rng, 0.3, 80)
    (found,) = compare_models({"a": {"order": made("order", first)}, "b": {"order": made("order", second)}})
    apart = (first - second).mean(axis=1)
    assert found.difference.value == pytest.approx(apart.mean())
    assert found.difference.low > 0
    assert (found.sets, found.differing) == (80, np.count_nonzero(apart))
    assert found.deviation == pytest.approx(apart.std(ddof=1))
    assert found.d_z == pytest.approx(apart.mean() / apart.std(ddof=1))
    assert found.p_wilcoxon == found.p_holm == wilcoxon(apart)
    assert found.p_bootstrap < 0.01
    assert found.rank_biserial > 0.4


@pytest.mark.parametrize("sets", [20, 100])
def test_a_difference_that_is_not_there_is_found_at_5_percent(sets: int) -> None:
    rng = np.random.default_rng(2)
    below = {"bootstrap": 0, "wilcoxon": 0, "interval": 0}
    for seed in range(200):
        own = rng.beta(1.2, 2.8, (sets, 1))
        both = [rng.binomial(1, own, (sets, 2)).mean(axis=1) for _ in range(2)]
        apart = sums(both[0]).minus(sums(both[1]))
        below["bootstrap"] += bootstrap_shift([apart], 500, [(seed,)]) < 0.05
        below["wilcoxon"] += wilcoxon(apart.per_set[:, 0]) < 0.05
        below["interval"] += bootstrap_shift([apart], 500, [(seed,)]) < 0.5
    assert below["bootstrap"] <= 18  # 10 are expected, and 18 or fewer are seen in 99 of 100 such trials
    assert below["wilcoxon"] <= 18
    assert 70 <= below["interval"] <= 130  # half of all p values are below a half


def test_a_planted_difference_is_found_as_often_as_its_power_says() -> None:
    rng = np.random.default_rng(3)
    found = {"bootstrap": 0, "wilcoxon": 0}
    deviations = []
    for seed in range(200):
        own = rng.beta(1.2, 2.8, (100, 1))
        one, other = (rng.binomial(1, share, (100, 2)).mean(axis=1) for share in (own * 0.85 + 0.15, own))
        apart = sums(one).minus(sums(other))
        deviations.append(apart.per_set.std(ddof=1))
        found["bootstrap"] += bootstrap_shift([apart], 500, [(seed,)]) < 0.05
        found["wilcoxon"] += wilcoxon(apart.per_set[:, 0]) < 0.05
    expected = 200 * power(0.15 * (1 - 0.3), float(np.mean(deviations)), 100)
    assert 100 < expected < 180
    assert found["bootstrap"] == pytest.approx(expected, abs=20)
    assert found["wilcoxon"] == pytest.approx(expected, abs=20)


def test_among_many_equal_models_almost_none_differ() -> None:
    rng = np.random.default_rng(4)
    models = {f"m{n}": {task: made(task, hits(rng, 0.3, 50)) for task in TASK_NAMES} for n in range(4)}
    found = compare_models(models, resamples=1000)
    of_tasks, of_means = ([one for one in found if (one.task == "mean") is mean] for mean in (False, True))
    assert (len(of_tasks), len(of_means)) == (30, 6)
    assert not any(one.p_holm < 0.05 for one in found)
    assert [one.p_holm for one in of_tasks] == holm([one.p_wilcoxon for one in of_tasks])
    assert [one.p_holm for one in of_means] == holm([one.p_bootstrap for one in of_means])
    assert all(np.isnan(one.p_wilcoxon) and one.sets == 250 for one in of_means)
    better = {**models, "best": {task: made(task, hits(rng, 0.6, 50)) for task in TASK_NAMES}}
    found = [one for one in compare_models(better, resamples=1000) if one.second == "best" and one.task == "mean"]
    assert all(one.p_holm < 0.05 and one.difference.high < 0 for one in found)


def test_a_model_and_itself() -> None:
    scores = {"order": made("order", hits(np.random.default_rng(5), 0.4, 50))}
    (found,) = compare_models({"a": scores, "b": scores})
    assert (found.p_wilcoxon, found.p_bootstrap, found.differing) == (1.0, 1.0, 0)
    assert found.difference.low == pytest.approx(-0.0711, abs=1e-4)  # 0 of 50 sets differ, which others might
    assert found.to_json()["d_z"] is None


def test_models_share_only_some_tasks() -> None:
    values = hits(np.random.default_rng(6), 0.4, 20)
    found = compare_models({"a": {task: made(task, values) for task in TASK_NAMES}, "b": {"mix": made("mix", values)}})
    assert [one.task for one in found] == ["mix"]


def test_systems_of_the_scale_are_compared_with_models_alone() -> None:
    rng = np.random.default_rng(9)
    models = {name: {"mix": made("mix", hits(rng, 0.4, 20))} for name in ("m", "random", "oracle")}
    found = compare_models(models, scale=("random", "oracle"))
    assert [(one.first, one.second) for one in found] == [("m", "random"), ("m", "oracle")]
    del models["m"]
    assert len(compare_models(models, scale=("random", "oracle"))) == 1


def test_tasks_of_one_model() -> None:
    rng = np.random.default_rng(7)
    values = {task: rng.beta(a, 3, (60, 2)) for task, a in (("order", 1.0), ("overlap", 2.0), ("mix", 2.0))}
    found = {(one.first, one.second): one for one in compare_tasks("m", {task: made(task, v) for task, v in values.items()})}
    assert len(found) == 3
    test = found["order", "overlap"]
    ours, others = values["order"].mean(axis=1), values["overlap"].mean(axis=1)
    theirs = stats.mannwhitneyu(ours, others)
    assert (test.u, test.p) == (theirs.statistic, pytest.approx(theirs.pvalue))
    assert test.cliffs_delta == pytest.approx(np.sign(ours[:, None] - others[None, :]).mean())
    assert test.p_holm < 0.05 < found["overlap", "mix"].p_holm
    same = compare_tasks("m", {task: made(task, np.zeros((5, 2))) for task in ("order", "mix")})[0]
    assert (same.p, same.cliffs_delta) == (1.0, 0.0)


def test_wrong_input() -> None:
    with pytest.raises(EvaluationError, match="no score 'accuracy' can be compared"):
        compare_models({}, "accuracy")
    with pytest.raises(EvaluationError, match="different sets"):
        compare_models({name: {"mix": made("mix", np.zeros((n, 2)))} for name, n in (("a", 3), ("b", 4))})
