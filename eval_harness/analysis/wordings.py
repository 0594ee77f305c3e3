"""Every query said in all sentence patterns of its form; and nearly the same words made to mean something else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.logic import Lacks, conjuncts
from builders.sounds.library import AtomicSound
from builders.tasks import TASKS
from builders.tasks.forms import Form, write_sentence

TWIN, EXCHANGED = "twin", "exchanged"
CONTRASTS = (TWIN, EXCHANGED)
"""What is set against paraphrases. `TWIN`: the query's twin. `EXCHANGED`, of queries that want a sound absent: the same sentence
with that sound and the first anchor in each other's place ("without a dog, a siren and a bell" for "without a siren, a dog and a
bell"): the same words, so that only what the negation belongs to differs."""


@dataclass(frozen=True, slots=True)
class Wordings:
    """One query in other words.

    Attributes:
        query: the query.
        own: its meaning in each pattern of the form: paraphrases of each other.
        contrasts: name of `CONTRASTS` -> another meaning in the same patterns.
    """

    query: Query
    own: tuple[str, ...]
    contrasts: Mapping[str, tuple[str, ...]]

    @property
    def texts(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.own, *(text for texts in self.contrasts.values() for text in texts))


def wordings(folder: DatasetFolder, task: str) -> tuple[Wordings, ...]:
    """All queries of a task in other words, in the dataset's order of queries.

    Raises:
        EvaluationError: a query is not one that this version's sentence patterns write.
    """
    found = {}
    for form, first, second in twin_queries(folder, task):
        made = _of_set(form, first, second, folder)
        if any(one.query.text not in one.own for one in made):
            raise _not_of_this_version(folder, first)
        found.update({one.query.id: one for one in made})
    return tuple(found[query.id] for query in folder.queries.values() if query.task == task)


def twin_queries(folder: DatasetFolder, task: str) -> Iterator[tuple[Form, Query, Query]]:
    """The form and the two queries of each set of a task, the form's first query first.

    Raises:
        EvaluationError: a set is not of a form of this version.
    """
    forms = {form.name: form for form in TASKS[task].forms}
    sets: dict[str, list[Query]] = defaultdict(list)
    for query in folder.queries.values():
        if query.task == task:
            sets[query.set].append(query)
    for queries in sets.values():
        form = forms.get(queries[0].form)
        orders = (queries, queries[::-1]) if form and len(queries) == 2 else ()
        ordered = next(((first, second) for first, second in orders if form and letters_of(form, first, second)), None)
        if form is None or ordered is None:
            raise _not_of_this_version(folder, queries[0])
        yield form, *ordered


def _not_of_this_version(folder: DatasetFolder, query: Query) -> EvaluationError:
    return EvaluationError(
        f"{folder.path}: set {query.set} is not a set of {query.form} as this version of reasonaudio builds them; build the "
        "dataset again, or use the version that built it"
    )


def _of_set(form: Form, first: Query, second: Query, folder: DatasetFolder) -> tuple[Wordings, Wordings]:
    labels, seconds = letters_of(form, first, second) or ({}, 0.0)
    sounds = {letter: _sound(folder, label) for letter, label in labels.items()}
    swapped = {letter: sounds[form.exchange.get(letter, letter)] for letter in sounds}
    patterns = (form.patterns, form.twin_patterns or form.patterns)
    said = (sounds, sounds if form.twin_patterns else swapped)
    own = [tuple(write_sentence(pattern, said[n], seconds) for pattern in patterns[n]) for n in (0, 1)]
    absent = next((part.a for part in conjuncts(form.formulas[0]) if isinstance(part, Lacks)), None)
    made = []
    for n, query in enumerate((first, second)):
        contrasts = {TWIN: own[1 - n]}
        if absent:
            other = said[n] | {"A": said[n][absent], absent: said[n]["A"]}
            contrasts[EXCHANGED] = tuple(write_sentence(pattern, other, seconds) for pattern in patterns[n])
        made.append(Wordings(query, own[n], contrasts))
    return made[0], made[1]


def letters_of(form: Form, first: Query, second: Query) -> tuple[dict[str, str], float] | None:
    """The label of each letter, if `first` is the first query of a set of the form, and the seconds that it names; else None."""
    labels: dict[str, str] = {}
    seconds = 0.0
    for template, query in zip(form.formulas, (first, second), strict=True):
        wanted, there = conjuncts(template), conjuncts(query.formula)
        if [type(part) for part in wanted] != [type(part) for part in there]:
            return None
        for part, actual in zip(wanted, there, strict=True):
            seconds = getattr(actual, "seconds", seconds)
            for name in ("a", "b"):
                if hasattr(part, name) and labels.setdefault(getattr(part, name), getattr(actual, name)) != getattr(actual, name):
                    return None
    return labels, seconds


def _sound(folder: DatasetFolder, label: str) -> AtomicSound:
    return folder.sounds[label].sound if label in folder.sounds else AtomicSound(label, label, label)
