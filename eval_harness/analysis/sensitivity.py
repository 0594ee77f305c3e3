"""Whether a text encoder hears the difference between another meaning and other words.

For a query q, its paraphrases say the same in the other sentence patterns of its form; a contrast (its twin, or the query with a
negated sound exchanged, see `wordings`) says something else in the same patterns. An encoder that understands has the paraphrase
nearer to q than the contrast. Two questions are asked of each pair of patterns (p, r), p other than r, with c for cosine:

- the hard one: c(q in p, q in r) > c(q in p, contrast in p)? The contrast has nearly all words of q and their pattern; an encoder
  that goes by words gets almost none right.
- the fair one: c(q in p, q in r) > c(q in p, contrast in r)? Both are in the same other pattern, so that wording cannot decide;
  half right is chance. An encoder that goes by the order of names alone, as if "B after A" were "B before A", has right what is
  in a pattern with the same order: 3 of the 7 others, 0.43.

Cosines that differ by less than `TIE` count one half.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from builders.errors import EvaluationError
from eval_harness.analysis.by_set import grouped, mean_interval
from eval_harness.analysis.embeddings_of import unit
from eval_harness.analysis.intervals import RESAMPLES, Floats, Interval
from eval_harness.analysis.wordings import CONTRASTS, Wordings

TextEncoder: TypeAlias = Callable[[list[str]], NDArray[Any]]
"""Texts -> embeddings, shape [texts, dimensions]."""

TIE = 1e-6
_LEAST = (-1.0, -1.0, -1.0, 0.0, 0.0)
"""Of what `Sensitivity` gives intervals of: three cosines, two shares."""


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Paraphrases against one contrast, over the queries of a task or of one of its forms.

    Attributes:
        task: "negation".
        form: "negation-1"; "" for the whole task.
        contrast: one of `CONTRASTS`.
        queries: how many.
        paraphrase: mean cosine of a query in one pattern and in another.
        same_words: mean cosine of a query and the contrast in the query's own pattern.
        same_pattern: the same, the contrast in the paraphrase's pattern.
        hard: share of pairs in which the paraphrase is nearer than the contrast in the query's own pattern.
        fair: the same for the contrast in the paraphrase's pattern; 0.5 is chance.
    """

    task: str
    form: str
    contrast: str
    queries: int
    paraphrase: Interval
    same_words: Interval
    same_pattern: Interval
    hard: Interval
    fair: Interval

    def to_json(self) -> dict[str, Any]:
        about = {"task": self.task, "form": self.form, "contrast": self.contrast, "queries": self.queries}
        values = ("paraphrase", "same_words", "same_pattern", "hard", "fair")
        return about | {name: getattr(self, name).to_json() for name in values}


def sensitivity(said: Sequence[Wordings], encode: TextEncoder, draws: int = RESAMPLES, seed: int = 0) -> tuple[Sensitivity, ...]:
    """Of each task and form among the queries, with each contrast that it has: the task as a whole first, then its forms.

    Args:
        said: queries in other words, `wordings`.
        encode: the text encoder, called once with every text once.
        draws: resamples of the intervals.
        seed: of these.

    Raises:
        EvaluationError: the encoder does not give a finite embedding for each text.
    """
    texts = list(dict.fromkeys(text for one in said for text in one.texts))
    vectors = np.asarray(encode(texts))
    if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
        raise EvaluationError(f"the text encoder gave no finite matrix with a row for each of {len(texts)} texts")
    row = {text: number for number, text in enumerate(texts)}
    placed = unit(vectors)
    found: list[Sensitivity] = []
    for contrast in CONTRASTS:
        there = [one for one in said if contrast in one.contrasts]
        sums = [
            _sums(placed[[row[text] for text in one.own]], placed[[row[t] for t in one.contrasts[contrast]]]) for one in there
        ]
        groups = [(one.query.task, "") for one in there] + [(one.query.task, one.query.form) for one in there]
        for task, form in sorted(set(groups)):
            chosen = [n for n, one in enumerate(there) if one.query.task == task and form in ("", one.query.form)]
            rows = grouped([there[n].query.set for n in chosen], np.stack([sums[n] for n in chosen]))
            means = (
                mean_interval(rows[:, column], rows[:, 0], least, 1.0, draws, seed)
                for column, least in enumerate(_LEAST, start=1)
            )
            found.append(Sensitivity(task, form, contrast, len(chosen), *means))
    return tuple(sorted(found, key=lambda one: (one.task, one.form, CONTRASTS.index(one.contrast))))


def _sums(own: NDArray[np.float32], other: NDArray[np.float32]) -> Floats:
    """One query: the number of ordered pairs of patterns, and sums over them of three cosines and two shares.

    Args:
        own, other: the query and the contrast in all patterns, shape [patterns, dimensions], of length 1.
    """
    to_own = own.astype(np.float64) @ own.T
    to_other = own.astype(np.float64) @ other.T
    pairs = ~np.eye(len(own), dtype=bool)
    paraphrase = to_own[pairs]
    same_words = np.broadcast_to(np.diag(to_other)[:, None], to_own.shape)[pairs]
    same_pattern = to_other[pairs]
    shares = [_nearer(paraphrase - other).sum() for other in (same_words, same_pattern)]
    return np.array([pairs.sum(), paraphrase.sum(), same_words.sum(), same_pattern.sum(), *shares])


def _nearer(difference: Floats) -> Floats:
    return np.where(np.abs(difference) < TIE, 0.5, (difference > 0).astype(np.float64))
