"""Pairs of a query and a clip of which most listeners say otherwise than the rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder
from builders.explain import Reason, explain
from builders.logic import Truth, to_text
from builders.recipe import TASK_NAMES
from eval_harness.listening.judged import RELEVANT, Judged, role
from eval_harness.listening.study import Mode


@dataclass(frozen=True, eq=False)
class JudgedPair:
    """What listeners said of a clip for a query.

    Attributes:
        query, clip, mode: which.
        fits: by the rule.
        verdicts: verdict -> listeners who said so; of the mode "best" "chosen" and "other".
    """

    query: Query
    clip: str
    mode: Mode
    fits: bool
    verdicts: Mapping[str, int]

    @property
    def listeners(self) -> int:
        """Who were asked and answered, those who cannot tell too."""
        return sum(self.verdicts.values())

    @property
    def against(self) -> int:
        """Who say otherwise than the rule."""
        return self.verdicts.get("not" if self.fits else "fits" if self.mode == "judge" else "chosen", 0)

    @property
    def contradicted(self) -> bool:
        """Whether more than half of those who were asked say otherwise."""
        return 2 * self.against > self.listeners

    @property
    def role(self) -> str:
        """What the clip is to the query by the rule: "relevant", or the kind of foil."""
        return role(self.query, self.clip)

    def reasons(self, folder: DatasetFolder) -> tuple[Reason, ...]:
        """Why the rule says so."""
        timeline = folder.clips[self.clip].timeline
        return explain(self.query.formula, timeline, folder.recipe.margins_value(), folder.relations)

    def to_json(self, folder: DatasetFolder) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        clip = folder.clips[self.clip]
        return {
            "query": self.query.id,
            "text": self.query.text,
            "formula": to_text(self.query.formula),
            "task": self.query.task,
            "form": self.query.form,
            "set": self.query.set,
            "clip": self.clip,
            "mode": self.mode,
            "verdicts": dict(self.verdicts),
            "rule": "fits" if self.fits else "not",
            "is": self.role,
            "reasons": [{"holds": one.truth is Truth.TRUE, "text": one.text} for one in self.reasons(folder)],
            "arrangement": clip.arrangement,
            "events": [
                {"label": one.label, "onset": one.onset_ms / 1000, "offset": one.offset_ms / 1000, "recording": one.recording}
                for one in clip.timeline
            ],
        }


def judged_pairs(found: Iterable[Judged]) -> tuple[JudgedPair, ...]:
    """All pairs that somebody judged, by task, query and clip; in the mode "best" the foils that could be chosen."""
    said: dict[tuple[Mode, str, str], dict[str, str]] = {}
    queries: dict[str, Query] = {}
    for one in found:
        if one.query is None or not one.answers:
            continue
        queries[one.query.id] = one.query
        if one.mode == "judge":
            verdicts = {clip: str(answer.verdict) for clip, answer in one.answers.items()}
        else:
            others = (clip for clip in one.trial.clips if clip not in one.fits)
            verdicts = {clip: "chosen" if clip in one.answers else "other" for clip in others}
        for clip, verdict in verdicts.items():
            said.setdefault((one.mode, one.query.id, clip), {})[one.listener] = verdict
    pairs = (
        JudgedPair(queries[query], clip, mode, clip in queries[query].relevant, dict(Counter(verdicts.values())))
        for (mode, query, clip), verdicts in said.items()
    )
    return tuple(sorted(pairs, key=_place))


def contradictions(pairs: Iterable[JudgedPair]) -> tuple[JudgedPair, ...]:
    """Those that are contradicted, by most listeners first."""
    return tuple(sorted((one for one in pairs if one.contradicted), key=lambda one: (-one.against, _place(one))))


def _place(pair: JudgedPair) -> tuple[object, ...]:
    own = (pair.role != RELEVANT, pair.role, pair.clip, pair.mode)
    return (TASK_NAMES.index(pair.query.task), pair.query.form, pair.query.set, pair.query.id, *own)
