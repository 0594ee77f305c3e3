"""Two models on the same sets, and one model on two tasks: tests, effect sizes, Holm's correction.

The unit is the set: its value is the mean of a score over its two queries (for `twins`, whether both are right).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.analysis.holm import holm
from eval_harness.analysis.intervals import LEVEL, RESAMPLES, Floats, Interval, SetSums, bootstrap_mean, resampled, score_sums
from eval_harness.scores import HEADLINE, MAIN_SCORE, TaskScores

MEAN = "mean"
"""Stands for a task where all five are compared at once, each weighing the same."""


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two models on the same sets of a task. Numbers that cannot be computed are NaN.

    Attributes:
        task: its name, or `MEAN` (only the bootstrap and d_z of the pooled sets are then given).
        score: what was compared.
        first, second: the models.
        sets: how many.
        differing: sets that the two do not score the same.
        difference: first minus second, with its bootstrap interval.
        deviation: standard deviation of the sets' differences (n - 1 below the line).
        p_bootstrap: of the bootstrap-shift test that the difference is 0 (Noreen 1989; Smucker, Allan and Carterette 2007),
            two-sided.
        p_wilcoxon: of Wilcoxon's signed-rank test, two-sided; 1 where no sets differ.
        p_holm: p_wilcoxon (of `MEAN`: p_bootstrap) corrected over all comparisons that were made with it.
        rank_biserial: the matched-pairs rank-biserial correlation (Kerby 2014): (W+ - W-) / (W+ + W-), from -1 to 1.
        d_z: Cohen's: the mean difference in standard deviations of the differences.
    """

    task: str
    score: str
    first: str
    second: str
    sets: int
    differing: int
    difference: Interval
    deviation: float
    p_bootstrap: float
    p_wilcoxon: float
    p_holm: float
    rank_biserial: float
    d_z: float

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`; None for NaN."""
        plain = {name: None if value != value else value for name, value in asdict(self).items()}
        return plain | {"difference": self.difference.to_json()}


@dataclass(frozen=True, slots=True)
class TaskComparison:
    """One model on two tasks, whose sets are others.

    Attributes:
        model, score: what was compared.
        first, second: the tasks.
        means: of the sets, in both.
        u: Mann and Whitney's U of the first task.
        p: two-sided, with the correction for ties.
        p_holm: the same, corrected over all comparisons that were made with it.
        cliffs_delta: how much oftener a set of the first task has the higher value than the lower one, over all pairs of sets:
            2 U / (n m) - 1, which is also the rank-biserial correlation.
    """

    model: str
    score: str
    first: str
    second: str
    means: tuple[float, float]
    u: float
    p: float
    p_holm: float
    cliffs_delta: float

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        return asdict(self)


def require_score(score: str) -> None:
    """Raises EvaluationError unless it is one of `HEADLINE`."""
    if score not in HEADLINE:
        raise EvaluationError(f"no score {score!r} can be compared; there are {', '.join(HEADLINE)}")


def compare_models(
    models: Mapping[str, Mapping[str, TaskScores]],
    score: str = MAIN_SCORE,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = LEVEL,
    scale: Collection[str] = (),
) -> tuple[PairedComparison, ...]:
    """Every pair of models on every task that both have; and on the mean where both have all five.

    Holm's correction runs over all comparisons of tasks, and apart from these over all of means.

    Args:
        models: name -> task -> scores.
        score: one of `HEADLINE`.
        resamples, seed, level: of the bootstrap. The same sets are drawn for every pair.
        scale: names of systems of the scale. Each is compared with the models, and not with the others of the scale, unless
            there is nothing else: each test more costs all of them power.

    Raises:
        EvaluationError: there is no such score, or two models were scored on different sets.
    """
    pairs = list(combinations(models, 2))
    return compare_pairs(models, [pair for pair in pairs if not set(pair) <= set(scale)] or pairs, score, resamples, seed, level)


def compare_pairs(
    models: Mapping[str, Mapping[str, TaskScores]],
    pairs: Iterable[tuple[str, str]],
    score: str = MAIN_SCORE,
    resamples: int = RESAMPLES,
    seed: int = 0,
    level: float = LEVEL,
) -> tuple[PairedComparison, ...]:
    """As `compare_models`, of the given pairs of names alone."""
    require_score(score)
    sums = {name: {task: score_sums(one).only(score) for task, one in tasks.items()} for name, tasks in models.items()}
    single: list[PairedComparison] = []
    means: list[PairedComparison] = []
    for first, second in pairs:
        both = [task for task in TASK_NAMES if task in sums[first] and task in sums[second]]
        apart = {task: sums[first][task].minus(sums[second][task]) for task in both}
        seeds = {task: (seed, TASK_NAMES.index(task)) for task in both}
        for task in both:
            single.append(_paired((task, score, first, second), [apart[task]], [seeds[task]], resamples, level))
        if len(both) == len(TASK_NAMES):
            parts = [apart[task] for task in both]
            means.append(_paired((MEAN, score, first, second), parts, [seeds[task] for task in both], resamples, level))
    for family, name in ((single, "p_wilcoxon"), (means, "p_bootstrap")):
        corrected = holm([getattr(one, name) for one in family])
        family[:] = [replace(one, p_holm=p) for one, p in zip(family, corrected, strict=True)]
    return (*single, *means)


def _paired(
    names: tuple[str, str, str, str], parts: Sequence[SetSums], seeds: Sequence[Any], resamples: int, level: float
) -> PairedComparison:
    per_set = [part.per_set[:, 0] for part in parts]
    values = np.concatenate(per_set)
    values[np.abs(values) < 1e-12] = 0.0  # equal scores may differ in their last bits
    alone = len(parts) == 1
    deviation = float(values.std(ddof=1)) if len(values) > 1 else float("nan")
    return PairedComparison(
        *names,
        sets=len(values),
        differing=int(np.count_nonzero(values)),
        difference=bootstrap_mean(parts, resamples, seeds, level)[names[1]],
        deviation=deviation,
        p_bootstrap=bootstrap_shift(parts, resamples, seeds),
        p_wilcoxon=wilcoxon(values) if alone else float("nan"),
        p_holm=float("nan"),
        rank_biserial=rank_biserial(values) if alone else float("nan"),
        d_z=float(values.mean()) / deviation if deviation > 0 else float("nan"),
    )


def bootstrap_shift(parts: Sequence[SetSums], resamples: int = RESAMPLES, seeds: Sequence[Any] | None = None) -> float:
    """Two-sided p value that the mean over `parts` (each of one difference) is 0, by the bootstrap-shift test.

    How often a resample's mean is as far from the observed mean as this is from 0. The draws' deviations are stretched as the
    limits of `intervals` are: by sqrt(n / (n - 1)), as those of n sets come out too small by that, and by Student's t over the
    normal at 95 %. One is added above and below the line, so it is never 0.
    """
    drawn = np.zeros(resamples)
    freedom = sum(len(part.sets) - 1 for part in parts)
    wide = float(stats.t.ppf(0.975, freedom) / stats.norm.ppf(0.975)) if freedom else 1.0
    for part, seed in zip(parts, seeds or range(len(parts)), strict=True):
        number = len(part.sets)
        stretch = wide * (number / (number - 1)) ** 0.5 if number > 1 else 1.0
        drawn += stretch * (resampled(part, resamples, seed)[:, 0] - part.values[0]) / len(parts)
    observed = abs(float(np.mean([part.values[0] for part in parts])))
    if observed < 1e-12:
        return 1.0
    return float((np.abs(drawn) >= observed - 1e-12).sum() + 1) / (resamples + 1)


def wilcoxon(differences: Iterable[float]) -> float:
    """Two-sided p value of Wilcoxon's signed-rank test of paired differences.

    Sets without a difference are left out (Wilcoxon's own way, scipy's `zero_method="wilcox"`): they say nothing of a direction.
    Exact, also with ties, which hits have many of: the distribution of the sum of positive ranks over all signs, of the midranks
    at hand. scipy's is that without ties, and else approximates, or tries all signs one by one.
    """
    values = np.asarray(list(differences), dtype=np.float64)
    values = values[values != 0]
    doubled = np.rint(2 * stats.rankdata(np.abs(values))).astype(np.int64)  # midranks are whole or half
    total = int(doubled.sum())
    chance = np.zeros(total + 1)
    chance[0] = 1.0
    for rank in doubled:
        chance[rank:] = chance[rank:] / 2 + chance[: total + 1 - rank] / 2
        chance[:rank] /= 2
    positive = int(doubled[values > 0].sum())
    return float(min(1.0, 2 * chance[: min(positive, total - positive) + 1].sum()))  # the distribution is symmetric


def rank_biserial(differences: Iterable[float]) -> float:
    """Kerby's (2014) matched-pairs rank-biserial correlation: (W+ - W-) / (W+ + W-) of the differing pairs; 0 without any."""
    values = np.asarray(list(differences), dtype=np.float64)
    values = values[values != 0]
    if not len(values):
        return 0.0
    ranks = stats.rankdata(np.abs(values))
    return float((ranks * np.sign(values)).sum() / ranks.sum())


def compare_tasks(model: str, tasks: Mapping[str, TaskScores], score: str = "mrr_at_10") -> tuple[TaskComparison, ...]:
    """Every pair of a model's tasks, by the Mann-Whitney U test on their sets' values; Holm's correction over the pairs.

    Args:
        model: its name.
        tasks: task -> scores.
        score: one of `HEADLINE`; reciprocal ranks say more than hits.

    Raises:
        EvaluationError: there is no such score.
    """
    require_score(score)
    values: dict[str, Floats] = {task: score_sums(one).of(score) for task, one in tasks.items()}
    found = []
    for first, second in combinations([task for task in TASK_NAMES if task in values], 2):
        one, other = values[first], values[second]
        test = stats.mannwhitneyu(one, other, alternative="two-sided", method="auto")
        same = np.ptp(np.concatenate([one, other])) == 0
        found.append(
            TaskComparison(
                model,
                score,
                first,
                second,
                (float(one.mean()), float(other.mean())),
                float(test.statistic),
                1.0 if same else float(test.pvalue),
                float("nan"),
                float(2 * test.statistic / (len(one) * len(other)) - 1),
            )
        )
    corrected = holm([one.p for one in found])
    return tuple(replace(one, p_holm=p) for one, p in zip(found, corrected, strict=True))
