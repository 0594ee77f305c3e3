"""Groups of sounds for the letters of a set, drawn so that nothing but its letter tells one sound from another.

Sounds of a set have to go together: what two letters stand for must not be related, and two that a query asks for must not make
it UNCLEAR for clips that stand already. Late in a large corpus most pairs would, and those that are left are of sounds with few
relatives. So if only the anchors of a query had to go together, they could be told from the sounds beside them.

Two things prevent that. Letters that change places between the arrangements of a form are bound by the same rule (`Form.alike`).
And every group that fits has the same chance: sounds are drawn independently of each other, and all again where any two do not
fit. So a group whose letters change places is as probable as before; and letters that are drawn beside others that stay, again
and again for one set, are distributed as they would be had all been drawn at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.random import Generator

from builders.standing import Fits, Pairs
from builders.tasks.forms import Form

_BATCH = 4096
_BATCHES = 40


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """Draws groups of sounds for the letters of a form.

    Attributes:
        form: of the set.
        pool: labels that are drawn from.
        fits: which of them go together.
        rng: the set's random stream.
    """

    form: Form
    pool: Sequence[str]
    fits: Fits
    rng: Generator

    def draw(self, letters: str, beside: Mapping[str, str], unlike: Iterable[str]) -> Iterator[dict[str, str]]:
        """Groups of labels for `letters` that fit, one after another, at random; it ends where they are very rare.

        Args:
            letters: to be filled.
            beside: what other letters stand for already.
            unlike: labels to which none may be related.
        """
        others = [self.fits.number[label] for label in unlike]
        labels = [label for label in self.pool if self.fits.unrelated[self.fits.number[label], others].all()]
        if not labels:
            return
        numbers = np.array([self.fits.number[label] for label in labels])
        fixed = {letter: self.fits.number[label] for letter, label in beside.items()}
        rules = [(a, b, self._rule(a, b)) for a, b in combinations((*letters, *beside), 2) if a in letters or b in letters]
        for _ in range(_BATCHES):
            drawn = self.rng.integers(len(labels), size=(len(letters), _BATCH))
            of: dict[str, Any] = fixed | dict(zip(letters, numbers[drawn], strict=True))
            fit = np.ones(_BATCH, np.bool_)
            for a, b, rule in rules:
                fit &= rule[of[a], of[b]]
            for group in np.flatnonzero(fit):
                yield {letter: labels[n] for letter, n in zip(letters, drawn[:, group], strict=True)}

    def _rule(self, a: str, b: str) -> Pairs:
        if self.form.asks_both(a, b):
            return self.fits.asked
        return self.fits.together if self.form.meet(a, b) else self.fits.unrelated
