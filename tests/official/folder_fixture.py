"""Folders as the paper's authors may lay them out, small: half a second of tones at 8 kHz, two queries a task."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import soundfile

from builders.recipe import TASK_NAMES

RATE = 8000
CLIPS = 4
QUERIES = 2
QRELS = (("0", "1", "1"), ("0", "3", "1"), ("1", "2", "1"), ("1", "0", "0"))
"""(query, clip, score): query 0 has two relevant clips, query 1 has one; the ids of queries are those of clips as well."""


def write_clip(path: Path, number: int, channels: int = 1) -> None:
    """A tone that swells somewhere else in each clip."""
    path.parent.mkdir(parents=True, exist_ok=True)
    time = np.arange(RATE // 2) / RATE
    tone = np.sin(2 * np.pi * (200 + 40 * number) * time) * np.exp(-np.square((time - 0.04 * (number % 12)) / 0.1)) * 0.5
    soundfile.write(path, np.stack([tone] * channels, axis=1), RATE, subtype="PCM_16")


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]], delimiter: str = ",") -> None:
    """A table of text with a header."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def clip_rows(task: str) -> list[tuple[str, str, str]]:
    """_id, audio, text of a task's clips."""
    return [(str(number), f"{task}_{number:04}.wav", "") for number in range(CLIPS)]


def query_rows(task: str) -> list[tuple[str, str, str]]:
    """_id, audio, text of a task's queries; the text holds a comma and quotes."""
    return [(str(number), "", f'{task}: a "bell", then sound {number}') for number in range(QUERIES)]


def write_task(folder: Path, task: str, tables: bool = True) -> Path:
    """One task in a folder: corpus.csv, queries.csv, qrels/test.tsv, and wavs in audio/."""
    first = 10 * TASK_NAMES.index(task)
    for number, (_, name, _) in enumerate(clip_rows(task)):
        write_clip(folder / "audio" / name, first + number)
    if tables:
        write_table(folder / "corpus.csv", ("_id", "audio", "text"), clip_rows(task))
        write_table(folder / "queries.csv", ("_id", "audio", "text"), query_rows(task))
        write_table(folder / "qrels" / "test.tsv", ("query-id", "corpus-id", "score"), QRELS, "\t")
    return folder


def write_official(folder: Path, tasks: Mapping[str, str] | None = None) -> Path:
    """All tasks, a folder each: task -> the folder's name."""
    for task, name in (tasks or {task: task.capitalize() for task in TASK_NAMES}).items():
        write_task(folder / name, task)
    return folder
