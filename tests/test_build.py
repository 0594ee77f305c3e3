"""Building: the same bytes however it is done, resumed after anything, and refused with a reason."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import namedtuple
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from builders import layout
from builders.build import Built, MakeRenderer, build
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import BuildError, DatasetFolderError
from builders.output import check_output
from builders.recipe import make_recipe
from builders.shards import shards
from builders.timeline import Timeline
from tests.corpus_fixture import (
    ROOT,
    FullDiskRenderer,
    SlowRenderer,
    ToneRenderer,
    folder,
    make_folder,
    make_library,
    make_plan,
    make_qrels,
    other_plan,
    python,
)

__all__ = ["folder"]
PLAN = make_plan()
OTHER = make_recipe(PLAN.recipe, {"seed": 5})


class DyingRenderer(ToneRenderer):
    """Its process ends as the out-of-memory killer would end it."""

    def clip(self, clip_id: str, timeline: Timeline) -> NDArray[np.int16]:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


def make(out: Path, num_proc: int = 1, make_renderer: MakeRenderer = ToneRenderer) -> Built:
    return build(PLAN, make_library(), lambda: make_qrels(PLAN), out, num_proc=num_proc, make_renderer=make_renderer)


def files(path: Path) -> set[str]:
    return {str(file.relative_to(path)) for file in path.rglob("*") if file.is_file()}


# --- the same bytes ---------------------------------------------------------------------------------------------------


def test_two_processes_and_another_folder_give_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    other = make_folder(tmp_path / "deep" / "er", num_proc=2)
    assert content_hash(other) == content_hash(folder)
    assert files(other) == files(folder)
    for name in files(folder):
        assert (other / name).read_bytes() == (folder / name).read_bytes(), name


def test_another_hash_seed_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    code = (
        "from corpus_fixture import *; from builders.dataset_folder import content_hash; "
        "print(content_hash(make_folder(Path('x'))))"
    )
    done = python(code, tmp_path, PYTHONHASHSEED="1")
    assert done.stdout.strip() == content_hash(folder), done.stderr


def test_the_manifest_names_every_file_but_those_about_the_data(folder: Path) -> None:
    manifest = json.loads((folder / layout.MANIFEST).read_bytes())
    assert set(manifest) == {"layout", "recipe_hash", "versions", "files"}
    assert set(manifest["files"]) == files(folder) - {layout.MANIFEST, *layout.ABOUT}
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name
    assert {"reasonaudio", "numpy", "scipy", "soundfile", "libsndfile", "pyarrow", "soxr", "pyloudnorm"} == set(
        manifest["versions"]
    )
    assert content_hash(folder) == hashlib.sha256((folder / layout.MANIFEST).read_bytes()).hexdigest()


def test_no_path_and_no_work_file_is_left(folder: Path) -> None:
    assert not (folder / layout.WORK).exists()
    for name in files(folder):
        assert str(folder.parent).encode() not in (folder / name).read_bytes()


def test_rows_are_sorted_and_row_groups_small(folder: Path) -> None:
    for file in folder.rglob("*.parquet"):
        parquet = pq.ParquetFile(file)
        table = parquet.read()
        keys = [name for name in ("id", "query-id", "corpus-id", "label") if name in table.column_names]
        rows = list(zip(*(table[key].to_pylist() for key in keys), strict=True))
        assert rows == sorted(rows), file
        groups = [parquet.metadata.row_group(i) for i in range(parquet.num_row_groups)]
        assert max(group.num_rows for group in groups) <= 100
        assert all(group.column(0).has_offset_index for group in groups)


# --- interrupted ------------------------------------------------------------------------------------------------------


def test_a_killed_build_goes_on(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "killed"
    code = (
        "from corpus_fixture import *\n"
        "if __name__ == '__main__':\n"
        f" build(make_plan(), make_library(), make_qrels(make_plan()), {str(out)!r}, num_proc=2, make_renderer=SlowRenderer)\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(Path(__file__).parent)))}
    started = subprocess.Popen([sys.executable, str(script)], env=environment)
    receipts = 0
    for _ in range(3000):
        receipts = len(list((out / layout.WORK).glob("*-of-*.json")))
        if receipts:
            break
        time.sleep(0.01)
    started.send_signal(signal.SIGKILL)
    started.wait()
    time.sleep(0.3)  # workers die a moment after their parent
    assert 0 < receipts < len(shards(PLAN))
    for file in (out / "corpus").iterdir():
        assert pq.read_table(file).num_rows == 8
    with pytest.raises(DatasetFolderError, match="unfinished"):
        DatasetFolder.open(out)
    kept = {file: file.stat().st_mtime_ns for file in (out / "corpus").iterdir()}
    done = make(out, num_proc=2)
    assert 8 <= done.clips_kept < len(PLAN.clips)
    assert content_hash(out) == content_hash(folder)
    assert files(out) == files(folder)
    assert sum(file.stat().st_mtime_ns == before for file, before in kept.items()) * 8 == done.clips_kept


@pytest.mark.parametrize("num_proc", [1, 2])
def test_a_full_disk_keeps_finished_shards(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, num_proc: int) -> None:
    monkeypatch.setenv("FULL_AT", shards(PLAN)[3].clips[5].id)
    with pytest.raises(BuildError, match=r"disk is full.*start again"):
        make(tmp_path / "x", num_proc, FullDiskRenderer)
    left = {path.name for path in (tmp_path / "x" / layout.WORK).iterdir()}
    assert not {name for name in left if name.endswith(".tmp") or name.startswith("library")}
    assert not (tmp_path / "x" / shards(PLAN)[3].file).exists()
    done = make(tmp_path / "x")
    assert done.clips_kept >= 8
    assert content_hash(done.folder) == content_hash(folder)


def test_a_damaged_shard_of_an_unfinished_build_is_made_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FULL_AT", shards(PLAN)[2].clips[0].id)
    with pytest.raises(BuildError):
        make(tmp_path, make_renderer=FullDiskRenderer)
    with (tmp_path / shards(PLAN)[0].file).open("r+b") as file:
        file.truncate(500)
    assert make(tmp_path).clips_kept == 8
    assert content_hash(tmp_path) == content_hash(folder)


def test_a_worker_that_is_killed_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"ended from outside.*start again"):
        make(tmp_path, 2, DyingRenderer)


def test_an_interrupt_stops_and_keeps(tmp_path: Path) -> None:
    def progress(what: str, done: int, of: int) -> None:
        assert what == "clips"
        assert of == len(PLAN.clips)
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(PLAN, make_library(), [], tmp_path, num_proc=2, progress=progress, make_renderer=SlowRenderer)
    assert make(tmp_path).clips_kept >= 8


# --- places -----------------------------------------------------------------------------------------------------------


def test_a_finished_folder_is_left_alone(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "x")
    before = {name: (copy / name).stat().st_mtime_ns for name in files(copy)}
    assert make(copy) == Built(copy, already_there=True)
    assert before == {name: (copy / name).stat().st_mtime_ns for name in files(copy)}
    with pytest.raises(BuildError, match=r"holds the finished dataset of another recipe \(made from other sounds\); choose"):
        build(other_plan(PLAN), make_library(), [], copy)
    with pytest.raises(BuildError, match=r"finished dataset of another recipe \(seed is 0 there, 5 here\)"):
        check_output(copy, OTHER)
    check_output(copy, PLAN.recipe)


def test_an_unfinished_build_of_another_recipe_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FULL_AT", PLAN.clips[0].id)
    with pytest.raises(BuildError, match="full"):
        make(tmp_path, make_renderer=FullDiskRenderer)
    with pytest.raises(BuildError, match=r"unfinished build of another recipe \(made from other sounds\)"):
        build(other_plan(PLAN), make_library(), [], tmp_path)
    with pytest.raises(BuildError, match=r"unfinished build of another recipe \(seed is 0 there, 5 here\)"):
        check_output(tmp_path, OTHER)
    check_output(tmp_path, PLAN.recipe)
    state = tmp_path / layout.WORK / "state.json"
    written = json.loads(state.read_bytes())
    state.write_text(json.dumps(written | {"versions": written["versions"] | {"pyarrow": "1"}}))
    with pytest.raises(BuildError, match="pyarrow 1 ->"):
        make(tmp_path)
    state.write_text("{")
    with pytest.raises(BuildError, match="damaged"):
        make(tmp_path)


def test_other_contents_are_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(BuildError, match=r"holds something else \(thesis.tex\)"):
        make(tmp_path)
    (tmp_path / layout.MANIFEST).write_text("[]")
    with pytest.raises(BuildError, match="is not ours"):
        make(tmp_path)
    assert files(tmp_path) == {"thesis.tex", layout.MANIFEST}


def test_the_output_can_be_checked_before_anything_is_planned(folder: Path, tmp_path: Path) -> None:
    check_output(folder)
    check_output(tmp_path)
    check_output(tmp_path / "new" / "folder")
    (tmp_path / "file").write_text("x")
    with pytest.raises(BuildError, match="is a file"):
        check_output(tmp_path / "file")
    with pytest.raises(BuildError, match=f"^{tmp_path / 'file'} is a file"):
        check_output(tmp_path / "file" / "below" / "it")
    with pytest.raises(BuildError, match="holds something else"):
        check_output(tmp_path)
    assert not (tmp_path / "new").exists()


def test_files_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BuildError, match="is a file; a folder is needed"):
        make(tmp_path / "file")
    with pytest.raises(BuildError, match="is a file; a folder is needed"):
        make(tmp_path / "file" / "below" / "it")


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(BuildError, match="no permission"):
        make(tmp_path / "x")


def test_a_read_only_file_system_is_not_called_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage, flags = namedtuple("usage", "free"), namedtuple("flags", "f_flag")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(0))
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(os, "statvfs", lambda _: flags(os.ST_RDONLY))
    for refuse in (make, check_output):
        with pytest.raises(BuildError, match="is on a read-only file system; choose another folder"):
            refuse(tmp_path / "x")


def test_too_small_a_disk_is_foreseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(1_000_000))
    with pytest.raises(BuildError, match=r"needs about 3\.\d MB, but .* has only 1\.0 MB free"):
        make(tmp_path / "x" / "y")
    assert not (tmp_path / "x").exists()


def test_two_builds_do_not_meet(tmp_path: Path) -> None:
    (tmp_path / layout.WORK).mkdir()
    with (tmp_path / layout.WORK / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(BuildError, match="another build"):
            make(tmp_path)
        with pytest.raises(BuildError, match="another build"):
            check_output(tmp_path)
    check_output(tmp_path)
    make(tmp_path)
