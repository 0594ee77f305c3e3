"""The words agree with the logic, on any timeline, formula and relations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.explain import explain, seconds
from builders.logic import (
    NO_RELATIONS,
    And,
    AtLeast,
    AtMost,
    Before,
    Formula,
    Has,
    Lacks,
    Longer,
    Margins,
    Overlaps,
    Relations,
    Truth,
    conjuncts,
    evaluate,
    labels_of,
)
from builders.timeline import Event, Timeline

LABELS = ("animal", "dog", "dog bark", "rain", "running water", "siren")
RELATIONS = Relations(
    ancestors={"dog": frozenset({"animal"}), "dog bark": frozenset({"animal", "dog"})},
    confusable={"rain": frozenset({"running water"}), "running water": frozenset({"rain"})},
)


@st.composite
def timelines(draw: st.DrawFn) -> Timeline:
    events = []
    for label in draw(st.lists(st.sampled_from(LABELS), unique=True, max_size=5)):
        onset = draw(st.integers(0, 9000))
        events.append(Event(label, onset, onset + draw(st.integers(1, 10_000 - onset))))
    return Timeline(tuple(events))


def _atoms() -> st.SearchStrategy[Formula]:
    label = st.sampled_from(LABELS)
    length = st.sampled_from([1.5, 2.0, 2.5])
    return st.one_of(
        [st.builds(kind, label) for kind in (Has, Lacks)]
        + [st.builds(kind, label, label) for kind in (Before, Overlaps, Longer)]
        + [st.builds(kind, label, length) for kind in (AtLeast, AtMost)]
    )


formulas = st.one_of(_atoms(), st.lists(_atoms(), min_size=2, max_size=4).map(lambda parts: And(*parts)))


@given(formulas, timelines(), st.sampled_from([NO_RELATIONS, RELATIONS]))
def test_reasons_agree_with_the_logic(formula: Formula, timeline: Timeline, relations: Relations) -> None:
    reasons = explain(formula, timeline, Margins(), relations)
    assert [reason.part for reason in reasons] == list(conjuncts(formula))
    for reason in reasons:
        assert reason.truth is evaluate(reason.part, timeline, Margins(), relations)
    truths = [reason.truth for reason in reasons]
    kleene = Truth.FALSE if Truth.FALSE in truths else Truth.UNCLEAR if Truth.UNCLEAR in truths else Truth.TRUE
    assert kleene is evaluate(formula, timeline, Margins(), relations)


@given(_atoms(), timelines(), st.sampled_from([NO_RELATIONS, RELATIONS]))
def test_texts_say_what_is_there_and_what_is_missing(part: Formula, timeline: Timeline, relations: Relations) -> None:
    (reason,) = explain(part, timeline, Margins(), relations)
    assert reason.text
    for label in labels_of(part):
        missing = evaluate(Has(label), timeline, Margins(), relations) is Truth.FALSE
        assert (f"no {label}" in reason.text.split("; ")) == missing
    measured = [label for label in labels_of(part) if evaluate(Has(label), timeline, Margins(), relations) is Truth.TRUE]
    if len(measured) == len(labels_of(part)) and not isinstance(part, Has | Lacks):
        assert ("clear would be" in reason.text) == (reason.truth is Truth.UNCLEAR)


_TIMELINE = Timeline((Event("dog bark", 800, 3100), Event("car horn", 4020, 5000), Event("rain", 4000, 9000)))


@pytest.mark.parametrize(
    ("part", "truth", "text"),
    [
        (
            Before("dog bark", "car horn"),
            Truth.TRUE,
            "dog bark ends at 3.10 s, car horn starts at 4.02 s: 0.92 s apart",
        ),
        (
            Before("car horn", "dog bark"),
            Truth.FALSE,
            "dog bark ends at 3.10 s, car horn starts at 4.02 s: 0.92 s apart",
        ),
        (
            Before("rain", "car horn"),
            Truth.FALSE,
            "rain and car horn sound together from 4.02 to 5.00 s, for 0.98 s, rain starting 0.02 s earlier",
        ),
        (
            Overlaps("car horn", "rain"),
            Truth.UNCLEAR,
            "car horn and rain sound together from 4.02 to 5.00 s, for 0.98 s, 100% of car horn "
            "(clear would be 1.00 s together and 50% of the shorter, or 0.25 s apart)",
        ),
        (
            Longer("rain", "dog bark"),
            Truth.TRUE,
            "rain lasts 5.00 s, dog bark 2.30 s: 2.17 times as long, 2.70 s more",
        ),
        (AtLeast("rain", 2.5), Truth.TRUE, "rain lasts 5.00 s, 2.00 times 2.5 s"),
        (AtMost("rain", 2.5), Truth.FALSE, "rain lasts 5.00 s, 2.00 times 2.5 s"),
        (Has("rain"), Truth.TRUE, "rain from 4.00 to 9.00 s"),
        (Lacks("rain"), Truth.FALSE, "rain from 4.00 to 9.00 s"),
        (Lacks("siren"), Truth.TRUE, "no siren"),
        (Longer("siren", "bell"), Truth.FALSE, "no siren; no bell"),
    ],
)
def test_texts(part: Formula, truth: Truth, text: str) -> None:
    (reason,) = explain(part, _TIMELINE)
    assert (reason.truth, reason.text) == (truth, text)


def test_relations_are_told() -> None:
    clip = Timeline((Event("dog bark", 0, 1000), Event("rain", 2000, 3000), Event("animal", 4000, 5000)))
    texts = [explain(Has(label), clip, Margins(), RELATIONS)[0] for label in ("dog", "running water", "siren")]
    assert [(reason.truth, reason.text) for reason in texts] == [
        (Truth.TRUE, "dog bark (a kind of dog) from 0.00 to 1.00 s"),
        (Truth.UNCLEAR, "rain sounds, which is easily taken for running water"),
        (Truth.FALSE, "no siren"),
    ]
    only_animal = Timeline((Event("animal", 4000, 5000),))
    (reason,) = explain(Has("dog"), only_animal, Margins(), RELATIONS)
    assert (reason.truth, reason.text) == (Truth.UNCLEAR, "animal sounds, which may or may not be dog")


def test_seconds() -> None:
    assert [seconds(ms) for ms in (0, 5, 3100, 3104, 10_000)] == ["0.00 s", "0.005 s", "3.10 s", "3.104 s", "10.00 s"]
