"""Formulas, and whether a timeline satisfies them: three-valued, with margins; no randomness and no I/O.

A formula is TRUE, FALSE or UNCLEAR for a timeline (Kleene's strong three-valued logic: in `And`, FALSE wins, then UNCLEAR).
UNCLEAR is where a careful listener could argue; a finished corpus holds no such pair. Further sounds in a clip do no harm
(open world).

A formula reads and writes as text, with labels as JSON strings and seconds as numbers:

    >>> parse('And(Before("dog bark", "car horn"), Lacks("siren"))')
    And(operands=(Before(a='dog bark', b='car horn'), Lacks(a='siren')))
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import product
from types import MappingProxyType
from typing import TypeAlias

from builders.errors import FormulaSyntaxError
from builders.timeline import Event, Timeline, overlap_ms


class Truth(Enum):
    """The three values."""

    TRUE = "true"
    FALSE = "false"
    UNCLEAR = "unclear"

    def __bool__(self) -> bool:
        raise TypeError("a Truth has three values: compare it with `is Truth.TRUE`")


@dataclass(frozen=True, slots=True)
class Margins:
    """How far apart things must be to be told apart. Times in ms, shares as plain ratios; defaults are the benchmark's."""

    gap_ms: int = 250
    """Before, Overlaps: two events this far apart are clearly one after the other."""
    overlap_ms: int = 1000
    """Overlaps: events together this long, and for `overlap_share` of the shorter, are clearly together."""
    overlap_share: float = 0.5
    simultaneous_ms: int = 500
    """Before is FALSE for events that overlap this long, if the first starts no earlier than `together_ms` before the second."""
    together_ms: int = 100
    longer_ratio: float = 1.5
    longer_ms: int = 1000
    """Longer: both this ratio and this difference make an event clearly longer."""
    not_longer_ratio: float = 1.1
    above_ratio: float = 1.25
    below_ratio: float = 0.8
    """AtLeast, AtMost: lengths above `above_ratio` times, or below `below_ratio` times the number, are clear."""


def _no_names() -> Mapping[str, frozenset[str]]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Relations:
    """Which labels mean partly the same. Labels that are not listed are unrelated to all others.

    Attributes:
        ancestors: label -> every label above it ("dog bark" -> {"dog"}): transitive.
        confusable: label -> labels that are easily taken for it; symmetric.
    """

    ancestors: Mapping[str, frozenset[str]] = field(default_factory=_no_names)
    confusable: Mapping[str, frozenset[str]] = field(default_factory=_no_names)

    def holds(self, present: str, asked: str) -> Truth:
        """Whether a clip with sound `present` thereby holds the sound `asked`."""
        if present == asked or asked in self.ancestors.get(present, ()):
            return Truth.TRUE
        if present in self.ancestors.get(asked, ()) or present in self.confusable.get(asked, ()):
            return Truth.UNCLEAR
        return Truth.FALSE

    def related(self, a: str, b: str) -> bool:
        """True for the same label, ancestor and descendant, and easily confused labels."""
        return self.holds(a, b) is not Truth.FALSE or self.holds(b, a) is not Truth.FALSE

    def neighbours(self, labels: Iterable[str]) -> dict[str, frozenset[str]]:
        """For each of `labels` those of `labels` that are related to it, itself included."""
        found: dict[str, set[str]] = {label: {label} for label in labels}
        for mapping in (self.ancestors, self.confusable):
            for label, others in mapping.items():
                for other in others:
                    if label in found and other in found:
                        found[label].add(other)
                        found[other].add(label)
        return {label: frozenset(others) for label, others in found.items()}


NO_RELATIONS = Relations()


@dataclass(frozen=True, slots=True)
class Has:
    a: str


@dataclass(frozen=True, slots=True)
class Lacks:
    a: str


@dataclass(frozen=True, slots=True)
class Before:
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Overlaps:
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Longer:
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class AtLeast:
    a: str
    seconds: float


@dataclass(frozen=True, slots=True)
class AtMost:
    a: str
    seconds: float


@dataclass(frozen=True, slots=True)
class And:
    operands: tuple[Formula, ...]

    def __init__(self, *operands: Formula) -> None:
        object.__setattr__(self, "operands", operands)


Formula: TypeAlias = "Has | Lacks | Before | Overlaps | Longer | AtLeast | AtMost | And"

_ATOMS: dict[str, type[Has | Lacks | Before | Overlaps | Longer | AtLeast | AtMost]] = {
    atom.__name__: atom for atom in (Has, Lacks, Before, Overlaps, Longer, AtLeast, AtMost)
}


# --- evaluation -------------------------------------------------------------------------------------------------------


def evaluate(formula: Formula, timeline: Timeline, margins: Margins = Margins(), relations: Relations = NO_RELATIONS) -> Truth:
    """Whether `timeline` satisfies `formula`.

    Where several events of a clip answer to one label (two kinds of dog sound for "dog"), the value is what all choices
    agree on, else UNCLEAR.
    """
    match formula:
        case And(operands=operands):
            return _all(evaluate(operand, timeline, margins, relations) for operand in operands)
        case Lacks(a=label):
            return _NOT[_presence(label, timeline, relations)]
        case Has(a=label):
            return _presence(label, timeline, relations)
        case Before() | Overlaps() | Longer():
            labels: tuple[str, ...] = (formula.a, formula.b)
        case AtLeast() | AtMost():
            labels = (formula.a,)
    found = [_answers(label, timeline, relations) for label in labels]
    if any(truth is Truth.FALSE for truth, _ in found):
        return Truth.FALSE
    if any(truth is Truth.UNCLEAR for truth, _ in found):
        return Truth.UNCLEAR
    values = {_compare(formula, events, margins) for events in product(*(events for _, events in found))}
    return values.pop() if len(values) == 1 else Truth.UNCLEAR


_NOT = {Truth.TRUE: Truth.FALSE, Truth.FALSE: Truth.TRUE, Truth.UNCLEAR: Truth.UNCLEAR}


def _all(values: Iterable[Truth]) -> Truth:
    found = Truth.TRUE
    for value in values:
        if value is Truth.FALSE:
            return Truth.FALSE
        if value is Truth.UNCLEAR:
            found = Truth.UNCLEAR
    return found


def _presence(label: str, timeline: Timeline, relations: Relations) -> Truth:
    return _answers(label, timeline, relations)[0]


def _answers(label: str, timeline: Timeline, relations: Relations) -> tuple[Truth, list[Event]]:
    """Whether the clip holds the sound, and the events that answer to its label."""
    events, unclear = [], False
    for event in timeline.events:
        value = relations.holds(event.label, label)
        if value is Truth.TRUE:
            events.append(event)
        elif value is Truth.UNCLEAR:
            unclear = True
    return (Truth.TRUE if events else Truth.UNCLEAR if unclear else Truth.FALSE), events


def _compare(formula: Formula, events: tuple[Event, ...], m: Margins) -> Truth:
    """The row of the table for events that are there."""
    match formula:
        case Before():
            a, b = events
            together = overlap_ms(a, b)
            true = b.onset_ms - a.offset_ms >= m.gap_ms
            false = a.onset_ms - b.offset_ms >= m.gap_ms or (
                together >= m.simultaneous_ms and a.onset_ms >= b.onset_ms - m.together_ms
            )
        case Overlaps():
            a, b = events
            together = overlap_ms(a, b)
            shorter = min(a.duration_ms, b.duration_ms)
            true = together >= m.overlap_ms and together >= m.overlap_share * shorter
            false = -together >= m.gap_ms
        case Longer():
            a, b = events
            true = a.duration_ms >= m.longer_ratio * b.duration_ms and a.duration_ms - b.duration_ms >= m.longer_ms
            false = a.duration_ms <= m.not_longer_ratio * b.duration_ms
        case AtLeast(seconds=seconds):
            true = events[0].duration_ms >= m.above_ratio * seconds * 1000
            false = events[0].duration_ms <= m.below_ratio * seconds * 1000
        case AtMost(seconds=seconds):
            true = events[0].duration_ms <= m.below_ratio * seconds * 1000
            false = events[0].duration_ms >= m.above_ratio * seconds * 1000
        case _:  # pragma: no cover - evaluate() hands only the rows above
            raise TypeError(f"not a relation between events: {formula!r}")
    return Truth.TRUE if true else Truth.FALSE if false else Truth.UNCLEAR


# --- looking at formulas ----------------------------------------------------------------------------------------------


def conjuncts(formula: Formula) -> tuple[Formula, ...]:
    """The formula's parts, nested `And` flattened."""
    if isinstance(formula, And):
        return tuple(part for operand in formula.operands for part in conjuncts(operand))
    return (formula,)


def labels_of(formula: Formula) -> tuple[str, ...]:
    """Every label that the formula names, in order, each once."""
    found: dict[str, None] = {}
    for part in conjuncts(formula):
        for name in ("a", "b"):
            if hasattr(part, name):
                found[getattr(part, name)] = None
    return tuple(found)


def required_labels(formula: Formula) -> tuple[str, ...]:
    """The labels without which the formula is FALSE (all but those that it wants absent), in order, each once."""
    return tuple(dict.fromkeys(label for part in conjuncts(formula) if not isinstance(part, Lacks) for label in labels_of(part)))


def canonical(formula: Formula) -> str:
    """One text for formulas that mean the same by symmetry: `And` in any order, `Overlaps(a, b)` = `Overlaps(b, a)`."""
    parts = sorted(
        {to_text(Overlaps(*sorted((part.a, part.b))) if isinstance(part, Overlaps) else part) for part in conjuncts(formula)}
    )
    return " & ".join(parts)


# --- text -------------------------------------------------------------------------------------------------------------


def to_text(formula: Formula) -> str:
    """The formula as text: `And(Before("dog bark", "car horn"), AtLeast("rain", 2.5))`."""
    if isinstance(formula, And):
        return f"And({', '.join(map(to_text, formula.operands))})"
    arguments = [json.dumps(formula.a, ensure_ascii=False)]
    if isinstance(formula, AtLeast | AtMost):
        arguments.append(json.dumps(formula.seconds))
    elif isinstance(formula, Before | Overlaps | Longer):
        arguments.append(json.dumps(formula.b, ensure_ascii=False))
    return f"{type(formula).__name__}({', '.join(arguments)})"


_TOKEN = re.compile(r'\s*(?:(?P<name>[A-Za-z]+)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<number>-?\d+(?:\.\d+)?)|(?P<mark>[(),]))')


def parse(text: str) -> Formula:
    """The formula that `text` writes. Raises FormulaSyntaxError with the place of the first thing that does not fit."""
    tokens: list[tuple[str, str, int]] = []
    position = 0
    while position < len(text.rstrip()):
        found = _TOKEN.match(text, position)
        if not found:
            raise FormulaSyntaxError(f"not a formula: {text!r}, at character {position}")
        tokens.append((str(found.lastgroup), str(found.group(found.lastgroup or 0)), found.start()))
        position = found.end()
    formula, rest = _parse(text, tokens)
    if rest:
        raise FormulaSyntaxError(f"not a formula: {text!r}, text follows its end at character {rest[0][2]}")
    return formula


def _parse(text: str, tokens: list[tuple[str, str, int]]) -> tuple[Formula, list[tuple[str, str, int]]]:
    def fail(what: str, rest: list[tuple[str, str, int]]) -> FormulaSyntaxError:
        at = rest[0][2] if rest else len(text)
        return FormulaSyntaxError(f"not a formula: {text!r}, {what} expected at character {at}")

    if not tokens or tokens[0][0] != "name" or (tokens[0][1] != "And" and tokens[0][1] not in _ATOMS):
        raise fail("one of And, " + ", ".join(_ATOMS), tokens)
    name, rest = tokens[0][1], tokens[1:]
    if not rest or rest[0][1] != "(":
        raise fail("'('", rest)
    arguments: list[Formula | str | float] = []
    while True:
        rest = rest[1:]  # the '(' or ','
        if rest and rest[0][0] == "string":
            arguments.append(str(json.loads(rest[0][1])))
            rest = rest[1:]
        elif rest and rest[0][0] == "number":
            arguments.append(float(rest[0][1]))
            rest = rest[1:]
        else:
            formula, rest = _parse(text, rest)
            arguments.append(formula)
        if not rest or rest[0][1] not in (",", ")"):
            raise fail("',' or ')'", rest)
        if rest[0][1] == ")":
            break
    return _construct(name, arguments, text), rest[1:]


def _construct(name: str, arguments: list[Formula | str | float], text: str) -> Formula:
    if name == "And":
        operands = [argument for argument in arguments if not isinstance(argument, str | float)]
        if len(operands) != len(arguments) or len(operands) < 2:
            raise FormulaSyntaxError(f"not a formula: {text!r}, And takes two or more formulas")
        return And(*operands)
    atom = _ATOMS[name]
    wanted = {Has: (str,), Lacks: (str,), AtLeast: (str, float), AtMost: (str, float)}.get(atom, (str, str))
    if len(arguments) != len(wanted) or not all(map(isinstance, arguments, wanted)):
        what = " and ".join("a label" if kind is str else "a number of seconds" for kind in wanted)
        raise FormulaSyntaxError(f"not a formula: {text!r}, {name} takes {what}")
    return atom(*arguments)  # type: ignore[arg-type]  # the number and types were checked in the line above
