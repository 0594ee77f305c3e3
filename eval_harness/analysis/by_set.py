"""Intervals of anything that is a function of totals over queries, clips or pairs: whole sets are drawn again.

Twin queries share their clips, so that the sets of a corpus are independent of each other and what is inside them is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
"""Totals, shape [..., k] -> the statistic, shape [...]."""

DRAWS = 10_000
LEVEL = 0.95
_NORMAL_95 = 1.959964


@dataclass(frozen=True, slots=True)
class Interval:
    """A value and where it may lie; NaN where there are too few sets to tell."""

    value: float
    low: float
    high: float
    level: float = LEVEL


def ratio(totals: Floats) -> Floats:
    """The first total over the second: a mean."""
    return np.asarray(np.divide(totals[..., 0], totals[..., 1], out=np.full(totals.shape[:-1], np.nan), where=totals[..., 1] > 0))


def bootstrap(parts: Floats, statistic: Statistic = ratio, draws: int = DRAWS, seed: int = 0) -> Interval:
    """The statistic of the corpus and its percentile interval (Efron and Tibshirani 1993, chapter 13), sets drawn with replacement.

    Args:
        parts: what each set adds to each total, shape [sets, k].
        statistic: of the totals; by default the first over the second.
        draws: resamples.
        seed: of the draws; equal for equal numbers of sets, so that statistics of the same sets are drawn together.
    """
    value = float(statistic(parts.sum(axis=0)))
    if len(parts) < 2:
        return Interval(value, np.nan, np.nan)
    drawn = statistic(_counts(len(parts), draws, seed) @ parts)
    drawn = drawn[np.isfinite(drawn)]
    if not len(drawn):
        return Interval(value, np.nan, np.nan)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(value, float(low), float(high))


@lru_cache(maxsize=4)
def _counts(sets: int, draws: int, seed: int) -> NDArray[np.float64]:
    """How often each set is in each resample, shape [draws, sets]."""
    rng = np.random.default_rng([seed, sets])
    return rng.multinomial(sets, np.full(sets, 1 / sets), size=draws).astype(np.float64)


def jackknife(left_out: Floats, value: float) -> Interval:
    """The normal interval from the statistic with each set left out in turn (Efron and Tibshirani 1993, chapter 11).

    For statistics of pairs across sets, where a set drawn twice would be a pair with itself.
    """
    sets = len(left_out)
    if sets < 2:
        return Interval(value, np.nan, np.nan)
    error = float(np.sqrt((sets - 1) / sets * ((left_out - left_out.mean()) ** 2).sum()))
    return Interval(value, value - _NORMAL_95 * error, value + _NORMAL_95 * error)


def grouped(sets: Sequence[str], rows: Floats) -> Floats:
    """Rows summed for each set, in the order of the sets' names, shape [sets, k]."""
    _, place = np.unique(np.asarray(sets), return_inverse=True)
    found = np.zeros((int(place.max()) + 1 if len(place) else 0, rows.shape[1]))
    np.add.at(found, place, rows)
    return found


def to_json(interval: Interval) -> dict[str, float | None]:
    """Plain values; None for NaN."""
    values = {"value": interval.value, "low": interval.low, "high": interval.high, "level": interval.level}
    return {name: float(value) if np.isfinite(value) else None for name, value in values.items()}
