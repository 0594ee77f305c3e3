"""Reading back: everything a plan held, and one clear line for everything that is wrong."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from builders import layout
from builders.dataset_folder import DatasetFolder
from builders.errors import DatasetFolderError, UnknownIdError
from builders.logic import Truth, evaluate
from tests.corpus_fixture import ToneRenderer, folder, make_library, make_plan, make_qrels, python

__all__ = ["folder"]
PLAN = make_plan()


def test_the_plan_comes_back(folder: Path) -> None:
    found = DatasetFolder.open(folder)
    assert tuple(found.clips.values()) == PLAN.clips
    assert tuple(found.queries.values()) == PLAN.queries
    assert found.recipe == PLAN.recipe
    assert found.recipe_hash == PLAN.recipe_hash
    assert found.library_name == "tests"


def test_sounds_and_relations_come_back(folder: Path) -> None:
    found, library = DatasetFolder.open(folder), make_library()
    assert dict(found.relations.ancestors) == dict(library.relations.ancestors)
    assert dict(found.relations.confusable) == dict(library.relations.confusable)
    assert list(found.sounds) == ["bell", "dog bark", "rain", 'ünusual "siren"']  # no clip has a "dog", no query asks for one
    assert all(found.sounds[label].sound == library.sound(label) for label in found.sounds)
    assert found.sounds["bell"].related == ("rain",)
    assert found.sounds["dog bark"].recordings[0].duration_ms == 1000
    assert found.sounds["dog bark"].recordings[0].attribution == 'by "dog bark", 2020'
    assert found.sounds['ünusual "siren"'].recordings == ()


def test_formulas_hold_for_their_clips(folder: Path) -> None:
    found = DatasetFolder.open(folder)
    for query in found.queries.values():
        for clip in query.relevant:
            assert evaluate(query.formula, found.clips[clip].timeline, relations=found.relations) is Truth.TRUE
            assert clip in found.qrels(query.task)[query.id]


def test_qrels(folder: Path) -> None:
    found, pairs = DatasetFolder.open(folder), make_qrels(PLAN)
    assert sorted((query, clip) for query, clips in found.qrels().items() for clip in clips) == pairs
    task_of = {clip.id: clip.task for clip in PLAN.clips}
    own = {query.id for query in PLAN.queries_of("mix")}
    expected = [(query, clip) for query, clip in pairs if query in own and task_of[clip] == "mix"]
    assert sorted((query, clip) for query, clips in found.qrels("mix").items() for clip in clips) == expected


def test_audio_by_id_and_in_order(folder: Path) -> None:
    found, renderer = DatasetFolder.open(folder), ToneRenderer(PLAN.recipe, make_library())
    for clip in reversed(PLAN.clips):
        samples, rate = found.audio(clip.id)
        assert rate == 8000
        assert samples.dtype == np.int16
        np.testing.assert_array_equal(samples, renderer.clip(clip.id, clip.timeline))
        assert found.pcm_sha256[clip.id] == hashlib.sha256(samples.tobytes()).hexdigest()
    assert [clip_id for clip_id, _ in found.iter_audio()] == [clip.id for clip in PLAN.clips]
    order = dict(found.iter_audio("order"))
    assert list(order) == [clip.id for clip in PLAN.clips_of("order")]
    some = PLAN.clips_of("order")[3].id
    np.testing.assert_array_equal(order[some][0], found.audio(some)[0])


def test_captions(folder: Path) -> None:
    clip = PLAN.clips[0]
    assert DatasetFolder.open(folder).caption(clip.id).startswith(f"A {clip.timeline.events[0].label} sounds from 0.1")


def test_unknown_names(folder: Path) -> None:
    found = DatasetFolder.open(folder)
    near = PLAN.clips[0].id[:-1] + "z"
    for ask in (found.audio, found.caption, found.clips.__getitem__, found.pcm_sha256.__getitem__):
        with pytest.raises(UnknownIdError, match=rf"no clip '{near}'.*did you mean.*{PLAN.clips[0].id}"):
            ask(near)
    with pytest.raises(UnknownIdError, match="no query 'x' in this dataset"):
        found.queries["x"]
    with pytest.raises(UnknownIdError, match="did you mean 'dog bark'"):
        found.sounds["dogbark"]
    with pytest.raises(UnknownIdError, match=r"no task 'ordr'.*did you mean 'order'"):
        found.qrels("ordr")
    with pytest.raises(UnknownIdError):
        next(found.iter_audio("all"))


def test_reading_needs_neither_datasets_nor_torchcodec(folder: Path, tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('datasets', 'torch', 'torchcodec'): raise ImportError(name)\n"
        "sys.meta_path.insert(0, Block())\n"
        "from builders.dataset_folder import DatasetFolder\n"
        f"found = DatasetFolder.open({str(folder)!r})\n"
        "print(len(list(found.iter_audio())), len(found.clips), len(found.queries), len(found.sounds))"
    )
    done = python(code, tmp_path)
    assert done.stdout.split() == ["40", "40", "20", "4"], done.stderr


# --- damage -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return shutil.copytree(folder, tmp_path / "copy")


def test_what_is_no_dataset_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path, message in (
        (tmp_path / "nowhere", "does not exist"),
        (tmp_path / "file", "is a file"),
        (tmp_path, "is not a dataset folder: it holds no manifest.json"),
    ):
        with pytest.raises(DatasetFolderError, match=message) as raised:
            DatasetFolder.open(path)
        assert "\n" not in str(raised.value)
    (tmp_path / layout.WORK).mkdir()
    with pytest.raises(DatasetFolderError, match="unfinished build"):
        DatasetFolder.open(tmp_path)


def test_another_layout(copy: Path) -> None:
    manifest = copy / layout.MANIFEST
    manifest.write_text(json.dumps(json.loads(manifest.read_bytes()) | {"layout": 99}))
    with pytest.raises(DatasetFolderError, match="layout version 99 is not known here, only 1"):
        DatasetFolder.open(copy)
    for text in ("{", "[]"):
        manifest.write_text(text)
        with pytest.raises(DatasetFolderError, match="is damaged"):
            DatasetFolder.open(copy)


def test_missing_and_damaged_files(copy: Path) -> None:
    found = DatasetFolder.open(copy)
    (copy / "timelines" / "order.parquet").unlink()
    with pytest.raises(DatasetFolderError, match=r"order\.parquet is missing"):
        found.clips  # noqa: B018
    (copy / "queries" / "mix.parquet").write_bytes(b"PAR1")
    with pytest.raises(DatasetFolderError, match=r"mix\.parquet is damaged"):
        found.queries  # noqa: B018
    shard = next((copy / "corpus").glob("mix-*"))
    content = bytearray(shard.read_bytes())
    content[200:4000] = bytes(3800)
    shard.write_bytes(content)
    with pytest.raises(DatasetFolderError, match="is damaged"):
        list(found.iter_audio("mix"))
    (copy / layout.RECIPE).write_text("{}")
    with pytest.raises(DatasetFolderError, match=r"recipe\.json is damaged: library, recipe, recipe_hash missing"):
        found.recipe  # noqa: B018


def test_a_recipe_of_another_version(copy: Path) -> None:
    recipe = copy / layout.RECIPE
    written = json.loads(recipe.read_bytes())
    recipe.write_text(json.dumps(written | {"recipe": written["recipe"] | {"flavour": 1}}))
    with pytest.raises(DatasetFolderError, match="field 'flavour' does not fit this version"):
        DatasetFolder.open(copy).recipe  # noqa: B018
