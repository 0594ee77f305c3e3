"""How well a model tells the clips of a set apart: what training watches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from eval_harness.systems.baseline.features import Features
from eval_harness.systems.baseline.model import DualEncoder
from eval_harness.systems.baseline.pairs import Numbers, Pairs
from eval_harness.systems.baseline.tokens import TextCache, Tokens, padded

_CLIPS, _TEXTS = 32, 128


@torch.inference_mode()
def audio_embeddings(model: DualEncoder, mels: NDArray[np.float32], device: str = "cpu") -> NDArray[np.float32]:
    """Unit vectors, shape [clips, embedding], of spectrograms [clips, frames, bands]. The model is left in evaluation mode."""
    model.eval()
    parts = [
        model.encode_audio(torch.from_numpy(mels[start : start + _CLIPS]).to(device)).cpu().numpy()
        for start in range(0, len(mels), _CLIPS)
    ]
    return np.concatenate(parts)


@torch.inference_mode()
def text_embeddings(model: DualEncoder, tokens: Tokens, device: str = "cpu") -> NDArray[np.float32]:
    """Unit vectors, shape [texts, embedding]. The model is left in evaluation mode."""
    model.eval()
    parts = []
    for start in range(0, len(tokens), _TEXTS):
        batch, lengths = padded(tokens[start : start + _TEXTS])
        parts.append(model.encode_text(batch.to(device), lengths.to(device)).cpu().numpy())
    return np.concatenate(parts)


def inside_sets(
    model: DualEncoder, pairs: Pairs, features: Features, texts: TextCache, most: int = 50, device: str = "cpu"
) -> float:
    """The share of queries of which a relevant clip is the best of its set's clips; chance is about 0.2.

    Args:
        model: left in evaluation mode.
        pairs: queries and clips.
        features: of the clips.
        texts: of the texts.
        most: sets that are looked at, spread evenly over all.
        device: of the model.
    """
    chosen: Sequence[tuple[Numbers, Numbers]] = [
        pairs.sets[n] for n in np.unique(np.linspace(0, len(pairs.sets) - 1, most).astype(int))
    ]
    right: list[bool] = []
    for queries, clips in chosen:
        heard = audio_embeddings(model, features.take(clips), device)
        best = (text_embeddings(model, texts.take(queries), device) @ heard.T).argmax(axis=1)
        right += pairs.relevant[queries, clips[best]].tolist()
    return float(np.mean(right))
