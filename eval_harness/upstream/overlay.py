"""A copy of the installed mteb with other files in it: links, and real files where they differ. Nothing installed is touched."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from eval_harness.upstream.patching import STATISTICS, mteb_folder


@contextmanager
def overlay(files: Mapping[str, str]) -> Iterator[Path]:
    """A folder that holds a package `mteb` with `files` (path -> text) laid over it, for PYTHONPATH; removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="reasonaudio-mteb-") as place:
        lay_over(Path(place), {path: text for path, text in files.items() if path.startswith("mteb/")})
        yield Path(place)


def lay_over(to: Path, files: Mapping[str, str]) -> None:
    """Makes the package at `to`. Folders on the way to a file, and that of the statistics, are real; all else is a link."""
    folders = {folder for path in (*files, f"{STATISTICS}/x") for folder in Path(path).parents}
    _link(mteb_folder(), to / "mteb", Path("mteb"), folders, frozenset(map(Path, files)))
    for path, text in files.items():
        (to / path).write_text(text, encoding="utf-8")


def _link(source: Path, to: Path, path: Path, folders: set[Path], files: frozenset[Path]) -> None:
    to.mkdir(parents=True)
    for entry in os.scandir(source):
        below = path / entry.name
        if below in folders:
            _link(Path(entry.path), to / entry.name, below, folders, files)
        elif below not in files and entry.name != "__pycache__":
            (to / entry.name).symlink_to(entry.path)
