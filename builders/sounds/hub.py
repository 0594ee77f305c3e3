"""A dataset of the Hugging Face Hub, or a folder in one of its layouts, as a source: a column of audio and one of labels."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from builders.errors import SoundLibraryError
from builders.sounds.assemble import assemble
from builders.sounds.candidates import FileCandidate, RowCandidate, one_case, open_table
from builders.sounds.hub_columns import Columns, choose, label_reader, text_reader
from builders.sounds.hub_loading import Loaded, Named, load, named
from builders.sounds.library import Rejection, Source
from builders.sounds.sources import Asked

_PARTS = {
    "train": ("train", "training"),
    "validation": ("validation", "valid", "val"),
    "test": ("test", "testing", "eval", "evaluation"),
}
"""Names of splits, and the sides that they are."""
_DEVELOPMENT = ("dev", "devel", "development")
"""What models are developed on: the validation side where there is a training split as well, else to be trained on."""
_LISTED = 5


def source(asked: Asked) -> Source:
    """The recordings of a dataset.

    Args:
        asked: `argument` is a folder (in the Hub's layout with parquet files, of audio files with a `metadata.csv`, or written by
            `save_to_disk`) or the id of a dataset on the Hub, and may end in ":CONFIG"; `options` as in `sources.KINDS`.

    Returns:
        Ids are "SPLIT/NAME", where a recording's file has a name and no other of the split the same, else "SPLIT/000123", its
        row from 0; the same on every machine. Recordings are read when they are used. Where a dataset has several splits, their
        names are hints to the sides of a split.

    Raises:
        SoundLibraryError: the dataset cannot be loaded, or it is not clear which columns count; one line with the way out.
    """
    wanted = named(asked.argument)
    open_table.cache_clear()  # what was written anew since then is not to be taken for what was there
    loaded = load(wanted, asked.options.get("split", ""), asked.options.get("revision", ""))
    columns = choose(wanted.name, loaded.features, asked.options, lambda column: _distinct(loaded.splits.values(), column))
    reader = _Reader(wanted, loaded, columns)
    for split in loaded.splits:
        reader.read(split)
    if not reader.candidates:
        raise SoundLibraryError(_nothing(wanted, columns, reader.rejected))
    ordered, notes = one_case(reader.candidates)
    selection = {"columns": columns.described()}
    if loaded.revision:
        selection["revision"] = loaded.revision
    if asked.options.get("split"):
        selection["split of the dataset"] = asked.options["split"]
    made = assemble(wanted.name, ordered, notes=[*reader.notes(), *notes], ontology=asked.ontology, rejected=reader.rejected)
    return replace(made, selection=selection)


def _distinct(splits: Iterable[Sequence[Path]], column: str) -> tuple[int, int]:
    """How many different values a column has, and how many rows."""
    import pyarrow.compute

    chunks = [chunk for files in splits for file in files for chunk in open_table(file).column(column).chunks]
    values = pyarrow.chunked_array(chunks) if chunks else pyarrow.array([], pyarrow.string())
    return pyarrow.compute.count_distinct(values).as_py(), len(values)


def _nothing(wanted: Named, columns: Columns, rejected: Sequence[Rejection]) -> str:
    reason, count = Counter(rejection.reason for rejection in rejected).most_common(1)[0]
    return (
        f"{wanted.name}: none of its {len(rejected)} rows can be used ({count} because: {reason}); "
        f"the columns used are {columns.described()}; choose others with the options audio=COLUMN and label=COLUMN"
    )


@dataclass(slots=True)
class _Reader:
    """Makes candidates of rows, without reading any audio."""

    wanted: Named
    loaded: Loaded
    columns: Columns
    candidates: list[FileCandidate | RowCandidate] = field(default_factory=list)
    rejected: list[Rejection] = field(default_factory=list)
    _as_given: int = 0
    _of_the_card: int = 0

    def read(self, split: str) -> None:
        files = self.loaded.splits[split]
        audio = [_audio(open_table(file).column(self.columns.audio)) for file in files]
        ids = _ids(split, [path for paths, _ in audio for path in paths])
        part = _part(split, self.loaded.there)
        start = 0
        for file, (paths, sizes) in zip(files, audio, strict=True):
            said = self._said(file)
            for row, (path, size) in enumerate(zip(paths, sizes, strict=True)):
                fields = {name: values[row] for name, values in said.items()}
                self._add(ids[start + row], fields, part, path, (file, row, size))
            start += len(paths)

    def _said(self, file: Path) -> dict[str, list[Any]]:
        """What the rows of a file say, by field."""
        table, features = open_table(file), self.loaded.features
        labels = label_reader(features[self.columns.label])
        said: dict[str, list[Any]] = {"label": [labels(value) for value in table.column(self.columns.label).to_pylist()]}
        for role in ("license", "uploader", "original", "source", "attribution"):
            column = getattr(self.columns, role)
            if column:
                text = text_reader(features[column])
                said[role] = [text(value) for value in table.column(column).to_pylist()]
            else:
                said[role] = [""] * len(table)
        return said

    def _add(self, name: str, said: Mapping[str, Any], part: str, path: str | None, place: tuple[Path, int, int | None]) -> None:
        file, row, size = place
        labels = said["label"]
        if size is None and path is None:
            self.rejected.append(Rejection("", name, "it has no audio (neither bytes nor a file)"))
        elif len(labels) != 1:
            listed = ", ".join(labels[:_LISTED]) + (", ..." if len(labels) > _LISTED else "")
            reason = f"it has {len(labels)} labels ({listed}); exactly one is needed" if labels else "it has no label"
            self.rejected.append(Rejection("", name, reason))
        elif size is None and not self._file(str(path)):
            self.rejected.append(Rejection(labels[0], name, f"its audio is not here but at {path}; download it first"))
        else:
            common: dict[str, Any] = {**self._attributes(name, said), "part": part}
            if size is not None:
                self.candidates.append(RowCandidate(name, labels[0], file, self.columns.audio, row, size, **common))
            elif lies := self._file(str(path)):
                self.candidates.append(FileCandidate(name, labels[0], lies, **common))

    def _file(self, path: str) -> Path | None:
        """Where a recording lies; paths that are not absolute are inside the dataset's folder. None where it is not here."""
        if "://" in path or not (self.wanted.folder or Path(path).is_absolute()):
            return None
        return (self.wanted.folder or Path()) / path

    def _attributes(self, name: str, said: Mapping[str, Any]) -> dict[str, str]:
        stated = said["license"]
        if not stated and self.columns.license_text:
            stated = self.columns.license_text
            self._as_given += 1
        elif not stated and self.loaded.license:
            stated = self.loaded.license
            self._of_the_card += 1
        # Where somebody's file once lay on a disk is nobody's business.
        where = "" if _is_local(said["source"]) else said["source"]
        who = said["attribution"] or said["uploader"]
        return {
            "license": stated,
            "attribution": f"{self.wanted.title}, {name}" + (f", by {who}" if who else "") + (f" ({where})" if where else ""),
            "source": where or f"{self.wanted.title}: {name}",
            "original": said["original"],
            "uploader": said["uploader"],
        }

    def notes(self) -> list[str]:
        """What a person should know of how the dataset was read."""
        notes = [f"columns used: {self.columns.described()}"]
        if self.columns.license_text:
            whom = "recordings that state no licence have" if self.columns.license else "recordings have"
            notes.append(f"{self._as_given} {whom} the one of the option license: {self.columns.license_text}")
        if self._of_the_card:
            notes.append(f"{self._of_the_card} recordings have the licence of the dataset's card: {self.loaded.license}")
        if not any(candidate.license for candidate in self.candidates):
            notes.append("neither a column nor the dataset's card states a licence; the option license=TEXT gives one")
        return notes


def _is_local(text: str) -> bool:
    return text.startswith(("/", "~", "\\", "file:")) or text[1:3] in (":\\", ":/")


def _audio(column: Any) -> tuple[list[str | None], list[int | None]]:
    """The path of each row, and how many bytes it has; None where there is none."""
    import pyarrow.compute

    data = pyarrow.compute.struct_field(column, "bytes")
    sizes: list[int | None] = pyarrow.compute.binary_length(data).to_pylist()
    paths = [path or None for path in pyarrow.compute.struct_field(column, "path").to_pylist()]
    return paths, sizes


def _ids(split: str, paths: Sequence[str | None]) -> list[str]:
    """By the name of the file, or its folder and name, if that tells the files of the split apart; else by row number."""
    numbers = [f"{number:06}" for number in range(len(paths))]
    for depth in (1, 2):
        parts = [PurePosixPath(path.replace("\\", "/")).parts[-depth:] if path else () for path in paths]
        names = [
            unicodedata.normalize("NFC", "/".join(found)).lstrip("/") or number
            for found, number in zip(parts, numbers, strict=True)
        ]
        if len(set(names)) == len(names):
            return [f"{split}/{name}" for name in names]
    return [f"{split}/{number}" for number in numbers]


def _part(split: str, there: Iterable[str]) -> str:
    """The side that a split is by its name: "train", "validation", "test", or "".

    A lone split is called "train" whatever it is for.
    """
    names = [name.casefold() for name in there]
    if len(names) < 2:
        return ""
    if split.casefold() in _DEVELOPMENT:
        return "validation" if set(names) & set(_PARTS["train"]) else "train"
    return next((part for part, known in _PARTS.items() if split.casefold() in known), "")
