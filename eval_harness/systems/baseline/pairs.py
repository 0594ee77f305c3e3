"""What is learned from: texts and clips of a dataset, which of them belong together, and the batches they come in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval_harness.data import Data

Numbers = NDArray[np.intp]

GROUP = 5
"""Clips of one set that are in a batch together, with hard negatives."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Texts and clips by number.

    Attributes:
        clips: ids.
        queries: ids.
        texts: those of the queries, then the caption of every clip, its times rounded to tenths of a second.
        relevant: whether a clip is relevant to a query, in the whole corpus: shape [queries, clips].
        sets: for each set the numbers of its queries and of its clips.
    """

    clips: tuple[str, ...]
    queries: tuple[str, ...]
    texts: tuple[str, ...]
    relevant: NDArray[np.bool_]
    sets: tuple[tuple[Numbers, Numbers], ...]

    @classmethod
    def of(cls, data: Data, clips: tuple[str, ...]) -> Pairs:
        """Those of a dataset; `clips` gives the order of its clips. Raises DatasetFolderError."""
        folder = data.folder
        number = {clip: n for n, clip in enumerate(clips)}
        queries = list(folder.queries.values())
        relevant = np.zeros((len(queries), len(clips)), dtype=np.bool_)
        qrels = folder.qrels()
        sets: dict[str, list[int]] = {}
        for n, query in enumerate(queries):
            relevant[n, [number[clip] for clip in qrels[query.id]]] = True
            sets.setdefault(query.set, []).append(n)
        members: dict[str, list[int]] = {}
        for clip in folder.clips.values():
            members.setdefault(clip.set, []).append(number[clip.id])
        return cls(
            clips,
            tuple(query.id for query in queries),
            (*(query.text for query in queries), *(_rounded(folder.caption(clip)) for clip in clips)),
            relevant,
            tuple((np.array(sets[name]), np.array(sorted(members[name]))) for name in sets),
        )


@dataclass(frozen=True, eq=False)
class Batch:
    """Numbers of clips and of texts; `positive` [texts, clips] says which belong together, all others are negatives."""

    clips: Numbers
    texts: Numbers
    positive: NDArray[np.bool_]


def batches(pairs: Pairs, clips: int, hard_negatives: bool, rng: np.random.Generator) -> Iterator[Batch]:
    """One epoch: every clip once, with its caption and queries that it is relevant to.

    With hard negatives `GROUP` clips of one set come together, so that relevant clips meet the set's foils, which hold the same
    sounds; without, no two clips of a set are in one batch. Clips of other sets are negatives either way, as far as the qrels
    of the whole corpus do not call them relevant.

    Args:
        pairs: what there is.
        clips: in a batch, about.
        hard_negatives: whether a set's foils are in its batch.
        rng: its draws are the only ones.
    """
    size = GROUP if hard_negatives else 1
    groups: list[list[tuple[int, Numbers]]] = []
    for number, (_, members) in enumerate(pairs.sets):
        shuffled = rng.permutation(members)
        for round_, part in enumerate(np.array_split(shuffled, max(1, len(shuffled) // size))):
            groups += [[]] * (round_ + 1 - len(groups))
            groups[round_] = [*groups[round_], (number, part)]
    for one in rng.permutation(len(groups)):  # the rounds; each holds a group of every set
        around = [groups[one][n] for n in rng.permutation(len(groups[one]))]
        count = max(1, round(len(around) * size / clips))
        for share in np.array_split(np.arange(len(around)), count):
            yield _batch(pairs, [around[n] for n in share], rng)


def _batch(pairs: Pairs, groups: list[tuple[int, Numbers]], rng: np.random.Generator) -> Batch:
    clips = np.concatenate([members for _, members in groups])
    queries: list[int] = []
    for number, members in groups:
        own = pairs.sets[number][0]
        wanted = own[pairs.relevant[np.ix_(own, members)].any(axis=1)]
        queries += wanted.tolist()
    numbers = np.array(sorted(queries), dtype=np.intp)
    captions = len(pairs.queries) + clips
    positive = np.concatenate([pairs.relevant[np.ix_(numbers, clips)], np.eye(len(clips), dtype=np.bool_)])
    return Batch(clips, np.concatenate([numbers, captions]), positive)


def _rounded(caption: str) -> str:
    """Milliseconds are not heard, and make a caption long."""
    return re.sub(r"\d+\.\d{2,}", lambda found: f"{float(found[0]):.1f}", caption)
