"""What a plan consists of: clips and queries. Records only.

`plan` makes them, `render` sounds them, `dataset_folder` reads them back.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from builders.logic import Formula
from builders.recipe import Recipe
from builders.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Foil:
    """A clip of a query's set that is not relevant, and the kind of thing it misses ("reversed", "anchor-missing")."""

    clip: str
    kind: str


@dataclass(frozen=True, slots=True)
class Clip:
    """One clip of the corpus.

    Attributes:
        id: 16 hex digits.
        task: "negation", "order", "overlap", "duration" or "mix".
        form: "negation-1", ..., "mix-6" ("overlap" has one form, "overlap-1").
        set: the set it was written for ("order-012").
        arrangement: who stands where ("A before B"), the same text for the same arrangement of a form; clips in which anchors are
            replaced carry the arrangement they keep, and which these are ("A before B, without A", "A with B, without B and E").
    """

    id: str
    task: str
    form: str
    set: str
    arrangement: str
    timeline: Timeline


@dataclass(frozen=True, slots=True)
class Query:
    """One query. `relevant` and `foils` are the clips of its set, 20 of them; both are sorted by clip id."""

    id: str
    task: str
    form: str
    set: str
    twin: str
    text: str
    formula: Formula
    relevant: tuple[str, ...]
    foils: tuple[Foil, ...]

    @property
    def clips(self) -> tuple[str, ...]:
        """The ids of all clips of its set, the relevant ones first."""
        return (*self.relevant, *(foil.clip for foil in self.foils))


EventKey = tuple[str, int]
"""(recording id, length in ms): all that an event's samples depend on, but for its gain."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What planning has measured of events; rendering takes it over, and would find the same. It decides nothing.

    Attributes:
        starts: where in its material an event is cut, in ms.
        gains: dB that bring the cut to the common loudness.
    """

    starts: Mapping[EventKey, int | None] = field(default_factory=dict)
    gains: Mapping[EventKey, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A whole corpus without its audio. Clips and queries are sorted by (task in the order of TASK_NAMES, id).

    Attributes:
        recipe_hash: SHA-256 (hex) of the recipe and the library's digest.
    """

    recipe: Recipe
    recipe_hash: str
    clips: tuple[Clip, ...]
    queries: tuple[Query, ...]
    measured: Measured = field(default=Measured(), repr=False)

    def clips_of(self, task: str) -> tuple[Clip, ...]:
        return tuple(clip for clip in self.clips if clip.task == task)

    def queries_of(self, task: str) -> tuple[Query, ...]:
        return tuple(query for query in self.queries if query.task == task)


def make_id(plan_hash: str, task: str, kind: str, number: int) -> str:
    """The first 16 hex digits of a SHA-256 of (plan hash, task, "clip" or "query", number): tells nothing by itself."""
    return hashlib.sha256(f"{plan_hash}/{task}/{kind}/{number}".encode()).hexdigest()[:16]
