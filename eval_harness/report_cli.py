"""`reasonaudio report`: a folder of pages, figures and tables of what models got."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eval_harness import steps
from eval_harness.options import Quiet
from eval_harness.ui import Screen, bad_input_is_2

_MOST_EXAMPLES = 50


@bad_input_is_2
def report(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A folder of results, as `reasonaudio run --out` wrote it.")],
    to: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="The report's folder; an earlier report there is replaced.", show_default="OUT/report"
        ),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="The dataset that was searched, if it lies elsewhere now.", show_default="as it was run"
        ),
    ] = None,
    examples: Annotated[
        int,
        typer.Option(min=0, max=_MOST_EXAMPLES, metavar="N", help="Queries of each task to show, of those most often missed."),
    ] = 3,
    spaces: Annotated[
        int, typer.Option(min=0, metavar="N", help="Models whose embedding spaces are measured and drawn, the best first.")
    ] = 1,
    audit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The corpus's audit, as `reasonaudio audit --json` wrote it.")
    ] = None,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="The title of the report.")] = None,
    quiet: Quiet = False,
) -> None:
    """Write a report to look at: leaderboard, figures, foils, and examples to see and hear. Opens from disk, offline."""
    from eval_harness.analysis.results import read_results
    from eval_harness.data import open_data
    from eval_harness.report.audits import read_audit
    from eval_harness.report.making import TITLE, Settings, make_report
    from eval_harness.report.place import check_place

    screen = Screen(quiet)
    to = to or out / "report"
    results = read_results(out, open_data(data) if data else None)
    check_place(to)
    audited = read_audit(audit, results.data) if audit else None
    settings = Settings(title or TITLE, examples, spaces, num_proc=steps.processes(None))
    make_report(results, to, settings, screen.progress, audited)
    screen.result(str(to / "index.html"))
