"""FSD50K (Fonseca et al. 2022) as a source of sounds: 51,197 clips from Freesound with labels of AudioSet's ontology."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from builders.errors import SoundLibraryError
from builders.sounds.assemble import Said, assemble
from builders.sounds.candidates import FileCandidate
from builders.sounds.fsd50k_files import RATINGS, VOCABULARY, Found, Part, find, missing
from builders.sounds.fsd50k_kinds import is_leaf, most_specific, with_relatives
from builders.sounds.library import Rejection, Source
from builders.sounds.manifest import tidy_label
from builders.sounds.scan import looked_into
from builders.sounds.sources import Asked
from builders.sounds.texts import Row, read_json_object, read_plain_table, read_table

_SIDES = {"train": "train", "val": "validation"}
_PREDOMINANT = 1.0
_NAMES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Rules:
    """Which clips are kept.

    Attributes:
        labels: "leaf" (one label, of which FSD50K has no kinds), "single" (one label) or "any" (the first of several).
        votes: "predominant" (everyone who listened said that the label is the main sound) or "any".
        vocabulary: label as FSD50K writes it -> class of the ontology.
        ratings: clip -> class -> votes; None where they are not known.
    """

    labels: str
    votes: str
    vocabulary: Mapping[str, str]
    ratings: Mapping[str, Any] | None

    def objection(self, clip: str, labels: Sequence[str]) -> tuple[str, str]:
        """Why a clip with these unpropagated labels is left out: in short, and in full; ("", "") where it is not."""
        if not labels:
            return "without a label", "it has no label"
        if self.labels != "any" and len(labels) > 1:
            return "with several labels", f"it has several labels: {', '.join(map(tidy_label, labels))!r}; labels=any keeps it"
        label = labels[0]
        if label not in self.vocabulary:
            return "with a label that is not in the vocabulary", f"its label {tidy_label(label)!r} is not in the vocabulary"
        if self.labels == "leaf" and not is_leaf(label):
            reason = f"its label {tidy_label(label)!r} is not specific: FSD50K has kinds of it; labels=single keeps it"
            return "with a label that is not specific", reason
        if self.votes == "predominant" and self.ratings is not None:
            return self._vote(clip, label)
        return "", ""

    def _vote(self, clip: str, label: str) -> tuple[str, str]:
        ratings = (self.ratings or {}).get(clip)
        votes = ratings.get(self.vocabulary[label]) if isinstance(ratings, dict) else None
        if not isinstance(votes, list) or not votes:
            return "without votes", f"there are no votes on whether {tidy_label(label)!r} is its main sound; votes=any keeps it"
        if any(vote != _PREDOMINANT for vote in votes):
            cast = ", ".join(f"{vote:g}" if isinstance(vote, float | int) else repr(vote) for vote in votes)
            reason = f"{tidy_label(label)!r} is not its main sound to everyone who listened (votes {cast}); votes=any keeps it"
            return "whose label is not the main sound to everyone who listened", reason
        return "", ""


@dataclass(slots=True)
class _Gathered:
    candidates: list[FileCandidate] = field(default_factory=list)
    rejected: list[Rejection] = field(default_factory=list)
    why: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    also: dict[str, frozenset[str]] = field(default_factory=dict)

    def leave_out(self, label: str, name: str, short: str, reason: str) -> None:
        self.rejected.append(Rejection(tidy_label(label), name, reason))
        self.why[short] += 1


def source(asked: Asked) -> Source:
    """FSD50K's clips, as its publisher or a mirror lays them out; dev, eval or both.

    Args:
        asked: the folder of the audio, and the options `part`, `labels`, `votes` (see `Rules`) and `metadata`.

    Returns:
        Ids are "dev/12345.wav" in any layout; `original` is the clip's id on Freesound; `part` is FSD50K's own split. Every clip
        that the rules leave out is in `rejected`, with the reason.

    Raises:
        SoundLibraryError: what is asked for is not there, a file is wrong, or no clip is left; one line.
    """
    root = Path(asked.argument).expanduser()
    elsewhere = asked.options.get("metadata", "")
    metadata = Path(elsewhere).expanduser() if elsewhere else None
    part = asked.options.get("part", "both")
    found = find(root, metadata, part, insist=part != "both" or "part" in asked.given)
    tables = {one.name: _table(one) for one in found.parts}
    gathered = _Gathered(notes=list(found.notes))
    vocabulary = _vocabulary(found, tables, gathered.notes)
    votes = asked.options.get("votes", "predominant")
    if found.ratings is None and votes == "predominant":
        if "votes" in asked.given:
            raise SoundLibraryError(f"fsd50k: votes=predominant: {missing(RATINGS, root, metadata)}")
        gathered.notes.append(f"{RATINGS} is missing: whether a label is a clip's main sound is not known, and does not count")
    ratings = read_json_object(found.ratings) if found.ratings and votes == "predominant" else None
    rules = Rules(asked.options.get("labels", "leaf"), votes, vocabulary, ratings)
    for one in found.parts:
        _gather(one, tables[one.name], rules, gathered)
    if gathered.why:
        counts = gathered.why.most_common()
        gathered.notes.append("left out: " + "; ".join(f"{count} {short}" for short, count in counts))
    if not gathered.candidates:
        raise SoundLibraryError(_nothing(root, gathered))
    candidates = looked_into(gathered.candidates, asked.progress)
    said = {tidy_label(label): Said(audioset_id=class_id) for label, class_id in vocabulary.items()}
    made = assemble("fsd50k", candidates, said, notes=gathered.notes, ontology=asked.ontology, rejected=gathered.rejected)
    selection = {
        "part": "+".join(one.name for one in found.parts),
        "labels": rules.labels,
        "votes": votes if ratings is not None else "any",
    }
    return replace(made, selection=selection, also=gathered.also)


def _table(part: Part) -> list[Row]:
    """The part's table of labels.

    Raises:
        SoundLibraryError: it is wrong, or lists no clip; one line.
    """
    rows = read_table(part.labels, ("fname", "labels", *(("split",) if part.name == "dev" else ())), key="fname")
    if not rows:
        raise SoundLibraryError(f"{part.labels}: no clips are listed below the header; take the file as it was published")
    return rows


def _vocabulary(found: Found, tables: Mapping[str, list[Row]], notes: list[str]) -> dict[str, str]:
    """Label -> class of the ontology."""
    if found.vocabulary:
        rows = read_plain_table(found.vocabulary, 3)
        return {label: class_id for index, label, class_id in rows if index.isdigit()}  # a mirror may have added a header
    pairs: dict[str, str] = {}
    for part in found.parts:
        for row in tables[part.name]:
            labels, ids = _listed(row["labels"]), _listed(row.values.get("mids", ""))
            if len(labels) == len(ids):
                pairs.update(zip(labels, ids, strict=True))
    if not pairs:
        names = " and ".join(str(part.labels) for part in found.parts)
        raise SoundLibraryError(f"fsd50k: {VOCABULARY} is missing beside {names}, which name no classes (column mids) either")
    notes.append(f"{VOCABULARY} is missing: classes are taken from {' and '.join(part.labels.name for part in found.parts)}")
    return pairs


def _listed(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (entry.strip() for entry in text.split(","))))


def _gather(part: Part, table: list[Row], rules: Rules, gathered: _Gathered) -> None:
    """Adds the part's clips that the rules keep, and the others with the reason."""
    raw: dict[str, tuple[str, ...]] = {}
    if part.collection:
        raw = {row["fname"]: _listed(row["labels"]) for row in read_table(part.collection, ("fname", "labels"), key="fname")}
    info = read_json_object(part.info) if part.info else {}
    derived = unknown = several = 0
    for row in table:
        clip = row["fname"].removesuffix(".wav")
        labels = raw.get(row["fname"]) or raw.get(clip)
        derived += labels is None
        labels = most_specific(labels or _listed(row["labels"]))
        label = labels[0] if labels else ""
        if clip not in part.files:
            reason = f"there is no such file (line {row.number} of {part.labels.name})"
            gathered.leave_out(label, f"{part.name}/{clip}.wav", "without a file", reason)
            continue
        name = f"{part.name}/{part.files[clip]}"
        short, reason = rules.objection(clip, labels)
        if short:
            gathered.leave_out(label, name, short, reason)
            continue
        if len(labels) > 1:
            several += 1
            gathered.also[name] = frozenset(map(tidy_label, with_relatives(labels[1:])))
        about = info.get(clip)
        if not isinstance(about, dict):
            about, unknown = {}, unknown + 1
        gathered.candidates.append(_candidate(name, clip, label, part, _side(row, part), about))
    gathered.notes += _notes(part, {row["fname"].removesuffix(".wav") for row in table}, derived, unknown)
    if several:
        gathered.notes.append(
            f"{several} clip(s) of {part.name} have further labels than the first, and stay out of sets that name one of those"
        )


def _side(row: Row, part: Part) -> str:
    if part.name == "eval":
        return "test"
    if row["split"] not in _SIDES:
        raise SoundLibraryError(f"{part.labels}, line {row.number}: split is {row['split']!r}, neither train nor val")
    return _SIDES[row["split"]]


def _candidate(name: str, clip: str, label: str, part: Part, side: str, about: Mapping[str, Any]) -> FileCandidate:
    def said(what: str) -> str:
        value = about.get(what)
        return " ".join(str(value).split()) if value else ""

    page = f"freesound.org/s/{clip}"
    title, uploader = said("title"), said("uploader")
    by = f"{title or 'untitled'} by {uploader}, " if uploader else f"{title}, " if title else ""
    return FileCandidate(
        id=name,
        label=tidy_label(label),
        path=part.audio / part.files[clip],
        license=said("license"),
        attribution=f"{by}{page}",
        source=f"https://{page}",
        original=clip,
        uploader=uploader,
        part=side,
    )


def _notes(part: Part, listed: set[str], derived: int, unknown: int) -> list[str]:
    notes = []
    if part.collection is None:
        notes.append(
            f"collection_{part.name}.csv is missing: labels before propagation are taken to be the most specific ones of "
            f"{part.labels.name}"
        )
    elif derived:
        notes.append(f"{derived} clip(s) are not in {part.collection.name}: the most specific labels in {part.labels.name} count")
    if part.info is None:
        notes.append(f"{part.name}_clips_info_FSD50K.json is missing: licences and uploaders of {part.name} are not known")
    elif unknown:
        notes.append(f"{unknown} clip(s) are not in {part.info.name}: their licences and uploaders are not known")
    unlisted = sorted(set(part.files) - listed)
    if unlisted:
        more = ", ..." if len(unlisted) > _NAMES_SHOWN else ""
        shown = ", ".join(part.files[clip] for clip in unlisted[:_NAMES_SHOWN])
        notes.append(
            f"{len(unlisted)} file(s) in {part.audio.name} are not in {part.labels.name}; they are not used: {shown}{more}"
        )
    return notes


def _nothing(root: Path, gathered: _Gathered) -> str:
    why = "; ".join(f"{count} {short}" for short, count in gathered.why.most_common())
    first = gathered.rejected[0]
    return f"fsd50k: {root}: none of its {len(gathered.rejected)} clips is left: {why}; such as {first.id}: {first.reason}"
