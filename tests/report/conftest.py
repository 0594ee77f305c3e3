"""Fixtures: reports of systems of the scale and of models, one of which has a name full of mark-up, on a small real plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import eval_harness
from builders.dataset_folder import DatasetFolder
from builders.recipe import TASK_NAMES
from eval_harness.analysis.results import read_results
from eval_harness.data import Data, open_data
from eval_harness.rankings import Origin, Rankings
from eval_harness.report.making import Settings, make_report
from eval_harness.systems.scale import BagOfSounds, Oracle
from eval_harness.tasks import task_name
from eval_harness.ui import Screen
from tests.scored_corpus import ids, smoke_corpus  # noqa: F401  # a fixture

HOSTILE = 'lab/<script>alert("1")</script>&_$x^2$|a'
TITLE = 'A <b>bold</b> "title" & more'
SETTINGS = Settings(title=TITLE, examples=2, resamples=200)


def write_rankings(out: Path, data: Data, model: str, oracle_share: float, tasks: tuple[str, ...] = TASK_NAMES) -> None:
    """Rankings of a model that knows a share of the truth, as `reasonaudio run` files them."""
    folder = data.folder
    for task in tasks:
        queries, clips = ids(folder, task)
        asked = [folder.queries[query] for query in queries]
        scores = BagOfSounds(3).scores(asked, clips, None, folder)
        scores = scores + np.float32(oracle_share) * Oracle().known(asked, clips, folder)
        origin = Origin(task, "task", model, "r1", data.content_hash)
        place = out / "rankings" / f"model-{round(100 * oracle_share)}" / "r1"
        place.mkdir(parents=True, exist_ok=True)
        replace(Rankings(queries, clips, scores), origin=origin).write(place / f"{task_name(task, 'task')}.parquet")


@pytest.fixture(scope="session")
def scored(smoke_corpus: DatasetFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """A folder of results: three systems of the scale, a model with an evil name, and one that was run on three tasks."""
    out = tmp_path_factory.mktemp("report") / "results"
    for name in ("random", "bag-of-sounds", "oracle"):
        eval_harness.run(f"reasonaudio/{name}", data=smoke_corpus.path, out=out)
    data = open_data(smoke_corpus.path)
    write_rankings(out, data, HOSTILE, 0.2)
    write_rankings(out, data, "lab/plain", 0.0)
    write_rankings(out, data, "lab/partial", 1.0, TASK_NAMES[1:4])
    return out


@pytest.fixture(scope="session")
def made(scored: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its report."""
    to = tmp_path_factory.mktemp("report") / "the report"
    make_report(read_results(scored), to, SETTINGS, Screen(quiet=True).progress)
    return to


@pytest.fixture(scope="session")
def little(smoke_corpus: DatasetFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """A folder of results of one model on one task."""
    out = tmp_path_factory.mktemp("report") / "little"
    eval_harness.run("reasonaudio/oracle", tasks=["order"], data=smoke_corpus.path, out=out)
    write_rankings(out, open_data(smoke_corpus.path), "lab/one", 0.5, ("order",))
    return out
