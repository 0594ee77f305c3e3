"""`reasonaudio score`: the scores of files of rankings."""

from __future__ import annotations

import json as json_text
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.options import Quiet
from eval_harness.ui import Screen, UsageError, bad_input_is_2

if TYPE_CHECKING:  # reading and scoring load numpy, pyarrow and datasets, which --help does not need
    from builders.dataset_folder import DatasetFolder
    from eval_harness.rankings import Rankings
    from eval_harness.scores import TaskScores

_SCOPES = ("task", "all", "set")
_SHOWN = {
    "hit_rate_at_1": "hit@1",
    "ndcg_at_10": "nDCG@10",
    "map": "MAP",
    "mrr_at_10": "MRR@10",
    "recall_at_10": "R@10",
    "in_set": "in set",
    "twins": "twins",
}
"""The scores that the table has room for on a terminal of 80 columns; --json writes all."""
_OF_FORMS = ("hit_rate_at_1", "ndcg_at_10", "map", "in_set", "twins")


@dataclass(frozen=True)
class Scored:
    """What one system gets in one scope: its name, the files, and the scores of each task."""

    name: str
    revision: str
    scope: str
    files: tuple[str, ...]
    tasks: Mapping[str, TaskScores]

    @property
    def complete(self) -> bool:
        """Whether all five tasks are there, so that a mean is the benchmark's."""
        return set(self.tasks) == set(TASK_NAMES)


@bad_input_is_2
def score(
    rankings: Annotated[
        list[Path],
        typer.Argument(
            metavar="RANKINGS...",
            help="Parquet as `reasonaudio run` writes it, mteb's predictions, {query: {clip: score}}, TREC runs.",
        ),
    ],
    data: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", envvar="REASONAUDIO_DATA", help="The dataset that was searched: a folder, or ORG/NAME."),
    ] = None,
    task: Annotated[str | None, typer.Option(metavar="NAME", help="Only this task.", show_default="all in the files")] = None,
    scope: Annotated[
        str | None,
        typer.Option(
            metavar="task|all|set",
            help="Search the task's own clips, all, or the query's set.",
            show_default="what the files rank",
        ),
    ] = None,
    allow_missing: Annotated[bool, typer.Option("--allow-missing", help="Queries that a file lacks count 0.")] = False,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all scores to this file.")] = None,
    quiet: Quiet = False,
) -> None:
    """Score files of rankings: headline scores, forms and foil kinds of each task."""
    from builders.files import check_target, write_whole
    from eval_harness.data import data_from_environment, open_data

    screen = Screen(quiet)
    for name, value, known in (("--task", task, TASK_NAMES), ("--scope", scope, _SCOPES)):
        if value is not None and value not in known:
            raise UsageError(f"{name} {value!r}: give {', '.join(known[:-1])} or {known[-1]}")
    if json:
        check_target(json)
    dataset = open_data(data) if data else data_from_environment()
    found = []
    with screen.progress("scoring") as report:
        for number, path in enumerate(rankings):
            found += _score_file(screen, path, dataset.folder, dataset.content_hash, task, scope, allow_missing)
            report(number + 1, len(rankings))
    scored = _by_system(found)
    for one in scored:
        screen.result(f"{one.name}{f' ({one.revision})' if one.revision else ''}, scope {one.scope}")
        for table in (headline_table(one), form_table(one.tasks.values()), foil_table(one.tasks.values())):
            screen.view(table)
            screen.view("")
    if json:
        content = {"data": dataset.path, "content": dataset.content_hash, "systems": [_json(one) for one in scored]}
        write_whole(json, (json_text.dumps(content, indent=2) + "\n").encode())
        screen.result(str(json))


def _score_file(
    screen: Screen, path: Path, folder: DatasetFolder, content: str, task: str | None, scope: str | None, allow_missing: bool
) -> list[tuple[str, str, str, TaskScores]]:
    """(file, model or "", revision, scores) of each task that the file ranks clips for."""
    from eval_harness.loading import LISTENED
    from eval_harness.rankings import Rankings
    from eval_harness.scores import clip_ids, score_task

    all_clips = clip_ids(folder, TASK_NAMES[0], "all")
    rankings = Rankings.read(path, list(folder.queries), all_clips, allow_missing=True)
    if rankings.origin.dataset not in ("", content):
        screen.note(f"note: {path} was made on another build of this dataset (content {rankings.origin.dataset[:12]})")
    there = set(rankings.queries)
    of_task = {name: [query.id for query in folder.queries.values() if query.task == name] for name in TASK_NAMES}
    tasks = [name for name in TASK_NAMES if task in (None, name) and there.intersection(of_task[name])]
    if not tasks:
        raise EvaluationError(f"{path} ranks no clips for the queries of {task}; leave out --task to score what it has")
    found = []
    for name in tasks:
        chosen = scope or _scope_of(rankings, of_task[name], clip_ids(folder, name))
        missing = [query for query in of_task[name] if query not in there and chosen != LISTENED]
        if missing and not allow_missing:
            raise EvaluationError(
                f"{path} has no ranking for {len(missing)} of the {len(of_task[name])} queries of {name}, as {missing[0]}; "
                "with --allow-missing they count 0"
            )
        scores = score_task(rankings, folder, name, chosen)
        origin = rankings.origin
        model = f"{origin.model} on text ({origin.style})" if origin.model and origin.style else origin.model
        found.append((str(path), model, origin.revision, scores))
    return found


def _scope_of(rankings: Rankings, queries: Iterable[str], own: Iterable[str]) -> str:
    """Which clips were searched for these queries, as far as the clips that are ranked tell."""
    import numpy as np

    from eval_harness.loading import LISTENED, SET

    if rankings.origin.scope in (SET, LISTENED):
        return rankings.origin.scope
    wanted, of_task = set(queries), set(own)
    rows = [number for number, query in enumerate(rankings.queries) if query in wanted]
    others = [number for number, clip in enumerate(rankings.clips) if clip not in of_task]
    return "all" if np.isfinite(rankings.scores[np.ix_(rows, others)]).any() else "task"


def _by_system(found: Sequence[tuple[str, str, str, TaskScores]]) -> list[Scored]:
    """The tasks of one model and scope together, also from several files. A file that names no model is a system of its own."""
    systems: dict[tuple[str, str, str], dict[str, tuple[str, TaskScores]]] = {}
    for file, model, revision, scores in found:
        tasks = systems.setdefault((model or file, revision, scores.scope), {})
        if scores.task in tasks:
            raise EvaluationError(
                f"{file}: {model or file} on {scores.task} is in {tasks[scores.task][0]} already; give one of the two"
            )
        tasks[scores.task] = (file, scores)
    return [
        Scored(
            name,
            revision,
            scope,
            tuple(dict.fromkeys(file for file, _ in tasks.values())),
            {task: tasks[task][1] for task in TASK_NAMES if task in tasks},
        )
        for (name, revision, scope), tasks in systems.items()
    ]


# --- tables -----------------------------------------------------------------------------------------------------------


def headline_table(scored: Scored) -> Table:
    """One line for each task, and their mean where all five are there."""
    from eval_harness.scores import mean_scores

    means = mean_scores(scored.tasks.values())
    shown = [name for name in _SHOWN if name in means]
    table = _table("task", "queries", "clips", *(_SHOWN[name] for name in shown))
    for task, one in scored.tasks.items():
        table.add_row(task, str(len(one.per_query)), str(one.clips), *(_number(one.scores[name]) for name in shown))
    if scored.complete:
        table.add_section()
        table.add_row("mean", "", "", *(_number(means[name]) for name in shown))
    return table


def probe_table(probes: Mapping[str, Mapping[str, TaskScores]]) -> Table:
    """Probes in text: for each style one line for each task, and their mean where all five are there."""
    from eval_harness.scores import mean_scores

    table = _table("style", "task", *_SHOWN.values())
    for style, tasks in probes.items():
        for task, one in tasks.items():
            table.add_row(style, task, *(_number(one.scores[name]) for name in _SHOWN))
        if set(tasks) == set(TASK_NAMES):
            means = mean_scores(tasks.values())
            table.add_row(style, "mean", *(_number(means[name]) for name in _SHOWN))
        table.add_section()
    return table


def form_table(tasks: Iterable[TaskScores]) -> Table:
    """One line for each form."""
    table = _table("form", "queries", *(_SHOWN[name] for name in _OF_FORMS))
    for one in tasks:
        counts = one.per_query["form"].to_pylist()
        for form, scores in one.forms.items():
            table.add_row(form, str(counts.count(form)), *(_number(scores.get(name, math.nan)) for name in _OF_FORMS))
    return table


def foil_table(tasks: Iterable[TaskScores]) -> Table:
    """One line for each foil kind of each task: how often a relevant clip ranks before such a foil. Half is chance."""
    table = _table("task", "foil", "pairs", "right way round")
    for one in tasks:
        for kind, foils in one.foils.items():
            table.add_row(one.task, kind, str(foils.pairs), f"{foils.share:.1%}" if foils.pairs else "-")
    return table


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for name in names:
        table.add_column(name, justify="left" if name in ("style", "task", "form", "foil") else "right", no_wrap=True)
    return table


def _json(scored: Scored) -> dict[str, Any]:
    from eval_harness.scores import mean_scores

    return {
        "model": scored.name,
        "revision": scored.revision,
        "scope": scored.scope,
        "files": list(scored.files),
        "tasks": {task: one.to_json() for task, one in scored.tasks.items()},
        "mean": mean_scores(scored.tasks.values()) if scored.complete else None,
    }
