"""A sound library as files, opened memory-mapped."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np

from builders.sounds.library import SoundLibrary


def save(library: SoundLibrary, folder: Path) -> None:
    """Writes the library into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    empty = np.zeros(0, np.float32)
    bare = tuple(replace(recording, samples=empty) for recording in library.recordings)
    np.save(folder / "samples.npy", np.concatenate([empty, *(recording.samples for recording in library.recordings)]))
    lengths = [len(recording.samples) for recording in library.recordings]
    fields = {name: getattr(library, name) for name in ("name", "sample_rate", "sounds", "rejected", "notes", "digest")}
    relations = (
        dict(library.relations.ancestors),
        dict(library.relations.confusable),
    )
    (folder / "library.pickle").write_bytes(pickle.dumps((fields, relations, bare, lengths)))


def open_library(folder: Path) -> SoundLibrary:
    """The library that `save` wrote; its samples are read when they are used."""
    from builders.logic import Relations

    fields, relations, bare, lengths = pickle.loads((folder / "library.pickle").read_bytes())  # noqa: S301
    samples = np.load(folder / "samples.npy", mmap_mode="r")
    ends = np.cumsum(lengths)
    recordings = tuple(
        replace(recording, samples=samples[end - length : end])
        for recording, length, end in zip(bare, lengths, ends, strict=True)
    )
    return SoundLibrary(**fields, recordings=recordings, relations=Relations(*relations))
