"""The section of people: everybody on the same queries and clips."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import eval_harness
from builders.dataset_folder import DatasetFolder
from builders.recipe import TASK_NAMES
from eval_harness.analysis.results import read_results
from eval_harness.report.gather import gather
from eval_harness.report.making import make_report
from eval_harness.report.people import gather_people, on_heard, people_sections
from eval_harness.ui import Screen
from tests.listening.made import by_rule, download, session, study_of
from tests.report.conftest import HOSTILE, SETTINGS
from tests.scored_corpus import smoke_corpus  # noqa: F401  # fixture


@pytest.fixture(scope="module")
def heard(scored: Path, smoke_corpus: DatasetFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """The folder of results with a listener in it who follows the rule."""
    place = tmp_path_factory.mktemp("people")
    shutil.copytree(scored, place / "results")
    file = download(session(study_of(smoke_corpus), by_rule(smoke_corpus)), place / "answers.json")
    eval_harness.run(f"human:{file}", data=smoke_corpus.path, out=place / "results")
    return place / "results"


@pytest.fixture(scope="module")
def told(heard: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("people") / "report"
    make_report(read_results(heard), to, SETTINGS, Screen(quiet=True).progress)
    return to


def test_everybody_is_held_to_what_people_heard(heard: Path) -> None:
    results = read_results(heard)
    findings = gather(results, 200)
    (found,) = gather_people(findings, 200)
    assert (found.listeners, found.modes, found.clips) == (1, ("judge",), (4, 4))
    assert sum(found.queries.values()) == 30
    assert {one.value for one in found.people.tasks.values()} == {1}
    assert all(0.25 <= chance < 0.5 for chance in found.chance.values())
    others = {one.name: one for one in found.others}
    assert {one.value for one in others["reasonaudio/oracle"].tasks.values()} == {1}
    assert others["reasonaudio/oracle"].is_scale
    assert set(others["lab/partial"].tasks) == set(TASK_NAMES[1:4])
    assert others["lab/partial"].mean is None
    # Inside what was heard there are fewer to confuse: who is lost on the task gets at least something here.
    assert others["reasonaudio/random"].mean is not None
    assert others["reasonaudio/random"].mean.value > 0
    kinds = found.people.foils["order"]
    assert {"permuted", "reversed", "anchor-missing"} <= set(kinds)
    assert {one.value for one in kinds.values() if not np.isnan(one.value)} == {1}


def test_a_models_scores_are_its_own_where_heard_and_nothing_elsewhere(heard: Path) -> None:
    results = read_results(heard)
    (people,) = results.people
    model = next(one for one in results.of_scope("task") if one.model == HOSTILE)
    ours, theirs = people.rankings("mix"), model.rankings("mix")
    found = on_heard(theirs, ours)
    assert np.array_equal(np.isfinite(found.scores), np.isfinite(ours.scores))
    for row, query in enumerate(found.queries):
        for column in np.flatnonzero(np.isfinite(found.scores[row])):
            clip = found.clips[int(column)]
            assert found.scores[row, column] == theirs.scores[theirs.queries.index(query), theirs.clips.index(clip)]


def test_the_section_is_in_pages_markdown_and_json(told: Path) -> None:
    page, text = (told / "index.html").read_text(), (told / "report.md").read_text()
    assert '<h2 id="people">People</h2>' in page
    assert "1 person judged each clip by itself" in page
    assert "for 30 queries, with 4 clips each" in page
    assert HOSTILE not in page
    assert "## People" in text
    assert "Accuracy among the clips heard" in text
    values = json.loads((told / "report.json").read_text())
    (one,) = values["people"]
    assert one["people"]["mean"]["value"] == 1
    assert {other["name"] for other in one["others"]} >= {HOSTILE, "reasonaudio/oracle"}
    assert all("human" not in model["model"] for model in values["models"])
    assert "human" not in (told / "leaderboard.csv").read_text()


def test_without_people_there_is_no_section(made: Path) -> None:
    assert people_sections(()) == ()
    assert 'id="people"' not in (made / "index.html").read_text()
    assert json.loads((made / "report.json").read_text())["people"] == []


def test_two_studies_are_two_tables(heard: Path, smoke_corpus: DatasetFolder, tmp_path: Path) -> None:  # noqa: F811
    out = tmp_path / "results"
    shutil.copytree(heard, out)
    study = study_of(smoke_corpus, tasks=("order",), mode="best", clips=6)
    file = download(session(study, by_rule(smoke_corpus), "Bob"), tmp_path / "more.json")
    eval_harness.run(f"human:{file}", data=smoke_corpus.path, out=out)
    found = gather_people(gather(read_results(out), 200), 200)
    assert sorted(tuple(one.queries) for one in found) == sorted([TASK_NAMES, ("order",)])
    (section,) = people_sections(found)
    ids = [table.id for part in section.parts for table in part.tables]
    assert len(ids) == len(set(ids))
    assert any("chose the best of the clips" in text for part in section.parts for text in part.texts)
