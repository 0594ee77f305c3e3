"""A library of filtered noises, for tests and benchmarks that need many sounds and no file."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy.signal import butter, sosfilt

from builders.check.rules import KnownRecording, Records
from builders.corpus import Plan
from builders.logic import NO_RELATIONS, Relations
from builders.plan import make_plan
from builders.recipe import PRESETS, make_recipe, plan_hash
from builders.sounds.library import AtomicSound, Recording, SoundLibrary


def fake_library(
    count: int = 60,
    recordings: int = 3,
    sample_rate: int = 32_000,
    relations: Relations = NO_RELATIONS,
    sustained_share: float = 0.4,
    called: Sequence[AtomicSound] = (),
) -> SoundLibrary:
    """`count` sounds "sound 000", ...: bands of noise; the first `sustained_share` of each ten are sustained.

    Or the sounds in `called`, which are sorted by label, as the same bands of noise.
    """
    sounds, made, digest = [], [], hashlib.sha256()
    for n in range(len(called) or count):
        label = called[n].label if called else f"sound {n:03}"
        sustained = called[n].sustained if called else n % 10 < sustained_share * 10
        sounds.append(called[n] if called else AtomicSound(label, f"a {label} playing", f"a {label} plays", sustained))
        for take in range(recordings):
            rng = np.random.default_rng([n, take])
            duration_ms = 5 * int(rng.integers(500, 1000) if sustained else rng.integers(110, 420))
            samples = rng.standard_normal(duration_ms * sample_rate // 1000)
            low = np.exp(rng.uniform(np.log(100), np.log(sample_rate / 5)))
            sos = butter(2, [low, min(low * 2, sample_rate * 0.45)], "bandpass", fs=sample_rate, output="sos")
            samples = sosfilt(sos, samples).astype(np.float32)
            samples *= np.float32(0.2 / np.abs(samples).max())
            digest.update(samples.tobytes())
            made.append(Recording(f"fake/{label}/{take}", label, samples, duration_ms, True, "CC0-1.0", "made here", "fake"))
    return SoundLibrary("fake", sample_rate, tuple(sounds), tuple(made), relations, digest=digest.hexdigest())


@lru_cache(maxsize=4)
def smoke(seed: int = 0, queries: int | None = None) -> tuple[Plan, SoundLibrary]:
    """A small plan and its library, made once per process."""
    library = fake_library()
    changes = {"seed": seed} | ({"queries_per_task": queries} if queries else {})
    return make_plan(make_recipe(PRESETS["smoke"], changes), library), library


def records_of(plan: Plan, library: SoundLibrary) -> Records:
    """What a check sees of a plan."""
    return Records(
        recipe=plan.recipe,
        plan_hash=plan_hash(plan.recipe, library.digest),
        relations=library.relations,
        sounds={sound.label: sound for sound in library.sounds},
        recordings={r.id: KnownRecording(r.label, r.duration_ms) for r in library.recordings},
        clips=plan.clips,
        queries=plan.queries,
    )
