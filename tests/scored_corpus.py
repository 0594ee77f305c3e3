"""Planned corpora to score rankings on: whole sets of every form, with tones in place of recordings."""

from __future__ import annotations

from pathlib import Path

import pytest

from builders.build import build
from builders.dataset_folder import DatasetFolder
from builders.logic import Relations
from builders.plan import make_plan
from builders.recipe import EQUAL_ENERGY, EQUAL_SPECTRUM, PRESETS, TASK_NAMES, make_recipe
from builders.relevance import qrels
from builders.sounds.library import SoundLibrary
from builders.sounds.screening import prepare
from builders.sounds.sources import open_source
from eval_harness.scores import clip_ids
from tests.corpus_fixture import RATE, ToneRenderer
from tests.fake_library import fake_library

RELATED = Relations(
    {f"sound {n:03}": frozenset({f"sound {n + 1:03}"}) for n in range(0, 120, 6)},
    {f"sound {n + k:03}": frozenset({f"sound {n + 1 - k:03}"}) for n in range(2, 120, 6) for k in (0, 1)},
)


def planned(out: Path, library: SoundLibrary, **changes: object) -> DatasetFolder:
    """A finished folder: a real plan over the library, and tones for audio."""
    plan = make_plan(make_recipe(PRESETS["smoke"], {"sample_rate": library.sample_rate, **changes}), library)
    build(plan, library, qrels(plan, library.relations), out, num_proc=1, make_renderer=ToneRenderer)
    return DatasetFolder.open(out)


@pytest.fixture(scope="session")
def smoke_corpus(tmp_path_factory: pytest.TempPathFactory) -> DatasetFolder:
    """One set of every form, over sounds some of which are kinds of others or easily confused with them."""
    library = fake_library(120, recordings=2, sample_rate=RATE, relations=RELATED)
    return planned(tmp_path_factory.mktemp("scored") / "smoke", library, seed=4)


@pytest.fixture(scope="session")
def smoke_controls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, DatasetFolder]:
    """The controls of the smoke corpus, rendered as a build does: control -> folder."""
    library = fake_library(120, recordings=2, sample_rate=RATE, relations=RELATED)
    found = {}
    for control in (EQUAL_ENERGY, EQUAL_SPECTRUM):
        plan = make_plan(make_recipe(PRESETS["smoke"], {"sample_rate": RATE, "seed": 4, "control": control}), library)
        out = tmp_path_factory.mktemp("controls") / control
        build(plan, library, qrels(plan, library.relations), out, num_proc=1)
        found[control] = DatasetFolder.open(out)
    return found


@pytest.fixture(scope="session")
def mini_corpus(tmp_path_factory: pytest.TempPathFactory) -> DatasetFolder:
    """60 queries and 600 clips a task."""
    library = fake_library(120, recordings=2, sample_rate=RATE)
    return planned(tmp_path_factory.mktemp("scored") / "mini", library, queries_per_task=60)


@pytest.fixture(scope="session")
def real_corpus(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> DatasetFolder:
    """One set of every form, planned over real recordings."""
    recipe = make_recipe(PRESETS["smoke"], {"sample_rate": RATE})
    library = prepare(open_source(f"folder:{shared / 'sounds' / 'real'}"), recipe, num_proc=1)
    return planned(tmp_path_factory.mktemp("scored") / "real", library)


def ids(folder: DatasetFolder, task: str, scope: str = "task") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Ids of a task's queries, and of the clips that they search."""
    return tuple(query.id for query in folder.queries.values() if query.task == task), tuple(clip_ids(folder, task, scope))


__all__ = ["TASK_NAMES", "ids", "mini_corpus", "planned", "real_corpus", "smoke_controls", "smoke_corpus"]
