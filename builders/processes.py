"""Worker processes that never outlive the process that started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from typing import ParamSpec, TypeVar

from builders.errors import ReasonAudioError

_P = ParamSpec("_P")
_T = TypeVar("_T")


@contextmanager
def pool(
    num_proc: int, failure: type[ReasonAudioError], doing: str, way_out: str = "use fewer processes"
) -> Iterator[ProcessPoolExecutor]:
    """A pool of `num_proc` worker processes that end with their owner, however it ends.

    Every worker holds one end of a pipe whose other end only the owner holds. When the owner dies (SIGKILL too), or leaves the
    `with` block by an exception (KeyboardInterrupt too), that end closes and the workers exit at once, in the middle of
    whatever they do. So what a worker writes must be written aside and moved into place. Workers ignore SIGINT and SIGHUP: a
    Ctrl-C in the terminal, or its end, is the owner's to handle.

    Workers are started afresh ("spawn"), so the same on every platform; functions and arguments must be picklable.

    Args:
        num_proc: how many.
        failure: raised where a worker is ended from outside, mostly for want of memory.
        doing, way_out: what it says was being done ("clips were made"), and what to do.

    Raises:
        ValueError: `num_proc` is below 1.
        failure: as said.
    """
    held, owned = multiprocessing.Pipe(duplex=False)
    executor = _Pool(num_proc, multiprocessing.get_context("spawn"), initializer=_end_with_owner, initargs=(held, os.getpid()))
    try:
        yield executor
        executor.shutdown()
    except BrokenProcessPool:
        raise failure(
            f"a worker process was ended from outside while {doing} (too little memory for {num_proc}?); {way_out}"
        ) from None
    finally:
        # In this order: an executor that learns of dead workers before it was told to stop reports them as a failure.
        executor.shutdown(wait=False, cancel_futures=True)
        owned.close()
        executor.shutdown()
        held.close()


class _Pool(ProcessPoolExecutor):
    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        future = super().submit(_run, fn, *args, **kwargs)
        fail = future.set_exception

        def fail_unless_cancelled(exception: BaseException | None) -> None:
            # Workers that end while futures are being cancelled make the executor's own thread fail those as well, which a
            # cancelled future refuses: a traceback that means nothing.
            with suppress(InvalidStateError):
                fail(exception)

        future.set_exception = fail_unless_cancelled  # type: ignore[method-assign]  # of this one future, for the reason above
        return future


# --- in the worker ----------------------------------------------------------------------------------------------------

_state = threading.Lock()
_running = False


def _run(function: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
    global _running
    with _state:
        _running = True
    try:
        return function(*args, **kwargs)
    finally:
        with _state:
            _running = False


def _end_with_owner(held: Connection, owner: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    threading.Thread(target=_exit_at_close, args=(held, owner), daemon=True).start()


def _exit_at_close(held: Connection, owner: int) -> None:
    with suppress(OSError):
        held.poll(None)  # nothing is ever sent: this returns when the owner's end is closed
    # A living owner would wait for ever for the rest of a result that is half sent; so such a worker sends it, and is then
    # told to stop like an idle one.
    while True:
        with _state:
            if _running or os.getppid() != owner:
                os._exit(1)
        time.sleep(0.01)
