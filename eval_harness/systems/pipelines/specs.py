"""Pipelines by name: "yamnet+minilm", "perfect+logic", "captions.csv+BAAI/bge-m3"."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builders.cache import cache_folder
from builders.errors import EvaluationError
from eval_harness.systems.pipelines.captions import SUFFIXES
from eval_harness.systems.pipelines.describers import Describer, FileDescriber, PerfectDescriber

if TYPE_CHECKING:
    from eval_harness.data import Data

LOGIC = "logic"
DESCRIBERS = ("yamnet", "perfect")
"""Those with a name; a file of descriptions is named by its path."""


def is_pipeline(spec: str) -> bool:
    """Whether a text can only mean a pipeline: names on the Hub have no "+". It may still be a wrong one."""
    return "+" in spec and not Path(spec).expanduser().exists()


def default_store() -> Path:
    """Where descriptions are kept if nothing else is said."""
    return cache_folder("descriptions")


def open_pipeline(
    spec: str,
    *,
    data: Data,
    device: str | None = None,
    store: Path | None = None,
    tagger: Path | None = None,
    ontology: Path | None = None,
    workers: int = 1,
) -> Any:
    """The pipeline that is meant, for one dataset: a `CaptionPipeline` or a `DescriptionLogic`, both of which mteb evaluates.

    Args:
        spec: DESCRIBER+SECOND. DESCRIBER: yamnet, perfect, or a file of descriptions (.csv, .jsonl, .parquet). SECOND: minilm, a
            folder or name of a sentence-transformers model, or logic.
        data: the dataset.
        device: of the text encoder, as torch names it; None to choose.
        store: where descriptions are kept; None for the user's cache folder.
        tagger: YAMNet's .tflite file; None for that of REASONAUDIO_TAGGER.
        ontology: AudioSet's ontology; None for that of REASONAUDIO_ONTOLOGY, if it is set.
        workers: threads that a tagger listens with.

    Raises:
        EvaluationError: a part of `spec` is unknown, missing or cannot be loaded, or the two do not fit together.
    """
    first, second = split_spec(spec)
    describer = open_describer(first, data=data, tagger=tagger, ontology=ontology, workers=workers)
    from eval_harness.systems.pipelines.encoders import open_encoder
    from eval_harness.systems.pipelines.pipeline import CaptionPipeline, DescriptionLogic

    place = store or default_store()
    if second == LOGIC:
        return DescriptionLogic(describer, data, place)
    return CaptionPipeline(describer, open_encoder(second, device), data, place)


def split_spec(spec: str) -> tuple[str, str]:
    """The describer and the second stage. Raises EvaluationError where one is missing."""
    first, _, second = spec.partition("+")
    if first not in DESCRIBERS and spec.count("+") > 1:  # paths may have one, too
        parts = spec.split("+")
        heads = ("+".join(parts[:n]) for n in range(1, len(parts)))
        first = next((head for head in heads if _looks_like_file(head)), first)
        second = spec[len(first) + 1 :]
    if not first or not second:
        raise EvaluationError(
            f"{spec!r} is no pipeline: DESCRIBER+SECOND is needed, as in yamnet+minilm, perfect+logic or captions.csv+ORG/NAME"
        )
    return first, second


def open_describer(
    name: str, *, data: Data, tagger: Path | None = None, ontology: Path | None = None, workers: int = 1
) -> Describer:
    """The describer that is meant: yamnet, perfect, or the path of a file of descriptions. Arguments as of `open_pipeline`.

    Raises:
        EvaluationError: there is none of that name, or it cannot be opened.
        SoundLibraryError: the ontology cannot be read.
    """
    if name == "perfect":
        return PerfectDescriber(data)
    if name == "yamnet":
        from builders.sounds.ontology import find_ontology
        from eval_harness.systems.pipelines.tagging import TaggerDescriber

        return TaggerDescriber(tagger, data, find_ontology(ontology), workers=workers)
    if _looks_like_file(name):
        return FileDescriber(Path(name).expanduser(), data.folder.clips, data.folder.sounds)
    close = difflib.get_close_matches(name, DESCRIBERS, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}?" if close else "or was a file meant?"
    raise EvaluationError(
        f"no describer {name!r}: there are {', '.join(DESCRIBERS)}, and files of descriptions ({', '.join(SUFFIXES)}); {hint}"
    )


def _looks_like_file(name: str) -> bool:
    return name.endswith(SUFFIXES) or Path(name).expanduser().is_file()
