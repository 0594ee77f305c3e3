"""People as a system: what listeners answered, as rankings of the clips that they heard."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.listening.answers import Session
from eval_harness.listening.judged import Judged, judged
from eval_harness.loading import LISTENED
from eval_harness.rankings import Origin, Rankings

NAME = "reasonaudio/human"


@dataclass(frozen=True, eq=False)
class People:
    """What listeners answered.

    Attributes:
        revision: 16 hex digits of a SHA-256 of the answers.
        listeners: how many.
        modes: that they answered in, sorted.
        trials: that are counted.
        rankings: task -> score of every clip that was heard for a query: the mean over its listeners of fits 1, cannot tell 0.5,
            does not fit 0; of those who chose the best, 1 for the chosen clip. -inf for clips that nobody heard for a query;
            queries that nobody was asked are absent.
    """

    revision: str
    listeners: int
    modes: tuple[str, ...]
    trials: int
    rankings: dict[str, Rankings]


def people(folder: DatasetFolder, sessions: Sequence[Session]) -> People:
    """The rankings of all trials that were answered completely, and of which some clips fit and some do not.

    Raises:
        EvaluationError: the answers are of another dataset, or none is left.
    """
    kept = [one for one in judged(folder, sessions) if one.trial.kind == "asked" and one.complete and one.telling]
    if not kept:
        files = ", ".join(sorted({str(session.source) for session in sessions}))
        raise EvaluationError(f"{files}: no query is answered completely; let somebody listen to the end of one")
    revision = revision_of(sessions)
    of_task: dict[str, list[Judged]] = {}
    for one in kept:
        assert one.query is not None
        of_task.setdefault(one.query.task, []).append(one)
    content = content_hash(folder.path)
    rankings = {
        task: _rankings(of_task[task], Origin(task, LISTENED, NAME, revision, content)) for task in TASK_NAMES if task in of_task
    }
    listeners, modes = {one.listener for one in kept}, sorted({one.mode for one in kept})
    return People(revision, len(listeners), tuple(modes), len(kept), rankings)


def revision_of(sessions: Iterable[Session]) -> str:
    """16 hex digits of a SHA-256 of who answered what, whatever the order of the files."""
    parts = [
        "\0".join([session.study.id, session.key, *(answer.model_dump_json() for answer in session.answers)])
        for session in sessions
    ]
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:16]


def _rankings(trials: Sequence[Judged], origin: Origin) -> Rankings:
    values: dict[tuple[str, str], list[float]] = {}
    for one in trials:
        assert one.query is not None
        for clip, value in one.said.items():
            values.setdefault((one.query.id, clip), []).append(value)
    queries, clips = (tuple(sorted({pair[place] for pair in values})) for place in (0, 1))
    scores = np.full((len(queries), len(clips)), -np.inf, np.float32)
    for (query, clip), found in values.items():
        scores[queries.index(query), clips.index(clip)] = np.mean(found)
    return Rankings(queries, clips, scores, origin)
