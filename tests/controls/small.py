"""A small plan for tests of controls: one set of every task, as noises from the fake library."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from builders.controls.render import ControlRenderer, sets_of
from builders.controls.treatment import Treatment
from builders.corpus import Clip, Plan
from builders.recipe import make_recipe, recipe_hash
from builders.sounds.library import SoundLibrary
from tests.fake_library import smoke


@lru_cache(maxsize=4)
def small(control: str = "none") -> tuple[Plan, SoundLibrary]:
    """A plan of one set of every task, with this control."""
    plan, library = smoke(queries=2)
    recipe = make_recipe(plan.recipe, {"control": control})
    return replace(plan, recipe=recipe, recipe_hash=recipe_hash(recipe, library.digest)), library


@lru_cache(maxsize=4)
def renderer(control: str) -> ControlRenderer:
    """A renderer of the small plan."""
    plan, library = small(control)
    return ControlRenderer(plan.recipe, library, plan.measured)


@lru_cache(maxsize=4)
def treated_sets(control: str) -> list[tuple[tuple[Clip, ...], dict[str, Treatment]]]:
    """The sets of the small plan with the treatment of each clip."""
    return [(clips, renderer(control).treatments(clips)) for clips in sets_of(small(control)[0].clips)]
