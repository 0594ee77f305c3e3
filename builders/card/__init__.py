"""What a folder says of itself: README.md (YAML, then text for people), a set drawn, and a Croissant file.

Every number is computed from the folder. None of it is part of the dataset's content: it can be made again, and written on when
more is known of the data.
"""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path
from string import Template

from builders import layout
from builders.card.croissant import croissant
from builders.card.example import draw, example, example_text
from builders.card.files import file_stats
from builders.card.header import header
from builders.card.text import values
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import BuildError, DatasetFolderError
from builders.files import write_whole

TEMPLATE = "dataset_card.md"
MEASURED = ("Scores of the scale systems", "Shortcut audit")
"""Headings of what is measured after a build; `set_section` fills them in."""
PEOPLE = "People"
"""Heading of what listeners answered, which is filled in likewise."""
_NOT_YET, _NOT_ASKED = "Not measured yet", "Not asked yet"
_PATH = re.compile(r'^path = ".*"', re.MULTILINE)


def write_card(folder: DatasetFolder, content: str = "") -> None:
    """Makes README.md, the picture and the Croissant file of a folder, or makes them again; what was measured is kept.

    Args:
        folder: all of it is there, but perhaps the manifest's file.
        content: its `content_hash`, where the manifest's file is still to be written.

    Raises:
        BuildError: the template is not installed.
        DatasetFolderError: a table cannot be read.
    """
    digest = content or content_hash(folder.path)
    stats = file_stats(folder)
    shown = example(folder)
    known = values(folder, stats) | example_text(shown) | {"content_hash": digest}
    text = f"---\n{header(folder, stats, digest)}\n---\n\n{Template(template()).substitute(known)}"
    for heading, body in _measured(folder.path / layout.CARD, digest).items():
        text = _with_section(text, heading, body)
    write_whole(folder.path / layout.PICTURE, draw(shown))
    write_whole(folder.path / layout.CROISSANT, croissant(folder, stats, digest))
    write_whole(folder.path / layout.CARD, text.encode())


def template() -> str:
    """The text of `dataset_card.md`: beside the packages in a checkout, among the data files where it is installed."""
    beside = Path(__file__).resolve().parents[2] / TEMPLATE
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    try:
        installed = metadata.files("reasonaudio") or []
    except metadata.PackageNotFoundError:
        installed = []
    for file in installed:
        if file.name == TEMPLATE:
            return Path(str(file.locate())).read_text(encoding="utf-8")
    raise BuildError(f"{TEMPLATE} is not installed with the package; install reasonaudio again, or run from a checkout")


def set_section(folder: Path, heading: str, body: str) -> None:
    """Replaces what the folder's card says under a heading; the rest of it, and the dataset's content, stay as they are.

    Raises:
        DatasetFolderError: the card cannot be read, or has no such heading.
    """
    require_section(folder, heading)
    text = _with_section(read_card(folder), heading, body)
    write_whole(folder / layout.CARD, text.encode())


def require_section(folder: Path, heading: str) -> None:
    """Raises DatasetFolderError unless the folder's card has a heading, for commands that will fill it in at their end."""
    if section(read_card(folder), heading) is None:
        raise DatasetFolderError(f"{folder / layout.CARD} has no section {heading!r}; `reasonaudio card` makes the card again")


def read_card(folder: Path) -> str:
    """The folder's card. Raises DatasetFolderError."""
    place = folder / layout.CARD
    try:
        return place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetFolderError(f"{place} cannot be read ({error}); `reasonaudio card` makes it again") from None


def section(text: str, heading: str) -> str | None:
    """What a card says under a heading; None where it has no such heading."""
    _, found, rest = text.partition(f"\n## {heading}\n")
    return rest.partition("\n## ")[0].strip() if found else None


def unmeasured(text: str) -> list[str]:
    """The headings under which a card says that nothing was measured yet."""
    return [heading for heading in MEASURED if (section(text, heading) or _NOT_YET).startswith(_NOT_YET)]


def named(text: str, repository: str) -> str:
    """The card with the name on the Hub where it shows how to load the dataset."""
    return _PATH.sub(f'path = "{repository}"', text)


def _with_section(text: str, heading: str, body: str) -> str:
    before, found, rest = text.partition(f"\n## {heading}\n")
    _, next_heading, after = rest.partition("\n## ")
    return f"{before}{found}\n{body.strip()}\n{next_heading}{after}" if found else text


def _measured(card: Path, content_hash: str) -> dict[str, str]:
    """What the present card says of measurements on the same content."""
    text = card.read_text(encoding="utf-8", errors="replace") if card.is_file() else ""
    if f"content_hash: {content_hash}" not in text:
        return {}
    told = {heading: section(text, heading) or "" for heading in (*MEASURED, PEOPLE)}
    return {heading: body for heading, body in told.items() if body and not body.startswith((_NOT_YET, _NOT_ASKED))}
