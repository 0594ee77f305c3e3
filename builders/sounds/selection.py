"""Which recordings of a source a corpus may use: by licence, by side of a split, and how many of each sound."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from builders.errors import SoundLibraryError
from builders.sounds.library import Candidate, Rejection, Source
from builders.sounds.licenses import NO_DERIVATIVES, understand, wanted
from builders.sounds.splits import SHARES, split

MAX_RECORDINGS = 20
"""Recordings of each sound that are prepared, if nothing else is asked for: more make a corpus no better and fill the memory."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What is asked for.

    Attributes:
        licenses: as `licenses.wanted` takes it; "" for all that allow derivatives.
        split: "train", "validation" or "test"; "" for all recordings.
        max_recordings: usable recordings of each sound at most.
    """

    licenses: str = ""
    split: str = ""
    max_recordings: int = MAX_RECORDINGS

    def __post_init__(self) -> None:
        if self.split not in ("", *SHARES):
            raise SoundLibraryError(f"split {self.split!r}: there are {', '.join(SHARES)}")
        if self.max_recordings < 1:
            raise SoundLibraryError(f"max_recordings: at least 1, got {self.max_recordings}")
        if self.licenses:
            wanted(self.licenses)

    def described(self) -> dict[str, str]:
        """What was asked for, in words for a dataset's card."""
        said = {"licenses": str(wanted(self.licenses)) if self.licenses else "all that allow derivatives"}
        said["split"] = self.split or "none: all recordings"
        said["max_recordings"] = str(self.max_recordings)
        return said


def select(source: Source, selection: Selection) -> Source:
    """`source` with the recordings that `selection` allows; the others are in `rejected`, each with the reason.

    Sides are made of the whole source before anything is left out, so that corpora of different licences do not share any.
    """
    sides = split(source.candidates) if selection.split else {}
    kept: list[Candidate] = []
    rejected: list[Rejection] = []
    allowed = wanted(selection.licenses) if selection.licenses else None
    elsewhere: Counter[str] = Counter()
    for candidate in source.candidates:
        reason = ""
        if understand(candidate.license).kind in NO_DERIVATIVES:
            reason = f"its licence forbids derivatives, and a clip is one ({candidate.license})"
        elif allowed and not allowed.holds(candidate.license):
            reason = f"its licence is not among those asked for ({candidate.license or 'none is stated'})"
        if reason:
            rejected.append(Rejection(candidate.label, candidate.id, reason))
        elif selection.split and sides[candidate.id] != selection.split:
            elsewhere[sides[candidate.id]] += 1
        else:
            kept.append(candidate)
    notes = []
    if selection.split:
        others = ", ".join(f"{elsewhere[side]} on the side {side!r}" for side in SHARES if side != selection.split)
        notes.append(f"split {selection.split}: {len(kept)} recordings; {others} are not used")
    if source.candidates and not kept:
        raise SoundLibraryError(_nothing_left(source, selection, rejected, elsewhere))
    return replace(
        source,
        candidates=tuple(kept),
        rejected=(*source.rejected, *rejected),
        notes=(*source.notes, *notes),
        selection={**source.selection, **selection.described()},
    )


def _nothing_left(source: Source, selection: Selection, rejected: list[Rejection], elsewhere: Counter[str]) -> str:
    kinds = Counter(understand(candidate.license).kind for candidate in source.candidates)
    there = ", ".join(f"{kind} ({count})" for kind, count in sorted(kinds.items()))
    asked = [f"licenses {selection.licenses}"] if selection.licenses else []
    asked += [f"split {selection.split}"] if selection.split else []
    return (
        f"{source.name}: none of its {len(source.candidates)} recordings is left"
        + (f" with {' and '.join(asked)}" if asked else "")
        + f"; their licences are {there}"
        + (f", and {sum(elsewhere.values())} are on other sides of the split" if elsewhere else "")
        + "; ask for others"
    )


def by_preference(candidates: Iterable[Candidate]) -> dict[str, list[Candidate]]:
    """The candidates of each label, as they are tried: one of every uploader, then a second of each, and so on.

    Who and which comes first follows from a hash, so that it does not depend on names or on what else there is. Recordings whose
    uploader is not known stand for themselves, and so do originals.
    """
    by_label: dict[str, dict[str, list[Candidate]]] = defaultdict(lambda: defaultdict(list))
    for candidate in candidates:
        who = candidate.uploader or candidate.original or candidate.id
        by_label[candidate.label][who].append(candidate)

    def mixed(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()

    ordered: dict[str, list[Candidate]] = {}
    for label in sorted(by_label):
        people = by_label[label]
        turns = []
        for who, recordings in people.items():
            recordings.sort(key=lambda candidate: mixed(candidate.id))
            turns += [(turn, mixed(who), candidate.id, candidate) for turn, candidate in enumerate(recordings)]
        ordered[label] = [candidate for *_, candidate in sorted(turns, key=lambda entry: entry[:3])]
    return ordered
