"""Which columns of a dataset count, what they say, and what is said of those that are not clear."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from builders.recipe import Recipe
from builders.sounds.screening import prepare
from builders.sounds.selection import Selection, select
from tests.sounds.made_dataset import audio, error, hub, labels, reasons, saved

datasets = pytest.importorskip("datasets")


# --- labels -----------------------------------------------------------------------------------------------------------


def test_labels_are_tidied_and_missing_ones_rejected(tmp_path: Path) -> None:
    said = [" dog_bark ", "Dog bark", "", None, "Chink, clink"]
    found = hub(saved(tmp_path / "x", {"audio": audio("a.wav", "b.wav", "c.wav", "d.wav", "e.wav"), "label": said}))
    assert labels(found) == {"train/a.wav": "dog bark", "train/b.wav": "dog bark", "train/e.wav": "Chink, clink"}
    assert reasons(found) == {"train/c.wav": "it has no label", "train/d.wav": "it has no label"}
    assert "taken for one label, written 'dog bark': 'Dog bark', 'dog bark'" in found.notes


def test_classes_without_a_name_are_missing(tmp_path: Path) -> None:
    names = datasets.ClassLabel(names=["dog", "rain"])
    found = hub(saved(tmp_path / "x", {"audio": audio("a.wav", "b.wav", "c.wav"), "label": [1, -1, None]}, label=names))
    assert labels(found) == {"train/a.wav": "rain"}
    assert reasons(found) == dict.fromkeys(("train/b.wav", "train/c.wav"), "it has no label")


@pytest.mark.parametrize("kind", ["classes", "texts"])
def test_of_several_labels_none_is_chosen(tmp_path: Path, kind: str) -> None:
    names = ["dog_bark", "rain", "siren", "wind", "frog", "crow"]
    rows = [[0], [0, 1], [], [2, 2], None, [0, 1, 2, 3, 4, 5]]
    inner = datasets.ClassLabel(names=names) if kind == "classes" else datasets.Value("string")
    values = rows if kind == "classes" else [row if row is None else [names[n] for n in row] for row in rows]
    columns = {"audio": audio(*"abcdef"), "labels": values}
    found = hub(saved(tmp_path / "x", columns, labels=datasets.List(inner)))
    assert labels(found) == {"train/a": "dog bark", "train/d": "siren"}
    assert reasons(found) == {
        "train/b": "it has 2 labels (dog bark, rain); exactly one is needed",
        "train/c": "it has no label",
        "train/e": "it has no label",
        "train/f": "it has 6 labels (dog bark, rain, siren, wind, frog, ...); exactly one is needed",
    }


def test_no_usable_row_is_one_line(tmp_path: Path) -> None:
    columns = {"audio": audio("a.wav", "b.wav"), "label": [None, None]}
    message = error(saved(tmp_path / "x", columns))
    assert "none of its 2 rows can be used (2 because: it has no label); the columns used are audio 'audio', label" in message


# --- licences and people ----------------------------------------------------------------------------------------------


def test_columns_by_their_names(tmp_path: Path) -> None:
    columns = {
        "audio": audio("a.wav", "b.wav", "c.wav"),
        "category": ["dog"] * 3,
        "Licence": ["http://creativecommons.org/licenses/by/3.0/", None, "http://example.org/mine"],
        "username": ["Ann", "", "Bo"],
        "URL": ["https://freesound.org/s/1", "/home/ann/b.wav", ""],
        "freesound_id": [1, None, 3],
    }
    found = hub(saved(tmp_path / "x", columns, freesound_id=datasets.Value("int64")))
    one, two, three = found.candidates
    assert (one.license, one.uploader, one.original) == ("http://creativecommons.org/licenses/by/3.0/", "Ann", "1")
    assert (one.source, one.attribution) == (
        "https://freesound.org/s/1",
        "x, train/a.wav, by Ann (https://freesound.org/s/1)",
    )
    assert (two.license, two.uploader, two.original, two.source) == ("", "", "", "x: train/b.wav")
    assert three.license == "http://example.org/mine"  # never seen: it is kept as it is, and counts as unknown
    assert len(select(found, Selection(licenses="cc-by")).candidates) == 1
    assert len(select(found, Selection(licenses="unknown")).candidates) == 2


def test_columns_by_option(tmp_path: Path) -> None:
    columns = {"audio": audio("a.wav"), "other": audio("b.wav"), "x": ["dog"], "y": ["CC0"], "who": ["Ann"], "tape": ["t1"]}
    folder = saved(tmp_path / "d", columns, other=datasets.Audio())
    (one,) = hub(folder, audio="other", label="x", license="y", uploader="who", original="tape").candidates
    assert (one.id, one.label, one.license, one.uploader, one.original) == ("train/b.wav", "dog", "CC0", "Ann", "t1")


@pytest.mark.parametrize(
    ("card", "license"),
    [
        ("license: cc-by-nc-4.0", "cc-by-nc-4.0"),
        ("license:\n- cc0-1.0", "cc0-1.0"),
        ("license:\n- cc0-1.0\n- mit", "cc0-1.0 or mit"),
        ("license: other\nlicense_name: Sounds Licence", "Sounds Licence"),
        ("license: [", ""),
        ("- a list", ""),
    ],
)
def test_the_cards_licence(tmp_path: Path, card: str, license: str) -> None:
    folder = saved(tmp_path / "x", {"audio": audio("a.wav"), "label": ["dog"]})
    (folder / "README.md").write_text(f"---\n{card}\n---\n", encoding="utf-8")
    found = hub(folder)
    assert found.candidates[0].license == license
    assert any("neither a column nor the dataset's card states a licence" in note for note in found.notes) == (not license)
    assert hub(folder, license="CC BY 3.0").candidates[0].license == "CC BY 3.0"


def test_a_licence_by_option_is_for_rows_that_state_none(tmp_path: Path) -> None:
    said = ["CC BY-ND 4.0", "", None, "http://example.org/mine"]
    columns = {"audio": audio("a.wav", "b.wav", "c.wav", "d.wav"), "label": ["dog"] * 4, "License": said}
    folder = saved(tmp_path / "x", columns)
    (folder / "README.md").write_text("---\nlicense: cc-by-nc-4.0\n---\n", encoding="utf-8")
    found = hub(folder, license="CC BY 3.0")
    assert [one.license for one in found.candidates] == ["CC BY-ND 4.0", "CC BY 3.0", "CC BY 3.0", "http://example.org/mine"]
    assert "2 recordings that state no licence have the one of the option license: CC BY 3.0" in found.notes
    assert [one.id for one in select(found, Selection()).rejected] == ["train/a.wav"]
    assert [one.license for one in hub(folder, license="none").candidates][1:3] == ["unknown", "unknown"]
    # A column that is named counts alone, with the card's licence for its gaps.
    assert [one.license for one in hub(folder, license="License").candidates][:2] == ["CC BY-ND 4.0", "cc-by-nc-4.0"]
    plain = saved(tmp_path / "y", {"audio": audio("a.wav"), "label": ["dog"]})
    assert "1 recordings have the one of the option license: CC0" in hub(plain, license="CC0").notes


# --- what is wrong ----------------------------------------------------------------------------------------------------

A = audio("a.wav", "b.wav", "c.wav", "d.wav")


@pytest.mark.parametrize(
    ("columns", "kinds", "options", "said"),
    [
        ({"label": ["x"] * 4}, {}, {}, "no column holds audio; its columns are label (string); give the option audio=COLUMN"),
        (
            {"audio": A, "noisy": A, "label": ["x"] * 4},
            {"noisy": "audio"},
            {},
            "several columns hold audio (audio, noisy); its columns are audio (Audio), noisy (Audio), label (string)",
        ),
        ({"audio": A}, {}, {}, "no column is clearly the label; its columns are audio (Audio); give the option label=COLUMN"),
        ({"audio": A, "title": list("abcd")}, {}, {}, "no column is clearly the label"),
        ({"audio": A, "a": list("xxyy"), "b": list("xyxy")}, {}, {}, "several columns may be the label (a, b)"),
        ({"audio": A, "label": list("xxyy"), "class": list("xyxy")}, {}, {}, "several columns may be the label (label, class)"),
        ({"audio": A, "a": [0] * 4, "b": [0] * 4}, {"a": "class", "b": "class"}, {}, "several columns may be the label (a, b)"),
        ({"audio": A, "target": [1] * 4}, {"target": "int64"}, {}, "label column 'target' is int64 without names; cast it"),
        (
            {"audio": A, "target": [1] * 4},
            {"target": "numbers"},
            {},
            "label column 'target' is ClassLabel without names; cast it",
        ),
        ({"audio": A, "x": [1] * 4}, {"x": "numbers"}, {"label": "x"}, "label column 'x' is ClassLabel without names"),
        ({"audio": A, "x": [1] * 4}, {"x": "int32"}, {"label": "x"}, "label column 'x' is int32 without names"),
        ({"audio": A, "x": [1.0] * 4}, {"x": "float32"}, {"label": "x"}, "column 'x' holds no labels but float32"),
        ({"audio": A, "label": ["x"] * 4}, {}, {"audio": "label"}, "column 'label' holds no audio but string"),
        ({"audio": A, "label": ["x"] * 4}, {}, {"label": "lable"}, "there is no column 'lable' (did you mean 'label'?)"),
        (
            {"audio": A, "label": ["x"] * 4},
            {},
            {"license": "mine"},
            "option license: 'mine' is neither a column nor a licence that is understood",
        ),
        ({"audio": A, "label": ["x"] * 4}, {}, {"uploader": "audio"}, "option uploader: column 'audio' holds Audio, not texts"),
        ({"audio": A, "label": ["x"] * 4}, {}, {"revision": "main"}, "option revision: a folder has no revisions"),
    ],
)
def test_columns_that_are_not_clear(
    tmp_path: Path, columns: dict[str, Any], kinds: dict[str, str], options: dict[str, str], said: str
) -> None:
    made = {"audio": datasets.Audio(), "class": datasets.ClassLabel(names=["x"]), "numbers": datasets.ClassLabel(num_classes=2)}
    folder = saved(tmp_path / "d", columns, **{name: made.get(kind) or datasets.Value(kind) for name, kind in kinds.items()})
    assert said in error(folder, **options)


@pytest.mark.parametrize(
    ("columns", "kinds", "label"),
    [
        ({"text": list("abcd"), "species": list("xxyy")}, {}, "species"),
        ({"category": list("xxyy"), "species": list("xyxy"), "target": [1] * 4}, {"target": "int64"}, "category"),
        ({"fold": [0] * 4, "class": [0] * 4}, {"fold": "class", "class": "class"}, "class"),
        ({"genre": [0] * 4, "category": list("xxyy")}, {"genre": "class"}, "genre"),
        ({"Sound Class": list("xxyy"), "species": list("xyxy")}, {}, "Sound Class"),
        ({"license": ["CC0"] * 4, "user": list("xxyy"), "species": list("xyxy")}, {}, "species"),
    ],
)
def test_the_label_by_type_then_name_then_repetition(
    tmp_path: Path, columns: dict[str, Any], kinds: dict[str, str], label: str
) -> None:
    made = {name: datasets.ClassLabel(names=["x"]) if kind == "class" else datasets.Value(kind) for name, kind in kinds.items()}
    found = hub(saved(tmp_path / "d", {"audio": A, **columns}, **made))
    assert f"label {label!r}" in found.selection["columns"]


def test_audio_whose_type_got_lost_must_be_named(tmp_path: Path) -> None:
    lost = {"bytes": datasets.Value("binary"), "path": datasets.Value("string")}
    folder = saved(tmp_path / "d", {"sound": A, "label": ["dog"] * 4}, sound=lost)
    assert "its columns are sound (struct), label (string)" in error(folder)
    assert len(prepare(hub(folder, audio="sound"), Recipe()).recordings) == 4
