"""(plan) -> qrels over the whole corpus, and the proof that no pair is UNCLEAR."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from builders.corpus import Clip, Plan, Query
from builders.errors import PlanError
from builders.logic import Formula, Margins, Relations, Truth, evaluate, labels_of, required_labels, to_text


class ClipIndex:
    """From labels to the clips for which they matter."""

    def __init__(self, clips: Sequence[Clip], relations: Relations, labels: Iterable[str]) -> None:
        """
        Args:
            clips: the corpus.
            relations: between labels.
            labels: every label that a formula may name.
        """
        self._clips = clips
        self._position = {clip.id: n for n, clip in enumerate(clips)}
        holding: dict[str, set[int]] = defaultdict(set)
        for n, clip in enumerate(clips):
            for label in clip.timeline.labels:
                holding[label].add(n)
        # A clip matters to a label if it holds the label itself, or one related to it: else the label is missing.
        neighbours = relations.neighbours({*labels, *holding})
        self._mattering = {
            label: set().union(*(holding.get(other, ()) for other in others)) for label, others in neighbours.items()
        }

    def candidates(self, formula: Formula) -> Iterator[Clip]:
        """The clips for which the formula may be other than FALSE, in order of the corpus.

        A formula is FALSE wherever one of its required labels is missing, so these are the clips in which none is.
        """
        groups = sorted((self._mattering[label] for label in required_labels(formula)), key=len)
        common = set.intersection(*groups) if groups else set(range(len(self._clips)))
        return (self._clips[n] for n in sorted(common))


def judge(
    queries: Sequence[Query], clips: Sequence[Clip], margins: Margins, relations: Relations
) -> Iterator[tuple[Query, Clip, Truth]]:
    """Every (query, clip) pair that is TRUE or UNCLEAR, in order of queries, then clips; all others are FALSE."""
    index = ClipIndex(clips, relations, (label for query in queries for label in labels_of(query.formula)))
    for query in queries:
        for clip in index.candidates(query.formula):
            truth = evaluate(query.formula, clip.timeline, margins, relations)
            if truth is not Truth.FALSE:
                yield query, clip, truth


def qrels(plan: Plan, relations: Relations) -> list[tuple[str, str]]:
    """All relevant (query id, clip id) pairs of the corpus, sorted.

    Raises:
        PlanError: a pair is UNCLEAR; the message names the first one.
    """
    pairs = []
    for query, clip, truth in judge(plan.queries, plan.clips, plan.recipe.margins_value(), relations):
        if truth is Truth.UNCLEAR:
            raise PlanError(f"query {query.id} is UNCLEAR for clip {clip.id}: {to_text(query.formula)}")
        pairs.append((query.id, clip.id))
    return sorted(pairs)


def relevant_per_query(plan: Plan, pairs: Iterable[tuple[str, str]], task: str) -> list[int]:
    """How many clips of the task's own are relevant to each of its queries, in the order of `plan.queries_of`."""
    own = {clip.id for clip in plan.clips_of(task)}
    counts = {query.id: 0 for query in plan.queries_of(task)}
    for query_id, clip_id in pairs:
        if query_id in counts and clip_id in own:
            counts[query_id] += 1
    return list(counts.values())
