"""Sides of a split: nothing that belongs together is divided, and every side gets its share."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.sounds.candidates import FileCandidate
from builders.sounds.splits import SHARES, split
from tests.sounds.made import MadeCandidate

SIDES = tuple(SHARES)

candidates = st.lists(
    st.tuples(
        st.sampled_from("abcdef"),
        st.sampled_from(["", "u1", "u2", "u3", "u4"]),
        st.sampled_from(["", "o1", "o2", "o3", "o4", "o5"]),
        st.sampled_from(["", "", "", "train", "validation", "test"]),
    ),
    max_size=40,
).map(
    lambda rows: [
        MadeCandidate(f"{n:02}", label, uploader=uploader, original=original, part=part)
        for n, (label, uploader, original, part) in enumerate(rows)
    ]
)


@given(candidates, st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_nothing_that_belongs_together_is_divided(found: list[MadeCandidate], rng: random.Random) -> None:
    sides = split(found)
    assert sides.keys() == {candidate.id for candidate in found}
    assert set(sides.values()) <= set(SIDES)
    for attribute in ("uploader", "original"):
        of: dict[str, set[str]] = defaultdict(set)
        for candidate in found:
            if getattr(candidate, attribute):
                of[getattr(candidate, attribute)].add(sides[candidate.id])
        assert all(len(where) == 1 for where in of.values()), attribute
    for candidate in found:
        if candidate.part:  # never on a side that is less public than the source's own
            assert SIDES.index(sides[candidate.id]) <= SIDES.index(candidate.part)
    rng.shuffle(found)
    assert split(found) == sides


def test_a_group_follows_the_most_public_of_its_parts() -> None:
    chain = [
        MadeCandidate("1", "a", uploader="u", part="test"),
        MadeCandidate("2", "a", uploader="u", original="o"),
        MadeCandidate("3", "b", original="o", part="validation"),
        MadeCandidate("4", "b", part="test"),
    ]
    assert split(chain) == {"1": "validation", "2": "validation", "3": "validation", "4": "test"}


def test_every_side_gets_its_share_of_every_sound() -> None:
    sides = split([MadeCandidate(f"{label} {n}", label) for label in "abcdefghij" for n in range(20)])
    for label in "abcdefghij":
        counts = Counter(side for name, side in sides.items() if name.startswith(label))
        assert counts == {side: round(20 * share) for side, share in SHARES.items()}


def test_five_recordings_are_enough_for_three_sides() -> None:
    sides = split([MadeCandidate(f"{label} {n}", label) for label in "abc" for n in range(5)])
    for label in "abc":
        assert {side for name, side in sides.items() if name.startswith(label)} == set(SIDES)


def test_the_same_file_under_two_names_is_one_recording(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    found = []
    for n in range(30):
        samples = rng.standard_normal(800).astype(np.float32) * 0.1
        for copy in range(2):
            path = tmp_path / f"{n} {copy}.wav"
            soundfile.write(path, samples, 8000)
            found.append(FileCandidate(path.name, f"label {n % 3}", path))
    sides = split(found)
    assert all(sides[f"{n} 0.wav"] == sides[f"{n} 1.wav"] for n in range(30))
    assert set(sides.values()) == set(SIDES)
