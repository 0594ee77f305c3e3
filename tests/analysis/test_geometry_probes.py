"""Linear read-outs: they find what is in the embeddings, and nothing where nothing is."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from builders.corpus import Clip
from builders.dataset_folder import DatasetFolder
from builders.logic import Margins, labels_of
from builders.timeline import Event, Timeline
from eval_harness.analysis.linear_probes import READINGS, RIDGE, Probe, _LeaveOut, known_sounds, other_sets
from tests.analysis.planted import corpus, direction, embedded, held, placed  # noqa: F401  # a fixture


def by_name(found: tuple[Probe, ...]) -> dict[str, Probe]:
    return {one.name: one for one in found}


def test_order_is_read_where_it_is_and_not_where_it_is_not(corpus: DatasetFolder) -> None:  # noqa: F811
    tasks = ("negation", "order", "overlap", "mix")
    with_order = by_name(other_sets(embedded(corpus, placed), corpus, tasks, draws=500))
    assert with_order["order"].auc.low > 0.8
    assert with_order["order"].p < 0.01
    without = [by_name(other_sets(embedded(corpus, held, seed=seed), corpus, tasks, draws=100)) for seed in range(5)]
    for name in ("order", "overlap"):
        assert abs(np.mean([found[name].auc.value for found in without]) - 0.5) < 0.06
        assert sum(found[name].p < 0.05 for found in without) <= 2  # three of five: once in 900 times
    for found in (with_order, *without):
        assert found["presence"].auc.low > 0.9
        assert found["presence"].chance.low < found["presence"].chance.value == pytest.approx(0.5, abs=0.02)


def test_twins_are_told_apart_by_order_alone(corpus: DatasetFolder) -> None:  # noqa: F811
    found = by_name(known_sounds(embedded(corpus, placed, noise=0.05), corpus, "order", draws=500))
    assert set(found) == {"order-1", "order-2"}
    assert all(one.auc.value > 0.9 and one.p < 0.05 and one.sets == 5 for one in found.values())
    negation = by_name(known_sounds(embedded(corpus, held), corpus, "negation", draws=500))
    assert negation["negation-1"].auc.value > 0.95  # which sounds are there is what differs


def test_noise_is_found_at_the_expected_rate(corpus: DatasetFolder) -> None:  # noqa: F811
    def noise(clip: Clip) -> np.ndarray:
        return direction(clip.id)

    values = [
        one.p
        for seed in range(4)
        for task in ("order", "duration", "mix")
        for one in known_sounds(embedded(corpus, noise, noise=1.0, seed=seed), corpus, task, draws=50)
    ]
    assert np.mean(np.array(values) < 0.05) <= 0.13
    assert 0.35 < np.mean(values) < 0.65


def test_clips_that_share_their_free_sounds_are_left_out_together(corpus: DatasetFolder) -> None:  # noqa: F811
    """Were a clip's double of the other order fitted on, all would be taken for the wrong order."""
    of_form = [query for query in corpus.queries.values() if query.form == "order-1"]
    named = {label for query in of_form for label in labels_of(query.formula)}

    def free(clip: Clip) -> np.ndarray:
        return np.sum([direction(label) for label in clip.timeline.labels if label not in named] or [direction("none")], axis=0)

    found = [known_sounds(embedded(corpus, free, noise=0.2, seed=seed), corpus, "order", draws=50)[0] for seed in range(6)]
    assert all(one.name == "order-1" for one in found)
    assert abs(np.mean([one.auc.value for one in found]) - 0.5) < 0.1


def test_left_out_values_are_those_of_new_fits() -> None:
    rng = np.random.default_rng(2)
    vectors = rng.standard_normal((9, 30))
    answers = np.array([1, -1, 1, -1, 1, -1, 1, -1, 1.0])
    penalty = RIDGE * ((vectors - vectors.mean(axis=0)) ** 2).sum() / 9
    for deals in ([np.array([0, 1, 4]), np.array([2, 3]), np.array([5, 6, 7, 8])], [np.arange(9)]):
        parts = deals if len(deals) > 1 else [np.array([i, j]) for i in range(9) for j in range(i)]
        right = []
        for part in parts:
            kept = np.setdiff1d(np.arange(9), part)
            read = Ridge(alpha=penalty).fit(vectors[kept], answers[kept]).predict(vectors[part])
            right += [
                read[i] > read[j] for i in range(len(part)) for j in range(len(part)) if answers[part[i]] > answers[part[j]]
            ]
        assert _LeaveOut(vectors, deals).auc(answers[None])[0] == pytest.approx(np.mean(right))


def test_what_is_read_of_an_event() -> None:
    first, second, third = Event("a", 0, 1000), Event("b", 1500, 4500), Event("c", 4000, 9000)
    timeline = Timeline((first, second, third))

    def read(name: str) -> list[float]:
        reading = READINGS[name]
        assert reading is not None
        return [reading(timeline, event, Margins()) for event in timeline]

    assert read("order")[0] == 1
    assert np.isnan(read("order")[1:]).all()  # c overlaps b
    assert read("overlap") == [0, 1, 1]
    assert read("length")[0] == 0
    assert np.isnan(read("length")[1])
    assert read("length")[2] == 1
    assert READINGS["presence"] is None
