"""`reasonaudio geometry` on what a run keeps, and its figures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import eval_harness
from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from eval_harness.analysis.embeddings_of import read_embeddings
from eval_harness.analysis.geometry import geometry
from eval_harness.analysis.geometry_figures import plane_figure, probe_figure, save, sensitivity_figure
from eval_harness.analysis.holm import holm
from eval_harness.analysis.plane import plane
from eval_harness.analysis.results import read_results
from eval_harness.analysis.text_encoders import keep_wordings, kept_encoder
from tests.cli_fixture import run
from tests.scored_corpus import smoke_corpus  # noqa: F401  # a fixture
from tests.toy_encoder import ToyEncoder


@pytest.fixture(scope="module")
def results(smoke_corpus: DatasetFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """A run of a toy on one set of every form, and one of a system that does not embed."""
    out = tmp_path_factory.mktemp("run") / "results"
    eval_harness.run(ToyEncoder(), data=smoke_corpus.path, out=out)
    eval_harness.run("reasonaudio/oracle", data=smoke_corpus.path, out=out)
    return out


def test_tables_json_and_figures(results: Path, tmp_path: Path) -> None:
    found = run("geometry", results, "--json", tmp_path / "all.json", "--figures", tmp_path / "figures")
    assert found.exit_code == 0, found.output
    lines = found.stdout.splitlines()
    assert lines[0] == "toys/levels (1)"
    assert max(map(len, lines)) <= 80 or "/" in max(lines, key=len)
    for word in ("forbidden-present", "outside-set", "order-1", "known sounds"):
        assert word in found.stdout
    assert "give --load MODEL, once" in found.stderr
    content = json.loads((tmp_path / "all.json").read_text())
    (model,) = content["models"]
    assert model["model"] == "toys/levels"
    assert model["separation"]["order"]["kinds"]["reversed"]["similarity"]["count"] > 0
    assert [one["p_holm"] for one in model["probes"]] == holm([one["p"] for one in model["probes"]])
    names = sorted(path.name for path in (tmp_path / "figures").iterdir())
    stems = ("probes", "similarity", "space")
    assert names == [f"toys__levels-{stem}.{kind}" for stem in stems for kind in ("pdf", "png", "svg")]
    assert (tmp_path / "figures" / "toys__levels-space.svg").read_text().count("<use ") > 300  # points, not pixels


def test_wordings_are_embedded_once_and_then_used(results: Path, smoke_corpus: DatasetFolder, tmp_path: Path) -> None:  # noqa: F811
    opened = read_results(results)
    (one,) = read_embeddings(opened, ["levels"])
    assert kept_encoder(results, one, opened.data) is None
    toy = ToyEncoder()
    keep_wordings(results, one, opened.data, toy)
    assert len(set(toy.queries)) == len(toy.queries) > 200
    again = ToyEncoder()
    keep_wordings(results, one, opened.data, again)
    assert again.queries == []
    encoder_of = kept_encoder(results, one, opened.data)
    assert encoder_of is not None
    order = next(query for query in smoke_corpus.queries.values() if query.task == "order")
    np.testing.assert_array_equal(encoder_of("order")([order.text])[0], one.query_vectors[one.query_row[order.id]])
    found = run("geometry", results, "-m", "levels", "-q")
    assert found.exit_code == 0, found.output
    assert "exchanged" in found.stdout
    measured = geometry(one, smoke_corpus, encoder_of, tasks=["order", "mix"], draws=100)
    save(sensitivity_figure(measured), tmp_path, "wording", ["svg"])
    first = (tmp_path / "wording.svg").read_bytes()
    save(sensitivity_figure(measured), tmp_path, "wording", ["svg"])
    assert (tmp_path / "wording.svg").read_bytes() == first
    with pytest.raises(EvaluationError, match=r"toys/other .* is not the model of the embeddings at hand"):
        keep_wordings(results, one, opened.data, ToyEncoder("toys/other"))


def test_what_is_not_there_is_said_in_one_line(results: Path, tmp_path: Path) -> None:
    none = run("geometry", results, "-m", "oracle")
    assert none.exit_code == 2
    assert "no embeddings of oracle" in none.stderr
    assert "It has results of reasonaudio/oracle, toys/levels" in none.stderr.replace("\n", " ")
    empty = run("geometry", tmp_path)
    assert empty.exit_code == 2
    assert "no folder of results" in empty.stderr
    (tmp_path / "file").write_text("")
    blocked = run("geometry", results, "--figures", tmp_path / "file")
    assert blocked.exit_code == 2
    assert "is a file; a folder is needed" in blocked.stderr
    assert "toys/levels" not in blocked.stdout, "refused before anything is measured"
    (one,) = read_embeddings(read_results(results))
    without = geometry(one, read_results(results).data.folder, tasks=["overlap"], draws=10)
    with pytest.raises(EvaluationError, match="the sensitivity of its texts was not measured"):
        sensitivity_figure(without)


def test_the_plane_draws_clips_of_all_tasks_alike(results: Path) -> None:
    opened = read_results(results)
    (one,) = read_embeddings(opened)
    folder = opened.data.folder
    found = plane(one, folder, ("order", "mix"), most=60, seed=1)
    assert sum(found.is_text) == sum(query.task in ("order", "mix") for query in folder.queries.values())
    drawn = [task for task, text in zip(found.tasks, found.is_text, strict=True) if not text]
    assert drawn.count("order") == drawn.count("mix") == (60 - sum(found.is_text)) // 2
    assert found.left_out == sum(clip.task in ("order", "mix") for clip in folder.clips.values()) - len(drawn)
    again = plane(one, folder, ("order", "mix"), most=60, seed=1)
    assert found.to_json() == again.to_json()
    assert len(plane_figure(found).axes) == 2


def test_long_names_stay_inside_their_figure(results: Path) -> None:
    (one,) = read_embeddings(read_results(results))
    measured = geometry(one, read_results(results).data.folder, tasks=["order"], draws=10)
    figure = probe_figure(replace(measured, model="an-organisation/a-model-with-a-name-that-is-longer-than-most " * 2))
    figure.draw_without_rendering()
    assert figure._suptitle is not None
    title, whole = figure._suptitle.get_window_extent(), figure.bbox
    assert whole.x0 <= title.x0 < title.x1 <= whole.x1
    assert title.height > 30, "in several lines"
