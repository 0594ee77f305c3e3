import re
from collections import Counter
from itertools import pairwise

import pytest

from builders.logic import Truth, canonical, conjuncts, evaluate, labels_of, to_text
from builders.recipe import PRESETS, TASK_NAMES, make_recipe
from builders.sounds.library import AtomicSound
from builders.tasks import TASKS
from builders.tasks.forms import FREE, in_slots, relevant_arrangements, replacements, say_seconds, substitute, write_sentence
from builders.timeline import Event, Timeline

FORMS = [form for task in TASKS.values() for form in task.forms]
every_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)

# Number of arrangements, copies, anchor-missing clips, relevant clips of each twin: the benchmark's table.
TABLE = {
    "negation-1": (2, 8, 4, 8),
    "negation-2": (6, 3, 2, 3),
    "order-1": (3, 5, 5, 5),
    "order-2": (6, 3, 2, 3),
    "overlap-1": (4, 4, 4, 4),
    "duration-1": (6, 3, 2, 6),
    "duration-2": (6, 3, 2, 3),
    "duration-3": (6, 3, 2, 6),
    "duration-4": (6, 3, 2, 6),
    "mix-1": (4, 4, 4, 4),
    "mix-2": (4, 4, 4, 4),
    "mix-3": (4, 4, 4, 4),
    "mix-4": (4, 4, 4, 4),
    "mix-5": (4, 4, 4, 4),
    "mix-6": (4, 4, 4, 4),
}


def test_all_fifteen_forms_are_there():
    assert tuple(TASKS) == TASK_NAMES
    assert [form.name for form in FORMS] == list(TABLE)


@every_form
def test_numbers_are_those_of_the_table(form):
    for query in (0, 1):
        relevant = len(relevant_arrangements(form, query)) * form.copies
        assert (len(form.arrangements), form.copies, form.missing, relevant) == TABLE[form.name]


@every_form
def test_twins_are_true_of_different_arrangements(form):
    first, second = (set(map(id, relevant_arrangements(form, query))) for query in (0, 1))
    assert not first & second
    assert canonical(form.formulas[0]) != canonical(form.formulas[1])


@every_form
def test_all_arrangements_have_one_makeup(form):
    shapes = {(len(a.letters), tuple(sorted(map(len, a.blocks))), tuple(sorted(a.lengths.values()))) for a in form.arrangements}
    assert len(shapes) == 1
    assert all(len(set(a.letters)) == len(a.letters) for a in form.arrangements)


@every_form
def test_each_anchor_of_each_twin_is_replaced_equally_often(form):
    counts = Counter()
    for number in range(12):
        clips = list(replacements(form, number))
        assert len(clips) == form.missing
        per_set = Counter(letters for _, letters in clips)
        for arrangement, letters in clips:
            assert set(letters) <= set(arrangement.letters)
            assert any(arrangement in relevant_arrangements(form, query) for query in (0, 1))
            for query in (0, 1):
                (missing,) = set(letters) & set(form.anchors(query))
                counts[query, missing] += 1
        assert max(per_set.values()) - min(per_set.values()) <= 1 or len(per_set) == 3
    assert max(counts.values()) - min(counts.values()) <= 1
    assert {(q, a) for q in (0, 1) for a in form.anchors(q)} == set(counts)


@every_form
def test_at_least_eight_patterns_that_name_each_sound(form):
    for query, patterns in ((0, form.patterns), (1, form.twin_patterns or form.patterns)):
        assert len(patterns) >= 8
        assert len({pattern.text for pattern in patterns}) == len(patterns)
        formula = form.formulas[query if form.twin_patterns else 0]
        for pattern in patterns:
            assert set(re.findall(r"\{(\w)[}:]", pattern.text)) == set(labels_of(formula))
            assert ("{seconds}" in pattern.text) == bool(form.seconds)


@every_form
def test_neighbouring_patterns_have_opposite_traits(form):
    for patterns in (form.patterns, form.twin_patterns):
        for one, other in zip(patterns[::2], patterns[1::2], strict=True):
            assert one.traits.keys() == other.traits.keys()
            assert one.traits
            assert all(one.traits[name] != other.traits[name] for name in one.traits)
        for name in patterns[0].traits if patterns else ():
            firsts = [pattern.traits[name] for pattern in patterns[::2]]
            assert Counter(firsts).most_common()[0][1] == len(firsts) / 2  # neither twin always has the same trait


def first_named(text, letters):
    return min(letters, key=lambda letter: re.search(rf"\{{{letter}[}}:]", text).start())


@every_form
def test_traits_say_what_the_text_says(form):
    for query, patterns in ((0, form.patterns), (1, form.twin_patterns)):
        parts = conjuncts(form.formulas[query])
        before = [part for part in parts if type(part).__name__ == "Before"]
        lacks = [part.a for part in parts if type(part).__name__ == "Lacks"]
        for pattern in patterns:
            if "order" in pattern.traits:
                letters = {letter for part in before for letter in (part.a, part.b)}
                earliest = letters - {part.b for part in before}
                first = first_named(pattern.text, letters)
                assert (first in earliest) == (pattern.traits["order"] == "earlier first"), pattern.text
            if "negation" in pattern.traits:
                first = first_named(pattern.text, set(labels_of(form.formulas[query])))
                assert (first in lacks) == (pattern.traits["negation"] == "first"), pattern.text
            if "comparison" in pattern.traits and form.name != "mix-4":
                shorter = any(word in pattern.text for word in ("shorter", "briefly", "shortest to longest"))
                assert shorter == (pattern.traits["comparison"] == "shorter"), pattern.text


@every_form
def test_the_twin_exchanges_letters(form):
    if form.exchange:
        swap = {letter: form.exchange.get(letter, letter) for letter in form.named}
        assert canonical(substitute(form.formulas[0], swap)) == canonical(form.formulas[1])


def test_patterns_alternate_exactly():
    for form in FORMS:
        used = Counter(form.pattern(query, number).text for number in range(20) for query in (0, 1) if not form.twin_patterns)
        assert not used or max(used.values()) - min(used.values()) <= 1
        for count in range(1, 9):
            for name in form.patterns[0].traits:
                seen = Counter(form.pattern(q, n).traits[name] for n in range(count) for q in (0, 1))
                assert len(seen) == 2
                assert len(set(seen.values())) == 1


@pytest.mark.parametrize("queries", [2, 4, 6, 8, 20, 22, 200])
def test_forms_have_equal_shares_the_remainder_to_the_first(queries):
    for task in TASKS.values():
        shares = list(task.sets_per_form(make_recipe(PRESETS["full"], {"queries_per_task": queries})).values())
        assert sum(shares) * 2 == queries
        assert all(a - b in (0, 1) for a, b in pairwise(shares))
        assert max(shares) - min(shares) <= 1


def test_smoke_is_one_set_of_every_form():
    assert all(set(task.sets_per_form(PRESETS["smoke"]).values()) == {1} for task in TASKS.values())


def test_sentences():
    dog, horn = AtomicSound("dog", "a dog barking", "a dog barks"), AtomicSound("horn", "a car horn", "a car horn honks")
    pattern = TASKS["order"].forms[0].patterns[3]
    assert write_sentence(pattern, {"A": dog, "B": horn}) == "First a dog barks, then a car horn honks."


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (1.0, "one second"),
        (1.5, "one and a half seconds"),
        (2.0, "two seconds"),
        (2.5, "two and a half seconds"),
        (2.25, "2.25 seconds"),
    ],
)
def test_numbers_are_said_as_people_say_them(seconds, said):
    assert say_seconds(seconds) == said


def test_fixed_blocks_keep_their_order_whatever_the_slots():
    arrangement = TASKS["order"].forms[0].arrangements[1]  # B before A, beside a free pair
    assert in_slots(arrangement, (0, 1, 2)) == ("PQ", "B", "A")
    assert in_slots(arrangement, (1, 2, 0)) == ("B", "PQ", "A")


def timeline(*events):
    return Timeline(tuple(Event(label, onset, end) for label, onset, end in events))


@pytest.mark.parametrize(
    ("task", "query", "form", "events", "kind"),
    [
        ("negation", 0, 0, [("A", 0, 900), ("B", 2000, 3000), ("C", 4000, 5000)], "forbidden-present"),
        ("negation", 0, 0, [("X", 0, 900), ("B", 2000, 3000), ("E", 4000, 5000)], "anchor-missing"),
        ("order", 0, 0, [("B", 0, 900), ("A", 2000, 3000)], "reversed"),
        ("order", 0, 0, [("A", 0, 1900), ("B", 50, 2000)], "simultaneous"),
        ("order", 0, 1, [("C", 0, 900), ("B", 2000, 3000), ("A", 4000, 5000)], "reversed"),
        ("order", 0, 1, [("B", 0, 900), ("A", 2000, 3000), ("C", 4000, 5000)], "permuted"),
        ("overlap", 0, 0, [("A", 0, 1900), ("E", 50, 2000), ("B", 3000, 4000), ("F", 5000, 6000)], "wrong-partner"),
        ("overlap", 0, 0, [("E", 0, 1900), ("F", 50, 2000), ("B", 3000, 4000), ("A", 5000, 6000)], "sequential"),
        ("duration", 0, 0, [("A", 0, 900), ("B", 2000, 4000), ("E", 5000, 9000)], "wrong-length"),
        ("mix", 0, 0, [("B", 0, 900), ("A", 2000, 4000), ("E", 5000, 9000)], "before-broken"),
        ("mix", 0, 0, [("A", 0, 900), ("B", 2000, 4000), ("C", 5000, 9000)], "lacks-broken"),
        ("mix", 0, 0, [("B", 0, 900), ("A", 2000, 4000), ("C", 5000, 9000)], "both-broken"),
        ("mix", 0, 3, [("A", 0, 900), ("B", 2000, 4000), ("C", 5000, 9000)], "longer-broken"),
        ("mix", 0, 5, [("A", 0, 4000), ("B", 5000, 6000), ("C", 7000, 9000)], "overlaps-broken"),
    ],
)
def test_foil_kinds(task, query, form, events, kind):
    from builders.logic import NO_RELATIONS, Margins

    formula = TASKS[task].forms[form].formulas[query]
    clip = timeline(*events)
    assert evaluate(formula, clip) is Truth.FALSE
    assert TASKS[task].kind_of(formula, clip, Margins(), NO_RELATIONS) == kind


def test_letters_are_named_or_free():
    for form in FORMS:
        assert set(form.named) | set(form.free) == set(form.letters)
        assert not set(form.free) & {letter for formula in form.formulas for letter in labels_of(formula)}
        assert set(form.free) <= set(FREE)
        assert all(to_text(formula) for formula in form.formulas)
