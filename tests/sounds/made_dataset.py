"""Datasets in the layouts of the Hugging Face Hub, made in the tests from noise. None of it needs torchcodec."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
import soundfile

from builders.errors import SoundLibraryError
from builders.sounds.library import Source
from builders.sounds.sources import open_source

RATE = 16_000


def encoded(seed: int, kind: str = "WAV", seconds: float = 0.8) -> bytes:
    """A file of noise that differs with `seed`."""
    file = io.BytesIO()
    soundfile.write(file, np.random.default_rng(seed).normal(0, 0.1, round(seconds * RATE)), RATE, format=kind)
    return file.getvalue()


def audio(*names: str | None, first: int = 0) -> list[dict[str, Any] | None]:
    """A column of audio: a recording for each name, encoded as its suffix says (else WAV); None for a row without audio."""

    def file(number: int, name: str) -> dict[str, Any]:
        return {"bytes": encoded(number, Path(name).suffix[1:].upper() or "WAV"), "path": name}

    return [None if name is None else file(first + n, name) for n, name in enumerate(names)]


def dataset(columns: Mapping[str, Sequence[Any]], **features: Any) -> Any:
    """A `datasets.Dataset`; a column without a feature is of texts, and `audio` of audio."""
    from datasets import Audio, Dataset, Features, Value

    known = {name: Audio() if name == "audio" else Value("string") for name in columns}
    schema = Features({**known, **features}).arrow_schema
    return Dataset(pyarrow.table({name: list(values) for name, values in columns.items()}, schema=schema))


def saved(folder: Path, columns: Mapping[str, Sequence[Any]], **features: Any) -> Path:
    """The quickest layout: a folder as `save_to_disk` writes it, but with every path and all bytes as they are given."""
    from datasets import Dataset

    table = dataset(columns, **features).data.table
    empty = pyarrow.Table.from_arrays([pyarrow.nulls(len(table), field.type) for field in table.schema], schema=table.schema)
    Dataset(empty).save_to_disk(folder)
    with (
        pyarrow.OSFile(str(folder / "data-00000-of-00001.arrow"), "wb") as file,
        pyarrow.ipc.new_stream(file, table.schema) as stream,
    ):
        stream.write_table(table)
    return folder


def in_hub_layout(folder: Path, splits: Mapping[str, Any], card: str = "") -> Path:
    """Parquet files as on the Hub, `data/SPLIT-00000-of-00001.parquet`, and a README.md with `card` as its YAML."""
    (folder / "data").mkdir(parents=True, exist_ok=True)
    for split, rows in splits.items():
        rows.to_parquet(folder / f"data/{split}-00000-of-00001.parquet")
    if card:
        (folder / "README.md").write_text(f"---\n{card}\n---\n# A dataset\n", encoding="utf-8")
    return folder


# --- what becomes of them ---


def hub(path: Path | str, **options: str) -> Source:
    return open_source(f"hub:{path}", options)


def error(path: Path | str, **options: str) -> str:
    with pytest.raises(SoundLibraryError) as caught:
        hub(path, **options)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith("hub:")
    return message


def labels(source: Source) -> dict[str, str]:
    return {candidate.id: candidate.label for candidate in source.candidates}


def reasons(source: Source) -> dict[str, str]:
    return {rejection.id: rejection.reason for rejection in source.rejected}
