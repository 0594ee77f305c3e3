"""Work on models, shared out to processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

from builders.errors import EvaluationError
from builders.processes import pool
from eval_harness.analysis.results import Results, read_results
from eval_harness.data import open_data

J = TypeVar("J")
R = TypeVar("R")


def shared_out(work: Callable[[J], R], jobs: Sequence[J], num_proc: int, what: str) -> Iterator[R]:
    """What `work` gives of each job, in their order; `what` is done, in the words of the error.

    Raises:
        EvaluationError: a worker process died.
    """
    workers = min(num_proc, len(jobs))
    if workers <= 1:
        yield from map(work, jobs)
        return
    with pool(workers, EvaluationError, what) as executor:
        yield from executor.map(work, jobs)


@cache
def opened(out: Path, data: Path) -> Results:
    """A folder of results; the dataset's tables are read once in a process."""
    return read_results(out, open_data(data))
