"""One set: which sounds, recordings, gains and lengths its twenty clips are made of, and where their events stand.

What differs between the arrangements of a set must be the arrangement alone. So everything that could tell them apart is drawn
for the set as a whole, or per "deal": the n-th copy of every arrangement has the same free sounds, and its blocks stand in the
same slots. Only gaps and shifts are drawn for each clip.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from numpy.random import Generator

from builders.casting import Cast, Casting, between
from builders.errors import PlanError
from builders.logic import Formula
from builders.needs import SLACK_MS, gap_ms, needed_overlap_ms, room_ms, shortest_event_ms, usable
from builders.placing import Placer
from builders.recipe import CLIP_MS, Recipe, ceil_ms
from builders.sounds.library import Recording, SoundLibrary
from builders.standing import Standing
from builders.tasks.forms import FREE, Arrangement, Form, Length, in_slots, replacements, substitute, write_sentence
from builders.timeline import Event, Timeline

_ENOUGH = 4  # sounds for each letter
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


# --- drawing a set ----------------------------------------------------------------------------------------------------


class Drafter:
    """Draws sets from one library by one recipe."""

    def __init__(self, recipe: Recipe, library: SoundLibrary, placer: Placer) -> None:
        self.recipe, self.library, self.placer = recipe, library, placer
        self._neighbours = library.relations.neighbours(library.labels)
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

    def draw(
        self, form: Form, number: int, rng: Generator, standing: Standing, task: str, *, varied: bool = True
    ) -> ClipSet | None:
        """One set, or None where the sounds that were drawn do not go together.

        Args:
            form, number: which set.
            rng: the set's random stream.
            standing: what stands in the corpus so far; sounds that could only be UNCLEAR beside it are not drawn.
            task: of the set.
            varied: free sounds differ from deal to deal; else they are the same in the whole set.
        """
        seconds = self._draw_seconds(form, rng)
        lengths = self._draw_lengths(form, seconds, rng) if form.plans_lengths else None
        usable, fits = self._usable(form), standing.fits(task)
        seldom = self._draw_seldom(form, standing, rng)
        clips = None
        for labels, strict in ((seldom, True), (tuple(usable), True), (seldom, False)):
            casting = Casting(
                *(self.recipe, self.library, self.placer, usable, self._neighbours, form, lengths, fits, rng, strict, labels)
            )
            clips = self._draw_clips(form, number, casting, varied)
            if clips:
                break
        return self._finish(form, number, clips, seconds) if clips else None

    def _draw_seldom(self, form: Form, standing: Standing, rng: Generator) -> tuple[str, ...]:
        """The half of the form's sounds that fewest sets have so far, so that a corpus uses all of a library about equally.

        Every letter is drawn from the same half, so this tells none from another. Of a small library the half is larger, up to
        all of it: where the letters use it up, those drawn last would be drawn from the rest.
        """
        labels = tuple(self._usable(form))
        mixed = rng.permutation(len(labels))
        order = sorted(range(len(labels)), key=lambda n: (standing.sets_with(labels[n]), mixed[n]))
        size = max(len(labels) // 2, _ENOUGH * len(form.named + form.free))
        return tuple(labels[n] for n in sorted(order[:size]))

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
                long = between(lowest, min(lowest + _LENGTHS_VARY_MS, longest), self.recipe.audible.hop_ms, rng)
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
        shortest = shortest_event_ms(form, self.recipe)
        above, below = form.separates or ("", "")
        high = shortest + _LENGTHS_VARY_MS
        if below == "short":
            high = min(high, most)
        elif below == "middle":
            high = min(high, plan.length_below(most))
        short = between(shortest, high, hop, rng)
        low = max(plan.length_above(short), least if above == "middle" else 0)
        middle = between(low, min(low + _LENGTHS_VARY_MS, most if below == "middle" else CLIP_MS), hop, rng)
        return short, middle, max(plan.length_above(middle), least if above == "long" else 0)

    def _longest_ms(self, form: Form, short: int, middle: int) -> int:
        """The longest event that fits beside the others of every arrangement."""
        room = room_ms(form, self.recipe)
        if form.has_pairs:  # a long and a short one apart, beside a pair of a long and a short one
            return min((room - short) // 2, self.recipe.audible.max_piece_ms)
        return min(room - short - middle, self.recipe.audible.max_piece_ms)

    def _draw_clips(self, form: Form, number: int, casting: Casting, varied: bool) -> tuple[ClipDraft, ...] | None:
        first = casting.fill(form.named + form.free, {})
        if first is None:
            return None
        deals = []
        named = {letter: first[letter] for letter in form.named}
        for n in range(form.copies):
            cast = casting.fill(form.free, named) if varied and n else first
            if cast is None:
                return None
            slots = tuple(int(slot) for slot in casting.rng.permutation(len(form.arrangements[0].blocks)))
            deals.append((cast, slots))
        clips = [
            ClipDraft(arrangement, arrangement.name, _parts(casting, arrangement, cast), slots)
            for arrangement in form.arrangements
            for cast, slots in deals
        ]
        for n, (arrangement, replaced) in enumerate(replacements(form, number)):
            cast, slots = deals[n % len(deals)]
            others = {letter: choice for letter, choice in cast.items() if letter not in replaced}
            changed = casting.fill(replaced, others, unlike=cast)
            if changed is None:
                return None
            clips.append(ClipDraft(arrangement, arrangement.without(replaced), _parts(casting, arrangement, changed), slots))
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
        room = room_ms(form, self.recipe) + SLACK_MS
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


def _parts(casting: Casting, arrangement: Arrangement, cast: Cast) -> dict[str, Part]:
    """What the letters of a clip of this arrangement stand for."""
    return {
        letter: Part(
            cast[letter].label,
            cast[letter].recording.id,
            casting.length_ms(letter, cast[letter], arrangement),
            cast[letter].gain_db,
        )
        for letter in arrangement.letters
    }
