"""From the candidates of a source to a library of usable recordings, cut to where they are audible.

Nothing is repaired in silence: what is not used is listed with the reason.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import pairwise

from builders.errors import SoundLibraryError, UnusableRecordingError
from builders.logic import Relations
from builders.processes import pool
from builders.recipe import Recipe
from builders.sounds.cutting import cut
from builders.sounds.library import AtomicSound, Candidate, Recording, Rejection, Samples, SoundLibrary, Source
from builders.sounds.selection import by_preference

Progress = Callable[[int, int], None]


def prepare(
    source: Source,
    recipe: Recipe,
    *,
    strict: bool = False,
    num_proc: int = 1,
    progress: Progress | None = None,
    max_recordings: int | None = None,
) -> SoundLibrary:
    """Reads, cuts and screens the candidates of `source`.

    The result is the same for any `num_proc` and any order of the candidates.

    Args:
        source: what a source of sounds offers.
        recipe: its `sample_rate`, `audible` and `sound.fade_ms` are used.
        strict: stop at the first thing that would otherwise be left out and listed.
        num_proc: number of processes; above 1, workers are started (which end with this process, however it ends).
        progress: called in this process with (candidates done, candidates to do), from (0, all) on; where candidates prove
            unusable and others take their places, there is more to do.
        max_recordings: usable recordings of each sound at most, from as many uploaders as can be (`selection.by_preference`);
            None for all. The others are not read.

    Raises:
        SoundLibraryError: a candidate's id is not unique; a worker process died; `strict` and something is unusable.
        ValueError: `num_proc` or `max_recordings` is below 1.
    """
    if num_proc < 1:
        raise ValueError(f"num_proc: at least 1, got {num_proc}")
    if max_recordings is not None and max_recordings < 1:
        raise ValueError(f"max_recordings: at least 1, got {max_recordings}")
    candidates = sorted(source.candidates, key=lambda candidate: candidate.id)
    for one, other in pairwise(candidates):
        if one.id == other.id:
            raise SoundLibraryError(f"sound library {source.name}: two recordings have the id {one.id!r}")
    known = {sound.label for sound in source.sounds}

    def reject(rejection: Rejection) -> None:
        if strict:
            what = repr(rejection.id) if rejection.id else f"sound {rejection.label!r}"
            raise SoundLibraryError(f"sound library {source.name}: {what} cannot be used: {rejection.reason}")
        rejected.append(rejection)

    usable: list[Recording] = []
    rejected: list[Rejection] = []
    waiting = by_preference(candidates)
    missing = {label: max_recordings or len(others) for label, others in waiting.items()}
    done = 0
    with _screener(recipe, min(num_proc, len(candidates))) as screen_all:
        while batch := _next_batch(waiting, missing):
            if progress:
                progress(done, done + len(batch))
            # `closing` ends the work at once where `strict` or an interrupt leaves the loop.
            with closing(screen_all(batch)) as outcomes:
                for candidate, outcome in zip(batch, outcomes, strict=True):
                    if isinstance(outcome, str):
                        reject(Rejection(candidate.label, candidate.id, outcome))
                    elif candidate.label not in known:
                        reject(Rejection(candidate.label, candidate.id, f"the source has no sound {candidate.label!r}"))
                    else:
                        usable.append(_recording(candidate, outcome))
                        missing[candidate.label] -= 1
                    done += 1
                    if progress:
                        progress(done, max(done, len(batch)))
    usable.sort(key=lambda recording: recording.id)
    usable, repeated = _without_repeats(usable)
    for rejection in repeated:
        reject(rejection)
    heard = {recording.label for recording in usable}
    offered = {label: sum(candidate.label == label for candidate in candidates) for label in known - heard}
    for label in sorted(offered):
        count = offered[label]
        reject(Rejection(label, "", f"none of its {count} recordings can be used" if count else "it has no recordings"))
    sounds = tuple(sorted((sound for sound in source.sounds if sound.label in heard), key=lambda sound: sound.label))
    relations = among(source.relations, heard)
    library = SoundLibrary(
        name=source.name,
        sample_rate=recipe.sample_rate,
        sounds=sounds,
        recordings=tuple(usable),
        relations=relations,
        rejected=tuple(sorted((*source.rejected, *rejected), key=lambda rejection: (rejection.label, rejection.id))),
        notes=(*source.notes, *_unread(waiting, max_recordings)),
        selection=source.selection,
        digest=digest(recipe.sample_rate, sounds, tuple(usable), relations),
    )
    return with_overheard(library, source.also, listened=False) if source.also else library


@dataclass(frozen=True, slots=True, eq=False)
class _Prepared:
    samples: Samples
    duration_ms: int
    continuous: bool
    note: str


def _next_batch(waiting: dict[str, list[Candidate]], missing: Mapping[str, int]) -> list[Candidate]:
    """As many of each label's candidates as are missing, taken out of `waiting`; sorted by id."""
    batch = []
    for label, others in waiting.items():
        count = min(missing[label], len(others))
        batch += others[:count]
        del others[:count]
    return sorted(batch, key=lambda candidate: candidate.id)


def _unread(waiting: Mapping[str, list[Candidate]], most: int | None) -> list[str]:
    left = sum(map(len, waiting.values()))
    return [f"{left} further recordings are not read: {most} of each sound are enough (max_recordings)"] if left else []


_ScreenAll = Callable[[list[Candidate]], Generator["_Prepared | str", None, None]]


@contextmanager
def _screener(recipe: Recipe, workers: int) -> Iterator[_ScreenAll]:
    """What says what became of each of a list of candidates, in order: its audio, or why it cannot be used."""
    screen = partial(_screen, recipe=recipe)
    if workers <= 1:
        yield lambda candidates: (screen(candidate) for candidate in candidates)
        return
    with pool(workers, SoundLibraryError, "recordings were read") as executor:

        def screen_all(candidates: list[Candidate]) -> Generator[_Prepared | str, None, None]:
            yield from executor.map(screen, candidates)

        yield screen_all


def _screen(candidate: Candidate, recipe: Recipe) -> _Prepared | str:
    length = getattr(candidate, "duration_s", None)
    least = recipe.audible.min_piece_ms / 1000
    if length is not None and length < least:  # it need not be decoded to tell
        return f"too short: it is audible for {int(length * 100) / 100:g} s at most; at least {least:g} s are needed"
    try:
        piece = cut(candidate.read(recipe.sample_rate), recipe)
    except UnusableRecordingError as error:
        return str(error)
    return _Prepared(piece.samples, piece.duration_ms, piece.continuous, piece.note)


def _recording(candidate: Candidate, prepared: _Prepared) -> Recording:
    prepared.samples.setflags(write=False)
    return Recording(
        id=candidate.id,
        label=candidate.label,
        samples=prepared.samples,
        duration_ms=prepared.duration_ms,
        continuous=prepared.continuous,
        license=candidate.license,
        attribution=candidate.attribution,
        source=candidate.source,
        original=candidate.original,
        uploader=candidate.uploader,
        note=prepared.note,
    )


def _without_repeats(recordings: list[Recording]) -> tuple[list[Recording], list[Rejection]]:
    """Leaves out audio that is there twice: under two labels nobody knows which is right, so all of it goes.

    Cutting is a pure function of the decoded audio, so files that decode to the same samples are found as well.
    """
    same: dict[str, list[Recording]] = {}
    for recording in recordings:
        same.setdefault(sample_hash(recording.samples), []).append(recording)
    rejections: dict[str, Rejection] = {}
    for group in same.values():
        first = group[0]
        if all(recording.label == first.label for recording in group):
            for recording in group[1:]:
                rejections[recording.id] = Rejection(recording.label, recording.id, f"the same audio as {first.id!r}")
            continue
        for recording in group:
            other = next(other for other in group if other.label != recording.label)
            reason = f"the same audio as {other.id!r}, which has another label ({other.label!r}); neither is used"
            rejections[recording.id] = Rejection(recording.label, recording.id, reason)
    kept = [recording for recording in recordings if recording.id not in rejections]
    return kept, [rejections[recording.id] for recording in recordings if recording.id in rejections]


def among(relations: Relations, labels: set[str]) -> Relations:
    """What of `relations` holds among `labels`."""

    def within(table: Mapping[str, frozenset[str]]) -> dict[str, frozenset[str]]:
        kept = {label: table[label] & labels for label in sorted(table) if label in labels}
        return {label: others for label, others in kept.items() if others}

    return Relations(within(relations.ancestors), within(relations.confusable))


def sample_hash(samples: Samples) -> str:
    """SHA-256 (hex) of the samples as little-endian float32."""
    return hashlib.sha256(samples.astype("<f4", copy=False).tobytes()).hexdigest()


def with_overheard(library: SoundLibrary, overheard: Mapping[str, frozenset[str]], *, listened: bool = True) -> SoundLibrary:
    """`library` with what else is heard in its recordings: a corpus then keeps those out of sets that name what is heard.

    Args:
        library: prepared.
        overheard: recording id -> other labels; what the library does not have is left out, and so are a recording's own label
            and its relatives, of which no one could tell that they are something else. It adds to what is known already.
        listened: somebody listened for it; False where it is but what the recordings are labelled with.
    """
    labels = frozenset(library.labels)
    near = library.relations.neighbours(library.labels)
    heard: dict[str, frozenset[str]] = {}
    for recording in library.recordings:
        others = (frozenset(overheard.get(recording.id, ())) & labels) - near[recording.label]
        others |= library.heard_in(recording.id)
        if others:
            heard[recording.id] = others
    return replace(
        library,
        overheard=heard,
        listened=library.listened or listened,
        digest=digest(library.sample_rate, library.sounds, library.recordings, library.relations, heard),
    )


def digest(
    sample_rate: int,
    sounds: tuple[AtomicSound, ...],
    recordings: tuple[Recording, ...],
    relations: Relations,
    overheard: Mapping[str, frozenset[str]] | None = None,
) -> str:
    """SHA-256 (hex) of everything in a library that can change a corpus; licences and notes cannot."""
    content = {
        "sample_rate": sample_rate,
        "sounds": [asdict(sound) for sound in sounds],
        "relations": relations_as_lists(relations),
        "recordings": [
            # The uploader decides how often a recording is drawn.
            [recording.id, recording.label, recording.continuous, sample_hash(recording.samples), recording.uploader]
            for recording in recordings
        ],
    }
    if overheard:
        content["overheard"] = {name: sorted(overheard[name]) for name in sorted(overheard)}
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def relations_as_lists(relations: Relations) -> dict[str, dict[str, list[str]]]:
    """`relations` with everything sorted, ready for JSON."""
    return {
        "ancestors": {label: sorted(relations.ancestors[label]) for label in sorted(relations.ancestors)},
        "confusable": {label: sorted(relations.confusable[label]) for label in sorted(relations.confusable)},
    }
