"""What a control needs to know of every set, worked out before the first clip is written, and kept among the work files.

A shard holds clips of many sets, and a set's clips lie in many shards. So the sets come first, in groups: any number of processes
then writes the shards, and a build that was interrupted goes on from the groups that are there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from builders import layout
from builders.controls.render import from_json, sets_of, to_json
from builders.controls.treatment import Treatment
from builders.corpus import Clip, Plan
from builders.crew import Crew
from builders.shards import write_aside

FILE = "treatments.json"
"""Among the work files: the treatment of every clip."""
_SETS = 10
"""In a group: what is lost, at most, of each process's work where a build is interrupted."""

Group = tuple[str, tuple[tuple[Clip, ...], ...]]
"""Name of its file, and its sets."""


def treat_sets(plan: Plan, folder: Path, crew: Crew, progress: Callable[[str, int, int], None]) -> None:
    """Writes the treatment of all clips to `FILE` in the work folder of `folder`.

    Args:
        plan: the corpus; its recipe has a control.
        folder: the dataset folder.
        crew: of `ControlRenderer`s.
        progress: told of finished clips ("measured", done, of).
    """
    work = folder / layout.WORK
    found: dict[str, Treatment] = {}
    missing = []
    for group in _groups(plan):
        kept = _kept(work / group[0], group[1])
        found |= kept
        missing += [] if kept else [group]
    progress("measured", len(found), len(plan.clips))
    with closing(crew.each(_treat, missing)) as treated:
        for (name, _), treatments in treated:
            write_aside(work / name, to_json(treatments), work)
            found |= treatments
            progress("measured", len(found), len(plan.clips))
    write_aside(work / FILE, to_json(found), work)


def _groups(plan: Plan) -> list[Group]:
    sets = sets_of(plan.clips)
    return [(f"treatments-{n // _SETS:05d}.json", tuple(sets[n : n + _SETS])) for n in range(0, len(sets), _SETS)]


def _kept(file: Path, sets: Iterable[tuple[Clip, ...]]) -> dict[str, Treatment]:
    """What a build that was interrupted has found out of these sets; nothing where it has not, or the file is damaged."""
    try:
        kept = from_json(file.read_bytes())
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
    return kept if kept.keys() == {clip.id for members in sets for clip in members} else {}


def _treat(group: Group, renderer: Any) -> dict[str, Treatment]:
    """Runs in a worker process, whose renderer is a `ControlRenderer` or wraps one."""
    treatments: dict[str, Treatment] = {}
    for clips in group[1]:
        treatments |= renderer.treatments(clips)
    return treatments
