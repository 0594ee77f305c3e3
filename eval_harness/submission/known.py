"""What the installed mteb itself has: models and tasks, without those that this package adds to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from builders.errors import EvaluationError

COMMIT = re.compile(r"[0-9a-f]{40}")
"""A commit on the Hub. The revision of a local folder is its content hash: 64 digits."""


@dataclass(frozen=True)
class Published:
    """A dataset on the Hub at one commit."""

    name: str
    commit: str

    @classmethod
    def parse(cls, text: str) -> Published:
        """Of "ORG/NAME@SHA". Raises EvaluationError."""
        name, _, commit = text.partition("@")
        if not re.fullmatch(r"[\w.-]+/[\w.-]+", name) or not COMMIT.fullmatch(commit):
            raise EvaluationError(
                f"--data {text!r}: give ORG/NAME@SHA with all 40 digits of the commit, which `reasonaudio push` prints"
            )
        return cls(name, commit)


@dataclass(frozen=True)
class KnownTask:
    """A task as mteb has it.

    Attributes:
        dataset: path and revision of its data.
        main_score: the name of its main score.
        parts: all (split, subset) that a result is to have.
        queries: how many queries it has, as mteb's statistics say; None where they do not.
    """

    dataset: tuple[str, str]
    main_score: str
    parts: frozenset[tuple[str, str]]
    queries: int | None = None


@dataclass(frozen=True)
class Demands:
    """What is asked of results.

    Attributes:
        tasks: names in mteb of the tasks that every model is to have results of.
        known: those of them that mteb itself has.
        models: names of the models that are implemented in mteb.
        version: of the mteb that this is known from.
        published: the dataset, where it is named.
    """

    tasks: tuple[str, ...]
    known: Mapping[str, KnownTask]
    models: frozenset[str]
    version: str
    published: Published | None = None


def demands(tasks: Iterable[str], published: Published | None = None) -> Demands:
    """What the installed mteb asks of results of these tasks.

    Raises:
        EvaluationError: mteb's tasks are of another dataset than `published`.
    """
    import mteb

    tasks = tuple(tasks)
    known = {task: found for task in tasks if (found := known_task(task)) is not None}
    if published:
        named = (published.name, published.commit)
        for task, there in known.items():
            if there.dataset != named:
                raise EvaluationError(
                    f"--data {'@'.join(named)}: mteb {mteb.__version__} has {task} on {'@'.join(there.dataset)}, and the "
                    "leaderboard takes results on that alone; leave --data out"
                )
    return Demands(tasks, known, models_of_mteb(), mteb.__version__, published)


def models_of_mteb() -> frozenset[str]:
    """The names of all models that mteb itself implements."""
    import mteb

    from eval_harness.systems.metas import metas

    return frozenset(meta.name for meta in mteb.get_model_metas() if meta.name) - {meta.name for meta in metas()}


def known_task(name: str) -> KnownTask | None:
    """The task of that name, if it is one of mteb itself."""
    import mteb

    try:
        task = mteb.get_task(name)
    except (KeyError, ValueError):
        return None
    if type(task).__module__.partition(".")[0] != "mteb":  # one of ours, or of another package
        return None
    parts = frozenset((split, subset) for split in task.eval_splits for subset in task.hf_subsets)
    metadata = task.metadata
    return KnownTask(
        (metadata.dataset["path"], metadata.dataset["revision"]), metadata.main_score, parts, _queries(metadata, parts)
    )


def _queries(metadata: Any, parts: frozenset[tuple[str, str]]) -> int | None:
    """From mteb's statistics, which tell the pairs and their mean a query."""
    if len(parts) != 1:
        return None
    ((split, _),) = parts
    found = ((metadata.descriptive_stats or {}).get(split) or {}).get("relevant_docs_statistics") or {}
    pairs, mean = found.get("num_relevant_docs"), found.get("average_relevant_docs_per_query")
    return round(pairs / mean) if pairs and mean else None
