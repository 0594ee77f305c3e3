"""What else is heard in recordings: how a tagger's windows are counted, and the file that keeps the result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from builders.errors import SoundLibraryError
from builders.logic import NO_RELATIONS, Relations
from builders.recipe import Recipe
from builders.sounds import overheard as module
from builders.sounds.folder import source as folder_source
from builders.sounds.library import AtomicSound, Recording, Samples, SoundLibrary
from builders.sounds.ontology import Ontology, read_ontology
from builders.sounds.overheard import Overheard, classes_of, listened_for, overheard, read_overheard, write_overheard
from builders.sounds.screening import prepare

NODES = {
    "animal": ("Animal", ["dog", "bird"]),
    "dog": ("Dog", ["bark"]),
    "bark": ("Bark", []),
    "bird": ("Bird", ["crow"]),
    "crow": ("Crow, raven", []),
    "instrument": ("Musical instrument", ["harp", *(f"i{n}" for n in range(9))]),
    "harp": ("Harp", []),
    "rain": ("Rain", []),
}
ONTOLOGY = Ontology({key: name for key, (name, _) in NODES.items()}, {key: tuple(below) for key, (_, below) in NODES.items()})
CLASSES = (*NODES, "x0", "x1", "x2", "x3", "x4", "x5")
"""The tagger's; those that begin with x are nothing that any label has to do with."""
RATE = 1000


class FakeTagger:
    """Hears in the n-th window what the n-th value of the recording says: the index of a class."""

    classes = CLASSES
    names = tuple(NODES[name][0] if name in NODES else name for name in CLASSES)
    calls = 0

    def tag(self, samples: Samples, sample_rate: int) -> SimpleNamespace:
        FakeTagger.calls += 1
        windows = max(1, -(-(len(samples) * 16 - 15_600) // 7680) + 1)
        nothing = [CLASSES.index(f"x{n}") for n in range(4)]
        tops = np.array([[*nothing[:2], int(samples[window]), *nothing[2:]] for window in range(windows)])
        return SimpleNamespace(top_by_window=lambda number: tops)


@pytest.fixture
def listen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., list[Overheard]]:
    """Listens with the fake tagger, with an empty cache."""
    monkeypatch.setenv("REASONAUDIO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module.Tagger, "open", classmethod(lambda cls, path: FakeTagger()))
    module._opened.cache_clear()
    FakeTagger.calls = 0
    (tmp_path / "model.tflite").write_bytes(b"weights")

    def run(library: SoundLibrary, **options: object) -> list[Overheard]:
        return overheard(library, tmp_path / "model.tflite", ONTOLOGY, **options)  # type: ignore[arg-type]  # any of its options

    yield run
    module._opened.cache_clear()


def library(relations: Relations = NO_RELATIONS, /, **recordings: tuple[str, float, list[str]]) -> SoundLibrary:
    """A sound of every class but "animal", and recordings: name = (label, seconds, what each window is heard as)."""
    sounds = [AtomicSound(label, label, label, audioset_id=label) for label in ("bark", "bird", "crow", "dog", "harp", "rain")]
    sounds.append(AtomicSound("zither", "a zither", "a zither sounds"))
    made = []
    for name, (label, seconds, heard) in sorted(recordings.items()):
        samples = np.full(int(seconds * RATE), CLASSES.index("x5"), dtype=np.float32)
        samples[: len(heard)] = [CLASSES.index(one) for one in heard]
        made.append(Recording(name, label, samples, len(samples), True))
    return SoundLibrary("made", RATE, tuple(sounds), tuple(made), relations)


def test_every_moment_belongs_to_the_nearest_window() -> None:
    assert module._shares(1, 0.6) == pytest.approx([0.6])
    assert module._shares(1, 0.975) == pytest.approx([0.975])
    assert module._shares(3, 1.935) == pytest.approx([0.7275, 0.48, 0.7275])
    uneven = module._shares(3, 1.5)  # the last window ends with the recording
    assert uneven.sum() == pytest.approx(1.5)
    assert uneven[1] == pytest.approx((1.5 - 0.975) / 2)


def test_half_a_second_is_what_counts(listen: Callable[..., list[Overheard]]) -> None:
    found = listen(
        library(
            one_inner=("rain", 1.935, ["x5", "bird", "x5"]),
            two_inner=("rain", 2.415, ["x5", "bird", "bird", "x5"]),
            first=("rain", 1.935, ["bird", "x5", "x5"]),
            short=("rain", 0.6, ["bird"]),
        )
    )
    # To hear a bird is to hear something of which a crow is a kind, too.
    assert [(one.recording, one.other, one.seconds) for one in found] == [
        ("first", "bird", 0.73),
        ("first", "crow", 0.73),
        ("short", "bird", 0.6),
        ("short", "crow", 0.6),
        ("two_inner", "bird", 0.96),
        ("two_inner", "crow", 0.96),
    ]
    assert {one.heard_as for one in found} == {"Bird"}


def test_several_classes_count_together_and_the_longest_gives_its_name(listen: Callable[..., list[Overheard]]) -> None:
    (bark, dog) = listen(library(a=("rain", 2.895, ["x5", "bark", "dog", "bark", "x5"])))
    assert bark == Overheard("a", "rain", "bark", 1.44, "Bark")
    assert dog == Overheard("a", "rain", "dog", 1.44, "Bark")


@pytest.mark.parametrize("heard", ["animal", "dog", "bark"])
def test_what_the_own_label_explains_is_not_overheard(listen: Callable[..., list[Overheard]], heard: str) -> None:
    """An animal is heard in a dog: the bird, which is an animal as well, is not."""
    assert listen(library(a=("dog", 0.9, [heard]))) == []


def test_a_parent_of_many_tells_nothing_of_one(listen: Callable[..., list[Overheard]]) -> None:
    assert listen(library(a=("rain", 0.9, ["instrument"]))) == []
    assert [one.other for one in listen(library(a=("rain", 0.9, ["harp"])))] == ["harp"]


def test_related_labels_are_not_overheard(listen: Callable[..., list[Overheard]]) -> None:
    confusable = Relations(confusable={"rain": frozenset({"harp"}), "harp": frozenset({"rain"})})
    assert listen(library(confusable, a=("rain", 0.9, ["harp"]))) == []


def test_all_is_strange_to_a_label_without_a_class(listen: Callable[..., list[Overheard]]) -> None:
    assert [one.other for one in listen(library(a=("zither", 0.9, ["harp"])))] == ["harp"]


def test_what_was_tagged_is_not_tagged_again(listen: Callable[..., list[Overheard]], tmp_path: Path) -> None:
    made = library(a=("rain", 0.9, ["harp"]), b=("rain", 0.8, ["bird"]))
    seen: list[tuple[int, int]] = []
    first = listen(made, progress=lambda done, total: seen.append((done, total)))
    assert (FakeTagger.calls, seen) == (2, [(1, 2), (2, 2)])
    assert listen(made) == first
    assert FakeTagger.calls == 2
    next((tmp_path / "cache/tags").iterdir()).write_bytes(b"damaged")
    assert listen(made) == first
    assert FakeTagger.calls == 3
    (tmp_path / "model.tflite").write_bytes(b"other weights")
    listen(made)
    assert FakeTagger.calls == 5


def test_a_cache_that_cannot_be_written_is_no_error(listen: Callable[..., list[Overheard]], tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    assert len(listen(library(a=("rain", 0.9, ["harp"])))) == 1


def test_labels_without_an_id_are_found_by_their_names() -> None:
    sounds = [AtomicSound(label, label, label) for label in ("RAVEN", "musical_instruments", "dog barking", "gong", "rain")]
    sounds.append(AtomicSound("mine", "mine", "mine", audioset_id="harp"))
    tagger = FakeTagger()
    assert classes_of(sounds, tagger) == {  # type: ignore[arg-type]  # has what is looked at
        "RAVEN": "crow",
        "musical_instruments": "instrument",
        "dog barking": "dog",
        "rain": "rain",
        "mine": "harp",
    }
    assert listened_for([AtomicSound("new", "new", "new", audioset_id="not a class of it")], tagger, ONTOLOGY) == {}  # type: ignore[arg-type]  # the same


# --- a real tagger ----------------------------------------------------------------------------------------------------


def test_a_bird_behind_a_dog(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ai_edge_litert", reason="the tagger runs with LiteRT: pip install 'reasonaudio[tagger]'")
    monkeypatch.setenv("REASONAUDIO_CACHE", str(tmp_path / "cache"))
    ontology = read_ontology(shared / "data/audioset_ontology.json")
    real = folder_source(str(shared / "sounds/real"))
    kept = {"dog bark": 3, "bird call": 3, "rain": 2}
    of = {label: [c for c in real.candidates if c.label == label][:number] for label, number in kept.items()}
    sounds = tuple(sound for sound in real.sounds if sound.label in kept)
    few = replace(real, sounds=sounds, candidates=tuple(candidate for candidates in of.values() for candidate in candidates))
    made = prepare(few, Recipe(sample_rate=16_000))
    dog = made.recordings_of("dog bark")[0]
    bird = max(made.recordings_of("bird call"), key=lambda recording: recording.duration_ms)
    both = np.resize(bird.samples, 3 * 16_000) / np.abs(bird.samples).max() / 2
    both[: min(len(dog.samples), len(both))] += dog.samples[: len(both)] / np.abs(dog.samples).max() / 2
    mixed = Recording("mixed", "dog bark", both.astype(np.float32), 3000, True)
    listened = SoundLibrary("made", 16_000, made.sounds, (*made.recordings, mixed), made.relations)
    found = overheard(listened, shared / "models", ontology, num_proc=2)
    assert ("mixed", "bird call") in {(one.recording, one.other) for one in found}
    assert dog.id not in {one.recording for one in found}
    assert all(one.seconds >= 0.5 and one.label != one.other for one in found)
    assert overheard(listened, shared / "models", ontology) == found
    assert capfd.readouterr().err == ""  # what LiteRT writes there by itself would break a progress bar


# --- the file ---------------------------------------------------------------------------------------------------------


def test_the_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    found = [
        Overheard('a, "b".wav', "rain", "bird", 0.96, "Bird"),
        Overheard('a, "b".wav', "rain", "dog", 1.5, "Dog"),
        Overheard("c.wav", "鐘", "harp", 0.5, "Chink, clink"),
    ]
    path = tmp_path / "heard.csv"
    write_overheard(path, found)
    assert path.read_text(encoding="utf-8").splitlines()[0] == "recording,label,other,seconds,heard_as"
    assert read_overheard(path) == {'a, "b".wav': {"bird", "dog"}, "c.wav": {"harp"}}
    write_overheard(path, [])
    assert read_overheard(path) == {}


def test_two_columns_are_enough_for_a_file_made_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "heard.csv"
    path.write_text("\ufeffother,recording\r\nbird,a.wav\r\n", encoding="utf-8")
    assert read_overheard(path) == {"a.wav": {"bird"}}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "no column other and recording"),
        (b"recording,label\na,b\n", "no column other;"),
        (b"recording,other\na\n", "line 2: other is empty"),
        (b"recording,other\na,bird\n,bird\n", "line 3: recording is empty"),
        (b"recording,other\n\xff\xfe,b\n", "not a CSV file in UTF-8"),
        (b'recording,other\na,"b\n', "not a CSV file in UTF-8"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "heard.csv"
    path.write_bytes(content)
    with pytest.raises(SoundLibraryError, match=f"^overheard {path}[:,] .*{said}"):
        read_overheard(path)


def test_missing_files_are_named(tmp_path: Path) -> None:
    for path, said in ((tmp_path / "no.csv", "no such file"), (tmp_path, "is a directory")):
        with pytest.raises(SoundLibraryError, match=f"^overheard {path}: {said}"):
            read_overheard(path)
