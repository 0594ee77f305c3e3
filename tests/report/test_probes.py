"""Probes in text in a report: every style of every model, beside the same model on clips; the numbers are those of the scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from builders.recipe import TASK_NAMES
from builders.styles import STYLES
from eval_harness.analysis.results import read_results
from eval_harness.report.values import escape_markdown, percent
from tests.report.conftest import HOSTILE
from tests.report.test_controls import lines, section
from tests.report.test_pages import leaderboard_of, rows_of


def test_every_probe_is_shown_with_its_scores(made: Path, scored: Path) -> None:
    in_set, by_task = section(made, "probes").all("table")
    assert [one.attributes["id"] for one in (in_set, by_task)] == ["probes-in-set", "probes-task"]
    probes = {(one.name, one.style): one for one in read_results(scored).probes}
    assert len(probes) == 5
    markdown = (made / "report.md").read_text(encoding="utf-8")
    for table, score in ((in_set, "in_set"), (by_task, "hit_rate_at_1")):
        shown = {(name, searched): rest for name, searched, *rest in lines(table)}
        for (name, searched), cells in shown.items():
            row = [name, searched, *cells]
            assert "| " + " | ".join(map(escape_markdown, row)) + " |" in markdown
        wanted = {key for key, one in probes.items() if table is in_set or one.scope == "task"}
        assert {key for key in shown if key[1] in STYLES} == wanted
        for key in wanted:
            for task, cell in zip((*TASK_NAMES,), shown[key], strict=False):
                tasks = probes[key].tasks
                assert cell.split()[0] == (percent(probes[key].scores(task).scores[score]) if task in tasks else "–")
            mean = probes[key].mean
            assert shown[key][-1].split()[0] == ("–" if mean is None else percent(mean[score]))


def test_a_model_stands_beside_itself_and_pipelines_that_end_in_it_on_clips(made: Path) -> None:
    _, table = section(made, "probes").all("table")
    shown = [row[:2] for row in lines(table)]
    at = shown.index(["hub/encoder", "events"])
    assert shown[at + 1] == ["lab/heard+encoder", "clips"]
    assert shown[:4] == [*([HOSTILE, style] for style in STYLES), [HOSTILE, "clips"]]
    assert ["lab/plain", "clips"] not in shown
    board = rows_of(leaderboard_of(made))
    assert lines(table)[3][2:] == board[HOSTILE]


def test_a_judge_is_compared_inside_the_set_alone(made: Path) -> None:
    in_set, by_task = section(made, "probes").all("table")
    assert ["lab/judge", "story"] in [row[:2] for row in lines(in_set)]
    assert ["lab/judge", "story"] not in [row[:2] for row in lines(by_task)]
    assert lines(in_set)[-1][0] == "a random order, exactly"
    assert all(0.15 < float(cell) / 100 < 0.35 for cell in lines(in_set)[-1][2:])


def test_values_of_probes_are_kept_unrounded(made: Path, scored: Path) -> None:
    found = json.loads((made / "report.json").read_text(encoding="utf-8"))["probes"]
    probes = {(one.name, one.style, one.scope): one for one in read_results(scored).probes}
    assert {(one["name"], one["style"], one["scope"]) for one in found} == set(probes)
    for one in found:
        own = probes[one["name"], one["style"], one["scope"]]
        assert set(one["tasks"]) == set(own.tasks)
        for task, values in one["tasks"].items():
            assert values["scores"]["in_set"]["value"] == pytest.approx(own.scores(task).scores["in_set"])


def test_probes_are_no_models_of_the_leaderboard(made: Path) -> None:
    found = json.loads((made / "report.json").read_text(encoding="utf-8"))
    assert "lab/judge" not in {one["name"] for one in found["models"]}
    assert "lab/judge" not in (made / "leaderboard.csv").read_text(encoding="utf-8")
