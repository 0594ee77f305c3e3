"""Captions: exact, and every event can be read back from them."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from builders.captions import caption
from builders.sounds.library import AtomicSound
from builders.timeline import Event, Timeline, overlapping_pairs

SOUNDS = {
    sound.label: sound
    for sound in (
        AtomicSound("dog", "a dog barking", "a dog barks"),
        AtomicSound("bell", "a bell ringing", "a bell rings"),
        AtomicSound("rain", "rain falling", "rain falls"),
        AtomicSound("horn", "a car horn honking", "a car horn honks"),
    )
}


def test_one_after_the_other() -> None:
    timeline = Timeline((Event("bell", 4000, 6020), Event("dog", 800, 3100)))
    assert caption(timeline, SOUNDS) == "A dog barks from 0.8 to 3.1 s, then a bell rings from 4 to 6.02 s."


def test_together() -> None:
    timeline = Timeline((Event("dog", 800, 3100), Event("bell", 4000, 6020), Event("rain", 4500, 7001)))
    assert caption(timeline, SOUNDS) == (
        "A dog barks from 0.8 to 3.1 s, then a bell rings from 4 to 6.02 s, "
        "while rain falls from 4.5 to 7.001 s (both from 4.5 to 6.02 s)."
    )


def test_three_in_a_chain_name_their_partners() -> None:
    timeline = Timeline((Event("dog", 0, 2000), Event("bell", 1000, 4000), Event("rain", 3000, 5000)))
    assert caption(timeline, SOUNDS) == (
        "A dog barks from 0 to 2 s, while a bell rings from 1 to 4 s (with a dog barking from 1 to 2 s), "
        "while rain falls from 3 to 5 s (with a bell ringing from 3 to 4 s)."
    )


def test_nothing_and_touching() -> None:
    assert caption(Timeline(()), SOUNDS) == "Nothing is heard."
    assert "then" in caption(Timeline((Event("dog", 0, 1000), Event("bell", 1000, 2000))), SOUNDS)


@st.composite
def timelines(draw: st.DrawFn) -> Timeline:
    events = []
    for label in draw(st.lists(st.sampled_from(sorted(SOUNDS)), unique=True, min_size=1)):
        onset = draw(st.integers(0, 9000))
        events.append(Event(label, onset, onset + draw(st.integers(1, 3000))))
    return Timeline(tuple(events))


@given(timelines())
def test_every_event_and_every_overlap_is_said(timeline: Timeline) -> None:
    text = caption(timeline, SOUNDS)
    lowered = text[0].lower() + text[1:]
    for event in timeline:
        found = re.search(re.escape(SOUNDS[event.label].clause) + r" from ([\d.]+) to ([\d.]+) s", lowered)
        assert found
        assert (round(float(found[1]) * 1000), round(float(found[2]) * 1000)) == (event.onset_ms, event.offset_ms)
    assert len(re.findall(r"(?:both|with [a-z ]+) from", text)) == len(overlapping_pairs(timeline))
