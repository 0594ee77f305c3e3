"""The file of what to leave out of a build, as `reasonaudio build --exclude` takes it, of what listeners contradict."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from builders.files import write_whole
from eval_harness.listening.suspects import Suspect


def write_exclude(path: Path, suspects: Iterable[Suspect]) -> None:
    """Writes the proposed suspects, and the others as comments. Raises OSError."""
    proposed: list[str] = []
    others: list[str] = []
    written: set[tuple[str, str]] = set()
    for one in suspects:
        a, b = (one.fault.a, "") if one.fault.kind == "recording" else sorted((one.fault.a, one.fault.b))
        line = _line(one.fault.kind, a, b, one.note)
        if not one.proposed:
            others.append(line)
        elif (a, b) not in written:  # a pair may be proposed for each of its labels
            proposed.append(line)
            written.add((a, b))
    lines = [
        "# What listeners contradict the rule about, to be heard again before it is left out of a build (--exclude).",
        _line("kind", "a", "b", "note"),
        *proposed,
    ]
    if others:
        lines += ["# Seldom enough to be chance:", *(f"# {line}" for line in others)]
    write_whole(path, ("\n".join(lines) + "\n").encode())


def _line(*cells: str) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="").writerow([" ".join(cell.split()) for cell in cells])
    return file.getvalue()
