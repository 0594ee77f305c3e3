"""Models on tasks: results, rankings, resuming, refusing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import mteb
import numpy as np
import pytest
import pytrec_eval

import eval_harness
from builders.dataset_folder import DatasetFolder
from builders.errors import DatasetFolderError, EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness import registry
from eval_harness.rankings import Rankings
from eval_harness.running import run
from tests.corpus_fixture import ROOT, folder, make_folder, make_plan  # noqa: F401  # a fixture
from tests.toy_encoder import ToyEncoder

NAMES = [f"ReasonAudio-{task.capitalize()}" for task in TASK_NAMES]


@pytest.fixture
def data(folder: Path) -> Path:  # noqa: F811
    registry.use_data(folder)
    return folder


def test_results_are_those_of_stock_mteb(data: Path, tmp_path: Path) -> None:
    ours = run(ToyEncoder(), data=data, out=tmp_path / "ours", batch_size=3, num_workers=0, shard_clips=5)
    mteb.evaluate(ToyEncoder(), mteb.get_tasks(tasks=NAMES), cache=mteb.ResultCache(tmp_path / "stock"), co2_tracker=False)
    for name in NAMES:
        found, wanted = (
            json.loads((tmp_path / one / "results" / "toys__levels" / "1" / f"{name}.json").read_text())["scores"]["test"][0]
            for one in ("ours", "stock")
        )
        assert found.pop("languages") == wanted.pop("languages")
        assert found == pytest.approx(wanted, nan_ok=True)
    assert ours.model == "toys/levels"
    assert ours.mean is not None


def test_scores_are_those_of_pytrec_eval_on_the_stored_rankings(data: Path, tmp_path: Path) -> None:
    done = run(ToyEncoder(), data=data, out=tmp_path, num_workers=0)
    for task, name in zip(TASK_NAMES, NAMES, strict=True):
        stored = Rankings.read(done.rankings / f"{name}.parquet")
        relevant = {query: dict.fromkeys(found, 1) for query, found in DatasetFolder.open(data).qrels(task).items()}
        judge = pytrec_eval.RelevanceEvaluator(relevant, {"success.1", "ndcg_cut.10", "map", "recall.5"})
        found = judge.evaluate(stored.top(len(stored.clips)))
        for ours, theirs in (
            ("hit_rate_at_1", "success_1"),
            ("ndcg_at_10", "ndcg_cut_10"),
            ("map", "map"),
            ("recall_at_5", "recall_5"),
        ):
            assert done.tasks[task].scores[ours] == pytest.approx(np.mean([one[theirs] for one in found.values()]))


@pytest.mark.parametrize("num_workers", [0, 2])
def test_each_clip_is_embedded_once_for_both_scopes(data: Path, tmp_path: Path, num_workers: int) -> None:
    model = ToyEncoder()
    first = run(model, data=data, out=tmp_path, num_workers=num_workers)
    clips = sorted(DatasetFolder.open(data).clips)
    assert sorted(model.clips) == clips
    assert first.embedded == len(clips)
    asked = list(model.queries)
    both = run(model, data=data, out=tmp_path, num_workers=num_workers, scope="all")
    assert sorted(model.clips) == clips
    assert model.queries == asked
    assert both.embedded == 0
    assert model.keys == {("audio", "id"), ("id", "query", "text")}
    assert (both.results / "ReasonAudio-Mix-All.json").is_file()
    assert both.tasks["mix"].clips == len(clips)


def test_the_whole_corpus_at_once_embeds_each_clip_once(data: Path, tmp_path: Path) -> None:
    model = ToyEncoder()
    run(model, data=data, out=tmp_path, num_workers=0, scope="all")
    assert sorted(model.clips) == sorted(DatasetFolder.open(data).clips)


def test_a_finished_task_is_not_run_again(data: Path, tmp_path: Path) -> None:
    run(ToyEncoder(), ["order"], data=data, out=tmp_path, num_workers=0)
    model, notes = ToyEncoder(), []
    again = run(model, ["ReasonAudio-Order", "mix"], data=data, out=tmp_path, num_workers=0, note=notes.append)
    assert set(model.clips) == {clip.id for clip in DatasetFolder.open(data).clips.values() if clip.task == "mix"}
    assert notes == [f"ReasonAudio-Order: done before, in {tmp_path}"]
    assert list(again.tasks) == ["order", "mix"]


def test_another_revision_is_embedded_anew_and_kept_apart(data: Path, tmp_path: Path) -> None:
    run(ToyEncoder(), ["order"], data=data, out=tmp_path, num_workers=0)
    model = ToyEncoder(revision="2")
    done = run(model, ["order"], data=data, out=tmp_path, num_workers=0)
    assert len(model.clips) == 8
    assert done.rankings.name == "2"
    assert len(list((tmp_path / "rankings" / "toys__levels").iterdir())) == 2


def test_without_a_revision_nothing_is_taken_over(data: Path, tmp_path: Path) -> None:
    for _ in range(2):
        model, notes = ToyEncoder(), []
        model.mteb_model_meta = model.mteb_model_meta.model_copy(update={"revision": None})
        run(model, ["order"], data=data, out=tmp_path, num_workers=0, note=notes.append)
        assert len(model.clips) == 8
        assert notes == ["toys/levels has no revision, so that nothing of an earlier run can be taken for it"]


SLOW = """
import sys
from pathlib import Path
from tests.toy_encoder import ToyEncoder
from eval_harness.running import run
if __name__ == "__main__":
    data, out, log = map(Path, sys.argv[1:4])
    run(ToyEncoder(log=log, slow=float(sys.argv[4])), data=data, out=out, batch_size=2, num_workers=1, shard_clips=4)
"""


def test_a_killed_run_embeds_no_clip_of_a_finished_shard_again(data: Path, tmp_path: Path) -> None:
    script, log, out = tmp_path / "slow.py", tmp_path / "log", tmp_path / "out"
    script.write_text(SLOW)

    def start(slow: float) -> subprocess.Popen[bytes]:
        env = os.environ | {"PYTHONPATH": str(ROOT)}
        return subprocess.Popen([sys.executable, script, data, out, log, str(slow)], env=env, stderr=subprocess.DEVNULL)

    victim = start(0.2)
    deadline = time.monotonic() + 180
    while len(list(out.glob("embeddings/*/*/shard-*.npz"))) < 4 and time.monotonic() < deadline:
        time.sleep(0.02)
    victim.send_signal(signal.SIGKILL)
    victim.wait()
    shards = list(out.glob("embeddings/*/*/shard-*.npz"))
    assert 4 <= len(shards) < 12
    safe = {one for shard in shards for one in np.load(shard)["ids"].tolist()}
    before = [json.loads(line)[0] for line in log.read_text().splitlines()]
    assert start(0).wait(180) == 0
    after = [json.loads(line)[0] for line in log.read_text().splitlines()[len(before) :]]
    assert not safe & set(after)
    assert (safe & set(DatasetFolder.open(data).clips)) | set(after) == set(DatasetFolder.open(data).clips)
    assert len(list((out / "results" / "toys__levels" / "1").glob("ReasonAudio-*.json"))) == 5


# --- what the results repository asks for -----------------------------------------------------------------------------


def test_the_results_pass_the_checks_of_the_results_repository(data: Path, tmp_path: Path) -> None:
    done = run(ToyEncoder(), data=data, out=tmp_path, num_workers=0)
    meta = json.loads((done.results / "model_meta.json").read_text())
    assert done.results.parent.name == meta["name"].replace("/", "__")
    assert done.results.name == meta["revision"]
    settings = [json.loads(line) for line in (done.results / "run_settings.jsonl").read_text().splitlines()]
    covered = {(one["task"], split, subset) for one in settings for split in one["splits"] for subset in one["subsets"]}
    for one in settings:
        assert one["version"]["mteb"] == mteb.__version__
        assert one["encode_kwargs"] == {"batch_size": 32}
    for name in NAMES:
        found = mteb.TaskResult.from_disk(done.results / f"{name}.json")
        assert found.task_name == name
        assert found.dataset_revision == registry.data().revision
        assert int((found.mteb_version or "0").split(".")[0]) >= 2
        for split, scores in found.scores.items():
            assert {(name, split, entry["hf_subset"]) for entry in scores} <= covered
            assert [entry["main_score"] for entry in scores] == [entry["hit_rate_at_1"] for entry in scores]
    loaded = mteb.ResultCache(tmp_path).load_results(tasks=NAMES)
    assert len(loaded.model_results) == 1


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ("nan", r"toys/levels on clips: 1 of 8 embeddings hold NaN values, as that of \w{16}"),
        ("inf", r"toys/levels on clips: 1 of 8 embeddings hold infinite values"),
        ("constant", r"toys/levels on clips: all 8 embeddings are the same"),
    ],
)
def test_embeddings_that_would_score_zero_in_silence_are_refused(data: Path, tmp_path: Path, spoil: str, said: str) -> None:
    with pytest.raises(EvaluationError, match=said):
        run(ToyEncoder(spoil=spoil), ["order"], data=data, out=tmp_path, num_workers=0)
    assert not list(tmp_path.glob("embeddings/*/*/shard-*.npz"))
    assert not (tmp_path / "results").exists()


def test_whole_numbers_are_kept_as_floats_and_mix_with_those(data: Path, tmp_path: Path) -> None:
    run(Rounded(np.int64), "order", data=data, out=tmp_path)
    whole = run(Rounded(np.float64), "ReasonAudio", data=data, out=tmp_path)
    assert whole.tasks.keys() == set(TASK_NAMES)
    assert whole.tasks["mix"].scores == run(Rounded(np.float64), "mix", data=data, out=tmp_path / "alone").tasks["mix"].scores


class Rounded(ToyEncoder):
    """Whole numbers as embeddings, of a type."""

    def __init__(self, kind: Any) -> None:
        super().__init__("toys/rounded")
        self.kind = kind

    def encode(self, inputs: Any, **settings: Any) -> np.ndarray:
        return np.rint(1e5 * super().encode(inputs, **settings)).astype(self.kind)


def test_results_of_another_dataset_are_not_mixed(data: Path, tmp_path: Path) -> None:
    run(ToyEncoder(), ["order"], data=data, out=tmp_path / "out", num_workers=0)
    other = make_folder(tmp_path / "other", make_plan(seed=3))
    with pytest.raises(EvaluationError, match=r"out holds results on another dataset \(.*give another folder"):
        run(ToyEncoder(), ["order"], data=other, out=tmp_path / "out", num_workers=0)


def test_a_folder_of_something_else_is_left_alone(data: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(EvaluationError, match="is not empty, and no folder of results"):
        run(ToyEncoder(), ["order"], data=data, out=tmp_path)
    with pytest.raises(EvaluationError, match="is a dataset; give another folder"):
        run(ToyEncoder(), ["order"], data=data, out=data)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_damaged_data_is_refused(tmp_path: Path) -> None:
    made = make_folder(tmp_path / "corpus", make_plan(seed=4))
    file = next(made.glob("corpus/mix-*.parquet"))
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(DatasetFolderError, match="is damaged: corpus/mix-"):
        run(ToyEncoder(), ["order"], data=made, out=tmp_path / "out")


@pytest.mark.parametrize(
    ("model", "fields", "said"),
    [
        ("laion/clap-htsat-unfusd", {}, r"no model 'laion/clap-htsat-unfusd'.*close are laion/clap-htsat-unfused"),
        ("orakle", {}, "no model 'orakle': no folder is there, and mteb knows no such name"),
        (
            "sentence-transformers/all-MiniLM-L6-v2",
            {},
            r"takes text, no audio; it runs as the second stage.*-m yamnet\+sentence-t",
        ),
        ("reasonaudio/oracle", {"device": "cuda"}, "cuda"),
        ("reasonaudio/oracle", {"device": "tpuu"}, "device 'tpuu' cannot be used here"),
        ("reasonaudio/oracle", {"dtype": "float8"}, "dtype 'float8': give float32, float16 or bfloat16"),
        (
            "reasonaudio/oracle",
            {"dtype": "float16"},
            r"--dtype float16: reasonaudio/oracle is loaded by load, which takes no dtype",
        ),
        ("reasonaudio/oracle", {"scope": "both"}, "scope 'both': give task or all"),
        ("reasonaudio/oracle", {"batch_size": 0}, "batch_size: at least 1, got 0"),
        ("reasonaudio/oracle", {"batch": 3}, "there is no setting .batch.; there are batch_size, device"),
        ("reasonaudio/oracle", {"tasks": ["Order", "Chaos"]}, "no task 'Chaos'; the tasks are ReasonAudio-Negation"),
        ("reasonaudio/oracle", {"tasks": []}, "no task is named"),
        (object(), {}, "object is no model that mteb can evaluate"),
        (ToyEncoder, {}, r"ToyEncoder is a class; give an object of it: ToyEncoder\(\.\.\.\)"),
    ],
)
def test_bad_input_is_one_line(data: Path, tmp_path: Path, model: Any, fields: dict[str, Any], said: str) -> None:
    import torch

    if fields.get("device") == "cuda" and torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(EvaluationError, match=said) as caught:
        run(model, data=data, out=tmp_path, **fields)
    assert "\n" not in str(caught.value)


def test_a_folder_that_is_no_model(data: Path, tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    with pytest.raises(EvaluationError, match=r"model: not a model that is known here: neither modules\.json"):
        run(tmp_path / "model", data=data, out=tmp_path / "out")


def test_run_is_offered_by_the_package(data: Path, tmp_path: Path) -> None:
    done = eval_harness.run("reasonaudio/oracle", ["mix"], data=data, out=tmp_path)
    assert done.tasks["mix"].main_score == 1.0


# --- models in folders ------------------------------------------------------------------------------------------------


def test_mtebs_own_clap_wrapper_runs(tmp_path: Path) -> None:
    from eval_harness import doctor

    if doctor.blocking(["mteb-audio"]):
        pytest.skip(f"mteb's wrappers of audio models do not work here: {doctor.blocking(['mteb-audio'])[0].what}")
    model = save_tiny_clap(tmp_path / "tiny-clap")
    made = make_folder(tmp_path / "corpus", make_plan())
    done = run(model, ["order"], data=made, out=tmp_path / "out", num_workers=0)
    assert done.model == "local/tiny-clap"
    assert done.embedded == 8


def save_tiny_clap(path: Path) -> Path:
    """A `ClapModel` with random weights, a few thousand parameters, saved with its processor."""
    from transformers import ClapConfig, ClapFeatureExtractor, ClapModel, ClapProcessor, RobertaTokenizerFast

    path.mkdir()
    words = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "<mask>": 4} | {chr(33 + n): 5 + n for n in range(94)} | {"Ġ": 99}
    (path / "vocab.json").write_text(json.dumps(words))
    (path / "merges.txt").write_text("#version: 0.2\n")
    tokenizer = RobertaTokenizerFast(str(path / "vocab.json"), str(path / "merges.txt"))
    text = {"vocab_size": 300, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    audio = {
        "patch_embeds_hidden_size": 16,
        "depths": [1, 1],
        "num_attention_heads": [2, 2],
        "hidden_size": 32,
        "num_hidden_layers": 2,
    }
    config = ClapConfig(text_config=text, audio_config=audio, projection_dim=8)
    ClapModel(config).save_pretrained(path)
    ClapProcessor(ClapFeatureExtractor(truncation="rand_trunc"), tokenizer).save_pretrained(path)
    return path
