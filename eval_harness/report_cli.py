"""`reasonaudio report`: a folder of pages, figures and tables of what models got."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from builders.errors import EvaluationError
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
        list[str] | None,
        typer.Option(
            metavar="FOLDER",
            help="The dataset that was searched, if it lies elsewhere now; once more for each control.",
            show_default="as it was run",
        ),
    ] = None,
    control: Annotated[
        list[Path] | None,
        typer.Option(metavar="OUT2", help="Results of the same models on a control of the corpus; may be given for each."),
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
    from eval_harness.analysis.controls import data_of, read_controls
    from eval_harness.analysis.results import read_results
    from eval_harness.data import open_data
    from eval_harness.report.audits import read_audit
    from eval_harness.report.making import TITLE, Settings, make_report
    from eval_harness.report.place import check_place

    screen = Screen(quiet)
    to = to or out / "report"
    datas = [open_data(folder) for folder in data or ()]
    results = read_results(out, data_of(out, datas) or (datas[0] if datas and not control else None))
    controls = read_controls(results, control or (), datas)
    unused = {data.content_hash: data for data in datas}
    for of in (results, *controls.values()):
        unused.pop(of.data.content_hash, None)
    for other in unused.values():
        raise EvaluationError(f"--data {other.path}: none of the results are of it; leave it out")
    check_place(to)
    audited = read_audit(audit, results.data) if audit else None
    settings = Settings(title or TITLE, examples, spaces, num_proc=steps.processes(None))
    make_report(results, to, settings, screen.progress, audited, controls)
    screen.result(str(to / "index.html"))
