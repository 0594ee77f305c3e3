"""Where the files of FSD50K lie: as it is published, as it is mirrored, or with audio and metadata in two places."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from builders.errors import SoundLibraryError
from builders.sounds.folder import AUDIO_SUFFIXES

PARTS = ("dev", "eval")
VOCABULARY, RATINGS = "vocabulary.csv", "pp_pnp_ratings_FSD50K.json"

_AUDIO = ("FSD50K.{part}_audio", "clips/{part}", "{part}")  # the last: below the mirror's `clips`, given by itself
_TABLES = (
    *("FSD50K.ground_truth", "labels", "ground_truth"),
    *("FSD50K.metadata", "metadata", "FSD50K.metadata/collection", "metadata/collection", "collection", "."),
)
_ARCHIVES = {"csv": "FSD50K.ground_truth.zip", "json": "FSD50K.metadata.zip"}
_FROM = "zenodo.org/records/4060432"


@dataclass(frozen=True, slots=True)
class Part:
    """One half of FSD50K.

    Attributes:
        name: "dev" or "eval".
        audio: its folder.
        files: clip -> name of its file in that folder.
        labels: the table of its labels, propagated.
        collection: the table of its labels before they were propagated; None where it is not there.
        info: titles, licences and uploaders; None where it is not there.
    """

    name: str
    audio: Path
    files: dict[str, str]
    labels: Path
    collection: Path | None
    info: Path | None


@dataclass(frozen=True, slots=True)
class Found:
    """What of FSD50K there is.

    Attributes:
        notes: what of it cannot be used, for a person.
    """

    parts: tuple[Part, ...]
    vocabulary: Path | None
    ratings: Path | None
    notes: tuple[str, ...]


def find(root: Path, metadata: Path | None, asked: str, *, insist: bool) -> Found:
    """The files of FSD50K below `root`, and below `metadata`, where that is another folder.

    Args:
        root: holds the audio.
        metadata: holds labels and metadata, or is one of their folders.
        asked: "dev", "eval" or "both".
        insist: whether both parts must be there where "both" is asked for.

    Raises:
        SoundLibraryError: what is asked for is not there; one line that says which file is missing, and where to get it.
    """
    for folder, what in ((root, "the folder that holds its audio"), (metadata, "the folder of its labels (metadata=PATH)")):
        if folder is not None and not folder.is_dir():
            raise SoundLibraryError(f"fsd50k: {folder}: there is no such folder; give {what}")
    places = [folder for folder in (metadata, root) if folder is not None]

    def table(name: str) -> Path | None:
        return next(
            (path for place in places for folder in _TABLES if (path := place / folder / name).is_file()),
            None,
        )

    parts: list[Part] = []
    lacking: dict[str, str] = {}
    unlabelled: list[str] = []
    for name in PARTS if asked == "both" else (asked,):
        audio = next((path for folder in _AUDIO if (path := root / folder.format(part=name)).is_dir()), None)
        labels = table(f"{name}.csv")
        if audio is None:
            lacking[name] = f"{root} holds no folder {_AUDIO[0].format(part=name)} or {_AUDIO[1].format(part=name)}"
        elif labels is None:
            lacking[name] = missing(f"{name}.csv", root, metadata)
            unlabelled.append(name)
        else:
            collection, info = table(f"collection_{name}.csv"), table(f"{name}_clips_info_FSD50K.json")
            parts.append(Part(name, audio, _files(audio), labels, collection, info))
    if lacking and (insist or not parts):
        if len(lacking) == len(PARTS) and not unlabelled:
            *names, last = (folder.format(part=name) for folder in _AUDIO[:2] for name in PARTS)
            raise SoundLibraryError(f"fsd50k: {root} holds no folder {', '.join(names)} or {last}{_advice(root)}")
        first = next(iter((*unlabelled, *lacking)))  # audio without labels says more than no audio
        raise SoundLibraryError(f"fsd50k, {first}: {lacking[first]}{'' if unlabelled or parts else _advice(root)}")
    notes = tuple(  # without paths, which differ from machine to machine
        f"{name} is not used: {f'{name}.csv is missing' if name in unlabelled else 'its audio is not there'}" for name in lacking
    )
    return Found(tuple(parts), table(VOCABULARY), table(RATINGS), notes)


def missing(name: str, root: Path, metadata: Path | None) -> str:
    """That a file of FSD50K is missing, where it was looked for, and where it comes from."""
    where = f"{metadata} and {root}" if metadata else str(root)
    archive = _ARCHIVES[name.rpartition(".")[2]]
    return f"{name} is missing in {where}; it comes in {archive} ({_FROM}); metadata=PATH says where it lies, if elsewhere"


def _advice(root: Path) -> str:
    """A way out where the folder is above or below the right one; else nothing."""
    for name in (folder.format(part=part) for folder in _AUDIO[:2] for part in PARTS):
        up = list(root.absolute().parents)[name.count("/") :]
        if up and up[0] / name == root.absolute():
            return f"; give the folder above, {up[0]}"
        above = next((path for path in sorted(root.glob(f"*/{name}")) if path.is_dir()), None)
        if above:
            return f"; give {above.parents[name.count('/')]}"
    return ""


def _files(folder: Path) -> dict[str, str]:
    """Clip -> its file; of two files of one clip the first by name."""
    found: dict[str, str] = {}
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except OSError as error:
        raise SoundLibraryError(f"{error.filename or folder}: {error.strerror or error}") from None
    for name in names:
        stem, dot, suffix = name.rpartition(".")
        if not name.startswith(".") and f"{dot}{suffix}".lower() in AUDIO_SUFFIXES:
            found.setdefault(stem, name)
    return found
