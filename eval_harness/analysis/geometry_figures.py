"""Figures of a model's embedding space, for matplotlib's vector and raster formats; no state is shared between figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.analysis.geometry import Geometry
from eval_harness.analysis.linear_probes import KNOWN_SOUNDS, OTHER_SETS, Probe
from eval_harness.analysis.plane import Plane
from eval_harness.analysis.sensitivity import Sensitivity
from eval_harness.analysis.separation import OUTSIDE, Distribution, Separation
from eval_harness.analysis.wordings import TWIN

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "svg", "pdf")
_LETTERS = 12
"""Of a title, that surely fit into an inch."""

COLOURS = dict(zip(TASK_NAMES, ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00"), strict=True))
"""Of the tasks: Okabe and Ito's, which most people who are colour-blind can tell apart."""
RELEVANT, FOIL, FAR = "#0072B2", "#D55E00", "#8A8A8A"
TEXT, CLIP = "#D55E00", "#56B4E9"
_PROBES = {
    OTHER_SETS: "read in sets that the function was not fitted on",
    KNOWN_SOUNDS: "told apart inside a set: clips of a query and of its twin",
}
_RC: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "reasonaudio",
    "pdf.fonttype": 42,
}


def save(figure: Figure, folder: Path, name: str, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Writes `name`.png, .svg and .pdf into a folder that is there; equal figures give equal files."""
    import matplotlib as mpl

    written = []
    for kind in formats:
        path = folder / f"{name}.{kind}"
        nothing = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[kind]
        with mpl.rc_context(_RC):
            figure.savefig(path, dpi=200, metadata=nothing)
        written.append(path)
    return written


def _figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _title(figure: Figure, text: str) -> None:
    """Over the whole figure, in as many lines as its width asks for: names of models can be long."""
    wide = int(figure.get_figwidth() * _LETTERS)
    figure.suptitle("\n".join(wrap(text, wide, break_on_hyphens=False)), fontsize=10)


def similarity_figure(geometry: Geometry) -> Figure:
    """For each task the similarities of queries to relevant clips and to each foil kind, with d' beside them."""
    import matplotlib as mpl

    rows = [1 + len(one.kinds) for one in geometry.separations]
    with mpl.rc_context(_RC):
        figure = _figure(7.5, 0.9 + 0.36 * sum(rows) + 0.45 * len(rows))
        axes = figure.subplots(len(rows), 1, sharex=True, squeeze=False, gridspec_kw={"height_ratios": rows})[:, 0]
        for axis, one in zip(axes, geometry.separations, strict=True):
            _similarities(axis, one)
        axes[-1].set_xlabel("cosine of query and clip")
        _title(figure, f"{geometry.model}: what its similarities tell apart")
    return figure


def _similarities(axis: Axes, one: Separation) -> None:
    shown = [("relevant", one.relevant, RELEVANT, None)] + [
        (kind.kind, kind.similarity, FAR if kind.kind == OUTSIDE else FOIL, kind.d_prime) for kind in one.kinds
    ]
    edges = np.asarray(one.edges)
    for row, (_, spread, colour, distance) in enumerate(shown):
        _ridge(axis, spread, edges, -row, colour)
        if distance is not None:
            where = f"[{distance.low:.2f}, {distance.high:.2f}]" if np.isfinite(distance.low) else ""
            said = f"d′ {distance.value:.2f} {where}"
            axis.text(1.01, -row, said, transform=axis.get_yaxis_transform(), va="center", fontsize=8)
    axis.axvline(one.relevant.mean, color=RELEVANT, linewidth=0.8, linestyle=":")
    axis.set_yticks([-row for row in range(len(shown))], [name for name, *_ in shown])
    axis.tick_params(axis="y", length=0)
    axis.set_ylim(-len(shown) + 0.45, 0.75)
    axis.set_title(one.task, loc="left", fontsize=9, fontweight="bold")


def _ridge(axis: Axes, spread: Distribution, edges: Any, base: float, colour: str) -> None:
    """The histogram as an area, 5 to 95 % as a thin line, the middle half as a thick one, the median as a dot."""
    heights = np.asarray(spread.histogram, dtype=np.float64)
    heights = 0.62 * heights / max(heights.max(), 1)
    axis.stairs(base - 0.25 + heights, edges, baseline=base - 0.25, fill=True, color=colour, alpha=0.3, linewidth=0)
    low, first, middle, third, high = spread.quantiles
    axis.plot([low, high], [base - 0.25] * 2, color=colour, linewidth=1)
    axis.plot([first, third], [base - 0.25] * 2, color=colour, linewidth=3, solid_capstyle="butt")
    axis.plot([middle], [base - 0.25], marker="o", markersize=4.5, color="white", markeredgecolor=colour)


def sensitivity_figure(geometry: Geometry) -> Figure:
    """For each form: cosines of paraphrases and of contrasts, and how often the paraphrase is nearer.

    Raises:
        EvaluationError: no text encoder was given to `geometry`.
    """
    import matplotlib as mpl

    rows = [one for one in geometry.sensitivities if one.form]
    if not rows:
        raise EvaluationError(f"{geometry.model}: the sensitivity of its texts was not measured")
    order = {task: number for number, task in enumerate(TASK_NAMES)}
    rows = sorted(rows, key=lambda one: (order[one.task], one.form, one.contrast != TWIN))
    with mpl.rc_context(_RC):
        figure = _figure(8, 1.3 + 0.24 * len(rows))
        left, right = figure.subplots(1, 2, sharey=True, gridspec_kw={"width_ratios": [1, 1]})
        places = -np.arange(len(rows), dtype=float)
        names = [one.form if one.contrast == TWIN else f"{one.form}, exchanged" for one in rows]
        for place, one in zip(places, rows, strict=True):
            ends = [one.paraphrase.value, one.same_words.value]
            left.plot(ends, [place] * 2, color="#BBBBBB", linewidth=1.2, zorder=1)
        _dots(left, places, rows, "paraphrase", RELEVANT, "same meaning, other pattern")
        _dots(left, places, rows, "same_words", FOIL, "other meaning, same pattern")
        left.set_xlabel("mean cosine with the query")
        values = [value for one in rows for value in (one.paraphrase.value, one.same_words.value)]
        room = 0.1 + 0.1 * (max(values) - min(values))
        left.set_xlim(min(values) - room, min(max(values) + room, 1.02))  # of one or two sets an interval can be all of [-1, 1]
        _dots(right, places, rows, "hard", FOIL, "than the contrast in the query's pattern")
        _dots(right, places, rows, "fair", "#009E73", "than the contrast in the paraphrase's pattern")
        right.axvline(0.5, color="#444444", linewidth=0.8, linestyle=":")
        right.set_xlim(-0.03, 1.03)
        right.set_xlabel("share of paraphrases that are nearer")
        left.set_yticks(places, names)
        for axis in (left, right):
            axis.set_ylim(places[-1] - 0.7, 0.7)
            axis.grid(axis="y", color="#EEEEEE")
            axis.set_axisbelow(True)
            axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False, fontsize=8)
        _title(figure, f"{geometry.model}: meaning against wording")
    return figure


def _dots(axis: Axes, places: Any, rows: Sequence[Sensitivity], name: str, colour: str, label: str) -> None:
    found = [getattr(one, name) for one in rows]
    values = np.array([one.value for one in found])
    for place, one in zip(places, found, strict=True):
        axis.plot([one.low, one.high], [place] * 2, color=colour, linewidth=1.4, alpha=0.6, zorder=2)
    axis.plot(values, places, linestyle="", marker="o", markersize=4.5, color=colour, label=label, zorder=3)


def probe_figure(geometry: Geometry) -> Figure:
    """What can be read linearly, with its interval, against what permuted answers give."""
    import matplotlib as mpl

    rows: list[tuple[str, Probe | None]] = []
    for kind, said in _PROBES.items():
        of_kind = [one for one in geometry.probes if one.kind == kind]
        rows += [(said, None)] if of_kind else []
        rows += [(f"{one.name} ({_counted(one)})", one) for one in of_kind]
    with mpl.rc_context(_RC):
        figure = _figure(7, 1.2 + 0.24 * len(rows))
        axis = figure.subplots()
        names, places = [], []
        for number, (name, one) in enumerate(rows):
            at = -float(number)
            if one is None:
                box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
                axis.text(-0.01, at, name, fontsize=9, fontweight="bold", va="center", bbox=box)
                continue
            names.append(name)
            places.append(at)
            colour = COLOURS.get(one.task, "#222222")
            axis.plot([one.chance.low, one.chance.high], [at] * 2, color="#DDDDDD", linewidth=7, solid_capstyle="butt", zorder=1)
            axis.plot([one.auc.low, one.auc.high], [at] * 2, color=colour, linewidth=1.6, zorder=2)
            axis.plot([one.auc.value], [at], marker="o", markersize=5, color=colour, zorder=3)
        axis.axvline(0.5, color="#444444", linewidth=0.8, linestyle=":")
        axis.set_yticks(places, names)
        axis.set_xlim(-0.02, 1.02)
        axis.set_ylim(-len(rows) + 0.2, 0.8)
        axis.set_xlabel("area under the ROC curve inside sets (bars: 95 % of permuted answers)")
        _title(figure, f"{geometry.model}: what is linearly readable from its clips")
    return figure


def _counted(one: Probe) -> str:
    return (f"{one.sounds} sounds, " if one.sounds else "") + (f"{one.sets} sets" if one.sets != 1 else "1 set")


def plane_figure(plane: Plane) -> Figure:
    """Texts and clips in one plane, by modality on the left, by task on the right."""
    import matplotlib as mpl

    with mpl.rc_context(_RC):
        figure = _figure(9, 4.9)
        left, right = figure.subplots(1, 2)
        text, clip = plane.is_text, ~plane.is_text
        tasks = np.array(plane.tasks)
        left.scatter(*plane.places[clip].T, s=5, color=CLIP, alpha=0.6, linewidths=0, label=f"clips ({clip.sum()})")
        left.scatter(
            *plane.places[text].T, s=11, marker="^", color=TEXT, alpha=0.9, linewidths=0, label=f"queries ({text.sum()})"
        )
        for task in dict.fromkeys(plane.tasks):
            own = tasks == task
            right.scatter(*plane.places[own & clip].T, s=5, color=COLOURS[task], alpha=0.45, linewidths=0, label=task)
            right.scatter(*plane.places[own & text].T, s=15, marker="^", color=COLOURS[task], edgecolors="black", linewidths=0.4)
        for axis, title in ((left, "by modality"), (right, "by task (triangles: queries)")):
            axis.set_title(title, fontsize=9, loc="left")
            axis.set_xticks([])
            axis.set_yticks([])
            axis.set_aspect("equal", adjustable="datalim")
            for spine in axis.spines.values():
                spine.set_visible(True)
                spine.set_color("#CCCCCC")
            shown = axis.legend(
                loc="upper center",
                bbox_to_anchor=(0.5, -0.01),
                ncols=5,
                frameon=False,
                fontsize=8,
                markerscale=2.5,
                columnspacing=1,
            )
            for handle in shown.legend_handles:
                handle.set_alpha(1)
        drawn = f", {clip.sum()} of {clip.sum() + plane.left_out} clips drawn" if plane.left_out else ""
        _title(figure, f"{plane.model}: t-SNE of queries and clips (cosine){drawn}")
    return figure
