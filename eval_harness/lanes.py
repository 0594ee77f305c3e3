"""A timeline drawn as lanes in a terminal: one lane an event, a bar from onset to offset on the clip's time axis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from builders.logic import Formula, Lacks, conjuncts, labels_of
from builders.timeline import Event, Timeline

_PALETTE = ("cyan", "magenta", "yellow", "blue", "green")
_NEGATED = "red"
_FREE = "dim"
_TIMES = 13  # "12.34 – 12.34"


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters that lanes are drawn with."""

    bar: str = "▇"
    free: str = "░"
    rest: str = "·"
    tick: str = "┊"
    yes: str = "✓"
    no: str = "✗"
    unclear: str = "?"
    dash: str = "–"
    cut: str = "…"


UNICODE = Glyphs()
ASCII = Glyphs(bar="#", free="=", rest=" ", tick=":", yes="+", no="x", dash="-", cut=".")


def label_styles(*formulas: Formula) -> dict[str, str]:
    """A colour for every label that the formulas name, in order: red for one that the first formula wants absent."""
    styles: dict[str, str] = {}
    palette = iter(_PALETTE * 4)
    for number, formula in enumerate(formulas):
        absent = {part.a for part in conjuncts(formula) if isinstance(part, Lacks)}
        for label in labels_of(formula):
            if label not in styles:
                styles[label] = _NEGATED if number == 0 and label in absent else next(palette)
    return styles


@dataclass(frozen=True, slots=True)
class Lanes:
    """How lanes are laid out: `indent`, a column of labels, the axis, the times.

    Attributes:
        width: columns in all, at least 50.
        label_width: columns for labels; longer ones are cut.
        styles: label -> colour of its bar; other labels are drawn as free sounds, dim and with another glyph, so that
            they can be told apart without colour as well.
        clip_ms: length of the axis.
    """

    width: int
    label_width: int
    styles: Mapping[str, str]
    glyphs: Glyphs = UNICODE
    indent: int = 2
    clip_ms: int = 10_000

    @classmethod
    def fitting(cls, width: int, labels: Iterable[str], styles: Mapping[str, str], glyphs: Glyphs = UNICODE) -> Lanes:
        """A layout for `width` columns in which the longest of `labels` gets up to a quarter of them."""
        width = max(50, min(width, 160))
        longest = max((cell_len(label) for label in labels), default=8)
        return cls(width, max(6, min(longest, width // 4)), styles, glyphs)

    @property
    def axis_width(self) -> int:
        return self.width - self.indent - self.label_width - _TIMES - 2

    def column(self, milliseconds: int) -> int:
        """The column of the axis, from 0, that holds this moment."""
        return min(round(milliseconds * self.axis_width / self.clip_ms), self.axis_width)

    def axis(self) -> Text:
        """The line above the lanes: "0    2    4    6    8    10 s"."""
        line = [" "] * (self.axis_width + _TIMES)
        last = self.clip_ms // 1000
        for second in range(0, last + 1, 2):
            text = f"{second} s" if second == last else str(second)
            at = self.column(second * 1000)
            line[at : at + len(text)] = text
        return Text(" " * (self.indent + self.label_width + 1) + "".join(line).rstrip(), style="dim")

    def draw(self, timeline: Timeline) -> Iterator[Text]:
        """One line for each event, in order of onset."""
        for event in timeline:
            yield self._lane(event)

    def _lane(self, event: Event) -> Text:
        style = self.styles.get(event.label)
        label = event.label
        if cell_len(label) > self.label_width:
            label = set_cell_size(label, self.label_width - 1) + self.glyphs.cut
        line = Text(" " * self.indent)
        line.append(set_cell_size(label, self.label_width), style=style or _FREE)
        line.append(" ")
        start = min(self.column(event.onset_ms), self.axis_width - 1)
        end = max(self.column(event.offset_ms), start + 1)
        line.append(self._rest(0, start), style="dim")
        line.append((self.glyphs.bar if style else self.glyphs.free) * (end - start), style=style or _FREE)
        line.append(self._rest(end, self.axis_width), style="dim")
        times = f"{event.onset_ms / 1000:5.2f} {self.glyphs.dash} {event.offset_ms / 1000:.2f}"
        line.append(" " + times, style="" if style else _FREE)
        return line

    def _rest(self, start: int, end: int) -> str:
        ticks = {self.column(second * 1000) for second in range(2, self.clip_ms // 1000, 2)}
        return "".join(self.glyphs.tick if column in ticks else self.glyphs.rest for column in range(start, end))
