"""Runs the probes in processes of their own, and turns whatever happens there into results."""

from __future__ import annotations

import json
import os
import queue
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from eval_harness import probes
from eval_harness.ui import Report

NO_ANSWER = "no answer"
"""How the error of a probe begins that took too long."""
TIMEOUT_S = 60.0
"""A probe that takes longer is a no."""
_GRACE_S = 2.0
_AT_ONCE = 2

_TOGETHER: tuple[tuple[str, ...], ...] = (
    ("transformers", "sentence-transformers", "mteb", "reasonaudio", "mteb-clap", "mteb-audio"),
    ("python", "ffmpeg", "soundfile", "soxr", "torch", "torchcodec", "torchcodec-resample", "torchvision"),
    ("datasets", "datasets-audio"),
    ("torchaudio", "torchaudio-decode"),
    ("ai-edge-litert",),
    ("codecarbon",),
)
"""Probes that share a process, and so the seconds of their imports, until one of them says no."""


@dataclass(frozen=True)
class Result:
    """What a probe answered.

    Attributes:
        name: one of `probes.PROBES`.
        ok: it ran to its end.
        version: of what was probed; "" where unknown.
        facts: what it found.
        error: why not, in one line; "" if ok.
        through: the packages whose code was running when it failed, innermost first.
        absent: the module that was not found, where that was the reason.
        seconds: from its begin to its end.
    """

    name: str
    ok: bool
    version: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    through: tuple[str, ...] = ()
    absent: str = ""
    seconds: float = 0.0


def probe(
    names: Iterable[str] = tuple(probes.PROBES), *, timeout: float = TIMEOUT_S, progress: Report | None = None
) -> dict[str, Result]:
    """Asks probes, at most two at a time.

    Args:
        names: which; all if not given.
        timeout: seconds for each.
        progress: called with (done, total).

    Returns:
        name -> result, in the order of `names`.

    Raises:
        ValueError: no probe has such a name.
    """
    wanted = list(dict.fromkeys(names))
    unknown = sorted(set(wanted) - set(probes.PROBES))
    if unknown:
        raise ValueError(f"no probe named {', '.join(unknown)}; there are {', '.join(probes.PROBES)}")
    groups = [group for together in _TOGETHER if (group := [name for name in together if name in wanted])]
    answers: queue.SimpleQueue[Result | BaseException] = queue.SimpleQueue()
    stop = threading.Event()

    def ask_all(group: Sequence[str]) -> None:
        try:
            for result in _ask_all(group, timeout, stop):
                answers.put(result)
        except BaseException as error:  # raised again in the main thread
            answers.put(error)

    found: dict[str, Result] = {}
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        try:
            for group in groups:
                pool.submit(ask_all, group)
            while len(found) < len(wanted):
                answer = answers.get()
                if isinstance(answer, BaseException):
                    raise answer
                found[answer.name] = answer
                if progress:
                    progress(len(found), len(wanted))
        finally:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
    return {name: found[name] for name in wanted}


def _ask_all(names: Sequence[str], timeout: float, stop: threading.Event) -> Iterator[Result]:
    """The results of all names. A no ends the process; one that came after others is asked again in a process of its own."""
    waiting = list(names)
    while waiting and not stop.is_set():
        asked = list(waiting)
        for result in _ask(asked, timeout, stop):
            alone = result.name == asked[0]
            if result.ok or result.absent or alone:
                waiting.remove(result.name)
                yield result


def _ask(names: Sequence[str], timeout: float, stop: threading.Event) -> Iterator[Result]:
    """The results of a new process, up to the first no; none if it is to stop."""
    environment = {name: value for name, value in os.environ.items() if name != "REASONAUDIO_DATA"}
    environment |= {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", probes.__file__, *names],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
            start_new_session=True,
        )
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            name, version, begin = names[0], "", time.monotonic()
            for line in _lines(child.stdout.fileno(), timeout, stop):
                if line is None:  # nothing for too long
                    child.send_signal(signal.SIGABRT)  # makes it say where it is
                    with suppress(subprocess.TimeoutExpired):
                        child.wait(_GRACE_S)
                    yield Result(
                        name, False, version, error=f"{NO_ANSWER} after {timeout:g} s", through=_through(errors), seconds=timeout
                    )
                    return
                told = json.loads(line)
                if "begin" in told:
                    name, version, begin = told["begin"], told["version"], time.monotonic()
                    continue
                told["through"] = tuple(told["through"])
                yield Result(**told, seconds=round(time.monotonic() - begin, 2))
                if name == names[-1] or not told["ok"]:
                    return
            if not stop.is_set():
                code = child.wait()
                how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"ended the process with exit code {code}"
                yield Result(
                    name, False, version, error=how, through=_through(errors), seconds=round(time.monotonic() - begin, 2)
                )
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
            child.stdin.close()
            child.stdout.close()
            child.wait()


def _lines(stream: int, timeout: float, stop: threading.Event) -> Iterator[bytes | None]:
    """Lines of a pipe until it ends or is to stop; None if `timeout` seconds bring nothing new."""
    kept = b""
    last = time.monotonic()
    while not stop.is_set():
        if not select.select([stream], [], [], 0.1)[0]:
            if time.monotonic() - last > timeout:
                yield None
            continue
        got = os.read(stream, 65536)
        if not got:
            return
        last = time.monotonic()
        *whole, kept = (kept + got).split(b"\n")
        yield from whole


_FRAME = re.compile(r'^  File "(.+)", line \d+ in ', re.MULTILINE)


def _through(errors: IO[bytes]) -> tuple[str, ...]:
    """The packages in the traceback that a killed process left behind, innermost first."""
    errors.seek(0)
    text = errors.read().decode(errors="replace")
    _, _, last = text.rpartition("(most recent call first)")
    return tuple(dict.fromkeys(filter(None, (probes.package_of(name) for name in _FRAME.findall(last)))))


def where_installed(module: str) -> Path | None:
    """The file or folder that a module would be imported from, found without importing anything; None if there is none."""
    for place in sys.path:
        for path in (Path(place) / module / "__init__.py", Path(place) / f"{module}.py"):
            if path.is_file():
                return path
    return None
