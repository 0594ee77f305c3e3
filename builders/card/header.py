"""The card's YAML: what `load_dataset` and the Hub read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builders import layout
from builders.card.files import FileStats, files_digest
from builders.dataset_folder import DatasetFolder
from builders.recipe import NO_CONTROL
from builders.sounds.licenses import corpus_license

if TYPE_CHECKING:
    import datasets

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
TAGS = ("audio", "text", "mteb", "retrieval", "text-to-audio-retrieval", "reasoning", "synthetic")


def header(folder: DatasetFolder, stats: Mapping[str, FileStats], content_hash: str) -> str:
    """The YAML, without the lines that fence it."""
    from datasets.info import DatasetInfosDict
    from huggingface_hub import DatasetCardData

    control = "" if folder.control == NO_CONTROL else f"control {folder.control}, "
    description = f"recipe {folder.recipe_hash}, {control}files {files_digest(folder.manifest['files'])}"
    recordings = [recording for used in folder.sounds.values() for recording in used.recordings]
    data = DatasetCardData(
        language=["en"],
        license=corpus_license(recording.license for recording in recordings),
        annotations_creators=["machine-generated"],
        language_creators=["machine-generated"],
        multilinguality=["monolingual"],
        size_categories=[next((name for limit, name in SIZES if len(folder.clips) < limit), "n>1M")],
        source_datasets=["original"],
        task_categories=["text-retrieval", "other"],
        pretty_name="ReasonAudio" + ("" if folder.control == NO_CONTROL else f" ({folder.control} control)"),
        tags=list(TAGS),
        recipe_hash=folder.recipe_hash,
        content_hash=content_hash,
        configs=[_config(config, description) for config in layout.configs()],
    )
    infos = {config.name: _info(config, stats) for config in layout.configs()}
    DatasetInfosDict(infos).to_dataset_card_data(data)
    return str(data.to_yaml())


def _config(config: layout.Config, description: str) -> dict[str, Any]:
    """Version and description become part of the key of datasets' cache, which otherwise does not see changed contents."""
    fields: dict[str, Any] = {"config_name": config.name}
    if config.name == layout.DEFAULT_CONFIG:
        fields["default"] = True
    return fields | {
        "version": config.version,
        "description": description,
        "data_files": [{"split": split, "path": pattern} for split, pattern in config.splits.items()],
    }


def _info(config: layout.Config, stats: Mapping[str, FileStats]) -> datasets.DatasetInfo:
    from datasets import DatasetInfo, SplitDict, SplitInfo

    splits = SplitDict()
    download = 0
    for split, pattern in config.splits.items():
        files = [found for name, found in stats.items() if Path(name).match(pattern)]
        splits.add(
            SplitInfo(
                name=split, num_bytes=sum(file.arrow_bytes for file in files), num_examples=sum(file.rows for file in files)
            )
        )
        download += sum(file.file_bytes for file in files)
    total = sum(split.num_bytes for split in splits.values())
    return DatasetInfo(features=layout.features(config.kind), splits=splits, download_size=download, dataset_size=total)
