"""How figures of a report look, for light and dark pages and for print; and the files they are kept in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLDER = "figures"


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a figure: Okabe and Ito's (2008), which most people who are colour-blind can tell apart."""

    text: str
    soft: str
    grid: str
    ground: str
    model: str
    scale: str
    chance: str
    kinds: tuple[str, ...]


LIGHT = Theme(
    "#1d1d22", "#5f606b", "#e4e4ea", "#ffffff", "#0072B2", "#9a9aa6", "#B3472B",
    ("#0072B2", "#E69F00", "#CC79A7", "#D55E00", "#56B4E9", "#009E73", "#F0E442", "#9a9aa6", "#5f606b"),
)  # fmt: skip
DARK = Theme(
    "#ececf0", "#a0a1ad", "#34343d", "#1e1e24", "#56B4E9", "#777884", "#ff9a62",
    ("#56B4E9", "#E69F00", "#CC79A7", "#D55E00", "#0072B2", "#009E73", "#F0E442", "#777884", "#a0a1ad"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure in its files.

    Attributes:
        name: the files' name, without ending.
        title: what it shows.
        alt: the same for people who do not see it.
        width, height: in px.
        dark: whether there is a version for dark pages.
    """

    name: str
    title: str
    alt: str
    width: int
    height: int
    dark: bool = True

    @property
    def path(self) -> str:
        """Of the file without its ending, from the report's folder."""
        return f"{FOLDER}/{self.name}"


@contextmanager
def themed(theme: Theme) -> Iterator[None]:
    """matplotlib's settings for a figure."""
    import matplotlib as mpl

    settings: Any = {
        "font.size": 9,
        "text.color": theme.text,
        "axes.labelcolor": theme.text,
        "axes.edgecolor": theme.soft,
        "axes.facecolor": theme.ground,
        "figure.facecolor": theme.ground,
        "xtick.color": theme.soft,
        "ytick.color": theme.text,
        "ytick.labelcolor": theme.text,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "grid.color": theme.grid,
        "axes.axisbelow": True,
        "svg.hashsalt": "reasonaudio",
        "pdf.fonttype": 42,
        "text.parse_math": False,  # names may hold dollars
    }
    with mpl.rc_context(settings):
        yield


def draw(folder: Path, name: str, title: str, alt: str, make: Callable[[Theme], Figure], dark: bool = True) -> Drawn:
    """Writes a figure as PNG, SVG and PDF, and as SVG for dark pages if `dark`, into `folder`/figures; equal figures "
    "give equal files."""
    place = folder / FOLDER
    place.mkdir(exist_ok=True)
    with themed(LIGHT):
        figure = _laid_out(make(LIGHT))
        figure.savefig(place / f"{name}.png", dpi=160)
        figure.savefig(place / f"{name}.svg", metadata={"Date": None})
        figure.savefig(place / f"{name}.pdf", metadata={"CreationDate": None})
        width, height = (round(96 * inches) for inches in figure.get_size_inches())
    if dark:
        with themed(DARK):
            _laid_out(make(DARK)).savefig(place / f"{name}-dark.svg", metadata={"Date": None})
    return Drawn(name, title, alt, width, height, dark)


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, in inches, whose parts find their places by themselves."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _laid_out(figure: Figure) -> Figure:
    """The figure with everything in its place, so that its files need not find the places again."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return figure
