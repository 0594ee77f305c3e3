"""Finds results: in folders of `reasonaudio run` and caches of mteb. Reads their files once, and follows no links."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from builders.errors import EvaluationError
from eval_harness.submission.loading import Loaded, load_meta, load_result, said_task
from eval_harness.submission.names import OWN_NAMES, not_for_leaderboard

META = "model_meta.json"
SETTINGS = "run_settings.jsonl"
RESULTS = "results"
EXPERIMENTS = "experiments"
SHORT = 12
"""Characters of a revision that are shown."""
LARGEST = 10 * 1024 * 1024
"""Bytes; the results repository refuses larger files."""


@dataclass(frozen=True)
class Found:
    """A file.

    Attributes:
        path: where it lies.
        content: its bytes; empty where it could not be read.
        problem: why it could not be; "" if it was.
    """

    path: Path
    content: bytes = b""
    problem: str = ""


@dataclass(frozen=True)
class ModelResults:
    """All that was found of one model at one revision.

    Attributes:
        folder: the folder's name, "org__model".
        revision: of the model: the name of the folder below that.
        files: file name -> the files of that name, each content once; several where folders disagree.
    """

    folder: str
    revision: str
    files: Mapping[str, tuple[Found, ...]]

    @cached_property
    def meta(self) -> Loaded:
        """mteb's record of the model."""
        found = self.files.get(META, ())
        return load_meta(found[0].content) if len(found) == 1 and not found[0].problem else Loaded()

    @property
    def name(self) -> str:
        """The model's name; where no record that fits the folder tells it, as far as the folder's name does."""
        told = self.meta.name
        return told if told and as_folder(told) == self.folder else self.folder.replace("__", "/")

    @property
    def label(self) -> str:
        """For messages: MODEL@REVISION, the revision shortened."""
        return plain(f"{self.name}@{self.revision[:SHORT]}")

    @property
    def tasks(self) -> tuple[str, ...]:
        """Names of files of results, without ".json"."""
        return tuple(name.removesuffix(".json") for name in sorted(self.files) if name not in (META, SETTINGS))

    @cached_property
    def results(self) -> Mapping[str, Loaded]:
        """Task -> its result, of those of which there is one readable file."""
        return {
            task: load_result(found[0].content)
            for task in self.tasks
            if len(found := self.files[f"{task}.json"]) == 1 and not found[0].problem
        }


def as_folder(model: str) -> str:
    """A model's name as mteb names its folder."""
    return model.replace("/", "__").replace(" ", "_")


@dataclass
class Gathered:
    """What was found.

    Attributes:
        models: those with results of the tasks that are wanted, under whatever names; sorted by name and revision.
        left_out: reason -> how many files.
        problems: what kept folders from being read, and the way out.
    """

    models: list[ModelResults] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    problems: list[tuple[str, str]] = field(default_factory=list)


def gather(folders: Sequence[Path], tasks: Sequence[str]) -> Gathered:
    """The results below `folders`.

    Args:
        folders: what `reasonaudio run --out` or mteb wrote (with `results` in it), or such a `results` folder itself.
        tasks: names in mteb of the tasks that are wanted.

    Raises:
        EvaluationError: a folder does not exist, or holds no results.
    """
    done = Gathered()
    files: dict[tuple[str, str], dict[str, list[Found]]] = {}
    for folder in folders:
        before = len(done.problems)
        revisions = list(_revisions(models_root(folder), done))
        if not revisions and len(done.problems) == before:
            raise EvaluationError(
                f"{folder} holds no results; give a folder that `reasonaudio run --out` wrote, or a folder of results of mteb"
            )
        for place in revisions:
            there = files.setdefault((place.parent.name, place.name), {})
            for found in _files(place, tasks, done):
                same_name = there.setdefault(found.path.name, [])
                if not any((found.content, found.problem) == (one.content, one.problem) for one in same_name):
                    same_name.append(found)
    models = (
        ModelResults(folder, revision, {name: tuple(found) for name, found in named.items()})
        for (folder, revision), named in sorted(files.items())
    )
    done.models = [model for model in models if model.tasks]  # a cache of mteb may be full of others
    return done


def models_root(folder: Path) -> Path:
    """The folder of the models' folders. Raises EvaluationError where `folder` is none."""
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise EvaluationError(f"{plain(folder)} {what}; give a folder that `reasonaudio run --out` wrote")
    below = folder / RESULTS
    return below if below.is_dir() and not below.is_symlink() else folder


def _revisions(root: Path, done: Gathered) -> Iterator[Path]:
    """The folders MODEL/REVISION that hold files of mteb."""
    for model in _folders(root, done):
        for revision in _folders(model, done):
            names = set(_names(revision, done))
            if {META, SETTINGS, EXPERIMENTS} & names or any(name.endswith(".json") for name in names):
                yield revision


def _folders(parent: Path, done: Gathered) -> Iterator[Path]:
    for name in _names(parent, done):
        path = parent / name
        if name.startswith(".") or not path.is_dir():
            continue
        if path.is_symlink():
            done.problems.append((f"{plain(path)} is a link, and links are not followed", "give the folder that it leads to"))
        else:
            yield path


def _names(folder: Path, done: Gathered) -> list[str]:
    try:
        return sorted(path.name for path in folder.iterdir())
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        done.problems.append((f"{plain(folder)} cannot be read ({why})", "change its permissions"))
        return []


def _files(place: Path, tasks: Sequence[str], done: Gathered) -> Iterator[Found]:
    """The files of a model that matter; counts what is left out."""
    for name in _names(place, done):
        path = place / name
        task = name.removesuffix(".json")
        if name == EXPERIMENTS and path.is_dir() and not path.is_symlink():
            count = sum(one.name != META for one in path.glob("*/*.json"))
            done.left_out["experiments (settings that are not the model's own) are not for the leaderboard"] += count
        elif name in (META, SETTINGS) or (task in {*tasks, *OWN_NAMES} and task != name):
            yield read_file(path)
        elif task != name and not name.startswith("."):
            reason = not_for_leaderboard(task)
            found = Found(path) if reason else read_file(path)
            if said_task(found.content) in tasks:
                yield found  # its name is not that of its task, which a rule tells
            else:
                done.left_out[reason or "of other tasks"] += 1


def read_file(path: Path) -> Found:
    """Reads a file, if it is one and not too large."""
    try:
        # A link is refused, and a named pipe does not keep it waiting.
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        why = "is a link; copy the file itself there" if path.is_symlink() else (error.strerror or str(error)).lower()
        return Found(path, problem=why)
    try:
        about = os.fstat(opened)
        if not stat.S_ISREG(about.st_mode):
            return Found(path, problem="is no file")
        if about.st_size > LARGEST:
            return Found(path, problem=f"has {about.st_size:,} bytes, and the results repository takes {LARGEST:,} at most")
        with os.fdopen(opened, "rb", closefd=False) as file:
            content = file.read()
    finally:
        os.close(opened)
    return Found(path, content) if content else Found(path, problem="is empty (0 bytes)")


def plain(text: str | Path, most: int = 300) -> str:
    """On one line, without what could confuse a terminal, and not endless."""
    printable = "".join(char if char.isprintable() else "�" for char in str(text))
    return printable if len(printable) <= most else printable[: most - 1] + "…"
