"""A finished dataset folder, read back with pyarrow alone: lazily, and without the audio until it is asked for."""

from __future__ import annotations

import difflib
import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import soundfile
from numpy.typing import NDArray
from pydantic import ValidationError

from builders import layout
from builders.corpus import Clip, Foil, Query
from builders.errors import DatasetFolderError, FormulaSyntaxError, UnknownIdError
from builders.logic import Formula, Relations, parse
from builders.recipe import TASK_NAMES, Recipe, plan_hash
from builders.sounds.library import AtomicSound
from builders.timeline import Event, Timeline

Audio = tuple[NDArray[np.int16], int]
"""Samples, mono, shape [n], and their rate in Hz."""

V = TypeVar("V")
R = TypeVar("R", Clip, Query)


@dataclass(frozen=True, slots=True)
class UsedRecording:
    """A recording that is heard in the corpus."""

    id: str
    duration_ms: int
    license: str
    attribution: str
    source: str


@dataclass(frozen=True, slots=True)
class UsedSound:
    """A sound of the corpus: how it is said, the labels related to it, and its recordings that are heard."""

    sound: AtomicSound
    related: tuple[str, ...]
    recordings: tuple[UsedRecording, ...]


def content_hash(folder: Path | str) -> str:
    """SHA-256 (hex) of the folder's manifest, which holds that of every other file but those about the data (`layout.ABOUT`)."""
    return hashlib.sha256((Path(folder) / layout.MANIFEST).read_bytes()).hexdigest()


class DatasetFolder:
    """A finished dataset folder. Make it with `DatasetFolder.open`."""

    def __init__(self, path: Path, manifest: Mapping[str, Any]) -> None:
        self.path = path
        self.manifest = manifest
        self._row_group: tuple[str, int] | None = None
        self._row_group_table: pa.Table | None = None

    @classmethod
    def open(cls, path: Path | str) -> DatasetFolder:
        """The folder at `path`.

        Raises:
            DatasetFolderError: it is missing, not a dataset folder, unfinished, or of another layout version.
        """
        path = Path(path)
        if not path.is_dir():
            what = "is a file, not a dataset folder" if path.exists() else "does not exist"
            raise DatasetFolderError(f"{path} {what}; give the folder that a build wrote")
        if not (path / layout.MANIFEST).is_file():
            if (path / layout.WORK).is_dir():
                raise DatasetFolderError(f"{path} is an unfinished build; run the same build again to finish it")
            raise DatasetFolderError(f"{path} is not a dataset folder: it holds no {layout.MANIFEST}")
        manifest = _read_json(path / layout.MANIFEST)
        version = manifest.get("layout")
        if version != layout.LAYOUT_VERSION or not isinstance(manifest.get("files"), dict):
            raise DatasetFolderError(
                f"{path}: layout version {version!r} is not known here, only {layout.LAYOUT_VERSION}; "
                "use the version of reasonaudio that built it, or build it again"
            )
        return cls(path, manifest)

    # --- what it was made from ------------------------------------------------------------------------------------

    @property
    def recipe_hash(self) -> str:
        return str(self._recipe_json["recipe_hash"])

    @property
    def plan_hash(self) -> str:
        """The same in corpora that have the same queries, timelines and ids: one, and the controls made of it."""
        return plan_hash(self.recipe, self.library_digest)

    @property
    def control(self) -> str:
        """The control against acoustic shortcuts that its sound is: "none", "equal-energy" or "equal-spectrum"."""
        return self.recipe.control

    @cached_property
    def recipe(self) -> Recipe:
        try:
            return Recipe.model_validate_json(json.dumps(self._recipe_json["recipe"]))
        except ValidationError as error:
            where = ".".join(map(str, error.errors()[0]["loc"]))
            raise DatasetFolderError(
                f"{self.path / layout.RECIPE}: field {where!r} does not fit this version of reasonaudio; use that which built it"
            ) from None

    @cached_property
    def relations(self) -> Relations:
        """Of the whole library, as formulas are evaluated with."""
        found = self._recipe_json["library"]["relations"]
        ancestors, confusable = (
            MappingProxyType({label: frozenset(others) for label, others in found[name].items()})
            for name in ("ancestors", "confusable")
        )
        return Relations(ancestors, confusable)

    @property
    def library_name(self) -> str:
        return str(self._recipe_json["library"]["name"])

    @property
    def library_digest(self) -> str:
        """SHA-256 of the library it was built from, which the recipe hash holds."""
        return str(self._recipe_json["library"]["digest"])

    @property
    def selection(self) -> Mapping[str, str]:
        """What was asked of the library, in words: licences, a side of a split, recordings of each sound at most."""
        return {str(name): str(value) for name, value in self._recipe_json["library"].get("selection", {}).items()}

    @property
    def listened(self) -> bool:
        """Whether a tagger listened for further sounds in the recordings."""
        return bool(self._recipe_json["library"].get("listened", False))

    @property
    def overheard(self) -> int:
        """The number of the library's recordings in which further sounds are known to be heard."""
        return int(self._recipe_json["library"].get("overheard", 0))

    @property
    def excluded(self) -> Mapping[str, int]:
        """How many of the library's "recordings" were left out, and "pairs" of labels set apart, by a person's list."""
        found = self._recipe_json["library"].get("excluded", {})
        return {name: int(found.get(name, 0)) for name in ("recordings", "pairs")}

    @cached_property
    def _recipe_json(self) -> dict[str, Any]:
        found = _read_json(self.path / layout.RECIPE)
        missing = {"recipe", "recipe_hash", "library"} - found.keys()
        if missing:
            raise DatasetFolderError(
                f"{self.path / layout.RECIPE} is damaged: {', '.join(sorted(missing))} missing; build it again"
            )
        return found

    # --- records --------------------------------------------------------------------------------------------------

    @cached_property
    def clips(self) -> Mapping[str, Clip]:
        """All clips by id, in order of task, then id."""
        return _by_id(
            "clip",
            (
                Clip(row["id"], task, row["form"], row["set"], row["arrangement"], _timeline(row["events"]))
                for task in TASK_NAMES
                for row in self.rows("timelines", task)
            ),
        )

    @cached_property
    def queries(self) -> Mapping[str, Query]:
        """All queries by id, in order of task, then id."""
        return _by_id(
            "query",
            (
                Query(
                    id=row["id"],
                    task=task,
                    form=row["form"],
                    set=row["set"],
                    twin=row["twin"],
                    text=row["text"],
                    formula=self._formula(row["formula"], task, row["id"]),
                    relevant=tuple(row["relevant"]),
                    foils=tuple(Foil(foil["clip"], foil["kind"]) for foil in row["foils"]),
                )
                for task in TASK_NAMES
                for row in self.rows("queries", task)
            ),
        )

    def _formula(self, text: str, task: str, query_id: str) -> Formula:
        try:
            return parse(text)
        except FormulaSyntaxError as error:
            file = self.path / layout.table_file("queries", task)
            raise DatasetFolderError(f"{file}: query {query_id}: {error}; build the dataset again") from None

    @cached_property
    def sounds(self) -> Mapping[str, UsedSound]:
        """All sounds of the corpus by label."""
        found = {}
        for row in self.rows("sounds"):
            sound = AtomicSound(row["label"], row["noun"], row["clause"], row["sustained"], row["audioset_id"])
            recordings = tuple(
                UsedRecording(r["id"], layout.milliseconds(r["duration"]), r["license"], r["attribution"], r["source"])
                for r in row["recordings"]
            )
            found[sound.label] = UsedSound(sound, tuple(row["related"]), recordings)
        return _Known("label", found)

    def qrels(self, task: str | None = None) -> Mapping[str, frozenset[str]]:
        """Query id -> ids of all relevant clips: of the task's own clips, or (None) of the whole corpus.

        Raises:
            UnknownIdError: no task is called so.
        """
        found: dict[str, set[str]] = {}
        name = "all-qrels" if task is None else f"{self._task(task)}-qrels"
        table = self._table(name, "test")
        for query, clip in zip(table["query-id"].to_pylist(), table["corpus-id"].to_pylist(), strict=True):
            found.setdefault(query, set()).add(clip)
        return _Known("query", {query: frozenset(clips) for query, clips in found.items()})

    @cached_property
    def pcm_sha256(self) -> Mapping[str, str]:
        """Clip id -> SHA-256 (hex) of its samples as little-endian int16."""
        return self._column("pcm_sha256")

    def caption(self, clip_id: str) -> str:
        """The exact English account of a clip. Raises UnknownIdError."""
        return self._captions[clip_id]

    @cached_property
    def _captions(self) -> Mapping[str, str]:
        return self._column("caption")

    def _column(self, name: str) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for task in TASK_NAMES:
            table = self._table("timelines", task, columns=["id", name])
            found.update(zip(table["id"].to_pylist(), table[name].to_pylist(), strict=True))
        return _Known("clip", found)

    # --- audio ----------------------------------------------------------------------------------------------------

    def flac(self, clip_id: str) -> bytes:
        """The clip as it is stored, a FLAC file. Raises UnknownIdError."""
        file, group, row = self._places[clip_id]
        if self._row_group != (file, group):  # neighbours are often asked for one after the other
            with self._open(file) as parquet:
                self._row_group_table = parquet.read_row_group(group, columns=["audio"])
            self._row_group = (file, group)
        assert self._row_group_table is not None
        return bytes(self._row_group_table["audio"][row]["bytes"].as_buffer())

    def audio(self, clip_id: str) -> Audio:
        """The clip's samples (int16, mono, shape [n]) and their rate in Hz. Raises UnknownIdError."""
        return self.decode(clip_id, self.flac(clip_id))

    def iter_audio(self, task: str | None = None) -> Iterator[tuple[str, Audio]]:
        """(clip id, audio) of a task, or of all, file by file; holds one row group at a time. Raises UnknownIdError."""
        tasks = TASK_NAMES if task is None else (task,)
        for file in (file for name in tasks for file in self.audio_files(name)):
            for clip_id, flac in self.iter_flac(file):
                yield clip_id, self.decode(clip_id, flac)

    def iter_flac(self, file: str) -> Iterator[tuple[str, Any]]:
        """(clip id, the FLAC file as a buffer) of one of `audio_files`; holds one row group at a time."""
        with self._open(file) as parquet:
            for group in range(parquet.num_row_groups):
                table = parquet.read_row_group(group)
                for clip_id, audio in zip(table["id"], table["audio"], strict=True):
                    yield str(clip_id.as_py()), audio["bytes"].as_buffer()

    def decode(self, clip_id: str, flac: Any) -> Audio:
        """Samples (int16, mono, shape [n]) and rate in Hz of a clip as it is stored. Raises DatasetFolderError."""
        try:
            samples, rate = soundfile.read(io.BytesIO(flac), dtype="int16")
        except soundfile.LibsndfileError as error:
            raise DatasetFolderError(f"{self.path}: the audio of clip {clip_id} is damaged ({error}); build it again") from None
        return samples, int(rate)

    @cached_property
    def _places(self) -> Mapping[str, tuple[str, int, int]]:
        """Clip id -> file, row group, row in it; read from the id columns alone."""
        found: dict[str, tuple[str, int, int]] = {}
        for file in (file for task in TASK_NAMES for file in self.audio_files(task)):
            with self._open(file) as parquet:
                for group in range(parquet.num_row_groups):
                    ids = parquet.read_row_group(group, columns=["id"])["id"].to_pylist()
                    found.update((clip_id, (file, group, row)) for row, clip_id in enumerate(ids))
        return _Known("clip", found)

    def audio_files(self, task: str) -> list[str]:
        """The files, relative to the folder, that hold a task's clips. Raises UnknownIdError."""
        self._task(task)
        return sorted(file for file in self.manifest["files"] if Path(file).match(f"corpus/{task}-*.parquet"))

    def ids_in(self, file: str) -> list[str]:
        """The ids of the clips in one of `audio_files`, in their order there."""
        with self._open(file) as parquet:
            ids: list[str] = parquet.read(columns=["id"])["id"].to_pylist()
        return ids

    # --- files ----------------------------------------------------------------------------------------------------

    def _task(self, task: str) -> str:
        if task not in TASK_NAMES:
            raise UnknownIdError(f"no task {task!r}; the tasks are {', '.join(TASK_NAMES)}{_close(task, TASK_NAMES)}")
        return task

    def rows(self, config: str, split: str = "test") -> list[dict[str, Any]]:
        """The rows of a config without audio, as they stand in its file."""
        rows: list[dict[str, Any]] = self._table(config, split).to_pylist()
        return rows

    def _table(self, config: str, split: str, columns: list[str] | None = None) -> pa.Table:
        with self._open(layout.table_file(config, split)) as parquet:
            return parquet.read(columns=columns)

    @contextmanager
    def _open(self, file: str) -> Iterator[pq.ParquetFile]:
        try:
            with pq.ParquetFile(self.path / file, memory_map=True) as parquet:
                yield parquet
        except (OSError, pa.ArrowException) as error:
            what = "is missing" if isinstance(error, FileNotFoundError) else "is damaged"
            raise DatasetFolderError(f"{self.path / file} {what}; build the dataset again") from None


class _Known(dict[str, V]):
    """A dict whose KeyError names what was asked for, and what comes near."""

    def __init__(self, kind: str, items: Mapping[str, V]) -> None:
        super().__init__(items)
        self._kind = kind

    def __missing__(self, key: str) -> V:
        raise UnknownIdError(f"no {self._kind} {key!r} in this dataset{_close(key, self)}")


def _by_id(kind: str, records: Iterable[R]) -> Mapping[str, R]:
    return _Known(kind, {record.id: record for record in records})


def _close(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(str(name), list(known), n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""


def _timeline(events: list[dict[str, Any]]) -> Timeline:
    return Timeline(
        tuple(
            Event(
                event["label"],
                layout.milliseconds(event["onset"]),
                layout.milliseconds(event["offset"]),
                event["recording"],
                event["gain_db"],
            )
            for event in events
        )
    )


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise DatasetFolderError(f"{path} is missing; build the dataset again") from None
    except (OSError, ValueError) as error:
        raise DatasetFolderError(f"{path} is damaged ({error}); build the dataset again") from None
    if not isinstance(found, dict):
        raise DatasetFolderError(f"{path} is damaged: a table of fields is needed; build the dataset again")
    return found
