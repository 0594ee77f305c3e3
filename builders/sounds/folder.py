"""A folder of recordings as a source of sounds: `root/<label>/<file>`, or a manifest (CSV, TSV) that names files and labels."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from builders.errors import SoundLibraryError
from builders.sounds.assemble import Said, assemble
from builders.sounds.candidates import FileCandidate, one_case
from builders.sounds.library import Source
from builders.sounds.manifest import Line, read_manifest, tidy_label
from builders.sounds.ontology import Ontology

AUDIO_SUFFIXES = (
    *(
        ".wav",
        ".wave",
        ".w64",
        ".rf64",
        ".flac",
        ".ogg",
        ".oga",
        ".opus",
        ".mp3",
        ".aif",
        ".aiff",
        ".aifc",
        ".caf",
        ".au",
        ".snd",
    ),
    *(".voc", ".sph", ".avr", ".paf", ".ircam", ".sf"),
)
"""What is taken for audio in a folder without a manifest. What is inside decides how it is read."""

_MANIFESTS = ("manifest.csv", "manifest.tsv")
_NAMES_SHOWN = 5
_NO_FILE = "there is no such file"


def source(path: Path | str, ontology: Ontology | None = None) -> Source:
    """The recordings of a folder or a manifest.

    Args:
        path: a folder with one folder of audio files for each label; a folder that holds `manifest.csv` or `manifest.tsv`, which
            then alone counts; or a manifest file. Files are named in a manifest relative to its own folder.
        ontology: relates sounds to which a manifest gives an `audioset_id`.

    Returns:
        Ids are the files' paths inside the folder, with "/", the same on every machine. How a label is said, and whether it is
        sustained, comes from the manifest, else from the table of known labels, else from the label itself (`notes` lists those).

    Raises:
        SoundLibraryError: there is nothing to read, or a manifest is wrong; one line that says what, where, and what to do.
    """
    path = Path(path).expanduser()
    try:
        if path.is_dir():
            found = [path / name for name in _MANIFESTS if (path / name).is_file()]
            return _from_manifest(found[0], _name(path), ontology) if found else _from_folders(path, ontology)
        if path.is_file():
            if path.suffix.lower() in AUDIO_SUFFIXES:
                raise SoundLibraryError(f"{path} is one recording; give a folder with a folder for each label, or a manifest")
            return _from_manifest(path, _name(path.parent) if path.name in _MANIFESTS else path.name, ontology)
    except OSError as error:
        raise SoundLibraryError(f"{error.filename or path}: {error.strerror or error}") from None
    raise SoundLibraryError(f"{path}: there is no such folder or manifest; give the path of one")


def _name(folder: Path) -> str:
    return folder.name or folder.resolve().name or "root"


def _ignored(name: str) -> bool:
    return name.startswith(".") or name == "__MACOSX"


def _listed(folder: Path) -> list[Path]:
    """What is in a folder, sorted by code points; hidden things are not."""
    return sorted((entry for entry in folder.iterdir() if not _ignored(entry.name)), key=lambda entry: entry.name)


def _is_audio(path: Path) -> bool:
    return path.suffix.lower() in AUDIO_SUFFIXES and not path.is_dir()  # a dangling link is listed, and rejected when read


def _text_of(path: Path) -> str | None:
    """The path as text that is the same on every machine; None where its bytes are no text."""
    text = unicodedata.normalize("NFC", path.as_posix())
    try:
        text.encode()
    except UnicodeEncodeError:
        return None
    return text


# --- a folder for each label ------------------------------------------------------------------------------------------


def _from_folders(root: Path, ontology: Ontology | None) -> Source:
    candidates: dict[str, FileCandidate] = {}
    loose, other, deeper, unnamed = [], [], [], []
    for folder in _listed(root):
        if not folder.is_dir():
            if _is_audio(folder):
                loose.append(folder.name)
            continue
        for file in _listed(folder):
            relative = _text_of(file.relative_to(root))
            if file.is_dir():
                deeper += [entry for entry in _listed(file) if _is_audio(entry)]
            elif relative is None or relative in candidates:
                unnamed.append(repr(os.fsencode(file.name)))
            elif _is_audio(file):
                candidates[relative] = FileCandidate(relative, tidy_label(folder.name), file, source=relative)
            else:
                other.append(relative)
    if not candidates:
        raise SoundLibraryError(_no_audio(root, loose, other, [file.relative_to(root).as_posix() for file in deeper]))
    notes = [
        note
        for note in (
            _count(loose, "lie directly in the folder, so that their label is not known; they are not used"),
            _count(
                [file.relative_to(root).as_posix() for file in deeper],
                "lie deeper than one folder for each label; they are not used",
            ),
            _count(other, "are no audio by their suffix; they are not used"),
            _count(unnamed, "have names that are not valid text, or are the same in Unicode; they are not used"),
        )
        if note
    ]
    ordered, merged = one_case(candidates.values())
    return assemble(f"folder:{_name(root)}", ordered, notes=[*notes, *merged], ontology=ontology)


def _no_audio(root: Path, loose: list[str], other: list[str], deeper: list[str]) -> str:
    if deeper:
        return (
            f"{root}: audio lies deeper than one folder for each label (such as {deeper[0]}); "
            f"give the folder above the labels' folders, {root / PurePosixPath(deeper[0]).parts[0]}"
        )
    if loose:
        return (
            f"{root}: audio lies directly in the folder (such as {loose[0]}), so that its label is not known; "
            "put it into a folder for each label, or write a manifest.csv with the columns file and label"
        )
    found = f"; the files found, such as {other[0]}, are no audio by their suffix" if other else ""
    return f"{root}: no audio found{found}; put audio files (.wav, .flac, .ogg, .mp3, .aiff) into one folder for each label"


def _count(names: Sequence[str], what: str) -> str:
    if not names:
        return ""
    more = ", ..." if len(names) > _NAMES_SHOWN else ""
    return f"{len(names)} file(s) {what}: {', '.join(names[:_NAMES_SHOWN])}{more}"


# --- a manifest -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _SaidWhere:
    """What a manifest says of one label, and in which line."""

    sustained: tuple[bool, int] | None = None
    noun: tuple[str, int] | None = None
    clause: tuple[str, int] | None = None
    audioset_id: tuple[str, int] | None = None

    def said(self) -> Said:
        return Said(
            noun=self.noun and self.noun[0],
            clause=self.clause and self.clause[0],
            sustained=self.sustained and self.sustained[0],
            audioset_id=self.audioset_id and self.audioset_id[0],
        )


def _from_manifest(path: Path, name: str, ontology: Ontology | None) -> Source:
    lines, unknown = read_manifest(path)
    candidates: dict[str, FileCandidate] = {}
    for line in lines:
        candidate = _of_line(line, path, candidates)
        candidates[candidate.id] = candidate
    if all(candidate.problem.startswith(_NO_FILE) for candidate in candidates.values()):
        raise SoundLibraryError(
            f"manifest {path}: none of its {len(lines)} files exists, such as {lines[0].file!r} in line {lines[0].number}; "
            f"files are looked for in the manifest's folder, {path.parent}"
        )
    ordered, notes = one_case(candidates.values())
    spelling = {label.casefold(): label for label in sorted({candidate.label for candidate in ordered}, reverse=True)}
    said: dict[str, _SaidWhere] = {}
    confusable: list[tuple[str, str]] = []
    strangers: dict[str, int] = {}
    for line in lines:
        if not line.label:
            continue
        label = spelling[line.label.casefold()]
        _note_down(said.setdefault(label, _SaidWhere()), line, label, path)
        for other in line.confusable:
            if other.casefold() in spelling:
                confusable.append((label, spelling[other.casefold()]))
            else:
                strangers.setdefault(other, line.number)
    notes += [f"line {number}: confusable: no sound here has the label {other!r}" for other, number in strangers.items()]
    if unknown:
        notes.append(f"columns that mean nothing here: {', '.join(unknown)}")
    words = {label: lines.said() for label, lines in said.items()}
    return assemble(f"folder:{name}", ordered, words, confusable, notes, ontology)


def _of_line(line: Line, manifest: Path, taken: dict[str, FileCandidate]) -> FileCandidate:
    root = manifest.parent
    path = _find(root, line.file)
    problem = ""
    if not line.file:
        problem = f"line {line.number} of the manifest names no file"
    elif not line.label:
        problem = f"line {line.number} of the manifest gives no label"
    elif path is None:
        problem = f"{_NO_FILE} (line {line.number} of the manifest)"
    path = path or root / line.file
    relative = Path(os.path.relpath(path.absolute(), root.absolute())) if line.file else Path(f"line {line.number}")
    if relative.is_absolute() or relative.parts[:1] == ("..",):
        # Where it lies differs from machine to machine; its label and name do not.
        relative = Path(line.label or "no label") / relative.name
    wanted = _text_of(relative) or f"line {line.number}"
    unique, number = wanted, 2
    while unique in taken:
        unique, number = str(PurePosixPath(wanted).with_stem(f"{PurePosixPath(wanted).stem} ({number})")), number + 1
    return FileCandidate(
        *(unique, line.label, path, line.license, line.attribution, line.source or unique, problem),
        original=line.original,
        uploader=line.uploader,
    )


def _find(root: Path, file: str) -> Path | None:
    """The file as it is written, with "\\" for "/", or with its letters composed or decomposed as other systems do."""
    for name in (file, file.replace("\\", "/")):
        for form in (name, unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)):
            if (root / form).is_file():
                return root / form
    return None


def _note_down(said: _SaidWhere, line: Line, label: str, path: Path) -> None:
    for field in ("sustained", "noun", "clause", "audioset_id"):
        value = getattr(line, field)
        if value in (None, ""):
            continue
        before = getattr(said, field)
        if before is None:
            setattr(said, field, (value, line.number))
        elif before[0] != value:
            was, now = (str(v).lower() if isinstance(v, bool) else repr(v) for v in (before[0], value))
            raise SoundLibraryError(
                f"manifest {path}, line {line.number}: {field} of {label!r} is {now}, but {was} in line {before[1]}; "
                "give every line of a label the same, or only one of them any"
            )
