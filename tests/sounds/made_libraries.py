"""FSD50K and ESC-50 in miniature, made of noise, in every layout in which people hold them."""

from __future__ import annotations

import csv
import json
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile
from scipy.signal import butter, sosfilt

from builders.sounds import fsd50k_classes
from builders.sounds.fsd50k_kinds import ancestors, as_written

RATE = 16_000
CC0 = "http://creativecommons.org/publicdomain/zero/1.0/"
BY = "http://creativecommons.org/licenses/by/3.0/"
CLASSES = {as_written(found.name): found.id for found in fsd50k_classes.CLASSES}
"""Labels, and their classes in the ontology."""


@dataclass(frozen=True)
class Clip:
    """A clip of the miniature FSD50K.

    Attributes:
        labels: before they are propagated.
        side: "train" or "val"; "eval" puts it into the other part.
        votes: on its first label; None for none at all.
        seconds: 0 for a file without a single sample; None for no file.
    """

    id: str
    labels: tuple[str, ...]
    side: str = "train"
    votes: tuple[float, ...] | None = (1.0, 1.0)
    seconds: float | None = 0.6
    license: str = CC0
    uploader: str = "ann"
    title: str = "a title"

    @property
    def part(self) -> str:
        return "eval" if self.side == "eval" else "dev"

    @property
    def propagated(self) -> list[str]:
        found = dict.fromkeys(self.labels)
        for label in self.labels:
            found.update(dict.fromkeys(sorted(ancestors(label))))
        return list(found)


PUBLISHED = ("FSD50K.{part}_audio", "FSD50K.ground_truth", "FSD50K.metadata", "FSD50K.metadata/collection")
MIRROR = ("clips/{part}", "labels", "metadata", "metadata/collection")


def fsd50k(
    root: Path,
    clips: Iterable[Clip],
    layout: tuple[str, str, str, str] = PUBLISHED,
    metadata: Path | None = None,
    without: Collection[str] = (),
) -> Path:
    """Writes a miniature FSD50K.

    Args:
        root: gets the audio.
        clips: of both parts, or of one.
        layout: folders of the audio, of the labels, of the metadata and of the collection.
        metadata: gets everything but the audio, where that is not `root`.
        without: names of files that are then missing.
    """
    audio, truth, about, collection = layout
    clips = list(clips)
    tables: dict[str, list[list[str]] | dict[str, object]] = {}
    for part in ("dev", "eval"):
        tables |= _tables(clips, part, truth, about, collection)
    tables[f"{truth}/vocabulary.csv"] = [[str(n), label, mid] for n, (label, mid) in enumerate(CLASSES.items())]
    ratings = {
        clip.id: {CLASSES.get(clip.labels[0], "/m/x"): clip.votes} for clip in clips if clip.votes is not None and clip.labels
    }
    tables[f"{about}/pp_pnp_ratings_FSD50K.json"] = ratings
    for name, content in tables.items():
        path = (metadata or root) / name
        if path.name in without:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict):
            path.write_text(json.dumps(content), encoding="utf-8")
        else:
            _write_table(path, content)
    for clip in clips:
        folder = root / audio.format(part=clip.part)
        folder.mkdir(parents=True, exist_ok=True)
        if clip.seconds is not None:
            soundfile.write(folder / f"{clip.id}.wav", noise((clip.labels or ("",))[0], clip.id, clip.seconds), RATE)
    return root


def _tables(clips: Sequence[Clip], part: str, truth: str, about: str, collection: str) -> dict[str, list[list[str]] | dict]:
    clips = [clip for clip in clips if clip.part == part]
    if not clips:
        return {}

    def mids(labels: Iterable[str]) -> str:
        return ",".join(CLASSES.get(label, "/m/x") for label in labels)

    columns = ["fname", "labels", "mids"]
    dev = part == "dev"
    return {
        f"{truth}/{part}.csv": [
            [*columns, *(["split"] if dev else [])],
            *([clip.id, ",".join(clip.propagated), mids(clip.propagated), *([clip.side] if dev else [])] for clip in clips),
        ],
        f"{collection}/collection_{part}.csv": [
            columns,
            *([clip.id, ",".join(clip.labels), mids(clip.labels)] for clip in clips),
        ],
        f"{about}/{part}_clips_info_FSD50K.json": {
            clip.id: {"title": clip.title, "description": "…", "tags": ["x"], "license": clip.license, "uploader": clip.uploader}
            for clip in clips
        },
    }


@dataclass(frozen=True)
class EscClip:
    """A clip of the miniature ESC-50; `seconds` of sound, filled up with digital silence to two more."""

    name: str
    category: str
    esc10: bool = False
    seconds: float | None = 0.6


def esc50(root: Path, clips: Iterable[EscClip]) -> Path:
    """Writes a miniature ESC-50; the recording that a clip was cut from is in its name ("1-100032-A-0.wav": 100032)."""
    rows = [["filename", "fold", "target", "category", "esc10", "src_file", "take"]]
    (root / "audio").mkdir(parents=True)
    for clip in clips:
        fold, original, take, target = clip.name.removesuffix(".wav").split("-")
        rows.append([clip.name, fold, target, clip.category, str(clip.esc10), original, take])
        if clip.seconds is not None:
            samples = noise(clip.category, clip.name, clip.seconds)
            soundfile.write(root / "audio" / clip.name, np.concatenate([samples, np.zeros(2 * RATE * bool(clip.seconds))]), RATE)
    (root / "meta").mkdir()
    _write_table(root / "meta" / "esc50.csv", rows)
    return root


def noise(label: str, name: str, seconds: float) -> np.ndarray:
    """Noise in a band that goes with the label, shape [n] at `RATE`; another one for every name."""
    if not seconds:
        return np.zeros(0)
    low = 150.0 * 1.13 ** (zlib.crc32(label.encode()) % 26)
    samples = np.random.default_rng(zlib.crc32(name.encode())).standard_normal(round(RATE * seconds))
    samples = sosfilt(butter(2, [low, 1.5 * low], "bandpass", fs=RATE, output="sos"), samples)
    return np.asarray(0.3 * samples / np.abs(samples).max())


def _write_table(path: Path, rows: Iterable[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
