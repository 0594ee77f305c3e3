"""A tagger as a describer: from scores in windows to events, and from events to a caption in the words of the dataset."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from builders.captions import caption
from builders.errors import EvaluationError, SoundLibraryError
from builders.sounds.library import AtomicSound
from builders.sounds.ontology import Ontology
from builders.sounds.overheard import classes_of
from builders.sounds.tagger import HOP_S, RATE, WINDOW, Tagger, fingerprint
from builders.timeline import Event, Timeline
from eval_harness.data import Data
from eval_harness.systems.pipelines.describers import Description, HeardClip

VARIABLE = "REASONAUDIO_TAGGER"
"""The environment variable that names YAMNet's .tflite file, or its folder, where no option does."""
LEAST_HEARD = 0.005
"""Labels that the tagger is less sure of are not listed in `Description.heard`."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From scores to events. Fixed: chosen by F1 of windows and events on a mini corpus of seed 7, and by no queries.

    Attributes:
        score: a label is heard in a window from this score on.
        top: at most this many labels are heard in one window: those with the highest scores.
        gap: this many windows in which a label is not heard do not end its event.
        windows: an event of fewer windows is dropped.
    """

    score: float = 0.1
    top: int = 2
    gap: int = 2
    windows: int = 2


class TaggerDescriber:
    """YAMNet. Only labels of the dataset that have a class of the tagger can be heard; labels of one class are heard together."""

    name = "yamnet"
    gives_timelines = True
    listens = True

    def __init__(
        self,
        path: Path | None,
        data: Data,
        ontology: Ontology | None = None,
        *,
        thresholds: Thresholds = Thresholds(),
        workers: int = 1,
    ) -> None:
        """
        Args:
            path: YAMNet's .tflite file, or its folder; None for that of `REASONAUDIO_TAGGER`.
            data: whose labels it listens for, and in whose words it speaks.
            ontology: of AudioSet; then the classes below a label's own count for it, too.
            thresholds: from scores to events.
            workers: threads that listen.

        Raises:
            EvaluationError: no tagger is given, or it cannot be opened, or it knows none of the labels.
        """
        chosen = path or os.environ.get(VARIABLE)
        if not chosen:
            raise EvaluationError(
                f"yamnet: no tagger is given; name YAMNet's .tflite file, with its class map beside it, by --tagger or {VARIABLE}"
            )
        try:
            taggers = [Tagger.open(chosen) for _ in range(max(1, workers))]
        except SoundLibraryError as error:
            raise EvaluationError(f"yamnet: {error}") from None
        self._taggers: SimpleQueue[Tagger] = SimpleQueue()
        for tagger in taggers:
            self._taggers.put(tagger)
        self._workers = len(taggers)
        self._sounds = {label: used.sound for label, used in data.folder.sounds.items()}
        self._classes = telling_classes(tuple(self._sounds.values()), taggers[0], ontology)
        if not self._classes:
            raise EvaluationError(f"yamnet: the tagger has a class for none of the {len(self._sounds)} labels of {data.path}")
        self._thresholds = thresholds
        said = [[sound.label, sound.noun, sound.clause] for sound in self._sounds.values()]
        what = [1, fingerprint(Path(chosen)), asdict(thresholds), said, dict(self._classes)]
        self.revision = hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that can be heard."""
        return tuple(self._classes)

    def describe(self, clips: Sequence[HeardClip]) -> list[Description]:
        """Listens to clips of any rate."""
        if self._workers == 1:
            return [self._describe(clip) for clip in clips]
        with ThreadPoolExecutor(self._workers) as threads:  # LiteRT lets other threads run while it computes
            return list(threads.map(self._describe, clips))

    def _describe(self, clip: HeardClip) -> Description:
        samples, rate = clip.array, clip.sampling_rate
        tagger = self._taggers.get()
        try:
            scores = tagger.tag(samples, rate).scores
        finally:
            self._taggers.put(tagger)
        return describe_scores(scores, round(1000 * len(samples) / rate), self._sounds, self._classes, self._thresholds)


def telling_classes(sounds: Sequence[AtomicSound], tagger: Tagger, ontology: Ontology | None) -> Mapping[str, tuple[int, ...]]:
    """Label -> the tagger's classes that tell of it, for all labels that any class tells of: its own and those below it.

    Classes above do not count: "animal" is heard in every dog, and then in every cat as well.
    """
    numbers = {class_id: number for number, class_id in enumerate(tagger.classes)}
    found: dict[str, tuple[int, ...]] = {}
    for label, class_id in classes_of(sounds, tagger).items():
        below = ontology.descendants(class_id) if ontology is not None else frozenset()
        there = tuple(sorted(numbers[one] for one in {class_id, *below} if one in numbers))
        if there:
            found[label] = there
    return MappingProxyType(found)


def describe_scores(
    scores: NDArray[np.float32],
    length_ms: int,
    sounds: Mapping[str, AtomicSound],
    classes: Mapping[str, tuple[int, ...]],
    thresholds: Thresholds,
) -> Description:
    """What is heard, from the tagger's scores of one clip.

    A label's score in a window is the highest of its classes'. Windows in which it is heard, with gaps of at most
    `gap` windows, make an event; every moment belongs to the window whose middle is nearest, as a window stands for its hop
    rather than its length. Of several events of a label the one with the highest sum of scores is kept: a composite clip holds a
    sound once.

    Args:
        scores: of every class in every window, shape [windows, classes].
        length_ms: of the clip.
        sounds: label -> sound, whose words the caption is in.
        classes: as `telling_classes` gives them.
        thresholds: when a label is heard.
    """
    labels = tuple(classes)
    by_label = np.stack([scores[:, classes[label]].max(axis=1) for label in labels], axis=1)
    heard = by_label >= thresholds.score
    if by_label.shape[1] > thresholds.top:
        heard &= by_label >= np.sort(by_label, axis=1)[:, [-thresholds.top]]  # equal scores, so one class: all of them
    edges = window_edges(len(scores), length_ms)
    events = []
    for number in np.flatnonzero(heard.any(axis=0)):
        spans = _spans(heard[:, number], thresholds.gap)
        spans = [span for span in spans if span[1] - span[0] >= thresholds.windows]
        if spans:
            first, last = max(spans, key=lambda span: float(by_label[span[0] : span[1], number].sum()))
            events.append(Event(labels[number], int(edges[first]), int(edges[last])))
    timeline = Timeline(tuple(events))
    surest = by_label.max(axis=0)
    sure = {labels[n]: round(float(surest[n]), 4) for n in np.flatnonzero(surest >= LEAST_HEARD)}
    return Description(caption(timeline, sounds), timeline, sure)


def window_edges(windows: int, length_ms: int) -> NDArray[np.int64]:
    """Where the part of a clip for which each window stands begins and ends, in ms, shape [windows + 1]."""
    last = max(length_ms / 1000 - WINDOW / RATE, 0.0)
    middles = np.minimum(np.arange(windows) * HOP_S, last) + WINDOW / RATE / 2
    inner = (middles[1:] + middles[:-1]) / 2
    return np.round(1000 * np.concatenate([[0.0], inner, [length_ms / 1000]])).astype(np.int64)


def _spans(heard: NDArray[np.bool_], gap: int) -> list[tuple[int, int]]:
    """Runs of windows as [first, after the last), with gaps of at most `gap` windows."""
    spans: list[tuple[int, int]] = []
    for window in map(int, np.flatnonzero(heard)):
        if spans and window - spans[-1][1] <= gap:
            spans[-1] = (spans[-1][0], window + 1)
        else:
            spans.append((window, window + 1))
    return spans
