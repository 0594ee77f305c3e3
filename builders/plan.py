"""(recipe, library) -> Plan: every query and every timeline of a corpus, and no audio.

Sets are drawn one after another, so that no two queries have equal formulas or texts. Then the clips are laid out, each so that it is
UNCLEAR for no query of the whole corpus; where a clip cannot be, its set is drawn again. Each set and each clip has a random
stream of its own, so that one that is drawn again changes no other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.random import Generator, SeedSequence

from builders.corpus import Clip, Foil, Plan, Query, make_id
from builders.drafting import ClipSet, Drafter, describe_need, sounds_needed, unrelated_count
from builders.errors import PlanError
from builders.logic import Truth, canonical, evaluate, required_labels
from builders.placing import Placer
from builders.recipe import CLIPS_PER_SET, TASK_NAMES, Recipe, recipe_hash
from builders.relevance import qrels, relevant_per_query
from builders.sounds.library import SoundLibrary
from builders.tasks import TASKS
from builders.tasks.forms import Form, Task
from builders.timeline import Timeline

Progress = Callable[[int, int], None]

_LAST_DRAWS = 12  # clips drawn again more often than this are checked for what does not depend on their times


@dataclass(slots=True)
class _Slot:
    """The place of one set in the corpus, and what stands there at present."""

    task: Task
    form: Form
    number: int
    """Number of the set within its form."""
    index: int
    """Number of the set within its task."""
    attempt: int = -1
    drawn: ClipSet | None = None
    timelines: list[Timeline | None] = field(default_factory=list)

    @property
    def set(self) -> ClipSet:
        assert self.drawn is not None
        return self.drawn

    @property
    def key(self) -> tuple[int, int]:
        return (TASK_NAMES.index(self.task.name), self.index)


def make_plan(recipe: Recipe, library: SoundLibrary, progress: Progress | None = None) -> Plan:
    """Plans a whole corpus.

    Args:
        recipe: every number that shapes it.
        library: usable sounds, at the recipe's sampling rate.
        progress: called with (clips laid out, clips in all).

    Raises:
        PlanError: the library has too few sounds, no corpus without an UNCLEAR pair was found, or queries would have too many
            relevant clips. The message says what is missing and what to do.
    """
    return _Planner(recipe, library, progress or (lambda done, total: None)).plan()


def require_sounds(recipe: Recipe, library: SoundLibrary) -> None:
    """Raises PlanError that says which task lacks how many of what, if the library cannot fill one set of every form."""
    drafter = Drafter(recipe, library, Placer(recipe, library))
    lacking = []
    for task in TASKS.values():
        for form in task.forms:
            if not task.sets_per_form(recipe)[form.name]:
                continue
            eligible = drafter.eligible(form)
            needed, found = sounds_needed(form), unrelated_count(eligible, library)
            if found < needed:
                related = f" unrelated ones among {len(eligible)}" if found < len(eligible) else ""
                lacking.append(
                    f"task {task.name} ({form.name}) lacks {needed - found} of {needed} unrelated {describe_need(form, recipe)}: "
                    f"the library has {found}{related}"
                )
    if lacking:
        raise PlanError("too few sounds:\n  " + "\n  ".join(lacking) + "\n  add such sounds to the library")


class _Planner:
    def __init__(self, recipe: Recipe, library: SoundLibrary, progress: Progress) -> None:
        if library.sample_rate != recipe.sample_rate:
            raise PlanError(f"the library is at {library.sample_rate} Hz, the recipe asks for sample_rate {recipe.sample_rate}")
        self.recipe, self.library, self.progress = recipe, library, progress
        self.margins = recipe.margins_value()
        self.drafter = Drafter(recipe, library, Placer(recipe, library))
        self.slots = [slot for name in TASK_NAMES for slot in self._slots(TASKS[name])]
        self.taken: dict[str, _Slot] = {}
        """Canonical formulas and texts in use."""

    def _slots(self, task: Task) -> Iterator[_Slot]:
        index = 0
        for form in task.forms:
            for number in range(task.sets_per_form(self.recipe)[form.name]):
                yield _Slot(task, form, number, index)
                index += 1

    def _stream(self, slot: _Slot, *more: int) -> Generator:
        return np.random.default_rng(SeedSequence(self.recipe.seed, spawn_key=(*slot.key, slot.attempt, *more)))

    # --- planning -----------------------------------------------------------------------------------------------------

    def plan(self) -> Plan:
        require_sounds(self.recipe, self.library)
        for slot in self.slots:
            self._draw(slot)
        self._lay_out_all()
        plan = self._collect()
        self._check_density(plan)
        return plan

    def _draw(self, slot: _Slot) -> None:
        """Draws the slot's next set with formulas and texts that no other query has."""
        for name in [name for name, owner in self.taken.items() if owner is slot]:
            del self.taken[name]
        slot.timelines = [None] * CLIPS_PER_SET
        while slot.attempt + 1 < self.recipe.plan.set_attempts:
            slot.attempt += 1
            slot.drawn = self.drafter.draw(slot.task, slot.form, slot.number, self._stream(slot))
            names = [canonical(formula) for formula in slot.set.formulas] + [text.casefold() for text in slot.set.texts]
            if len(set(names)) == len(names) and not any(name in self.taken for name in names):
                self.taken.update(dict.fromkeys(names, slot))
                return
        raise self._too_many_queries(slot)

    def _lay_out_all(self) -> None:
        """Lays out every clip so that it is UNCLEAR for no query; sets that cannot be are drawn again, until none is left."""
        total = len(self.slots) * CLIPS_PER_SET
        waiting = self.slots
        while waiting:
            queries = self._query_index()
            failed = []
            for done, slot in enumerate(waiting):
                if not self._lay_out(slot, queries):
                    failed.append(slot)
                self.progress(total - (len(waiting) - done - 1) * CLIPS_PER_SET, total)
            for slot in failed:
                self._draw(slot)
            # A new set's queries may be UNCLEAR for clips that were clear before: those are laid out again too.
            waiting = failed
            if failed:
                fresh = self._query_index(failed)
                for slot in self.slots:
                    if slot not in failed and not self._still_clear(slot, fresh):
                        waiting.append(slot)

    def _query_index(self, slots: list[_Slot] | None = None) -> dict[tuple[str, str], list[tuple[_Slot, int]]]:
        """From the first two required labels of a formula to its queries: a clip without both makes it FALSE."""
        index = defaultdict(list)
        for slot in self.slots if slots is None else slots:
            for query, formula in enumerate(slot.set.formulas):
                first, second = sorted(required_labels(formula)[:2])
                index[first, second].append((slot, query))
        return index

    def _lay_out(self, slot: _Slot, queries: dict[tuple[str, str], list[tuple[_Slot, int]]]) -> bool:
        for n, draft in enumerate(slot.set.clips):
            timeline = slot.timelines[n]
            if timeline is not None and self._clear(timeline, queries):
                continue
            rng = self._stream(slot, n)
            for _ in range(self.recipe.plan.clip_attempts):
                timeline = self.drafter.lay_out(slot.form, draft, rng)
                if timeline is not None and self._clear(timeline, queries):
                    slot.timelines[n] = timeline
                    break
            else:
                return False
        return True

    def _still_clear(self, slot: _Slot, queries: dict[tuple[str, str], list[tuple[_Slot, int]]]) -> bool:
        return all(timeline is not None and self._clear(timeline, queries) for timeline in slot.timelines)

    def _clear(self, timeline: Timeline, queries: dict[tuple[str, str], list[tuple[_Slot, int]]]) -> bool:
        labels = sorted(set().union(*(self.drafter.neighbours[label] for label in timeline.labels)))
        for pair in combinations(labels, 2):
            for slot, query in queries.get(pair, ()):
                formula = slot.set.formulas[query]
                if evaluate(formula, timeline, self.margins, self.library.relations) is Truth.UNCLEAR:
                    return False
        return True

    def _too_many_queries(self, slot: _Slot) -> PlanError:
        labels = ", ".join(repr(label) for label in required_labels(slot.set.formulas[0]))
        queries = self.recipe.queries_per_task
        fewer = (
            f"ask for fewer queries (queries_per_task below {queries}, say {max(2, int(queries) // 4 * 2)})"
            if isinstance(queries, int)
            else "use another seed"
        )
        return PlanError(
            f"task {slot.task.name}, {slot.form.name}: in {self.recipe.plan.set_attempts} draws no set was found whose queries are "
            f"new and clear for the whole corpus (the last one was about {labels}); {fewer}, or add sounds"
        )

    # --- collecting ---------------------------------------------------------------------------------------------------

    def _collect(self) -> Plan:
        digest = recipe_hash(self.recipe, self.library.digest)
        clips: list[Clip] = []
        queries: list[Query] = []
        for slot in self.slots:
            made = self._clips(slot, digest)
            clips += made
            queries += self._queries(slot, digest, made)
        order = {name: n for n, name in enumerate(TASK_NAMES)}
        return Plan(
            recipe=self.recipe,
            recipe_hash=digest,
            clips=tuple(sorted(clips, key=lambda clip: (order[clip.task], clip.id))),
            queries=tuple(sorted(queries, key=lambda query: (order[query.task], query.id))),
        )

    def _clips(self, slot: _Slot, digest: str) -> list[Clip]:
        task, name = slot.task.name, f"{slot.task.name}-{slot.index:03}"
        return [
            Clip(make_id(digest, task, "clip", slot.index * CLIPS_PER_SET + n), task, slot.form.name, name, draft.name, timeline)
            for n, (draft, timeline) in enumerate(zip(slot.set.clips, slot.timelines, strict=True))
            if timeline is not None
        ]

    def _queries(self, slot: _Slot, digest: str, clips: list[Clip]) -> list[Query]:
        task, relations = slot.task.name, self.library.relations
        ids = [make_id(digest, task, "query", slot.index * 2 + n) for n in range(2)]
        queries = []
        for n, formula in enumerate(slot.set.formulas):
            relevant, foils = [], []
            for clip in sorted(clips, key=lambda clip: clip.id):
                if evaluate(formula, clip.timeline, self.margins, relations) is Truth.TRUE:
                    relevant.append(clip.id)
                else:
                    foils.append(Foil(clip.id, slot.task.kind_of(formula, clip.timeline, self.margins, relations)))
            queries.append(
                Query(
                    id=ids[n],
                    task=task,
                    form=slot.form.name,
                    set=clips[0].set,
                    twin=ids[1 - n],
                    text=slot.set.texts[n],
                    formula=formula,
                    relevant=tuple(relevant),
                    foils=tuple(foils),
                )
            )
        return queries

    def _check_density(self, plan: Plan) -> None:
        limit = self.recipe.plan.max_mean_relevant
        if self.recipe.plan.allow_dense:
            return
        pairs = qrels(plan, self.library.relations)
        for task in TASK_NAMES:
            counts = relevant_per_query(plan, pairs, task)
            mean = sum(counts) / len(counts)
            if mean > limit:
                raise PlanError(
                    f"task {task}: {mean:.1f} relevant clips a query on average, more than {limit:g}: too few sounds "
                    f"({len(self.library.sounds)}) for {len(counts)} queries; add sounds, ask for fewer queries_per_task, "
                    "or allow it with --allow-dense"
                )
