"""From labelled recordings to a source: how each label is said, whether it is sustained, and what it is related to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from builders.errors import SoundLibraryError
from builders.logic import Relations
from builders.sounds.library import AtomicSound, Candidate, Rejection, Source, behind_the_sound_of
from builders.sounds.ontology import Ontology
from builders.sounds.phrases import canonical_label, phrase, plain_phrase
from builders.sounds.related import alike, relations

_PAIRS_SHOWN = 5
_LABELS_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Said:
    """What a source itself says of one label; None where it says nothing."""

    noun: str | None = None
    clause: str | None = None
    sustained: bool | None = None
    audioset_id: str | None = None


def assemble(
    name: str,
    candidates: Iterable[Candidate],
    said: Mapping[str, Said] = {},
    confusable: Iterable[tuple[str, str]] = (),
    notes: Sequence[str] = (),
    ontology: Ontology | None = None,
    rejected: Sequence[Rejection] = (),
) -> Source:
    """A source of `candidates`.

    Args:
        name: of the source, without machine paths ("folder:my_sounds").
        candidates: in any order; labels that are "" are no sounds.
        said: what the source says of its labels; the rest comes from the tables of known labels, else from the label itself.
        confusable: pairs of labels that the source declares easy to confuse.
        notes: lines to show a person; further ones are added to them.
        ontology: for sounds with a class in it.
        rejected: what the source's own rules leave out.

    Raises:
        SoundLibraryError: two labels are said alike.
    """
    candidates = sorted(candidates, key=lambda candidate: candidate.id)
    sounds: list[AtomicSound] = []
    plain: list[str] = []
    taken: set[str] = set()

    def rank(label: str) -> tuple[bool, bool, str]:
        # Where two labels are said the same, the one whose words are given keeps them, then the one that the tables call so.
        words = said.get(label, Said())
        return words.noun is None, canonical_label(label, words.audioset_id) != label.casefold(), label

    for label in sorted({candidate.label for candidate in candidates} - {""}, key=rank):
        words = said.get(label, Said())
        english = phrase(label, words.audioset_id)
        worded = plain_phrase(label) if english.noun in taken else english
        noun = words.noun or worded.noun
        clause = words.clause or (f"the sound of {behind_the_sound_of(noun)} is heard" if words.noun else worded.clause)
        sustained = bool(english.sustained) if words.sustained is None else words.sustained
        if not worded.known and not words.noun:
            plain.append(label)
        taken.add(noun)
        sounds.append(AtomicSound(label, noun, clause, sustained, words.audioset_id))
    _check_words(name, sounds)
    sounds.sort(key=lambda sound: sound.label)
    related = relations(sounds, ontology, confusable)
    more = [*_plain_note(plain), *_alike_note([sound.label for sound in sounds], related)]
    return Source(name, tuple(sounds), tuple(candidates), related, (*notes, *more), tuple(rejected))


def _plain_note(plain: list[str]) -> list[str]:
    if not plain:
        return []
    plain = sorted(plain)
    how = plain_phrase(plain[0]).noun
    more = f" and {len(plain) - _LABELS_SHOWN} more" if len(plain) > _LABELS_SHOWN else ""
    shown = "; ".join(plain[:_LABELS_SHOWN])
    return [f"said by their label alone ({how}), as no English for them is known: {shown}{more}"]


def _alike_note(labels: list[str], related: Relations) -> list[str]:
    pairs = [f"{a!r} and {b!r}" for a, b in alike(labels, related)]
    if not pairs:
        return []
    more = f" and {len(pairs) - _PAIRS_SHOWN} more" if len(pairs) > _PAIRS_SHOWN else ""
    shown = "; ".join(pairs[:_PAIRS_SHOWN])
    return [f"share a word but count as unrelated: {shown}{more} (a manifest's column `confusable` can relate them)"]


def _check_words(name: str, sounds: list[AtomicSound]) -> None:
    for field in ("noun", "clause"):
        first: dict[str, AtomicSound] = {}
        for sound in sounds:
            words = getattr(sound, field)
            other = first.setdefault(words.casefold(), sound)
            if other is not sound:
                raise SoundLibraryError(
                    f"{name}: labels {other.label!r} and {sound.label!r} are both said as {words!r}; "
                    f"give one of them another {field} in a manifest, or make them one label"
                )
