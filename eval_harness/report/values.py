"""Tables as values: every number of a report is put into words here, once, for pages, Markdown, CSV and LaTeX alike."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eval_harness.analysis.intervals import Interval

LONG = 24
"""Rows that a table may have before a page folds it up."""
NONE = "–"
"""Stands where there is no number."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table.

    Attributes:
        text: what it says.
        note: what is said smaller beside it, such as an interval.
        sort: the number to sort by; None sorts by `text`, or, in a column of numbers, last.
        mark: "best", "below" (worse than chance), "above" or "".
    """

    text: str
    note: str = ""
    sort: float | None = None
    mark: str = ""

    @property
    def plain(self) -> str:
        """Both in one line."""
        return f"{self.text} {self.note}".strip()


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, what it means, and whether it holds numbers."""

    title: str
    meaning: str = ""
    numeric: bool = True


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows that belong together, under a heading of their own if `title` is given."""

    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    scale: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first cell of every row names the row.

    Attributes:
        id: of the table in its page, in letters, digits and hyphens.
        caption: what it shows.
        columns: as many as every row has cells.
        groups: the rows.
        sortable: whether a reader may sort its rows.
    """

    id: str
    caption: str
    columns: tuple[Column, ...]
    groups: tuple[Rows, ...]
    sortable: bool = False

    @property
    def long(self) -> bool:
        """Whether it is opened by a reader, rather than shown at once."""
        return len(self.rows) > LONG

    @property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        return tuple(row for group in self.groups for row in group.rows)


# --- numbers ----------------------------------------------------------------------------------------------------------


def percent(value: float) -> str:
    """A share as percent with one digit after the point: 0.2345 -> "23.5"; `NONE` for NaN."""
    if math.isnan(value):
        return NONE
    text = f"{100 * value:.1f}"
    return "0.0" if text == "-0.0" else text


def limits(interval: Interval) -> str:
    """Its limits as percent: "[18.0, 29.5]"; "" for NaN."""
    return "" if math.isnan(interval.low) else f"[{percent(interval.low)}, {percent(interval.high)}]"


def share(interval: Interval | None, mark: str = "") -> Cell:
    """A cell with a share in percent and its limits."""
    if interval is None or math.isnan(interval.value):
        return Cell(NONE)
    return Cell(percent(interval.value), limits(interval), interval.value, mark)


def measured(interval: Interval, digits: int = 2) -> Cell:
    """A cell with a number that is no share, and its limits if there are any."""
    if math.isnan(interval.value):
        return Cell(NONE)
    note = "" if math.isnan(interval.low) else f"[{interval.low:.{digits}f}, {interval.high:.{digits}f}]"
    return Cell(f"{interval.value:.{digits}f}", note, interval.value)


def number(value: float, digits: int = 3) -> Cell:
    """A cell with a plain number."""
    return Cell(NONE) if math.isnan(value) else Cell(f"{value:.{digits}f}", sort=value)


def p_value(p: float) -> Cell:
    """A cell with a p value, as small ones are written: "< 0.001"."""
    if math.isnan(p):
        return Cell(NONE)
    return Cell("< 0.001" if p < 0.001 else f"{p:.3f}", sort=p)


def count(value: int) -> Cell:
    return Cell(f"{value:,}", sort=float(value))


# --- other forms ------------------------------------------------------------------------------------------------------

_MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]<>|#"} | {"\n": " "})
_TEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "–": "--",
        "\n": " ",
    }
)


def escape_markdown(text: str) -> str:
    """Text in which Markdown (GitHub's, with HTML) finds no mark-up."""
    return text.translate(_MARKDOWN)


def escape_tex(text: str) -> str:
    """Text in which LaTeX finds no commands."""
    return text.translate(_TEX)


def markdown(table: Table) -> str:
    """A pipe table, under its caption in bold."""
    lines = [f"**{escape_markdown(table.caption)}**", ""]
    lines.append("| " + " | ".join(escape_markdown(column.title) for column in table.columns) + " |")
    lines.append("| " + " | ".join("---:" if column.numeric else "---" for column in table.columns) + " |")
    for group in table.groups:
        if group.title:
            lines.append("| " + " | ".join([f"*{escape_markdown(group.title)}*", *[""] * (len(table.columns) - 1)]) + " |")
        lines += ["| " + " | ".join(escape_markdown(cell.plain) for cell in row) + " |" for row in group.rows]
    return "\n".join(lines) + "\n"


def tex(table: Table, label: str) -> str:
    """A `table` for the package booktabs: intervals stand smaller beneath the numbers."""
    aligned = "".join("r" if column.numeric else "l" for column in table.columns)
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escape_tex(table.caption)}}}",
        rf"\label{{{label}}}",
        rf"\begin{{tabular}}{{{aligned}}}",
        r"\toprule",
        " & ".join(escape_tex(column.title) for column in table.columns) + r" \\",
    ]
    for group in (group for group in table.groups if group.rows):
        lines.append(r"\midrule")
        for row in group.rows:
            lines.append(" & ".join(_tex_cell(cell) for cell in row) + r" \\")
            if any(cell.note for cell in row[1:]):
                notes = [rf"{{\scriptsize {escape_tex(cell.note)}}}" if cell.note else "" for cell in row[1:]]
                lines.append(" & ".join(["", *notes]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


def _tex_cell(cell: Cell) -> str:
    text = escape_tex(cell.text)
    return rf"\textbf{{{text}}}" if cell.mark == "best" else text


def comma_separated(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """CSV as RFC 4180 has it, lines ended by LF. A text that a spreadsheet would take for a formula gets a quote before it."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_harmless(value) for value in row] for row in rows)
    return file.getvalue()


def _harmless(text: str) -> str:
    return f"'{text}" if text[:1] in ("=", "+", "@", "\t") else text
