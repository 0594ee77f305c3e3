"""`reasonaudio listen-results`: what listeners' answers tell of people, and of the rule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eval_harness import steps
from eval_harness.options import Processes, Quiet
from eval_harness.ui import Screen, UsageError, bad_input_is_2

if TYPE_CHECKING:  # it loads numpy, scipy and datasets, which --help does not need
    from eval_harness.listening.findings import Findings


@bad_input_is_2
def listen_results(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILES...", help="Answers: databases of `reasonaudio listen`, and what its pages downloaded."),
    ],
    data: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", envvar="REASONAUDIO_DATA", help="The dataset that was listened to: a folder, or ORG/NAME."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Write results.json, exclude.csv (for `build --exclude`) and contradictions.html, to see and hear.",
        ),
    ] = None,
    most_catch_failures: Annotated[
        int | None,
        typer.Option(
            "--most-catch-failures",
            min=0,
            metavar="N",
            help="Leave out listeners who failed more catch trials.",
            show_default="all are counted",
        ),
    ] = None,
    card: Annotated[
        bool, typer.Option("--card", help="Write the figures, and no names, into the folder's card, README.md.")
    ] = False,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the bootstrap's draws.")] = 0,
    num_proc: Processes = None,
    quiet: Quiet = False,
) -> None:
    """Tell what listeners answered: accuracy, agreement, and every pair in which most of them contradict the rule."""
    from builders import layout
    from builders.card import PEOPLE, require_section, set_section
    from eval_harness.data import data_by_default, open_data
    from eval_harness.listening.answers import read_sessions
    from eval_harness.listening.findings import findings
    from eval_harness.listening.people_card import card_text
    from eval_harness.report.place import check_place

    screen = Screen(quiet)
    processes = steps.processes(num_proc)
    if out:
        from eval_harness.listening.results_page import PLACE, write_results

        check_place(out, PLACE)
    if card and not (data and Path(data).is_dir()):
        raise UsageError("--card writes into the card of a folder; give one with --data")
    dataset = open_data(data) if data else data_by_default()
    if card:
        require_section(dataset.folder.path, PEOPLE)
    sessions = read_sessions(files)
    with screen.progress("bootstrap") as report:
        found = findings(dataset.folder, sessions, most_catch_failures, seed=seed)
        report(1, 1)
    _print(screen, found)
    if out:
        write_results(found, out, screen.progress, processes)
        screen.result(str(out / "contradictions.html"))
    if card:
        set_section(found.folder.path, PEOPLE, card_text(found))
        screen.result(str(found.folder.path / layout.CARD))


def _print(screen: Screen, found: Findings) -> None:
    from eval_harness.listening import tables

    for scores in found.modes:
        screen.result(tables.headline(found, scores))
        if scores.unfinished:
            screen.note(f"{scores.unfinished} trials were begun and not finished; they are in no accuracy")
        if scores.untelling:
            screen.note(f"{scores.untelling} trials whose clips all fit, or none, are in no accuracy")
        screen.result("accuracy, with 95 % intervals by sets: of these listeners")
        screen.view(tables.accuracy_table(scores))
        screen.view("")
        screen.result(
            "clips judged as the rule says; cannot tell counts half"
            if scores.mode == "judge"
            else "trials in which such a clip was chosen, of those with one"
        )
        screen.view(tables.kind_table(scores))
        screen.view("")
    screen.result(
        "listeners; right: accuracy; catch: catch trials failed; sec: median seconds a clip; early: answered before the clip was "
        "heard to its end"
    )
    screen.view(tables.listener_table(found.listeners))
    screen.view("")
    failed = dict.fromkeys(one.name for one in found.listeners if one.failed and not one.left_out)
    if failed:
        screen.note(f"failed catch trials (!): {', '.join(failed)}; --most-catch-failures N leaves out who failed more than N")
    if found.agreement:
        screen.result("agreement: Krippendorff's alpha of fits / does not fit, with percentile intervals by sets")
        screen.view(tables.agreement_table(found.agreement))
        screen.view("")
    screen.result(f"a majority contradicts the rule in {len(found.contradictions)} of {len(found.pairs)} judged pairs")
    if found.contradictions:
        screen.result(*tables.contradiction_lines(found.contradictions))
        if len(found.contradictions) > tables.SHOWN:
            screen.note(f"and {len(found.contradictions) - tables.SHOWN} more; --out FOLDER writes all")
        screen.view("")
    proposed = [one for one in found.suspects if one.proposed]
    if proposed:
        screen.result("what may be at fault: contradicted in two pairs or more, and in most of those that it may explain")
        screen.view(tables.suspect_table(proposed))
