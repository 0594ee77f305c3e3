"""The statistics of the audit on made-up evidence: planted cues are found, absent ones are not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import SeedSequence
from numpy.typing import NDArray
from scipy import stats

from eval_harness.analysis import shortcuts
from eval_harness.analysis.evidence import RELEVANT, Evidence, Pairs
from eval_harness.analysis.shortcuts import (
    CLASSIFIERS,
    deal_folds,
    judge_kind,
    null_means,
    out_of_fold_scores,
    p_value,
    set_aucs,
    sets_of_kind,
)

KIND = "reversed"


def made_pairs(values: NDArray[np.float64], sets: int, clips: int = 10) -> Pairs:
    """Two twins a set, half of the clips relevant to each; `values` has the shape [sets, clips, n]."""
    number, twin, clip = (axis.ravel() for axis in np.meshgrid(range(sets), range(2), range(clips), indexing="ij"))
    kind = np.where((clip < clips // 2) == (twin == 0), RELEVANT, KIND)
    sign = np.where(twin == 0, 1.0, -1.0)[:, None]
    alone = values[number, clip]
    in_set = (values - values.mean(axis=1, keepdims=True))[number, clip]
    evidence = Evidence(
        tuple(f"number {n}" for n in range(2 * values.shape[2])),
        np.hstack([alone, sign * alone]),
        np.hstack([in_set, sign * in_set]),
    )
    forms = tuple("order-1" if n % 2 else "order-2" for n in range(sets))
    names = tuple(f"order-{n:03}" for n in range(sets))
    return Pairs("order", names, forms, number, twin, clip, kind, {"audio": evidence})


def noise(seed: int, sets: int = 30, clips: int = 10, of_set: float = 2.0) -> NDArray[np.float64]:
    """Numbers that tell nothing: they differ between sets, and within a set by which of two sounds a letter got."""
    rng = np.random.default_rng(seed)
    first = np.arange(clips) < clips // 2
    luck = rng.normal(size=(sets, 1, 3)) * np.where(first, 1, -1)[None, :, None]
    return rng.normal(size=(sets, clips, 3)) + of_set * rng.normal(size=(sets, 1, 3)) + luck


def test_a_cue_of_the_letters_is_found() -> None:
    values = noise(0)
    values[:, :5, 0] += 3.0  # whatever stands where the first twin wants it is louder
    (found,) = judge_kind(made_pairs(values, 30), KIND, ["audio"], SeedSequence(1), 10_000)
    assert found.p < 0.001
    assert max(one.auc for one in found.told) > 0.8
    assert max(one.low for one in found.told) > 0.6
    assert next(iter(found.cues)) == "number 3"  # by twin: a clip that one twin finds is the other's foil
    assert found.sets == 30
    assert found.pairs == 30 * 2 * 25


def test_nothing_is_found_where_nothing_is() -> None:
    (found,) = judge_kind(made_pairs(noise(0), 30), KIND, ["audio"], SeedSequence(1), 10_000)
    assert found.p > 0.01
    assert all(one.low < 0.53 for one in found.told)
    assert set(found.forms) == {"order-1", "order-2"}


def test_p_values_are_uniform_under_the_null(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also though the clips of a set are alike by the luck of its sounds."""
    monkeypatch.setattr(shortcuts, "CLASSIFIERS", CLASSIFIERS[:1])
    found = [
        judge_kind(made_pairs(noise(seed, sets=20), 20), KIND, ["audio"], SeedSequence(seed), 500)[0].p for seed in range(120)
    ]
    assert stats.kstest(found, "uniform").pvalue > 0.01
    assert np.mean(np.array(found) <= 0.05) <= 0.11


def test_the_better_of_two_classifiers_is_not_favoured() -> None:
    rng = np.random.default_rng(3)
    found = []
    for _ in range(300):
        aucs = 0.5 + rng.uniform(-0.5, 0.5, (2, 40))
        null = null_means(aucs, 500, rng)
        found.append(p_value(float(aucs.mean(axis=1).max()), null))
    assert stats.kstest(found, "uniform").pvalue > 0.01


def test_clip_by_clip_permutations_would_find_what_is_not_there() -> None:
    """Why whole sets are exchanged: the spread of the statistic is that of the sets, not of the clips."""
    values = noise(5, sets=100)[:, :, :1]
    pairs = made_pairs(values, 100)
    sets = sets_of_kind(pairs, KIND)
    aucs = set_aucs(sets, [pairs.evidence["audio"].alone[one.rows, 1] for one in sets])
    rng = np.random.default_rng(0)
    shuffled = set_aucs(sets, [rng.permuted(pairs.evidence["audio"].alone[one.rows, 1], axis=1) for one in sets])
    assert aucs.std() > 1.5 * shuffled.std()


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_whole_sets_are_held_out(classifier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = made_pairs(noise(2), 30)
    sets = sets_of_kind(pairs, KIND)
    folds = deal_folds(pairs, sets, np.random.default_rng(0))
    tagged = Evidence(("set",), pairs.set[:, None].astype(float), pairs.set[:, None].astype(float))
    asked_of: dict[int, set[int]] = {}

    def fit(values: NDArray[np.float64], *_: object) -> object:
        trained = set(values[:, 0].astype(int).tolist())

        def score(asked: NDArray[np.float64]) -> NDArray[np.float64]:
            for number in set(asked[:, 0].astype(int).tolist()):
                assert number not in asked_of, "a set has one score"
                asked_of[number] = trained
            return np.zeros(len(asked))

        return score

    monkeypatch.setattr(shortcuts, "_fit", fit)
    out_of_fold_scores(tagged, sets, folds, classifier, 0)
    assert asked_of.keys() == set(range(30))
    assert all(number not in trained and len(trained) == 24 for number, trained in asked_of.items())


def test_forms_are_dealt_evenly_to_the_folds() -> None:
    pairs = made_pairs(noise(2), 30)
    folds = deal_folds(pairs, sets_of_kind(pairs, KIND), np.random.default_rng(0))
    for form in ("order-1", "order-2"):
        assert np.bincount(folds[np.array(pairs.forms) == form]).tolist() == [3] * 5


def test_auc_within_a_set() -> None:
    pairs = made_pairs(np.zeros((1, 4, 1)), 1, clips=4)
    (one,) = sets_of_kind(pairs, KIND)
    scores = np.array([[3.0, 1.0, 2.0, 1.0], [0.0, 0.0, 0.0, 1.0]])
    # first query: 3 beats 2 and 1; 1 loses to 2 and ties 1. Second, clips 2 and 3 relevant: two ties, two wins.
    assert set_aucs([one], [scores]) == pytest.approx([((1 + 1 + 0 + 0.5) / 4 + (0.5 + 0.5 + 1 + 1) / 4) / 2])
    assert set_aucs([one], [np.stack([scores, -scores], axis=-1)])[0].sum() == pytest.approx(1)


def test_exchanged_labels_mirror_the_auc() -> None:
    null = null_means(np.array([[1.0, 0.5]]), 1000, np.random.default_rng(0))
    assert set(np.round(null, 6)) == {0.25, 0.75}
    assert p_value(0.75, null) == pytest.approx(0.5, abs=0.06)
    assert p_value(0.8, null) == pytest.approx(1 / 1001)
