"""Accuracy, foil kinds, listeners and agreement of made listeners."""

from __future__ import annotations

import json
from dataclasses import replace

import krippendorff
import numpy as np
import pytest

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.logic import required_labels
from eval_harness.listening.agreement import alpha_of, coincidences
from eval_harness.listening.findings import findings
from eval_harness.listening.study import Trial, fitting
from tests.listening.made import Says, by_rule, session, study_of
from tests.scored_corpus import smoke_corpus  # noqa: F401  # fixture

FEW = {"resamples": 500}


def by_labels(folder: DatasetFolder) -> Says:
    """A listener who hears which sounds are there, and nothing of how they stand to each other."""

    def says(trial: Trial, clip: str) -> str:
        if trial.kind == "catch":
            return by_rule(folder)(trial, clip)
        wanted = set(required_labels(folder.queries[trial.query].formula))
        return "fits" if wanted <= set(folder.clips[clip].timeline.labels) else "not"

    return says


@pytest.mark.parametrize("mode", ["judge", "best"])
def test_who_follows_the_rule_is_right_everywhere(smoke_corpus: DatasetFolder, mode: str) -> None:  # noqa: F811
    study = study_of(smoke_corpus, mode=mode)
    found = findings(smoke_corpus, [session(study, by_rule(smoke_corpus), name) for name in ("Ann", "Bob")], **FEW)
    (scores,) = found.modes
    assert set(scores.tasks) == {"negation", "order", "overlap", "duration", "mix"}
    assert len(scores.forms) == len({query.form for query in smoke_corpus.queries.values()})
    shares = [*scores.tasks.values(), *scores.forms.values(), scores.mean]
    assert all(one is not None and one.interval.value == 1 for one in shares)
    assert scores.unfinished == scores.untelling == 0
    assert not found.contradictions
    assert not found.suspects
    for one in found.listeners:
        assert (one.trials, one.asked, one.failed, one.catches, one.early) == (30, 30, 0, 3, 0)
        assert one.accuracy is not None
        assert one.accuracy.interval.value == 1
    if mode == "judge":
        assert all(kind.interval.value == 1 for kinds in scores.kinds.values() for kind in kinds.values())
        assert found.agreement["all"].alpha.value == 1
        assert np.isnan(found.agreement["all"].alpha.low), "all draws are alike, so that they tell nothing of others"
        assert found.listeners[0].seconds == 5  # 5 s a clip
    else:
        assert found.agreement == {}
        assert scores.tasks["order"].chance == pytest.approx(0.25)
        assert {kinds["relevant"].interval.value for kinds in scores.kinds.values()} == {1}
        assert {one.interval.value for kinds in scores.kinds.values() for kind, one in kinds.items() if kind != "relevant"} == {0}
    json.dumps(found.to_json(), allow_nan=False)


@pytest.mark.parametrize("answer", ["fits", "not", "unsure"])
def test_one_answer_for_all_is_chance(smoke_corpus: DatasetFolder, answer: str) -> None:  # noqa: F811
    found = findings(smoke_corpus, [session(study_of(smoke_corpus), lambda trial, clip: answer)], **FEW)
    (scores,) = found.modes
    assert {one.interval.value for one in (*scores.tasks.values(), *scores.forms.values())} == {0.5}
    assert found.listeners[0].failed == found.listeners[0].catches == 3
    assert scores.unsure == (answer == "unsure")


def test_random_answers_lie_within_chance(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    study = study_of(smoke_corpus)
    values, holds = [], 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        listeners = [session(study, lambda trial, clip, rng=rng: str(rng.choice(["fits", "not"])), name) for name in "AB"]
        found = findings(smoke_corpus, listeners, **FEW)
        mean = found.modes[0].mean
        assert mean is not None
        holds += 0.5 in mean.interval
        values.append(mean.interval.value)
        assert -0.4 < found.agreement["all"].alpha.value < 0.4
    assert holds >= 36
    assert np.mean(values) == pytest.approx(0.5, abs=0.03)


def test_who_ignores_order_is_found_out_by_the_foils(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    study = study_of(smoke_corpus, clips=8)
    (scores,) = findings(smoke_corpus, [session(study, by_labels(smoke_corpus))], **FEW).modes
    order = {kind: one.interval.value for kind, one in scores.kinds["order"].items()}
    assert order == {"relevant": 1, "permuted": 0, "reversed": 0, "simultaneous": 0, "anchor-missing": 1}
    assert scores.kinds["duration"]["wrong-length"].interval.value == 0
    assert scores.kinds["duration"]["anchor-missing"].interval.value == 1
    assert 0.5 < scores.tasks["order"].interval.value < 0.8
    assert scores.kinds["order"]["reversed"].interval.high < 1


def test_an_unfinished_session_keeps_its_complete_trials(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    study = study_of(smoke_corpus)
    whole = session(study, by_rule(smoke_corpus), trials=12)
    begun = replace(whole, answers=whole.answers[:-2])
    (scores,) = findings(smoke_corpus, [begun], **FEW).modes
    assert scores.unfinished == 1
    assert sum(one.count for one in scores.tasks.values()) == 11
    assert sum(one.count for kinds in scores.kinds.values() for one in kinds.values()) == 11 * 4 + 2  # each clip that was judged
    assert findings(smoke_corpus, [begun], **FEW).listeners[0].trials == 11


def test_a_trial_whose_clips_all_fit_is_in_no_accuracy(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    study = study_of(smoke_corpus)
    first, *rest = study.trials
    relevant = tuple(sorted(smoke_corpus.queries[first.query].relevant)[:2])
    changed = study.model_copy(update={"trials": (first.model_copy(update={"clips": relevant}), *rest)})
    (scores,) = findings(smoke_corpus, [session(changed, lambda trial, clip: "fits")], **FEW).modes
    assert scores.untelling == 1
    assert sum(one.count for one in scores.tasks.values()) == 29
    assert {one.interval.value for one in scores.tasks.values()} == {0.5}


def test_practice_counts_nowhere(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    study = study_of(smoke_corpus, practice=2, queries=8)
    rule = by_rule(smoke_corpus)

    def says(trial: Trial, clip: str) -> str:
        return rule(trial, clip) if trial.kind != "practice" else "not" if rule(trial, clip) == "fits" else "fits"

    found = findings(smoke_corpus, [session(study, says)], **FEW)
    assert found.modes[0].mean is not None
    assert found.modes[0].mean.interval.value == 1
    with pytest.raises(EvaluationError, match="no answers to count"):
        findings(smoke_corpus, [session(study, says, trials=2)], **FEW)


def test_listeners_who_do_not_listen_are_flagged_and_left_out_when_asked(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    study = study_of(smoke_corpus)
    careless = session(study, lambda trial, clip: "fits", "Bob", heard_ms=2000)
    sessions = [session(study, by_rule(smoke_corpus)), careless]
    kept = findings(smoke_corpus, sessions, **FEW)
    assert [(one.name, one.failed, one.early, one.left_out) for one in kept.listeners] == [
        ("Ann", 0, 0, False),
        ("Bob", 3, 1, False),
    ]
    assert kept.modes[0].mean is not None
    assert kept.modes[0].mean.interval.value == 0.75
    without = findings(smoke_corpus, sessions, most_catch_failures=2, **FEW)
    assert without.modes[0].mean is not None
    assert without.modes[0].mean.interval.value == 1
    assert [one.left_out for one in without.listeners] == [False, True]
    assert findings(smoke_corpus, sessions, most_catch_failures=3, **FEW).modes[0].listeners == ("Ann", "Bob")
    with pytest.raises(EvaluationError, match="failed more than 0 catch trials"):
        findings(smoke_corpus, [careless], most_catch_failures=0, **FEW)


def test_both_modes_are_told_apart(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    sessions = [session(study_of(smoke_corpus, mode=mode), by_rule(smoke_corpus)) for mode in ("judge", "best")]
    found = findings(smoke_corpus, sessions, **FEW)
    assert [scores.mode for scores in found.modes] == ["judge", "best"]
    assert [(one.name, one.mode) for one in found.listeners] == [("Ann", "judge"), ("Ann", "best")]


def test_agreement_is_the_librarys_and_its_parts_add_up() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        counts = rng.integers(0, 4, (12, 2))
        counts = counts[counts.sum(axis=1) > 1]
        own = alpha_of(sum((coincidences(row) for row in counts), np.zeros((2, 2)))[None])[0]
        assert own == pytest.approx(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def test_agreement_is_told_in_words_where_it_is_not_defined(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    study = study_of(smoke_corpus)
    alone = findings(smoke_corpus, [session(study, by_rule(smoke_corpus))], **FEW).agreement["all"]
    assert (alone.pairs, alone.why_not) == (0, "no clip was judged by two listeners")
    same = [session(study, lambda trial, clip: "fits", name) for name in "AB"]
    assert "all verdicts are 'fits'" in findings(smoke_corpus, same, **FEW).agreement["all"].why_not
    against = [session(study, by_rule(smoke_corpus)), session(study, _opposite(by_rule(smoke_corpus)), "Bob")]
    found = findings(smoke_corpus, against, **FEW).agreement["all"]
    assert found.alpha.value < -0.9
    unsure = [session(study, by_rule(smoke_corpus)), session(study, lambda trial, clip: "unsure", "Bob")]
    assert findings(smoke_corpus, unsure, **FEW).agreement["all"].why_not


def test_a_listener_who_errs_now_and_then_agrees_somewhat(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    study = study_of(smoke_corpus)
    rule = by_rule(smoke_corpus)
    errs = session(study, lambda trial, clip: _other(rule(trial, clip)) if int(clip, 16) % 6 == 0 else rule(trial, clip), "Bob")
    found = findings(smoke_corpus, [session(study, rule), errs], **FEW).agreement["all"]
    assert 0.2 < found.alpha.low < found.alpha.value < found.alpha.high < 1


def test_other_datasets_and_unknown_ids_are_refused(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    study = study_of(smoke_corpus)
    one = session(study, by_rule(smoke_corpus))
    other = replace(one, study=study.model_copy(update={"content_hash": "ab" * 32}))
    with pytest.raises(EvaluationError, match=r"another dataset \(content abababababab\) than"):
        findings(smoke_corpus, [other], **FEW)
    first, *rest = study.trials
    clip = next(clip for clip in smoke_corpus.clips if clip not in smoke_corpus.queries[first.query].clips)
    for changed, what in (
        (first.model_copy(update={"query": "nothing"}), "no query 'nothing'"),
        (first.model_copy(update={"clips": (*first.clips[1:], clip)}), f"no clip '{clip}' in the set of query"),
        (study.of_kind("catch")[0].model_copy(update={"id": first.id, "sound": "no such"}), "no sound 'no such'"),
    ):
        damaged = replace(one, study=study.model_copy(update={"trials": (changed, *rest)}))
        with pytest.raises(EvaluationError, match=what):
            findings(smoke_corpus, [damaged], **FEW)


def test_every_trial_has_a_clip_that_fits_and_one_that_does_not(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    for seed in range(10):
        for trial in study_of(smoke_corpus, clips=2, seed=seed).of_kind("asked"):
            assert len(fitting(smoke_corpus, trial)) == 1


def _other(verdict: str) -> str:
    return "not" if verdict == "fits" else "fits"


def _opposite(says: Says) -> Says:
    return lambda trial, clip: _other(says(trial, clip))
