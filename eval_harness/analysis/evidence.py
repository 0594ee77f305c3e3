"""What each kind of evidence says of a (query, clip) pair, as numbers; none of it needs the relation that a query asks for.

A pair is a query and a clip of its set. Audio and metadata say something of the clip alone. But the wording tells which of the
two twins as planned a query is (patterns alternate between them), and so which sounds have the letters A and B, if those could be
told apart. So a classifier is told the twin, where the twins are mirror images: every number x of a clip is given as x and as t *
x, t = 1 for the first twin and -1 for the second. Where the twins ask different things of the same sounds, the twin would be the
relation itself, and t is 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

import numpy as np
from numpy.typing import NDArray

from builders.corpus import Clip, Query, make_id
from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.logic import Formula, Overlaps, conjuncts, labels_of, required_labels
from builders.timeline import Event, overlapping_pairs
from eval_harness.analysis.clip_features import NAMES, ClipFeatures

Floats = NDArray[np.float64]

RELEVANT = "relevant"


@dataclass(frozen=True, eq=False)
class Evidence:
    """Numbers about every pair of a task.

    Attributes:
        names: of the numbers.
        alone: what a clip alone shows, shape [pairs, numbers].
        in_set: the same less the mean of the set. A linear score orders the clips of a set by these as it does by the others, but
            is learned from what differs within sets. Others than linear ones would see which clips are unlike the rest of the
            set: what matching tells, as a clip without an anchor is.
        odd: so many of the first numbers change their sign where the sounds are named the other way round, and the score has to
            change its own: what is the same whoever is named first (the longer of two that overlap mostly starts first) is the
            relation itself.
    """

    names: tuple[str, ...]
    alone: Floats
    in_set: Floats
    odd: int = 0


@dataclass(frozen=True, eq=False)
class Pairs:
    """All (query, clip of its set) pairs of a task, sorted by set, twin and clip.

    Attributes:
        task: its name.
        sets: names of the sets; `forms`: the form of each.
        set: number of each pair's set in `sets`; shape [pairs].
        twin: 0 for the first query of the set as planned, 1 for the second; shape [pairs].
        clip: number of the clip within its set, by id; shape [pairs].
        kind: "relevant" or the foil's kind; shape [pairs].
        evidence: "audio", "metadata" and "text".
    """

    task: str
    sets: tuple[str, ...]
    forms: tuple[str, ...]
    set: NDArray[np.int64]
    twin: NDArray[np.int64]
    clip: NDArray[np.int64]
    kind: NDArray[np.str_]
    evidence: Mapping[str, Evidence]


def task_pairs(folder: DatasetFolder, task: str, features: ClipFeatures) -> Pairs | None:
    """The pairs of a task with all evidence about them; None where the folder has none.

    Raises:
        EvaluationError: a query is none of the plan's, or the audio of a clip is missing.
    """
    queries = [query for query in folder.queries.values() if query.task == task]
    if not queries:
        return None
    planned = {make_id(folder.recipe_hash, task, "query", n): n for n in range(len(queries))}
    for query in queries:
        if query.id not in planned:
            raise EvaluationError(f"{folder.path}: query {query.id} is none of the recipe's; `reasonaudio check` says more")
    queries.sort(key=lambda query: (query.set, planned[query.id] % 2))
    sets = tuple(sorted({query.set for query in queries}))
    numbers = {name: n for n, name in enumerate(sets)}
    form_of = {query.set: query.form for query in queries}
    mirrored = _mirrored_forms(queries)

    said = _Said(folder)
    rows: list[tuple[Query, str, str, int]] = []
    for query in queries:
        kinds = {foil.clip: foil.kind for foil in query.foils} | dict.fromkeys(query.relevant, RELEVANT)
        rows += [(query, clip, kinds[clip], n) for n, clip in enumerate(sorted(kinds))]
    set_of = np.array([numbers[query.set] for query, *_ in rows])
    twin = np.array([planned[query.id] % 2 for query, *_ in rows])
    sign = np.where(twin == 0, 1.0, -1.0) * np.array([float(query.form in mirrored) for query, *_ in rows])

    place = {clip: n for n, clip in enumerate(features.ids)}
    missing = sorted({clip for _, clip, *_ in rows} - place.keys())
    if missing:
        raise EvaluationError(f"{folder.path}: clip {missing[0]} has no audio; `reasonaudio check` says more")
    chosen = np.array([place[clip] for _, clip, *_ in rows])
    about, facts = _metadata(folder, task, features)
    evidence = {
        "audio": _of_clips(NAMES, features.values[chosen], set_of, sign),
        "metadata": _of_clips(about, np.array([facts[clip] for _, clip, *_ in rows]), set_of, sign),
    }
    named = np.array([said.facts(query, folder.clips[clip]) for query, clip, *_ in rows])
    evidence["text"] = Evidence(TEXT, named, named, odd=3)
    return Pairs(
        task,
        sets,
        tuple(form_of[name] for name in sets),
        set_of,
        twin,
        np.array([n for *_, n in rows]),
        np.array([kind for _, _, kind, _ in rows]),
        evidence,
    )


def pooled(corpora: Sequence[Pairs]) -> Pairs:
    """The pairs of one task of several corpora, as if their sets were one corpus's."""
    first = corpora[0]
    offsets = np.cumsum([0, *(len(one.sets) for one in corpora[:-1])])

    return Pairs(
        first.task,
        tuple(f"{n} {name}" for n, one in enumerate(corpora) for name in one.sets),
        tuple(form for one in corpora for form in one.forms),
        np.concatenate([one.set + offset for one, offset in zip(corpora, offsets, strict=True)]),
        np.concatenate([one.twin for one in corpora]),
        np.concatenate([one.clip for one in corpora]),
        np.concatenate([one.kind for one in corpora]),
        {name: _joined([one.evidence[name] for one in corpora]) for name in first.evidence},
    )


def _joined(parts: Sequence[Evidence]) -> Evidence:
    alone, in_set = np.concatenate([one.alone for one in parts]), np.concatenate([one.in_set for one in parts])
    return Evidence(parts[0].names, alone, in_set, parts[0].odd)


def _of_clips(names: Sequence[str], values: Floats, sets: NDArray[np.int64], sign: Floats) -> Evidence:
    """Numbers of clips less their mean in the task, and in the set; each also with the twin's sign."""
    count = np.bincount(sets)[:, None]
    means = np.zeros((len(count), values.shape[1]))
    np.add.at(means, sets, values)
    alone, in_set = values - values.mean(axis=0), values - (means / np.maximum(count, 1))[sets]

    def with_twin(centred: Floats) -> Floats:
        return np.hstack([centred, sign[:, None] * centred])

    return Evidence((*names, *(f"{name}, by twin" for name in names)), with_twin(alone), with_twin(in_set))


def _mirrored_forms(queries: Sequence[Query]) -> set[str]:
    """The forms whose twins ask the same of other sounds. `queries` are sorted by set."""
    by_set: dict[str, list[Query]] = {}
    for query in queries:
        by_set.setdefault(query.set, []).append(query)
    found: dict[str, bool] = {}
    for twins in by_set.values():
        if len(twins) == 2 and twins[0].form not in found:
            found[twins[0].form] = _same_but_for_names(twins[0].formula, twins[1].formula)
    return {form for form, mirrored in found.items() if mirrored}


def _same_but_for_names(a: Formula, b: Formula) -> bool:
    """Whether some exchange of labels makes one formula of the other."""
    labels = labels_of(a)
    wanted = _shape(b, {label: label for label in labels_of(b)})
    return any(
        _shape(a, dict(zip(labels, others, strict=True))) == wanted
        for others in permutations(labels_of(b))
        if len(others) == len(labels)
    )


def _shape(formula: Formula, names: Mapping[str, str]) -> set[tuple[str, ...]]:
    """The parts of a formula with the labels renamed."""
    parts = [(part, tuple(names[label] for label in labels_of(part))) for part in conjuncts(formula)]
    return {(type(part).__name__, *(sorted(labels) if isinstance(part, Overlaps) else labels)) for part, labels in parts}


# --- metadata ---------------------------------------------------------------------------------------------------------

_OF_EVENTS = ("gain", "length", "recording's uses", "label's uses", "label's rank", "label's recordings", "noun's length")


def _metadata(folder: DatasetFolder, task: str, features: ClipFeatures) -> tuple[tuple[str, ...], dict[str, Floats]]:
    """What the tables say of each clip of a task, other than who stands where.

    The uses of a recording or label are those in other sets: within the set, they tell which sounds are the anchors, as the query
    itself does.
    """
    names = (
        *("id", "row", "file's bytes", "samples", "events", "pairs"),
        *("first onset", "last offset", "longest gap", "shortest gap", "mean onset", "pair's middle"),
        *(
            f"{name}: {what}"
            for name in _OF_EVENTS
            for what in ("mean", "least", "most", "slope over time", "longest less others", "paired less others")
        ),
    )
    sets_of: dict[str, set[str]] = {}
    for clip in folder.clips.values():
        for event in clip.timeline:
            sets_of.setdefault(f"label {event.label}", set()).add(clip.set)
            sets_of.setdefault(f"recording {event.recording}", set()).add(clip.set)
    ranks = {label: n / len(folder.sounds) for n, label in enumerate(sorted(folder.sounds))}

    def of_event(event: Event) -> list[float]:
        used = folder.sounds[event.label]
        return [
            *(event.gain_db, event.duration_ms / 1000),
            *(len(sets_of[f"recording {event.recording}"]), len(sets_of[f"label {event.label}"])),
            *(ranks[event.label], len(used.recordings), len(used.sound.noun)),
        ]

    sizes = dict(zip(features.ids, zip(features.flac_bytes, features.samples, strict=True), strict=True))
    found = {}
    clips = [clip for clip in folder.clips.values() if clip.task == task]
    for row, clip in enumerate(clips):
        size, samples = sizes.get(clip.id, (0, 0))
        outer = [int(clip.id[:8], 16) / 2**32, row / len(clips), float(size), float(samples)]
        found[clip.id] = np.array([*outer, *_of_timeline(clip), *_of_all_events(clip, of_event)])
    return names, found


def _of_timeline(clip: Clip) -> list[float]:
    events = sorted(clip.timeline, key=lambda event: (event.onset_ms, event.offset_ms))
    pairs = overlapping_pairs(clip.timeline)
    gaps = [b.onset_ms - a.offset_ms for a, b in pairwise(events)] or [0]
    middle = sum(event.onset_ms + event.offset_ms for pair in pairs for event in pair) / (4 * len(pairs)) if pairs else 0.0
    return [
        *(float(len(events)), float(len(pairs)), events[0].onset_ms / 1000, max(event.offset_ms for event in events) / 1000),
        *(max(gaps) / 1000, min(gaps) / 1000, sum(event.onset_ms for event in events) / len(events) / 1000, middle / 1000),
    ]


def _of_all_events(clip: Clip, of_event: Callable[[Event], list[float]]) -> list[float]:
    events = sorted(clip.timeline, key=lambda event: (event.onset_ms, event.offset_ms))
    values = np.array([of_event(event) for event in events])
    at = np.arange(len(events)) - (len(events) - 1) / 2
    slope = at @ values / max(float(at @ at), 1e-9)
    longest = np.array([event.duration_ms == max(e.duration_ms for e in events) for event in events])
    paired_events = [event for pair in overlapping_pairs(clip.timeline) for event in pair]
    paired = np.array([event in paired_events for event in events])
    columns = [
        *(values.mean(axis=0), values.min(axis=0), values.max(axis=0), slope),
        *(_less_others(values, longest), _less_others(values, paired)),
    ]
    return [float(value) for value in np.stack(columns, axis=1).ravel()]


def _less_others(values: Floats, chosen: NDArray[np.bool_]) -> Floats:
    """The mean over the chosen events less that over the others; 0 where there are none."""
    if chosen.all() or not chosen.any():
        return np.zeros(values.shape[1])
    difference: Floats = values[chosen].mean(axis=0) - values[~chosen].mean(axis=0)
    return difference


# --- text -------------------------------------------------------------------------------------------------------------

TEXT = ("first-named is earlier", "first-named is longer", "first-named is louder", "absent sound named first")
"""What the order of naming, and not the words between the names, could tell."""


class _Said:
    """Finds sounds in texts."""

    def __init__(self, folder: DatasetFolder) -> None:
        self._phrases = {
            label: {phrase.casefold() for phrase in (used.sound.noun, used.sound.clause, used.sound.of)}
            for label, used in folder.sounds.items()
        }

    def facts(self, query: Query, clip: Clip) -> list[float]:
        """The numbers of `TEXT`, shape [4].

        Of the anchors named first and last, which is earlier, longer, louder in the clip (1, -1; 0 where one is missing); whether
        a sound that must be absent is named before the anchors (1, -1; 0 where there is none).
        """
        labels = self.named(query)
        anchors = set(required_labels(query.formula))
        named = [label for label in labels if label in anchors]
        found = {event.label: event for event in clip.timeline}
        if not named:  # a text in words of its own
            return [0.0] * len(TEXT)
        first, last = found.get(named[0]), found.get(named[-1])
        signs = [0.0, 0.0, 0.0]
        if first and last:
            signs = [
                _sign(last.onset_ms - first.onset_ms),
                _sign(first.duration_ms - last.duration_ms),
                _sign(first.gain_db - last.gain_db),
            ]
        negated = 0.0 if len(anchors) == len(labels) else 1.0 if labels[0] not in anchors else -1.0
        return [*signs, negated]

    def named(self, query: Query) -> list[str]:
        """The labels of the query's formula in the order in which its text names them first."""
        label_of = {phrase: label for label in labels_of(query.formula) for phrase in self._phrases.get(label, ())}
        phrases = sorted(label_of, key=len, reverse=True)  # "a dog barking" before "a dog"
        if not phrases:
            return []
        found = re.finditer("|".join(map(re.escape, phrases)), query.text.casefold())
        return list(dict.fromkeys(label_of[match.group()] for match in found))


def _sign(value: float) -> float:
    return float(np.sign(value))
