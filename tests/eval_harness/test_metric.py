"""The scores as a metric of `evaluate`: made directly, and loaded from its file without network."""

from __future__ import annotations

from pathlib import Path

import evaluate
import pytest

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from eval_harness import metric as module
from eval_harness.metric import ReasonAudioMetric
from eval_harness.rankings import Rankings
from eval_harness.scores import HEADLINE, score_task
from eval_harness.systems.scale import BagOfSounds
from tests.scored_corpus import ids, smoke_corpus

__all__ = ["smoke_corpus"]


@pytest.fixture(scope="module")
def rankings(smoke_corpus: DatasetFolder) -> Rankings:
    queries, clips = ids(smoke_corpus, "order")
    return Rankings(queries, clips, BagOfSounds().scores([smoke_corpus.queries[q] for q in queries], clips, None, smoke_corpus))


def test_every_way_in_gives_the_same(rankings: Rankings, smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    expected = score_task(rankings, smoke_corpus, "order")
    metric = ReasonAudioMetric(data=smoke_corpus.path, task="order", cache_dir=str(tmp_path / "cache"))
    found = metric.compute(predictions=rankings.top(10_000))
    assert {name: found[name] for name in HEADLINE} == dict(expected.scores)
    assert found["form:order-1"] == expected.forms["order-1"]["hit_rate_at_1"]
    assert found["foil:reversed"] == expected.foils["reversed"].share
    assert all(type(value) is float for value in found.values())
    rankings.write(tmp_path / "r")
    assert metric.compute(predictions=tmp_path / "r") == found
    for query, clips in rankings.top(10_000).items():
        metric.add_batch(predictions=[{"query-id": query, "corpus-id": clip, "score": s} for clip, s in clips.items()])
    assert metric.compute() == found


def test_evaluate_loads_it_from_its_file(
    rankings: Rankings, smoke_corpus: DatasetFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate.config, "HF_EVALUATE_OFFLINE", True)
    loaded = evaluate.load(module.__file__, "order", data=smoke_corpus.path, scope="task", cache_dir=str(tmp_path))
    assert type(loaded).__name__ == "ReasonAudioMetric"
    direct = ReasonAudioMetric(data=smoke_corpus.path, task="order", cache_dir=str(tmp_path))
    assert loaded.compute(predictions=rankings.top(10_000)) == direct.compute(predictions=rankings.top(10_000))


def test_what_is_wrong_is_refused_and_nothing_stays_behind(
    rankings: Rankings, smoke_corpus: DatasetFolder, tmp_path: Path
) -> None:
    with pytest.raises(EvaluationError, match="give data=FOLDER"):
        ReasonAudioMetric(task="order")
    metric = ReasonAudioMetric(data=smoke_corpus.path, task="order", cache_dir=str(tmp_path))
    with pytest.raises(EvaluationError, match="predictions: query nobody: unknown query 'nobody'"):
        metric.compute(predictions={"nobody": {"x": 1.0}})
    row = {"query-id": rankings.queries[0], "corpus-id": rankings.clips[0], "score": 1.0}
    with pytest.raises(EvaluationError, match="stand there twice"):
        metric.compute(predictions=[row, row])
    with pytest.raises(EvaluationError, match="no ranking for 3 of 4 queries"):
        metric.compute(predictions=[row])
    assert metric.compute(predictions=rankings.top(10_000))["hit_rate_at_10"] > 0
    lenient = ReasonAudioMetric(data=smoke_corpus.path, task="order", allow_missing=True, cache_dir=str(tmp_path))
    assert lenient.compute(predictions=[row])["hit_rate_at_10"] <= 0.25
