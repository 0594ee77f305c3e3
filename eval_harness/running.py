"""Models on tasks: each clip embedded once, results in mteb's layout, rankings and scores beside them, resumable."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from builders.errors import EvaluationError
from builders.files import write_whole
from builders.recipe import TASK_NAMES
from eval_harness import registry
from eval_harness.data import Data, open_data
from eval_harness.devices import check_device
from eval_harness.embedding import Embedder, EmbedSettings
from eval_harness.embedding_cache import EmbeddingStore
from eval_harness.listening.running import is_human, run_human
from eval_harness.loading import LISTENED, SCOPES, SET
from eval_harness.models import DTYPES, Place, check_modalities, find
from eval_harness.progress import Report, Shown, unseen
from eval_harness.rankings import Origin, Rankings
from eval_harness.results_folder import ResultsFolder
from eval_harness.scores import TaskScores, mean_scores
from eval_harness.wanted import Wanted, wanted

NO_REVISION = "no_revision_available"
"""mteb's word for it, also as the name of a folder."""


@dataclass(frozen=True)
class RunSettings:
    """How models are run.

    Attributes:
        scope: "task": a query searches its task's clips; "all": all clips of the corpus; "set": of text probes, the query's own
            set; "listened": of people, what they heard. None is "task"; for judges, which look at every pair, "set"; for people
            "listened".
        device: "cpu", "cuda", ...; None leaves the choice to the model.
        dtype: "float32", "float16", "bfloat16", for loaders that take one; None is the loader's own.
        embedding: batch size, workers.
        tagger: the tagger's model file, for pipelines.
        ontology: AudioSet's ontology.json, likewise.
    """

    scope: str | None = None
    device: str | None = None
    dtype: str | None = None
    embedding: EmbedSettings = field(default_factory=EmbedSettings)
    tagger: Path | None = None
    ontology: Path | None = None

    def __post_init__(self) -> None:
        if self.scope not in (None, *SCOPES, SET, LISTENED):
            raise EvaluationError(f"scope {self.scope!r}: give task or all, or set for probes in text")
        if self.dtype is not None and self.dtype not in DTYPES:
            raise EvaluationError(f"dtype {self.dtype!r}: give {', '.join(DTYPES[:-1])} or {DTYPES[-1]}")
        for name, least in (("batch_size", 1), ("num_workers", 0), ("shard_clips", 0)):
            if getattr(self.embedding, name) < least:
                raise EvaluationError(f"{name}: at least {least}, got {getattr(self.embedding, name)}")


@dataclass(frozen=True)
class ModelRun:
    """What one model got.

    Attributes:
        model: its name, as mteb has it.
        revision: of the model.
        scope: which clips were searched.
        tasks: task -> scores.
        probes: style -> task -> scores, of probes in text.
        embedded: clips and texts that were embedded in this run, or pairs judged; those kept from an earlier one are not counted.
        results: the folder with mteb's results of the model.
        rankings: the folder with its rankings.
    """

    model: str
    revision: str
    scope: str
    tasks: Mapping[str, TaskScores]
    embedded: int
    results: Path
    rankings: Path
    probes: Mapping[str, Mapping[str, TaskScores]] = field(default_factory=dict)

    @property
    def mean(self) -> Mapping[str, float] | None:
        """Mean of the five tasks by name of the score; None where not all five were run."""
        return mean_scores(self.tasks.values()) if set(self.tasks) == set(TASK_NAMES) else None


def run(
    model: Any,
    tasks: Sequence[str] | str | None = None,
    *,
    data: str | Path | Data | None = None,
    out: str | Path = "results",
    settings: RunSettings = RunSettings(),
    shown: Shown = unseen,
    note: Callable[[str], None] = lambda text: None,
    **fields: Any,
) -> ModelRun:
    """Runs one model on tasks; goes on where an earlier run was interrupted.

    Args:
        model: any model of mteb by name, a folder, a system ("reasonaudio/oracle"), a pipeline ("yamnet+minilm"), a judge
            ("judge:FOLDER"), people ("human:FILE,FILE", files of answers of `reasonaudio listen`), or an object.
        tasks: "ReasonAudio-Order" or "order", ...; None is all five. "ReasonAudioText-Order-Story", ... are probes in text.
        data: a dataset folder, ORG/NAME, or official:FOLDER; None is the dataset in use (`registry.use_data`, REASONAUDIO_DATA).
        out: folder of results, for one dataset; many models.
        settings: how models are run.
        shown: opens progress bars.
        note: is told what is worth knowing.
        **fields: of `settings`, for short: scope="all", device="cuda", batch_size=8, num_workers=2.

    Raises:
        EvaluationError: the model, a task or a setting cannot be used; its message is one line. What was computed is kept.
        DatasetFolderError: the dataset is missing, unfinished or damaged.
    """
    settings = _with(settings, fields)
    opened = _opened(data, shown)
    chosen = wanted(tasks, opened)
    if is_human(model):
        if chosen.probes or settings.scope not in (None, LISTENED):
            what = "probes in text" if chosen.probes else f"scope {settings.scope!r}"
            raise EvaluationError(f"{model}: people were asked some queries with some clips, not {what}; leave it out")
        return run_human(str(model), opened, chosen.tasks if tasks is not None else None, out, note)
    if settings.scope == LISTENED:
        raise EvaluationError(
            f"scope {LISTENED!r} is of people (-m human:FILE); models are compared with them in `reasonaudio report`"
        )
    if settings.scope == SET and chosen.tasks:
        raise EvaluationError(
            "scope 'set' is for probes in text (-t ReasonAudioText); of clips, every run tells the accuracy in the set as in_set"
        )
    if settings.scope not in (None, SET, *opened.scopes):
        raise EvaluationError(f"scope {settings.scope!r}: on {opened.path} give {' or '.join(opened.scopes)}, or leave it out")
    _verify(opened, shown)
    check_device(settings.device)
    folder = ResultsFolder.open(out, opened)
    place = Place(
        settings.device,
        settings.dtype,
        folder.path / "descriptions",
        settings.tagger,
        settings.ontology,
        folder.path / "judgements",
        audio=bool(chosen.tasks),
        text=bool(chosen.probes),
    )
    found = find(model, opened, place)
    settings = replace(settings, scope=settings.scope or found.scope)
    return _Run(found, opened, folder, settings, chosen, shown, note).all()


def _with(settings: RunSettings, fields: Mapping[str, Any]) -> RunSettings:
    of_embedding = {name: value for name, value in fields.items() if name in EmbedSettings.__slots__}
    others = {name: value for name, value in fields.items() if name not in of_embedding}
    try:
        return replace(settings, embedding=replace(settings.embedding, **of_embedding), **others)
    except TypeError:
        known = [*EmbedSettings.__slots__, *(name for name in asdict(settings) if name != "embedding")]
        wrong = next(name for name in others if name not in known)
        raise EvaluationError(f"run: there is no setting {wrong!r}; there are {', '.join(sorted(known))}") from None


def _opened(data: str | Path | Data | None, shown: Shown) -> Data:
    if data is None:
        return registry.data()
    return (data if isinstance(data, Data) else open_data(data, shown=shown)).put_to_use()


_verified: set[tuple[str, str]] = set()


def _verify(data: Data, shown: Shown) -> None:
    """Compares every file with the manifest, once in a process. Raises DatasetFolderError."""
    key = (data.path, data.content_hash)
    if key not in _verified:
        with shown("checksums, MB") as report:
            data.verify(report)
        _verified.add(key)


class _Run:
    """One model on one dataset."""

    def __init__(
        self,
        found: Any,
        data: Data,
        folder: ResultsFolder,
        settings: RunSettings,
        chosen: Wanted,
        shown: Shown,
        note: Callable[[str], None],
    ) -> None:
        self._found = found
        self._chosen = chosen
        self._data = data
        self._folder = folder
        self._settings = settings
        self._scope = settings.scope or "task"
        self._shown = shown
        self._note = note
        self._model: Any = None
        self._meta = found.meta
        self._embedded = 0
        self._bar: Report = lambda done, total: None

    def all(self) -> ModelRun:
        """All that is wanted, one after the other."""
        tasks = {task: self._one(task) for task in self._chosen.tasks}
        probes: dict[str, dict[str, TaskScores]] = {}
        for style, task in self._chosen.probes:
            probes.setdefault(style, {})[task] = self._one(task, style)
        meta = self._known_meta()
        return ModelRun(
            meta.name,
            meta.revision,
            self._scope,
            tasks,
            self._embedded,
            self._folder.of_model("results", meta, ""),
            self._folder.of_model("rankings", meta, ""),
            probes,
        )

    def _one(self, task: str, style: str = "") -> TaskScores:
        import mteb

        from eval_harness.text_tasks import probe_name

        name = probe_name(task, style, self._scope) if style else self._data.task_name(task, self._scope)
        kept = self._kept(name)
        if kept is None:
            self._load()
            with self._shown(name) as self._bar:
                mteb.evaluate(
                    self._search(task, style),
                    mteb.get_task(name),
                    cache=mteb.ResultCache(self._folder.path),
                    overwrite_strategy="always",
                    encode_kwargs={"batch_size": self._settings.embedding.batch_size},
                    co2_tracker=False,
                    show_progress_bar=False,
                )
            kept = Rankings.read(self._ranking(name))
        scores = self._data.score(kept, task, self._scope)
        content = {"model": self._meta.name, "revision": self._meta.revision, **({"style": style} if style else {})}
        file = self._folder.of_model("scores", self._meta, f"{name}.json")
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, (json.dumps(content | scores.to_json(), indent=2) + "\n").encode())
        return scores

    # --- what is there already ------------------------------------------------------------------------------------

    def _kept(self, name: str) -> Rankings | None:
        """The rankings of an earlier run, if that is finished and of the same model."""
        import mteb

        meta = self._known_meta()
        if not _has_revision(meta):
            return None
        result = mteb.ResultCache(self._folder.path).load_task_result(name, meta)
        if result is None or result.dataset_revision != self._data.revision or not self._ranking(name).is_file():
            return None
        found = Rankings.read(self._ranking(name))
        if found.origin.dataset != self._data.content_hash:
            return None
        self._note(f"{name}: done before, in {self._folder.path}")
        return found

    def _ranking(self, name: str) -> Path:
        return self._folder.of_model("rankings", self._meta, f"{name}.parquet")

    # --- running --------------------------------------------------------------------------------------------------

    def _known_meta(self) -> Any:
        """mteb's record of the model; some must be loaded for it."""
        if self._meta is None:
            self._load()
        return self._meta

    def _load(self) -> Any:
        if self._model is None:
            from eval_harness import doctor
            from eval_harness.systems.judges.base import JudgeSearch

            with self._shown("checking libraries"):
                doctor.require(*self._found.needs)
            with self._shown(f"loading {self._found.name}"):
                self._model = self._found.load()

            for text in getattr(self._model, "notes", lambda data: [])(self._data):  # of what it was trained on
                self._note(text)
            self._meta = self._model.mteb_model_meta
            check_modalities(self._meta, bool(self._chosen.tasks), self._found.name)
            if isinstance(self._model, JudgeSearch):
                self._model.report = self._progress
            if not _has_revision(self._meta):
                self._meta = self._meta.model_copy(update={"revision": NO_REVISION})
                self._note(f"{self._meta.name} has no revision, so that nothing of an earlier run can be taken for it")
        return self._model

    def _search(self, task: str, style: str) -> Any:
        from eval_harness.search import RecordedSearch

        def keep(metadata: Any, found: Rankings) -> None:
            self._keep(task, style, metadata, found)

        return RecordedSearch(self._model, self._meta, self._data, self._embedder, keep)

    @cached_property
    def _embedder(self) -> Embedder | None:
        """None for a model that does not embed."""
        from mteb.models import EncoderProtocol, SearchProtocol

        if isinstance(self._model, SearchProtocol) or not isinstance(self._model, EncoderProtocol):
            return None
        store = EmbeddingStore(self._folder.path / "embeddings", self._key())
        if not _has_revision(self._meta):
            store.clear()
        return Embedder(self._model, store, self._settings.embedding, self._progress)

    def _key(self) -> dict[str, str]:
        """All that embeddings depend on besides the id."""
        prompts = getattr(self._model, "model_prompts", None)
        return {
            "model": str(self._meta.name),
            "revision": str(self._meta.revision),
            "experiment": str(self._meta.experiment_name),
            "loader": json.dumps(dict(self._meta.loader_kwargs), sort_keys=True, default=str),
            "prompts": json.dumps(prompts, sort_keys=True, default=str),
            "dataset": self._data.content_hash,
        }

    def _progress(self, done: int, total: int) -> None:
        self._bar(done, total)
        self._embedded += total if done == total else 0

    def _keep(self, task: str, style: str, metadata: Any, found: Rankings) -> None:
        meta = self._meta
        origin = Origin(
            f"text/{task}" if style else task, self._scope, str(meta.name), str(meta.revision), self._data.content_hash, style
        )
        file = self._ranking(metadata.name)
        file.parent.mkdir(parents=True, exist_ok=True)
        replace(found, origin=origin).write(file)


def _has_revision(meta: Any) -> bool:
    return bool(meta.revision) and meta.revision != NO_REVISION
