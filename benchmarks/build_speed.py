"""How fast corpora are planned, rendered and written, side by side with the FLAC encoder alone and with scaper.

    python benchmarks/build_speed.py [--clips N] [--repeats N] [--full FOLDER] [--scaper-python PYTHON]

Everything that is compared runs in turns in one run, so that what else the machine does meets all of it alike; medians are
printed. `--full` also builds the full corpus into a folder and prints its time and the memory of its workers. scaper is not a
dependency: install it into an environment of its own and name that environment's interpreter.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from unittest.mock import patch

import numpy as np
import psutil
import soundfile
from numpy.typing import NDArray

from builders import layout
from builders.build import build
from builders.needs import gap_ms
from builders.plan import make_plan
from builders.recipe import PRESETS, Recipe, make_recipe
from builders.relevance import qrels
from builders.render import Renderer
from builders.shards import encode_flac, encode_wav, shards, write_shard
from builders.sounds.library import SoundLibrary
from builders.sounds.screening import prepare
from builders.sounds.sources import open_source
from builders.timeline import Event, Timeline

SCENES = 60


def main() -> None:
    """Runs what the options ask for and prints a line for each figure."""
    options = _options()
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    library, seconds = _timed(lambda: prepare(open_source("builtin"), PRESETS["full"], num_proc=2))
    print(f"library: {len(library.recordings)} recordings made and screened in {seconds:.1f} s (2 processes)")
    plan, seconds = _timed(lambda: make_plan(PRESETS["full"], library))
    pairs, relevance = _timed(lambda: qrels(plan, library.relations))
    print(f"plan of the full preset: {seconds:.1f} s; relevance of {len(plan.queries)} x {len(plan.clips)}: {relevance:.2f} s")
    render_against_flac(library, options.clips, options.repeats)
    if options.full:
        full_corpus(plan, library, pairs, Path(options.full))
    if options.scaper_python:
        against_scaper(options.scaper_python, options.repeats)


def render_against_flac(library: SoundLibrary, clips: int, repeats: int) -> None:
    """Whole shards rendered, encoded, hashed and written, and what of that the encoder takes, timed clip by clip."""
    recipe = make_recipe(PRESETS["full"], {"queries_per_task": max(2, clips // 100 * 2)})
    plan = make_plan(recipe, library)
    schema = layout.schema("audio")
    encoding = 0.0

    def encode_timed(samples: NDArray[np.int16], sample_rate: int) -> bytes:
        nonlocal encoding
        started = time.process_time()
        flac = encode_flac(samples, sample_rate)
        encoding += time.process_time() - started
        return flac

    shares, alone, whole = [], [], []
    with patch("builders.shards.encode_flac", encode_timed):
        for _ in range(repeats):
            with tempfile.TemporaryDirectory() as folder:
                (Path(folder) / layout.WORK).mkdir()
                renderer = Renderer(recipe, library, plan.measured)  # a fresh one, as at the start of a build
                encoding, started = 0.0, time.process_time()
                for shard in shards(plan):
                    write_shard(shard, renderer, recipe.sample_rate, schema, Path(folder))
                built = time.process_time() - started
            shares.append(encoding / built)
            alone.append(len(plan.clips) / encoding)
            whole.append(len(plan.clips) / built)
    print(
        f"render and write: {median(whole):.0f} clips/s a process; FLAC alone: {median(alone):.0f}; "
        f"share {median(shares):.0%} ({len(plan.clips)} clips at {recipe.sample_rate} Hz, CPU time, median of {repeats})"
    )


def full_corpus(plan, library, pairs, out: Path) -> None:  # type: ignore[no-untyped-def]  # a script's own step
    """Renders and writes the whole corpus with two processes, watching the memory of the workers."""
    peak, private, done = 0, 0, threading.Event()

    def watch() -> None:
        nonlocal peak, private
        while not done.wait(0.2):
            for child in psutil.Process().children(recursive=True):
                try:
                    memory = child.memory_full_info()
                except psutil.Error:
                    continue
                peak, private = max(peak, memory.rss), max(private, memory.uss)

    watcher = threading.Thread(target=watch)
    watcher.start()
    _, seconds = _timed(lambda: build(plan, library, pairs, out, num_proc=2))
    done.set()
    watcher.join()
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(
        f"full corpus: {len(plan.clips)} clips rendered and written in {seconds:.1f} s with 2 processes, {size / 1e9:.2f} GB; "
        f"a worker's peak memory {peak / 1e6:.0f} MB (its own {private / 1e6:.0f} MB, the rest is the mapped library)"
    )


# --- scaper -----------------------------------------------------------------------------------------------------------

_SCAPER = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import scaper
job = json.load(open(sys.argv[1]))
out = sys.argv[2]
started = time.perf_counter()
for n, scene in enumerate(job["scenes"]):
    sc = scaper.Scaper(10.0, job["events"], job["beds"], random_state=n)
    sc.ref_db = -30
    sc.sr = 44100
    sc.fade_in_len = sc.fade_out_len = 0.01
    sc.add_background(label=("const", "bed"), source_file=("const", job["bed"]), source_time=("const", scene["bed_s"]))
    for e in scene["events"]:
        sc.add_event(label=("const", e["label"]), source_file=("const", e["file"]), source_time=("const", 0),
                     event_time=("const", e["onset"]), event_duration=("const", e["duration"]), snr=("const", e["gain"]),
                     pitch_shift=None, time_stretch=None)
    sc.generate(f"{out}/{n}.wav", f"{out}/{n}.jams", allow_repeated_label=True, disable_instantiation_warnings=True)
print(time.perf_counter() - started)
"""


def against_scaper(python: str, repeats: int) -> None:
    """The same scenes by both: 1 background and 3 events, 44.1 kHz 16-bit WAV, one process, recordings read before."""
    recipe = make_recipe(PRESETS["full"], {"sample_rate": 44_100})
    library = prepare(open_source("builtin"), recipe, num_proc=2)
    scenes = _scenes(library, recipe)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        job = _soundbank(scenes, library, recipe, folder)
        ours, theirs = [], []
        for _ in range(repeats):
            renderer = Renderer(recipe, library)
            for _, timeline in scenes:  # recordings warm: measured and cut once
                for event in timeline:
                    renderer.event(event)
            started = time.perf_counter()
            for name, timeline in scenes:
                (folder / f"{name}.wav").write_bytes(encode_wav(renderer.clip(name, timeline), 44_100))
            ours.append(SCENES / (time.perf_counter() - started))
            done = subprocess.run(  # noqa: S603 - the interpreter that the user named
                [python, "-c", _SCAPER, job, place], stdout=subprocess.PIPE, text=True, check=True
            )
            theirs.append(SCENES / float(done.stdout.split()[-1]))
    ratio = median(a / b for a, b in zip(ours, theirs, strict=True))
    print(
        f"{SCENES} scenes of 1 background and 3 events at 44.1 kHz, WAV, one process: {median(ours):.0f} clips/s, "
        f"scaper {median(theirs):.1f} clips/s: {ratio:.0f} times (median of {repeats} turns)"
    )


def _scenes(library: SoundLibrary, recipe: Recipe) -> list[tuple[str, Timeline]]:
    rng = np.random.default_rng(0)
    short = [recording for recording in library.recordings if recording.duration_ms <= 2500]
    scenes = []
    for n in range(SCENES):
        at, events = 200, []
        for k in rng.choice(len(short), 3, replace=False):
            recording = short[int(k)]
            events.append(Event(recording.label, at, at + recording.duration_ms, recording.id, float(rng.integers(-3, 4))))
            at += recording.duration_ms + gap_ms(recipe)
        scenes.append((f"{n:016x}", Timeline(tuple(events))))
    return scenes


def _soundbank(scenes: list[tuple[str, Timeline]], library: SoundLibrary, recipe: Recipe, folder: Path) -> str:
    """Writes recordings and a long noise as scaper wants them; returns the file that names the scenes."""
    (folder / "beds" / "bed").mkdir(parents=True)
    noise = np.random.default_rng(0).normal(0, 1e-3, 60 * 44_100)
    soundfile.write(folder / "beds" / "bed" / "bed.wav", noise, 44_100)
    names = {}
    for n, recording_id in enumerate(sorted({event.recording for _, timeline in scenes for event in timeline})):
        recording = library.recording(recording_id)
        label = f"label{n}"
        (folder / "events" / label).mkdir(parents=True)
        names[recording_id] = (label, str(folder / "events" / label / "a.wav"))
        soundfile.write(names[recording_id][1], recording.samples, 44_100)
    job = {
        "events": str(folder / "events"),
        "beds": str(folder / "beds"),
        "bed": str(folder / "beds" / "bed" / "bed.wav"),
        "scenes": [
            {
                "bed_s": n % 50,
                "events": [
                    {
                        "label": names[event.recording][0],
                        "file": names[event.recording][1],
                        "onset": event.onset_ms / 1000,
                        "duration": event.duration_ms / 1000,
                        "gain": event.gain_db,
                    }
                    for event in timeline
                ],
            }
            for n, (_, timeline) in enumerate(scenes)
        ],
    }
    (folder / "job.json").write_text(json.dumps(job))
    return str(folder / "job.json")


def _timed(work: Callable[[], object]):  # type: ignore[no-untyped-def]  # whatever `work` gives
    started = time.perf_counter()
    result = work()
    return result, time.perf_counter() - started


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--clips", type=int, default=1000, help="clips a task for the comparison with FLAC alone")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--full", metavar="FOLDER", help="also build the full corpus there")
    parser.add_argument("--scaper-python", metavar="PYTHON", help="interpreter of an environment with scaper")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
