"""Alignment and uniformity of an embedding space, and the gap between texts and clips."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builders.dataset_folder import DatasetFolder
from eval_harness.analysis.by_set import grouped, jackknife, mean_interval
from eval_harness.analysis.embeddings_of import Embeddings
from eval_harness.analysis.intervals import RESAMPLES, Interval

EVERYTHING = "all"
_CHUNK = 1000


@dataclass(frozen=True, eq=False)
class Spread:
    """How the embeddings of one task, or of all that there are, lie on the unit sphere.

    Wang and Isola, "Understanding contrastive representation learning through alignment and uniformity on the hypersphere" (ICML
    2020), with their exponents 2 and 2. Lower is better for both.

    Attributes:
        task: "order"; `EVERYTHING` for all tasks together.
        alignment: mean of |x - y|² over the relevant (query, clip) pairs of the sets, in [0, 4] (equal to 2 - 2 cosine).
        uniformity_texts: log of the mean of exp(-2 |x - y|²) over pairs of different queries, in [-8, 0]; its interval by the
            jackknife over sets.
        uniformity_clips: the same of clips.
        gap: distance between the mean text and the mean clip, in [0, 2] (the modality gap of Liang et al. 2022).
    """

    task: str
    alignment: Interval
    uniformity_texts: Interval
    uniformity_clips: Interval
    gap: float

    def to_json(self) -> dict[str, Any]:
        values = ("alignment", "uniformity_texts", "uniformity_clips")
        return {"task": self.task, **{name: getattr(self, name).to_json() for name in values}, "gap": self.gap}


def spread(
    embeddings: Embeddings, folder: DatasetFolder, tasks: Sequence[str], draws: int = RESAMPLES, seed: int = 0
) -> tuple[Spread, ...]:
    """Of each task, then of all of them together.

    Args:
        embeddings: with all queries and clips of the tasks.
        folder: the dataset.
        tasks: "order", ...
        draws: resamples of the alignment's interval.
        seed: of these.
    """
    return tuple(
        _one(embeddings, folder, name, chosen, draws, seed)
        for name, chosen in (*((task, [task]) for task in tasks), (EVERYTHING, list(tasks)))
    )


def _one(embeddings: Embeddings, folder: DatasetFolder, name: str, tasks: Sequence[str], draws: int, seed: int) -> Spread:
    queries = [query for query in folder.queries.values() if query.task in tasks]
    clips = [clip for clip in folder.clips.values() if clip.task in tasks]
    texts = embeddings.unit_queries[[embeddings.query_row[query.id] for query in queries]]
    sounds = embeddings.unit_clips[[embeddings.clip_row[clip.id] for clip in clips]]
    sums = []
    for query, text in zip(queries, texts, strict=True):
        relevant = embeddings.unit_clips[[embeddings.clip_row[clip] for clip in query.relevant]]
        sums.append([float(((relevant - text) ** 2).sum(dtype=np.float64)), float(len(relevant))])
    by_set = grouped([query.set for query in queries], np.array(sums))
    return Spread(
        name,
        mean_interval(by_set[:, 0], by_set[:, 1], 0.0, 4.0, draws, seed),
        uniformity(texts, [query.set for query in queries]),
        uniformity(sounds, [clip.set for clip in clips]),
        float(np.linalg.norm(texts.mean(axis=0, dtype=np.float64) - sounds.mean(axis=0, dtype=np.float64))),
    )


def uniformity(vectors: NDArray[np.float32], sets: Sequence[str]) -> Interval:
    """log of the mean of exp(-2 |x - y|²) over all pairs of different rows; its interval by the jackknife over sets.

    Args:
        vectors: of length 1, shape [n, dimensions], n at least 2.
        sets: the set of each.
    """
    names, place, counts = np.unique(np.asarray(sets), return_inverse=True, return_counts=True)
    order = np.argsort(place, kind="stable")
    vectors, starts = vectors[order], np.concatenate([[0], np.cumsum(counts)[:-1]])
    kernel = np.zeros((len(names), len(names)))
    for begin in range(0, len(vectors), _CHUNK):
        rows = vectors[begin : begin + _CHUNK]
        near = np.exp(4.0 * np.minimum(rows @ vectors.T, 1.0) - 4.0)  # |x - y|² = 2 - 2 cosine
        near[np.arange(len(rows)), begin + np.arange(len(rows))] = 0
        np.add.at(kernel, place[order][begin : begin + _CHUNK], np.add.reduceat(near, starts, axis=1, dtype=np.float64))
    pairs = np.outer(counts, counts) - np.diag(counts)
    left_out = [table.sum() - 2 * table.sum(axis=1) + np.diag(table) for table in (kernel, pairs)]
    with np.errstate(divide="ignore", invalid="ignore"):
        without = np.log(left_out[0] / left_out[1])
    value = float(np.log(kernel.sum() / pairs.sum()))
    return jackknife(without, value)
