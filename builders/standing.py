"""What stands in a corpus while it is planned: its queries and clips so far, and what would be UNCLEAR beside them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import combinations

from builders.logic import Before, Formula, Lacks, Margins, Overlaps, Relations, Truth, conjuncts, evaluate, required_labels
from builders.timeline import Timeline, overlapping_pairs

Place = tuple[int, int]
"""Number of the set in the corpus, and of the clip in its set."""


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
        self._answering = {
            label: frozenset(asked for asked in near if relations.holds(label, asked) is Truth.TRUE)
            for label, near in self._neighbours.items()
        }
        self._queries: dict[tuple[str, str], list[Formula]] = defaultdict(list)
        self._near: dict[str, set[Place]] = defaultdict(set)
        self._holding: dict[str, set[Place]] = defaultdict(set)
        self._sets: dict[str, set[int]] = defaultdict(set)

    # --- adding -------------------------------------------------------------------------------------------------------

    def add_query(self, formula: Formula) -> None:
        self._queries[_pair(formula)].append(formula)

    def remove_query(self, formula: Formula) -> None:
        self._queries[_pair(formula)].remove(formula)

    def add_clip(self, place: Place, labels: Iterable[str]) -> None:
        for label in labels:
            self._sets[label].add(place[0])
            for near in self._neighbours[label]:
                self._near[near].add(place)
            for asked in self._answering[label]:
                self._holding[asked].add(place)

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

    def clash_in_clip(self, label: str, others: Iterable[str]) -> bool:
        """Whether a clip with `label` and `others` would be UNCLEAR for a query so far, whatever its times.

        It would be where the query asks for two sounds and the clip has something related to both, but not both themselves.
        """
        for other in others:
            for a in self._neighbours[label]:
                for b in self._neighbours[other]:
                    if (a not in self._answering[label] or b not in self._answering[other]) and (
                        self._queries.get((a, b) if a < b else (b, a))
                    ):
                        return True
        return False

    def clash_in_query(self, label: str, others: Iterable[str]) -> bool:
        """Whether a query for `label` and one of `others` would be UNCLEAR for a clip so far, whatever its times."""
        return any((self._near[label] & self._near[other]) - (self._holding[label] & self._holding[other]) for other in others)

    def sets_with(self, label: str) -> int:
        """In how many sets so far some clip has the sound."""
        return len(self._sets.get(label, ()))

    def crowded(self, label: str, others: Iterable[str], sets: range) -> bool:
        """Whether a clip of one of these sets holds `label` and one of `others`."""
        return any(place[0] in sets for other in others for place in self._holding[label] & self._holding[other])


def _pair(formula: Formula) -> tuple[str, str]:
    """The first two required labels, sorted."""
    first, second = sorted(required_labels(formula)[:2])
    return first, second
