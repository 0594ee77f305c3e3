"""Holm's correction of p values for their number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def holm(p_values: Sequence[float]) -> list[float]:
    """The p values corrected so that among all of them a false one is below alpha with at most that probability.

    Holm (1979), "A simple sequentially rejective multiple test procedure": the k-th smallest of m, times m - k + 1, and none
    smaller than the ones before. NaN (a test that could not be made) stays NaN and does not count.
    """
    p = np.asarray(p_values, dtype=np.float64)
    made = np.flatnonzero(~np.isnan(p))
    order = made[np.argsort(p[made], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    corrected = p.copy()
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    return [float(one) for one in corrected]
