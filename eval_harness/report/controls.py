"""The controls of a corpus, as a section of a report: what models lose where level or colour says nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from builders.recipe import EQUAL_ENERGY, EQUAL_SPECTRUM, TASK_NAMES
from eval_harness.analysis.comparisons import MEAN
from eval_harness.analysis.controls import Change, compare_controls, same_models
from eval_harness.analysis.results import Results
from eval_harness.report.content import Part, Section, Sketch
from eval_harness.report.drawing import new_figure
from eval_harness.report.figures import short
from eval_harness.report.gather import Findings, Progress
from eval_harness.report.sharing import opened, shared_out
from eval_harness.report.values import NONE, Cell, Column, Rows, Table, limits, number, p_value, percent, share
from eval_harness.scores import TaskScores

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from eval_harness.report.drawing import Theme

_MEANING = {
    EQUAL_ENERGY: "equal-energy brings every clip of a set to one level",
    EQUAL_SPECTRUM: "equal-spectrum brings the long-term spectra of a set's clips near each other",
}
_MARKS = {-1: "below", 0: "", 1: "above"}
_SIGNS = ("o", "s")


@dataclass(frozen=True, slots=True)
class Controlled:
    """What was found on the controls.

    Attributes:
        folders: control -> content hash of its corpus.
        changes: of every model, control and task that can be compared.
        missing: what cannot, in one line; "" if all can.
    """

    folders: Mapping[str, str]
    changes: tuple[Change, ...]
    missing: str

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        return {
            "datasets": dict(self.folders),
            "changes": [one.to_json() for one in self.changes],
            "missing": self.missing,
        }


def gather_controls(
    findings: Findings,
    controls: Mapping[str, Results],
    resamples: int,
    num_proc: int = 1,
    progress: Progress = lambda done, total: None,
) -> Controlled | None:
    """Scores of the models on the controls, compared with those on the corpus itself in the report's main scope.

    Args:
        findings: of the corpus itself.
        controls: control -> its results.
        resamples: of the bootstrap.
        num_proc: processes that models are shared out to.
        progress: called with (models done, models).

    Raises:
        EvaluationError: a file of rankings is damaged, or a worker process died.
    """
    if not controls:
        return None
    scope = findings.main_scope
    names = {id(one.result): one.name for one in findings.models(scope)}
    plain = [one.result for one in findings.models(scope)]
    jobs: list[tuple[Path, Path, int]] = []
    whose: list[tuple[str, str]] = []
    missing: dict[str, list[str]] = {}
    for control, results in controls.items():
        theirs = [one for one in results.of_scope(scope) if not one.is_scale]
        pairs = same_models(plain, theirs)
        for one, other in pairs:
            jobs.append((results.path, results.data.folder.path, results.models.index(other)))
            whose.append((control, names[id(one)]))
        here, there = ({id(one) for one in side} for side in zip(*pairs, strict=True)) if pairs else (set(), set())
        for one in (one for one in plain if id(one) not in here):
            missing.setdefault(names[id(one)], []).append(f"not run on {control}")
        for one in (one for one in theirs if id(one) not in there):
            missing.setdefault(one.name, []).append(f"run on {control} alone")
        for one, other in pairs:
            if apart := [task for task in TASK_NAMES if (task in one.tasks) != (task in other.tasks)]:
                missing.setdefault(names[id(one)], []).append(f"{', '.join(apart)} not run on both the corpus and {control}")
    controlled: dict[str, dict[str, Mapping[str, TaskScores]]] = {}
    for done, ((control, name), scores) in enumerate(
        zip(whose, shared_out(_score, jobs, num_proc, "controls were scored"), strict=True), 1
    ):
        controlled.setdefault(control, {})[name] = scores
        progress(done, len(jobs))
    scored = {one.name: one.result.all_scores() for one in findings.models(scope)}
    changes = compare_controls(scored, controlled, resamples)
    folders = {control: results.data.content_hash for control, results in controls.items()}
    told = "; ".join(f"{name} ({', '.join(why)})" for name, why in missing.items())
    return Controlled(folders, changes, f"Not compared: {told}." if missing else "")


def _score(job: tuple[Path, Path, int]) -> Mapping[str, TaskScores]:
    out, data, number = job
    return opened(out, data).models[number].all_scores()


# --- the section ------------------------------------------------------------------------------------------------------


def control_sections(found: Controlled | None) -> tuple[Section, ...]:
    """The section of the controls; none without any."""
    if found is None:
        return ()
    texts = [
        "A control is the same corpus in another sound, with the same queries, clips and timelines: "
        f"{'; '.join(_MEANING[control] for control in found.folders)}. A model whose accuracy falls on a control has used level "
        "or colour; one that follows the timelines has nothing to lose. "
        "A pipeline on the dataset's own captions hears nothing, and cannot change.",
        *_verdicts(found),
    ]
    if found.missing:
        texts.append(found.missing)
    if not found.changes:
        return (Section("controls", "Without level or colour", tuple(texts)),)
    sketch = Sketch(
        "controls",
        "What controls change: accuracy on a control less that on the corpus itself, with 95 % intervals; filled: more than "
        "chance.",
        "Dots with intervals on both sides of no change, one panel a task, with the numbers of the tables that follow.",
        partial(control_figure, found),
    )
    part = Part(figures=(sketch,), tables=(control_table(found), tests_table(found)), open=True)
    return (Section("controls", "Without level or colour", tuple(texts), (part,)),)


def _verdicts(found: Controlled) -> Iterable[str]:
    """For each control, whose accuracy falls: on the average, or on single tasks."""
    for control in found.folders:
        own = [one for one in found.changes if one.control == control]
        if not own:
            yield f"On {control} no model can be compared."
            continue
        fallen = []
        for name in dict.fromkeys(one.name for one in own):
            where = [one for one in own if one.name == name and one.verdict < 0]
            if where:
                listed = ", ".join(f"{_task(one.task)} {_points(one.difference.value)}" for one in where)
                fallen.append(f"{name} ({listed} points)")
        number = len({one.name for one in own})
        told = f"falls beyond chance: {'; '.join(fallen)}" if fallen else "falls beyond chance"
        whose = f"{len(fallen) or 'none'} of {number} models" if number > 1 else "the model" if fallen else "no model"
        yield f"On {control} the accuracy of {whose} {told} (Holm, 5 %)."


def control_table(found: Controlled) -> Table:
    """For each model a line of accuracies on the corpus itself and on every control, and under each of these the difference."""
    columns = (
        Column("Model", numeric=False),
        Column("Sound", numeric=False),
        *(Column(task.capitalize()) for task in TASK_NAMES),
        Column("Average"),
    )
    rows = []
    for name in dict.fromkeys(one.name for one in found.changes):
        own = [one for one in found.changes if one.name == name]
        plain = {one.task: share(one.plain) for one in own}
        rows.append((Cell(name), Cell("of the corpus"), *_by_task(plain)))
        for control in dict.fromkeys(one.control for one in own):
            on_it = [one for one in own if one.control == control]
            rows.append((Cell(name), Cell(control), *_by_task({one.task: share(one.controlled) for one in on_it})))
            changed = {one.task: _difference(one) for one in on_it}
            rows.append((Cell(name), Cell(f"{control}, difference"), *_by_task(changed)))
    caption = (
        "Accuracy in %, on the corpus itself and on its controls, and their difference in percentage points, with 95 % "
        "intervals. ▼: falls, green: rises beyond chance (Holm, 5 %)."
    )
    return Table("controls-table", caption, columns, (Rows(tuple(rows)),))


def tests_table(found: Controlled) -> Table:
    """The tests behind the differences."""
    columns = (
        Column("Model", numeric=False),
        Column("Control", numeric=False),
        Column("Task", numeric=False),
        Column("Difference"),
        Column("Sets differing"),
        Column("p"),
        Column("p, Holm"),
        Column("Effect"),
    )
    rows = []
    for one in found.changes:
        test = one.test
        p, effect = (test.p_bootstrap, test.d_z) if one.task == MEAN else (test.p_wilcoxon, test.rank_biserial)
        differing = Cell(f"{test.differing:,} of {test.sets:,}", sort=float(test.differing))
        rows.append(
            (
                Cell(one.name),
                Cell(one.control),
                Cell(_task(one.task)),
                _difference(one),
                differing,
                p_value(p),
                p_value(test.p_holm),
                number(effect, 2),
            )
        )
    caption = (
        "Differences between a control and the corpus itself, in percentage points, paired by sets. Tasks: Wilcoxon's "
        "signed-rank test, effect the rank-biserial correlation; average: the bootstrap shift test, effect Cohen's d_z. "
        "Corrected over all models, controls and tasks, and apart from these over all averages."
    )
    return Table("controls-tests", caption, columns, (Rows(tuple(rows)),), True)


def control_figure(found: Controlled, theme: Theme) -> Figure:
    """A panel for each task and one for the average; in each a dot with its interval for every model and control."""
    names = list(dict.fromkeys(one.name for one in found.changes))
    controls = list(found.folders)
    panels = [task for task in (*TASK_NAMES, MEAN) if any(one.task == task for one in found.changes)]
    columns = min(3, len(panels))
    lines = math.ceil(len(panels) / columns)
    figure = new_figure(2.6 + 2.3 * columns, lines * (0.75 + 0.3 * len(names)) + 0.6)
    axes = figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)
    steps = np.linspace(0.18, -0.18, len(controls)) if len(controls) > 1 else np.zeros(1)
    for axis, task in zip(axes.flat, panels, strict=False):
        axis.axvline(0, color=theme.chance, linewidth=1.1, linestyle=":")
        for one in (one for one in found.changes if one.task == task):
            at = controls.index(one.control)
            place, colour = steps[at] - names.index(one.name), theme.kinds[at]
            limit = one.difference
            axis.plot([100 * limit.low, 100 * limit.high], [place] * 2, color=colour, linewidth=1.6)
            axis.plot(
                [100 * limit.value],
                [place],
                marker=_SIGNS[at % len(_SIGNS)],
                markersize=5.5,
                color=colour,
                markerfacecolor=colour if one.verdict else theme.ground,
            )
        axis.set_title(_task(task), loc="left", fontsize=10, fontweight="bold")
        axis.set_yticks(-np.arange(len(names), dtype=float), [short(name) for name in names])
        axis.set_ylim(-len(names) + 0.4, 0.6)
        axis.tick_params(axis="y", length=0)
        axis.grid(axis="x")
    for axis in axes.flat[len(panels) :]:
        axis.remove()
    handles = [
        axes.flat[0].plot([], [], marker=_SIGNS[at % len(_SIGNS)], color=theme.kinds[at], label=control)[0]
        for at, control in enumerate(controls)
    ]
    figure.legend(handles=handles, loc="outside upper left", ncols=len(controls), frameon=False, fontsize=8)
    figure.supxlabel("change of accuracy in points (left of 0: falls; filled: beyond chance)", fontsize=9, color=theme.soft)
    return figure


def _difference(one: Change) -> Cell:
    return Cell(_points(one.difference.value), limits(one.difference), one.difference.value, _MARKS[one.verdict])


def _points(value: float) -> str:
    """With its sign, as a true minus would not be read as a number."""
    text = percent(value)
    return text if text.startswith("-") or text in ("0.0", NONE) else f"+{text}"


def _task(task: str) -> str:
    return "Average" if task == MEAN else task.capitalize()


def _by_task(found: Mapping[str, Cell]) -> Sequence[Cell]:
    return [found.get(task, Cell(NONE)) for task in (*TASK_NAMES, MEAN)]
