"""Clips of a control: rendered as the plan says, then treated as their set asks for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from builders.controls.treatment import Treatment, treat_set
from builders.corpus import Clip, Measured
from builders.recipe import Recipe
from builders.render import Renderer, quantised
from builders.sounds.library import SoundLibrary
from builders.timeline import Timeline


class ControlRenderer:
    """Renders clips of a recipe that has a control."""

    def __init__(
        self, recipe: Recipe, library: SoundLibrary, measured: Measured = Measured(), treatments: Path = Path("treatments.json")
    ) -> None:
        """`treatments` is a file as `to_json` gives it, of all clips that are asked for; it is read when the first one is."""
        self.renderer = Renderer(recipe, library, measured)
        self._file = treatments
        self._mixed = np.empty(self.renderer.clip_samples, np.float32)

    def treatments(self, clips: Sequence[Clip]) -> dict[str, Treatment]:
        """Clip id -> what is to be done to it; `clips` are all clips of one set."""
        return treat_set(clips, self.renderer)

    def clip(self, clip_id: str, timeline: Timeline) -> NDArray[np.int16]:
        """The clip, mono, 16 bit, shape [10 s x rate]; full scale is never reached. Not to be called from two threads at once."""
        return self.treated(clip_id, timeline, self._treatments[clip_id])

    def treated(self, clip_id: str, timeline: Timeline, treatment: Treatment) -> NDArray[np.int16]:
        """The same with a treatment of the caller's."""
        mixed = self.renderer.mix(clip_id, timeline, into=self._mixed)
        scaled = treatment.apply(mixed, timeline, self.renderer.recipe)
        scaled *= np.float32(32768)
        return quantised(clip_id, scaled)

    @cached_property
    def _treatments(self) -> Mapping[str, Treatment]:
        return from_json(self._file.read_bytes())


def to_json(treatments: Mapping[str, Treatment]) -> bytes:
    """Treatments as JSON; numbers are read back exactly."""
    return json.dumps({clip: asdict(treatment) for clip, treatment in treatments.items()}).encode()


def from_json(content: bytes) -> dict[str, Treatment]:
    """What `to_json` wrote. Raises ValueError, KeyError or TypeError for anything else."""
    return {
        clip: Treatment(fields["gain_db"], fields["gap_bed_dbfs"], tuple(fields["filter_db"]))
        for clip, fields in json.loads(content).items()
    }


def sets_of(clips: Iterable[Clip]) -> list[tuple[Clip, ...]]:
    """Clips by set, in order of the sets' names and of ids within each."""
    sets: dict[str, list[Clip]] = {}
    for clip in sorted(clips, key=lambda clip: (clip.set, clip.id)):
        sets.setdefault(clip.set, []).append(clip)
    return [tuple(members) for members in sets.values()]
