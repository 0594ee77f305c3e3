"""`reasonaudio upstream`: a ready pull request for mteb's repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from builders.errors import ReasonAudioError
from eval_harness.options import Quiet
from eval_harness.ui import Screen, plain_errors


@plain_errors
def upstream(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write; the same command goes on where it stopped.")],
    data: Annotated[
        str,
        typer.Option(metavar="ORG/NAME@COMMIT", envvar="REASONAUDIO_DATA", help="The dataset on the Hub; a folder with --trial."),
    ],
    results: Annotated[
        Path | None, typer.Option(metavar="RESULTS", help="Results of `reasonaudio run` on the same data, as evidence.")
    ] = None,
    trial: Annotated[
        bool, typer.Option("--trial", help="Only to look at: built-in sounds, small corpora and folders will do.")
    ] = False,
    final: Annotated[bool, typer.Option("--final", help="Exit with 1 while a box of the checklist is open.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write a pull request for mteb: five tasks, their statistics, the benchmark, a patch, and the checklist with figures.

    Statistics and the scores of mteb's random encoder are measured by mteb itself, with the written files laid over it.
    """
    from eval_harness.data import open_data
    from eval_harness.upstream.checklist import open_boxes
    from eval_harness.upstream.corpus import describe
    from eval_harness.upstream.evidence import read_evidence
    from eval_harness.upstream.pull_request import PATCH, TEXT, write

    screen = Screen(quiet)
    corpus = describe(open_data(data), data, trial)
    found = read_evidence(results, corpus)
    with screen.progress("measuring by mteb") as report:
        made = write(corpus, out, found, report)
    for path in made.files:
        screen.note(path)
    screen.result(str(out / TEXT))
    screen.result(str(out / PATCH))
    left = open_boxes(made.boxes)
    for box in left:
        screen.result(f"open: {box.text}" + (f" ({box.command})" if box.command else ""))
    if not left:
        screen.result("every box of the checklist is ticked")
    if final and left:
        raise ReasonAudioError(f"{out / TEXT}: {len(left)} {'box is' if len(left) == 1 else 'boxes are'} open")
