"""Which recordings of a source a corpus may use: by licence, by side of a split, and how many of each sound."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from builders.errors import SoundLibraryError
from builders.sounds.library import Candidate, Rejection, Source
from builders.sounds.licenses import NO_DERIVATIVES, understand, wanted
from builders.sounds.splits import SHARES, groups, split

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

    Sides are made of the whole source before anything is left out, so that corpora of different licences do not share any. What
    a side is not free of (people who are not known, recordings of the source's own other sides) is in `notes`.

    Raises:
        SoundLibraryError: nothing is left; one line that says why.
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
    if source.candidates and not kept:
        raise SoundLibraryError(_other_sides(source, selection, elsewhere) if elsewhere else _nothing_left(source, selection))
    notes: list[str] = []
    said: dict[str, str] = {}
    if selection.split:
        others = ", ".join(f"{elsewhere[side]} on the side {side!r}" for side in SHARES if side != selection.split)
        notes.append(f"split {selection.split}: {len(kept)} recordings; {others} are not used")
        notes += _moved(kept, selection.split)
        strangers = sum(not candidate.uploader for candidate in source.candidates)
        if strangers and not source.synthetic:
            said["recordings of unknown uploaders"] = f"{strangers} of {len(source.candidates)}"
            notes.append(
                f"the uploader of {strangers} of {len(source.candidates)} recordings is not known; sides may share people"
            )
    uncredited = sum(not one.attribution for one in kept if understand(one.license).kind.startswith(("cc-by", "sampling")))
    if uncredited:
        notes.append(
            f"{uncredited} of {len(kept)} recordings have a licence that asks for attribution and name no author; "
            "give one before you publish"
        )
    return replace(
        source,
        candidates=tuple(kept),
        rejected=(*source.rejected, *rejected),
        notes=(*source.notes, *notes),
        selection={**source.selection, **selection.described(), **said},
    )


def _moved(kept: Iterable[Candidate], split: str) -> list[str]:
    """A note for each of the source's own sides that recordings were taken from."""
    own = Counter(candidate.part for candidate in kept if candidate.part not in ("", split))
    return [
        f"{own[side]} recordings of the source's own {side} side are on the {split} side, as they share an uploader, an original "
        "or the bytes of their files with recordings of it"
        for side in SHARES
        if own[side]
    ]


def _nothing_left(source: Source, selection: Selection) -> str:
    """That licences leave nothing."""
    kinds = Counter(understand(candidate.license).kind for candidate in source.candidates)
    there = ", ".join(f"{kind} ({count})" for kind, count in sorted(kinds.items()))
    asked = f" with licenses {selection.licenses}" if selection.licenses else ""
    total = len(source.candidates)
    return f"{source.name}: none of its {total} recordings is left{asked}; their licences are {there}; ask for others"


def _other_sides(source: Source, selection: Selection, elsewhere: Counter[str]) -> str:
    """That all recordings with the licences asked for are on other sides, and why."""
    licensed = f" with licenses {selection.licenses}" if selection.licenses else ""
    where = ", ".join(f"{side} ({elsewhere[side]})" for side in SHARES if elsewhere[side])
    left, total = sum(elsewhere.values()), len(source.candidates)
    own = Counter(candidate.part for candidate in source.candidates if candidate.part)
    together = groups(source.candidates)
    linked = "linked by uploader, original or the bytes of their files"
    if own:
        why = f"the source's own sides are {', '.join(f'{side} ({own[side]})' for side in SHARES if own[side])}"
    elif len(together) == 1 < total:
        why = f"all its {total} recordings are {linked}, so that they cannot be divided"
    elif left < total:
        why = f"sides are made of all its {total} recordings, whatever their licences"
    elif len(together) < total:
        largest = f"the largest of {len(together[0])}"
        why = f"they are {len(together)} groups that are {linked} and cannot be divided, {largest}"
    else:
        why = "there are too few to be divided"
    return (
        f"{source.name}: none of its {left} recordings{licensed} is on the side {selection.split!r} of a split, but all are on "
        f"{where}: {why}; ask for another side, or leave the split out"
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
