"""Examples as values: a query and its twin, clips as lanes, what each is to both, and how every model ranks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from builders.corpus import Clip, Query
from builders.explain import explain
from builders.logic import Formula, Lacks, Truth, conjuncts, labels_of, to_text
from builders.recipe import CLIP_MS
from builders.timeline import overlap_ms, overlapping_pairs
from eval_harness.report.choosing import RELEVANT, Chosen, Order, choose_clips, choose_queries, order_of, role
from eval_harness.report.gather import Entry, Findings
from eval_harness.report.values import NONE, Cell, Column, Rows, Table
from eval_harness.scores import clip_ids

COLOURS = 6
"""Colours of named sounds; free sounds are grey."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One sound on the time axis.

    Attributes:
        label: of the sound.
        start, length: in thousandths of the clip's length.
        style: "named-0", ..., or "free" for a sound that neither query names.
        absent: whether the query wants it absent.
        said: what is read out: "rain, 0.80 to 3.10 s".
    """

    label: str
    start: float
    length: float
    style: str
    absent: bool
    said: str


@dataclass(frozen=True, slots=True)
class RankOf:
    """Where a model ranks a clip for the query and for its twin; None where it does not."""

    model: str
    scale: bool
    query: int | None
    twin: int | None


@dataclass(frozen=True, slots=True)
class ShownClip:
    """One clip of an example.

    Attributes:
        id, arrangement, caption: as the dataset has them.
        role, twin_role: what it is to the query and to its twin.
        lanes: of its sounds, by onset.
        overlaps: (start, length) of what sounds together, in thousandths.
        reasons: each part of the query's formula: whether it holds, and the numbers behind it.
        ranks: of all models.
    """

    id: str
    arrangement: str
    caption: str
    role: str
    twin_role: str
    lanes: tuple[Lane, ...]
    overlaps: tuple[tuple[float, float], ...]
    reasons: tuple[tuple[bool, str], ...]
    ranks: tuple[RankOf, ...]

    @property
    def relevant(self) -> bool:
        return self.role == RELEVANT


@dataclass(frozen=True, slots=True)
class Example:
    """A query with its twin and clips.

    Attributes:
        anchor: the id of its part of the page.
        query, twin: with text, formula and form.
        formula, twin_formula: as text.
        why: it was chosen.
        searched: how many clips each model ranks.
        outcomes: what every model puts first.
        clips: those that are shown.
        whole_set: all clips of the set with all ranks.
    """

    anchor: str
    query: Query
    twin: Query
    formula: str
    twin_formula: str
    why: str
    searched: int
    outcomes: Table
    clips: tuple[ShownClip, ...]
    whole_set: Table


def examples(findings: Findings, task: str, number: int, seed: int = 0) -> tuple[Example, ...]:
    """The examples of a task, by the rule of `choosing`, ranked in the report's main scope."""
    scope = findings.main_scope
    entries = [one for one in findings.scopes[scope] if task in one.tasks]
    searched = clip_ids(findings.folder, task, scope)
    return tuple(
        _example(findings, chosen, f"{task}-{place}", entries, searched)
        for place, chosen in enumerate(choose_queries(findings, task, number, seed), 1)
    )


def _example(findings: Findings, chosen: Chosen, anchor: str, entries: Sequence[Entry], searched: Sequence[str]) -> Example:
    folder, query = findings.folder, chosen.query
    twin = folder.queries[query.twin]
    qrels = folder.qrels(None)
    orders = {
        one.name: tuple(order_of(one.result.rankings(query.task), each.id, searched) for each in (query, twin)) for one in entries
    }
    judges = [orders[one.name][0] for one in entries if not one.is_scale] or [mine for mine, _ in orders.values()]
    styles = label_styles(query.formula, twin.formula)

    def ranks(clip: str) -> tuple[RankOf, ...]:
        return tuple(RankOf(one.name, one.is_scale, *(order.rank.get(clip) for order in orders[one.name])) for one in entries)

    def shown(clip: Clip) -> ShownClip:
        reasons = explain(query.formula, clip.timeline, folder.recipe.margins_value(), folder.relations)
        return ShownClip(
            clip.id,
            clip.arrangement if clip.set == query.set else f"set {clip.set}",
            folder.caption(clip.id),
            role(query, clip.id, qrels[query.id]),
            role(twin, clip.id, qrels[twin.id]),
            lanes(clip, styles, query.formula, CLIP_MS),
            overlaps(clip, CLIP_MS),
            tuple(dict.fromkeys((one.truth is Truth.TRUE, one.text) for one in reasons)),  # a sound that is not there, once
            ranks(clip.id),
        )

    clips = choose_clips(query, judges, qrels[query.id])
    return Example(
        anchor,
        query,
        twin,
        to_text(query.formula),
        to_text(twin.formula),
        chosen.why,
        len(searched),
        _outcomes(anchor, (query, twin), entries, orders, qrels),
        tuple(shown(folder.clips[clip]) for clip in clips),
        _whole_set(anchor, findings, query, twin, entries, orders),
    )


def label_styles(*formulas: Formula) -> dict[str, str]:
    """A colour for every label that the formulas name, in their order."""
    labels = dict.fromkeys(label for formula in formulas for label in labels_of(formula))
    return {label: f"named-{number % COLOURS}" for number, label in enumerate(labels)}


def lanes(clip: Clip, styles: Mapping[str, str], formula: Formula, clip_ms: int) -> tuple[Lane, ...]:
    """The sounds of a clip, by onset."""
    unwanted = {part.a for part in conjuncts(formula) if isinstance(part, Lacks)}
    return tuple(
        Lane(
            event.label,
            round(1000 * event.onset_ms / clip_ms, 1),
            round(1000 * event.duration_ms / clip_ms, 1),
            styles.get(event.label, "free"),
            event.label in unwanted,
            f"{event.label}, {event.onset_ms / 1000:.2f} to {event.offset_ms / 1000:.2f} s",
        )
        for event in clip.timeline
    )


def overlaps(clip: Clip, clip_ms: int) -> tuple[tuple[float, float], ...]:
    """(start, length) of each stretch in which two sounds are heard together, in thousandths of the clip."""
    return tuple(
        (round(1000 * max(a.onset_ms, b.onset_ms) / clip_ms, 1), round(1000 * overlap_ms(a, b) / clip_ms, 1))
        for a, b in overlapping_pairs(clip.timeline)
    )


def _outcomes(
    anchor: str,
    twins: tuple[Query, Query],
    entries: Sequence[Entry],
    orders: Mapping[str, tuple[Order, ...]],
    qrels: Mapping[str, frozenset[str]],
) -> Table:
    """What every model puts first for the query and for its twin, and where its first relevant clip stands."""
    columns = (
        Column("Model", numeric=False),
        Column("Query: first is", numeric=False),
        Column("Relevant at"),
        Column("Twin: first is", numeric=False),
        Column("Relevant at"),
    )

    def row(entry: Entry) -> tuple[Cell, ...]:
        cells = [Cell(entry.name)]
        for query, order in zip(twins, orders[entry.name], strict=True):
            first = role(query, order.clips[0], qrels[query.id]) if order.clips else "nothing"
            cells += [Cell(first, mark="above" if first == RELEVANT else ""), rank(order.first_of(qrels[query.id]))]
        return tuple(cells)

    groups = tuple(Rows(tuple(row(one) for one in entries if one.is_scale == scale), scale=scale) for scale in (False, True))
    return Table(f"first-{anchor}", "What each model puts first, and the rank of its first relevant clip", columns, groups)


def _whole_set(
    anchor: str,
    findings: Findings,
    query: Query,
    twin: Query,
    entries: Sequence[Entry],
    orders: Mapping[str, tuple[Order, ...]],
) -> Table:
    columns = (
        Column("Clip", numeric=False),
        Column("Arrangement", numeric=False),
        Column("To the query", numeric=False),
        Column("To its twin", numeric=False),
        *(Column(one.name) for one in entries),
    )
    members = [*query.relevant, *(foil.clip for foil in query.foils)]
    rows = tuple(
        (
            Cell(clip),
            Cell(findings.folder.clips[clip].arrangement),
            Cell(role(query, clip), mark="above" if clip in query.relevant else ""),
            Cell(role(twin, clip)),
            *(rank(orders[one.name][0].rank.get(clip)) for one in entries),
        )
        for clip in sorted(members, key=lambda clip: (clip not in query.relevant, role(query, clip), clip))
    )
    return Table(f"set-{anchor}", "All clips of the set, with their ranks for the query", columns, (Rows(rows),), True)


def rank(place: int | None) -> Cell:
    """A rank as it is shown."""
    return Cell(NONE) if place is None else Cell(f"{place:,}", sort=float(place), mark="best" if place == 1 else "")
