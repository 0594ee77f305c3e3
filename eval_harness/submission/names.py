"""What the tasks are called in mteb itself, and which of our own results are not for its leaderboard."""

from __future__ import annotations

from builders.recipe import TASK_NAMES
from eval_harness.tasks import BENCHMARK, TASKS_ALL, task_name
from eval_harness.text_tasks import TEXT_BENCHMARK


def upstream_name(task: str) -> str:
    """What mteb calls a task: "ReasonAudioNegationT2ARetrieval" for "negation"."""
    return f"{BENCHMARK}{task.capitalize()}T2ARetrieval"


UPSTREAM = tuple(map(upstream_name, TASK_NAMES))
"""All five, in the benchmark's order."""

OWN_NAMES = {task_name(task): upstream_name(task) for task in TASK_NAMES}
"""This package's name of a task -> mteb's."""


def not_for_leaderboard(name: str) -> str:
    """Why results of a task of this package are not for the leaderboard; "" where nothing is known against it."""
    if name.startswith(TEXT_BENCHMARK):
        return "probes in text are not part of the benchmark"
    if name in {cls.metadata.name for cls in TASKS_ALL}:
        return "searches of the whole corpus (--scope all) are not part of the leaderboard"
    if name == BENCHMARK:
        return "the mean of the five is computed by the leaderboard itself"
    return ""
