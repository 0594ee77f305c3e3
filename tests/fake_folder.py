"""A dataset folder in memory: one Mix set of two twin queries, with the attributes that the command reads."""

from __future__ import annotations

from typing import Any

from builders.corpus import Clip, Foil, Query
from builders.logic import NO_RELATIONS, And, Before, Lacks, Relations, Truth, evaluate
from builders.recipe import PRESETS
from builders.timeline import Event, Timeline

A, B, C, E = "dog bark", "car horn", "siren", "glass breaking into many pieces"
FREE = "rain"
QUERY_ID, TWIN_ID = "3f2a90c1d4e5b607", "9b1c22d3e4f50617"


def _timeline(*names: str) -> Timeline:
    lengths = {A: 2300, B: 980, C: 1740, E: 620, FREE: 2480}
    events, at = [], 430
    for name in names:
        events.append(Event(name, at, at + lengths[name], f"{name}/0"))
        at += lengths[name] + 470
    return Timeline(tuple(events))


def make_clips() -> dict[str, Clip]:
    """Eight clips: A and B in both orders, with C or E, and with an anchor replaced by a free sound."""
    orders = [
        (A, B, C), (A, C, B), (B, A, C), (C, B, A),
        (A, B, E), (E, B, A), (A, FREE, C), (FREE, B, E),
    ]  # fmt: skip
    clips = {}
    for number, names in enumerate(orders):
        identifier = f"{(number * 7 + 3) % 16:x}{number:x}" * 8
        arrangement = ", ".join(name for name in names if name in (A, B, C, E))
        clips[identifier] = Clip(identifier, "mix", "mix-1", "mix-000", arrangement, _timeline(*names))
    return dict(sorted(clips.items()))


def make_queries(clips: dict[str, Clip]) -> dict[str, Query]:
    """The two twin queries, with the relevant clips and foils that the logic gives."""
    texts = {
        QUERY_ID: (TWIN_ID, "A dog barks and later a car horn honks, but there is no siren.", And(Before(A, B), Lacks(C))),
        TWIN_ID: (QUERY_ID, "A car horn honks, then a dog barks, without glass breaking.", And(Before(B, A), Lacks(E))),
    }
    queries = {}
    for identifier, (twin, text, formula) in texts.items():
        relevant, foils = [], []
        for clip in clips.values():
            truths = [evaluate(part, clip.timeline) for part in formula.operands]
            if truths == [Truth.TRUE, Truth.TRUE]:
                relevant.append(clip.id)
            elif not {A, B} <= set(clip.timeline.labels):
                foils.append(Foil(clip.id, "anchor-missing"))
            elif truths == [Truth.FALSE, Truth.FALSE]:
                foils.append(Foil(clip.id, "both-broken"))
            else:
                foils.append(Foil(clip.id, "before-broken" if truths[0] is Truth.FALSE else "lacks-broken"))
        queries[identifier] = Query(
            identifier, "mix", "mix-1", "mix-000", twin, text, formula, tuple(relevant), tuple(foils)
        )  # fmt: skip
    return queries


class FakeFolder:
    """What `builders.dataset_folder.DatasetFolder` offers, in memory."""

    def __init__(self, relations: Relations = NO_RELATIONS) -> None:
        self.recipe = PRESETS["smoke"]
        self.relations = relations
        self.clips = make_clips()
        self.queries = make_queries(self.clips)

    def qrels(self, task: str | None = None) -> dict[str, frozenset[str]]:
        return {query.id: frozenset(query.relevant) for query in self.queries.values() if task in (None, query.task)}

    def audio(self, clip_id: str) -> tuple[Any, int]:
        import numpy as np

        wave = 8000 * np.sin(np.arange(320_000) * (2 * np.pi * (400 + len(clip_id)) / 32_000))
        return wave.astype(np.int16), 32_000
