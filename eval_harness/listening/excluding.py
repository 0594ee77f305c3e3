"""What listeners contradict, as the file of what to leave out of a build that `reasonaudio build --exclude` takes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from builders.sounds.excluded import Exclusion, write_exclusions
from eval_harness.listening.suspects import Suspect

_ABOUT = (
    "What listeners contradict the rule about, to be heard again before it is left out of a build (--exclude). Lines that begin "
    "with # do not count: they are contradicted seldom enough to be chance."
)


def write_exclude(path: Path, suspects: Iterable[Suspect]) -> None:
    """Writes the proposed suspects, and the others as comments. Raises OSError."""
    taken: dict[frozenset[str], Exclusion] = {}
    others: list[Exclusion] = []
    for one in suspects:
        found = _exclusion(one)
        if one.proposed:
            taken.setdefault(frozenset((found.a, found.b)), found)  # a pair may be proposed for each of its labels
        else:
            others.append(found)
    write_exclusions(path, taken.values(), others, _ABOUT)


def _exclusion(one: Suspect) -> Exclusion:
    if one.fault.kind == "recording":
        return Exclusion("recording", one.fault.a, "", one.note)
    return Exclusion("pair", one.fault.a, one.fault.b, one.note)
