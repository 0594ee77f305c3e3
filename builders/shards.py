"""(plan, renderer, shard) -> one parquet file of clips, written aside and moved into place.

The bounds of the shards depend on the plan alone, so that any number of processes, and a build that was interrupted, give
the same files. Beside each file a receipt is kept among the work files: it says that the shard is finished, and holds what
later steps need of its clips without rendering them again.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import soundfile
from numpy.typing import NDArray

from builders import layout
from builders.corpus import Clip, Plan
from builders.recipe import TASK_NAMES
from builders.timeline import Timeline


class ClipRenderer(Protocol):
    """What a shard needs of `builders.render.Renderer`."""

    def clip(self, clip_id: str, timeline: Timeline) -> NDArray[np.int16]:
        """The clip, mono, shape [n], 16 bit."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Some clips of one task, sorted by id, and the file that holds them (relative to the folder)."""

    file: str
    clips: tuple[Clip, ...]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What is known of a finished shard.

    Attributes:
        sha256: of the parquet file.
        file_bytes: its size.
        arrow_bytes: what its rows take in memory, as datasets counts them.
        pcm_sha256: clip id -> SHA-256 of its samples as little-endian int16.
    """

    sha256: str
    file_bytes: int
    arrow_bytes: int
    pcm_sha256: dict[str, str]


def shards(plan: Plan) -> tuple[Shard, ...]:
    """All shards of a plan: each task's clips in order of id, cut into equal parts of at most `layout.MAX_SHARD_CLIPS`."""
    found: list[Shard] = []
    for task in TASK_NAMES:
        clips = sorted(plan.clips_of(task), key=lambda clip: clip.id)
        of = max(1, -(-len(clips) // layout.MAX_SHARD_CLIPS))
        for number in range(of):
            part = clips[number * len(clips) // of : (number + 1) * len(clips) // of]
            found.append(Shard(layout.shard_file(task, number, of), tuple(part)))
    return tuple(found)


def write_shard(shard: Shard, renderer: ClipRenderer, sample_rate: int, schema: pa.Schema, folder: Path) -> Receipt:
    """Renders the shard's clips and puts its file into `folder`, its receipt among the work files.

    Args:
        shard: what to write.
        renderer: gives the samples.
        sample_rate: of the samples, in Hz.
        schema: `layout.schema("audio")`, made once by the caller: a worker process then need not import datasets.
        folder: the dataset folder; `folder / layout.WORK` must exist.

    Raises:
        OSError: the file cannot be written; nothing is left of it.
    """
    work = folder / layout.WORK
    target = folder / shard.file
    target.parent.mkdir(exist_ok=True)
    aside = work / f"{target.name}.{os.getpid()}.tmp"
    pcm: dict[str, str] = {}
    arrow_bytes = 0
    try:
        with aside.open("wb") as file:
            hashing = _HashingFile(file)
            with pq.ParquetWriter(hashing, schema, **layout.writer_options(audio=True)) as writer:
                for rows in _batches(shard.clips):
                    table = _render(rows, renderer, sample_rate, schema, pcm)
                    arrow_bytes += table.nbytes
                    writer.write_table(table, row_group_size=layout.AUDIO_ROWS)
        receipt = Receipt(hashing.sha256.hexdigest(), hashing.written, arrow_bytes, pcm)
        aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)
    write_aside(_receipt_path(shard, folder), json.dumps(asdict(receipt), sort_keys=True).encode(), work)
    return receipt


def read_receipt(shard: Shard, folder: Path) -> Receipt | None:
    """The receipt of a shard that is finished and whole; None where it has to be made (again)."""
    try:
        receipt = Receipt(**json.loads(_receipt_path(shard, folder).read_bytes()))
        with (folder / shard.file).open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError, TypeError):
        return None
    whole = receipt.sha256 == digest and list(receipt.pcm_sha256) == [clip.id for clip in shard.clips]
    return receipt if whole else None


def write_aside(path: Path, content: bytes, work: Path) -> None:
    """Puts a small file in place at once or not at all: written among the work files (same disk), then moved."""
    aside = work / f"{path.name}.{os.getpid()}.tmp"
    try:
        aside.write_bytes(content)
        aside.replace(path)
    finally:
        aside.unlink(missing_ok=True)


def encode_flac(samples: NDArray[np.int16], sample_rate: int) -> bytes:
    """The samples (mono, shape [n]) as the bytes of a 16-bit FLAC file."""
    return _encode(samples, sample_rate, "FLAC")


def encode_wav(samples: NDArray[np.int16], sample_rate: int) -> bytes:
    """The samples (mono, shape [n]) as the bytes of a 16-bit WAV file."""
    return _encode(samples, sample_rate, "WAV")


def _encode(samples: NDArray[np.int16], sample_rate: int, container: str) -> bytes:
    buffer = io.BytesIO()  # in memory: libsndfile writes to a file in many small pieces, which takes three times as long
    soundfile.write(buffer, samples, sample_rate, format=container, subtype="PCM_16")
    return buffer.getvalue()


def pcm_sha256(samples: NDArray[np.int16]) -> str:
    """SHA-256 (hex) of the samples as little-endian int16: the same on every machine and for every FLAC encoder."""
    return hashlib.sha256(np.ascontiguousarray(samples, dtype="<i2").data).hexdigest()


def _batches(clips: tuple[Clip, ...]) -> Iterator[tuple[Clip, ...]]:
    for start in range(0, len(clips), layout.AUDIO_ROWS):
        yield clips[start : start + layout.AUDIO_ROWS]


def _render(
    clips: tuple[Clip, ...], renderer: ClipRenderer, sample_rate: int, schema: pa.Schema, pcm: dict[str, str]
) -> pa.Table:
    encoded: list[bytes] = []
    for clip in clips:
        samples = renderer.clip(clip.id, clip.timeline)
        pcm[clip.id] = pcm_sha256(samples)
        encoded.append(encode_flac(samples, sample_rate))
    ids = [clip.id for clip in clips]
    audio = pa.StructArray.from_arrays(
        [pa.array(encoded, pa.binary()), pa.array([f"{clip_id}.flac" for clip_id in ids], pa.string())],
        fields=list(schema.field("audio").type),
    )
    return pa.Table.from_arrays([pa.array(ids, pa.string()), audio], schema=schema)


def _receipt_path(shard: Shard, folder: Path) -> Path:
    return folder / layout.WORK / (Path(shard.file).stem + ".json")


class _HashingFile:
    """A file to write to that counts and hashes what passes: parquet is written front to back, so no second reading is needed."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.sha256 = hashlib.sha256()
        self.written = 0

    def write(self, data: Any) -> int:
        self.sha256.update(data)
        self.written += self._file.write(data)
        return len(data)

    def tell(self) -> int:
        return self.written

    def flush(self) -> None:
        self._file.flush()

    @property
    def closed(self) -> bool:
        return self._file.closed

    def close(self) -> None:
        """The owner of the file closes it."""

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False
