"""ESC-50: what is known of a clip, the padding, and what is said of missing and wrong pieces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from builders.errors import SoundLibraryError
from builders.recipe import Recipe
from builders.sounds.esc50 import CATEGORIES
from builders.sounds.library import Source
from builders.sounds.phrases import phrase
from builders.sounds.screening import prepare
from builders.sounds.sources import open_source
from builders.sounds.splits import split
from tests.sounds.made_libraries import RATE, EscClip, esc50, noise

CLIPS = (
    EscClip("1-100-A-0.wav", "dog", esc10=True),
    EscClip("1-100-B-0.wav", "dog", esc10=True),
    EscClip("2-200-A-11.wav", "sea_waves", esc10=True),
    EscClip("3-300-A-30.wav", "door_wood_knock"),
    EscClip("3-301-A-99.wav", "yodelling"),
    EscClip("4-400-A-1.wav", "rooster", seconds=None),
    EscClip("5-500-A-2.wav", "pig", seconds=0),
)


def opened(root: Path, **options: str) -> Source:
    return open_source(f"esc50:{root}", options)


def error(root: Path, **options: str) -> str:
    with pytest.raises(SoundLibraryError) as caught:
        opened(root, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return esc50(tmp_path_factory.mktemp("esc") / "ESC-50", CLIPS)


def test_what_is_known_of_a_clip(root: Path) -> None:
    found = opened(root)
    assert found.name == "esc50"
    assert [(one.id, one.label, one.license, one.original, one.part) for one in found.candidates] == [
        ("audio/1-100-A-0.wav", "dog", "CC-BY-3.0", "100", ""),
        ("audio/1-100-B-0.wav", "dog", "CC-BY-3.0", "100", ""),
        ("audio/2-200-A-11.wav", "sea waves", "CC-BY-3.0", "200", ""),
        ("audio/3-300-A-30.wav", "door wood knock", "CC-BY-NC-3.0", "300", ""),
        ("audio/5-500-A-2.wav", "pig", "CC-BY-NC-3.0", "500", ""),
    ]
    assert found.candidates[0].attribution == "ESC-50 (K. J. Piczak, 2015), from freesound.org/s/100"
    assert found.candidates[0].source == "https://freesound.org/s/100"
    assert found.selection == {"esc10": "all of ESC-50"}
    assert {sound.label for sound in found.sounds if sound.sustained} == {"sea waves"}


def test_what_is_left_out_has_a_reason(root: Path) -> None:
    library = prepare(opened(root), Recipe())
    assert {rejection.id: rejection.reason for rejection in library.rejected if rejection.id} == {
        "audio/3-301-A-99.wav": "its category 'yodelling' is none of ESC-50's (line 6 of meta/esc50.csv)",
        "audio/4-400-A-1.wav": "there is no such file (line 7 of meta/esc50.csv)",
        "audio/5-500-A-2.wav": "holds no audio (0 frames)",
    }
    assert len(library.recordings) == 4


@pytest.mark.parametrize("rate", [RATE, 44_100])
def test_padding_is_cut(root: Path, rate: int) -> None:
    candidate = opened(root).candidates[0]
    samples = candidate.read(rate)
    assert len(samples) / rate == pytest.approx(0.6, abs=0.005)
    assert np.abs(samples[-rate // 200 :]).max() > 1e-5
    if rate == RATE:
        np.testing.assert_allclose(samples, noise("dog", "1-100-A-0.wav", 0.6)[: len(samples)], atol=1e-4)


def test_clips_of_one_recording_stay_on_one_side(root: Path) -> None:
    sides = split(opened(root).candidates)
    assert sides["audio/1-100-A-0.wav"] == sides["audio/1-100-B-0.wav"]


def test_esc10_alone(root: Path) -> None:
    found = opened(root, esc10="yes")
    assert {one.license for one in found.candidates} == {"CC-BY-3.0"}
    assert len(found.candidates) == 3
    assert "4 recordings are not part of ESC-10 and are not used" in found.notes
    assert found.selection == {"esc10": "only ESC-10"}


def test_a_file_without_a_row(tmp_path: Path) -> None:
    root = esc50(tmp_path / "ESC-50", CLIPS)
    for name in ("0-x.wav", ".DS_Store"):
        (root / "audio" / name).touch()
    assert "1 file(s) in audio are not in meta/esc50.csv; they are not used: 0-x.wav" in opened(root).notes


def test_the_categories_are_known() -> None:
    assert len(CATEGORIES) == 50
    assert all(phrase(category.replace("_", " ")).known for category in CATEGORIES)


# --- wrong pieces -----------------------------------------------------------------------------------------------------


def test_a_folder_above_or_below_is_pointed_to(root: Path, tmp_path: Path) -> None:
    assert error(root.parent) == f"esc50: {root.parent}: meta/esc50.csv is missing; give {root}"
    assert error(root / "audio").endswith(f"; give {root}")
    assert "give the folder of ESC-50 that holds both" in error(tmp_path)
    assert "there is no such folder; give the one that holds meta and audio" in error(tmp_path / "none")


def test_no_audio(tmp_path: Path) -> None:
    root = esc50(tmp_path / "ESC-50", [])
    (root / "audio").rmdir()
    assert "the folder audio is missing" in error(root)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["filename,category,esc10"], "esc50.csv: no column 'src_file'; the columns found are 'filename', 'category', 'esc10'"),
        (["filename,category,esc10,src_file"], "no recordings are listed below the header"),
        (
            ["filename,category,esc10,src_file", "a.wav,dog,maybe,1"],
            "esc50.csv, line 2: esc10 is 'maybe', neither True nor False",
        ),
        (
            ["filename,category,esc10,src_file", "a.wav,dog,True,1", "a.wav,cat,True,1"],
            "esc50.csv: lines 2 and 3 are both for 'a.wav'",
        ),
        (
            ["filename,category,esc10,src_file", "a.wav,dog,True,1", "b.wav,cat,True,1", "c.wav,hen house,True,1"],
            "none of its 3 recordings can be used; of 2, such as audio/a.wav: there is no such file",
        ),
    ],
)
def test_tables_that_are_wrong(tmp_path: Path, lines: list[str], said: str) -> None:
    root = esc50(tmp_path / "ESC-50", [])
    (root / "meta/esc50.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert said in error(root)


def test_nothing_of_esc10(tmp_path: Path) -> None:
    root = esc50(tmp_path / "ESC-50", [CLIPS[3]])
    assert error(root, esc10="yes") == f"esc50: {root}: none of its 1 recordings is part of ESC-10; leave out esc10=yes"
    assert "source option esc10: 'true' is none of no, yes" in error(root, esc10="true")
