"""`reasonaudio card`: the card of a dataset, with what can be measured without a model."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from eval_harness import steps
from eval_harness.audit_cli import run_audit, verdict
from eval_harness.options import Processes, Quiet
from eval_harness.ui import Screen, bad_input_is_2


@bad_input_is_2
def card(
    out: Annotated[Path, typer.Argument(metavar="FOLDER", help="A dataset folder.")],
    results: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Results of `reasonaudio run` on it: scores that are there are not computed again."),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Measure also what the card has figures of.")] = False,
    audit: Annotated[bool, typer.Option(help="Look for shortcuts, as `reasonaudio audit` does.")] = True,
    num_proc: Processes = None,
    quiet: Quiet = False,
) -> None:
    """Make a dataset's card again, with the scores of the scale systems and the shortcut audit measured on it.

    README.md, the picture of a set and the Croissant file are made from the folder. None of it changes the dataset's content.
    """
    import reasonaudio_dataset
    from builders import layout
    from builders.card import read_card, set_section, unmeasured, write_card
    from eval_harness.analysis import audit_card
    from eval_harness.data import open_data
    from eval_harness.quiet import quiet_libraries
    from eval_harness.running import run
    from eval_harness.scale_card import HEADING, KNOWS, card_text

    screen = Screen(quiet)
    processes = steps.processes(num_proc)
    data = open_data(out)
    folder = data.folder.path
    write_card(data.folder)  # before the files are looked at: the card may be what is missing
    with screen.progress("checksums, MB") as report:
        reasonaudio_dataset.verify(folder, report)
    wanted = (HEADING, audit_card.HEADING) if again else unmeasured(read_card(folder))
    if HEADING in wanted:
        quiet_libraries()
        with ExitStack() as stack:
            place = results or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            runs = [run(name, data=data, out=place, shown=screen.progress, scope="task") for name in KNOWS]
            set_section(folder, HEADING, card_text(runs, data.content_hash))
    if audit_card.HEADING in wanted and audit:
        found = run_audit(screen, [data], 0, processes)
        set_section(folder, audit_card.HEADING, audit_card.card_text(found, verdict(found)))
        screen.note(f"audit: {verdict(found)}")
    screen.result(str(folder / layout.CARD))
