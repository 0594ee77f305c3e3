"""The baseline as a whole: it learns, is saved and loaded, goes on after an interruption, and runs in stock mteb."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import typer
from typer.testing import CliRunner

from builders.errors import EvaluationError
from eval_harness.data import Data
from eval_harness.systems.baseline import folder as folder_module
from eval_harness.systems.baseline.encoder import BaselineEncoder, load_baseline, model_name
from eval_harness.systems.baseline.features import features_of
from eval_harness.systems.baseline.folder import WORK, check_out, train
from eval_harness.systems.baseline.pairs import Pairs
from eval_harness.systems.baseline.saved import RECORD, WEIGHTS, is_baseline, leakage, read
from eval_harness.systems.baseline.scoring import quality
from eval_harness.systems.baseline.tokens import TextCache, TokenEncoder
from eval_harness.systems.baseline.training import TrainSettings
from eval_harness.train_cli import train_baseline
from tests.systems.baseline_fixture import MEL, SIZES, corpus, make_corpus, text_encoder

__all__ = ["corpus", "text_encoder"]

SETTINGS = TrainSettings(epochs=20, batch_clips=20, learning_rate=3e-3)


def trained(out: Path, corpus: Data, encoder: TokenEncoder, settings: TrainSettings = SETTINGS, **more: Any) -> dict[str, Any]:
    torch.set_num_threads(1)
    return train(out, corpus, settings, encoder=encoder, sizes=SIZES, mel=MEL, **more)


@pytest.fixture(scope="module")
def model(corpus: Data, text_encoder: TokenEncoder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("models") / "tiny model"
    trained(out, corpus, text_encoder)
    return out


def weights(out: Path) -> dict[str, Any]:
    return dict(read(out).model.state_dict())


def test_it_learns_the_order_of_a_tiny_corpus(model: Path, corpus: Data, text_encoder: TokenEncoder) -> None:
    found = read(model)
    loss = found.record["training"]["loss"]
    assert len(loss) == found.record["training"]["epochs"] == 20
    assert loss[-1] < 0.7 * loss[0]
    features = features_of(corpus, MEL)
    pairs = Pairs.of(corpus, features.clips)
    # Half of a set's clips are relevant to each query, and all hold the same sounds.
    reached = quality(found.model, pairs, features, TextCache.of(pairs.texts, text_encoder))
    assert reached.inside_sets >= 0.9
    assert reached.reciprocal_rank >= 0.9
    assert found.record["training"]["kept"] == 20  # the last, as there was no validation corpus
    assert found.record["training"]["validation"] == []
    assert "| epoch kept | 20, the last |" in (model / "README.md").read_text()


def test_the_folder_says_what_it_is(model: Path, corpus: Data) -> None:
    assert is_baseline(model)
    assert sorted(path.name for path in model.iterdir()) == ["README.md", "model.safetensors", RECORD]
    record = json.loads((model / RECORD).read_text())
    assert record["training"]["dataset"]["content_hash"] == corpus.content_hash
    assert record["training"]["dataset"]["recordings"]["bell"] == ["bell/0"]
    assert record["training"]["settings"]["seed"] == 0
    assert record["training"]["steps"] == 20 * 2
    assert {"torch", "threads", "reasonaudio"} <= record["versions"].keys()
    card = (model / "README.md").read_text()
    assert "with each set's foils as hard negatives" in card
    assert f"{record['trainable_parameters']:,}" in card


def test_loaded_twice_it_says_the_same(model: Path, text_encoder: TokenEncoder, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(model, tmp_path / "copy"))
    first, second = load_baseline(model, "cpu", text_encoder), load_baseline(copy, "cpu")  # one opens its encoder itself
    texts = ["bell before rain", "rain before bell"]
    np.testing.assert_allclose(first.texts(texts), second.texts(texts), atol=1e-6)
    clip = (np.random.default_rng(0).normal(0, 0.1, 8000).astype(np.float32), 8000)
    np.testing.assert_array_equal(first.audio([clip]), second.audio([clip]))
    assert first.mteb_model_meta.name == "reasonaudio/tiny-model"
    assert first.mteb_model_meta.revision == second.mteb_model_meta.revision
    assert set(first.mteb_model_meta.modalities) == {"text", "audio"}


def test_a_clip_is_embedded_alike_in_any_company(model: Path, text_encoder: TokenEncoder) -> None:
    encoder = load_baseline(model, "cpu", text_encoder)
    rng = np.random.default_rng(0)
    short, long = (rng.normal(0, 0.1, n).astype(np.float32) for n in (7000, 40000))
    together = encoder.audio([(short, 8000), (long, 8000), (short, 8000)])
    np.testing.assert_allclose(together[0], encoder.audio([(short, 8000)])[0], atol=1e-5)
    np.testing.assert_allclose(together[1], encoder.audio([(np.stack([long, long]), 8000)])[0], atol=1e-5)
    np.testing.assert_allclose(together[0], together[2], atol=1e-5)
    with pytest.raises(EvaluationError, match="no samples"):
        encoder.audio([(short[:0], 8000)])
    with pytest.raises(EvaluationError, match="either text or audio"):
        encoder.encode([{"id": ["x"], "image": [1]}])
    assert encoder.encode([]).shape == (0, SIZES.embedding)


def test_an_interrupted_training_ends_as_one_that_was_not(corpus: Data, text_encoder: TokenEncoder, tmp_path: Path) -> None:
    settings = TrainSettings(epochs=3, batch_clips=20)
    trained(tmp_path / "whole", corpus, text_encoder, settings, validation=corpus)

    def stop(epoch: int) -> None:
        if epoch == 2:
            raise KeyboardInterrupt

    out, notes = tmp_path / "stopped", []
    with pytest.raises(KeyboardInterrupt):
        trained(out, corpus, text_encoder, settings, validation=corpus, after_epoch=stop)
    assert not is_baseline(out)
    with pytest.raises(EvaluationError, match=r"an unfinished training of other settings \(seed is 0 there, 1 here\)"):
        trained(out, corpus, text_encoder, TrainSettings(epochs=3, batch_clips=20, seed=1), validation=corpus)
    trained(out, corpus, text_encoder, settings, validation=corpus, note=notes.append)
    assert notes == ["going on after epoch 2"]
    assert not (out / WORK).exists()
    expected = weights(tmp_path / "whole")
    for name, value in weights(out).items():
        torch.testing.assert_close(value, expected[name])
    whole, stopped = (json.loads((path / RECORD).read_text())["training"] for path in (tmp_path / "whole", out))
    assert stopped["loss"] == pytest.approx(whole["loss"], abs=1e-4)
    assert stopped["validation"] == whole["validation"]
    curve = [epoch["reciprocal_rank"] for epoch in stopped["validation"]]
    assert len(curve) == 3
    assert stopped["kept"] == whole["kept"] == max(range(1, 4), key=lambda epoch: (curve[epoch - 1], epoch))
    kept, features = read(out), features_of(corpus, MEL)
    pairs = Pairs.of(corpus, features.clips)
    again = quality(kept.model, pairs, features, TextCache.of(pairs.texts, text_encoder))
    assert again.reciprocal_rank == max(curve)
    assert f"| epoch kept | {stopped['kept']}, of the highest mean reciprocal rank" in (out / "README.md").read_text()

    trained(out, corpus, text_encoder, settings, validation=corpus, note=notes.append)
    assert notes[1:] == [f"{out} was finished before; nothing was to be done"]
    with pytest.raises(EvaluationError, match="a finished baseline of other settings"):
        trained(out, corpus, text_encoder, TrainSettings(epochs=4, batch_clips=20), validation=corpus)


def test_the_time_is_kept(corpus: Data, text_encoder: TokenEncoder, tmp_path: Path) -> None:
    record = trained(tmp_path / "short", corpus, text_encoder, TrainSettings(minutes=2 / 60, batch_clips=20))
    assert 1.9 <= record["training"]["seconds"] < 4
    assert record["training"]["epochs"] == len(record["training"]["loss"]) >= 1
    with pytest.raises(EvaluationError, match="over before the first step; preparations are kept"):
        trained(tmp_path / "none", corpus, text_encoder, TrainSettings(minutes=1e-9))
    with pytest.raises(EvaluationError, match="minutes or epochs"):
        trained(tmp_path / "endless", corpus, text_encoder, TrainSettings())


def test_places_that_cannot_be_used(model: Path, corpus: Data, text_encoder: TokenEncoder, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(EvaluationError, match=r"holds something else \(notes.txt\)"):
        check_out(tmp_path)
    with pytest.raises(EvaluationError, match="is a file"):
        check_out(tmp_path / "notes.txt")
    with pytest.raises(EvaluationError, match=r"is no baseline: it holds no reasonaudio_baseline.json"):
        load_baseline(tmp_path)
    damaged = Path(shutil.copytree(model, tmp_path / "damaged"))
    (damaged / WEIGHTS).write_bytes((model / WEIGHTS).read_bytes()[:1000])
    with pytest.raises(EvaluationError, match=r"damaged is damaged \(SafetensorError"):
        load_baseline(damaged, text_encoder=text_encoder)
    (damaged / WEIGHTS).unlink()
    with pytest.raises(EvaluationError, match="is missing; train"):
        load_baseline(damaged)
    (damaged / RECORD).write_text("{")
    with pytest.raises(EvaluationError, match="is damaged"):
        load_baseline(damaged)
    (damaged / RECORD).write_text((model / RECORD).read_text().replace('"format": 1', '"format": 99'))
    with pytest.raises(EvaluationError, match="format 99"):
        load_baseline(damaged)
    other = Path(shutil.copytree(model, tmp_path / "other"))
    changed = (model / RECORD).read_text().replace(text_encoder.fingerprint, "0" * 64)
    (other / RECORD).write_text(changed)
    with pytest.raises(EvaluationError, match="other weights of the text encoder"):
        load_baseline(other, "cpu", text_encoder)
    (tmp_path / "half" / WORK).mkdir(parents=True)
    (tmp_path / "half" / WORK / "checkpoint.pt").write_bytes(b"no checkpoint")
    with pytest.raises(EvaluationError, match=r"checkpoint\.pt is damaged"):
        trained(tmp_path / "half", corpus, text_encoder)


def test_too_many_parameters(corpus: Data, text_encoder: TokenEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "MAX_PARAMETERS", 100)
    with pytest.raises(EvaluationError, match="and 100 are allowed"):
        trained(tmp_path / "large", corpus, text_encoder)


def test_names_for_mteb(tmp_path: Path) -> None:
    assert model_name(tmp_path / "my model (2)") == "reasonaudio/my-model-2"
    assert model_name(tmp_path / "ümlaut") == "reasonaudio/mlaut"


@pytest.fixture
def in_use(corpus: Data, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    import datasets

    from eval_harness import registry

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "datasets")
    registry.register()
    registry.use_data(corpus.folder.path)
    return registry


def test_stock_mteb(model: Path, text_encoder: TokenEncoder, in_use: Any, tmp_path: Path) -> None:
    import mteb
    from mteb.cache import ResultCache

    encoder = load_baseline(model, "cpu", text_encoder)
    with pytest.warns(UserWarning, match=r"3 of the 3 recordings of .* were also heard in training") as told:
        result = mteb.evaluate(
            encoder, mteb.get_task("ReasonAudio-Order"), cache=ResultCache(tmp_path), co2_tracker=False, show_progress_bar=False
        )
    assert sum("heard in training" in str(one.message) for one in told) == 1
    scores = result.task_results[0].scores["test"][0]
    assert scores["hit_rate_at_1"] >= 0.75  # chance is a half: that of its own training corpus
    assert list(tmp_path.glob(f"results/reasonaudio__tiny-model/{encoder.mteb_model_meta.revision}/ReasonAudio-Order.json"))


def test_other_recordings_are_no_leakage(model: Path, corpus: Data, tmp_path: Path, text_encoder: TokenEncoder) -> None:
    record = json.loads((model / RECORD).read_text())
    assert leakage(record, make_corpus(tmp_path / "again", seed=1).folder).startswith("3 of the 3 recordings")
    record["training"]["dataset"]["recordings"] = {"bell": ["bell/1"], "rain": ["bell/0"]}
    assert leakage(record, corpus.folder) == ""
    silent = BaselineEncoder(read(model), text_encoder)
    assert re.search(r"^reasonaudio/tiny-model: 3 of the 3 recordings of .* heard in training", silent.notes(corpus)[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        silent.encode([{"audio": [{"array": np.zeros(8000, np.float32), "sampling_rate": 8000}]}])


# --- the command ------------------------------------------------------------------------------------------------------


def command(*arguments: object) -> Any:
    app = typer.Typer()
    app.command()(train_baseline)
    torch.set_num_threads(1)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_the_command(corpus: Data, text_encoder: TokenEncoder, tmp_path: Path) -> None:
    options = (
        "--data",
        corpus.path,
        "--epochs",
        1,
        "--no-hard-negatives",
        "--text-encoder",
        text_encoder.name,
        "--device",
        "cpu",
    )
    done = command(tmp_path / "model", *options, "--validation", corpus.path)
    assert done.exit_code == 0, done.output
    assert done.stdout.split() == [str(tmp_path / "model")]
    assert "1 epochs, " in done.stderr
    assert re.search(r"kept: epoch 1; on the validation corpus a mean reciprocal rank of [01]\.\d{3}, and ", done.stderr)
    assert "recordings of" in done.stderr
    record = json.loads((tmp_path / "model" / RECORD).read_text())
    assert record["training"]["settings"]["hard_negatives"] is False
    assert record["training"]["settings"]["minutes"] is None
    assert command(tmp_path / "model", *options, "--validation", corpus.path, "--quiet").exit_code == 0


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--minutes", "0"), 2, "--minutes: more than 0, got 0"),
        (("--device", "abacus"), 2, "device 'abacus' cannot be used here; give cpu, cuda or cuda:0"),
        (("--text-encoder", "/no/such"), 2, "text encoder '/no/such' cannot be opened"),
        (("--validation", "/no/such"), 2, "/no/such does not exist"),
    ],
)
def test_the_command_refuses(corpus: Data, tmp_path: Path, options: tuple[str, ...], code: int, said: str) -> None:
    done = command(tmp_path / "model", "--data", corpus.path, *options)
    assert done.exit_code == code
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "model").exists()


def test_the_command_refuses_unfinished_data(tmp_path: Path) -> None:
    (tmp_path / "data" / ".build").mkdir(parents=True)
    done = command(tmp_path / "model", "--data", tmp_path / "data")
    assert done.exit_code == 2
    assert "is an unfinished build; run the same build again" in done.stderr
