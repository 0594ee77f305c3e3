"""The five tasks on the paper's own data, as mteb runs them. Names of their own: these scores are not those of our corpora."""

from __future__ import annotations

from typing import Any, ClassVar

from mteb.abstasks.task_metadata import TaskMetadata

from builders.recipe import TASK_NAMES
from eval_harness import registry
from eval_harness.data import Data
from eval_harness.official import in_use
from eval_harness.official.data import OfficialData
from eval_harness.tasks import CITATION, DESCRIPTIONS, MAIN_SCORE, PROMPT, REFERENCE, SPLIT, UNSET, ReasonAudioTask

BENCHMARK = OfficialData.benchmark


def task_name(task: str) -> str:
    """The name in mteb: "ReasonAudioOfficial-Negation"."""
    return f"{BENCHMARK}-{task.capitalize()}"


def _metadata(task: str) -> TaskMetadata:
    return TaskMetadata(
        name=task_name(task),
        description=f"The paper's own data, read from a local folder. Text-to-audio retrieval that takes reasoning, not "
        f"matching alone: {DESCRIPTIONS[task]}.",
        reference=REFERENCE,
        dataset=UNSET,
        eval_splits=[SPLIT],
        eval_langs={task: ["eng-Latn"]},
        main_score=MAIN_SCORE,  # the paper's accuracy
        date=("2026-01-01", "2026-12-31"),
        domains=["AudioScene", "Constructed"],
        license="not specified",
        annotations_creators="algorithmic",
        dialect=[],
        sample_creation="created",
        bibtex_citation=CITATION,
        type="Any2AnyRetrieval",
        category="t2a",
        modalities=["text", "audio"],
        task_subtypes=["Reasoning as Retrieval", "Environment Sound Retrieval"],
        prompt=PROMPT,
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
