"""Each rule is shown to see its own violation: one thing is changed in a sound plan, and the check must name it."""

from dataclasses import replace

import pytest

from builders.check.rules import check_qrels, check_rules
from builders.corpus import Foil
from builders.logic import Before, Relations
from builders.relevance import qrels
from builders.timeline import Timeline
from tests.fake_library import records_of, smoke


@pytest.fixture
def records():
    return records_of(*smoke())


def with_clip(records, chosen, **changes):
    return replace(records, clips=[replace(c, **changes) if c.id == chosen.id else c for c in records.clips])


def with_query(records, chosen, **changes):
    return replace(records, queries=[replace(q, **changes) if q.id == chosen.id else q for q in records.queries])


def with_event(records, clip, event, **changes):
    events = tuple(replace(e, **changes) if e is event else e for e in clip.timeline)
    return with_clip(records, clip, timeline=Timeline(events))


def first(records, form, arrangement=None):
    return next(c for c in records.clips if c.form == form and (arrangement is None or c.arrangement == arrangement))


def said(records):
    return "\n".join(map(str, check_rules(records)))


def test_a_plan_has_no_problems(records):
    assert said(records) == ""


def test_a_missing_clip_and_a_strange_one(records):
    assert "missing" in said(replace(records, clips=records.clips[1:]))
    strange = replace(records.clips[0], id="0123456789abcdef")
    assert "clip 0123456789abcdef: belongs to no set" in said(replace(records, clips=[*records.clips, strange]))


def test_a_missing_query(records):
    assert "missing" in said(replace(records, queries=records.queries[1:]))


def test_an_event_that_moves_over_another(records):
    clip = first(records, "order-2")
    a, b, _ = clip.timeline.events
    moved = with_event(records, clip, a, onset_ms=b.onset_ms + 5, offset_ms=b.onset_ms + 5 + a.duration_ms)
    assert f"clip {clip.id}: stands as" in said(moved)


def test_an_event_that_changes_places(records):
    clip = first(records, "order-2", "A, then B, then C")
    a, _, c = clip.timeline.events
    swapped = tuple(replace(e, label={a.label: c.label, c.label: a.label}.get(e.label, e.label)) for e in clip.timeline.events)
    text = said(with_clip(records, clip, timeline=Timeline(swapped)))
    assert "is not a recording of" in text
    assert "its arrangement" in text


def test_events_too_near_and_too_far_out(records):
    clip = first(records, "negation-1")
    a, b, c = clip.timeline.events
    near = with_event(records, clip, b, onset_ms=a.offset_ms + 200, offset_ms=a.offset_ms + 200 + b.duration_ms)
    assert "only 200 ms apart" in said(near)
    late = with_event(records, clip, c, onset_ms=9990 - c.duration_ms, offset_ms=9990)
    assert "too near to an end" in said(late)


def test_another_gain_or_recording_in_one_clip(records):
    clip = first(records, "negation-1")
    event = clip.timeline.events[0]
    assert "same recording at the same gain" in said(with_event(records, clip, event, gain_db=event.gain_db + 0.2))
    assert "more than 3.0 dB" in said(with_event(records, clip, event, gain_db=3.5))
    assert "is not a recording of" in said(with_event(records, clip, event, recording="fake/unknown"))


def test_an_event_of_another_length(records):
    clip = next(c for c in records.clips if c.form == "negation-1" and not records.sounds[c.timeline.events[0].label].sustained)
    event = clip.timeline.events[0]
    assert "lasts" in said(with_event(records, clip, event, offset_ms=event.offset_ms - 5))
    clip = first(records, "duration-1")
    event = clip.timeline.events[0]
    assert "planned length differs" in said(with_event(records, clip, event, offset_ms=event.offset_ms - 5))


def test_free_sounds_that_are_not_dealt_alike(records):
    clip = first(records, "order-1", "A before B")
    named = {label for q in records.queries if q.set == clip.set for label in (q.formula.a, q.formula.b)}
    event = next(e for e in clip.timeline if e.label not in named)
    other = next(r for r, known in records.recordings.items() if known.label == event.label and r != event.recording)
    assert "do not have the same free sounds" in said(with_event(records, clip, event, recording=other))


def test_a_wrong_arrangement_name(records):
    clip = first(records, "order-1", "A before B")
    assert "arrangement 'A before B'" in said(with_clip(records, clip, arrangement="B before A"))


def test_related_sounds_in_one_clip(records):
    a, b = first(records, "mix-1").timeline.labels[:2]
    related = Relations(confusable={a: frozenset({b}), b: frozenset({a})})
    assert f"holds {a!r} and {b!r}, which are related" in said(replace(records, relations=related))


def test_queries_that_are_wrong(records):
    query = next(q for q in records.queries if q.form == "order-1")
    assert "reads" in said(with_query(records, query, text="A dog barks."))
    assert "twin" in said(with_query(records, query, twin=query.id))
    assert "not the clips of its set" in said(with_query(records, query, relevant=query.relevant[1:]))
    assert "its queries are not those" in said(with_query(records, query, formula=Before("sound 000", "sound 001")))
    twin = next(q for q in records.queries if q.id == query.twin)
    text = said(with_query(records, query, formula=twin.formula, text=twin.text))
    assert "the same formula" in text
    assert "the same text" in text


def test_relevant_and_foils_that_are_exchanged(records):
    query = next(q for q in records.queries if q.form == "mix-2")
    foil = query.foils[0]
    changed = with_query(
        records,
        query,
        relevant=(foil.clip, *query.relevant[1:]),
        foils=(Foil(query.relevant[0], foil.kind), *query.foils[1:]),
    )
    assert "stands among the foils" in said(changed)
    assert "stands among the relevant" in said(changed)
    kind = with_query(records, query, foils=(Foil(foil.clip, "reversed"), *query.foils[1:]))
    assert f"is a foil of kind {foil.kind!r}, written as 'reversed'" in said(kind)


def test_qrels_that_are_wrong(records):
    plan, library = smoke()
    pairs = qrels(plan, library.relations)

    def qrels_said(pairs, by_task=None):
        return "\n".join(map(str, check_qrels(records, pairs, by_task or {})))

    assert qrels_said(pairs) == ""
    assert "not in the qrels" in qrels_said(pairs[1:])
    assert "not relevant by its formula" in qrels_said([*pairs, (pairs[0][0], "0123456789abcdef")])
    assert "2 times" in qrels_said([*pairs, pairs[0]])
    task = {query.id: query.task for query in plan.queries}
    clip_task = {clip.id: clip.task for clip in plan.clips}
    mix = [(q, c) for q, c in pairs if task[q] == "mix" == clip_task[c]]
    assert qrels_said(pairs, {"mix": mix}) == ""
    assert "mix-qrels: query" in qrels_said(pairs, {"mix": mix[:-1]})


def test_an_unclear_pair_is_found(records):
    clip = first(records, "order-1", "A before B")
    query = next(q for q in records.queries if q.set == clip.set)
    a, b = (clip.timeline.event(label) for label in (query.formula.a, query.formula.b))
    early, late = sorted((a, b), key=lambda event: event.onset_ms)
    moved = with_event(records, clip, late, onset_ms=early.offset_ms + 100, offset_ms=early.offset_ms + 100 + late.duration_ms)
    assert f"is UNCLEAR for clip {clip.id}" in "\n".join(map(str, check_qrels(moved, [], {})))
