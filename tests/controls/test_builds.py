"""Builds of controls: the same plan, the same bytes however it is done, told apart from each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from builders import layout
from builders.build import build
from builders.controls import work
from builders.controls.render import from_json, to_json
from builders.controls.treatment import Treatment
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import BuildError
from builders.output import check_output
from builders.plan import make_plan
from builders.recipe import PRESETS, make_recipe, plan_hash, recipe_hash
from builders.relevance import qrels
from tests.controls.small import small
from tests.fake_library import smoke

CONTROLS = ("equal-energy", "equal-spectrum")


def make(out: Path, control: str, **how):
    plan, library = small(control)
    return build(plan, library, qrels(plan, library.relations), out, **how)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    place = tmp_path_factory.mktemp("controls")
    return {control: DatasetFolder.open(make(place / control, control).folder) for control in ("none", *CONTROLS)}


def test_a_control_has_the_plan_of_its_corpus():
    plan, library = smoke(queries=2)
    control = make_plan(make_recipe(plan.recipe, {"control": "equal-energy"}), library)
    assert control.clips == plan.clips
    assert control.queries == plan.queries
    assert control.recipe_hash == small("equal-energy")[0].recipe_hash != plan.recipe_hash


def test_only_the_sound_differs(built):
    plain = built["none"]
    for control in CONTROLS:
        folder = built[control]
        assert (folder.control, plain.control) == (control, "none")
        assert folder.plan_hash == plain.plan_hash == plain.recipe_hash
        assert folder.recipe_hash != plain.recipe_hash
        assert folder.clips == plain.clips
        assert folder.queries == plain.queries
        assert folder.qrels() == plain.qrels()
        assert {clip: folder.caption(clip) for clip in folder.clips} == {clip: plain.caption(clip) for clip in plain.clips}
        assert not set(folder.pcm_sha256.values()) & set(plain.pcm_sha256.values())
    assert len({content_hash(folder.path) for folder in built.values()}) == 3


def test_the_card_says_what_it_is(built):
    for control in CONTROLS:
        card = (built[control].path / layout.CARD).read_text()
        assert f"This is the **{control} control**" in card
        assert f"description: recipe {built[control].recipe_hash}, control {control}, files " in card.replace("\n    ", " ")
        assert built["none"].recipe_hash in card
        assert "not normalised" not in card
    card = (built["none"].path / layout.CARD).read_text()
    assert "control" not in card
    assert "Clips are not normalised one by one." in card
    assert "20 dB below" in (built["equal-energy"].path / layout.CARD).read_text().replace("\n", " ")
    assert "±6 dB" in (built["equal-spectrum"].path / layout.CARD).read_text()


def test_a_corpus_without_a_control_has_the_recipe_it_always_had(built):
    fields = json.loads((built["none"].path / layout.RECIPE).read_text())["recipe"]
    assert not {"control", "control_rules"} & fields.keys()


@pytest.mark.parametrize(("control", "num_proc"), [("equal-energy", 1), ("equal-spectrum", 2)])
def test_processes_and_interruptions_give_the_same_bytes(built, tmp_path, monkeypatch, control, num_proc):
    monkeypatch.setattr(work, "_SETS", 2)

    def interrupt(what: str, done: int, of: int) -> None:
        if what == "clips" and done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(tmp_path, control, progress=interrupt)
    kept = sorted((tmp_path / layout.WORK).glob("treatments-*.json"))
    assert len(kept) == 3
    kept[0].write_text("{")  # is worked out again
    kept[1].unlink()
    told = []
    done = make(tmp_path, control, num_proc=num_proc, progress=lambda *what: told.append(what))
    assert done.clips_kept == 20
    assert ("measured", 20, 100) in told  # of the group that was whole
    assert told[-1] == ("clips", 100, 100)
    assert content_hash(tmp_path) == content_hash(built[control].path)
    assert not (tmp_path / layout.WORK).exists()


def test_a_folder_of_one_control_is_refused_to_another(built, tmp_path):
    plain = small()[0].recipe
    with pytest.raises(BuildError, match=r"another recipe \(control is equal-energy there, none here\)"):
        check_output(built["equal-energy"].path, plain)
    with pytest.raises(BuildError, match=r"another recipe \(control is none there, equal-spectrum here\)"):
        check_output(built["none"].path, small("equal-spectrum")[0].recipe)
    with pytest.raises(BuildError, match=r"another recipe \(control is equal-energy there, equal-spectrum here\)"):
        make(built["equal-energy"].path, "equal-spectrum")
    assert make(built["equal-energy"].path, "equal-energy").already_there

    def interrupt(what: str, done: int, of: int) -> None:
        if what == "measured" and done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "x", "equal-energy", progress=interrupt)
    with pytest.raises(BuildError, match=r"unfinished build of another recipe \(control is equal-energy there, none here\)"):
        check_output(tmp_path / "x", plain)
    assert content_hash(make(tmp_path / "x", "equal-energy").folder) == content_hash(built["equal-energy"].path)


def test_a_control_loads_and_installs(built, tmp_path):
    import reasonaudio_dataset

    folder = built["equal-spectrum"]
    rows = reasonaudio_dataset.load(folder.path, "order-queries", split="test", cache_dir=str(tmp_path))
    assert rows["id"][:] == [query.id for query in folder.queries.values() if query.task == "order"]
    clips = reasonaudio_dataset.load(folder.path, split="order", streaming=True)
    assert {row["id"] for row in clips.remove_columns("audio")} == {c.id for c in folder.clips.values() if c.task == "order"}
    reasonaudio_dataset.install(folder.path, home=tmp_path / "home")
    assert reasonaudio_dataset.install_bytes(folder.path, home=tmp_path / "home") == 0
    # What is there is not taken for the corpus itself, nor for another control of it.
    assert all(reasonaudio_dataset.install_bytes(built[other].path, home=tmp_path / "home") for other in ("none", "equal-energy"))


def test_treatments_are_read_back_exactly():
    treatments = {"a": Treatment(-0.123456, -51.000001), "b": Treatment(0.0, None, (0.001, -6.0)), "c": Treatment(1 / 3)}
    assert from_json(to_json(treatments)) == treatments


def test_hashes():
    base = PRESETS["mini"]
    controls = [make_recipe(base, {"control": control}) for control in CONTROLS]
    assert {plan_hash(recipe, "x") for recipe in controls} == {recipe_hash(base, "x")} == {plan_hash(base, "x")}
    assert len({recipe_hash(recipe, "x") for recipe in (base, *controls)}) == 3
