"""What `reasonaudio show` and `reasonaudio explain` print: queries, their clips as lanes, and why each is relevant or not.

Plain records in (`Query`, `Clip`, `Margins`, `Relations`), rich renderables out; they fit 80 columns and grow with the terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from builders.corpus import Clip, Query
from builders.explain import explain
from builders.logic import NO_RELATIONS, Formula, Margins, Relations, Truth, evaluate, to_text
from builders.recipe import TASK_NAMES
from eval_harness.lanes import ASCII, UNICODE, Glyphs, Lanes, label_styles

_TRUTH_STYLES = {Truth.TRUE: "green", Truth.FALSE: "red", Truth.UNCLEAR: "yellow"}


@dataclass(frozen=True, slots=True)
class QueryView:
    """One query in full: text, formula, twin, and the clips of its set, relevant ones first, foils by kind.

    Attributes:
        clips: clip id -> clip, with at least the clips of the query's set.
    """

    query: Query
    twin: Query | None
    clips: Mapping[str, Clip]
    margins: Margins = Margins()
    relations: Relations = NO_RELATIONS

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        glyphs = _glyphs(options)
        yield from self._head()
        styles = label_styles(self.query.formula, *([self.twin.formula] if self.twin else []))
        labels = {label for clip in self.query.clips for label in self.clips[clip].timeline.labels}
        lanes = Lanes.fitting(options.max_width, labels, styles, glyphs)
        for kind, group in self._groups().items():
            yield Text()
            title = f"{kind or 'relevant'} ({len(group)})"
            yield Rule(
                Text(title, style=f"bold {'red' if kind else 'green'}"),
                align="left",
                style="dim",
                characters="-" if options.ascii_only else "─",
            )
            yield lanes.axis()
            for number, clip in enumerate(group):
                if number:
                    yield Text()
                yield from _clip(self.clips[clip], self.query.formula, not kind, lanes, self.margins, self.relations)

    def _head(self) -> Iterator[RenderableType]:
        query = self.query
        yield _entry("query", query.id, f"{query.task}, form {query.form}, set {query.set}", query.text, query.formula)
        if self.twin:
            yield Text()
            yield _entry("twin", self.twin.id, "", self.twin.text, self.twin.formula)
        yield Text()
        kinds = ", ".join(f"{len(group)} {kind}" for kind, group in self._groups().items() if kind)
        count = len(query.relevant) + len(query.foils)
        yield Text(f"{count} clips in the set: {len(query.relevant)} relevant; foils: {kinds or 'none'}")
        yield Text("A to F: the sounds that the two queries are about, and their rivals; P, Q: free sounds", style="dim")

    def _groups(self) -> dict[str, list[str]]:
        """Kind of foil ("" for the relevant clips) -> clips."""
        groups: dict[str, list[str]] = {"": list(self.query.relevant)}
        for foil in sorted(self.query.foils, key=lambda foil: (foil.kind == "anchor-missing", foil.kind)):
            groups.setdefault(foil.kind, []).append(foil.clip)
        return groups


@dataclass(frozen=True, slots=True)
class PairView:
    """Any query and any clip: the clip's lanes, each part of the formula with its value, and the verdict.

    Attributes:
        in_qrels: whether the folder lists the pair as relevant.
    """

    query: Query
    clip: Clip
    in_qrels: bool
    margins: Margins = Margins()
    relations: Relations = NO_RELATIONS

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        query, clip = self.query, self.clip
        glyphs = _glyphs(options)
        yield _entry("query", query.id, f"{query.task}, form {query.form}, set {query.set}", query.text, query.formula)
        yield Text()
        inside = "the query's own set" if clip.set == query.set else f"set {clip.set}"
        yield Text.assemble(("clip   ", "bold"), (clip.id, "bold"), (f"  {inside}: {clip.arrangement}", "dim"))
        lanes = Lanes.fitting(options.max_width, clip.timeline.labels, label_styles(query.formula), glyphs)
        yield lanes.axis()
        yield from lanes.draw(clip.timeline)
        yield Text()
        for reason in explain(query.formula, clip.timeline, self.margins, self.relations):
            yield Text.assemble(
                (f"{_mark(reason.truth, glyphs)} {reason.truth.name:<7} ", _TRUTH_STYLES[reason.truth]), to_text(reason.part)
            )
            yield Padding(Text(reason.text), (0, 0, 0, 10))
        truth = evaluate(query.formula, clip.timeline, self.margins, self.relations)
        yield Text()
        yield Text.assemble(
            ("formula ", "bold"),
            (truth.name, f"bold {_TRUTH_STYLES[truth]}"),
            f"; the pair is {'listed' if self.in_qrels else 'not listed'} as relevant",
        )
        if (truth is Truth.TRUE) != self.in_qrels:
            yield _contradiction(self.in_qrels, truth)


def _clip(
    clip: Clip, formula: Formula, relevant: bool, lanes: Lanes, margins: Margins, relations: Relations
) -> Iterator[RenderableType]:
    yield Text.assemble((clip.id, "bold"), (f"  {clip.arrangement}", "dim"))
    yield from lanes.draw(clip.timeline)
    reasons = explain(formula, clip.timeline, margins, relations)
    for truth, text in dict.fromkeys((reason.truth, reason.text) for reason in reasons):  # "no piano" once for two parts
        mark = Text.assemble((_mark(truth, lanes.glyphs), _TRUTH_STYLES[truth]), " ", text)
        yield Padding(_hanging(mark), (0, 0, 0, lanes.indent))
    truth = evaluate(formula, clip.timeline, margins, relations)
    if truth is not (Truth.TRUE if relevant else Truth.FALSE):
        yield Padding(_contradiction(relevant, truth), (0, 0, 0, lanes.indent))


def _hanging(text: Text) -> RenderableType:
    """`text` with its second and further lines set in by the width of its mark."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=1)
    grid.add_column()
    grid.add_row(text[:1], text[2:])
    return grid


def _contradiction(listed: bool, truth: Truth) -> Text:
    return Text(
        f"the folder lists it as {'relevant' if listed else 'not relevant'}, but the formula is {truth.name}: "
        "run `reasonaudio check`",
        style="bold yellow",
    )


def _entry(name: str, identifier: str, place: str, text: str, formula: Formula) -> RenderableType:
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=7, style="bold")
    grid.add_column()
    grid.add_row(name, Text.assemble((identifier, "bold"), (f"  {place}" if place else "", "dim")))
    grid.add_row("", Text(text, style="bold"))
    grid.add_row("", Text(to_text(formula), style="italic"))
    return grid


def _mark(truth: Truth, glyphs: Glyphs) -> str:
    return {Truth.TRUE: glyphs.yes, Truth.FALSE: glyphs.no, Truth.UNCLEAR: glyphs.unclear}[truth]


def _glyphs(options: ConsoleOptions) -> Glyphs:
    return ASCII if options.ascii_only else UNICODE


def overview(queries: Iterable[Query]) -> Table:
    """One line for each form: how many queries it has, and one of them with its id."""
    forms: dict[tuple[str, str], list[Query]] = {}
    for query in queries:
        forms.setdefault((query.task, query.form), []).append(query)
    table = _table("form", "queries", "example", "text")
    for (_, form), found in sorted(forms.items(), key=lambda item: (TASK_NAMES.index(item[0][0]), item[0][1])):
        table.add_row(form, str(len(found)), found[0].id, found[0].text)
    return table


def listing(queries: Sequence[Query]) -> Table:
    """One line for each query: id, form, number of relevant clips in its set, text."""
    table = _table("query", "form", "relevant", "text")
    for query in queries:
        table.add_row(query.id, query.form, str(len(query.relevant)), query.text)
    return table


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for name in names:
        number = name in ("queries", "relevant")
        last = name == names[-1]
        table.add_column(name, justify="right" if number else "left", no_wrap=not last, ratio=1 if last else None)
    return table
