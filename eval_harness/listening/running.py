"""`-m human:FILE,FILE`: what listeners answered, filed beside the models, and never as a result on the whole task.

mteb evaluates nothing here and its folder gets nothing, so that nothing of it can be handed in to a leaderboard.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builders.errors import EvaluationError
from builders.files import write_whole
from eval_harness.data import Data
from eval_harness.loading import LISTENED
from eval_harness.results_folder import ResultsFolder

if TYPE_CHECKING:  # it imports this module
    from eval_harness.running import ModelRun

PREFIX = "human:"


def is_human(model: Any) -> bool:
    """Whether a model's name means people."""
    return isinstance(model, str) and model.startswith(PREFIX)


def run_human(name: str, data: Data, tasks: Sequence[str] | None, out: Path | str, note: Callable[[str], None]) -> ModelRun:
    """Files what listeners answered: rankings and scores of the queries and clips that they were asked.

    Args:
        name: "human:FILE", or several files with commas between them.
        data: the dataset that was listened to.
        tasks: only these; None is all that were asked.
        out: folder of results.
        note: is told what is worth knowing.

    Raises:
        EvaluationError: a file cannot be used, or the answers are of another dataset, or not of these tasks.
    """
    from eval_harness.listening.answers import read_sessions
    from eval_harness.listening.human import NAME, people
    from eval_harness.running import ModelRun
    from eval_harness.systems.base import system_meta

    files = [Path(part).expanduser() for part in name.removeprefix(PREFIX).split(",") if part]
    if not files:
        raise EvaluationError(f"{name}: name a file of answers of `reasonaudio listen`, as in human:answers.sqlite")
    found = people(data.folder, read_sessions(files))
    chosen = {task: one for task, one in found.rankings.items() if tasks is None or task in tasks}
    if not chosen:
        raise EvaluationError(
            f"{name}: nobody was asked queries of {', '.join(tasks or ())}; of {', '.join(found.rankings)} they were"
        )
    folder = ResultsFolder.open(out, data)
    meta = system_meta(NAME, found.revision)
    scores = {}
    for task, rankings in chosen.items():
        file = listened_name(data, task)
        scores[task] = data.score(rankings, task, LISTENED)
        place = folder.of_model("rankings", meta, f"{file}.parquet")
        place.parent.mkdir(parents=True, exist_ok=True)
        rankings.write(place)
        about = {"model": NAME, "revision": found.revision, "listeners": found.listeners, "modes": list(found.modes)}
        place = folder.of_model("scores", meta, f"{file}.json")
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, (json.dumps(about | scores[task].to_json(), indent=2) + "\n").encode())
    who = f"{found.listeners} listener{'' if found.listeners == 1 else 's'}"
    note(
        f"{who}, {found.trials} trials answered completely; scores are of these queries and clips alone: `reasonaudio report` "
        "gives those of models on the same"
    )
    return ModelRun(
        NAME,
        found.revision,
        LISTENED,
        scores,
        0,
        folder.of_model("scores", meta, ""),
        folder.of_model("rankings", meta, ""),
    )


def listened_name(data: Data, task: str) -> str:
    """What the files of people on a task are called: no task of mteb is."""
    return f"{data.task_name(task)}-Listened"
