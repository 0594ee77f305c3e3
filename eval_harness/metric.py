"""The benchmark's scores as a metric of Hugging Face's `evaluate`, for people who do not use mteb.

    import evaluate

    metric = evaluate.load("eval_harness/metric.py", data="corpus", task="order")  # or ReasonAudioMetric(data=..., task=...)
    metric.compute(predictions={"3f2a90c1d4e5b607": {"9b1c22d3e4f50617": 0.83, ...}, ...})

The numbers are those of `eval_harness.scores`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import datasets
import evaluate  # type: ignore[import-untyped]

from builders.errors import EvaluationError
from eval_harness.data import open_data
from eval_harness.rankings import COLUMNS, Rankings
from eval_harness.scores import MAIN_SCORE, clip_ids, score_task

_DESCRIPTION = (
    "Scores of text-to-audio rankings on a ReasonAudio dataset: hit rate, nDCG, mean average precision, MRR, recall, accuracy "
    "inside the set, twins both right, and for each foil kind the share of pairs ranked the right way round."
)
_INPUTS = """
Args:
    predictions: {query id: {clip id: score}}, higher is better; or the path of a file that `Rankings.read` reads (parquet, mteb's
        predictions, JSON, a TREC run); or rows {"query-id", "corpus-id", "score"}. Clips that are not there are not retrieved.
Returns:
    hit_rate_at_1 (the main score) and the other scores by name, "form:<form>" the main score of a form, "foil:<kind>" the
    share of pairs of a foil kind that are the right way round (0.5 is chance).
"""
_CITATION = "ReasonAudio: A Benchmark for Evaluating Reasoning Beyond Matching in Text-Audio Retrieval, arXiv 2605.03361"


class ReasonAudioMetric(evaluate.Metric):  # type: ignore[misc]  # evaluate has no types
    """Scores of the rankings of one task.

    Args:
        data: the dataset: a folder, or ORG/NAME[@revision] on the Hub.
        task: "negation", "order", "overlap", "duration" or "mix".
        scope: "task": queries search their task's clips; "all": all clips of the corpus.
        allow_missing: queries that have no ranking count 0 instead of being refused.
        **settings: as every metric of `evaluate` takes them.

    Raises:
        ReasonAudioError: there is no such dataset, or task, or scope.
    """

    def __init__(
        self,
        config_name: str | None = None,
        *,
        data: str | Path = "",
        task: str = "",
        scope: str = "task",
        allow_missing: bool = False,
        **settings: Any,
    ) -> None:
        if not data or not (task or config_name):
            raise EvaluationError(
                "the metric needs to know what is evaluated: give data=FOLDER, the dataset, and task='order' or another"
            )
        self._task = task or str(config_name)
        self._scope = scope
        self._allow_missing = allow_missing
        self._folder = open_data(data).folder
        self._clips = clip_ids(self._folder, self._task, scope)
        self._queries = [query.id for query in self._folder.queries.values() if query.task == self._task]
        super().__init__(config_name=self._task, **settings)

    def _info(self) -> Any:
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_INPUTS,
            features=datasets.Features(
                {"predictions": {**dict.fromkeys(COLUMNS[:2], datasets.Value("string")), COLUMNS[2]: datasets.Value("float32")}}
            ),
            reference_urls=["https://arxiv.org/abs/2605.03361"],
        )

    def compute(self, *, predictions: Any = None, references: Any = None, **settings: Any) -> dict[str, float] | None:
        """The scores as a flat dict of floats; of rows also those that were added before.

        Raises:
            EvaluationError: as `Rankings.read` and `scores.score_task`.
        """
        if isinstance(predictions, str | PathLike):
            return self._scores(Rankings.read(Path(predictions), self._queries, self._clips, self._allow_missing))
        if isinstance(predictions, Mapping):
            return self._scores(Rankings.of(predictions, self._queries, self._clips, self._allow_missing))
        rows = super().compute(predictions=predictions, references=references, **settings)
        return (
            None if rows is None else self._scores(Rankings.of(_grouped(rows), self._queries, self._clips, self._allow_missing))
        )

    def _compute(self, *, predictions: Any, **settings: Any) -> Any:
        """The rows themselves: scored when `evaluate` has put its own files in order, so that a refusal leaves nothing behind."""
        return list(predictions)

    def _scores(self, rankings: Rankings) -> dict[str, float]:
        found = score_task(rankings, self._folder, self._task, self._scope)
        forms = {f"form:{form}": scores[MAIN_SCORE] for form, scores in found.forms.items()}
        return {**found.scores, **forms, **{f"foil:{kind}": one.share for kind, one in found.foils.items()}}


def _grouped(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        query, clip = row[COLUMNS[0]], row[COLUMNS[1]]
        clips = found.setdefault(query, {})
        if clip in clips:
            raise EvaluationError(f"predictions: query {query} and clip {clip} stand there twice; give one score for each pair")
        clips[clip] = row[COLUMNS[2]]
    return found
