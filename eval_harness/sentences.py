"""Labels of a source by what a user types, and sentences that name them, as a corpus would say them."""

from __future__ import annotations

import difflib

from builders.errors import SoundLibraryError
from builders.sounds.library import AtomicSound, Source
from builders.sounds.phrases import label_key
from builders.tasks import TASKS
from builders.tasks.forms import FREE, write_sentence

_ROLES = (("order", "order-1", "A"), ("negation", "negation-1", "C"), ("overlap", "overlap-1", "B"))
_SUSTAINED_ROLES = (*_ROLES[:2], ("duration", "duration-1", "A"))
"""The task, its form, and the letter that a sound stands for in three sentences; only sustained sounds have planned lengths."""


def find_sound(source: Source, given: str) -> AtomicSound:
    """The sound whose label is `given`, or differs from it in case and spelling only.

    Raises:
        SoundLibraryError: there is none, or there are several; the message names close ones.
    """
    alike = [sound for sound in source.sounds if label_key(sound.label) == label_key(given)]
    exact = [sound for sound in alike if sound.label == given]
    if exact or len(alike) == 1:
        return (exact or alike)[0]
    if alike:
        raise SoundLibraryError(f"{source.name}: label {given!r} may be {' or '.join(repr(sound.label) for sound in alike)}")
    left_out = [one for one in source.rejected if label_key(one.label) == label_key(given)]
    if left_out:
        raise SoundLibraryError(
            f"{source.name}: label {given!r}: all of its recordings are left out ({len(left_out)}); of the first, "
            f"{left_out[0].id!r}: {left_out[0].reason}"
        )
    keys = {label_key(sound.label): sound.label for sound in source.sounds}
    close = [keys[key] for key in difflib.get_close_matches(label_key(given), list(keys), n=3, cutoff=0.5)]
    hint = f"did you mean {', '.join(map(repr, close))}?" if close else f"`reasonaudio sounds list {source.name}` lists them"
    raise SoundLibraryError(f"{source.name}: there is no label {given!r}; {hint}")


def examples(source: Source, sound: AtomicSound) -> list[str]:
    """Three sentences that name `sound` beside sounds that it is not related to; fewer where the source has too few of these."""
    near = source.relations.neighbours([one.label for one in source.sounds])[sound.label]
    others = [one for one in source.sounds if one.label not in near]
    start = next((n for n, one in enumerate(others) if one.label > sound.label), 0)  # not the same neighbours for all
    others = others[start:] + others[:start]
    said = []
    for number, (task, name, role) in enumerate(_SUSTAINED_ROLES if sound.sustained else _ROLES):
        form = TASKS[task].form(name)
        letters = [letter for letter in form.named if letter != role and letter not in FREE]
        if len(others) < len(letters):
            continue
        places = {role: sound, **dict(zip(letters, others[number:] + others[:number], strict=False))}
        said.append(write_sentence(form.patterns[number], places))
    return said
