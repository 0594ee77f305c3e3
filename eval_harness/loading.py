"""One task's clips, queries and qrels as mteb wants them, decoded with soundfile.

datasets decodes with torchcodec alone, which must fit both torch and FFmpeg. soundfile reads the same FLAC files to the same
samples, so nothing here needs torchcodec, whether it is missing, broken or fine.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
import soundfile
from numpy.typing import NDArray

from builders import layout
from builders.errors import DatasetFolderError, EvaluationError
from eval_harness.data import Data

SCOPES = ("task", "all")
"""What a query searches: its task's own clips, or all clips of the corpus."""
SET = "set"
"""The third scope, of text probes alone: a query searches the clips of its own set."""
LISTENED = "listened"
"""The fourth scope, of people and what is compared with them: the queries they were asked, each with the clips they heard."""

Batch: TypeAlias = dict[str, list[Any]]


class StoredClip(dict[str, Any]):
    """A clip as a batch holds it: {"array": float32 mono samples in [-1, 1), shape [n], "sampling_rate": Hz}.

    It is decoded when one of the two is first looked at, so that looking through the ids of a corpus decodes nothing. Several
    channels become their mean. Pickles as the file it was.

    Args:
        stored: a file's content, or the name of one.
    """

    def __init__(self, stored: bytes | str) -> None:
        super().__init__(array=None, sampling_rate=None)
        self._stored: bytes | str | None = stored

    def _decoded(self) -> StoredClip:
        if self._stored is not None:
            array, rate = _read(self._stored)
            super().__setitem__("array", array if array.ndim == 1 else array.mean(axis=1))
            super().__setitem__("sampling_rate", int(rate))
            self._stored = None
        return self

    def __getitem__(self, key: str) -> Any:
        return dict.__getitem__(self._decoded(), key)

    def get(self, key: str, default: Any = None) -> Any:
        return dict.get(self._decoded(), key, default)

    def values(self) -> Any:
        return dict.values(self._decoded())

    def items(self) -> Any:
        return dict.items(self._decoded())

    def copy(self) -> dict[str, Any]:
        return dict(self.items())

    def __iter__(self) -> Iterator[str]:  # dict(clip) and {**clip} then go through __getitem__
        return dict.__iter__(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None

    def __reduce__(self) -> tuple[Any, ...]:
        return (StoredClip, (self._stored,)) if self._stored is not None else (dict, (self.copy(),))


def _read(stored: bytes | str) -> tuple[NDArray[np.float32], int]:
    """Samples, shape [n] or [n, channels], and rate in Hz. Raises EvaluationError where a file is gone or damaged."""
    if isinstance(stored, bytes):
        samples, rate = soundfile.read(io.BytesIO(stored), dtype="float32")
    else:
        try:
            samples, rate = soundfile.read(stored, dtype="float32")
        except soundfile.LibsndfileError as error:
            raise EvaluationError(f"{stored} cannot be read ({error.error_string}); get it again") from None
    return samples, rate


def load_split(data: Data, task: str, scope: str = "task", num_proc: int | None = None) -> dict[str, Any]:
    """What mteb calls `RetrievalSplitData`: corpus ("id", "audio"), queries ("id", "text"), relevant_docs, top_ranked (None).

    Args:
        data: the dataset.
        task: "negation", "order", ...
        scope: what the queries search, one of `SCOPES`.
        num_proc: processes for copying the audio into the cache of `datasets`, once for every dataset.

    Raises:
        EvaluationError: the dataset does not have the task.
        DatasetFolderError: a file is damaged, or the cache of `datasets` holds another corpus than the folder.
    """
    import datasets

    if task not in data.tasks:
        raise EvaluationError(f"{data.folder.path}: no task {task!r} there; it has {', '.join(data.tasks) or 'none'}")
    corpora = [load_clips(data, name, num_proc) for name in (data.tasks if scope == "all" else (task,))]
    texts = [{"id": row["id"], "text": row["text"]} for row in data.folder.rows(f"{task}-queries")]
    queries = datasets.Dataset.from_list(texts, features=layout.features("texts"))
    relevant = data.folder.qrels(None if scope == "all" else task)
    return {
        "corpus": datasets.concatenate_datasets(corpora).with_transform(stored_clips),
        "queries": queries,
        "relevant_docs": {row["id"]: dict.fromkeys(sorted(relevant[row["id"]]), 1) for row in texts},
        "top_ranked": None,
    }


def load_clips(data: Data, task: str, num_proc: int | None = None) -> Any:
    """A task's clips as a `datasets.Dataset` of "id" and undecoded "audio". Raises DatasetFolderError."""
    import datasets
    from datasets.exceptions import DatasetsError

    path = data.folder.path.resolve()
    try:
        found = datasets.load_dataset(str(path), f"{task}-corpus", split="test", num_proc=num_proc)
    except (DatasetsError, ValueError, OSError) as error:
        cause = error.__cause__ or error
        raise DatasetFolderError(
            f"{path} cannot be loaded ({type(cause).__name__}: {cause}); `reasonaudio check` says what is wrong with it"
        ) from error
    found = found.cast_column("audio", datasets.Audio(decode=False))
    ids = [clip for file in data.folder.audio_files(task) for clip in data.folder.ids_in(file)]
    if found.data.column("id").to_pylist() != ids or (ids and found[0]["audio"]["bytes"] != data.folder.flac(ids[0])):
        raise DatasetFolderError(
            f"{path}: the cache of `datasets` holds another corpus under this folder's name, from before it was built anew; "
            f"remove {found.cache_files[0]['filename'] if found.cache_files else 'it'} and run again"
        )
    return found


def stored_clips(batch: Batch) -> Batch:
    """A batch with its audio as `StoredClip`s."""
    if "audio" in batch:
        return {**batch, "audio": [StoredClip(audio["bytes"] or audio["path"]) for audio in batch["audio"]]}
    return batch


def decoded(audio: Mapping[str, Any]) -> dict[str, Any]:
    """A clip as a plain dict of samples (float32, shape [n]) and rate."""
    return {"array": np.asarray(audio["array"], dtype=np.float32), "sampling_rate": int(audio["sampling_rate"])}
