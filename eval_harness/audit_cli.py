"""`reasonaudio audit`: whether anything but the relation tells relevant clips from foils; and the same as a part of the check."""

from __future__ import annotations

import json as json_text
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from builders.errors import EvaluationError, ReasonAudioError
from eval_harness import steps
from eval_harness.options import Processes, Quiet
from eval_harness.ui import FAILED, Report, Screen, bad_input_is_2

if TYPE_CHECKING:  # measuring and testing load numpy, scipy and scikit-learn, which --help does not need
    from eval_harness.analysis.audit import Audit, Finding
    from eval_harness.data import Data

_SHORT = {"logistic regression": "linear", "gradient boosting": "boosting"}


@bad_input_is_2
def audit(
    out: Annotated[
        list[Path], typer.Argument(metavar="FOLDER...", help="A dataset folder; or several of different plans, judged as one.")
    ],
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all figures to this file.")] = None,
    card: Annotated[bool, typer.Option("--card", help="Write the figures into the folder's card, README.md.")] = False,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of folds and draws.")] = 0,
    num_proc: Processes = None,
    quiet: Quiet = False,
) -> None:
    """Look for shortcuts: can anything but the relation tell relevant clips from foils? Exits with 1 where something can.

    Classifiers are trained on what can be measured of a clip, on metadata and on the order of naming, and asked about sets that
    they have not seen. AUC 0.5 is chance. Several corpora (--seed 1, --seed 2, ...) show smaller effects than one.
    """
    import reasonaudio_dataset
    from builders import layout
    from builders.card import set_section
    from builders.files import check_target, write_whole
    from eval_harness.analysis.audit import require_different
    from eval_harness.analysis.audit_card import HEADING, card_text
    from eval_harness.data import open_data

    screen = Screen(quiet)
    if card and len(out) > 1:
        raise EvaluationError("--card writes what was found of one corpus; give one folder")
    processes = steps.processes(num_proc)
    if json:
        check_target(json)
    data = [open_data(folder) for folder in out]
    require_different(data)
    for one in data:
        with screen.progress("checksums, MB") as report:
            reasonaudio_dataset.verify(one.folder.path, report)
    found = run_audit(screen, data, seed, processes)
    for table in finding_tables(found):
        screen.view(table)
        screen.view("")
    for line in notes(found):
        screen.note(line)
    if json:
        write_whole(json, (json_text.dumps(found.to_json(), indent=2) + "\n").encode())
        screen.result(str(json))
    if card:
        set_section(data[0].folder.path, HEADING, card_text(found, verdict(found)))
        screen.result(str(data[0].folder.path / layout.CARD))
    for line in shortcut_lines(found):
        screen.result(line)
    screen.result(f"{', '.join(map(str, out))}: {verdict(found)}")
    if not found.sound:
        raise typer.Exit(FAILED)


def run_audit(screen: Screen, data: Sequence[Data], seed: int, processes: int) -> Audit:
    """The audit, with a progress bar for each of its parts."""
    from eval_harness.analysis.audit import audit as find

    with ExitStack() as stack:
        bars: dict[str, Report] = {}

        def progress(what: str, done: int, total: int) -> None:
            if what not in bars:
                stack.close()
                bars[what] = stack.enter_context(screen.progress(what))
            bars[what](done, total)

        return find(data, seed=seed, num_proc=processes, progress=progress)


def audit_for_check(screen: Screen, out: Path, processes: int) -> str:
    """The audit as a part of `check --deep`, for a folder whose files are sound.

    Returns:
        What to say of it, in one line.

    Raises:
        ReasonAudioError: there is a shortcut.
    """
    from eval_harness.data import open_data

    found = run_audit(screen, [open_data(out)], 0, processes)
    for line in shortcut_lines(found):
        screen.result(line)
    if not found.sound:
        raise ReasonAudioError(f"{out}: {verdict(found)}; `reasonaudio audit` shows all figures")
    return verdict(found)


def verdict(found: Audit) -> str:
    """One line."""
    from eval_harness.analysis.audit import ENOUGH_SETS, LIMIT
    from eval_harness.analysis.audit_card import NO_SHORTCUTS

    if not found.sound:
        count = len(found.shortcuts)
        return (
            f"{count} {'shortcut' if count == 1 else 'shortcuts'} found: something else than the relation tells what is relevant"
        )
    if found.conclusive and found.highest:
        return (
            f"{NO_SHORTCUTS}: the highest of {len(found.findings)} AUCs within sets is {found.highest[1].auc:.3f}, "
            f"none is significant, every lower limit (95 % for all at once) is below {LIMIT}"
        )
    return (
        f"{NO_SHORTCUTS} seen, but too small a corpus to rule them out: fewer than {ENOUGH_SETS} sets of some kinds of foil "
        "(--preset full has enough)"
    )


def notes(found: Audit) -> list[str]:
    """How to read the tables, and what is not in them."""
    from eval_harness.analysis.audit import ALPHA, ENOUGH_SETS, LIMIT
    from eval_harness.analysis.shortcuts import FOLDS

    lines = []
    if found.findings:
        lines.append(
            "AUC within sets (0.5 is chance) and its 95 % interval; p after Holm over all lines; "
            f"!: a shortcut (p at most {ALPHA}, or surely above {LIMIT}, by limits that hold for all AUCs at once); "
            f"few: fewer than {ENOUGH_SETS} sets, too few for a verdict"
        )
    if found.untested:
        kinds = ", ".join(f"{task} {kind}" for task, kind in found.untested)
        lines.append(f"not tried, as fewer than {FOLDS} sets have such foils: {kinds}")
    return lines


def shortcut_lines(found: Audit) -> list[str]:
    """Of each shortcut what is told from what, how well, in which forms, and what alone tells most."""
    lines = []
    for finding in found.shortcuts:
        result = finding.result
        best = max(result.told, key=lambda one: one.auc)
        forms = ", ".join(f"{form} {auc:.2f}" for form, auc in result.forms.items())
        cues = ", ".join(f"{name} {auc:.2f}" for name, auc in result.cues.items())
        lines.append(
            f"{result.task}, {result.kind}: {result.evidence} tells (AUC {best.auc:.3f}, p {finding.p_adjusted:.4f}); "
            f"by form: {forms}; most by itself: {cues}"
        )
    return lines


def finding_tables(found: Audit) -> list[Table]:
    """For each kind of evidence one line for each foil kind: AUC within sets and its 95 % interval, by each classifier."""
    tables = []
    for evidence in dict.fromkeys(finding.result.evidence for finding in found.findings):
        findings = [finding for finding in found.findings if finding.result.evidence == evidence]
        names = [_SHORT.get(one.classifier, one.classifier) for one in findings[0].result.told]
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
        for name in (evidence, "foil"):
            table.add_column(name, no_wrap=True)
        for name in ("sets", *names, "p", ""):
            table.add_column(name, justify="right", no_wrap=True)
        for finding in findings:
            result = finding.result
            told = [f"{one.auc:.3f} {one.low:.2f}-{one.high:.2f}" for one in result.told]
            table.add_row(result.task, result.kind, str(result.sets), *told, f"{finding.p_adjusted:.3f}", _mark(finding))
        tables.append(table)
    return tables


def _mark(finding: Finding) -> str:
    return "!" if finding.shortcut else "" if finding.enough else "few"
