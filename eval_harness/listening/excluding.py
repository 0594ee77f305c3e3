"""The file of what to leave out of a build (`reasonaudio build --exclude`), of what listeners contradict."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from builders.sounds.excluded import Exclusions, write_exclusions
from eval_harness.listening.suspects import Suspect


def write_exclude(path: Path, suspects: Iterable[Suspect]) -> None:
    """Writes the suspects that are proposed, and the others as comments. Raises OSError."""
    found = list(suspects)
    proposed = _exclusions(one for one in found if one.proposed)
    others = _exclusions(one for one in found if not one.proposed)
    candidates = Exclusions(
        {name: note for name, note in others.recordings.items() if name not in proposed.recordings},
        {pair: note for pair, note in others.pairs.items() if pair not in proposed.pairs},
    )
    write_exclusions(path, proposed, candidates)


def _exclusions(suspects: Iterable[Suspect]) -> Exclusions:
    """A pair may be suspected in both directions; then the notes of both are kept."""
    recordings: dict[str, str] = {}
    pairs: dict[frozenset[str], str] = {}
    for one in suspects:
        fault = one.fault
        if fault.kind == "recording":
            recordings[fault.a] = one.note
        else:
            pair = frozenset((fault.a, fault.b))
            pairs[pair] = f"{pairs[pair]}; {one.note}" if pair in pairs else one.note
    return Exclusions(recordings, pairs)
