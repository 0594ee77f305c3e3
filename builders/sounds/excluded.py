"""Recordings and pairs of labels that a corpus must not use: the file that names them, and a library without them."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from builders.errors import SoundLibraryError
from builders.files import write_whole
from builders.logic import Relations
from builders.sounds.library import Rejection, SoundLibrary
from builders.sounds.screening import among, digest

COLUMNS = ("kind", "a", "b", "note")
"""Of the file; `note` need not be there."""
RECORDING, PAIR = "recording", "pair"


def _none() -> Mapping[str, str]:
    return MappingProxyType({})


def _no_pairs() -> Mapping[frozenset[str], str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Exclusions:
    """What a corpus must not use, each with a note that says why ("" where nobody said).

    Attributes:
        recordings: id -> note.
        pairs: two labels that are easily taken for each other -> note.
    """

    recordings: Mapping[str, str] = field(default_factory=_none)
    pairs: Mapping[frozenset[str], str] = field(default_factory=_no_pairs)


def with_exclusions(library: SoundLibrary, exclusions: Exclusions) -> SoundLibrary:
    """`library` without the recordings, and with the pairs among its easily confused labels.

    What the library does not have, and pairs that are related already, change nothing: neither does its digest. Sounds of which
    no recording is left are left out as well. No other recording takes the place of one that is excluded.
    """
    kept = tuple(recording for recording in library.recordings if recording.id not in exclusions.recordings)
    gone = [recording for recording in library.recordings if recording.id in exclusions.recordings]
    pairs = new_pairs(library, exclusions)
    if not gone and not pairs:
        return library
    rejected = [Rejection(recording.label, recording.id, _reason(exclusions.recordings[recording.id])) for recording in gone]
    labels = {recording.label for recording in kept}
    for label, count in sorted(Counter(recording.label for recording in gone).items()):
        if label not in labels:
            rejected.append(Rejection(label, "", f"all of its {count} usable recordings are excluded"))
    sounds = tuple(sound for sound in library.sounds if sound.label in labels)
    relations = among(_with_pairs(library.relations, pairs), labels)
    heard = None
    if library.overheard is not None:
        ids = {recording.id for recording in kept}
        left = {name: others & labels for name, others in library.overheard.items() if name in ids}
        heard = {name: others for name, others in left.items() if others}
    return replace(
        library,
        sounds=sounds,
        recordings=kept,
        relations=relations,
        rejected=tuple(sorted((*library.rejected, *rejected), key=lambda rejection: (rejection.label, rejection.id))),
        overheard=heard,
        excluded_recordings=library.excluded_recordings + len(gone),
        excluded_pairs=library.excluded_pairs + len(pairs),
        digest=digest(library.sample_rate, sounds, kept, relations, heard),
    )


def new_pairs(library: SoundLibrary, exclusions: Exclusions) -> list[tuple[str, str]]:
    """Those pairs, sorted, that the library has, both labels with a recording that is left, and that are not related already."""
    labels = {recording.label for recording in library.recordings if recording.id not in exclusions.recordings}
    pairs = [(a, b) for a, b in map(sorted, exclusions.pairs) if {a, b} <= labels]
    return sorted((a, b) for a, b in pairs if not library.relations.related(a, b))


def _with_pairs(relations: Relations, pairs: list[tuple[str, str]]) -> Relations:
    confusable = {label: set(others) for label, others in relations.confusable.items()}
    for a, b in pairs:
        confusable.setdefault(a, set()).add(b)
        confusable.setdefault(b, set()).add(a)
    return Relations(relations.ancestors, {label: frozenset(confusable[label]) for label in sorted(confusable)})


def _reason(note: str) -> str:
    said = " ".join(note.split())
    return f"excluded: {said}" if said else "excluded"


# --- the file ---------------------------------------------------------------------------------------------------------


def write_exclusions(path: Path, exclusions: Exclusions, candidates: Exclusions | None = None) -> None:
    """Writes the CSV that `read_exclusions` reads, sorted.

    Args:
        path: of the file, which is written whole or not at all.
        exclusions: what is to be excluded.
        candidates: what might be excluded: each becomes a comment, a line of its own with "# " before it (before each of its
            lines, where a name or a note has several), which a person takes away to exclude it.
    """
    text = _rows([COLUMNS, *_listed(exclusions)])
    if candidates is not None:
        lines = io.StringIO(_rows(_listed(candidates)), newline="")  # a line ends here as it does for the reader
        text += "".join(f"# {line}" for line in lines)
    write_whole(path, text.encode())


def _listed(exclusions: Exclusions) -> list[tuple[str, ...]]:
    recordings = [(RECORDING, name, "", exclusions.recordings[name]) for name in sorted(exclusions.recordings)]
    pairs = sorted((*sorted(pair), note) for pair, note in exclusions.pairs.items())
    return [*recordings, *((PAIR, *pair) for pair in pairs)]


def _rows(rows: list[tuple[str, ...]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows(rows)  # with both, either of them in a name is quoted
    return text.getvalue()


class _Lines:
    """The lines of a file without those comments that lie between records; in quotes, a line may begin with #."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.lines = lines
        self.number = 0
        self.first = 1
        """The line in which the record begins."""
        self.between = True

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        while True:
            line = next(self.lines)
            self.number += 1
            if not self.between:
                return line
            if not line.lstrip().startswith("#"):
                self.between, self.first = False, self.number
                return line


def read_exclusions(path: Path) -> Exclusions:
    """What a file excludes. Lines that begin with # are comments; of what is named twice, the first note is kept.

    Raises:
        SoundLibraryError: the file cannot be read, or a line of it is not understood.
    """
    recordings: dict[str, str] = {}
    pairs: dict[frozenset[str], str] = {}
    for kind, a, b, note in _records(path, io.StringIO(_text(path), newline="")):
        if kind == RECORDING:
            recordings.setdefault(a, note)
        else:
            pairs.setdefault(frozenset((a, b)), note)
    return Exclusions(MappingProxyType(recordings), MappingProxyType(pairs))


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SoundLibraryError(f"exclude {path}: {(error.strerror or str(error)).lower()}") from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = 1 + content.count(b"\n", 0, error.start)
        raise SoundLibraryError(f"exclude {path}, line {number}: not in UTF-8; save it as a CSV file in UTF-8") from None


def _records(path: Path, file: Iterator[str]) -> Iterator[tuple[str, str, str, str]]:
    """(kind, a, b, note) of every record."""
    lines = _Lines(file)
    reader = csv.reader(lines, strict=True)
    names: list[str] | None = None
    while True:
        lines.between = True
        try:
            row = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            raise SoundLibraryError(f"exclude {path}, line {lines.first}: not a line of a CSV file ({error})") from None
        if not any(row) or row[0].lstrip().startswith("#"):  # a spreadsheet quotes comments
            continue
        if names is None:
            names = _header(path, lines.first, row)
        else:
            yield _checked(f"exclude {path}, line {lines.first}", names, row)
    if names is None:
        raise SoundLibraryError(f"exclude {path}: it is empty; the first line is {','.join(COLUMNS)}")


def _header(path: Path, number: int, row: list[str]) -> list[str]:
    names = [name.strip() for name in row]
    missing = [name for name in COLUMNS[:3] if name not in names]
    if missing:
        raise SoundLibraryError(
            f"exclude {path}, line {number}: no column {' and '.join(missing)}; the first line is {','.join(COLUMNS)}"
        )
    return names


def _checked(where: str, names: list[str], row: list[str]) -> tuple[str, str, str, str]:
    if len(row) > len(names):
        raise SoundLibraryError(
            f"{where}: {len(row)} fields, but the first line names {len(names)} columns; text with a comma stands in quotes"
        )
    fields = dict(zip(names, row, strict=False))
    kind, a, b, note = (fields.get(name, "") for name in COLUMNS)
    kind = kind.strip()
    if kind not in (RECORDING, PAIR):
        raise SoundLibraryError(f"{where}: kind {kind[:50]!r}; there are {RECORDING} and {PAIR}")
    if not a.strip():
        raise SoundLibraryError(f"{where}: a is empty; it is the {'id of a recording' if kind == RECORDING else 'first label'}")
    if kind == RECORDING and b:
        raise SoundLibraryError(f"{where}: a recording has no b; its note is the last column")
    if kind == PAIR and not b.strip():
        raise SoundLibraryError(f"{where}: b is empty; it is the second label")
    if kind == PAIR and a == b:
        raise SoundLibraryError(f"{where}: a pair of {a[:50]!r} with itself; two labels are needed")
    return kind, a, b, note
