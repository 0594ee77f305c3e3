"""What stands in a corpus while it is planned: its queries and clips so far, and what would be UNCLEAR beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from builders.logic import Before, Formula, Lacks, Margins, Overlaps, Relations, Truth, conjuncts, evaluate, required_labels
from builders.timeline import Timeline, overlapping_pairs

Pairs = NDArray[np.bool_]
"""Of which two labels something is true, by their numbers in the library's order; shape [labels, labels], symmetric."""

Place = tuple[int, int]
"""Number of the set in the corpus, and of the clip in its set."""


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """Which two sounds go together in a new set.

    Attributes:
        number: of each label, by which the others are indexed; each of shape [labels, labels], symmetric.
        unrelated: they may stand in one set.
        together: they may also meet in a clip: it would be UNCLEAR for no query so far, whatever its times. (It would where the
            query asks for two sounds and the clip has something related to both, but not both themselves.)
        clear: a query may also ask for both: it would be UNCLEAR for no clip so far, whatever its times.
        asked: and it is good to ask for both: no other clip of the task holds both, so that few clips answer by chance, and
            nothing is related to both, which could then stand nowhere in the corpus.
    """

    number: Mapping[str, int]
    unrelated: Pairs
    together: Pairs
    clear: Pairs
    asked: Pairs


class Standing:
    """An index of queries and clips by pairs of labels: a formula is FALSE for a clip without two of its required labels."""

    def __init__(
        self,
        labels: Iterable[str],
        margins: Margins,
        relations: Relations,
        heard_in: Callable[[str], frozenset[str]] = lambda recording: frozenset(),
    ) -> None:
        """
        Args:
            labels: all of the library's.
            margins: of relations between events.
            relations: between labels.
            heard_in: recording id -> other labels that are overheard in it.
        """
        self._margins, self._relations, self._heard_in = margins, relations, heard_in
        self._neighbours = relations.neighbours(labels)
        self._queries: dict[tuple[str, str], list[Formula]] = defaultdict(list)
        self._near: dict[str, set[Place]] = defaultdict(set)
        self._sets: dict[str, set[int]] = defaultdict(set)
        labels = tuple(self._neighbours)
        self._number = {label: n for n, label in enumerate(labels)}
        self._related = np.array([[other in self._neighbours[label] for other in labels] for label in labels])
        self._answers = np.array([[relations.holds(label, other) is Truth.TRUE for other in labels] for label in labels])
        self._near_numbers = {label: np.flatnonzero(row) for label, row in zip(labels, self._related, strict=True)}
        self._sharing = (self._related.astype(np.int32) @ self._related) > 0
        size = (len(labels), len(labels))
        self._unclear_clips = np.zeros(size, np.int32)
        self._unclear_queries = np.zeros(size, np.bool_)
        self._held: dict[str, Pairs] = defaultdict(lambda: np.zeros(size, np.bool_))

    # --- adding -------------------------------------------------------------------------------------------------------

    def add_query(self, formula: Formula) -> None:
        self._queries[_pair(formula)].append(formula)
        self._count_unclear_clips(formula, 1)

    def remove_query(self, formula: Formula) -> None:
        self._queries[_pair(formula)].remove(formula)
        self._count_unclear_clips(formula, -1)

    def _count_unclear_clips(self, formula: Formula, by: int) -> None:
        a, b = _pair(formula)
        near_a, near_b = self._near_numbers[a], self._near_numbers[b]
        same = np.outer(self._answers[near_a, self._number[a]], self._answers[near_b, self._number[b]])
        self._unclear_clips[np.ix_(near_a, near_b)] += by * ~same
        self._unclear_clips[np.ix_(near_b, near_a)] += by * ~same.T

    def add_clip(self, place: Place, labels: Iterable[str], task: str) -> None:
        """Adds a clip of a task with these labels."""
        numbers = [self._number[label] for label in labels]
        for label in labels:
            self._sets[label].add(place[0])
            for near in self._neighbours[label]:
                self._near[near].add(place)
        related = np.flatnonzero(self._related[numbers].any(axis=0))
        answers = np.asarray(self._answers[numbers].any(axis=0))
        self._unclear_queries[np.ix_(related, related)] |= ~np.outer(answers[related], answers[related])
        held = np.flatnonzero(answers)
        self._held[task][np.ix_(held, held)] = True

    # --- asking -------------------------------------------------------------------------------------------------------

    def first_unclear(self, timeline: Timeline) -> Formula | None:
        """A query so far that is UNCLEAR for the timeline, if there is one."""
        near = sorted(frozenset().union(*(self._neighbours[label] for label in timeline.labels)))
        for pair in combinations(near, 2):
            for formula in self._queries.get(pair, ()):
                if self.is_unclear(formula, timeline):
                    return formula
        return None

    def may_become_clear(self, formula: Formula, timeline: Timeline) -> bool:
        """Whether other times for the same blocks, in the same order, could change what the formula is.

        Gaps and lengths are clear by plan, so only the shift within an overlapping pair can, and only for a formula about both.
        """
        answering = [[self._neighbours[event.label] for event in pair] for pair in overlapping_pairs(timeline)]
        return any(
            (part.a in first and part.b in second) or (part.b in first and part.a in second)
            for part in conjuncts(formula)
            if isinstance(part, Before | Overlaps)
            for first, second in answering
        )

    def is_unclear(self, formula: Formula, timeline: Timeline) -> bool:
        """Whether it cannot be told, or is TRUE only as long as nobody hears what is in the background of a recording."""
        truth = evaluate(formula, timeline, self._margins, self._relations)
        return truth is Truth.UNCLEAR or (truth is Truth.TRUE and self._is_belied(formula, timeline))

    def _is_belied(self, formula: Formula, timeline: Timeline) -> bool:
        """Whether a sound that the formula wants absent, or one related to it, is overheard in a recording of the timeline."""
        heard: frozenset[str] = frozenset().union(*(self._heard_in(event.recording) for event in timeline))
        return bool(heard) and any(isinstance(part, Lacks) and self._neighbours[part.a] & heard for part in conjuncts(formula))

    def clips_near(self, formula: Formula) -> list[Place]:
        """The clips so far for which the formula may be other than FALSE, in order."""
        first, second = _pair(formula)
        return sorted(self._near[first] & self._near[second])

    def sets_with(self, label: str) -> int:
        """In how many sets so far some clip has the sound."""
        return len(self._sets.get(label, ()))

    def fits(self, task: str) -> Fits:
        """Which sounds go together in a set of the task, beside what stands so far."""
        together = ~self._related & (self._unclear_clips == 0)
        clear = together & ~self._unclear_queries
        return Fits(self._number, ~self._related, together, clear, clear & ~self._sharing & ~self._held[task])


def _pair(formula: Formula) -> tuple[str, str]:
    """The first two required labels, sorted."""
    first, second = sorted(required_labels(formula)[:2])
    return first, second
