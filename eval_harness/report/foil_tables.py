"""What models are misled by, as tables: foil kinds against chance, what stands first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from builders.recipe import TASK_NAMES
from eval_harness.analysis.foils import BETTER, WORSE, Confusion, FoilShare
from eval_harness.report.gather import Entry, Findings
from eval_harness.report.values import Cell, Column, Rows, Table, percent, share

_MARKS = {BETTER: "above", WORSE: "below"}


def analysed(findings: Findings) -> tuple[Entry, ...]:
    """The models whose foils were analysed, without the oracle, which ranks every pair right."""
    entries = findings.scopes[findings.main_scope]
    return tuple(one for one in entries if one.foils is not None and not one.result.model.endswith("/oracle"))


def shares_of(entry: Entry, task: str) -> tuple[FoilShare, ...]:
    """A model's foil kinds of a task."""
    return tuple(one for one in entry.foils.shares if one.task == task) if entry.foils else ()


def kinds_of(findings: Findings, task: str) -> tuple[str, ...]:
    """The foil kinds of a task, in their order."""
    return tuple(dict.fromkeys(one.kind for entry in analysed(findings) for one in shares_of(entry, task)))


def foil_table(findings: Findings, task: str) -> Table:
    """One line a model, one column a foil kind: the share of pairs ranked the right way round."""
    kinds = kinds_of(findings, task)

    def row(entry: Entry) -> tuple[Cell, ...]:
        own = {one.kind: one for one in shares_of(entry, task)}
        found = (own.get(kind) for kind in kinds)
        return (Cell(entry.name), *(share(one.interval, _MARKS.get(one.verdict, "")) if one else Cell("–") for one in found))

    columns = (Column("Model", numeric=False), *(Column(kind) for kind in kinds))
    caption = (
        f"{task.capitalize()}: pairs of a relevant clip and a foil ranked the right way round, in %, by kind of foil, "
        "with 95 % intervals; chance is 50. Green: above it, ▼: below it (Holm over a model's kinds, 5 %)."
    )
    return Table(f"foils-{task}", caption, columns, _groups(analysed(findings), task, row), True)


def worse_than_chance(findings: Findings) -> tuple[str, ...]:
    """Which models are misled by what, in a sentence each; and which kinds nobody is told from chance on."""
    said = []
    for entry in analysed(findings):
        misled = [one for task in TASK_NAMES for one in shares_of(entry, task) if one.verdict == WORSE]
        if misled and not entry.is_scale:
            listed = ", ".join(f"{one.kind} ({one.task.capitalize()}, {percent(one.share)} %)" for one in misled)
            said.append(f"{entry.name} is worse than chance against {listed}.")
    return tuple(said)


def confusion_of(entry: Entry, task: str, form: str | None = None) -> Confusion | None:
    """What a model puts first on a task, or on one form of it."""
    found = entry.foils.confusions if entry.foils else ()
    return next((one for one in found if one.task == task and one.form == form), None)


def confusion_table(findings: Findings, task: str) -> Table:
    """One line a model, one column for each thing that may stand first: the share of queries."""
    entries = analysed(findings)
    found = [one for entry in entries if (one := confusion_of(entry, task))]
    kinds = tuple(dict.fromkeys(kind for one in found for kind in one.counts))

    def row(entry: Entry) -> tuple[Cell, ...]:
        one = confusion_of(entry, task)
        counts = one.counts if one else {}
        queries = one.queries if one else 0
        return (Cell(entry.name), *(_part(counts.get(kind, 0), queries) for kind in kinds))

    random = (Cell("a random clip of the set"), *(_random(found, kind) for kind in kinds))
    columns = (Column("Model", numeric=False), *(Column(kind) for kind in kinds))
    caption = f"{task.capitalize()}: what stands first, in % of queries."
    models, scale = _groups(entries, task, row)
    return Table(f"confusion-{task}", caption, columns, (models, Rows((*scale.rows, random), scale.title, True)), True)


def _part(count: int, queries: int) -> Cell:
    return Cell(percent(count / queries), sort=count / queries) if queries else Cell("–")


def _random(found: Sequence[Confusion], kind: str) -> Cell:
    if not found or kind not in found[0].at_random:
        return Cell("–")
    return Cell(percent(found[0].at_random[kind]), sort=found[0].at_random[kind])


def _groups(entries: Iterable[Entry], task: str, row: Callable[[Entry], tuple[Cell, ...]]) -> tuple[Rows, Rows]:
    own = [one for one in entries if task in one.tasks]
    return (
        Rows(tuple(row(one) for one in own if not one.is_scale)),
        Rows(tuple(row(one) for one in own if one.is_scale), "The scale", True),
    )
