"""Whether a task's statistics would pass mteb's own tests of tasks (its `tests/test_tasks/test_task_quality.py`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

SHORTEST_TEXT = 3
"""Characters: a text must have more."""
DUPLICATES = 0.01
"""The share of texts, or of clips, that may be there twice."""


def problems(statistics: Mapping[str, Any]) -> list[str]:
    """What mteb's tests would find, each in a few words; its warnings are no part of it.

    Args:
        statistics: of a task, split -> statistics, as mteb computes them.
    """
    found: list[str] = []
    for split, one in statistics.items():
        parts = {split: one} | {f"{split} {subset}": part for subset, part in one.get("hf_subset_descriptive_stats", {}).items()}
        for where, part in parts.items():
            found += [f"{where}: {problem}" for problem in _of_part(part)]
    return list(dict.fromkeys(found))


def _of_part(part: Mapping[str, Any]) -> Iterator[str]:
    if not part["num_samples"]:
        yield "no samples"
    queries, clips = part["num_queries"], part["num_documents"]
    texts, audio, relevant = (
        part["queries_text_statistics"],
        part["documents_audio_statistics"],
        part["relevant_docs_statistics"],
    )
    if not texts["min_text_length"] > SHORTEST_TEXT:
        yield f"a query of {texts['min_text_length']} characters"
    yield from _counted("texts", texts["unique_texts"], queries)
    if not audio["min_duration_seconds"] > 0:
        yield "a clip without length"
    yield from _counted("clips", audio["unique_audios"], clips)
    if relevant["min_relevant_docs_per_query"] == 0:
        yield "a query without a relevant clip"
    if relevant["unique_relevant_docs"] > clips:
        yield "relevant clips that are not in the corpus"


def _counted(what: str, different: int, total: int) -> Iterator[str]:
    if different < total * (1 - DUPLICATES):
        yield f"{different} different {what} among {total}"
    elif different > total:
        yield f"{different} different {what}, more than the {total} there are"
