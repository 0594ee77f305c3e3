"""A prepared library, written and opened again."""

from __future__ import annotations

import json
import mmap
from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pytest

from builders.errors import SoundLibraryError
from builders.logic import Relations
from builders.sounds.library import AtomicSound, Recording, Rejection, SoundLibrary
from builders.sounds.screening import digest
from builders.sounds.store import open_library, save, unload


def library(lengths: tuple[int, ...] = (500, 1000)) -> SoundLibrary:
    rng = np.random.default_rng(0)
    recordings = tuple(
        Recording(f"a/{i}", "a", rng.normal(size=ms * 32).astype(np.float32), ms, i % 2 == 0, "CC0", "Änn", "x", "a note")
        for i, ms in enumerate(lengths)
    )
    made = SoundLibrary(
        name="folder:x",
        sample_rate=32_000,
        sounds=(AtomicSound("a", "an a", "a sounds", True, "/m/1"), AtomicSound("ö", "an ö", "ö sounds")),
        recordings=recordings,
        relations=Relations({"a": frozenset({"ö"})}, {}),
        rejected=(Rejection("a", "a/9", "too short"),),
        notes=("said",),
    )
    return replace(made, digest=digest(made.sample_rate, made.sounds, made.recordings, made.relations))


@pytest.mark.parametrize("lengths", [(), (500,), (500, 1000, 6000)])
def test_round_trip(tmp_path: Path, lengths: tuple[int, ...]) -> None:
    one = library(lengths)
    save(one, tmp_path / "deep/store")
    other = open_library(tmp_path / "deep/store")
    for name in ("name", "sample_rate", "sounds", "relations", "rejected", "notes", "digest"):
        assert getattr(one, name) == getattr(other, name)
    for a, b in zip(one.recordings, other.recordings, strict=True):
        np.testing.assert_array_equal(a.samples, b.samples)
        assert all(getattr(a, name) == getattr(b, name) for name in Recording.__slots__ if name != "samples")
    assert digest(other.sample_rate, other.sounds, other.recordings, other.relations) == one.digest
    assert sorted(path.name for path in (tmp_path / "deep/store").iterdir()) == ["library.json", "samples.npy"]
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["store"]


def test_memory_is_given_back_and_read_again(tmp_path: Path) -> None:
    one = library((6000,) * 40)
    save(one, tmp_path / "store")
    opened = open_library(tmp_path / "store")
    process = psutil.Process()
    for recording in opened.recordings:
        recording.samples.sum()
    before = process.memory_info().rss
    unload(opened)
    size = sum(recording.samples.nbytes for recording in opened.recordings)
    if hasattr(mmap, "MADV_DONTNEED"):
        assert before - process.memory_info().rss > 0.8 * size
    for a, b in zip(one.recordings, opened.recordings, strict=True):
        np.testing.assert_array_equal(a.samples, b.samples)
    unload(one)
    unload(library(()))


def test_samples_are_mapped_and_read_only(tmp_path: Path) -> None:
    save(library(), tmp_path / "store")
    samples = open_library(tmp_path / "store").recordings[1].samples
    base = samples
    while not isinstance(base, np.memmap):
        base = base.base
    assert not samples.flags.writeable


def test_a_library_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    save(library(), tmp_path / "store")
    still_open = open_library(tmp_path / "store")
    save(library((700,)), tmp_path / "store")
    assert len(open_library(tmp_path / "store").recordings) == 1
    assert float(still_open.recordings[1].samples[-1]) == float(library().recordings[1].samples[-1])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/letter.txt").write_text("dear")
    with pytest.raises(SoundLibraryError, match="something other"):
        save(library(), tmp_path / "mine")
    assert (tmp_path / "mine/letter.txt").read_text() == "dear"


def test_what_is_no_library(tmp_path: Path) -> None:
    with pytest.raises(SoundLibraryError, match="no prepared library here"):
        open_library(tmp_path / "none")
    save(library(), tmp_path / "store")
    content = json.loads((tmp_path / "store/library.json").read_text())
    for change, said in (({"layout": 0}, "layout 0"), ({"recordings": []}, "lists 0"), ({"name": None}, None)):
        changed = {**content, **change}
        if said is None:
            del changed["name"]
        (tmp_path / "store/library.json").write_text(json.dumps(changed))
        with pytest.raises(SoundLibraryError, match=said or "not a whole prepared library"):
            open_library(tmp_path / "store")
    (tmp_path / "store/library.json").write_text("{")
    with pytest.raises(SoundLibraryError, match="prepare it again"):
        open_library(tmp_path / "store")
