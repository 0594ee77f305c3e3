"""What difference between two models a corpus can show: the power of a paired t test, as in Webber, Moffat and Zobel (2008),
"Statistical power in retrieval experimentation" (CIKM).

The unit is the set of two twin queries; `deviation` is the standard deviation of the differences of the sets' values. Under a
true mean difference d of n sets, t has n - 1 degrees of freedom and noncentrality sqrt(n) d / deviation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy import optimize, stats

from builders.errors import EvaluationError

ALPHA = 0.05
POWER = 0.8
QUERIES_PER_SET = 2
_MOST_SETS = 100_000_000


@dataclass(frozen=True, slots=True)
class Detectable:
    """What a task's sets can show.

    Attributes:
        task: "negation", ...
        sets: how many it has.
        deviation: of the differences of pairs of models, their root mean square over the pairs.
        pairs: of models, that differ at all.
        difference: the smallest true difference that a test at `alpha` finds with `power`. NaN without a pair that differs.
        alpha, power: as asked.
    """

    task: str
    sets: int
    deviation: float
    pairs: int
    difference: float
    alpha: float = ALPHA
    power: float = POWER


def power(difference: float, deviation: float, sets: int, alpha: float = ALPHA) -> float:
    """The probability that a two-sided paired t test at `alpha` tells a true difference from 0.

    Raises:
        EvaluationError: fewer than 2 sets, or a deviation that is not above 0.
    """
    _require(deviation, sets, alpha)
    freedom = sets - 1
    limit = stats.t.ppf(1 - alpha / 2, freedom)
    shift = sets**0.5 * abs(difference) / deviation
    with np.errstate(invalid="ignore"):
        low = stats.nct.cdf(-limit, freedom, shift)
    return float(stats.nct.sf(limit, freedom, shift) + (0.0 if np.isnan(low) else low))  # NaN where it is too small to tell


def detectable_difference(deviation: float, sets: int, wanted: float = POWER, alpha: float = ALPHA) -> float:
    """The smallest true difference that is found with the power that is wanted; it may be more than a score can differ by.

    Raises:
        EvaluationError: as `power`; or the power wanted is not between alpha and 1.
    """
    _require(deviation, sets, alpha)
    _require_power(wanted, alpha)
    high = deviation / sets**0.5
    while power(high, deviation, sets, alpha) < wanted:
        high *= 2
    return float(optimize.brentq(lambda difference: power(difference, deviation, sets, alpha) - wanted, 0.0, high))


def sets_needed(difference: float, deviation: float, wanted: float = POWER, alpha: float = ALPHA) -> int:
    """The fewest sets with which a true difference is found with the power that is wanted; twice as many queries.

    Raises:
        EvaluationError: a difference or deviation that is not above 0, one that takes more than 100 million sets, or a power
            that is not between alpha and 1.
    """
    _require(deviation, 2, alpha)
    _require_power(wanted, alpha)
    if not difference > 0:
        raise EvaluationError(f"a difference of {difference} cannot be shown with any number of sets; give one above 0")
    low, high = 1, 2
    while power(difference, deviation, high, alpha) < wanted:
        low, high = high, high * 2
        if high > _MOST_SETS:
            raise EvaluationError(f"a difference of {difference} takes more than {_MOST_SETS:,} sets; give a larger one")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(difference, deviation, middle, alpha) >= wanted else (middle, high)
    return high


def queries_needed(difference: float, deviation: float, wanted: float = POWER, alpha: float = ALPHA) -> int:
    """The same in queries."""
    return QUERIES_PER_SET * sets_needed(difference, deviation, wanted, alpha)


def detectable(task: str, sets: int, deviations: Iterable[float], wanted: float = POWER, alpha: float = ALPHA) -> Detectable:
    """What a task's sets can show of models like those that were compared on it.

    Args:
        task: its name.
        sets: that it has.
        deviations: of the sets' differences, one for each pair of models; those of 0 or NaN tell nothing and are left out.
        wanted, alpha: power and level.
    """
    kept = np.array([one for one in deviations if one > 0])
    if not len(kept) or sets < 2:
        return Detectable(task, sets, float("nan"), 0, float("nan"), alpha, wanted)
    deviation = float(np.sqrt(np.mean(kept**2)))
    return Detectable(task, sets, deviation, len(kept), detectable_difference(deviation, sets, wanted, alpha), alpha, wanted)


def _require(deviation: float, sets: int, alpha: float) -> None:
    if sets < 2:
        raise EvaluationError(f"power takes at least 2 sets, not {sets}")
    if not deviation > 0:
        raise EvaluationError(f"power takes a standard deviation above 0, not {deviation}: have the models any differing set?")
    if not 0 < alpha < 1:
        raise EvaluationError(f"alpha {alpha}: give a number between 0 and 1")


def _require_power(wanted: float, alpha: float) -> None:
    if not alpha < wanted < 1:
        raise EvaluationError(f"power {wanted}: give a number between alpha ({alpha}) and 1")
