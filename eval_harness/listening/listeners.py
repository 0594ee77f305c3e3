"""How each listener went about it: how much they answered, how well, how fast, and whether they listened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from builders.recipe import CLIP_MS
from eval_harness.analysis.intervals import RESAMPLES
from eval_harness.listening.answers import Session
from eval_harness.listening.judged import Judged, catches
from eval_harness.listening.scoring import Share, mean_accuracy
from eval_harness.listening.study import Mode

_END_MS = 250
"""So near to its end a clip counts as heard: players tell places now and then only."""


@dataclass(frozen=True, slots=True)
class Listener:
    """One listener in one mode.

    Attributes:
        name, mode: whose.
        answers: given, those of catch trials too.
        trials, asked: queries answered completely, and queries of their studies.
        accuracy: as `scoring.mean_accuracy`; None without a complete trial.
        failed, catches: catch trials failed (in both modes together), and answered.
        seconds: median over the queries of the seconds for a clip: from when the trial was shown to its last answer, over its
            clips; NaN without a complete trial.
        early: share of answers given before the clip was once heard to its end; NaN without answers.
        unsure: share of verdicts that are "cannot tell"; NaN in the mode "best".
        left_out: whether their answers are counted nowhere else.
    """

    name: str
    mode: Mode
    answers: int
    trials: int
    asked: int
    accuracy: Share | None
    failed: int
    catches: int
    seconds: float
    early: float
    unsure: float
    left_out: bool

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        numbers = {"seconds_a_clip": self.seconds, "answered_before_the_end": self.early, "cannot_tell": self.unsure}
        return {
            "name": self.name,
            "mode": self.mode,
            "answers": self.answers,
            "trials": self.trials,
            "asked": self.asked,
            "accuracy": self.accuracy.to_json() if self.accuracy else None,
            "catch_failed": self.failed,
            "catch_answered": self.catches,
            **{name: None if value != value else value for name, value in numbers.items()},  # NaN
            "left_out": self.left_out,
        }


def listeners(
    sessions: Sequence[Session], found: Sequence[Judged], left_out: Iterable[str], resamples: int = RESAMPLES, seed: int = 0
) -> tuple[Listener, ...]:
    """Every listener, also those who answered nothing, in the order of the files."""
    out, caught = set(left_out), catches(found)
    names = dict.fromkeys((session.listener, session.study.mode) for session in sessions)
    told = []
    for name, mode in names:
        own = [one for one in found if (one.listener, one.mode) == (name, mode)]
        asked = [one for one in own if one.trial.kind == "asked"]
        done = [one for one in asked if one.complete]
        answers = [answer for one in asked for answer in one.answers.values()]
        times = [max(answer.ms for answer in one.answers.values()) / 1000 / len(one.trial.clips) for one in done]
        nan = float("nan")
        told.append(
            Listener(
                name,
                mode,
                sum(len(one.answers) for one in own),
                len(done),
                sum(
                    len(session.study.of_kind("asked"))
                    for session in sessions
                    if (session.listener, session.study.mode) == (name, mode)
                ),
                mean_accuracy(done, resamples, seed),
                *caught.get(name, (0, 0)),
                median(times) if times else nan,
                sum(answer.heard_ms < CLIP_MS - _END_MS for answer in answers) / len(answers) if answers else nan,
                sum(answer.verdict == "unsure" for answer in answers) / len(answers) if answers and mode == "judge" else nan,
                name in out,
            )
        )
    return tuple(told)
