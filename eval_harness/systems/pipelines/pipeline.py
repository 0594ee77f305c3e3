"""Describe each clip, then search the text: with a text encoder, or with the project's own logic."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from mteb.models.model_meta import ModelMeta

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import EvaluationError
from builders.logic import Formula, Has, Margins, Relations, Truth, conjuncts, evaluate, labels_of, required_labels
from builders.timeline import Timeline
from eval_harness.data import Data
from eval_harness.systems.base import Scores, ScoringSystem, system_meta
from eval_harness.systems.pipelines.describers import Describer, Description, HeardClip
from eval_harness.systems.pipelines.encoders import TextEncoder
from eval_harness.systems.pipelines.store import DescriptionStore


class CaptionPipeline:
    """A describer and a text encoder: mteb's `EncoderProtocol` for text and audio.

    Clips are described (each once, also over runs), and what is said of them is encoded as documents; queries are encoded as
    they are.
    """

    def __init__(self, describer: Describer, encoder: TextEncoder, data: Data, store: Path) -> None:
        """
        Args:
            describer: for the clips of `data`.
            encoder: for all texts.
            data: the dataset that it is to be evaluated on.
            store: where descriptions are kept.

        Raises:
            BuildError: `store` cannot be made.
        """
        self._data = data
        self._encoder = encoder.model
        self._store = DescriptionStore(store, describer, data.content_hash)
        self.mteb_model_meta: ModelMeta = _meta(
            describer, encoder.name, encoder.revision, framework=["Sentence Transformers"], model_type=["dense"]
        )

    def encode(
        self, inputs: Any, *, task_metadata: Any, hf_split: str, hf_subset: str, prompt_type: Any = None, **settings: Any
    ) -> Any:
        """Embeddings, shape [inputs, size].

        Args:
            inputs: a DataLoader of batches, of clips {"id", "audio"} or of texts {"text"}.
            task_metadata: the task, of the dataset that the pipeline was made for.
            hf_split: as mteb calls the split.
            hf_subset: as mteb calls the subset.
            prompt_type: query or document, for the encoder's prompts.
            **settings: for the encoder, such as `batch_size`.

        Raises:
            EvaluationError: the clips are those of another dataset.
        """
        if "audio" in inputs.dataset.column_names:
            _require(self._data, task_metadata)
            texts = [one.caption for one in self._store.describe(_clips(inputs)).values()]
            inputs = _text_batches(texts, settings.get("batch_size", 32))
        return self._encoder.encode(
            inputs, task_metadata=task_metadata, hf_split=hf_split, hf_subset=hf_subset, prompt_type=prompt_type, **settings
        )

    def similarity(self, embeddings1: Any, embeddings2: Any) -> Any:
        """The encoder's similarity of all pairs, shape [first, second]."""
        return self._encoder.similarity(embeddings1, embeddings2)

    def similarity_pairwise(self, embeddings1: Any, embeddings2: Any) -> Any:
        """The encoder's similarity of each pair, shape [pairs]."""
        return self._encoder.similarity_pairwise(embeddings1, embeddings2)


class DescriptionLogic(ScoringSystem):
    """A describer of timelines and the project's own logic.

    Queries are not parsed: their formulas are the dataset's. So it is an upper bound of what a parser of queries on top of this
    describer could reach.
    """

    def __init__(self, describer: Describer, data: Data, store: Path) -> None:
        """
        Args:
            describer: for the clips of `data`.
            data: the dataset that it is to be evaluated on.
            store: where descriptions are kept.

        Raises:
            EvaluationError: the describer gives no timelines.
            BuildError: `store` cannot be made.
        """
        if not describer.gives_timelines:
            raise EvaluationError(
                f"{describer.name}+logic: its descriptions have no timelines, which logic needs; use a text encoder "
                f"({describer.name}+minilm), or a .jsonl file in which every clip has events"
            )
        self._data = data
        self._store = DescriptionStore(store, describer, data.content_hash)
        self.mteb_model_meta = _meta(describer, "logic", "logic 1")

    def scores(self, queries: Sequence[Query], clips: Sequence[str], corpus: Any, folder: DatasetFolder) -> Scores:
        """How well each clip's description satisfies each query's formula (`degree`), shape [queries, clips].

        Raises:
            EvaluationError: the clips are those of another dataset.
        """
        if content_hash(folder.path) != self._data.content_hash:
            raise _other_dataset(self._data, str(folder.path))
        found = self._store.describe(HeardClip(row["id"], row["audio"]) for row in corpus)
        margins, relations = folder.recipe.margins_value(), folder.relations
        rows = [[degree(query, found[clip], margins, relations) for clip in clips] for query in queries]
        return np.asarray(rows, dtype=np.float32).reshape(len(queries), len(clips))


def degree(query: Query, description: Description, margins: Margins, relations: Relations) -> float:
    """How well a description satisfies a query's formula; a timeline that satisfies it scores above every one that does not.

    The formula's parts are its conjuncts, and for every sound that they need that it is there at all. TRUE counts 1, UNCLEAR 0.5,
    FALSE 0, and the degree is their mean: a clip with the right sounds in the wrong relation comes after those in the right one,
    and before those that miss a sound. What is equal then is told apart by how sure the describer is of the sounds (of those to
    be absent: how sure it is not), for less than half a part.
    """
    timeline = description.timeline or Timeline(())
    named = required_labels(query.formula)
    unwanted = tuple(label for label in labels_of(query.formula) if label not in named)
    parts: list[Formula] = [Has(label) for label in named]
    parts += [part for part in conjuncts(query.formula) if part not in parts]
    truths = [evaluate(part, timeline, margins, relations) for part in parts]
    sure = [description.heard.get(label, 0.0) for label in named]
    sure += [1 - description.heard.get(label, 0.0) for label in unwanted]
    told_apart = 0.25 * min(max(float(np.mean(sure)), 0.0), 1.0)
    return (sum(_COUNTS[truth] for truth in truths) + told_apart) / len(truths)


_COUNTS = {Truth.TRUE: 1.0, Truth.UNCLEAR: 0.5, Truth.FALSE: 0.0}


def _meta(describer: Describer, second: str, second_revision: str, **fields: Any) -> ModelMeta:
    revision = hashlib.sha256(f"1\n{describer.name}\n{describer.revision}\n{second}\n{second_revision}".encode()).hexdigest()
    return system_meta(f"reasonaudio/{describer.name}+{second}", revision[:40], **fields)


def _require(data: Data, task_metadata: Any) -> None:
    """Raises EvaluationError unless a task is one of `data`."""
    from eval_harness import registry

    asked = registry.data_of(task_metadata)
    if asked.content_hash != data.content_hash:
        raise _other_dataset(data, asked.path)


def _other_dataset(data: Data, asked: str) -> EvaluationError:
    return EvaluationError(
        f"this pipeline describes the clips of {data.path}, and is asked about those of {asked}; open it with that dataset"
    )


def _clips(inputs: Iterable[dict[str, Any]]) -> Iterable[HeardClip]:
    for batch in inputs:
        for clip_id, audio in zip(batch["id"], batch["audio"], strict=True):
            yield HeardClip(clip_id, audio)


def _text_batches(texts: Sequence[str], batch_size: int) -> Any:
    import datasets
    from torch.utils.data import DataLoader

    return DataLoader(datasets.Dataset.from_dict({"text": list(texts)}), batch_size=batch_size)
