"""The end of `make demo`: opens a dataset folder with `datasets`, prints its configs and splits, and explains one query."""

from __future__ import annotations

import subprocess
import sys

from datasets import disable_progress_bars, get_dataset_config_names, load_dataset, load_dataset_builder
from rich.console import Console
from rich.table import Table

folder = sys.argv[1]
disable_progress_bars()
table = Table("config", "splits", "rows", "columns", box=None, header_style="bold")
for config in get_dataset_config_names(folder):
    info = load_dataset_builder(folder, config).info
    splits, rows = (info.splits or {}), sum(split.num_examples for split in (info.splits or {}).values())
    table.add_row(config, ", ".join(splits), str(rows), ", ".join(info.features or {}))
Console(markup=False, emoji=False).print(table, "")

print(load_dataset(folder), "\n")
query = load_dataset(folder, "queries", split="order")[0]
sys.exit(subprocess.call([sys.executable, "-m", "eval_harness.cli", "show", folder, query["id"]]))  # noqa: S603 - our own
