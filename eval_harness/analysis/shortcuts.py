"""Can a foil be told from a relevant clip without the relation? Classifiers, their AUC within sets, and what chance gives.

The statistic of a foil kind is the mean, over sets, of the AUC within the set: the share of (relevant clip, foil of the kind)
pairs of a query in which the relevant one has the higher score (half where equal), averaged over the set's queries. Scores are
out of fold: a classifier is asked only about sets of which it has seen nothing.

The null distribution comes from permuting labels within sets over the fixed scores: in each draw, each set keeps its labels or
has relevant and foil exchanged. Whole sets, and not clip by clip: the clips of a set share their recordings, so where A is louder
than B, all clips with the one arrangement differ from all with the other, and the AUC of a set is near 0 or 1, by the luck of
which letter got which sound. Permuted clip by clip, labels would give a null that is too narrow, and find shortcuts where there
are none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from eval_harness.analysis.evidence import RELEVANT, Evidence, Pairs
from eval_harness.analysis.intervals import bootstrap_values

Floats = NDArray[np.float64]

FOLDS = 5
CLASSIFIERS = ("logistic regression", "gradient boosting")
_NONE = -1
_BINS = 32


@dataclass(frozen=True, eq=False)
class SetLabels:
    """One set as a foil kind sees it, over the clips that are relevant or such a foil for at least one of its queries.

    Attributes:
        number: of the set in its task.
        rows: number of each (query, clip) pair among the task's; shape [queries, clips].
        labels: 1 relevant, 0 such a foil, -1 neither; shape [queries, clips]. Only queries with both are there.
    """

    number: int
    rows: NDArray[np.int64]
    labels: NDArray[np.int8]


def sets_of_kind(pairs: Pairs, kind: str) -> list[SetLabels]:
    """The sets in which some query has both a relevant clip and a foil of the kind."""
    found = []
    labels = np.where(pairs.kind == RELEVANT, 1, np.where(pairs.kind == kind, 0, _NONE)).astype(np.int8)
    for number in range(len(pairs.sets)):
        here = np.flatnonzero(pairs.set == number)
        twins = [here[pairs.twin[here] == twin] for twin in np.unique(pairs.twin[here])]
        twins = [rows for rows in twins if (labels[rows] == 1).any() and (labels[rows] == 0).any()]
        if not twins:
            continue
        table = np.stack(twins)
        taking_part = (labels[table] != _NONE).any(axis=0)
        found.append(SetLabels(number, table[:, taking_part], labels[table[:, taking_part]]))
    return found


def deal_folds(pairs: Pairs, sets: Sequence[SetLabels], rng: Generator) -> NDArray[np.int64]:
    """The fold of each set, shape [sets]: whole sets, every form dealt out evenly."""
    folds = np.zeros(len(sets), np.int64)
    at = 0
    for form in sorted({pairs.forms[one.number] for one in sets}):
        members = [n for n, one in enumerate(sets) if pairs.forms[one.number] == form]
        for n in rng.permutation(members):
            folds[n] = at % FOLDS
            at += 1
    return folds


# --- scores -----------------------------------------------------------------------------------------------------------


def out_of_fold_scores(
    evidence: Evidence, sets: Sequence[SetLabels], folds: NDArray[np.int64], classifier: str, seed: int
) -> list[Floats]:
    """For each set the score of every pair, shape [queries, clips], by a classifier that was trained on the sets of other folds.

    Args:
        evidence: about all pairs of the task.
        sets: of one foil kind.
        folds: of each set.
        classifier: one of `CLASSIFIERS`.
        seed: of the classifier.
    """
    values = evidence.in_set if classifier == CLASSIFIERS[0] else evidence.alone
    mirror = np.where(np.arange(values.shape[1]) < evidence.odd, -1.0, 1.0)
    scores: list[Floats] = [np.zeros(0)] * len(sets)
    for fold in np.unique(folds):
        train = [one for one, other in zip(sets, folds, strict=True) if other != fold]
        rows = np.concatenate([one.rows[one.labels != _NONE] for one in train])
        labels = np.concatenate([one.labels[one.labels != _NONE] for one in train])
        weights = np.concatenate([_weights(one) for one in train])
        score = _fit(values[rows], labels, weights, classifier, seed)
        for n in np.flatnonzero(folds == fold).tolist():
            asked = sets[n].rows
            own = values[asked.ravel()]
            found = score(own) - score(own * mirror) if evidence.odd else score(own)
            scores[n] = found.reshape(asked.shape)
    return scores


def _weights(one: SetLabels) -> Floats:
    """Of the pairs of a set: relevant clips and foils of each query count the same, and every set as much as any other."""
    weights = np.zeros(one.labels.shape)
    for row, labels in zip(weights, one.labels, strict=True):
        for label in (0, 1):
            row[labels == label] = 0.5 / np.count_nonzero(labels == label) / len(one.labels)
    chosen: Floats = weights[one.labels != _NONE]
    return chosen


def _fit(values: Floats, labels: NDArray[np.int8], weights: Floats, classifier: str, seed: int) -> Callable[[Floats], Floats]:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression

    weights = weights * (len(weights) / weights.sum())
    mean, deviation = values.mean(axis=0), values.std(axis=0)
    useful = deviation > 1e-9
    if not useful.any():
        return lambda asked: np.zeros(len(asked))
    model: Any
    if classifier == CLASSIFIERS[0]:
        model = LogisticRegression(C=0.05, max_iter=300)

        def prepared(asked: Floats) -> Floats:
            return np.asarray((asked[:, useful] - mean[useful]) / deviation[useful])
    else:
        model = HistGradientBoostingClassifier(
            max_iter=40, max_leaf_nodes=8, min_samples_leaf=20, early_stopping=False, random_state=seed
        )
        edges = np.quantile(values[:, useful], np.linspace(0, 1, _BINS + 1)[1:-1], axis=0)

        def prepared(asked: Floats) -> Floats:  # the model's own binning of weighted values takes ten times as long as its trees
            return np.stack(
                [np.searchsorted(edge, column) for edge, column in zip(edges.T, asked[:, useful].T, strict=True)], axis=1
            ).astype(np.float64)

    model.fit(prepared(values), labels, sample_weight=weights)
    return lambda asked: np.asarray(model.decision_function(prepared(asked)), np.float64)


# --- the statistic ----------------------------------------------------------------------------------------------------


def set_aucs(sets: Sequence[SetLabels], scores: Sequence[Floats]) -> Floats:
    """The AUC within each set, shape [sets].

    Args:
        sets: of one foil kind.
        scores: of each set, shape [queries, clips]; or [queries, clips, n] for n AUCs of each set.
    """
    found = []
    for one, own in zip(sets, scores, strict=True):
        of_queries = []
        for labels, score in zip(one.labels, own, strict=True):
            relevant, foils = score[labels == 1][:, None], score[labels == 0][None]
            of_queries.append(((relevant > foils) + 0.5 * (relevant == foils)).mean(axis=(0, 1)))
        found.append(np.mean(of_queries, axis=0))
    return np.array(found)


def null_means(aucs: Floats, draws: int, rng: Generator) -> Floats:
    """The statistic with relevant and foil exchanged in each set at random: an AUC of x then is 1 - x.

    Args:
        aucs: within each set, by each of several classifiers, shape [classifiers, sets]; all are given the same exchanges.

    Returns:
        Of each draw the highest mean of any classifier, shape [draws].
    """
    signs = 2.0 * rng.integers(0, 2, (draws, aucs.shape[1])) - 1
    highest: Floats = 0.5 + (signs @ (aucs - 0.5).T / aucs.shape[1]).max(axis=1)
    return highest


def p_value(statistic: float, null: Floats) -> float:
    """The share of draws at least as high, the statistic itself counted as one (Phipson and Smyth, 2010). One-sided."""
    return float((1 + np.count_nonzero(null >= statistic - 1e-9)) / (1 + len(null)))


# --- one foil kind ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Told:
    """How well one classifier tells relevant clips from foils of a kind.

    Attributes:
        auc: mean within-set AUC over sets; 0.5 is chance.
        low, high: its 95 % interval, over resampled sets (`intervals`).
        error: its standard error, over sets.
        p: share of draws in which the better of the two classifiers does as well, so that it allows for both having been tried.
    """

    classifier: str
    auc: float
    low: float
    high: float
    error: float
    p: float


@dataclass(frozen=True, slots=True)
class KindResult:
    """One kind of evidence about one foil kind, before the family of tests is known.

    Attributes:
        sets, pairs: how many sets and (relevant, foil) pairs there are.
        told: by each classifier.
        forms: mean AUC of the better classifier in the sets of each form.
        cues: the numbers that alone, over all pairs, tell most: their mean within-set AUC, furthest from 0.5 first.
    """

    evidence: str
    task: str
    kind: str
    sets: int
    pairs: int
    told: tuple[Told, ...]
    forms: Mapping[str, float]
    cues: Mapping[str, float]

    @property
    def p(self) -> float:
        """That of the better classifier, which allows for both having been tried."""
        return min(one.p for one in self.told)


def judge_kind(pairs: Pairs, kind: str, evidence: Sequence[str], seeds: SeedSequence, draws: int) -> list[KindResult]:
    """Tries to tell a kind of foils from relevant clips, by each of several kinds of evidence."""
    sets = sets_of_kind(pairs, kind)
    fold_seed, draw_seed, boot_seed, model_seed = seeds.spawn(4)
    folds = deal_folds(pairs, sets, np.random.default_rng(fold_seed))
    seed, boot = (int(one.generate_state(1)[0]) for one in (model_seed, boot_seed))
    forms = [pairs.forms[one.number] for one in sets]
    count = sum(int(np.count_nonzero(row == 1) * np.count_nonzero(row == 0)) for one in sets for row in one.labels)
    found = []
    for name in evidence:
        scores = [out_of_fold_scores(pairs.evidence[name], sets, folds, classifier, seed) for classifier in CLASSIFIERS]
        aucs = np.array([set_aucs(sets, own) for own in scores])
        null = null_means(aucs, draws, np.random.default_rng(draw_seed))
        told = []
        for classifier, own in zip(CLASSIFIERS, aucs, strict=True):
            mean = bootstrap_values(own, draws, boot)
            error = float(own.std(ddof=1) / len(own) ** 0.5)
            told.append(Told(classifier, mean.value, mean.low, mean.high, error, p_value(mean.value, null)))
        best = aucs[int(aucs.mean(axis=1).argmax())]
        of_forms = {form: float(best[[other == form for other in forms]].mean()) for form in sorted(set(forms))}
        found.append(
            KindResult(name, pairs.task, kind, len(sets), count, tuple(told), of_forms, _cues(pairs.evidence[name], sets))
        )
    return found


def _cues(evidence: Evidence, sets: Sequence[SetLabels], most: int = 3) -> dict[str, float]:
    values = np.round(evidence.in_set, 9)  # equal numbers are not to differ by the rounding of their set's mean
    means = set_aucs(sets, [values[one.rows] for one in sets]).mean(axis=0)
    found = dict(zip(evidence.names, means.tolist(), strict=True))
    ordered = sorted(found, key=lambda name: -abs(found[name] - 0.5))
    return {name: found[name] for name in ordered[:most]}
