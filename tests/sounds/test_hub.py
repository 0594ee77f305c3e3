"""Datasets as a source of sounds: layouts, columns, labels, licences, and what is said of what is wrong."""

from __future__ import annotations

import pickle
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from builders.errors import SoundLibraryError, UnusableRecordingError
from builders.recipe import Recipe
from builders.sounds.candidates import RowCandidate, open_table
from builders.sounds.screening import prepare
from builders.sounds.selection import Selection, select
from builders.sounds.splits import split as sides
from tests.sounds.made_dataset import audio, dataset, encoded, error, hub, in_hub_layout, labels, saved

datasets = pytest.importorskip("datasets")

DOGS = ("a.wav", "b.flac", "c.ogg", "d.mp3")


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REASONAUDIO_CACHE", str(tmp_path / "cache"))


# --- layouts ----------------------------------------------------------------------------------------------------------


def test_a_folder_of_parquet_files_in_the_hubs_layout(tmp_path: Path) -> None:
    names = datasets.ClassLabel(names=["dog_bark", "Rain"])
    rows = dataset({"audio": audio(*DOGS), "label": [0, 1, 1, 0]}, label=names)
    more = dataset({"audio": audio("a.wav", "e.wav", first=9), "label": [1, 0]}, label=names)
    found = hub(in_hub_layout(tmp_path / "My sounds", {"train": rows, "test": more}, "license: cc-by-4.0"))
    assert found.name == "hub:My sounds"
    assert labels(found) == {
        "test/a.wav": "Rain",
        "test/e.wav": "dog bark",
        "train/a.wav": "dog bark",
        "train/b.flac": "Rain",
        "train/c.ogg": "Rain",
        "train/d.mp3": "dog bark",
    }
    assert {candidate.id: candidate.part for candidate in found.candidates}["test/a.wav"] == "test"
    assert {candidate.part for candidate in found.candidates} == {"train", "test"}
    first = found.candidates[0]
    assert (first.license, first.attribution, first.source) == ("cc-by-4.0", "My sounds, test/a.wav", "My sounds: test/a.wav")
    assert "6 recordings have the licence of the dataset's card: cc-by-4.0" in found.notes
    assert found.selection == {"columns": "audio 'audio', label 'label'"}
    library = prepare(found, Recipe(), num_proc=2)
    assert [recording.id for recording in library.recordings] == [candidate.id for candidate in found.candidates]
    assert str(tmp_path) not in repr([library.name, library.recordings, library.notes])


def test_changed_files_are_read_again_though_the_card_is_the_same(tmp_path: Path) -> None:
    card = "configs:\n- config_name: default\n  data_files: data/*"
    for label in ("dog bark", "rain", "siren"):
        rows = dataset({"audio": audio("a.wav"), "label": [label]})
        assert set(labels(hub(in_hub_layout(tmp_path / "x", {"train": rows}, card))).values()) == {label}
    kept = list((tmp_path / "cache/hub").glob("*/*"))
    assert len(kept) == 1
    before = list(kept[0].rglob("*.arrow"))
    hub(tmp_path / "x")
    assert [path.stat().st_mtime_ns for path in before] == [path.stat().st_mtime_ns for path in kept[0].rglob("*.arrow")]


@pytest.mark.parametrize("several", [False, True])
def test_what_save_to_disk_wrote(tmp_path: Path, several: bool) -> None:
    rows = dataset({"audio": audio(*DOGS), "label": ["dog bark"] * 4})
    more = dataset({"audio": audio("e.wav", first=9), "label": ["rain"]})
    (datasets.DatasetDict(train=rows, validation=more) if several else rows).save_to_disk(tmp_path / "x")
    found = hub(tmp_path / "x")
    assert list(labels(found)) == [f"train/{name}" for name in DOGS] + ["validation/e.wav"] * several
    assert {candidate.part for candidate in found.candidates} == ({"train", "validation"} if several else {""})
    assert len(prepare(found, Recipe()).recordings) == 4 + several


def test_a_folder_that_was_written_anew(tmp_path: Path) -> None:
    for label in ("dog bark", "rain"):
        assert labels(hub(saved(tmp_path / "x", {"audio": audio("a.wav"), "label": [label]}))) == {"train/a.wav": label}


def test_a_table_of_several_files(tmp_path: Path) -> None:
    names = [f"{n}.wav" for n in range(7)]
    dataset({"audio": audio(*names), "label": ["dog bark"] * 7}).save_to_disk(tmp_path / "x", num_shards=3)
    found = hub(tmp_path / "x")
    tables = {candidate.table for candidate in found.candidates if isinstance(candidate, RowCandidate)}
    assert len(tables) == 3
    for n, candidate in enumerate(found.candidates):
        assert isinstance(candidate, RowCandidate)
        assert candidate.content() == encoded(n)


def audio_folder(folder: Path) -> Path:
    pytest.importorskip("torchcodec.encoders", reason="datasets reads folders of audio with torchcodec", exc_type=Exception)
    for name, seed in (("train/dog_bark/1.wav", 1), ("train/rain/1.wav", 2), ("test/rain/2.wav", 3)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(encoded(seed))
    return folder


def test_folders_of_audio_files_by_label(tmp_path: Path) -> None:
    found = hub(audio_folder(tmp_path / "x"))
    assert labels(found) == {"test/2.wav": "rain", "train/dog_bark/1.wav": "dog bark", "train/rain/1.wav": "rain"}
    assert len(prepare(found, Recipe()).recordings) == 3
    assert str(tmp_path) not in repr([(candidate.attribution, candidate.source) for candidate in found.candidates])


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("train/1.wav", "dog/1.wav", "cat/2.WAV", ".cache/3.wav", "__MACOSX/4.wav", "dog/.5.wav", "dog/6.txt"), "1 of 3 audio"),
        (("dog/test-1.wav", "dog/2.wav", "rain/3.wav", "rain/test-4.wav"), "2 of 4 audio"),
    ],
)
def test_labels_that_are_taken_for_splits(tmp_path: Path, names: tuple[str, ...], said: str) -> None:
    for name in names:
        (tmp_path / "x" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "x" / name).write_bytes(encoded(1))
    message = error(tmp_path / "x")
    assert f"hub:x: {said} files would be read, as datasets takes folders and files with names such as train" in message
    assert "read it with folder:PATH" in message


def test_audio_files_that_a_card_chooses(tmp_path: Path) -> None:
    folder = audio_folder(tmp_path / "x")
    (folder / "dog").mkdir()
    (folder / "dog/3.wav").write_bytes(encoded(4))
    assert "3 of 4 audio files would be read" in error(folder)
    card = "---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n    path: train/**\n---\n"
    (folder / "README.md").write_text(card, encoding="utf-8")
    assert labels(hub(folder)) == {"train/dog_bark/1.wav": "dog bark", "train/rain/1.wav": "rain"}


def test_audio_files_beside_an_archive_are_not_counted(tmp_path: Path) -> None:
    pytest.importorskip("torchcodec.encoders", reason="datasets reads folders of audio with torchcodec", exc_type=Exception)
    (tmp_path / "x").mkdir()
    with zipfile.ZipFile(tmp_path / "x/train.zip", "w") as archive:
        archive.writestr("1.wav", encoded(1))
        archive.writestr("metadata.csv", "file_name,category\n1.wav,dog_bark\n")
    (tmp_path / "x/example.wav").write_bytes(encoded(2))
    # What is wrong is not that the example is left out.
    assert "none of its 1 rows can be used (1 because: its audio is not here but at zip://1.wav" in error(tmp_path / "x")


def test_audio_files_with_a_metadata_file(tmp_path: Path) -> None:
    folder = audio_folder(tmp_path / "x")
    (folder / "train/metadata.csv").write_text(
        "file_name,category,license,user\ndog_bark/1.wav,dog_bark,CC0,Ann\nrain/1.wav,rain,CC BY 3.0,Bo\n", encoding="utf-8"
    )
    (folder / "test/metadata.csv").write_text("file_name,category,license,user\nrain/2.wav,rain,CC0,Cy\n", encoding="utf-8")
    found = hub(folder)
    assert {c.id: (c.label, c.license, c.uploader) for c in found.candidates} == {
        "test/2.wav": ("rain", "CC0", "Cy"),
        "train/dog_bark/1.wav": ("dog bark", "CC0", "Ann"),
        "train/rain/1.wav": ("rain", "CC BY 3.0", "Bo"),
    }


def test_without_torchcodec_a_folder_of_audio_files_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x/dog").mkdir(parents=True)
    (tmp_path / "x/dog/1.wav").write_bytes(encoded(1))
    monkeypatch.setitem(sys.modules, "torchcodec.encoders", None)
    assert "pip install 'reasonaudio[audio]', or read the folder with folder:PATH" in error(tmp_path / "x")


def test_configs(tmp_path: Path) -> None:
    folder = tmp_path / "x"
    for config in ("small", "large"):
        rows = dataset({"audio": audio("a.wav"), "label": [f"{config} dog"]})
        (folder / config).mkdir(parents=True)
        rows.to_parquet(folder / config / "train.parquet")
    configs = "".join(f"\n- config_name: {config}\n  data_files: {config}/*" for config in ("small", "large"))
    (folder / "README.md").write_text(f"---\nconfigs:{configs}\n---\n", encoding="utf-8")
    found = hub(f"{folder}:large")
    assert (found.name, labels(found)) == ("hub:x:large", {"train/a.wav": "large dog"})
    assert "it has several configs; its configs are small, large; write hub:PATH:CONFIG" in error(folder)
    assert "there is no config 'huge'; its configs are small, large" in error(f"{folder}:huge")
    odd = folder.rename(tmp_path / "x:large")
    assert hub(f"{odd}:small").name == "hub:x:large:small"
    assert "several configs" in error(odd)  # a path that exists is never taken apart


def test_datasets_is_imported_when_it_is_needed_and_left_as_it_was(tmp_path: Path) -> None:
    code = "import sys, builders.sounds.hub; assert not {'datasets', 'huggingface_hub', 'pyarrow'} & sys.modules.keys()"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
    disabled = datasets.are_progress_bars_disabled()
    datasets.logging.set_verbosity_info()
    try:
        hub(saved(tmp_path / "x", {"audio": audio("a.wav"), "label": ["dog"]}))
        assert datasets.logging.get_verbosity() == datasets.logging.INFO
        assert datasets.are_progress_bars_disabled() == disabled
    finally:
        datasets.logging.set_verbosity_warning()


# --- rows -------------------------------------------------------------------------------------------------------------


def test_candidates_are_small_and_are_read_in_other_processes(tmp_path: Path) -> None:
    found = hub(saved(tmp_path / "x", {"audio": audio(*DOGS), "label": ["dog bark"] * 4}))
    for candidate in found.candidates:
        assert len(pickle.dumps(candidate)) < 1000
        again = pickle.loads(pickle.dumps(candidate))  # noqa: S301  of our own making
        np.testing.assert_array_equal(again.read(32_000), candidate.read(32_000))


@pytest.mark.parametrize(
    ("paths", "ids"),
    [
        (("x/a.wav", "y/a.wav"), ("x/a.wav", "y/a.wav")),
        (("/abs/x/a.wav", "/abs/y/b.wav"), ("a.wav", "b.wav")),
        (("C:\\x\\a.wav", "C:\\y\\a.wav"), ("x/a.wav", "y/a.wav")),
        (("1/x/a.wav", "2/x/a.wav"), ("000000", "000001")),
        (("a.wav", "a.wav"), ("000000", "000001")),
        (("u\u0308.wav", "a.wav"), ("\u00fc.wav", "a.wav")),
        (("a.wav", None), ("a.wav", "000001")),
        ((None, None), ("000000", "000001")),
    ],
)
def test_ids_are_names_where_they_tell_recordings_apart(
    tmp_path: Path, paths: tuple[str | None, ...], ids: tuple[str, ...]
) -> None:
    rows = [{"bytes": encoded(n), "path": path} for n, path in enumerate(paths)]
    found = hub(saved(tmp_path / "x", {"audio": rows, "label": ["dog bark"] * 2}))
    assert sorted(labels(found)) == sorted(f"train/{name}" for name in ids)


def test_audio_that_is_missing_or_empty_has_a_reason(tmp_path: Path) -> None:
    (tmp_path / "there.wav").write_bytes(encoded(7))
    rows = [
        *audio("good.wav", None),
        {"bytes": b"", "path": "empty.wav"},
        {"bytes": b"no audio", "path": "text.wav"},
        {"bytes": encoded(3)[:9000], "path": "cut.wav"},
        {"bytes": None, "path": str(tmp_path / "there.wav")},
        {"bytes": None, "path": str(tmp_path / "gone.wav")},
        {"bytes": None, "path": "inside.wav"},
        {"bytes": None, "path": "hf://datasets/a/b/c.wav"},
        {"bytes": None, "path": None},
    ]
    folder = saved(tmp_path / "x", {"audio": rows, "label": ["dog bark"] * len(rows)})
    (folder / "inside.wav").write_bytes(encoded(8))
    library = prepare(hub(folder), Recipe())
    assert [recording.id for recording in library.recordings] == ["train/good.wav", "train/inside.wav", "train/there.wav"]
    assert {rejection.id: rejection.reason for rejection in library.rejected} == {
        "train/000001": "it has no audio (neither bytes nor a file)",
        "train/000009": "it has no audio (neither bytes nor a file)",
        "train/c.wav": "its audio is not here but at hf://datasets/a/b/c.wav; download it first",
        "train/cut.wav": "truncated: its header promises 25600 bytes of audio, the file holds 8956",
        "train/empty.wav": "the file is empty (0 bytes)",
        "train/gone.wav": "there is no such file",
        "train/text.wav": "not audio in a known format",
    }


def test_rows_of_a_table_that_has_gone(tmp_path: Path) -> None:
    (candidate,) = hub(saved(tmp_path / "x", {"audio": audio("a.wav"), "label": ["dog bark"]})).candidates
    assert isinstance(candidate, RowCandidate)
    open_table.cache_clear()
    candidate.table.unlink()
    with pytest.raises(SoundLibraryError, match=r"gone or damaged .*; load the dataset again") as caught:
        candidate.read(32_000)
    assert not isinstance(caught.value, UnusableRecordingError)  # it is not this one recording that is wrong


def test_equal_recordings_are_on_one_side_of_a_split(tmp_path: Path) -> None:
    rows = [{"bytes": encoded(n // 2), "path": f"{n}.wav"} for n in range(20)]
    found = hub(saved(tmp_path / "x", {"audio": rows, "label": ["dog bark"] * 20}))
    side = sides(found.candidates)
    assert len(set(side.values())) == 3
    assert all(side[f"train/{n}.wav"] == side[f"train/{n + 1}.wav"] for n in range(0, 20, 2))


@pytest.mark.parametrize(
    ("names", "parts"),
    [
        (("train", "dev", "eval"), ("train", "validation", "test")),
        (("dev", "eval"), ("train", "test")),
        (("training", "Val", "testing"), ("train", "validation", "test")),
        (("train",), ("",)),
        (("fold1", "fold2"), ("", "")),
    ],
)
def test_splits_are_hints(tmp_path: Path, names: tuple[str, ...], parts: tuple[str, ...]) -> None:
    rows = dataset({"audio": audio("a.wav"), "label": ["dog bark"]})
    datasets.DatasetDict(dict.fromkeys(names, rows)).save_to_disk(tmp_path / "x")
    found = hub(tmp_path / "x")
    assert {candidate.id.split("/")[0]: candidate.part for candidate in found.candidates} == dict(zip(names, parts, strict=True))
    assert list(labels(hub(tmp_path / "x", split=names[0]))) == [f"{names[0]}/a.wav"]
    assert f"option split: there is no split 'none'; there are {', '.join(names)}" in error(tmp_path / "x", split="none")


def test_one_split_is_still_a_hint_and_part_of_the_selection(tmp_path: Path) -> None:
    rows = dataset({"audio": audio(*DOGS), "label": ["dog bark"] * 4})
    datasets.DatasetDict(train=rows, test=rows).save_to_disk(tmp_path / "x")
    found = hub(tmp_path / "x", split="test")
    assert {candidate.part for candidate in found.candidates} == {"test"}
    chosen = select(found, Selection(split="test")).selection
    assert (chosen["split"], chosen["split of the dataset"]) == ("test", "test")


def test_splits_that_differ(tmp_path: Path) -> None:
    rows = audio("a.wav")
    one, other = (dataset({"audio": rows, name: ["dog"]}) for name in ("label", "category"))
    datasets.DatasetDict(train=one, test=other).save_to_disk(tmp_path / "x")
    assert "the splits train and test have different columns or labels; choose one of train, test" in error(tmp_path / "x")
    assert labels(hub(tmp_path / "x", split="test")) == {"test/a.wav": "dog"}


def test_splits_without_rows(tmp_path: Path) -> None:
    none = dataset({"audio": [], "label": []})
    one = dataset({"audio": audio("a.wav"), "label": ["dog"]})
    folder = in_hub_layout(tmp_path / "x", {"train": one, "test": none})
    assert labels(hub(folder)) == {"train/a.wav": "dog"}
    assert hub(folder).candidates[0].part == "train"
    assert "it has no rows (test); give another" in error(folder, split="test")
    assert "it has no rows (train)" in error(in_hub_layout(tmp_path / "y", {"train": none}))


def test_what_is_no_dataset(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "junk").mkdir()
    (tmp_path / "junk/train.parquet").write_bytes(b"junk")
    saved(tmp_path / "saved", {"audio": audio("a.wav"), "label": ["dog"]})
    assert "no data files that datasets reads" in error(tmp_path / "empty")
    assert "datasets cannot load it" in error(tmp_path / "junk")
    assert "train.parquet is a file; give the folder" in error(tmp_path / "junk/train.parquet")
    assert "a folder that save_to_disk wrote has no configs; leave 'x' out" in error(f"{tmp_path / 'saved'}:x")
    for path in (tmp_path / "none", f"{tmp_path / 'none'}:x", "a/b/c", "C:\\sounds", ":x", "a/b:", "~nobody/x", "x" * 5000, "\0"):
        assert "there is no such folder, and it is no id on the Hugging Face Hub" in error(path)
    (tmp_path / "script").mkdir()
    (tmp_path / "script/script.py").touch()
    assert "found script.py; write it as parquet files" in error(tmp_path / "script")
    (tmp_path / "saved/data-00000-of-00001.arrow").write_bytes(b"junk")
    assert "datasets cannot load it" in error(tmp_path / "saved")
