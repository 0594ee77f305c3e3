"""Whether the files of a folder are those that its manifest names."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator

from builders import layout
from builders.check.problems import Problem
from builders.dataset_folder import DatasetFolder


def check_files(folder: DatasetFolder, looked_at: Callable[[int], None]) -> Iterator[Problem]:
    """Every file of the manifest by its checksum, and files that would be loaded but are not in it; `where` is the file.

    Args:
        folder: the folder.
        looked_at: called after each file of the manifest with its size in bytes.
    """
    for file, expected in folder.manifest["files"].items():
        place = folder.path / file
        if not place.is_file():
            yield Problem(file, "is missing")
            looked_at(0)
            continue
        with place.open("rb") as content:
            if hashlib.file_digest(content, "sha256").hexdigest() != expected:
                yield Problem(file, "is not as it was built")
        looked_at(place.stat().st_size)
    for name in layout.ABOUT:  # no files of the manifest: they may be written on
        if not (folder.path / name).is_file():
            yield Problem(name, "is missing; `reasonaudio card` makes it again")
    wanted = {layout.RECIPE, layout.ATTRIBUTION}
    wanted |= {pattern for config in layout.configs() for pattern in config.splits.values() if "*" not in pattern}
    for file in sorted(wanted - folder.manifest["files"].keys()):
        yield Problem(file, f"is not in {layout.MANIFEST}")
    for place in sorted(folder.path.rglob("*.parquet")):
        file = place.relative_to(folder.path).as_posix()
        if file not in folder.manifest["files"]:
            yield Problem(file, f"is not in {layout.MANIFEST}, but would be loaded as part of the dataset")
