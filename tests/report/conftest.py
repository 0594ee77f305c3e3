"""Fixtures: reports of systems of the scale and of models, one of which has a name full of mark-up, on a small real plan."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import eval_harness
from builders.dataset_folder import DatasetFolder
from builders.recipe import EQUAL_ENERGY, TASK_NAMES
from builders.styles import STYLES
from eval_harness.analysis.controls import read_controls
from eval_harness.analysis.results import read_results
from eval_harness.data import Data, open_data
from eval_harness.loading import SET
from eval_harness.rankings import Origin, Rankings
from eval_harness.report.making import Settings, make_report
from eval_harness.results_folder import ResultsFolder
from eval_harness.systems.scale import BagOfSounds, Oracle
from eval_harness.tasks import task_name
from eval_harness.text_tasks import probe_name
from eval_harness.ui import Screen
from tests.scored_corpus import ids, smoke_controls, smoke_corpus  # noqa: F401  # fixtures

HOSTILE = 'lab/<script>alert("1")</script>&_$x^2$|a'
TITLE = 'A <b>bold</b> "title" & more'
SETTINGS = Settings(title=TITLE, examples=2, resamples=200)


def write_rankings(
    out: Path,
    data: Data,
    model: str,
    oracle_share: float,
    tasks: tuple[str, ...] = TASK_NAMES,
    scope: str = "task",
    style: str = "",
    revision: str = "r1",
) -> None:
    """Rankings of a model that knows a share of the truth, as `reasonaudio run` files them; of a probe in text with a style."""
    ResultsFolder.open(out, data)
    folder = data.folder
    for task in tasks:
        queries, clips = ids(folder, task)
        asked = [folder.queries[query] for query in queries]
        scores = BagOfSounds(3).scores(asked, clips, None, folder)
        scores = scores + np.float32(oracle_share) * Oracle().known(asked, clips, folder)
        if scope == SET:
            own = np.array([[clip in query.clips for clip in clips] for query in asked])
            scores = np.where(own, scores, -np.inf).astype(np.float32)
        origin = Origin(f"text/{task}" if style else task, scope, model, revision, data.content_hash, style)
        place = out / "rankings" / re.sub(r"\W", "_", model) / revision
        place.mkdir(parents=True, exist_ok=True)
        name = probe_name(task, style, scope) if style else task_name(task, scope)
        replace(Rankings(queries, clips, scores), origin=origin).write(place / f"{name}.parquet")


@pytest.fixture(scope="session")
def scored(smoke_corpus: DatasetFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """A folder of results: three systems of the scale, a model with an evil name, and one that was run on three tasks.

    And probes in text: of the evil one in all styles, of a judge in one, of a text encoder that a pipeline ends in.
    """
    out = tmp_path_factory.mktemp("report") / "results"
    for name in ("random", "bag-of-sounds", "oracle"):
        eval_harness.run(f"reasonaudio/{name}", data=smoke_corpus.path, out=out)
    data = open_data(smoke_corpus.path)
    write_rankings(out, data, HOSTILE, 0.2)
    write_rankings(out, data, "lab/plain", 0.0)
    write_rankings(out, data, "lab/partial", 1.0, TASK_NAMES[1:4])
    write_rankings(out, data, "lab/heard+encoder", 0.3)
    for number, style in enumerate(STYLES):
        write_rankings(out, data, HOSTILE, 0.4 + 0.2 * number, style=style)
    write_rankings(out, data, "hub/encoder", 0.6, ("order", "mix"), style="events")
    write_rankings(out, data, "lab/judge", 1.0, scope=SET, style="story")
    return out


@pytest.fixture(scope="session")
def on_controls(smoke_controls: dict[str, DatasetFolder], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:  # noqa: F811
    """Results on controls: the evil model loses on one and gains on the other, plain is the same, others are not on both."""
    found = {}
    for control, folder in smoke_controls.items():
        out, data = tmp_path_factory.mktemp("report") / control, open_data(folder.path)
        write_rankings(out, data, HOSTILE, 0.0 if control == EQUAL_ENERGY else 1.0)
        write_rankings(out, data, "lab/plain", 0.0)
        found[control] = out
    data = open_data(smoke_controls[EQUAL_ENERGY].path)
    write_rankings(found[EQUAL_ENERGY], data, "lab/partial", 1.0, TASK_NAMES[2:])
    write_rankings(found[EQUAL_ENERGY], data, "lab/stranger", 0.5)
    eval_harness.run("reasonaudio/oracle", data=smoke_controls[EQUAL_ENERGY].path, out=found[EQUAL_ENERGY])
    return found


@pytest.fixture(scope="session")
def made(scored: Path, on_controls: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its report, with controls."""
    to = tmp_path_factory.mktemp("report") / "the report"
    results = read_results(scored)
    controls = read_controls(results, list(on_controls.values()))
    make_report(results, to, SETTINGS, Screen(quiet=True).progress, None, controls)
    return to


@pytest.fixture(scope="session")
def little(smoke_corpus: DatasetFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """A folder of results of one model on one task."""
    out = tmp_path_factory.mktemp("report") / "little"
    eval_harness.run("reasonaudio/oracle", tasks=["order"], data=smoke_corpus.path, out=out)
    write_rankings(out, open_data(smoke_corpus.path), "lab/one", 0.5, ("order",))
    return out
