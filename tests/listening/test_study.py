"""What listeners are asked: shares, balance, a relevant clip always among those heard, catch trials that tell."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.logic import Has, Truth, evaluate
from builders.recipe import TASK_NAMES
from eval_harness.listening.study import MISSING, Study, StudySettings, balanced, fitting, make_study


def test_a_seed_fixes_the_study(mini_corpus: DatasetFolder) -> None:
    first = make_study(mini_corpus, StudySettings(seed=3))
    assert make_study(DatasetFolder.open(mini_corpus.path), StudySettings(seed=3)) == first
    other = make_study(mini_corpus, StudySettings(seed=4))
    assert other.id != first.id
    assert {one.query for one in other.of_kind("asked")} != {one.query for one in first.of_kind("asked")}
    assert Study.model_validate_json(first.model_dump_json()) == first


@pytest.mark.parametrize("seed", range(5))
def test_tasks_and_forms_have_equal_shares_and_no_set_is_asked_twice(mini_corpus: DatasetFolder, seed: int) -> None:
    study = make_study(mini_corpus, StudySettings(queries=50, seed=seed))
    asked = [mini_corpus.queries[trial.query] for trial in study.of_kind("asked")]
    assert len(asked) == 50
    assert Counter(query.task for query in asked) == dict.fromkeys(TASK_NAMES, 10)
    for task in TASK_NAMES:
        forms = {query.form for query in mini_corpus.queries.values() if query.task == task}
        counts = Counter(query.form for query in asked if query.task == task)
        assert max(counts.values()) - min(counts[form] for form in forms) <= 1
    practised = [mini_corpus.queries[trial.query] for trial in study.of_kind("practice")]
    sets = [query.set for query in (*asked, *practised)]
    assert len(sets) == len(set(sets))
    assert len(practised) == 2


def test_both_queries_of_a_set_are_asked_only_when_its_task_has_no_other_left(smoke_corpus: DatasetFolder) -> None:
    study = make_study(smoke_corpus, StudySettings(queries=20, practice=0))
    asked = [smoke_corpus.queries[trial.query] for trial in study.of_kind("asked")]
    for task in TASK_NAMES:
        sets = {query.set for query in smoke_corpus.queries.values() if query.task == task}
        counts = Counter(query.set for query in asked if query.task == task)
        assert set(counts) == sets or max(counts.values()) == 1
    whole = make_study(smoke_corpus, StudySettings(queries=2000, practice=0))
    assert {trial.query for trial in whole.of_kind("asked")} == set(smoke_corpus.queries)


@pytest.mark.parametrize("number", [2, 3, 4, 6, 7, 20])
def test_clips_are_balanced_over_arrangements_with_a_relevant_one_among_them(smoke_corpus: DatasetFolder, number: int) -> None:
    for query in smoke_corpus.queries.values():
        missing = {foil.clip for foil in query.foils if foil.kind == MISSING}
        size = Counter(MISSING if clip in missing else smoke_corpus.clips[clip].arrangement for clip in query.clips)
        for seed in range(5):
            clips = balanced(smoke_corpus, query, number, np.random.default_rng(seed))
            assert list(clips) == sorted(set(clips))
            assert len(clips) == number
            assert set(clips) & set(query.relevant)
            counts = Counter(MISSING if clip in missing else smoke_corpus.clips[clip].arrangement for clip in clips)
            fullest = max(counts.values())
            for arrangement, count in size.items():
                assert counts[arrangement] >= min(count, fullest - 1)


def test_every_foil_kind_is_heard(mini_corpus: DatasetFolder) -> None:
    study = make_study(mini_corpus, StudySettings(queries=100))
    heard = Counter()
    for trial in study.of_kind("asked"):
        query = mini_corpus.queries[trial.query]
        kinds = {foil.clip: foil.kind for foil in query.foils}
        heard.update((query.task, kinds[clip]) for clip in trial.clips if clip in kinds)
    known = {(query.task, foil.kind) for query in mini_corpus.queries.values() for foil in query.foils}
    assert set(heard) == known


def test_catch_trials_ask_for_a_sound_that_some_clips_hold_and_others_have_nothing_like(mini_corpus: DatasetFolder) -> None:
    study = make_study(mini_corpus, StudySettings(queries=50, catch_every=10))
    catches = study.of_kind("catch")
    assert len(catches) == 5
    for trial in catches:
        truths = {
            clip: evaluate(Has(trial.sound), mini_corpus.clips[clip].timeline, relations=mini_corpus.relations)
            for clip in trial.clips
        }
        assert set(truths.values()) == {Truth.TRUE, Truth.FALSE}
        assert fitting(mini_corpus, trial) == {clip for clip, truth in truths.items() if truth is Truth.TRUE}
        clause = mini_corpus.sounds[trial.sound].sound.clause
        assert trial.text.casefold() == f"{clause}.".casefold()
    assert make_study(mini_corpus, StudySettings(catch_every=0)).of_kind("catch") == ()


def test_what_fits_is_what_the_dataset_says(smoke_corpus: DatasetFolder) -> None:
    for trial in make_study(smoke_corpus, StudySettings(queries=20, clips=20)).of_kind("asked"):
        assert fitting(smoke_corpus, trial) == set(smoke_corpus.queries[trial.query].relevant)


def test_tasks_and_forms_can_be_chosen(mini_corpus: DatasetFolder) -> None:
    study = make_study(mini_corpus, StudySettings(queries=12, tasks=("order", "mix-2")))
    asked = [mini_corpus.queries[trial.query] for trial in (*study.of_kind("asked"), *study.of_kind("practice"))]
    assert {query.task for query in asked} == {"order", "mix"}
    assert {query.form for query in asked if query.task == "mix"} == {"mix-2"}


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (StudySettings(tasks=("oder",)), "--task oder: no such task or form; there are duration"),
        (StudySettings(queries=0), "--queries 0: not from 1"),
        (StudySettings(clips=1), "--clips 1: not from 2 to 20"),
        (StudySettings(clips=21), "--clips 21"),
        (StudySettings(practice=-1), "--practice -1"),
        (StudySettings(catch_every=-1), "--catch-every -1"),
        (StudySettings(seed=-1), "--seed -1"),
        (StudySettings(tasks=("overlap",), practice=1), "give --practice 0"),
    ],
)
def test_what_cannot_be_is_said(smoke_corpus: DatasetFolder, settings: StudySettings, said: str) -> None:
    with pytest.raises(EvaluationError) as error:
        make_study(smoke_corpus, settings)
    assert said in str(error.value)
