"""What a report consists of: sections of texts, figures and tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eval_harness.report.drawing import Drawn, Theme
from eval_harness.report.values import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Sketch:
    """A figure that is to be drawn: its file's name, what it shows, the same for those who do not see it, and how to "
    "draw it."""

    name: str
    title: str
    alt: str
    make: Callable[[Theme], Figure]
    dark: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a section. Where there are figures, the tables hold their numbers; `open` shows them at once all the same."""

    title: str = ""
    texts: tuple[str, ...] = ()
    figures: tuple[Sketch | Drawn, ...] = ()
    tables: tuple[Table, ...] = ()
    open: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    texts: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
