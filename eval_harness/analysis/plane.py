"""Texts and clips in one plane, by t-SNE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builders.dataset_folder import DatasetFolder
from eval_harness.analysis.embeddings_of import Embeddings

MOST = 3000
PERPLEXITY = 30.0


@dataclass(frozen=True, eq=False)
class Plane:
    """Where queries and clips lie.

    Attributes:
        model: whose embeddings they are.
        ids: of queries and clips.
        is_text: whether each is a query, shape [n].
        tasks: of each.
        places: shape [n, 2]; the axes mean nothing, neighbours do.
        left_out: how many clips were not drawn.
    """

    model: str
    ids: tuple[str, ...]
    is_text: NDArray[np.bool_]
    tasks: tuple[str, ...]
    places: NDArray[np.float32]
    left_out: int

    def to_json(self) -> dict[str, Any]:
        rows = zip(self.ids, self.is_text.tolist(), self.tasks, self.places.tolist(), strict=True)
        points = [{"id": one, "modality": "text" if text else "audio", "task": task, "at": at} for one, text, task, at in rows]
        return {"model": self.model, "left_out": self.left_out, "points": points}


def plane(embeddings: Embeddings, folder: DatasetFolder, tasks: Sequence[str], most: int = MOST, seed: int = 0) -> Plane:
    """t-SNE (van der Maaten and Hinton 2008) of all queries and clips of the tasks, by cosine distance.

    Args:
        embeddings: with all queries and clips of the tasks.
        folder: the dataset.
        tasks: "order", ...
        most: points; where there are more, as many clips of each task are drawn as there is room for.
        seed: of the draw and of t-SNE.
    """
    from sklearn.manifold import TSNE

    queries = [query for query in folder.queries.values() if query.task in tasks]
    room = max(most - len(queries), 0) // len(tasks)
    rng = np.random.default_rng([seed, 2])
    clips, left_out = [], 0
    for task in tasks:
        of_task = [clip for clip in folder.clips.values() if clip.task == task]
        drawn = sorted(rng.permutation(len(of_task))[:room].tolist())
        clips += [of_task[number] for number in drawn]
        left_out += len(of_task) - len(drawn)
    vectors = np.concatenate(
        [
            embeddings.unit_queries[[embeddings.query_row[query.id] for query in queries]],
            embeddings.unit_clips[[embeddings.clip_row[clip.id] for clip in clips]],
        ]
    )
    perplexity = min(PERPLEXITY, (len(vectors) - 1) / 3)
    made = TSNE(2, perplexity=perplexity, metric="cosine", init="pca", random_state=seed).fit_transform(vectors)
    return Plane(
        embeddings.model,
        tuple(one.id for one in (*queries, *clips)),
        np.arange(len(vectors)) < len(queries),
        tuple(one.task for one in (*queries, *clips)),
        np.asarray(made, dtype=np.float32),
        left_out,
    )
