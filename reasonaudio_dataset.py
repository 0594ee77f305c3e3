"""The dataset as Hugging Face sees it: configs and features; loading a folder, installing one as "reasonaudio", pushing it.

from reasonaudio_dataset import install, load

load("demo/reasonaudio")["order"]  # a folder, wherever it is
install("demo/reasonaudio")
datasets.load_dataset("reasonaudio")  # then works from anywhere, offline
"""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builders import layout
from builders.build import Built, build
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import BuildError, DatasetFolderError
from builders.publishing import Pushed, push

if TYPE_CHECKING:  # datasets takes a second to import; a command's --help must not
    import datasets

__all__ = [
    "CONFIG_NAMES",
    "DEFAULT_CONFIG",
    "NAME",
    "Built",
    "Installed",
    "Pushed",
    "build",
    "content_hash",
    "features",
    "install",
    "install_bytes",
    "load",
    "push",
    "verify",
]

NAME = "reasonaudio"
DEFAULT_CONFIG = layout.DEFAULT_CONFIG
CONFIG_NAMES = tuple(config.name for config in layout.configs())


@dataclass(frozen=True, slots=True)
class Installed:
    """What `install` did.

    Attributes:
        configs: what `load_dataset("reasonaudio", ...)` now knows.
        new_bytes: what was written into the cache; 0 where it was all there.
        replaced: number of cached configs of earlier corpora that were removed.
        cache: the folder of the cache.
    """

    configs: tuple[str, ...]
    new_bytes: int
    replaced: int
    cache: Path


def features(config: str = DEFAULT_CONFIG) -> datasets.Features:
    """The columns of a config. Raises KeyError."""
    return layout.features(layout.config(config).kind)


def load(path: Path | str, config: str | None = None, **kwargs: Any) -> Any:
    """`datasets.load_dataset` on a finished dataset folder.

    Args:
        path: the folder; its name does not matter.
        config: one of CONFIG_NAMES; None is the default.
        **kwargs: as `load_dataset` takes them (`split`, `streaming`, `num_proc`, `cache_dir`, ...).

    Raises:
        DatasetFolderError: `path` is not a finished dataset folder.
    """
    from datasets import load_dataset

    return load_dataset(str(DatasetFolder.open(path).path.resolve()), config or DEFAULT_CONFIG, **kwargs)


def verify(folder: Path | str, progress: Callable[[int, int], None] | None = None) -> None:
    """Reads every file of a folder but the card and compares it with the manifest.

    Args:
        folder: a finished dataset folder.
        progress: called with (megabytes read, megabytes in all).

    Raises:
        DatasetFolderError: a file is missing, changed, or not one of the build's; the first one is named.
    """
    from builders.check.files import check_files

    opened = DatasetFolder.open(folder)
    places = [opened.path / file for file in opened.manifest["files"]]
    total, done = sum(place.stat().st_size for place in places if place.is_file()), 0

    def looked_at(size: int) -> None:
        nonlocal done
        done += size
        if progress:
            progress(done // 1_000_000, max(total // 1_000_000, 1))

    for problem in check_files(opened, looked_at):
        raise _damaged(folder, problem.where, problem.what)


def _damaged(folder: Path | str, file: str, what: str) -> DatasetFolderError:
    command = f"reasonaudio check {shlex.quote(str(folder))}"
    return DatasetFolderError(f"{folder} is damaged: {file} {what}; {command} lists everything")


def install_bytes(folder: Path | str, *, everything: bool = False, home: Path | str | None = None) -> int:
    """The bytes that `install` with the same arguments would write; 0 where all is there already."""
    with _builders(folder, everything, home) as found:
        return _missing_bytes(found)


def install(
    folder: Path | str,
    *,
    everything: bool = False,
    home: Path | str | None = None,
    num_proc: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    verified: bool = False,
) -> Installed:
    """Fills the cache of datasets so that `load_dataset("reasonaudio")` gives this folder, from anywhere and offline.

    The bare name gives the default config; all others go by their name. What an earlier corpus has left under the name is
    removed, so that no config of it can be taken for one of this corpus.

    Args:
        folder: a finished dataset folder, whatever it is called.
        everything: also the configs that repeat the audio of the default one (`corpus`, `<task>-corpus`).
        home: the HF_HOME that will be in force when the name is loaded; None is the present one.
        num_proc: processes for copying.
        progress: called with ("configs", how many are done, of how many).
        verified: `verify` has been called; else it is called first.

    Raises:
        DatasetFolderError: `folder` is not a finished dataset folder, or it is damaged.
        BuildError: it does not fit on the disk of the cache, or the cache cannot be written.
    """
    if not verified:
        verify(folder)
    with _builders(folder, everything, home) as found:
        cache = Path(next(iter(found.values())).cache_dir).parents[2]
        needed = _missing_bytes(found)
        place = next(path for path in (cache, *cache.parents) if path.exists())
        free = shutil.disk_usage(place).free
        if free < needed:
            raise BuildError(
                f"installing needs {needed / 1e6:,.1f} MB in {cache}, which has only {free / 1e6:,.1f} MB free; "
                "make room, set HF_HOME to a larger disk, or load the folder by its path with streaming=True"
            )
        for done, builder in enumerate(found.values()):
            if progress:
                progress("configs", done, len(found))
            builder.download_and_prepare(num_proc=num_proc)
        if progress:
            progress("configs", len(found), len(found))
        # load_dataset takes the newest folder, and one that was there before is not written again.
        now = time.time()
        for age, builder in enumerate(reversed(found.values())):
            os.utime(builder.cache_dir, (now - age, now - age))
        keep = Path(next(iter(found.values())).cache_dir).name
        others = [path for path in cache.glob("*/*/*") if path.is_dir() and path.name != keep]
        for path in others:
            shutil.rmtree(path)
        return Installed(tuple(found), needed, len(others), cache)


@contextmanager
def _builders(folder: Path | str, everything: bool, home: Path | str | None) -> Iterator[dict[str, Any]]:
    """Builders by config, the default one last, for the folder under the name "reasonaudio"."""
    path = DatasetFolder.open(folder).path.resolve()
    from datasets import load_dataset_builder
    from datasets.exceptions import DatasetsError

    cache = str(Path(home).absolute() / "datasets") if home else None
    wanted = [config.name for config in layout.configs() if everything or not config.duplicate]
    wanted.sort(key=lambda name: name == DEFAULT_CONFIG)
    try:
        with tempfile.TemporaryDirectory() as link:
            (Path(link) / NAME).symlink_to(path)  # the name of the folder is the name in the cache
            yield {name: load_dataset_builder(str(Path(link) / NAME), name, cache_dir=cache) for name in wanted}
    except (DatasetsError, ValueError) as error:  # a file is damaged, or has other rows than the card says
        cause = error.__cause__ or error
        if isinstance(cause, OSError) and cause.errno is not None:
            raise _cache_error(cause) from error
        raise DatasetFolderError(
            f"{path} cannot be installed ({type(cause).__name__}: {cause}); check it, or build it again"
        ) from error
    except OSError as error:
        if error.errno is None:  # datasets' own: a file that the card names is not there
            raise DatasetFolderError(f"{path} cannot be installed ({error}); check it, or build it again") from error
        raise _cache_error(error) from error


def _cache_error(error: OSError) -> BuildError:
    what = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return BuildError(f"the cache cannot be written ({what}); make room, or set HF_HOME to a folder that you may write")


def _missing_bytes(found: dict[str, Any]) -> int:
    missing = (builder for builder in found.values() if not (Path(builder.cache_dir) / "dataset_info.json").is_file())
    return sum(builder.info.dataset_size for builder in missing)
