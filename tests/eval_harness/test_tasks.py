"""The tasks in stock mteb."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mteb
import numpy as np
import pytest
from mteb.abstasks.task_metadata import TaskMetadata

from builders.dataset_folder import DatasetFolder
from builders.errors import DatasetFolderError, EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness import registry, tasks
from eval_harness.loading import StoredClip, load_split
from tests.corpus_fixture import folder, make_folder, make_plan, python  # noqa: F401  # a fixture
from tests.toy_encoder import ToyEncoder

NAMES = ["ReasonAudio-Negation", "ReasonAudio-Order", "ReasonAudio-Overlap", "ReasonAudio-Duration", "ReasonAudio-Mix"]


@pytest.fixture(autouse=True)
def _data(folder: Path) -> None:  # noqa: F811
    registry.use_data(folder)


def test_mteb_knows_the_tasks_by_name() -> None:
    assert [task.metadata.name for task in mteb.get_tasks(tasks=NAMES)] == NAMES
    listed = {task.metadata.name for task in mteb.get_tasks(modalities=["audio"], task_types=["Any2AnyRetrieval"])}
    assert set(NAMES) <= listed
    with pytest.raises(KeyError, match="Did you mean: 'ReasonAudio-Negation'"):
        mteb.get_task("ReasonAudio-Negatoin")


def test_the_benchmark_holds_the_five_and_says_where_it_is_from() -> None:
    benchmark = mteb.get_benchmark("ReasonAudio")
    assert [task.metadata.name for task in benchmark.tasks] == NAMES
    assert benchmark.display_name == "ReasonAudio"
    assert benchmark.reference == "https://arxiv.org/abs/2605.03361"
    assert "2605.03361" in (benchmark.citation or "")


@pytest.mark.parametrize("cls", [*tasks.TASKS, *tasks.TASKS_ALL])
def test_metadata_is_complete(cls: type[tasks.ReasonAudioTask]) -> None:
    metadata = cls.metadata
    assert isinstance(metadata, TaskMetadata)
    assert metadata.is_filled()
    assert metadata.main_score == "hit_rate_at_1"
    assert metadata.category == "t2a"
    assert metadata.eval_langs == {cls.task: ["eng-Latn"]}
    assert metadata.prompt == tasks.PROMPT


def test_the_prompt_names_no_relation() -> None:
    words = set(str(tasks.PROMPT).lower().split())
    assert not words & {"before", "after", "while", "longer", "shorter", "without", "no", "not", "overlap", "first", "then"}


def test_the_folder_and_its_content_are_the_path_and_revision(folder: Path) -> None:  # noqa: F811
    dataset = mteb.get_task("ReasonAudio-Mix").metadata.dataset
    assert dataset["path"] == str(folder.resolve())
    assert dataset["revision"] == registry.data().content_hash
    assert mteb.get_benchmark("ReasonAudio").tasks[0].metadata.dataset == dataset


def test_another_dataset_in_the_same_process(folder: Path, tmp_path: Path) -> None:  # noqa: F811
    task = mteb.get_task("ReasonAudio-Order")
    task.load_data()
    first = set(task.dataset["order"]["test"]["corpus"]["id"])
    other = registry.use_data(make_folder(tmp_path / "other", make_plan(seed=5)))
    assert not task.data_loaded  # what is loaded is of the dataset before
    task.load_data()
    assert set(task.dataset["order"]["test"]["corpus"]["id"]).isdisjoint(first)
    assert task.metadata.dataset["revision"] == other.revision
    registry.use_data(folder)
    assert not task.data_loaded


def test_without_a_dataset_loading_says_so(tmp_path: Path) -> None:
    code = "import eval_harness, mteb\nmteb.get_task('ReasonAudio-Mix').load_data()"
    done = python(code, tmp_path, REASONAUDIO_DATA="")
    assert "no dataset to evaluate on: call eval_harness.registry.use_data(" in done.stderr.strip().splitlines()[-1]


def test_the_variable_is_read_at_first_use(folder: Path, tmp_path: Path) -> None:  # noqa: F811
    code = "import eval_harness, mteb\nprint(mteb.get_task('ReasonAudio-Mix').metadata.dataset['path'])"
    assert python(code, tmp_path, REASONAUDIO_DATA=str(folder)).stdout.strip() == str(folder.resolve())
    reverse = "import mteb, eval_harness\n"
    reverse += "t = mteb.get_task('ReasonAudio-Mix'); t.load_data(); print(len(t.dataset['mix']['test']['corpus']))"
    assert python(reverse, tmp_path, REASONAUDIO_DATA=str(folder)).stdout.strip() == "8"


@pytest.mark.parametrize(
    "first", ["eval_harness.tasks", "eval_harness.running", "eval_harness.systems.scale", "eval_harness.metric"]
)
def test_names_are_known_whichever_module_is_imported_first(first: str, tmp_path: Path) -> None:
    done = python(f"import {first}, mteb\nprint(mteb.get_task('ReasonAudio-Mix').metadata.name)", tmp_path)
    assert done.stdout.strip() == "ReasonAudio-Mix", done.stderr


def test_importing_does_not_import_mteb(tmp_path: Path) -> None:
    assert python("import eval_harness, sys\nprint('mteb' in sys.modules)", tmp_path).stdout.strip() == "False"


def test_a_moved_name_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(sys.modules["mteb.get_tasks"], "_TASKS_REGISTRY")
    with pytest.raises(EvaluationError, match=r"mteb [\d.]+ has no mteb\.get_tasks\._TASKS_REGISTRY, where ReasonAudio's tasks"):
        registry.register()


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("mteb.get_tasks", "_TASKS_REGISTRY"),
        ("mteb.get_tasks", "TASK_LIST"),
        ("mteb.benchmarks.get_benchmark", "_build_registry"),
        ("mteb.models.model_implementations", "MODEL_REGISTRY"),
    ],
)
def test_mteb_keeps_its_names_where_registration_looks(module: str, name: str) -> None:
    assert hasattr(sys.modules[module], name), f"mteb {mteb.__version__} has moved {module}.{name}: see eval_harness/registry.py"


# --- loading ----------------------------------------------------------------------------------------------------------


def test_a_split_holds_the_task_and_nothing_else(folder: Path) -> None:  # noqa: F811
    data = registry.data()
    for scope, clips in (("task", 8), ("all", 40)):
        split = load_split(data, "overlap", scope)
        assert split["corpus"].column_names == ["id", "audio"]
        assert split["queries"].column_names == ["id", "text"]
        assert len(split["corpus"]) == clips
        relevant = DatasetFolder.open(folder).qrels(None if scope == "all" else "overlap")
        assert {query: set(found) for query, found in split["relevant_docs"].items()} == {
            query: set(relevant[query]) for query in split["queries"]["id"]
        }


def test_clips_are_decoded_bit_for_bit_when_they_are_looked_at(folder: Path) -> None:  # noqa: F811
    corpus = load_split(registry.data(), "mix")["corpus"]
    opened = DatasetFolder.open(folder)
    for row in corpus:
        samples, rate = opened.audio(row["id"])
        assert row["audio"]["sampling_rate"] == rate
        np.testing.assert_array_equal(row["audio"]["array"], samples / np.float32(32768))


def test_a_stored_clip_is_a_dict_in_every_way(folder: Path) -> None:  # noqa: F811
    import pickle

    opened = DatasetFolder.open(folder)
    clip_id = next(iter(opened.clips))

    def made() -> StoredClip:
        return StoredClip(opened.flac(clip_id))

    wanted, rate = opened.audio(clip_id)
    ways = [
        made(), dict(made()), {**made()}, made().copy(), pickle.loads(pickle.dumps(made())), dict(made().items()),  # noqa: S301
        {"array": made().get("array"), "sampling_rate": next(v for v in made().values() if isinstance(v, int))},
    ]  # fmt: skip
    for way in ways:
        assert isinstance(way, dict)
        assert "array" in way
        np.testing.assert_array_equal(way["array"] * 32768, wanted)
        assert way["sampling_rate"] == rate


def test_torchcodec_is_not_needed(folder: Path, tmp_path: Path) -> None:  # noqa: F811
    broken = tmp_path / "fake" / "torchcodec"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise OSError('broken on purpose')")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'fake')!r})\n"
        "import eval_harness, mteb\n"
        "t = mteb.get_task('ReasonAudio-Mix'); t.load_data()\n"
        "print(t.dataset['mix']['test']['corpus'][0]['audio']['array'].shape)"
    )
    done = python(code, tmp_path, REASONAUDIO_DATA=str(folder), HF_HOME=str(tmp_path / "hf"))
    assert done.stdout.strip() == "(8000,)", done.stderr


def test_a_cache_of_another_build_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import datasets

    made = make_folder(tmp_path / "corpus", make_plan(seed=7))
    data = registry.use_data(made)
    real = datasets.load_dataset

    def stale(*args: object, **settings: object) -> object:
        found = real(*args, **settings)
        return found.select(range(len(found) - 1, -1, -1)).flatten_indices()

    monkeypatch.setattr(datasets, "load_dataset", stale)
    with pytest.raises(DatasetFolderError, match="the cache of `datasets` holds another corpus"):
        load_split(data, "mix")


# --- evaluating -------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:`load_results`")
def test_stock_mteb_embeds_each_clip_once_and_hands_over_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = ToyEncoder()
    cache = mteb.ResultCache(tmp_path)
    mteb.evaluate(model, mteb.get_benchmark("ReasonAudio").tasks, cache=cache, co2_tracker=False)
    assert sorted(model.clips) == sorted(DatasetFolder.open(registry.data().folder.path).clips)
    assert model.keys == {("audio", "id"), ("id", "query", "text")}
    monkeypatch.setenv("MTEB_CACHE", str(tmp_path))
    loaded = mteb.load_results(download_latest=False, tasks=mteb.get_tasks(tasks=NAMES))
    assert {result.task_name for found in loaded.model_results for result in found.task_results} == set(NAMES)


def test_the_aggregate_is_the_mean(tmp_path: Path) -> None:
    cache = mteb.ResultCache(tmp_path)
    found = mteb.evaluate(ToyEncoder(), mteb.get_task("ReasonAudio"), cache=cache, co2_tracker=False).task_results[0]
    folder_of_results = tmp_path / "results" / "toys__levels" / "1"
    each = [json.loads((folder_of_results / f"{name}.json").read_text())["scores"]["test"][0]["main_score"] for name in NAMES]
    assert found.get_score() == pytest.approx(np.mean(each))


def test_the_old_interface_of_mteb_runs_too(tmp_path: Path) -> None:
    with pytest.warns(DeprecationWarning, match="MTEB"):
        runner = mteb.MTEB(tasks=mteb.get_tasks(tasks=["ReasonAudio-Mix"]))
    runner.run(ToyEncoder(), output_folder=str(tmp_path), verbosity=0)
    assert (tmp_path / "toys__levels" / "1" / "ReasonAudio-Mix.json").is_file()


def test_every_task_is_registered_for_every_task_of_the_dataset() -> None:
    assert tuple(cls.task for cls in tasks.TASKS) == TASK_NAMES
