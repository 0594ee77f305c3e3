"""Which differences are more than chance: paired tests of models, tests of tasks, statistical power, as tables."""

from __future__ import annotations

import math
from collections.abc import Iterable

from builders.recipe import TASK_NAMES
from eval_harness.analysis.comparisons import MEAN, PairedComparison, TaskComparison
from eval_harness.analysis.power import ALPHA, POWER, detectable, queries_needed
from eval_harness.report.gather import Findings
from eval_harness.report.values import NONE, Cell, Column, Rows, Table, count, number, p_value, percent, share

ASKED = 0.05
"""The difference that the queries needed are told for."""


def pairs_table(findings: Findings, task: str) -> Table:
    """Every pair of models on a task, or on the mean of all: the difference and its tests."""
    found = [one for one in findings.pairs if one.task == task]
    on_mean = task == MEAN
    where = "the average of the five tasks" if on_mean else task.capitalize()
    test = "the bootstrap shift test" if on_mean else "Wilcoxon's signed-rank test over sets"
    columns = (
        Column("First", numeric=False),
        Column("Second", numeric=False),
        Column("Difference"),
        Column("Sets differing"),
        Column("p"),
        Column("p, Holm"),
        Column("Effect"),
    )
    effect = "Effect: Cohen's d_z" if on_mean else "Effect: rank-biserial correlation"
    caption = (
        f"Differences in accuracy on {where}, in percentage points, first minus second, with 95 % intervals; p by {test}, "
        f"and corrected over all {'pairs' if on_mean else 'pairs and tasks'}. {effect}."
    )
    return Table(f"pairs-{task}", caption, columns, (Rows(tuple(_pair(one) for one in found)),), True)


def tasks_table(findings: Findings) -> Table:
    """One model on pairs of tasks."""
    columns = (
        Column("Model", numeric=False),
        Column("First task", numeric=False),
        Column("Second task", numeric=False),
        Column("MRR@10, first"),
        Column("MRR@10, second"),
        Column("p"),
        Column("p, Holm"),
        Column("Cliff's delta"),
    )
    caption = "One model on two tasks: Mann and Whitney's test of sets' reciprocal ranks, corrected over a model's pairs."
    rows = tuple(_task_pair(one) for one in findings.task_pairs)
    return Table("task-pairs", caption, columns, (Rows(rows),), True)


def power_table(findings: Findings) -> Table:
    """What the corpus can show of models like these."""
    columns = (
        Column("Task", numeric=False),
        Column("Sets"),
        Column("Deviation"),
        Column("Smallest difference"),
        Column(f"Queries for {100 * ASKED:.0f} points"),
    )
    rows = []
    for task in (task for task in TASK_NAMES if any(one.task == task for one in findings.pairs)):
        own = [one for one in findings.pairs if one.task == task]
        found = detectable(task, own[0].sets, [one.deviation for one in own])
        if math.isnan(found.difference):
            rows.append((Cell(task.capitalize()), count(found.sets), Cell(NONE), Cell(NONE), Cell(NONE)))
            continue
        smallest = Cell(percent(found.difference), sort=found.difference)
        needed = count(queries_needed(ASKED, found.deviation))
        deviation = Cell(percent(found.deviation), sort=found.deviation)
        rows.append((Cell(task.capitalize()), count(found.sets), deviation, smallest, needed))
    caption = (
        "Statistical power: the smallest true difference between two models, in percentage points, that this corpus "
        f"shows with {100 * POWER:.0f} % power at {100 * ALPHA:.0f} %, and the queries a task would need to show one of "
        f"{100 * ASKED:.0f} points. Deviation: of the differences of sets, over these pairs of models, in points."
    )
    return Table("power", caption, columns, (Rows(tuple(rows)),))


def verdicts(found: Iterable[PairedComparison]) -> str:
    """How many pairs of models differ on the average."""
    pairs = [one for one in found if one.task == MEAN]
    told = sum(one.p_holm < ALPHA for one in pairs)
    if not pairs:
        return ""
    return f"{told} of {len(pairs)} pairs of models differ in their average accuracy (p, corrected by Holm, below {ALPHA:g})."


def _pair(one: PairedComparison) -> tuple[Cell, ...]:
    p, effect = (one.p_bootstrap, one.d_z) if one.task == MEAN else (one.p_wilcoxon, one.rank_biserial)
    told = "above" if one.p_holm < ALPHA else ""
    corrected = p_value(one.p_holm)
    return (
        Cell(one.first),
        Cell(one.second),
        share(one.difference),
        Cell(f"{one.differing:,} of {one.sets:,}", sort=float(one.differing)),
        p_value(p),
        Cell(corrected.text, sort=corrected.sort, mark=told),
        number(effect, 2),
    )


def _task_pair(one: TaskComparison) -> tuple[Cell, ...]:
    first, second = one.means
    return (
        Cell(one.model),
        Cell(one.first),
        Cell(one.second),
        Cell(percent(first), sort=first),
        Cell(percent(second), sort=second),
        p_value(one.p),
        p_value(one.p_holm),
        number(one.cliffs_delta, 2),
    )
