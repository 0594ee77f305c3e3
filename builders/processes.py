"""Worker processes that never outlive the process that started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection


@contextmanager
def pool(num_proc: int) -> Iterator[ProcessPoolExecutor]:
    """A pool of `num_proc` worker processes that end with their owner, however it ends.

    Every worker holds one end of a pipe whose other end only the owner holds. When the owner dies (SIGKILL too), or leaves the
    `with` block by an exception (KeyboardInterrupt too), that end closes and the workers exit at once, in the middle of
    whatever they do. So what a worker writes must be written aside and moved into place. Workers ignore SIGINT: a Ctrl-C in
    the terminal is the owner's to handle.

    Workers are started afresh ("spawn"), so the same on every platform; functions and arguments must be picklable.

    Raises:
        ValueError: `num_proc` is below 1.
    """
    held, owned = multiprocessing.Pipe(duplex=False)
    executor = ProcessPoolExecutor(
        num_proc, mp_context=multiprocessing.get_context("spawn"), initializer=_end_with_owner, initargs=(held,)
    )
    try:
        yield executor
        executor.shutdown()
    finally:
        owned.close()
        executor.shutdown(cancel_futures=True)
        held.close()


def _end_with_owner(held: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_at_close, args=(held,), daemon=True).start()


def _exit_at_close(held: Connection) -> None:
    try:
        held.poll(None)  # nothing is ever sent: this returns when the owner's end is closed
    finally:
        os._exit(1)
