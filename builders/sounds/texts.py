"""Reads the small files that come with recordings: tables (CSV) and JSON. What is wrong with them is said in one line."""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders.errors import SoundLibraryError


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table.

    Attributes:
        number: of the line in the file, from 1; the header counts.
        values: by column, stripped of spaces.
    """

    number: int
    values: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.values[column]


def read_text(path: Path, named: str = "") -> str:
    """The text of a file: UTF-8, or UTF-16 with a byte order mark.

    Args:
        path: of the file.
        named: what messages call it; its path, if nothing else is given.

    Raises:
        SoundLibraryError: the file cannot be read, or is in another encoding.
    """
    named = named or str(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise SoundLibraryError(f"{named}: {error.strerror or error}") from None
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SoundLibraryError(
            f"{named}, line {line}: not {encoding.removesuffix('-sig').upper()} at byte {error.start}; save it as UTF-8"
        ) from None
    if "\0" in text:
        raise SoundLibraryError(f"{named}: not a text (it holds NUL characters); save it as UTF-8")
    return text


def read_table(path: Path, columns: Sequence[str], *, key: str = "") -> list[Row]:
    """The lines of a comma-separated table with a header; empty lines are left out.

    Args:
        path: of the file.
        columns: that must be there. All others are read as well.
        key: a column whose values must be there, and differ.

    Raises:
        SoundLibraryError: one line that names the file and the line or column.
    """
    lines = _lines(path)
    header = next(lines, (0, []))[1]
    names = [name.strip() for name in header]
    missing = [column for column in columns if column not in names]
    if missing:
        there = f"the columns found are {', '.join(map(repr, names))}" if names else "the file is empty"
        raise SoundLibraryError(
            f"{path}: no column {' and no column '.join(map(repr, missing))}; {there}; take the file as it was published"
        )
    rows: list[Row] = []
    first_of: dict[str, int] = {}
    for number, values in lines:
        if len(values) != len(names):
            raise SoundLibraryError(f"{path}, line {number}: {len(values)} fields, but the header has {len(names)}")
        row = Row(number, dict(zip(names, (value.strip() for value in values), strict=True)))
        if key:
            if not row[key]:
                raise SoundLibraryError(f"{path}, line {number}: the column {key!r} is empty")
            if row[key] in first_of:
                raise SoundLibraryError(
                    f"{path}: lines {first_of[row[key]]} and {number} are both for {row[key]!r}; remove one of them"
                )
            first_of[row[key]] = number
        rows.append(row)
    return rows


def read_plain_table(path: Path, width: int) -> list[list[str]]:
    """The lines of a comma-separated table without a header, each of `width` fields stripped of spaces.

    Raises:
        SoundLibraryError: one line that names the file and the line.
    """
    rows = []
    for number, values in _lines(path):
        if len(values) != width:
            raise SoundLibraryError(f"{path}, line {number}: {len(values)} fields, not {width}")
        rows.append([value.strip() for value in values])
    return rows


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        for values in reader:
            if any(value.strip() for value in values):
                yield reader.line_num, values
    except csv.Error as error:
        raise SoundLibraryError(f"{path}, line {reader.line_num}: not readable as a table: {error}") from None


def read_json_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file.

    Raises:
        SoundLibraryError: the file cannot be read, or holds something else.
    """
    try:
        content = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise SoundLibraryError(f"{path}, line {error.lineno}: not readable as JSON: {error.msg}") from None
    if not isinstance(content, dict):
        raise SoundLibraryError(f"{path}: not a JSON object with an entry for each clip; take the file as it was published")
    return content
