"""Shards: bounds, bytes, receipts."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import soundfile

from builders import layout
from builders.shards import encode_flac, pcm_sha256, read_receipt, shards, write_shard
from tests.corpus_fixture import FullDiskRenderer, ToneRenderer, make_library, make_plan

PLAN = make_plan()
SHARD = shards(PLAN)[0]
RENDERER = ToneRenderer(PLAN.recipe, make_library())


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / layout.WORK).mkdir()
    return tmp_path


def test_bounds_depend_on_the_plan_alone() -> None:
    many = shards(make_plan(clips_per_set=20, sets=26))
    assert len(many) == 5 * 3
    assert max(len(shard.clips) for shard in many) <= layout.MAX_SHARD_CLIPS
    assert [clip.id for shard in many[:3] for clip in shard.clips] == sorted(
        clip.id for clip in make_plan(clips_per_set=20, sets=26).clips_of("negation")
    )
    assert many[1].file == "corpus/negation-00001-of-00003.parquet"


def test_a_shard_holds_its_clips_as_flac(out: Path) -> None:
    receipt = write_shard(SHARD, RENDERER, 8000, layout.schema("audio"), out)
    content = (out / SHARD.file).read_bytes()
    assert receipt.sha256 == hashlib.sha256(content).hexdigest()
    assert receipt.file_bytes == len(content)
    table = pq.read_table(out / SHARD.file)
    assert table.schema.equals(layout.schema("audio"), check_metadata=True)
    for row, clip in zip(table.to_pylist(), SHARD.clips, strict=True):
        assert (row["id"], row["audio"]["path"]) == (clip.id, f"{clip.id}.flac")
        samples, rate = soundfile.read(io.BytesIO(row["audio"]["bytes"]), dtype="int16")
        assert rate == 8000
        np.testing.assert_array_equal(samples, RENDERER.clip(clip.id, clip.timeline))
        assert receipt.pcm_sha256[clip.id] == hashlib.sha256(samples.astype("<i2").tobytes()).hexdigest()


def test_row_groups_are_small_and_indexed(out: Path) -> None:
    shard = shards(make_plan(clips_per_set=20, sets=12))[0]
    write_shard(shard, RENDERER, 8000, layout.schema("audio"), out)
    found = pq.ParquetFile(out / shard.file).metadata
    rows = [found.row_group(i).num_rows for i in range(found.num_row_groups)]
    assert sum(rows) == 240
    assert max(rows) <= 100
    columns = [found.row_group(0).column(i) for i in range(found.num_columns)]
    assert all(column.has_offset_index for column in columns)
    ids = next(column for column in columns if column.path_in_schema == "id")
    assert ids.has_column_index
    assert ids.statistics.min == shard.clips[0].id


def test_receipts_count_only_for_whole_files(out: Path) -> None:
    assert read_receipt(SHARD, out) is None
    written = write_shard(SHARD, RENDERER, 8000, layout.schema("audio"), out)
    assert read_receipt(SHARD, out) == written
    assert sorted(path.name for path in out.rglob("*.*") if path.is_file()) == [
        "negation-00000-of-00001.json",
        "negation-00000-of-00001.parquet",
    ]
    with (out / SHARD.file).open("r+b") as file:
        file.seek(100)
        file.write(b"x")
    assert read_receipt(SHARD, out) is None
    receipt = out / layout.WORK / "negation-00000-of-00001.json"
    receipt.write_text("{")
    assert read_receipt(SHARD, out) is None


def test_nothing_is_left_of_a_shard_that_fails(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULL_AT", SHARD.clips[-1].id)
    with pytest.raises(OSError, match="No space"):
        write_shard(SHARD, FullDiskRenderer(PLAN.recipe, make_library()), 8000, layout.schema("audio"), out)
    assert [path for path in out.rglob("*") if path.is_file()] == []


def test_pcm_digest_ignores_byte_order_and_layout() -> None:
    samples = np.arange(-500, 500, dtype=np.int16)
    assert pcm_sha256(samples) == pcm_sha256(samples.astype(">i2"))  # type: ignore[arg-type]
    assert pcm_sha256(samples[::2]) == pcm_sha256(samples[::2].copy())
    assert encode_flac(samples, 8000)[:4] == b"fLaC"
