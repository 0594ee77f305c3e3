"""What the listening page is given: the study, feedback for practice, the sound of clips."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from builders.dataset_folder import DatasetFolder
from builders.explain import explain
from builders.recipe import CLIP_MS
from eval_harness.listening.study import Study, Trial, fitting
from eval_harness.report.clips import lanes
from eval_harness.report.media import from_sound, listening
from eval_harness.report.pages import environment, style

_WEB = Path(__file__).with_name("web")
SCRIPT = "app.js"
_SECONDS_A_CLIP, _SECONDS_A_TRIAL = 9.0, 6.0
"""About how long people take: many clips are judged before their end, some are played again."""


def for_page(folder: DatasetFolder, study: Study, open_to_others: bool = False) -> dict[str, Any]:
    """What the page is told of a study. Which clips fit is told of practice alone.

    Args:
        folder: the dataset.
        study: what is asked.
        open_to_others: whether the page comes from another computer, maybe.
    """
    return {
        "id": study.id,
        "study": study.model_dump(mode="json"),
        "feedback": {trial.id: _feedback(folder, trial) for trial in study.of_kind("practice")},
        "sample": _fullest(folder, study),
        "seconds": CLIP_MS / 1000,
        "minutes": max(1, round(sum(_SECONDS_A_TRIAL + _SECONDS_A_CLIP * len(one.clips) for one in study.trials) / 60)),
        "open_to_others": open_to_others,
    }


def _feedback(folder: DatasetFolder, trial: Trial) -> dict[str, Any]:
    query, fit = folder.queries[trial.query], fitting(folder, trial)

    def of(clip_id: str) -> dict[str, Any]:
        clip = folder.clips[clip_id]
        reasons = explain(query.formula, clip.timeline, folder.recipe.margins_value(), folder.relations)
        drawn = lanes(clip, {}, query.formula, CLIP_MS)
        return {
            "fits": clip_id in fit,
            "why": list(dict.fromkeys(reason.text for reason in reasons)),
            "events": [{"label": one.label, "start": one.start, "length": one.length, "said": one.said} for one in drawn],
        }

    return {clip: of(clip) for clip in trial.clips}


def _fullest(folder: DatasetFolder, study: Study) -> str:
    """The clip in which most is heard, to set the volume by."""
    return max(study.clips, key=lambda clip: (sum(event.duration_ms for event in folder.clips[clip].timeline), clip))


# --- files of the page ------------------------------------------------------------------------------------------------


def page() -> str:
    """The page as the server gives it."""
    return _render(policy="", style="", script="", data="", media="")


def page_style() -> str:
    """Its style sheet: the report's, and what is its own."""
    return style() + (_WEB / "listening.css").read_text(encoding="utf-8")


def page_script() -> str:
    """Its script."""
    return (_WEB / SCRIPT).read_text(encoding="utf-8")


def static_page(
    folder: DatasetFolder,
    study: Study,
    num_proc: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> str:
    """The page with everything in it: opens from a disk, loads nothing, and sends nothing anywhere.

    Args:
        folder: the dataset.
        study: what is asked.
        num_proc: processes that encode clips.
        progress: called with (clips done, clips).

    Raises:
        EvaluationError: a worker process died.
    """
    clips: dict[str, str] = {}
    kinds: set[str] = set()
    encoded = from_sound(listening, map(folder.audio, study.clips), min(num_proc, len(study.clips)))
    for clip, (content, kind) in zip(study.clips, encoded, strict=True):
        clips[clip] = base64.b64encode(content).decode()
        kinds.add(kind)
        progress(len(clips), len(study.clips))
    script, sheet = page_script(), page_style()
    policy = (
        f"default-src 'none'; script-src '{_source(script)}'; style-src '{_source(sheet)}'; media-src blob:; img-src data:; "
        "connect-src 'none'; base-uri 'none'; form-action 'none'"
    )
    return _render(
        policy=policy,
        style=sheet,
        script=script,
        data=_in_page(for_page(folder, study)),
        media=_in_page({"type": kinds.pop(), "clips": clips}),
    )


def _source(text: str) -> str:
    """How a policy names a script or style that stands in the page (CSP 3, section 2.3.1)."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _in_page(value: Any) -> str:
    """JSON that a script element can hold whatever texts are in it."""
    return json.dumps(value, ensure_ascii=True).replace("<", "\\u003c")


def _render(**values: str) -> str:
    return environment(_WEB).get_template("page.html.jinja").render(**values)
