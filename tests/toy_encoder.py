"""A text-audio encoder of a few lines, deterministic and without weights, that counts what it is given."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
from mteb.models.abs_encoder import AbsEncoder
from mteb.models.model_meta import ModelMeta
from mteb.types import PromptType

WIDTH = 16


class ToyEncoder(AbsEncoder):
    """Audio: the levels of 16 stretches of the clip. Text: numbers drawn from its hash.

    Args:
        log: a file that every embedded clip's id is appended to.
        spoil: makes embeddings wrong: "nan", "inf", "constant".
        slow: seconds a clip.
    """

    def __init__(self, name: str = "toys/levels", revision: str = "1", log: Path | None = None, spoil: str = "", slow: float = 0):
        self.mteb_model_meta = ModelMeta.create_empty({"name": name, "revision": revision, "modalities": ["text", "audio"]})
        self.log, self.spoil, self.slow = log, spoil, slow
        self.clips: list[str] = []
        self.queries: list[str] = []
        self.keys: set[tuple[str, ...]] = set()

    def encode(self, inputs: Any, *, prompt_type: Any = None, **settings: Any) -> np.ndarray:
        """Shape [inputs, 16]."""
        found = []
        for batch in inputs:
            self.keys.add(tuple(sorted(batch)))
            if prompt_type == PromptType.document:
                found += [self._clip(*one) for one in zip(batch["id"], batch["audio"], strict=True)]
            else:
                self.queries += batch["id"]
                found += [_drawn(text) for text in batch["text"]]
        vectors = np.asarray(found, dtype=np.float32)
        if self.spoil == "constant":
            vectors[:] = 1
        elif self.spoil:
            vectors[len(vectors) // 2, 3] = float(self.spoil)
        return vectors

    def _clip(self, clip_id: str, audio: Any) -> np.ndarray:
        assert audio["sampling_rate"] == 8000
        self.clips.append(clip_id)
        if self.log:
            with self.log.open("a") as log:
                log.write(json.dumps([clip_id, os.getpid()]) + "\n")
        time.sleep(self.slow)
        return np.asarray([part.std() for part in np.array_split(audio["array"], WIDTH)], dtype=np.float32)


def _drawn(text: str) -> np.ndarray:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).standard_normal(WIDTH)


class ToyTextEncoder(ToyEncoder):
    """A text encoder: a bag of words, hashed. Counts what it is given, and takes no audio."""

    def __init__(self, name: str = "toys/words", revision: str = "1"):
        super().__init__(name, revision)
        self.mteb_model_meta = self.mteb_model_meta.model_copy(update={"modalities": ["text"]})
        self.documents: list[str] = []

    def encode(self, inputs: Any, *, prompt_type: Any = None, **settings: Any) -> np.ndarray:
        """Shape [inputs, 16]."""
        found = []
        for batch in inputs:
            self.keys.add(tuple(sorted(batch)))
            (self.documents if prompt_type == PromptType.document else self.queries).extend(batch["text"])
            found += [sum(_drawn(word) for word in text.lower().split()) for text in batch["text"]]
        return np.asarray(found, dtype=np.float32)
