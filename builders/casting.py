"""Which sounds, recordings and gains stand for the letters of a set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from numpy.random import Generator

from builders.needs import event_limits_ms
from builders.placing import Placer
from builders.recipe import Recipe
from builders.sounds.library import Recording, SoundLibrary
from builders.standing import Standing
from builders.tasks.forms import Arrangement, Form, Length

_TRIES = 40  # groups of sounds that are looked at before the set is given up


@dataclass(frozen=True, slots=True)
class Choice:
    """A sound and recording for a letter, with its gain, and its length where the form plans none."""

    label: str
    recording: Recording
    gain_db: float
    own_ms: int


Cast = dict[str, Choice]
"""What each letter stands for."""


@dataclass(frozen=True, slots=True, eq=False)
class Casting:
    """Fills the letters of one set with sounds that go together.

    Attributes:
        usable: label -> recordings that can stand for a letter of the form.
        neighbours: label -> itself and the labels related to it.
        lengths: the set's planned lengths in ms, where the form plans any.
        standing: what stands in the corpus so far.
        sets: numbers of the sets of the same task.
        rng: the set's random stream.
        seldom: labels that few sets have so far; they are tried before the others, for every letter alike.
    """

    recipe: Recipe
    library: SoundLibrary
    placer: Placer
    usable: Mapping[str, tuple[Recording, ...]]
    neighbours: Mapping[str, frozenset[str]]
    form: Form
    lengths: Mapping[Length, int] | None
    standing: Standing
    sets: range
    rng: Generator
    seldom: frozenset[str] = frozenset()

    def fill(self, letters: str, beside: Cast, unlike: Cast | None = None) -> Cast | None:
        """`beside` with choices for `letters` added; None where none were found that go together.

        In forms with pairs, every two sounds that meet in some clip can be heard together. Where some cannot, all of `letters`
        are drawn anew: if only the one that does not fit were, those drawn last would be chosen by a stricter rule than those
        drawn first, and anchors could be told from free sounds. A sound also has to go with those drawn before it, which keeps
        out some that are in many sets already, as long ones are. So the letters are drawn in random order.

        Args:
            letters: to be filled.
            beside: what other letters stand for already.
            unlike: a cast that this one stands in for: none of its sounds, nor any related to them, is chosen again.
        """
        for _ in range(_TRIES):
            cast = dict(beside)
            mixed = [letters[int(n)] for n in self.rng.permutation(len(letters))]
            if not all(self._draw(letter, cast, unlike) for letter in mixed):
                return None
            if all(self._heard(a, b, cast) for a, b in combinations(cast, 2) if a in letters or b in letters):
                return cast
        return None

    def length_ms(self, letter: str, choice: Choice, arrangement: Arrangement) -> int:
        """How long the letter's event is in a clip of the arrangement."""
        return self.lengths[arrangement.lengths[letter]] if self.lengths else choice.own_ms

    # --- one letter ---------------------------------------------------------------------------------------------------

    def _draw(self, letter: str, cast: Cast, unlike: Cast | None) -> bool:
        """Adds a choice for `letter` to `cast`; False where no sound is left."""
        taken = {choice.label for group in (cast, unlike or {}) for choice in group.values()}
        meeting = [choice.label for other, choice in cast.items() if self._meet(letter, other)]
        asked = self._asked_with(letter, self._drawn_before(letter, cast) if unlike else cast)
        crowded = []
        # First without sounds that clips of other sets hold together with the query's others: few clips should answer by chance.
        # Likewise without those that have a relative in common with one of the query's others: a query for both would be UNCLEAR
        # for every clip with that relative, which could then stand nowhere in the corpus.
        for label in self._shuffled():
            if self.neighbours[label] & taken or self._clashes(label, meeting, asked) or self._is_overheard(label, cast):
                continue
            if self._shares_a_relative(label, asked) or self.standing.crowded(label, asked, self.sets):
                crowded.append(label)
            elif self._take(letter, label, cast, taken):
                return True
        return any(self._take(letter, label, cast, taken) for label in crowded)

    def _shuffled(self) -> list[str]:
        labels = tuple(self.usable)
        shuffled = [labels[n] for n in self.rng.permutation(len(labels))]
        return sorted(shuffled, key=lambda label: label not in self.seldom)

    def _meet(self, a: str, b: str) -> bool:
        return any(a in arrangement.letters and b in arrangement.letters for arrangement in self.form.arrangements)

    def _drawn_before(self, letter: str, cast: Cast) -> Cast:
        """The letters that would have been drawn before `letter`, had it been drawn with the others in any order.

        A sound that replaces another is drawn last. If it always had to go with all others of a query, or never, it would be
        chosen by another rule than the sound that it replaces, and could be told from it.
        """
        others = sorted(cast)
        before = self.rng.permutation(len(others))[: int(self.rng.integers(len(others) + 1))]
        return {others[n]: cast[others[n]] for n in before.tolist()}

    def _asked_with(self, letter: str, cast: Cast) -> list[str]:
        """The labels that a query of the set asks for together with `letter`."""
        anchors = [set(self.form.anchors(query)) for query in (0, 1)]
        return [choice.label for other, choice in cast.items() if any({letter, other} <= group for group in anchors)]

    def _clashes(self, label: str, meeting: Iterable[str], asked: Iterable[str]) -> bool:
        """Whether the label could only be UNCLEAR: in a clip with those it meets, or in a query with those asked for with it."""
        return self.standing.clash_in_clip(label, meeting) or self.standing.clash_in_query(label, asked)

    def _shares_a_relative(self, label: str, asked: Iterable[str]) -> bool:
        return any(self.neighbours[label] & self.neighbours[other] for other in asked)

    def _is_overheard(self, label: str, cast: Cast) -> bool:
        """Whether the sound, or one related to it, is heard in the background of a recording that is cast already."""
        near = self.neighbours[label]
        return any(near & self.library.heard_in(choice.recording.id) for choice in cast.values())

    def _take(self, letter: str, label: str, cast: Cast, taken: set[str]) -> bool:
        """Draws recording, gain and length; False where none can be used or it cannot last as long as the letter must."""
        recordings = self.usable[label]
        if self.library.overheard:
            near = frozenset().union(*(self.neighbours[other] for other in taken))
            recordings = tuple(recording for recording in recordings if not near & self.library.heard_in(recording.id))
            if not recordings:
                return False
        recording = self._draw_recording(recordings)
        most = round(self.recipe.sound.max_gain_db * 10)
        gain_db = int(self.rng.integers(-most, most + 1)) / 10
        own_ms = self._own_length(recording)
        if self.lengths:
            needed = {self.lengths[a.lengths[letter]] for a in self.form.arrangements if letter in a.lengths}
        else:
            needed = {own_ms}
        if not all(self.placer.can_last(recording, length) for length in sorted(needed)):
            return False
        cast[letter] = Choice(label, recording, gain_db, own_ms)
        return True

    def _draw_recording(self, recordings: tuple[Recording, ...]) -> Recording:
        """Any of them; first any uploader where they are known, so that one person's many recordings do not crowd out others'."""
        people = sorted({recording.uploader for recording in recordings})
        if len(people) > 1:
            who = people[int(self.rng.integers(len(people)))]
            recordings = tuple(recording for recording in recordings if recording.uploader == who)
        return recordings[int(self.rng.integers(len(recordings)))]

    def _own_length(self, recording: Recording) -> int:
        """Length of an event where the form plans none: the recording's own; of sustained sounds, drawn for the set."""
        if self.lengths or not self.library.sound(recording.label).sustained:
            return recording.duration_ms
        shortest, longest = event_limits_ms(self.form, self.recipe)
        low, high = max(shortest, self.recipe.plan.sustained_ms[0]), min(longest, self.recipe.plan.sustained_ms[1])
        if recording.duration_ms < self.recipe.sound.loop_material_ms:
            high = min(high, recording.duration_ms)
        return between(low, high, self.recipe.audible.hop_ms, self.rng)

    # --- two letters --------------------------------------------------------------------------------------------------

    def _heard(self, a: str, b: str, cast: Cast) -> bool:
        """In forms with pairs: whether two letters can be heard together in every clip in which they meet.

        All that meet are asked, not only those that overlap in some arrangement, so that no letter is chosen by a laxer rule.
        """
        if not self.form.has_pairs:
            return True
        meetings = {
            (self.length_ms(a, cast[a], arrangement), self.length_ms(b, cast[b], arrangement))
            for arrangement in self.form.arrangements
            if a in arrangement.letters and b in arrangement.letters
        }
        return all(
            self.placer.both_heard(
                (cast[a].recording.id, a_ms, cast[a].gain_db), (cast[b].recording.id, b_ms, cast[b].gain_db), 0
            )
            for a_ms, b_ms in sorted(meetings)
        )


def between(low: int, high: int, step: int, rng: Generator) -> int:
    """A multiple of `step` in [low, high] (or the first one from `low` on), drawn evenly."""
    first = -(-low // step)
    last = max(first, high // step)
    return int(rng.integers(first, last + 1)) * step
