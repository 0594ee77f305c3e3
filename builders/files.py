"""Files that are there whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from builders.errors import BuildError


def write_whole(path: Path, content: bytes) -> None:
    """Writes `content` beside `path` and moves it into place. Raises OSError with its name; then nothing is left behind."""
    aside = _aside(path)
    try:
        aside.write_bytes(content)
        aside.replace(path)
    except OSError as error:  # names the file that was asked for, not the one beside it
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        aside.unlink(missing_ok=True)


def check_target(path: Path) -> None:
    """Raises BuildError unless `write_whole` can write a file at `path`: to be asked before long work."""
    folder = path.parent
    if path.is_dir():
        raise BuildError(f"{path} is a folder; give the name of a file")
    if not folder.is_dir():
        blocking = file_in_the_way(folder)
        why = f"{blocking} is a file, not a folder" if blocking else f"the folder {folder} does not exist; make it first"
        raise BuildError(f"{path} cannot be written: {why}")
    aside = _aside(path)
    try:
        aside.touch()
        aside.unlink()
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise BuildError(f"{path} cannot be written ({what}); choose a folder that you may write to") from None


def make_folder(path: Path) -> None:
    """Makes a folder with its parents. Raises BuildError where that cannot be."""
    blocking = file_in_the_way(path)
    if blocking:
        raise BuildError(f"{blocking} is a file; a folder is needed")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BuildError(f"the folder {path} cannot be made ({(error.strerror or str(error)).lower()}); choose another") from None


def read_object(path: Path) -> dict[str, Any] | None:
    """The JSON object that a file holds; None where it cannot be read, or holds something else."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def file_in_the_way(path: Path) -> Path | None:
    """`path` or the parent of it that is there but is no folder."""
    there = nearest(path)
    return None if there.is_dir() else there


def nearest(path: Path) -> Path:
    """`path`, or else the nearest of its parents that is there (a link to nothing is there, too)."""
    return next(place for place in (path, *path.parents, Path.cwd()) if os.path.lexists(place))


def _aside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")
