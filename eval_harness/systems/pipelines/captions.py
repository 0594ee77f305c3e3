"""Files of descriptions: CSV and parquet with the columns id and caption, JSONL also with timelines."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from builders.errors import EvaluationError
from builders.files import write_whole
from eval_harness.systems.pipelines.describers import Description
from eval_harness.systems.pipelines.records import from_record, to_record

SUFFIXES = (".csv", ".jsonl", ".parquet")
"""Of the files that are read and written."""
WRITE_ONE = "`reasonaudio describe` writes such a file for a dataset"


def write_descriptions(path: Path, found: Mapping[str, Description]) -> None:
    """Writes descriptions to a file, whole or not at all: `.csv` and `.parquet` hold captions, `.jsonl` timelines too.

    Raises:
        EvaluationError: the file's name ends otherwise.
        OSError: it cannot be written.
    """
    check_suffix(path)
    if path.suffix == ".jsonl":
        lines = (json.dumps(to_record(clip, one), ensure_ascii=False) for clip, one in found.items())
        return write_whole(path, "".join(f"{line}\n" for line in lines).encode())
    if path.suffix == ".csv":
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(("id", "caption"))
        writer.writerows((clip, one.caption) for clip, one in found.items())
        return write_whole(path, text.getvalue().encode())
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = io.BytesIO()
    pq.write_table(pa.table({"id": list(found), "caption": [one.caption for one in found.values()]}), content)
    return write_whole(path, content.getvalue())


def read_descriptions(path: Path, clips: Collection[str], labels: Collection[str]) -> dict[str, Description]:
    """The description of every clip of a dataset, in the order of `clips`.

    Args:
        path: a CSV, JSONL or parquet file with the columns (fields) "id" and "caption"; in JSONL and parquet also "events", a
            list of {"label", "onset", "offset"} in seconds, and "heard". Further columns are not looked at.
        clips: ids that must be there, each once, and no others.
        labels: those that events may have.

    Raises:
        EvaluationError: the file is missing or something else, or an id is missing, unknown or there twice, or a caption is
            empty.
    """
    check_suffix(path)
    rows = list(_rows(path))
    ids = [str(row["id"]) for _, row in rows]
    known = set(clips)
    twice = [clip for clip, times in Counter(ids).items() if times > 1]
    if twice:
        raise EvaluationError(f"{path}: {_counted(twice, 'id')} there more than once; keep one line for each clip")
    strange = [clip for clip in ids if clip not in known]
    if strange:
        raise EvaluationError(
            f"{path}: {_counted(strange, 'id')} not among the {len(known)} clips of this dataset; "
            f"was it made for another? {WRITE_ONE}"
        )
    missing = [clip for clip in clips if clip not in set(ids)] if len(ids) < len(known) else []
    if missing:
        raise EvaluationError(
            f"{path}: {_counted(missing, 'clip')} not described, of the dataset's {len(known)}; every clip needs "
            f"a caption, and {WRITE_ONE}"
        )
    found: dict[str, Description] = {}
    wrong: list[str] = []
    why = ""
    for clip, (place, row) in zip(ids, rows, strict=True):
        try:
            found[clip] = from_record(row, labels)
        except ValueError as error:
            why = why or f"{place}, clip {clip}: {error}"
            wrong.append(clip)
    if wrong:
        more = f" (and {len(wrong) - 1} more like it)" if len(wrong) > 1 else ""
        raise EvaluationError(f"{path}, {why}{more}; put it right, or leave such clips to be described as 'Nothing is heard.'")
    return {clip: found[clip] for clip in clips}


def check_suffix(path: Path) -> None:
    """Raises EvaluationError unless the name of the file says that it is one of `SUFFIXES`."""
    if path.suffix not in SUFFIXES:
        raise EvaluationError(f"{path}: a file of descriptions ends with {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")


def _counted(ids: list[str], noun: str) -> str:
    """'3 ids (a, b, c) are'; of many ids three are shown."""
    shown = ", ".join(ids[:3]) + (", …" if len(ids) > 3 else "")
    return f"1 {noun} ({shown}) is" if len(ids) == 1 else f"{len(ids)} {noun}s ({shown}) are"


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(where it stands, row) of every row; all have "id" and "caption"."""
    try:
        rows = {".csv": _csv, ".jsonl": _jsonl, ".parquet": _parquet}[path.suffix](path)
        for place, row in rows:
            missing = [name for name in ("id", "caption") if name not in row]
            if missing:
                raise EvaluationError(
                    f"{path}, {place}: no {' and no '.join(missing)} there, but {', '.join(map(str, row)) or 'nothing'}; "
                    f"the columns id and caption are needed, and {WRITE_ONE}"
                )
            yield place, row
    except OSError as error:
        raise EvaluationError(f"{path}: {(error.strerror or str(error)).lower()}; {WRITE_ONE}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise EvaluationError(f"{path}: not a {path.suffix[1:]} file in UTF-8 ({error}); {WRITE_ONE}") from None


def _csv(path: Path) -> Iterable[tuple[str, Mapping[str, Any]]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, strict=True)
        columns = reader.fieldnames or ()
        if not {"id", "caption"} <= set(columns):
            yield "line 1", dict.fromkeys(columns)  # whose names are then missed
        for row in reader:
            if None in row:  # more fields than columns: part of the caption would be lost
                raise EvaluationError(
                    f"{path}, line {reader.line_num}: {len(columns) + len(row[None])} fields, the header has {len(columns)}; put "
                    "captions that hold commas into double quotes"
                )
            yield f"line {reader.line_num}", {name: row[name] for name in ("id", "caption")}


def _jsonl(path: Path) -> Iterable[tuple[str, Mapping[str, Any]]]:
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise EvaluationError(f"{path}, line {number}: not JSON ({error}); every line is one object") from None
        if not isinstance(row, dict):
            raise EvaluationError(f"{path}, line {number}: an object with id and caption is needed")
        yield f"line {number}", row


def _parquet(path: Path) -> Iterable[tuple[str, Mapping[str, Any]]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names = file.schema_arrow.names
            wanted = [name for name in ("id", "caption", "events", "heard") if name in names]
            if not {"id", "caption"} <= set(wanted):
                yield "its columns", dict.fromkeys(names)
            rows = file.read(columns=wanted).to_pylist()
    except pa.ArrowException as error:
        raise EvaluationError(f"{path}: not a parquet file ({str(error).partition(chr(10))[0]}); {WRITE_ONE}") from None
    yield from ((f"row {number}", row) for number, row in enumerate(rows, 1))
