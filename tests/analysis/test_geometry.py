"""Similarities and spread on values that are known, and the geometry as a whole."""

from __future__ import annotations

import json

import numpy as np
import pytest

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from eval_harness.analysis.by_set import grouped, jackknife, totals_interval
from eval_harness.analysis.embeddings_of import Embeddings
from eval_harness.analysis.geometry import Geometry, geometry
from eval_harness.analysis.separation import OUTSIDE, Separation, cosines, d_prime, separation
from eval_harness.analysis.spread import EVERYTHING, spread, uniformity
from eval_harness.rankings import Rankings
from tests.analysis.planted import corpus, direction, embedded  # noqa: F401  # a fixture


def moments(values: np.ndarray) -> list[float]:
    return [len(values), values.sum(), (values**2).sum()]


def test_d_prime_of_gaussians() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(1.2, 1, 100_000), rng.normal(0, 1, 100_000)
    assert d_prime(np.array(moments(first) + moments(second))) == pytest.approx(1.2, abs=0.015)
    wide = rng.normal(0, 3, 100_000)  # sqrt((1 + 9) / 2) is the deviation of both
    assert d_prime(np.array(moments(first) + moments(wide))) == pytest.approx(1.2 / 5**0.5, abs=0.015)
    assert np.isnan(d_prime(np.array([2, 2, 2, 2, 2, 2], dtype=float)))  # no variance
    assert np.isnan(d_prime(np.array([0, 0, 0, 2, 2, 4], dtype=float)))


def test_totals_interval_is_that_of_a_mean_where_it_is_one() -> None:
    values = np.random.default_rng(1).normal(3, 1, 200)
    found = totals_interval(np.stack([values, np.ones(200)], axis=1), lambda totals: totals[..., 0] / totals[..., 1])
    assert found.value == pytest.approx(values.mean())
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * values.std() / 200**0.5, rel=0.05)
    assert np.isnan(totals_interval(np.ones((1, 2)), lambda totals: totals[..., 0]).low)


def scored(folder: DatasetFolder, task: str, lead: float, offset: float, seed: int = 0) -> Separation:
    """Similarities of deviation 1, `lead` higher for relevant clips, with an offset for each query."""
    rng = np.random.default_rng(seed)
    queries = [query for query in folder.queries.values() if query.task == task]
    clips = [clip.id for clip in folder.clips.values() if clip.task == task]
    values = rng.standard_normal((len(queries), len(clips)))
    for row, query in enumerate(queries):
        values[row, [clips.index(clip) for clip in query.relevant]] += lead
    values += offset * rng.standard_normal((len(queries), 1))
    return separation(Rankings(tuple(query.id for query in queries), tuple(clips), values.astype(np.float32)), folder, task, 1000)


def test_separation_finds_what_was_planted(corpus: DatasetFolder) -> None:  # noqa: F811
    found = scored(corpus, "order", lead=1.5, offset=0)
    assert [one.kind for one in found.kinds] == ["permuted", "reversed", "simultaneous", "anchor-missing", OUTSIDE]
    for one in found.kinds:
        assert one.d_prime.low < 1.5 < one.d_prime.high, one.kind
    none = scored(corpus, "order", lead=0, offset=0)
    assert all(one.d_prime.low < 0 < one.d_prime.high for one in none.kinds)
    queries = [query for query in corpus.queries.values() if query.task == "order"]
    assert found.relevant.count == sum(len(query.relevant) for query in queries) == sum(found.relevant.histogram)
    reversed_ = next(one for one in found.kinds if one.kind == "reversed")
    assert reversed_.similarity.count == sum(foil.kind == "reversed" for query in queries for foil in query.foils)
    assert list(reversed_.similarity.quantiles) == sorted(reversed_.similarity.quantiles)


def test_offsets_of_queries_blur_only_what_is_not_within_queries(corpus: DatasetFolder) -> None:  # noqa: F811
    found = next(one for one in scored(corpus, "overlap", lead=1.5, offset=8).kinds if one.kind == "wrong-partner")
    assert found.d_prime.value < 0.5
    assert found.d_prime_within.low < 1.6 < found.d_prime_within.high + 0.2
    assert found.d_prime_within.value > 1


def test_separation_needs_all_clips(corpus: DatasetFolder) -> None:  # noqa: F811
    whole = cosines(embedded(corpus), corpus, "mix")
    with pytest.raises(EvaluationError, match="and 0 more of the task's queries and clips are not in them"):
        separation(Rankings(whole.queries[1:], whole.clips, whole.scores[1:]), corpus, "mix")


def test_uniformity_by_hand() -> None:
    east, north = np.eye(2, dtype=np.float32)
    assert uniformity(np.stack([east, north]), ["a", "b"]).value == pytest.approx(-4)  # |x - y|² = 2
    three = uniformity(np.stack([east, north, east]), ["a", "a", "b"])
    assert three.value == pytest.approx(np.log((1 + 2 * np.exp(-4)) / 3))
    assert uniformity(np.stack([east, east, east]), ["a", "b", "c"]).value == pytest.approx(0)
    assert uniformity(np.stack([east, -east]), ["a", "b"]).value == pytest.approx(-8)


def test_uniformity_with_its_interval_is_as_by_brute_force() -> None:
    rng = np.random.default_rng(3)
    vectors = rng.standard_normal((1050, 5)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    sets = [f"s{n % 7}" for n in range(1050)]

    def plain(rows: np.ndarray) -> float:
        near = np.exp(-2 * ((rows[:, None] - rows[None]) ** 2).sum(axis=2, dtype=np.float64))
        return float(np.log(near[~np.eye(len(rows), dtype=bool)].mean()))

    found = uniformity(vectors, sets)
    assert found.value == pytest.approx(plain(vectors), abs=1e-5)
    left_out = [plain(vectors[[own != name for own in sets]]) for name in sorted(set(sets))]
    assert (found.low, found.high) == pytest.approx(
        (lambda i: (i.low, i.high))(jackknife(np.array(left_out), found.value)), abs=1e-5
    )


def test_spread_by_hand(corpus: DatasetFolder) -> None:  # noqa: F811
    clips, queries = np.zeros((len(corpus.clips), 3)), np.zeros((len(corpus.queries), 3))
    clips[:, 0], queries[:, 1] = 2.0, 5.0  # lengths do not matter
    found = spread(
        Embeddings("m", "1", tuple(corpus.clips), clips, tuple(corpus.queries), queries), corpus, ["order", "mix"], 100
    )
    assert [one.task for one in found] == ["order", "mix", EVERYTHING]
    for one in found:
        assert one.alignment.value == pytest.approx(2)
        assert (one.uniformity_texts.value, one.uniformity_clips.value) == pytest.approx((0, 0), abs=1e-6)
        assert one.gap == pytest.approx(2**0.5)


def test_grouped_sums_by_name() -> None:
    assert grouped(["b", "a", "b"], np.array([[1.0], [2.0], [4.0]])).tolist() == [[2.0], [5.0]]


TASKS = ("negation", "mix")


def measured(folder: DatasetFolder, embeddings: Embeddings) -> Geometry:
    def encode(texts: list[str]) -> np.ndarray:
        return np.array([direction(text) for text in texts])

    return geometry(embeddings, folder, lambda task: encode, tasks=TASKS, draws=200)


def values_of(found: object) -> list[float]:
    """All numbers in plain values."""
    if isinstance(found, dict):
        return [value for key, one in found.items() if key != "histogram" for value in values_of(one)]
    if isinstance(found, list):
        return [value for one in found for value in values_of(one)]
    return [float(found)] if isinstance(found, float | int) else []


def test_geometry_does_not_depend_on_axes_lengths_or_the_order_of_rows(corpus: DatasetFolder) -> None:  # noqa: F811
    plain = embedded(corpus)
    rng = np.random.default_rng(5)
    turn = np.linalg.qr(rng.standard_normal((plain.clip_vectors.shape[1],) * 2))[0]
    order, asked = rng.permutation(len(plain.clips)), rng.permutation(len(plain.queries))
    turned = Embeddings(
        plain.model,
        plain.revision,
        tuple(plain.clips[row] for row in order),
        3.0 * plain.clip_vectors[order] @ turn,
        tuple(plain.queries[row] for row in asked),
        0.5 * plain.query_vectors[asked] @ turn,
    )
    first, second = measured(corpus, plain), measured(corpus, turned)
    assert first.tasks == TASKS
    assert values_of(first.to_json()) == pytest.approx(values_of(second.to_json()), abs=0.02)
    json.dumps(first.to_json(), allow_nan=False)
    assert {one.name for one in first.probes} > {"presence", "order", "negation-2", "mix-5"}
    assert len(first.sensitivities) == 2 * (1 + 2) + (1 + 6) + (1 + 3)  # three forms of Mix, too, want a sound absent


def test_geometry_of_what_is_not_all_embedded(corpus: DatasetFolder) -> None:  # noqa: F811
    whole = embedded(corpus)
    kept = [row for row, clip in enumerate(whole.clips) if corpus.clips[clip].task == "order"]
    part = Embeddings(
        "m", "1", tuple(whole.clips[row] for row in kept), whole.clip_vectors[kept], whole.queries, whole.query_vectors
    )
    assert geometry(part, corpus, draws=50).tasks == ("order",)
    with pytest.raises(EvaluationError, match="m: not all queries and clips of mix embedded"):
        geometry(part, corpus, tasks=["mix"])


def test_embeddings_that_cannot_be() -> None:
    ids, vectors = ("a", "b"), np.ones((2, 3))
    with pytest.raises(EvaluationError, match="clips have 3 dimensions, queries 4"):
        Embeddings("m", "1", ids, vectors, ids, np.ones((2, 4)))
    with pytest.raises(EvaluationError, match="2 queries, but embeddings of shape"):
        Embeddings("m", "1", ids, vectors, ids, np.ones((3, 3)))
    with pytest.raises(EvaluationError, match="clips hold NaN"):
        Embeddings("m", "1", ids, vectors * np.nan, ids, vectors)
