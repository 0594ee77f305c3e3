"""How a label is said in an English sentence."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from builders.sounds.english import ROWS
from builders.sounds.english.row import Row
from builders.sounds.fsd50k_classes import CLASSES, class_by_id


@dataclass(frozen=True, slots=True)
class Phrase:
    """A label in English.

    Attributes:
        noun: with its article, as a sentence names it ("a dog barking").
        clause: as a sentence says that it happens ("a dog barks").
        sustained: whether the sound goes on evenly; None where that is not known.
        known: whether it comes from the tables of known labels; else it is made from the label alone ('the sound of "zither"').
    """

    noun: str
    clause: str
    sustained: bool | None
    known: bool


def phrase(label: str, audioset_id: str | None = None) -> Phrase:
    """How `label` is said. Case, underscores, hyphens, spaces, a simple plural and the word "and" make no difference.

    Args:
        label: of a sound.
        audioset_id: its class in AudioSet's ontology, where it has one. One of FSD50K's 200 classes says what a label that is not
            known means, and that the class's own name means the whole class: "Dog" is then any sound of a dog, not a bark.
    """
    row = _row(label, audioset_id)
    return Phrase(row.noun, row.clause, row.sustained, True) if row else plain_phrase(label)


def plain_phrase(label: str) -> Phrase:
    """How any label can be said without knowing what it means: 'the sound of "zither"', 'the sound of "zither" is heard'.

    The label stands in quotation marks, as it is: what it would need to be English (an article, a plural, a verb) is not known.
    """
    words = re.sub(r"[\s_]+", " ", label).strip().replace('"', "'")
    noun = f'the sound of "{words}"'
    return Phrase(noun, f"{noun} is heard", None, False)


def canonical_label(label: str, audioset_id: str | None = None) -> str | None:
    """The tables' own label for the sound that `label` names ("rooster crow" for "Rooster"); None where it is unknown.

    Args:
        label: of a sound.
        audioset_id: as in `phrase`.
    """
    row = _row(label, audioset_id)
    return _first(row) if row else None


def class_label(audioset_id: str | None) -> str | None:
    """The tables' own label for a class of AudioSet's ontology; None where it is not one of FSD50K's 200."""
    row = _by_class().get(audioset_id or "")
    return _first(row) if row else None


def class_id(label: str) -> str | None:
    """The class of AudioSet's ontology that a label names ("/m/05tny_" for "bark"); None where it is not one of FSD50K's 200.

    "Dog" names none: without a class it is said as a bark, which is not all that the class holds.
    """
    return _class_of_row().get(canonical_label(label) or "")


def known_labels() -> dict[str, Phrase]:
    """Every label that is known, other spellings of it left out, with how it is said; sorted.

    Where a sound has several labels ("rooster", "rooster crow"), each is there.
    """
    labels = sorted(label.strip() for row in ROWS for label in row.labels.split(","))
    return {label: phrase(label) for label in labels}


def label_key(label: str) -> str:
    """The same for labels that differ in case, underscores, hyphens, spaces, "and", a final s of a word, or an article only."""
    words = re.sub(r"[\W_]+", " ", unicodedata.normalize("NFC", label).casefold()).split()
    words = [word for word in words if word != "and"] or words  # FSD50K writes "Chink_and_clink" for AudioSet's "Chink, clink"
    if len(words) > 1 and words[0] in ("a", "an", "the"):
        del words[0]
    return " ".join(word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith("ss") else word for word in words)


def _row(label: str, audioset_id: str | None) -> Row | None:
    found = class_by_id().get(audioset_id or "")
    key = label_key(label)
    if found and key == label_key(found.name):
        return _by_class()[found.id]
    return _by_key().get(key) or (_by_class()[found.id] if found else None)


def _first(row: Row) -> str:
    return row.labels.split(",")[0]


@cache
def _by_key() -> dict[str, Row]:
    return {label_key(label): row for row in ROWS for label in row.labels.split(",")}


@cache
def _class_of_row() -> dict[str, str]:
    return {_first(row): found for found, row in _by_class().items()}


@cache
def _by_class() -> dict[str, Row]:
    return {found.id: _by_key()[label_key(found.said_as or found.name)] for found in CLASSES}
