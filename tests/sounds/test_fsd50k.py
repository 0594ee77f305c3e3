"""FSD50K: both layouts, the rules that leave clips out, and what is said of missing and wrong pieces."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from builders.errors import SoundLibraryError
from builders.recipe import Recipe
from builders.sounds import fsd50k_kinds
from builders.sounds.fsd50k_classes import CLASSES
from builders.sounds.library import Source
from builders.sounds.licenses import understand
from builders.sounds.screening import prepare
from builders.sounds.selection import Selection, select
from builders.sounds.sources import open_source
from tests.sounds.made_libraries import BY, MIRROR, PUBLISHED, Clip, fsd50k

CLIPS = (
    Clip("101", ("Bark",), uploader="bob", license=BY, title="my dog,\nbarking"),
    Clip("102", ("Chink_and_clink",), side="val"),
    Clip("103", ("Crying_and_sobbing",), side="eval", uploader="carla"),
    Clip("201", ("Bark", "Meow")),
    Clip("202", ("Dog",)),
    Clip("203", ("Bark",), votes=(1.0, 0.5)),
    Clip("204", ("Bark",), votes=None),
    Clip("205", ("Yodelling",)),
    Clip("206", ("Bark",), seconds=None),
    Clip("207", ("Bark",), side="eval", seconds=0),
)
KEPT = ["dev/101.wav", "dev/102.wav", "eval/103.wav", "eval/207.wav"]
"""What the rules keep; the last has no audio, which is no matter of theirs."""


def opened(root: Path, **options: str) -> Source:
    return open_source(f"fsd50k:{root}", options)


def ids(found: Source) -> list[str]:
    return [candidate.id for candidate in found.candidates]


def reasons(found: Source) -> dict[str, str]:
    return {rejection.id: rejection.reason for rejection in found.rejected}


def error(root: Path, **options: str) -> str:
    with pytest.raises(SoundLibraryError) as caught:
        opened(root, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fsd50k(tmp_path_factory.mktemp("fsd") / "FSD50K", CLIPS)


def test_what_is_known_of_a_clip(published: Path) -> None:
    found = opened(published)
    assert found.name == "fsd50k"
    assert ids(found) == KEPT
    first, second, third, _ = found.candidates
    assert (first.label, first.license, first.uploader, first.original, first.part) == ("Bark", BY, "bob", "101", "train")
    assert first.attribution == "my dog, barking by bob, freesound.org/s/101"
    assert first.source == "https://freesound.org/s/101"
    assert (second.label, second.part) == ("Chink and clink", "validation")
    assert (third.label, third.part, third.uploader) == ("Crying and sobbing", "test", "carla")
    assert {sound.label: sound.audioset_id for sound in found.sounds}["Chink and clink"] == "/m/07q7njn"
    assert found.selection == {"part": "dev+eval", "labels": "leaf", "votes": "predominant"}
    assert str(published) not in repr((found.name, found.notes, found.rejected, found.selection))


def test_every_clip_that_is_left_out_has_a_reason(published: Path) -> None:
    found = opened(published)
    assert reasons(found) == {
        "dev/201.wav": "it has several labels: 'Bark, Meow'; labels=any keeps it",
        "dev/202.wav": "its label 'Dog' is not specific: FSD50K has kinds of it; labels=single keeps it",
        "dev/203.wav": "'Bark' is not its main sound to everyone who listened (votes 1, 0.5); votes=any keeps it",
        "dev/204.wav": "there are no votes on whether 'Bark' is its main sound; votes=any keeps it",
        "dev/205.wav": "its label 'Yodelling' is not in the vocabulary",
        "dev/206.wav": "there is no such file (line 9 of dev.csv)",
    }
    assert [note for note in found.notes if note.startswith("left out: ")] == [
        "left out: 1 with several labels; 1 with a label that is not specific; "
        "1 whose label is not the main sound to everyone who listened; 1 without votes; "
        "1 with a label that is not in the vocabulary; 1 without a file"
    ]


def test_audio_that_cannot_be_read_is_left_out_by_name(published: Path) -> None:
    library = prepare(opened(published), Recipe())
    why = {rejection.id: rejection.reason for rejection in library.rejected}
    assert why["eval/207.wav"] == "holds no audio (0 frames)"
    assert "dev/201.wav" in why
    assert [recording.id for recording in library.recordings] == KEPT[:3]
    with pytest.raises(SoundLibraryError, match=r"'eval/207\.wav' cannot be used: holds no audio"):
        prepare(opened(published), Recipe(), strict=True)


@pytest.mark.parametrize(
    ("options", "more"),
    [
        ({"labels": "single"}, ["dev/202.wav"]),
        ({"labels": "any"}, ["dev/201.wav", "dev/202.wav"]),
        ({"votes": "any"}, ["dev/203.wav", "dev/204.wav"]),
        ({"labels": "any", "votes": "any"}, ["dev/201.wav", "dev/202.wav", "dev/203.wav", "dev/204.wav"]),
    ],
)
def test_each_rule_can_be_lifted(published: Path, options: dict[str, str], more: list[str]) -> None:
    assert ids(opened(published, **options)) == sorted([*KEPT, *more])


def test_further_labels_are_told(published: Path) -> None:
    note = "1 clip(s) of dev have further labels than the first, and stay out of sets that name one of those"
    lifted = opened(published, labels="any")
    assert note in lifted.notes
    assert note not in opened(published).notes
    assert lifted.also.keys() == {"dev/201.wav"}
    assert {"Meow", "Cat", "Animal"} <= lifted.also["dev/201.wav"]  # and what it is a kind of, should the library have that
    assert not opened(published).also


def test_parts(published: Path) -> None:
    assert ids(opened(published, part="dev")) == KEPT[:2]
    assert ids(opened(published, part="eval")) == KEPT[2:]
    assert ids(opened(published, part="both")) == KEPT


def test_the_mirror_s_layout_gives_the_same(published: Path, tmp_path: Path) -> None:
    assert_same(opened(fsd50k(tmp_path / "mirror", CLIPS, MIRROR)), opened(published))


@pytest.mark.parametrize("layout", [PUBLISHED, MIRROR])
def test_audio_and_metadata_in_two_places(published: Path, tmp_path: Path, layout: tuple[str, str, str, str]) -> None:
    audio, metadata = tmp_path / "audio", tmp_path / "elsewhere"
    fsd50k(audio, CLIPS, layout, metadata=metadata)
    assert_same(opened(audio, metadata=str(metadata)), opened(published))
    message = error(audio)
    assert message.startswith(f"fsd50k, dev: dev.csv is missing in {audio}; it comes in FSD50K.ground_truth.zip")
    assert "metadata=PATH says where it lies" in message
    assert "no such folder; give the folder of its labels" in error(audio, metadata=str(tmp_path / "none"))


def assert_same(found: Source, expected: Source) -> None:
    def strip(source: Source) -> Source:
        return replace(source, candidates=tuple(replace(one, path=Path()) for one in source.candidates))  # type: ignore[type-var]

    assert strip(found) == strip(expected)


@pytest.mark.parametrize("part", ["dev", "eval"])
def test_one_part_alone(tmp_path: Path, part: str) -> None:
    other = {"dev": "eval", "eval": "dev"}[part]
    root = fsd50k(tmp_path, [clip for clip in CLIPS if clip.part == part])
    found = opened(root)
    assert ids(found) == [name for name in KEPT if name.startswith(part)]
    assert f"{other} is not used: its audio is not there" in found.notes
    assert ids(opened(root, part=part)) == ids(found)
    for asked in (other, "both"):
        assert error(root, part=asked) == (f"fsd50k, {other}: {root} holds no folder FSD50K.{other}_audio or clips/{other}")


def test_audio_of_a_part_without_its_labels(tmp_path: Path) -> None:
    root = fsd50k(tmp_path, CLIPS, without=["eval.csv"])
    found = opened(root)
    assert ids(found) == KEPT[:2]
    assert "eval is not used: eval.csv is missing" in found.notes
    assert error(root, part="eval").startswith("fsd50k, eval: eval.csv is missing in ")


def test_no_metadata_at_all(tmp_path: Path) -> None:
    root = fsd50k(tmp_path, CLIPS)
    for folder in ("FSD50K.ground_truth", "FSD50K.metadata"):
        shutil.rmtree(root / folder)
    assert "dev.csv is missing in" in error(root)
    assert "zenodo.org/records/4060432" in error(root)


def test_a_folder_above_or_below_is_pointed_to(published: Path, tmp_path: Path) -> None:
    assert error(published.parent).endswith(f"; give {published}")
    assert error(published / "FSD50K.dev_audio").endswith(f"; give the folder above, {published}")
    mirror = fsd50k(tmp_path / "mirror", CLIPS[:2], MIRROR)
    assert error(mirror / "clips/dev").endswith(f"; give the folder above, {mirror}")
    assert ids(opened(mirror / "clips", metadata=str(mirror))) == KEPT[:2]
    assert "there is no such folder; give the folder that holds its audio" in error(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    empty = tmp_path / "empty"
    neither = f"fsd50k: {empty} holds no folder FSD50K.dev_audio, FSD50K.eval_audio, clips/dev or clips/eval"
    assert error(empty) == error(empty, part="both") == neither
    assert error(empty, part="eval") == f"fsd50k, eval: {empty} holds no folder FSD50K.eval_audio or clips/eval"


# --- missing pieces ---------------------------------------------------------------------------------------------------


def test_without_collections_the_most_specific_labels_count(tmp_path: Path) -> None:
    found = opened(fsd50k(tmp_path, CLIPS, without=["collection_dev.csv", "collection_eval.csv"]))
    assert ids(found) == KEPT
    assert reasons(found)["dev/201.wav"].startswith("it has several labels: 'Bark, Meow'")
    assert reasons(found)["dev/202.wav"].startswith("its label 'Dog' is not specific")
    assert any(note.startswith("collection_dev.csv is missing: labels before propagation") for note in found.notes)


def test_labels_that_only_the_collection_has(tmp_path: Path) -> None:
    """Before propagation a clip may have labels outside the 200 classes, of which the other tables show but the ancestors."""
    root = fsd50k(tmp_path, CLIPS)
    path = root / "FSD50K.metadata/collection/collection_dev.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("101,Bark,", '101,"Bark,Yip",'), encoding="utf-8")
    assert reasons(opened(root))["dev/101.wav"].startswith("it has several labels: 'Bark, Yip'")


def test_clips_that_the_collection_lacks(tmp_path: Path) -> None:
    root = fsd50k(tmp_path, CLIPS)
    path = root / "FSD50K.metadata/collection/collection_dev.csv"
    path.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if not line.startswith("101")))
    found = opened(root)
    assert ids(found) == KEPT
    assert "1 clip(s) are not in collection_dev.csv: the most specific labels in dev.csv count" in found.notes


def test_without_ratings(tmp_path: Path) -> None:
    root = fsd50k(tmp_path, CLIPS, without=["pp_pnp_ratings_FSD50K.json"])
    found = opened(root)
    assert ids(found) == sorted([*KEPT, "dev/203.wav", "dev/204.wav"])
    assert any(note.startswith("pp_pnp_ratings_FSD50K.json is missing: ") for note in found.notes)
    assert found.selection["votes"] == "any"
    assert not [note for note in opened(root, votes="any").notes if "ratings" in note]
    assert error(root, votes="predominant").startswith("fsd50k: votes=predominant: pp_pnp_ratings_FSD50K.json is missing in ")


def test_without_clip_info(tmp_path: Path) -> None:
    found = opened(fsd50k(tmp_path, CLIPS, without=["eval_clips_info_FSD50K.json"]))
    candidate = found.candidates[2]
    assert (candidate.license, candidate.uploader, candidate.attribution) == ("", "", "freesound.org/s/103")
    assert "eval_clips_info_FSD50K.json is missing: licences and uploaders of eval are not known" in found.notes
    assert ids(select(found, Selection(licenses="unknown"))) == KEPT[2:]


def test_clips_without_info(tmp_path: Path) -> None:
    root = fsd50k(tmp_path, CLIPS)
    path = root / "FSD50K.metadata/dev_clips_info_FSD50K.json"
    info = json.loads(path.read_text(encoding="utf-8"))
    del info["101"]
    path.write_text(json.dumps(info), encoding="utf-8")
    found = opened(root)
    assert found.candidates[0].license == ""
    assert "1 clip(s) are not in dev_clips_info_FSD50K.json: their licences and uploaders are not known" in found.notes


def test_a_licence_that_was_never_seen(tmp_path: Path) -> None:
    url = "https://example.org/licenses/mine/"
    found = opened(fsd50k(tmp_path, [replace(CLIPS[0], license=url), CLIPS[1]]))
    assert found.candidates[0].license == url
    assert understand(url).kind == "unknown"
    assert ids(select(found, Selection(licenses="cc0"))) == ["dev/102.wav"]


def test_without_a_vocabulary_classes_come_from_the_labels(tmp_path: Path) -> None:
    found = opened(fsd50k(tmp_path, CLIPS, without=["vocabulary.csv"]))
    assert {sound.label: sound.audioset_id for sound in found.sounds}["Bark"] == "/m/05tny_"
    assert any(note.startswith("vocabulary.csv is missing: classes are taken from dev.csv and eval.csv") for note in found.notes)


def test_audio_without_a_row(tmp_path: Path) -> None:
    root = fsd50k(tmp_path, CLIPS)
    folder = root / "FSD50K.dev_audio"
    for name in ("999.wav", "998.flac", "._101.wav", "readme.txt"):
        (folder / name).write_bytes((folder / "101.wav").read_bytes())
    found = opened(root)
    assert ids(found) == KEPT
    assert "2 file(s) in FSD50K.dev_audio are not in dev.csv; they are not used: 998.flac, 999.wav" in found.notes


def test_nothing_is_left(tmp_path: Path) -> None:
    message = error(fsd50k(tmp_path, [CLIPS[3], CLIPS[4]]))
    assert (
        "none of its 2 clips is left: 1 with several labels; 1 with a label that is not specific; such as dev/201.wav" in message
    )


# --- wrong pieces -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "lines", "said"),
    [
        (
            "FSD50K.ground_truth/dev.csv",
            ["fname,tags,split"],
            "no column 'labels'; the columns found are 'fname', 'tags', 'split'",
        ),
        ("FSD50K.ground_truth/dev.csv", ["fname,labels"], "no column 'split'"),
        ("FSD50K.ground_truth/dev.csv", [], "no column 'fname' and no column 'labels' and no column 'split'; the file is empty"),
        ("FSD50K.ground_truth/dev.csv", ["fname,labels,split", "101,Bark"], "dev.csv, line 2: 2 fields, but the header has 3"),
        (
            "FSD50K.ground_truth/dev.csv",
            ["fname,labels,mids,split"],
            "dev.csv: no clips are listed below the header; take the file",
        ),
        ("FSD50K.ground_truth/eval.csv", ["fname,labels,mids"], "eval.csv: no clips are listed below the header; take the file"),
        ("FSD50K.ground_truth/dev.csv", ["fname,labels,split", ",Bark,val"], "dev.csv, line 2: the column 'fname' is empty"),
        (
            "FSD50K.ground_truth/dev.csv",
            ["fname,labels,split", "101,Bark,val", "101,Meow,val"],
            "dev.csv: lines 2 and 3 are both for '101'",
        ),
        (
            "FSD50K.ground_truth/dev.csv",
            ["fname,labels,split", "101,Bark,dev"],
            "dev.csv, line 2: split is 'dev', neither train nor val",
        ),
        ("FSD50K.ground_truth/dev.csv", ["fname,labels,split", '101,"Bark,val'], "dev.csv, line 2: not readable as a table"),
        ("FSD50K.ground_truth/vocabulary.csv", ["0,Bark"], "vocabulary.csv, line 1: 2 fields, not 3"),
        ("FSD50K.metadata/collection/collection_dev.csv", ["id,labels"], "collection_dev.csv: no column 'fname'"),
        ("FSD50K.metadata/dev_clips_info_FSD50K.json", ["{", '"1": {,'], "FSD50K.json, line 2: not readable as JSON"),
        ("FSD50K.metadata/pp_pnp_ratings_FSD50K.json", ["[]"], "ratings_FSD50K.json: not a JSON object"),
    ],
)
def test_files_that_are_wrong(tmp_path: Path, name: str, lines: Sequence[str], said: str) -> None:
    root = fsd50k(tmp_path, CLIPS[:3])
    (root / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    message = error(root)
    assert said in message
    assert str(root / name) in message


def test_another_encoding(tmp_path: Path) -> None:
    root = fsd50k(tmp_path, CLIPS)
    path = root / "FSD50K.ground_truth/dev.csv"
    path.write_bytes(path.read_bytes() + "9,Türe,x,val\n".encode("latin-1"))
    assert "dev.csv, line 10: not UTF-8 at byte" in error(root)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"labels": "leaves"}, "source option labels: 'leaves' is none of leaf, single, any"),
        ({"part": "test"}, "source option part: 'test' is none of both, dev, eval"),
        ({"vote": "any"}, "fsd50k has no such option; its options are: part, labels, votes, metadata"),
    ],
)
def test_options_that_are_wrong(published: Path, options: dict[str, str], said: str) -> None:
    assert said in error(published, **options)


# --- which class is a kind of which -----------------------------------------------------------------------------------


def test_the_most_specific_labels() -> None:
    propagated = ("Bark", "Dog", "Domestic_animals_and_pets", "Animal", "Meow", "Cat")
    assert fsd50k_kinds.most_specific(propagated) == ("Bark", "Meow")
    assert fsd50k_kinds.most_specific(("Animal",)) == ("Animal",)
    assert fsd50k_kinds.most_specific(("Doorbell", "Door", "Alarm")) == ("Doorbell",)
    assert fsd50k_kinds.most_specific(("Yodelling", "Bark")) == ("Yodelling", "Bark")


def test_every_class_is_a_label() -> None:
    labels = [fsd50k_kinds.as_written(found.name) for found in CLASSES]
    assert len(set(labels)) == 200
    assert {"Dishes_and_pots_and_pans", "Fixed-wing_aircraft_and_airplane", "Chink_and_clink", "Tick-tock"} <= set(labels)
    assert not [label for label in labels if " " in label or "," in label]
    # By the ontology. Its authors count 144 leaves and 56 others, and do not say which.
    assert Counter(map(fsd50k_kinds.is_leaf, labels)) == {True: 143, False: 57}


def test_every_leaf_can_be_used(tmp_path: Path) -> None:
    """All labels find their class and a phrase of the table, and no two are said alike."""
    clips = [Clip(str(number), (fsd50k_kinds.as_written(found.name),)) for number, found in enumerate(CLASSES)]
    found = opened(fsd50k(tmp_path, clips), labels="single")
    assert {sound.audioset_id for sound in found.sounds} == {one.id for one in CLASSES}
    assert not [note for note in found.notes if "said by their label alone" in note]
    assert len(opened(tmp_path).sounds) == 143
