"""Whether clips and queries are as the benchmark's rules say, from records alone: no audio, no files.

Everything is derived again from the recipe and the declared forms, and compared with what is there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from builders.check.problems import Problem
from builders.corpus import Clip, Foil, Query, make_id
from builders.logic import Margins, Relations, Truth, canonical, conjuncts, evaluate, to_text
from builders.needs import gap_ms, needed_overlap_ms
from builders.recipe import CLIP_MS, CLIPS_PER_SET, TASK_NAMES, Recipe
from builders.relevance import judge
from builders.sounds.library import AtomicSound
from builders.tasks import TASKS
from builders.tasks.forms import Arrangement, Form, Task, relevant_arrangements, replacements, write_sentence
from builders.timeline import blocks_of, overlap_ms


@dataclass(frozen=True, slots=True)
class KnownRecording:
    """What a folder says of a recording."""

    label: str
    duration_ms: int


@dataclass(frozen=True, slots=True)
class Records:
    """Everything that the rules are about."""

    recipe: Recipe
    plan_hash: str
    relations: Relations
    sounds: Mapping[str, AtomicSound]
    recordings: Mapping[str, KnownRecording]
    clips: Sequence[Clip]
    queries: Sequence[Query]


def check_rules(records: Records) -> Iterator[Problem]:
    """Every way in which clips and queries break the rules of their sets, forms and tasks."""
    yield from _check_events(records)
    yield from _check_queries_unique(records)
    for name in TASK_NAMES:
        yield from _check_task(records, TASKS[name])


def check_qrels(
    records: Records, all_pairs: Iterable[tuple[str, str]], by_task: Mapping[str, Iterable[tuple[str, str]]]
) -> Iterator[Problem]:
    """UNCLEAR pairs, and qrels that are not what the formulas say: over the whole corpus, and within each task."""
    expected = set()
    for query, clip, truth in judge(records.queries, records.clips, records.recipe.margins_value(), records.relations):
        if truth is Truth.UNCLEAR:
            yield Problem(f"query {query.id}", f"is UNCLEAR for clip {clip.id}: {to_text(query.formula)}")
        else:
            expected.add((query.id, clip.id))
    task_of_query = {query.id: query.task for query in records.queries}
    task_of_clip = {clip.id: clip.task for clip in records.clips}
    yield from _compare_pairs("all-qrels", expected, list(all_pairs))
    for task, pairs in by_task.items():
        inside = {(q, c) for q, c in expected if task_of_query.get(q) == task and task_of_clip.get(c) == task}
        yield from _compare_pairs(f"{task}-qrels", inside, list(pairs))


def _compare_pairs(where: str, expected: set[tuple[str, str]], found: list[tuple[str, str]]) -> Iterator[Problem]:
    for pair, count in sorted(Counter(found).items()):
        if count > 1:
            yield Problem(where, f"query {pair[0]}, clip {pair[1]}: stands there {count} times")
    for query, clip in sorted(expected - set(found)):
        yield Problem(where, f"query {query}, clip {clip}: is relevant by its formula but not in the qrels")
    for query, clip in sorted(set(found) - expected):
        yield Problem(where, f"query {query}, clip {clip}: is in the qrels but not relevant by its formula")


# --- single clips and queries -----------------------------------------------------------------------------------------


def _check_events(records: Records) -> Iterator[Problem]:
    most = records.recipe.sound.max_gain_db
    for clip in records.clips:
        where = f"clip {clip.id}"
        for event in clip.timeline:
            recording = records.recordings.get(event.recording)
            if event.label not in records.sounds:
                yield Problem(where, f"{event.label!r} is not among the sounds")
            elif recording is None or recording.label != event.label:
                yield Problem(where, f"{event.recording!r} is not a recording of {event.label!r}")
            elif not records.sounds[event.label].sustained and event.duration_ms != recording.duration_ms:
                yield Problem(where, f"{event.label!r} lasts {event.duration_ms} ms, its recording {recording.duration_ms} ms")
            if event.offset_ms > CLIP_MS - records.recipe.plan.edge_ms or event.onset_ms < records.recipe.plan.edge_ms:
                yield Problem(where, f"{event.label!r} is too near to an end of the clip")
            if abs(event.gain_db) > most + 1e-9:
                yield Problem(where, f"{event.label!r} has a gain of {event.gain_db} dB, more than {most} dB")
        for a, b in combinations(clip.timeline.events, 2):
            if records.relations.related(a.label, b.label):
                yield Problem(where, f"holds {a.label!r} and {b.label!r}, which are related")
            together = overlap_ms(a, b)
            if together <= 0 and -together < gap_ms(records.recipe):
                yield Problem(where, f"{a.label!r} and {b.label!r} are only {-together} ms apart")
            elif 0 < together < needed_overlap_ms(records.recipe, a.duration_ms, b.duration_ms):
                yield Problem(where, f"{a.label!r} and {b.label!r} are together for only {together} ms")


def _check_queries_unique(records: Records) -> Iterator[Problem]:
    for what, of in (("formula", lambda query: canonical(query.formula)), ("text", lambda query: query.text.casefold())):
        seen: dict[str, str] = {}
        for query in records.queries:
            other = seen.setdefault(of(query), query.id)
            if other != query.id:
                yield Problem(f"query {query.id}", f"has the same {what} as query {other}")


# --- sets -------------------------------------------------------------------------------------------------------------


def _check_task(records: Records, task: Task) -> Iterator[Problem]:
    forms = [(form, n) for form in task.forms for n in range(task.sets_per_form(records.recipe)[form.name])]
    clips = {clip.id: clip for clip in records.clips if clip.task == task.name}
    queries = {query.id: query for query in records.queries if query.task == task.name}
    for index, (form, number) in enumerate(forms):
        name = f"{task.name}-{index:03}"
        clip_ids = [make_id(records.plan_hash, task.name, "clip", index * CLIPS_PER_SET + n) for n in range(CLIPS_PER_SET)]
        query_ids = [make_id(records.plan_hash, task.name, "query", index * 2 + n) for n in range(2)]
        missing = [i for i in clip_ids if i not in clips] + [i for i in query_ids if i not in queries]
        if missing:
            yield Problem(f"set {name}", f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing")
        else:
            own_clips = [clips.pop(i) for i in clip_ids]
            own_queries = [queries.pop(i) for i in query_ids]
            yield from _SetCheck(records, task, form, number, name, own_clips, own_queries).problems()
    for clip_id in clips:
        yield Problem(f"clip {clip_id}", f"belongs to no set that the recipe plans for task {task.name}")
    for query_id in queries:
        yield Problem(f"query {query_id}", f"belongs to no set that the recipe plans for task {task.name}")


class _SetCheck:
    """The check of one set."""

    def __init__(
        self, records: Records, task: Task, form: Form, number: int, name: str, clips: list[Clip], queries: list[Query]
    ) -> None:
        self.records, self.task, self.form, self.number, self.name = records, task, form, number, name
        self.clips, self.queries = clips, queries
        self.margins: Margins = records.recipe.margins_value()
        whole = [(arrangement, "") for arrangement in form.arrangements for _ in range(form.copies)]
        self.expected: list[tuple[Arrangement, str]] = whole + list(replacements(form, number))
        self.letters: dict[str, str] = {}

    def problems(self) -> Iterator[Problem]:
        yield from self._frame()
        try:
            self._read_letters()
        except _NotOfTheFormError as error:
            yield Problem(f"set {self.name}", f"its queries are not those of {self.form.name}: {error}")
            return
        yield from self._texts()
        yield from self._arrangements()
        yield from self._anchors_alike()
        yield from self._free_sounds_alike()
        yield from self._lengths()
        yield from self._truths()

    def _frame(self) -> Iterator[Problem]:
        for n, query in enumerate(self.queries):
            if (query.set, query.form, query.twin) != (self.name, self.form.name, self.queries[1 - n].id):
                yield Problem(
                    f"query {query.id}", f"should be of set {self.name}, {self.form.name}, twin {self.queries[1 - n].id}"
                )
            if sorted(query.clips) != sorted(clip.id for clip in self.clips):
                yield Problem(f"query {query.id}", "its relevant clips and foils are not the clips of its set")
        if set(self.queries[0].relevant) & set(self.queries[1].relevant):
            yield Problem(f"set {self.name}", "its twin queries share a relevant clip")
        for clip, (arrangement, replaced) in zip(self.clips, self.expected, strict=True):
            name = arrangement.without(replaced)
            if (clip.set, clip.form, clip.arrangement) != (self.name, self.form.name, name):
                yield Problem(f"clip {clip.id}", f"should be of set {self.name}, {self.form.name}, arrangement {name!r}")

    def _read_letters(self) -> None:
        """What each letter stands for, read off the formulas of both queries."""
        for template, query in zip(self.form.formulas, self.queries, strict=True):
            wanted, found = conjuncts(template), conjuncts(query.formula)
            if [type(part) for part in wanted] != [type(part) for part in found]:
                raise _NotOfTheFormError(to_text(query.formula))
            for part, actual in zip(wanted, found, strict=True):
                for name in ("a", "b"):
                    if hasattr(part, name):
                        letter, label = getattr(part, name), getattr(actual, name)
                        if self.letters.setdefault(letter, label) != label:
                            raise _NotOfTheFormError(f"{self.letters[letter]!r} and {label!r} both stand for {letter}")

    @property
    def seconds(self) -> float:
        return next((part.seconds for part in conjuncts(self.queries[0].formula) if hasattr(part, "seconds")), 0.0)

    def _texts(self) -> Iterator[Problem]:
        sounds = {
            letter: self.records.sounds.get(label, AtomicSound(label, label, label)) for letter, label in self.letters.items()
        }
        swapped = {letter: sounds.get(self.form.exchange.get(letter, letter), sounds[letter]) for letter in sounds}
        for n, query in enumerate(self.queries):
            known = swapped if n and not self.form.twin_patterns else sounds
            expected = write_sentence(self.form.pattern(n, self.number), known, self.seconds)
            if query.text != expected:
                yield Problem(f"query {query.id}", f"reads {query.text!r}, but its pattern gives {expected!r}")

    def _arrangements(self) -> Iterator[Problem]:
        """Blocks, their order, and what overlaps, as the arrangement says."""
        for clip, (arrangement, replaced) in zip(self.clips, self.expected, strict=True):
            where = f"clip {clip.id}"
            if len(clip.timeline) != len(arrangement.letters):
                yield Problem(where, f"has {len(clip.timeline)} events, {arrangement.name!r} has {len(arrangement.letters)}")
                continue
            kept = set(arrangement.letters) - set(replaced)
            known = {letter: label for letter, label in self.letters.items() if letter in kept}
            absent = [label for label in known.values() if label not in clip.timeline.labels]
            if absent:
                yield Problem(where, f"{arrangement.name!r} needs {', '.join(map(repr, absent))}")
                continue
            forbidden = [
                label
                for letter, label in self.letters.items()
                if letter not in known and any(self.records.relations.related(label, held) for held in clip.timeline.labels)
            ]
            if forbidden:
                yield Problem(where, f"{arrangement.name!r} must not hold {', '.join(map(repr, forbidden))}")
                continue
            letter_of = {label: letter for letter, label in known.items()}
            blocks = blocks_of(clip.timeline)
            shape = ["".join(sorted(letter_of.get(event.label, "?") for event in block)) for block in blocks]
            if not _fits(shape, arrangement, set(known)):
                yield Problem(where, f"stands as {' | '.join(shape)}, not as {arrangement.name!r}")
            most = self.margins.together_ms - self.records.recipe.plan.clearance_ms
            for block in blocks:
                if len(block) == 2 and self.form.pairs_start_together and abs(block[0].onset_ms - block[1].onset_ms) > most:
                    yield Problem(where, f"{block[0].label!r} and {block[1].label!r} should start together")

    def _anchors_alike(self) -> Iterator[Problem]:
        """A sound of the set comes from one recording at one gain in all clips."""
        voices: dict[str, set[tuple[str, float]]] = defaultdict(set)
        for clip in self.clips:
            for event in clip.timeline:
                voices[event.label].add((event.recording, event.gain_db))
        for label in self.letters.values():
            if len(voices[label]) > 1:
                yield Problem(f"set {self.name}", f"{label!r} is not the same recording at the same gain in all clips")

    def _free_sounds_alike(self) -> Iterator[Problem]:
        """All arrangements have the same free sounds, the same number of times."""
        named = set(self.letters.values())
        dealt: dict[str, Counter[tuple[tuple[str, str, float], ...]]] = defaultdict(Counter)
        for clip, (arrangement, replaced) in zip(self.clips, self.expected, strict=True):
            if not replaced:
                voices = ((e.label, e.recording, e.gain_db) for e in clip.timeline if e.label not in named)
                dealt[arrangement.name].update([tuple(sorted(voices))])
        # Letters that no query names (F of Overlap) stand only in some arrangements, always as the same sound.
        silent = [letter for letter in self.form.named if letter not in self.letters]
        groups: dict[tuple[bool, ...], list[Counter[tuple[tuple[str, str, float], ...]]]] = defaultdict(list)
        for arrangement in self.form.arrangements:
            groups[tuple(letter in arrangement.letters for letter in silent)].append(dealt[arrangement.name])
        for group in groups.values():
            if any(counter != group[0] for counter in group):
                yield Problem(f"set {self.name}", "its arrangements do not have the same free sounds")

    def _lengths(self) -> Iterator[Problem]:
        """Planned lengths are those of the arrangement, the same in all clips, and far enough apart."""
        if not self.form.plans_lengths:
            return
        lengths: dict[str, set[int]] = defaultdict(set)
        plan = self.records.recipe.plan
        for clip, (arrangement, replaced) in zip(self.clips, self.expected, strict=True):
            wanted = Counter(arrangement.lengths.values())
            for letter, label in self.letters.items():
                if letter in arrangement.letters and letter not in replaced and label in clip.timeline.labels:
                    lengths[arrangement.lengths[letter]].add(clip.timeline.event(label).duration_ms)
            present = Counter(event.duration_ms for event in clip.timeline)
            if sorted(present.values()) != sorted(wanted.values()):
                yield Problem(f"clip {clip.id}", f"its events last {sorted(present.elements())} ms, planned are {dict(wanted)}")
        if any(len(found) > 1 for found in lengths.values()):
            yield Problem(f"set {self.name}", f"a planned length differs between its clips: {dict(lengths)}")
            return
        ordered = [min(lengths[name]) for name in ("long", "middle", "short") if lengths.get(name)]
        for more, less in pairwise(ordered):
            if more < plan.length_ratio * less - 1e-6 or more - less < plan.length_step_ms:
                yield Problem(f"set {self.name}", f"lengths of {more} and {less} ms are too near to each other")

    def _truths(self) -> Iterator[Problem]:
        """Relevant, foils and their kinds, as the formula says; and as the arrangement says."""
        relations = self.records.relations
        for n, query in enumerate(self.queries):
            kinds = {foil.clip: foil for foil in query.foils}
            true = {id(arrangement) for arrangement in relevant_arrangements(self.form, n)}
            for clip, (arrangement, replaced) in zip(self.clips, self.expected, strict=True):
                truth = evaluate(query.formula, clip.timeline, self.margins, relations)
                where = f"query {query.id}, clip {clip.id}"
                planned = Truth.TRUE if id(arrangement) in true and not replaced else Truth.FALSE
                if truth is not planned:
                    yield Problem(where, f"is {truth.name}, its arrangement {clip.arrangement!r} should make it {planned.name}")
                if (truth is Truth.TRUE) != (clip.id in query.relevant):
                    yield Problem(
                        where, f"is {truth.name} but stands among the {'relevant' if clip.id in query.relevant else 'foils'}"
                    )
                elif truth is not Truth.TRUE:
                    kind = self.task.kind_of(query.formula, clip.timeline, self.margins, relations)
                    if kinds.get(clip.id) != Foil(clip.id, kind):
                        yield Problem(
                            where, f"is a foil of kind {kind!r}, written as {kinds[clip.id].kind if clip.id in kinds else None!r}"
                        )


class _NotOfTheFormError(Exception):
    pass


def _fits(shape: list[str], arrangement: Arrangement, known: set[str]) -> bool:
    """Whether blocks in this order of time, unknown letters written as "?", can be the arrangement."""

    def as_seen(block: str) -> str:
        return "".join(sorted(letter if letter in known else "?" for letter in block))

    if sorted(shape) != sorted(as_seen(block) for block in arrangement.blocks):
        return False
    ordered = [as_seen(block) for block in arrangement.order]
    rest = iter(shape)
    return all(block in rest for block in ordered)  # in order, others between them
