"""FSD50K's labels as its tables write them ("Chink_and_clink"), and which of them is a kind of which."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from builders.sounds.fsd50k_classes import ancestors_by_name


def as_written(name: str) -> str:
    """A class of the ontology as FSD50K writes it."""
    return name.replace(", and ", "_and_").replace(", ", "_and_").replace(" ", "_")


@cache
def _above() -> dict[str, frozenset[str]]:
    return {as_written(name): frozenset(map(as_written, above)) for name, above in ancestors_by_name().items()}


@cache
def _parents() -> frozenset[str]:
    return frozenset().union(*_above().values())


def ancestors(label: str) -> frozenset[str]:
    """All labels of FSD50K that this one is a kind of, near and far; none of a label that FSD50K does not have."""
    return _above().get(label, frozenset())


def is_leaf(label: str) -> bool:
    """Whether no label of FSD50K is a kind of this one."""
    return label not in _parents()


def with_relatives(labels: Sequence[str]) -> frozenset[str]:
    """The labels, all that they are kinds of, and all kinds of them: what a clip with these labels may hold as well."""
    given = frozenset(labels)
    kinds = {label for label, above in _above().items() if above & given}
    return given.union(kinds, *map(ancestors, labels))


def most_specific(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels without those that another of them is a kind of: those before propagation, as far as it can be told.

    A clip labelled both "Dog" and "Bark" cannot be told from one labelled "Bark".
    """
    above: frozenset[str] = frozenset().union(*map(ancestors, labels))
    return tuple(label for label in labels if label not in above)
