"""What `-t` names: tasks over clips, and probes over text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from builders.styles import STYLES
from eval_harness.data import Data


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be run.

    Attributes:
        tasks: over clips, in the dataset's order.
        probes: (style, task) of probes over text, in the order of the styles and the dataset.
    """

    tasks: tuple[str, ...]
    probes: tuple[tuple[str, str], ...] = ()


def wanted(names: Iterable[str] | str | None, data: Data) -> Wanted:
    """The tasks and probes that are meant.

    Args:
        names: one or many: "order" or "ReasonAudio-Order"; "ReasonAudio" is all five. "ReasonAudioText-Order-Story" is a probe;
            without the task it is those of all tasks, without the style those in all styles. None is the dataset's tasks, without
            probes.

    Raises:
        EvaluationError: there is no such task or style, or the dataset does not have it.
    """
    from eval_harness.text_tasks import TEXT_BENCHMARK

    if names is None:
        return Wanted(data.tasks)
    names = [names] if isinstance(names, str) else list(names)
    if not names:
        raise EvaluationError("no task is named; name one, or give None for all five")
    known: dict[str, tuple[str, ...]] = {name.lower(): (task,) for task in TASK_NAMES for name in (task, data.task_name(task))}
    known[data.benchmark.lower()] = TASK_NAMES
    tasks: set[str] = set()
    probes: set[tuple[str, str]] = set()
    for name in names:
        if name.lower().partition("-")[0] == TEXT_BENCHMARK.lower():
            data.folder  # noqa: B018  # raises where there are no timelines to tell as text
            probes.update(_probes(name))
        elif name.lower() in known:
            tasks.update(known[name.lower()])
        else:
            raise EvaluationError(
                f"no task {name!r}; the tasks are {', '.join(map(data.task_name, TASK_NAMES))}, and {TEXT_BENCHMARK} over text"
            )
    missing = [task for task in TASK_NAMES if task in tasks | {task for _, task in probes} and task not in data.tasks]
    if missing:
        there = ", ".join(data.tasks) or "none"
        raise EvaluationError(f"{data.path}: no task {missing[0]!r} there; it has {there}")
    return Wanted(
        tuple(task for task in TASK_NAMES if task in tasks),
        tuple((style, task) for style in STYLES for task in TASK_NAMES if (style, task) in probes),
    )


def _probes(name: str) -> list[tuple[str, str]]:
    """(style, task) of the probes that "ReasonAudioText[-Task][-Style]" means."""
    from eval_harness.text_tasks import TEXT_BENCHMARK, TEXT_SCOPES

    parts = name.lower().split("-")[1:]
    task = parts.pop(0) if parts and parts[0] in TASK_NAMES else None
    style = parts.pop(0) if parts and parts[0] in STYLES else None
    if parts:
        what = f"no style {parts[0]!r}" if task else f"no task or style {parts[0]!r}"
        if parts[0] in TEXT_SCOPES:
            what = f"{parts[0]!r} is a scope, which --scope names"
        raise EvaluationError(
            f"{name}: {what}; a probe is {TEXT_BENCHMARK}[-TASK][-STYLE], the tasks are "
            f"{', '.join(map(str.capitalize, TASK_NAMES))}, the styles {', '.join(map(str.capitalize, STYLES))}"
        )
    return [(one, other) for one in ([style] if style else STYLES) for other in ([task] if task else TASK_NAMES)]
