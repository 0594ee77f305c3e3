"""Run as a program of its own beside a plain mteb, of which `mteb` is the name: nothing of this package is imported.

Its arguments are a folder and steps: `scan` looks at what mteb has; the name of a task loads it, computes its statistics by
mteb's own code and evaluates mteb's random encoder on it. What was found goes into STEP.json in the folder; then the step is
printed.
"""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from pathlib import Path
from typing import Any

RANDOM = "mteb/baseline-random-encoder"
NEEDED = ("torchaudio", "torchvision")
"""What the random encoder asks for where it is given audio, only to bring clips to one rate."""
PAPER = "2605.03361"
NEAR = re.compile(
    r"\b(negat\w+|absen\w+|without|temporal(ly)?|order\w*|simultan\w+|overlap\w*|duration|longer|composition\w*|reason\w+)\b",
    re.I,
)
"""Words that a task would use which asks what ours ask."""


def scan() -> dict[str, Any]:
    """Text-to-audio tasks of mteb that come near to ours, tasks of the same paper, and the tasks of our benchmark."""
    import mteb

    tasks = mteb.get_tasks(exclude_superseded=False, exclude_private=False, exclude_beta=False)
    others = [task.metadata for task in tasks if not task.metadata.name.startswith("ReasonAudio")]
    audio = [one for one in others if one.category == "t2a"]
    texts = {one.name: " ".join((one.name, one.description, *(one.task_subtypes or ()))) for one in audio}
    return _about() | {
        "tasks": len(others),
        "t2a": sorted(one.name for one in audio),
        "near": {
            name: sorted({found[0].lower() for found in NEAR.finditer(text)}) for name, text in texts.items() if NEAR.search(text)
        },
        "same_paper": sorted(one.name for one in others if PAPER in f"{one.bibtex_citation} {one.reference}"),
        "benchmark": [task.metadata.name for task in mteb.get_benchmark("ReasonAudio").tasks],
    }


def measure(name: str) -> dict[str, Any]:
    """A task's metadata, statistics and the random encoder's scores, with how long each took."""
    import mteb

    task = mteb.get_task(name)
    task.metadata._validate_metadata()
    start = time.monotonic()
    task.load_data()
    loaded = time.monotonic()
    task.calculate_descriptive_statistics(overwrite_results=True)
    counted = time.monotonic()
    statistics = task.metadata.descriptive_stat_path.read_text(encoding="utf-8")
    random = _random_encoder(task)
    task.unload_data()
    return _about() | {
        "filled": task.metadata.is_filled(),
        "samples": task.metadata.n_samples,
        "revision": task.metadata.revision,
        "public": task.metadata.is_public and not task.metadata.dataset.get("trust_remote_code", False),
        "statistics": statistics,
        "statistics_seconds": round(counted - loaded, 2),
        "load_seconds": round(loaded - start, 2),
        "random": random,
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)),
    }


def _random_encoder(task: Any) -> dict[str, Any]:
    """The scores of mteb's random encoder.

    It draws a vector for the hash of a clip's samples. Where a package is missing that would bring them to 16 kHz first, they are
    hashed as they are: another draw of the same lottery.
    """
    import mteb

    missing = [package for package in NEEDED if not _importable(package)]
    model = mteb.get_model(RANDOM)
    if missing:
        import mteb.models.model_implementations.random_baseline as baseline

        baseline._attach_modality_collator = lambda *args, **settings: None
    start = time.monotonic()
    results = mteb.evaluate(
        model, task, cache=None, overwrite_strategy="always", co2_tracker=False, show_progress_bar=False
    ).task_results
    (scores,) = results[0].scores["test"]
    return {
        "main_score": scores["main_score"],
        "ndcg_at_10": scores["ndcg_at_10"],
        "seconds": round(time.monotonic() - start, 2),
        "missing": missing,
    }


def _importable(package: str) -> bool:
    try:
        __import__(package)
    except Exception:  # a build for another torch raises what it likes
        return False
    return True


def _about() -> dict[str, Any]:
    import mteb

    return {"mteb": mteb.__version__, "place": str(Path(mteb.__file__).parent), "alone": "eval_harness" not in sys.modules}


if __name__ == "__main__":
    for step in sys.argv[2:]:
        text = json.dumps(scan() if step == "scan" else measure(step))
        Path(sys.argv[1], f"{step}.json").write_text(text, encoding="utf-8")
        print(step, flush=True)  # the program that started this one waits for it
