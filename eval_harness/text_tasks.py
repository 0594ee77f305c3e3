"""Probes of reasoning in text: the queries and qrels of the five tasks over the clips' timelines, told as text in three styles.

What a text model gets here needs no hearing at all; what it misses is missing reasoning, or reading. Names in mteb:
"ReasonAudioText-Order-Story" (a style), "ReasonAudioText-Order" (the mean of the styles), each also with "-All" (all clips of the
corpus are searched) and "-Set" (the clips of the query's own set are, which suits models that look at every pair).
"""

from __future__ import annotations

from itertools import product
from typing import Any, ClassVar

from mteb.abstasks.aggregated_task import AbsTaskAggregate
from mteb.abstasks.task_metadata import PromptDict, TaskMetadata

from builders.recipe import TASK_NAMES
from builders.styles import STYLES
from eval_harness import registry
from eval_harness.data import Data
from eval_harness.loading import SCOPES, SET
from eval_harness.tasks import DESCRIPTIONS, ReasonAudioTask, mean_of, metadata_of

TEXT_BENCHMARK = "ReasonAudioText"
TEXT_SCOPES = (*SCOPES, SET)
"""What a query searches: the texts of its task's clips, of all clips, or of the clips of its own set."""
TEXT_PROMPT: PromptDict = {"query": "Given a description of sounds, retrieve the account of a recording that it describes."}  # type: ignore[typeddict-unknown-key]
_STYLES = {
    "sentence": "one plain sentence with the times of all events",
    "events": "a list of all events with their times",
    "story": "a paragraph that says in words what follows what, what is heard together, and for how long",
}
_SEARCHED = {
    "task": "the texts of 2,000 clips",
    "all": "the texts of all clips of the corpus, also those of the other tasks",
    SET: "the texts of the 20 clips of its own set",
}
_SUFFIX = {"task": "", "all": "-All", SET: "-Set"}


def probe_name(task: str, style: str = "", scope: str = "task") -> str:
    """The name in mteb: "ReasonAudioText-Order-Story"; without a style that of the styles' mean, "ReasonAudioText-Order"."""
    return f"{TEXT_BENCHMARK}-{task.capitalize()}{f'-{style.capitalize()}' if style else ''}{_SUFFIX[scope]}"


def _metadata(task: str, style: str, scope: str) -> TaskMetadata:
    return metadata_of(
        task,
        probe_name(task, style, scope),
        f"Text retrieval that takes reasoning, not matching alone: {DESCRIPTIONS[task]}. Each query searches "
        f"{_SEARCHED[scope]}, each an exact account of what is heard: {_STYLES[style]}. Foils hold the same sounds in "
        "another relation; relevance is decided by rule. The text side of ReasonAudio's task of the same name.",
        type="Reranking" if scope == SET else "Retrieval",
        category="t2t",
        modalities=["text"],
        task_subtypes=["Reasoning as Retrieval"],
        prompt=TEXT_PROMPT,
    )


class ReasonAudioTextTask(ReasonAudioTask):
    """What the probes share. Abstract: it has no metadata of its own."""

    style: ClassVar[str]
    """One of `builders.styles.STYLES`."""

    def _split(self, data: Data, num_proc: int | None) -> dict[str, Any]:
        from eval_harness.text_loading import load_texts

        return load_texts(data, self.task, self.style, self.scope)


def _probe(task: str, style: str, scope: str) -> type[ReasonAudioTextTask]:
    metadata = _metadata(task, style, scope)
    about = f"The task {task} over texts: {_STYLES[style]}."
    fields = {"task": task, "style": style, "scope": scope, "metadata": metadata, "__doc__": about}
    return type(metadata.name.replace("-", ""), (ReasonAudioTextTask,), fields)


TEXT_TASKS: tuple[type[ReasonAudioTextTask], ...] = tuple(
    _probe(task, style, scope) for scope, task, style in product(TEXT_SCOPES, TASK_NAMES, STYLES)
)
"""All of them: scopes, tasks, styles."""


def mean_probes() -> list[type[AbsTaskAggregate]]:
    """The aggregates: for every task and scope the mean main score of the three styles."""
    return [
        mean_of(
            [cls for cls in TEXT_TASKS if (cls.task, cls.scope) == (task, scope)],
            probe_name(task, scope=scope),
            f"The mean over the styles of text ({', '.join(STYLES)}) of {probe_name(task, '', scope)}.",
        )
        for scope, task in product(TEXT_SCOPES, TASK_NAMES)
    ]


registry.register()  # as in `eval_harness.tasks`
