"""What a task is made of: forms, arrangements and sentence patterns, declared as data.

Letters stand for the sounds of a set: A to F are named by its queries or exchanged between its arrangements ("anchors" and their
rivals), P and Q are free sounds. A block of a clip is one letter, or two for a pair that overlaps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Literal

from builders.logic import And, AtLeast, AtMost, Formula, Has, Lacks, Margins, Relations, Truth, evaluate, required_labels
from builders.recipe import CLIPS_PER_SET, Recipe
from builders.sounds.library import AtomicSound
from builders.timeline import Event, Timeline

FREE = "PQ"
Length = Literal["long", "middle", "short"]

ANCHOR_MISSING = "anchor-missing"


@dataclass(frozen=True, slots=True, eq=False)
class Arrangement:
    """Who stands where.

    Attributes:
        name: what a person calls it, with letters ("A before B").
        blocks: every block of the clip ("A", "PQ").
        order: blocks that follow each other in this order; the others stand anywhere.
        lengths: planned length of each letter, in forms that plan lengths.
    """

    name: str
    blocks: tuple[str, ...]
    order: tuple[str, ...] = ()
    lengths: Mapping[str, Length] = field(default_factory=dict)

    @property
    def letters(self) -> str:
        return "".join(self.blocks)

    def without(self, replaced: str) -> str:
        """The name of a clip in which these letters are replaced by other sounds: "A with B, without B and E"."""
        return f"{self.name}, without {' and '.join(replaced)}" if replaced else self.name


@dataclass(frozen=True, slots=True)
class Pattern:
    """A sentence with places for sounds: `{A}` for the noun phrase, `{A:of}` for it behind "the sound of", `{A:clause}` for the
    clause, `{seconds}` for a number.

    `traits` say what could tell the answer if it were not balanced: which sound is named first, where the negation stands,
    whether it says longer or shorter. Patterns 2k and 2k + 1 of a form have opposite traits.
    """

    text: str
    traits: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """One form of a task: twin queries over balanced sets.

    Attributes:
        name: "order-1".
        formulas: of the twin queries, over letters.
        arrangements: each as common as the others among the clips that hold all anchors.
        copies: clips of each arrangement in a set; what is missing to 20 are clips in which an anchor of each twin is replaced.
        patterns: of the first query. The twin uses the same with letters exchanged by `exchange`, or `twin_patterns`.
        pairs_start_together: overlapping events start within 0.1 s of each other.
        seconds: the recipe field that holds the numbers of seconds that a set may draw from.
        separates: of the three planned lengths, the two that the number of seconds stands between.
        alike: groups of letters of which no query asks for all together and whose sounds are chosen as if one did, as they
            change places with letters that are asked for.
    """

    name: str
    formulas: tuple[Formula, Formula]
    arrangements: tuple[Arrangement, ...]
    copies: int
    patterns: tuple[Pattern, ...]
    exchange: Mapping[str, str] = field(default_factory=dict)
    twin_patterns: tuple[Pattern, ...] = ()
    pairs_start_together: bool = False
    seconds: Literal["", "at_least_seconds", "at_most_seconds"] = ""
    separates: tuple[Length, Length] | None = None
    alike: tuple[str, ...] = ()

    @property
    def letters(self) -> str:
        """Every letter of the form, sorted."""
        return "".join(sorted({letter for arrangement in self.arrangements for letter in arrangement.letters}))

    @property
    def named(self) -> str:
        """Letters that are the same sound in the whole set."""
        return "".join(letter for letter in self.letters if letter not in FREE)

    @property
    def free(self) -> str:
        """Letters for free sounds, which differ from deal to deal."""
        return "".join(letter for letter in self.letters if letter in FREE)

    @property
    def plans_lengths(self) -> bool:
        return bool(self.arrangements[0].lengths)

    @property
    def has_pairs(self) -> bool:
        return any(len(block) == 2 for arrangement in self.arrangements for block in arrangement.blocks)

    @property
    def missing(self) -> int:
        """Clips of a set in which an anchor of each twin is replaced."""
        return CLIPS_PER_SET - len(self.arrangements) * self.copies

    def anchors(self, query: int) -> tuple[str, ...]:
        """The letters without which query 0 or 1 cannot be true."""
        return required_labels(self.formulas[query])

    def meet(self, a: str, b: str) -> bool:
        """Whether some clip holds both letters."""
        return any(a in arrangement.letters and b in arrangement.letters for arrangement in self.arrangements)

    def asks_both(self, a: str, b: str) -> bool:
        """Whether a query asks for both letters, or their sounds are chosen as if one did."""
        return any({a, b} <= set(group) for group in (self.anchors(0), self.anchors(1), *self.alike))

    @property
    def pairs_asked(self) -> int:
        """Of how many pairs of letters both are asked for, or chosen as if they were."""
        return sum(self.asks_both(a, b) for a, b in combinations(self.letters, 2))

    def pattern(self, query: int, number: int) -> Pattern:
        """The pattern of query 0 or 1 of the form's set number `number`: patterns alternate, exact to one in any corpus."""
        patterns = self.twin_patterns if query and self.twin_patterns else self.patterns
        return patterns[(2 * number + query) % len(patterns)]


@dataclass(frozen=True, slots=True)
class Task:
    """One of the five tasks. `foil_kind` names what a clip that holds all anchors of a query misses."""

    name: str
    forms: tuple[Form, ...]
    foil_kind: Callable[[Formula, Timeline, Margins, Relations], str]

    def form(self, name: str) -> Form:
        return next(form for form in self.forms if form.name == name)

    def sets_per_form(self, recipe: Recipe) -> dict[str, int]:
        """How many sets of each form: equal shares, the remainder to the first."""
        if recipe.queries_per_task == "one-set-per-form":
            return {form.name: 1 for form in self.forms}
        share, rest = divmod(recipe.queries_per_task // 2, len(self.forms))
        return {form.name: share + (number < rest) for number, form in enumerate(self.forms)}

    def kind_of(self, formula: Formula, timeline: Timeline, margins: Margins, relations: Relations) -> str:
        """The foil kind of a clip for which the formula is FALSE."""
        for label in required_labels(formula):
            if not any(relations.related(label, present) for present in timeline.labels):
                return ANCHOR_MISSING
        return self.foil_kind(formula, timeline, margins, relations)


def substitute(formula: Formula, labels: Mapping[str, str], seconds: float = 0.0) -> Formula:
    """The formula with letters replaced by labels, and the number of seconds filled in."""
    if isinstance(formula, And):
        return And(*(substitute(operand, labels, seconds) for operand in formula.operands))
    if isinstance(formula, AtLeast | AtMost):
        return type(formula)(labels[formula.a], seconds)
    if isinstance(formula, Has | Lacks):
        return type(formula)(labels[formula.a])
    return type(formula)(labels[formula.a], labels[formula.b])


class _Said:
    """An atomic sound as a pattern says it."""

    def __init__(self, sound: AtomicSound) -> None:
        self._sound = sound

    def __format__(self, spec: str) -> str:
        return {"": self._sound.noun, "of": self._sound.of, "clause": self._sound.clause}[spec]


_NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight"}


def say_seconds(seconds: float) -> str:
    """A number of seconds as people say it: 3.0 -> "three seconds", 1.5 -> "one and a half seconds"."""
    whole, rest = divmod(seconds, 1)
    if rest == 0 and whole in _NUMBERS:
        return f"{_NUMBERS[int(whole)]} second{'s' if whole != 1 else ''}"
    if rest == 0.5 and whole in _NUMBERS:
        return f"{_NUMBERS[int(whole)]} and a half seconds"
    return f"{seconds:g} seconds"


def write_sentence(pattern: Pattern, sounds: Mapping[str, AtomicSound], seconds: float = 0.0) -> str:
    """The pattern's sentence: capital first letter, full stop."""
    text = pattern.text.format(**{letter: _Said(sound) for letter, sound in sounds.items()}, seconds=say_seconds(seconds))
    return text[0].upper() + text[1:] + "."


@lru_cache(maxsize=64)
def relevant_arrangements(form: Form, query: int) -> tuple[Arrangement, ...]:
    """The arrangements that make query 0 or 1 of the form true, found on an example of each."""
    lengths = {"long": 6400, "middle": 3200, "short": 1000}
    seconds = sum(lengths[length] for length in form.separates) / 2000 if form.separates else 0.0
    letters = {letter: letter for letter in form.letters}
    found = []
    for arrangement in form.arrangements:
        events, at = [], 0
        for block in in_slots(arrangement, tuple(range(len(arrangement.blocks)))):
            durations = [lengths[arrangement.lengths[letter]] if arrangement.lengths else 1500 for letter in block]
            events += [Event(letter, at, at + length) for letter, length in zip(block, durations, strict=True)]
            at += max(durations) + 1000
        if evaluate(substitute(form.formulas[query], letters, seconds), Timeline(tuple(events))) is Truth.TRUE:
            found.append(arrangement)
    return tuple(found)


def in_slots(arrangement: Arrangement, slots: tuple[int, ...]) -> tuple[str, ...]:
    """The blocks in order of time: block n stands in slots[n], but those with a fixed order exchange theirs to keep it."""
    slot_of = dict(zip(arrangement.blocks, slots, strict=True))
    taken = sorted(slot_of[block] for block in arrangement.order)
    slot_of.update(zip(arrangement.order, taken, strict=True))
    return tuple(sorted(arrangement.blocks, key=slot_of.__getitem__))


def replacements(form: Form, number: int) -> Iterator[tuple[Arrangement, str]]:
    """For each anchor-missing clip of set `number`: the arrangement that it keeps and the letters that are replaced.

    Each keeps an arrangement that is relevant to one of the twins; anchors and twins take turns, and the turns go on from set to
    set, so that each anchor of each twin is missing equally often, exact to one. Every such clip lacks an anchor of both twins,
    so an anchor of one alone (Overlap's B and E) is replaced together with its counterpart: a clip that held all anchors of one
    query would make its arrangement more common for that query than the others.
    """
    shared = set(form.anchors(0)) & set(form.anchors(1))
    pairs = list(zip(form.anchors(0), form.anchors(1), strict=True))
    turns = [turn for n, (a, _) in enumerate(pairs) for turn in ((0, a), (1, pairs[(n + 1) % len(pairs)][1]))]
    for n in range(form.missing):
        query, anchor = turns[(number * form.missing + n) % len(turns)]
        kept = relevant_arrangements(form, query)
        letters = anchor if anchor in shared else "".join(sorted(anchor + form.exchange[anchor]))
        yield kept[(number + n // 2) % len(kept)], letters
