"""What the results repository asks of results, one function a rule. Nothing here writes.

The rules are those of the repository's own tests (embeddings-benchmark/results), and those without which a result, though
merged, would not be on the leaderboard.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

from builders.errors import EvaluationError
from eval_harness.running import NO_REVISION
from eval_harness.submission.gather import META, SETTINGS, ModelResults, as_folder, plain
from eval_harness.submission.known import COMMIT, Demands
from eval_harness.submission.loading import covered
from eval_harness.submission.names import OWN_NAMES
from eval_harness.submission.scores import part_problem, partial_problem

_LONGEST = 4000
"""Characters of a line."""
OLDEST = (2, 0, 0)
"""The first mteb whose results are taken."""
_ELSEWHERE = {
    "reasonaudio/": (
        "is a system of this package, and the leaderboard is of mteb's models",
        "leave it out: -m names those to submit",
    ),
    "local/": (
        "was run from a folder, so that nobody else can",
        "publish the model, add it to mteb's models and run it by its name",
    ),
}
"""Names of models that are not mteb's -> what is said of them."""
_NOT_REVISIONS = (NO_REVISION, "external")


@dataclass(frozen=True)
class Missing:
    """What keeps results from being submitted.

    Attributes:
        model: MODEL@REVISION; "" where it is the matter of no single model.
        rule: one word: what it is about.
        what: what is wrong.
        way_out: what to do about it.
        tasks: which results it keeps out; all of the model if empty.
        final: whether nothing else matters, as these results will never do.
    """

    model: str
    rule: str
    what: str
    way_out: str
    tasks: tuple[str, ...] = ()
    final: bool = False

    def line(self, results: Sequence[str] = ()) -> str:
        """In one line. `results` are all that the model has: they are not named where it is about every one."""
        tasks = ["all results"] if len(self.tasks) > 1 and set(self.tasks) == set(results) else self.tasks
        subject = ", ".join((*filter(None, [self.model]), *tasks))
        said = f"{self.what}; {self.way_out}"
        return plain(f"{subject}: {said}" if subject else said, _LONGEST)


@dataclass(frozen=True)
class Context:
    """What a rule may look at besides the model.

    Attributes:
        demands: what is asked.
        models: all models that were found.
    """

    demands: Demands
    models: Sequence[ModelResults]

    @cached_property
    def revisions(self) -> Mapping[str, int]:
        """Commits of datasets that results say they are of -> how many results."""
        count: dict[str, int] = {}
        for model in self.models:
            for loaded in model.results.values():
                if loaded.value is not None and COMMIT.fullmatch(loaded.value.dataset_revision):
                    count[loaded.value.dataset_revision] = count.get(loaded.value.dataset_revision, 0) + 1
        return dict(sorted(count.items()))


Rule: TypeAlias = Callable[[ModelResults, Context], Iterator[Missing]]


@dataclass(frozen=True)
class Checked:
    """A model after all rules.

    Attributes:
        model: what was found.
        fit: the tasks whose results can be submitted, in the order asked for.
        missing: all that is wrong.
    """

    model: ModelResults
    fit: tuple[str, ...]
    missing: tuple[Missing, ...]


def check(models: Sequence[ModelResults], demands: Demands) -> list[Checked]:
    """Every model against every rule."""
    context = Context(demands, models)
    return [_check(model, context) for model in models]


def _check(model: ModelResults, context: Context) -> Checked:
    missing = joined([one for rule in RULES for one in rule(model, context)])
    missing = tuple(one for one in missing if one.final) or missing
    blocked = {task for one in missing for task in one.tasks}
    whole = any(not one.tasks for one in missing)
    known = context.demands.known
    fit = (
        ()
        if whole
        else tuple(task for task in context.demands.tasks if task in known and task in model.results and task not in blocked)
    )
    return Checked(model, fit, missing)


def joined(missing: Sequence[Missing]) -> tuple[Missing, ...]:
    """The same with one entry where several differ in nothing but the task."""
    tasks: dict[tuple[Missing, bool], list[str]] = {}
    for one in missing:
        tasks.setdefault((replace(one, tasks=()), bool(one.tasks)), []).extend(one.tasks)
    return tuple(replace(one, tasks=tuple(dict.fromkeys(found))) for (one, _), found in tasks.items())


# --- the model --------------------------------------------------------------------------------------------------------


def meta(model: ModelResults, context: Context) -> Iterator[Missing]:
    """model_meta.json is there, loads, and names the folder that it lies in."""
    found = model.files.get(META, ())
    again = "run the model again into the same folder: mteb writes it"
    if not found:
        yield Missing(model.label, "meta", f"there is no {META}", again)
    elif len(found) > 1:
        yield _differing(model, META, ())
    elif found[0].problem:
        yield Missing(model.label, "meta", f"{META} {found[0].problem}", again)
    elif model.meta.error:
        yield Missing(model.label, "meta", f"{META} {model.meta.error}", again)
    else:
        name, recorded = as_folder(model.meta.name), model.meta.value.revision
        if name != model.folder or recorded not in (model.revision, None):
            yield Missing(
                model.label,
                "meta",
                f"{META} is of {plain(name)}/{plain(str(recorded))}, and lies in {model.folder}/{model.revision}",
                "put the results back where mteb wrote them: results/<org>__<model>/<revision>",
            )


def implemented(model: ModelResults, context: Context) -> Iterator[Missing]:
    """The model is implemented in mteb itself."""
    if model.name in context.demands.models:
        return
    what, way_out = next(
        (said for beginning, said in _ELSEWHERE.items() if model.name.startswith(beginning)),
        (f"is not implemented in mteb {context.demands.version}", "add it to mteb's models, or use the mteb that has it"),
    )
    yield Missing(model.label, "model", what, way_out, final=model.name.startswith(tuple(_ELSEWHERE)))


def revision(model: ModelResults, context: Context) -> Iterator[Missing]:
    """The revision of the model is given."""
    recorded = model.meta.value.revision if model.meta.value is not None else model.revision
    if model.revision in _NOT_REVISIONS or recorded is None or not str(recorded).strip():
        yield Missing(
            model.label,
            "revision",
            "the model's revision is not recorded",
            "run it by a name whose record in mteb has a revision",
        )


def experiment(model: ModelResults, context: Context) -> Iterator[Missing]:
    """The model was run with its own settings."""
    settings = (model.meta.fields or {}).get("experiment_kwargs")
    if settings:
        yield Missing(
            model.label,
            "experiment",
            f"was run with settings of an experiment ({plain(str(settings))})",
            "run it without them, as without --dtype",
        )


# --- each result ------------------------------------------------------------------------------------------------------


def loads(model: ModelResults, context: Context) -> Iterator[Missing]:
    """Every file can be read and loads as mteb's TaskResult; two folders do not disagree."""
    for task in model.tasks:
        found = model.files[f"{task}.json"]
        if len(found) > 1:
            yield _differing(model, f"{task}.json", (task,))
            continue
        problem = found[0].problem or model.results[task].error
        if problem:
            yield Missing(
                model.label, "file", f"{plain(found[0].path.name)} {problem}", "remove it and run the task again", (task,)
            )


def file_name(model: ModelResults, context: Context) -> Iterator[Missing]:
    """The file is named after its task."""
    for task, loaded in model.results.items():
        if loaded.value is not None and loaded.value.task_name != task:
            file = model.files[f"{task}.json"][0].path
            yield Missing(
                model.label,
                "name",
                f"{plain(file.name)} is a result of {plain(loaded.value.task_name)}",
                "give it back the name that mteb gave it, the task's",
                (task,),
            )


def version(model: ModelResults, context: Context) -> Iterator[Missing]:
    """It was made by an mteb that is new enough, in all its parts."""
    for task, loaded in model.results.items():
        if loaded.value is None:
            continue
        scores = [entry for entries in loaded.value.scores.values() for entry in entries]
        told = [loaded.value.mteb_version, *(entry.get("mteb_version") for entry in scores)]
        old = [one for one in told if (number := parsed(one)) is None or number < OLDEST]
        if old:
            yield Missing(
                model.label,
                "version",
                f"mteb_version is {plain(str(old[0]))}, and {'.'.join(map(str, OLDEST))} or newer is asked for",
                "run it again with a newer mteb",
                (task,),
            )


def settings(model: ModelResults, context: Context) -> Iterator[Missing]:
    """run_settings.jsonl tells how each task, split and subset was run."""
    again = "run the tasks again with mteb.evaluate, `mteb run` or `reasonaudio run`, which write it"
    found = model.files.get(SETTINGS, ())
    there: set[tuple[str, str, str]] = set()
    for file in found:
        try:
            if file.problem:
                raise EvaluationError(file.problem)
            there.update(covered(file.content))
        except EvaluationError as error:
            yield Missing(model.label, "settings", f"{SETTINGS} {error}", again)
            return
    for task, loaded in model.results.items():
        if loaded.value is None:
            continue
        parts = [(split, str(entry["hf_subset"])) for split, entries in loaded.value.scores.items() for entry in entries]
        lacking = [f"{split}/{subset}" for split, subset in parts if (loaded.value.task_name, split, subset) not in there]
        if not found:
            yield Missing(model.label, "settings", f"there is no {SETTINGS}", again, (task,))
        elif lacking:
            yield Missing(model.label, "settings", f"{SETTINGS} lacks {plain(', '.join(lacking))}", again, (task,))


def dataset(model: ModelResults, context: Context) -> Iterator[Missing]:
    """It is of the published dataset, at the commit that mteb's task has; and all results are."""
    demands = context.demands
    for task, loaded in model.results.items():
        if loaded.value is None:
            continue
        found = loaded.value.dataset_revision
        wanted = demands.published.commit if demands.published else ""
        source = "--data names"
        if task in demands.known:
            (_, wanted), source = demands.known[task].dataset, "mteb's task has"
        if not COMMIT.fullmatch(found):
            local = len(found) == 64
            yield Missing(
                model.label,
                "dataset",
                f"was run on {'a local folder, not the published dataset' if local else 'no commit of the published dataset'} "
                f"(revision {found[:12] or 'empty'})",
                "publish the data (`reasonaudio push`) and run it again with --data ORG/NAME@SHA",
                (task,),
            )
        elif wanted and found != wanted:
            yield Missing(
                model.label, "dataset", f"was run on revision {found[:12]}, and {source} {wanted[:12]}", "run it on that", (task,)
            )
        elif not wanted and len(context.revisions) > 1:
            several = ", ".join(f"{one[:12]} ({count} results)" for one, count in context.revisions.items())
            yield Missing(
                model.label,
                "dataset",
                f"was run on revision {found[:12]}, and the results are of several: {several}",
                "say with --data ORG/NAME@SHA which is the published one",
                (task,),
            )


def scores(model: ModelResults, context: Context) -> Iterator[Missing]:
    """There are scores, and they are what scores can be."""
    again = "remove it and run the task again"
    for task, loaded in model.results.items():
        if loaded.value is None:
            continue
        known = context.demands.known.get(task)
        parts = {(split, str(entry["hf_subset"])): entry for split, entries in loaded.value.scores.items() for entry in entries}
        if not parts:
            yield Missing(model.label, "scores", "holds no scores", again, (task,))
        for (split, subset), entry in parts.items():
            problem = part_problem(entry, known.main_score if known else "")
            problem = problem or (partial_problem(entry, known.queries) if known and known.queries else "")
            if problem:
                yield Missing(model.label, "scores", f"{plain(f'{split}/{subset}')}: {problem}", again, (task,))
        lacking = sorted(known.parts - parts.keys()) if known else []
        if lacking:
            names = plain(", ".join("/".join(one) for one in lacking))
            yield Missing(model.label, "parts", f"not all of the task was run: {names} is missing", "run the whole task", (task,))


# --- all results ------------------------------------------------------------------------------------------------------


def all_tasks(model: ModelResults, context: Context) -> Iterator[Missing]:
    """There are results of all tasks."""
    own = {OWN_NAMES[task] for task in model.tasks if task in OWN_NAMES}
    there = {task for task, found in model.results.items() if found.value is not None} | set(model.tasks)
    lacking = [task for task in context.demands.tasks if task not in there | own]
    if lacking:
        known = [task for task in lacking if task in context.demands.known]
        way_out = f"run `mteb run -m {model.name} -t {' '.join(lacking)}`" if known == lacking else "run them, once mteb has them"
        yield Missing(model.label, "tasks", "there is no result", way_out, tuple(lacking))


def one_revision(model: ModelResults, context: Context) -> Iterator[Missing]:
    """No task has results of two revisions of a model."""
    for other in context.models:
        if other.folder == model.folder and other.revision != model.revision:
            both = tuple(task for task in model.tasks if task in other.tasks)
            if both:
                yield Missing(
                    model.label,
                    "revisions",
                    f"there are results of revision {plain(other.revision)}, too, and the repository takes one a task",
                    f"choose: -m {model.label}",
                    both,
                )


RULES: tuple[Rule, ...] = (
    implemented, meta, revision, experiment, loads, file_name, version, settings, dataset, scores, all_tasks, one_revision,
)  # fmt: skip
"""All rules that are of one model; `general` has the others."""


def general(models: Sequence[ModelResults], demands: Demands) -> tuple[Missing, ...]:
    """What no model can help: mteb lacks tasks, so that their results cannot be merged, nor those under names of our own."""
    lacking = tuple(task for task in demands.tasks if task not in demands.known)
    own = [task for task in OWN_NAMES if any(task in model.tasks for model in models)]
    named = f"results named {', '.join(own)} are of this package's tasks, and a result is never renamed" if own else ""
    if lacking:
        what = (
            f"mteb {demands.version} does not have the tasks {', '.join(lacking)} yet, so that no results of them can be merged"
        )
        way_out = "`reasonaudio upstream OUT` writes the pull request that brings them; run the models under those names then"
        return (Missing("", "mteb", f"{what}; {named}" if named else what, way_out),)
    if own:
        names = ", ".join(OWN_NAMES[task] for task in own)
        return (Missing("", "mteb", named, f"run the models again on {names}"),)
    return ()


def anything(models: Sequence[ModelResults], demands: Demands) -> tuple[Missing, ...]:
    """There are results of the tasks at all."""
    way_out = f"run `mteb run -m MODEL -t {' '.join(demands.tasks)}`"
    return () if models else (Missing("", "tasks", "there are no results of the benchmark's tasks", way_out),)


def parsed(told: str | None) -> tuple[int, int, int] | None:
    """The numbers of a version, of the older one where it is a range ("2.12.16-2.15.4"); None where it is none."""
    found = re.match(r"(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?", told or "")
    return (int(found[1]), int(found[2]), int(found[3] or 0)) if found else None


def _differing(model: ModelResults, name: str, tasks: tuple[str, ...]) -> Missing:
    paths = " and ".join(plain(found.path.parent) for found in model.files[name])
    what = "results differ" if tasks else f"{META} differs"
    return Missing(model.label, "duplicate", f"{what} between {paths}", "give the folder of the right one only", tasks)
