"""One set: which sounds, recordings, gains and lengths its twenty clips are made of, and where their events stand.

What differs between the arrangements of a set must be the arrangement alone. So everything that could tell them apart is drawn
for the set as a whole, or per "deal": the n-th copy of every arrangement has the same free sounds, and its blocks stand in the
same slots. Only gaps and shifts are drawn for each clip.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from numpy.random import Generator

from builders.errors import PlanError
from builders.logic import Formula, Truth, evaluate
from builders.placing import Placer
from builders.recipe import CLIP_MS, Recipe, ceil_ms
from builders.sounds.library import Recording, SoundLibrary
from builders.standing import Standing
from builders.tasks.forms import FREE, Arrangement, Form, Length, substitute, write_sentence
from builders.timeline import Event, Timeline

_SLACK_MS = 300  # what is left at least to vary the gaps of a clip
_LENGTHS_VARY_MS = 700  # how much planned lengths vary from set to set
_TRIES = 1000  # draws of one set's sounds before giving up


@dataclass(frozen=True, slots=True)
class Part:
    """What a letter stands for in one clip."""

    label: str
    recording: str
    duration_ms: int
    gain_db: float

    @property
    def voice(self) -> tuple[str, int, float]:
        return (self.recording, self.duration_ms, self.gain_db)


@dataclass(frozen=True, slots=True)
class ClipDraft:
    """A clip before its times: the arrangement, what each letter stands for, and the slot of each block."""

    arrangement: Arrangement
    name: str
    parts: Mapping[str, Part]
    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClipSet:
    """Two twin queries and the drafts of their twenty clips."""

    form: Form
    number: int
    formulas: tuple[Formula, Formula]
    texts: tuple[str, str]
    clips: tuple[ClipDraft, ...]


# --- what a form needs ------------------------------------------------------------------------------------------------


def gap_ms(recipe: Recipe) -> int:
    """The shortest gap between two blocks."""
    return recipe.margins.gap_ms + recipe.plan.clearance_ms


def needed_overlap_ms(recipe: Recipe, a_ms: int, b_ms: int) -> int:
    """How long two events must sound together to be clearly together (and clearly not one before the other)."""
    margins, clearance = recipe.margins, recipe.plan.clearance_ms
    share = ceil_ms(margins.overlap_share * min(a_ms, b_ms))
    return max(margins.overlap_ms, margins.simultaneous_ms, share) + clearance


def event_limits_ms(form: Form, recipe: Recipe) -> tuple[int, int]:
    """Shortest and longest event of a form that plans no lengths: any such events fit, whichever stand together.

    A common limit, rather than drawing again what does not fit, keeps anchors and free sounds exchangeable: if free sounds had to
    make room for long anchors, the clip's total length would tell which of them overlap.
    """
    blocks = len(form.arrangements[0].blocks)
    room = CLIP_MS - 2 * recipe.plan.edge_ms - (blocks - 1) * gap_ms(recipe) - _SLACK_MS
    shortest = recipe.plan.shortest_event_ms
    if form.has_pairs:
        shortest = max(shortest, recipe.margins.overlap_ms + 2 * recipe.plan.clearance_ms)
    return shortest, min(room // blocks, recipe.audible.max_piece_ms)


def usable(form: Form, recording: Recording, library: SoundLibrary, recipe: Recipe) -> bool:
    """Whether a recording can stand for a letter of the form."""
    if form.has_pairs and not recording.continuous:
        return False
    sustained = library.sound(recording.label).sustained
    if form.plans_lengths:
        return sustained and recording.duration_ms >= recipe.sound.loop_material_ms
    shortest, longest = event_limits_ms(form, recipe)
    if sustained:
        return recording.duration_ms >= min(max(shortest, recipe.plan.sustained_ms[0]), recipe.sound.loop_material_ms)
    return shortest <= recording.duration_ms <= longest


def sounds_needed(form: Form) -> int:
    """How many unrelated sounds a set of the form takes at least."""
    return len(form.letters) + (1 if form.missing else 0)


def describe_need(form: Form, recipe: Recipe) -> str:
    """What a recording must be like for the form, in words."""
    continuous = "continuous " if form.has_pairs else ""
    if form.plans_lengths:
        return f"sustained sounds with a {continuous}recording of at least {recipe.sound.loop_material_ms / 1000:g} s"
    shortest, longest = event_limits_ms(form, recipe)
    return f"sounds with a {continuous}recording of {shortest / 1000:g} to {longest / 1000:g} s (sustained ones: or longer)"


@lru_cache(maxsize=64)
def relevant_arrangements(form: Form, query: int) -> tuple[Arrangement, ...]:
    """The arrangements that make query 0 or 1 of the form true, found on an example of each."""
    lengths = {"long": 6400, "middle": 3200, "short": 1000}
    seconds = sum(lengths[length] for length in form.separates) / 2000 if form.separates else 0.0
    letters = {letter: letter for letter in form.letters}
    found = []
    for arrangement in form.arrangements:
        events, at = [], 0
        for block in in_slots(arrangement, tuple(range(len(arrangement.blocks)))):
            durations = [lengths[arrangement.lengths[letter]] if arrangement.lengths else 1500 for letter in block]
            events += [Event(letter, at, at + length) for letter, length in zip(block, durations, strict=True)]
            at += max(durations) + 1000
        if evaluate(substitute(form.formulas[query], letters, seconds), Timeline(tuple(events))) is Truth.TRUE:
            found.append(arrangement)
    return tuple(found)


def in_slots(arrangement: Arrangement, slots: tuple[int, ...]) -> tuple[str, ...]:
    """The blocks in order of time: block n stands in slots[n], but those with a fixed order exchange theirs to keep it."""
    slot_of = dict(zip(arrangement.blocks, slots, strict=True))
    taken = sorted(slot_of[block] for block in arrangement.order)
    slot_of.update(zip(arrangement.order, taken, strict=True))
    return tuple(sorted(arrangement.blocks, key=slot_of.__getitem__))


def replacements(form: Form, number: int) -> Iterator[tuple[Arrangement, str]]:
    """For each anchor-missing clip of set `number`: the arrangement that it keeps and the anchor that is replaced.

    Each keeps an arrangement that is relevant to one of the twins; anchors and twins take turns, and the turns go on from set to
    set, so that each anchor of each twin is missing equally often, exact to one.
    """
    pairs = list(zip(form.anchors(0), form.anchors(1), strict=True))
    turns = [turn for n, (a, _) in enumerate(pairs) for turn in ((0, a), (1, pairs[(n + 1) % len(pairs)][1]))]
    for n in range(form.missing):
        query, anchor = turns[(number * form.missing + n) % len(turns)]
        kept = relevant_arrangements(form, query)
        yield kept[(number + n // 2) % len(kept)], anchor


# --- drawing a set ----------------------------------------------------------------------------------------------------


class Drafter:
    """Draws sets from one library by one recipe."""

    def __init__(self, recipe: Recipe, library: SoundLibrary, placer: Placer) -> None:
        self.recipe, self.library, self.placer = recipe, library, placer
        self.neighbours = library.relations.neighbours(library.labels)
        self._usable = lru_cache(maxsize=None)(self._find_usable)

    def _find_usable(self, form: Form) -> dict[str, tuple[Recording, ...]]:
        found = {
            label: tuple(r for r in self.library.recordings_of(label) if usable(form, r, self.library, self.recipe))
            for label in self.library.labels
        }
        return {label: recordings for label, recordings in found.items() if recordings}

    def eligible(self, form: Form) -> tuple[str, ...]:
        """Labels that can stand for a letter of the form."""
        return tuple(self._usable(form))

    def draw(self, form: Form, number: int, rng: Generator, standing: Standing, *, varied: bool = True) -> ClipSet | None:
        """One set, or None where the sounds that were drawn do not go together.

        Args:
            form, number: which set.
            rng: the set's random stream.
            standing: what stands in the corpus so far; sounds that could only be UNCLEAR beside it are not drawn.
            varied: free sounds differ from deal to deal; else they are the same in the whole set.
        """
        seconds = self._draw_seconds(form, rng)
        lengths = self._draw_lengths(form, seconds, rng) if form.plans_lengths else None
        clips = self._draw_clips(form, number, _Filler(self, form, lengths, rng, standing), rng, varied)
        return self._finish(form, number, clips, seconds) if clips else None

    def _draw_seconds(self, form: Form, rng: Generator) -> float:
        if not form.seconds:
            return 0.0
        choices: tuple[float, ...] = getattr(self.recipe.plan, form.seconds)
        return float(choices[int(rng.integers(len(choices)))])

    def _draw_lengths(self, form: Form, seconds: float, rng: Generator) -> dict[Length, int]:
        """Long, middle and short, in ms: far enough apart, and on their sides of `seconds`."""
        for _ in range(_TRIES):
            short, middle, lowest = self._draw_short_and_middle(form, seconds, rng)
            longest = self._longest_ms(form, short, middle)
            if lowest <= longest:
                long = _between(lowest, min(lowest + _LENGTHS_VARY_MS, longest), self.recipe.audible.hop_ms, rng)
                return {"long": long, "middle": middle, "short": short}
        raise PlanError(
            f"{form.name}: no long, middle and short length fit into a clip; lower plan.length_ratio, plan.length_step_ms or "
            f"plan.shortest_event_ms" + (f", or leave {seconds:g} out of plan.{form.seconds}" if form.seconds else "")
        )

    def _draw_short_and_middle(self, form: Form, seconds: float, rng: Generator) -> tuple[int, int, int]:
        """A short and a middle length, and the shortest that a long one may be, in ms."""
        plan, margins, hop = self.recipe.plan, self.recipe.margins, self.recipe.audible.hop_ms
        most = int(margins.below_ratio * seconds * 1000) - plan.clearance_ms
        least = ceil_ms(margins.above_ratio * seconds * 1000) + plan.clearance_ms
        shortest = plan.shortest_event_ms
        if form.has_pairs:
            shortest = max(shortest, margins.overlap_ms + 2 * plan.clearance_ms)
        above, below = form.separates or ("", "")
        high = shortest + _LENGTHS_VARY_MS
        if below == "short":
            high = min(high, most)
        elif below == "middle":
            high = min(high, plan.length_below(most))
        short = _between(shortest, high, hop, rng)
        low = max(plan.length_above(short), least if above == "middle" else 0)
        middle = _between(low, min(low + _LENGTHS_VARY_MS, most if below == "middle" else CLIP_MS), hop, rng)
        return short, middle, max(plan.length_above(middle), least if above == "long" else 0)

    def _longest_ms(self, form: Form, short: int, middle: int) -> int:
        """The longest event that fits beside the others of every arrangement."""
        blocks = len(form.arrangements[0].blocks)
        room = CLIP_MS - 2 * self.recipe.plan.edge_ms - (blocks - 1) * gap_ms(self.recipe) - _SLACK_MS
        if form.has_pairs:  # a long and a short one apart, beside a pair of a long and a short one
            return min((room - short) // 2, self.recipe.audible.max_piece_ms)
        return min(room - short - middle, self.recipe.audible.max_piece_ms)

    def _draw_clips(self, form: Form, number: int, filler: _Filler, rng: Generator, varied: bool) -> tuple[ClipDraft, ...] | None:
        named: dict[str, _Choice] = {}
        for letter in form.named:
            if not filler.fill(letter, named):
                return None
        deals = []
        deal = named
        for n in range(form.copies):
            if varied or n == 0:
                deal = dict(named)
                for letter in form.free:
                    if not filler.fill(letter, deal):
                        return None
            slots = tuple(int(slot) for slot in rng.permutation(len(form.arrangements[0].blocks)))
            deals.append((deal, slots))
        clips = [
            ClipDraft(arrangement, arrangement.name, filler.parts(arrangement, deal), slots)
            for arrangement in form.arrangements
            for deal, slots in deals
        ]
        for n, (arrangement, anchor) in enumerate(replacements(form, number)):
            deal, slots = deals[n % len(deals)]
            others = {letter: choice for letter, choice in deal.items() if letter != anchor}
            # The stand-in must not be the sound it replaces, nor any other of the set: it is drawn beside them all.
            if not filler.fill(anchor, others, beside=deal):
                return None
            name = f"{arrangement.name}, without {anchor}"
            clips.append(ClipDraft(arrangement, name, filler.parts(arrangement, others), slots))
        return tuple(clips)

    def _finish(self, form: Form, number: int, clips: Sequence[ClipDraft], seconds: float) -> ClipSet:
        whole = clips[: len(form.arrangements) * form.copies]
        labels = {letter: part.label for clip in whole for letter, part in clip.parts.items() if letter not in FREE}
        sounds = {letter: self.library.sound(label) for letter, label in labels.items()}
        swapped = {letter: sounds[form.exchange.get(letter, letter)] for letter in sounds}
        twin_sounds = sounds if form.twin_patterns else swapped
        return ClipSet(
            form=form,
            number=number,
            formulas=(substitute(form.formulas[0], labels, seconds), substitute(form.formulas[1], labels, seconds)),
            texts=(
                write_sentence(form.pattern(0, number), sounds, seconds),
                write_sentence(form.pattern(1, number), twin_sounds, seconds),
            ),
            clips=tuple(clips),
        )

    # --- laying out a clip --------------------------------------------------------------------------------------------

    def lay_out(self, form: Form, clip: ClipDraft, rng: Generator) -> Timeline | None:
        """Draws the times of a clip; None where a pair would not both be heard with the shift that was drawn."""
        plan = self.recipe.plan
        blocks = in_slots(clip.arrangement, clip.slots)
        room = CLIP_MS - 2 * plan.edge_ms - (len(blocks) - 1) * gap_ms(self.recipe)
        placed: list[list[tuple[Part, int]]] = []
        for block in blocks:
            parts = [clip.parts[letter] for letter in block]
            shift = self._draw_shift(form, parts, rng) if len(parts) == 2 else 0
            if len(parts) == 2 and not self.placer.both_heard(parts[0].voice, parts[1].voice, shift):
                return None
            first = min(0, shift)
            placed.append([(part, at - first) for part, at in zip(parts, (0, shift), strict=False)])
        durations = [max(at + part.duration_ms for part, at in group) for group in placed]
        slack = room - sum(durations)
        if slack < 0:  # a pair whose shift takes more room than there is
            return None
        cuts = sorted(int(cut) for cut in rng.integers(0, slack + 1, len(blocks)))
        events = []
        begin = plan.edge_ms
        for n, group in enumerate(placed):
            begin += cuts[n] - (cuts[n - 1] if n else 0)
            events += [
                Event(part.label, begin + at, begin + at + part.duration_ms, part.recording, part.gain_db) for part, at in group
            ]
            begin += durations[n] + gap_ms(self.recipe)
        return Timeline(tuple(events))

    def _draw_shift(self, form: Form, parts: Sequence[Part], rng: Generator) -> int:
        """By how much the second of a pair starts after the first, in ms; negative: before it."""
        first, second = (part.duration_ms for part in parts)
        needed = needed_overlap_ms(self.recipe, first, second)
        low, high = needed - second, first - needed
        if form.pairs_start_together:
            most = self.recipe.margins.together_ms - self.recipe.plan.clearance_ms
            low, high = max(low, -most), min(high, most)
        return int(rng.integers(low, high + 1))


# --- choosing sounds for letters --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Choice:
    """A sound and recording for a letter, with its gain, and its length where the form plans none."""

    label: str
    recording: Recording
    gain_db: float
    own_ms: int


class _Filler:
    """Fills letters with sounds, one after another, so that they fit what is there."""

    def __init__(
        self, drafter: Drafter, form: Form, lengths: dict[Length, int] | None, rng: Generator, standing: Standing
    ) -> None:
        self.drafter, self.form, self.lengths, self.rng, self.standing = drafter, form, lengths, rng, standing
        self.usable = drafter._usable(form)
        self.labels = tuple(self.usable)

    def fill(self, letter: str, chosen: dict[str, _Choice], beside: Mapping[str, _Choice] | None = None) -> bool:
        """Adds a choice for `letter` to `chosen` that is unrelated to all of `chosen` and `beside`; False if there is none."""
        taken = {choice.label for group in (chosen, beside or {}) for choice in group.values()}
        for n in self.rng.permutation(len(self.labels)):
            label = self.labels[n]
            if self.drafter.neighbours[label] & taken:
                continue
            if self._clashes(letter, label, chosen, replacing=beside is not None):
                continue
            recordings = self.usable[label]
            recording = recordings[int(self.rng.integers(len(recordings)))]
            choice = self._choose(letter, recording)
            if choice and self._heard(letter, choice, chosen):
                chosen[letter] = choice
                return True
        return False

    def _clashes(self, letter: str, label: str, chosen: Mapping[str, _Choice], *, replacing: bool) -> bool:
        """Whether the label could only be UNCLEAR: in a clip with those of `chosen` that meet it, or in a query with them."""
        meeting = [
            c.label for other, c in chosen.items() if any({letter, other} <= set(a.letters) for a in self.form.arrangements)
        ]
        if self.standing.clash_in_clip(label, meeting):
            return True
        anchors = [set(self.form.anchors(query)) for query in (0, 1)]
        asked = [c.label for other, c in chosen.items() if any({letter, other} <= group for group in anchors)]
        return not replacing and self.standing.clash_in_query(label, asked)

    def _choose(self, letter: str, recording: Recording) -> _Choice | None:
        recipe, placer = self.drafter.recipe, self.drafter.placer
        most = round(recipe.sound.max_gain_db * 10)
        gain = int(self.rng.integers(-most, most + 1)) / 10
        own = recording.duration_ms
        if self.lengths:
            needed = {self.lengths[a.lengths[letter]] for a in self.form.arrangements if letter in a.lengths}
        else:
            if self.drafter.library.sound(recording.label).sustained:
                shortest, longest = event_limits_ms(self.form, recipe)
                low, high = max(shortest, recipe.plan.sustained_ms[0]), min(longest, recipe.plan.sustained_ms[1])
                if recording.duration_ms < recipe.sound.loop_material_ms:
                    high = min(high, recording.duration_ms)
                own = _between(low, high, recipe.audible.hop_ms, self.rng)
            needed = {own}
        if not all(placer.can_last(recording, length) for length in sorted(needed)):
            return None
        return _Choice(recording.label, recording, gain, own)

    def _heard(self, letter: str, choice: _Choice, chosen: Mapping[str, _Choice]) -> bool:
        """In forms with pairs: whether the choice can be heard together with each of `chosen` that meets it in some clip.

        All of them are asked, not only those that overlap in some arrangement, so that no letter is chosen by a laxer rule.
        """
        if not self.form.has_pairs:
            return True
        for other, their_choice in chosen.items():
            meetings = {
                (self._length(a, letter, choice), self._length(a, other, their_choice))
                for a in self.form.arrangements
                if letter in a.letters and other in a.letters
            }
            for mine, theirs in sorted(meetings):
                a = (choice.recording.id, mine, choice.gain_db)
                b = (their_choice.recording.id, theirs, their_choice.gain_db)
                if not self.drafter.placer.both_heard(a, b, 0):
                    return False
        return True

    def _length(self, arrangement: Arrangement, letter: str, choice: _Choice) -> int:
        return self.lengths[arrangement.lengths[letter]] if self.lengths else choice.own_ms

    def parts(self, arrangement: Arrangement, chosen: Mapping[str, _Choice]) -> dict[str, Part]:
        """The parts of a clip of this arrangement."""
        return {
            letter: Part(
                chosen[letter].label,
                chosen[letter].recording.id,
                self._length(arrangement, letter, chosen[letter]),
                chosen[letter].gain_db,
            )
            for letter in arrangement.letters
        }


def _between(low: int, high: int, step: int, rng: Generator) -> int:
    """A multiple of `step` in [low, high] (or the first one from `low` on), drawn evenly."""
    first = -(-low // step)
    last = max(first, high // step)
    return int(rng.integers(first, last + 1)) * step


def unrelated_count(labels: Sequence[str], library: SoundLibrary) -> int:
    """How many of `labels` can stand in one set: a greedy choice of pairwise unrelated ones, the least related first."""
    neighbours = library.relations.neighbours(labels)
    chosen: set[str] = set()
    for label in sorted(labels, key=lambda label: (len(neighbours[label]), label)):
        if not neighbours[label] & chosen:
            chosen.add(label)
    return len(chosen)
