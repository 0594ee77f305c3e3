"""The files of a folder that hold no audio, as Arrow tables: (plan, library, qrels) -> rows, sorted by id."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from builders import layout
from builders.captions import caption
from builders.corpus import Plan
from builders.logic import labels_of, to_text
from builders.recipe import TASK_NAMES
from builders.sounds.library import Recording, SoundLibrary

Qrels = Sequence[tuple[str, str]]
"""(query id, clip id) pairs, over the whole corpus, sorted."""


def tables(plan: Plan, library: SoundLibrary, qrels: Qrels, pcm: Mapping[str, str]) -> Iterator[tuple[str, str, pa.Table]]:
    """(config, split, table) for every config without audio, in the order of `layout.configs`.

    Args:
        plan: the corpus.
        library: the sounds it was planned for.
        qrels: all pairs of the whole corpus.
        pcm: clip id -> SHA-256 of its samples.
    """
    task_of = {clip.id: clip.task for clip in plan.clips} | {query.id: query.task for query in plan.queries}
    for config in layout.configs():
        schema = None if config.holds_audio else layout.schema(config.kind)
        for split in config.splits if schema else ():
            task = split if split in TASK_NAMES else config.name.rpartition("-")[0]
            match config.kind:
                case "texts":
                    rows = _texts(plan, task)
                case "queries":
                    rows = _queries(plan, task)
                case "timelines":
                    rows = _timelines(plan, task, library, pcm)
                case "qrels":
                    rows = _qrels(qrels, task, task_of)
                case _:
                    rows = _sounds(plan, library)
            yield config.name, split, pa.Table.from_pylist(rows, schema=schema)


def recordings_used(plan: Plan, library: SoundLibrary) -> tuple[Recording, ...]:
    """The recordings that at least one clip holds, sorted by id."""
    used = {event.recording for clip in plan.clips for event in clip.timeline}
    return tuple(library.recording(recording) for recording in sorted(used))


def labels_used(plan: Plan) -> tuple[str, ...]:
    """The labels that a clip holds or a query names, sorted."""
    heard = {label for clip in plan.clips for label in clip.timeline.labels}
    return tuple(sorted(heard.union(*(labels_of(query.formula) for query in plan.queries))))


def attribution(plan: Plan, library: SoundLibrary) -> bytes:
    """A CSV file with one line for every recording used: id, label, license, attribution, source."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["id", "label", "license", "attribution", "source"])
    for used in recordings_used(plan, library):
        writer.writerow([used.id, used.label, used.license, used.attribution, used.source])
    return text.getvalue().encode()


def _texts(plan: Plan, task: str) -> list[dict[str, object]]:
    return [{"id": query.id, "text": query.text} for query in sorted(plan.queries_of(task), key=lambda query: query.id)]


def _queries(plan: Plan, task: str) -> list[dict[str, object]]:
    return [
        {
            "id": query.id,
            "text": query.text,
            "formula": to_text(query.formula),
            "form": query.form,
            "set": query.set,
            "twin": query.twin,
            "relevant": sorted(query.relevant),
            "foils": [{"clip": foil.clip, "kind": foil.kind} for foil in sorted(query.foils, key=lambda foil: foil.clip)],
        }
        for query in sorted(plan.queries_of(task), key=lambda query: query.id)
    ]


def _timelines(plan: Plan, task: str, library: SoundLibrary, pcm: Mapping[str, str]) -> list[dict[str, object]]:
    sounds = {sound.label: sound for sound in library.sounds}
    return [
        {
            "id": clip.id,
            "set": clip.set,
            "form": clip.form,
            "arrangement": clip.arrangement,
            "events": [
                {
                    "label": event.label,
                    "onset": layout.seconds(event.onset_ms),
                    "offset": layout.seconds(event.offset_ms),
                    "gain_db": event.gain_db,
                    "recording": event.recording,
                }
                for event in clip.timeline
            ],
            "caption": caption(clip.timeline, sounds),
            "pcm_sha256": pcm[clip.id],
        }
        for clip in sorted(plan.clips_of(task), key=lambda clip: clip.id)
    ]


def _qrels(qrels: Qrels, task: str, task_of: Mapping[str, str]) -> list[dict[str, object]]:
    """The pairs of a task's queries and its own clips; all pairs for "all"."""
    pairs = sorted(pair for pair in qrels if task == "all" or {task_of[name] for name in pair} == {task})
    return [{"query-id": query, "corpus-id": clip, "score": 1} for query, clip in pairs]


def _sounds(plan: Plan, library: SoundLibrary) -> list[dict[str, object]]:
    """The sounds of this corpus, not all of the library, with the recordings that are heard in it."""
    labels = labels_used(plan)
    neighbours = library.relations.neighbours(labels)
    recordings: dict[str, list[dict[str, object]]] = {label: [] for label in labels}
    for used in recordings_used(plan, library):
        recordings[used.label].append(
            {
                "id": used.id,
                "duration": layout.seconds(used.duration_ms),
                "license": used.license,
                "attribution": used.attribution,
                "source": used.source,
            }
        )
    return [
        {
            "label": sound.label,
            "noun": sound.noun,
            "clause": sound.clause,
            "sustained": sound.sustained,
            "audioset_id": sound.audioset_id,
            "related": sorted(neighbours[sound.label] - {sound.label}),
            "recordings": recordings[sound.label],
        }
        for sound in map(library.sound, labels)
    ]
