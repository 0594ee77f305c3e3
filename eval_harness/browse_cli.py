"""`reasonaudio browse`: a corpus to look at and listen to in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eval_harness import steps
from eval_harness.options import Host, OpenBrowser, Port, Quiet
from eval_harness.ui import Screen, bad_input_is_2

PORT = 8766


@bad_input_is_2
def browse(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A dataset folder.")],
    results: Annotated[
        Path | None,
        typer.Option(metavar="OUT", help="A folder of results on it: shows where models rank the clips."),
    ] = None,
    host: Host = None,
    port: Port = None,
    open_browser: OpenBrowser = False,
    quiet: Quiet = False,
) -> None:
    """Browse a corpus: queries by task, form and sound, their clips as lanes, spectrogram and sound, models' rankings."""
    from eval_harness import serving
    from eval_harness.browsing.pages import Pages
    from eval_harness.browsing.server import browsing_app

    screen = Screen(quiet)
    opened = steps.open_folder(folder)
    models = {}
    if results is not None:
        from eval_harness.analysis.results import read_results
        from eval_harness.data import open_data
        from eval_harness.report.gather import called

        models = called(read_results(results, open_data(folder)))
    with serving.listen(host or serving.LOOPBACK, PORT if port is None else port) as bound:
        app = browsing_app(Pages(opened, models), bound, host or "")
        serving.serve_pages(screen, app, bound, open_browser)
