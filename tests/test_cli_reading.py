"""The commands that read a dataset folder: what they print, and how they fail."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from builders.errors import DatasetFolderError, ReasonAudioError
from eval_harness.ids import find_id
from tests.cli_fixture import Replace, run
from tests.fake_folder import QUERY_ID, TWIN_ID, FakeFolder


@pytest.fixture
def folder(replace: Replace) -> FakeFolder:
    fake = FakeFolder()
    replace("builders.dataset_folder", DatasetFolder=SimpleNamespace(open=lambda path: fake))
    return fake


def test_check_says_what_is_wrong(folder: FakeFolder, replace: Replace, tmp_path: Path) -> None:
    calls = []

    def check(path: Path, *, deep: bool, num_proc: int, progress: Any) -> list[Any]:
        calls.append((path, deep, num_proc))
        return [SimpleNamespace(where="corpus/mix-0.parquet", what="checksum differs")] * deep

    replace("builders.check", check=check)
    good = run("check", tmp_path)
    assert good.exit_code == 0
    assert "2 queries, 8 clips" in good.stdout
    bad = run("check", tmp_path, "--deep", "--num-proc", 2)
    assert bad.exit_code == 1
    assert bad.stdout == "corpus/mix-0.parquet: checksum differs\n"
    assert bad.stderr == f"error: {tmp_path}: 1 problem found\n"
    assert calls[1] == (tmp_path, True, 2)


def test_show_lists_and_shows(folder: FakeFolder) -> None:
    overview = run("show", "out")
    assert "mix-1" in overview.stdout
    assert QUERY_ID in overview.stdout
    assert f"reasonaudio show out {QUERY_ID}" in overview.stderr
    listed = run("show", "out", "--task", "mix-1", "--list", 1)
    assert QUERY_ID in listed.stdout
    assert TWIN_ID not in listed.stdout
    assert "1 more" in listed.stderr
    shown = run("show", "out", TWIN_ID[:3])
    assert folder.queries[TWIN_ID].text in shown.stdout
    assert "relevant (" in shown.stdout


def test_show_of_unknown_things(folder: FakeFolder) -> None:
    result = run("show", "out", "--task", "ordr")
    assert (result.exit_code, result.stderr) == (1, "error: --task 'ordr': no such task or form; there are mix, mix-1\n")
    result = run("show", "out", QUERY_ID[:-2] + "zz")
    assert result.exit_code == 1
    assert f"did you mean {QUERY_ID}?" in result.stderr


def test_ids_by_their_beginning() -> None:
    ids = ["aa11", "aa22", "bb33"]
    assert find_id("clip", "aa11", ids) == "aa11"
    assert find_id("clip", " BB", ids) == "bb33"
    with pytest.raises(ReasonAudioError, match=re.escape("clip 'aa': 2 ids begin so (aa11, aa22); give more of it")):
        find_id("clip", "aa", ids)
    with pytest.raises(ReasonAudioError, match="not in this dataset; there are 3, such as aa11, aa22, bb33"):
        find_id("clip", "zz", ids)
    with pytest.raises(ReasonAudioError, match="the clip id is empty; there are 3, such as aa11"):
        find_id("clip", " ", ids)


def test_explain_any_pair(folder: FakeFolder) -> None:
    clip = folder.queries[TWIN_ID].relevant[0]
    result = run("explain", "out", QUERY_ID[:4], clip[:4])
    assert result.exit_code == 0, result.output
    assert "the pair is not listed as relevant" in result.stdout
    assert "the pair is listed as relevant" in run("explain", "out", TWIN_ID, clip).stdout


def test_export_wav(folder: FakeFolder, tmp_path: Path) -> None:
    import soundfile

    clips = list(folder.clips)[:2]
    result = run("export-wav", "out", clips[0][:5], clips[1], "--to", tmp_path / "new" / "wav")
    assert result.exit_code == 0, result.output
    paths = [tmp_path / "new" / "wav" / f"{clip}.wav" for clip in clips]
    assert result.stdout.split() == [str(path) for path in paths]
    assert sorted((tmp_path / "new" / "wav").iterdir()) == sorted(paths)
    again = run("export-wav", "out", clips[0], clips[0][:5], "--to", tmp_path / "new" / "wav")
    assert again.stdout == f"{paths[0]}\n"
    refused = run("export-wav", "out", clips[0], "--to", paths[0])
    assert (refused.exit_code, refused.stderr) == (1, f"error: {paths[0]} is a file; a folder is needed\n")
    samples, rate = soundfile.read(paths[0], dtype="int16")
    assert (samples == folder.audio(clips[0])[0]).all()
    assert (rate, soundfile.info(paths[0]).subtype) == (32_000, "PCM_16")


def test_install_says_the_disk_it_needs(replace: Replace, tmp_path: Path) -> None:
    calls = []

    def install(path: Path, *, everything: bool, progress: Any, verified: bool) -> Any:
        assert verified
        calls.append((path, everything))
        progress("configs", 1, 1)
        return SimpleNamespace(configs=("clips",), cache=Path("the-cache"), replaced=len(calls) - 1)

    def verify(path: Path, progress: Any) -> None:
        progress(0, 1)
        if path.name == "damaged":
            raise DatasetFolderError(f"{path} is damaged")

    sizes = {False: 2_000_000, True: 0}
    replace("reasonaudio_dataset", install=install, verify=verify, install_bytes=lambda path, *, everything: sizes[everything])
    result = run("install", tmp_path)
    assert result.exit_code == 0, result.output
    notes = result.stderr.splitlines()
    assert notes[:2] == ["2.0 MB to be written into the cache of `datasets`", "1 configs now lie in the-cache"]
    assert "a folder named reasonaudio" in notes[2]
    assert "HF_HUB_OFFLINE=1" in notes[3]
    assert 'load_dataset("reasonaudio")' in result.stdout
    again = run("install", tmp_path, "--all").stderr
    assert "all of it is there already" in again
    assert "they replace those of the dataset that was installed before" in again
    assert run("install", tmp_path / "damaged").exit_code == 1
    assert calls == [(tmp_path, False), (tmp_path, True)]
