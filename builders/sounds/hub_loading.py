"""Datasets of the Hugging Face Hub, or folders in their layouts, as `datasets` reads them: tables in files, split by split."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders.cache import cache_folder
from builders.errors import SoundLibraryError

_COMMIT = re.compile(r"[0-9a-f]{40}")
_SAVED = ("dataset_dict.json", "state.json")
"""One of them lies in a folder that `save_to_disk` wrote."""
_SKIPPED = (".", "__")
"""Folders with such names `datasets` never looks into."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a user named: a folder, or else a repository on the Hub.

    Attributes:
        repository: its id; "" for a folder.
    """

    config: str
    folder: Path | None = None
    repository: str = ""

    @property
    def title(self) -> str:
        """The dataset's name without machine paths."""
        return self.repository or (self.folder.name if self.folder else "") or "root"

    @property
    def name(self) -> str:
        return f"hub:{self.title}" + (f":{self.config}" if self.config else "")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A dataset whose rows lie in files.

    Attributes:
        features: of every split that is used, by column.
        splits: the files of each split that is used, in Arrow's stream format, in the order of its rows.
        there: the names of all its splits.
        license: what the dataset's card says; "" where it says nothing.
        revision: the commit on the Hub; "" for a folder.
    """

    features: Mapping[str, Any]
    splits: Mapping[str, tuple[Path, ...]]
    there: tuple[str, ...]
    license: str = ""
    revision: str = ""


def named(argument: str) -> Named:
    """Takes "PATH", "PATH:CONFIG", "ID" or "ID:CONFIG" apart; what exists as a path is one.

    Raises:
        SoundLibraryError: it is neither a folder nor the id of a repository.
    """
    before, colon, after = argument.rpartition(":")
    for text, config in ((argument, ""), (before, after)):
        path = Path(os.path.expanduser(text))  # noqa: PTH111  a text may begin with "~" and be no path
        if text and os.path.exists(path):  # noqa: PTH110  or be too long for one
            if not path.is_dir():
                raise SoundLibraryError(
                    f"hub:{argument}: {path.name} is a file; give the folder of the dataset that it belongs to"
                )
            return Named(config, folder=path.resolve())
    repository, config = (before, after) if colon else (argument, "")
    if not _is_repository(repository) or (colon and not re.fullmatch(r"[^/\\:]+", config)):
        raise SoundLibraryError(
            f"hub:{argument}: there is no such folder, and it is no id on the Hugging Face Hub; write hub:PATH, "
            "hub:OWNER/NAME or, for one of its configs, hub:OWNER/NAME:CONFIG"
        )
    return Named(config, repository=repository)


def _is_repository(text: str) -> bool:
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]  # public, though not re-exported for mypy

    try:
        validate_repo_id(text)
    except HFValidationError:
        return False
    return True


def load(wanted: Named, split: str = "", revision: str = "") -> Loaded:
    """The dataset, downloaded where it is on the Hub; the tables are kept in the cache of `datasets` (of a folder, in ours).

    Args:
        split: the one that is used; "" for all.
        revision: a branch, tag or commit on the Hub; "" for the newest.

    Raises:
        SoundLibraryError: it cannot be loaded; one line that names it and the way out.
    """
    if wanted.folder and revision:
        raise SoundLibraryError(f"{wanted.name}: option revision: a folder has no revisions; leave it out")
    with _quiet():
        try:
            if wanted.folder:
                splits, commit = _folder(wanted, wanted.folder), ""
                card = _card_of(wanted.folder / "README.md")
            else:
                splits, commit = _repository(wanted, revision)
                card = _card_on_hub(wanted, commit)
        except SoundLibraryError:
            raise
        except Exception as error:  # datasets lets through whatever pyarrow, fsspec, httpx and its own builders raise
            raise SoundLibraryError(f"{wanted.name}: {_plain(wanted, error)}") from None
    return _loaded(wanted, splits, split, card, commit)


def _loaded(wanted: Named, there: Mapping[str, Any], split: str, card: Mapping[str, Any], commit: str) -> Loaded:
    if split and split not in there:
        raise SoundLibraryError(f"{wanted.name}: option split: there is no split {split!r}; there are {', '.join(there)}")
    used = {name: dataset for name, dataset in there.items() if split in ("", name) and dataset}
    if not used:
        raise SoundLibraryError(
            f"{wanted.name}: it has no rows ({split or ', '.join(there)}); give another dataset, config or split"
        )
    first, *others = used
    for other in others:
        if used[other].features != used[first].features:
            raise SoundLibraryError(
                f"{wanted.name}: the splits {first} and {other} have different columns or labels; choose one of "
                f"{', '.join(there)} with the option split=NAME"
            )
    files = {name: tuple(Path(file["filename"]) for file in dataset.cache_files) for name, dataset in used.items()}
    stated = _license_of(card) or str(used[first].info.license or "").strip()
    return Loaded(dict(used[first].features), files, tuple(there), stated, commit)


# --- on disk ----------------------------------------------------------------------------------------------------------


def _folder(wanted: Named, folder: Path) -> dict[str, Any]:
    if not any((folder / name).is_file() for name in _SAVED):
        return _read(wanted, folder)
    if wanted.config:
        raise SoundLibraryError(f"{wanted.name}: a folder that save_to_disk wrote has no configs; leave {wanted.config!r} out")
    from datasets import Dataset, load_from_disk

    found = load_from_disk(str(folder), keep_in_memory=False)
    return {str(found.split or "train"): found} if isinstance(found, Dataset) else dict(found)


def _read(wanted: Named, folder: Path) -> dict[str, Any]:
    """Its tables are made in our cache: that of `datasets` knows a folder by its card, and gives old rows of changed files."""
    from datasets import load_dataset_builder

    here = cache_folder("hub") / hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]
    made = here / _state(folder)
    if here.is_dir():
        for entry in here.iterdir():
            if entry != made:
                shutil.rmtree(entry, ignore_errors=True)
    builder = load_dataset_builder(str(folder), wanted.config or None, cache_dir=str(made))
    if getattr(builder, "BASE_COLUMN_NAME", "") == "audio" and not _card_of(folder / "README.md").get("configs"):
        _check_all_is_read(wanted, folder, builder)
    return _prepared(builder)


def _check_all_is_read(wanted: Named, folder: Path, builder: Any) -> None:
    """Refuses a folder of audio files of which `datasets` chose some: by folders or names such as "train" it tells splits.

    Files that a card chooses are chosen on purpose, and not to be asked about here.
    """
    suffixes = tuple(builder.EXTENSIONS)
    chosen = {str(file) for files in builder.config.data_files.values() for file in files}
    used = sum(file.lower().endswith(suffixes) for file in chosen)
    there = 0
    for _, inner, files in os.walk(folder):
        inner[:] = [name for name in inner if not name.startswith(_SKIPPED)]
        there += sum(name.lower().endswith(suffixes) and not name.startswith(".") for name in files)
    if 0 < used < there:  # where none is used, it reads archives
        raise SoundLibraryError(
            f"{wanted.name}: {used} of {there} audio files would be read, as datasets takes folders and files with names such as "
            "train, test or dev for splits, and leaves the others out; read it with folder:PATH, or rename those that are labels"
        )


def _state(folder: Path) -> str:
    """A hash of the names, sizes and times of all files in the folder."""
    digest = hashlib.sha256()
    for path, inner, files in os.walk(folder):
        inner.sort()
        for name in sorted(files):
            file = Path(path) / name
            stat = file.stat() if file.exists() else file.lstat()  # of what a link leads to, if it leads anywhere
            digest.update(os.fsencode(file) + f"\0{stat.st_size} {stat.st_mtime_ns}\0".encode())
    return digest.hexdigest()[:16]


# --- on the Hub -------------------------------------------------------------------------------------------------------


def _repository(wanted: Named, revision: str) -> tuple[dict[str, Any], str]:
    """The splits, and the commit that they are of."""
    from datasets import load_dataset_builder

    builder = load_dataset_builder(wanted.repository, wanted.config or None, revision=revision or None)
    commit = str(builder.hash or "")
    if revision and commit != _commit_of(wanted, revision):
        # Where the Hub cannot be reached, datasets takes what is in its cache, whatever the revision.
        raise SoundLibraryError(
            f"{wanted.name}: revision {revision!r} cannot be had: the Hub cannot be reached, and the copy in the cache is of "
            f"{commit or 'another one'}; go online, or leave the revision out"
        )
    return _prepared(builder), commit


def _commit_of(wanted: Named, revision: str) -> str:
    """The commit that a branch, tag or commit names, as far as it is known here."""
    from huggingface_hub import HfApi

    if _COMMIT.fullmatch(revision):
        return revision
    try:
        return str(HfApi().dataset_info(wanted.repository, revision=revision).sha)
    except Exception:  # no network, or no access: nothing is known
        return ""


def _card_on_hub(wanted: Named, commit: str) -> dict[str, Any]:
    from huggingface_hub import hf_hub_download

    try:
        return _card_of(Path(hf_hub_download(wanted.repository, "README.md", repo_type="dataset", revision=commit or None)))
    except Exception:  # no card, or no network: then nothing is stated
        return {}


def _prepared(builder: Any) -> dict[str, Any]:
    """The splits of a builder of `datasets`; it refuses to open those without rows, which are None."""
    builder.download_and_prepare()
    return {name: builder.as_dataset(name) if split.num_examples else None for name, split in builder.info.splits.items()}


# --- both -------------------------------------------------------------------------------------------------------------


def _card_of(readme: Path) -> dict[str, Any]:
    """What stands between the first two lines of dashes."""
    import yaml

    if not readme.is_file():
        return {}
    found = re.match(r"\ufeff?---\s*\n(.*?)\n---\s*(\n|\Z)", readme.read_text(encoding="utf-8", errors="replace"), re.DOTALL)
    try:
        content = yaml.safe_load(found[1]) if found else None
    except yaml.YAMLError:
        return {}
    return content if isinstance(content, dict) else {}


def _license_of(card: Mapping[str, Any]) -> str:
    """The licence in a card; that of "other" is its name or link, and several are none that a recording could be said to have."""
    stated = card.get("license") or card.get("licence") or ""
    stated = [str(one).strip() for one in (stated if isinstance(stated, list) else [stated])]
    if stated == ["other"]:
        return str(card.get("license_name") or card.get("license_link") or "other").strip()
    return " or ".join(filter(None, stated))


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the log of datasets and huggingface_hub, and without their progress bars where nobody watches."""
    import datasets
    import huggingface_hub
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled

    loggers = (datasets.logging, huggingface_hub.logging)
    before = [logger.get_verbosity() for logger in loggers]
    bars = {datasets: datasets.are_progress_bars_disabled(), huggingface_hub.utils: are_progress_bars_disabled()}
    for logger in loggers:
        logger.set_verbosity(logger.CRITICAL)
    for bar in bars:
        if not sys.stderr.isatty():
            bar.disable_progress_bars()
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.set_verbosity(level)
        for bar, disabled in bars.items():
            if not disabled:
                bar.enable_progress_bars()


def _plain(wanted: Named, error: Exception) -> str:
    """What went wrong, and the way out."""
    cause = error.__cause__ if type(error).__name__ == "DatasetGenerationError" and error.__cause__ else error
    said = " ".join((str(cause).strip() or type(cause).__name__).splitlines()[0].split()).rstrip(".")
    kinds = {kind.__name__ for kind in type(cause).__mro__}
    if "torchcodec" in said.lower():
        return (
            "datasets reads a folder of audio files with torchcodec, which is missing or does not load: "
            "pip install 'reasonaudio[audio]', or read the folder with folder:PATH"
        )
    if wanted.repository and kinds & {"ConnectionError", "OfflineModeIsEnabled", "TransportError", "LocalEntryNotFoundError"}:
        return (
            f"the Hugging Face Hub cannot be reached ({said}), there is no copy of {wanted.repository} in its cache, and no such "
            f"folder here; go online, or give the path of a copy (hf download --repo-type dataset {wanted.repository} "
            "--local-dir FOLDER)"
        )
    if "scripts are no longer supported" in said:
        return (
            f"{said}; write it as parquet files, or, on the Hub, take those that it makes of most datasets "
            "(option revision=refs/convert/parquet)"
        )
    if "EmptyDatasetError" in kinds or "DataFilesNotFoundError" in kinds:
        return f"no data files that datasets reads ({said}); give the folder that holds the parquet, audio or Arrow files"
    if said.startswith(("BuilderConfig ", "Config name is missing")):
        what = f"there is no config {wanted.config!r}" if wanted.config else "it has several configs"
        configs = re.search(r"\[.*?\]", str(cause))
        listed = ", ".join(re.findall(r"'([^']*)'", configs[0])) if configs else "listed on its page"
        return f"{what}; its configs are {listed}; write hub:{wanted.repository or 'PATH'}:CONFIG"
    if "DatasetNotFoundError" in kinds:
        return f"{said}; check the id and the revision, and log in (hf auth login) where it is private or gated"
    return f"datasets cannot load it: {said} ({type(cause).__name__}); download or write it again"
