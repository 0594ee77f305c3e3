"""A folder of results read back: which models were run on which tasks, their rankings, scores and embeddings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from builders.errors import DatasetFolderError, EvaluationError
from builders.files import read_object
from builders.recipe import TASK_NAMES
from eval_harness.data import Data, no_sets, open_data
from eval_harness.embedding_cache import EmbeddingStore
from eval_harness.loading import LISTENED, SCOPES, SET
from eval_harness.ranking_files import origin_of
from eval_harness.rankings import Origin, Rankings
from eval_harness.results_folder import DATASET, read_marker
from eval_harness.scores import TaskScores, mean_scores

_PROBE = "text/"
"""What the tasks of probes in text begin with in their rankings."""
_EXPERIMENTS = "experiments"
"""mteb's name of the folder in a revision's that holds runs with other settings (`dtype_float16`)."""


@dataclass(frozen=True, eq=False)
class ModelResult:
    """What one model got in one scope. Rankings and scores are read when first asked for, and kept.

    Attributes:
        model: its name, as mteb has it: "org/name".
        revision: of the model.
        scope: "task" or "all": which clips were searched; of probes in text also "set"; of people "listened".
        experiment: the settings that it was run with, as mteb files them ("dtype_float16"); "" for its own.
        tasks: task -> the file of its rankings, in the order of `TASK_NAMES`. Tasks that were not run are absent.
        data: the dataset.
        out: the folder of results.
        style: of the texts that were searched in the clips' place, one of `builders.styles.STYLES`; "" where clips were.
    """

    model: str
    revision: str
    scope: str
    experiment: str
    tasks: Mapping[str, Path]
    data: Data = field(repr=False)
    out: Path = field(repr=False)
    style: str = ""
    _rankings: dict[str, Rankings] = field(default_factory=dict, repr=False)
    _scores: dict[str, TaskScores] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        """The model, with what it was run with if that is not its own: "org/name (dtype_float16)"."""
        return f"{self.model} ({self.experiment})" if self.experiment else self.model

    @property
    def is_scale(self) -> bool:
        """Whether it is a system of the scale, which shows what a number means and competes with nobody."""
        from eval_harness.systems.scale import SCALE  # loads mteb

        return self.model in {system.name for system in SCALE}

    @property
    def complete(self) -> bool:
        """Whether all five tasks were run, so that a mean is the benchmark's."""
        return set(self.tasks) == set(TASK_NAMES)

    def rankings(self, task: str) -> Rankings:
        """The scores of all clips for the task's queries: shape [queries, clips], 4 bytes a pair.

        Raises:
            EvaluationError: the task was not run, or its file is damaged or of another dataset.
        """
        if task not in self._rankings:
            if task not in self.tasks:
                raise EvaluationError(f"{self.model} was not run on {task}; it was on {', '.join(self.tasks)}")
            self._rankings[task] = Rankings.read(self.tasks[task])
        return self._rankings[task]

    def scores(self, task: str) -> TaskScores:
        """All scores of a task. Raises as `rankings`."""
        if task not in self._scores:
            self._scores[task] = self.data.score(self.rankings(task), task, self.scope)
        return self._scores[task]

    def all_scores(self) -> dict[str, TaskScores]:
        """Task -> scores, of all tasks that were run."""
        return {task: self.scores(task) for task in self.tasks}

    @property
    def mean(self) -> Mapping[str, float] | None:
        """Mean of the five tasks by name of the score; None where not all five were run."""
        return mean_scores(self.all_scores().values()) if self.complete else None

    def embeddings(self) -> EmbeddingStore | None:
        """The embeddings of clips and queries by id, if they were kept and are there yet. None for models without.

        Of several stores (other prompts or loader arguments) it is the one that was made last.
        """
        wanted = {
            "model": self.model,
            "revision": self.revision,
            "experiment": self.experiment or "None",  # mteb's experiment_name, as text
            "dataset": self.data.content_hash,
        }
        keys = [
            (file.stat().st_mtime, file, key)
            for file in (self.out / "embeddings").glob("*/*/key.json")
            if (key := read_object(file)) is not None and wanted.items() <= key.items() and any(file.parent.glob("shard-*.npz"))
        ]
        if not keys:
            return None
        _, _, key = max(keys, key=lambda one: one[:2])
        return EmbeddingStore(self.out / "embeddings", {name: str(value) for name, value in key.items()})


@dataclass(frozen=True, eq=False)
class Results:
    """All that lies in a folder of results.

    Attributes:
        path: the folder.
        data: the dataset that it is of.
        models: in order of name, revision, experiment, and scope ("task" first).
        probes: the same of probes in text, then in order of style.
        people: what listeners answered (`reasonaudio run -m human:FILE`), in the scope "listened", comparable with no other.
    """

    path: Path
    data: Data
    models: tuple[ModelResult, ...]
    probes: tuple[ModelResult, ...] = ()
    people: tuple[ModelResult, ...] = ()

    def of_scope(self, scope: str) -> tuple[ModelResult, ...]:
        """The models that were run in that scope, "task" or "all"."""
        return tuple(one for one in self.models if one.scope == scope)

    @cached_property
    def tasks(self) -> tuple[str, ...]:
        """Tasks that at least one model was run on."""
        return tuple(task for task in TASK_NAMES if any(task in one.tasks for one in self.models))


def read_results(out: Path, data: Data | None = None) -> Results:
    """What lies in a folder of results. Reads names only; rankings when they are asked for.

    Args:
        out: the folder, as `reasonaudio run` writes it.
        data: the dataset, if it lies elsewhere than where the models were run.

    Raises:
        EvaluationError: it is no folder of results, holds no rankings of clips, or its dataset is gone or has changed.
    """
    about = _about(out)
    if about.get("official"):
        raise no_sets(f"{out}: this command", str(about.get("path")))
    data = data or _dataset(out, about)
    if not about.get("content"):
        raise EvaluationError(f"{out} does not say which dataset was searched; run the models again with --out {out}")
    if data.content_hash != about.get("content"):
        raise EvaluationError(
            f"{out} holds results on another dataset (content {str(about.get('content'))[:12]}) than {data.path} "
            f"(content {data.content_hash[:12]}); give the one that was searched with --data, or run the models again"
        )
    _require_rankings(out)
    found = sorted(_models(out, data), key=_place)
    people = tuple(one for one in found if one.scope == LISTENED)
    models, probes = (
        tuple(one for one in found if bool(one.style) == of_texts and one.scope != LISTENED) for of_texts in (False, True)
    )
    if not models:
        raise EvaluationError(
            f"{out} holds no rankings of clips{' by models' if people else ''}, and probes in text are not compared; "
            f"`reasonaudio run -m MODEL --out {out}` "
            "makes them"
        )
    return Results(out, data, models, probes, people)


def _place(one: ModelResult) -> tuple[object, ...]:
    return (one.model, one.revision, one.experiment, (*SCOPES, SET, LISTENED).index(one.scope), one.style)


def _about(out: Path) -> dict[str, Any]:
    if not out.is_dir():
        what = "is a file" if out.exists() else "does not exist"
        raise EvaluationError(f"{out} {what}; give the folder that `reasonaudio run --out` wrote")
    marker = out / DATASET
    if not marker.is_file():
        raise EvaluationError(f"{out} is no folder of results: it holds no {DATASET}; give what `reasonaudio run --out` wrote")
    return read_marker(marker)


def _dataset(out: Path, about: Mapping[str, Any]) -> Data:
    place, revision = str(about.get("path", "")), str(about.get("revision", ""))
    on_hub = revision != about.get("content")
    try:
        return open_data(place, revision if on_hub and not Path(place).exists() else None)
    except (DatasetFolderError, EvaluationError) as error:
        raise EvaluationError(
            f"{out} is of a dataset that is not to be had ({error}); say where it lies now with --data"
        ) from None


def _require_rankings(out: Path) -> None:
    """Raises EvaluationError where there are scores of rankings that are not there: a model would be compared on fewer tasks."""
    for scores in sorted((out / "scores").rglob("*.json")):
        rankings = (out / "rankings" / scores.relative_to(out / "scores")).with_suffix(".parquet")
        if not rankings.is_file():
            raise EvaluationError(f"{rankings} is missing, though {scores} is there; remove that as well, or run the model again")


def _models(out: Path, data: Data) -> Iterator[ModelResult]:
    """Rankings of one folder, scope and style together."""
    found: dict[tuple[Path, str, str], dict[str, tuple[Path, Origin]]] = {}
    for file in sorted((out / "rankings").rglob("*.parquet")):
        origin = _origin(file)
        if origin.dataset != data.content_hash:
            raise EvaluationError(f"{file} is of another dataset (content {origin.dataset[:12] or 'unknown'}); remove it")
        task = origin.task.removeprefix(_PROBE if origin.style else "")
        if task not in TASK_NAMES or origin.scope not in ((*SCOPES, SET) if origin.style else (*SCOPES, LISTENED)):
            raise EvaluationError(f"{file} does not say which task and scope it is of, as `reasonaudio run` does; remove it")
        found.setdefault((file.parent, origin.scope, origin.style), {})[task] = (file, origin)
    for (folder, scope, style), tasks in found.items():
        _, origin = next(iter(tasks.values()))
        experiment = folder.name if folder.parent.name == _EXPERIMENTS else ""
        files = {task: tasks[task][0] for task in TASK_NAMES if task in tasks}
        yield ModelResult(origin.model, origin.revision, scope, experiment, files, data, out, style)


def _origin(file: Path) -> Origin:
    """What made a file of rankings, by its metadata alone."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        metadata = pq.read_schema(file).metadata or {}
    except (pa.ArrowException, OSError) as error:
        raise EvaluationError(f"{file} is damaged ({str(error).partition(chr(10))[0]}); run the model again") from None
    return origin_of(metadata)
