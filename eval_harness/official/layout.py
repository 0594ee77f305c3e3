"""Which tables in a folder are which: a corpus, queries and qrels for each task, told by names, else by columns.

A name may stand in a folder's or a file's: `Negation/corpus.csv`, `ReasonAudio-Negation/qrels/test.tsv`,
`negation/queries/test-00000-of-00001.parquet`, `negation-queries.jsonl`; capitals make no difference. A folder that is called
after a task may be given alone. Of several splits `test` is taken.

A table whose name says no kind is told by its columns: `query-id` and `corpus-id` are qrels, `_id` and `audio` clips, `_id` and
`text` queries; with all three, rows with audio are clips and rows with text are queries.

A task without a corpus of its own searches one that lies beside the tasks or, where there is none, that of the only task that
brings one; `Layout.notes` tells of it. Where two tables could be meant, it is an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from builders.errors import EvaluationError
from builders.layout import MANIFEST
from builders.recipe import TASK_NAMES
from eval_harness.official.tables import SUFFIXES, columns_of

KINDS = ("corpus", "queries", "qrels")
_KIND_WORDS = {"corpus": "corpus", "queries": "queries", "query": "queries", "qrels": "qrels", "qrel": "qrels"}
_SPLITS = ("test", "train", "dev", "validation", "val")
_SAY_NOTHING = {"reasonaudio", "reason", "audio", "data", "dataset", "datasets", "of", ""}
_PART = re.compile(r"^(?P<name>.+)-(?P<number>\d{5})-of-(?P<total>\d{5})$")


@dataclass(frozen=True, slots=True)
class TaskTables:
    """The files of one task.

    Attributes:
        task: "negation", ...
        corpus, queries, qrels: the parts of each table, in order. A table of clips and queries together stands in both.
    """

    task: str
    corpus: tuple[Path, ...]
    queries: tuple[Path, ...]
    qrels: tuple[Path, ...]

    @property
    def mixed(self) -> bool:
        """Whether clips and queries stand in one table."""
        return self.corpus == self.queries


@dataclass(frozen=True)
class Layout:
    """What lies in a folder.

    Attributes:
        root: the folder.
        tasks: those that are there, in the order of `TASK_NAMES`.
        others: every file that is no table, by its name: what clips are looked for among.
        notes: what was decided that a reader should know.
    """

    root: Path
    tasks: tuple[TaskTables, ...]
    others: Mapping[str, tuple[Path, ...]] = field(repr=False)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """A table, and what its name says of it; "" where it says nothing."""

    path: Path
    task: str
    kind: str
    split: str


def find_layout(root: Path) -> Layout:
    """The tables of every task that a folder holds; reads names, and the columns of tables whose name says too little.

    Raises:
        EvaluationError: there is no such folder, no task in it, a table is missing, or two could be meant.
    """
    if not root.is_dir():
        what = "is a file; give the folder that it lies in" if root.exists() else "does not exist"
        raise EvaluationError(f"official data: {root} {what}")
    if (root / MANIFEST).is_file():
        raise EvaluationError(f"{root} is a corpus of `reasonaudio build`, not the paper's own data; give it without 'official:'")
    tables, others = _walk(root)
    there = {table.task for table in tables} | {_words(path.name)[0] for path in root.iterdir() if path.is_dir()}
    tasks = [task for task in TASK_NAMES if task in there]
    if not tasks:
        raise EvaluationError(
            f"official data: {root} holds no task: no folder or table in it is called after one ({', '.join(TASK_NAMES)}), nor "
            "is it itself; name them so"
        )
    notes = [f"{root} has no task {task}" for task in TASK_NAMES if task not in tasks and len(tasks) > 1]
    own = {task: _chosen(root, task, [table for table in tables if table.task == task], notes) for task in tasks}
    beside = [table for table in tables if not table.task]
    notes += [f"{_short(root, table.path)} is not used: it is of no task" for table in beside if _of_something_else(root, table)]
    shared = _chosen(root, "", [table for table in beside if not _of_something_else(root, table)], notes).get("corpus", ())
    return Layout(root, tuple(_complete(root, task, own, shared, notes) for task in tasks), others, tuple(notes))


def _walk(root: Path) -> tuple[list[_Found], dict[str, tuple[Path, ...]]]:
    """The tables, and all other files by name. Hidden files and folders are left out."""
    tables: list[_Found] = []
    others: dict[str, tuple[Path, ...]] = {}
    default = _words(root.resolve().name)[0]
    for folder, inside, files in os.walk(root):
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        for name in sorted(name for name in files if not name.startswith(".")):
            path = Path(folder, name)
            if path.suffix.lower() in SUFFIXES:
                tables.append(_classified(root, path, default))
            else:
                others[name] = (*others.get(name, ()), path)
    return tables, others


def task_of(root: Path, path: Path) -> str:
    """The task that the folders of a file below `root` are called after; "" where they name none."""
    return next((task for part in path.relative_to(root).parent.parts if (task := _words(part)[0])), "")


def _classified(root: Path, path: Path, default: str) -> _Found:
    parts = (*path.relative_to(root).parent.parts, path.stem)
    said = [_words(part) for part in parts]
    tasks = list(dict.fromkeys(task for task, _, _ in said if task))
    if len(tasks) > 1:
        raise EvaluationError(f"{path}: is it of {tasks[0]} or of {tasks[1]}? Both stand in its name; name it after one")
    kinds = list(dict.fromkeys(kind for _, kind, _ in said if kind))
    if len(kinds) > 1:
        raise EvaluationError(f"{path}: is it {kinds[0]} or {kinds[1]}? Both stand in its name; name it after one")
    splits = [split for _, _, split in said if split]
    return _Found(path, tasks[0] if tasks else default, kinds[0] if kinds else "", splits[-1] if splits else "")


def _of_something_else(root: Path, table: _Found) -> bool:
    """Whether it lies in a folder whose name is that of no task, and says something all the same: "Natural"."""
    return any(not any(_words(part)) and _rest(part) for part in table.path.relative_to(root).parent.parts)


def _rest(name: str) -> set[str]:
    """The words of a name that mean nothing here."""
    return set(_split(name)) - set(TASK_NAMES) - _KIND_WORDS.keys() - set(_SPLITS) - _SAY_NOTHING


def _split(name: str) -> list[str]:
    return [word.removeprefix("reasonaudio") for word in re.findall("[a-z]+", name.lower())]


def _words(name: str) -> tuple[str, str, str]:
    """The task, kind and split that a name says, each "" if it says none; all "" where it says anything else."""
    words = _split(name)
    tasks = {word for word in words if word in TASK_NAMES}
    kinds = {_KIND_WORDS[word] for word in words if word in _KIND_WORDS}
    splits = {word for word in words if word in _SPLITS}
    if _rest(name) or max(len(tasks), len(kinds), len(splits)) > 1:
        return "", "", ""
    return next(iter(tasks), ""), next(iter(kinds), ""), next(iter(splits), "")


def _chosen(root: Path, task: str, tables: list[_Found], notes: list[str]) -> dict[str, tuple[Path, ...]]:
    """Kind -> the parts of the table of a task (or of none): by name first, by columns where no name says the kind."""
    found = {kind: [table for table in tables if table.kind == kind] for kind in KINDS}
    unnamed = [table for table in tables if not table.kind]
    if any(not found[kind] for kind in KINDS):
        offers = {table: _offers(columns_of(table.path)) for table in unnamed}
        for kind in [kind for kind in KINDS if not found[kind]]:
            found[kind] = [table for table in unnamed if kind in offers[table]]
    used = {table for several in found.values() for table in several}
    notes += [f"{_short(root, table.path)} is not used" for table in tables if table not in used]
    return {kind: _parts(root, task, kind, several, notes) for kind, several in found.items() if several}


def _offers(columns: frozenset[str]) -> set[str]:
    if {"query-id", "corpus-id"} <= columns:
        return {"qrels"}
    kinds = {"audio": "corpus", "text": "queries"}
    return {kinds[column] for column in columns & kinds.keys()} if "id" in columns else set()


def _parts(root: Path, task: str, kind: str, tables: list[_Found], notes: list[str]) -> tuple[Path, ...]:
    """The files of one table: one, or all parts NAME-00000-of-00002, NAME-00001-of-00002."""
    of_test = [table for table in tables if table.split == "test"]
    if of_test and len(of_test) < len(tables):
        left_out = [table for table in tables if table not in of_test]
        notes += [f"{_short(root, table.path)} is not used: of several splits, test is" for table in left_out]
        tables = of_test
    paths = sorted(table.path for table in tables)
    if len(paths) == 1 and not _PART.match(paths[0].stem):
        return (paths[0],)
    found = [_PART.match(path.stem) for path in paths]
    first = found[0]
    if first is None or any(one is None or one["name"] != first["name"] for one in found):
        raise EvaluationError(
            f"{root}: {task or 'beside the tasks'}: is {_short(root, paths[0])} or {_short(root, paths[1])} the table of "
            f"{kind}? Leave one, or name it {kind}"
        )
    if [int(one["number"]) for one in found if one] != list(range(int(first["total"]))):
        raise EvaluationError(f"{paths[0]}: {len(paths)} of the {int(first['total'])} parts of this table are there; get all")
    return tuple(paths)


def _complete(
    root: Path,
    task: str,
    own: Mapping[str, Mapping[str, tuple[Path, ...]]],
    shared: tuple[Path, ...],
    notes: list[str],
) -> TaskTables:
    """The three tables of a task, its corpus from elsewhere if it brings none. Raises EvaluationError."""
    tables = own[task]
    corpus = tables.get("corpus") or shared
    if not corpus:
        elsewhere = {other: own[other]["corpus"] for other in own if "corpus" in own[other]}
        if len(elsewhere) > 1:
            one, two = list(elsewhere)[:2]
            raise EvaluationError(
                f"{root}: {task} has no table of clips, and those of {one} and {two} could be meant; give it its own, or put the "
                "one that all search at the top of the folder, as corpus.csv"
            )
        corpus = next(iter(elsewhere.values()), ())
    missing = [kind for kind in KINDS if not (corpus if kind == "corpus" else tables.get(kind))]
    if missing:
        there = sorted({_short(root, part) for parts in (*tables.values(), shared) for part in parts})
        raise EvaluationError(
            f"{root}: {task} has no table of {missing[0]}, named {missing[0]}{' or '.join(_examples(missing[0]))} or with the "
            f"columns of one; its tables are {', '.join(there) or 'none'}"
        )
    if not tables.get("corpus"):
        notes.append(f"{task} has no table of clips, so its queries search those of {_short(root, corpus[0])}")
    return TaskTables(task, corpus, tables["queries"], tables["qrels"])


def _examples(kind: str) -> Iterable[str]:
    return (".csv", ".tsv", "/test.tsv") if kind == "qrels" else (".csv", ".tsv", ".jsonl", ".parquet")


def _short(root: Path, path: Path) -> str:
    return path.relative_to(root).as_posix()
