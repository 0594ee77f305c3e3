"""Which sounds mean partly the same: one is a kind of the other, or a careful listener could take one for the other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import combinations, product

from builders.logic import Relations
from builders.sounds.fsd50k_classes import CLASSES
from builders.sounds.library import AtomicSound
from builders.sounds.ontology import Ontology
from builders.sounds.phrases import canonical_label, class_id, class_label
from builders.sounds.related_table import CONFUSABLE, KIND_OF


def alike(labels: Iterable[str], related: Relations) -> list[tuple[str, str]]:
    """Pairs of labels that share a word of three letters or more and yet are not related: to be shown to a person.

    Pairs of which the table of known labels knows both were looked at when it was made, and are left out.
    """
    labels = sorted(labels)
    words = {label: set(re.findall(r"\w{3,}", label.casefold())) for label in labels}
    known = {label for label in labels if canonical_label(label)}
    return [
        (a, b) for a, b in combinations(labels, 2) if words[a] & words[b] and not {a, b} <= known and not related.related(a, b)
    ]


def relations(
    sounds: Iterable[AtomicSound],
    ontology: Ontology | None = None,
    confusable: Iterable[tuple[str, str]] = (),
) -> Relations:
    """How `sounds` are related to each other.

    Args:
        sounds: only their labels occur in the result.
        ontology: for sounds with an `audioset_id`, or a label that names a class. Without it, the relations of FSD50K's 200
            classes are known.
        confusable: further pairs of labels, as a source declares them; other labels than those of `sounds` are left out.

    Returns:
        From the tables of known labels and classes, the ontology and `confusable` together. Sounds with the same `audioset_id`,
        or with labels for the same sound ("rooster", "rooster crow"), are confusable. Ancestors are transitive.
    """
    sounds = tuple(sounds)
    named: dict[str, list[str]] = {}
    by_id: dict[str, list[str]] = {}
    for sound in sounds:
        for known in {canonical_label(sound.label, sound.audioset_id), class_label(sound.audioset_id)}:
            if known:
                named.setdefault(known, []).append(sound.label)
        in_ontology = sound.audioset_id or class_id(sound.label)
        if in_ontology:
            by_id.setdefault(in_ontology, []).append(sound.label)
    above: dict[str, set[str]] = {sound.label: set() for sound in sounds}
    near: dict[str, set[str]] = {sound.label: set() for sound in sounds}
    classes = {name: ontology.ancestors(name) for name in by_id} if ontology else {}
    for groups, ancestors in ((named, _known_ancestors()), (by_id, classes)):
        for name, labels in groups.items():
            for label in labels:
                above[label].update(other for ancestor in ancestors.get(name, ()) for other in groups.get(ancestor, ()))
                near[label].update(labels)
    _close(above)
    for one, other in _known_pairs():
        for a in named.get(one, ()):
            near[a].update(named.get(other, ()))
    for a, b in confusable:
        if a in near and b in near:
            near[a].add(b)
    for label in near:
        for other in near[label]:
            near[other].add(label)
    for label, others in near.items():
        # An ancestor says more than "easy to confuse".
        others -= {label} | above[label] | {other for other in above if label in above[other]}
    return Relations(
        {label: frozenset(above[label]) for label in sorted(above) if above[label]},
        {label: frozenset(near[label]) for label in sorted(near) if near[label]},
    )


def _close(above: dict[str, set[str]]) -> None:
    """Adds the ancestors of ancestors; nothing is its own ancestor."""
    changed = True
    while changed:
        changed = False
        for label, ancestors in above.items():
            more = {further for ancestor in ancestors for further in above[ancestor]} - ancestors - {label}
            changed = changed or bool(more)
            ancestors |= more
    for label, ancestors in above.items():
        ancestors.discard(label)


@cache
def _known_ancestors() -> dict[str, frozenset[str]]:
    said_as = {found.name: class_label(found.id) or "" for found in CLASSES}
    above: dict[str, set[str]] = {said_as[found.name]: {said_as[parent] for parent in found.parents} for found in CLASSES}
    for parent, kinds in KIND_OF.items():
        above.setdefault(parent, set())
        for kind in kinds.split(", "):
            above.setdefault(kind, set()).add(parent)
    _close(above)
    return {label: frozenset(ancestors) for label, ancestors in above.items()}


@cache
def _known_pairs() -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for line in CONFUSABLE:
        one, colon, others = line.partition(": ")
        pairs = product([one], others.split(", ")) if colon else combinations(line.split(", "), 2)
        found.update(pair for a, b in pairs for pair in ((a, b), (b, a)))
    return frozenset(found)
