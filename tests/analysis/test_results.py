"""A folder of results read back, and `reasonaudio compare` over it."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import eval_harness
from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.analysis.foils import analyse_foils
from eval_harness.analysis.results import read_results
from eval_harness.cli import app
from eval_harness.data import Data, open_data
from eval_harness.rankings import Origin, Rankings
from eval_harness.results_folder import ResultsFolder
from eval_harness.scores import clip_ids, mean_scores, score_task
from eval_harness.systems.scale import Random
from eval_harness.tasks import task_name
from tests.corpus_fixture import make_folder, make_plan
from tests.scored_corpus import ids
from tests.toy_encoder import ToyEncoder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    """20 sets a task, of two queries and four clips."""
    return open_data(make_folder(tmp_path_factory.mktemp("corpus") / "twenty", make_plan(sets=20)))


def write(
    out: Path,
    data: Data,
    model: str,
    skill: float,
    scope: str = "task",
    below: str = "",
    tasks: tuple[str, ...] = TASK_NAMES,
) -> None:
    """Rankings of a model that adds `skill` to the hash of a relevant clip, filed as a run files them."""
    ResultsFolder.open(out, data)
    relevant = data.folder.qrels(None)
    for task in tasks:
        queries, clips = ids(data.folder, task, scope)
        scores = Random(3).scores([data.folder.queries[query] for query in queries], clips, None, data.folder)
        scores = scores + np.float32(skill) * np.array([[clip in relevant[query] for clip in clips] for query in queries])
        folder = out / "rankings" / model.replace("/", "__") / "1" / below
        folder.mkdir(parents=True, exist_ok=True)
        made = Rankings(queries, clips, scores.astype(np.float32), Origin(task, scope, model, "1", data.content_hash))
        made.write(folder / f"{task_name(task, scope)}.parquet")


@pytest.fixture(scope="module")
def out(data: Data, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four models in scope "task", one in "all"."""
    out = tmp_path_factory.mktemp("results") / "out"
    write(out, data, "org/good", 1.0)
    write(out, data, "org/poor", -0.3)
    write(out, data, "org/poor", -0.3, "all", tasks=("order",))
    write(out, data, "org/poor", 0.2, below="experiments/dtype_float16", tasks=("order", "mix"))
    write(out, data, "reasonaudio/random", 0.0)
    return out


def test_what_lies_there(out: Path, data: Data) -> None:
    found = read_results(out)
    assert found.data.content_hash == data.content_hash
    assert [(one.name, one.scope, one.is_scale, one.complete) for one in found.models] == [
        ("org/good", "task", False, True),
        ("org/poor", "task", False, True),
        ("org/poor", "all", False, False),
        ("org/poor (dtype_float16)", "task", False, False),
        ("reasonaudio/random", "task", True, True),
    ]
    assert found.tasks == TASK_NAMES
    assert [one.name for one in found.of_scope("all")] == ["org/poor"]
    good = found.models[0]
    assert good.scores("order").to_json() == score_task(Rankings.read(good.tasks["order"]), data.folder, "order").to_json()
    assert good.scores("order") is good.scores("order")
    assert good.mean == mean_scores(good.all_scores().values())
    assert good.scores("order").main_score == 1
    assert found.models[2].mean is None
    assert found.models[2].scores("order").clips == 400
    assert found.models[2].scores("order").scope == "all"
    with pytest.raises(EvaluationError, match="org/poor was not run on mix; it was on order"):
        found.models[2].scores("mix")
    assert good.embeddings() is None


def test_a_run_is_read_back_with_its_embeddings(data: Data, tmp_path: Path) -> None:
    done = eval_harness.run(ToyEncoder(), ["order"], data=data.folder.path, out=tmp_path / "out", num_workers=0)
    (found,) = read_results(tmp_path / "out").models
    assert (found.model, found.revision, found.scope, found.experiment) == ("toys/levels", "1", "task", "")
    assert {task: one.to_json() for task, one in found.all_scores().items()} == {
        task: one.to_json() for task, one in done.tasks.items()
    }
    store = found.embeddings()
    assert store is not None
    clips = clip_ids(data.folder, "order")
    assert store.missing(clips) == []
    assert store.get(clips).shape[0] == len(clips)
    analysed = analyse_foils(found, resamples=200)
    json.dumps(analysed.to_json(), allow_nan=False)
    assert set(analysed.twins) == {"order", "order-1"}
    assert analysed.twins["order"].value == found.scores("order").scores["twins"]
    assert sum(one.queries for one in analysed.confusions if one.form is None) == 40


def test_a_dataset_that_was_moved(out: Path, data: Data, tmp_path: Path) -> None:
    moved = shutil.copytree(data.folder.path, tmp_path / "moved")
    there = shutil.copytree(out, tmp_path / "out")
    about = json.loads((there / "dataset.json").read_text())
    (there / "dataset.json").write_text(json.dumps(about | {"path": str(tmp_path / "gone")}))
    with pytest.raises(EvaluationError, match=r"not to be had .*gone.*say where it lies now with --data"):
        read_results(there)
    assert len(read_results(there, open_data(moved)).models) == 5


def test_probes_in_text_stand_beside_and_are_left_out(data: Data, tmp_path: Path) -> None:
    eval_harness.run("reasonaudio/oracle", "ReasonAudioText-Order-Story", data=data, out=tmp_path)
    with pytest.raises(EvaluationError, match="holds no rankings of clips, and probes in text are not compared"):
        read_results(tmp_path)
    eval_harness.run("reasonaudio/oracle", "order", data=data, out=tmp_path)
    results = read_results(tmp_path)
    (found,) = results.models
    assert list(found.tasks) == ["order"]
    (probe,) = results.probes
    assert (probe.model, probe.scope, probe.style, list(probe.tasks)) == ("reasonaudio/oracle", "task", "story", ["order"])
    assert probe.scores("order").main_score == 1.0
    with pytest.raises(EvaluationError, match="was not run on mix"):
        probe.scores("mix")


def test_what_is_refused(out: Path, data: Data, tmp_path: Path) -> None:
    other = make_folder(tmp_path / "other", make_plan(sets=3))
    (tmp_path / "empty").mkdir()
    ResultsFolder.open(tmp_path / "nothing", data)
    damaged = shutil.copytree(out, tmp_path / "damaged")
    (damaged / "dataset.json").write_text("{")
    broken = shutil.copytree(out, tmp_path / "broken")
    next((broken / "rankings").rglob("*.parquet")).write_bytes(b"PAR1")
    foreign = shutil.copytree(out, tmp_path / "foreign")
    file = next((foreign / "rankings").rglob("*.parquet"))
    made = Rankings.read(file)
    replace(made, origin=replace(made.origin, dataset="0" * 64)).write(file)
    for path, given, message in (
        (tmp_path / "missing", None, "does not exist; give the folder that"),
        (tmp_path / "other" / "README.md", None, "is a file"),
        (tmp_path / "empty", None, "is no folder of results"),
        (tmp_path / "nothing", None, "holds no rankings"),
        (damaged, None, "dataset.json is damaged"),
        (broken, None, "parquet is damaged"),
        (foreign, None, "is of another dataset"),
        (out, open_data(other), "holds results on another dataset"),
    ):
        with pytest.raises(EvaluationError, match=message) as raised:
            read_results(path, given)
        assert "\n" not in str(raised.value)


def compare(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["compare", *map(str, arguments)], env={"COLUMNS": "120"})
    assert result.exit_code == code, result.output
    return result.output


def test_the_command(out: Path, data: Data, tmp_path: Path) -> None:
    printed = compare(out, "--json", tmp_path / "out.json", "-q")
    assert "scope task: hit_rate_at_1" in printed
    assert "scope all" in printed
    assert "reasonaudio/random (scale)" in printed
    task, whole = json.loads((tmp_path / "out.json").read_text())["scopes"]
    assert [one["name"] for one in task["models"]] == ["org/good", "org/poor", "org/poor (dtype_float16)", "reasonaudio/random"]
    mean = task["models"][0]["mean"]["hit_rate_at_1"]
    assert mean["value"] == 1.0
    assert f"{mean['value']:.3f}  {mean['low']:.3f}  {mean['high']:.3f}" in printed
    pairs = {(one["first"], one["second"], one["task"]): one for one in task["pairs"]}
    assert len(pairs) == 3 * 6 + 3 * 2
    assert pairs["org/good", "org/poor", "order"]["p_holm"] < 0.05
    assert pairs["org/good", "org/poor", "mean"]["difference"]["low"] > 0
    assert {one["task"] for one in task["power"]} == set(TASK_NAMES)
    assert whole["pairs"] == []
    again = compare(out, "--json", tmp_path / "again.json", "-q", "--seed", 0)
    assert again.replace("again.json", "out.json") == printed
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "out.json").read_bytes()
    compare(out, "--json", tmp_path / "other.json", "-q", "--seed", 1, "--score", "map", "--data", data.folder.path)
    assert json.loads((tmp_path / "other.json").read_text())["scopes"][0]["score"] == "map"


def test_the_command_refuses_in_one_line(out: Path, tmp_path: Path) -> None:
    for arguments, message in (
        ((tmp_path / "missing",), "does not exist"),
        ((out, "--score", "accuracy"), "--score 'accuracy': give hit_rate_at_1"),
        ((out, "--json", tmp_path / "no" / "file"), "make it first"),
        ((out, "--data", tmp_path / "gone"), "does not exist"),
    ):
        printed = compare(*arguments, code=2)
        assert message in printed
        assert len(printed.strip().splitlines()) == 1


def test_scores_whose_rankings_are_lost_are_told(out: Path, tmp_path: Path) -> None:
    broken = Path(shutil.copytree(out, tmp_path / "broken"))
    lost = next((broken / "rankings").rglob("ReasonAudio-Order.parquet"))
    scores = (broken / "scores" / lost.relative_to(broken / "rankings")).with_suffix(".json")
    scores.parent.mkdir(parents=True, exist_ok=True)
    scores.write_text("{}")
    assert read_results(broken)
    lost.unlink()
    with pytest.raises(EvaluationError, match=rf"{lost.name} is missing, though .*{scores.name} is there; remove that as well"):
        read_results(broken)
