"""Controls in a report: what falls is told with its numbers, what is missing in a line, and what does not fit is refused."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from builders.dataset_folder import DatasetFolder
from builders.recipe import EQUAL_ENERGY, EQUAL_SPECTRUM, TASK_NAMES
from eval_harness.analysis.controls import read_controls
from eval_harness.analysis.results import read_results
from eval_harness.data import open_data
from eval_harness.report.values import escape_markdown, percent
from tests.corpus_fixture import RATE
from tests.fake_library import fake_library
from tests.report.conftest import HOSTILE, write_rankings
from tests.report.test_pages import Element, leaderboard_of, parse, rows_of
from tests.report.test_place import call
from tests.scored_corpus import RELATED, planned


def section(made: Path, name: str) -> Element:
    return next(one for one in parse(made / "index.html").root.all("section") if one.attributes["aria-labelledby"] == name)


def lines(table: Element) -> list[list[str]]:
    """All cells of all rows but the head, as they are read."""
    return [
        [" ".join(cell.text.split()) for cell in row.children]
        for body in table.all("tbody")
        for row in body.all("tr")
        if len(row.children) > 1
    ]


def test_what_falls_is_told_and_what_is_missing(made: Path) -> None:
    told = " ".join(section(made, "controls").text.split())
    assert "A model whose accuracy falls on a control has used level or colour" in told
    assert re.search(
        r"On equal-energy the accuracy of 1 of 3 models falls beyond chance: " + re.escape(HOSTILE) + r" \(Average -\d", told
    )
    assert "On equal-spectrum the accuracy of none of 2 models falls beyond chance (Holm, 5 %)." in told
    for missing in (
        "lab/partial (order, mix not run on both the corpus and equal-energy, not run on equal-spectrum)",
        "lab/heard+encoder (not run on equal-energy, not run on equal-spectrum)",
        "lab/stranger (run on equal-energy alone)",
    ):
        assert missing in told
    assert "oracle" not in told


def test_numbers_of_controls_agree_in_page_markdown_and_json_and_with_the_leaderboard(made: Path) -> None:
    found = json.loads((made / "report.json").read_text(encoding="utf-8"))["controls"]
    table, tests = section(made, "controls").all("table")
    shown = lines(table)
    markdown = (made / "report.md").read_text(encoding="utf-8")
    for cells in (*shown, *lines(tests)):
        assert "| " + " | ".join(map(escape_markdown, cells)) + " |" in markdown
    board = rows_of(leaderboard_of(made))
    columns = (*TASK_NAMES, "mean")
    cell = {(name, sound, task): text for name, sound, *rest in shown for task, text in zip(columns, rest, strict=True)}
    for one in found["changes"]:
        name, control, task = one["name"], one["control"], one["task"]
        for place, sound in (("plain", "of the corpus"), ("controlled", control)):
            limits = [percent(one[place][key]) for key in ("low", "high")]
            assert cell[name, sound, task] == f"{percent(one[place]['value'])} [{limits[0]}, {limits[1]}]"
        assert cell[name, "of the corpus", task] == board[name][columns.index(task)]
        said = float(cell[name, f"{control}, difference", task].split()[0])
        assert said == pytest.approx(100 * one["test"]["difference"]["value"], abs=0.051)
        assert one["test"]["difference"]["value"] == pytest.approx(one["controlled"]["value"] - one["plain"]["value"])
    assert {one["name"] for one in found["changes"]} == {HOSTILE, "lab/plain", "lab/partial"}
    assert {one["task"] for one in found["changes"] if one["name"] == "lab/partial"} == {"overlap", "duration"}
    assert set(found["datasets"]) == {EQUAL_ENERGY, EQUAL_SPECTRUM}
    assert (made / "figures" / "controls.svg").is_file()


def test_a_model_without_a_change_has_none(made: Path) -> None:
    _, tests = section(made, "controls").all("table")
    own = [row for row in lines(tests) if row[0] == "lab/plain"]
    assert len(own) == 12
    assert {(row[3].split()[0], row[6]) for row in own} == {("0.0", "1.000")}


def test_without_controls_there_is_no_section(scored: Path, little: Path, tmp_path: Path) -> None:
    result = call(little, "--to", tmp_path / "here", "--examples", 0, "-q")
    assert result.exit_code == 0, result.output
    assert 'id="controls"' not in (tmp_path / "here" / "index.html").read_text()
    assert json.loads((tmp_path / "here" / "report.json").read_text())["controls"] is None


def test_controls_without_a_model_on_both_are_told(
    little: Path, smoke_controls: dict[str, DatasetFolder], tmp_path: Path
) -> None:
    data = open_data(smoke_controls[EQUAL_ENERGY].path)
    write_rankings(tmp_path / "other", data, "lab/two", 0.5, ("order",))
    result = call(little, "--control", tmp_path / "other", "--to", tmp_path / "here", "--examples", 0, "-q")
    assert result.exit_code == 0, result.output
    told = section(tmp_path / "here", "controls").text
    assert "On equal-energy no model can be compared." in told
    assert "lab/one (not run on equal-energy); lab/two (run on equal-energy alone)" in told


def test_corpora_that_were_moved(
    little: Path, smoke_corpus: DatasetFolder, smoke_controls: dict[str, DatasetFolder], tmp_path: Path
) -> None:
    out = tmp_path / "on-control"
    write_rankings(out, open_data(smoke_controls[EQUAL_ENERGY].path), "lab/one", 0.5, ("order",))
    about = json.loads((out / "dataset.json").read_text())
    (out / "dataset.json").write_text(json.dumps(about | {"path": str(tmp_path / "gone")}))
    args = (little, "--control", out, "--to", tmp_path / "here", "--examples", 0, "-q")
    assert "say where it lies now with --data" in call(*args).stderr
    moved = shutil.copytree(smoke_controls[EQUAL_ENERGY].path, tmp_path / "moved")
    result = call(*args, "--data", moved)
    assert result.exit_code == 0, result.output
    refused = call(*args, "--data", moved, "--data", smoke_controls[EQUAL_SPECTRUM].path)
    assert refused.exit_code == 2
    assert "none of the results are of it; leave it out" in refused.stderr


def test_what_does_not_fit_is_refused_in_one_line(
    scored: Path, on_controls: dict[str, Path], little: Path, tmp_path: Path
) -> None:
    library = fake_library(120, recordings=2, sample_rate=RATE, relations=RELATED)
    other = planned(tmp_path / "other", library, seed=5, control=EQUAL_ENERGY)
    write_rankings(tmp_path / "of-other", open_data(other.path), "lab/plain", 0.0, ("order",))
    twice = shutil.copytree(on_controls[EQUAL_ENERGY], tmp_path / "twice")
    energy = on_controls[EQUAL_ENERGY]
    for args, said in (
        ((scored, "--control", tmp_path / "of-other"), rf"of-other is of another plan than {scored} .*; build the control from"),
        ((scored, "--control", little), rf"{little} is of a corpus without a control .*--control equal-energy` made"),
        ((scored, "--control", energy, "--control", twice), rf"{energy} and {twice} are both of the control equal-energy"),
        ((energy, "--control", on_controls[EQUAL_SPECTRUM]), rf"{energy} is itself of the control equal-energy"),
        ((scored, "--control", tmp_path / "none"), "none does not exist; give the folder"),
    ):
        result = call(*args, "--to", tmp_path / "report", "-q")
        assert result.exit_code == 2, result.output
        assert re.search(said, result.stderr), result.stderr
        assert len(result.stderr.strip().splitlines()) == 1
        assert not (tmp_path / "report").exists()


def test_controls_are_read_in_the_order_given(scored: Path, on_controls: dict[str, Path]) -> None:
    results = read_results(scored)
    assert list(read_controls(results, [on_controls[EQUAL_SPECTRUM], on_controls[EQUAL_ENERGY]])) == [
        EQUAL_SPECTRUM,
        EQUAL_ENERGY,
    ]
    assert read_controls(results, []) == {}
