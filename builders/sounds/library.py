"""What a library of sounds is: atomic sounds, their recordings, and what was left out and why.

A source (a folder, the built-in synthesis, ...) offers `AtomicSound`s and `Candidate`s; `screening` turns candidates into
`Recording`s; the planner and the renderer see only the finished `SoundLibrary`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from builders.logic import NO_RELATIONS, Relations

Samples = NDArray[np.float32]
"""Mono audio, shape [n], float32, full scale 1.0."""

_THE_SOUND_OF = "the sound of "

BUILTIN = "builtin"
"""The name of the built-in library."""


@dataclass(frozen=True, slots=True)
class AtomicSound:
    """A kind of sound.

    Attributes:
        label: its name, unique in the library ("dog bark").
        noun: how a sentence names it, with its article ("a dog barking"); unique in the library.
        clause: how a sentence says that it happens ("a dog barks"); unique in the library.
        sustained: whether it may be cut to a planned length or looped (rain, engine).
        audioset_id: its class in the AudioSet ontology, where it has one ("/m/05tny_").
    """

    label: str
    noun: str
    clause: str
    sustained: bool = False
    audioset_id: str | None = None

    @property
    def of(self) -> str:
        """The noun as it stands behind "the sound of": 'the sound of "zither"' says so itself, and is not to say it twice."""
        return behind_the_sound_of(self.noun)


def behind_the_sound_of(noun: str) -> str:
    """A noun as it stands behind "the sound of": without its own such words."""
    return noun[len(_THE_SOUND_OF) :] if noun.casefold().startswith(_THE_SOUND_OF) else noun


class Candidate(Protocol):
    """A recording as a source offers it, before anyone has looked inside. Picklable; `read` is called in a worker process."""

    @property
    def id(self) -> str:
        """Unique in the library, the same on every machine ("dog_bark/1-100032-A.ogg", "builtin/dog bark/0")."""

    @property
    def label(self) -> str: ...

    @property
    def license(self) -> str: ...

    @property
    def attribution(self) -> str: ...

    @property
    def source(self) -> str:
        """Where it comes from (a URL, a package, a file name inside the library); never an absolute path."""

    @property
    def original(self) -> str:
        """What it was cut from, where several may come from one longer recording ("1-100032"); "" where not known."""

    @property
    def uploader(self) -> str:
        """Who recorded or published it; "" where that is not known. Recordings by one person sound alike."""

    @property
    def part(self) -> str:
        """Its side of the split that the source itself makes: "train", "validation", "test", or "" for none."""

    def read(self, sample_rate: int) -> Samples:
        """The whole recording, mono, at `sample_rate`. Raises UnusableRecordingError with the reason."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A recording (or a whole sound: `id` is then "") that is not used, and why."""

    label: str
    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Source:
    """What a source of sounds offers. Both tuples are sorted, by label and by id."""

    name: str
    sounds: tuple[AtomicSound, ...]
    candidates: tuple[Candidate, ...]
    relations: Relations = NO_RELATIONS
    notes: tuple[str, ...] = ()
    """Lines to show a person: columns that were not understood, labels for which no English is known."""
    rejected: tuple[Rejection, ...] = ()
    """What the source's own rules leave out, before any audio is read (a clip with several labels)."""
    selection: Mapping[str, str] = field(default_factory=dict)
    """What was asked of the source, in words: its options, licences, a side of a split."""
    also: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Recording id -> further labels that the source itself gives it; they need not be those of its sounds."""
    key: str = ""
    """Names everything that decides the audio of the candidates, beside their ids; "" where nothing short does."""
    synthetic: bool = False
    """Nobody recorded anything: there are no people who could be heard on two sides of a split."""


@dataclass(frozen=True, slots=True, eq=False)
class Recording:
    """One usable recording, cut to where it is audible.

    Attributes:
        samples: the cut audio, mono float32 [n] at the library's rate; a whole number of milliseconds long; no DC offset.
        duration_ms: length of `samples`.
        continuous: it has no inaudible stretch of over 0.25 s.
        note: what a person may want to know of its preparation ("longest of 3 pieces"), else "".
    """

    id: str
    label: str
    samples: Samples
    duration_ms: int
    continuous: bool
    license: str = ""
    attribution: str = ""
    source: str = ""
    original: str = ""
    uploader: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class SoundLibrary:
    """Usable sounds, ready for planning and rendering. Immutable; sounds are sorted by label, recordings by id.

    Attributes:
        name: the source as the user wrote it, without machine paths ("builtin", "folder:my_sounds").
        sample_rate: of all recordings, in Hz.
        selection: what was asked of the source, in words: its options, licences, a side of a split.
        overheard: recording id -> other labels of the library that are heard in it as well; None where nothing is known.
        listened: somebody listened for them; else `overheard` has only what the source's own labels say.
        excluded_recordings: how many usable recordings a person took out.
        excluded_pairs: how many of the easily confused pairs a person added.
        digest: SHA-256 (hex) of everything that can change a corpus: sounds, relations, recordings with their samples.
    """

    name: str
    sample_rate: int
    sounds: tuple[AtomicSound, ...]
    recordings: tuple[Recording, ...]
    relations: Relations = NO_RELATIONS
    rejected: tuple[Rejection, ...] = ()
    notes: tuple[str, ...] = ()
    selection: Mapping[str, str] = field(default_factory=dict)
    overheard: Mapping[str, frozenset[str]] | None = None
    listened: bool = False
    excluded_recordings: int = 0
    excluded_pairs: int = 0
    digest: str = ""
    _sound: Mapping[str, AtomicSound] = field(init=False, repr=False)
    _recording: Mapping[str, Recording] = field(init=False, repr=False)
    _of: Mapping[str, tuple[Recording, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        of: dict[str, list[Recording]] = {sound.label: [] for sound in self.sounds}
        for recording in self.recordings:
            of[recording.label].append(recording)
        object.__setattr__(self, "_sound", {sound.label: sound for sound in self.sounds})
        object.__setattr__(self, "_recording", {recording.id: recording for recording in self.recordings})
        object.__setattr__(self, "_of", {label: tuple(found) for label, found in of.items()})

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self._sound)

    def sound(self, label: str) -> AtomicSound:
        return self._sound[label]

    def recording(self, recording_id: str) -> Recording:
        return self._recording[recording_id]

    def heard_in(self, recording_id: str) -> frozenset[str]:
        """Other labels that are heard in a recording, as far as anybody listened."""
        return (self.overheard or {}).get(recording_id, frozenset())

    def recordings_of(self, label: str) -> tuple[Recording, ...]:
        return self._of[label]
