"""A DataLoader whose batches are made ahead of the model, in threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from torch.utils.data import DataLoader


class AheadLoader(DataLoader[Any]):
    """As `DataLoader`, but with threads in the place of its worker processes, which cost more than they save here.

    soundfile, soxr and torch let other threads run while they work, and a decoded clip is 1.3 MB that a process would have to
    send.
    What a model sets as its own `collate_fn` (resampling, as a rule) is done in the threads as well.
    """

    def __init__(self, dataset: Any, pool: ThreadPoolExecutor | None, ahead: int, **settings: Any) -> None:
        """
        Args:
            dataset: a `datasets.Dataset`.
            pool: makes the batches; None makes each when it is asked for.
            ahead: batches that are made, or wait, while the model is at work.
            **settings: as `DataLoader` takes them.
        """
        super().__init__(dataset, **settings)
        self._pool = pool
        self._ahead = ahead

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]  # DataLoader's own is a class of its
        if self._pool is None:
            yield from super().__iter__()
            return
        waiting: deque[Future[Any]] = deque()
        try:
            for indices in self.batch_sampler or ():
                waiting.append(self._pool.submit(self._batch, indices))
                if len(waiting) > self._ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for one in waiting:
                one.cancel()

    def _batch(self, indices: list[int]) -> Any:
        rows: Any = self.dataset
        return self.collate_fn(rows.__getitems__(indices))
