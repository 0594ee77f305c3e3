"""`reasonaudio train-baseline`: a small dual encoder, trained on a dataset folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from eval_harness.options import Quiet
from eval_harness.ui import Screen, UsageError, bad_input_is_2

_MINUTES = 15.0


@bad_input_is_2
def train_baseline(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to make; an unfinished one is continued.")],
    data: Annotated[str, typer.Option(metavar="FOLDER", help="What to train on: a corpus built with --split train.")],
    validation: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="A corpus built with --split validation: the epoch with the highest mean reciprocal rank on it is kept, "
            "instead of the last.",
        ),
    ] = None,
    hard_negatives: Annotated[
        bool, typer.Option(help="Put the foils of a set into one batch with its relevant clips, or only clips of other sets.")
    ] = True,
    minutes: Annotated[
        float | None,
        typer.Option(metavar="N", help="From the start to the end of training.", show_default="15, or as --epochs take"),
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Alone, it makes the training repeatable.", show_default="what fits")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of weights and batches.")] = 0,
    device: Annotated[str, typer.Option(metavar="NAME", help="auto, cpu, cuda, cuda:1, ...")] = "auto",
    text_encoder: Annotated[
        str, typer.Option(metavar="NAME", help="The frozen text encoder: minilm, a folder, or a model on the Hub.")
    ] = "minilm",
    quiet: Quiet = False,
) -> None:
    """Train a small text-audio dual encoder on a corpus. Can be interrupted: the same command goes on from the last epoch."""
    screen = Screen(quiet)
    if minutes is not None and not minutes > 0:
        raise UsageError(f"--minutes: more than 0, got {minutes:g}")
    if minutes is None and epochs is None:
        minutes = _MINUTES

    from eval_harness.data import open_data
    from eval_harness.devices import best_device, check_device
    from eval_harness.systems.baseline.folder import check_out, train
    from eval_harness.systems.baseline.saved import leakage
    from eval_harness.systems.baseline.tokens import TokenEncoder
    from eval_harness.systems.baseline.training import TrainSettings

    check_out(out)
    corpus = open_data(data)
    held_out = open_data(validation) if validation else None
    device = best_device() if device == "auto" else device
    check_device(device)
    encoder = TokenEncoder.open(text_encoder, device)
    settings = TrainSettings(hard_negatives=hard_negatives, minutes=minutes, epochs=epochs, seed=seed)
    record = train(
        out, corpus, settings, validation=held_out, encoder=encoder, device=device, shown=screen.progress, note=screen.note
    )
    training = record["training"]
    if held_out and leakage(record, held_out.folder):
        screen.note(f"note: {leakage(record, held_out.folder)}")
    screen.note(
        f"{training['epochs']} epochs, {training['steps']} steps in {training['seconds'] / 60:.1f} min; "
        f"loss {training['loss'][0]:.3f} -> {training['loss'][-1]:.3f}; {record['trainable_parameters']:,} trainable parameters"
    )
    if training["validation"]:
        found = training["validation"][training["kept"] - 1]
        screen.note(
            f"kept: epoch {training['kept']}; on the validation corpus a mean reciprocal rank of {found['reciprocal_rank']:.3f}, "
            f"and {found['inside_sets']:.1%} right inside sets"
        )
    screen.result(str(out))
