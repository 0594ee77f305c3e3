"""Where things are kept between runs that can always be made again: scanned headers, the built-in library."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "REASONAUDIO_CACHE"
"""Environment variable that names the folder, where it is not to be the user's cache folder."""


def cache_folder(name: str) -> Path:
    """The folder for one kind of thing, which may not exist yet: below `REASONAUDIO_CACHE`, else in the user's cache folder."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen).expanduser() / name
    from platformdirs import user_cache_path

    return user_cache_path("reasonaudio", appauthor=False) / name
