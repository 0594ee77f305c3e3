"""Candidates and sources made in the tests, from noise."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from builders.errors import UnusableRecordingError
from builders.sounds.library import AtomicSound, Candidate, Samples, Source


@dataclass(frozen=True)
class MadeCandidate:
    """Half a second to a second and a half of noise, made from the id; ids that end with "broken" cannot be read."""

    id: str
    label: str
    license: str = "CC0"
    attribution: str = ""
    source: str = ""
    original: str = ""
    uploader: str = ""
    part: str = ""

    def read(self, sample_rate: int) -> Samples:
        if self.id.endswith("broken"):
            raise UnusableRecordingError("broken for a test")
        rng = np.random.default_rng(zlib.crc32(self.id.encode()))
        return np.asarray(0.3 * rng.standard_normal(int(rng.uniform(0.6, 1.5) * sample_rate)), dtype=np.float32)


def made_source(candidates: Iterable[Candidate]) -> Source:
    """A source of these, every label said by itself."""
    candidates = tuple(sorted(candidates, key=lambda candidate: candidate.id))
    labels = sorted({candidate.label for candidate in candidates})
    return Source("made", tuple(AtomicSound(label, f"a {label}", f"{label} sounds") for label in labels), candidates)
