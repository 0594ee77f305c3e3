"""Which sounds are related."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builders.check.rules import check_rules
from builders.corpus import Plan
from builders.logic import NO_RELATIONS, Relations, Truth, labels_of
from builders.plan import make_plan
from builders.recipe import PRESETS
from builders.sounds.english import ROWS
from builders.sounds.fsd50k_classes import CLASSES, ancestors_by_name
from builders.sounds.library import AtomicSound
from builders.sounds.ontology import Ontology, read_ontology
from builders.sounds.phrases import phrase
from builders.sounds.related import _known_ancestors, _known_pairs, alike, relations
from tests.fake_library import fake_library, records_of

IDS = {found.name: found.id for found in CLASSES}
LEAVES = frozenset(IDS) - {parent for found in CLASSES for parent in found.parents}


def sounds(*labels: str, **audioset: str) -> list[AtomicSound]:
    return [AtomicSound(label, label, label, audioset_id=audioset.get(label)) for label in labels]


def fsd50k(*names: str, with_ids: bool = True) -> list[AtomicSound]:
    """Classes of FSD50K as its source gives them, or as a folder of that name does."""
    found = []
    for name in sorted(names or IDS):
        said = phrase(name, IDS[name] if with_ids else None)
        found.append(AtomicSound(name, said.noun, said.clause, bool(said.sustained), IDS[name] if with_ids else None))
    return found


@cache
def relations_of_all(with_ids: bool) -> Relations:
    return relations(fsd50k(with_ids=with_ids))


@pytest.fixture(scope="module")
def ontology(shared: Path) -> Ontology:
    return read_ontology(shared / "data/audioset_ontology.json")


def check_consistent(found: Relations) -> None:
    for a, others in found.confusable.items():
        assert a not in others
        for b in others:
            assert a in found.confusable[b]
            assert b not in found.ancestors.get(a, ())
            assert a not in found.ancestors.get(b, ())
    for label, above in found.ancestors.items():
        assert label not in above
        assert all(found.ancestors.get(ancestor, frozenset()) <= above for ancestor in above)


def test_the_tables_name_known_labels_only() -> None:
    known = {row.labels.split(",")[0] for row in ROWS}
    assert set(_known_ancestors()) | {label for pair in _known_pairs() for label in pair} <= known


def test_everything_at_once_is_consistent() -> None:
    labels = [row.labels.split(",")[0] for row in ROWS]
    found = relations(sounds(*labels))
    check_consistent(found)
    lowest = set(labels) - {ancestor for above in found.ancestors.values() for ancestor in above}
    related = sum(found.related(a, b) for a, b in combinations(sorted(lowest), 2))
    assert related < len(lowest) * 5  # a sound still has nearly all others to stand with


def test_labels_in_other_words() -> None:
    found = relations(sounds("Rain", "sea_waves", "rooster", "bird", "Dog", "dog bark", "zither"))
    assert found.confusable == {"Rain": {"sea_waves"}, "sea_waves": {"Rain"}, "Dog": {"dog bark"}, "dog bark": {"Dog"}}
    assert found.ancestors == {"rooster": {"bird"}}
    assert found.holds("rooster", "bird") is Truth.TRUE
    assert found.holds("bird", "rooster") is Truth.UNCLEAR
    assert not found.related("zither", "Rain")


def test_ancestors_are_transitive() -> None:
    assert relations(sounds("birdsong", "chirping birds", "bird")).ancestors == {
        "birdsong": {"chirping birds", "bird"},
        "chirping birds": {"bird"},
    }


def test_declared_pairs() -> None:
    found = relations(sounds("zither", "bell", "dog"), confusable=[("zither", "dog"), ("zither", "not here")])
    assert found.confusable == {"zither": {"dog"}, "dog": {"zither"}}


def test_a_node_with_two_parents() -> None:
    nodes = [("root", ["p", "q"]), ("p", ["x"]), ("q", ["x"]), ("x", [])]
    ontology = Ontology({name: name for name, _ in nodes}, {name: tuple(children) for name, children in nodes})
    found = relations(sounds("a", "b", "c", "d", "e", a="x", b="p", c="q", d="root", e="x"), ontology)
    assert found.ancestors == {"a": {"b", "c", "d"}, "e": {"b", "c", "d"}, "b": {"d"}, "c": {"d"}}
    assert found.confusable == {"a": {"e"}, "e": {"a"}}


# --- FSD50K -----------------------------------------------------------------------------------------------------------


def test_the_classes_are_those_of_the_ontology(ontology: Ontology) -> None:
    """Names, and for all 200 x 200 pairs whether one is above the other."""
    assert len(CLASSES) == len(IDS) == len(set(IDS.values())) == 200
    assert {found.id: found.name for found in CLASSES} == {class_id: ontology.names[class_id] for class_id in IDS.values()}
    above = ancestors_by_name()
    assert [(a, b) for a, b in product(IDS, IDS) if (b in above[a]) != (IDS[b] in ontology.ancestors(IDS[a]))] == []


def test_parents_are_the_nearest() -> None:
    above = ancestors_by_name()
    assert [found.name for found in CLASSES if any(a in above[b] for a, b in product(found.parents, found.parents))] == []


def test_relations_need_no_ontology_for_fsd50k(ontology: Ontology) -> None:
    alone = relations(fsd50k())
    check_consistent(alone)
    assert alone == relations(fsd50k(), ontology)
    for a, above in ancestors_by_name().items():
        assert above <= alone.ancestors.get(a, frozenset())


def test_a_label_that_names_a_class_is_looked_up_in_the_ontology(ontology: Ontology) -> None:
    nature = next(class_id for class_id, name in ontology.names.items() if name == "Natural sounds")
    assert relations(sounds("rainfall", "x", x=nature), ontology).ancestors == {"rainfall": {"x"}}
    assert relations(sounds("rainfall", "x", x=nature)) == NO_RELATIONS


@settings(deadline=None)  # how fast a machine under load is, is not the question
@given(names=st.sets(st.sampled_from(sorted(IDS)), min_size=2, max_size=40), with_ids=st.booleans())
def test_any_classes_of_fsd50k_are_related_as_all_are(names: set[str], with_ids: bool) -> None:
    """What else is in a library changes nothing, and kinds of a class are related to it under the class's bare name too."""
    found = relations(fsd50k(*names, with_ids=with_ids))
    check_consistent(found)
    everything = relations_of_all(with_ids)
    above = ancestors_by_name()
    for a, b in product(names, names):
        assert found.holds(a, b) is everything.holds(a, b)
        if b in above[a]:
            assert found.related(a, b), (a, b)


def test_any_classes_of_the_ontology_are_related_as_it_says(ontology: Ontology) -> None:
    classes = sorted(ontology.names)

    @settings(deadline=None)
    @given(st.lists(st.sampled_from(classes), min_size=2, max_size=30))
    def check(drawn: list[str]) -> None:
        """A class may occur twice, as two labels of one folder can have one class."""
        made = [AtomicSound(f"label {n}", "", "", audioset_id=class_id) for n, class_id in enumerate(drawn)]
        found = relations(made, ontology)
        check_consistent(found)
        for a, b in combinations(made, 2):
            assert a.audioset_id
            assert b.audioset_id
            if ontology.related(a.audioset_id, b.audioset_id):
                assert found.related(a.label, b.label)
            if a.audioset_id in ontology.ancestors(b.audioset_id):
                assert found.holds(b.label, a.label) is Truth.TRUE

    check()


def meetings(plan: Plan) -> set[tuple[str, str]]:
    """Every two labels that stand in one clip or one query."""
    together = [clip.timeline.labels for clip in plan.clips] + [labels_of(query.formula) for query in plan.queries]
    return {pair for labels in together for pair in combinations(sorted(labels), 2)}


@pytest.mark.parametrize("with_ids", [True, False], ids=["with class ids", "with labels alone"])
def test_related_classes_never_meet_in_a_corpus(with_ids: bool) -> None:
    """A corpus of all 200 classes, inner ones too, without the ontology's file."""
    called = fsd50k(with_ids=with_ids)
    above = ancestors_by_name()

    def related(plan: Plan) -> list[tuple[str, str]]:
        return [(a, b) for a, b in sorted(meetings(plan)) if a in above[b] or b in above[a]]

    library = fake_library(called=called, recordings=1, relations=relations(called))
    plan = make_plan(PRESETS["smoke"], library)
    assert related(plan) == []
    assert list(check_rules(records_of(plan, library))) == []
    if with_ids:
        assert related(make_plan(PRESETS["smoke"], fake_library(called=called, recordings=1))) != []


def test_leaves_are_enough_for_a_corpus() -> None:
    """Most classes can stand together: each leaf is related to few of the others."""
    found = relations(fsd50k(*LEAVES))
    related = sum(found.related(a, b) for a, b in combinations(sorted(LEAVES), 2))
    assert related < len(LEAVES) * 5


# --- what a person is shown -------------------------------------------------------------------------------------------


def test_labels_that_share_a_word_are_shown_unless_related() -> None:
    labels = ["dog growl", "dog howl", "cat", "an owl"]
    assert alike(labels, NO_RELATIONS) == [("dog growl", "dog howl")]
    related = Relations(confusable={"dog growl": frozenset({"dog howl"}), "dog howl": frozenset({"dog growl"})})
    assert alike(labels, related) == []
