"""The folder for a pull request: copies of what is fit, byte for byte, and the pull request's text."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from builders.errors import BuildError
from builders.files import file_in_the_way, make_folder
from eval_harness.submission.checks import Checked
from eval_harness.submission.gather import META, RESULTS, SETTINGS, models_root

TEXT = "PULL_REQUEST.md"


def contents(checked: Iterable[Checked], text: str) -> dict[PurePosixPath, bytes]:
    """Path in the folder -> bytes, of all that is fit; empty where nothing is."""
    files: dict[PurePosixPath, bytes] = {}
    for one in checked:
        if not one.fit:
            continue
        place = PurePosixPath(RESULTS, one.model.folder, one.model.revision)
        for name in (META, *(f"{task}.json" for task in one.fit)):
            files[place / name] = one.model.files[name][0].content
        files[place / SETTINGS] = together([found.content for found in one.model.files[SETTINGS]])
    if files:
        files[PurePosixPath(TEXT)] = text.encode()
    return files


def together(parts: Sequence[bytes]) -> bytes:
    """Files of lines as one, each line once; one file stays as it is."""
    if len(parts) == 1:
        return parts[0]
    lines = dict.fromkeys(line for part in parts for line in part.splitlines() if line.strip())
    return b"".join(line + b"\n" for line in lines)


def check_target(out: Path, folders: Iterable[Path]) -> None:
    """Whether a submission may be written at `out`: not among the results that it is made of.

    Raises:
        BuildError: it may not.
        EvaluationError: one of `folders` is no folder.
    """
    blocking = file_in_the_way(out)
    if blocking:
        raise BuildError(f"{blocking} is a file; give a folder for the submission")
    for folder in folders:
        root = models_root(folder)
        if out.resolve().is_relative_to(root.resolve()):
            raise BuildError(f"{out} is in {root}, which holds results; give a folder elsewhere")


def changes(out: Path, files: Mapping[PurePosixPath, bytes]) -> dict[PurePosixPath, bytes]:
    """Those of `files` that are to be written: all but those that an earlier submission has written already.

    An earlier submission may be added to; results in it are neither changed nor dropped.

    Raises:
        BuildError: `out` holds something else, or other results.
    """
    there = _there(out)
    for path, content in there.items():
        if path not in files:
            what = "results that are not in this submission" if _is_result(path) else "something else"
            raise BuildError(f"{out} holds {what} ({path}); give a new folder, or remove it first")
        if _is_result(path) and content != files[path]:
            raise BuildError(
                f"{out}: {path} is another result than the one to be submitted; give a new folder, or remove it first"
            )
    return {path: content for path, content in files.items() if there.get(path) != content}


def write(out: Path, changed: Mapping[PurePosixPath, bytes]) -> None:
    """Writes what `changes` gave: first beside `out`, then into place, so that a new folder is there whole or not at all.

    Raises:
        BuildError: the folder cannot be made.
        OSError: it cannot be written.
    """
    if not changed:
        return
    out = out.resolve()
    aside = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    make_folder(out.parent)
    try:
        for path, content in changed.items():
            (aside / path).parent.mkdir(parents=True, exist_ok=True)
            (aside / path).write_bytes(content)
        if not (out.is_dir() and any(out.iterdir())):
            aside.replace(out)  # also onto an empty folder
        else:
            for path in changed:  # the text is the last
                (out / path).parent.mkdir(parents=True, exist_ok=True)
                (aside / path).replace(out / path)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _there(out: Path) -> dict[PurePosixPath, bytes | None]:
    """What `out` holds; None for what is no file. Empty folders do not count, but for those that no submission has."""
    found: dict[PurePosixPath, bytes | None] = {}
    for path in sorted(out.rglob("*")) if out.is_dir() else ():
        inside = PurePosixPath(path.relative_to(out))
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            found[inside] = None
        elif path.is_file():
            found[inside] = path.read_bytes() if path.stat().st_size < 1 << 26 else None
        elif inside.parts[0] != RESULTS or len(inside.parts) > 3:
            found[inside] = None
    return found


def _is_result(path: PurePosixPath) -> bool:
    return path.parts[0] == RESULTS and len(path.parts) == 4 and path.suffix == ".json" and path.name != META
