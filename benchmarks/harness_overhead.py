"""What running a model through ReasonAudio adds to the model's own time and memory.

    python benchmarks/harness_overhead.py [--clips 400] [--repeats 3] [--work 2] [--data FOLDER] [--skip-memory]

A toy model does a fixed amount of work a clip with torch, on one thread. It is called in a bare loop over batches that lie
decoded in memory, and through `eval_harness.running.run` into a fresh folder, decoding in between (num_workers 0) and beside the
model (num_workers 1), in turns, so that what else the machine does meets all alike. Medians are printed: milliseconds a clip of
the model, what the harness adds to them (loading the clips, decoding, collating, storing embeddings: wall-clock, and processor
time of the model's process), and apart from that what does not depend on the model: checksums, search and scoring.
Then the peak memory of a run on one task, and of one on the whole corpus, each in a fresh process.
Without --data, a corpus is built into a temporary folder.
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
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

import numpy as np
import psutil
import torch
from mteb.models.abs_encoder import AbsEncoder
from mteb.models.model_meta import ModelMeta
from mteb.types import PromptType

from builders.build import build
from builders.plan import make_plan
from builders.recipe import PRESETS, make_recipe
from builders.relevance import qrels
from builders.sounds.screening import prepare
from builders.sounds.sources import open_source
from eval_harness import loading, running
from eval_harness.data import Data, open_data
from eval_harness.embedding import Embedder
from eval_harness.quiet import quiet_libraries

BATCH = 32
FRAME = 160
WIDTH = 512
TASK = "order"


class Worker(AbsEncoder):  # type: ignore[misc]  # mteb has no types
    """A model that puts a clip's frames through `work` dense layers, one clip after the other.

    Args:
        work: layers; more take longer.
    """

    def __init__(self, work: int) -> None:
        self.mteb_model_meta = ModelMeta.create_empty(
            {"name": "toys/worker", "revision": "1", "modalities": ["text", "audio"], "framework": ["PyTorch"]}
        )
        drawn = torch.Generator().manual_seed(0)
        self._first = torch.randn(FRAME, WIDTH, generator=drawn) / FRAME**0.5
        self._layers = [torch.randn(WIDTH, WIDTH, generator=drawn) / WIDTH**0.5 for _ in range(work)]

    def encode(self, inputs: Any, *, prompt_type: Any = None, **settings: Any) -> Any:
        """Embeddings, shape [inputs, 512]; a text's are drawn from its characters."""
        if prompt_type == PromptType.query:
            texts = [text for batch in inputs for text in batch["text"]]
            return np.stack([np.random.default_rng(list(text.encode())).standard_normal(WIDTH, np.float32) for text in texts])
        return torch.cat([self.batch(batch) for batch in inputs])

    @torch.inference_mode()
    def batch(self, batch: dict[str, Any]) -> torch.Tensor:
        """Embeddings of a batch's clips."""
        found = []
        for audio in batch["audio"]:
            samples = torch.from_numpy(audio["array"])
            frames = samples[: len(samples) // FRAME * FRAME].view(-1, FRAME) @ self._first
            for layer in self._layers:
                frames = torch.tanh(frames @ layer)
            found.append(frames.mean(0))
        return torch.stack(found)


class Timer:
    """Seconds of wall-clock time and of this process's processors, by name."""

    def __init__(self) -> None:
        self.wall: defaultdict[str, float] = defaultdict(float)
        self.cpu: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def time(self, name: str) -> Iterator[None]:
        """Adds what the block takes."""
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.wall[name] += time.perf_counter() - wall
        self.cpu[name] += time.process_time() - cpu

    def timed(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """`work`, whose time is added."""

        def call(*args: Any, **fields: Any) -> Any:
            with self.time(name):
                return work(*args, **fields)

        return call


def main() -> None:
    """Runs what the options ask for and prints a line for each figure."""
    options = _options()
    torch.set_num_threads(1)
    quiet_libraries()
    if options.measure_memory:
        return print(json.dumps(_memory(*options.measure_memory)))
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(options.data) if options.data else _corpus(Path(place) / "corpus", options.clips)
        overhead(open_data(folder), options.work, options.repeats, Path(place))
        if not options.skip_memory:
            memory(folder, Path(place))
    return None


def overhead(data: Data, work: int, repeats: int, place: Path) -> None:
    """Bare, with decoding in between, and with decoding beside the model, in turns."""
    model = Worker(work)
    clips = loading.load_split(data, TASK)["corpus"]
    rows = [{"id": row["id"], "audio": loading.decoded(row["audio"])} for row in clips]
    batches = [
        {"id": [row["id"] for row in rows[n : n + BATCH]], "audio": [row["audio"] for row in rows[n : n + BATCH]]}
        for n in range(0, len(rows), BATCH)
    ]
    model.batch(batches[0])
    runs: list[dict[str, Timer]] = []
    for turn in range(repeats):
        found = {"bare": Timer()}
        with found["bare"].time("model"):
            bare = torch.cat([model.batch(batch) for batch in batches]).numpy()
        for workers in (0, 1):
            found[f"num_workers {workers}"] = timer = Timer()
            out = place / f"out-{turn}-{workers}"
            _run_timed(model, data, out, workers, timer)
            if not np.array_equal(bare, _kept(out, [row["id"] for row in rows])):
                sys.exit("error: the embeddings are not those of the bare loop")
        runs.append(found)
    _print(runs, len(rows))


def _run_timed(model: Worker, data: Data, out: Path, workers: int, timer: Timer) -> None:
    running._verified.clear()  # else checksums are compared once in a process
    with (
        patch.object(running, "_verify", timer.timed("checksums", running._verify)),
        patch.object(running, "score_task", timer.timed("scoring", running.score_task)),
        patch.object(loading, "load_split", timer.timed("loading", loading.load_split)),
        patch.object(Embedder, "clips", timer.timed("embedding", Embedder.clips)),
        timer.time("all"),
    ):
        running.run(model, [TASK], data=data, out=out, num_workers=workers, batch_size=BATCH)


def _kept(out: Path, ids: list[str]) -> Any:
    found: dict[str, Any] = {}
    for file in out.glob("embeddings/*/*/shard-*.npz"):
        with np.load(file) as shard:
            found |= dict(zip(shard["ids"].tolist(), shard["vectors"], strict=True))
    return np.stack([found[one] for one in ids])


def _print(runs: list[dict[str, Timer]], clips: int) -> None:
    def ms(values: Iterator[float]) -> float:
        return 1000 * median(values) / clips

    model = ms(run["bare"].wall["model"] for run in runs)
    own = ms(run["bare"].cpu["model"] for run in runs)
    print(f"the model alone, on {clips} clips decoded in memory: {model:.2f} ms a clip ({own:.2f} ms of processor time)")
    for way in ("num_workers 0", "num_workers 1"):
        embedding = ms(run[way].wall["embedding"] + run[way].wall["loading"] - run["bare"].wall["model"] for run in runs)
        processor = ms(run[way].cpu["embedding"] + run[way].cpu["loading"] - run["bare"].cpu["model"] for run in runs)
        ratio = median((run[way].wall["embedding"] + run[way].wall["loading"]) / run["bare"].wall["model"] for run in runs)
        loaded = ms(run[way].wall["loading"] for run in runs)
        print(
            f"{way}: the harness adds {embedding:.2f} ms a clip, {ratio:.2f} times the model's time ({processor:.2f} ms of "
            f"processor time in the model's process; of the whole, {loaded:.2f} ms opening the corpus)"
        )
        sums = median(run[way].wall["checksums"] for run in runs)
        scoring = median(run[way].wall["scoring"] for run in runs)
        rest = median(
            run[way].wall["all"] - sum(run[way].wall[name] for name in ("embedding", "loading", "checksums", "scoring"))
            for run in runs
        )
        print(
            f"    a task besides: scoring {scoring:.2f} s, search, files and mteb {rest:.2f} s; a dataset: checksums {sums:.2f} s"
        )


# --- memory -----------------------------------------------------------------------------------------------------------


def memory(folder: Path, place: Path) -> None:
    """Peak memory of a run on a fifth of the corpus, and on all of it."""
    found = []
    for scope in ("task", "all"):
        command = [sys.executable, __file__, "--measure-memory", str(folder), str(place / f"memory-{scope}"), scope]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603 - this script
        found.append(json.loads(done.stdout.splitlines()[-1]))
    for one in found:
        print(
            f"{one['clips']} clips ({one['decoded_mb']:.0f} MB decoded): {one['before_mb']:.0f} MB before, at most "
            f"{one['own_mb']:.0f} MB while running, with its worker {one['all_mb']:.0f} MB (mapped files apart)"
        )
    small, large = found
    more = large["clips"] - small["clips"]
    print(
        f"{more} more clips: {large['own_mb'] - small['own_mb']:+.1f} MB; their embeddings are {more * WIDTH * 4 / 1e6:.1f} MB, "
        f"their samples {large['decoded_mb'] - small['decoded_mb']:.0f} MB"
    )


def _memory(folder: str, out: str, scope: str) -> dict[str, float]:
    """Runs a model that does next to no work, and watches this process and its worker."""
    data = open_data(folder)
    model, process, done = Worker(1), psutil.Process(), threading.Event()
    running.run("reasonaudio/random", [TASK], data=data, out=f"{out}-first", scope=scope)  # so that all libraries are loaded
    before, own, everything = process.memory_full_info().uss, 0, 0

    def watch() -> None:
        nonlocal own, everything
        while not done.wait(0.1):
            mine = process.memory_full_info().uss
            theirs = 0
            for child in process.children(recursive=True):
                try:
                    theirs += child.memory_full_info().uss
                except psutil.Error:
                    continue
            own, everything = max(own, mine), max(everything, mine + theirs)

    watcher = threading.Thread(target=watch)
    watcher.start()
    ran = running.run(model, [TASK], data=data, out=out, scope=scope, num_workers=1, batch_size=BATCH)
    done.set()
    watcher.join()
    samples = 10 * data.folder.recipe.sample_rate
    figures = {"before_mb": before, "own_mb": own, "all_mb": everything, "decoded_mb": ran.embedded * samples * 4}
    return {"clips": ran.embedded} | {name: value / 1e6 for name, value in figures.items()}


# --- around it --------------------------------------------------------------------------------------------------------


def _corpus(out: Path, clips: int) -> Path:
    """A corpus with about so many clips a task."""
    recipe = make_recipe(PRESETS["full"], {"queries_per_task": max(2, clips // 20 * 2)})
    library = prepare(open_source("builtin"), recipe, num_proc=2)
    plan = make_plan(recipe, library)
    build(plan, library, qrels(plan, library.relations), out, num_proc=2)
    return out


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--clips", type=int, default=400, help="clips a task of the corpus that is built")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--work", type=int, default=2, metavar="LAYERS", help="the model's work a clip")
    parser.add_argument("--data", metavar="FOLDER", help="a dataset, instead of building one")
    parser.add_argument("--skip-memory", action="store_true")
    parser.add_argument("--measure-memory", nargs=3, metavar=("FOLDER", "OUT", "SCOPE"), help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
