"""The scale: four systems without audio models, which give every score on any corpus something to be read against.

`random` knows nothing, `bag-of-sounds` what perfect matching of sounds can reach, `relation-blind` what the sets' statistics give
away, `oracle` everything. The first three break ties by a hash of (seed, query, clip), so that they depend on no order of rows.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from mteb.models.model_meta import ModelMeta
from numpy.typing import NDArray

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder
from builders.logic import Truth, labels_of, required_labels
from builders.relevance import judge
from eval_harness.data import Data
from eval_harness.rankings import Rankings
from eval_harness.systems.base import Scores, ScoringSystem, system_meta

REVISION = "1"


def uniform(seed: int, queries: Sequence[str], clips: Sequence[str]) -> Scores:
    """A number in [0, 1) for each (query id, clip id), shape [queries, clips]: a hash of the two ids and the seed.

    The finaliser of SplitMix64 (Steele, Lea and Flood 2014) over 64 bits of the ids' SHA-256; its first 24 bits are the number,
    which float32 holds exactly.
    """
    mixed = _mix(_words(queries) ^ _mix(np.array([seed % 2**64], np.uint64)))[:, None] ^ _words(clips)[None, :]
    return np.asarray((_mix(mixed) >> np.uint64(40)).astype(np.float32) * np.float32(2**-24), dtype=np.float32)


def _words(ids: Iterable[str]) -> NDArray[np.uint64]:
    return np.array([int.from_bytes(hashlib.sha256(one.encode()).digest()[:8], "big") for one in ids], dtype=np.uint64)


def _mix(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(words ^ (words >> np.uint64(31)), dtype=np.uint64)


class ScaleSystem(ScoringSystem):
    """A system of the scale: what it knows of a pair, plus `noise` times `uniform`.

    Attributes:
        seed: of the hash.
    """

    name: ClassVar[str]
    noise: ClassVar[float]

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.mteb_model_meta = meta_of(type(self))

    @abstractmethod
    def known(self, queries: Sequence[Query], clips: Sequence[str], folder: DatasetFolder) -> Scores:
        """The part of the scores that no seed changes, shape [queries, clips]."""

    def scores(self, queries: Sequence[Query], clips: Sequence[str], corpus: Any, folder: DatasetFolder) -> Scores:
        """As `ScoringSystem.scores`; looks at no audio."""
        known = self.known(queries, clips, folder)
        if not self.noise:
            return known
        return known + np.float32(self.noise) * uniform(self.seed, [query.id for query in queries], clips)


class Random(ScaleSystem):
    """A hash of seed, query and clip in [0, 1): chance."""

    name = "reasonaudio/random"
    noise = 1.0

    def known(self, queries: Sequence[Query], clips: Sequence[str], folder: DatasetFolder) -> Scores:
        """Nothing."""
        return np.zeros((len(queries), len(clips)), np.float32)

    def rank_in(self, data: Data, queries: Sequence[str], corpus: Any) -> Rankings:
        """As `ScoringSystem.rank_in`; ids are all that it takes."""
        clips = list(corpus["id"])
        return Rankings(tuple(queries), tuple(clips), np.float32(self.noise) * uniform(self.seed, queries, clips))


class BagOfSounds(ScaleSystem):
    """The number of labels named in the query, negated ones too, that the clip holds, plus a hash in [0, 0.5).

    What perfect recognition of sounds reaches without a notion of how they relate. A clip holds a label if it has the sound or
    a kind of it (a bark is a dog).
    """

    name = "reasonaudio/bag-of-sounds"
    noise = 0.5

    def known(self, queries: Sequence[Query], clips: Sequence[str], folder: DatasetFolder) -> Scores:
        """The number of labels."""
        return _held([labels_of(query.formula) for query in queries], clips, folder)


class RelationBlind(ScaleSystem):
    """Takes the rarest arrangement among the clips that hold what the query requires: what a set's statistics give away.

    It knows: which sounds the query requires (so, unlike the bag, not those that it wants absent), which sounds each clip holds,
    and each clip's set and arrangement (who stands where), as the config `timelines` tells them. It does not know what the
    query asks of the sounds: no order, no overlap, no length, and of the sounds that must be absent nothing at all.

    Among the clips searched it looks at those that hold all the required sounds, and at the set that most of these are of. The
    rarer an arrangement is among these clips of that set, the higher it ranks; a hash in [0, 0.5) decides within an arrangement
    and between arrangements equally common. An arrangement with another anchor replaced counts as that arrangement. Then come
    clips of other sets with all the required sounds, then those with all but one, and so on.
    """

    name = "reasonaudio/relation-blind"
    noise = 0.5

    def known(self, queries: Sequence[Query], clips: Sequence[str], folder: DatasetFolder) -> Scores:
        """The number of required sounds, and for the set's clips with all of them how rare the arrangement is, in steps of 1."""
        required = [required_labels(query.formula) for query in queries]
        found = _held(required, clips, folder)
        for row, labels in zip(found, required, strict=True):
            whole = [(number, folder.clips[clips[number]]) for number in np.flatnonzero(row == len(labels)).tolist()]
            sets = Counter(clip.set for _, clip in whole)
            most = max(sets.values(), default=0)
            for name in (name for name, count in sets.items() if count == most):
                of_set = [(number, _arrangement(clip.arrangement)) for number, clip in whole if clip.set == name]
                counts = Counter(arrangement for _, arrangement in of_set)
                steps = {count: 1 + step for step, count in enumerate(sorted(set(counts.values()), reverse=True))}
                for number, arrangement in of_set:
                    row[number] += steps[counts[arrangement]]
        return found


class Oracle(ScaleSystem):
    """The formula on the timeline: TRUE is 1, else 0. Its hit rate is 1.0 on every task, else the dataset is wrong."""

    name = "reasonaudio/oracle"
    noise = 0.0

    def known(self, queries: Sequence[Query], clips: Sequence[str], folder: DatasetFolder) -> Scores:
        """1 or 0."""
        place = {clip: number for number, clip in enumerate(clips)}
        row_of = {query.id: number for number, query in enumerate(queries)}
        found = np.zeros((len(queries), len(clips)), np.float32)
        margins = folder.recipe.margins_value()
        for query, clip, truth in judge(queries, [folder.clips[clip] for clip in clips], margins, folder.relations):
            if truth is Truth.TRUE:
                found[row_of[query.id], place[clip.id]] = 1.0
        return found


SCALE: tuple[type[ScaleSystem], ...] = (Random, BagOfSounds, RelationBlind, Oracle)
"""From knowing nothing to knowing everything."""
SEEDED = SCALE[:3]
"""Those whose scores depend on the seed."""


def load(name: str, revision: str | None = None, device: str | None = None, seed: int = 0, **settings: Any) -> ScaleSystem:
    """The system of that name, as mteb loads it. Revision and device make no difference.

    Raises:
        KeyError: none is called so.
    """
    return {system.name: system for system in SCALE}[name](seed)


def meta_of(system: type[ScaleSystem]) -> ModelMeta:
    """mteb's record of a system of the scale."""
    return system_meta(system.name, REVISION, loader=load)


def _held(named: Sequence[Sequence[str]], clips: Sequence[str], folder: DatasetFolder) -> Scores:
    """How many of the labels `named` for each query each clip holds, shape [queries, clips]."""
    wanted = _numbered(label for labels in named for label in labels)
    asked = np.zeros((len(named), len(wanted)), np.float32)
    for row, labels in enumerate(named):
        asked[row, [wanted[label] for label in labels]] = 1
    held = np.zeros((len(clips), len(wanted)), np.float32)
    for row, clip in enumerate(clips):
        for label in folder.clips[clip].timeline.labels:
            for answered in (label, *folder.relations.ancestors.get(label, ())):
                if answered in wanted:
                    held[row, wanted[answered]] = 1
    return np.asarray(asked @ held.T, dtype=np.float32)


def _numbered(labels: Iterable[str]) -> Mapping[str, int]:
    found: defaultdict[str, int] = defaultdict(lambda: len(found))
    for label in labels:
        found[label]
    return dict(found)


def _arrangement(text: str) -> str:
    """The arrangement that a clip with a replaced anchor ("A with B, without B") keeps."""
    return text.partition(", without ")[0]
