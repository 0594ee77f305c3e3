"""How soon the pages of `reasonaudio browse` and `listen` are there, from the command to a sound.

    python benchmarks/pages_speed.py --data mini --data full

Starts each as a command, asks for its pages one after the other, and prints milliseconds and the memory of the process.
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil


@contextmanager
def served(command: str, folder: str, *more: str) -> Iterator[tuple[str, psutil.Process]]:
    """The command on a port that is free: its address, without the last slash, and its process."""
    start = time.monotonic()
    line = [sys.executable, "-m", "eval_harness.cli", command, folder, "--port", "0", "--quiet", *more]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603  # this interpreter, our command
        assert process.stdout is not None
        url = process.stdout.readline().strip().rstrip("/")
        print(f"{folder}: {command} answers after {time.monotonic() - start:.1f} s")
        yield url, psutil.Process(process.pid)
        process.send_signal(signal.SIGINT)


def asked(url: str, times: int = 1) -> tuple[str, float]:
    """What an address gives, and the median of milliseconds."""
    taken = []
    for _ in range(times):
        start = time.monotonic()
        with urllib.request.urlopen(url) as answer:  # noqa: S310  # our own server
            content = answer.read().decode(errors="replace")
        taken.append(1000 * (time.monotonic() - start))
    return content, statistics.median(taken)


def measure(folder: str) -> None:
    """Prints the figures of one dataset folder."""
    with served("browse", folder) as (url, process):
        print(f"  first page {asked(url + '/')[1]:.0f} ms")
        queries = re.findall(r'href="/query/(\w+)"', asked(url + "/queries?task=mix")[0])
        pages = [asked(f"{url}/query/{query}") for query in queries[:20]]
        print(f"  page of a query {pages[0][1]:.0f} ms, then {statistics.median(ms for _, ms in pages[1:]):.0f} ms")
        clips = re.findall(r'href="/clip/(\w+)"', pages[0][0])
        for name in ("sound-of", "spectrogram"):
            first = [asked(f"{url}/{name}/{clip}")[1] for clip in clips[:10]]
            print(f"  {name} {statistics.median(first):.0f} ms, again {asked(f'{url}/{name}/{clips[0]}', 5)[1]:.1f} ms")
        print(f"  {process.memory_info().rss / 2**20:.0f} MiB")
    with tempfile.TemporaryDirectory() as place, served("listen", folder, "--answers", f"{place}/a.sqlite") as (url, _):
        study, ms = asked(url + "/api/study")
        clips = sorted({clip for trial in json.loads(study)["study"]["trials"] for clip in trial["clips"]})
        heard = statistics.median(asked(f"{url}/media/{clip}")[1] for clip in clips[:10])
        print(f"  questions {ms:.0f} ms, sound of a clip {heard:.0f} ms")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", action="append", required=True, metavar="FOLDER", help="a dataset folder; may be repeated")
    for data in parser.parse_args().data:
        measure(str(Path(data)))
