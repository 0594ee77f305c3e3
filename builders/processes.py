"""Worker processes that die with their parent."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


@contextmanager
def pool(num_proc: int) -> Iterator[ProcessPoolExecutor]:
    """`num_proc` freshly started processes; none outlives the parent, however it ends."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(num_proc, mp_context=context, initializer=_die_with, initargs=(os.getpid(),)) as executor:
        yield executor


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the line above
        os._exit(1)
