"""Styles of text: each is a full account, shown by reading it back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.captions import caption
from builders.dataset_folder import DatasetFolder
from builders.logic import Before, Longer, Margins, Overlaps, Truth, evaluate
from builders.sounds.library import AtomicSound
from builders.styles import NOTHING, STYLES, about, event_list, story
from builders.timeline import Event, Timeline, overlap_ms
from tests.scored_corpus import real_corpus, smoke_corpus  # noqa: F401  # fixtures
from tests.test_captions import SOUNDS, timelines

DOG, BELL, RAIN = Event("dog", 800, 3100), Event("bell", 4000, 6000), Event("rain", 4500, 7000)


def test_a_list_has_a_line_for_each_event() -> None:
    assert event_list(Timeline((BELL, DOG)), SOUNDS) == "0.8 to 3.1 s: a dog barking\n4 to 6 s: a bell ringing"


def test_a_story_says_what_follows_and_what_is_together() -> None:
    assert story(Timeline((DOG, BELL, RAIN)), SOUNDS) == (
        "A dog barks for about two point three seconds. Then a bell rings for about two seconds. Meanwhile, rain falls for about "
        "two and a half seconds, together with a bell ringing for about one and a half seconds."
    )


def test_a_story_of_four_with_two_that_start_together() -> None:
    horn = Event("horn", 7100, 8100)
    told = story(Timeline((DOG, BELL, Event("rain", 4100, 6100), horn)), SOUNDS)
    assert told.split(". ")[1:] == [
        "Then a bell rings for about two seconds",
        "At the same time, rain falls for about two seconds, together with a bell ringing for about one point nine seconds",
        "Finally, a car horn honks for about one second.",
    ]


def test_a_chain_of_three_names_whom_each_is_heard_with() -> None:
    told = story(Timeline((Event("dog", 0, 2000), Event("bell", 1000, 4000), Event("rain", 3000, 5000))), SOUNDS)
    assert told == (
        "A dog barks for about two seconds. Meanwhile, a bell rings for about three seconds, together with a dog barking for "
        "about one second. Meanwhile, rain falls for about two seconds, together with a bell ringing for about one second."
    )


@pytest.mark.parametrize(
    ("milliseconds", "said"),
    [
        (20, "a moment"),
        (50, "about zero point one seconds"),
        (500, "about half a second"),
        (1049, "about one second"),
        (1500, "about one and a half seconds"),
        (2251, "about two point three seconds"),
        (20_000, "about twenty seconds"),
        (42_500, "about forty-two and a half seconds"),
    ],
)
def test_lengths_in_words(milliseconds: int, said: str) -> None:
    assert about(milliseconds) == said


def test_nothing_is_said_alike_in_every_style() -> None:
    assert {tell(Timeline(()), SOUNDS) for tell in STYLES.values()} == {NOTHING}


# --- read back --------------------------------------------------------------------------------------------------------

_NUMBER = r"\d+(?:\.\d+)?"


def read_list(text: str, sounds: Mapping[str, AtomicSound]) -> Timeline:
    """The timeline of a list."""
    label_of = {sound.noun: label for label, sound in sounds.items()}
    found = [re.fullmatch(rf"({_NUMBER}) to ({_NUMBER}) s: (.*)", line) for line in text.split("\n")]
    assert all(found)
    return Timeline(tuple(Event(label_of[one[3]], _ms(one[1]), _ms(one[2])) for one in found if one))


def read_sentence(text: str, sounds: Mapping[str, AtomicSound]) -> Timeline:
    """The timeline of a sentence: the times behind each sound's clause."""
    label_of = {sound.clause.lower(): label for label, sound in sounds.items()}
    clauses = "|".join(sorted(map(re.escape, label_of), key=len, reverse=True))
    found = re.findall(rf"({clauses}) from ({_NUMBER}) to ({_NUMBER}) s", text, re.IGNORECASE)
    return Timeline(tuple(Event(label_of[clause.lower()], _ms(start), _ms(end)) for clause, start, end in found))


def _ms(seconds: str) -> int:
    return round(float(seconds) * 1000)


LENGTHS = {about(100 * tenths): 100 * tenths for tenths in range(400)}
"""What lengths are said as, up to 40 s."""
_LENGTH = "|".join(sorted(map(re.escape, LENGTHS), key=len, reverse=True))


def read_story(text: str, sounds: Mapping[str, AtomicSound]) -> Timeline:
    """A timeline that a story fits: events in a row half a second apart, or together as long as is said."""
    clause_of = {sound.clause.lower(): label for label, sound in sounds.items()}
    noun_of = {sound.noun: label for label, sound in sounds.items()}
    events: dict[str, Event] = {}
    for told in re.findall(r"(?:[^.\"]|\"[^\"]*\")+\.", text):
        found = re.fullmatch(
            rf"(?P<opening>(?:[Tt]hen|[Aa]fter that,|[Ff]inally,|[Mm]eanwhile,|[Aa]t the same time,) )?(?P<clause>.*?) for "
            rf"(?P<length>{_LENGTH})(?:, (?P<together>together with .*))?\.",
            told.strip(),
        )
        assert found, told
        label, length = clause_of[found["clause"].lower()], LENGTHS[found["length"]]
        onset = max((event.offset_ms for event in events.values()), default=-500) + 500
        assert bool(found["together"]) == ((found["opening"] or "").strip().lower() in ("meanwhile,", "at the same time,"))
        for noun, shared in re.findall(rf"together with (.*?) for ({_LENGTH})(?= and together with |$)", found["together"] or ""):
            other = events[noun_of[noun]]
            same = (found["opening"] or "").lower().startswith("at the same")
            onset = min(onset, other.onset_ms if same else other.offset_ms - LENGTHS[shared])
        events[label] = Event(label, max(onset, 0), max(onset, 0) + max(length, 1))
    return Timeline(tuple(events.values()))


READERS: dict[str, Callable[[str, Mapping[str, AtomicSound]], Timeline]] = {
    "sentence": read_sentence,
    "events": read_list,
    "story": read_story,
}


@pytest.mark.parametrize("style", ["sentence", "events"])
@given(timeline=timelines())
def test_times_are_read_back_exactly(style: str, timeline: Timeline) -> None:
    assert READERS[style](STYLES[style](timeline, SOUNDS), SOUNDS) == timeline


@given(timelines())
def test_order_lengths_and_overlaps_are_read_back_from_a_story(timeline: Timeline) -> None:
    text = story(timeline, SOUNDS)
    assert not re.search(r"\d", text)
    read = read_story(text, SOUNDS)
    assert [event.label for event in timeline] == re.findall(
        "|".join(SOUNDS), re.sub(r"together with .*?(?=\.)", "", text.lower().replace("car horn", "horn"))
    )
    for event in timeline:
        assert abs(read.event(event.label).duration_ms - event.duration_ms) <= 50
    for a in timeline:
        for b in timeline:
            said = f"{SOUNDS[b.label].clause} for {about(b.duration_ms)}[^.]*together with {SOUNDS[a.label].noun} for "
            if a.label != b.label and timeline.labels.index(a.label) < timeline.labels.index(b.label):
                shared = overlap_ms(a, b)
                found = re.search(
                    f"{said}({_LENGTH})", text[0].lower() + re.sub(r"(?<=\. )(.)", lambda m: m[1].lower(), text[1:])
                )
                assert bool(found) == (shared > 0)
                assert not found or abs(LENGTHS[found[1]] - shared) <= 50


CLOSE = Margins(
    gap_ms=150, overlap_ms=880, overlap_share=0.45, simultaneous_ms=390, together_ms=220,
    longer_ratio=1.4, longer_ms=880, not_longer_ratio=1.2, above_ratio=1.2, below_ratio=0.85,
)  # fmt: skip
"""The benchmark's, as far apart as two lengths said to the nearest 0.1 s can bring them."""


@given(timelines(), timelines(), st.sampled_from([Before, Overlaps, Longer]))
def test_timelines_that_differ_in_a_relation_differ_in_every_style(one: Timeline, other: Timeline, relation: type) -> None:
    formula = relation("dog", "bell")
    if {evaluate(formula, one), evaluate(formula, other)} == {Truth.TRUE, Truth.FALSE}:
        for style, tell in STYLES.items():
            assert tell(one, SOUNDS) != tell(other, SOUNDS), style


@pytest.mark.parametrize("corpus", ["smoke_corpus", "real_corpus"])
@pytest.mark.parametrize("style", list(STYLES))
def test_what_is_relevant_can_be_told_from_the_text_alone(style: str, corpus: str, request: pytest.FixtureRequest) -> None:
    folder: DatasetFolder = request.getfixturevalue(corpus)
    sounds = {label: used.sound for label, used in folder.sounds.items()}
    margins = CLOSE if style == "story" else folder.recipe.margins_value()
    read = {id_: READERS[style](STYLES[style](clip.timeline, sounds), sounds) for id_, clip in folder.clips.items()}
    relevant = folder.qrels()
    for query in folder.queries.values():
        told = {clip for clip, one in read.items() if evaluate(query.formula, one, margins, folder.relations) is Truth.TRUE}
        assert told == relevant[query.id], query.text


def test_the_sentence_is_the_dataset_s_caption(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    sounds = {label: used.sound for label, used in smoke_corpus.sounds.items()}
    assert STYLES["sentence"] is caption
    for clip in smoke_corpus.clips.values():
        assert smoke_corpus.caption(clip.id) == caption(clip.timeline, sounds)
