"""How labels are said."""

from __future__ import annotations

import csv
import re
from itertools import pairwise
from pathlib import Path

import pytest

from builders.captions import caption
from builders.sounds.assemble import Said, assemble
from builders.sounds.english import ROWS
from builders.sounds.english.row import Row
from builders.sounds.fsd50k_classes import CLASSES
from builders.sounds.library import AtomicSound
from builders.sounds.phrases import Phrase, canonical_label, known_labels, label_key, phrase, plain_phrase
from builders.tasks import TASKS
from builders.tasks.forms import Pattern, write_sentence
from builders.timeline import Event, Timeline
from tests.sounds.made import MadeCandidate

ESC_50 = (
    "dog rooster pig cow frog cat hen insects sheep crow rain sea_waves crackling_fire crickets chirping_birds water_drops wind "
    "pouring_water toilet_flush thunderstorm crying_baby sneezing clapping breathing coughing footsteps laughing brushing_teeth "
    "snoring drinking_sipping door_wood_knock mouse_click keyboard_typing door_wood_creaks can_opening washing_machine "
    "vacuum_cleaner clock_alarm clock_tick glass_breaking helicopter chainsaw siren car_horn engine train church_bells airplane "
    "fireworks hand_saw"
)
URBAN_SOUND_8K = (
    "air_conditioner car_horn children_playing dog_bark drilling engine_idling gun_shot jackhammer siren street_music"
)
FSD50K = [found.name for found in CLASSES]
FSD50K_AS_WRITTEN = [found.name.replace(", and ", ", ").replace(", ", "_and_").replace(" ", "_") for found in CLASSES]
UNKNOWN = ("zither", "Zither_solo", "TV", "MRI scan 2", "8 bit", "Öltanker", "rumbling sound", "犬", "-", '12" record')
PATTERNS = [pattern for task in TASKS.values() for form in task.forms for pattern in (*form.patterns, *form.twin_patterns)]
OTHERS = {letter: AtomicSound(letter, f"{letter}-noun", f"{letter}-clause") for letter in "ABCDEF"}


def test_nouns_clauses_and_labels_are_unique() -> None:
    for texts in ([row.noun.casefold() for row in ROWS], [row.clause.casefold() for row in ROWS]):
        assert len(set(texts)) == len(texts)
    keys = [label_key(label) for row in ROWS for label in row.labels.split(",")]
    assert sorted(keys) == sorted(set(keys))


@pytest.mark.parametrize(
    ("labels", "count"),
    [(ESC_50.split(), 50), (URBAN_SOUND_8K.split(), 10), (FSD50K, 200), (FSD50K_AS_WRITTEN, 200)],
    ids=["ESC-50", "UrbanSound8K", "FSD50K", "FSD50K's tables"],
)
def test_common_datasets_are_known_and_no_two_labels_are_said_alike(labels: list[str], count: int) -> None:
    said = {label: phrase(label) for label in labels}
    assert len(said) == count
    assert [label for label in labels if not said[label].known] == []
    assert len({found.noun for found in said.values()}) == len({found.clause for found in said.values()}) == count


def test_the_real_labels_are_known(shared: Path) -> None:
    with (shared / "sounds/real/manifest.csv").open(encoding="utf-8", newline="") as file:
        sustained = {line["label"]: line["sustained"] == "true" for line in csv.DictReader(file)}
    assert {label: phrase(label).sustained for label in sustained} == sustained


@pytest.mark.parametrize("label", ["dog bark", "Dog_Bark", "dog-bark", " dog  barks", "DOG BARKING", "dogs", "a dog barking"])
def test_spelling_makes_no_difference(label: str) -> None:
    assert phrase(label).noun == "a dog barking"
    assert phrase(label).clause == "a dog barks"
    assert canonical_label(label) == "dog bark"


def test_a_class_says_what_its_name_means_there() -> None:
    ids = {found.name: found.id for found in CLASSES}
    assert phrase("dog", ids["Dog"]).noun == "a dog"  # growls as well
    assert phrase("dog", ids["Bark"]).noun == "a dog barking"  # the label is more than the class's name
    assert phrase("köter", ids["Bark"]).noun == "a dog's bark"
    assert not phrase("köter", "/m/elsewhere").known
    said = [phrase(found.name, found.id) for found in CLASSES]
    assert len({found.noun for found in said}) == len({found.clause for found in said}) == len(CLASSES)


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("zither", "zither"),
        ("Zither_solo ", "Zither solo"),
        ("Clunk,  clank", "Clunk, clank"),
        ("MRI scan 2", "MRI scan 2"),
        ("犬", "犬"),
        ("-", "-"),
        ('12" record', "12' record"),
    ],
)
def test_unknown_labels(label: str, words: str) -> None:
    said = phrase(label)
    assert (said.noun, said.clause) == (f'the sound of "{words}"', f'the sound of "{words}" is heard')
    assert said.sustained is None
    assert not said.known
    assert canonical_label(label) is None


def test_known_labels_are_listed() -> None:
    listed = known_labels()
    assert list(listed) == sorted(listed)
    assert all(found.known for found in listed.values())
    assert listed["rooster"] == listed["rooster crow"] == Phrase("a rooster crowing", "a rooster crows", False, True)


def test_a_source_says_so_once() -> None:
    """Neither the clause made from a noun that is given, nor that of an unknown label, says "the sound of" twice."""
    candidates = [MadeCandidate(f"{label}/0", label) for label in ("zither", "saz", "rain")]
    found = assemble("made", candidates, {"saz": Said(noun="the sound of a saz")})
    assert [(sound.noun, sound.clause) for sound in found.sounds] == [
        ("rain falling", "rain falls"),
        ("the sound of a saz", "the sound of a saz is heard"),
        ('the sound of "zither"', 'the sound of "zither" is heard'),
    ]
    assert found.notes[0] == 'said by their label alone (the sound of "zither"), as no English for them is known: zither'


# Words that begin with a vowel letter but not with its sound, and the other way round.
_A = re.compile(r"(uni|use|usu|uti|eu|ewe|one\b|once\b)")
_AN = re.compile(r"(hour|heir|honest|hono)")
_UNCOUNTABLE = (
    "music|percussion|road traffic|household activity|poultry|water|rain|wind|thunder|glass|wood|food|tape|cutlery|"
    "mining machinery|morse code"
)
_PLURAL = (
    "birds|insects|crickets|sea waves|raindrops|hands|fingers|footsteps|people|children|dishes|scissors|coins|keys|"
    "tyres|electric sparks|fireworks|glasses|church bells|wind chimes|street musicians"
)
_VERB = r"(is|are|being|\w+ing|\w+s)\b"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.labels.split(",")[0])
def test_articles_and_verbs(row: Row) -> None:
    for text in (row.noun, row.clause):
        for article, word in re.findall(r"\b(an?) (\w+)", text):
            like_a_vowel = bool(_AN.match(word)) or (word[0] in "aeiou" and not _A.match(word))
            assert article == ("an" if like_a_vowel else "a"), text
        assert not re.search(rf"\ban? ({_UNCOUNTABLE}|{_PLURAL}) {_VERB}", text, re.IGNORECASE), text
        # It begins with an article, or with a word that needs none.
        assert re.match(rf"(an?|the|something|somebody|{_UNCOUNTABLE}|{_PLURAL})\b", text, re.IGNORECASE), text
    plural = re.match(rf"({_PLURAL}) (?!(is|has|\w+[^s]s)\b)\w", row.clause)
    singular = re.search(rf" (is|has|{_VERB})", row.clause)
    assert plural or (singular and not re.match(rf"({_PLURAL})\b", row.clause)), row.clause


_ODD = re.compile(r"_|  |sound of the sound\b|that of the sound\b|\bor of the sound\b|\bsounds? of (?:an? )?(?:\w+ )?sounds?\b")


def oddities(sentence: str) -> list[str]:
    """What no sentence may show: a word twice, an underscore, "the sound of" where it is said already."""
    words = re.findall(r"[\w'-]+|\"", sentence.casefold())
    return [f"{a} {b}" for a, b in pairwise(words) if a == b] + _ODD.findall(sentence.casefold())


@pytest.mark.parametrize("label", [*(row.labels.split(",")[0] for row in ROWS), "Chink_and_clink", *UNKNOWN])
def test_every_sentence_with_every_label(label: str) -> None:
    """Each label for each letter of each pattern, and in a caption."""
    said = phrase(label)
    sound = AtomicSound(label, said.noun, said.clause)
    for pattern in PATTERNS:
        for letter in sorted(set(re.findall(r"\{(\w)[}:]", pattern.text))):
            sentence = write_sentence(pattern, OTHERS | {letter: sound}, 2.5)
            assert oddities(sentence) == [], sentence
            assert any(words.casefold() in sentence.casefold() for words in (sound.of, sound.clause)), sentence
    events = Timeline((Event(label, 0, 2000), Event("A", 1000, 4000), Event("B", 1500, 3000)))
    assert oddities(caption(events, OTHERS | {label: sound})) == []


def test_where_the_sound_of_is_said_already_it_is_not_said_again() -> None:
    zither = plain_phrase("zither")
    sounds = OTHERS | {"A": AtomicSound("zither", zither.noun, zither.clause)}
    said = {
        "the sound of {A:of} lasts longer than that of {B:of}": 'The sound of "zither" lasts longer than that of B-noun.',
        "there is no sound of {A:of}": 'There is no sound of "zither".',
        "{B} without {A}": 'B-noun without the sound of "zither".',
        "first {A:clause}": 'First the sound of "zither" is heard.',
    }
    assert {text: write_sentence(Pattern(text, {}), sounds) for text in said} == said


def test_no_pattern_needs_to_know_whether_a_sound_is_singular() -> None:
    """ "There is birds chirping" is no English, nor is "birds chirping are the longer sound"."""
    for pattern in PATTERNS:
        assert not re.search(r"there is \{|^\{\w\} (is|comes|lasts)\b|[^h] \{\w\} (is|comes|lasts)\b", pattern.text), pattern.text
        assert not re.search(r"(sounds?|that|or|and) of \{\w\}", pattern.text), f"{pattern.text!r} needs {{A:of}}"


def test_only_the_first_of_many_unknown_labels_are_shown() -> None:
    found = assemble("made", [MadeCandidate(f"{n:02}/0", f"zither {n:02}") for n in range(12)])
    shown = "; ".join(f"zither {n:02}" for n in range(10))
    assert found.notes[0].endswith(f"as no English for them is known: {shown} and 2 more")
    few = assemble("made", [MadeCandidate(f"{n:02}/0", f"zither {n:02}") for n in range(10)])
    assert few.notes[0].endswith(f": {shown}")
