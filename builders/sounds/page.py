"""One HTML file to listen to a library: every recording with a player and a spectrogram, for any browser, without a network."""

from __future__ import annotations

import io
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import numpy as np
import soundfile
import soxr

from builders.errors import SoundLibraryError
from builders.files import write_whole
from builders.processes import pool
from builders.sounds import builtin
from builders.sounds.library import AtomicSound, Recording, Samples, SoundLibrary
from builders.sounds.licenses import understand
from builders.sounds.ontology import Ontology
from builders.sounds.spectrogram import BANDS, COLUMNS, picture
from builders.sounds.synth import SOUNDS

LISTENING_RATE = 24_000
"""Sampling rate of the embedded audio, in Hz: enough to judge a sound by."""
LEVEL, PEAK = 0.1, 0.9
"""RMS that every recording is brought to, and the peak that it may not exceed (full scale 1.0): so that none makes one jump."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Media:
    """What a page holds of one recording: its audio and its spectrogram, as whole files."""

    audio: bytes
    audio_type: str
    image: bytes


def make_page(
    path: Path,
    libraries: Sequence[SoundLibrary],
    ontology: Ontology | None = None,
    *,
    num_proc: int = 1,
    progress: Progress | None = None,
) -> int:
    """Writes a page with all sounds of `libraries`; what is at `path` already is replaced, as soon as the new one is whole.

    Args:
        path: of the HTML file.
        libraries: prepared.
        ontology: names the sounds' classes, where it is given.
        num_proc: number of processes; above 1, workers are started (which end with this process, however it ends).
        progress: called with (recordings done, recordings in all).

    Returns:
        The size of the file in bytes.

    Raises:
        SoundLibraryError: there is no recording, or a worker process died.
        OSError: the file cannot be written.
    """
    recordings = [(recording, library.sample_rate) for library in libraries for recording in library.recordings]
    if not recordings:
        raise SoundLibraryError(f"{', '.join(library.name for library in libraries)}: there is no recording to listen to")
    media: list[Media] = []
    for made in _all_media(recordings, num_proc):
        media.append(made)
        if progress:
            progress(len(media), len(recordings))
    shelves, following = [], iter(media)
    for number, library in enumerate(libraries):
        anchors = {sound.label: f"s{number}-{n}" for n, sound in enumerate(library.sounds)}
        shelves.append(_Shelf(library, anchors, {recording.id: next(following) for recording in library.recordings}, ontology))
    content = _page(shelves).encode()
    write_whole(path, content)
    return len(content)


# --- media ------------------------------------------------------------------------------------------------------------


def _all_media(recordings: Sequence[tuple[Recording, int]], num_proc: int) -> Iterator[Media]:
    workers = min(num_proc, len(recordings))
    work = ((recording.samples, rate) for recording, rate in recordings)
    if workers <= 1:
        yield from (media_of(*one) for one in work)
        return
    with pool(workers, SoundLibraryError, "the page was made") as executor:
        yield from executor.map(media_of, *zip(*work, strict=True))


def media_of(samples: Samples, sample_rate: int) -> Media:
    """Audio and spectrogram of a recording.

    The audio is MP3, which every browser plays, or Ogg Vorbis where libsndfile is too old to write that; about 40 kbit/s.

    Args:
        samples: mono, shape [n], n > 0.
        sample_rate: of `samples`, in Hz.
    """
    audio = np.asarray(samples, dtype=np.float32)
    if sample_rate != LISTENING_RATE:  # one that MP3 knows, which others are not
        audio = soxr.resample(audio, sample_rate, LISTENING_RATE, quality="HQ")
    rms, peak = float(np.sqrt(np.mean(np.square(audio, dtype=np.float64)))), float(np.abs(audio).max())
    audio = audio * np.float32(min(LEVEL / max(rms, 1e-9), PEAK / max(peak, 1e-9)))
    name, subtype, kind = ("MP3", "MPEG_LAYER_III", "audio/mpeg") if _writes_mp3() else ("OGG", "VORBIS", "audio/ogg")
    file = io.BytesIO()
    soundfile.write(file, audio, LISTENING_RATE, format=name, subtype=subtype, compression_level=0.8)
    return Media(file.getvalue(), kind, picture(samples, sample_rate))


def _writes_mp3() -> bool:
    return "MP3" in soundfile.available_formats()


# --- HTML -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Shelf:
    """A library on the page.

    Attributes:
        anchors: label -> the id of its card.
        media: recording id -> what the page holds of it.
    """

    library: SoundLibrary
    anchors: Mapping[str, str]
    media: Mapping[str, Media]
    ontology: Ontology | None


def _page(shelves: Sequence[_Shelf]) -> str:
    cards: list[str] = []
    groups: set[str] = set()
    letters: dict[str, str] = {}
    for shelf in shelves:
        if len(shelves) > 1:
            cards.append(f'<h2 class="source">{escape(shelf.library.name)}</h2>')
        for sound in sorted(shelf.library.sounds, key=lambda sound: sound.label.casefold()):
            group = _group(shelf, sound)
            groups |= {group} - {""}
            letter = sound.label[:1].upper() if sound.label[:1].isalpha() else "#"
            letters.setdefault(letter, shelf.anchors[sound.label])
            cards.append(_card(shelf, sound, group))
    count = sum(len(shelf.library.sounds) for shelf in shelves)
    lengths = [recording.duration_ms for shelf in shelves for recording in shelf.library.recordings]
    values = {
        "title": escape(", ".join(shelf.library.name for shelf in shelves)),
        "count": str(count),
        "summary": f"{count} sounds, {len(lengths):,} recordings, {sum(lengths) / 60_000:.1f} minutes",
        "groups": "".join(f'<button type="button" aria-pressed="false">{escape(name)}</button>' for name in sorted(groups)),
        "letters": "".join(f'<a href="#{anchor}">{escape(letter)}</a>' for letter, anchor in sorted(letters.items())),
        "cards": "\n".join(cards),
    }
    template = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda place: values[place[1]], template)


def _group(shelf: _Shelf, sound: AtomicSound) -> str:
    """What the sound can be chosen by: its family, of built-in sounds; else the top of the ontology above its class."""
    if shelf.library.name == builtin.NAME and sound.label in SOUNDS:
        family = SOUNDS[sound.label].synthesize.__module__.rpartition(".")[2]
        return family.replace("_and_", " and ").replace("_", ", ")
    if shelf.ontology and sound.audioset_id:
        above = {sound.audioset_id, *shelf.ontology.ancestors(sound.audioset_id)}
        tops = sorted(shelf.ontology.names.get(name, "") for name in above if not shelf.ontology.parents.get(name))
        return tops[0].lower() if tops else ""
    return ""


def _card(shelf: _Shelf, sound: AtomicSound, group: str) -> str:
    recordings = shelf.library.recordings_of(sound.label)
    class_name = shelf.ontology.names.get(sound.audioset_id or "", "") if shelf.ontology else ""
    tags = [group, "sustained" if sound.sustained else ""]
    if sound.audioset_id:
        tags.append(f"AudioSet: {class_name or sound.audioset_id}")
    key = " ".join(filter(None, (sound.label, sound.noun, sound.clause, *tags, sound.audioset_id))).casefold()
    takes = "".join(
        _take(sound.label, number, len(recordings), recording, shelf.media[recording.id])
        for number, recording in enumerate(recordings, 1)
    )
    return (
        f'<article id="{shelf.anchors[sound.label]}" data-key="{escape(key)}" data-group="{escape(group)}">'
        f"<h3>{escape(sound.label)}</h3>"
        f'<p class="tags">{"".join(f"<span>{escape(tag)}</span>" for tag in tags if tag)}</p>'
        f'<p class="said"><q>{escape(sound.noun)}</q> <q>{escape(sound.clause)}</q></p>'
        f"{_relatives(shelf, sound.label)}"
        f"<ul>{takes}</ul></article>"
    )


def _relatives(shelf: _Shelf, label: str) -> str:
    relations = shelf.library.relations
    kinds = (
        ("a kind of", relations.ancestors.get(label, frozenset())),
        ("has kinds", {other for other, above in relations.ancestors.items() if label in above}),
        ("easily taken for", relations.confusable.get(label, frozenset())),
    )
    parts = [
        f"{what} " + ", ".join(f'<a href="#{shelf.anchors[other]}">{escape(other)}</a>' for other in sorted(others))
        for what, others in kinds
        if others
    ]
    return f'<p class="near">{"; ".join(parts)}</p>' if parts else ""


def _take(label: str, number: int, count: int, recording: Recording, media: Media) -> str:
    seconds = f"{recording.duration_ms / 1000:.1f} s"
    where = " · ".join(filter(None, (seconds, understand(recording.license).name if recording.license else "")))
    hint = "\n".join(filter(None, (recording.id, recording.attribution, recording.note)))
    return (
        f'<li><button type="button" class="take" title="{escape(hint)}" data-type="{media.audio_type}" '
        f'data-audio="{b64encode(media.audio).decode()}" aria-label="Play {escape(label)}, {number} of {count}, {seconds}">'
        f'<img alt="" width="{COLUMNS}" height="{BANDS}" data-image="{b64encode(media.image).decode()}">'
        f'<span class="head"></span></button><small>{number} · {escape(where)}</small></li>'
    )
