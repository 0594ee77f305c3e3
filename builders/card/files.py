"""What is to be known of a folder's parquet files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from builders.dataset_folder import DatasetFolder
from builders.errors import DatasetFolderError


@dataclass(frozen=True, slots=True)
class FileStats:
    """Rows, bytes on disk, and bytes in memory as datasets counts them, of one parquet file."""

    rows: int
    file_bytes: int
    arrow_bytes: int


def file_stats(folder: DatasetFolder) -> dict[str, FileStats]:
    """Of each parquet file, by its path in the folder; holds one row group at a time.

    Raises:
        DatasetFolderError: one is missing or damaged.
    """
    found = {}
    for file in sorted(name for name in folder.manifest["files"] if name.endswith(".parquet")):
        place = folder.path / file
        try:
            with pq.ParquetFile(place, memory_map=True) as parquet:
                sizes = [parquet.read_row_group(group).nbytes for group in range(parquet.num_row_groups)]
                found[file] = FileStats(parquet.metadata.num_rows, place.stat().st_size, sum(sizes))
        except (OSError, pa.ArrowException) as error:
            raise DatasetFolderError(f"{place} cannot be read ({error}); build the dataset again") from None
    return found


def files_digest(files: Mapping[str, str]) -> str:
    """16 hex digits for the contents of all parquet files, given the SHA-256 of each: two corpora never share a cache."""
    lines = [f"{name} {digest}\n" for name, digest in sorted(files.items()) if name.endswith(".parquet")]
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]
