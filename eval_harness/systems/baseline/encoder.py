"""The baseline as mteb runs it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from mteb.models.abs_encoder import AbsEncoder
from mteb.models.model_meta import ScoringFunction
from numpy.typing import NDArray

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError, ReasonAudioError
from eval_harness.data import Data
from eval_harness.devices import best_device
from eval_harness.systems.base import system_meta
from eval_harness.systems.baseline.mel import LogMel
from eval_harness.systems.baseline.model import parameters
from eval_harness.systems.baseline.saved import Baseline, leakage, read
from eval_harness.systems.baseline.scoring import audio_embeddings, text_embeddings
from eval_harness.systems.baseline.tokens import TokenEncoder


class BaselineEncoder(AbsEncoder):
    """A trained baseline: text and audio in, vectors of one space out, compared by cosine. Make it with `load_baseline`."""

    def __init__(self, baseline: Baseline, tokens: TokenEncoder, device: str = "cpu") -> None:
        self.baseline = baseline
        self._model, self._tokens, self._mel, self._device = baseline.model.to(device), tokens, LogMel(baseline.mel), device
        self._told: set[str] = set()
        self.name = model_name(baseline.path)
        self.mteb_model_meta = system_meta(
            self.name,
            baseline.revision,
            framework=["PyTorch"],
            n_parameters=parameters(baseline.model),
            embed_dim=baseline.model.settings.embedding,
            similarity_fn_name=ScoringFunction.COSINE,
            # Other recordings and other sentences, but the same kind: for mteb, its scores on them are not "zero-shot".
            training_datasets={f"ReasonAudio-{task}" for task in ("Negation", "Order", "Overlap", "Duration", "Mix")},
        )

    def encode(self, inputs: Any, *, task_metadata: Any = None, **settings: Any) -> NDArray[np.float32]:
        """Unit vectors, shape [rows, embedding], of what a data loader gives: batches with "text" or with "audio".

        Args:
            inputs: batches as mteb makes them; audio is {"array": float mono [n] or [channels, n], "sampling_rate": Hz}.
            task_metadata: of the task; on one of ReasonAudio's, audio whose recordings were heard in training is warned of, once.
            settings: of mteb; none is used.

        Raises:
            EvaluationError: a batch has neither or both, or a clip has no samples.
        """
        found: list[NDArray[np.float32]] = []
        for batch in inputs:
            audio, text = batch.get("audio"), batch.get("text")
            if (audio is None) == (text is None):
                raise EvaluationError(f"a batch holds {', '.join(sorted(batch))}: the baseline encodes either text or audio")
            if audio is not None:
                self._warn(task_metadata)
                found.append(self.audio([(item["array"], item["sampling_rate"]) for item in audio]))
            else:
                found.append(self.texts(list(text)))
        return np.concatenate(found) if found else np.zeros((0, self.baseline.model.settings.embedding), np.float32)

    def texts(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of sentences, shape [texts, embedding]."""
        return text_embeddings(self._model, self._tokens.encode(texts), self._device)

    def audio(self, clips: Sequence[tuple[Any, int]]) -> NDArray[np.float32]:
        """Unit vectors of clips, shape [clips, embedding]; each is (samples, [n] or [channels, n]; rate in Hz)."""
        mels = []
        for samples, rate in clips:
            array = np.asarray(samples, dtype=np.float32)
            array = array.mean(axis=0) if array.ndim > 1 else array
            if not array.size:
                raise EvaluationError("a clip has no samples; check the dataset")
            mels.append(self._mel(array, int(rate)).numpy())
        found = np.empty((len(mels), self.baseline.model.settings.embedding), np.float32)
        for length in {len(mel) for mel in mels}:  # clips of one length at a time: padding would be heard
            rows = [row for row, mel in enumerate(mels) if len(mel) == length]
            found[rows] = audio_embeddings(self._model, np.stack([mels[row] for row in rows]), self._device)
        return found

    def leakage(self, folder: DatasetFolder) -> str:
        """What has to be told of an evaluation on `folder`, if recordings of it were heard in training; else ""."""
        return leakage(self.baseline.record, folder)

    def notes(self, data: Data) -> list[str]:
        """What a run on `data` has to tell beside its scores: `leakage`, if there is any. No warning follows it then."""
        self._told.add(data.revision)
        try:
            text = self.leakage(data.folder)
        except EvaluationError:  # the paper's own data
            text = f"{data.path} does not say which recordings it is made of, so whether they were heard in training is unknown"
        return [f"{self.name}: {text}"] if text else []

    def _warn(self, metadata: Any) -> None:
        """Warns once for each dataset."""
        if not str(getattr(metadata, "name", "")).startswith("ReasonAudio-"):
            return
        from eval_harness import registry

        try:
            data = registry.data_of(metadata)
        except ReasonAudioError:
            return
        if data.revision not in self._told:
            for text in self.notes(data):
                warnings.warn(text, stacklevel=2)


def load_baseline(path: Path | str, device: str | None = None, text_encoder: TokenEncoder | None = None) -> BaselineEncoder:
    """A trained baseline as an encoder for `mteb.evaluate`.

    Args:
        path: the folder that `reasonaudio train-baseline` wrote.
        device: "cpu", "cuda", ...; None for a GPU where there is one.
        text_encoder: the frozen text encoder, if it is open already; else the one that the record names.

    Raises:
        EvaluationError: the folder is no baseline or is damaged, or its text encoder is missing or has other weights than then.
    """
    found = read(path)
    device = device or best_device()
    encoder = text_encoder or TokenEncoder.open(found.record["text_encoder"]["name"], device)
    if encoder.fingerprint != found.record["text_encoder"]["fingerprint"]:
        raise EvaluationError(
            f"{path} was trained with other weights of the text encoder {found.record['text_encoder']['name']!r} than are here; "
            "use those, or train again"
        )
    return BaselineEncoder(found, encoder, device)


def model_name(path: Path) -> str:
    """The name in mteb: "reasonaudio/" and the folder's name, in letters that names of models may have."""
    return "reasonaudio/" + (re.sub(r"[^\w.-]+", "-", path.resolve().name, flags=re.ASCII).strip("-.") or "baseline")
