"""Intervals of what is measured of embeddings: means over sets, and functions of totals that are no means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from eval_harness.analysis.intervals import LEVEL, RESAMPLES, Floats, Interval, SetSums, bootstrap, draws_of_sets

Statistic = Callable[[Floats], Floats]
"""Totals, shape [..., k] -> the statistic, shape [...]."""

_NORMAL_95 = 1.959964


def grouped(sets: Sequence[str], rows: Floats) -> Floats:
    """Rows summed for each set, in the order of the sets' names, shape [sets, k]."""
    _, place = np.unique(np.asarray(sets), return_inverse=True)
    found = np.zeros((int(place.max()) + 1 if len(place) else 0, rows.shape[1]))
    np.add.at(found, place, rows)
    return found


def mean_interval(sums: Floats, counts: Floats, least: float, most: float, draws: int = RESAMPLES, seed: int = 0) -> Interval:
    """The interval of total sum over total count (`intervals.bootstrap`), sets drawn with replacement.

    Args:
        sums: of each set, shape [sets], of values in [least, most].
        counts: how many values each set has, shape [sets].
        least, most: the bounds of values.
        draws: resamples.
        seed: of the draws.
    """
    none = ("",) * len(sums)
    sets = SetSums(none, none, ("mean",), sums[:, None], counts[:, None], least, most)
    return bootstrap(sets, draws, seed)["mean"]


def totals_interval(parts: Floats, statistic: Statistic, draws: int = RESAMPLES, seed: int = 0) -> Interval:
    """A statistic of the corpus and its percentile interval (Efron and Tibshirani 1993, chapter 13), sets drawn with replacement.

    For statistics of totals that are no means. NaN limits where there is one set, or none in which the statistic is defined.

    Args:
        parts: what each set adds to each total, shape [sets, k].
        statistic: of the totals.
        draws: resamples.
        seed: of the draws; equal for equal numbers of sets, so that statistics of the same sets are drawn together.
    """
    value = float(statistic(parts.sum(axis=0)))
    if len(parts) < 2 or np.isnan(value):
        return Interval(value, np.nan, np.nan)
    drawn = statistic(draws_of_sets(len(parts), draws, seed) @ parts)
    drawn = drawn[np.isfinite(drawn)]
    if not len(drawn):
        return Interval(value, np.nan, np.nan)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(value, float(low), float(high))


def jackknife(left_out: Floats, value: float) -> Interval:
    """The normal interval from the statistic with each set left out in turn (Efron and Tibshirani 1993, chapter 11).

    For statistics of pairs across sets, where a set drawn twice would be a pair with itself.

    Args:
        left_out: the statistic without each set, shape [sets].
        value: with all.
    """
    sets = len(left_out)
    if sets < 2 or not np.isfinite(left_out).all():
        return Interval(value, np.nan, np.nan)
    error = float(np.sqrt((sets - 1) / sets * ((left_out - left_out.mean()) ** 2).sum()))
    return Interval(value, value - _NORMAL_95 * error, value + _NORMAL_95 * error)
