"""What a corpus must not use: the file, and a source without it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.errors import SoundLibraryError
from builders.logic import Relations, Truth
from builders.recipe import PRESETS
from builders.sounds.excluded import COLUMNS, Exclusion, exclude, read_exclusions, write_exclusions
from builders.sounds.screening import prepare
from tests.sounds.made import MadeCandidate, made_source

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
RECORDINGS = st.builds(Exclusion, st.just("recording"), TEXT, st.just(""), TEXT)
PAIRS = st.tuples(TEXT, TEXT, TEXT).filter(lambda t: t[0] != t[1]).map(lambda t: Exclusion("pair", *t))
EXCLUSIONS = st.lists(RECORDINGS | PAIRS, max_size=6, unique_by=lambda one: (one.kind, frozenset((one.a, one.b))))


@given(EXCLUSIONS, EXCLUSIONS)
def test_a_file_gives_back_what_was_written_and_leaves_comments_alone(
    tmp_path_factory: pytest.TempPathFactory, taken: list[Exclusion], others: list[Exclusion]
) -> None:
    path = tmp_path_factory.getbasetemp() / "exclude.csv"
    write_exclusions(path, taken, others, 'heard\nby nobody, # "yet"')
    assert list(read_exclusions(path)) == taken


def test_a_comment_counts_once_its_sign_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "exclude.csv"
    other = Exclusion("recording", "dog, the/1.wav", "", 'said "no"')
    write_exclusions(path, [], [other])
    path.write_text(path.read_text(encoding="utf-8").replace("# ", ""), encoding="utf-8")
    assert read_exclusions(path) == (other,)


def test_files_of_people_are_read(tmp_path: Path) -> None:
    path = tmp_path / "exclude.csv"
    text = (
        '\ufeff# mine, "unbalanced\n\nnote,kind,b,a,who\n,recording,,dog/1.wav,me\nalike,pair,rain,tap,me\n#,recording,,x\n'
        ",pair,tap,rain,\n,recording,,short"
    )
    path.write_bytes(text.replace("\n", "\r\n").encode())
    assert read_exclusions(path) == (
        Exclusion("recording", "dog/1.wav"),
        Exclusion("pair", "tap", "rain", "alike"),
        Exclusion("recording", "short"),
    )


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "no column kind and a and b; the first line names the columns: kind,a,b,note"),
        ("kind,a\nrecording,x\n", "no column b"),
        ("kind,a,b,note\n# c\nrecordings,x,,\n", "line 3: kind 'recordings' is not known; it is recording or pair"),
        ("kind,a,b,note\n\nrecording,,,\n", "line 3: a recording has its id in a"),
        ("kind,a,b\nrecording,x,y\n", "line 2: a recording has its id in a, and nothing in b"),
        ("kind,a,b\npair,x,\n", "line 2: a pair has two different labels"),
        ("kind,a,b\npair,x,x\n", "line 2: a pair has two different labels"),
        ("kind,a,b\npair\n", "line 2: a pair has two different labels"),
        ('kind,a,b\nrecording,"x,\n', "not a CSV file"),
        ("kind,a,b\nrecording," + "x" * 10_000_000 + ",\n", "not a CSV file"),
        ("x" * 10_000_000, "not a CSV file"),
        ("kind,a,b\n" + "y" * 100_000 + ",x,\n", "is not known"),
    ],
)
def test_what_is_something_else_gets_a_line(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "exclude.csv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(SoundLibraryError) as error:
        read_exclusions(path)
    assert said in str(error.value)
    assert str(error.value).startswith(f"exclude {path}")
    assert len(str(error.value).splitlines()) == 1
    assert len(str(error.value)) < 500


def test_what_cannot_be_read_gets_a_line(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"kind,a,b\nrecording,\xff,\n")
    for path, said in ((tmp_path / "none", "no such file"), (tmp_path, "directory"), (tmp_path / "latin", "UTF-8")):
        with pytest.raises(SoundLibraryError, match=said):
            read_exclusions(path)


SOURCE = replace(
    made_source(MadeCandidate(name, name[:-2]) for name in ("dog/1", "dog/2", "tap/1", "rain/1", "wolf/1")),
    relations=Relations({}, {"dog": frozenset({"wolf"}), "wolf": frozenset({"dog"})}),
)


def test_recordings_are_left_out_with_their_reason() -> None:
    found = prepare(
        exclude(SOURCE, [Exclusion("recording", "dog/1", "", "a wolf"), Exclusion("recording", "tap/1")]), PRESETS["full"]
    )
    assert {recording.id for recording in found.recordings} == {"dog/2", "rain/1", "wolf/1"}
    assert {one.id: one.reason for one in found.rejected if one.id} == {"dog/1": "excluded: a wolf", "tap/1": "excluded"}
    assert "tap" not in found.labels, "a sound without recordings goes with them"
    assert found.selection["excluded"] == "2 recordings"
    assert found.digest != prepare(SOURCE, PRESETS["full"]).digest


def test_another_recording_takes_the_place_of_one_that_is_left_out() -> None:
    few = prepare(SOURCE, PRESETS["full"], max_recordings=1)
    (first,) = (one.id for one in few.recordings if one.label == "dog")
    without = prepare(exclude(SOURCE, [Exclusion("recording", first)]), PRESETS["full"], max_recordings=1)
    (second,) = (one.id for one in without.recordings if one.label == "dog")
    assert {first, second} == {"dog/1", "dog/2"}


def test_pairs_are_easy_to_confuse_both_ways_beside_those_known_before() -> None:
    found = prepare(exclude(SOURCE, [Exclusion("pair", "tap", "rain"), Exclusion("pair", "dog", "tap")]), PRESETS["full"])
    assert found.relations.holds("tap", "rain") is Truth.UNCLEAR
    assert found.relations.holds("rain", "tap") is Truth.UNCLEAR
    assert found.relations.confusable["dog"] == {"wolf", "tap"}
    assert found.relations.holds("rain", "dog") is Truth.FALSE
    assert found.selection["excluded"] == "2 pairs of labels"


def test_a_pair_that_is_related_already_stays_as_it_is() -> None:
    source = replace(SOURCE, relations=Relations({"wolf": frozenset({"dog"})}, {}))
    found = exclude(source, [Exclusion("pair", "dog", "wolf")])
    assert found.relations.holds("wolf", "dog") is Truth.TRUE
    assert found.relations.confusable == {}


def test_what_is_not_there_changes_nothing_and_is_said() -> None:
    strange = [Exclusion("recording", "cat/1"), Exclusion("pair", "cat", "dog"), Exclusion("pair", "cat", "rain")]
    found = prepare(exclude(SOURCE, strange), PRESETS["full"])
    assert found.digest == prepare(SOURCE, PRESETS["full"]).digest
    assert "excluded: 1 recording and 2 pairs of labels are not in this library" in found.notes
    assert exclude(SOURCE, []).notes == SOURCE.notes


def test_all_recordings_cannot_be_left_out() -> None:
    with pytest.raises(SoundLibraryError, match="all of its 5 recordings are excluded"):
        exclude(SOURCE, [Exclusion("recording", one.id) for one in SOURCE.candidates])


def test_the_columns_are_those_of_the_documentation() -> None:
    assert COLUMNS == ("kind", "a", "b", "note")
