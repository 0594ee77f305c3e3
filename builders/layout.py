"""The layout of a dataset folder: its configs, splits, files and columns. The only module that knows a column's name and type.

Times are integer milliseconds inside and seconds (float64) in the files; `seconds` and `milliseconds` convert without loss.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builders.recipe import TASK_NAMES

if TYPE_CHECKING:  # datasets takes a second to import, and most commands do not need it
    import datasets
    import pyarrow as pa

LAYOUT_VERSION = 1
DEFAULT_CONFIG = "clips"
AUDIO_ROWS = 50
"""Rows in a row group of the files that hold audio: about 15 MB, which is what reading one clip reads."""
TABLE_ROWS = 100
"""Rows in a row group of all other files."""
MAX_SHARD_CLIPS = 250

MANIFEST = "manifest.json"
RECIPE = "recipe.json"
CARD = "README.md"
PICTURE = "example-set.png"
CROISSANT = "croissant.json"
ABOUT = (CARD, PICTURE, CROISSANT)
"""Files about the data, made from them: no part of their content, and not in the manifest."""
ATTRIBUTION = "ATTRIBUTION.csv"
WORK = ".build"
"""Work files of an unfinished build, inside the folder."""


@dataclass(frozen=True, slots=True)
class Config:
    """One config as `load_dataset` knows it.

    Attributes:
        kind: key of `features`.
        splits: split -> pattern of its files, relative to the folder.
        version: the default config's is its own, all others share one. `load_dataset("reasonaudio")` on a prepared cache takes
            the newest config, and says that there are several if its version is shared: so the bare name never gives
            a config that is not the default.
        duplicate: its audio is in the default config too; datasets makes a copy of it all the same.
    """

    name: str
    kind: str
    splits: Mapping[str, str]
    version: str = "1.0.1"
    duplicate: bool = False

    @property
    def holds_audio(self) -> bool:
        return self.kind == "audio"


def configs() -> tuple[Config, ...]:
    """All configs of a folder, the default one first."""
    found = [
        Config(DEFAULT_CONFIG, "audio", {task: f"corpus/{task}-*.parquet" for task in TASK_NAMES}, version="1.0.0"),
        Config("corpus", "audio", {"test": "corpus/*.parquet"}, duplicate=True),
    ]
    for task in TASK_NAMES:
        found += [
            Config(f"{task}-corpus", "audio", {"test": f"corpus/{task}-*.parquet"}, duplicate=True),
            Config(f"{task}-queries", "texts", {"test": table_file(f"{task}-queries")}),
            Config(f"{task}-qrels", "qrels", {"test": table_file(f"{task}-qrels")}),
        ]
    return (
        *found,
        Config("all-qrels", "qrels", {"test": table_file("all-qrels")}),
        Config("queries", "queries", {task: table_file("queries", task) for task in TASK_NAMES}),
        Config("timelines", "timelines", {task: table_file("timelines", task) for task in TASK_NAMES}),
        Config("sounds", "sounds", {"test": table_file("sounds")}),
    )


def config(name: str) -> Config:
    """The config of that name. Raises KeyError."""
    return {known.name: known for known in configs()}[name]


def table_file(config_name: str, split: str = "test") -> str:
    """The file of one split of a config without audio, relative to the folder."""
    return f"{config_name}/{split}.parquet"


def shard_file(task: str, number: int, of: int) -> str:
    """The file of one shard of a task's clips, relative to the folder."""
    return f"corpus/{task}-{number:05d}-of-{of:05d}.parquet"


def features(kind: str) -> datasets.Features:
    """The columns of "audio", "texts", "qrels", "queries", "timelines" or "sounds"."""
    from datasets import Audio, Features, List, Value

    string, seconds_ = Value("string"), Value("float64")
    columns: dict[str, dict[str, Any]] = {
        "audio": {"id": string, "audio": Audio()},
        "texts": {"id": string, "text": string},
        "qrels": {"query-id": string, "corpus-id": string, "score": Value("int32")},
        "queries": {
            **dict.fromkeys(("id", "text", "formula", "form", "set", "twin"), string),
            "relevant": List(string),
            "foils": List({"clip": string, "kind": string}),
        },
        "timelines": {
            **dict.fromkeys(("id", "set", "form", "arrangement"), string),
            "events": List(
                {"label": string, "onset": seconds_, "offset": seconds_, "gain_db": Value("float64"), "recording": string}
            ),
            "caption": string,
            "pcm_sha256": string,
        },
        "sounds": {
            **dict.fromkeys(("label", "noun", "clause"), string),
            "sustained": Value("bool"),
            "audioset_id": string,
            "related": List(string),
            "recordings": List({"id": string, "duration": seconds_, "license": string, "attribution": string, "source": string}),
        },
    }
    return Features(columns[kind])


def schema(kind: str) -> pa.Schema:
    """The Arrow schema of `features(kind)`, which datasets reads the features back from."""
    return features(kind).arrow_schema


def writer_options(*, audio: bool = False) -> dict[str, Any]:
    """What every parquet file is written with; fixed, because the bytes depend on it.

    Audio is stored plain: FLAC does not get smaller, and statistics of its bytes would only fill the footer.
    """
    common: dict[str, Any] = {"version": "2.6", "data_page_version": "1.0", "write_page_index": True, "store_schema": True}
    if audio:
        return common | {"compression": "none", "use_dictionary": False, "write_statistics": ["id", "audio.path"]}
    return common | {"compression": "snappy", "use_dictionary": True, "write_statistics": True}


def write_table(table: pa.Table, path: Path) -> None:
    """Writes a table without audio to `path`."""
    import pyarrow.parquet as pq

    pq.write_table(table, path, row_group_size=TABLE_ROWS, **writer_options())


def seconds(milliseconds: int) -> float:
    """Milliseconds as seconds; `milliseconds` turns the number back exactly."""
    return milliseconds / 1000


def milliseconds(seconds: float) -> int:
    """Seconds, as the files hold them, in whole milliseconds."""
    return round(seconds * 1000)
