"""Folders and manifests: what is taken, how it is named, and what is said of what is wrong."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest
import soundfile

from builders.errors import SoundLibraryError, UnusableRecordingError
from builders.recipe import Recipe
from builders.sounds.folder import source
from builders.sounds.screening import prepare


def wav(path: Path, seed: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, np.random.default_rng(seed).normal(0, 0.1, 16_000), 16_000, format="WAV")
    return path


def manifest(folder: Path, text: str | bytes, name: str = "manifest.csv") -> Path:
    for file in ("a.wav", "b.wav", "c.wav"):
        wav(folder / file, ord(file[0]))
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def error(path: Path) -> str:
    with pytest.raises(SoundLibraryError) as caught:
        source(path)
    message = str(caught.value)
    assert "\n" not in message
    return message


def ids(path: Path) -> list[str]:
    return [candidate.id for candidate in source(path).candidates]


# --- folders ----------------------------------------------------------------------------------------------------------


def test_folders_are_labels(tmp_path: Path) -> None:
    wav(tmp_path / "dog_bark/b.WAV")
    wav(tmp_path / "dog_bark/a.wav")
    wav(tmp_path / "Chink, clink/1.flac")
    wav(tmp_path / "Türklingel/quote'and,comma;semi #1 (50%).wav")
    wav(tmp_path / "__MACOSX/dog_bark/a.wav")
    wav(tmp_path / "dog_bark/._a.wav")
    wav(tmp_path / ".hidden/a.wav")
    wav(tmp_path / "loose.wav")
    wav(tmp_path / "dog_bark/deeper/c.wav")
    (tmp_path / "dog_bark/notes.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    found = source(tmp_path)
    assert found.name == f"folder:{tmp_path.name}"
    assert [sound.label for sound in found.sounds] == ["Chink, clink", "Türklingel", "dog bark"]
    assert [candidate.id for candidate in found.candidates] == [
        "Chink, clink/1.flac",
        "Türklingel/quote'and,comma;semi #1 (50%).wav",
        "dog_bark/a.wav",
        "dog_bark/b.WAV",
    ]
    assert [candidate.source for candidate in found.candidates] == [candidate.id for candidate in found.candidates]
    assert {sound.label: sound.noun for sound in found.sounds} == {
        "Chink, clink": "glasses clinking",
        "Türklingel": 'the sound of "Türklingel"',
        "dog bark": "a dog barking",
    }
    notes = "\n".join(found.notes)
    for said in ("loose.wav", "dog_bark/deeper/c.wav", "dog_bark/notes.txt", "Türklingel"):
        assert said in notes
    assert str(tmp_path) not in repr((found.name, found.notes, [(c.id, c.source) for c in found.candidates]))
    assert len(prepare(found, Recipe()).rejected) > 0  # all hold the same audio


def test_links_are_followed_and_dangling_ones_rejected(tmp_path: Path) -> None:
    elsewhere = wav(tmp_path / "elsewhere/dog/a.wav")
    root = tmp_path / "root"
    root.mkdir()
    (root / "dog").symlink_to(elsewhere.parent)
    (root / "cat").mkdir()
    (root / "cat/b.wav").symlink_to(tmp_path / "gone.wav")
    assert ids(root) == ["cat/b.wav", "dog/a.wav"]
    assert [(r.id, r.reason) for r in prepare(source(root), Recipe()).rejected] == [
        ("", "none of its 1 recordings can be used"),
        ("cat/b.wav", "there is no such file"),
    ]


def test_labels_that_differ_in_case_are_one(tmp_path: Path) -> None:
    wav(tmp_path / "Dog/a.wav")
    wav(tmp_path / "dog/b.wav")
    found = source(tmp_path)
    assert [sound.label for sound in found.sounds] == ["Dog"]
    assert {candidate.label for candidate in found.candidates} == {"Dog"}
    assert any("'Dog', 'dog'" in note for note in found.notes)


def test_of_labels_that_differ_in_case_the_commonest_spelling_counts(tmp_path: Path) -> None:
    for name in ("DOG BARK/a.wav", "dog bark/b.wav", "dog bark/c.wav"):
        wav(tmp_path / name)
    found = source(tmp_path)
    assert [sound.label for sound in found.sounds] == ["dog bark"]
    assert "taken for one label, written 'dog bark': 'DOG BARK', 'dog bark'" in found.notes


def test_two_labels_for_one_sound_are_said_differently_and_confusable(tmp_path: Path) -> None:
    wav(tmp_path / "dog/a.wav")
    wav(tmp_path / "dog bark/b.wav")
    found = source(tmp_path)
    assert {sound.label: sound.noun for sound in found.sounds} == {"dog": 'the sound of "dog"', "dog bark": "a dog barking"}
    assert found.relations.related("dog", "dog bark")


def test_letters_are_composed(tmp_path: Path) -> None:
    wav(tmp_path / "Tu\u0308r/o\u0308.wav")
    assert ids(tmp_path) == ["T\u00fcr/\u00f6.wav"]


def test_names_that_are_no_text_are_left_out(tmp_path: Path) -> None:
    wav(tmp_path / "dog/a.wav")
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/dog/\xff.wav")).touch()
    assert ids(tmp_path) == ["dog/a.wav"]
    assert "not valid text" in source(tmp_path).notes[0]


def test_what_is_no_source(tmp_path: Path) -> None:
    assert "no such folder or manifest" in error(tmp_path / "none")
    assert "no audio found; put audio files" in error(tmp_path)
    (tmp_path / "dog").mkdir()
    (tmp_path / "dog/a.m4a").touch()
    assert "dog/a.m4a, are no audio by their suffix" in error(tmp_path)
    loose = wav(tmp_path / "loose.wav")
    assert "loose.wav" in error(tmp_path)
    assert "is one recording" in error(loose)
    wav(tmp_path / "audio/dog/a.wav")
    assert error(tmp_path).endswith(str(tmp_path / "audio"))


# --- manifests --------------------------------------------------------------------------------------------------------


def test_the_real_manifest(shared: Path) -> None:
    found = source(shared / "sounds/real")
    assert found.name == "folder:real"
    assert (len(found.sounds), len(found.candidates)) == (50, 267)
    assert found.candidates[0].license == "CC0-1.0"
    assert found.notes == ("columns that mean nothing here: duration_s, sample_rate, channels",)
    assert {sound.label for sound in found.sounds if sound.sustained} >= {"rain", "bus", "truck horn"}
    assert source(shared / "sounds/real/manifest.csv").candidates == found.candidates


FULL = """File Name;Category;Licence;Author;URL;Sustained;noun;clause;audioset_id;confusable;mood
a.wav;wet_gong;CC0;Ann;http://x/a;yes;a wet gong;a wet gong rings;/m/1;Rain;calm
b.wav;rain;;;;;;;;;
c.wav;wet gong;;;;;;;;nothing;
"""


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_field(tmp_path: Path, delimiter: str, encoding: str, newline: str) -> None:
    text = FULL.replace(";", delimiter).replace("\n", newline)
    found = source(manifest(tmp_path, text.encode(encoding), "manifest.tsv"))
    gong, rain = sorted(found.sounds, key=lambda sound: sound.label != "wet gong")
    assert (gong.noun, gong.clause, gong.sustained, gong.audioset_id) == ("a wet gong", "a wet gong rings", True, "/m/1")
    assert (rain.noun, rain.sustained, rain.audioset_id) == ("rain falling", True, None)
    first = found.candidates[0]
    assert (first.id, first.license, first.attribution, first.source) == ("a.wav", "CC0", "Ann", "http://x/a")
    assert found.relations.confusable == {"rain": {"wet gong"}, "wet gong": {"rain"}}
    assert found.notes == ("line 4: confusable: no sound here has the label 'nothing'", "columns that mean nothing here: mood")


def test_a_noun_alone_gives_a_clause(tmp_path: Path) -> None:
    found = source(manifest(tmp_path, "path,class,noun\na.wav,x,wet gongs\n"))
    assert found.sounds[0].clause == "the sound of wet gongs is heard"


def test_quoted_fields_and_odd_names(tmp_path: Path) -> None:
    wav(tmp_path / "sub dir/a, b;c\"'.wav")
    found = source(manifest(tmp_path, 'file,label\n"sub dir\\a, b;c""\'.wav","Chink, clink"\n\n./b.wav,x\n'))
    assert [(c.id, c.label) for c in found.candidates] == [("b.wav", "x"), ("sub dir/a, b;c\"'.wav", "Chink, clink")]
    assert len(prepare(found, Recipe()).recordings) == 2


def test_files_outside_the_folder_do_not_show_where(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    outside = [wav(tmp_path / "x/1.wav", 1), wav(tmp_path / "y/1.wav", 2)]
    found = source(manifest(inner, f"file,label\n{outside[0]},dog\n../y/1.wav,dog\n{inner}/a.wav,cat\n"))
    assert [candidate.id for candidate in found.candidates] == ["a.wav", "dog/1 (2).wav", "dog/1.wav"]
    assert len(prepare(found, Recipe()).recordings) == 3


def test_lines_without_label_or_file_are_rejections(tmp_path: Path) -> None:
    found = source(manifest(tmp_path, "file,label\na.wav,dog\nb.wav,\n,cat\ngone.wav,dog\n"))
    library = prepare(found, Recipe())
    assert [recording.id for recording in library.recordings] == ["a.wav"]
    assert {rejection.id: rejection.reason for rejection in library.rejected if rejection.id} == {
        "b.wav": "line 3 of the manifest gives no label",
        "line 4": "line 4 of the manifest names no file",
        "gone.wav": "there is no such file (line 5 of the manifest)",
    }
    with pytest.raises(SoundLibraryError, match=r"'b\.wav' cannot be used: line 3 of the manifest gives no label"):
        prepare(found, Recipe(), strict=True)
    with pytest.raises(UnusableRecordingError):
        next(candidate for candidate in found.candidates if candidate.id == "gone.wav").read(32_000)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty"),
        ("file,label\n", "no recordings are listed below the header"),
        ("name,label\na.wav,dog\n", "no column 'file'; the columns found are 'name', 'label'; 'file' may also be named filename"),
        ("a.wav\n", "no column 'file' and no column 'label'"),
        ("file,label,File\na.wav,dog,b.wav\n", "two columns are named 'file'"),
        ("file,label\na.wav,dog\nb.wav,dog\n./a.wav,cat\n", "lines 2 and 4 are both for './a.wav'"),
        ("file,label\na.wav,Chink, clink\n", "line 2: 3 fields, but the header has 2"),
        ('file,label\na.wav,"dog\n', "not readable as a table"),
        (
            "file,label,sustained\na.wav,dog,\nb.wav,dog,maybe\n",
            "line 3: sustained: 'maybe' is not understood; write true or false",
        ),
        ("file,label,sustained\na.wav,dog,1\nb.wav,Dog,no\n", "line 3: sustained of 'dog' is false, but true in line 2"),
        ("file,label,noun\na.wav,dog,a dog\nb.wav,dog,dogs\n", "line 3: noun of 'dog' is 'dogs', but 'a dog' in line 2"),
        ("file,label,noun\na.wav,x,a dog\nb.wav,y,a dog\n", "labels 'x' and 'y' are both said as 'a dog'"),
        ("file,label\nx/a.wav,dog\nx/b.wav,dog\n", "none of its 2 files exists, such as 'x/a.wav' in line 2"),
        ("file,label\na.wav,Hüpfen\n".encode("latin-1"), "line 2: not UTF-8 at byte 18; save it as UTF-8"),
        ("file,label\n".encode("utf-16-le"), "not a text"),
    ],
)
def test_manifests_that_are_wrong(tmp_path: Path, text: str | bytes, said: str) -> None:
    message = error(manifest(tmp_path, text))
    assert said in message
    assert re.search(r"manifest\.csv|^folder:", message)
