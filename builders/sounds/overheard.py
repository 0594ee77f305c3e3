"""In which recordings another sound of the library is heard."""

from __future__ import annotations

from pathlib import Path


def read_overheard(path: Path) -> dict[str, frozenset[str]]:
    """Recording id -> other labels."""
    raise NotImplementedError(path)
