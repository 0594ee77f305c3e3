"""One row of the tables of known labels."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """How one sound is called and said.

    The noun fits "... before ...", "without ...", "the sound of ... lasts longer"; the clause fits "first ..., then ...".
    """

    labels: str
    """The label and other labels for the same sound, separated by commas; the first is the one that `related` uses."""
    noun: str
    clause: str
    sustained: bool = False
    """Whether the sound goes on evenly, so that a part of it, or a loop, is still the same sound: in every recording of it."""
