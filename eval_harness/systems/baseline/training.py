"""Training of the baseline: a schedule that keeps to a number of epochs or minutes, and goes on after an interruption."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from builders.errors import EvaluationError
from eval_harness.systems.baseline.features import Features
from eval_harness.systems.baseline.loss import contrastive
from eval_harness.systems.baseline.model import DualEncoder, ModelSettings
from eval_harness.systems.baseline.pairs import Batch, Pairs, batches
from eval_harness.systems.baseline.scoring import quality
from eval_harness.systems.baseline.tokens import TextCache, padded

State: TypeAlias = dict[str, Any]
"""All of a training after some epoch, as `torch.save` takes it."""


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """How a model is trained.

    Attributes:
        hard_negatives: whether the foils of a set are in the batch of its relevant clips.
        minutes: from the start of the command to the end of training, without interruptions; None for as long as `epochs` take.
        epochs: None for as many as `minutes` allow. If both are given, whichever ends first.
        seed: of the weights, the batches and what is drawn in training.
        batch_clips: clips in a batch, about.
        learning_rate: of AdamW, at its highest; it rises linearly over the first `warmup` of the training and falls as a cosine.
        weight_decay: of AdamW.
        warmup: share of the training.
    """

    hard_negatives: bool = True
    minutes: float | None = None
    epochs: int | None = None
    seed: int = 0
    batch_clips: int = 60
    learning_rate: float = 1e-3
    weight_decay: float = 0.05
    warmup: float = 0.05


@dataclass(frozen=True, eq=False)
class Material:
    """A dataset as training takes it."""

    pairs: Pairs
    features: Features
    texts: TextCache


@dataclass
class Progress:
    """How far a training is.

    Attributes:
        epochs: finished ones; the last may have been cut short by the end of the time.
        steps: batches.
        seconds: of all runs together, since the start of the command.
        loss: mean of every epoch.
        validation: after every epoch how well the model did on the validation corpus, if there is one: the fields of `Quality`.
        kept: the epoch, from 1, whose weights are kept: that of the highest mean reciprocal rank on the validation corpus (of
            several the last); without such a corpus the last epoch.
    """

    epochs: int
    steps: int
    seconds: float
    loss: list[float]
    validation: list[dict[str, float]]
    kept: int = 0


class Training:
    """A training that can be stopped after any epoch."""

    def __init__(
        self,
        material: Material,
        validation: Material | None,
        settings: TrainSettings,
        sizes: ModelSettings,
        device: str = "cpu",
        clock: Callable[[], float] = time.monotonic,
        started: float | None = None,
    ) -> None:
        self._material, self._validation, self._settings = material, validation, settings
        self._device, self._clock = device, clock
        self._start = clock() if started is None else started
        torch.manual_seed(settings.seed)
        self.model = DualEncoder(sizes)
        mean, deviation = material.features.statistics()
        self.model.mean.fill_(mean)
        self.model.deviation.fill_(deviation)
        self.model.to(device)
        self._optimizer = torch.optim.AdamW(
            self.model.parameters(), settings.learning_rate, weight_decay=settings.weight_decay, fused=True
        )
        self._best: State | None = None
        self.progress = Progress(0, 0, 0.0, [], [])
        self.precision = precision(device)

    def state(self) -> State:
        """Everything that `resume` needs."""
        return {
            "progress": vars(replace(self.progress)),
            "model": self.model.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "best": self._best,
            "precision": self.precision,
        }

    def resume(self, state: State) -> None:
        """Goes on from what `state` gave. Raises EvaluationError if it does not fit."""
        try:
            self.model.load_state_dict(state["model"])
            self._optimizer.load_state_dict(state["optimizer"])
            self.progress = Progress(**state["progress"])
            self._best, self.precision = state["best"], state["precision"]
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise EvaluationError(
                f"the checkpoint does not fit this version ({type(error).__name__}); remove the folder and train again"
            ) from None
        self._start -= self.progress.seconds

    def done(self) -> float:
        """How much of the training is over, from 0 to 1 and beyond: of the minutes or of the epochs, whichever is more."""
        settings, shares = self._settings, [0.0]
        if settings.epochs:
            shares.append((self.progress.epochs + self._within) / settings.epochs)
        if settings.minutes:
            shares.append((self._clock() - self._start) / (60 * settings.minutes))
        return max(shares)

    _within = 0.0
    """Share of the running epoch that is over."""

    def epoch(self, report: Callable[[float], None] = lambda done: None) -> None:
        """Trains one epoch, or what is left of the time.

        Args:
            report: called with `done()` after every step.

        Raises:
            EvaluationError: the loss is no number any more, or the time was over before the first step.
        """
        settings, number = self._settings, self.progress.epochs
        if not self.progress.steps and self.done() >= 1:
            raise EvaluationError(
                f"{settings.minutes:g} minutes were over before the first step; preparations are kept: start again, or give more"
            )
        rng = np.random.default_rng(np.random.SeedSequence([settings.seed, number]))
        torch.manual_seed(int(rng.integers(2**62)))
        every = list(batches(self._material.pairs, settings.batch_clips, settings.hard_negatives, rng))
        losses: list[float] = []
        self.model.train()
        for batch in every:
            done = self.done()
            if losses and done >= 1:
                break
            losses.append(self._step(batch, self._rate(done), rng))
            self._within = len(losses) / len(every)
            report(self.done())
        self._within = 0.0
        progress = self.progress
        progress.epochs += 1
        progress.steps += len(losses)
        progress.loss.append(round(float(np.mean(losses)), 5))
        if self._validation:
            found = quality(self.model, **vars(self._validation), device=self._device)
            if all(found.reciprocal_rank >= before["reciprocal_rank"] for before in progress.validation):
                self._best, progress.kept = copy.deepcopy(self.model.state_dict()), progress.epochs
            progress.validation.append(asdict(found))
        else:
            progress.kept = progress.epochs
        progress.seconds = round(self._clock() - self._start, 1)

    def result(self) -> DualEncoder:
        """The model in evaluation mode, as it was after the epoch that is kept."""
        if self._best is not None:
            self.model.load_state_dict(self._best)
        return self.model.eval()

    def _rate(self, done: float) -> float:
        warmup = self._settings.warmup
        share = done / warmup if done < warmup else 0.5 * (1 + math.cos(math.pi * (done - warmup) / (1 - warmup)))
        return self._settings.learning_rate * max(share, 0.01)

    def _step(self, batch: Batch, rate: float, rng: np.random.Generator) -> float:
        mels = torch.from_numpy(varied(self._material.features.take(batch.clips), float(self.model.mean), rng))
        tokens, lengths = padded(self._material.texts.take(batch.texts))
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        kind = "cuda" if self._device.startswith("cuda") else "cpu"
        with torch.autocast(kind, dtype=torch.bfloat16, enabled=self.precision == "bfloat16"):
            audio = self.model.encode_audio(mels.to(self._device))
            text = self.model.encode_text(tokens.to(self._device), lengths.to(self._device))
        positive = torch.from_numpy(batch.positive).to(self._device)
        loss: Tensor = contrastive(self.model.scale() * (text @ audio.T), positive)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimizer.step()
        found = float(loss.detach())
        if not math.isfinite(found):
            raise EvaluationError(f"the loss is {found} in epoch {self.progress.epochs + 1}; give another seed")
        return found


def varied(mels: NDArray[np.float32], mean: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Spectrograms [clips, frames, bands], each changed so that it stays true to its texts, but is hard to know again.

    Each is up to 4 dB louder or softer in all, as much again at its highest or lowest band (and evenly less in between), a band
    higher or lower, and has two bands of up to an eighth of all masked (after SpecAugment, Park et al. 2019). Nothing is changed
    in time, nor masked for a time: order, lengths and what is heard at all are what is to be learned, and captions say when.
    """
    found = np.empty_like(mels)
    bands = mels.shape[2]
    for new, old in zip(found, mels, strict=True):
        moved = int(rng.integers(-1, 2))
        louder = rng.uniform(-1, 1) + rng.uniform(-1, 1) * np.linspace(-1, 1, bands)  # natural logarithms of power
        new[:] = old[:, np.clip(np.arange(bands) + moved, 0, bands - 1)] + louder
        for _ in range(2):
            width = int(rng.integers(0, bands // 8 + 1))
            first = int(rng.integers(0, bands - width + 1))
            new[:, first : first + width] = mean
    return found


def precision(device: str) -> str:
    """What matrices are multiplied in while training: bfloat16 where the device has it in hardware, else float32."""
    if device.startswith("cuda"):
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
    capabilities: dict[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    return "bfloat16" if capabilities.get("avx512_bf16") or capabilities.get("amx_bf16") else "float32"
