"""(recipe, library) -> Plan: every query and every timeline of a corpus, and no audio.

Sets are drawn one after another, each until its queries are new and no clip, its own or of a set before it, is UNCLEAR for any
query so far. Where a clip is, its times are drawn again; where that does not help, the set is. Each set and each clip has a
random stream of its own, and a clip's times are the first of its stream that fit, so that one drawn again changes no other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator, SeedSequence

from builders.corpus import Clip, Foil, Plan, Query, make_id
from builders.drafting import ClipSet, Drafter
from builders.errors import PlanError
from builders.logic import Formula, Truth, canonical, evaluate, required_labels
from builders.needs import describe_need, sounds_needed, unrelated_count
from builders.placing import Placer
from builders.recipe import CLIPS_PER_SET, TASK_NAMES, Recipe, plan_hash, recipe_hash
from builders.relevance import qrels, relevant_per_query
from builders.sounds.library import SoundLibrary
from builders.standing import Place, Standing
from builders.tasks import TASKS
from builders.tasks.forms import Form, Task
from builders.timeline import Timeline

Progress = Callable[[int, int], None]


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
    timelines: list[Timeline] = field(default_factory=list)

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
    lacking: dict[tuple[str, int, int], dict[str, list[str]]] = {}
    for task in TASKS.values():
        for form in task.forms:
            needed, found = sounds_needed(form), unrelated_count(drafter.eligible(form), library)
            if found < needed and task.sets_per_form(recipe)[form.name]:
                forms = lacking.setdefault((describe_need(form, recipe), needed, found), {})
                forms.setdefault(task.name, []).append(form.name)
    if lacking:
        parts = []
        for (need, needed, found), by_task in lacking.items():
            tasks = ", ".join(f"task {task} ({', '.join(forms)})" for task, forms in by_task.items())
            parts.append(f"{tasks} lacks {needed - found} of {needed} unrelated {need}: the library has {found}")
        raise PlanError(
            f"too few sounds: {'; '.join(parts)}; add such sounds, or mark the sustained ones among them in a manifest (column "
            "`sustained`)"
        )


class _Planner:
    def __init__(self, recipe: Recipe, library: SoundLibrary, progress: Progress) -> None:
        if library.sample_rate != recipe.sample_rate:
            raise PlanError(f"the library is at {library.sample_rate} Hz, the recipe asks for sample_rate {recipe.sample_rate}")
        self.recipe, self.library, self.progress = recipe, library, progress
        self.margins = recipe.margins_value()
        self.placer = Placer(recipe, library)
        self.drafter = Drafter(recipe, library, self.placer)
        self.slots = [slot for name in TASK_NAMES for slot in self._slots(TASKS[name])]
        self.standing = Standing(library.labels, recipe.margins_value(), library.relations, library.heard_in)
        self.taken: set[str] = set()
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
        # Sets of planned lengths are the hardest to keep clear of each other, so they come first; the others fit in around them,
        # first those with most pairs of sounds that have to be clear.
        order = sorted(
            range(len(self.slots)), key=lambda n: (not (form := self.slots[n].form).plans_lengths, -form.pairs_asked, n)
        )
        for done, n in enumerate(order):
            self._fill(n)
            self.progress((done + 1) * CLIPS_PER_SET, len(order) * CLIPS_PER_SET)
        plan = self._collect()
        self._check_density(plan)
        return plan

    def _fill(self, n: int) -> None:
        """Draws sets for a slot until one fits what stands in the others."""
        slot = self.slots[n]
        while slot.attempt + 1 < self.recipe.plan.set_attempts:
            slot.attempt += 1
            # Where it is hard to find room, the free sounds are the same in the whole set: fewer sounds meet.
            varied = slot.attempt < self.recipe.plan.set_attempts // 4
            slot.drawn = self.drafter.draw(
                slot.form, slot.number, self._stream(slot), self.standing, slot.task.name, varied=varied
            )
            if slot.drawn is None:
                continue
            if self._fits(n):
                return
        raise self._too_many_queries(slot)

    def _fits(self, n: int) -> bool:
        """Lays out the slot's clips, and lays out again those of others that its queries need so; False if that cannot be."""
        slot = self.slots[n]
        names = [canonical(formula) for formula in slot.set.formulas] + [text.casefold() for text in slot.set.texts]
        if len(set(names)) < len(names) or not self.taken.isdisjoint(names):
            return False
        for formula in slot.set.formulas:
            self.standing.add_query(formula)
        timelines = [self._lay_out(slot, clip) for clip in range(CLIPS_PER_SET)]
        moved = self._move_others(slot.set.formulas) if all(timelines) else None
        if moved is None:
            for formula in slot.set.formulas:
                self.standing.remove_query(formula)
            return False
        for (other, clip), timeline in moved.items():
            self.slots[other].timelines[clip] = timeline
        slot.timelines = [timeline for timeline in timelines if timeline]
        self.taken.update(names)
        for clip, timeline in enumerate(slot.timelines):
            self.standing.add_clip((n, clip), timeline.labels, slot.task.name)
        return True

    def _move_others(self, formulas: Iterable[Formula]) -> dict[Place, Timeline] | None:
        """New times for the clips of other sets that are UNCLEAR for the new queries; None if one of them cannot be moved."""
        moved: dict[Place, Timeline] = {}
        for formula in formulas:
            for place in self.standing.clips_near(formula):
                timeline = moved.get(place) or self.slots[place[0]].timelines[place[1]]
                if self.standing.is_unclear(formula, timeline):
                    again = self._lay_out(self.slots[place[0]], place[1])
                    if again is None:
                        return None
                    moved[place] = again
        return moved

    def _lay_out(self, slot: _Slot, clip: int) -> Timeline | None:
        """The first times of the clip's stream for which no query so far is UNCLEAR."""
        rng = self._stream(slot, clip)
        for _ in range(self.recipe.plan.clip_attempts):
            timeline = self.drafter.lay_out(slot.form, slot.set.clips[clip], rng)
            if timeline is None:
                continue
            unclear = self.standing.first_unclear(timeline)
            if unclear is None:
                return timeline
            if not self.standing.may_become_clear(unclear, timeline):
                return None
        return None

    def _too_many_queries(self, slot: _Slot) -> PlanError:
        last = ", ".join(repr(label) for label in required_labels(slot.drawn.formulas[0])) if slot.drawn else ""
        few = slot.index // 2 * 2  # half of what was found room for: those sets would have stood in the way of each other less
        fewer = f"ask for fewer queries_per_task (some {few})" if few >= 2 else "use another seed"
        attempts = self.recipe.plan.set_attempts
        last_one = f" (the last was about {last})" if last else ""
        return PlanError(
            f"task {slot.task.name}, {slot.form.name}: after {slot.index} sets of the task, {attempts} draws gave no further "
            f"one whose queries are new and clear for the whole corpus{last_one}; {fewer}, or add sounds: the library has "
            f"{len(self.drafter.eligible(slot.form))} that fit this form"
        )

    # --- collecting ---------------------------------------------------------------------------------------------------

    def _collect(self) -> Plan:
        digest = plan_hash(self.recipe, self.library.digest)
        clips: list[Clip] = []
        queries: list[Query] = []
        for slot in self.slots:
            made = self._clips(slot, digest)
            clips += made
            queries += self._queries(slot, digest, made)
        order = {name: n for n, name in enumerate(TASK_NAMES)}
        return Plan(
            recipe=self.recipe,
            recipe_hash=recipe_hash(self.recipe, self.library.digest),
            clips=tuple(sorted(clips, key=lambda clip: (order[clip.task], clip.id))),
            queries=tuple(sorted(queries, key=lambda query: (order[query.task], query.id))),
            measured=self.placer.measure((event.recording, event.duration_ms) for clip in clips for event in clip.timeline),
        )

    def _clips(self, slot: _Slot, digest: str) -> list[Clip]:
        task, name = slot.task.name, f"{slot.task.name}-{slot.index:03}"
        return [
            Clip(make_id(digest, task, "clip", slot.index * CLIPS_PER_SET + n), task, slot.form.name, name, draft.name, timeline)
            for n, (draft, timeline) in enumerate(zip(slot.set.clips, slot.timelines, strict=True))
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
