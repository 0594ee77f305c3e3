"""The only module that touches mteb's private names: it makes the tasks known to mteb and points them at a dataset.

Importing `eval_harness` registers the names; `use_data` names the dataset, else the variable REASONAUDIO_DATA does when a
task is first made.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builders.errors import EvaluationError, ReasonAudioError

if TYPE_CHECKING:  # it reads audio, and `reasonaudio doctor` must run where that fails
    from eval_harness.data import Data
    from eval_harness.tasks import ReasonAudioTask

_current: Data | None = None


def use_data(path_or_id: str | Path, revision: str | None = None) -> Data:
    """From now on all tasks and the benchmark are those of this dataset; may be called again with another.

    Args:
        path_or_id: a finished dataset folder; or "ORG/NAME" or "ORG/NAME@REVISION" on the Hub, which is resolved to a commit
            and downloaded.
        revision: a branch, tag or commit on the Hub.

    Raises:
        DatasetFolderError: the folder is missing, unfinished or of another layout.
        EvaluationError: the Hub has no such dataset, or cannot be reached.
    """
    from eval_harness.data import open_data

    return use(open_data(path_or_id, revision))


def use(data: Data) -> Data:
    """As `use_data`, of a dataset that is open already."""
    from eval_harness.data import Corpus, no_sets

    if not isinstance(data, Corpus):
        raise no_sets("a task of ours", data.path)
    global _current
    _current = data
    for cls in task_classes():
        cls.metadata = cls.metadata.model_copy(update={"dataset": {"path": data.path, "revision": data.revision}})
    return data


def task_classes() -> tuple[type[ReasonAudioTask], ...]:
    """All task classes that are of a dataset: those of audio and those of text, in all scopes."""
    from eval_harness import tasks, text_tasks

    return (*tasks.TASKS, *tasks.TASKS_ALL, *text_tasks.TEXT_TASKS)


def current() -> Data | None:
    """The dataset in use, if one is."""
    return _current


def data() -> Data:
    """The dataset in use; the first time, if none was named, that of REASONAUDIO_DATA, else the released one.

    Raises:
        EvaluationError: neither names one, and none is released.
        DatasetFolderError: the variable's is missing, unfinished or of another layout.
    """
    from eval_harness.data import data_by_default

    return _current or use(data_by_default())


def use_environment() -> None:
    """Takes the dataset of REASONAUDIO_DATA, if none is in use and it names a usable one; `data` says what is wrong with it."""
    from eval_harness.data import data_from_environment

    try:
        if _current is None:
            use(data_from_environment())
    except ReasonAudioError:  # mteb makes an object of every task it knows, also to list them
        return


def data_of(metadata: Any) -> Data:
    """The dataset of a task's metadata: that in use, or the one it was made for. Raises ReasonAudioError."""
    from eval_harness.data import open_data
    from eval_harness.official import in_use, tasks

    if metadata.name in {cls.metadata.name for cls in tasks.OFFICIAL_TASKS}:
        return in_use.data_of(metadata)
    from eval_harness.tasks import UNSET

    path, revision = metadata.dataset["path"], metadata.dataset["revision"]
    if _current is not None and (path, revision) == (_current.path, _current.revision):
        return _current
    return data() if path == UNSET["path"] else open_data(path, None if Path(path).is_dir() else revision)


def register() -> None:
    """Makes tasks, benchmark and models known to mteb. Does nothing the second time; what mteb has by the same name stays.

    Raises:
        EvaluationError: this mteb keeps them elsewhere.
    """
    from eval_harness import tasks

    if not hasattr(tasks, "TASKS_ALL"):
        return  # it is being imported, and calls this again at its end
    from eval_harness import text_tasks

    if not hasattr(text_tasks, "TEXT_TASKS"):
        return  # likewise
    from eval_harness.official import tasks as official

    if not hasattr(official, "OFFICIAL_TASKS"):
        return  # likewise
    place = _place("mteb.get_tasks", "_TASKS_REGISTRY", "TASK_LIST")
    known = place._TASKS_REGISTRY
    if tasks.BENCHMARK in known:
        return
    aggregates = (tasks.mean_task(), *text_tasks.mean_probes())
    new = {cls.metadata.name: cls for cls in (*task_classes(), *aggregates, *official.OFFICIAL_TASKS)}
    for name, cls in new.items():
        known.setdefault(name, cls)
    place.TASK_LIST = (*place.TASK_LIST, *(cls for name, cls in new.items() if known[name] is cls))
    benchmarks = _place("mteb.benchmarks.get_benchmark", "_build_registry")._build_registry()
    for name, classes, description in (
        (tasks.BENCHMARK, tasks.TASKS, tasks.BENCHMARK_DESCRIPTION),
        (
            text_tasks.TEXT_BENCHMARK,
            [cls for cls in text_tasks.TEXT_TASKS if cls.scope == "task"],
            "The queries of ReasonAudio over exact accounts of its clips in three styles of text: what a model reasons where it "
            "need not hear.",
        ),
    ):
        benchmarks.setdefault(name, _benchmark(name, [known[cls.metadata.name]() for cls in classes], description))
    from eval_harness.systems.metas import metas

    models = _place("mteb.models.model_implementations", "MODEL_REGISTRY").MODEL_REGISTRY
    for meta in metas():
        models.setdefault(meta.name, meta)


def _benchmark(name: str, members: list[Any], description: str) -> Any:
    from mteb.benchmarks.benchmark import Benchmark, BenchmarkAggregation

    from eval_harness import tasks

    return Benchmark(
        name=name,
        display_name=name,
        tasks=members,
        description=description,
        reference=tasks.REFERENCE,
        citation=tasks.CITATION,
        aggregations=(BenchmarkAggregation.MEAN_TASK,),
    )


def model_names() -> tuple[str, ...]:
    """The names of all models that mteb knows, ours included."""
    return tuple(_place("mteb.models.model_implementations", "MODEL_REGISTRY").MODEL_REGISTRY)


def _place(module: str, *names: str) -> Any:
    """mteb's module that keeps `names`. Raises EvaluationError if it does not."""
    importlib.import_module(module)
    place = sys.modules[module]  # `mteb.get_tasks` is also a function, which hides the module
    missing = [name for name in names if not hasattr(place, name)]
    if missing:
        import mteb

        raise EvaluationError(
            f"mteb {mteb.__version__} has no {module}.{missing[0]}, where ReasonAudio's tasks are registered; "
            "use the mteb that the constraints file names"
        )
    return place
