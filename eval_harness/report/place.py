"""Where a folder of pages goes: written aside, then moved into place; what is not a folder of ours is never touched."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from builders.errors import EvaluationError
from builders.files import make_folder

MARKER = "report.json"
"""In every report: its values, and the list of its files."""
KIND = "reasonaudio report"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of folder of pages.

    Attributes:
        marker: the file in it that holds its values, and the list of its files.
        kind: what the marker says that it is.
        noun: what it is called.
        option: that names the folder.
    """

    marker: str
    kind: str
    noun: str
    option: str


REPORT = Kind(MARKER, KIND, "report", "--to")


def check_place(path: Path, what: Kind = REPORT) -> None:
    """Raises EvaluationError unless pages may be written at `path`: nothing there, an empty folder, or an earlier one."""
    if not os.path.lexists(path):
        return
    if path.is_symlink() or not path.is_dir():
        raise EvaluationError(f"{path} is {'a link' if path.is_symlink() else 'a file'}; give another folder with {what.option}")
    there = _files(path)
    if not there:
        return
    own = _listed(path, what)
    if own is None:
        raise EvaluationError(
            f"{path} is not empty, and no {what.noun}; nothing in it is changed: give another folder with {what.option}"
        )
    foreign = sorted(there - own)
    if foreign:
        raise EvaluationError(
            f"{path} is a {what.noun}, but holds other files too, as {foreign[0]}; move them away, or give another folder with "
            f"{what.option}"
        )


@contextmanager
def written_aside(path: Path, what: Kind = REPORT) -> Iterator[Path]:
    """A folder to write pages into; it takes the place of an earlier one at `path` at the end, if all went well.

    Raises:
        EvaluationError: what is at `path` is no such folder.
        BuildError: its parent cannot be made.
    """
    check_place(path, what)
    make_folder(path.absolute().parent)
    name = path.absolute().name
    aside, old = (path.absolute().with_name(f".{name}.{os.getpid()}.{state}") for state in ("tmp", "old"))
    shutil.rmtree(aside, ignore_errors=True)  # of a process that had this number and was killed
    try:
        aside.mkdir()
    except OSError as error:
        raise _unwritable(path, error, what) from None
    try:
        yield aside
        check_place(path, what)
        try:
            if path.exists():
                path.rename(old)
            aside.rename(path)
        except OSError as error:
            raise _unwritable(path, error, what) from None
        shutil.rmtree(old, ignore_errors=True)
    finally:
        if old.exists() and not path.exists():
            old.rename(path)
        shutil.rmtree(aside, ignore_errors=True)


def _unwritable(path: Path, error: OSError, what: Kind) -> EvaluationError:
    reason = (error.strerror or str(error)).lower()
    return EvaluationError(f"{path} cannot be written ({reason}); give another folder with {what.option}")


def mark(folder: Path, values: dict[str, object], what: Kind = REPORT) -> None:
    """Writes the marker of a folder of pages, last of all: its values and its files."""
    content = {"kind": what.kind, **values, "files": sorted(_files(folder) | {what.marker})}
    (folder / what.marker).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _files(folder: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if not file.is_dir() or file.is_symlink()}


def _listed(folder: Path, what: Kind) -> set[str] | None:
    """The files that the folder says it has; None where there is no marker of ours."""
    try:
        found = json.loads((folder / what.marker).read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(found, dict) or found.get("kind") != what.kind or not isinstance(found.get("files"), list):
        return None
    return {str(file) for file in found["files"]}
