"""`reasonaudio release`: from a recipe to a published dataset, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eval_harness import steps as shared
from eval_harness.options import Processes, Quiet
from eval_harness.ui import FAILED, Screen, plain_errors


@plain_errors
def release(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[FOLDER]", help="The corpus; without it the steps are only listed.")
    ] = None,
    sounds: Annotated[str, typer.Option(metavar="PATH", help="Where the release's library of sounds lies.")] = "",
    to: Annotated[str, typer.Option("--to", metavar="ORG/NAME", help="The dataset on the Hub.")] = "",
    file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Another release than this package's.", show_default="builders/release.toml"),
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Make the pushed dataset the tasks' default, where all before holds.")
    ] = False,
    num_proc: Processes = None,
    quiet: Quiet = False,
) -> None:
    """Look at the steps of a release in order: build, check, card, push, tag, defaults, package.

    Exits with 1 while one of a FOLDER is open. Each is looked at, none remembered; with the first that is open stands the
    command that does it.
    """
    from contextlib import ExitStack

    from builders.publishing import require_name
    from builders.release import FILE, read_release
    from eval_harness.release import STEPS, Place, steps, write_default

    screen = Screen(quiet)
    if to:
        require_name(to)
    asked = read_release(file or FILE)
    screen.note(f"{asked.name} {asked.version}: {asked.preset} of {asked.source}, {', '.join(asked.licenses)}, seed {asked.seed}")
    with ExitStack() as bars:
        bar = bars.enter_context(screen.progress("checking")) if folder else None
        place = Place(folder, sounds, to, num_proc=shared.processes(num_proc), progress=bar)
        found = steps(asked, place)
    if write:
        made = write_default(asked, place, found)
        screen.note(f"the tasks' default is now {made.name}")
        found = steps(asked, place, found[: STEPS.index("defaults")])
    for step in found:
        mark = {True: "[x]", False: "[ ]", None: "[ ]"}[step.done]
        screen.result(f"{mark} {step.name}" + (f": {step.evidence}" if step.evidence else ""))
        if step.done is False or folder is None:
            screen.result(f"      {step.command}")
    if not all(step.done for step in found):
        raise typer.Exit(FAILED if folder else 0)
