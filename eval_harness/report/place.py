"""Where a report goes: written aside, then moved into place; what is not a report of ours is never touched."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from builders.errors import EvaluationError
from builders.files import make_folder

MARKER = "report.json"
"""In every report: its values, and the list of its files."""
KIND = "reasonaudio report"


def check_place(path: Path) -> None:
    """Raises EvaluationError unless a report may be written at `path`: nothing there, an empty folder, or an earlier report."""
    if not os.path.lexists(path):
        return
    if path.is_symlink() or not path.is_dir():
        raise EvaluationError(f"{path} is {'a link' if path.is_symlink() else 'a file'}; give another folder with --to")
    there = _files(path)
    if not there:
        return
    own = _listed(path)
    if own is None:
        raise EvaluationError(f"{path} is not empty, and no report; nothing in it is changed: give another folder with --to")
    foreign = sorted(there - own)
    if foreign:
        raise EvaluationError(
            f"{path} is a report, but holds other files too, as {foreign[0]}; move them away, or give another folder with --to"
        )


@contextmanager
def written_aside(path: Path) -> Iterator[Path]:
    """A folder to write a report into; it takes the place of an earlier one at `path` at the end, if all went well.

    Raises:
        EvaluationError: what is at `path` is no report.
        BuildError: its parent cannot be made.
    """
    check_place(path)
    make_folder(path.absolute().parent)
    name = path.absolute().name
    aside, old = (path.absolute().with_name(f".{name}.{os.getpid()}.{what}") for what in ("tmp", "old"))
    shutil.rmtree(aside, ignore_errors=True)  # of a process that had this number and was killed
    try:
        aside.mkdir()
    except OSError as error:
        raise _unwritable(path, error) from None
    try:
        yield aside
        check_place(path)
        try:
            if path.exists():
                path.rename(old)
            aside.rename(path)
        except OSError as error:
            raise _unwritable(path, error) from None
        shutil.rmtree(old, ignore_errors=True)
    finally:
        if old.exists() and not path.exists():
            old.rename(path)
        shutil.rmtree(aside, ignore_errors=True)


def _unwritable(path: Path, error: OSError) -> EvaluationError:
    reason = (error.strerror or str(error)).lower()
    return EvaluationError(f"{path} cannot be written ({reason}); give another folder with --to")


def mark(folder: Path, values: dict[str, object]) -> None:
    """Writes the marker of a report, last of all: its values and its files."""
    content = {"kind": KIND, **values, "files": sorted(_files(folder) | {MARKER})}
    (folder / MARKER).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _files(folder: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in folder.rglob("*") if not file.is_dir() or file.is_symlink()}


def _listed(folder: Path) -> set[str] | None:
    """The files that the report says it has; None where there is no marker of ours."""
    try:
        found = json.loads((folder / MARKER).read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(found, dict) or found.get("kind") != KIND or not isinstance(found.get("files"), list):
        return None
    return {str(file) for file in found["files"]}
