"""Which sounds are related."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from builders.logic import NO_RELATIONS, Relations, Truth
from builders.sounds.library import AtomicSound
from builders.sounds.ontology import Ontology, read_ontology
from builders.sounds.phrase_table import ROWS
from builders.sounds.related import _known_ancestors, _known_pairs, alike, relations


def sounds(*labels: str, **audioset: str) -> list[AtomicSound]:
    return [AtomicSound(label, label, label, audioset_id=audioset.get(label)) for label in labels]


def test_the_tables_name_known_labels_only() -> None:
    known = {row.labels.split(",")[0] for row in ROWS}
    assert set(_known_ancestors()) | {label for pair in _known_pairs() for label in pair} <= known


def test_everything_at_once_is_consistent() -> None:
    labels = [row.labels.split(",")[0] for row in ROWS]
    found = relations(sounds(*labels))
    for a, others in found.confusable.items():
        for b in others:
            assert a in found.confusable[b]
            assert b not in found.ancestors.get(a, ())
    for label, above in found.ancestors.items():
        assert label not in above
        assert all(found.ancestors.get(ancestor, frozenset()) <= above for ancestor in above)
    related = sum(found.related(a, b) for a, b in combinations(labels, 2))
    assert related < len(labels) * 3  # a sound still has nearly all others to stand with


def test_labels_in_other_words() -> None:
    found = relations(sounds("Rain", "sea_waves", "rooster", "bird", "Dog", "dog bark", "gong"))
    assert found.confusable == {"Rain": {"sea_waves"}, "sea_waves": {"Rain"}, "Dog": {"dog bark"}, "dog bark": {"Dog"}}
    assert found.ancestors == {"rooster": {"bird"}}
    assert found.holds("rooster", "bird") is Truth.TRUE
    assert found.holds("bird", "rooster") is Truth.UNCLEAR
    assert not found.related("gong", "Rain")


def test_ancestors_are_transitive() -> None:
    assert relations(sounds("birdsong", "chirping birds", "bird")).ancestors == {
        "birdsong": {"chirping birds", "bird"},
        "chirping birds": {"bird"},
    }


def test_declared_pairs() -> None:
    found = relations(sounds("gong", "bell", "dog"), confusable=[("gong", "dog"), ("gong", "not here")])
    assert found.confusable == {"gong": {"dog"}, "dog": {"gong"}}


def test_a_node_with_two_parents() -> None:
    nodes = [("root", ["p", "q"]), ("p", ["x"]), ("q", ["x"]), ("x", [])]
    ontology = Ontology({name: name for name, _ in nodes}, {name: tuple(children) for name, children in nodes})
    found = relations(sounds("a", "b", "c", "d", "e", a="x", b="p", c="q", d="root", e="x"), ontology)
    assert found.ancestors == {"a": {"b", "c", "d"}, "e": {"b", "c", "d"}, "b": {"d"}, "c": {"d"}}
    assert found.confusable == {"a": {"e"}, "e": {"a"}}


def test_the_audioset_ontology(shared: Path) -> None:
    ontology = read_ontology(shared / "data/audioset_ontology.json")
    mid = {name: class_id for class_id, name in ontology.names.items()}
    found = relations(sounds("bark", "animal", "siren", bark=mid["Bark"], animal=mid["Animal"], siren=mid["Siren"]), ontology)
    assert found.ancestors == {"bark": {"animal"}}


def test_labels_that_share_a_word_are_shown_unless_related():
    labels = ["dog growl", "dog howl", "cat", "an owl"]
    assert alike(labels, NO_RELATIONS) == [("dog growl", "dog howl")]
    related = Relations(confusable={"dog growl": frozenset({"dog howl"}), "dog howl": frozenset({"dog growl"})})
    assert alike(labels, related) == []
