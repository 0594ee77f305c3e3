"""`train`: from a dataset folder to a baseline's folder, with what lies in between kept for an interruption."""

from __future__ import annotations

import fcntl
import io
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from builders.errors import EvaluationError
from builders.files import make_folder, write_whole
from eval_harness.data import Data
from eval_harness.systems.baseline.features import Report, features_of
from eval_harness.systems.baseline.mel import MelSettings
from eval_harness.systems.baseline.model import MAX_PARAMETERS, ModelSettings, parameters
from eval_harness.systems.baseline.pairs import Pairs
from eval_harness.systems.baseline.saved import CARD, RECORD, WEIGHTS, described, is_baseline, read_record, save, versions
from eval_harness.systems.baseline.tokens import TextCache, TokenEncoder
from eval_harness.systems.baseline.training import Material, State, Training, TrainSettings

WORK = ".training"
_CHECKPOINT = "checkpoint.pt"

Shown = Callable[[str], AbstractContextManager[Report]]
"""Shows how far something is, as `ui.Screen.progress`."""


def _unseen(what: str) -> AbstractContextManager[Report]:
    return nullcontext(lambda done, total: None)


def train(
    out: Path,
    data: Data,
    settings: TrainSettings,
    *,
    validation: Data | None = None,
    encoder: TokenEncoder | None = None,
    sizes: ModelSettings | None = None,
    mel: MelSettings | None = None,
    device: str = "cpu",
    shown: Shown = _unseen,
    note: Callable[[str], None] = lambda text: None,
    after_epoch: Callable[[int], None] = lambda epoch: None,
) -> dict[str, Any]:
    """Trains a baseline on a dataset, or goes on where the same training was interrupted.

    With `epochs` and no `minutes` the result is the same for the same seed, machine and number of threads, however often it is
    interrupted.

    Args:
        out: the folder to make.
        data: what to train on.
        settings: how.
        validation: a corpus of other recordings; the epoch with the highest mean reciprocal rank on it is kept, else the last.
        encoder: the frozen text encoder; None for MiniLM.
        sizes: of the model; the width of the tokens is the encoder's in any case.
        mel: how spectrograms are made.
        device: "cpu", "cuda", ...
        shown: progress.
        note: told what is worth knowing.
        after_epoch: called with the number of the epoch, once it is saved.

    Returns:
        The record that was written.

    Raises:
        EvaluationError: `out` holds something else or another training, or a part of it cannot be done.
        DatasetFolderError: a dataset is damaged.
    """
    started = time.monotonic()
    if settings.minutes is None and settings.epochs is None:
        raise EvaluationError("a training ends after some minutes or epochs; give one of them")
    encoder = encoder or TokenEncoder.open(device=device)
    mel = mel or MelSettings()
    sizes = ModelSettings(**{**asdict(sizes or ModelSettings()), "bands": mel.bands, "tokens": encoder.width})
    asked = {
        "dataset": data.content_hash,
        "validation": validation.content_hash if validation else None,
        "text encoder": encoder.fingerprint,
        "sizes": repr(sizes),
        "spectrograms": repr(mel),
        **asdict(settings),
    }
    check_out(out)
    if is_baseline(out):
        _same(out, read_record(out)["training"]["asked"], asked, "a finished baseline")
        note(f"{out} was finished before; nothing was to be done")
        return read_record(out)
    make_folder(out / WORK)
    with _only_one(out):
        state = _checkpoint(out, asked)
        material = _material(data, mel, encoder, shown, "")
        held_out = _material(validation, mel, encoder, shown, "validation ") if validation else None
        training = Training(material, held_out, settings, sizes, device, started=started)
        if parameters(training.model) > MAX_PARAMETERS:
            raise EvaluationError(
                f"the model would have {parameters(training.model):,} trainable parameters, and {MAX_PARAMETERS:,} are allowed: "
                "choose a text encoder with narrower vectors"
            )
        if state:
            training.resume(state)
            note(f"going on after epoch {training.progress.epochs}")
        with shown("training") as report:
            while training.done() < 1 or not training.progress.steps:
                training.epoch(lambda done: report(min(100, int(100 * done)), 100))
                _save_checkpoint(out, asked, training)
                after_epoch(training.progress.epochs)
        model = training.result()
        record = {
            "dataset": described(data),
            "validation_dataset": described(validation) if validation else None,
            "settings": asdict(settings),
            **vars(training.progress),
            "precision": training.precision,
            "device": device,
            "asked": asked,
        }
        save(out, model, mel, {"name": encoder.name, "fingerprint": encoder.fingerprint, "width": encoder.width}, record)
    shutil.rmtree(out / WORK, ignore_errors=True)
    return read_record(out)


def check_out(out: Path) -> None:
    """Whether a training may write here: to be asked before long work.

    Raises:
        EvaluationError: `out` is a file, or holds something that no training of ours wrote.
        BuildError: it cannot be made.
    """
    if out.is_file():
        raise EvaluationError(f"{out} is a file; give the name of a new folder")
    if not out.is_dir():
        return
    ours = {WORK, RECORD, WEIGHTS, CARD}
    inside = sorted(path.name for path in out.iterdir())
    if inside and (set(inside) - ours or not {WORK, RECORD} & set(inside)):
        others = ", ".join(inside[:3]) + (", ..." if len(inside) > 3 else "")
        raise EvaluationError(f"{out} holds something else ({others}); choose a new or empty folder")
    if not os.access(out, os.W_OK | os.X_OK):
        raise EvaluationError(f"{out} may not be written to; choose another folder")


def _material(data: Data, mel: MelSettings, encoder: TokenEncoder, shown: Shown, what: str) -> Material:
    with shown(f"{what}spectrograms") as report:
        features = features_of(data, mel, report)
    if not len(features):
        raise EvaluationError(f"{data.path} has no clips to train on; build one with `reasonaudio build`")
    pairs = Pairs.of(data, features.clips)
    with shown(f"{what}texts") as report:
        return Material(pairs, features, TextCache.of(pairs.texts, encoder, report))


def _same(out: Path, there: dict[str, Any], asked: dict[str, Any], what: str) -> None:
    """Raises EvaluationError, naming what differs, unless both are the same training."""
    different = [name for name in asked if there.get(name) != asked[name]]
    if different:
        some = [f"{name} is {_short(there.get(name))} there, {_short(asked[name])} here" for name in different[:3]]
        raise EvaluationError(f"{out} holds {what} of other settings ({', '.join(some)}); choose another folder, or remove it")


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 20 else f"{text[:16]}…"


def _checkpoint(out: Path, asked: dict[str, Any]) -> State | None:
    file = out / WORK / _CHECKPOINT
    if not file.is_file():
        return None
    try:
        found = torch.load(file, map_location="cpu", weights_only=True)
        there, began_with = dict(found["asked"]), dict(found["versions"])
    except Exception as error:  # whatever torch and pickle make of damaged bytes
        raise EvaluationError(f"{file} is damaged ({type(error).__name__}); remove {out} and train again") from None
    _same(out, there, asked, "an unfinished training")
    changed = [f"{name} {began_with.get(name)} -> {now}" for name, now in versions().items() if began_with.get(name) != now]
    if changed:
        raise EvaluationError(
            f"{out} was begun with others ({', '.join(changed)}); go on with those, or remove the folder and train again"
        )
    return dict(found["state"])


def _save_checkpoint(out: Path, asked: dict[str, Any], training: Training) -> None:
    content = io.BytesIO()
    torch.save({"asked": asked, "versions": versions(), "state": training.state()}, content)
    write_whole(out / WORK / _CHECKPOINT, content.getvalue())


@contextmanager
def _only_one(out: Path) -> Iterator[None]:
    with (out / WORK / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise EvaluationError(f"{out}: another training is writing this folder; wait, or choose another folder") from None
        yield
