"""Descriptions are kept while they are made, in shards: what was described once is not described again, even after a kill."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from builders.files import make_folder, write_whole
from eval_harness.systems.pipelines.describers import Describer, Description, HeardClip
from eval_harness.systems.pipelines.records import from_record, to_record
from eval_harness.ui import Report

SHARD = 100
"""Clips in a file: a run that is killed loses the descriptions of fewer."""
BATCH = 20
"""Clips that a describer gets at once, at most."""


class DescriptionStore:
    """The descriptions that one describer made of one dataset's clips.

    They lie in a folder of their own below `root`, named by describer, its revision and the content of the dataset. A shard is
    a JSONL file that is written aside and moved into place; a damaged one is removed, and its clips are described again. Several
    runs may work in one folder: the same clip is then described twice, with the same result. What a describer that does not
    listen says is quickly said again, and not kept.
    """

    def __init__(self, root: Path, describer: Describer, content_hash: str) -> None:
        """Reads what is there.

        Args:
            root: where descriptions are kept.
            describer: who makes them.
            content_hash: of the dataset.

        Raises:
            BuildError: the folder cannot be made.
        """
        key = hashlib.sha256(f"{describer.name}\n{describer.revision}\n{content_hash}".encode()).hexdigest()
        self.folder = root / f"{describer.name}-{key[:16]}"
        self._describer = describer
        self._known: dict[str, Description] = {}
        if not describer.listens:
            return
        make_folder(self.folder)
        for path in sorted(self.folder.glob("*.jsonl")):
            self._known.update(_read_shard(path))

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, clip_id: str) -> bool:
        return clip_id in self._known

    def describe(self, clips: Iterable[HeardClip], progress: Report | None = None, total: int = 0) -> dict[str, Description]:
        """The description of every clip, in their order; those that are kept are not made again.

        Args:
            clips: read as they are needed, so they may be decoded one after the other.
            progress: called with (clips done, `total`).
            total: how many clips there are.
        """
        found: dict[str, Description] = {}
        fresh: dict[str, Description] = {}
        try:
            for batch in _batches(clips):
                new = [clip for clip in batch if clip.id not in self._known and clip.id not in fresh]
                if new:
                    fresh.update(zip((clip.id for clip in new), self._describer.describe(new), strict=True))
                found.update((clip.id, self._known.get(clip.id) or fresh[clip.id]) for clip in batch)
                if len(fresh) >= SHARD:
                    self._keep(fresh)
                    fresh = {}
                if progress:
                    progress(len(found), total)
        finally:  # also when interrupted
            self._keep(fresh)
        return found

    def _keep(self, fresh: dict[str, Description]) -> None:
        self._known.update(fresh)
        if not fresh or not self._describer.listens:
            return
        records = [to_record(clip, description) for clip, description in fresh.items()]
        name = hashlib.sha256("\n".join(fresh).encode()).hexdigest()[:16]
        last = {"described": len(records)}  # a shard without it was cut short
        lines = (json.dumps(record, ensure_ascii=False) for record in (*records, last))
        write_whole(self.folder / f"{name}.jsonl", "".join(f"{line}\n" for line in lines).encode())


def _read_shard(path: Path) -> dict[str, Description]:
    try:
        records: list[dict[str, Any]] = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        if records.pop() != {"described": len(records)}:
            raise ValueError("cut short")
        return {str(record["id"]): from_record(record) for record in records}
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        path.unlink(missing_ok=True)
        return {}


def _batches(clips: Iterable[HeardClip]) -> Iterator[Sequence[HeardClip]]:
    waiting = iter(clips)
    while batch := list(islice(waiting, BATCH)):
        yield batch
