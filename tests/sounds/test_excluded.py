"""The file of what a corpus must not use, and a library without it."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from builders.errors import SoundLibraryError
from builders.logic import Relations
from builders.sounds.excluded import Exclusions, read_exclusions, with_exclusions, write_exclusions
from builders.sounds.library import AtomicSound, Recording, SoundLibrary
from builders.sounds.screening import with_overheard
from builders.sounds.store import open_library, save

HEADER = "kind,a,b,note\n"
NAMES = st.text(min_size=1, max_size=12).filter(str.strip) | st.sampled_from(
    ["#x", "a,b", 'say "x"', "two\n# lines", "a\rb", "a\r\nb", "=1+1", "+1", "-1", "@x", " x ", "\ufeffx", '"', "x\n"]
)
NOTES = st.just("") | NAMES
EXCLUSIONS = st.builds(
    Exclusions,
    st.dictionaries(NAMES, NOTES, max_size=4),
    st.dictionaries(st.frozensets(NAMES, min_size=2, max_size=2), NOTES, max_size=4),
)


@given(taken=EXCLUSIONS, candidates=EXCLUSIONS)
@example(Exclusions({"#x\n# y": "#"}, {frozenset(("#", "=1,\r#")): '"\n#'}), Exclusions({'"\n': "x"}, {}))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
def test_names_and_notes_come_back_exactly_and_candidates_are_comments(
    tmp_path: Path, taken: Exclusions, candidates: Exclusions
) -> None:
    path = tmp_path / "exclude.csv"
    write_exclusions(path, taken, candidates)
    assert read_exclusions(path) == taken
    # A person takes the candidates in by taking the signs away.
    write_exclusions(path, Exclusions(), candidates)
    lines = list(io.StringIO(path.read_bytes().decode(), newline=""))
    path.write_bytes("".join(line.removeprefix("# ") for line in lines).encode())
    assert read_exclusions(path) == candidates


def test_written_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "exclude.csv"
    path.write_text(
        '\ufeff# why "not\nkind,a,b\n\n recording ,x.wav\n"# recording",y.wav\n,,\npair,rain,sea\npair,sea,rain\n', "utf-8"
    )
    assert read_exclusions(path) == Exclusions({"x.wav": ""}, {frozenset(("rain", "sea")): ""})
    path.write_text(HEADER, "utf-8")
    assert read_exclusions(path) == Exclusions()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", ": it is empty; the first line is kind,a,b,note"),
        (b"# only\n", ": it is empty"),
        (b"kind,a\n", ", line 1: no column b"),
        (b"# x\nrecording,a,,\n", ", line 2: no column kind and b"),
        (b"kind,a,b,note\n#\nsound,a,,\n", ", line 3: kind 'sound'; there are recording and pair"),
        (b"kind,a,b,note\nrecording,,,\n", ", line 2: a is empty; it is the id"),
        (b"kind,a,b,note\npair,x,,\n", ", line 2: b is empty"),
        (b"kind,a,b,note\npair,x,x,\n", ", line 2: a pair of 'x' with itself"),
        (b"kind,a,b,note\nrecording,x,y,\n", ", line 2: a recording has no b"),
        (b"kind,a,b,note\nrecording,x,,a fox, I think\n", ", line 2: 5 fields, but the first line names 4 columns"),
        (b'kind,a,b,note\nrecording,"x\n\ny",,\nsound,x,,\n', ", line 5: kind 'sound'"),
        (b'kind,a,b,note\nrecording,"x,,\n\n', ", line 2: not a line of a CSV file"),
        (b"kind,a,b,note\n\nrecording,\xff,,\n", ", line 3: not in UTF-8"),
        (b"kind,a,b,note\nrecording," + b"x" * 10_000_000 + b",,\n", ", line 2: not a line of a CSV file"),
    ],
)
def test_what_is_not_understood_is_one_line_with_its_number(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "exclude.csv"
    path.write_bytes(content)
    with pytest.raises(SoundLibraryError, match=f"^exclude {path}{said}") as caught:
        read_exclusions(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_folder_and_no_file(tmp_path: Path) -> None:
    for path, said in ((tmp_path, "is a directory"), (tmp_path / "none", "no such file")):
        with pytest.raises(SoundLibraryError, match=f"^exclude {path}: {said}"):
            read_exclusions(path)


@pytest.fixture(scope="module")
def library() -> SoundLibrary:
    labels = ("bark", "dog", "drum", "rain", "sea")
    recordings = tuple(
        Recording(f"{label} {take}", label, np.full(1600, n + take / 4, np.float32), 100, True)
        for n, label in enumerate(labels)
        for take in range(2)
    )
    sounds = tuple(AtomicSound(label, f"a {label}", f"a {label}") for label in labels)
    return SoundLibrary("toy", 16_000, sounds, recordings, Relations({"bark": frozenset({"dog"})}), digest="before")


def test_a_library_without_what_is_excluded(library: SoundLibrary, tmp_path: Path) -> None:
    first, last = library.labels[0], library.labels[-1]
    strangers = [label for label in library.labels[1:-1] if not library.relations.related(label, last)]
    one = library.recordings_of(strangers[0])[0].id
    gone = {recording.id: "a\nfox" for recording in library.recordings_of(first)} | {one: ""}
    heard = with_overheard(library, {one: frozenset({last}), library.recordings_of(last)[0].id: frozenset({first, strangers[0]})})
    left = with_exclusions(heard, Exclusions(gone, {frozenset((last, strangers[0])): "", frozenset((first, last)): ""}))
    assert first not in left.labels
    assert one not in {recording.id for recording in left.recordings}
    reasons = {(rejection.label, rejection.id): rejection.reason for rejection in left.rejected}
    assert reasons[strangers[0], one] == "excluded"
    assert {reasons[first, name] for name in gone if name != one} == {"excluded: a fox"}
    assert reasons[first, ""] == f"all of its {len(gone) - 1} usable recordings are excluded"
    assert left.relations.related(last, strangers[0])
    assert left.overheard == {library.recordings_of(last)[0].id: frozenset({strangers[0]})}
    assert (left.excluded_recordings, left.excluded_pairs) == (len(gone), 1)
    assert left.digest != heard.digest
    save(left, tmp_path / "kept")
    again = open_library(tmp_path / "kept")
    assert (again.excluded_recordings, again.excluded_pairs, again.digest) == (len(gone), 1, left.digest)


def test_the_digest_follows_from_what_was_excluded(library: SoundLibrary) -> None:
    label = next(label for label in library.labels if library.relations.neighbours(library.labels)[label] != {label})
    relative = next(iter(library.relations.neighbours(library.labels)[label] - {label}))
    nothing = Exclusions({"none": ""}, {frozenset(("no such", label)): "", frozenset((label, relative)): ""})
    assert with_exclusions(library, nothing) is library
    name = library.recordings[0].id
    one = with_exclusions(library, Exclusions({name: "why"}))
    assert one.digest == with_exclusions(library, replace(nothing, recordings={"none": "", name: "other"})).digest
    stranger = next(other for other in library.labels if not library.relations.related(label, other))
    pair = with_exclusions(library, Exclusions({}, {frozenset((label, stranger)): ""}))
    assert len({library.digest, one.digest, pair.digest}) == 3
