"""The command `reasonaudio doctor`."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from builders.errors import ReasonAudioError
from eval_harness.options import Quiet
from eval_harness.ui import Screen, plain_errors

if TYPE_CHECKING:
    from eval_harness.doctor import Finding

_WIDTH = 78
_STYLES = {"fine": "green", "broken": "bold red", "missing": "yellow", "note": "yellow"}


@plain_errors
def doctor(
    json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
    timeout: Annotated[float, typer.Option(min=1, metavar="SECONDS", help="What takes longer does not work.")] = 60.0,
    quiet: Quiet = False,
) -> None:
    """Try out the software that an evaluation needs, and print the line that repairs what does not work.

    Everything is imported and used in processes of its own. Exits with 1 if anything that ReasonAudio itself needs does not work.
    """
    from eval_harness import probing
    from eval_harness.doctor import findings

    screen = Screen(quiet)
    with screen.progress("trying out") as report:
        found = findings(probing.probe(timeout=timeout, progress=report))
    if json:
        screen.result(as_json(found))
    else:
        screen.view(table(found))
        for line in repair_lines(found):
            screen.result(line)
    fatal = [finding.name for finding in found if finding.fatal]
    if fatal:
        raise ReasonAudioError(f"ReasonAudio itself needs what does not work here: {', '.join(fatal)}")
    screen.note("\nWhat ReasonAudio itself needs works here.")


def as_json(found: Sequence[Finding]) -> str:
    """The findings for other programs: a list of objects with the fields of `Finding`."""
    import dataclasses
    import json

    from eval_harness.doctor import pasteable

    records = [dataclasses.asdict(finding) | {"repair": pasteable(finding.repair)} for finding in found]
    return json.dumps(records, indent=2, ensure_ascii=False)


def table(found: Sequence[Finding]) -> Table:
    """One line for each thing: first what ReasonAudio itself needs, then what some models or other tasks need."""
    from eval_harness.doctor import OURSELVES

    made = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for name in ("thing", "version", "state"):
        made.add_column(name, no_wrap=True)
    made.add_column("what", overflow="fold")
    broken = {finding.name for finding in found if finding.state == "broken"}
    for finding in sorted(found, key=lambda finding: finding.needed_for != OURSELVES):
        ours = finding.needed_for == OURSELVES
        what = f"fails in {finding.through}" if finding.through in broken else finding.what
        if finding.state in ("broken", "missing") and not ours and what == finding.what and not what.startswith("needs "):
            what = f"{what}; for {finding.needed_for}"
        version = finding.version.partition("-")[0]
        made.add_row(finding.name, version, Text(finding.state, style=_STYLES[finding.state]), Text(what))
    return made


def repair_lines(found: Sequence[Finding]) -> list[str]:
    """Lines for a shell that repair what is wrong, then those that add what some models need; as comments, what they are for."""
    wrong = [finding for finding in found if finding.fatal or finding.state in ("broken", "note")]
    more = [finding for finding in found if finding not in wrong and finding.state == "missing"]
    lines = _block("To repair:", wrong)
    done = {finding.repair or finding.hint for finding in wrong}
    return lines + _block(
        "To add, if you need it:", [finding for finding in more if (finding.repair or finding.hint) not in done]
    )


def _block(title: str, found: Sequence[Finding]) -> list[str]:
    from eval_harness.doctor import pasteable

    ways: dict[tuple[str, str], list[str]] = {}
    for finding in found:
        if finding.repair or finding.hint:
            ways.setdefault((finding.repair, finding.hint), []).append(finding.name)
    if not ways:
        return []
    lines = ["", title]
    for (repair, hint), names in ways.items():
        comment = f"{', '.join(names)}: {hint}" if hint else ", ".join(names)
        lines += textwrap.wrap(comment, _WIDTH, initial_indent="# ", subsequent_indent="# ", break_long_words=False)
        lines += [pasteable(repair)] if repair else []
    return lines
