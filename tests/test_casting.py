"""Which sounds stand for the letters of a set: by the same rule for every letter."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from builders.casting import Cast, Casting


def casting(seed: int) -> Casting:
    """One that knows nothing but its form and its random stream."""
    unknown: Any = None
    form: Any = SimpleNamespace(has_pairs=False)
    return Casting(*[unknown] * 5, form, *[unknown] * 2, range(1), np.random.default_rng(seed))


def test_letters_are_drawn_in_random_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those drawn later have to go with those drawn before; were C always the last, its sound would be known by that."""
    orders = Counter[str]()

    def draw(self: Casting, letter: str, cast: Cast, unlike: Cast | None) -> bool:
        cast[letter] = SimpleNamespace(label=letter)  # type: ignore[assignment]
        return True

    monkeypatch.setattr(Casting, "_draw", draw)
    for seed in range(600):
        cast = casting(seed).fill("ABC", {})
        assert cast is not None
        orders["".join(cast)] += 1
    assert len(orders) == 6
    assert all(60 < count < 145 for count in orders.values())


def test_a_replacement_goes_with_as_many_as_the_letter_that_it_replaces() -> None:
    """In random order a letter of three has none, one or two before it, equally often, and either of the others as often."""
    cast: Any = {"A": "a", "C": "c"}
    found = Counter("".join(sorted(casting(seed)._drawn_before("B", cast))) for seed in range(900))
    assert found.keys() == {"", "A", "C", "AC"}
    assert 240 < found[""] < 360
    assert 240 < found["AC"] < 360
    assert 100 < found["A"] < 200
    assert 100 < found["C"] < 200
