"""What a dataset's card says of the systems of the scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

from builders.card.markdown import table
from builders.recipe import TASK_NAMES
from eval_harness.analysis.intervals import Interval, mean_intervals, task_intervals
from eval_harness.running import ModelRun
from eval_harness.scores import MAIN_SCORE

HEADING = "Scores of the scale systems"
KNOWS = {
    "reasonaudio/random": "nothing",
    "reasonaudio/bag-of-sounds": "which sounds are named, and which are in a clip",
    "reasonaudio/relation-blind": "timelines and what must be heard, not what is asked of it: takes the rarest arrangement",
    "reasonaudio/oracle": "everything",
}
"""What each system of the scale knows."""


def card_text(runs: Sequence[ModelRun], content_hash: str) -> str:
    """The section's text: hit rate at 1 of each system on each task, with its interval, and the mean over tasks.

    Args:
        runs: of the systems of the scale, in their order, in the scope "task".
        content_hash: of the dataset.
    """
    explained = (
        "Systems without an audio model, which show what a score means here: chance, perfect matching of sounds, what the "
        "statistics of a set give away, and everything. Hit rate at 1 in per cent, each query searching its task's clips, with "
        "95 % intervals: BCa bootstrap over sets, and Clopper and Pearson's limits where all sets are alike. With few sets they "
        "are wide."
    )
    tasks = [task for task in TASK_NAMES if all(task in run.tasks for run in runs)]
    rows = []
    for run in runs:
        cells = [_cell(task_intervals(run.tasks[task]).scores) for task in tasks]
        mean = [_cell(mean_intervals(run.tasks[task] for task in tasks))] if len(tasks) == len(TASK_NAMES) else []
        rows.append((f"`{run.model}`", KNOWS[run.model], *cells, *mean))
    head = ("system", "knows", *tasks, *(["mean"] if len(tasks) == len(TASK_NAMES) else []))
    return "\n".join(
        (fill(explained, 130), "", table(head, rows), "", f"Made by `reasonaudio card`, for content `{content_hash[:16]}`.")
    )


def _cell(scores: Mapping[str, Interval]) -> str:
    found = scores[MAIN_SCORE]
    return f"{100 * found.value:.1f} [{100 * found.low:.1f}, {100 * found.high:.1f}]"
