"""A program that a plain mteb runs: what mteb's own tests ask of a task, and a toy encoder's scores. Prints JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

import mteb

from tests.toy_encoder import ToyEncoder

TASKS = [f"ReasonAudio{task}T2ARetrieval" for task in ("Negation", "Order", "Overlap", "Duration", "Mix")]


def about(name: str) -> dict[str, Any]:
    """What mteb's tests of metadata look at."""
    task = mteb.get_task(name)
    task.metadata._validate_metadata()
    return {
        "module": type(task).__module__,
        "filled": task.metadata.is_filled(),
        "trusts": task.metadata.dataset.get("trust_remote_code", False),
        "dataset": dict(task.metadata.dataset),
        "description": task.metadata.description,
        "citation": task.metadata.bibtex_citation,
        "in_text": task.metadata.intext_citation(),
        "statistics": task.metadata.descriptive_stats,
        "samples": task.metadata.n_samples,
        "prompt": task.metadata.prompt,
    }


def scores(name: str) -> dict[str, float]:
    """All scores of the toy encoder."""
    task = mteb.get_task(name)
    results = mteb.evaluate(ToyEncoder(), task, cache=None, co2_tracker=False, show_progress_bar=False).task_results
    (found,) = results[0].scores["test"]
    return {key: value for key, value in found.items() if isinstance(value, float)}


if __name__ == "__main__":
    listed = {task.metadata.name for task in mteb.get_tasks(categories=["t2a"])}
    found = {
        "mteb": mteb.__file__,
        "plugin": "eval_harness" in sys.modules,
        "benchmark": [task.metadata.name for task in mteb.get_benchmark("ReasonAudio").tasks],
        "listed": sorted(listed & set(TASKS)),
        "tasks": {name: about(name) for name in TASKS},
        "scores": {name: scores(name) for name in TASKS},
    }
    print("\n" + json.dumps(found))
