"""A plan as JSON, to be saved, read and compared."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from builders.corpus import Clip, Foil, Plan, Query
from builders.errors import PlanError
from builders.files import write_whole
from builders.logic import parse, to_text
from builders.recipe import Recipe
from builders.timeline import Event, Timeline

LAYOUT = 1


def to_json(plan: Plan) -> str:
    """The plan as one JSON text; the same text for equal plans. Times in ms, formulas as `logic.to_text` writes them."""
    fields = {
        "layout": LAYOUT,
        "recipe_hash": plan.recipe_hash,
        "recipe": plan.recipe.model_dump(mode="json"),
        "clips": [{**asdict(clip), "timeline": [asdict(event) for event in clip.timeline]} for clip in plan.clips],
        "queries": [{**asdict(query), "formula": to_text(query.formula)} for query in plan.queries],
    }
    return json.dumps(fields, ensure_ascii=False, indent=1) + "\n"


def from_json(text: str) -> Plan:
    """The plan that `to_json` wrote. Raises PlanError for anything else."""
    try:
        fields = json.loads(text)
        if fields["layout"] != LAYOUT:
            raise PlanError(f"plan: layout {fields['layout']!r} is not the one that this version reads ({LAYOUT}); plan again")
        return Plan(
            Recipe.model_validate_json(json.dumps(fields["recipe"])),
            fields["recipe_hash"],
            tuple(map(_clip, fields["clips"])),
            tuple(map(_query, fields["queries"])),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise PlanError(f"plan: not a plan that `reasonaudio plan --json` wrote ({type(error).__name__}: {error})") from None


def save(plan: Plan, path: Path) -> None:
    """Writes the plan to `path`, in place only once it is complete."""
    write_whole(path, to_json(plan).encode())


def _clip(fields: dict[str, Any]) -> Clip:
    return Clip(**{**fields, "timeline": Timeline(tuple(Event(**event) for event in fields["timeline"]))})


def _query(fields: dict[str, Any]) -> Query:
    changed = {
        "formula": parse(fields["formula"]),
        "relevant": tuple(fields["relevant"]),
        "foils": tuple(Foil(**foil) for foil in fields["foils"]),
    }
    return Query(**{**fields, **changed})
