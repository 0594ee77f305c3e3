import json

import pytest

from builders.errors import RecipeError
from builders.recipe import PRESETS, load_recipe, make_recipe, preset, recipe_hash


def test_presets():
    assert preset("full").queries_per_task == 200
    assert preset("mini").queries_per_task == 20
    assert preset("smoke").queries_per_task == "one-set-per-form"
    with pytest.raises(RecipeError, match="did you mean 'mini'"):
        preset("mni")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"queries_per_task": 7}, "7 is odd.*use 6 or 8"),
        ({"queries_per_task": 1}, "queries_per_task"),
        ({"sede": 3}, "unknown field 'sede'; did you mean 'seed'"),
        ({"plan": {"edge": 3}}, "unknown field 'plan.edge'; did you mean 'edge_ms'"),
        ({"plan": 3}, "plan: a table"),
        ({"sample_rate": 0}, "sample_rate: 0 is below the least, 8000$"),
        ({"sample_rate": -1}, "sample_rate: -1 is below the least, 8000$"),
        ({"sample_rate": 7_000_000}, "sample_rate: 7000000 is above the most, 192000$"),
        ({"seed": "x"}, "seed: 'x' is not a whole number$"),
        ({"seed": -1}, "seed: -1 is below the least, 0$"),
        ({"margins": {"longer_ratio": 1.0}}, "margins.longer_ratio: 1.0 is not above 1"),
        ({"plan": {"allow_dense": 1}}, "plan.allow_dense: 1 is neither true nor false"),
        ({"plan": {"at_least_seconds": ["a"]}}, "plan.at_least_seconds"),
        ({"plan": {"at_least_seconds": [1.5]}}, "at_least_seconds: 1.5 leaves no room"),
        ({"plan": {"at_most_seconds": []}}, "at_most_seconds"),
        ({"sound": {"peak_dbfs": 3.0}}, "sound.peak_dbfs"),
        ({"control": "equal-loudness"}, "control: input should be 'none', 'equal-energy' or 'equal-spectrum'"),
        ({"control": "equal-spectrum", "control_rules": {"filter_db": 9.0}}, "control_rules.filter_db: 9.0 is above the most, 6"),
        ({"control_rules": {"gap_bed_db": 25.0}}, 'control_rules: without effect, as control is "none"; set control too'),
    ],
)
def test_a_wrong_field_is_named(change, said):
    with pytest.raises(RecipeError, match=said) as caught:
        make_recipe(PRESETS["full"], change)
    assert "\n" not in str(caught.value)


def test_later_changes_win_and_tables_merge():
    recipe = make_recipe(PRESETS["mini"], {"seed": 1, "plan": {"edge_ms": 50}}, {"seed": 2})
    assert (recipe.seed, recipe.plan.edge_ms, recipe.plan.clearance_ms, recipe.queries_per_task) == (2, 50, 20, 20)


def test_the_hash_depends_on_every_field_and_the_library():
    base = PRESETS["full"]
    digests = {
        recipe_hash(base, "x"),
        recipe_hash(base, "y"),
        recipe_hash(make_recipe(base, {"seed": 1}), "x"),
        recipe_hash(make_recipe(base, {"sound": {"fade_ms": 11}}), "x"),
    }
    assert len(digests) == 4
    assert recipe_hash(make_recipe(base, {"seed": 0}), "x") in digests


def test_a_control_is_written_only_where_there_is_one():
    control = make_recipe(PRESETS["full"], {"control": "equal-energy", "control_rules": {"gap_bed_db": 25.0}})
    assert (control.control, control.control_rules.gap_bed_db, control.control_rules.filter_db) == ("equal-energy", 25.0, 6.0)
    assert make_recipe(PRESETS["smoke"], json.loads(control.canonical_json())) == control
    assert "control" not in PRESETS["full"].canonical_json()
    assert control.planned() == PRESETS["full"]
    assert (
        recipe_hash(PRESETS["full"], "x") == "d1e1584a22c52a2f01f8b7246503caf50b302ab54182111909bfa37cddb14d8f"
    )  # of corpora that were built before there were controls


@pytest.mark.parametrize(
    ("name", "text"), [("r.toml", "seed = 5\n[plan]\nedge_ms = 90\n"), ("r.json", '{"seed": 5, "plan": {"edge_ms": 90}}')]
)
def test_recipe_files(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    recipe = make_recipe(PRESETS["smoke"], load_recipe(path))
    assert (recipe.seed, recipe.plan.edge_ms) == (5, 90)


def test_a_recipe_written_by_a_build_reads_back(tmp_path):
    path = tmp_path / "recipe.json"
    path.write_text(PRESETS["mini"].canonical_json())
    assert make_recipe(PRESETS["full"], load_recipe(path)) == PRESETS["mini"]
    assert json.loads(path.read_text())["name"] == "mini"
    path.write_text(json.dumps({"recipe": PRESETS["smoke"].model_dump(mode="json"), "recipe_hash": "x", "library": {}}))
    assert make_recipe(PRESETS["full"], load_recipe(path)) == PRESETS["smoke"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("r.toml", b"seed = ", "not valid TOML"),
        ("r.json", b"[1]", "table of fields"),
        ("r.json", b"{", "not valid JSON"),
        ("r.toml", "seed = 1 # ä".encode("latin-1"), "not UTF-8 at byte 11"),
        ("r.json", b'{"seed": 1, "plan": {"edge_ms": 90, "edge_ms": 80}}', "'edge_ms' is there twice"),
        ("r.yaml", b"seed: 1", r"ends in \.toml or \.json"),
        (None, b"", "no such file; give a TOML or JSON file"),
    ],
)
def test_a_broken_recipe_file_is_one_line(tmp_path, name, content, said):
    path = tmp_path / (name or "missing.toml")
    if name:
        path.write_bytes(content)
    with pytest.raises(RecipeError, match=said) as caught:
        load_recipe(path)
    assert "\n" not in str(caught.value)
    assert path.name in str(caught.value)
