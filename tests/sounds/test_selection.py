"""Which recordings of a source a corpus may use."""

from __future__ import annotations

from dataclasses import replace

import pytest

from builders.errors import SoundLibraryError
from builders.recipe import Recipe
from builders.sounds.screening import prepare, with_overheard
from builders.sounds.selection import Selection, by_preference, select
from tests.sounds.made import MadeCandidate, made_source

RECIPE = Recipe(sample_rate=8000)


def licensed() -> list[MadeCandidate]:
    texts = ["CC0", "http://creativecommons.org/licenses/by/3.0/", "CC BY-NC 4.0", "", "CC BY-ND 4.0", "http://example.org/odd"]
    return [MadeCandidate(f"{n}", "dog", license=text) for n, text in enumerate(texts)]


def test_without_a_list_all_that_allow_derivatives_are_used() -> None:
    found = select(made_source(licensed()), Selection())
    assert [candidate.id for candidate in found.candidates] == ["0", "1", "2", "3", "5"]
    assert [(one.id, one.reason) for one in found.rejected] == [
        ("4", "its licence forbids derivatives, and a clip is one (CC BY-ND 4.0)")
    ]


def test_only_the_licences_asked_for() -> None:
    found = select(made_source(licensed()), Selection(licenses="cc0,cc-by"))
    assert [candidate.id for candidate in found.candidates] == ["0", "1"]
    reasons = {one.id: one.reason for one in found.rejected}
    assert reasons["2"] == "its licence is not among those asked for (CC BY-NC 4.0)"
    assert reasons["3"] == "its licence is not among those asked for (none is stated)"
    assert "forbids derivatives" in reasons["4"]
    assert found.selection["licenses"] == "cc0,cc-by"
    assert [c.id for c in select(made_source(licensed()), Selection(licenses="unknown")).candidates] == ["3", "5"]


def test_recordings_that_need_an_author_and_name_none_are_told() -> None:
    found = select(made_source(licensed()), Selection(licenses="cc0,cc-by,cc-by-nc"))
    assert found.notes[-1] == (
        "2 of 3 recordings have a licence that asks for attribution and name no author; give one before you publish"
    )
    credited = [MadeCandidate("1", "dog", license="CC BY 3.0", attribution="ann"), MadeCandidate("2", "dog", license="CC0")]
    assert not select(made_source(credited), Selection()).notes


def test_nothing_left_says_what_there_is() -> None:
    with pytest.raises(SoundLibraryError) as caught:
        select(made_source(licensed()[2:]), Selection(licenses="cc0", split="test"))
    assert str(caught.value) == (
        "made: none of its 4 recordings is left with licenses cc0; their licences are cc-by-nc (1), cc-by-nd (1), "
        "unknown (2); ask for others"
    )


@pytest.mark.parametrize(
    ("candidates", "licenses", "split", "said"),
    [
        (
            [MadeCandidate(str(n), "dog", uploader="ann") for n in range(4)],
            "",
            "test",
            "made: none of its 4 recordings is on the side 'test' of a split, but all are on train (4): all its 4 recordings are "
            "linked by uploader, original or the bytes of their files, so that they cannot be divided; ask for another side, or "
            "leave the split out",
        ),
        (
            [MadeCandidate(str(n), "dog", original="x" if n else "y") for n in range(4)],
            "",
            "validation",
            "all are on train (3), test (1): they are 2 groups that are linked by uploader, original or the bytes of their files "
            "and cannot be divided, the largest of 3; ask",
        ),
        ([MadeCandidate("0", "dog")], "", "test", "but all are on train (1): there are too few to be divided; ask"),
        (
            [MadeCandidate(str(n), "dog", part="validation" if n else "train") for n in range(4)],
            "",
            "test",
            "but all are on train (1), validation (3): the source's own sides are train (1), validation (3); ask",
        ),
        (
            [MadeCandidate(str(n), "dog", uploader="ann", license="CC0" if n else "CC BY 4.0") for n in range(4)],
            "cc0",
            "test",
            "none of its 3 recordings with licenses cc0 is on the side 'test' of a split, but all are on train (3): all its 4 ",
        ),
        (
            [MadeCandidate(str(n), "dog", uploader=f"u{n > 3}", license="CC BY 4.0" if n else "CC0") for n in range(9)],
            "cc0",
            "validation",
            "all are on test (1): sides are made of all its 9 recordings, whatever their licences; ask",
        ),
    ],
)
def test_a_side_without_recordings_says_why(candidates: list[MadeCandidate], licenses: str, split: str, said: str) -> None:
    with pytest.raises(SoundLibraryError) as caught:
        select(made_source(candidates), Selection(licenses=licenses, split=split))
    assert said in str(caught.value)
    assert "licences are" not in str(caught.value)


def test_recordings_taken_from_the_source_s_own_sides_are_counted() -> None:
    candidates = [MadeCandidate("0", "dog", uploader="ann", part="train"), MadeCandidate("1", "dog", uploader="bo", part="test")]
    candidates += [MadeCandidate(f"2{n}", "dog", uploader="ann", part="test") for n in range(3)]
    candidates += [MadeCandidate("3", "dog", uploader="ann", part="validation"), MadeCandidate("4", "dog", uploader="ann")]
    found = select(made_source(candidates), Selection(split="train"))
    moved = "as they share an uploader, an original or the bytes of their files with recordings of it"
    assert found.notes == (
        "split train: 6 recordings; 0 on the side 'validation', 1 on the side 'test' are not used",
        f"1 recordings of the source's own validation side are on the train side, {moved}",
        f"3 recordings of the source's own test side are on the train side, {moved}",
    )
    assert len(select(made_source(candidates), Selection(split="test")).notes) == 1


def test_sides_of_recordings_by_unknown_people_say_so() -> None:
    candidates = [MadeCandidate(str(n), "dog", uploader="" if n < 7 else f"u{n}") for n in range(10)]
    found = select(made_source(candidates), Selection(split="train"))
    assert found.notes[1:] == ("the uploader of 7 of 10 recordings is not known; sides may share people",)
    assert found.selection["recordings of unknown uploaders"] == "7 of 10"
    everything = select(made_source(candidates), Selection())
    assert not everything.notes
    assert "recordings of unknown uploaders" not in everything.selection
    computed = select(replace(made_source(candidates), synthetic=True), Selection(split="train"))
    assert len(computed.notes) == 1
    assert "recordings of unknown uploaders" not in computed.selection


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"split": "tset"}, "split 'tset': there are train"),
        ({"max_recordings": 0}, "at least 1"),
        ({"licenses": "x"}, "'x' is not"),
    ],
)
def test_what_cannot_be_selected(changes: dict[str, object], said: str) -> None:
    with pytest.raises(SoundLibraryError, match=said):
        Selection(**changes)  # type: ignore[arg-type]


def test_sides_share_nothing_and_are_all_there_is() -> None:
    candidates = [
        MadeCandidate(f"{n}", f"label {n % 4}", uploader=f"u{n % 17}", license="CC0" if n % 3 else "") for n in range(80)
    ]
    source = made_source(candidates)
    sides = {name: select(source, Selection(split=name)) for name in ("train", "validation", "test")}
    ids = {name: {candidate.id for candidate in side.candidates} for name, side in sides.items()}
    assert sum(map(len, ids.values())) == len(set().union(*ids.values())) == 80
    uploaders = {name: {candidate.uploader for candidate in side.candidates} for name, side in sides.items()}
    assert not uploaders["train"] & uploaders["test"]
    assert not uploaders["validation"] & uploaders["test"]
    # A filter by licence changes no side.
    free = select(source, Selection(licenses="cc0", split="test"))
    assert {candidate.id for candidate in free.candidates} <= ids["test"]
    assert any("split test" in note for note in free.notes)


def test_preference_takes_turns_between_uploaders() -> None:
    many = [MadeCandidate(f"a{n}", "dog", uploader="prolific") for n in range(10)]
    few = [MadeCandidate("b", "dog", uploader="one"), MadeCandidate("c", "dog", uploader="two"), MadeCandidate("d", "dog")]
    ordered = by_preference([*many, *few])["dog"]
    assert len({candidate.uploader for candidate in ordered[:4]}) == 4
    assert by_preference([*few, *reversed(many)])["dog"] == ordered


def test_unusable_recordings_are_replaced_by_further_ones() -> None:
    candidates = [MadeCandidate(f"dog {n}{' broken' if n % 2 else ''}", "dog") for n in range(12)]
    candidates += [MadeCandidate("cat 0", "cat"), MadeCandidate("cat 1 broken", "cat")]
    source = made_source(candidates)
    library = prepare(source, RECIPE, max_recordings=4)
    assert len(library.recordings_of("dog")) == 4
    assert len(library.recordings_of("cat")) == 1
    tried = {one.id for one in library.rejected} | {one.id for one in library.recordings}
    assert any(f"{len(candidates) - len(tried)} further recordings are not read: 4 of each" in note for note in library.notes)
    assert len(prepare(source, RECIPE).recordings) == 7
    again = prepare(source, RECIPE, max_recordings=4, num_proc=2)
    assert (again.digest, again.rejected) == (library.digest, library.rejected)


def test_progress_never_goes_back_and_ends_when_all_is_done() -> None:
    source = made_source([MadeCandidate(f"{n}{' broken' if n < 8 else ''}", "dog") for n in range(12)])
    seen: list[tuple[int, int]] = []
    prepare(source, RECIPE, max_recordings=4, progress=lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[0][0] == 0
    assert seen[-1][0] == seen[-1][1]
    assert all(done <= total for done, total in seen)


def test_what_is_overheard_is_part_of_the_library() -> None:
    library = prepare(made_source([MadeCandidate(f"{label} {n}", label) for label in ("cat", "dog") for n in range(2)]), RECIPE)
    heard = with_overheard(library, {"cat 0": frozenset({"dog", "no such label"}), "gone": frozenset({"dog"})})
    assert heard.overheard == {"cat 0": frozenset({"dog"})}
    assert heard.heard_in("cat 0") == {"dog"}
    assert heard.heard_in("dog 0") == library.heard_in("cat 0") == frozenset()
    assert heard.digest != library.digest
    assert with_overheard(library, {}).digest == library.digest
    assert library.overheard is None
    assert (library.listened, heard.listened) == (False, True)
    assert with_overheard(heard, {"dog 1": frozenset({"cat"})}).overheard == {**heard.overheard, "dog 1": frozenset({"cat"})}


def test_further_labels_of_the_source_count_as_overheard() -> None:
    source = made_source([MadeCandidate(f"{label} {n}", label) for label in ("cat", "dog") for n in range(2)])
    library = prepare(replace(source, also={"cat 0": frozenset({"dog", "siren"}), "gone": frozenset({"dog"})}), RECIPE)
    assert library.overheard == {"cat 0": frozenset({"dog"})}
    assert not library.listened
