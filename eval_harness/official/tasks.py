"""The five tasks on the paper's own data, as mteb runs them. Names of their own: these scores are not those of our corpora."""

from __future__ import annotations

from typing import Any, ClassVar

from mteb.abstasks.task_metadata import TaskMetadata

from builders.recipe import TASK_NAMES
from eval_harness import registry
from eval_harness.data import Data
from eval_harness.official import in_use
from eval_harness.official.data import OfficialData
from eval_harness.tasks import DESCRIPTIONS, OF_AUDIO, UNSET, ReasonAudioTask, metadata_of

BENCHMARK = OfficialData.benchmark


def task_name(task: str) -> str:
    """The name in mteb: "ReasonAudioOfficial-Negation"."""
    return f"{BENCHMARK}-{task.capitalize()}"


def _metadata(task: str) -> TaskMetadata:
    return metadata_of(
        task,
        task_name(task),
        "The paper's own data, read from a local folder. Text-to-audio retrieval that takes reasoning, not matching alone: "
        f"{DESCRIPTIONS[task]}.",
        dataset=UNSET,
        license="not specified",
        **OF_AUDIO,
    )


class ReasonAudioOfficialTask(ReasonAudioTask):
    """What the tasks share. Abstract: it has no metadata of its own."""

    source: ClassVar[Any] = in_use

    def _split(self, data: Data, num_proc: int | None) -> dict[str, Any]:
        assert isinstance(data, OfficialData)  # what `source` gives
        return data.split(self.task)


def _task(task: str) -> type[ReasonAudioOfficialTask]:
    metadata = _metadata(task)
    fields = {"task": task, "metadata": metadata, "__doc__": f"The task {task} on the paper's own data."}
    return type(metadata.name.replace("-", ""), (ReasonAudioOfficialTask,), fields)


OFFICIAL_TASKS: tuple[type[ReasonAudioOfficialTask], ...] = tuple(map(_task, TASK_NAMES))
"""All five; those that the data in use lacks say so when they are loaded."""

registry.register()  # as in `eval_harness.tasks`
