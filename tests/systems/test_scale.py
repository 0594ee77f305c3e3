"""The scale: the oracle is perfect, chance is what probability says, and the blind systems see no more than they should."""

from __future__ import annotations

from collections import Counter
from math import comb, log2, sqrt
from statistics import fmean

import mteb
import numpy as np
import pytest

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.logic import required_labels
from builders.recipe import TASK_NAMES
from eval_harness.rankings import Rankings
from eval_harness.scores import HEADLINE, clip_ids, score_task
from eval_harness.systems.metas import metas
from eval_harness.systems.scale import SCALE, SEEDED, BagOfSounds, Oracle, Random, RelationBlind, ScaleSystem, uniform
from eval_harness.systems.seeds import over_seeds
from tests.scored_corpus import ids, mini_corpus, real_corpus, smoke_corpus

__all__ = ["mini_corpus", "real_corpus", "smoke_corpus"]


def ranked(system: ScaleSystem, folder: DatasetFolder, task: str, scope: str = "task") -> Rankings:
    queries, clips = ids(folder, task, scope)
    asked = [folder.queries[query] for query in queries]
    return Rankings(queries, clips, system.scores(asked, clips, None, folder))


# --- the hash ---------------------------------------------------------------------------------------------------------


def test_the_hash_is_uniform_and_depends_on_all_it_is_of() -> None:
    queries, clips = [f"q{n}" for n in range(200)], [f"c{n}" for n in range(500)]
    first = uniform(0, queries, clips)
    assert first.dtype == np.float32
    assert 0 <= first.min() < first.max() < 1
    counts = np.histogram(first, bins=50, range=(0, 1))[0]
    assert ((counts - first.size / 50) ** 2 / (first.size / 50)).sum() < 95  # chi-squared, 49 degrees: 1 in 10,000
    others = (uniform(1, queries, clips), np.roll(first, 1, axis=0), np.roll(first, 1, axis=1))
    assert all(abs(np.corrcoef(first.ravel(), other.ravel())[0, 1]) < 0.015 for other in others)
    np.testing.assert_array_equal(uniform(0, queries, clips), first)


def test_the_hash_is_the_same_in_any_order_of_rows() -> None:
    queries, clips = [f"q{n}" for n in range(9)], [f"c{n}" for n in range(7)]
    np.testing.assert_array_equal(uniform(5, queries[::-1], clips[::-1])[::-1, ::-1], uniform(5, queries, clips))


# --- the systems ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("corpus", ["smoke_corpus", "mini_corpus", "real_corpus"])
@pytest.mark.parametrize("scope", ["task", "all"])
def test_the_oracle_is_perfect(corpus: str, scope: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(corpus)
    for task in TASK_NAMES:
        found = score_task(ranked(Oracle(), folder, task, scope), folder, task, scope)
        for name in ("hit_rate_at_1", "ndcg_at_10", "mrr_at_10", "map", "in_set", "twins"):
            assert found.scores[name] == pytest.approx(1, abs=1e-12), (task, name)
        assert {one.share for one in found.foils.values()} == {1.0}


def chance(folder: DatasetFolder, task: str, scope: str) -> dict[str, float]:
    """What scores a uniformly random order of the clips has on average, exactly."""
    queries = [query for query in folder.queries.values() if query.task == task]
    relevant = folder.qrels(None if scope == "all" else task)
    n = len(clip_ids(folder, task, scope))
    first = {query.id: len(relevant[query.id]) / n for query in queries}
    each: dict[str, list[float]] = {name: [] for name in HEADLINE}
    for query in queries:
        r = len(relevant[query.id])
        none = [comb(n - r, k) / comb(n, k) for k in range(11)]  # no relevant clip among the first k
        for k in (1, 5, 10):
            each[f"hit_rate_at_{k}"].append(1 - none[k])
            each[f"recall_at_{k}"].append(k / n)
        ideal = sum(1 / log2(rank + 1) for rank in range(1, min(r, 10) + 1))
        each["ndcg_at_10"].append(r / n * sum(1 / log2(rank + 1) for rank in range(1, 11)) / ideal)
        each["mrr_at_10"].append(sum((none[rank - 1] - none[rank]) / rank for rank in range(1, 11)))
        # A relevant clip at rank k (1/n) adds its precision: itself, and the others in the k - 1 places before it.
        parts = [(1 + (k - 1) * (r - 1) / (n - 1)) / k / n for k in range(1, n + 1)]
        each["map"].append(sum(parts))
        each["map_at_1000"].append(sum(parts[:1000]))
        each["in_set"].append(len(query.relevant) / 20)
        each["twins"].append(first[query.id] * first[query.twin])
    return {name: fmean(values) for name, values in each.items()}


@pytest.mark.parametrize(("task", "scope"), [("negation", "task"), ("order", "task"), ("mix", "task"), ("duration", "all")])
def test_random_is_chance(mini_corpus: DatasetFolder, task: str, scope: str) -> None:
    found = over_seeds(Random, mini_corpus, task, scope, seeds=100)
    expected = chance(mini_corpus, task, scope)
    assert expected.keys() == set(HEADLINE)
    kinds = {name: 0.5 for name in found if name.startswith("foil:")}
    assert len(kinds) >= 2
    for name, value in {**expected, **kinds}.items():
        spread = found[name]
        # Twins are so rare that their deviation over the seeds may be 0: that of a share of 30 sets, then.
        deviation = sqrt(value * (1 - value) / 30) if name == "twins" else spread.deviation
        assert abs(spread.mean - value) < 3.5 * deviation / sqrt(spread.seeds), (name, spread, value)
        if name in ("in_set", "ndcg_at_10", *kinds):
            assert spread.low < value < spread.high


def test_the_bag_of_sounds_never_gets_negation(mini_corpus: DatasetFolder, smoke_corpus: DatasetFolder) -> None:
    for folder in (mini_corpus, smoke_corpus):
        found = over_seeds(BagOfSounds, folder, "negation", seeds=20)
        assert (found["hit_rate_at_1"].mean, found["in_set"].mean) == (0, 0)
        assert found["foil:forbidden-present"].mean == 0


def test_the_bag_of_sounds_counts_kinds_of_a_sound_as_the_sound(smoke_corpus: DatasetFolder) -> None:
    ancestors = smoke_corpus.relations.ancestors
    seen = set()
    for task in TASK_NAMES:
        queries, clips = ids(smoke_corpus, task, "all")
        asked = [smoke_corpus.queries[query] for query in queries]
        known = BagOfSounds().known(asked, clips, smoke_corpus)
        for query, row in zip(asked, known, strict=True):
            text = str(query.formula)
            for clip, score in zip(clips, row, strict=True):
                labels = smoke_corpus.clips[clip].timeline.labels
                answered = {above for label in labels for above in (label, *ancestors.get(label, ()))}
                assert score == sum(f"'{label}'" in text for label in answered)
                seen.add(any(f"'{above}'" in text for label in labels for above in ancestors.get(label, ())))
    assert seen == {True, False}


def test_no_arrangement_is_commoner_than_another_among_clips_with_all_required_sounds(mini_corpus: DatasetFolder) -> None:
    for query in mini_corpus.queries.values():
        required = set(required_labels(query.formula))
        clips = [mini_corpus.clips[clip] for clip in query.clips]
        counts = Counter(clip.arrangement for clip in clips if required <= set(clip.timeline.labels))
        assert len(counts) > 1, query.id
        assert len(set(counts.values())) == 1, (query.id, counts)


@pytest.mark.parametrize("task", ["order", "overlap", "duration"])
@pytest.mark.parametrize("scope", ["task", "all"])
def test_a_sets_statistics_give_little_away(mini_corpus: DatasetFolder, task: str, scope: str) -> None:
    blind = over_seeds(RelationBlind, mini_corpus, task, scope, seeds=100)["hit_rate_at_1"].mean
    bag = over_seeds(BagOfSounds, mini_corpus, task, scope, seeds=100)["hit_rate_at_1"].mean
    assert 0.1 < bag < 0.4
    assert blind - bag <= 0.1


def test_relation_blind_takes_the_rarest_arrangement(mini_corpus: DatasetFolder) -> None:
    """Thinned out, an arrangement is found at once: the system sees what it is there to see."""
    queries, clips = ids(mini_corpus, "order")
    asked = [query for query in map(mini_corpus.queries.get, queries) if query and query.form == "order-1"]
    for query in asked[:10]:
        kept = [clip for clip in clips if clip not in query.relevant[:-1]]
        known = RelationBlind().known([query], kept, mini_corpus)[0]
        assert [kept[n] for n in np.flatnonzero(known == known.max())] == [query.relevant[-1]]


def test_relation_blind_is_blind_to_what_is_asked(mini_corpus: DatasetFolder) -> None:
    """The twins of Order require the same sounds, and so get the same scores."""
    _, clips = ids(mini_corpus, "order")
    query = next(query for query in mini_corpus.queries.values() if query.form == "order-1")
    both = RelationBlind().known([query, mini_corpus.queries[query.twin]], clips, mini_corpus)
    np.testing.assert_array_equal(*both)


@pytest.mark.parametrize("system", SEEDED)
def test_many_seeds_give_the_scores_of_each(system: type[ScaleSystem], mini_corpus: DatasetFolder) -> None:
    for task, scope in (("mix", "task"), ("order", "all")):
        spreads = over_seeds(system, mini_corpus, task, scope, seeds=2)
        single = [score_task(ranked(system(seed), mini_corpus, task, scope), mini_corpus, task, scope) for seed in (0, 1)]
        for name in HEADLINE:
            assert spreads[name].mean == pytest.approx(fmean(one.scores[name] for one in single), abs=1e-12), name
        for kind in single[0].foils:
            assert spreads[f"foil:{kind}"].mean == pytest.approx(fmean(one.foils[kind].share for one in single))


def test_ties_at_the_tenth_place_are_broken_as_in_every_ranking(mini_corpus: DatasetFolder) -> None:
    """The oracle gives nothing but ties."""
    found = over_seeds(Oracle, mini_corpus, "negation", seeds=1)
    whole = score_task(ranked(Oracle(), mini_corpus, "negation"), mini_corpus, "negation").scores
    assert {name: found[name].mean for name in HEADLINE} == pytest.approx(dict(whole))


def test_what_cannot_be_asked_is_refused(mini_corpus: DatasetFolder) -> None:
    with pytest.raises(EvaluationError, match="seeds must be 1 or more, not 0"):
        over_seeds(Random, mini_corpus, "order", seeds=0)
    with pytest.raises(EvaluationError, match="no scope 'both'; it is task or all"):
        over_seeds(Random, mini_corpus, "order", "both", seeds=1)


# --- in mteb ----------------------------------------------------------------------------------------------------------


def test_mteb_finds_them_by_name() -> None:
    assert [meta.name for meta in metas()] == [system.name for system in SCALE]
    model = mteb.get_model("reasonaudio/random", seed=3)
    assert (type(model), model.seed) == (Random, 3)
    assert model.mteb_model_meta.experiment_kwargs == {"seed": 3}
    for system in SCALE:
        found = mteb.get_model(system.name, device="cpu")
        assert type(found) is system
        assert (found.mteb_model_meta.name, found.mteb_model_meta.revision) == (system.name, "1")
