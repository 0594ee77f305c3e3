"""Batches made beside the model."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import datasets
import pytest

from eval_harness.ahead import AheadLoader


def numbers(count: int, transform: Any = None) -> datasets.Dataset:
    found = datasets.Dataset.from_dict({"n": list(range(count))})
    return found.with_transform(transform) if transform else found


def collate(rows: list[dict[str, int]]) -> list[int]:
    return [row["n"] for row in rows]


@pytest.mark.parametrize("ahead", [1, 3])
def test_batches_come_in_order_and_whole(ahead: int) -> None:
    def late(batch: dict[str, list[int]]) -> dict[str, list[int]]:
        time.sleep(0.001 * (20 - batch["n"][0]))  # the first take longest
        return batch

    with ThreadPoolExecutor(ahead) as pool:
        loader = AheadLoader(numbers(20, late), pool, ahead, batch_size=3, collate_fn=collate)
        assert len(loader) == 7
        assert [n for batch in loader for n in batch] == list(range(20))
        assert [n for batch in loader for n in batch] == list(range(20))  # and once more


def test_a_model_may_set_its_own_collate_and_it_runs_beside_it() -> None:
    places = set()

    def own(rows: list[dict[str, int]]) -> list[int]:
        places.add(threading.current_thread())
        return [-row["n"] for row in rows]

    with ThreadPoolExecutor(1) as pool:
        loader = AheadLoader(numbers(5), pool, 1, batch_size=2, collate_fn=collate)
        loader.collate_fn = own
        assert [n for batch in loader for n in batch] == [0, -1, -2, -3, -4]
    assert threading.main_thread() not in places


def test_no_more_is_made_than_was_asked_for() -> None:
    made: list[int] = []

    def note(batch: dict[str, list[int]]) -> dict[str, list[int]]:
        made.extend(batch["n"])
        return batch

    with ThreadPoolExecutor(2) as pool:
        batches = iter(AheadLoader(numbers(100, note), pool, 2, batch_size=1, collate_fn=collate))
        next(batches)
        time.sleep(0.05)
        assert len(made) <= 4
        batches.close()  # type: ignore[attr-defined]
    assert len(made) <= 4


def test_what_fails_in_a_thread_fails_here() -> None:
    def broken(batch: dict[str, list[int]]) -> dict[str, list[int]]:
        if 4 in batch["n"]:
            raise ValueError("clip 4")
        return batch

    with ThreadPoolExecutor(1) as pool, pytest.raises(ValueError, match="clip 4"):
        list(AheadLoader(numbers(9, broken), pool, 1, batch_size=2, collate_fn=collate))


def test_without_a_pool_it_is_a_dataloader() -> None:
    assert list(AheadLoader(numbers(3), None, 0, batch_size=2, collate_fn=collate)) == [[0, 1], [2]]
