"""What the pull request says of the data: sizes and licences, all counted in the folder; and which data may be sent at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.recipe import NO_CONTROL, PRESETS, TASK_NAMES
from builders.sounds.library import BUILTIN
from builders.sounds.licenses import corpus_license
from eval_harness.data import Data

CLIPS, QUERIES = 2_000, 200
"""Of every task of the benchmark's own corpus."""
_COMMIT = re.compile(r"[0-9a-f]{40}")
_VERSION = re.compile(r"v\d[\w.-]*|\d+(\.\d+)+")


@dataclass(frozen=True)
class TaskSize:
    """How large a task is.

    Attributes:
        clips: clips that a query searches.
        queries: queries.
        megabytes: of the files that hold the clips.
        relevant: relevant clips of each query.
    """

    clips: int
    queries: int
    megabytes: float
    relevant: tuple[int, ...]

    @property
    def chance(self) -> float:
        """How often a random ranking has a relevant clip at rank 1: the mean share of relevant clips."""
        return mean(self.relevant) / self.clips

    @property
    def spread(self) -> str:
        """Relevant clips per query: mean, least and most."""
        return f"{mean(self.relevant):.2f} ({min(self.relevant)} to {max(self.relevant)})"


@dataclass(frozen=True)
class Offer:
    """The data of the pull request.

    Attributes:
        data: the dataset.
        version: a name for this state of it: the tag it was asked by, else its commit or content hash.
        license: as mteb's metadata have it: a name it knows, or the URL of a licence of Creative Commons.
        sizes: of each task.
        trial: nothing is to be sent; built-in sounds, small corpora and folders will do.
    """

    data: Data
    version: str
    license: str
    sizes: dict[str, TaskSize]
    trial: bool

    @property
    def folder(self) -> DatasetFolder:
        return self.data.folder

    @property
    def published(self) -> bool:
        """Whether the data are a commit on the Hub."""
        return on_hub(self.data)

    @property
    def url(self) -> str:
        """Where people see the data; "" for a folder."""
        return f"https://huggingface.co/datasets/{self.data.path}" if self.published else ""

    @property
    def content(self) -> str:
        """The content hash of the data."""
        return self.data.content_hash

    @property
    def common_clips(self) -> str:
        """How many clips a query searches, in words: "2,000", or "20 to 120" where tasks differ."""
        counts = sorted({size.clips for size in self.sizes.values()})
        return f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"


def megabytes(size: float) -> str:
    """A size as people read it."""
    return f"{size:,.0f}" if size >= 10 else f"{size:.2f}"


def on_hub(data: Data) -> bool:
    """Whether mteb can fetch the data as they are: a dataset's name on the Hub, and a whole commit."""
    return not Path(data.path).is_absolute() and _COMMIT.fullmatch(data.revision) is not None


def describe(data: Data, asked: str = "", trial: bool = False) -> Offer:
    """What is to be said of the data.

    Args:
        data: the dataset.
        asked: what the user named it by; a tag in it becomes the version.
        trial: nothing is to be sent.

    Raises:
        EvaluationError: these data may not be sent, or lack a task.
    """
    problem = next(_problems(data, trial), "")
    if problem:
        raise EvaluationError(f"{data.path}: {problem}")
    _, _, ref = asked.partition("@")
    named = ref if _VERSION.fullmatch(ref) and not Path(asked).exists() else ""
    sizes = {task: _size(data.folder, task) for task in TASK_NAMES}
    return Offer(data, named or data.revision[:12], mteb_license(_license(data.folder)), sizes, trial)


def _problems(data: Data, trial: bool) -> Iterator[str]:
    """Why these data may not be sent, first what weighs most."""
    missing = [task for task in TASK_NAMES if task not in data.tasks]
    if missing:
        yield f"no queries of {', '.join(missing)} are there, and all five tasks are needed; build it again"
    if trial:
        return
    folder = data.folder
    way_out = "or give --trial to see what would be written"
    if BUILTIN in re.split(r"[^\w]+", folder.library_name):
        yield f"its sounds are the built-in ones, synthesis for demo and tests; build it of recordings, {way_out}"
    if folder.control != NO_CONTROL:
        yield f"it is a control ({folder.control}), not the corpus itself; give the corpus that it was made of, {way_out}"
    for task in data.tasks:
        clips, queries = _counts(folder, task)
        if (clips, queries) != (CLIPS, QUERIES):
            yield (
                f"{task} has {clips:,} clips and {queries:,} queries (preset {folder.recipe.name}), not {CLIPS:,} and {QUERIES}; "
                f"build it with --preset full, {way_out}"
            )
    if _license(folder) == "other":
        yield f"its recordings' licences make no licence that a name is known of; build it with --licenses cc0,cc-by, {way_out}"
    if not on_hub(data):
        yield (
            "mteb needs data on the Hub and a whole commit of 40 hex digits; `reasonaudio push FOLDER ORG/NAME` prints both, "
            f"and then give --data ORG/NAME@COMMIT, {way_out}"
        )


def mteb_license(name: str) -> str:
    """The Hub's name of a licence as mteb's metadata take it: the name, a URL of Creative Commons, or "multiple"."""
    from typing import get_args

    from mteb.types import Licenses

    if name in get_args(Licenses):
        return name
    creative = re.fullmatch(r"cc-(by[a-z-]*)-(\d\.\d)", name)
    return f"https://creativecommons.org/licenses/{creative[1]}/{creative[2]}/" if creative else "multiple"


def is_preset(folder: DatasetFolder) -> bool:
    """Whether the recipe is a preset but for its seed."""
    recipe = folder.recipe
    known = PRESETS.get(recipe.name)
    return known is not None and recipe == known.model_copy(update={"seed": recipe.seed})


def _license(folder: DatasetFolder) -> str:
    return corpus_license(one.license for sound in folder.sounds.values() for one in sound.recordings)


def _counts(folder: DatasetFolder, task: str) -> tuple[int, int]:
    return len(folder.rows("timelines", task)), len(folder.rows(f"{task}-queries"))


def _size(folder: DatasetFolder, task: str) -> TaskSize:
    clips, queries = _counts(folder, task)
    size = sum((folder.path / file).stat().st_size for file in folder.audio_files(task))
    relevant = folder.qrels(task)
    return TaskSize(clips, queries, size / 1e6, tuple(len(relevant[row["id"]]) for row in folder.rows(f"{task}-queries")))
