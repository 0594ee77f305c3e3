"""Recordings that lie in files, as the sources on disk offer them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from builders.errors import UnusableRecordingError
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
