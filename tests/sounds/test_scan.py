"""Headers: what they say, and what is remembered of them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soundfile

from builders.errors import UnusableRecordingError
from builders.recipe import Recipe, make_recipe
from builders.sounds import decoding
from builders.sounds import scan as scanning
from builders.sounds.candidates import FileCandidate
from builders.sounds.folder import source
from builders.sounds.scan import Header, looked_into, scan, total_s, unreadable
from builders.sounds.screening import prepare


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REASONAUDIO_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are opened from now on."""
    names: list[str] = []
    read: Callable[[Path], tuple[int, int, int]] = decoding.read_header

    def noted(path: Path) -> tuple[int, int, int]:
        names.append(path.name)
        return read(path)

    monkeypatch.setattr(decoding, "read_header", noted)
    return names


def write(path: Path, seconds: float = 1.0, rate: int = 16_000, channels: int = 1) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    shape = (round(seconds * rate), channels)
    soundfile.write(path, np.random.default_rng(0).normal(0, 0.1, shape), rate)
    return path


def cache_files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache/scan").iterdir())


def test_headers(tmp_path: Path) -> None:
    files = [write(tmp_path / f"x/a.{kind}", 0.5 + n / 4, channels=1 + n) for n, kind in enumerate(("wav", "flac", "ogg"))]
    assert scan(files) == {
        files[0]: Header(0.5, 16_000, 1),
        files[1]: Header(0.75, 16_000, 2),
        files[2]: Header(1.0, 16_000, 3),
    }
    assert scan([]) == {}
    with pytest.raises(ValueError, match="threads: at least 1, got 0"):
        scan(files, threads=0)


def test_problems_are_those_of_reading(shared: Path) -> None:
    """A file whose header shows a problem is refused with the same words when it is read."""
    files = sorted((shared / "sounds/nasty").iterdir())
    found = scan(files)
    refused = {path.name for path, header in found.items() if header.problem}
    assert {"text.wav", "zero_frames.wav", "truncated_half.wav", "id3_only.mp3", "data_size_zero.wav"} <= refused
    for path, header in found.items():
        if header.problem:
            assert header == Header(0.0, 0, 0, header.problem)
            with pytest.raises(UnusableRecordingError) as caught:
                decoding.read_audio(path, 32_000)
            assert str(caught.value) == header.problem
        else:
            info = soundfile.info(path)
            assert (header.sample_rate, header.channels) == (info.samplerate, info.channels)
            assert header.duration_s == pytest.approx(info.duration)


def test_problems_without_a_file_or_its_content(tmp_path: Path) -> None:
    empty = tmp_path / "empty.wav"
    empty.touch()
    found = scan([empty, tmp_path / "gone.wav", tmp_path])
    assert [header.problem for header in found.values()] == [
        "the file is empty (0 bytes)",
        "there is no such file",
        "there is no such file",
    ]


def test_only_what_is_new_is_opened_again(tmp_path: Path, opened: list[str]) -> None:
    files = [write(tmp_path / f"x/{n}/{n}.wav") for n in range(4)]
    reported: list[tuple[int, int]] = []
    first = scan(files, progress=lambda done, total: reported.append((done, total)))
    assert sorted(opened) == ["0.wav", "1.wav", "2.wav", "3.wav"]
    assert reported == [(0, 4), (4, 4)]
    opened.clear()
    assert scan(files, progress=lambda done, total: reported.append((done, total))) == first
    assert opened == []
    assert reported[2:] == [(4, 4)]
    write(files[1], 2.0)
    os.utime(files[2], ns=(1, 1))
    assert scan(files)[files[1]].duration_s == 2.0
    assert sorted(opened) == ["1.wav", "2.wav"]


def test_paths_may_be_relative(tmp_path: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    scan([write(tmp_path / "x/a.wav"), write(tmp_path / "x/b.wav")])
    opened.clear()
    monkeypatch.chdir(tmp_path / "x")
    assert scan([Path("a.wav"), Path("b.wav")]) == dict.fromkeys([Path("a.wav"), Path("b.wav")], Header(1.0, 16_000, 1))
    assert opened == []
    (tmp_path / "y").mkdir()
    (tmp_path / "x/link").symlink_to(tmp_path / "y")
    write(tmp_path / "c.wav", 2.0)
    assert scan([Path("link/../c.wav")])[Path("link/../c.wav")].duration_s == 2.0  # the folder above `y`, not above the link


def test_files_that_have_gone_are_forgotten(tmp_path: Path, opened: list[str]) -> None:
    files = [write(tmp_path / f"x/{n}.wav") for n in range(4)]
    scan(files)
    files[0].unlink()
    scan([files[1], write(tmp_path / "x/new.wav")])  # a part of the folder: the others that are there stay
    (cache,) = cache_files(tmp_path)
    assert sorted(json.loads(cache.read_text())["files"]) == ["/1.wav", "/2.wav", "/3.wav", "/new.wav"]
    opened.clear()
    scan(files[1:])
    assert opened == []


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"key": 1}', '{"key": "KEY", "root": "ROOT", "files": {"/a.wav": [1, 2]}}', "\ud800"],
)
def test_a_cache_that_is_damaged_is_ignored(tmp_path: Path, content: str, opened: list[str]) -> None:
    path = write(tmp_path / "x/a.wav")
    expected = scan([path])
    (cache,) = cache_files(tmp_path)
    written = json.loads(cache.read_text())
    content = content.replace("KEY", written["key"]).replace("ROOT", written["root"])
    cache.write_bytes(content.encode("utf-8", "surrogatepass"))
    opened.clear()
    assert scan([path]) == expected
    assert opened == ["a.wav"]
    assert json.loads(cache.read_text()) == written


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way")
    path = write(tmp_path / "x/a.wav")
    assert scan([path]) == {path: Header(1.0, 16_000, 1)}


def test_other_code_looks_again(tmp_path: Path, opened: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "x/a.wav")
    scan([path])
    monkeypatch.setattr(scanning, "_key", lambda: "another")
    scan([path])
    assert opened == ["a.wav", "a.wav"]


def test_only_so_many_folders_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[str]) -> None:
    monkeypatch.setattr(scanning, "MOST", 2)
    folders = [write(tmp_path / f"{n}/a.wav") for n in range(3)]
    for number, path in enumerate(folders):
        scan([path])
        for cache in cache_files(tmp_path):
            os.utime(cache, (cache.stat().st_mtime - 100, cache.stat().st_mtime - 100))
        assert len(cache_files(tmp_path)) == min(number + 1, 2)
    opened.clear()
    scan([folders[2]])
    assert opened == []


def test_an_interrupted_scan_keeps_what_it_has_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[str]) -> None:
    monkeypatch.setattr(scanning, "_CHUNK", 1)
    files = [write(tmp_path / f"x/{n}.wav") for n in range(4)]

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scan(files, threads=1, progress=stop)
    opened.clear()
    scan(files)
    assert sorted(opened) == ["2.wav", "3.wav"]


def test_names_that_are_no_text(tmp_path: Path, opened: list[str]) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/x/\xff.wav"))
    write(tmp_path / "x/a.wav").rename(path)
    first = scan([path])
    opened.clear()
    assert scan([path]) == first
    assert opened == []


# --- what it is for ---------------------------------------------------------------------------------------------------


def test_candidates_learn_their_lengths_and_problems(tmp_path: Path) -> None:
    good, text = write(tmp_path / "good.wav", 1.25), tmp_path / "text.wav"
    text.write_text("no audio")
    first, second, third = looked_into(
        [
            FileCandidate("1", "x", good),
            FileCandidate("2", "x", text),
            FileCandidate("3", "x", tmp_path / "gone.wav", problem="known before"),
        ]
    )
    assert (first.duration_s, first.problem) == (1.25, "")
    assert second.duration_s is None
    assert second.problem.startswith("not audio in a known format")
    assert (third.duration_s, third.problem) == (None, "known before")


def test_what_is_too_short_is_not_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "sounds/x/short.wav", 0.3)
    write(tmp_path / "sounds/x/long.wav", 1.0)
    read: list[str] = []
    real = FileCandidate.read
    monkeypatch.setattr(FileCandidate, "read", lambda self, rate: read.append(self.id) or real(self, rate))
    library = prepare(source(tmp_path / "sounds"), Recipe())
    assert read == ["x/long.wav"]
    assert [(rejection.id, rejection.reason) for rejection in library.rejected] == [
        ("x/short.wav", "too short: it is audible for 0.3 s at most; at least 0.5 s are needed")
    ]
    shorter = make_recipe(Recipe(), {"audible": {"min_piece_ms": 250}})
    assert len(prepare(source(tmp_path / "sounds"), shorter).recordings) == 2


def test_how_long_candidates_last_together(tmp_path: Path) -> None:
    write(tmp_path / "sounds/x/a.wav", 1.5)
    write(tmp_path / "sounds/x/b.wav", 2.0)
    (tmp_path / "sounds/x/text.wav").write_text("no audio")
    candidates = source(tmp_path / "sounds").candidates
    assert total_s(candidates) == 3.5
    assert [unreadable(candidate)[:9] for candidate in candidates] == ["", "", "not audio"]
    assert total_s([*candidates, FileCandidate("1", "x", tmp_path)]) is None
    assert total_s([]) == 0
