"""What the baseline's tests share: a corpus in which order can be heard, and a tiny text encoder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from builders.build import build
from builders.timeline import Timeline
from eval_harness.data import Data, open_data
from eval_harness.systems.baseline.mel import MelSettings
from eval_harness.systems.baseline.model import ModelSettings
from eval_harness.systems.baseline.tokens import TokenEncoder
from tests.corpus_fixture import LABELS, RATE, ToneRenderer, make_library, make_plan, make_qrels

MEL = MelSettings(sample_rate=RATE, window=256, hop=160, bands=32, low_hz=50, high_hz=3900)
SIZES = ModelSettings(channels=(8, 16, 16), width=32, heads=2, embedding=16, dropout=0.0)


class LabelRenderer(ToneRenderer):
    """Each label is a tone of its own, at its place."""

    def clip(self, clip_id: str, timeline: Timeline) -> NDArray[np.int16]:
        """The clip, shape [5 s x rate]."""
        t = np.arange(5 * self.rate) / self.rate
        samples = np.random.default_rng(int(clip_id, 16)).normal(0, 1e-3, len(t))
        for event in timeline:
            on = (t * 1000 >= event.onset_ms) & (t * 1000 < event.offset_ms)
            samples += on * 0.1 * np.sin(2 * np.pi * 300 * (1 + LABELS.index(event.label)) * t)
        return np.asarray(np.round(samples * 32767), np.int16)


def make_corpus(out: Path, seed: int = 0) -> Data:
    """Two sets a task of four clips, two of them "bell before rain", two the reverse."""
    plan = make_plan(seed=seed)
    return open_data(build(plan, make_library(), make_qrels(plan), out, num_proc=1, make_renderer=LabelRenderer).folder)


def make_text_encoder(out: Path) -> Path:
    """A folder with a BERT of random weights, one layer and the words of the small corpus."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    words = (
        [str(number) for number in range(100)]
        + list("abcdefghijklmnopqrstuvwxyz")
        + [f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz"]
    )
    vocabulary = dict.fromkeys(
        ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ",", ".", "bell", "rain", "before", "then", "from", "to", "sounds", *words]
    )
    out.mkdir()
    (out / "vocab.txt").write_text("\n".join(vocabulary))
    BertTokenizerFast(str(out / "vocab.txt")).save_pretrained(out)
    torch.manual_seed(0)
    sizes = BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32
    )
    BertModel(sizes).save_pretrained(out)
    return out


@pytest.fixture(scope="session")
def text_encoder(tmp_path_factory: pytest.TempPathFactory) -> TokenEncoder:
    return TokenEncoder.open(str(make_text_encoder(tmp_path_factory.mktemp("encoder") / "tiny")))


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Data:
    return make_corpus(tmp_path_factory.mktemp("corpus") / "tones")
