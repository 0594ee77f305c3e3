"""Which sounds mean partly the same: one is a kind of the other, or a careful listener could take one for the other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from itertools import combinations

from builders.logic import Relations
from builders.sounds.library import AtomicSound
from builders.sounds.ontology import Ontology
from builders.sounds.phrases import canonical_label

_KIND_OF: dict[str, str] = {
    "bird": "birdsong, bird call, chirping birds, crow caw, rooster crow, hen cluck, owl hoot, duck quack",
    "chirping birds": "birdsong",
    "drum": "drum roll, tom drum",
    "cymbal": "cymbal crash, splash cymbal, hi-hat",
    "bell": "church bells, level crossing bell",
    "train": "steam train, train whistle",
    "airplane": "jet plane",
    "engine": "bus, truck, car, motorcycle",
    "guitar": "electric guitar",
    "footsteps": "footsteps on ice",
}
"""A sound, and its kinds."""

_CONFUSABLE: tuple[str, ...] = (
    # Every two of a line.
    "rain, water flowing, pouring water, shower",
    "rain, sea waves, wind",
    "sea waves, water flowing",
    "rain, applause",
    "rain, vinyl hiss",
    "water drops, rain, water flowing",
    "pouring water, toilet flush, water flowing",
    "fire crackling, electric sparking, fuse burning",
    "vinyl hiss, fuse burning",
    "wind, vinyl hiss",
    "applause, clapping",
    "birdsong, bird call, chirping birds",
    "crow caw, bird call",
    "rooster crow, hen cluck",
    "crickets, insects",
    "crickets, chirping birds",
    "cow moo, sheep bleat",
    "baby cry, cat meow",
    "sneeze, cough",
    "snoring, breathing, pig oink",
    "burp, frog croak",
    "car horn, truck horn, train whistle",
    "bus, truck, car, motorcycle",
    "engine, chainsaw",
    "motorcycle, chainsaw",
    "drill, chainsaw",
    "engine, washing machine, mining machinery",
    "bus, mining machinery",
    "steam train, mining machinery",
    "engine, train",
    "engine, helicopter, airplane",
    "helicopter, jet plane",
    "vacuum cleaner, jet plane, washing machine",
    "vacuum cleaner, drill",
    "3d printer, mining machinery",
    "church bells, level crossing bell",
    "clock alarm, telephone, level crossing bell",
    "bell, clock alarm, telephone",
    "bell, cymbal",
    "morse code, clock alarm",
    "thunderstorm, fireworks, explosion",
    "explosion, gunshot, fireworks",
    "explosion, crash",
    "crash, door close, tree falling, glass breaking",
    "crash, canal lock gate",
    "canal lock gate, door close, door wood creaks",
    "door close, door wood knock",
    "cymbal crash, splash cymbal, hi-hat",
    "hi-hat, shaker",
    "drum roll, tom drum",
    "tom drum, door wood knock",
    "coins, glass breaking",
    "clock tick, mouse click, camera shutter",
    "mouse click, keyboard typing",
    "card flip, paint brush stroke, whoosh",
    "bow shot, whoosh",
    "vinyl scratch, tyre screech",
    "vinyl scratch, whoosh",
    "hand saw, brushing teeth, paint brush stroke",
    "footsteps, door wood knock",
    "guitar, piano, violin",
)


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
        ontology: for sounds with an `audioset_id`.
        confusable: further pairs of labels, as a source declares them; other labels than those of `sounds` are left out.

    Returns:
        From the table of known labels, the ontology and `confusable` together. Sounds with the same `audioset_id`, or with labels
        for the same sound ("rooster", "rooster crow"), are confusable. Ancestors are transitive.
    """
    sounds = tuple(sounds)
    named: dict[str, list[str]] = {}
    by_id: dict[str, list[str]] = {}
    for sound in sounds:
        known = canonical_label(sound.label)
        if known:
            named.setdefault(known, []).append(sound.label)
        if sound.audioset_id:
            by_id.setdefault(sound.audioset_id, []).append(sound.label)
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
    above: dict[str, set[str]] = {}
    for parent, kinds in _KIND_OF.items():
        above.setdefault(parent, set())
        for kind in kinds.split(", "):
            above.setdefault(kind, set()).add(parent)
    _close(above)
    return {label: frozenset(ancestors) for label, ancestors in above.items()}


@cache
def _known_pairs() -> frozenset[tuple[str, str]]:
    lines = [line.split(", ") for line in _CONFUSABLE]
    return frozenset((a, b) for labels in lines for a in labels for b in labels if a != b)
