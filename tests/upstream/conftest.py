"""A pull request made once for all tests: of a small corpus on a double of the Hub, measured by a real mteb."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from builders.build import build
from builders.plan import make_plan
from builders.recipe import PRESETS, make_recipe
from builders.relevance import qrels
from tests.corpus_fixture import RATE, ROOT, folder
from tests.fake_library import fake_library
from tests.hub.server import TOKEN, serving

__all__ = ["folder"]

NAME = "org/reasonaudio"


_PROGRAM = f"""
import os
from builders.publishing import push
print("commit", push(os.environ["FOLDER"], {NAME!r}, tag="v0.0.1").commit)
from eval_harness.cli import main
main()
"""


@dataclass(frozen=True)
class Made:
    """A pull request: the folder it was written to, the data it is of, the commit, and the environment with the Hub."""

    out: Path
    data: Path
    commit: str
    environment: dict[str, str]
    printed: str


@pytest.fixture(scope="session")
def corpus_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One set of every form."""
    library = fake_library(60, recordings=2, sample_rate=RATE)
    plan = make_plan(make_recipe(PRESETS["smoke"], {"sample_rate": RATE}), library)
    return build(plan, library, qrels(plan, library.relations), tmp_path_factory.mktemp("upstream") / "smoke", num_proc=1).folder


@pytest.fixture(scope="session")
def decodes() -> None:
    """Skips where mteb itself could not decode."""
    if subprocess.run([sys.executable, "-c", "import torchcodec.decoders"], capture_output=True, check=False).returncode:
        pytest.skip("mteb decodes with torchcodec, which does not load here")


@pytest.fixture(scope="session")
def made(corpus_folder: Path, decodes: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    """As `reasonaudio upstream OUT --data org/reasonaudio@v0.0.1 --trial` writes it."""
    home = tmp_path_factory.mktemp("hub-home")
    out = tmp_path_factory.mktemp("pull") / "request"
    with serving() as hub:
        settings = {"HF_ENDPOINT": hub.endpoint, "HF_HUB_DISABLE_XET": "1", "HF_HUB_OFFLINE": "0", "HF_HOME": str(home)}
        environment = {**os.environ, **settings, "HF_TOKEN": TOKEN, "HF_HUB_DISABLE_TELEMETRY": "1", "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM, "upstream", str(out), "--data", f"{NAME}@v0.0.1", "--trial"],
            env={**environment, "FOLDER": str(corpus_folder)},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        commit = next(line.removeprefix("commit ") for line in done.stdout.splitlines() if line.startswith("commit "))
        yield Made(out, corpus_folder, commit, environment, done.stdout)
