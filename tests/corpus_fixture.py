"""A small corpus made by hand, and a renderer that needs no recordings: fixtures for all tests that need a folder."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
import types
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from builders.build import build
from builders.corpus import Clip, Foil, Plan, Query, make_id
from builders.logic import And, Before, Lacks, Relations
from builders.recipe import PRESETS, TASK_NAMES, Recipe, make_recipe, recipe_hash
from builders.sounds.library import AtomicSound, Recording, SoundLibrary
from builders.timeline import Event, Timeline

ROOT = Path(__file__).resolve().parent.parent
RATE = 8000
LABELS = ("bell", "dog", "dog bark", 'ünusual "siren"', "rain")


class ToneRenderer:
    """A second of tones at the onsets of the events instead of recordings; for the same clip always the same."""

    def __init__(self, recipe: Recipe, library: SoundLibrary) -> None:
        self.rate = recipe.sample_rate

    def clip(self, clip_id: str, timeline: Timeline) -> NDArray[np.int16]:
        """The clip, shape [1 s x rate]."""
        t = np.arange(self.rate) / self.rate
        tones = sum(np.sin(2 * np.pi * (100 + event.onset_ms) * t) * 0.1 for event in timeline)
        tones = tones + 0.001 * np.sin(int(clip_id, 16) % 999 * t)
        return np.asarray(np.round(tones * 32767), np.int16)


class SlowRenderer(ToneRenderer):
    """So slow that a build can be interrupted."""

    def clip(self, clip_id: str, timeline: Timeline) -> NDArray[np.int16]:
        """As ToneRenderer's."""
        time.sleep(0.02)
        return super().clip(clip_id, timeline)


class FullDiskRenderer(ToneRenderer):
    """The disk is full at the clip whose id comes in the environment."""

    def clip(self, clip_id: str, timeline: Timeline) -> NDArray[np.int16]:
        """As ToneRenderer's, but for one clip."""
        if clip_id == os.environ.get("FULL_AT"):
            raise OSError(28, "No space left on device")
        return super().clip(clip_id, timeline)


def make_library() -> SoundLibrary:
    """Five sounds, two of them related, with one silent recording each."""
    sounds = tuple(AtomicSound(label, f"a {label} sounding", f"a {label} sounds", label == "rain") for label in LABELS)
    licenses = ("CC0-1.0", "CC BY 4.0", "", "CC BY 4.0", "CC0-1.0")
    recordings = tuple(
        Recording(f"{label}/0", label, np.zeros(RATE, np.float32), 1000, True, license_, f'by "{label}", 2020', f"x/{label}")
        for label, license_ in zip(LABELS, licenses, strict=True)
    )
    relations = Relations(
        types.MappingProxyType({"dog bark": frozenset({"dog"})}),
        types.MappingProxyType({"rain": frozenset({"bell"}), "bell": frozenset({"rain"})}),
    )
    return SoundLibrary("tests", RATE, sounds, recordings, relations, digest="d" * 64)


def make_plan(clips_per_set: int = 4, sets: int = 2, seed: int = 0, library: SoundLibrary | None = None) -> Plan:
    """Per task `sets` sets of two queries and `clips_per_set` clips: half of them "bell before rain", half the reverse."""
    recipe = make_recipe(PRESETS["smoke"], {"seed": seed, "sample_rate": RATE})
    hashed = recipe_hash(recipe, (library or make_library()).digest)
    clips: list[Clip] = []
    queries: list[Query] = []
    for task in TASK_NAMES:
        for s in range(sets):
            form, name = f"{task}-1", f"{task}-{s:03d}"
            ids = [make_id(hashed, task, "clip", s * clips_per_set + i) for i in range(clips_per_set)]
            for i, clip_id in enumerate(ids):
                first, second = ("bell", "rain") if i % 2 else ("rain", "bell")
                start = 137 + 7 * i + s
                events = (
                    Event(first, start, start + 1001, f"{first}/0", 1.25),
                    Event("dog bark", start + 900, start + 1999, "dog bark/0", -0.1),
                    Event(second, 3000, 4003, f"{second}/0"),
                )
                clips.append(Clip(clip_id, task, form, name, f"{first} before {second}", Timeline(events)))
            twins = [make_id(hashed, task, "query", 2 * s + k) for k in range(2)]
            for k, (a, b) in enumerate((("bell", "rain"), ("rain", "bell"))):
                good = tuple(sorted(ids[1 - k :: 2]))
                foils = tuple(Foil(clip, "reversed") for clip in sorted(set(ids) - set(good)))
                formula = And(Before(a, b), Lacks(LABELS[3]))
                text = f"{a} before {b}, number {s} of {task}"
                queries.append(Query(twins[k], task, form, name, twins[1 - k], text, formula, good, foils))
    order = {task: number for number, task in enumerate(TASK_NAMES)}
    clips.sort(key=lambda clip: (order[clip.task], clip.id))
    queries.sort(key=lambda query: (order[query.task], query.id))
    return Plan(recipe, hashed, tuple(clips), tuple(queries))


def make_qrels(plan: Plan) -> list[tuple[str, str]]:
    """Every clip whose arrangement is the query's, in all tasks: the whole corpus has more than a task's own."""
    wanted = {query.id: query.text.partition(",")[0] for query in plan.queries}
    return sorted((query, clip.id) for query, text in wanted.items() for clip in plan.clips if clip.arrangement == text)


def make_folder(out: Path, plan: Plan | None = None, num_proc: int = 1) -> Path:
    """A finished folder of the small corpus."""
    plan = plan or make_plan()
    return build(plan, make_library(), make_qrels(plan), out, num_proc=num_proc, make_renderer=ToneRenderer).folder


def other_plan(plan: Plan) -> Plan:
    """The same, under another recipe hash."""
    return replace(plan, recipe_hash=hashlib.sha256(b"other").hexdigest())


def python(code: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs `code` in a fresh interpreter that finds the packages and these fixtures; its output is kept."""
    path = os.pathsep.join((str(ROOT), str(Path(__file__).parent)))
    env = os.environ | {"PYTHONPATH": path, "HF_HUB_OFFLINE": "1"} | environment
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished folder, not to be changed."""
    return make_folder(tmp_path_factory.mktemp("corpus") / "small")
