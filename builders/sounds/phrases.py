"""How a label is said in an English sentence."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from builders.sounds.phrase_table import ROWS, Row


@dataclass(frozen=True, slots=True)
class Phrase:
    """A label in English.

    Attributes:
        noun: with its article, as a sentence names it ("a dog barking").
        clause: as a sentence says that it happens ("a dog barks").
        sustained: whether the sound goes on evenly; None where that is not known.
        known: whether it comes from the table; else it is made from the label alone ("a gong sound").
    """

    noun: str
    clause: str
    sustained: bool | None
    known: bool


def phrase(label: str) -> Phrase:
    """How `label` is said. Case, underscores, hyphens, spaces and a simple plural make no difference."""
    row = _by_key().get(label_key(label))
    return Phrase(row.noun, row.clause, row.sustained, True) if row else plain_phrase(label)


def plain_phrase(label: str) -> Phrase:
    """How any label can be said without knowing what it means: "a gong sound", "a gong sound is heard"."""
    noun = _plain_noun(label)
    return Phrase(noun, f"{noun} is heard", None, False)


def canonical_label(label: str) -> str | None:
    """The table's own label for the sound that `label` names ("rooster crow" for "Rooster"); None where it is unknown."""
    row = _by_key().get(label_key(label))
    return row.labels.split(",")[0] if row else None


def label_key(label: str) -> str:
    """The same for labels that differ in case, underscores, hyphens, spaces, or a final s of a word only."""
    words = re.sub(r"[\W_]+", " ", unicodedata.normalize("NFC", label).casefold()).split()
    return " ".join(word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith("ss") else word for word in words)


@cache
def _by_key() -> dict[str, Row]:
    return {label_key(label): row for row in ROWS for label in row.labels.split(",")}


def _plain_noun(label: str) -> str:
    words = re.sub(r"[\s_]+", " ", label).strip()
    words = re.sub(r"\s*,\s*", " or ", words)  # AudioSet's "Chink, clink" is one sound with two names
    first, _, rest = words.partition(" ")
    if first[1:].islower():  # a capital as at the start of a sentence; "TV" keeps its own
        first = first.lower()
    words = f"{first} {rest}".strip()
    if not re.search(r"\b(sound|noise)s?$", words, re.IGNORECASE):
        words += " sound"
    return f"{_article(words)} {words}"


_LIKE_A_CONSONANT = re.compile(r"(uni|use|usu|util|ute|uku|eu|ewe|one\b|once\b|ufo\b)", re.IGNORECASE)
_LIKE_A_VOWEL = re.compile(r"(hour|heir|honest|honou?r|8|11\b|18\b)", re.IGNORECASE)


def _article(words: str) -> str:
    first = words.split()[0]
    if len(first) <= 4 and first.isupper() and first[0].isalpha():  # spelt out: "an MRI", "a UFO"
        return "an" if first[0] in "AEFHILMNORSX" else "a"
    plain = unicodedata.normalize("NFKD", first)
    if _LIKE_A_CONSONANT.match(plain):
        return "a"
    return "an" if _LIKE_A_VOWEL.match(plain) or plain[:1].casefold() in tuple("aeiou") else "a"
