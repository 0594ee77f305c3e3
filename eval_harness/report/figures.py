"""The figures of scores: bars of accuracy per task, shares of pairs by foil kind."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from builders.recipe import TASK_NAMES
from eval_harness.analysis.foils import NOTHING, OUTSIDE, UNTOLD, FoilShare
from eval_harness.analysis.intervals import Interval
from eval_harness.report.drawing import Theme, new_figure
from eval_harness.report.foil_tables import analysed, confusion_of
from eval_harness.report.gather import Entry, Findings
from eval_harness.report.values import percent
from eval_harness.scores import MAIN_SCORE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LONGEST = 34
"""Letters of a model's name in a line of a figure."""
_HATCHES = ("", "///", "...")
"""So that neighbours in a bar can be told apart without colour."""


def accuracy_figure(findings: Findings, scope: str, theme: Theme) -> Figure:
    """A panel for each task and one for the average; in each a bar for every model and system of the scale."""
    entries = [one for one in findings.scopes[scope] if not one.result.model.endswith("/oracle")]
    panels = [(task.capitalize(), [one.score(task) for one in entries], task) for task in TASK_NAMES if task in findings.tasks]
    if any(one.mean for one in entries):
        panels.append(("Average", [one.mean[MAIN_SCORE] if one.mean else None for one in entries], ""))
    columns = min(3, len(panels))
    lines = math.ceil(len(panels) / columns)
    figure = new_figure(2.6 + 2.5 * columns, lines * (0.75 + 0.27 * len(entries)) + 0.2)
    axes = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
    top = _top([one for _, found, _ in panels for one in found])
    for axis, (title, found, task) in zip(axes.flat, panels, strict=False):
        chance = (
            findings.chance[scope][task].hit if task else float(np.mean([one.hit for one in findings.chance[scope].values()]))
        )
        bars(axis, entries, found, chance, theme)
        axis.set_title(title, loc="left", fontsize=10, fontweight="bold")
        axis.set_xlim(0, top)
        axis.xaxis.set_major_formatter(lambda value, at: f"{100 * value:g}")
    for axis in axes.flat[len(panels) :]:
        axis.remove()
    figure.supxlabel("accuracy in % (bars: 95 % intervals; dotted: a random order)", fontsize=9, color=theme.soft)
    return figure


def task_figure(findings: Findings, task: str, scope: str, theme: Theme) -> Figure:
    """The bars of one task, with the oracle."""
    entries = [one for one in findings.scopes[scope] if task in one.tasks]
    figure = new_figure(7.2, 0.8 + 0.3 * len(entries))
    axis = figure.subplots()
    found = [one.score(task) for one in entries]
    bars(axis, entries, found, findings.chance[scope][task].hit, theme)
    axis.set_xlim(0, _top(found))
    axis.xaxis.set_major_formatter(lambda value, at: f"{100 * value:g}")
    axis.set_xlabel("accuracy in % (bars: 95 % intervals; dotted: a random order)")
    return figure


def bars(axis: Axes, entries: Sequence[Entry], found: Sequence[Interval | None], chance: float, theme: Theme) -> None:
    """One bar for each model, the first at the top, with its interval and value; the scale in grey and hatched."""
    places = -np.arange(len(entries), dtype=float)
    for place, entry, one in zip(places, entries, found, strict=True):
        if one is None:
            axis.annotate("not run", (0, place), (3, 0), textcoords="offset points", va="center", fontsize=8, color=theme.soft)
            continue
        colour = theme.scale if entry.is_scale else theme.model
        hatch = "////" if entry.is_scale else ""
        axis.barh(place, one.value, height=0.62, color=colour, alpha=0.85, hatch=hatch, edgecolor=theme.ground, linewidth=0)
        axis.plot([one.low, one.high], [place] * 2, color=theme.text, linewidth=1.1)
        axis.annotate(
            percent(one.value), (max(one.high, one.value), place), (4, 0), textcoords="offset points", va="center", fontsize=7.5,
            color=theme.text,
        )  # fmt: skip
    axis.axvline(chance, color=theme.chance, linewidth=1.1, linestyle=":")
    axis.set_yticks(places, [short(one.name) for one in entries])
    axis.set_ylim(places[-1] - 0.6, 0.6)
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="x")


def foil_figure(shares: Sequence[tuple[Entry, Sequence[FoilShare]]], task: str, theme: Theme) -> Figure:
    """For each foil kind of a task the share of pairs that every model ranks the right way round, against one half.

    Args:
        shares: models with their `FoilShare`s of the task.
        task: "negation", ...
        theme: the colours.
    """
    kinds = list(dict.fromkeys(one.kind for _, found in shares for one in found))
    columns = len(kinds) if len(kinds) <= 4 else 3
    lines = math.ceil(len(kinds) / columns)
    figure = new_figure(2.6 + min(2.3 * columns, 7.4), lines * (0.7 + 0.25 * len(shares)) + 0.2)
    axes = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
    places = -np.arange(len(shares), dtype=float)
    for axis, kind in zip(axes.flat, kinds, strict=False):
        axis.axvline(0.5, color=theme.chance, linewidth=1.1, linestyle=":")
        for place, (entry, found) in zip(places, shares, strict=True):
            one = next((one for one in found if one.kind == kind), None)
            if one is None:
                continue
            colour = theme.scale if entry.is_scale else theme.model
            axis.plot([one.interval.low, one.interval.high], [place] * 2, color=colour, linewidth=1.8)
            told = one.verdict != UNTOLD
            axis.plot(
                [one.share], [place], marker="o", markersize=5.5, color=colour, markerfacecolor=colour if told else theme.ground
            )
        axis.set_title(kind, loc="left", fontsize=9.5, fontweight="bold")
        axis.set_xlim(-0.03, 1.03)
        axis.set_yticks(places, [short(entry.name) for entry, _ in shares])
        axis.set_ylim(places[-1] - 0.6, 0.6)
        axis.tick_params(axis="y", length=0)
        axis.grid(axis="x")
        axis.xaxis.set_major_formatter(lambda value, at: f"{100 * value:g}")
    for axis in axes.flat[len(kinds) :]:
        axis.remove()
    figure.supxlabel(
        "pairs ranked the right way round in % (dotted: chance; filled: differs from it)", fontsize=9, color=theme.soft
    )
    return figure


def confusion_figure(findings: Findings, task: str, theme: Theme) -> Figure:
    """For every model a bar of what stands first, in % of queries; above them what a random clip of the set is."""
    entries = [one for one in analysed(findings) if confusion_of(one, task)]
    found = [one for entry in entries if (one := confusion_of(entry, task))]
    kinds = list(dict.fromkeys(kind for one in found for kind in one.counts))
    rows = [{kind: one.counts.get(kind, 0) / one.queries for kind in kinds} for one in found] + [dict(found[0].at_random)]
    figure = new_figure(8.4, 1.1 + 0.3 * len(rows))
    axis = figure.subplots()
    places = -np.arange(len(rows), dtype=float)
    left = np.zeros(len(rows))
    for number, kind in enumerate(kinds):
        values = np.array([row.get(kind, 0.0) for row in rows])
        colour = _colour(kind, number, theme)
        drawn = axis.barh(
            places, values, left=left, height=0.7, color=colour, edgecolor=theme.ground, linewidth=0.8, hatch=_HATCHES[number % 3]
        )
        drawn.set_label(kind)
        for place, start, value in zip(places, left, values, strict=True):
            if value >= 0.055:
                axis.annotate(
                    f"{100 * value:.0f}", (start + value / 2, place), ha="center", va="center", fontsize=7.5, color="#101014",
                    bbox={"boxstyle": "round,pad=0.15", "facecolor": "#ffffffd0", "linewidth": 0},
                )  # fmt: skip
        left += values
    axis.set_yticks(places, [*(short(one.name) for one in entries), "a random clip of the set"])
    axis.set_xlim(0, 1)
    axis.set_ylim(places[-1] - 0.6, 0.6)
    axis.tick_params(axis="y", length=0)
    axis.xaxis.set_major_formatter(lambda value, at: f"{100 * value:g}")
    axis.set_xlabel("what stands first, in % of queries")
    figure.legend(loc="outside upper center", ncols=min(len(kinds), 5), frameon=False, fontsize=8)
    return figure


def _colour(kind: str, number: int, theme: Theme) -> str:
    """Relevant is always the first colour, and what is outside the set or nothing grey."""
    if kind in (OUTSIDE, NOTHING):
        return theme.kinds[-2] if kind == OUTSIDE else theme.kinds[-1]
    return theme.kinds[number % (len(theme.kinds) - 2)]


def short(name: str) -> str:
    """A model's name as a figure has room for it: without "reasonaudio/", its middle left out where it is long."""
    name = name.removeprefix("reasonaudio/")
    return name if len(name) <= _LONGEST else f"{name[:16]}…{name[-17:]}"


def _top(found: Sequence[Interval | None]) -> float:
    """The end of the axis: with room for the number behind the longest interval."""
    return 1.18 * max((one.high for one in found if one is not None), default=1.0) or 1.0
