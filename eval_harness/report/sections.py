"""What a report says, in its order: sections of texts, figures and tables, for the pages and for Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from builders.recipe import TASK_NAMES
from eval_harness.analysis.comparisons import MEAN
from eval_harness.analysis.intervals import Interval
from eval_harness.report.content import Part, Section, Sketch
from eval_harness.report.differences import pairs_table, power_table, tasks_table, verdicts
from eval_harness.report.figures import accuracy_figure, confusion_figure, foil_figure, task_figure
from eval_harness.report.foil_tables import analysed, confusion_of, confusion_table, foil_table, shares_of, worse_than_chance
from eval_harness.report.gather import Findings
from eval_harness.report.leaderboard import MEANINGS, SCOPES, by_task, forms, leaderboard, measures
from eval_harness.report.values import limits, percent
from eval_harness.scores import MAIN_SCORE


def index_sections(findings: Findings) -> tuple[Section, ...]:
    """The sections of the first page."""
    return (*_of_scores(findings), *_of_foils(findings), *_of_differences(findings))


def task_sections(findings: Findings, task: str) -> tuple[Section, ...]:
    """The sections of a task's page that stand before its examples."""
    scope = findings.main_scope
    sketch = Sketch(
        f"accuracy-{task}",
        f"Accuracy on {task.capitalize()} with 95 % intervals; hatched: the scale. {SCOPES[scope]}.",
        f"Bar chart of accuracy on {task}: " + _listed((one.name, one.score(task)) for one in findings.scopes[scope]),
        partial(task_figure, findings, task, scope),
    )
    part = Part(
        texts=(f"{MEANINGS[MAIN_SCORE][0]}: {MEANINGS[MAIN_SCORE][1]}.",),
        figures=(sketch,),
        tables=(forms(findings, task, scope),),
        open=True,
    )
    sections = [Section("scores", "Accuracy", parts=(part,))]
    if any(one.task == task for one in findings.pairs):
        sections.append(
            Section("differences", "Which differences are more than chance", parts=(Part(tables=(pairs_table(findings, task),)),))
        )
    return tuple(sections)


def _of_scores(findings: Findings) -> Iterable[Section]:
    parts = []
    for scope in findings.scopes:
        board = leaderboard(findings, scope)
        parts.append(Part(f"{SCOPES[scope]}" if len(findings.scopes) > 1 else "", tables=(board,)))
    yield Section("leaderboard", "Leaderboard", (*_headlines(findings), *_reading(findings)), tuple(parts))
    figures = [
        Part(
            figures=(
                Sketch(
                    f"accuracy-{scope}",
                    f"Accuracy by task with 95 % intervals; hatched: the scale; the oracle (100 %) is left out. {SCOPES[scope]}.",
                    "Bar charts of accuracy, one panel a task and one for the average, with the numbers of the table above.",
                    partial(accuracy_figure, findings, scope),
                ),
            )
        )
        for scope in findings.scopes
    ]
    yield Section("accuracy", "Accuracy by task", parts=tuple(figures))
    scope = findings.main_scope
    yield Section(
        "relation",
        "Right about the relation",
        (
            "A model that only matches sounds can find the right set, not the right clip in it: all clips of a set hold "
            "much the same sounds, and its two queries ask for opposite ones.",
        ),
        (
            Part(
                "Inside the set",
                (f"{_sentence('in_set')} A random order gives what the last line says.",),
                tables=(by_task(findings, scope, "in_set", "in-set", lambda chance: chance.in_set),),
            ),
            Part(
                "Both twins right",
                (_sentence("twins"),),
                tables=(by_task(findings, scope, "twins", "twins", lambda chance: chance.twins),),
            ),
        ),
    )
    if any(one.mean for one in findings.scopes[scope]):
        texts = tuple(_sentence(name) for name in MEANINGS)
        yield Section("measures", "All measures", (), (Part(texts=texts, tables=(measures(findings, scope),)),))


def _of_foils(findings: Findings) -> Iterable[Section]:
    """What misleads the models, and what they put first."""
    entries = analysed(findings)
    texts = (
        "A foil is a clip of the query's set that is not relevant; its kind names what it misses. Of each pair of a "
        "relevant clip and a foil it is counted whether the relevant one ranks first: a coin gets 50 %. Below that a "
        "model is misled, and not only blind.",
        *worse_than_chance(findings),
    )
    parts = []
    for task in findings.tasks:
        shares = [(one, shares_of(one, task)) for one in entries if task in one.tasks]
        if not any(found for _, found in shares):
            continue
        sketch = Sketch(
            f"foils-{task}",
            f"{task.capitalize()}: pairs ranked the right way round, by kind of foil, with 95 % intervals and the 50 % of "
            "a coin.",
            f"Dots with intervals on {task}, one panel a kind of foil, with the numbers of the table that follows.",
            partial(foil_figure, shares, task),
        )
        parts.append(Part(task.capitalize(), figures=(sketch,), tables=(foil_table(findings, task),)))
    if parts:
        yield Section("foils", "What misleads the models", texts, tuple(parts))
    parts = []
    for task in (task for task in findings.tasks if any(confusion_of(one, task) for one in entries)):
        sketch = Sketch(
            f"first-{task}",
            f"{task.capitalize()}: what stands first.",
            f"Stacked bars of what each model puts first on {task}, with the numbers of the table that follows.",
            partial(confusion_figure, findings, task),
        )
        parts.append(Part(task.capitalize(), figures=(sketch,), tables=(confusion_table(findings, task),)))
    if parts:
        told = "For every query the clip that a model puts first: relevant, a foil of the set by kind, or a clip of another set."
        yield Section("first", "What stands first", (told,), tuple(parts))


def _of_differences(findings: Findings) -> Iterable[Section]:
    """Tests and power."""
    if not findings.pairs:
        return
    parts = []
    if any(one.task == MEAN for one in findings.pairs):
        parts.append(Part("Models", (verdicts(findings.pairs),), tables=(pairs_table(findings, MEAN),)))
    parts.append(Part("What this corpus can show", tables=(power_table(findings),)))
    if findings.task_pairs:
        parts.append(Part("Tasks", tables=(tasks_table(findings),)))
    yield Section(
        "differences",
        "Which differences are more than chance",
        ("All tests take the set of two twin queries as the unit. Pairs of models on single tasks stand on the tasks' pages.",),
        tuple(parts),
    )


def _headlines(findings: Findings) -> Iterable[str]:
    """What the leaderboard comes to, in a sentence or two."""
    scope = findings.main_scope
    ranked = [one for one in findings.models(scope) if one.mean]
    if ranked:
        best = ranked[0]
        assert best.mean is not None
        mean = best.mean[MAIN_SCORE]
        hardest = min(TASK_NAMES, key=lambda task: best.tasks[task].scores[MAIN_SCORE].value)
        easiest = max(TASK_NAMES, key=lambda task: best.tasks[task].scores[MAIN_SCORE].value)
        which = f"The best of {len(ranked)} models is" if len(ranked) > 1 else "The one model is"
        told = f"{which} {best.name}, with an average accuracy of {percent(mean.value)} % {limits(mean)}."
        if easiest != hardest:
            high, low = (percent(best.tasks[task].scores[MAIN_SCORE].value) for task in (easiest, hardest))
            told += f" It does best on {easiest.capitalize()} ({high} %) and worst on {hardest.capitalize()} ({low} %)."
        yield told


def _reading(findings: Findings) -> Iterable[str]:
    yield (
        f"{MEANINGS[MAIN_SCORE][0]} is the {MEANINGS[MAIN_SCORE][1]}. In brackets are 95 % intervals from a bootstrap "
        "that draws whole sets, as twin queries share their clips. Bold: the best of a column, which need not differ from "
        "the next beyond chance."
    )
    scale = {one.result.model.partition("/")[2] for one in findings.scale(findings.main_scope)}
    meant = {
        "random": "random knows nothing",
        "bag-of-sounds": "bag-of-sounds counts the named sounds that a clip holds, what perfect matching reaches",
        "relation-blind": "relation-blind takes the rarest arrangement, what the make-up of a set gives away",
        "oracle": "oracle reads the timelines",
    }
    if scale:
        yield "The scale: " + "; ".join(said for name, said in meant.items() if name in scale) + "."


def _sentence(name: str) -> str:
    title, meaning = MEANINGS[name]
    return f"{title}: {meaning}."


def _listed(found: Iterable[tuple[str, Interval | None]]) -> str:
    return ", ".join(f"{name} {percent(one.value)} %" for name, one in found if one is not None) + "."
