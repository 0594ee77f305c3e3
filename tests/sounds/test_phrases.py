"""How labels are said."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from builders.sounds.phrase_table import ROWS
from builders.sounds.phrases import canonical_label, label_key, phrase

ESC_50 = (
    "dog rooster pig cow frog cat hen insects sheep crow rain sea_waves crackling_fire crickets chirping_birds water_drops wind "
    "pouring_water toilet_flush thunderstorm crying_baby sneezing clapping breathing coughing footsteps laughing brushing_teeth "
    "snoring drinking_sipping door_wood_knock mouse_click keyboard_typing door_wood_creaks can_opening washing_machine "
    "vacuum_cleaner clock_alarm clock_tick glass_breaking helicopter chainsaw siren car_horn engine train church_bells airplane "
    "fireworks hand_saw"
)


def test_nouns_clauses_and_labels_are_unique() -> None:
    for texts in ([row.noun for row in ROWS], [row.clause for row in ROWS]):
        assert len(set(texts)) == len(texts)
    keys = [label_key(label) for row in ROWS for label in row.labels.split(",")]
    assert sorted(keys) == sorted(set(keys))


def test_esc_50_is_known() -> None:
    labels = ESC_50.split()
    assert len(labels) == 50
    assert [label for label in labels if not phrase(label).known] == []
    assert len({phrase(label).noun for label in labels}) == 50


def test_the_real_labels_are_known(shared: Path) -> None:
    with (shared / "sounds/real/manifest.csv").open(encoding="utf-8", newline="") as file:
        sustained = {line["label"]: line["sustained"] == "true" for line in csv.DictReader(file)}
    assert {label: phrase(label).sustained for label in sustained if phrase(label).known} == sustained


@pytest.mark.parametrize("label", ["dog bark", "Dog_Bark", "dog-bark", " dog  barks", "DOG BARKING", "dogs"])
def test_spelling_makes_no_difference(label: str) -> None:
    assert phrase(label).noun == "a dog barking"
    assert phrase(label).clause == "a dog barks"
    assert canonical_label(label) == "dog bark"


@pytest.mark.parametrize(
    ("label", "noun"),
    [
        ("gong", "a gong sound"),
        ("Accordion", "an accordion sound"),
        ("Chink, clink", "a chink or clink sound"),
        ("hour_glass", "an hour glass sound"),
        ("unicycle", "a unicycle sound"),
        ("TV", "a TV sound"),
        ("MRI scan", "an MRI scan sound"),
        ("8 bit", "an 8 bit sound"),
        ("Öltanker", "an öltanker sound"),
        ("rumbling sound", "a rumbling sound"),
        ("犬", "a 犬 sound"),
        ("-", "a - sound"),
    ],
)
def test_unknown_labels(label: str, noun: str) -> None:
    said = phrase(label)
    assert (said.noun, said.clause) == (noun, f"{noun} is heard")
    assert said.sustained is None
    assert not said.known
    assert canonical_label(label) is None
