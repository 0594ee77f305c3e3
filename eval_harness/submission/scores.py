"""Whether scores of a result can be: numbers from 0 to 1, and of all queries."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

_UNBOUNDED = "nauc_"
"""Of these, normalised areas below curves, mteb writes negative ones too, and NaN where all queries score alike."""
_ROUNDED = 1e-5
"""mteb rounds to five decimals."""
_OF_QUERIES = "hit_rate_at_1"
"""A score that is a share of the queries."""


def part_problem(entry: Mapping[str, Any], main_score: str) -> str:
    """What is wrong with the scores of one split and subset; "" if nothing is.

    Args:
        entry: as mteb writes them.
        main_score: the name of the task's main score; "" leaves it aside.
    """
    named = {name: value for name, value in entry.items() if isinstance(value, int | float) and not isinstance(value, bool)}
    main = named.get("main_score")
    if main is None:
        return "main_score is no number"
    for name, value in {"main_score": main, **named}.items():
        if not name.startswith(_UNBOUNDED) and not (isfinite(value) and 0 <= value <= 1):
            return f"{name} is {value}, no number from 0 to 1"
    if main_score in named and abs(named[main_score] - main) > _ROUNDED:
        return f"main_score is {main}, and {main_score}, which it is to be, {named[main_score]}"
    return ""


def partial_problem(entry: Mapping[str, Any], queries: int) -> str:
    """Whether some of the queries were left out, as far as their share of hits tells; "" if it does not."""
    value = entry.get(_OF_QUERIES)
    if not isinstance(value, int | float) or 2 * _ROUNDED * queries > 0.5:
        return ""
    hits = value * queries
    if abs(hits - round(hits)) <= _ROUNDED * queries + 1e-9:
        return ""
    return f"{_OF_QUERIES} is {value}, which is no share of {queries} queries: not all of them were run"
