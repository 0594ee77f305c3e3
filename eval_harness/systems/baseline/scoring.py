"""How well a model does on a corpus: what training watches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from eval_harness.systems.baseline.features import Features
from eval_harness.systems.baseline.model import DualEncoder
from eval_harness.systems.baseline.pairs import Pairs
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


@dataclass(frozen=True, slots=True)
class Quality:
    """How well a model does on a corpus.

    Attributes:
        reciprocal_rank: mean over queries of 1 / the rank of the best relevant clip among the clips of all sets; near 0 by
            chance. It rises as sounds are matched to words, and again as relevant clips come before the foils, which hold the
            same sounds.
        inside_sets: the share of queries of which a relevant clip is the best of its own set's clips; by chance about 0.2. It
            rises only as relations are told apart.
    """

    reciprocal_rank: float
    inside_sets: float


def quality(
    model: DualEncoder, pairs: Pairs, features: Features, texts: TextCache, most: int = 50, device: str = "cpu"
) -> Quality:
    """How well a model does on a corpus.

    Args:
        model: left in evaluation mode.
        pairs: queries and clips.
        features: of the clips.
        texts: of the texts.
        most: sets that are looked at, spread evenly over all; the clips of others are left out.
        device: of the model.
    """
    chosen = [pairs.sets[n] for n in np.unique(np.linspace(0, len(pairs.sets) - 1, most).astype(int))]
    queries, clips = (np.concatenate(numbers) for numbers in zip(*chosen, strict=True))
    heard = np.concatenate([audio_embeddings(model, features.take(members), device) for _, members in chosen])
    scores = text_embeddings(model, texts.take(queries), device) @ heard.T
    relevant = pairs.relevant[np.ix_(queries, clips)]
    set_of_query, set_of_clip = (np.repeat(np.arange(len(chosen)), [len(one[part]) for one in chosen]) for part in (0, 1))
    own = np.where(set_of_query[:, None] == set_of_clip, scores, -np.inf).argmax(axis=1)
    return Quality(
        round(float(reciprocal_ranks(scores, relevant).mean()), 5),
        round(float(relevant[np.arange(len(queries)), own].mean()), 5),
    )


def reciprocal_ranks(scores: NDArray[np.float32], relevant: NDArray[np.bool_]) -> NDArray[np.float64]:
    """1 / the rank of the best relevant clip of each query, shape [queries]; of clips that score the same it is the last.

    Args:
        scores: shape [queries, clips].
        relevant: shape [queries, clips], at least one in each row.
    """
    best = np.where(relevant, scores, -np.inf).max(axis=1, keepdims=True)
    before: NDArray[np.intp] = (~relevant & (scores >= best)).sum(axis=1)
    return np.reciprocal(1 + before.astype(np.float64))
