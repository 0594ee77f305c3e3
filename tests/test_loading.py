"""The folder as datasets and mteb load it: by path, streamed, in processes, and by its bare name."""

from __future__ import annotations

import io
import json
import shutil
from collections import namedtuple
from functools import cache as cache_once
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pytest
import soundfile
from datasets import Audio, load_dataset

import reasonaudio_dataset
from builders import layout
from builders.dataset_folder import DatasetFolder
from builders.errors import BuildError, DatasetFolderError
from builders.recipe import TASK_NAMES
from tests.corpus_fixture import folder, make_folder, make_library, make_plan, make_qrels, python

__all__ = ["folder"]
PLAN = make_plan()
BLOCK_TORCHCODEC = (
    "import importlib.util, sys\n"
    "class Block:\n"
    "    def find_spec(self, name, path=None, target=None):\n"
    "        if name.split('.')[0] == 'torchcodec': raise ImportError(name)\n"
    "sys.meta_path.insert(0, Block())\n"
    "found = importlib.util.find_spec\n"
    "importlib.util.find_spec = lambda name, package=None: None if name == 'torchcodec' else found(name, package)\n"
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for every test."""
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "home" / "datasets")
    datasets.disable_progress_bars()
    return tmp_path / "home"


def without_audio(rows: Any) -> Any:
    return rows.cast_column("audio", Audio(decode=False)) if "audio" in rows.column_names else rows


@pytest.mark.parametrize("config", layout.configs(), ids=lambda config: config.name)
def test_every_config_loads_and_streams(folder: Path, config: layout.Config) -> None:
    whole = load_dataset(str(folder), config.name)
    streamed = load_dataset(str(folder), config.name, streaming=True)
    assert list(whole) == list(streamed) == list(config.splits)
    for split, rows in whole.items():
        assert rows.features == layout.features(config.kind) == reasonaudio_dataset.features(config.name)
        assert rows.info.splits[split].num_examples == len(rows) > 0
        assert abs(rows.info.splits[split].num_bytes - rows.data.nbytes) <= 0.02 * rows.data.nbytes + 64
        assert list(without_audio(streamed[split])) == list(without_audio(rows))


def test_default_config_and_processes(folder: Path) -> None:
    clips = load_dataset(str(folder), num_proc=2)
    assert list(clips) == list(TASK_NAMES)
    rows = clips["order"].cast_column("audio", Audio(decode=False))
    assert rows["id"][:] == [clip.id for clip in PLAN.clips_of("order")]
    samples, rate = soundfile.read(io.BytesIO(rows[3]["audio"]["bytes"]), dtype="int16")
    np.testing.assert_array_equal(samples, DatasetFolder.open(folder).audio(rows[3]["id"])[0])
    assert (rows[3]["audio"]["path"], rate) == (f"{rows[3]['id']}.flac", 8000)
    assert len(load_dataset(str(folder), "corpus", split="test", num_proc=2)) == len(PLAN.clips)


def test_load_takes_what_load_dataset_takes(folder: Path, tmp_path: Path) -> None:
    assert len(reasonaudio_dataset.load(folder, "sounds", split="test")) == 4
    assert list(reasonaudio_dataset.load(folder, streaming=True)) == list(TASK_NAMES)
    with pytest.raises(DatasetFolderError, match="does not exist"):
        reasonaudio_dataset.load(tmp_path / "nowhere")
    with pytest.raises(KeyError):
        reasonaudio_dataset.features("nothing")


def test_two_corpora_in_one_place_do_not_share_a_cache(tmp_path: Path) -> None:
    for seed in (0, 1):
        out = tmp_path / "demo"
        shutil.rmtree(out, ignore_errors=True)
        make_folder(out, make_plan(seed=seed))
        ids = load_dataset(str(out), "negation-corpus", split="test")["id"][:]
        assert ids == [clip.id for clip in make_plan(seed=seed).clips_of("negation")]


def test_a_file_that_lost_rows_is_refused(folder: Path, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    copy = shutil.copytree(folder, tmp_path / "copy")
    file = copy / "all-qrels" / "test.parquet"
    pq.write_table(pq.read_table(file).slice(1), file)
    with pytest.raises(datasets.exceptions.NonMatchingSplitsSizesError):
        load_dataset(str(copy), "all-qrels")
    with pytest.raises(DatasetFolderError, match=r"cannot be installed \(NonMatchingSplitsSizesError"):
        reasonaudio_dataset.install(copy, home=tmp_path / "other", verified=True)
    file.write_bytes(file.read_bytes()[:100])
    with pytest.raises(DatasetFolderError, match="cannot be installed"):
        reasonaudio_dataset.install(copy, home=tmp_path / "other", verified=True)


def test_a_damaged_folder_is_not_installed(folder: Path, tmp_path: Path) -> None:
    def refused(what: str) -> None:
        with pytest.raises(DatasetFolderError, match=f"copy is damaged: {what}; reasonaudio check .*copy lists everything$"):
            reasonaudio_dataset.install(copy, home=tmp_path / "other")

    copy = shutil.copytree(folder, tmp_path / "copy")
    table, audio = copy / "queries" / "order.parquet", next((copy / "corpus").iterdir())
    content = table.read_bytes()
    table.unlink()
    refused("queries/order.parquet is missing")
    table.write_bytes(content[:-9])
    refused("queries/order.parquet is not as it was built")
    table.write_bytes(content)
    shutil.copy(audio, copy / "corpus" / "mix-more.parquet")
    refused("corpus/mix-more.parquet is not in manifest.json, but would be loaded as part of the dataset")
    (copy / "corpus" / "mix-more.parquet").unlink()
    steps: list[tuple[int, int]] = []
    reasonaudio_dataset.verify(copy, lambda done, total: steps.append((done, total)))
    assert steps
    assert steps[-1][0] <= steps[-1][1]
    flipped = bytearray(audio.read_bytes())
    flipped[1000] ^= 1
    audio.write_bytes(flipped)
    refused(f"corpus/{audio.name} is not as it was built")
    assert not (tmp_path / "other").exists()


@cache_once
def decodes() -> bool:
    return python("import torchcodec.decoders", Path.cwd()).returncode == 0


def test_torchcodec_and_soundfile_agree(folder: Path) -> None:
    if not decodes():
        pytest.skip("torchcodec does not load here")
    found = DatasetFolder.open(folder)
    for row in load_dataset(str(folder), split="mix"):
        samples, rate = found.audio(row["id"])
        assert row["audio"]["sampling_rate"] == rate
        np.testing.assert_array_equal(row["audio"]["array"], samples / np.float32(32768))


def test_mteb_reads_a_task(folder: Path) -> None:
    if not decodes():
        pytest.skip("mteb decodes the first clip, and torchcodec does not load here")
    from mteb.abstasks.retrieval_dataset_loaders import RetrievalDatasetLoader

    found = RetrievalDatasetLoader(str(folder), revision="x", split="test", config="negation").load()
    assert found["corpus"]["id"][:] == [clip.id for clip in PLAN.clips_of("negation")]
    queries = PLAN.queries_of("negation")
    assert found["queries"].to_list() == [{"id": query.id, "text": query.text} for query in queries]
    relevant = {query: set(clips) for query, clips in found["relevant_docs"].items()}
    assert relevant == DatasetFolder.open(folder).qrels("negation")


def test_building_and_loading_without_torchcodec(folder: Path, tmp_path: Path) -> None:
    code = (
        BLOCK_TORCHCODEC + "from corpus_fixture import *; import io, soundfile; from datasets import Audio, load_dataset\n"
        "from builders.dataset_folder import content_hash\n"
        "out = make_folder(Path('x'))\n"
        "rows = load_dataset('x', split='order').cast_column('audio', Audio(decode=False))\n"
        "samples, rate = soundfile.read(io.BytesIO(rows[0]['audio']['bytes']))\n"
        "print(content_hash(out), len(samples), rate, 'torchcodec' in sys.modules)"
    )
    done = python(code, tmp_path, HF_HOME=str(tmp_path / "home"))
    expected = reasonaudio_dataset.content_hash(folder)
    assert done.stdout.split() == [expected, "8000", "8000", "False"], done.stderr


# --- by name ----------------------------------------------------------------------------------------------------------

BY_NAME = (
    "import json; from datasets import load_dataset, Audio\n"
    "clips = load_dataset('reasonaudio')\n"
    "first = clips['order'].cast_column('audio', Audio(decode=False))[0]\n"
    "print(json.dumps([list(clips), first['id'], len(load_dataset('reasonaudio', 'all-qrels', split='test'))]))"
)


def by_name(home: Path, cwd: Path) -> Any:
    cwd.mkdir(exist_ok=True)
    done = python(BY_NAME, cwd, HF_HOME=str(home), HF_DATASETS_CACHE=str(home / "datasets"))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_installed_by_its_bare_name(folder: Path, cache: Path, tmp_path: Path) -> None:
    needed = reasonaudio_dataset.install_bytes(folder, home=cache)
    seen: list[tuple[int, int]] = []
    done = reasonaudio_dataset.install(folder, home=cache, progress=lambda _, n, of: seen.append((n, of)))
    assert done.new_bytes == needed > 0
    assert seen == [(n, len(done.configs)) for n in range(len(done.configs) + 1)]
    assert not {"corpus", "order-corpus"} & set(done.configs)
    expected = [list(TASK_NAMES), PLAN.clips_of("order")[0].id, len(make_qrels(PLAN))]
    assert by_name(cache, tmp_path / "elsewhere") == expected

    # A newer corpus takes its place, and the older one again that of the newer.
    newer = make_plan(seed=1)
    other = make_folder(tmp_path / "any name", newer)
    assert reasonaudio_dataset.install(other, home=cache).replaced == len(done.configs)
    assert by_name(cache, tmp_path / "elsewhere")[1] == newer.clips_of("order")[0].id
    assert "order-corpus" in reasonaudio_dataset.install(folder, home=cache, everything=True).configs
    assert reasonaudio_dataset.install_bytes(folder, home=cache, everything=True) == 0
    assert reasonaudio_dataset.install(folder, home=cache).new_bytes == 0
    assert by_name(cache, tmp_path / "elsewhere") == expected


def test_installing_says_what_does_not_fit(folder: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(1000))
    with pytest.raises(BuildError, match=r"installing needs 0\.\d MB in .*only 0\.0 MB free"):
        reasonaudio_dataset.install(folder, home=cache)
    with pytest.raises(DatasetFolderError, match="does not exist"):
        reasonaudio_dataset.install(tmp_path / "nowhere", home=cache)
    (tmp_path / "file").write_text("x")
    with pytest.raises(BuildError, match="the cache cannot be written"):
        reasonaudio_dataset.install(folder, home=tmp_path / "file")


def test_the_library_of_the_fixture_is_the_one_that_was_built(folder: Path) -> None:
    assert DatasetFolder.open(folder).library_name == make_library().name
