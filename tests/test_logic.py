from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.errors import FormulaSyntaxError
from builders.logic import (
    And,
    AtLeast,
    AtMost,
    Before,
    Has,
    Lacks,
    Longer,
    Overlaps,
    Relations,
    Truth,
    canonical,
    evaluate,
    labels_of,
    parse,
    required_labels,
    to_text,
)
from builders.timeline import Event, Timeline

T, F, U = Truth.TRUE, Truth.FALSE, Truth.UNCLEAR


def clip(**events):
    return Timeline(tuple(Event(label, *span) for label, span in events.items()))


@pytest.mark.parametrize(
    ("formula", "a", "b", "expected"),
    [
        (Before("a", "b"), (0, 1000), (1250, 2000), T),
        (Before("a", "b"), (0, 1000), (1249, 2000), U),
        (Before("a", "b"), (1250, 2000), (0, 1000), F),
        (Before("a", "b"), (1249, 2000), (0, 1000), U),
        (Before("a", "b"), (0, 1000), (100, 2000), F),  # together 0.9 s, starts 0.1 s before
        (Before("a", "b"), (0, 1000), (101, 2000), U),  # together, but it starts clearly earlier
        (Before("a", "b"), (600, 1000), (100, 2000), U),  # together for only 0.4 s
        (Before("a", "b"), (500, 1000), (0, 2000), F),
        (Before("a", "b"), (0, 1000), None, F),
        (Overlaps("a", "b"), (0, 2000), (1000, 3000), T),
        (Overlaps("a", "b"), (0, 2000), (1001, 3000), U),
        (Overlaps("a", "b"), (0, 4000), (2500, 6000), U),  # 1.5 s, but less than half of the shorter
        (Overlaps("a", "b"), (0, 4000), (2250, 5750), T),
        (Overlaps("a", "b"), (0, 1000), (1250, 2000), F),
        (Overlaps("a", "b"), (0, 1000), (1249, 2000), U),
        (Overlaps("a", "b"), None, (0, 1000), F),
        (Longer("a", "b"), (0, 3000), (5000, 7000), T),
        (Longer("a", "b"), (0, 2999), (5000, 7000), U),
        (Longer("a", "b"), (0, 1400), (5000, 5500), U),  # 2.8 times, but only 0.9 s more
        (Longer("a", "b"), (0, 2200), (5000, 7000), F),
        (Longer("a", "b"), (0, 2201), (5000, 7000), U),
        (Longer("a", "b"), (0, 2200), None, F),
        (AtLeast("a", 2.0), (0, 2500), None, T),
        (AtLeast("a", 2.0), (0, 2499), None, U),
        (AtLeast("a", 2.0), (0, 1601), None, U),
        (AtLeast("a", 2.0), (0, 1600), None, F),
        (AtLeast("a", 2.0), None, (0, 1600), F),
        (AtMost("a", 2.0), (0, 1600), None, T),
        (AtMost("a", 2.0), (0, 1601), None, U),
        (AtMost("a", 2.0), (0, 2500), None, F),
        (AtMost("a", 2.0), None, (0, 1600), F),
        (Has("a"), (0, 1000), None, T),
        (Has("a"), None, (0, 1000), F),
        (Lacks("a"), (0, 1000), None, F),
        (Lacks("a"), None, (0, 1000), T),
    ],
)
def test_every_row_at_its_margin(formula, a, b, expected):
    events = {label: span for label, span in (("a", a), ("b", b)) if span}
    assert evaluate(formula, clip(**events)) is expected


def test_and_is_kleenes():
    formulas = {T: Has("a"), F: Has("x"), U: Before("a", "b")}
    timeline = clip(a=(0, 1000), b=(1100, 2000))
    assert all(evaluate(formula, timeline) is truth for truth, formula in formulas.items())
    for values in product(formulas, repeat=3):
        found = evaluate(And(*(formulas[value] for value in values)), timeline)
        assert found is (F if F in values else U if U in values else T)


def test_a_truth_is_not_a_bool():
    with pytest.raises(TypeError):
        bool(Truth.FALSE)


class TestRelations:
    relations = Relations(
        ancestors={"bark": frozenset({"dog", "animal"}), "growl": frozenset({"dog", "animal"}), "dog": frozenset({"animal"})},
        confusable={"rain": frozenset({"shower"}), "shower": frozenset({"rain"})},
    )

    @pytest.mark.parametrize(
        ("present", "asked", "expected"),
        [
            ("bark", "dog", T),
            ("bark", "animal", T),
            ("dog", "bark", U),
            ("animal", "bark", U),
            ("rain", "shower", U),
            ("shower", "rain", U),
            ("bark", "growl", F),
            ("bark", "rain", F),
        ],
    )
    def test_what_a_sound_is(self, present, asked, expected):
        timeline = clip(**{present: (0, 1000)})
        assert evaluate(Has(asked), timeline, relations=self.relations) is expected
        assert evaluate(Lacks(asked), timeline, relations=self.relations) is {T: F, F: T, U: U}[expected]
        assert evaluate(AtLeast(asked, 0.5), timeline, relations=self.relations) is expected

    def test_missing_wins_over_unclear(self):
        timeline = clip(rain=(0, 1000))
        assert evaluate(Before("shower", "bell"), timeline, relations=self.relations) is F
        assert evaluate(Before("shower", "rain"), timeline, relations=self.relations) is U

    def test_several_events_for_one_label_must_agree(self):
        timeline = clip(bark=(0, 1000), growl=(4000, 5000), bell=(2000, 3000))
        assert evaluate(Before("dog", "bell"), timeline, relations=self.relations) is U
        assert evaluate(Before("bell", "growl"), timeline, relations=self.relations) is T
        assert evaluate(Overlaps("dog", "bell"), timeline, relations=self.relations) is F

    def test_neighbours_are_the_related(self):
        labels = ["bark", "growl", "dog", "animal", "rain", "shower", "bell"]
        neighbours = self.relations.neighbours(labels)
        for a, b in product(labels, repeat=2):
            assert (b in neighbours[a]) == self.relations.related(a, b)


labels = st.text(min_size=1, max_size=8)
atoms = st.one_of(
    labels.map(Has),
    labels.map(Lacks),
    st.builds(Before, labels, labels),
    st.builds(Overlaps, labels, labels),
    st.builds(Longer, labels, labels),
    st.builds(AtLeast, labels, st.sampled_from([0.5, 1.5, 2.0, 3.0])),
    st.builds(AtMost, labels, st.sampled_from([0.5, 1.5, 2.0, 3.0])),
)
formulas = st.one_of(atoms, st.lists(atoms, min_size=2, max_size=4).map(lambda parts: And(*parts)))


@given(formulas)
def test_text_round_trip(formula):
    assert parse(to_text(formula)) == formula


def test_text_is_readable():
    formula = And(Before("dog bark", "car horn"), Lacks("siren"), AtLeast('"rain"', 2.5))
    assert to_text(formula) == 'And(Before("dog bark", "car horn"), Lacks("siren"), AtLeast("\\"rain\\"", 2.5))'


@pytest.mark.parametrize(
    "text",
    ["", "Has", "Has(", "Has()", 'Has("a"', 'Has("a") x', 'Has("a", "b")', 'Before("a")', 'AtLeast("a", "b")', "And()",
     'And(Has("a"))', 'Maybe("a")', 'Before("a", 2.0)', 'Has(Has("a"))', "Has('a')", "{"],
)  # fmt: skip
def test_what_is_no_formula_says_so(text):
    with pytest.raises(FormulaSyntaxError, match="not a formula"):
        parse(text)


def test_canonical_knows_the_symmetries():
    assert canonical(Overlaps("a", "b")) == canonical(Overlaps("b", "a"))
    assert canonical(Before("a", "b")) != canonical(Before("b", "a"))
    assert canonical(And(Has("a"), Has("b"))) == canonical(And(Has("b"), Has("a")))
    assert canonical(AtLeast("a", 2.0)) != canonical(AtLeast("a", 2.5))


def test_labels_named_and_required():
    formula = And(Before("a", "b"), Lacks("c"))
    assert labels_of(formula) == ("a", "b", "c")
    assert required_labels(formula) == ("a", "b")


events = st.builds(
    lambda label, onset, length: Event(label, onset, onset + length),
    st.sampled_from("abc"),
    st.integers(0, 3000),
    st.integers(1, 4000),
)


@given(st.lists(events, max_size=3, unique_by=lambda event: event.label).map(tuple).map(Timeline))
def test_opposites_are_never_both_true(timeline):
    for a, b in ((Before("a", "b"), Before("b", "a")), (Longer("a", "b"), Longer("b", "a")), (Has("a"), Lacks("a")),
                 (Overlaps("a", "b"), Before("a", "b")), (AtLeast("a", 2.0), AtMost("a", 2.0))):  # fmt: skip
        assert not (evaluate(a, timeline) is T and evaluate(b, timeline) is T)
    assert evaluate(Overlaps("a", "b"), timeline) is evaluate(Overlaps("b", "a"), timeline)
