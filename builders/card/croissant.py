"""The folder in Croissant 1.0, the machine-readable description of datasets (MLCommons, https://docs.mlcommons.org/croissant).

Paths are relative: the file is read beside the data, in the folder or in a snapshot of it from the Hub.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from builders import layout
from builders.card.files import FileStats
from builders.dataset_folder import DatasetFolder
from builders.recipe import TASK_NAMES
from builders.sounds.licenses import corpus_license, understand

_TERMS = (
    "citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty", "fileSet", "format", "includes",
    "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex", "repeated", "replace",
    "samplingRate", "separator", "source", "subField", "transform",
)  # fmt: skip
_TYPES = {"string": "sc:Text", "int32": "sc:Integer", "float64": "sc:Float", "bool": "sc:Boolean"}
PAPER = "https://arxiv.org/abs/2605.03361"


def croissant(folder: DatasetFolder, stats: Mapping[str, FileStats], content_hash: str) -> bytes:
    """The description: every parquet file with its checksum, and a record set for each config that repeats no audio.

    Args:
        folder: the dataset.
        stats: of its parquet files.
        content_hash: of the dataset; stands for its version.
    """
    configs = [config for config in layout.configs() if not config.duplicate]
    files = [_file_object(file, folder.manifest["files"][file], stats[file]) for file in sorted(stats)]
    sets = [_file_set(config) for config in configs if _several(config)]
    described = {
        "@context": _context(),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": "ReasonAudio",
        "description": (
            "Text-audio retrieval that takes reasoning: composite sound scenes and queries about negation, order, overlap, "
            "duration and mixtures of these. An independent re-creation of the benchmark of "
            f"{PAPER}. Recipe {folder.recipe_hash}, content {content_hash}."
        ),
        "license": _license(folder),
        "url": PAPER,
        "version": f"1.0.0+{content_hash[:16]}",
        "inLanguage": "en",
        "citeAs": "@misc{reasonaudio-recreation, title = {ReasonAudio, an independent re-creation: recipe "
        f"{folder.recipe_hash}}}, note = {{Content {content_hash}}}}} "
        "@misc{reasonaudio, title = {ReasonAudio: A Benchmark for Evaluating Reasoning Beyond Matching in Text-Audio "
        "Retrieval}, eprint = {2605.03361}, archivePrefix = {arXiv}}",
        "distribution": [*files, *sets],
        "recordSet": [_record_set(config) for config in configs],
    }
    return (json.dumps(described, indent=1, ensure_ascii=False) + "\n").encode()


def _context() -> dict[str, Any]:
    """The prefixes and terms of the standard that are used here."""
    return {
        "@language": "en",
        "@vocab": "https://schema.org/",
        "sc": "https://schema.org/",
        "cr": "http://mlcommons.org/croissant/",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "dct": "http://purl.org/dc/terms/",
        "conformsTo": "dct:conformsTo",
        "data": {"@id": "cr:data", "@type": "@json"},
        "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
        "examples": {"@id": "cr:examples", "@type": "@json"},
        **{term: f"cr:{term}" for term in _TERMS},
    }


def _license(folder: DatasetFolder) -> str:
    """SPDX's page of the licence of the whole, or the file that lists all."""
    texts = {recording.license for used in folder.sounds.values() for recording in used.recordings}
    whole = corpus_license(texts)
    names = sorted({found.name for text in texts if (found := understand(text)).name.lower() == whole})
    return f"https://spdx.org/licenses/{names[0]}" if names else layout.ATTRIBUTION


def _several(config: layout.Config) -> bool:
    """Whether a config is more than one file."""
    return len(config.splits) > 1 or any("*" in pattern for pattern in config.splits.values())


def _file_object(file: str, sha256: str, stats: FileStats) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file,
        "name": file,
        "contentUrl": file,
        "contentSize": f"{stats.file_bytes} B",
        "encodingFormat": "application/x-parquet",
        "sha256": sha256,
    }


def _file_set(config: layout.Config) -> dict[str, Any]:
    folder = next(iter(config.splits.values())).partition("/")[0]
    return {
        "@type": "cr:FileSet",
        "@id": f"files-{config.name}",
        "name": f"files of {config.name}",
        "encodingFormat": "application/x-parquet",
        "includes": f"{folder}/*.parquet",
    }


def _record_set(config: layout.Config) -> dict[str, Any]:
    where: dict[str, Any] = (
        {"fileSet": {"@id": f"files-{config.name}"}}
        if _several(config)
        else {"fileObject": {"@id": next(iter(config.splits.values()))}}
    )
    fields = [_field(config.name, name, feature, where, name) for name, feature in layout.features(config.kind).items()]
    if _several(config):  # the split is told by the file's name
        name = f"({'|'.join(TASK_NAMES)})"
        source = where | {"extract": {"fileProperty": "fullpath"}, "transform": {"regex": f"(?:.*/)?{name}[^/]*[.]parquet$"}}
        fields.append(
            {"@type": "cr:Field", "@id": f"{config.name}/task", "name": "task", "dataType": "sc:Text", "source": source}
        )
    return {"@type": "cr:RecordSet", "@id": config.name, "name": config.name, "field": fields}


def _field(config: str, name: str, feature: Any, where: Mapping[str, Any], column: str, path: str = "") -> dict[str, Any]:
    """A column, with a part for every member of a record."""
    from datasets import Audio, List

    field: dict[str, Any] = {"@type": "cr:Field", "@id": f"{config}/{name}", "name": name.rpartition("/")[2]}
    source = dict(where) | {"extract": {"column": column}}
    if isinstance(feature, List):
        field["repeated"] = True
        feature = feature.feature
    if isinstance(feature, dict):
        parts = [_field(config, f"{name}/{part}", inner, where, column, f"{part}") for part, inner in feature.items()]
        return field | {"subField": parts, "source": source}
    if isinstance(feature, Audio):
        return field | {"dataType": "sc:AudioObject", "source": source | {"transform": {"jsonPath": "bytes"}}}
    if path:
        source |= {"transform": {"jsonPath": path}}
    return field | {"dataType": _TYPES[feature.dtype], "source": source}
