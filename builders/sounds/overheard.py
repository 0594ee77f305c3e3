"""In which recordings another sound of the library is heard: a pretrained tagger listens, and a file keeps what it heard."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, fields
from functools import cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from builders.cache import cache_folder
from builders.errors import SoundLibraryError
from builders.files import write_whole
from builders.processes import pool
from builders.sounds.library import AtomicSound, Recording, SoundLibrary
from builders.sounds.ontology import Ontology
from builders.sounds.phrases import canonical_label, label_key
from builders.sounds.screening import sample_hash
from builders.sounds.tagger import HOP_S, RATE, WINDOW, Tagger, fingerprint

TOP = 5
"""A window is heard as this many classes: those with the highest scores."""
LEAST_S = 0.5
"""A sound that is heard for less is not overheard, in seconds."""
FEW_CHILDREN = 8
"""A class with more tells nothing of one of them: to hear a musical instrument (20 kinds) is not to hear an accordion."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Overheard:
    """Another sound of the library that a tagger hears in a recording.

    Attributes:
        recording: its id.
        label: its own label.
        other: the label of the sound that is heard as well.
        seconds: for how long.
        heard_as: the name of the tagger's class that is heard longest of those that tell of `other`.
    """

    recording: str
    label: str
    other: str
    seconds: float
    heard_as: str


COLUMNS = tuple(field.name for field in fields(Overheard))
"""Of the file that `write_overheard` writes."""


def overheard(
    library: SoundLibrary,
    tagger_path: Path | str,
    ontology: Ontology,
    *,
    num_proc: int = 1,
    progress: Progress | None = None,
) -> list[Overheard]:
    """What else a tagger hears in the recordings of a library, by recording and label.

    The tagger takes windows of 0.975 s, 0.48 s apart. Every moment of a recording belongs to the window whose middle is nearest
    (so an inner window stands for 0.48 s, the first and the last for 0.73 s, and a single one for the whole recording), and is
    heard as the window's five highest classes. A class tells of a label if it is the label's own, a parent of it (of at most
    eight children), or anything below it, unless it is the class of the recording's own label, or above or below that one. A
    label is overheard where such classes are heard for at least half a second together, unless it is related to the recording's
    own.

    Recordings that were tagged before, by the bytes of their audio and of the model, are not tagged again.

    Args:
        library: prepared.
        tagger_path: as `Tagger.open` takes it.
        ontology: which class is a kind of which.
        num_proc: number of processes; above 1, workers are started (which end with this process, however it ends).
        progress: called with (recordings done, recordings in all).

    Raises:
        SoundLibraryError: the tagger cannot be opened, or a worker process died.
    """
    tagger = Tagger.open(tagger_path)
    own = classes_of(library.sounds, tagger)
    tells = listened_for(library.sounds, tagger, ontology)
    related = library.relations.neighbours(library.labels)
    found: list[Overheard] = []
    for done, (recording, tops) in enumerate(_listen(library, Path(tagger_path), num_proc), 1):
        length_s = recording.duration_ms / 1000
        heard = _durations(tops, length_s)
        own_class = own.get(recording.label)
        strange = [k for k in heard if own_class is None or not ontology.related(tagger.classes[k], own_class)]
        for other in sorted(tells.keys() - related[recording.label]):
            telling = [k for k in strange if tagger.classes[k] in tells[other]]
            seconds = _seconds(np.isin(tops, telling), length_s)
            if seconds >= LEAST_S:
                longest = max(telling, key=heard.__getitem__)
                found.append(Overheard(recording.id, recording.label, other, round(seconds, 2), tagger.names[longest]))
        if progress:
            progress(done, len(library.recordings))
    return sorted(found, key=lambda one: (one.recording, one.other))


def classes_of(sounds: Iterable[AtomicSound], tagger: Tagger) -> dict[str, str]:
    """The AudioSet class of every label that has one.

    Sounds with an `audioset_id` have that class; of the others, those whose label is the name of a class of the tagger, one of
    the names that it lists ("meow" of "Meow", "hum" of "Mains hum, hum"), or by the table of known labels another name of the
    same sound ("dog bark" of "Dog"); case and spelling make no difference.
    """
    exact: dict[str, str] = {}
    listed: dict[str, str] = {}
    said: dict[str, str] = {}
    for class_id, name in zip(tagger.classes, tagger.names, strict=True):
        exact.setdefault(label_key(name), class_id)
        for part in name.split(","):
            listed.setdefault(label_key(part), class_id)
            known = canonical_label(part)
            if known:
                said.setdefault(known, class_id)

    def find(sound: AtomicSound) -> str | None:
        key = label_key(sound.label)
        return sound.audioset_id or exact.get(key) or listed.get(key) or said.get(canonical_label(sound.label) or "")

    found = {sound.label: find(sound) for sound in sounds}
    return {label: class_id for label, class_id in found.items() if class_id}


def listened_for(sounds: Iterable[AtomicSound], tagger: Tagger, ontology: Ontology) -> dict[str, frozenset[str]]:
    """Label -> the tagger's classes that tell of it, for all labels that any class tells of.

    These are the label's own class, those of its parents that have few children, and all below it.
    """
    there = frozenset(tagger.classes)
    telling: dict[str, frozenset[str]] = {}
    for label, class_id in classes_of(sounds, tagger).items():
        parents = {p for p in ontology.parents.get(class_id, ()) if len(ontology.children.get(p, ())) <= FEW_CHILDREN}
        telling[label] = there & ({class_id} | parents | ontology.descendants(class_id))
    return {label: classes for label, classes in telling.items() if classes}


# --- how long a class is heard ----------------------------------------------------------------------------------------


def _shares(windows: int, length_s: float) -> NDArray[np.float64]:
    """For how many seconds of a recording each window stands, shape [windows]: where its middle is the nearest."""
    last = max(length_s - WINDOW / RATE, 0.0)
    starts = np.minimum(np.arange(windows) * HOP_S, last)
    middles = starts + WINDOW / RATE / 2
    edges = np.concatenate([[0.0], (middles[1:] + middles[:-1]) / 2, [length_s]])
    return np.diff(edges)


def _seconds(among: NDArray[np.bool_], length_s: float) -> float:
    """For how long any is among the highest classes, in seconds; `among` has the shape [windows, TOP]."""
    return float(_shares(len(among), length_s) @ among.any(axis=1))


def _durations(tops: NDArray[np.intp], length_s: float) -> dict[int, float]:
    """Class -> seconds for which it is heard, for all that are."""
    return {int(k): _seconds(tops == k, length_s) for k in np.unique(tops)}


# --- listening --------------------------------------------------------------------------------------------------------


def _listen(library: SoundLibrary, tagger: Path, num_proc: int) -> Iterator[tuple[Recording, NDArray[np.intp]]]:
    """Every recording with the highest classes of each window, shape [windows, TOP]; those first that were tagged before."""
    folder = cache_folder("tags")
    model = fingerprint(tagger)
    waiting: list[tuple[Recording, Path]] = []
    for recording in library.recordings:
        name = hashlib.sha256(f"{model} {library.sample_rate} {sample_hash(recording.samples)}".encode()).hexdigest()
        path = folder / f"{name[:32]}.npy"
        known = _known(path)
        if known is None:
            waiting.append((recording, path))
        else:
            yield recording, known
    tag = partial(_tag, tagger=tagger, sample_rate=library.sample_rate)
    workers = min(num_proc, len(waiting))
    if workers <= 1:
        yield from ((recording, tag(recording, path)) for recording, path in waiting)
        return
    recordings, paths = zip(*waiting, strict=True)
    with pool(workers, SoundLibraryError, "the tagger listened") as executor:
        yield from zip(recordings, executor.map(tag, recordings, paths), strict=True)


def _tag(recording: Recording, path: Path, *, tagger: Path, sample_rate: int) -> NDArray[np.intp]:
    """The highest classes of each window, which are kept in `path` as well."""
    tops = _opened(tagger).tag(recording.samples, sample_rate).top_by_window(TOP)
    content = io.BytesIO()
    np.save(content, tops.astype("<i4"))
    with suppress(OSError):  # where nothing can be kept, it is tagged again the next time
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content.getvalue())
    return tops


def _known(path: Path) -> NDArray[np.intp] | None:
    try:
        tops = np.load(path)
        return tops.astype(np.intp) if tops.ndim == 2 and tops.shape[1] == TOP else None
    except (OSError, ValueError, EOFError):  # not there, or damaged
        return None


@cache
def _opened(path: Path) -> Tagger:
    """One for each process: opening takes as long as tagging some seconds of audio."""
    return Tagger.open(path)


# --- the file ---------------------------------------------------------------------------------------------------------


def write_overheard(path: Path, found: Iterable[Overheard]) -> None:
    """Writes a CSV with one line for each of `found`, in their order; the columns are `COLUMNS`."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(astuple(one) for one in found)
    write_whole(path, text.getvalue().encode())


def read_overheard(path: Path) -> dict[str, frozenset[str]]:
    """Recording id -> the other labels that are heard in it, from a file as `write_overheard` writes it.

    Only the columns `recording` and `other` are needed, so that such a file can be written by hand.

    Raises:
        SoundLibraryError: the file cannot be read, or it is something else.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            missing = {"recording", "other"} - set(reader.fieldnames or ())
            if missing:
                raise SoundLibraryError(
                    f"overheard {path}: no column {' and '.join(sorted(missing))}; the first line names the columns, as in the "
                    "file that `reasonaudio sounds check --tagger` writes"
                )
            heard = _others(path, ((reader.line_num, row) for row in reader))
    except OSError as error:
        raise SoundLibraryError(f"overheard {path}: {(error.strerror or str(error)).lower()}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise SoundLibraryError(f"overheard {path}: not a CSV file in UTF-8 ({error})") from None
    return {recording: frozenset(others) for recording, others in heard.items()}


def _others(path: Path, rows: Iterable[tuple[int, Mapping[str, str | None]]]) -> dict[str, set[str]]:
    heard: dict[str, set[str]] = {}
    for number, row in rows:
        recording, other = row["recording"], row["other"]
        if not recording or not other:
            raise SoundLibraryError(f"overheard {path}, line {number}: {'other' if recording else 'recording'} is empty")
        heard.setdefault(recording, set()).add(other)
    return heard
