"""The text of the pull request: what it brings, on which data, the main scores, and what is still to be done by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eval_harness.submission.checks import Checked
from eval_harness.submission.known import Demands

_DONE = (
    "every model is implemented in mteb {version}, and its `model_meta.json` names its folder and revision",
    "every file loads as mteb's `TaskResult`, is named after its task, and was made by mteb 2.0.0 or newer",
    "`run_settings.jsonl` tells how each task, split and subset was run",
    "all results are of the dataset revision that the task has in mteb",
    "all splits and subsets are there, and all scores but nAUC are numbers from 0 to 1",
)
"""What `checks` has found to hold of every result that is written."""
_OPEN = (
    "`make test` was run in a clone of the results repository with these files",
    "`make pre-push` was run there",
    "the results were obtained with mteb's own implementation of each model",
    "each model is publicly available, as weights or through an API, and has a model card, report or paper",
    "no model was trained on this dataset, or where one was, it is said here",
)


def pull_request(checked: Sequence[Checked], demands: Demands) -> str:
    """Markdown; the same for the same results."""
    fit = [one for one in checked if one.fit]
    tasks = [task for task in demands.tasks if any(task in one.fit for one in fit)]
    count = sum(len(one.fit) for one in fit)
    revisions = {
        task: ", ".join(sorted({_result(one, task).dataset_revision for one in fit if task in one.fit})) for task in tasks
    }
    paths = {task: demands.known[task].dataset[0] for task in tasks}
    lines = [
        f"# Results of {_number(len(fit), 'model')} on {_number(len(tasks), 'task')}",
        "",
        f"{_number(count, 'result')}, as mteb wrote them.",
        "",
        "## Main scores",
        "",
        *_table(
            ("Model", "Revision", *tasks, "Mean"),
            [(one.model.name, f"`{one.model.revision}`", *_row(one, tasks)) for one in fit],
        ),
        "",
        "The mean is given where all tasks are there.",
        "",
        "## Tasks",
        "",
        *_table(
            ("Task", "Main score", "Dataset", "Revision"),
            [(task, demands.known[task].main_score, paths[task], f"`{revisions[task]}`") for task in tasks],
        ),
        "",
        "## Made with",
        "",
        *_table(("Model", "mteb"), [(one.model.name, ", ".join(_versions(one))) for one in fit]),
        "",
        "## Checklist",
        "",
        *(f"- [x] {text.format(version=demands.version)}" for text in _DONE),
        *(f"- [ ] {text}" for text in _OPEN),
    ]
    return "\n".join(lines) + "\n"


def main_score(one: Checked, task: str) -> float:
    """The mean of the main score over splits and subsets, from 0 to 1."""
    return float(_result(one, task).get_score())


def _result(one: Checked, task: str):  # type: ignore[no-untyped-def]  # mteb's TaskResult
    return one.model.results[task].value


def _row(one: Checked, tasks: Sequence[str]) -> list[str]:
    values = [main_score(one, task) if task in one.fit else None for task in tasks]
    there = [value for value in values if value is not None]
    mean = sum(there) / len(there) if len(there) == len(values) else None
    return ["" if value is None else f"{value:.4f}" for value in (*values, mean)]


def _versions(one: Checked) -> list[str]:
    return sorted({str(_result(one, task).mteb_version) for task in one.fit})


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
