"""Foils: systems whose faults are known, on a planned corpus; and the test against chance on made numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder
from builders.recipe import TASK_NAMES
from eval_harness.analysis.foils import (
    BETTER,
    NOTHING,
    OUTSIDE,
    RELEVANT,
    UNTOLD,
    WORSE,
    answers,
    confusions,
    foil_shares,
    most_missed,
    sign_flips,
)
from eval_harness.rankings import Rankings
from eval_harness.scores import score_task
from eval_harness.systems.scale import BagOfSounds, Oracle, uniform
from tests.analysis.made_scores import made
from tests.corpus_fixture import RATE
from tests.fake_library import fake_library
from tests.scored_corpus import ids, planned

Scorer = Callable[[list[Query], tuple[str, ...]], np.ndarray]


def ranked(corpus: DatasetFolder, task: str, scorer: Scorer) -> Rankings:
    queries, clips = ids(corpus, task)
    return Rankings(queries, clips, np.asarray(scorer([corpus.queries[query] for query in queries], clips), np.float32))


def bag(corpus: DatasetFolder, seed: int = 0) -> Scorer:
    return lambda queries, clips: BagOfSounds(seed).scores(queries, clips, None, corpus)


def oracle(corpus: DatasetFolder) -> Scorer:
    return lambda queries, clips: Oracle(0).scores(queries, clips, None, corpus)


def orderless(corpus: DatasetFolder, seed: int, noise: float) -> Scorer:
    """Hears which sounds are in a clip, and not their order: one number for a set's clip whichever twin asks, and noise."""

    def scores(queries: list[Query], clips: tuple[str, ...]) -> np.ndarray:
        known = BagOfSounds(0).known(queries, clips, corpus)
        both = uniform(seed, [query.set for query in queries], clips)
        return known + 0.4 * both + noise * uniform(seed + 1, [query.id for query in queries], clips)

    return scores


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> DatasetFolder:
    """40 queries, 20 sets and 400 clips a task."""
    library = fake_library(120, recordings=2, sample_rate=RATE)
    return planned(tmp_path_factory.mktemp("foils") / "forty", library, queries_per_task=40)


@pytest.fixture(scope="module")
def bags(corpus: DatasetFolder) -> dict[str, Rankings]:
    return {task: ranked(corpus, task, bag(corpus)) for task in TASK_NAMES}


@pytest.mark.parametrize("noise", [0.0, 0.4])
def test_a_model_that_ignores_order_is_not_told_from_chance_on_reversed_foils(corpus: DatasetFolder, noise: float) -> None:
    inside = verdicts = 0
    for seed in range(20):
        rankings = ranked(corpus, "order", orderless(corpus, 2 * seed, noise))
        found = {one.kind: one for one in foil_shares([score_task(rankings, corpus, "order")], resamples=1000, seed=seed)}
        inside += 0.5 in found["reversed"].interval
        verdicts += found["reversed"].verdict == UNTOLD
        assert found["anchor-missing"].verdict == BETTER
        if not noise:  # what is right for a query is wrong for its twin, in every set
            assert found["reversed"].share == 0.5
            assert found["reversed"].p == 1
            assert found["reversed"].interval.low < 0.5 < found["reversed"].interval.high
    assert inside >= 17
    assert verdicts >= 18


def test_bag_of_sounds_is_worse_than_chance_where_a_forbidden_sound_is_there(
    corpus: DatasetFolder, bags: dict[str, Rankings]
) -> None:
    found = {(one.task, one.kind): one for one in foil_shares(score_task(bags[t], corpus, t) for t in TASK_NAMES)}
    worst = found["negation", "forbidden-present"]
    assert worst.verdict == WORSE
    assert worst.interval.high < 0.5
    assert worst.p_holm < 0.01
    assert worst.sets == 20
    assert found["mix", "lacks-broken"].verdict == WORSE
    assert found["order", "anchor-missing"].verdict == BETTER
    for task, kind in (("order", "reversed"), ("order", "permuted"), ("duration", "wrong-length")):
        assert found[task, kind].verdict == UNTOLD


def test_the_oracle_is_better_than_chance_on_every_kind(corpus: DatasetFolder) -> None:
    scores = [score_task(ranked(corpus, task, oracle(corpus)), corpus, task) for task in TASK_NAMES]
    for one in foil_shares(scores):
        assert (one.share, one.interval.high, one.verdict) == (1.0, 1.0, BETTER)
        assert one.interval.low < 1
        assert one.pairs == one.right
    by_form = foil_shares(scores, by_form=True)
    assert {one.form for one in by_form} == {query.form for query in corpus.queries.values()}
    assert sum(one.pairs for one in by_form) == sum(one.pairs for one in foil_shares(scores))


def test_chance_alone_is_told_from_chance_at_5_percent() -> None:
    rng = np.random.default_rng(1)
    pairs = np.full((40, 2), 12)
    right = rng.binomial(12, rng.beta(4, 4, (400, 40, 1)), (400, 40, 2))
    tests = [foil_shares([made("order", np.zeros((40, 2)), {"reversed": (one, pairs)})], resamples=400)[0] for one in right]
    assert 8 <= sum(one.p < 0.05 for one in tests) <= 32
    assert np.mean([0.5 in one.interval for one in tests]) == pytest.approx(0.95, abs=0.03)
    many = {f"kind-{n}": (one, pairs) for n, one in enumerate(right[:10])}
    assert [one.verdict for one in foil_shares([made("order", np.zeros((40, 2)), many)])] == [UNTOLD] * 10


def test_sign_flips_are_scipys_permutations() -> None:
    values = np.random.default_rng(2).normal(0.25, 1, 60)
    theirs = stats.permutation_test((values,), np.sum, permutation_type="samples", n_resamples=20_000, rng=1).pvalue
    assert sign_flips(values[:, None], 20_000)[0] == pytest.approx(theirs, abs=0.01)
    assert sign_flips(np.zeros((5, 1)))[0] == 1
    assert sign_flips(np.ones((40, 1)), 999)[0] == 1 / 1000  # never 0


def test_what_stands_first(corpus: DatasetFolder, bags: dict[str, Rankings]) -> None:
    for task in TASK_NAMES:
        found = answers(bags[task], corpus, task)
        relevant = corpus.qrels(task)
        order = bags[task].order()
        for row, query in enumerate(bags[task].queries):
            best = [bags[task].clips[column] for column in order[row]]
            assert found[query].clip == best[0]
            assert found[query].rank == 1 + next(n for n, clip in enumerate(best) if clip in relevant[query])
            kinds = {foil.clip: foil.kind for foil in corpus.queries[query].foils}
            assert found[query].kind == (RELEVANT if best[0] in relevant[query] else kinds.get(best[0], OUTSIDE))
    negation = confusions(answers(bags["negation"], corpus, "negation"), corpus)
    assert [one.form for one in negation] == [None, "negation-1", "negation-2"]
    assert negation[0].counts == {RELEVANT: 0, "forbidden-present": 40, "anchor-missing": 0, OUTSIDE: 0}
    assert sum(negation[0].at_random.values()) == pytest.approx(1)
    assert negation[1].at_random[RELEVANT] == pytest.approx(8 / 20)


def test_ties_unranked_queries_and_clips_outside(corpus: DatasetFolder) -> None:
    queries, clips = ids(corpus, "order")
    tied = answers(Rankings(queries, clips, np.zeros((len(queries), len(clips)), np.float32)), corpus, "order")
    assert {one.clip for one in tied.values()} == {max(clips)}
    query = corpus.queries[queries[0]]
    other = next(clip for clip in clips if corpus.clips[clip].set != query.set)
    assert other not in corpus.qrels("order")[query.id]
    found = answers(Rankings.of({query.id: {other: 2.0, query.relevant[0]: 1.0}}), corpus, "order")
    assert (found[query.id].kind, found[query.id].rank) == (OUTSIDE, 2)
    assert (found[query.twin].kind, found[query.twin].clip, found[query.twin].reciprocal_rank) == (NOTHING, "", 0)
    table = confusions(found, corpus)[0]
    assert table.counts[OUTSIDE] == 1
    assert table.counts[NOTHING] == 39


def test_the_queries_most_often_missed(corpus: DatasetFolder, bags: dict[str, Rankings]) -> None:
    right = answers(ranked(corpus, "order", oracle(corpus)), corpus, "order")
    guesses = answers(bags["order"], corpus, "order")
    found = most_missed({"oracle": right, "bag": guesses}, corpus)
    assert len(found) == 40
    assert [one.missed for one in found] == sorted((one.missed for one in found), reverse=True)
    assert sum(one.missed for one in found) == sum(one.kind != RELEVANT for one in guesses.values())
    first = most_missed({"oracle": right, "bag": guesses}, corpus, 1)[0]
    assert first == found[0]
    assert first.twin == corpus.queries[first.query.twin].text
    assert first.mean_reciprocal_rank == pytest.approx((1 + guesses[first.query.id].reciprocal_rank) / 2)
    shown = first.answers[1]
    assert shown.caption == corpus.caption(shown.answer.clip)
    assert shown.timeline == corpus.clips[shown.answer.clip].timeline
    assert most_missed({}, corpus) == ()
