"""The folder that a build is to write: whether it may, asked before any work is done, and that no other build does."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import Any

from builders import layout
from builders.errors import BuildError
from builders.files import file_in_the_way, nearest
from builders.recipe import NO_CONTROL, Recipe

_PACKAGES = ("reasonaudio", "numpy", "scipy", "soundfile", "pyarrow", "soxr", "pyloudnorm")


def check_output(out: Path | str, recipe: Recipe | None = None) -> None:
    """Whether a build may write here at all: so that a mistyped folder is seen before sounds are read and clips planned.

    Args:
        out: the folder.
        recipe: what is to be built; None leaves recipes aside.

    Raises:
        BuildError: `out` is a file, cannot be written, holds something that no build of ours wrote or the dataset of another
            recipe, or another build is writing it.
    """
    out = Path(out)
    try:
        if not is_finished(out, recipe, None):
            check_place(out, recipe, None)
            if (out / layout.WORK / "lock").is_file():
                with only_one(out):
                    pass
    except OSError as error:
        raise build_error(out, error) from error


def versions() -> dict[str, str]:
    """The versions of the packages that the bytes of a folder may depend on."""
    import soundfile

    return {"libsndfile": str(soundfile.__libsndfile_version__), **package_versions(_PACKAGES)}


def package_versions(packages: Iterable[str]) -> dict[str, str]:
    """The versions of installed packages by name; "unknown" of one that is not installed."""
    found = {}
    for package in packages:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:  # ours, run from a checkout that is not installed
            found[package] = "unknown"
    return found


def is_finished(out: Path, recipe: Recipe | None, recipe_hash: str | None) -> bool:
    """Whether `out` is a finished folder. Raises BuildError where it is not of this recipe or hash, as far as they are given."""
    manifest = out / layout.MANIFEST
    if not manifest.is_file():
        return False
    try:
        found = str(json.loads(manifest.read_bytes())["recipe_hash"])
    except (ValueError, KeyError, TypeError):
        raise BuildError(f"{out} holds something else: its {layout.MANIFEST} is not ours; choose another folder") from None
    try:
        there = json.loads((out / layout.RECIPE).read_bytes())["recipe"]
    except (OSError, ValueError, KeyError, TypeError):
        there = None  # damaged; the hash decides
    difference = _difference(there, recipe, found, recipe_hash)
    if difference:
        raise BuildError(
            f"{out} holds the finished dataset of another recipe ({difference}); choose another folder, or remove it first"
        )
    if recipe_hash is not None:
        shutil.rmtree(out / layout.WORK, ignore_errors=True)  # left where a build ended between its last two steps
    return True


def _difference(there: object, recipe: Recipe | None, found: str, recipe_hash: str | None) -> str:
    """In words, how the recipe in a folder differs from the one that is asked for; "" where it does not.

    A recipe is known before its sounds are read, its hash only afterwards: so the fields are compared first.
    """
    if recipe is None or (recipe_hash is not None and found == recipe_hash):
        return ""
    if isinstance(there, Mapping):
        old, new = ({"control": NO_CONTROL} | _flat(fields) for fields in (there, recipe.model_dump(mode="json")))
        different = [name for name in new | old if old.get(name) != new.get(name)]
        if different:
            if "control" in different:  # which has those of its rules with it
                different = ["control", *(n for n in different if n != "control" and not n.startswith("control_rules."))]
            different = [name for name in different if name != "name"] or different  # the name of a recipe tells the least
            some = [f"{name} is {old.get(name, 'missing')} there, {new.get(name, 'missing')} here" for name in different[:3]]
            return ", ".join(some) + (f" and {len(different) - 3} more" if len(different) > 3 else "")
        if recipe_hash is not None:
            return "made from other sounds"
    return f"{found[:16]} there, {recipe_hash[:16]} here" if recipe_hash is not None else ""


def _flat(fields: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested tables as one: {"plan": {"edge_ms": 100}} is {"plan.edge_ms": 100}."""
    flat: dict[str, Any] = {}
    for name, value in fields.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, Mapping) else {prefix + name: value}
    return flat


def check_place(out: Path, recipe: Recipe | None, recipe_hash: str | None) -> None:
    """Raises BuildError unless `out` is missing, empty, or an unfinished build (of this recipe, if one is given)."""
    blocking = file_in_the_way(out)
    if blocking:
        raise BuildError(f"{blocking} is a file; a folder is needed")
    place = nearest(out)
    if not os.access(place, os.W_OK | os.X_OK):
        why = "is on a read-only file system" if os.statvfs(place).f_flag & os.ST_RDONLY else "may not be written to"
        raise BuildError(f"{out} cannot be written: {place} {why}; choose another folder")
    if not out.exists():
        return
    inside = sorted(path.name for path in out.iterdir())
    if inside in ([], [layout.WORK]) and not (out / layout.WORK / "state.json").is_file():
        return
    try:
        state = json.loads((out / layout.WORK / "state.json").read_bytes())
        found, began_with = str(state["recipe_hash"]), dict(state["versions"])
    except (FileNotFoundError, NotADirectoryError):
        others = ", ".join(inside[:3]) + (", ..." if len(inside) > 3 else "")
        raise BuildError(f"{out} holds something else ({others}); choose a new or empty folder") from None
    except (ValueError, KeyError, TypeError):
        raise BuildError(f"{out}: {layout.WORK}/state.json is damaged; remove the folder and build again") from None
    if recipe is None:
        return
    difference = _difference(state.get("recipe"), recipe, found, recipe_hash)
    if difference:
        raise BuildError(
            f"{out} holds an unfinished build of another recipe ({difference}); "
            "finish it with its own recipe, remove it, or choose another folder"
        )
    changed = [
        f"{name} {began_with.get(name)} -> {now}" for name, now in sorted(versions().items()) if began_with.get(name) != now
    ]
    if changed:
        raise BuildError(
            f"{out} was begun with other packages ({', '.join(changed)}), so its files would not fit together; "
            "go on with those, or remove the folder and build again"
        )


@contextmanager
def only_one(out: Path) -> Iterator[None]:
    """Holds a lock that ends with this process, so that two builds never write one folder."""
    with (out / layout.WORK / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BuildError(f"{out}: another build is writing this folder; wait for it, or choose another folder") from None
        yield


def build_error(out: Path, error: OSError) -> BuildError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return BuildError(f"{out}: the disk is full; finished shards are kept: make room and start again to go on")
    if error.errno == errno.EROFS:
        return BuildError(f"{out} is on a read-only file system; choose another folder")
    if error.errno in (errno.EACCES, errno.EPERM):
        return BuildError(f"{out}: no permission to write here ({error.strerror}); choose another folder")
    if error.errno in (errno.ENOTDIR, errno.EEXIST):
        return BuildError(f"{out}: {error.filename or 'part of the path'} is a file; a folder is needed")
    return BuildError(f"{out}: {error.strerror or error}")
