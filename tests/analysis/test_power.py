"""Power: statsmodels' and G*Power's numbers, and what simulated tests find."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from builders.errors import EvaluationError
from eval_harness.analysis.power import detectable, detectable_difference, power, queries_needed, sets_needed


@pytest.mark.parametrize(
    ("difference", "deviation", "sets", "expected"),
    [(0.1, 0.4, 100, 0.696980274054786), (0.05, 0.3, 10, 0.076018463347303), (0.5, 1, 30, 0.7539647157437906)],
)
def test_power_is_that_of_statsmodels(difference: float, deviation: float, sets: int, expected: float) -> None:
    """statsmodels 0.15.0: TTestPower().power(difference / deviation, sets, 0.05)."""
    assert power(difference, deviation, sets) == pytest.approx(expected, abs=1e-9)
    assert power(-difference, deviation, sets) == pytest.approx(expected, abs=1e-9)


def test_sets_are_those_of_g_power() -> None:
    """G*Power's tables for matched pairs (Faul et al. 2007): d_z 0.5 takes 34 pairs for 0.8, 0.2 takes 199, 0.8 takes 15."""
    assert [sets_needed(d, 1.0) for d in (0.2, 0.5, 0.8)] == [199, 34, 15]
    assert queries_needed(0.5, 1.0) == 68


def test_differences_and_sets_belong_together() -> None:
    found = detectable_difference(0.4, 100)
    assert found == pytest.approx(0.113165, abs=1e-6)  # statsmodels 0.15.0: solve_power(None, 100, 0.05, 0.8) * 0.4
    assert power(found, 0.4, 100) == pytest.approx(0.8, abs=1e-9)
    assert sets_needed(found + 1e-9, 0.4) == 100
    assert power(0.0, 0.4, 100) == pytest.approx(0.05)


def test_simulated_tests_find_as_much() -> None:
    rng = np.random.default_rng(1)
    difference = detectable_difference(0.4, 30)
    found = stats.ttest_1samp(rng.normal(difference, 0.4, (4000, 30)), 0, axis=1).pvalue < 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.02)


def test_what_a_task_shows_of_several_pairs() -> None:
    found = detectable("order", 100, [0.3, 0.4, 0.0, float("nan")])
    assert (found.pairs, found.deviation) == (2, pytest.approx(0.125**0.5))
    assert found.difference == pytest.approx(detectable_difference(0.125**0.5, 100))
    assert np.isnan(detectable("order", 100, [0.0]).difference)


def test_wrong_input() -> None:
    for call in (
        lambda: power(0.1, 0.4, 1),
        lambda: power(0.1, 0.0, 10),
        lambda: sets_needed(0.0, 0.4),
        lambda: sets_needed(1e-9, 0.4),
        lambda: detectable_difference(0.4, 10, wanted=0.01),
        lambda: detectable_difference(0.4, 10, alpha=0),
    ):
        with pytest.raises(EvaluationError):
            call()
