"""The tables of scores: the leaderboard, other measures, accuracy inside the set, twins, forms."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from builders.recipe import TASK_NAMES
from eval_harness.analysis.intervals import Interval
from eval_harness.report.gather import Chance, Entry, Findings
from eval_harness.report.values import Cell, Column, Rows, Table, comma_separated, percent, share
from eval_harness.scores import MAIN_SCORE

SCOPES = {
    "task": "A query searches the clips of its own task",
    "all": "A query searches the clips of all tasks, as in the paper",
}
MEANINGS = {
    "hit_rate_at_1": ("Accuracy", "share of queries for which a relevant clip ranks first (hit rate at 1)"),
    "ndcg_at_10": ("nDCG@10", "how many of the ten best are relevant, those ranked higher weighing more; 100 is ideal"),
    "map": ("MAP", "mean average precision over the whole ranking"),
    "mrr_at_10": ("MRR@10", "mean of 1 / rank of the first relevant clip, 0 beyond rank 10"),
    "recall_at_10": ("R@10", "share of the relevant clips that are among the ten best"),
    "in_set": (
        "In set",
        "share of queries for which the best of the set's own clips is relevant: matching no longer helps there",
    ),
    "twins": (
        "Twins",
        "share of sets for both of whose queries a relevant clip ranks first: right about the relation, not by luck",
    ),
}
"""Name of a score -> its heading, and what it means."""
TASKS = {
    "negation": "a sound must be absent",
    "order": "which sound comes first",
    "overlap": "which sounds are heard together",
    "duration": "which sound lasts longer, or how long",
    "mix": "two of these at once",
}
"""Task -> what it asks."""
_SCALE = "The scale: what a number means, competing with nobody"
_MEAN = "Average"


def leaderboard(findings: Findings, scope: str) -> Table:
    """Accuracy of every model on every task, and the average."""
    return by_task(findings, scope, MAIN_SCORE, "leaderboard", lambda chance: chance.hit)


def by_task(findings: Findings, scope: str, score: str, name: str, chance: Callable[[Chance], float]) -> Table:
    """One score of every model on every task, and its mean; below them the scale, and what a random order gives."""
    title, _ = MEANINGS[score]
    models = findings.models(scope)
    best = [_best([one.score(task, score) for one in models]) for task in TASK_NAMES]
    best.append(_best([one.mean[score] if one.mean else None for one in models]))
    rows = tuple(_row(one, score, best) for one in models)
    scale = [_row(one, score, [None] * 6) for one in findings.scale(scope)]
    scale.append(
        _chance_row([chance(findings.chance[scope][task]) if task in findings.tasks else math.nan for task in TASK_NAMES])
    )
    columns = (
        Column("Model", numeric=False),
        *(Column(task.capitalize(), TASKS[task]) for task in TASK_NAMES),
        Column(_MEAN, "mean of the five tasks, each weighing the same"),
    )
    caption = f"{title} in %, with 95 % intervals. {SCOPES[scope]}."
    return Table(f"{name}-{scope}", caption, columns, (Rows(rows), Rows(tuple(scale), _SCALE, True)), True)


def measures(findings: Findings, scope: str) -> Table:
    """All measures of every model, as means over the five tasks."""
    shown = tuple(MEANINGS)
    models = [one for one in findings.models(scope) if one.mean]
    best = [_best([one.mean[name] for one in models if one.mean]) for name in shown]
    groups = (
        Rows(tuple(_measure_row(one, shown, best) for one in models)),
        Rows(tuple(_measure_row(one, shown, [None] * len(shown)) for one in findings.scale(scope) if one.mean), _SCALE, True),
    )
    columns = (Column("Model", numeric=False), *(Column(*MEANINGS[name]) for name in shown))
    caption = f"All measures in %, mean of the five tasks, with 95 % intervals. {SCOPES[scope]}."
    return Table(f"measures-{scope}", caption, columns, groups, True)


def forms(findings: Findings, task: str, scope: str) -> Table:
    """Accuracy of every model on every form of a task."""
    names = sorted({form for one in findings.scopes[scope] if task in one.tasks for form in one.tasks[task].forms})
    columns = (Column("Model", numeric=False), *(Column(name) for name in names))

    def rows(entries: Iterable[Entry]) -> tuple[tuple[Cell, ...], ...]:
        return tuple(
            (Cell(one.name), *(share(one.tasks[task].forms[form][MAIN_SCORE]) for form in names))
            for one in entries
            if task in one.tasks
        )

    groups = (Rows(rows(findings.models(scope))), Rows(rows(findings.scale(scope)), _SCALE, True))
    caption = f"Accuracy by form of {task.capitalize()} in %, with 95 % intervals. {SCOPES[scope]}."
    return Table(f"forms-{task}-{scope}", caption, columns, groups, True)


def leaderboard_csv(findings: Findings) -> str:
    """The leaderboard of all scopes: one line a model, the same numbers as in the table, limits in columns of their own."""
    header = ["model", "revision", "scope", "scale"]
    for name in (*TASK_NAMES, "average"):
        header += [name, f"{name}_low", f"{name}_high"]
    rows = []
    for scope, entries in findings.scopes.items():
        for one in entries:
            row = [one.name, one.result.revision, scope, "yes" if one.is_scale else "no"]
            for interval in (*(one.score(task) for task in TASK_NAMES), one.mean[MAIN_SCORE] if one.mean else None):
                row += (
                    ["", "", ""]
                    if interval is None
                    else [percent(value) for value in (interval.value, interval.low, interval.high)]
                )
            rows.append(row)
    return comma_separated(header, rows)


def _row(entry: Entry, score: str, best: Sequence[float | None]) -> tuple[Cell, ...]:
    found = [*(entry.score(task, score) for task in TASK_NAMES), entry.mean[score] if entry.mean else None]
    return (Cell(entry.name), *(share(one, _mark(one, top)) for one, top in zip(found, best, strict=True)))


def _measure_row(entry: Entry, names: Sequence[str], best: Sequence[float | None]) -> tuple[Cell, ...]:
    assert entry.mean is not None
    found = [entry.mean[name] for name in names]
    return (Cell(entry.name), *(share(one, _mark(one, top)) for one, top in zip(found, best, strict=True)))


def _chance_row(values: Sequence[float]) -> tuple[Cell, ...]:
    every = [*values, float(np.mean(values))]
    return (
        Cell("a random order, exactly"),
        *(Cell(percent(value), sort=None if math.isnan(value) else value) for value in every),
    )


def _best(found: Sequence[Interval | None]) -> float | None:
    """The highest value, where there are several to compare."""
    values = [one.value for one in found if one is not None and not math.isnan(one.value)]
    return max(values) if len(values) > 1 else None


def _mark(interval: Interval | None, best: float | None) -> str:
    """Equal as shown is equal."""
    return "best" if interval is not None and best is not None and percent(interval.value) == percent(best) else ""
