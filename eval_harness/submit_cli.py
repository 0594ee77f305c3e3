"""`reasonaudio submit`: results of models into a folder for a pull request to mteb's results repository."""

from __future__ import annotations

import json as json_text
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from eval_harness.options import Quiet
from eval_harness.ui import FAILED, Screen, bad_input_is_2

if TYPE_CHECKING:  # they load mteb, which --help does not need
    from eval_harness.submission.checks import Checked, Missing
    from eval_harness.submission.gather import Gathered, ModelResults
    from eval_harness.submission.known import Demands

REPOSITORY = "embeddings-benchmark/results"


@bad_input_is_2
def submit(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to make.")],
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULTS...", help="Folders that `reasonaudio run --out` or mteb wrote; also an earlier OUT."),
    ],
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            metavar="MODEL...",
            help="Only these: a name, or NAME@REVISION (its beginning will do).",
            show_default="all",
        ),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            metavar="ORG/NAME@SHA", help="The published dataset, at its commit.", show_default="what mteb's own tasks have"
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write nothing; only say what is fit and what is missing.")] = False,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all that is said to this file.")] = None,
    quiet: Quiet = False,
) -> None:
    """Gather results for mteb's leaderboard: checked as its repository asks, copied byte for byte, ready for a pull request.

    What is fit is written, also where other results are not. Exits with 1 where something is missing.
    """
    from builders.files import check_target, write_whole
    from eval_harness.quiet import quiet_libraries
    from eval_harness.submission import checks, writing
    from eval_harness.submission.gather import gather
    from eval_harness.submission.known import Published, demands
    from eval_harness.submission.pull_request import pull_request

    screen = Screen(quiet)
    published = Published.parse(data) if data is not None else None
    if json:
        check_target(json)
    writing.check_target(out, results)
    quiet_libraries()
    asked = demands(wanted_tasks(), published)
    gathered = gather(results, asked.tasks)
    models, absent = _chosen(gathered.models, model or [])
    checked = checks.check(models, asked)
    missing = [*_of_folders(gathered), *absent, *checks.anything(gathered.models, asked), *checks.general(models, asked)]
    files = writing.contents(checked, pull_request(checked, asked))
    changed = writing.changes(out, files) if files else {}
    if not dry_run:
        writing.write(out, changed)

    screen.view(model_table(checked, len(asked.tasks)))
    screen.view("")
    for one in missing:
        screen.result(one.line())
    for found in checked:
        for one in found.missing:
            screen.result(one.line(found.model.tasks))
    for reason, count in sorted(gathered.left_out.items()):
        screen.note(f"left out: {count} {'file' if count == 1 else 'files'}: {reason}")
    if json:
        content = _content(checked, missing, gathered, asked)
        write_whole(json, (json_text.dumps(content, indent=2, ensure_ascii=False) + "\n").encode())
        screen.result(str(json))
    _tell(screen, out, len(files), len(changed), dry_run)
    if missing or any(one.missing for one in checked):
        raise typer.Exit(FAILED)


def wanted_tasks() -> tuple[str, ...]:
    """The tasks of which every model is to have results."""
    from eval_harness.submission.names import UPSTREAM

    return UPSTREAM


def _tell(screen: Screen, out: Path, files: int, changed: int, dry_run: bool) -> None:
    """What was written, and what to do with it."""
    from eval_harness.submission.writing import TEXT

    if not files:
        screen.result("nothing can be submitted yet" + ("" if dry_run else f", and {out} was not written"))
    elif dry_run:
        screen.result(f"{files} files would be in {out}; nothing was written, as --dry-run asks")
    else:
        screen.result(f"{out}: {files} files" + ("" if changed == files else f", {changed or 'none'} of them new or changed"))
        screen.note(
            f"copy its folder results into a clone of github.com/{REPOSITORY}, run `make test` and `make pre-push` there, and "
            f"open a pull request with the text in {TEXT}"
        )


def _chosen(models: Sequence[ModelResults], names: Sequence[str]) -> tuple[list[ModelResults], list[Missing]]:
    """Those that are asked for, and what is said of those that are not there."""
    from eval_harness.submission.checks import Missing
    from eval_harness.submission.gather import as_folder, plain

    if not names:
        return list(models), []
    chosen: list[ModelResults] = []
    absent = []
    for name in names:
        given, _, revision = name.partition("@")
        found = [one for one in models if one.folder == as_folder(given) and one.revision.startswith(revision)]
        chosen += [one for one in found if one not in chosen]
        if not found:
            there = ", ".join(one.label for one in models[:5]) + (", …" if len(models) > 5 else "")
            absent.append(Missing(plain(name), "asked", "there are no results of it", f"there are {there or 'none at all'}"))
    return chosen, absent


def _of_folders(gathered: Gathered) -> list[Missing]:
    from eval_harness.submission.checks import Missing

    return [Missing("", "folder", *problem) for problem in gathered.problems]


def model_table(checked: Iterable[Checked], tasks: int) -> Table:
    """One line for each model: how many of its results are fit, and what the rules that keep the others out are about."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for name in ("model", "revision", "fit", "missing"):
        table.add_column(name, overflow="fold")
    for one in checked:
        rules = ", ".join(dict.fromkeys(missing.rule for missing in one.missing))
        name, _, revision = one.model.label.rpartition("@")
        table.add_row(name, revision, f"{len(one.fit)}/{tasks}", rules)
    return table


def _content(checked: Sequence[Checked], missing: Sequence[Missing], gathered: Gathered, asked: Demands) -> dict[str, Any]:
    """For --json."""
    return {
        "mteb": asked.version,
        "tasks": list(asked.tasks),
        "data": f"{asked.published.name}@{asked.published.commit}" if asked.published else None,
        "models": [
            {
                "model": one.model.name,
                "revision": one.model.revision,
                "fit": list(one.fit),
                "missing": [_fields(what) for what in one.missing],
            }
            for one in checked
        ],
        "missing": [_fields(what) for what in missing],
        "left_out": dict(sorted(gathered.left_out.items())),
    }


def _fields(missing: Missing) -> dict[str, Any]:
    return {
        "rule": missing.rule,
        "model": missing.model,
        "tasks": list(missing.tasks),
        "what": missing.what,
        "way_out": missing.way_out,
    }
