"""How long it takes to look into the headers of many files: for the first time, and when they are remembered.

    python benchmarks/scan_speed.py [--files N] [--threads N ...]

Makes N small files (a third each WAV, FLAC and Ogg Vorbis, in 200 folders) in a temporary folder, and a cache of its own there.
The files are in the system's cache already, as they have just been written: a slow disk comes on top.
"""

from __future__ import annotations

import argparse
import io
import os
import platform
import tempfile
import time
from pathlib import Path

import numpy as np
import soundfile

from builders import cache
from builders.sounds.scan import THREADS, scan

FOLDERS = 200
KINDS = (("WAV", "PCM_16"), ("FLAC", "PCM_16"), ("OGG", "VORBIS"))
VARIANTS = 20  # of each kind; the others are copies


def main() -> None:
    """Prints a line for each figure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--threads", type=int, nargs="+", default=[THREADS])
    options = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        files = _make(folder / "sounds", options.files)
        size = sum(path.stat().st_size for path in files)
        print(f"{len(files)} files, {size / len(files) / 1000:.1f} kB each")
        for threads in options.threads:
            os.environ[cache.VARIABLE] = str(folder / f"cache-{threads}")
            for what in ("first", "remembered"):
                started, used = time.perf_counter(), time.process_time()
                found = scan(files, threads=threads)
                seconds, used = time.perf_counter() - started, time.process_time() - used
                print(f"{what}, {threads} threads: {seconds:.2f} s ({used:.2f} s of CPU)")
            problems = sum(bool(header.problem) for header in found.values())
            assert not problems, f"{problems} files cannot be read"


def _make(folder: Path, count: int) -> list[Path]:
    rng = np.random.default_rng(0)
    contents = []
    for kind, subtype in KINDS * VARIANTS:
        buffer = io.BytesIO()
        soundfile.write(buffer, rng.normal(0, 0.1, int(rng.integers(2_000, 6_000))), 16_000, format=kind, subtype=subtype)
        contents.append((kind.lower(), buffer.getvalue()))
    files = []
    for number in range(count):
        kind, content = contents[number % len(contents)]
        path = folder / f"{number % FOLDERS:03}" / f"{number}.{kind}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        files.append(path)
    return files


if __name__ == "__main__":
    main()
