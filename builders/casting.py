"""Which sounds, recordings and gains stand for the letters of a set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations, islice, permutations

from numpy.random import Generator

from builders.groups import Groups
from builders.needs import event_limits_ms
from builders.placing import Placer
from builders.recipe import Recipe
from builders.sounds.library import Recording, SoundLibrary
from builders.standing import Fits, Pairs
from builders.tasks.forms import Arrangement, Form, Length

_GROUPS = 200  # groups of sounds that are looked at before a set is drawn by the laxer rule
_TRIES = 40  # groups of sounds that are looked at by it before the set is given up


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

    Whatever is asked of the sound of one letter and not of another's (that the query be clear, that it can be heard beside the
    others, that few other clips hold it) lets a listener tell which sounds the query may be about. So by the strict rule the
    sounds of a clip are drawn independently of each other, and the whole group is taken or drawn again by a rule that treats all
    of its letters the same. Sounds that are drawn later, beside others that stay, are drawn again until the group with them would
    be taken. Both give each group of sounds the same chance, in any order of letters.

    Where a library is too small for that, sounds are drawn one after another, and asked only what their letter needs.

    Attributes:
        usable: label -> recordings that can stand for a letter of the form.
        neighbours: label -> itself and the labels related to it.
        lengths: the set's planned lengths in ms, where the form plans any.
        fits: which sounds go together, beside what stands in the corpus so far.
        rng: the set's random stream.
        strict: by which rule.
        seldom: labels that few sets have so far. The strict rule draws from them alone, the other tries them first.
    """

    recipe: Recipe
    library: SoundLibrary
    placer: Placer
    usable: Mapping[str, tuple[Recording, ...]]
    neighbours: Mapping[str, frozenset[str]]
    form: Form
    lengths: Mapping[Length, int] | None
    fits: Fits
    rng: Generator
    strict: bool
    seldom: tuple[str, ...] = ()

    def fill(self, letters: str, beside: Cast, unlike: Cast | None = None) -> Cast | None:
        """`beside` with choices for `letters` added; None where none were found that go together.

        In forms with pairs, every two sounds that meet in some clip can be heard together. Where some cannot, all of `letters`
        are drawn anew.

        Args:
            letters: to be filled.
            beside: what other letters stand for already.
            unlike: a cast that this one stands in for: none of its sounds, nor any related to them, is chosen again.
        """
        if self.strict:
            return self._fill_alike(letters, beside, unlike or {})
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

    # --- a group, by the strict rule ----------------------------------------------------------------------------------

    def _fill_alike(self, letters: str, beside: Cast, unlike: Cast) -> Cast | None:
        standing = {letter: choice.label for letter, choice in beside.items()}
        groups = Groups(self.form, self.seldom, self.fits, self.rng)
        replaced = [choice.label for choice in unlike.values()]
        named = frozenset().union(*(self.neighbours[label] for label in replaced))
        for group in islice(groups.draw(letters, standing, replaced), _GROUPS):
            cast = dict(beside)
            for letter, label in group.items():
                choice = self._choose(label, self.usable[label], tuple(self.lengths.values()) if self.lengths else ())
                if choice is None or named & self.library.heard_in(choice.recording.id):
                    break
                cast[letter] = choice
            else:
                new = ((a, b) for a, b in combinations(cast, 2) if a in letters or b in letters)
                if all(self._heard_anyway(cast[a], cast[b]) for a, b in new):
                    return cast
        return None

    def _heard_anyway(self, a: Choice, b: Choice) -> bool:
        """Whether neither sound is overheard in the other and, in forms with pairs, both can be heard at once.

        With any lengths that two sounds of the form have in one clip, whether or not these two will.
        """
        if self.neighbours[a.label] & self.library.heard_in(b.recording.id):
            return False
        if self.neighbours[b.label] & self.library.heard_in(a.recording.id):
            return False
        if not self.form.has_pairs:
            return True
        meetings = self._lengths_that_meet() or {(a.own_ms, b.own_ms)}
        return all(
            self.placer.both_heard((a.recording.id, a_ms, a.gain_db), (b.recording.id, b_ms, b.gain_db), 0)
            for a_ms, b_ms in sorted(meetings)
        )

    def _lengths_that_meet(self) -> set[tuple[int, int]]:
        """Planned lengths of two sounds in one clip of the form, in ms."""
        lengths = self.lengths
        if not lengths:
            return set()
        return {
            (lengths[a], lengths[b])
            for arrangement in self.form.arrangements
            for a, b in permutations(arrangement.lengths.values(), 2)
        }

    # --- one letter, by the laxer rule ----------------------------------------------------------------------------------

    def _draw(self, letter: str, cast: Cast, unlike: Cast | None) -> bool:
        """Adds a choice for `letter` to `cast`; False where no sound is left."""
        taken = {choice.label for group in (cast, unlike or {}) for choice in group.values()}
        meeting = [choice.label for other, choice in cast.items() if self.form.meet(letter, other)]
        asked = [] if unlike else self._asked_with(letter, cast)
        crowded = []
        for label in self._shuffled():
            if self.neighbours[label] & taken or self._is_overheard(label, cast):
                continue
            if not self._all(self.fits.together, label, meeting) or not self._all(self.fits.clear, label, asked):
                continue
            if not self._all(self.fits.asked, label, asked):
                crowded.append(label)
            elif self._take(letter, label, cast, taken):
                return True
        return any(self._take(letter, label, cast, taken) for label in crowded)

    def _shuffled(self) -> list[str]:
        labels = tuple(self.usable)
        shuffled = [labels[n] for n in self.rng.permutation(len(labels))]
        seldom = set(self.seldom)
        return sorted(shuffled, key=lambda label: label not in seldom)

    def _asked_with(self, letter: str, cast: Cast) -> list[str]:
        """The labels that a query of the set asks for together with `letter`."""
        anchors = [set(self.form.anchors(query)) for query in (0, 1)]
        return [choice.label for other, choice in cast.items() if any({letter, other} <= group for group in anchors)]

    def _all(self, fit: Pairs, label: str, others: Iterable[str]) -> bool:
        return all(fit[self.fits.number[label], self.fits.number[other]] for other in others)

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
        needed = [self.lengths[a.lengths[letter]] for a in self.form.arrangements if letter in a.lengths] if self.lengths else []
        choice = self._choose(label, recordings, needed)
        if choice:
            cast[letter] = choice
        return choice is not None

    # --- one sound ----------------------------------------------------------------------------------------------------

    def _choose(self, label: str, recordings: tuple[Recording, ...], lengths: Iterable[int]) -> Choice | None:
        """Draws recording, gain and length; None where the recording cannot be as long as any of the planned lengths."""
        recording = self._draw_recording(recordings)
        most = round(self.recipe.sound.max_gain_db * 10)
        gain_db = int(self.rng.integers(-most, most + 1)) / 10
        own_ms = self._own_length(recording)
        if not all(self.placer.can_last(recording, length) for length in sorted(set(lengths)) or [own_ms]):
            return None
        return Choice(label, recording, gain_db, own_ms)

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
