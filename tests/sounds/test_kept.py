"""Prepared libraries in the user's cache folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from builders.errors import SoundLibraryError
from builders.recipe import Recipe
from builders.sounds import kept
from builders.sounds.library import Samples, Source
from tests.sounds.made import MadeCandidate, made_source

RECIPE = Recipe(sample_rate=8000)


@dataclass(frozen=True)
class CountedCandidate(MadeCandidate):
    """Counts how often anything is read."""

    reads: ClassVar[list[str]] = []

    def read(self, sample_rate: int) -> Samples:
        self.reads.append(self.id)
        return super().read(sample_rate)


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Source:
    monkeypatch.setenv("REASONAUDIO_CACHE", str(tmp_path / "cache"))
    CountedCandidate.reads.clear()
    candidates = [CountedCandidate(f"{label} {n}", label) for label in ("cat", "dog") for n in range(3)]
    return replace(made_source([*candidates, CountedCandidate("cat broken", "cat")]), key="made-1")


def test_the_second_time_nothing_is_read(source: Source) -> None:
    first = kept.prepare(source, RECIPE)
    assert len(CountedCandidate.reads) == 7
    second = kept.prepare(source, RECIPE)
    assert len(CountedCandidate.reads) == 7
    assert (first.digest, first.sounds, first.rejected) == (second.digest, second.sounds, second.rejected)
    for one, other in zip(first.recordings, second.recordings, strict=True):
        assert (one.id, one.duration_ms) == (other.id, other.duration_ms)
        assert np.array_equal(one.samples, other.samples)


def test_whatever_decides_the_recordings_makes_another_library(source: Source) -> None:
    kept.prepare(source, RECIPE)
    others = [
        (replace(source, key="made-2"), RECIPE, None),
        (replace(source, candidates=source.candidates[1:]), RECIPE, None),
        (source, Recipe(sample_rate=16_000), None),
        (source, RECIPE, 1),
    ]
    for other, recipe, most in others:
        before = len(CountedCandidate.reads)
        kept.prepare(other, recipe, max_recordings=most)
        assert len(CountedCandidate.reads) > before
    before = len(CountedCandidate.reads)
    kept.prepare(replace(source, key=""), RECIPE)
    kept.prepare(replace(source, key=""), RECIPE)
    assert len(CountedCandidate.reads) == before + 14


@pytest.mark.parametrize("damage", [lambda content: content[:100], lambda content: content[:-40] + bytes(range(40))])
def test_a_damaged_library_is_prepared_again(source: Source, tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    whole = kept.prepare(source, RECIPE).digest
    (folder,) = (tmp_path / "cache/libraries").iterdir()
    (folder / "samples.npy").write_bytes(damage((folder / "samples.npy").read_bytes()))
    assert kept.prepare(source, RECIPE).digest == whole
    assert len(CountedCandidate.reads) == 14
    assert kept.prepare(source, RECIPE).digest == whole
    assert len(CountedCandidate.reads) == 14


def test_a_cache_that_cannot_be_written_is_no_error(source: Source, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("not a folder")
    library = kept.prepare(source, RECIPE)
    assert len(library.recordings) == 6
    assert "could not be kept for the next time" in library.notes[-1]


def test_strict_reports_what_was_left_out_before(source: Source) -> None:
    kept.prepare(source, RECIPE)
    with pytest.raises(SoundLibraryError, match="'cat broken' cannot be used: broken for a test"):
        kept.prepare(source, RECIPE, strict=True)


def test_only_the_last_few_are_kept(source: Source, tmp_path: Path) -> None:
    for n in range(kept.MOST + 2):
        kept.prepare(replace(source, key=f"made-{n}"), RECIPE)
        for folder in (tmp_path / "cache/libraries").iterdir():
            if folder.name.startswith(f"made-{n}-"):
                os.utime(folder, (n, n))
    names = sorted(folder.name.rsplit("-", 1)[0] for folder in (tmp_path / "cache/libraries").iterdir())
    assert names == [f"made-{n}" for n in range(2, kept.MOST + 2)]
