"""A prepared library on disk, for worker processes: they open it at once and share its samples."""

from __future__ import annotations

import json
import mmap
import os
import shutil
import zlib
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from builders.errors import SoundLibraryError
from builders.logic import Relations
from builders.sounds.library import AtomicSound, Recording, Rejection, Samples, SoundLibrary
from builders.sounds.screening import relations_as_lists

LAYOUT = 3
"""Of the files; another layout is prepared again."""
_SAMPLES, _LIBRARY = "samples.npy", "library.json"


def save(library: SoundLibrary, folder: Path | str) -> None:
    """Writes `library` to `folder`: `samples.npy` (all recordings one after the other) and `library.json` (the rest).

    The folder is written aside and moved into place; a library that is there already is replaced.

    Raises:
        SoundLibraryError: `folder` holds something else, or it cannot be written.
    """
    folder = Path(folder)
    aside = folder.with_name(f"{folder.name}.writing-{os.getpid()}")
    try:
        if folder.exists() and not (folder / _LIBRARY).is_file() and not (folder.is_dir() and not any(folder.iterdir())):
            raise SoundLibraryError(f"{folder}: holds something other than a prepared library; choose another folder")
        aside.mkdir(parents=True)
        try:
            _write(library, aside)
            if folder.exists():
                shutil.rmtree(folder)
            os.replace(aside, folder)  # noqa: PTH105  the call that is known to be atomic
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    except OSError as error:
        raise SoundLibraryError(f"{error.filename or folder}: {error.strerror or error}") from None


def _write(library: SoundLibrary, folder: Path) -> None:
    lengths = [len(recording.samples) for recording in library.recordings]
    samples = np.lib.format.open_memmap(folder / _SAMPLES, mode="w+", dtype="<f4", shape=(max(sum(lengths), 1),))
    start = 0
    for recording in library.recordings:
        samples[start : start + len(recording.samples)] = recording.samples
        start += len(recording.samples)
    samples.flush()
    content = {
        "crc32": zlib.crc32(samples.data),
        "layout": LAYOUT,
        "name": library.name,
        "sample_rate": library.sample_rate,
        "digest": library.digest,
        "notes": library.notes,
        "selection": dict(library.selection),
        "overheard": None if library.overheard is None else {name: sorted(found) for name, found in library.overheard.items()},
        "listened": library.listened,
        "excluded": [library.excluded_recordings, library.excluded_pairs],
        "sounds": [asdict(sound) for sound in library.sounds],
        "relations": relations_as_lists(library.relations),
        "rejected": [asdict(rejection) for rejection in library.rejected],
        "recordings": [_fields(recording) for recording in library.recordings],
    }
    (folder / _LIBRARY).write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")


def _fields(recording: Recording) -> dict[str, Any]:
    """All but the samples, of which the length."""
    return {
        "id": recording.id,
        "label": recording.label,
        "length": len(recording.samples),
        "duration_ms": recording.duration_ms,
        "continuous": recording.continuous,
        "license": recording.license,
        "attribution": recording.attribution,
        "source": recording.source,
        "original": recording.original,
        "uploader": recording.uploader,
        "note": recording.note,
    }


def open_library(folder: Path | str, *, verify: bool = False) -> SoundLibrary:
    """The library that `save` wrote. Its samples are read-only views of one memory-mapped file, read when they are used.

    Args:
        folder: where it is.
        verify: read all samples and compare their checksum: for folders that have lain about.

    Raises:
        SoundLibraryError: there is none, it is of another layout, or its files do not belong together.
    """
    folder = Path(folder)
    try:
        content = json.loads((folder / _LIBRARY).read_text(encoding="utf-8"))
        samples = np.asarray(np.load(folder / _SAMPLES, mmap_mode="r"))
        if content["layout"] != LAYOUT:
            raise SoundLibraryError(f"{folder}: a prepared library of layout {content['layout']}, not {LAYOUT}; prepare it again")
        if verify and zlib.crc32(samples.data) != content["crc32"]:
            raise SoundLibraryError(f"{folder}: {_SAMPLES} is damaged; prepare it again")
        recordings = _recordings(content["recordings"], samples)
        relations = Relations(
            **{kind: {a: frozenset(others) for a, others in table.items()} for kind, table in content["relations"].items()}
        )
        excluded = content.get("excluded", (0, 0))  # not there in what was kept before anything could be excluded
        return SoundLibrary(
            name=content["name"],
            sample_rate=content["sample_rate"],
            sounds=tuple(AtomicSound(**fields) for fields in content["sounds"]),
            recordings=recordings,
            relations=relations,
            rejected=tuple(Rejection(**fields) for fields in content["rejected"]),
            notes=tuple(content["notes"]),
            selection=content["selection"],
            overheard=_sets(content["overheard"]),
            listened=content["listened"],
            excluded_recordings=excluded[0],
            excluded_pairs=excluded[1],
            digest=content["digest"],
        )
    except OSError as error:
        raise SoundLibraryError(f"{error.filename or folder}: {error.strerror or error}; no prepared library here") from None
    except (ValueError, KeyError, TypeError, EOFError) as error:
        raise SoundLibraryError(f"{folder}: not a whole prepared library ({error}); prepare it again") from None


def unload(library: SoundLibrary) -> None:
    """Gives the memory of an opened library's samples back to the system; where they are used again, they are read again.

    Without it a process comes to hold every page of the file that it has ever touched. Of a library that is in memory, or where
    the system cannot do this, nothing happens.
    """
    base: object = library.recordings[0].samples if library.recordings else None
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        with suppress(OSError):
            base.madvise(mmap.MADV_DONTNEED)


def _sets(lists: dict[str, list[str]] | None) -> dict[str, frozenset[str]] | None:
    return None if lists is None else {name: frozenset(found) for name, found in lists.items()}


def _recordings(fields: list[dict[str, Any]], samples: Samples) -> tuple[Recording, ...]:
    recordings = []
    start = 0
    for of_one in fields:
        length = of_one.pop("length")
        recordings.append(Recording(samples=samples[start : start + length], **of_one))
        start += length
    if samples.dtype != np.dtype("<f4") or max(start, 1) != len(samples):
        raise ValueError(f"{_SAMPLES} holds {len(samples)} samples, {_LIBRARY} lists {start}")
    return tuple(recordings)
