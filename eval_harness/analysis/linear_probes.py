"""What can be read from a clip's embedding by a linear function: presence, order, overlap, length.

"A comes before B" is no property of a clip that one function could read: which sounds are meant differs from set to set, and so
does everything else about their clips. Two questions remain that have an answer, and each is asked inside sets only, where all
clips hold the same recordings, so that nothing but the arrangement tells them apart.

Known sounds (`known_sounds`): is the arrangement in the embedding at all? In each set a linear function is fitted to tell the
clips that answer one query from those that answer its twin (A before B, B before A), and tried on clips that were left out. The
recordings are those it was fitted on, so that this is the most that a query could hope for. It needs few clips, and speaks of
each form.

Other sets (`other_sets`): can the arrangement be read in a way that carries over? For a sound that recurs in many sets, one
function (logistic regression on the embedding) is to say of it: is it there, does it come first or last, does it overlap
another, is it the longest or the shortest of its clip. Whole sets are held out, and with them the sounds beside it, its gain and
its places. This is what a text embedding has to do that names the sound. Only sets in which the answer differs between clips
count.

Both give the area under the ROC curve inside sets: 0.5 is chance, and `Probe.chance` what permuted answers give.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builders.corpus import Clip, Query
from builders.dataset_folder import DatasetFolder
from builders.logic import Margins
from builders.tasks.forms import Form
from builders.timeline import Event, Timeline, blocks_of, overlap_ms
from eval_harness.analysis.by_set import grouped, mean_interval
from eval_harness.analysis.embeddings_of import Embeddings
from eval_harness.analysis.holm import holm
from eval_harness.analysis.intervals import LEVEL, RESAMPLES, Floats, Interval
from eval_harness.analysis.wordings import letters_of, twin_queries

KNOWN_SOUNDS, OTHER_SETS = "known sounds", "other sets"
PERMUTATIONS = 1000
RIDGE = 0.1
"""The penalty of `known_sounds`, as a share of the mean squared distance of a set's clips from their mean."""
INVERSE_PENALTY = 10.0
"""scikit-learn's C in `other_sets`, for embeddings whose mean squared distance from their set's mean is 1."""
LABELS = 20
FEW_SETS = 10
"""Probes of fewer sets say little, whatever their intervals and p values."""
LEAST_SETS = 3
FOLDS = 5


@dataclass(frozen=True, eq=False)
class Probe:
    """One linear read-out.

    Attributes:
        kind: `KNOWN_SOUNDS` or `OTHER_SETS`.
        name: what is read: "presence", "order", "overlap", "length"; or a form, whose two queries are told apart.
        task: of the form; "" for `OTHER_SETS`, which takes the clips of all tasks.
        sets: how many sets it was tried on.
        sounds: how many sounds, for `OTHER_SETS`; else 0.
        auc: mean area under the ROC curve among the clips of a set that are compared, all such groups weighing the same.
        chance: its mean, and where 95 % of its values lie, with the answers of each group permuted over its clips.
        p: share of permutations that reach `auc` (one-sided, the one at hand counted).
        p_holm: the same, corrected over all probes that were made with it (`holm_corrected`); NaN before.
    """

    kind: str
    name: str
    task: str
    sets: int
    sounds: int
    auc: Interval
    chance: Interval
    p: float
    p_holm: float = float("nan")

    def to_json(self) -> dict[str, Any]:
        about = {"kind": self.kind, "name": self.name, "task": self.task, "sets": self.sets, "sounds": self.sounds}
        corrected = None if np.isnan(self.p_holm) else self.p_holm
        return about | {"auc": self.auc.to_json(), "chance": self.chance.to_json(), "p": self.p, "p_holm": corrected}


def holm_corrected(probes: Sequence[Probe]) -> tuple[Probe, ...]:
    """The probes of one model, their p values corrected for how many there are."""
    corrected = holm([one.p for one in probes])
    return tuple(replace(one, p_holm=p) for one, p in zip(probes, corrected, strict=True))


# --- known sounds -----------------------------------------------------------------------------------------------------


def known_sounds(
    embeddings: Embeddings, folder: DatasetFolder, task: str, draws: int = RESAMPLES, seed: int = 0
) -> tuple[Probe, ...]:
    """Whether the clips of one query and of its twin can be told apart in sets whose other clips are known; for each form.

    Ridge regression on ±1 with an intercept. The clips of a set come in deals: those of one deal have the same free sounds, and
    the same places, in every arrangement. A deal is left out as a whole, and its clips are compared with each other: a clip whose
    double of the other answer was fitted on would be taken for that. Where a set is all one deal, each pair of a clip of one
    query and one of its twin is left out in turn (Airola et al. 2011; leaving out single clips would be biased). Answers are
    permuted inside deals.

    Raises:
        EvaluationError: the sets are not as this version builds them.
    """
    by_form: dict[str, list[tuple[float, Floats]]] = defaultdict(list)
    rng = np.random.default_rng([seed, 1])
    for form, first, second in twin_queries(folder, task):
        clips = [folder.clips[clip] for clip in (*first.relevant, *second.relevant)]
        answers = np.repeat([1.0, -1.0], [len(first.relevant), len(second.relevant)])
        deals = _deals(form, first, second, clips)
        if not any(len(set(answers[deal])) > 1 for deal in deals):  # Mix 5: its blocks alone tell its queries apart
            deals = [np.arange(len(clips))]
        reader = _LeaveOut(embeddings.unit_clips[[embeddings.clip_row[clip.id] for clip in clips]].astype(np.float64), deals)
        permuted = np.tile(answers, (PERMUTATIONS, 1))
        for deal in deals:
            permuted[:, deal] = rng.permuted(permuted[:, deal], axis=1)
        values = reader.auc(np.concatenate([answers[None], permuted]))
        if np.isfinite(values[0]):  # else no deal has clips of both
            by_form[form.name].append((float(values[0]), values[1:]))
    found = []
    for name, units in sorted(by_form.items()):
        auc = mean_interval(np.array([value for value, _ in units]), np.ones(len(units)), 0.0, 1.0, draws, seed)
        null = np.mean([permuted for _, permuted in units], axis=0)
        found.append(Probe(KNOWN_SOUNDS, name, task, len(units), 0, auc, *_chance(auc, null)))
    return tuple(found)


def _deals(form: Form, first: Query, second: Query, clips: Sequence[Clip]) -> list[NDArray[np.intp]]:
    """The clips of each deal, as their timelines show it: what stands where, letters that the twins exchange taken as one."""
    letters = letters_of(form, first, second)
    assert letters is not None  # `twin_queries` found them so
    alike = {label: min(letter, form.exchange.get(letter, letter)) for letter, label in letters[0].items()}
    if not form.exchange:  # its twins say the same sounds in other roles
        alike = dict.fromkeys(alike, "A")
    found: dict[tuple[tuple[str, ...], ...], list[int]] = defaultdict(list)
    for number, clip in enumerate(clips):
        blocks = blocks_of(clip.timeline)
        found[tuple(tuple(sorted(alike.get(event.label, f"free {event.label}") for event in block)) for block in blocks)].append(
            number
        )
    return [np.array(numbers) for numbers in found.values()]


class _LeaveOut:
    """Ridge regression on the clips of one set, parts of which are left out in turn.

    Args:
        vectors: shape [clips, dimensions].
        deals: rows that are left out together; a single one is left out pair by pair.
    """

    def __init__(self, vectors: Floats, deals: Sequence[NDArray[np.intp]]) -> None:
        count = len(vectors)
        centred = vectors - vectors.mean(axis=0)
        gram = centred @ centred.T
        penalty = RIDGE * np.trace(gram) / count + 1e-12
        self._rest = np.eye(count) - gram @ np.linalg.inv(gram + penalty * np.eye(count)) - 1 / count
        self._parts = list(deals) if len(deals) > 1 else [np.array(pair) for pair in combinations(range(count), 2)]

    def auc(self, answers: Floats) -> Floats:
        """Share of pairs of +1 and -1 left out together in which +1 gets more; NaN without pairs.

        Args:
            answers: ±1, shape [rows, clips].

        Returns:
            shape [rows].
        """
        errors = answers @ self._rest
        right, pairs = np.zeros(len(answers)), np.zeros(len(answers))
        for part in self._parts:
            # Of a linear smoother with hat matrix H: fitted without the part P, it is off by (I - H)_PP^-1 (y - Hy)_P there.
            off = np.linalg.solve(self._rest[np.ix_(part, part)], errors[:, part].T).T
            read = answers[:, part] - off
            for i, j in combinations(range(len(part)), 2):
                sign = (answers[:, part[i]] - answers[:, part[j]]) / 2
                ahead = (read[:, i] - read[:, j]) * sign
                right += np.abs(sign) * np.where(np.abs(ahead) < 1e-9, 0.5, ahead > 0)
                pairs += np.abs(sign)
        return np.asarray(np.divide(right, pairs, out=np.full(len(answers), np.nan), where=pairs > 0))


# --- other sets -------------------------------------------------------------------------------------------------------

Reading = Callable[[Timeline, Event, Margins], float]
"""1 or 0 for an event of a timeline; NaN where it is neither."""


def _first(timeline: Timeline, event: Event, margins: Margins) -> float:
    """1: all others come after it; 0: all come before it."""
    others = [other for other in timeline if other is not event]
    if others and all(other.onset_ms >= event.offset_ms for other in others):
        return 1.0
    return 0.0 if others and all(other.offset_ms <= event.onset_ms for other in others) else np.nan


def _overlaps(timeline: Timeline, event: Event, margins: Margins) -> float:
    """1: it sounds together with another; 0: with none."""
    return float(any(overlap_ms(event, other) > 0 for other in timeline if other is not event))


def _longest(timeline: Timeline, event: Event, margins: Margins) -> float:
    """1: it is longer than every other, as the formula Longer has it; 0: every other is longer than it."""

    def longer(a: Event, b: Event) -> bool:
        more = a.duration_ms - b.duration_ms
        return a.duration_ms >= margins.longer_ratio * b.duration_ms and more >= margins.longer_ms

    others = [other for other in timeline if other is not event]
    if others and all(longer(event, other) for other in others):
        return 1.0
    return 0.0 if others and all(longer(other, event) for other in others) else np.nan


READINGS: Mapping[str, Reading | None] = {"presence": None, "order": _first, "overlap": _overlaps, "length": _longest}
"""What is read. Presence is no property of an event: 1 where the clip holds the sound."""


@dataclass(frozen=True, eq=False)
class _Unit:
    """One sound in clips that are compared with each other: their rows, and the answer for each, NaN where there is none."""

    set: str
    name: str
    rows: NDArray[np.intp]
    answers: Floats


def other_sets(
    embeddings: Embeddings,
    folder: DatasetFolder,
    tasks: Sequence[str],
    draws: int = RESAMPLES,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[Probe, ...]:
    """What one linear function for each sound reads in sets that it was not fitted on.

    The `LABELS` sounds that have the most sets with both answers are read, each with `LEAST_SETS` such sets or more. Presence is
    compared among all clips of a set; the others among those that hold the same sounds, so that these cannot tell where one of
    them stands (which free sounds there are goes with the places of all). Embeddings are brought to the mean of the clips that
    are compared, which takes nothing from what differs between them; their scale is the same for all dimensions, so that no
    rotation of the space changes anything.

    Args:
        embeddings: with all clips of the tasks.
        folder: the dataset.
        tasks: whose clips are taken.
        draws: resamples of the intervals.
        seed: of these, and of the permutations.
        progress: called with (sounds read, all).

    Returns:
        one probe for each of `READINGS` that enough sounds recur for.
    """
    clips = [clip for clip in folder.clips.values() if clip.task in tasks]
    plain = embeddings.unit_clips[[embeddings.clip_row[clip.id] for clip in clips]]
    chosen = {name: _chosen(_units(clips, folder, reading)) for name, reading in READINGS.items()}
    total, done = sum(map(len, chosen.values())), 0
    found = []
    for name, by_label in chosen.items():
        sets: list[str] = []
        aucs: list[float] = []
        permuted: list[Floats] = []
        vectors = _centred(plain, [_compared(clip, READINGS[name]) for clip in clips])
        for units in by_label.values():
            for unit, scores in zip(units, _out_of_fold(vectors, units), strict=True):
                sets.append(unit.set)
                aucs.append(float(_auc(unit.answers[None], scores)[0]))
                permuted.append(_auc(unit.answers[_shuffles(unit.name, len(scores), seed)], scores))
            done += 1
            progress(done, total)
        if aucs:
            by_set = grouped(sets, np.array([[value, 1.0] for value in aucs]))
            auc = mean_interval(by_set[:, 0], by_set[:, 1], 0.0, 1.0, draws, seed)
            null = np.nanmean(permuted, axis=0)
            found.append(Probe(OTHER_SETS, name, "", len(set(sets)), len(by_label), auc, *_chance(auc, null)))
    return tuple(found)


def _compared(clip: Clip, reading: Reading | None) -> str:
    """The name of the clips that a clip is compared with."""
    return clip.set if reading is None else f"{clip.set}: {', '.join(sorted(clip.timeline.labels))}"


def _centred(vectors: NDArray[np.float32], groups: Sequence[str]) -> Floats:
    """Less the mean of their group, at a mean squared length of 1 in groups of two or more."""
    _, place, counts = np.unique(np.asarray(groups), return_inverse=True, return_counts=True)
    sums = np.zeros((len(counts), vectors.shape[1]))
    np.add.at(sums, place, vectors)
    centred = vectors - (sums / counts[:, None])[place]
    squared = (centred**2).sum(axis=1)[counts[place] > 1]
    return np.asarray(centred / max(float(np.sqrt(squared.mean())) if len(squared) else 0.0, 1e-12))


def _units(clips: Sequence[Clip], folder: DatasetFolder, reading: Reading | None) -> dict[str, list[_Unit]]:
    """Label -> clips that are compared, of those between which the answer differs."""
    rows: dict[str, list[int]] = defaultdict(list)
    for row, clip in enumerate(clips):
        rows[_compared(clip, reading)].append(row)
    margins, relations = folder.recipe.margins_value(), folder.relations
    found: dict[str, list[_Unit]] = defaultdict(list)
    for name, members in rows.items():
        labels = sorted({label for row in members for label in clips[row].timeline.labels})
        near = relations.neighbours(labels)
        for label in labels:
            answers = []
            for row in members:
                timeline = clips[row].timeline
                if label in timeline.labels:
                    answers.append(1.0 if reading is None else reading(timeline, timeline.event(label), margins))
                else:
                    unclear = reading is not None or any(other in near[label] for other in timeline.labels)
                    answers.append(np.nan if unclear else 0.0)
            if {0.0, 1.0} <= set(answers):
                found[label].append(_Unit(clips[members[0]].set, name, np.array(members), np.array(answers)))
    return found


def _chosen(units: Mapping[str, list[_Unit]]) -> dict[str, list[_Unit]]:
    sets = {label: len({unit.set for unit in of_label}) for label, of_label in units.items()}
    most = sorted(units, key=lambda label: (-sets[label], label))[:LABELS]
    return {label: units[label] for label in most if sets[label] >= LEAST_SETS}


def _out_of_fold(vectors: Floats, units: Sequence[_Unit]) -> list[Floats]:
    """For each unit the value that each of its clips gets from a function fitted to other sets."""
    from sklearn.linear_model import LogisticRegression

    found: list[Floats] = [np.empty(0)] * len(units)
    sets = list(dict.fromkeys(unit.set for unit in units))
    for fold in range(min(FOLDS, len(sets))):
        left_out = set(sets[fold :: min(FOLDS, len(sets))])
        held = [n for n, unit in enumerate(units) if unit.set in left_out]
        fitted = [unit for n, unit in enumerate(units) if n not in held]
        rows = np.concatenate([unit.rows[np.isfinite(unit.answers)] for unit in fitted])
        answers = np.concatenate([unit.answers[np.isfinite(unit.answers)] for unit in fitted])
        basis = np.linalg.svd(vectors[rows], full_matrices=False)[2] if len(rows) < vectors.shape[1] else None
        known = vectors[rows] if basis is None else vectors[rows] @ basis.T  # the fit never leaves the span of its rows
        model = LogisticRegression(C=INVERSE_PENALTY, class_weight="balanced", max_iter=1000).fit(known, answers)
        for n in held:
            asked = vectors[units[n].rows] if basis is None else vectors[units[n].rows] @ basis.T
            found[n] = np.asarray(model.decision_function(asked), dtype=np.float64)
    return found


def _shuffles(name: str, count: int, seed: int) -> NDArray[np.intp]:
    """Permutations of clips, shape [PERMUTATIONS, clips]: the same for every sound in them, as their answers hang together."""
    rng = np.random.default_rng([seed, *name.encode()])
    return rng.permuted(np.tile(np.arange(count), (PERMUTATIONS, 1)), axis=1)


def _auc(answers: Floats, scores: Floats) -> Floats:
    """Area under the ROC curve of `scores`, shape [clips], for each row of `answers`, shape [rows, clips], NaN left out."""
    more = (scores[:, None] > scores[None, :]) + 0.5 * (scores[:, None] == scores[None, :])
    yes, no = (answers == 1).astype(np.float64), (answers == 0).astype(np.float64)
    return np.asarray(((yes @ more) * no).sum(axis=1) / (yes.sum(axis=1) * no.sum(axis=1)))


def _chance(auc: Interval, null: Iterable[float]) -> tuple[Interval, float]:
    values = np.asarray(list(null))
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    reached = int((values >= auc.value - 1e-12).sum())
    return Interval(float(values.mean()), float(low), float(high)), (1 + reached) / (1 + len(values))
