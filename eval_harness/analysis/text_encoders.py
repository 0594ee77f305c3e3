"""A model's own text encoder, as a run uses it for queries: what it makes of a dataset's other wordings is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from builders.errors import EvaluationError
from eval_harness.analysis.embeddings_of import Embeddings
from eval_harness.analysis.sensitivity import TextEncoder
from eval_harness.analysis.wordings import wordings
from eval_harness.data import Data
from eval_harness.embedding_cache import EmbeddingStore, Vectors

WORDINGS = "wordings"
"""The folder beside `embeddings` in a folder of results."""

_SHARD = 512

Progress = Callable[[int, int], None]


def kept_encoder(out: Path, embeddings: Embeddings, data: Data) -> Callable[[str], TextEncoder] | None:
    """What `geometry` takes as a text encoder, from what `keep_wordings` kept of all wordings; None if it was not called."""
    if not (out / WORDINGS).is_dir() or not embeddings.key:
        return None
    store = EmbeddingStore(out / WORDINGS, embeddings.key)
    tasks = embeddings.tasks(data.folder)
    if any(store.missing(_ids(task, _texts(data, task))) for task in tasks):
        return None

    def encoder_of(task: str) -> TextEncoder:
        def encode(texts: list[str]) -> Vectors:
            return store.get(_ids(task, texts))

        return encode

    return encoder_of


def keep_wordings(
    out: Path,
    embeddings: Embeddings,
    data: Data,
    model: Any,
    batch_size: int = 32,
    progress: Progress = lambda done, total: None,
) -> None:
    """Embeds every query in all of its wordings, as the model embeds queries, and keeps that; none is embedded twice.

    Args:
        out: the folder of results.
        embeddings: those that the model's run kept.
        data: the dataset.
        model: mteb's `EncoderProtocol`: the model of `embeddings`, loaded.
        batch_size: texts at a time.
        progress: called with (texts done, texts).

    Raises:
        EvaluationError: it is another model, or its embeddings cannot be used.
    """
    import datasets
    import mteb

    from eval_harness import registry
    from eval_harness.embedding import Embedder, EmbedSettings
    from eval_harness.tasks import task_name

    meta = model.mteb_model_meta
    if not is_of(embeddings, model):
        raise EvaluationError(
            f"{meta.name} ({meta.revision}) is not the model of the embeddings at hand, {embeddings.model} "
            f"({embeddings.revision}); run it with `reasonaudio run` first"
        )
    registry.use(data)
    store = EmbeddingStore(out / WORDINGS, embeddings.key)
    embedder = Embedder(model, store, EmbedSettings(batch_size=batch_size), lambda done, total: None)
    texts = {task: _texts(data, task) for task in embeddings.tasks(data.folder)}
    done, total = 0, sum(map(len, texts.values()))
    for task, of_task in texts.items():
        about: dict[str, Any] = {"task_metadata": mteb.get_task(task_name(task)).metadata, "hf_split": "test", "hf_subset": task}
        for start in range(0, len(of_task), _SHARD):  # an interruption loses one shard
            shard = of_task[start : start + _SHARD]
            ids = _ids(task, shard)
            embedder.queries(datasets.Dataset.from_dict({"id": ids, "text": shard}), ids, **about)
            done += len(shard)
            progress(done, total)


def is_of(embeddings: Embeddings, model: Any) -> bool:
    """Whether embeddings are those of a loaded model, run with its own settings."""
    meta = model.mteb_model_meta
    wanted = {"model": str(meta.name), "revision": str(meta.revision), "experiment": str(meta.experiment_name)}
    return wanted.items() <= embeddings.key.items()


def _texts(data: Data, task: str) -> list[str]:
    return list(dict.fromkeys(text for one in wordings(data.folder, task) for text in one.texts))


def _ids(task: str, texts: Sequence[str]) -> list[str]:
    """Instructions may differ between tasks, so that a text is not the same in another task."""
    return [hashlib.sha256(f"{task}\n{text}".encode()).hexdigest()[:32] for text in texts]
