"""The paper's own data as a dataset to evaluate on: opened once, named by its content."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from eval_harness.data import OFFICIAL, Data, no_sets
from eval_harness.official.clips import Header, read_headers
from eval_harness.official.layout import find_layout
from eval_harness.official.reading import OfficialTask, read_tasks
from eval_harness.progress import Report, Shown, unseen
from eval_harness.rankings import Rankings
from eval_harness.scores import TaskScores, score_plain

VARIABLE = "REASONAUDIO_OFFICIAL"
"""The environment variable that names the folder where nothing else does."""


@dataclass(frozen=True)
class OfficialData(Data):
    """The paper's own data, in a folder.

    Attributes:
        path: "official:" and the folder's absolute path.
        revision: the content hash.
        root: the folder.
        of_task: task -> its tables.
        headers: file -> what is known of the sound in it.
        decided: what was decided in reading that a reader should know.
    """

    root: Path = field(repr=False)
    of_task: Mapping[str, OfficialTask] = field(repr=False)
    headers: Mapping[Path, Header] = field(repr=False)
    decided: tuple[str, ...] = field(repr=False)

    benchmark = "ReasonAudioOfficial"
    scopes = ("task",)

    @property
    def content_hash(self) -> str:
        """SHA-256 (hex) of ids, texts, qrels and the clips' files; equal wherever they lie and however the tables are spelled."""
        return self.revision

    @property
    def tasks(self) -> tuple[str, ...]:
        return tuple(self.of_task)

    @property
    def notes(self) -> tuple[str, ...]:
        return self.decided

    @property
    def folder(self) -> DatasetFolder:
        """There is none. Raises EvaluationError."""
        raise no_sets("this", self.path)

    def about(self) -> dict[str, Any]:
        return {"official": True}

    def verify(self, report: Report) -> None:
        """Nothing to do: every file was looked at when it was opened."""

    def put_to_use(self) -> OfficialData:
        from eval_harness.official import in_use

        return in_use.use(self)

    def query_ids(self, task: str) -> tuple[str, ...]:
        return tuple(self._task(task).queries)

    def clip_ids(self, task: str, scope: str = "task") -> tuple[str, ...]:
        if scope not in self.scopes:
            raise EvaluationError(
                f"scope {scope!r}: the paper's own data say themselves what a task's queries search; leave the scope out"
            )
        return tuple(self._task(task).clips)

    def score(self, rankings: Rankings, task: str, scope: str = "task") -> TaskScores:
        found = self._task(task)
        return score_plain(rankings, task, self.query_ids(task), self.clip_ids(task, scope), found.relevant)

    def clip_key(self, task: str, clip: str) -> str:
        """Its id and its file: clips of two tasks may have the same id, and those of several may be the same."""
        return f"{clip}:{self.headers[self._task(task).clips[clip]].sha256[:32]}"

    def query_key(self, task: str, query: str) -> str:
        return f"{task}:{query}"

    def split(self, task: str) -> dict[str, Any]:
        """What mteb calls `RetrievalSplitData`, as `eval_harness.loading.load_split`; sounds are read when they are looked at."""
        import datasets
        import pyarrow as pa

        from eval_harness.loading import stored_clips

        found = self._task(task)
        audio = [{"bytes": None, "path": str(path)} for path in found.clips.values()]
        of_audio = pa.struct({"bytes": pa.binary(), "path": pa.string()})
        corpus = pa.table({"id": list(found.clips), "audio": pa.array(audio, of_audio)})
        return {
            "corpus": datasets.Dataset(corpus).with_transform(stored_clips),
            "queries": datasets.Dataset.from_dict({"id": list(found.queries), "text": list(found.queries.values())}),
            "relevant_docs": {query: dict(relevant) for query, relevant in found.relevant.items()},
            "top_ranked": None,
        }

    def _task(self, task: str) -> OfficialTask:
        if task not in self.of_task:
            raise EvaluationError(f"{self.path}: no task {task!r} there; it has {', '.join(self.tasks)}")
        return self.of_task[task]


def open_official(folder: str | Path, shown: Shown = unseen) -> OfficialData:
    """The paper's own data in a folder, all of it checked; the first time every sound file is read once.

    Args:
        folder: as `eval_harness.official.layout` says; "" is the one that `REASONAUDIO_OFFICIAL` names.
        shown: opens progress bars.

    Raises:
        EvaluationError: it is not there, or something is wrong with it: one line says what, and where.
    """
    named = str(folder) or os.environ.get(VARIABLE, "")
    if not named:
        raise EvaluationError(f"official data: no folder is named; give {OFFICIAL}FOLDER, or set {VARIABLE}")
    root = Path(named).expanduser()
    layout = find_layout(root)
    tasks = read_tasks(layout)
    with shown("clips of the official data") as report:
        headers = read_headers(root, (named for task in tasks for named in task.named_by.items()), report)
    return OfficialData(
        f"{OFFICIAL}{root.resolve()}", _content(tasks, headers), root, {task.task: task for task in tasks}, headers, layout.notes
    )


def _content(tasks: Sequence[OfficialTask], headers: Mapping[Path, Header]) -> str:
    """SHA-256 (hex) of all that scores depend on, in an order that is not the tables'."""
    hashed = hashlib.sha256()
    for task in tasks:
        said = {
            "task": task.task,
            "clips": {clip: headers[path].sha256 for clip, path in task.clips.items()},
            "queries": task.queries,
            "relevant": task.relevant,
        }
        hashed.update(json.dumps(said, sort_keys=True, ensure_ascii=True).encode() + b"\n")
    return hashed.hexdigest()
