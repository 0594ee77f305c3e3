"""The check of a whole folder: files, tables, rules, and (deep) audio."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import as_completed
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from builders import layout
from builders.captions import caption
from builders.check.audio import Measured, check_samples
from builders.check.control import Treated, check_heard, listen
from builders.check.files import check_files
from builders.check.problems import Problem
from builders.check.rules import KnownRecording, Records, check_qrels, check_rules
from builders.corpus import Clip
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import DatasetFolderError, ReasonAudioError
from builders.processes import pool
from builders.recipe import CLIP_MS, TASK_NAMES, recipe_hash

Progress = Callable[[int, int], None]


def check(path: Path | str, *, deep: bool = False, num_proc: int = 1, progress: Progress | None = None) -> list[Problem]:
    """Everything that is wrong with a finished dataset folder.

    Checked are the checksums of all files but the card's, the tables against each other, and every rule of the benchmark,
    derived again from the recipe: sets, arrangements, texts, relevance, foils. That finds any damage. `deep` also decodes every
    clip and measures its events, which finds a folder whose tables and checksums were changed consistently.

    Args:
        path: the folder.
        deep: measure the audio too.
        num_proc: processes for that.
        progress: called with (files looked at, files in all).

    Raises:
        DatasetFolderError: there is no finished dataset folder of this layout.
    """
    folder = DatasetFolder.open(path)
    corpus = [file for task in TASK_NAMES for file in folder.audio_files(task)]
    steps = _Steps(progress, len(folder.manifest["files"]) + (len(corpus) if deep else 0))
    problems: list[Problem] = []
    problems += check_files(folder, lambda size: steps.advance())
    damaged = {problem.where for problem in problems}
    misshapen = list(_check_columns(folder))
    problems += misshapen
    for part in (_check_card, _check_attribution, _check_tables) if not misshapen else ():
        with _collecting(problems):
            problems += part(folder)
    there = [file for file in corpus if (folder.path / file).is_file()]
    listen = there if deep else [file for file in there if file in damaged]
    with _collecting(problems):
        problems += _check_audio(folder, listen, num_proc, steps, measuring=deep) if not misshapen else ()
    return list(dict.fromkeys(problems))  # what several checks need and cannot read is told once


class _Steps:
    """Counts steps for a progress bar."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0
        self.advance(0)

    def advance(self, by: int = 1) -> None:
        self._done += by
        if self._progress:
            self._progress(self._done, self._total)


@contextmanager
def _collecting(problems: list[Problem]) -> Iterator[None]:
    """A table that cannot be read is one more problem, and ends only the check that needs it."""
    try:
        yield
    except DatasetFolderError as error:
        problems.append(Problem("dataset", str(error)))
    except (TypeError, ValueError) as error:  # such as an event that ends before it begins
        problems.append(Problem("dataset", f"a table holds what cannot be: {error}"))


# --- columns, card, attribution ----------------------------------------------------------------------------------------


def _check_columns(folder: DatasetFolder) -> Iterator[Problem]:
    """Every parquet file that can be read has the columns of its config."""
    for config in layout.configs():
        if config.duplicate:
            continue
        expected = layout.schema(config.kind)
        for pattern in config.splits.values():
            for place in sorted(folder.path.glob(pattern)):
                try:
                    found = pq.read_schema(place)
                except (OSError, pa.ArrowException):
                    continue  # its checksum is wrong, and whoever needs it says so
                if not found.equals(expected):
                    file = place.relative_to(folder.path).as_posix()
                    yield Problem(file, f"has the columns {_columns(found)}, not {_columns(expected)}")


def _columns(schema: pa.Schema) -> str:
    return ", ".join(f"{field.name} ({field.type})" for field in schema)


def _check_card(folder: DatasetFolder) -> Iterator[Problem]:
    """The card's YAML, without which `load_dataset` does not know the configs."""
    try:
        _, head, _ = (folder.path / layout.CARD).read_text(encoding="utf-8").split("---\n", 2)
        data = yaml.safe_load(head)
        found = {config["config_name"] for config in data["configs"]}
        of = str(data.get("content_hash", ""))
    except (OSError, ValueError, KeyError, TypeError, yaml.YAMLError):
        yield Problem(layout.CARD, "has no YAML that lists the configs; load_dataset needs it")
        return
    if of != content_hash(folder.path):
        yield Problem(layout.CARD, "was made for other content; `reasonaudio card` makes it again")
    for name in sorted({config.name for config in layout.configs()} ^ found):
        yield Problem(layout.CARD, f"{'lists' if name in found else 'does not list'} the config {name!r}")


def _check_attribution(folder: DatasetFolder) -> Iterator[Problem]:
    """Licence and attribution of every recording that is heard."""
    try:
        with (folder.path / layout.ATTRIBUTION).open(encoding="utf-8", newline="") as file:
            listed = {row["id"]: (row["license"], row["attribution"]) for row in csv.DictReader(file)}
    except (OSError, ValueError, KeyError):
        listed = {}
    for name in sorted(listed.keys() - {recording.id for used in folder.sounds.values() for recording in used.recordings}):
        yield Problem(layout.ATTRIBUTION, f"names {name!r}, which is heard in no clip")
    for label, used in folder.sounds.items():
        for recording in used.recordings:
            if listed.get(recording.id) != (recording.license, recording.attribution):
                yield Problem(layout.ATTRIBUTION, f"does not give licence and attribution of {recording.id!r} ({label!r})")


# --- tables -----------------------------------------------------------------------------------------------------------


def _check_tables(folder: DatasetFolder) -> Iterator[Problem]:
    records = records_of(folder)
    if recipe_hash(records.recipe, folder.library_digest) != folder.recipe_hash:
        yield Problem(layout.RECIPE, "its recipe_hash is not that of its recipe and library")
    if folder.manifest.get("recipe_hash") != folder.recipe_hash:
        yield Problem(layout.MANIFEST, f"its recipe_hash is not that of {layout.RECIPE}")
    yield from check_rules(records)
    yield from check_qrels(records, _pairs(folder, "all-qrels"), {task: _pairs(folder, f"{task}-qrels") for task in TASK_NAMES})
    yield from _check_orders_and_copies(folder)
    yield from _check_captions_and_hashes(folder, records.clips)


def records_of(folder: DatasetFolder) -> Records:
    """What the rules are about, as a folder has it."""
    return Records(
        recipe=folder.recipe,
        plan_hash=folder.plan_hash,
        relations=folder.relations,
        sounds={label: used.sound for label, used in folder.sounds.items()},
        recordings={r.id: KnownRecording(label, r.duration_ms) for label, used in folder.sounds.items() for r in used.recordings},
        clips=list(folder.clips.values()),
        queries=list(folder.queries.values()),
    )


def _pairs(folder: DatasetFolder, config: str) -> list[tuple[str, str]]:
    return [(row["query-id"], row["corpus-id"]) for row in folder.rows(config)]


def _check_orders_and_copies(folder: DatasetFolder) -> Iterator[Problem]:
    """Rows sorted by id, scores of one, and the same queries and clips wherever they stand."""
    for name in ("all-qrels", *(f"{task}-qrels" for task in TASK_NAMES)):
        rows = folder.rows(name)
        yield from _sorted(name, [f"{row['query-id']} {row['corpus-id']}" for row in rows])
        if any(row["score"] != 1 for row in rows):
            yield Problem(name, "holds a score other than 1")
    for task in TASK_NAMES:
        texts = [(row["id"], row["text"]) for row in folder.rows(f"{task}-queries")]
        expected = [(query.id, query.text) for query in folder.queries.values() if query.task == task]
        if texts != expected:
            yield Problem(f"{task}-queries", "is not the same as the queries of the task")
        clips = [clip.id for clip in folder.clips.values() if clip.task == task]
        yield from _sorted(f"timelines ({task})", clips)
        yield from _sorted(f"queries ({task})", [query_id for query_id, _ in expected])
        files = folder.audio_files(task)
        if not all((folder.path / file).is_file() for file in files):
            continue  # told of with the files
        found = [clip_id for file in files for clip_id in folder.ids_in(file)]
        for clip_id in sorted(set(clips) - set(found)):
            yield Problem(f"clip {clip_id}", f"has a timeline, but no audio in the corpus of {task}")
        for clip_id in sorted(set(found) - set(clips)):
            yield Problem(f"clip {clip_id}", f"has audio in the corpus of {task}, but no timeline")
        yield from _sorted(f"corpus ({task})", found)
    for query in folder.queries.values():
        clips_of_query = (list(query.relevant), [foil.clip for foil in query.foils])
        if any(ids != sorted(ids) for ids in clips_of_query):
            yield Problem(f"query {query.id}", "its relevant clips or foils are not sorted by id")


def _sorted(where: str, ids: list[str]) -> Iterator[Problem]:
    if ids != sorted(set(ids)):
        yield Problem(where, "is not sorted by id, or holds an id twice")


def _check_captions_and_hashes(folder: DatasetFolder, clips: Iterable[Clip]) -> Iterator[Problem]:
    sounds = {label: used.sound for label, used in folder.sounds.items()}
    for clip in clips:
        if clip.timeline.labels and set(clip.timeline.labels) <= sounds.keys():
            expected = caption(clip.timeline, sounds)
            if folder.caption(clip.id) != expected:
                yield Problem(f"clip {clip.id}", f"its caption is not that of its timeline: {folder.caption(clip.id)!r}")
    for digest, count in Counter(folder.pcm_sha256.values()).items():
        if count > 1:
            same = [clip_id for clip_id, other in folder.pcm_sha256.items() if other == digest]
            yield Problem(f"clips {', '.join(sorted(same))}", "have the same samples")


# --- audio ------------------------------------------------------------------------------------------------------------


Found = tuple[list[Problem], list[Measured], list[Treated]]
"""Problems of the clips of one file, their events as measured, and what a control did to them."""


def _check_audio(folder: DatasetFolder, files: list[str], num_proc: int, steps: _Steps, *, measuring: bool) -> Iterator[Problem]:
    measured: list[Measured] = []
    treated: list[Treated] = []
    if num_proc > 1 and len(files) > 1:
        found = _in_processes(folder.path, files, min(num_proc, len(files)), measuring)
    else:
        found = (_look_into((folder.path, file, measuring), folder) for file in files)
    for problems, events, treatments in found:
        yield from problems
        measured += events
        treated += treatments
        if measuring:
            steps.advance()
    if measuring:
        yield from check_heard(measured, treated, folder.recipe)


def _in_processes(path: Path, files: list[str], num_proc: int, measuring: bool) -> Iterator[Found]:
    with pool(num_proc, ReasonAudioError, "clips were checked") as executor:
        jobs = [executor.submit(_look_into, (path, file, measuring)) for file in files]
        for _ in as_completed(jobs):
            while jobs and jobs[0].done():  # in the order of files, so that the list is the same for any num_proc
                yield jobs.pop(0).result()


def _look_into(job: tuple[Path, str, bool], folder: DatasetFolder | None = None) -> Found:
    path, file, measuring = job
    folder = folder or _opened(path)
    problems: list[Problem] = []
    measured: list[Measured] = []
    treated: list[Treated] = []
    try:
        for clip_id, flac in folder.iter_flac(file):
            if clip_id not in folder.clips:
                continue  # told of with the tables
            try:
                samples, rate = folder.decode(clip_id, flac)
            except DatasetFolderError as error:
                problems.append(Problem(file, str(error)))
                continue
            wrong = list(check_samples(clip_id, samples, rate, folder.recipe, folder.pcm_sha256[clip_id]))
            problems += wrong
            if measuring and samples.shape == (folder.recipe.samples(CLIP_MS),):
                events, treatments, heard = listen(folder.clips[clip_id], samples, folder.recipe)
                measured += events
                treated += treatments
                problems += heard
    except DatasetFolderError as error:
        problems.append(Problem(file, str(error)))
    return problems, measured, treated


_open_folders: dict[Path, DatasetFolder] = {}


def _opened(path: Path) -> DatasetFolder:
    """Once per worker process."""
    if path not in _open_folders:
        _open_folders[path] = DatasetFolder.open(path)
    return _open_folders[path]
