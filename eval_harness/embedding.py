"""Embeds the clips (or texts) and queries of a task with an mteb encoder: through the store, with decoding beside the model."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from eval_harness.embedding_cache import EmbeddingStore, Vectors, as_vectors, check_sound
from eval_harness.loading import decoded, stored_clips

Report = Callable[[int, int], None]

SHARD_SECONDS = 20.0
"""About how long embedding a shard takes: what an interruption loses at most."""
MAX_SHARD_CLIPS = 1024


@dataclass(frozen=True, slots=True)
class EmbedSettings:
    """How a model is run; none of it changes embeddings.

    Attributes:
        batch_size: inputs at a time.
        num_workers: threads that decode beside the model; 0 decodes in between.
        shard_clips: clips in a shard; 0 for about `SHARD_SECONDS` of work.
    """

    batch_size: int = 32
    num_workers: int = 1
    shard_clips: int = 0


@dataclass(frozen=True)
class Embedder:
    """An mteb encoder together with the store of what it has embedded.

    Attributes:
        model: mteb's `EncoderProtocol`.
        store: of this model and dataset.
        report: called with (clips embedded, clips in all) while clips are embedded.
    """

    model: Any
    store: EmbeddingStore
    settings: EmbedSettings
    report: Report

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        """One for all shards: each new thread would take its memory from elsewhere, and what it freed would stay there."""
        return ThreadPoolExecutor(self.settings.num_workers)

    @property
    def _name(self) -> str:
        return str(self.model.mteb_model_meta.name)

    def clips(self, corpus: Any, keys: Sequence[str], **of_task: Any) -> Vectors:
        """Embeddings of a corpus, in its order, shape [clips, dimensions]; those that are not in the store are made.

        Args:
            corpus: a `datasets.Dataset` of "id" and "audio".
            keys: what each clip's embedding is kept under.
            **of_task: `task_metadata`, `hf_split`, `hf_subset`, as mteb hands them to `encode`.
        """
        row_of = {key: row for row, key in enumerate(keys)}

        def rows(missing: Sequence[str]) -> Any:
            return corpus.select([row_of[one] for one in missing]).with_transform(_decoded_clips)

        return self._documents(keys, rows, "clips", self.settings.num_workers, of_task)

    def texts(self, corpus: Any, **of_task: Any) -> Vectors:
        """Embeddings of a corpus of texts, likewise; kept by their content, so that a text is embedded once wherever it stands.

        Args:
            corpus: a `datasets.Dataset` of "id" and "text".
            **of_task: as for `clips`.
        """
        import datasets

        ids, texts = corpus["id"][:], [text.strip() for text in corpus["text"][:]]
        keys = [_key_of(text) for text in texts]
        row_of = {key: row for row, key in enumerate(keys)}

        def rows(missing: Sequence[str]) -> Any:  # "body" is what mteb calls a text without its title
            chosen = [row_of[key] for key in missing]
            said = [texts[row] for row in chosen]
            return datasets.Dataset.from_dict({"id": [ids[row] for row in chosen], "text": said, "body": said})

        return self._documents(keys, rows, "texts", 0, of_task)

    def queries(self, queries: Any, keys: Sequence[str], **of_task: Any) -> Vectors:
        """Embeddings of queries, in their order, shape [queries, dimensions]; likewise kept.

        Args:
            queries: a `datasets.Dataset` of "id" and "text".
            keys: what each query's embedding is kept under.
            **of_task: as for `clips`.
        """
        import datasets
        from mteb.types import PromptType

        ids, texts = queries["id"][:], queries["text"][:]
        missing = set(self.store.missing(keys))
        if missing:
            rows = [(key, one, text) for key, one, text in zip(keys, ids, texts, strict=True) if key in missing]
            said = [text for _, _, text in rows]
            chosen = datasets.Dataset.from_dict({"id": [one for _, one, _ in rows], "query": said, "text": said})
            vectors = self._encode(chosen, len(rows), 0, PromptType.query, of_task)
            check_sound([one for _, one, _ in rows], vectors, f"{self._name} on queries")
            self.store.add([key for key, _, _ in rows], vectors)
        return self.store.get(keys)

    def _documents(
        self, keys: Sequence[str], rows: Callable[[Sequence[str]], Any], what: str, threads: int, of_task: Mapping[str, Any]
    ) -> Vectors:
        """Embeddings by key, in order; the `rows` of those that are not in the store are embedded, shard by shard."""
        from mteb.types import PromptType

        missing = self.store.missing(dict.fromkeys(keys))
        done, size = 0, self.settings.shard_clips or self.settings.batch_size
        while done < len(missing):
            shard = missing[done : done + size]
            start = time.monotonic()
            vectors = self._encode(rows(shard), len(shard), threads, PromptType.document, of_task)
            check_sound(shard, vectors, f"{self._name} on {what}")
            self.store.add(shard, vectors)
            done += len(shard)
            self.report(done, len(missing))
            if not self.settings.shard_clips:
                size = self._next_size(len(shard), time.monotonic() - start)
        found = self.store.get(keys)
        check_sound(keys, found, f"{self._name} on {what}")
        return found

    def _encode(self, chosen: Any, rows: int, threads: int, prompt_type: Any, of_task: Mapping[str, Any]) -> Vectors:
        from eval_harness.ahead import AheadLoader

        pool = self._pool if threads else None
        loader = AheadLoader(chosen, pool, threads, batch_size=self.settings.batch_size, collate_fn=collate)
        settings = {"batch_size": self.settings.batch_size, "show_progress_bar": False}
        found = self.model.encode(loader, prompt_type=prompt_type, **of_task, **settings)
        return as_vectors(found, rows, self._name)

    def _next_size(self, clips: int, seconds: float) -> int:
        """Clips of the next shard: whole batches, at most twice as many as were just embedded."""
        wanted = min(2 * clips, int(clips / max(seconds, 0.001) * SHARD_SECONDS), MAX_SHARD_CLIPS)
        return max(wanted // self.settings.batch_size, 1) * self.settings.batch_size


def _key_of(text: str) -> str:
    """What a text is kept under."""
    return f"text:{hashlib.sha256(text.encode()).hexdigest()[:32]}"


def collate(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """A batch as mteb's own collate makes it of such rows: a list for each column."""
    return {key: [row[key] for row in rows] for key in rows[0]}


def _decoded_clips(batch: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """As `stored_clips`, decoded at once: beside the model, which then need not wait for it."""
    stored = stored_clips(batch)
    return {**stored, "audio": list(_each(stored["audio"]))}


def _each(audio: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for one in audio:
        yield decoded(one)
