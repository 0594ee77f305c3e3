"""What `reasonaudio listen-results` prints, as tables of rich."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isnan

from rich.table import Table

from eval_harness.listening.agreement import Agreement
from eval_harness.listening.contradictions import JudgedPair
from eval_harness.listening.findings import Findings
from eval_harness.listening.listeners import Listener
from eval_harness.listening.scoring import ModeScores, Share
from eval_harness.listening.suspects import Suspect

SHOWN = 10
"""Contradictions and suspects that are printed; the files hold all."""
_WRAPPED = ("what", "of sound", "")
_TEXT = ("kind", "task", "form", "clips", "listener", "mode", "what", "of sound", "")


def accuracy_table(scores: ModeScores) -> Table:
    """One line for each task and its forms, and the mean."""
    table = _table("task", "form", "queries", "trials", "accuracy", "low", "high", "chance")
    for task, one in scores.tasks.items():
        own = {form: found for form, found in scores.forms.items() if form.rpartition("-")[0] == task}
        table.add_row(task, "", *_share(one), end_section=len(own) < 2)
        if len(own) > 1:
            for form, found in own.items():
                table.add_row("", form, *_share(found))
    if scores.mean:
        table.add_row("mean", "", *_share(scores.mean))
    return table


def kind_table(scores: ModeScores) -> Table:
    """One line for each thing that clips are to queries of a task."""
    what = "judged by rule" if scores.mode == "judge" else "chosen"
    table = _table("task", "clips", "answers", what, "low", "high", "chance")
    for task, kinds in scores.kinds.items():
        label = task
        for kind, one in kinds.items():
            table.add_row(label, kind, str(one.count), *_limits(one), _percent(one.chance))
            label = ""
    return table


def listener_table(listeners: Iterable[Listener]) -> Table:
    """One line for each listener and mode."""
    table = _table("listener", "mode", "answers", "queries", "right", "catch", "sec", "early", "unsure", "")
    for one in listeners:
        table.add_row(
            one.name,
            one.mode,
            str(one.answers),
            f"{one.trials}/{one.asked}",
            _percent(one.accuracy.interval.value) if one.accuracy else "-",
            f"{one.failed}/{one.catches}" if one.catches else "-",
            "-" if isnan(one.seconds) else f"{one.seconds:.1f}",
            _percent(one.early),
            _percent(one.unsure),
            "left out" if one.left_out else "!" if one.failed else "",
        )
    return table


def agreement_table(found: dict[str, Agreement]) -> Table:
    """One line for each task, and all."""
    table = _table("task", "pairs", "listeners", "alpha", "low", "high", "")
    for task, one in found.items():
        numbers = ("-" if isnan(value) else f"{value:.3f}" for value in (one.alpha.value, one.alpha.low, one.alpha.high))
        table.add_row(task, str(one.pairs), str(one.listeners), *numbers, one.why_not)
    return table


def contradiction_lines(pairs: Sequence[JudgedPair]) -> Iterator[str]:
    """Two lines for each contradicted pair, the first few: the sentence; the clip, what it is, and what listeners say."""
    for one in pairs[:SHOWN]:
        yield one.query.text
        yield f"  {one.clip}, {one.role}: {verdicts(one)}"


def suspect_table(found: Sequence[Suspect]) -> Table:
    """One line for each proposed suspect, the first few."""
    table = _table("kind", "what", "of sound", "contradicted", "judged")
    for one in found[:SHOWN]:
        fault = one.fault
        named = (fault.a, fault.b) if fault.kind == "recording" else (fault.a, f"taken for {fault.b}")
        table.add_row(fault.kind, *named, str(one.contradicted), str(one.judged))
    return table


def verdicts(pair: JudgedPair) -> str:
    """How many listeners said what: "fits 3, does not fit 1"."""
    words = {"fits": "fits", "not": "does not fit", "unsure": "cannot tell", "chosen": "chosen", "other": "another chosen"}
    return ", ".join(f"{words[verdict]} {pair.verdicts[verdict]}" for verdict in words if verdict in pair.verdicts)


def headline(found: Findings, scores: ModeScores) -> str:
    """What was answered in one mode, in a line."""
    what = "clips judged one by one" if scores.mode == "judge" else "the best clip chosen"
    number = len(scores.listeners)
    queries = len({one.query.id for one in found.pairs if one.mode == scores.mode})
    said = f"{what}: {number} listener{'' if number == 1 else 's'}, {queries} quer{'y' if queries == 1 else 'ies'}"
    return said if isnan(scores.unsure) else f"{said}; {_percent(scores.unsure)} cannot tell"


def _share(one: Share) -> tuple[str, ...]:
    return str(one.queries), str(one.count), *_limits(one), _percent(one.chance)


def _limits(one: Share) -> tuple[str, str, str]:
    return _percent(one.interval.value), _percent(one.interval.low), _percent(one.interval.high)


def _percent(value: float) -> str:
    return "-" if isnan(value) else f"{value:.1%}"


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for name in names:
        table.add_column(
            name, justify="left" if name in _TEXT else "right", overflow="fold", no_wrap=name not in ("listener", *_WRAPPED)
        )
    return table
