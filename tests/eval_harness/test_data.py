"""Which dataset is evaluated on: a folder, or one on the Hub."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from builders.errors import DatasetFolderError, EvaluationError
from eval_harness.data import data_from_environment, open_data
from tests.corpus_fixture import ROOT, folder  # noqa: F401  # a fixture
from tests.hub.server import hub_of

HUB = """
import json, sys
import mteb, eval_harness
from builders.errors import ReasonAudioError
from tests.toy_encoder import ToyEncoder
for name, revision in json.loads(sys.argv[1]):
    try:
        data = eval_harness.registry.use_data(name, revision)
    except ReasonAudioError as error:
        print(json.dumps({"error": str(error)}))
        continue
    task = mteb.get_task("ReasonAudio-Mix")
    done = mteb.evaluate(ToyEncoder(), task, cache=None, co2_tracker=False).task_results[0]
    found = {"recorded": done.dataset_revision, "content": data.content_hash, "score": done.get_score()}
    print(json.dumps({**task.metadata.dataset, **found}))
"""


def asked(home: Path, endpoint: str, *names: tuple[str, str | None], **environment: str) -> list[dict[str, str]]:
    """What a fresh process finds; the Hub's address is read when its package is imported."""
    settings = {"HF_ENDPOINT": endpoint, "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", HUB, json.dumps(names)],
        env={**os.environ, "HF_HUB_OFFLINE": "0", **settings, **environment},
        cwd=home.parent,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_dataset_on_the_hub_is_resolved_to_a_commit(folder: Path, tmp_path: Path) -> None:  # noqa: F811
    home = tmp_path / "home"
    with hub_of(folder, "org/sounds") as (endpoint, commit):
        plain, tagged, given, no_revision, unknown = asked(
            home,
            endpoint,
            ("org/sounds", None),
            ("org/sounds@v1", None),
            ("org/sounds", "v1"),
            ("org/sounds@v9", None),
            ("org/else", None),
        )
    here = open_data(folder)
    for found in (plain, tagged, given):
        assert (found["path"], found["revision"], found["recorded"]) == ("org/sounds", commit, commit)
        assert found["content"] == here.content_hash
    assert no_revision["error"].startswith(
        "org/sounds@v9: there is no such folder here, and the Hub does not give such a dataset"
    )
    assert unknown["error"].startswith("org/else: there is no such folder here, and no such dataset on the Hub")
    # What was downloaded once is found again without the Hub.
    (again,) = asked(home, "http://127.0.0.1:9", ("org/sounds", None), HF_HUB_OFFLINE="1")
    assert again["revision"] == commit
    assert again["score"] == plain["score"]


def test_a_folder_has_its_content_as_revision(folder: Path) -> None:  # noqa: F811
    data = open_data(str(folder))
    assert data.path == str(folder.resolve())
    assert data.revision == data.content_hash
    assert data.tasks == ("negation", "order", "overlap", "duration", "mix")
    with pytest.raises(EvaluationError, match=r"is a folder, and folders have no revision \('v1'\)"):
        open_data(folder, "v1")
    with pytest.raises(EvaluationError, match="two revisions are given"):
        open_data("org/sounds@a", "b")


def test_what_is_no_finished_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DatasetFolderError, match="does not exist"):
        open_data(tmp_path / "nowhere")
    (tmp_path / "half" / ".build").mkdir(parents=True)
    with pytest.raises(DatasetFolderError, match="is an unfinished build"):
        open_data(tmp_path / "half")
    monkeypatch.setenv("REASONAUDIO_DATA", str(tmp_path / "half"))
    with pytest.raises(DatasetFolderError, match="is an unfinished build"):
        data_from_environment()
    monkeypatch.delenv("REASONAUDIO_DATA")
    with pytest.raises(EvaluationError, match="no dataset to evaluate on"):
        data_from_environment()
