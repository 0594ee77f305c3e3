"""Prepared libraries that are kept in the user's cache folder, for sources that take long to prepare and never change."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from builders.cache import cache_folder
from builders.errors import SoundLibraryError
from builders.recipe import Recipe
from builders.sounds import audible, cutting, screening, store
from builders.sounds.library import SoundLibrary, Source
from builders.sounds.screening import Progress

MOST = 3
"""Libraries that are kept; the one that was used longest ago makes room."""


def prepare(
    source: Source,
    recipe: Recipe,
    *,
    strict: bool = False,
    num_proc: int = 1,
    progress: Progress | None = None,
    max_recordings: int | None = None,
) -> SoundLibrary:
    """As `screening.prepare`, but a library of a source that has a `key` is prepared once and then opened from the cache.

    A cache that cannot be written or read is no error: the library is then prepared each time, and a note says so.
    """

    def prepared() -> SoundLibrary:
        return screening.prepare(
            source, recipe, strict=strict, num_proc=num_proc, progress=progress, max_recordings=max_recordings
        )

    if not source.key:
        return prepared()
    folder = cache_folder("libraries") / f"{source.key}-{_key(source, recipe, max_recordings)}"
    with suppress(SoundLibraryError):
        found = store.open_library(folder, verify=True)
        if not (strict and found.rejected):  # the first of them is then to be reported
            with suppress(OSError):
                os.utime(folder)
            return found
    library = prepared()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _make_room(folder.parent)
        store.save(library, folder)
    except (OSError, SoundLibraryError) as error:
        with suppress(SoundLibraryError):
            return store.open_library(folder)  # another process was faster
        return replace(library, notes=(*library.notes, f"the prepared library could not be kept for the next time: {error}"))
    return store.open_library(folder)  # mapped from the file, so that its memory can be given back


def _key(source: Source, recipe: Recipe, max_recordings: int | None) -> str:
    """A hash of everything beside the source's key that decides the prepared library."""
    content = {
        "candidates": [[c.id, c.label, c.license, c.attribution, c.source, c.original, c.uploader] for c in source.candidates],
        "sounds": [repr(sound) for sound in source.sounds],
        "relations": screening.relations_as_lists(source.relations),
        "rest": [list(source.notes), dict(source.selection), [repr(one) for one in source.rejected], max_recordings],
        "also": {name: sorted(labels) for name, labels in sorted(source.also.items())},
        "recipe": recipe.model_dump(mode="json", include={"sample_rate": True, "audible": True, "sound": {"fade_ms"}}),
        "layout": store.LAYOUT,
        "code": [Path(module.__file__ or "").read_text(encoding="utf-8") for module in (audible, cutting, screening)],
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def _make_room(folder: Path) -> None:
    """Removes what was used longest ago, so that one more is not too many."""
    kept = sorted((entry for entry in folder.iterdir() if entry.is_dir()), key=lambda entry: entry.stat().st_mtime_ns)
    for entry in kept[: max(0, len(kept) - MOST + 1)]:
        shutil.rmtree(entry, ignore_errors=True)
