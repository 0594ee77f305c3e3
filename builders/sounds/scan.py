"""Looks into the headers of many audio files without decoding them, and remembers what it saw."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import soundfile

from builders.cache import cache_folder
from builders.errors import UnusableRecordingError
from builders.files import write_whole
from builders.sounds import containers, decoding
from builders.sounds.candidates import FileCandidate
from builders.sounds.library import Candidate

MOST = 32
"""Folders whose headers are remembered; the one that was scanned longest ago makes room."""
THREADS = 4
"""libsndfile works outside the interpreter's lock, so threads do as well as processes, and start at once."""

_CHUNK = 100  # files a task: one task a file costs more than opening a WAV file
_LAYOUT = 1

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself.

    Attributes:
        duration_s: as the header promises it; 0.0 where `problem` keeps it from being known.
        sample_rate: in Hz; 0 likewise.
        channels: 0 likewise.
        problem: why the file cannot be read, in the words of `decoding.read_audio`; "" where its header shows nothing wrong.
    """

    duration_s: float
    sample_rate: int
    channels: int
    problem: str = ""


def scan(files: Iterable[Path], *, threads: int = THREADS, progress: Progress | None = None) -> dict[Path, Header]:
    """The header of every file.

    What was seen is kept in the user's cache, by path, size and time of change, so that only what is new is looked at again; a
    scan that is interrupted keeps what it has seen. A cache that cannot be read or written is no error.

    Args:
        files: any paths; those of one call are best below one folder, which the cache goes by.
        threads: how many files are opened at the same time.
        progress: called with (files known, files in all).

    Raises:
        ValueError: `threads` is below 1.
    """
    if threads < 1:
        raise ValueError(f"threads: at least 1, got {threads}")
    here = os.getcwd()  # noqa: PTH109  as text: for 50,000 paths, pathlib takes longer than all the rest of a second scan
    places = {path: os.path.join(here, path) for path in files}  # noqa: PTH118  see above
    if not places:
        return {}
    memory = _Memory.of(places.values())
    found: dict[Path, Header] = {}
    stamps: dict[Path, tuple[int, int]] = {}
    unseen: list[Path] = []
    for path, place in places.items():
        try:
            stat = os.stat(place)  # noqa: PTH116  see above
        except OSError:
            found[path] = _look(path)  # which says what is wrong; not remembered
            continue
        stamps[path] = (stat.st_size, stat.st_mtime_ns)
        known = memory.recall(place, stamps[path])
        if known:
            found[path] = known
        else:
            unseen.append(path)
    if progress:
        progress(len(found), len(places))
    if not unseen:
        memory.touch()
        return {path: found[path] for path in places}
    chunks = [unseen[start : start + _CHUNK] for start in range(0, len(unseen), _CHUNK)]
    executor = ThreadPoolExecutor(threads)
    try:
        for chunk, headers in zip(chunks, executor.map(_look_at_all, chunks), strict=True):
            for path, header in zip(chunk, headers, strict=True):
                found[path] = header
                memory.note(places[path], stamps[path], header)
            if progress:
                progress(len(found), len(places))
    finally:  # an interrupt, too, keeps what was seen
        executor.shutdown(cancel_futures=True)
        memory.save(frozenset(places.values()))
    return {path: found[path] for path in places}


def looked_into(candidates: Iterable[FileCandidate], progress: Progress | None = None) -> list[FileCandidate]:
    """The candidates with their lengths, and with the problem where the header of a file shows that it cannot be read."""
    candidates = list(candidates)
    headers = scan([candidate.path for candidate in candidates if not candidate.problem], progress=progress)

    def look(candidate: FileCandidate) -> FileCandidate:
        if candidate.problem:
            return candidate
        header = headers[candidate.path]
        return replace(candidate, problem=header.problem, duration_s=None if header.problem else header.duration_s)

    return [look(candidate) for candidate in candidates]


def unreadable(candidate: Candidate) -> str:
    """What keeps a candidate from being read, as far as anybody looked; "" where nothing is known to."""
    return str(getattr(candidate, "problem", ""))


def total_s(candidates: Iterable[Candidate]) -> float | None:
    """How long those that can be read last together, in seconds; None where nobody looked into one of them."""
    lengths = [getattr(candidate, "duration_s", None) for candidate in candidates if not unreadable(candidate)]
    known = [length for length in lengths if length is not None]
    return sum(known) if len(known) == len(lengths) else None


def _look_at_all(paths: Sequence[Path]) -> list[Header]:
    return [_look(path) for path in paths]


def _look(path: Path) -> Header:
    try:
        frames, rate, channels = decoding.read_header(path)
    except UnusableRecordingError as error:
        return Header(0.0, 0, 0, str(error))
    return Header(frames / rate, rate, channels)


# --- what was seen before ---------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Memory:
    """The headers of the files below one folder, as they are kept in the cache: relative path -> stamp and header."""

    root: str
    file: Path
    entries: dict[str, list[Any]]

    @classmethod
    def of(cls, places: Iterable[str]) -> _Memory:
        root = os.path.commonpath({os.path.dirname(place) for place in places})  # noqa: PTH120  as in `scan`
        file = cache_folder("scan") / f"{hashlib.sha256(os.fsencode(root)).hexdigest()[:24]}.json"
        entries: dict[str, list[Any]] = {}
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):  # whatever is not as it was written is ignored
            content = json.loads(file.read_text(encoding="utf-8"))
            if content["key"] == _key() and content["root"] == root:
                entries = dict(content["files"])
        return cls(root, file, entries)

    def _name(self, place: str) -> str:
        return place[len(self.root) :]

    def recall(self, place: str, stamp: tuple[int, int]) -> Header | None:
        match self.entries.get(self._name(place)):
            case [int(size), int(changed), float(duration), int(rate), int(channels), str(problem)] if (size, changed) == stamp:
                return Header(duration, rate, channels, problem)
        return None

    def note(self, place: str, stamp: tuple[int, int], header: Header) -> None:
        self.entries[self._name(place)] = [*stamp, header.duration_s, header.sample_rate, header.channels, header.problem]

    def touch(self) -> None:
        with suppress(OSError):
            os.utime(self.file)

    def save(self, just_seen: frozenset[str]) -> None:
        """Writes what is known of files that are still there, and makes room among other folders' headers."""
        files = {
            name: entry
            for name, entry in sorted(self.entries.items())
            if self.root + name in just_seen or os.path.lexists(self.root + name)
        }
        content = {"key": _key(), "root": self.root, "files": files}
        # Names that are no text cannot be written as UTF-8; as ASCII with escapes they can.
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.file, json.dumps(content, separators=(",", ":")).encode("ascii"))
            others = sorted(self.file.parent.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
            for path in others[:-MOST]:
                path.unlink(missing_ok=True)


@cache
def _key() -> str:
    """A hash of what decides what is seen in a header."""
    digest = hashlib.sha256(f"{_LAYOUT} {soundfile.__version__} {soundfile.__libsndfile_version__}".encode())
    for module in (decoding, containers):
        digest.update(Path(module.__file__ or "").read_bytes())
    return digest.hexdigest()[:24]
