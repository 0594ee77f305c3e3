"""The pages of a report, by jinja2: every value is escaped, and nothing is loaded from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builders.recipe import CLIP_MS

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_TEMPLATES = Path(__file__).with_name("templates")
STYLE = "style.css"


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the report: its file and its name in the navigation."""

    file: str
    name: str


@dataclass(frozen=True, slots=True)
class Fact:
    name: str
    value: str
    note: str = ""


@cache
def environment(folder: Path | None = None) -> Environment:
    """jinja2 with the templates of reports, after those of `folder`: every value is escaped, a missing one is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader([folder, _TEMPLATES] if folder else [_TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["breakable"] = breakable
    return made


def breakable(text: str) -> Markup:
    """A name, escaped, that may be broken after slashes, underscores and plus signs."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"(?<=[/_+])(?=.)", "<wbr>", str(escape(text))))  # noqa: S704  # escaped just here


def render(template: str, page: Page, pages: Sequence[Page], values: Mapping[str, Any]) -> str:
    """A page as HTML; `template` is "index" or "task"."""
    found = environment().get_template(f"{template}.html.jinja")
    return found.render(here=page.file, pages=pages, seconds=CLIP_MS // 1000, **values)


def style() -> str:
    """The style sheet of all pages."""
    return (_TEMPLATES / STYLE).read_text(encoding="utf-8")
