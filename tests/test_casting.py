"""Which sounds stand for the letters of a set: by one rule for letters that change places."""

from __future__ import annotations

from collections import Counter
from itertools import islice, permutations, product

import numpy as np
import pytest

from builders.groups import Groups
from builders.logic import And, Has, Lacks, Margins, Overlaps, Relations
from builders.standing import Fits, Standing
from builders.tasks import TASKS
from builders.tasks.forms import Form
from builders.timeline import Event, Timeline

LABELS = tuple("abcdefgh")


def fits(seed: int) -> Fits:
    """As late in a corpus: most sounds are unrelated, and a query could ask for few pairs."""
    rng = np.random.default_rng(seed)
    shape = (len(LABELS), len(LABELS))

    def symmetric(share: float) -> np.ndarray:
        upper = np.triu(rng.random(shape) < share, 1)
        found: np.ndarray = upper | upper.T
        return found

    unrelated = symmetric(0.95)
    together = unrelated & symmetric(0.9)
    return Fits({label: n for n, label in enumerate(LABELS)}, unrelated, together, together, together & symmetric(0.6))


def form(name: str) -> Form:
    return next(form for task in TASKS.values() for form in task.forms if form.name == name)


def valid(form: Form, fits: Fits, letters: str) -> set[tuple[str, ...]]:
    """All groups that fit, found by trying all."""
    found = set()
    for group in product(LABELS, repeat=len(letters)):
        good = True
        for (a, x), (b, y) in permutations(zip(letters, group, strict=True), 2):
            asked = form.asks_both(a, b)
            rule = fits.asked if asked else fits.together if form.meet(a, b) else fits.unrelated
            good &= bool(rule[fits.number[x], fits.number[y]])
        if good:
            found.add(group)
    return found


@pytest.mark.parametrize("name", ["order-1", "overlap-1", "mix-2", "duration-3"])
def test_every_group_that_fits_has_the_same_chance(name: str) -> None:
    asked, found = form(name), fits(1)
    letters = asked.letters[:4]
    possible = valid(asked, found, letters)
    assert len(possible) > 10
    groups = islice(Groups(asked, LABELS, found, np.random.default_rng(2)).draw(letters, {}, ()), 100 * len(possible))
    counts = Counter(tuple(group[letter] for letter in letters) for group in groups)
    assert counts.keys() == possible
    expected = np.mean(list(counts.values()))
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < len(possible) + 4 * (2 * len(possible)) ** 0.5


def test_groups_drawn_beside_others_are_those_that_would_have_been_drawn_with_them() -> None:
    """Free sounds change from deal to deal, beside the anchors of the set."""
    asked, found = form("order-1"), fits(3)
    possible = [group for group in valid(asked, found, "ABPQ") if group[:2] == ("a", "c")]
    assert len(possible) >= 3
    groups = islice(Groups(asked, LABELS, found, np.random.default_rng(2)).draw("PQ", {"A": "a", "B": "c"}, ()), 2000)
    counts = Counter((group["P"], group["Q"]) for group in groups)
    assert counts.keys() == {group[2:] for group in possible}
    assert min(counts.values()) > 0.7 * max(counts.values())


@pytest.mark.parametrize(
    ("name", "places"),
    [("order-1", ("AB", "PQ")), ("overlap-1", ("AB", "EF")), ("mix-6", ("AB", "PQ")), ("duration-3", ("AP", "PA"))],
)
def test_letters_that_change_places_have_the_same_chances(name: str, places: tuple[str, str]) -> None:
    """Where a foil has P and Q stand as A and B do in a relevant clip, each group is as probable with them exchanged."""
    asked, found = form(name), fits(5)
    letters = asked.letters
    exchange = dict(zip(places[0], places[1], strict=True)) | dict(zip(places[1], places[0], strict=True))
    possible = valid(asked, found, letters)
    exchanged = {
        tuple(dict(zip(letters, group, strict=True))[exchange.get(letter, letter)] for letter in letters) for group in possible
    }
    assert possible == exchanged


def test_no_sound_is_related_to_one_that_it_stands_in_for() -> None:
    found = fits(7)
    unlike = ("a", "b")
    groups = islice(Groups(form("negation-1"), LABELS, found, np.random.default_rng(0)).draw("A", {"B": "h"}, unlike), 300)
    drawn = {group["A"] for group in groups}
    assert drawn
    assert all(found.unrelated[found.number[label], found.number[other]] for label in drawn for other in unlike)


def test_it_ends_where_nothing_fits() -> None:
    none = np.zeros((len(LABELS), len(LABELS)), bool)
    fits = Fits({label: n for n, label in enumerate(LABELS)}, none, none, none, none)
    assert list(Groups(form("order-1"), LABELS, fits, np.random.default_rng(0)).draw("ABPQ", {}, ())) == []
    assert list(Groups(form("order-1"), LABELS, fits, np.random.default_rng(0)).draw("A", {}, ("a",))) == []


# --- what fits beside what stands -------------------------------------------------------------------------------------

RELATIONS = Relations(
    ancestors={"poodle": frozenset({"dog"})}, confusable={"rain": frozenset({"hiss"}), "hiss": frozenset({"rain"})}
)
NAMES = ("dog", "poodle", "rain", "hiss", "bell", "horn")


def fit(standing: Standing, a: str, b: str) -> dict[str, bool]:
    found = standing.fits("overlap")
    at = (found.number[a], found.number[b])
    assert all(table[at] == table[at[::-1]] for table in (found.unrelated, found.together, found.clear, found.asked))
    return {name: bool(getattr(found, name)[at]) for name in ("unrelated", "together", "clear", "asked")}


def test_what_fits_beside_a_clip() -> None:
    """A clip with a poodle and rain has a dog and rain too, and it is UNCLEAR whether it has hiss."""
    standing = Standing(NAMES, Margins(), RELATIONS)
    every = {"unrelated": True, "together": True, "clear": True, "asked": True}
    assert fit(standing, "dog", "bell") == every
    assert fit(standing, "dog", "poodle") == dict.fromkeys(every, False)
    standing.add_clip((0, 0), ("poodle", "rain"), "overlap")
    assert fit(standing, "dog", "rain") == every | {"asked": False}
    assert fit(standing, "dog", "hiss") == every | {"clear": False, "asked": False}
    assert fit(standing, "dog", "horn") == every
    held_elsewhere = standing.fits("order")
    assert held_elsewhere.asked[held_elsewhere.number["dog"], held_elsewhere.number["rain"]]


def test_what_fits_beside_a_query() -> None:
    """A clip with dog and rain would be UNCLEAR for a query for a poodle and rain; one with a poodle and rain would not."""
    standing = Standing(NAMES, Margins(), RELATIONS)
    query = And(Overlaps("poodle", "rain"), Lacks("bell"))
    standing.add_query(query)
    assert not fit(standing, "dog", "rain")["together"]
    assert not fit(standing, "poodle", "hiss")["together"]
    assert fit(standing, "poodle", "rain")["together"]
    assert fit(standing, "dog", "bell")["together"]
    standing.add_query(And(Has("poodle"), Has("rain")))
    standing.remove_query(query)
    assert not fit(standing, "dog", "rain")["together"]
    standing.remove_query(And(Has("poodle"), Has("rain")))
    assert fit(standing, "dog", "rain")["together"]


def test_first_unclear_agrees_with_what_fits() -> None:
    standing = Standing(NAMES, Margins(), RELATIONS)
    standing.add_query(And(Has("poodle"), Has("rain")))
    for a, b in permutations(NAMES, 2):
        timeline = Timeline((Event(a, 0, 1000), Event(b, 2000, 3000)))
        if fit(standing, a, b)["unrelated"]:
            assert (standing.first_unclear(timeline) is None) == fit(standing, a, b)["together"]
