"""Datasets on the Hub: a double of it on this machine, and none that can be reached."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hub.server import hub_of
from tests.sounds.made_dataset import audio, dataset, in_hub_layout

pytest.importorskip("datasets")

OPEN = """
import json, sys
from builders.errors import SoundLibraryError
from builders.sounds.sources import open_source
for spec, options in json.loads(sys.argv[1]):
    try:
        found = open_source(spec, options)
        first = found.candidates[0]
        print(json.dumps({"name": found.name, "ids": [c.id for c in found.candidates], "license": first.license,
            "attribution": first.attribution, "selection": dict(found.selection), "samples": len(first.read(32_000))}))
    except SoundLibraryError as error:
        print(json.dumps({"error": str(error)}))
"""


def opened(home: Path, endpoint: str, *asked: tuple[str, dict[str, str]], **environment: str) -> list[dict[str, Any]]:
    """What a fresh process finds; the Hub's address is read when its package is imported."""
    settings = {"HF_ENDPOINT": endpoint, "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1", "REASONAUDIO_CACHE": str(home / "ra")}
    done = subprocess.run(
        [sys.executable, "-c", OPEN, json.dumps(asked)],
        env={**os.environ, **settings, **environment},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_dataset_on_the_hub_then_from_its_cache(tmp_path: Path) -> None:
    rows = dataset({"audio": audio("a.wav", "b.flac"), "label": ["dog", "rain"]})
    folder = in_hub_layout(tmp_path / "repository", {"train": rows}, "license: cc-by-3.0")
    home = tmp_path / "home"
    with hub_of(folder, "someone/sounds") as (endpoint, commit):
        newest, tagged, gone, none, config = opened(
            home,
            endpoint,
            ("hub:someone/sounds", {}),
            ("hub:someone/sounds", {"revision": "v1", "split": "train"}),
            ("hub:someone/sounds", {"revision": "v9"}),
            ("hub:someone/other", {}),
            ("hub:someone/sounds:large", {}),
        )
    assert newest["name"] == "hub:someone/sounds"
    assert newest["ids"] == ["train/a.wav", "train/b.flac"]
    assert newest["samples"] == 25_600
    assert (newest["license"], newest["attribution"]) == ("cc-by-3.0", "someone/sounds, train/a.wav")
    assert newest["selection"]["revision"] == tagged["selection"]["revision"] == commit
    assert "hub:someone/sounds: Revision 'v9' doesn't exist" in gone["error"]
    assert (
        "hub:someone/other: Dataset 'someone/other' doesn't exist on the Hub or cannot be accessed; check the id" in none["error"]
    )
    assert "there is no config 'large'; its configs are default; write hub:someone/sounds:CONFIG" in config["error"]
    again, same, tagged, other = opened(
        home,
        endpoint,
        ("hub:someone/sounds", {}),
        ("hub:someone/sounds", {"revision": commit}),
        ("hub:someone/sounds", {"revision": "v1"}),
        ("hub:someone/other", {}),
        HF_HUB_OFFLINE="1",
    )
    assert again == {**newest, "selection": again["selection"]}
    assert same["selection"]["revision"] == commit
    assert "revision 'v1' cannot be had: the Hub cannot be reached" in tagged["error"]
    assert other["error"].startswith("hub:someone/other: the Hugging Face Hub cannot be reached")
    assert "hf download --repo-type dataset someone/other --local-dir FOLDER" in other["error"]
