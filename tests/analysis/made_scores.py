"""Scores of a task made of numbers: sets of two queries whose hits, reciprocal ranks and foils are given."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike

from eval_harness.analysis.intervals import SetSums
from eval_harness.scores import HEADLINE, PER_QUERY, FoilScore, TaskScores


def made(
    task: str,
    values: ArrayLike,
    foils: Mapping[str, tuple[ArrayLike, ArrayLike]] | None = None,
    forms: int = 1,
) -> TaskScores:
    """Every score of query k of set i is `values[i, k]`; foils are kind -> (right, pairs), each of shape [sets, 2]."""
    table = np.asarray(values, dtype=np.float64)
    sets = len(table)
    names = [f"{task}-{number:03}" for number in range(sets)]
    columns: dict[str, list[object]] = {
        "query": [f"q{number:04}" for number in range(2 * sets)],
        "form": [f"{task}-{1 + number // 2 % forms}" for number in range(2 * sets)],
        "set": [names[number // 2] for number in range(2 * sets)],
        "twin": [f"q{number ^ 1:04}" for number in range(2 * sets)],
    }
    for column in PER_QUERY.values():
        columns[column] = table.ravel().tolist()
    counted = {}
    for kind, (right, pairs) in (foils or {}).items():
        columns[f"{kind}_right"] = np.asarray(right).ravel().tolist()
        columns[f"{kind}_pairs"] = np.asarray(pairs).ravel().tolist()
        counted[kind] = FoilScore(int(np.sum(pairs)), int(np.sum(right)))
    scores = dict.fromkeys(HEADLINE, float(table.mean())) | {"twins": float(table.min(axis=1).mean())}
    return TaskScores(task, "task", 200, scores, {}, counted, pa.table(columns))


def hits(rng: np.random.Generator, share: float, sets: int, likeness: float = 4.0) -> np.ndarray:
    """Hits of twin queries that are alike: each set has a share of its own, by a beta distribution around `share`."""
    own = rng.beta(share * likeness, (1 - share) * likeness, sets)
    return rng.binomial(1, own[:, None], (sets, 2)).astype(np.float64)


def sums(per_set: ArrayLike) -> SetSums:
    """One score "s" with two queries a set, whose mean is given."""
    column = np.asarray(per_set, dtype=np.float64)[:, None]
    none = ("",) * len(column)
    return SetSums(tuple(f"{n:03}" for n in range(len(column))), none, ("s",), 2 * column, np.full_like(column, 2.0))
