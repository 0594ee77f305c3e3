"""`reasonaudio push`: a dataset folder onto the Hugging Face Hub."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eval_harness import steps
from eval_harness.options import Processes, Quiet
from eval_harness.ui import Screen, plain_errors

if TYPE_CHECKING:
    from builders.publishing import Change


@plain_errors
def push(
    out: Annotated[Path, typer.Argument(metavar="FOLDER", help="A dataset folder.")],
    repository: Annotated[str, typer.Argument(metavar="ORG/NAME", help="The dataset on the Hub; made where it is not there.")],
    private: Annotated[bool, typer.Option("--private", help="Make it private, where it is made.")] = False,
    tag: Annotated[str, typer.Option(metavar="NAME", help="A name for this state of it, as v1.0.0.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Change nothing, and list what would be done.")] = False,
    num_proc: Processes = None,
    quiet: Quiet = False,
) -> None:
    """Push a dataset to the Hugging Face Hub: checked first, byte for byte, and only what is not there.

    Log in before with `hf auth login`, or set HF_TOKEN. Interrupted, the same command goes on.
    """
    from builders.publishing import loading_lines
    from builders.publishing import push as publish
    from eval_harness.quiet import quiet_hub

    screen = Screen(quiet)
    processes = steps.processes(num_proc)
    quiet_hub(quiet)
    with ExitStack() as bars:
        bar = bars.enter_context(screen.progress("checking"))

        def checked(files: int, total: int) -> None:
            bar(files, total)
            if files == total:  # what follows has bars of its own
                bars.close()

        done = publish(out, repository, private=private, tag=tag, dry_run=dry_run, num_proc=processes, progress=checked)
    if private and done.change.exists:
        screen.note(f"{repository} was there already; --private does not change who sees it")
    if done.unmeasured:
        screen.note(f"nothing measured yet in the card: {', '.join(done.unmeasured)}; `reasonaudio card` does, then push again")
    for line in change_lines(done.change, dry_run):
        screen.note(line)
    if dry_run:
        screen.result(f"{repository}: nothing was changed, as --dry-run asks")
        return
    screen.result(done.url)
    for line in loading_lines(done):
        screen.result(line)


def change_lines(change: Change, dry_run: bool) -> list[str]:
    """What is or would be new, changed and gone, a line for each file."""
    from eval_harness.summary import megabytes

    lines = [] if change.exists else [f"new dataset {change.repository}"]
    for what, files in (("add", change.add), ("update", change.update), ("remove", change.remove)):
        lines += [f"{what} {file}" for file in files]
    if change.nothing:
        return [*lines, "all files are there already"]
    return [*lines, f"{megabytes(change.bytes_sent)} {'to send' if dry_run else 'in these files'}"]
