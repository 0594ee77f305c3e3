"""Examples as values: a query and its twin, clips as lanes, what each is to both, and how every model ranks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder
from builders.logic import to_text
from eval_harness.rankings import Rankings
from eval_harness.report.choosing import RELEVANT, Order, choose_clips, choose_queries, order_of, role
from eval_harness.report.clips import RankOf, ShownClip, show_clip
from eval_harness.report.gather import Findings
from eval_harness.report.values import NONE, Cell, Column, Rows, Table
from eval_harness.scores import clip_ids


@dataclass(frozen=True, slots=True)
class Ranked:
    """How one model orders the clips for a query and for its twin.

    Attributes:
        model: as it is called.
        scale: whether it is a system of the scale.
        query, twin: the orders; empty where the model has no ranking.
    """

    model: str
    scale: bool
    query: Order
    twin: Order

    @classmethod
    def of(cls, model: str, scale: bool, rankings: Rankings, query: Query, searched: Sequence[str]) -> Ranked:
        """The orders of the clips that are `searched`."""
        return cls(model, scale, *(order_of(rankings, one, searched) for one in (query.id, query.twin)))

    def rank_of(self, clip: str) -> RankOf:
        """Where it ranks a clip."""
        return RankOf(self.model, self.scale, self.query.rank.get(clip), self.twin.rank.get(clip))


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
    scope, folder = findings.main_scope, findings.folder
    entries = [one for one in findings.scopes[scope] if task in one.tasks]
    searched = clip_ids(folder, task, scope)
    qrels = folder.qrels(None)
    found = []
    for place, chosen in enumerate(choose_queries(findings, task, number, seed), 1):
        query = chosen.query
        ranked = [Ranked.of(one.name, one.is_scale, one.result.rankings(task), query, searched) for one in entries]
        clips = choose_clips(query, judges(ranked), qrels[query.id])
        found.append(make_example(folder, query, f"{task}-{place}", chosen.why, clips, ranked, len(searched), qrels))
    return tuple(found)


def judges(ranked: Sequence[Ranked]) -> list[Order]:
    """The orders that decide which clips are shown: those of models; of the scale where there are none."""
    return [one.query for one in ranked if not one.scale] or [one.query for one in ranked]


def make_example(
    folder: DatasetFolder,
    query: Query,
    anchor: str,
    why: str,
    clips: Sequence[str],
    ranked: Sequence[Ranked],
    searched: int,
    qrels: Mapping[str, frozenset[str]],
) -> Example:
    """A query as it is shown.

    Args:
        folder: the dataset.
        query: what is shown.
        anchor: as `Example.anchor`.
        why: it was chosen.
        clips: ids of those that are shown.
        ranked: by all models.
        searched: how many clips they rank.
        qrels: query id -> relevant clips of the whole corpus.
    """
    twin = folder.queries[query.twin]
    return Example(
        anchor,
        query,
        twin,
        to_text(query.formula),
        to_text(twin.formula),
        why,
        searched,
        _outcomes(anchor, (query, twin), ranked, qrels),
        tuple(show_clip(folder, folder.clips[clip], query, twin, qrels, (one.rank_of(clip) for one in ranked)) for clip in clips),
        _whole_set(anchor, folder, query, twin, ranked),
    )


def _outcomes(anchor: str, twins: tuple[Query, Query], ranked: Sequence[Ranked], qrels: Mapping[str, frozenset[str]]) -> Table:
    """What every model puts first for the query and for its twin, and where its first relevant clip stands."""
    columns = (
        Column("Model", numeric=False),
        Column("Query: first is", numeric=False),
        Column("Relevant at"),
        Column("Twin: first is", numeric=False),
        Column("Relevant at"),
    )

    def row(one: Ranked) -> tuple[Cell, ...]:
        cells = [Cell(one.model)]
        for query, order in zip(twins, (one.query, one.twin), strict=True):
            first = role(query, order.clips[0], qrels[query.id]) if order.clips else "nothing"
            cells += [Cell(first, mark="above" if first == RELEVANT else ""), rank(order.first_of(qrels[query.id]))]
        return tuple(cells)

    groups = tuple(Rows(tuple(row(one) for one in ranked if one.scale == scale), scale=scale) for scale in (False, True))
    return Table(f"first-{anchor}", "What each model puts first, and the rank of its first relevant clip", columns, groups)


def _whole_set(anchor: str, folder: DatasetFolder, query: Query, twin: Query, ranked: Sequence[Ranked]) -> Table:
    columns = (
        Column("Clip", numeric=False),
        Column("Arrangement", numeric=False),
        Column("To the query", numeric=False),
        Column("To its twin", numeric=False),
        *(Column(one.model) for one in ranked),
    )
    rows = tuple(
        (
            Cell(clip),
            Cell(folder.clips[clip].arrangement),
            Cell(role(query, clip), mark="above" if clip in query.relevant else ""),
            Cell(role(twin, clip)),
            *(rank(one.query.rank.get(clip)) for one in ranked),
        )
        for clip in sorted(query.clips, key=lambda clip: (clip not in query.relevant, role(query, clip), clip))
    )
    return Table(f"set-{anchor}", "All clips of the set, with their ranks for the query", columns, (Rows(rows),), True)


def rank(place: int | None) -> Cell:
    """A rank as it is shown."""
    return Cell(NONE) if place is None else Cell(f"{place:,}", sort=float(place), mark="best" if place == 1 else "")
