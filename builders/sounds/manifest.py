"""Reads a manifest: a CSV or TSV file that lists recordings and their labels."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from builders.errors import SoundLibraryError
from builders.sounds.texts import read_text

COLUMNS: dict[str, tuple[str, ...]] = {
    "file": ("file", "filename", "file_name", "filepath", "file_path", "path", "fname", "audio", "wav"),
    "label": ("label", "category", "class", "class_name", "sound"),
    "license": ("license", "licence"),
    "attribution": ("attribution", "author", "artist", "creator", "uploader", "credit"),
    "source": ("source", "url", "link"),
    "original": ("original", "src_file", "freesound_id"),
    "uploader": ("uploader", "username"),
    "sustained": ("sustained",),
    "noun": ("noun",),
    "clause": ("clause",),
    "audioset_id": ("audioset_id", "mid"),
    "confusable": ("confusable", "confusable_with"),
}
"""Each field, and the columns it is read from (the first that is there); case, spaces and hyphens make no difference."""

_REQUIRED = ("file", "label")
_TRUE, _FALSE = ("true", "1", "yes", "y", "t"), ("false", "0", "no", "n", "f")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a manifest. Fields that are empty or not there are ""; labels are tidied (see `tidy_label`).

    Attributes:
        number: of the line in the file, from 1; the header counts.
    """

    number: int
    file: str
    label: str
    license: str
    attribution: str
    source: str
    original: str
    uploader: str
    sustained: bool | None
    noun: str
    clause: str
    audioset_id: str
    confusable: tuple[str, ...]


def read_manifest(path: Path) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """The lines of a manifest, and the columns that mean nothing here.

    The text is UTF-8, or UTF-16 with a byte order mark; fields are separated by commas, tabs or semicolons.

    Raises:
        SoundLibraryError: one line that names the file, the line and field, what was found, and what to do.
    """
    text = _text(path)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    lines: list[Line] = []
    columns: dict[str, int] = {}
    header: list[str] = []
    first_of: dict[str, int] = {}
    try:
        for values in reader:
            if not any(value.strip() for value in values):
                continue
            if not header:
                header = [value.strip() for value in values]
                columns = _columns(header, path)
                continue
            line = _line(values, header, columns, reader.line_num, path)
            if line.file:
                key = Path(line.file.replace("\\", "/")).as_posix()
                if key in first_of:
                    raise SoundLibraryError(
                        f"manifest {path}: lines {first_of[key]} and {line.number} are both for {line.file!r}; remove one of them"
                    )
                first_of[key] = line.number
            lines.append(line)
    except csv.Error as error:
        raise SoundLibraryError(f"manifest {path}, line {reader.line_num}: not readable as a table: {error}") from None
    if not lines:
        raise SoundLibraryError(f"manifest {path}: no recordings are listed below the header; add lines with a file and a label")
    used = set(columns.values())
    return tuple(lines), tuple(name for index, name in enumerate(header) if name and index not in used)


def tidy_label(text: str) -> str:
    """A label as it is shown: underscores are spaces, no space is doubled, letters composed (NFC); case is kept."""
    return re.sub(r"[\s_]+", " ", unicodedata.normalize("NFC", text)).strip()


def _text(path: Path) -> str:
    text = read_text(path, f"manifest {path}")
    if not text.strip():
        raise SoundLibraryError(f"manifest {path}: it is empty; a header with the columns file and label is needed")
    return text


def _delimiter(text: str) -> str:
    """The separator under which the header holds the most columns that are known; of equals the one with most columns."""
    header = next(line for line in text.splitlines() if line.strip())
    known = {alias for aliases in COLUMNS.values() for alias in aliases}

    def fit(delimiter: str) -> tuple[int, int]:
        names = [_key(name) for name in next(csv.reader([header], delimiter=delimiter))]
        return len(known.intersection(names)), len(names)

    return max(("\t", ",", ";"), key=fit)


def _key(column: str) -> str:
    return re.sub(r"[\s-]+", "_", column.strip().casefold())


def _columns(header: list[str], path: Path) -> dict[str, int]:
    keys = [_key(name) for name in header]
    found: dict[str, int] = {}
    for field, aliases in COLUMNS.items():
        for alias in aliases:
            if alias not in keys:
                continue
            if keys.count(alias) > 1:
                raise SoundLibraryError(f"manifest {path}: two columns are named {alias!r}; remove or rename one of them")
            found[field] = keys.index(alias)
            break
    missing = [field for field in _REQUIRED if field not in found]
    if missing:
        raise SoundLibraryError(
            f"manifest {path}: no column {' and no column '.join(map(repr, missing))}; "
            f"the columns found are {', '.join(map(repr, header))}; "
            + "; ".join(f"{field!r} may also be named {', '.join(COLUMNS[field][1:])}" for field in missing)
        )
    return found


def _line(values: list[str], header: list[str], columns: dict[str, int], number: int, path: Path) -> Line:
    if len(values) > len(header) and any(value.strip() for value in values[len(header) :]):
        raise SoundLibraryError(
            f"manifest {path}, line {number}: {len(values)} fields, but the header has {len(header)}; "
            "put fields that hold the separator in double quotes"
        )
    found = {field: values[index].strip() if index < len(values) else "" for field, index in columns.items()}
    sustained = found.get("sustained", "").casefold()
    if sustained and sustained not in _TRUE + _FALSE:
        raise SoundLibraryError(
            f"manifest {path}, line {number}: sustained: {found['sustained']!r} is not understood; write true or false"
        )
    return Line(
        number=number,
        file=found["file"],
        label=tidy_label(found["label"]),
        license=found.get("license", ""),
        attribution=found.get("attribution", ""),
        source=found.get("source", ""),
        original=found.get("original", ""),
        uploader=found.get("uploader", ""),
        sustained=sustained in _TRUE if sustained else None,
        noun=tidy_label(found.get("noun", "")),
        clause=tidy_label(found.get("clause", "")),
        audioset_id=found.get("audioset_id", ""),
        confusable=tuple(filter(None, map(tidy_label, found.get("confusable", "").split(";")))),
    )
