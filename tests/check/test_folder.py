"""A real small folder is built once; each test damages a copy in one way, and the check must name it."""

import hashlib
import json
import re
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builders import layout
from builders.build import build
from builders.captions import caption
from builders.check import check
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import DatasetFolderError
from builders.relevance import qrels
from tests.fake_library import smoke


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    plan, library = smoke()
    return build(plan, library, qrels(plan, library.relations), tmp_path_factory.mktemp("check") / "sound").folder


@pytest.fixture
def folder(sound, tmp_path):
    return shutil.copytree(sound, tmp_path / "copy")


def said(folder, **how):
    return "\n".join(map(str, check(folder, **how)))


def edit(folder: Path, config: str, split: str, change) -> None:
    """Lets `change` work on the rows of a table, and writes it back as the build does."""
    file = folder / layout.table_file(config, split)
    table = pq.read_table(file)
    rows = table.to_pylist()
    change(rows)
    layout.write_table(pa.Table.from_pylist(rows, schema=table.schema), file)


def forge(folder: Path) -> None:
    """Makes the manifest, and the card, fit whatever the files hold now."""
    manifest = json.loads((folder / layout.MANIFEST).read_text())
    for file in manifest["files"]:
        manifest["files"][file] = hashlib.sha256((folder / file).read_bytes()).hexdigest()
    (folder / layout.MANIFEST).write_text(json.dumps(manifest))
    card = (folder / layout.CARD).read_text()
    (folder / layout.CARD).write_text(re.sub(r"content_hash: \w+", f"content_hash: {content_hash(folder)}", card))


def test_a_sound_folder_has_no_problems(sound):
    assert said(sound) == ""
    assert said(sound, deep=True) == ""
    assert said(sound, deep=True, num_proc=2) == ""


def test_what_is_no_folder(tmp_path):
    with pytest.raises(DatasetFolderError, match="does not exist"):
        check(tmp_path / "nowhere")


def test_a_flipped_bit_in_a_clip(folder):
    file = next((folder / "corpus").glob("order-*.parquet"))
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    text = said(folder)
    assert f"corpus/{file.name}: is not as it was built" in text
    assert "clip " in text  # which clip it is
    assert len(text.splitlines()) < 5


def test_a_missing_shard(folder):
    file = next((folder / "corpus").glob("mix-*.parquet"))
    file.unlink()
    assert f"corpus/{file.name}: is missing" in said(folder)
    assert len(check(folder, deep=True)) < 3


def test_a_file_too_many(folder):
    shutil.copy(next((folder / "corpus").glob("mix-*.parquet")), folder / "corpus" / "mix-more.parquet")
    assert "corpus/mix-more.parquet: is not in manifest.json" in said(folder)


@pytest.mark.parametrize("config", ["all-qrels", "negation-qrels"])
def test_a_qrel_removed_or_added(folder, config):
    edit(folder, config, "test", lambda rows: rows.pop())
    forge(folder)
    assert f"{config}: query" in said(folder)
    assert "not in the qrels" in said(folder)
    clips = DatasetFolder.open(folder).clips
    stranger = max(clip.id for clip in clips.values() if clip.task == "negation")
    edit(folder, config, "test", lambda rows: rows.append({"query-id": "f" * 16, "corpus-id": stranger, "score": 1}))
    forge(folder)
    assert "not relevant by its formula" in said(folder)


def test_a_table_that_is_not_readable(folder):
    (folder / layout.table_file("queries", "mix")).write_bytes(b"PAR1 no")
    text = said(folder)
    assert "queries/mix.parquet: is not as it was built" in text
    assert "queries/mix.parquet is damaged" in text


def test_texts_captions_and_copies(folder):
    edit(folder, "mix-queries", "test", lambda rows: rows[0].update(text="A dog barks."))
    edit(folder, "timelines", "mix", lambda rows: rows[0].update(caption="Nothing."))
    edit(folder, "timelines", "order", lambda rows: rows.reverse())
    edit(folder, "all-qrels", "test", lambda rows: rows[0].update(score=0))
    forge(folder)
    text = said(folder)
    assert "mix-queries: is not the same as the queries" in text
    assert "caption is not that of its timeline: 'Nothing.'" in text
    assert "timelines (order): is not sorted" in text
    assert "all-qrels: holds a score other than 1" in text


def test_a_column_that_is_missing(folder):
    file = folder / layout.table_file("timelines", "mix")
    pq.write_table(pq.read_table(file).drop_columns(["events"]), file)
    forge(folder)
    assert said(folder).startswith("timelines/mix.parquet: has the columns id (string), ")


def test_a_formula_that_is_none(folder):
    edit(folder, "queries", "mix", lambda rows: rows[0].update(formula="Before("))
    forge(folder)
    assert "queries/mix.parquet: query " in said(folder)


def test_card_and_attribution(folder):
    (folder / layout.CARD).write_text("hi")
    (folder / layout.ATTRIBUTION).write_text("hi")
    forge(folder)
    text = said(folder)
    assert "README.md: has no YAML" in text
    assert "ATTRIBUTION.csv: does not give licence and attribution of" in text


def test_another_recipe(folder):
    recipe = json.loads((folder / layout.RECIPE).read_text())
    recipe["recipe"]["seed"] = 5
    (folder / layout.RECIPE).write_text(json.dumps(recipe))
    forge(folder)
    assert "its recipe_hash is not that of its recipe" in said(folder)


def move_event(folder: Path, by_s: float) -> str:
    """Moves one event of a timeline, with its caption and the manifest: nothing but the audio tells. Returns the clip's id."""
    opened = DatasetFolder.open(folder)
    clip = next(c for c in opened.clips.values() if c.form == "negation-1" and c.timeline.events[0].onset_ms > by_s * 1000 + 110)
    by_id = {label: used.sound for label, used in opened.sounds.items()}

    def change(rows):
        row = next(row for row in rows if row["id"] == clip.id)
        row["events"][0]["onset"] -= by_s
        row["events"][0]["offset"] -= by_s

    edit(folder, "timelines", "negation", change)
    changed = DatasetFolder.open(folder).clips[clip.id]
    edit(
        folder,
        "timelines",
        "negation",
        lambda rows: next(row for row in rows if row["id"] == clip.id).update(caption=caption(changed.timeline, by_id)),
    )
    return clip.id


def test_an_event_moved(folder):
    move_event(folder, 0.3)
    assert "timelines/negation.parquet: is not as it was built" in said(folder)


@pytest.mark.parametrize("by_s", [0.3, 0.06])
def test_only_a_deep_check_finds_what_is_forged_consistently(folder, by_s):
    clip_id = move_event(folder, by_s)
    forge(folder)
    assert said(folder) == ""
    assert f"clip {clip_id}: " in said(folder, deep=True)
