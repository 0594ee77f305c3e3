"""Whether listeners agree with each other: Krippendorff's alpha of their verdicts.

alpha = 1 - D_o / D_e for nominal values (Hayes and Krippendorff 2007, "Answering the call for a standard reliability measure for
coding data"; Krippendorff 2011, "Computing Krippendorff's alpha-reliability"): 1 is full agreement, 0 what chance gives. Units
are the (query, clip) pairs that two listeners or more judged; "cannot tell" is no verdict.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from builders.recipe import TASK_NAMES
from eval_harness.analysis.intervals import LEVEL, RESAMPLES, Floats, Interval, draws_of_sets
from eval_harness.listening.judged import Judged

_VERDICTS = ("fits", "not")


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far listeners agree.

    Attributes:
        alpha: with the percentile interval of a bootstrap that draws sets (within each task), NaN where all draws are the same,
            as with one set or in full agreement; all NaN where alpha is not defined.
        pairs: judged by two listeners or more.
        listeners: who judged any of these.
        why_not: why there is no alpha; "" where there is.
    """

    alpha: Interval
    pairs: int
    listeners: int
    why_not: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        return {**self.alpha.to_json(), "pairs": self.pairs, "listeners": self.listeners, "why_not": self.why_not}


def agreement(found: Iterable[Judged], resamples: int = RESAMPLES, seed: int = 0) -> dict[str, Agreement]:
    """Task -> agreement in its pairs, and "all" -> in all pairs; of the mode "judge". Empty if nothing was judged so."""
    units: dict[str, dict[str, dict[tuple[str, str], dict[str, str]]]] = {}
    for one in found:
        if one.mode == "judge" and one.trial.kind == "asked" and one.query:
            sets = units.setdefault(one.query.task, defaultdict(lambda: defaultdict(dict)))
            for clip, answer in one.answers.items():
                if answer.verdict in _VERDICTS:
                    sets[one.query.set][one.query.id, clip][one.listener] = answer.verdict
    tasks = [task for task in TASK_NAMES if task in units]
    told = {task: _of({task: units[task]}, resamples, seed) for task in tasks}
    return told | ({"all": _of({task: units[task] for task in tasks}, resamples, seed)} if tasks else {})


_Units = Mapping[str, Mapping[str, Mapping[tuple[str, str], Mapping[str, str]]]]
"""Task -> set -> (query, clip) -> listener -> verdict."""


def _of(units: _Units, resamples: int, seed: int) -> Agreement:
    import krippendorff

    several: list[Mapping[str, str]] = []
    parts: list[tuple[tuple[int, int], Floats]] = []
    for task, sets in units.items():
        of_sets = []
        for name in sorted(sets):
            own = [verdicts for verdicts in sets[name].values() if len(verdicts) > 1]
            several += own
            if own:
                of_sets.append(sum((coincidences(_counts(verdicts)) for verdicts in own), np.zeros((2, 2))))
        if of_sets:
            parts.append(((seed, TASK_NAMES.index(task)), np.array(of_sets)))
    listeners = len({name for verdicts in several for name in verdicts})
    none = Interval(float("nan"), float("nan"), float("nan"))
    if not several:
        return Agreement(none, 0, 0, "no clip was judged by two listeners")
    counts = np.array([_counts(verdicts) for verdicts in several])
    if not counts.sum(axis=0).all():
        only = _VERDICTS[int(np.argmax(counts.sum(axis=0)))]
        said = "fits" if only == "fits" else "does not fit"
        return Agreement(none, len(several), listeners, f"all verdicts are {said!r}, so that chance agrees as well")
    value = float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))
    drawn = sum(
        (np.tensordot(draws_of_sets(len(sums), resamples, own_seed), sums, axes=1) for own_seed, sums in parts),
        np.zeros((resamples, 2, 2)),
    )
    alphas = alpha_of(drawn)
    alphas = alphas[~np.isnan(alphas)]
    if not len(alphas) or np.ptp(alphas) < 1e-12:
        return Agreement(Interval(value, float("nan"), float("nan")), len(several), listeners)
    low, high = np.quantile(alphas, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]).tolist()
    return Agreement(Interval(value, min(low, value), max(high, value)), len(several), listeners)


def _counts(verdicts: Mapping[str, str]) -> Sequence[int]:
    said = list(verdicts.values())
    return [said.count(verdict) for verdict in _VERDICTS]


def coincidences(counts: Sequence[int]) -> Floats:
    """A unit's part of the coincidence matrix: its ordered pairs of values of different listeners, over its values less one."""
    row = np.asarray(counts, dtype=np.float64)
    found: Floats = (np.outer(row, row) - np.diag(row)) / (row.sum() - 1)
    return found


def alpha_of(matrices: Floats) -> Floats:
    """Nominal alpha of coincidence matrices, shape [n, values, values]; NaN where one value alone stands in it."""
    margins = matrices.sum(axis=2)
    total = margins.sum(axis=1)
    different = total - np.trace(matrices, axis1=1, axis2=2)
    by_chance = total**2 - (margins**2).sum(axis=1)
    ratio = np.divide((total - 1) * different, by_chance, out=np.full_like(total, np.nan), where=by_chance > 0)
    return np.asarray(1 - ratio, dtype=np.float64)
