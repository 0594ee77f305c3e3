"""Tables as other people write them: CSV or TSV, JSON lines, parquet. What is wrong with one is one line that says where."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from builders.errors import EvaluationError

SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet")
"""Of the files that are read as tables."""
_DELIMITERS = (",", "\t", ";", "|")
_CANONICAL = {"id": "id", "audio": "audio", "text": "text", "queryid": "query-id", "corpusid": "corpus-id", "score": "score"}
"""A column's name without anything but letters, in lower case -> what it is called here."""

Cell: TypeAlias = str
"""What a row holds in a column, without white space around it; "" where it holds nothing."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table, and where it stands.

    Attributes:
        number: the line in a text file, from 1; the row in a parquet file, from 1.
        cells: column -> what it holds, of the columns that are known here.
    """

    number: int
    cells: Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Table:
    """A table, read whole.

    Attributes:
        path: its file; of several parts the first.
        columns: those that are known here, by the names "id", "audio", "text", "query-id", "corpus-id" and "score".
        all_columns: all, as they are spelled.
        rows: in order.
    """

    path: Path
    columns: frozenset[str]
    all_columns: tuple[str, ...]
    rows: tuple[tuple[Path, Row], ...]

    def require(self, *columns: str) -> None:
        """Raises EvaluationError where a column is missing."""
        for column in columns:
            if column not in self.columns:
                raise EvaluationError(
                    f"{self.path}: no column {spelling(column)}; it has {', '.join(map(repr, self.all_columns)) or 'none'}"
                )


def place(path: Path, row: Row) -> str:
    """Where a row stands, as messages begin: "corpus.csv, line 3"."""
    return f"{path}, {'row' if path.suffix.lower() == '.parquet' else 'line'} {row.number}"


def spelling(column: str) -> str:
    """How a column may be called."""
    return {"id": "'_id' (or 'id')"}.get(column, repr(column))


def read_table(parts: Sequence[Path]) -> Table:
    """The table that one file holds, or several of which each holds a part.

    Args:
        parts: files with the same columns, in order. CSV and TSV are told apart by their first line, whatever they are called:
            UTF-8, with or without a byte order mark. JSON lines hold an object each. Of a parquet column of audio the path is
            read, not the sound.

    Raises:
        EvaluationError: a file cannot be read, has no known column, or has one twice; or a row has too many cells.
    """
    rows: list[tuple[Path, Row]] = []
    columns: frozenset[str] | None = None
    first: tuple[str, ...] = ()
    for path in parts:
        names, found = _read(path)
        known = frozenset(_known(path, names).values())
        if columns is not None and known != columns:
            raise EvaluationError(f"{path}: its columns are not those of {parts[0]}, though both are parts of one table")
        columns, first = known, first or names
        rows += [(path, row) for row in found]
    return Table(parts[0], columns or frozenset(), first, tuple(rows))


def columns_of(path: Path) -> frozenset[str]:
    """The known columns of a file, without its rows. Raises EvaluationError as `read_table`."""
    if path.suffix.lower() == ".parquet":
        return frozenset(_known(path, tuple(_parquet(path).schema_arrow.names)).values())
    return frozenset(_known(path, _read(path)[0]).values())


def _known(path: Path, names: Sequence[str]) -> dict[str, str]:
    """A column as it is spelled -> what it is called here, of those that are known."""
    found: dict[str, str] = {}
    for name in names:
        column = _CANONICAL.get(re.sub(r"[^a-z]", "", name.lower()))
        if column is None:
            continue
        if column in found.values():
            other = next(one for one, called in found.items() if called == column)
            raise EvaluationError(f"{path}: the columns {other!r} and {name!r} are the same thing twice; leave one")
        found[name] = column
    return found


def _read(path: Path) -> tuple[tuple[str, ...], list[Row]]:
    """Columns as they are spelled, and rows."""
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return _read_parquet(path)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read ({(error.strerror or str(error)).lower()})") from None
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise EvaluationError(f"{path}, line {line}: not UTF-8 (byte {error.start}); save the table as UTF-8") from None
    if not text.strip():
        raise EvaluationError(f"{path} is empty; a table with a line of column names is needed")
    return _read_json(path, text) if suffix == ".jsonl" else _read_delimited(path, text)


def _read_delimited(path: Path, text: str) -> tuple[tuple[str, ...], list[Row]]:
    delimiter = _delimiter(path, text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    names: tuple[str, ...] = ()
    rows: list[Row] = []
    line = 1
    try:
        for cells in reader:
            start, line = line, reader.line_num + 1
            if not any(cell.strip() for cell in cells):
                continue  # an empty line
            if not names:
                names = tuple(cell.strip() for cell in cells)
                known = _known(path, names)
                continue
            if len(cells) != len(names):
                raise EvaluationError(
                    f"{path}, line {start}: {len(cells)} cells, but {len(names)} columns; a cell that holds {delimiter!r} or a "
                    'line break must stand in "quotes"'
                )
            rows.append(Row(start, {known[name]: cell.strip() for name, cell in zip(names, cells, strict=True) if name in known}))
    except csv.Error as error:
        raise EvaluationError(f"{path}, line {line}: not a table ({error}); are all quotes closed?") from None
    return names, rows


def _delimiter(path: Path, text: str) -> str:
    """The one with which the first line has the most known columns: told by the names, not by how often a sign stands there."""
    header = next(line for line in text.splitlines() if line.strip())
    counts = {sign: len({*_known(path, _cells(header, sign)).values()}) for sign in _DELIMITERS}
    best = max(counts, key=lambda sign: counts[sign])
    if counts[best] == 0:
        raise EvaluationError(
            f"{path}, line 1: no known column in {header[:80]!r}; the first line must name them: _id, audio, text, or query-id, "
            "corpus-id, score, with a comma, tab, semicolon or | between"
        )
    return best


def _cells(header: str, sign: str) -> tuple[str, ...]:
    try:
        return tuple(cell.strip() for cell in next(csv.reader([header], delimiter=sign)))
    except csv.Error:
        return ()


def _read_json(path: Path, text: str) -> tuple[tuple[str, ...], list[Row]]:
    names: dict[str, None] = {}
    found: list[tuple[int, dict[str, Any]]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise EvaluationError(f"{path}, line {number}: not JSON ({error}); each line must hold one object") from None
        if not isinstance(row, dict):
            raise EvaluationError(f"{path}, line {number}: {type(row).__name__} where an object is needed, {{column: value}}")
        names |= dict.fromkeys(row)
        found.append((number, row))
    known = _known(path, tuple(names))
    if not known:
        raise EvaluationError(f"{path}: no known column in {', '.join(map(repr, names))}; it needs _id, audio, text, ...")
    return tuple(names), [Row(number, _plain(path, f"line {number}", known, row)) for number, row in found]


def _read_parquet(path: Path) -> tuple[tuple[str, ...], list[Row]]:
    file = _parquet(path)
    names = tuple(file.schema_arrow.names)
    known = _known(path, names)
    if not known:
        raise EvaluationError(f"{path}: no known column in {', '.join(map(repr, names))}; it needs _id, audio, text, ...")
    rows = enumerate(_parquet_rows(path, file, list(known)), start=1)
    return names, [Row(number, _plain(path, f"row {number}", known, row)) for number, row in rows]


def _parquet(path: Path) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(path)
    except (OSError, pa.ArrowException) as error:
        raise EvaluationError(f"{path} is damaged, or no parquet ({str(error).partition(chr(10))[0]})") from None


def _parquet_rows(path: Path, file: Any, columns: list[str]) -> Iterator[dict[str, Any]]:
    import pyarrow as pa

    try:
        for group in range(file.num_row_groups):
            yield from file.read_row_group(group, columns=columns).to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise EvaluationError(f"{path} is damaged ({str(error).partition(chr(10))[0]})") from None


def _plain(path: Path, where: str, known: Mapping[str, str], row: Mapping[str, Any]) -> dict[str, Cell]:
    """The cells of a row of JSON or parquet as text."""
    return {column: _text(path, where, name, row.get(name)) for name, column in known.items()}


def _text(path: Path, where: str, name: str, value: Any) -> Cell:
    if isinstance(value, dict) and {"bytes", "path"} >= value.keys():
        if value.get("bytes"):
            raise EvaluationError(
                f"{path}, {where}: the column {name!r} holds the sound itself; write each out as a file, and its name here"
            )
        value = value.get("path")
    if value is None or value != value:  # pandas writes NaN where nothing is
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise EvaluationError(f"{path}, {where}: the column {name!r} holds {type(value).__name__}, not text or a number")
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # whole numbers beside missing ones become floats in pandas
    return str(value).strip()
