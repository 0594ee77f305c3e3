"""Every query said in all sentence patterns of its form; and nearly the same words made to mean something else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
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
    forms = {form.name: form for form in next(one for one in TASKS if one.name == task).forms}
    sets: dict[str, list[Query]] = defaultdict(list)
    for query in folder.queries.values():
        if query.task == task:
            sets[query.set].append(query)
    found = {}
    for queries in sets.values():
        form = forms.get(queries[0].form)
        said = _of_set(form, queries, folder) if form else None
        if said is None:
            raise EvaluationError(
                f"{folder.path}: set {queries[0].set} is not as this version of reasonaudio words {queries[0].form}; build the "
                "dataset again, or use the version that built it"
            )
        found.update({one.query.id: one for one in said})
    return tuple(found[query.id] for query in folder.queries.values() if query.task == task)


def _of_set(form: Form, queries: Sequence[Query], folder: DatasetFolder) -> tuple[Wordings, Wordings] | None:
    """Both queries of a set; None if they are not twins of the form, or not in its words."""
    if len(queries) != 2:
        return None
    for first, second in (queries, reversed(queries)):
        read = _read(form, first, second)
        if read is None:
            continue
        labels, seconds = read
        sounds = {letter: _sound(folder, label) for letter, label in labels.items()}
        swapped = {letter: sounds[form.exchange.get(letter, letter)] for letter in sounds}
        patterns = (form.patterns, form.twin_patterns or form.patterns)
        said = (sounds, sounds if form.twin_patterns else swapped)
        own = [tuple(write_sentence(pattern, said[n], seconds) for pattern in patterns[n]) for n in (0, 1)]
        if first.text not in own[0] or second.text not in own[1]:
            continue
        made = []
        for n, query in enumerate((first, second)):
            contrasts = {TWIN: own[1 - n]}
            absent = next((part.a for part in conjuncts(form.formulas[0]) if isinstance(part, Lacks)), None)
            if absent:
                other = said[n] | {"A": said[n][absent], absent: said[n]["A"]}
                contrasts[EXCHANGED] = tuple(write_sentence(pattern, other, seconds) for pattern in patterns[n])
            made.append(Wordings(query, own[n], contrasts))
        return made[0], made[1]
    return None


def _read(form: Form, first: Query, second: Query) -> tuple[dict[str, str], float] | None:
    """What each letter stands for if `first` is the form's first query, and the number of seconds; None if it is not."""
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
