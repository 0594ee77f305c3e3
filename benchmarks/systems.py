"""What the scale, the pipelines and any models score on datasets, as Markdown tables.

    python benchmarks/systems.py --data FOLDER [--data FOLDER2 ...] --out RESULTS [--tagger FILE] [--ontology FILE]
        [--model SPEC ...] [--scope task|all] [--seeds 100] [--markdown FILE]

For every dataset: the scale (random, bag-of-sounds, relation-blind: mean over the seeds, and the interval that 95 % of them lie
in; oracle), the pipelines perfect+minilm and, with --tagger, yamnet+minilm and yamnet+logic, then every --model, as
`reasonaudio run -m` takes it. Results are kept in RESULTS/<name of the dataset's folder>; the same command goes on where it was
interrupted. The tables are printed, and written to --markdown: hit_rate_at_1; the accuracy inside the set with the twins' mean;
and for every kind of foil the share of pairs that are the right way round. A model that cannot be run is named, and left out.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import platform
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from builders.errors import ReasonAudioError
from eval_harness import running
from eval_harness.data import Data, open_data
from eval_harness.quiet import quiet_libraries
from eval_harness.scores import MAIN_SCORE, TaskScores
from eval_harness.systems.scale import SCALE, SEEDED
from eval_harness.systems.seeds import Spread, over_seeds

Z = 1.96
"""Standard deviations to either side that hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class Row:
    """A system's scores on one dataset: task -> name of the score -> value over seeds; `foil:<kind>` among the names."""

    system: str
    tasks: Mapping[str, Mapping[str, Spread]]

    def mean(self, score: str) -> Spread:
        """Over the tasks. Tasks share no query, so that their scores vary with the seed independently of each other."""
        found = [scores[score] for scores in self.tasks.values()]
        value = sum(one.mean for one in found) / len(found)
        deviation = math.sqrt(sum(one.deviation**2 for one in found)) / len(found)
        return Spread(value, value - Z * deviation, value + Z * deviation, deviation, found[0].seeds)


def main() -> None:
    """Runs everything and prints the tables."""
    options = _options()
    quiet_libraries()
    texts = [
        f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; "
        f"scope {options.scope}, {options.seeds} seeds"
    ]
    print(texts[0])
    for name in options.data:
        rows: list[Row] = []
        try:
            data = open_data(name)
            for row in itertools.chain(scale(data, options.scope, options.seeds), models(data, options)):
                rows.append(row)
                if options.markdown:  # after every system, so that an interrupted run leaves what it has
                    options.markdown.write_text("\n\n".join([*texts, tables(data, rows, options.scope)]) + "\n")
        except ReasonAudioError as error:
            sys.exit(f"error: {error}")
        texts.append(tables(data, rows, options.scope))
        print(f"\n{texts[-1]}")


def scale(data: Data, scope: str, seeds: int) -> Iterable[Row]:
    """The systems without models."""
    for system in SCALE:
        started = time.perf_counter()
        count = seeds if system in SEEDED else 1
        tasks = {task: over_seeds(system, data.folder, task, scope, count) for task in data.tasks}
        _say(f"{data.folder.path.name}: {system.name} with {count} seeds, {time.perf_counter() - started:.0f} s")
        yield Row(system.name.removeprefix("reasonaudio/"), tasks)


def models(data: Data, options: argparse.Namespace) -> Iterable[Row]:
    """The pipelines, and what --model names."""
    specs = ["perfect+minilm", *(["yamnet+minilm", "yamnet+logic"] if options.tagger else []), *options.model]
    settings = running.RunSettings(scope=options.scope, tagger=options.tagger, ontology=options.ontology)
    for spec in specs:
        started = time.perf_counter()
        out = options.out / data.folder.path.resolve().name
        try:
            done = running.run(spec, data=data, out=out, settings=settings)
        except ReasonAudioError as error:
            _say(f"{data.folder.path.name}: {spec} is left out: {error}")
            continue
        _say(f"{data.folder.path.name}: {spec} ({done.model}, {done.revision}), {time.perf_counter() - started:.0f} s")
        yield Row(Path(spec).name if Path(spec).is_dir() else spec, {task: once(found) for task, found in done.tasks.items()})


def once(found: TaskScores) -> dict[str, Spread]:
    """The scores of a system that has no seed, named as `over_seeds` names them."""
    values = dict(found.scores) | {f"foil:{kind}": one.share for kind, one in found.foils.items()}
    return {name: Spread(value, value, value, 0.0, 1) for name, value in values.items()}


# --- tables -----------------------------------------------------------------------------------------------------------


def tables(data: Data, rows: Sequence[Row], scope: str) -> str:
    """The three tables of a dataset, with a line that says what it is."""
    queries, clips = len(data.folder.queries), len(data.folder.clips)
    names = [task.capitalize() for task in data.tasks]
    main = [[row.system, *_of_tasks(row, MAIN_SCORE), _cell(row.mean(MAIN_SCORE))] for row in rows]
    inside = [[row.system, *_of_tasks(row, "in_set"), _cell(row.mean("in_set")), _cell(row.mean("twins"))] for row in rows]
    kinds = [
        (task, score)
        for task in data.tasks
        for score in sorted({score for row in rows for score in row.tasks[task] if score.startswith("foil:")})
    ]
    foils = [
        [task.capitalize(), score.removeprefix("foil:"), *(_plain(row.tasks[task].get(score)) for row in rows)]
        for task, score in kinds
    ]
    return "\n\n".join(
        [
            f"## {data.folder.path.resolve().name}",
            f"{queries} queries, {clips} clips, scope {scope}, content {data.content_hash[:12]}.",
            "### hit_rate_at_1",
            _markdown(["System", *names, "Mean"], main),
            "### Accuracy inside the set, and both twins right",
            _markdown(["System", *names, "Mean", "Twins' mean"], inside),
            "### Share of pairs the right way round, by kind of foil",
            _markdown(["Task", "Foil", *(row.system for row in rows)], foils),
        ]
    )


def _of_tasks(row: Row, score: str) -> list[str]:
    return [_cell(scores[score]) for scores in row.tasks.values()]


def _cell(spread: Spread) -> str:
    if spread.seeds == 1:
        return f"{spread.mean:.3f}"
    return f"{spread.mean:.3f} [{max(spread.low, 0):.3f}, {min(spread.high, 1):.3f}]"


def _plain(spread: Spread | None) -> str:
    return "" if spread is None or math.isnan(spread.mean) else f"{spread.mean:.3f}"


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# --- around it --------------------------------------------------------------------------------------------------------


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", action="append", required=True, metavar="FOLDER", help="a dataset; can be repeated")
    parser.add_argument("--out", type=Path, required=True, metavar="RESULTS", help="a folder for each dataset is made in it")
    parser.add_argument("--tagger", type=Path, metavar="FILE", help="YAMNet's .tflite file; without it, no yamnet pipelines")
    parser.add_argument("--ontology", type=Path, metavar="FILE", help="AudioSet's ontology.json")
    parser.add_argument("--model", action="append", default=[], metavar="SPEC", help="a further model; can be repeated")
    parser.add_argument("--scope", choices=("task", "all"), default="task")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the tables there")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
