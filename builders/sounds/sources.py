"""The sources of sounds by name, as a user writes them: "builtin", "folder:my_sounds"."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable
from pathlib import Path

from builders.errors import SoundLibraryError
from builders.sounds import folder
from builders.sounds.library import Source


def _builtin(argument: str) -> Source:
    if argument:
        raise SoundLibraryError(f"source 'builtin:{argument}': the built-in sounds take no path; write 'builtin'")
    made: Source = importlib.import_module("builders.sounds.builtin").source()  # its synthesis is imported only where it is used
    return made


def _folder(argument: str) -> Source:
    if not argument:
        raise SoundLibraryError("source 'folder': the path is missing; write 'folder:PATH'")
    return folder.source(argument)


KINDS: dict[str, Callable[[str], Source]] = {"builtin": _builtin, "folder": _folder}
"""Each kind, and what makes a source of the text behind its colon."""

_WRITTEN = {"builtin": "builtin", "folder": "folder:PATH"}


def open_source(spec: str) -> Source:
    """The source that `spec` names: "builtin", or "folder:PATH" (a folder or a manifest, see `folder.source`).

    Raises:
        SoundLibraryError: the kind is unknown (the known ones are listed), or the source cannot be read.
    """
    kind, _, argument = spec.strip().partition(":")
    if kind in KINDS:
        return KINDS[kind](argument.strip())
    close = difflib.get_close_matches(kind.lower(), list(KINDS), n=1, cutoff=0.5)
    if close:
        hint = f"; did you mean {close[0] + (':' + argument if argument else '')!r}?"
    elif Path(spec).expanduser().exists():
        hint = f"; did you mean {'folder:' + spec!r}?"
    else:
        hint = ""
    known = ", ".join(_WRITTEN.get(name, f"{name}:...") for name in KINDS)
    raise SoundLibraryError(f"source {spec!r}: unknown kind {kind!r}; the sources are {known}{hint}")
