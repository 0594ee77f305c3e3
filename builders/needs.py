"""What the sounds of a set must be like for its form: lengths, gaps, and how many of them."""

from __future__ import annotations

from collections.abc import Sequence

from builders.recipe import CLIP_MS, Recipe, ceil_ms
from builders.sounds.library import Recording, SoundLibrary
from builders.tasks.forms import Form

SLACK_MS = 300
"""What is left at least to vary the gaps of a clip."""


def room_ms(form: Form, recipe: Recipe) -> int:
    """How long the blocks of a clip may be together, beside its edges, the shortest gaps and some slack."""
    blocks = len(form.arrangements[0].blocks)
    return CLIP_MS - 2 * recipe.plan.edge_ms - (blocks - 1) * gap_ms(recipe) - SLACK_MS


def shortest_event_ms(form: Form, recipe: Recipe) -> int:
    """The shortest event of the form: in forms with pairs, long enough to be clearly together with another."""
    together = recipe.margins.overlap_ms + 2 * recipe.plan.clearance_ms
    return max(recipe.plan.shortest_event_ms, together if form.has_pairs else 0)


def gap_ms(recipe: Recipe) -> int:
    """The shortest gap between two blocks."""
    return recipe.margins.gap_ms + recipe.plan.clearance_ms


def needed_overlap_ms(recipe: Recipe, a_ms: int, b_ms: int) -> int:
    """How long two events must sound together to be clearly together (and clearly not one before the other)."""
    margins, clearance = recipe.margins, recipe.plan.clearance_ms
    share = ceil_ms(margins.overlap_share * min(a_ms, b_ms))
    return max(margins.overlap_ms, margins.simultaneous_ms, share) + clearance


def event_limits_ms(form: Form, recipe: Recipe) -> tuple[int, int]:
    """Shortest and longest event of a form that plans no lengths: any such events fit, whichever stand together.

    A common limit, rather than drawing again what does not fit, keeps anchors and free sounds exchangeable: if free sounds had to
    make room for long anchors, the clip's total length would tell which of them overlap.
    """
    room = room_ms(form, recipe) // len(form.arrangements[0].blocks)
    return shortest_event_ms(form, recipe), min(room, recipe.audible.max_piece_ms)


def usable(form: Form, recording: Recording, library: SoundLibrary, recipe: Recipe) -> bool:
    """Whether a recording can stand for a letter of the form."""
    if form.has_pairs and not recording.continuous:
        return False
    sustained = library.sound(recording.label).sustained
    if form.plans_lengths:
        return sustained and recording.duration_ms >= recipe.sound.loop_material_ms
    shortest, longest = event_limits_ms(form, recipe)
    if sustained:
        return recording.duration_ms >= min(max(shortest, recipe.plan.sustained_ms[0]), recipe.sound.loop_material_ms)
    return shortest <= recording.duration_ms <= longest


def sounds_needed(form: Form) -> int:
    """How many unrelated sounds a set of the form takes at least."""
    return len(form.letters) + (1 if form.missing else 0)


def describe_need(form: Form, recipe: Recipe) -> str:
    """What a recording must be like for the form, in words."""
    continuous = "continuous " if form.has_pairs else ""
    if form.plans_lengths:
        return f"sustained sounds with a {continuous}recording of at least {recipe.sound.loop_material_ms / 1000:g} s"
    shortest, longest = event_limits_ms(form, recipe)
    return f"sounds with a {continuous}recording of {shortest / 1000:g} to {longest / 1000:g} s (sustained ones: or longer)"


def unrelated_count(labels: Sequence[str], library: SoundLibrary) -> int:
    """How many of `labels` can stand in one set: a greedy choice of pairwise unrelated ones, the least related first."""
    neighbours = library.relations.neighbours(labels)
    chosen: set[str] = set()
    for label in sorted(labels, key=lambda label: (len(neighbours[label]), label)):
        if not neighbours[label] & chosen:
            chosen.add(label)
    return len(chosen)
