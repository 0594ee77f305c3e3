"""What results of `reasonaudio run` say for the pull request: scores and times of models on the very data, by their files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from builders.errors import EvaluationError
from builders.files import read_object
from builders.recipe import TASK_NAMES
from eval_harness.analysis.results import ModelResult, read_results
from eval_harness.upstream.corpus import Offer

NEARLY_PERFECT = 0.95
SIGNIFICANT = 0.01
_OURS, _BASELINE = "reasonaudio/", "mteb/baseline"


@dataclass(frozen=True)
class Evidence:
    """One model's scores on all five tasks.

    Attributes:
        model: its name.
        revision: of the model.
        scores: task -> main score.
        minutes: of evaluation of all five tasks, as mteb wrote them; 0 where unknown.
        real: an audio-text model that mteb knows, so that anybody can run it.
        scale: a system of the scale, which shows what a number means.
    """

    model: str
    revision: str
    scores: dict[str, float]
    minutes: float
    real: bool
    scale: bool

    @property
    def mean(self) -> float:
        return sum(self.scores.values()) / len(self.scores)


def read_evidence(out: Path | None, corpus: Offer) -> list[Evidence]:
    """The models that were run on all five tasks, in order of their mean score, the best first.

    Raises:
        EvaluationError: it is no folder of results, or of other data.
    """
    if out is None:
        return []
    results = read_results(out, corpus.data)
    found = [_of_model(one, out) for one in results.of_scope("task") if one.complete and not one.experiment]
    return sorted(found, key=lambda one: (-one.mean, one.model, one.revision))


def _of_model(one: ModelResult, out: Path) -> Evidence:
    scores: dict[str, float] = {}
    seconds = 0.0
    for task, file in one.tasks.items():
        below = file.relative_to(out / "rankings").with_suffix(".json")
        scored, result = read_object(out / "scores" / below), read_object(out / "results" / below)
        if scored is None or "main_score" not in scored:
            raise EvaluationError(f"{out / 'scores' / below} is missing or damaged; `reasonaudio score` makes it again")
        scores[task] = float(scored["main_score"])
        seconds += float((result or {}).get("evaluation_time") or 0)
    return Evidence(one.model, one.revision, scores, seconds / 60, _real(one.model), one.is_scale)


def _real(model: str) -> bool:
    from eval_harness.registry import model_names

    return not model.startswith((_OURS, _BASELINE)) and model in model_names()


def trivial_or_random(found: list[Evidence], corpus: Offer) -> list[str]:
    """For each task on which no real model is clearly above chance, or one is nearly perfect: why, in words."""
    return [text for task in TASK_NAMES for text in _of_task(task, found, corpus)]


def _of_task(task: str, found: list[Evidence], corpus: Offer) -> Iterator[str]:
    from scipy.stats import binom

    size = corpus.sizes[task]
    best = max((one.scores[task] for one in found), default=0.0)
    if best >= NEARLY_PERFECT:
        yield f"{task}: nearly perfect ({best:.3f})"
    elif binom.sf(round(best * size.queries) - 1, size.queries, size.chance) >= SIGNIFICANT:
        yield f"{task}: not clearly above chance ({best:.3f} against {size.chance:.4f})"
