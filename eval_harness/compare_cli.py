"""`reasonaudio compare`: intervals of every model, tests between models and between tasks, and what the corpus can show."""

from __future__ import annotations

import json as json_text
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from builders.recipe import TASK_NAMES
from eval_harness.options import Quiet
from eval_harness.ui import Screen, UsageError, bad_input_is_2

if TYPE_CHECKING:  # they load scipy and mteb, which --help does not need
    from eval_harness.analysis.comparisons import PairedComparison, TaskComparison
    from eval_harness.analysis.intervals import Interval, TaskIntervals
    from eval_harness.analysis.power import Detectable
    from eval_harness.analysis.results import ModelResult

_DEFAULT = "hit_rate_at_1"
_SHARES = (0.01, 0.02, 0.05, 0.1, 0.2)
"""Differences of which it is told how many queries show them."""


@bad_input_is_2
def compare(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A folder of results, as `reasonaudio run --out` writes it.")],
    data: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="The dataset, if it lies elsewhere than where the models were run."),
    ] = None,
    score: Annotated[str, typer.Option(metavar="NAME", help="What is compared: a score of `reasonaudio score`.")] = _DEFAULT,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all of it, and every score's intervals.")] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the bootstrap's draws.")] = 0,
    quiet: Quiet = False,
) -> None:
    """Compare the models of a results folder: 95 % intervals by sets, paired tests with Holm's correction, power."""
    from builders.files import check_target, write_whole
    from eval_harness.analysis.results import read_results
    from eval_harness.data import open_data
    from eval_harness.scores import HEADLINE

    screen = Screen(quiet)
    if score not in HEADLINE:
        raise UsageError(f"--score {score!r}: give {', '.join(HEADLINE[:-1])} or {HEADLINE[-1]}")
    if json:
        check_target(json)
    results = read_results(out, open_data(data) if data else None)
    with screen.progress("scoring") as report:
        runs = [(model, task) for model in results.models for task in model.tasks]
        for number, (model, task) in enumerate(runs):
            model.scores(task)
            report(number + 1, len(runs))
    written = []
    for scope in ("task", "all"):
        if models := results.of_scope(scope):
            written.append(_scope(screen, scope, models, score, seed))
    if json:
        content = {"data": results.data.path, "content": results.data.content_hash, "seed": seed, "scopes": written}
        write_whole(json, (json_text.dumps(content, indent=2) + "\n").encode())
        screen.result(str(json))


def _scope(screen: Screen, scope: str, models: Sequence[ModelResult], score: str, seed: int) -> dict[str, Any]:
    """Compares the models of one scope, prints it and gives it for the JSON."""
    from eval_harness.analysis.comparisons import compare_models, compare_tasks
    from eval_harness.analysis.intervals import mean_intervals, task_intervals
    from eval_harness.analysis.power import detectable

    names = _names(models)
    intervals, means = {}, {}
    with screen.progress("bootstrap") as report:
        for number, (name, model) in enumerate(zip(names, models, strict=True)):
            intervals[name] = {task: task_intervals(one, seed=seed) for task, one in model.all_scores().items()}
            if model.complete:
                means[name] = mean_intervals(model.all_scores().values(), seed=seed)
            report(number + 1, len(models))
    scale = {name for name, one in zip(names, models, strict=True) if one.is_scale}
    scores = {name: one.all_scores() for name, one in zip(names, models, strict=True)}
    pairs = compare_models(scores, score, seed=seed, scale=scale)
    across = [test for name, tasks in scores.items() for test in compare_tasks(name, tasks)]
    # The scale's differences are not those of models; they serve only where there are no others, and the oracle's never do.
    oracle = {name for name, one in zip(names, models, strict=True) if one.model.endswith("/oracle")}
    usable = [one for one in pairs if not {one.first, one.second} & scale] or [
        one for one in pairs if not {one.first, one.second} & oracle
    ]
    shown = [
        detectable(task, found[0].sets, [one.deviation for one in found])
        for task in TASK_NAMES
        if (found := [one for one in usable if one.task == task])
    ]

    screen.result(f"scope {scope}: {score}, 95 % interval by sets of two twin queries")
    screen.view(interval_table(names, models, intervals, means, score))
    screen.view("")
    if pairs:
        screen.result("differences of models; p of Wilcoxon's signed-rank test (mean: bootstrap), Holm-corrected")
        for first, second in dict.fromkeys((one.first, one.second) for one in pairs):
            screen.result(f"{first} − {second}")
            screen.view(pair_table(one for one in pairs if (one.first, one.second) == (first, second)))
            screen.view("")
    if across:
        screen.result("tasks of one model: reciprocal ranks, Mann-Whitney U, Holm-corrected within the model")
        screen.view(task_table(across))
        screen.view("")
    if shown:
        screen.result("the smallest true difference that is found with 80 % power at 5 %, and the queries that others take")
        screen.view(power_table(shown))
        screen.view("")
    return {
        "scope": scope,
        "score": score,
        "models": [
            {
                "model": one.model,
                "name": name,
                "revision": one.revision,
                "experiment": one.experiment,
                "scale": one.is_scale,
                "tasks": {task: found.to_json() for task, found in intervals[name].items()},
                "mean": {key: value.to_json() for key, value in means[name].items()} if name in means else None,
            }
            for name, one in zip(names, models, strict=True)
        ],
        "pairs": [one.to_json() for one in pairs],
        "tasks": [one.to_json() for one in across],
        "power": [
            {
                "task": one.task,
                "sets": one.sets,
                "pairs": one.pairs,
                "alpha": one.alpha,
                "power": one.power,
                "deviation": one.deviation if one.pairs else None,
                "difference": one.difference if one.pairs else None,
                "queries_needed": _needed(one),
            }
            for one in shown
        ],
    }


def _names(models: Sequence[ModelResult]) -> list[str]:
    """A name for each model; with the revision where two have the same."""
    counts = Counter(one.name for one in models)
    return [one.name if counts[one.name] == 1 else f"{one.name}@{one.revision[:8]}" for one in models]


def interval_table(
    names: Sequence[str],
    models: Sequence[ModelResult],
    intervals: Mapping[str, Mapping[str, TaskIntervals]],
    means: Mapping[str, Mapping[str, Interval]],
    score: str,
) -> Table:
    """One line for each model and task: the score with its limits, best mean first."""
    table = _table("model", "task", "sets", score, "low", "high")
    places = {name: means[name][score].value if name in means else -1.0 for name in names}
    for name, model in sorted(zip(names, models, strict=True), key=lambda one: (-places[one[0]], one[0])):
        label = f"{name} (scale)" if model.is_scale else name
        for task, found in intervals[name].items():
            table.add_row(label, task, str(found.sets), *_limits(found.scores[score]))
            label = ""
        if name in means:
            table.add_row("", "mean", "", *_limits(means[name][score]))
    return table


def pair_table(pairs: Iterable[PairedComparison]) -> Table:
    """One line for each task of one pair of models."""
    table = _table("task", "difference", "low", "high", "p", "Holm", "r", "d_z")
    for one in pairs:
        table.add_row(
            one.task,
            f"{one.difference.value:+.3f}",
            f"{one.difference.low:+.3f}",
            f"{one.difference.high:+.3f}",
            _p(one.p_bootstrap if one.task == "mean" else one.p_wilcoxon),
            _p(one.p_holm),
            _signed(one.rank_biserial),
            _signed(one.d_z),
        )
    return table


def task_table(tests: Iterable[TaskComparison]) -> Table:
    """One line for each pair of tasks of each model."""
    table = _table("model", "tasks", "means", "p", "Holm", "delta")
    last = ""
    for one in tests:
        means = f"{one.means[0]:.3f} {one.means[1]:.3f}"
        label = "" if one.model == last else one.model
        last = one.model
        table.add_row(label, f"{one.first}, {one.second}", means, _p(one.p), _p(one.p_holm), _signed(one.cliffs_delta))
    return table


def power_table(found: Iterable[Detectable]) -> Table:
    """One line for each task: what its sets can show, and how many queries other differences take."""
    table = _table("task", "sets", "sd", "shows", *(f"for {share:g}" for share in _SHARES))
    for one in found:
        needed = _needed(one)
        queries = (f"{needed[f'{share:g}']:,}" if needed else "-" for share in _SHARES)
        sd, shows = (f"{value:.3f}" if one.pairs else "-" for value in (one.deviation, one.difference))
        table.add_row(one.task, str(one.sets), sd, shows, *queries)
    return table


def _needed(one: Detectable) -> dict[str, int]:
    from eval_harness.analysis.power import queries_needed

    return {f"{share:g}": queries_needed(share, one.deviation) for share in _SHARES} if one.pairs else {}


def _limits(interval: Interval) -> tuple[str, str, str]:
    return f"{interval.value:.3f}", f"{interval.low:.3f}", f"{interval.high:.3f}"


def _p(value: float) -> str:
    return "-" if isnan(value) else "<.001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def _signed(value: float) -> str:
    return "-" if isnan(value) else f"{value:+.2f}"


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for name in names:
        text = name in ("model", "task", "tasks")
        table.add_column(name, justify="left" if text else "right", no_wrap=name != "model", overflow="fold")
    return table
