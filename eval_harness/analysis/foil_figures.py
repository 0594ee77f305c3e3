"""Figures of the foil analysis. They are made without pyplot, so that no state is shared: `figure.savefig(path)` writes one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from builders.errors import EvaluationError
from eval_harness.analysis.foils import BETTER, CHANCE, WORSE, Confusion, FoilShare

# Okabe and Ito's colours, told apart also without red or green.
_COLOURS = {BETTER: "#0072b2", WORSE: "#d55e00"}
_GREY = "#737373"
_DARK = 0.6
"""From this share on a cell's number is white."""


def confusion_figure(confusions: Sequence[Confusion], title: str = "") -> Figure:
    """What stood first, as shares of the queries: a row for each task or form, a column for each kind.

    Args:
        confusions: as `eval_harness.analysis.foils.confusions` gives them; of one or several tasks.
        title: over the figure; the model's name, say.

    Raises:
        EvaluationError: there are none.
    """
    if not confusions:
        raise EvaluationError("no answers to draw a confusion figure of")
    kinds = _columns(confusions)
    shares = np.array([[one.counts.get(kind, np.nan) / one.queries for kind in kinds] for one in confusions])
    height, width = 1.9 + 0.36 * len(confusions), 2.6 + 0.62 * len(kinds)
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(kinds)), kinds, rotation=40, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(confusions)), [f"{one.form or one.task} ({one.queries})" for one in confusions])
    axes.set_xticks(np.arange(len(kinds) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(confusions) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)
    for (row, column), share in np.ndenumerate(shares):
        if not np.isnan(share):  # a kind that the task does not have
            colour = "white" if share >= _DARK else "black"
            axes.text(column, row, f"{share:.0%}", ha="center", va="center", color=colour, fontsize=8)
    axes.set_title(title or "What stands first, share of queries", fontsize=10)
    return figure


def share_figure(shares: Sequence[FoilShare], title: str = "") -> Figure:
    """Pairs ranked the right way round for each foil kind, with intervals, beside the line of chance.

    Kinds that the test tells from chance are coloured: blue better, vermilion and square worse; the others are grey.

    Args:
        shares: as `eval_harness.analysis.foils.foil_shares` gives them.
        title: over the figure.

    Raises:
        EvaluationError: there are none.
    """
    if not shares:
        raise EvaluationError("no foils to draw a figure of")
    figure = Figure(figsize=(6.0, 1.3 + 0.26 * len(shares)), layout="constrained")
    axes = figure.subplots()
    axes.axvline(CHANCE, color="black", linewidth=1, linestyle="--")
    for row, one in enumerate(shares):
        limits = one.interval
        axes.errorbar(
            limits.value,
            row,
            xerr=[[limits.value - limits.low], [limits.high - limits.value]],
            fmt="s" if one.verdict == WORSE else "o",
            color=_COLOURS.get(one.verdict, _GREY),
            capsize=2,
            markersize=5,
        )
    axes.set_yticks(range(len(shares)), [f"{one.form or one.task}: {one.kind}" for one in shares])
    axes.invert_yaxis()
    axes.set_xlim(-0.02, 1.02)
    axes.set_xticks(np.linspace(0, 1, 5), [f"{share:.0%}" for share in np.linspace(0, 1, 5)])
    axes.set_xlabel("pairs ranked the right way round (dashed: chance)")
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(title, fontsize=10)
    return figure


def _columns(confusions: Sequence[Confusion]) -> list[str]:
    """All kinds, those that several tasks share at the ends where each row has them."""
    first = confusions[0].counts
    last = [kind for kind in first if all(kind in one.counts for one in confusions)]
    found = dict.fromkeys(kind for one in confusions for kind in one.counts)
    own = [kind for kind in found if kind not in last]
    return [*last[:1], *own, *last[1:]]
