from hypothesis import given, settings
from hypothesis import strategies as st

from builders.corpus import Clip, Query
from builders.logic import (
    And,
    AtLeast,
    AtMost,
    Before,
    Has,
    Lacks,
    Longer,
    Margins,
    Overlaps,
    Relations,
    Truth,
    evaluate,
)
from builders.relevance import judge
from builders.timeline import Event, Timeline

LABELS = "abcdefgh"
labels = st.sampled_from(LABELS)
positive = st.one_of(
    labels.map(Has), st.builds(Before, labels, labels), st.builds(Overlaps, labels, labels), st.builds(Longer, labels, labels),
    st.builds(AtLeast, labels, st.sampled_from([1.0, 2.0])), st.builds(AtMost, labels, st.sampled_from([1.0, 2.0])),
)  # fmt: skip
formulas = st.one_of(
    positive,
    labels.map(Lacks),
    st.lists(st.one_of(positive, labels.map(Lacks)), min_size=2, max_size=3).map(lambda parts: And(*parts)),
)
events = st.builds(
    lambda label, onset, length: Event(label, onset, onset + length), labels, st.integers(0, 6000), st.integers(100, 4000)
)
timelines = st.lists(events, max_size=4, unique_by=lambda event: event.label).map(tuple).map(Timeline)


@st.composite
def relations(draw):
    pairs = draw(st.lists(st.tuples(labels, labels), max_size=4))
    confusable = {a: frozenset(y for x, y in pairs if x == a) | frozenset(x for x, y in pairs if y == a) for a in LABELS}
    child, parent = draw(labels), draw(labels)
    ancestors = {child: frozenset({parent})} if child != parent else {}
    return Relations(ancestors, {a: others - {a} for a, others in confusable.items() if others - {a}})


@given(st.lists(formulas, max_size=6), st.lists(timelines, max_size=8), relations())
@settings(max_examples=300, deadline=None)
def test_the_index_finds_what_brute_force_finds(formulas, timelines, relations):
    queries = [Query(f"q{n}", "t", "f", "s", "", "", formula, (), ()) for n, formula in enumerate(formulas)]
    clips = [Clip(f"c{n}", "t", "f", "s", "", timeline) for n, timeline in enumerate(timelines)]
    found = [(query.id, clip.id, truth) for query, clip, truth in judge(queries, clips, Margins(), relations)]
    expected = [
        (query.id, clip.id, truth)
        for query in queries
        for clip in clips
        if (truth := evaluate(query.formula, clip.timeline, Margins(), relations)) is not Truth.FALSE
    ]
    assert found == expected
