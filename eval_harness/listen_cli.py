"""`reasonaudio listen`: people judge clips on a page, served here or in a file of its own."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eval_harness import steps
from eval_harness.options import Host, OpenBrowser, Port, Quiet
from eval_harness.ui import Screen, UsageError, plain_errors

if TYPE_CHECKING:
    from builders.dataset_folder import DatasetFolder
    from eval_harness.listening.study import Study

PORT = 8765


class Mode(StrEnum):
    """What is asked of clips: as `eval_harness.listening.study.Mode`."""

    judge = "judge"
    best = "best"


@plain_errors
def listen(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A dataset folder.")],
    queries: Annotated[int, typer.Option(metavar="N", help="How many queries are asked.")] = 50,
    task: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this task (order) or form (order-1); may be repeated.", show_default="all"),
    ] = None,
    mode: Annotated[
        Mode, typer.Option(help="judge: each clip fits or does not; best: one of the clips is chosen, which is retrieval.")
    ] = Mode.judge,
    clips: Annotated[int, typer.Option(metavar="N", help="Clips to hear for each query.")] = 4,
    practice: Annotated[int, typer.Option(metavar="N", help="Queries to practise on first, with feedback.")] = 2,
    catch_every: Annotated[
        int, typer.Option(metavar="N", help="A question that everybody who listens gets right, for every N queries; 0 for none.")
    ] = 10,
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed asks other queries and clips.")] = 0,
    answers: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Database for answers; made, or added to.", show_default="listening.sqlite"),
    ] = None,
    host: Host = None,
    port: Port = None,
    open_browser: OpenBrowser = False,
    static: Annotated[
        Path | None,
        typer.Option(metavar="OUT.html", help="Write one file that works from disk, and gives its answers as a download."),
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Let people listen: a page on this machine, or in one file, that asks which clips fit a query. Answers stay here."""
    from eval_harness.listening.study import StudySettings, make_study

    screen = Screen(quiet)
    settings = StudySettings(queries, tuple(task or ()), clips, mode.value, seed, practice, catch_every)
    opened = steps.open_folder(folder)
    study = make_study(opened, settings)
    asked = len(study.of_kind("asked"))
    if asked < queries:
        screen.note(f"note: {asked} queries are asked; there are no more" + (" besides those practised on" if practice else ""))
    if static is None:
        _serve(screen, opened, study, answers or Path("listening.sqlite"), host, port, open_browser)
        return
    given = {"--answers": answers, "--host": host, "--port": port, "--open": open_browser or None}
    for name, value in given.items():
        if value is not None:
            raise UsageError(f"{name} is for the page that is served; --static writes a file, which keeps answers in the browser")
    _write(screen, opened, study, static)


def _write(screen: Screen, folder: DatasetFolder, study: Study, out: Path) -> None:
    from builders.files import check_target, write_whole
    from eval_harness.listening.material import static_page
    from eval_harness.summary import megabytes

    check_target(out)
    with screen.progress("clips") as report:
        content = static_page(folder, study, steps.processes(None), report).encode()
    write_whole(out, content)
    screen.result(str(out))
    screen.note(f"{megabytes(len(content))}; it opens from disk, and gives answers as a download for reasonaudio listen-results")


def _serve(
    screen: Screen,
    folder: DatasetFolder,
    study: Study,
    answers: Path,
    host: str | None,
    port: int | None,
    open_browser: bool,
) -> None:
    from builders.files import make_folder
    from eval_harness import serving
    from eval_harness.listening.server import listening_app
    from eval_harness.listening.store import AnswerStore

    with serving.listen(host or serving.LOOPBACK, PORT if port is None else port) as bound:
        make_folder(answers.parent)
        store = AnswerStore(answers, study)
        app = listening_app(folder, store, bound, host or "")
        before = sum(store.counts().values())
        screen.note(f"answers are kept in {answers}" + (f", which has {before} of this study" if before else ""))
        serving.serve_pages(screen, app, bound, open_browser)
    counts = store.counts()
    screen.note(
        f"{sum(counts.values())} answers of {len(counts)} {'listener' if len(counts) == 1 else 'listeners'} in {answers}; "
        f"reasonaudio listen-results {steps.quoted(answers)} --data {steps.quoted(folder.path)} tells what they mean"
    )
