"""The built-in library: atomic sounds made by synthesis, so that a benchmark can be built with no file at hand."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType

from builders.errors import UnusableRecordingError
from builders.logic import Relations
from builders.sounds.library import BUILTIN, AtomicSound, Samples, Source
from builders.sounds.synth import SOUNDS, TAKES, render

NAME = BUILTIN


@dataclass(frozen=True, slots=True)
class SynthCandidate:
    """Take `take` of a built-in sound. A `builders.sounds.library.Candidate`."""

    label: str
    take: int

    @property
    def id(self) -> str:
        return f"{NAME}/{self.label}/{self.take}"

    @property
    def license(self) -> str:
        return "CC0-1.0"

    @property
    def attribution(self) -> str:
        return "ReasonAudio built-in synthesis"

    @property
    def source(self) -> str:
        return NAME

    @property
    def original(self) -> str:
        return ""

    @property
    def uploader(self) -> str:
        return ""

    @property
    def part(self) -> str:
        return ""

    def read(self, sample_rate: int) -> Samples:
        """The take, mono float32 [n], peak 0.7; the same samples on every call.

        Args:
            sample_rate: in Hz, from 8,000 to 192,000.
        """
        if not 8_000 <= sample_rate <= 192_000:
            raise UnusableRecordingError(f"sample rate {sample_rate} Hz: built-in sounds are made at 8000 to 192000 Hz")
        return render(SOUNDS[self.label], self.take, sample_rate)


def source() -> Source:
    """The built-in sounds, their takes, and which of them are easily confused."""
    sounds = tuple(
        AtomicSound(sound.label, sound.noun, sound.clause, sound.sustained, sound.audioset_id) for sound in SOUNDS.values()
    )
    candidates = tuple(SynthCandidate(label, take) for label in SOUNDS for take in range(TAKES))
    confusable: defaultdict[str, set[str]] = defaultdict(set)
    for sound in SOUNDS.values():
        for other in sound.confusable:
            confusable[sound.label].add(SOUNDS[other].label)
            confusable[other].add(sound.label)
    relations = Relations(confusable=MappingProxyType({label: frozenset(others) for label, others in sorted(confusable.items())}))
    ordered = tuple(sorted(candidates, key=lambda candidate: candidate.id))
    return Source(NAME, sounds, ordered, relations, key=_key(), synthetic=True)


def _key() -> str:
    """A hash of the synthesis and of the packages that compute it."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).with_name("synth").glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    for package in ("numpy", "scipy", "soxr"):
        digest.update(f"{package} {version(package)}".encode())
    return f"{NAME}-{digest.hexdigest()[:16]}"
