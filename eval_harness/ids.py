"""Ids as people give them: the beginning of one is enough."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from builders.errors import UnknownIdError


def find_id(what: str, given: str, known: Collection[str]) -> str:
    """The id in `known` that is `given` or alone begins with it.

    Args:
        what: "query" or "clip", for the message.

    Raises:
        UnknownIdError: none or several do; the message offers some that are near.
    """
    if given in known:
        return given
    given = given.strip().lower()
    if not given:
        raise UnknownIdError(f"the {what} id is empty; there are {len(known)}, such as {_some(sorted(known))}")
    matches = sorted(identifier for identifier in known if identifier.startswith(given))
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UnknownIdError(f"{what} {given!r}: {len(matches)} ids begin so ({_some(matches)}); give more of it")
    close = difflib.get_close_matches(given, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {len(known)}, such as {_some(sorted(known))}"
    raise UnknownIdError(f"{what} {given!r} is not in this dataset; {hint}")


def _some(identifiers: list[str], count: int = 3) -> str:
    return ", ".join(identifiers[:count]) + (", ..." if len(identifiers) > count else "")
