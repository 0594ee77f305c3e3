"""What the five tasks are called in mteb's own repository."""

from __future__ import annotations


def upstream_name(task: str) -> str:
    """The name of a task ("order") in mteb's repository: "ReasonAudioOrderT2ARetrieval"."""
    return f"ReasonAudio{task.capitalize()}T2ARetrieval"
