"""One text probe's texts, queries and qrels as mteb wants them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from builders import layout
from builders.errors import EvaluationError, UnknownIdError
from builders.styles import STYLES
from eval_harness.data import Data
from eval_harness.loading import SET
from eval_harness.scores import clip_ids


def load_texts(data: Data, task: str, style: str, scope: str = "task") -> dict[str, Any]:
    """What mteb calls `RetrievalSplitData`: corpus ("id", "text"), queries ("id", "text"), relevant_docs, top_ranked.

    Args:
        data: the dataset.
        task: "negation", "order", ...
        style: one of `builders.styles.STYLES`.
        scope: what the queries search: "task", "all" or "set"; in the last, `top_ranked` is each query's own set.

    Raises:
        EvaluationError: the dataset lacks the task or a caption, or there is no such style or scope.
        DatasetFolderError: a file is missing or damaged.
    """
    import datasets

    if task not in data.tasks:
        raise EvaluationError(f"{data.folder.path}: no task {task!r} there; it has {', '.join(data.tasks) or 'none'}")
    clips = clip_ids(data.folder, task, scope)
    texts = texts_of(data, style, clips)
    asked = [{"id": row["id"], "text": row["text"]} for row in data.folder.rows(f"{task}-queries")]
    if scope == SET:
        own = [data.folder.queries[row["id"]] for row in asked]
        relevant = {query.id: frozenset(query.relevant) for query in own}
        top_ranked = {query.id: sorted(query.clips) for query in own}
    else:
        relevant = dict(data.folder.qrels(None if scope == "all" else task))
        top_ranked = None
    return {
        "corpus": datasets.Dataset.from_dict({"id": clips, "text": texts}, features=layout.features("texts")),
        "queries": datasets.Dataset.from_list(asked, features=layout.features("texts")),
        "relevant_docs": {row["id"]: dict.fromkeys(sorted(relevant[row["id"]]), 1) for row in asked},
        "top_ranked": top_ranked,
    }


def texts_of(data: Data, style: str, clips: Sequence[str]) -> list[str]:
    """The text of each clip. The style "sentence" is the dataset's own column `caption`; the others are made of the timelines.

    Raises:
        EvaluationError: there is no such style, or the dataset has no captions.
        UnknownIdError: a clip, or a sound of one, is not in the dataset.
    """
    folder = data.folder
    if style not in STYLES:
        raise EvaluationError(f"no style {style!r}; the styles are {', '.join(STYLES)}")
    if style == "sentence":
        try:
            texts = [folder.caption(clip) for clip in clips]
        except UnknownIdError:
            raise
        except KeyError:
            raise EvaluationError(
                f"{folder.path}: its timelines have no column 'caption', which the style {style} needs; build it again, or take "
                "another style"
            ) from None
    else:
        sounds = {label: used.sound for label, used in folder.sounds.items()}
        tell = STYLES[style]
        texts = [tell(folder.clips[clip].timeline, sounds) for clip in clips]
    empty = [clip for clip, text in zip(clips, texts, strict=True) if not text or not text.strip()]
    if empty:
        raise EvaluationError(
            f"{folder.path}: {len(empty)} of {len(clips)} clips have no caption, as {empty[0]}, which the style {style} needs; "
            "build it again, or take another style"
        )
    return texts
