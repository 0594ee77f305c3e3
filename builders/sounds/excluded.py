"""What a corpus must not use: recordings, and pairs of labels that people take for each other. A file keeps both."""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, fields, replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from builders.errors import SoundLibraryError
from builders.files import write_whole
from builders.logic import Relations
from builders.sounds.library import Rejection, Source

Kind = Literal["recording", "pair"]
_KINDS = ("recording", "pair")
_NEEDED = ("kind", "a", "b")


@dataclass(frozen=True, slots=True)
class Exclusion:
    """One thing that is not to be used.

    Attributes:
        kind: "recording": the one with the id `a` is left out. "pair": the labels `a` and `b` are easy to confuse, so that they
            never meet in a clip or a query, and a clip that holds but one of them is unclear for queries that name the other.
        a, b: the id and ""; or the labels.
        note: why.
    """

    kind: Kind
    a: str
    b: str = ""
    note: str = ""


COLUMNS = tuple(field.name for field in fields(Exclusion))
"""Of the file."""


def write_exclusions(path: Path, taken: Iterable[Exclusion], others: Iterable[Exclusion] = (), about: str = "") -> None:
    """Writes a CSV that `read_exclusions` reads.

    Args:
        path: the file.
        taken: a line for each.
        others: likewise, but as comments, which a person may make count.
        about: a comment at the top, on one line.

    Raises:
        OSError: it cannot be written.
    """
    lines = [f"# {' '.join(about.split())}"] if about else []
    lines += [_line(COLUMNS), *(_line(astuple(one)) for one in taken)]
    lines += [f"# {' '.join(_line(astuple(one)).split())}" for one in others]
    write_whole(path, "".join(f"{line}\n" for line in lines).encode())


def _line(cells: Iterable[str]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerow(cells)  # both signs, so that cells with either are quoted
    return text.getvalue().removesuffix("\r\n")


def read_exclusions(path: Path) -> tuple[Exclusion, ...]:
    """What a file names, each once, in its order.

    The first line names the columns: kind, a, b, and others that are not looked at, but for note. Lines that begin with # are
    comments.

    Raises:
        SoundLibraryError: the file cannot be read, or it is something else; with the number of the line.
    """
    found: dict[tuple[str, frozenset[str]], Exclusion] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            records = _records(file)
            _, header = next(records, (0, []))
            missing = [name for name in _NEEDED if name not in header]
            if missing:
                raise SoundLibraryError(
                    f"exclude {path}: no column {' and '.join(missing)}; the first line names the columns: {','.join(COLUMNS)}"
                )
            for number, cells in records:
                one = _exclusion(dict(zip(header, cells, strict=False)), f"exclude {path}, line {number}")
                found.setdefault((one.kind, frozenset((one.a, one.b))), one)
    except OSError as error:
        raise SoundLibraryError(f"exclude {path}: {(error.strerror or str(error)).lower()}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise SoundLibraryError(f"exclude {path}: not a CSV file in UTF-8 ({error})") from None
    return tuple(found.values())


def _records(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """The records of a CSV with the numbers of their first lines; without comments and empty lines."""
    numbered = enumerate(lines, 1)
    rest = (line for _, line in numbered)
    for number, line in numbered:
        if line.strip() and not line.startswith("#"):
            yield number, next(csv.reader(chain([line], rest), strict=True))


def _exclusion(row: Mapping[str, str], where: str) -> Exclusion:
    kind, a, b, note = (row.get(name, "") for name in COLUMNS)
    if kind == "recording":
        if not a or b:
            raise SoundLibraryError(f"{where}: a recording has its id in a, and nothing in b")
        return Exclusion("recording", a, "", note)
    if kind == "pair":
        if not a or not b or a == b:
            raise SoundLibraryError(f"{where}: a pair has two different labels, in a and b")
        return Exclusion("pair", a, b, note)
    raise SoundLibraryError(f"{where}: kind {kind[:80]!r} is not known; it is {' or '.join(_KINDS)}")


def exclude(source: Source, exclusions: Iterable[Exclusion]) -> Source:
    """`source` without what is excluded: recordings are in `rejected`, pairs of labels are declared confusable.

    A note says how much of it the source does not have; what it does not have changes nothing.

    Raises:
        SoundLibraryError: no recording is left.
    """
    asked = tuple(exclusions)
    notes = {one.a: one.note for one in asked if one.kind == "recording"}
    labels = {sound.label for sound in source.sounds}
    pairs = [one for one in asked if one.kind == "pair"]
    declared = [one for one in pairs if {one.a, one.b} <= labels]
    left_out = [candidate for candidate in source.candidates if candidate.id in notes]
    kept = tuple(candidate for candidate in source.candidates if candidate.id not in notes)
    if left_out and not kept:
        raise SoundLibraryError(f"{source.name}: all of its {len(left_out)} recordings are excluded")
    strangers = len(notes) - len(left_out), len(pairs) - len(declared)
    told = [
        f"excluded: {_counted(*strangers)} {'is' if sum(strangers) == 1 else 'are'} not in this library",
    ]
    rejected = (Rejection(one.label, one.id, "excluded" + (f": {notes[one.id]}" if notes[one.id] else "")) for one in left_out)
    return replace(
        source,
        candidates=kept,
        rejected=(*source.rejected, *rejected),
        relations=_confusable(source.relations, declared),
        notes=(*source.notes, *(told if any(strangers) else ())),
        selection={**source.selection, "excluded": _counted(len(left_out), len(declared))},
    )


def _confusable(relations: Relations, pairs: Iterable[Exclusion]) -> Relations:
    found: defaultdict[str, frozenset[str]] = defaultdict(frozenset, relations.confusable)
    for pair in pairs:
        if not relations.related(pair.a, pair.b):
            found[pair.a] |= {pair.b}
            found[pair.b] |= {pair.a}
    return Relations(relations.ancestors, MappingProxyType(dict(found)))


def _counted(recordings: int, pairs: int) -> str:
    """ "2 recordings and 1 pair of labels"."""
    parts = [
        f"{recordings} {'recording' if recordings == 1 else 'recordings'}" if recordings or not pairs else "",
        f"{pairs} {'pair' if pairs == 1 else 'pairs'} of labels" if pairs else "",
    ]
    return " and ".join(filter(None, parts))
