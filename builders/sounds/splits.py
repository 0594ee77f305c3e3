"""Test, validation and train sides of a library, so that no recording, original or person is heard on two of them."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from builders.sounds.candidates import RowCandidate
from builders.sounds.library import Candidate

SHARES = {"train": 0.5, "validation": 0.2, "test": 0.3}
"""What each side gets of the recordings of a sound, as near as whole groups allow."""


def split(candidates: Sequence[Candidate]) -> dict[str, str]:
    """The side of every candidate, by its id: "train", "validation" or "test".

    Recordings that share an original, an uploader or the bytes of their files are one group, and so are groups that share a
    recording; a group is never divided. Where the source has sides of its own, a group goes to the most public of its members'
    (train before validation before test: what a model may have been trained on is never tested on). The other groups are dealt
    out, the largest first, each to the side where its sounds lack most of `SHARES`; the rest of the order follows from a hash of
    the ids, so that the same library always gives the same sides.
    """
    together = groups(candidates)
    total = Counter(candidate.label for candidate in candidates)
    there: dict[str, Counter[str]] = {side: Counter() for side in SHARES}
    sides: dict[str, str] = {}

    def put(group: list[Candidate], side: str) -> None:
        for candidate in group:
            sides[candidate.id] = side
            there[side][candidate.label] += 1

    free = []
    for group in together:
        given = {candidate.part for candidate in group}
        named = next((side for side in SHARES if side in given), None)
        if named:
            put(group, named)
        else:
            free.append(group)
    for group in free:
        held = Counter(candidate.label for candidate in group)

        def lack(side: str, held: Counter[str] = held) -> float:
            return sum(n * (SHARES[side] - there[side][label] / total[label]) / total[label] for label, n in held.items())

        put(group, max(SHARES, key=lack))
    return sides


def groups(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Candidates that must stay together (see `split`); the largest groups first, equal ones by a hash of their ids."""
    leader = list(range(len(candidates)))

    def find(n: int) -> int:
        while leader[n] != n:
            leader[n] = leader[leader[n]]
            n = leader[n]
        return n

    first: dict[tuple[str, str], int] = {}
    same = _same_files(candidates)
    for n, candidate in enumerate(candidates):
        keys = [("original", candidate.original), ("uploader", candidate.uploader), ("bytes", same.get(candidate.id, ""))]
        for key in keys:
            if key[1]:
                leader[find(n)] = find(first.setdefault(key, n))
    members: dict[int, list[Candidate]] = defaultdict(list)
    for n, candidate in enumerate(candidates):
        members[find(n)].append(candidate)

    def order(group: list[Candidate]) -> tuple[int, str]:
        return -len(group), hashlib.sha256(min(candidate.id for candidate in group).encode()).hexdigest()

    return sorted(members.values(), key=order)


def _same_files(candidates: Iterable[Candidate]) -> dict[str, str]:
    """A hash of the bytes for candidates that have as many as another, by id; only those are read."""
    by_size: dict[int, list[tuple[str, Callable[[], str]]]] = defaultdict(list)
    for candidate in candidates:
        path = getattr(candidate, "path", None)
        if isinstance(candidate, RowCandidate):
            by_size[candidate.size].append((candidate.id, partial(_row_hash, candidate)))
        elif isinstance(path, Path) and path.is_file():
            by_size[path.stat().st_size].append((candidate.id, partial(_file_hash, path)))
    return {name: digest() for group in by_size.values() if len(group) > 1 for name, digest in group}


def _row_hash(candidate: RowCandidate) -> str:
    return hashlib.sha256(candidate.content()).hexdigest()


def _file_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
