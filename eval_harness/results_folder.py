"""The folder that results go to: for one dataset, in mteb's layout, with rankings and scores beside them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders import layout
from builders.errors import EvaluationError
from builders.files import make_folder, read_object, write_whole
from eval_harness.data import Data

DATASET = "dataset.json"


@dataclass(frozen=True)
class ResultsFolder:
    """What lies where.

    results/<org>__<model>/<revision>/   <Task>.json, model_meta.json, run_settings.jsonl: what mteb writes and reads
    rankings/<org>__<model>/<revision>/  <Task>.parquet: every clip's score for every query
    scores/<org>__<model>/<revision>/    <Task>.json: all scores of the benchmark
    embeddings/, descriptions/, judgements/   what runs keep, so that nothing is computed twice
    dataset.json                         the one dataset that all of it is of
    """

    path: Path

    @classmethod
    def open(cls, path: Path | str, data: Data) -> ResultsFolder:
        """The folder at `path`, made if it is not there.

        Raises:
            EvaluationError: it holds results of another dataset, or something else.
            BuildError: it cannot be made.
        """
        path = Path(path)
        if path.exists() and not path.is_dir():
            raise EvaluationError(f"{path} is a file; give a folder for results")
        if (path / layout.MANIFEST).is_file():
            raise EvaluationError(f"{path} is a dataset; give another folder for results")
        marker = path / DATASET
        if marker.is_file():
            there = read_marker(marker)
            if there.get("content") != data.content_hash:
                raise EvaluationError(
                    f"{path} holds results on another dataset ({there.get('path')}, content {str(there.get('content'))[:12]}); "
                    f"this is {data.path}, content {data.content_hash[:12]}: give another folder"
                )
        elif path.is_dir() and any(path.iterdir()):
            raise EvaluationError(f"{path} is not empty, and no folder of results; give another folder, or an empty one")
        else:
            make_folder(path)
            about = {
                "path": data.path,
                "revision": data.revision,
                "content": data.content_hash,
                **data.about(),
            }
            write_whole(marker, (json.dumps(about, indent=2) + "\n").encode())
        return cls(path)

    def of_model(self, kind: str, meta: Any, name: str) -> Path:
        """A file of a model: `kind` is "rankings" or "scores"; the folders below it are as mteb names them."""
        from mteb import ResultCache

        results = ResultCache(self.path).get_task_result_path("task", meta)
        return self.path / kind / results.relative_to(self.path / "results").parent / name


def read_marker(marker: Path) -> dict[str, Any]:
    """What `DATASET` says of the dataset: path, revision, content, recipe. Raises EvaluationError where it is damaged."""
    found = read_object(marker)
    if found is None:
        raise EvaluationError(
            f"{marker} is damaged; remove it if {marker.parent} is of the dataset at hand, or give another folder"
        )
    return found
