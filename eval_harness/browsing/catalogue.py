"""What can be looked up in a corpus: queries by their words, form and sounds, clips by what they hold and what asks for them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from builders.corpus import Clip, Query
from builders.dataset_folder import DatasetFolder
from builders.logic import labels_of
from builders.recipe import TASK_NAMES

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """One page of a long list.

    Attributes:
        items: those on it.
        number, pages: which page of how many, from 1.
        total: items on all of them.
    """

    items: Sequence[T]
    number: int
    pages: int
    total: int


def part_of(items: Sequence[T], number: int, size: int) -> Part[T]:
    """A page of a list; the nearest where there is no page of that number."""
    pages = max(1, -(-len(items) // size))
    number = min(max(number, 1), pages)
    return Part(items[(number - 1) * size : number * size], number, pages, len(items))


@dataclass(frozen=True, slots=True)
class SoundUse:
    """A sound of the corpus, the queries that name it, and the clips that hold it or a kind of it."""

    label: str
    noun: str
    sustained: bool
    queries: tuple[str, ...]
    clips: tuple[str, ...]


class Catalogue:
    """Look-ups in a dataset folder; made when first asked for, then kept."""

    def __init__(self, folder: DatasetFolder) -> None:
        self.folder = folder

    @cached_property
    def forms(self) -> Mapping[str, Mapping[str, int]]:
        """Task -> form -> number of queries, of the tasks that are there."""
        counts = {task: Counter(one.form for one in self.folder.queries.values() if one.task == task) for task in TASK_NAMES}
        return {task: dict(sorted(found.items())) for task, found in counts.items() if found}

    @cached_property
    def qrels(self) -> Mapping[str, frozenset[str]]:
        """Query -> relevant clips of the whole corpus."""
        return self.folder.qrels(None)

    @cached_property
    def asked_for(self) -> Mapping[str, Sequence[str]]:
        """Clip -> the queries that it is relevant to."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for query in self.folder.queries:
            for clip in self.qrels[query]:
                found[clip].append(query)
        return found

    @cached_property
    def sounds(self) -> Mapping[str, SoundUse]:
        """Every sound by label."""
        naming: defaultdict[str, list[str]] = defaultdict(list)
        for query in self.folder.queries.values():
            for label in dict.fromkeys(labels_of(query.formula)):
                naming[label].append(query.id)
        holding: defaultdict[str, list[str]] = defaultdict(list)
        for clip in self.folder.clips.values():
            for label in self._answered(clip):
                holding[label].append(clip.id)
        return {
            label: SoundUse(label, used.sound.noun, used.sound.sustained, tuple(naming[label]), tuple(holding[label]))
            for label, used in sorted(self.folder.sounds.items())
        }

    def _answered(self, clip: Clip) -> set[str]:
        """The labels that a clip holds: its own, and those that they are kinds of."""
        own = clip.timeline.labels
        return {one for label in own for one in (label, *self.folder.relations.ancestors.get(label, ()))}

    @cached_property
    def _words(self) -> Mapping[str, str]:
        """What a query is found by."""
        return {
            query.id: " ".join((query.text, *labels_of(query.formula), query.id, query.set, query.form)).casefold()
            for query in self.folder.queries.values()
        }

    def find_queries(self, text: str = "", task: str = "", form: str = "") -> list[Query]:
        """The queries that have all words of `text` in their text, their sounds, or their ids; of a task or a form."""
        words = text.casefold().split()
        return [
            query
            for query in self.folder.queries.values()
            if task in ("", query.task) and form in ("", query.form) and all(word in self._words[query.id] for word in words)
        ]

    def find_sounds(self, text: str = "") -> list[SoundUse]:
        """The sounds that have all words of `text` in their label or noun."""
        words = text.casefold().split()
        return [use for use in self.sounds.values() if all(word in f"{use.label} {use.noun}".casefold() for word in words)]

    def recordings(self, clip: Clip) -> list[dict[str, Any]]:
        """The recordings that are heard in a clip, by onset: label, id, licence, attribution, source."""
        found = []
        for event in clip.timeline:
            known: Iterable[Any] = self.folder.sounds[event.label].recordings
            used = next((one for one in known if one.id == event.recording), None)
            found.append({"label": event.label, "id": event.recording, "event": event, "used": used})
        return found
