"""The folder with the pull request: everything is written into it, and a second run writes the same."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders.errors import EvaluationError
from builders.files import make_folder, read_object, write_whole
from builders.recipe import CLIPS_PER_SET, TASK_NAMES
from eval_harness.submission.names import upstream_name
from eval_harness.ui import Report
from eval_harness.upstream import patching, writing
from eval_harness.upstream.checklist import Box, boxes
from eval_harness.upstream.corpus import Offer, megabytes
from eval_harness.upstream.evidence import Evidence
from eval_harness.upstream.measuring import SCAN, measure
from eval_harness.upstream.plain_mteb import NEEDED, RANDOM

MARKER = "upstream.json"
MEASURED = "measured.json"
PATCH = "reasonaudio.patch"
TEXT = "PULL_REQUEST.md"
CREATE_DATA = "scripts/data/reasonaudio/create_data.py"


@dataclass(frozen=True)
class PullRequest:
    """What was written.

    Attributes:
        out: the folder.
        files: all files by their paths in mteb's repository.
        boxes: the checklist.
    """

    out: Path
    files: tuple[str, ...]
    boxes: list[Box]


def statistics_file(task: str) -> str:
    """Where mteb looks for the statistics of a task, in its repository."""
    return f"{patching.STATISTICS}/{upstream_name(task)}.json"


def own_files() -> frozenset[str]:
    """Every file that a folder of a pull request may hold."""
    return frozenset(
        (
            *(MARKER, MEASURED, PATCH, TEXT, CREATE_DATA),
            *(patching.TASKS_FILE, patching.TASKS_INIT, patching.BENCHMARKS_FILE, patching.BENCHMARKS_INIT),
            *map(statistics_file, TASK_NAMES),
        )
    )


def written_files(corpus: Offer) -> dict[str, str]:
    """The files by path, without statistics: ours, and mteb's with ours in them."""
    names = [upstream_name(task) for task in TASK_NAMES]
    return {
        patching.TASKS_FILE: writing.task_module(corpus),
        patching.TASKS_INIT: patching.with_tasks(patching.original(patching.TASKS_INIT), names),
        patching.BENCHMARKS_FILE: patching.with_benchmark(
            patching.original(patching.BENCHMARKS_FILE), writing.benchmark_entry(corpus)
        ),
        patching.BENCHMARKS_INIT: patching.with_benchmark_name(patching.original(patching.BENCHMARKS_INIT), writing.CONSTANT),
        CREATE_DATA: writing.create_data(corpus),
    }


def open_out(out: Path, corpus: Offer) -> None:
    """Makes the folder, or takes it up again.

    Raises:
        EvaluationError: it holds something else, or the pull request of other data.
        BuildError: it cannot be made.
    """
    if out.exists() and not out.is_dir():
        raise EvaluationError(f"{out} is a file; give a folder for the pull request")
    about = {"path": corpus.data.path, "revision": corpus.data.revision, "content": corpus.content}
    present = sorted(str(file.relative_to(out)) for file in out.rglob("*") if not file.is_dir()) if out.is_dir() else []
    if present and MARKER not in present:
        raise EvaluationError(f"{out} is not empty, and no pull request that was written here; give another folder")
    foreign = [file for file in present if file not in own_files()]
    if foreign:
        raise EvaluationError(
            f"{out} holds {foreign[0]}, which is no part of the pull request; remove it, or give another folder"
        )
    if present:
        there = read_object(out / MARKER) or {}
        if there != about:
            raise EvaluationError(
                f"{out} is the pull request of other data ({there.get('path')} at {str(there.get('revision'))[:12]}); remove "
                "it, or give another folder"
            )
    make_folder(out)
    write_whole(out / MARKER, (json.dumps(about, indent=2) + "\n").encode())


def write(corpus: Offer, out: Path, found: list[Evidence], report: Report) -> PullRequest:
    """Writes the pull request; measurements that are there are kept.

    Args:
        corpus: the data, as `corpus.describe` let them pass.
        out: the folder.
        found: results of models on the data.
        report: called as measurements are finished.

    Raises:
        EvaluationError: the folder holds something else, mteb lacks a file, or cannot run a task.
        BuildError: the folder cannot be made.
    """
    open_out(out, corpus)
    files = written_files(corpus)
    key = {
        "content": corpus.content,
        "path": corpus.data.path,
        "revision": corpus.data.revision,
        "mteb": patching.mteb_version(),
        "beside": _beside(),
    }
    measured = measure(files, key, out / MEASURED, report)
    files |= {statistics_file(task): measured[task]["statistics"] for task in TASK_NAMES}
    checked = boxes(corpus, measured, found)
    texts = {**files, PATCH: patching.patch(files), TEXT: _text(corpus, measured, found, checked, sorted(files))}
    for path, text in texts.items():
        place = out / path
        make_folder(place.parent)
        if not place.is_file() or place.read_bytes() != text.encode():
            write_whole(place, text.encode())
    return PullRequest(out, tuple(sorted(files)), checked)


def _beside() -> str:
    """The packages that the random encoder asks for, as far as they are here: once they are, it is measured again."""
    return " ".join(name for name in NEEDED if importlib.util.find_spec(name))


def _text(
    corpus: Offer, measured: Mapping[str, Mapping[str, Any]], found: list[Evidence], checked: list[Box], files: list[str]
) -> str:
    from eval_harness import tasks

    folder = corpus.folder
    return writing.render(
        "PULL_REQUEST.md.jinja",
        {
            "corpus": corpus,
            "trial": corpus.trial,
            "recreation": writing.recreation(),
            "clips_per_set": CLIPS_PER_SET,
            "main_score": tasks.MAIN_SCORE,
            "random": RANDOM,
            "rows": [_row(corpus, task, measured[task]) for task in TASK_NAMES],
            "tasks": TASK_NAMES,
            "models": found,
            "boxes": checked,
            "files": files,
            "mteb": measured[SCAN]["mteb"],
            "recipe_hash": folder.recipe_hash,
            "content": corpus.content,
            "library": folder.library_name,
            "listened": folder.listened,
            "build_line": writing.build_line(corpus),
        },
    )


def _row(corpus: Offer, task: str, measured: Mapping[str, Any]) -> dict[str, str]:
    size = corpus.sizes[task]
    statistics = json.loads(measured["statistics"])["test"]
    texts, audio = statistics["queries_text_statistics"], statistics["documents_audio_statistics"]
    return {
        "name": upstream_name(task),
        "clips": f"{size.clips:,}",
        "megabytes": megabytes(size.megabytes),
        "queries": f"{size.queries:,}",
        "relevant": size.spread,
        "chance": f"{size.chance:.4f}",
        "random": f"{measured['random']['main_score']:.3f}",
        "shortest": str(texts["min_text_length"]),
        "texts": f"{texts['unique_texts']:,} of {statistics['num_queries']:,}",
        "audios": f"{audio['unique_audios']:,} of {statistics['num_documents']:,}",
    }
