"""The dataset that is evaluated on: opened once, named by its content, from a folder or from the Hugging Face Hub.

Ours is a `Corpus`; the paper's own data (`eval_harness.official`) is the other kind of `Data`.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from builders import layout
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import DatasetFolderError, EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.progress import Report, Shown, unseen
from eval_harness.published import published

if TYPE_CHECKING:  # both import this module
    from eval_harness.rankings import Rankings
    from eval_harness.scores import TaskScores

VARIABLE = "REASONAUDIO_DATA"
"""The environment variable that names the dataset where nothing else does: a folder, or ORG/NAME[@revision]."""

OFFICIAL = "official:"
"""What the name of the paper's own data begins with: official:FOLDER."""

_HUB_ID = re.compile(r"^[\w.-]+/[\w.-]+(@[\w./-]+)?$")


@dataclass(frozen=True)
class Data(ABC):
    """A dataset to evaluate on.

    Attributes:
        path: as mteb records it: the folder's absolute path, or ORG/NAME.
        revision: as mteb records it: of a folder its content hash, of a dataset on the Hub the commit.
        benchmark: what the names of its tasks begin with.
        scopes: what its queries may search.
    """

    path: str
    revision: str

    benchmark: ClassVar[str]
    scopes: ClassVar[tuple[str, ...]]

    @property
    @abstractmethod
    def folder(self) -> DatasetFolder:
        """The finished folder, with sets, forms and timelines; of a dataset on the Hub, its snapshot.

        Raises:
            EvaluationError: it has none of these.
        """

    @property
    @abstractmethod
    def content_hash(self) -> str:
        """SHA-256 (hex): equal for equal data, wherever they lie."""

    @property
    @abstractmethod
    def tasks(self) -> tuple[str, ...]:
        """The tasks that it has queries of."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What was decided in opening it that a reader should know."""
        return ()

    @abstractmethod
    def about(self) -> dict[str, Any]:
        """What a folder of results says of it besides path, revision and content."""

    @abstractmethod
    def verify(self, report: Report) -> None:
        """Raises DatasetFolderError if a file is damaged. `report` is told (megabytes done, megabytes)."""

    @abstractmethod
    def put_to_use(self) -> Data:
        """From now on its tasks in mteb are of this dataset."""

    @abstractmethod
    def query_ids(self, task: str) -> tuple[str, ...]:
        """The ids of a task's queries."""

    @abstractmethod
    def clip_ids(self, task: str, scope: str = "task") -> tuple[str, ...]:
        """The ids of the clips that a task's queries search."""

    @abstractmethod
    def score(self, rankings: Rankings, task: str, scope: str = "task") -> TaskScores:
        """All scores of a task's queries that it has what they take. Raises EvaluationError."""

    def clip_key(self, task: str, clip: str) -> str:
        """What the embedding of a clip is kept under: its id, where ids differ throughout the dataset."""
        return clip

    def query_key(self, task: str, query: str) -> str:
        """The same of a query."""
        return query

    def task_name(self, task: str, scope: str = "task") -> str:
        """A task's name in mteb: "ReasonAudio-Order"; in the scope "all" with "-All"."""
        return f"{self.benchmark}-{task.capitalize()}{'-All' if scope == 'all' else ''}"


@dataclass(frozen=True)
class Corpus(Data):
    """A finished dataset folder."""

    opened: DatasetFolder = field(repr=False)

    benchmark = "ReasonAudio"
    scopes = ("task", "all")

    @property
    def folder(self) -> DatasetFolder:
        return self.opened

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 (hex) of the manifest, which holds that of every file but the card: equal for equal data, wherever they lie."""
        return content_hash(self.folder.path)

    @cached_property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that the folder has queries of."""
        return tuple(task for task in TASK_NAMES if (self.folder.path / layout.table_file(f"{task}-queries")).is_file())

    def about(self) -> dict[str, Any]:
        return {"recipe": self.folder.recipe_hash}

    def verify(self, report: Report) -> None:
        import reasonaudio_dataset

        reasonaudio_dataset.verify(self.folder.path, report)

    def put_to_use(self) -> Data:
        from eval_harness import registry

        return registry.use(self)

    def query_ids(self, task: str) -> tuple[str, ...]:
        return tuple(query.id for query in self.folder.queries.values() if query.task == task)

    def clip_ids(self, task: str, scope: str = "task") -> tuple[str, ...]:
        from eval_harness.scores import clip_ids

        return tuple(clip_ids(self.folder, task, scope))

    def score(self, rankings: Rankings, task: str, scope: str = "task") -> TaskScores:
        from eval_harness.scores import score_task

        return score_task(rankings, self.folder, task, scope)


def no_sets(what: str, path: str) -> EvaluationError:
    """The error of `what` takes sets, forms or timelines where `path` is the paper's own data, which has none."""
    return EvaluationError(
        f"{what} takes sets, forms and timelines, which the paper's own data ({path}) does not have; it works on corpora of "
        "`reasonaudio build`"
    )


def open_data(path_or_id: str | Path, revision: str | None = None, shown: Shown = unseen) -> Data:
    """The dataset that is meant.

    Args:
        path_or_id: a finished dataset folder; or ORG/NAME, also ORG/NAME@REVISION, on the Hub; or official:FOLDER.
        revision: a branch, tag or commit on the Hub; its newest commit if not given. A folder has none.
        shown: opens progress bars.

    Raises:
        DatasetFolderError: the folder is missing, unfinished, damaged or of another layout.
        EvaluationError: the Hub has no such dataset, or cannot be reached.
    """
    text = str(path_or_id)
    if text.startswith(OFFICIAL):
        from eval_harness.official.data import open_official

        return open_official(text.removeprefix(OFFICIAL), shown)
    if isinstance(path_or_id, Path) or Path(text).expanduser().exists() or not _HUB_ID.match(text):
        if revision is not None:
            raise EvaluationError(f"{text} is a folder, and folders have no revision ({revision!r}); leave it out")
        return _of_folder(Path(text).expanduser())
    return _of_hub(text, revision)


def data_from_environment() -> Data:
    """The dataset that `REASONAUDIO_DATA` names.

    Raises:
        EvaluationError: it is not set.
    """
    text = os.environ.get(VARIABLE, "")
    if not text:
        raise EvaluationError(
            "no dataset to evaluate on: call eval_harness.registry.use_data(FOLDER or 'ORG/NAME'), or set "
            f"{VARIABLE}; `reasonaudio build FOLDER` makes one"
        )
    return open_data(text)


def data_by_default() -> Data:
    """The dataset that `REASONAUDIO_DATA` names, else the released one.

    Raises:
        EvaluationError: neither is there.
    """
    released = published()
    if released and not os.environ.get(VARIABLE):
        return open_data(released.name)
    return data_from_environment()


def _of_folder(path: Path) -> Data:
    folder = DatasetFolder.open(path)
    return Corpus(str(folder.path.resolve()), content_hash(folder.path), folder)


def _of_hub(text: str, revision: str | None) -> Data:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled, RepositoryNotFoundError

    name, _, given = text.partition("@")
    if given and revision not in (None, given):
        raise EvaluationError(f"{text}: two revisions are given, {given!r} and {revision!r}; give one")
    try:
        place = snapshot_download(name, repo_type="dataset", revision=given or revision)
    except RepositoryNotFoundError:
        raise EvaluationError(
            f"{name}: there is no such folder here, and no such dataset on the Hub (or it is private, and you are not logged in)"
        ) from None
    except (HfHubHTTPError, LocalEntryNotFoundError, OfflineModeIsEnabled, OSError) as error:
        first = str(error).strip().partition("\n")[0]
        raise EvaluationError(
            f"{text}: there is no such folder here, and the Hub does not give such a dataset ({type(error).__name__}: {first})"
        ) from None
    try:
        return Corpus(name, Path(place).name, DatasetFolder.open(place))  # a snapshot's folder is named after its commit
    except DatasetFolderError as error:
        raise DatasetFolderError(f"{text} on the Hub: {error}") from None
