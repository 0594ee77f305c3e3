"""A corpus whose sounds recur in many sets, and embeddings of it that hold what is wanted."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from builders.corpus import Clip
from builders.dataset_folder import DatasetFolder
from eval_harness.analysis.embeddings_of import Embeddings
from tests.corpus_fixture import RATE
from tests.fake_library import fake_library
from tests.scored_corpus import planned

WIDTH = 160


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> DatasetFolder:
    """20 queries a task over 48 sounds."""
    library = fake_library(48, recordings=2, sample_rate=RATE, sustained_share=0.7)
    return planned(tmp_path_factory.mktemp("geometry") / "corpus", library, queries_per_task=20, plan={"allow_dense": True})


def direction(name: str) -> NDArray[np.float64]:
    """A direction of its own for each name, shape [WIDTH], of length about 1."""
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(WIDTH) / WIDTH**0.5


def held(clip: Clip) -> NDArray[np.float64]:
    """Which sounds a clip holds, and nothing else."""
    return np.sum([direction(label) for label in clip.timeline.labels], axis=0)


def placed(clip: Clip) -> NDArray[np.float64]:
    """Which sounds, and where each begins."""
    return held(clip) + np.sum([event.onset_ms / 5000 * direction(f"{event.label} late") for event in clip.timeline], axis=0)


def embedded(
    folder: DatasetFolder, of_clip: Callable[[Clip], NDArray[np.float64]] = held, noise: float = 0.3, seed: int = 0
) -> Embeddings:
    """Clips as `of_clip` says, queries by the sounds of their relevant clips, both with noise."""
    rng = np.random.default_rng(seed)
    clips = np.array([of_clip(clip) for clip in folder.clips.values()])
    queries = np.array([np.mean([held(folder.clips[c]) for c in query.relevant], axis=0) for query in folder.queries.values()])
    noisy = [vectors + noise * rng.standard_normal(vectors.shape) / WIDTH**0.5 for vectors in (clips, queries)]
    return Embeddings("made/here", "1", tuple(folder.clips), noisy[0], tuple(folder.queries), noisy[1])
