"""People as a system: rankings of what they heard, beside models and never in their place."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import eval_harness
from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.analysis.results import read_results
from eval_harness.data import open_data
from eval_harness.listening.human import people, revision_of
from eval_harness.listening.study import Trial
from eval_harness.loading import LISTENED
from eval_harness.rankings import Rankings
from eval_harness.scores import score_task
from tests.cli_fixture import run
from tests.listening.made import by_rule, download, session, study_of
from tests.scored_corpus import smoke_corpus  # noqa: F401  # fixture


@pytest.fixture(scope="module")
def answers(smoke_corpus: DatasetFolder, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:  # noqa: F811
    """Two listeners who follow the rule, one of whom stopped after 12 trials."""
    place = tmp_path_factory.mktemp("answers")
    study = study_of(smoke_corpus)
    whole = session(study, by_rule(smoke_corpus))
    begun = session(study, by_rule(smoke_corpus), "Bob", trials=12)
    return [download(one, place / f"{one.listener}.json") for one in (whole, replace(begun, answers=begun.answers[:-1]))]


@pytest.fixture(scope="module")
def results(smoke_corpus: DatasetFolder, answers: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """People and two systems of the scale."""
    out = tmp_path_factory.mktemp("human") / "results"
    for name in ("human:" + ",".join(map(str, answers)), "reasonaudio/random", "reasonaudio/bag-of-sounds"):
        eval_harness.run(name, data=smoke_corpus.path, out=out)
    return out


def test_scores_of_pairs_are_means_over_listeners(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    study = study_of(smoke_corpus, queries=5)
    rule = by_rule(smoke_corpus)
    unsure = session(study, lambda trial, clip: "unsure", "Bob")
    best = session(study_of(smoke_corpus, queries=5, mode="best"), rule, "Cy")
    found = people(smoke_corpus, [session(study, rule), unsure, best])
    assert (found.listeners, found.modes, found.trials) == (3, ("best", "judge"), 15)
    for rankings in found.rankings.values():
        for query, row in zip(rankings.queries, rankings.scores, strict=True):
            trial = next(trial for trial in study.trials if trial.query == query)
            for clip, score in zip(rankings.clips, row, strict=True):
                fits = clip in smoke_corpus.queries[query].relevant
                assert np.isfinite(score) == (clip in trial.clips)
                if clip in trial.clips:
                    first = [one for one in trial.clips if one in smoke_corpus.queries[query].relevant][0]  # noqa: RUF015
                    assert score == pytest.approx((fits + 0.5 + (clip == first)) / 3)


def test_the_revision_is_of_the_answers_alone(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    one, two = (session(study_of(smoke_corpus), by_rule(smoke_corpus), name) for name in "AB")
    assert revision_of([one, two]) == revision_of([two, one]) != revision_of([one])
    assert revision_of([one]) != revision_of([replace(one, answers=one.answers[1:])])
    assert revision_of([one]) == revision_of([replace(one, source=Path("elsewhere"))])
    assert len(revision_of([one])) == 16


def test_people_who_follow_the_rule_get_all(results: Path, smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    (human,) = read_results(results).people
    assert (human.model, human.scope, human.is_scale) == ("reasonaudio/human", LISTENED, False)
    assert human.complete
    study = study_of(smoke_corpus)
    for task in TASK_NAMES:
        scores = human.scores(task)
        asked = {trial.query for trial in study.of_kind("asked") if smoke_corpus.queries[trial.query].task == task}
        assert set(scores.per_query["query"].to_pylist()) == asked
        assert scores.main_score == 1
        assert scores.clips == 4
        assert not {"twins", "in_set"} & scores.scores.keys()
        assert all(one.share == 1 for one in scores.foils.values() if one.pairs)
        told = json.loads(
            (results / "scores" / human.tasks[task].relative_to(results / "rankings")).with_suffix(".json").read_text()
        )
        assert (told["listeners"], told["scope"]) == (2, LISTENED)
        for query, row in zip(human.rankings(task).queries, human.rankings(task).scores, strict=True):
            heard = set(np.array(human.rankings(task).clips)[np.isfinite(row)])
            assert heard <= set(smoke_corpus.queries[query].clips)
            assert len(heard) == 4


def test_mtebs_results_and_the_models_do_not_see_people(results: Path, tmp_path: Path) -> None:
    assert not list((results / "results").glob("*human*"))
    found = read_results(results)
    assert {one.model for one in found.models} == {"reasonaudio/random", "reasonaudio/bag-of-sounds"}
    done = run("compare", results, "-q", "--json", tmp_path / "compared.json")
    assert done.exit_code == 0
    assert "human" not in done.output + (tmp_path / "compared.json").read_text()
    done = run("submit", tmp_path / "submission", results, "--dry-run")
    assert "human" not in done.output
    assert done.exit_code in (0, 1)


def test_the_table_of_a_run_and_a_score(smoke_corpus: DatasetFolder, answers: list[Path], tmp_path: Path) -> None:  # noqa: F811
    done = run(
        "run", "-m", f"human:{answers[0]},{answers[1]}", "-t", "order", "--data", smoke_corpus.path, "--out", tmp_path / "r"
    )
    assert done.exit_code == 0, done.output
    assert "reasonaudio/human" in done.output
    assert "scope listened" in done.output
    assert "2 listeners" in done.output
    (file,) = (tmp_path / "r" / "rankings").rglob("*.parquet")
    assert file.name == "ReasonAudio-Order-Listened.parquet"
    scored = run("score", file, "--data", smoke_corpus.path)
    assert scored.exit_code == 0
    assert "scope listened" in scored.output
    for scope in ("task", "all", "set"):
        refused = run("score", file, "--data", smoke_corpus.path, "--scope", scope, "--allow-missing")
        assert refused.exit_code == 2
        assert "of the clips that they heard" in refused.output
    alone = run("compare", tmp_path / "r")
    assert alone.exit_code == 2
    assert "holds no rankings of clips by models" in alone.output


@pytest.mark.parametrize(
    ("name", "more", "said"),
    [
        ("human:", (), "name a file of answers"),
        ("human", (), "-m human:FILE"),
        ("reasonaudio/human", (), "-m human:FILE"),
        ("human:{tmp}/nothing.json", (), "nothing.json: no such file"),
        ("human:{tmp}", (), "is a directory"),
        ("human:{tmp}/text.json", (), "is no file of answers"),
        ("human:{answers}", ("--scope", "task"), "not scope 'task'"),
        ("human:{answers}", ("--scope", "all"), "not scope 'all'"),
        ("human:{answers}", ("-t", "ReasonAudioText"), "not probes in text"),
        ("human:{order}", ("-t", "mix"), "nobody was asked queries of mix"),
        ("human:{practice}", (), "no query is answered completely"),
        ("reasonaudio/random", ("--scope", "listened"), "scope 'listened' is of people"),
    ],
)
def test_what_cannot_be_is_one_line(
    name: str,
    more: tuple[str, ...],
    said: str,
    smoke_corpus: DatasetFolder,  # noqa: F811
    answers: list[Path],
    tmp_path: Path,
) -> None:
    (tmp_path / "text.json").write_text("[1, 2")
    order = session(study_of(smoke_corpus, tasks=("order",)), by_rule(smoke_corpus))
    practice = session(study_of(smoke_corpus, practice=2), by_rule(smoke_corpus), trials=2)
    files = {
        "tmp": tmp_path,
        "answers": answers[0],
        "order": download(order, tmp_path / "order.json"),
        "practice": download(practice, tmp_path / "practice.json"),
    }
    done = run("run", "-m", name.format(**files), *more, "--data", smoke_corpus.path, "--out", tmp_path / "r")
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.rstrip().count("\n") == 0
    assert not (tmp_path / "r" / "rankings").exists()


def test_another_datasets_answers_are_refused(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:  # noqa: F811
    one = session(study_of(smoke_corpus), by_rule(smoke_corpus))
    other = replace(one, study=one.study.model_copy(update={"content_hash": "0" * 64}))
    with pytest.raises(EvaluationError, match="answers on another dataset"):
        eval_harness.run(f"human:{download(other, tmp_path / 'a.json')}", data=smoke_corpus.path, out=tmp_path / "r")


def test_foils_count_where_both_clips_were_heard(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    def says(trial: Trial, clip: str) -> str:
        return "not" if clip in smoke_corpus.queries[trial.query].relevant else "fits"

    study = study_of(smoke_corpus, catch_every=0)
    found = people(smoke_corpus, [session(study, says)])
    data = open_data(smoke_corpus.path)
    for task, rankings in found.rankings.items():
        scores = data.score(rankings, task, LISTENED)
        assert scores.main_score == 0
        trials = [trial for trial in study.trials if smoke_corpus.queries[trial.query].task == task]
        relevant = [len(set(trial.clips) & set(smoke_corpus.queries[trial.query].relevant)) for trial in trials]
        pairs = sum(number * (len(trial.clips) - number) for number, trial in zip(relevant, trials, strict=True))
        assert sum(one.pairs for one in scores.foils.values()) == pairs
        assert sum(one.right for one in scores.foils.values()) == 0


def test_a_models_rankings_are_not_taken_for_peoples(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    query = next(iter(smoke_corpus.queries.values()))
    rankings = Rankings((query.id,), query.clips, np.zeros((1, len(query.clips)), np.float32))
    with pytest.raises(EvaluationError, match="scope 'listened' was asked for"):
        score_task(rankings, smoke_corpus, query.task, LISTENED)
