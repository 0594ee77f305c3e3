"""`reasonaudio describe`: what a describer says of every clip of a dataset, in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from eval_harness.ui import Screen, UsageError, bad_input_is_2

if TYPE_CHECKING:
    from builders.dataset_folder import DatasetFolder
    from eval_harness.systems.pipelines.describers import HeardClip


@bad_input_is_2
def describe(
    describer: Annotated[
        str, typer.Argument(metavar="DESCRIBER", help="yamnet, perfect (the dataset's own captions), or a file of descriptions.")
    ],
    data: Annotated[
        str,
        typer.Option(metavar="FOLDER", help="A dataset folder, or ORG/NAME on the Hub.", envvar="REASONAUDIO_DATA"),
    ],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where to write: .csv or .parquet (captions), .jsonl (timelines, too).")
    ],
    tagger: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="YAMNet's .tflite file, or its folder.", envvar="REASONAUDIO_TAGGER"),
    ] = None,
    ontology: Annotated[
        Path | None, typer.Option(metavar="FILE", help="AudioSet's ontology.json.", envvar="REASONAUDIO_ONTOLOGY")
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where descriptions are kept while they are made.", show_default="the user's cache"),
    ] = None,
    num_workers: Annotated[int, typer.Option(metavar="N", help="Threads that listen.")] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print results and errors only.")] = False,
) -> None:
    """Describe every clip of a dataset. Can be interrupted: the same command goes on.

    The file is what a pipeline takes as its first stage: FILE+minilm, FILE+ORG/NAME, and a .jsonl file with logic, too.
    """
    from builders.files import check_target
    from eval_harness.data import open_data
    from eval_harness.systems.pipelines.captions import check_suffix, write_descriptions
    from eval_harness.systems.pipelines.specs import default_store, open_describer
    from eval_harness.systems.pipelines.store import DescriptionStore

    screen = Screen(quiet)
    if num_workers < 1:
        raise UsageError(f"--num-workers: at least 1, got {num_workers}")
    check_suffix(out)
    check_target(out)
    opened = open_data(data)
    chosen = open_describer(describer, data=opened, tagger=tagger, ontology=ontology, workers=num_workers)
    kept = DescriptionStore(store or default_store(), chosen, opened.content_hash)
    if len(kept):
        screen.note(f"{len(kept)} of {len(opened.folder.clips)} clips were described before")
    with screen.progress("describing") as report:
        found = kept.describe(_clips(opened.folder), report, len(opened.folder.clips))
    write_descriptions(out, found)
    screen.result(f"{out}: {len(found)} clips described by {chosen.name}")


def _clips(folder: DatasetFolder) -> Iterator[HeardClip]:
    """All clips of a folder; decoded only where they are listened to."""
    from eval_harness.loading import StoredClip
    from eval_harness.systems.pipelines.describers import HeardClip

    for task in dict.fromkeys(clip.task for clip in folder.clips.values()):
        for file in folder.audio_files(task):
            for clip_id, flac in folder.iter_flac(file):
                yield HeardClip(clip_id, StoredClip(bytes(flac)))
