"""Judges by name: "judge:FOLDER", "judge:ORG/NAME"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from builders.errors import EvaluationError
from eval_harness.loading import SET

if TYPE_CHECKING:
    from eval_harness.models import Found, Place

PREFIX = "judge:"


def is_judge(model: Any) -> bool:
    """Whether a name means a judge, or an object is one."""
    if isinstance(model, str):
        return model.startswith(PREFIX)
    from eval_harness.systems.judges.base import JudgeSearch

    return isinstance(model, JudgeSearch) or callable(getattr(model, "judge", None))


def find_judge(model: Any, place: Place) -> Found:
    """The judge that is meant, as a search of mteb's.

    Args:
        model: "judge:FOLDER" or "judge:ORG/NAME", a `Judge`, or a `JudgeSearch`.
        place: how it is run.

    Raises:
        EvaluationError: it would be given clips, or is none.
    """
    from eval_harness.models import Found, guarded
    from eval_harness.systems.judges.base import Judge, JudgeSearch

    name = model if isinstance(model, str) else str(getattr(model, "name", type(model).__name__))
    if place.audio:
        raise EvaluationError(
            f"{name} is a judge, which reads text and hears nothing; it runs on the probes in text: -t ReasonAudioText"
        )
    if isinstance(model, JudgeSearch):
        return Found(str(model.mteb_model_meta.name), lambda: model, model.mteb_model_meta, scope=SET)
    if not isinstance(model, str):
        if not isinstance(model, Judge):
            raise EvaluationError(f"{name} is no judge: it needs a name, a revision and judge(pairs)")
        search = JudgeSearch(model, place.judgements)
        return Found(name, lambda: search, search.mteb_model_meta, scope=SET)
    spec = model.removeprefix(PREFIX)
    if not spec:
        raise EvaluationError("judge: which? give judge:FOLDER of a causal language model, or judge:ORG/NAME")

    def load() -> Any:
        from eval_harness.systems.judges.causal import open_causal

        return JudgeSearch(open_causal(spec, place.device, place.dtype), place.judgements)

    return Found(model, guarded(model, load), needs=("transformers", "mteb"), scope=SET)
