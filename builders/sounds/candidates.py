"""Recordings as the sources on disk offer them: in a file each, or in the rows of a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from builders.errors import SoundLibraryError, UnusableRecordingError
from builders.sounds.decoding import read_audio
from builders.sounds.library import Samples


@dataclass(frozen=True, slots=True)
class FileCandidate:
    """A recording in a file.

    Attributes:
        problem: why it cannot be read anyway; "" where nothing is known to be wrong.
        duration_s: of the whole file, as its header gives it; None where nobody looked (`scan.looked_into`).
    """

    id: str
    label: str
    path: Path
    license: str = ""
    attribution: str = ""
    source: str = ""
    problem: str = ""
    original: str = ""
    uploader: str = ""
    part: str = ""
    duration_s: float | None = None

    def read(self, sample_rate: int) -> Samples:
        if self.problem:
            raise UnusableRecordingError(self.problem)
        return read_audio(self.path, sample_rate)


@dataclass(frozen=True, slots=True)
class RowCandidate:
    """A recording whose bytes stand in a table: a file of Arrow's stream format, as `datasets` keeps them.

    Attributes:
        table: the file.
        column: of structs with the field `bytes`.
        row: in the file, from 0.
        size: bytes of the recording.
    """

    id: str
    label: str
    table: Path
    column: str
    row: int
    size: int
    license: str = ""
    attribution: str = ""
    source: str = ""
    original: str = ""
    uploader: str = ""
    part: str = ""

    def content(self) -> bytes:
        """The recording as it would lie in a file of its own.

        Raises:
            SoundLibraryError: the table cannot be read.
        """
        content: bytes = open_table(self.table).column(self.column)[self.row].as_py()["bytes"]
        return content

    def read(self, sample_rate: int) -> Samples:
        return read_audio(self.content(), sample_rate)


@lru_cache(maxsize=64)
def open_table(path: Path) -> Any:
    """The `pyarrow.Table` in a file of Arrow's stream format, mapped into memory; opened once in each process.

    Raises:
        SoundLibraryError: the file is gone or damaged.
    """
    import pyarrow

    try:
        return pyarrow.ipc.open_stream(pyarrow.memory_map(str(path))).read_all()
    except (OSError, pyarrow.ArrowException) as error:
        said = str(error).splitlines()[0]
        raise SoundLibraryError(f"table {path}: gone or damaged ({said}); load the dataset again") from None


_Either = TypeVar("_Either", FileCandidate, RowCandidate, FileCandidate | RowCandidate)


def one_case(candidates: Iterable[_Either]) -> tuple[list[_Either], list[str]]:
    """Candidates sorted by id, labels that differ in case only written alike; a note for each such label.

    They are written as most of its candidates write it; of spellings that are equally common the first by id counts.
    """
    spellings: dict[str, Counter[str]] = {}
    ordered = sorted(candidates, key=lambda candidate: candidate.id)
    for candidate in ordered:
        spellings.setdefault(candidate.label.casefold(), Counter())[candidate.label] += 1
    chosen = {folded: labels.most_common(1)[0][0] for folded, labels in spellings.items()}
    notes = [
        f"taken for one label, written {chosen[folded]!r}: {', '.join(map(repr, sorted(labels)))}"
        for folded, labels in spellings.items()
        if len(labels) > 1
    ]
    return [replace(candidate, label=chosen[candidate.label.casefold()]) for candidate in ordered], notes
