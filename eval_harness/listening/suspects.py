"""Which recordings, or pairs of labels, may be at fault where listeners contradict the rule.

For every judged pair of a query and a clip it is told what a contradiction could come of:

- the clip lacks a sound that the query wants, and listeners say that it fits: another sound of the clip, which the query does not
  name, is taken for it;
- the query wants a sound absent, which the clip lacks, and listeners say that it does not fit: another sound is taken for it;
- otherwise the recordings of the named sounds that the parts of the formula look at: those parts that do not hold, or all where
  the clip fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from builders.dataset_folder import DatasetFolder
from builders.logic import Formula, Lacks, Truth, labels_of
from builders.timeline import Event
from eval_harness.listening.contradictions import JudgedPair

LEAST_PAIRS = 2
"""Contradicted pairs that a suspect must stand in to be proposed."""


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """What may be at fault: "recording" `a` of the sound `b`, or "pair": the sound `a` is taken for the sound `b`."""

    kind: Literal["recording", "pair"]
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Suspect:
    """Something that may be at fault.

    Attributes:
        fault: what.
        contradicted: pairs of a query and a clip that a majority contradicts and that it could be at fault in.
        judged: all judged pairs that it could be at fault in.
    """

    fault: Fault
    contradicted: int
    judged: int

    @property
    def proposed(self) -> bool:
        """Whether it is proposed to be left out: it stands in two contradicted pairs, and most of its pairs are."""
        return self.contradicted >= LEAST_PAIRS and 2 * self.contradicted > self.judged

    @property
    def note(self) -> str:
        """Why, in words."""
        found = self.fault
        what = f"of the sound {found.b!r}" if found.kind == "recording" else f"{found.a!r} taken for {found.b!r}"
        return f"{what}: listeners contradict {self.contradicted} of the {self.judged} judged pairs that it may explain"

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        found = self.fault
        what = {"recording": found.a, "label": found.b} if found.kind == "recording" else {"label": found.a, "taken_for": found.b}
        numbers = {"contradicted": self.contradicted, "judged": self.judged, "proposed": self.proposed}
        return {"kind": found.kind, **what, **numbers}


def suspects(folder: DatasetFolder, pairs: Iterable[JudgedPair]) -> tuple[Suspect, ...]:
    """All that stands in a contradicted pair, those proposed first, then by how often."""
    judged: Counter[Fault] = Counter()
    contradicted: Counter[Fault] = Counter()
    for pair in pairs:
        found = faults(folder, pair)
        judged.update(found)
        if pair.contradicted:
            contradicted.update(found)
    told = (Suspect(fault, count, judged[fault]) for fault, count in contradicted.items())
    return tuple(sorted(told, key=lambda one: (not one.proposed, -one.contradicted, one.judged, one.fault)))


def faults(folder: DatasetFolder, pair: JudgedPair) -> frozenset[Fault]:
    """What would be at fault if listeners contradicted the rule in this pair."""
    parts = [(one.part, one.truth) for one in pair.reasons(folder)]
    events = tuple(folder.clips[pair.clip].timeline)
    named = labels_of(pair.query.formula)
    unnamed = [event.label for event in events if not any(folder.relations.related(event.label, label) for label in named)]
    if pair.fits:
        absent = [part.a for part, _ in parts if isinstance(part, Lacks)]
        if absent:
            return frozenset(Fault("pair", other, label) for label in absent for other in unnamed)
        return frozenset(fault for part, _ in parts for fault in _recordings(folder, part, events))
    found: set[Fault] = set()
    for part, truth in parts:
        if truth is Truth.TRUE:
            continue
        missing = [label for label in labels_of(part) if not isinstance(part, Lacks) and not any(_of(folder, label, events))]
        found.update(Fault("pair", other, label) for label in missing for other in unnamed)
        if not missing:
            found.update(_recordings(folder, part, events))
    return frozenset(found)


def _recordings(folder: DatasetFolder, part: Formula, events: Iterable[Event]) -> Iterator[Fault]:
    there = tuple(events)
    for label in labels_of(part):
        for event in _of(folder, label, there):
            yield Fault("recording", event.recording, event.label)


def _of(folder: DatasetFolder, label: str, events: Iterable[Event]) -> Iterator[Event]:
    """The events that are heard as a label."""
    return (event for event in events if folder.relations.holds(event.label, label) is Truth.TRUE)
