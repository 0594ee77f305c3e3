"""The five tasks, and their whole-corpus variants, as mteb runs them. Metadata; `load_data` decodes with soundfile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from mteb.abstasks.aggregate_task_metadata import AggregateTaskMetadata
from mteb.abstasks.aggregated_task import AbsTaskAggregate
from mteb.abstasks.retrieval import AbsTaskRetrieval
from mteb.abstasks.task_metadata import MetadataDatasetDict, PromptDict, TaskMetadata

from eval_harness import registry
from eval_harness.data import Data
from eval_harness.published import published

BENCHMARK = "ReasonAudio"
MAIN_SCORE = "hit_rate_at_1"
SPLIT = "test"
REFERENCE = "https://arxiv.org/abs/2605.03361"
CITATION = r"""
@misc{reasonaudio,
  archiveprefix = {arXiv},
  eprint = {2605.03361},
  title = {ReasonAudio: A Benchmark for Evaluating Reasoning Beyond Matching in Text-Audio Retrieval},
  url = {https://arxiv.org/abs/2605.03361},
}
"""
PROMPT: PromptDict = {"query": "Given a description of sounds, retrieve the audio clip that it describes."}  # type: ignore[typeddict-unknown-key]
UNSET = MetadataDatasetDict(path="reasonaudio", revision="unset")
"""In the metadata until `registry.use_data` names a dataset, where none is released."""
_RELEASED = published()
DEFAULT = MetadataDatasetDict(path=_RELEASED.path, revision=_RELEASED.revision) if _RELEASED else UNSET
"""In the metadata until `registry.use_data` names a dataset."""

DESCRIPTIONS = {
    "negation": "'a dog and a bell, but no siren': two sounds are heard, and one or two named ones are not",
    "order": "'a dog, then a bell': sounds follow each other in the order that is named",
    "overlap": "'a dog and a bell at the same time': two sounds are heard together, not one after the other",
    "duration": "'a dog for longer than a bell', 'rain for at least three seconds': how long sounds last",
    "mix": "'a dog before a bell, without a siren': two of negation, order, overlap and duration in one query",
}
BENCHMARK_DESCRIPTION = (
    "Text-to-audio retrieval that takes reasoning beyond matching: negation, order, overlap, duration and their "
    "mixtures, over composite clips whose foils hold the same sounds in another relation."
)
_ALL = "-All"


def task_name(task: str, scope: str = "task") -> str:
    """The name in mteb: "ReasonAudio-Negation", or for the scope "all" "ReasonAudio-Negation-All"."""
    return f"{BENCHMARK}-{task.capitalize()}{_ALL if scope == 'all' else ''}"


def description(task: str, clips: str) -> str:
    """What a task asks; `clips` says in words what a query searches."""
    return (
        f"Text-to-audio retrieval that takes reasoning, not matching alone: {DESCRIPTIONS[task]}. Each query searches "
        f"{clips}, in which foils hold the same sounds in another relation; relevance is decided by rule from the clips' "
        "timelines."
    )


OF_AUDIO: Mapping[str, Any] = {
    "type": "Any2AnyRetrieval",
    "category": "t2a",
    "modalities": ["text", "audio"],
    "task_subtypes": ["Reasoning as Retrieval", "Environment Sound Retrieval"],
    "prompt": PROMPT,
}
"""Fields of the metadata of tasks whose queries search audio."""


def metadata_of(task: str, name: str, description: str, **fields: Any) -> TaskMetadata:
    """mteb's metadata of a task, with what all of the benchmark share; `fields` are its type, category, modalities, ..."""
    shared: dict[str, Any] = {
        "reference": REFERENCE,
        "dataset": DEFAULT,
        "eval_splits": [SPLIT],
        "eval_langs": {task: ["eng-Latn"]},
        "main_score": MAIN_SCORE,
        "date": ("2026-01-01", "2026-12-31"),
        "domains": ["AudioScene", "Constructed"],
        "license": "cc0-1.0",
        "annotations_creators": "algorithmic",
        "dialect": [],
        "sample_creation": "created",
        "bibtex_citation": CITATION,
    }
    return TaskMetadata(name=name, description=description, **(shared | fields))


def _metadata(task: str, scope: str) -> TaskMetadata:
    clips = "all clips of the corpus, also those of the other tasks" if scope == "all" else "2,000 composite clips of 10 s"
    return metadata_of(
        task,
        task_name(task, scope),
        f"{description(task, clips)} An independent re-creation of the benchmark of the paper.",
        **OF_AUDIO,
    )


class ReasonAudioTask(AbsTaskRetrieval):
    """What the tasks share. Abstract: it has no metadata of its own."""

    task: ClassVar[str]
    """As the dataset calls it: "negation"."""
    scope: ClassVar[str] = "task"
    source: ClassVar[Any] = registry
    """The module that knows the dataset in use: its `current`, `data` and `use_environment`."""
    _data: Data | None = None

    def __init__(self, **settings: Any) -> None:
        self.source.use_environment()
        super().__init__(**settings)

    @property
    def data_loaded(self) -> bool:
        """Whether the dataset that is now in use has been loaded."""
        return self._data is not None and self._data == self.source.current()

    @data_loaded.setter
    def data_loaded(self, loaded: bool) -> None:
        self._data = self.source.data() if loaded else None

    def load_data(self, num_proc: int | None = None, **settings: Any) -> None:
        """Loads clips, queries and qrels of the dataset in use (`registry.use_data`). Raises ReasonAudioError."""
        if not self.data_loaded:
            split = self._split(self.source.data(), num_proc)
            self.dataset = {self.task: {SPLIT: split}}  # type: ignore[dict-item]  # mteb's own TypedDict
            self.data_loaded = True

    def _split(self, data: Data, num_proc: int | None) -> dict[str, Any]:
        from eval_harness.loading import load_split

        return load_split(data, self.task, self.scope, num_proc)


class ReasonAudioNegation(ReasonAudioTask):
    """Named sounds are absent."""

    task = "negation"
    metadata = _metadata("negation", "task")


class ReasonAudioOrder(ReasonAudioTask):
    """Which sound comes first."""

    task = "order"
    metadata = _metadata("order", "task")


class ReasonAudioOverlap(ReasonAudioTask):
    """Which sounds are heard together."""

    task = "overlap"
    metadata = _metadata("overlap", "task")


class ReasonAudioDuration(ReasonAudioTask):
    """How long sounds last."""

    task = "duration"
    metadata = _metadata("duration", "task")


class ReasonAudioMix(ReasonAudioTask):
    """Two of the four at once."""

    task = "mix"
    metadata = _metadata("mix", "task")


TASKS: tuple[type[ReasonAudioTask], ...] = (
    ReasonAudioNegation,
    ReasonAudioOrder,
    ReasonAudioOverlap,
    ReasonAudioDuration,
    ReasonAudioMix,
)
"""The five tasks of the benchmark."""


def _over_the_whole_corpus(cls: type[ReasonAudioTask]) -> type[ReasonAudioTask]:
    fields = {"scope": "all", "metadata": _metadata(cls.task, "all"), "__doc__": f"{cls.__doc__} Queries search all clips."}
    return type(f"{cls.__name__}All", (cls,), fields)


TASKS_ALL: tuple[type[ReasonAudioTask], ...] = tuple(map(_over_the_whole_corpus, TASKS))
"""The same queries searching the whole corpus, as in the paper."""


def mean_task() -> type[AbsTaskAggregate]:
    """The aggregate: the mean main score of the five tasks."""
    return mean_of(TASKS, BENCHMARK, "The mean of the five ReasonAudio tasks: Negation, Order, Overlap, Duration, Mix.")


def mean_of(tasks: Sequence[type[ReasonAudioTask]], name: str, description: str) -> type[AbsTaskAggregate]:
    """An aggregate: the mean main score of tasks of one type."""
    metadata = AggregateTaskMetadata(
        name=name,
        description=description,
        reference=REFERENCE,
        tasks=[cls() for cls in tasks],
        main_score=MAIN_SCORE,
        type=tasks[0].metadata.type,
        eval_splits=[SPLIT],
        bibtex_citation=CITATION,
    )
    return type(name.replace("-", ""), (AbsTaskAggregate,), {"metadata": metadata, "__doc__": description})


registry.register()  # where this module is imported before mteb, mteb's import finds it unfinished
