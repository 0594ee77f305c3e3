"""Workers end with their owner, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from builders.errors import BuildError
from builders.processes import pool

OWNER = """
import os, sys, time
from builders.errors import BuildError
from builders.processes import pool

if __name__ == "__main__":
    with pool(2, BuildError, "it worked") as executor:
        jobs = [executor.submit(os.getpid) for _ in range(8)]
        print(*sorted({job.result() for job in jobs}), flush=True)
        busy = [executor.submit(time.sleep, 60) for _ in range(4)]
        busy[0].result()
"""


FAILURE = (BuildError, "it worked")


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_is_told_in_one_line() -> None:
    message = r"^a worker process was ended from outside while it worked \(too little memory for 2\?\); wait$"
    with pytest.raises(BuildError, match=message), pool(2, *FAILURE, "wait") as executor:
        executor.submit(_die).result()


def test_results_and_errors_come_back() -> None:
    with pool(2, *FAILURE) as executor:
        assert list(executor.map(abs, [-1, 2, -3])) == [1, 2, 3]
        with pytest.raises(ZeroDivisionError):
            executor.submit(divmod, 1, 0).result()


@pytest.mark.parametrize("after_s", [0.0, 0.005, 0.02, 0.05])
def test_leaving_while_large_results_are_on_their_way(after_s: float) -> None:
    def leave() -> None:
        with pool(2, *FAILURE) as executor:
            results = executor.map(bytes, [3_000_000] * 60)
            next(results)
            time.sleep(after_s)
            raise KeyboardInterrupt

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        leave()
    assert time.monotonic() - started < 20


def test_leaving_by_an_exception_does_not_wait_for_the_work() -> None:
    def leave() -> None:
        with pool(1, *FAILURE) as executor:
            executor.submit(abs, 1).result()
            executor.submit(time.sleep, 60)
            raise KeyboardInterrupt

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        leave()
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_orphans(tmp_path: Path, how: signal.Signals) -> None:
    script = tmp_path / "owner.py"
    script.write_text(OWNER)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    owner = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
    assert owner.stdout is not None
    with owner.stdout:
        workers = [int(pid) for pid in owner.stdout.readline().split()]
        assert workers
        time.sleep(0.3)  # they are busy now
        owner.send_signal(how)
        owner.wait(20)
    until = time.monotonic() + 10
    while any(map(_alive, workers)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(_alive, workers))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    # A worker whose owner is gone may wait to be reaped by the system.
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP])
def test_the_command_ends_cleanly_on_a_signal(tmp_path: Path, how: signal.Signals) -> None:
    """One line, the exit code of a shell, and nothing of multiprocessing's on the terminal."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    command = [sys.executable, "-m", "eval_harness.cli", "build", str(tmp_path / "out"), "--num-proc", "2", "--quiet"]
    started = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=lambda: signal.signal(how, signal.SIG_DFL),  # where the tests run under nohup, SIGHUP would stay ignored
    )
    until = time.monotonic() + 60
    while len(psutil.Process(started.pid).children()) < 3 and time.monotonic() < until:  # two workers and their tracker
        time.sleep(0.1)
    time.sleep(1)  # sounds are being screened
    started.send_signal(how)
    _, errors = started.communicate(timeout=60)
    assert started.returncode == 128 + how
    assert errors == f"stopped by {how.name}; the same command can be given again; what build, run and push finished is kept\n"
