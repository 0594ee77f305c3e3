"""The dataset that is evaluated on: opened once, named by its content, from a folder or from the Hugging Face Hub."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from builders import layout
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import DatasetFolderError, EvaluationError
from builders.recipe import TASK_NAMES

VARIABLE = "REASONAUDIO_DATA"
"""The environment variable that names the dataset where nothing else does: a folder, or ORG/NAME[@revision]."""

_HUB_ID = re.compile(r"^[\w.-]+/[\w.-]+(@[\w./-]+)?$")


@dataclass(frozen=True)
class Data:
    """A dataset folder to evaluate on.

    Attributes:
        folder: the finished folder; of a dataset on the Hub, its snapshot.
        path: as mteb records it: the folder's absolute path, or ORG/NAME.
        revision: as mteb records it: of a folder its content hash, of a dataset on the Hub the commit.
    """

    folder: DatasetFolder
    path: str
    revision: str

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 (hex) of the manifest, which holds that of every file but the card: equal for equal data, wherever they lie."""
        return content_hash(self.folder.path)

    @cached_property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that the folder has queries of."""
        return tuple(task for task in TASK_NAMES if (self.folder.path / layout.table_file(f"{task}-queries")).is_file())


def open_data(path_or_id: str | Path, revision: str | None = None) -> Data:
    """The dataset that is meant.

    Args:
        path_or_id: a finished dataset folder; or ORG/NAME, also ORG/NAME@REVISION, on the Hub.
        revision: a branch, tag or commit on the Hub; its newest commit if not given. A folder has none.

    Raises:
        DatasetFolderError: the folder is missing, unfinished, damaged or of another layout.
        EvaluationError: the Hub has no such dataset, or cannot be reached.
    """
    text = str(path_or_id)
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


def _of_folder(path: Path) -> Data:
    folder = DatasetFolder.open(path)
    return Data(folder, str(folder.path.resolve()), content_hash(folder.path))


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
        return Data(DatasetFolder.open(place), name, Path(place).name)  # a snapshot's folder is named after its commit
    except DatasetFolderError as error:
        raise DatasetFolderError(f"{text} on the Hub: {error}") from None
