"""Bytes as mteb's own records: results, models, settings of runs. What cannot be loaded is said in a few words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from builders.errors import EvaluationError


@dataclass(frozen=True)
class Loaded:
    """A file as mteb loads it.

    Attributes:
        value: mteb's object; None where it does not load.
        error: why not.
        fields: the JSON object as it is in the file; empty where it holds none.
    """

    value: Any = None
    error: str = ""
    fields: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        """What the file says is the name, of a model; "" where it says none."""
        found = (self.fields or {}).get("name")
        return found if isinstance(found, str) else ""


def load_result(content: bytes) -> Loaded:
    """A result of a task: mteb's `TaskResult`."""
    from mteb import TaskResult

    return _load(content, TaskResult.model_validate_json)


def load_meta(content: bytes) -> Loaded:
    """A record of a model: mteb's `ModelMeta`."""
    from mteb.models.model_meta import ModelMeta

    return _load(content, ModelMeta.model_validate_json_resolved)


def said_task(content: bytes) -> str:
    """The task that a result says it is of; "" where it is none."""
    try:
        found = _object(content).get("task_name")
    except EvaluationError:
        return ""
    return found if isinstance(found, str) else ""


def covered(content: bytes) -> Iterator[tuple[str, str, str]]:
    """All (task, split, subset) that lines of settings are of; older mteb wrote one split and one subset in a line.

    Raises:
        EvaluationError: a line is no JSON object.
    """
    for number, line in enumerate(content.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entry = _object(line)
        except EvaluationError as error:
            raise EvaluationError(f"line {number} {error}") from None
        splits, subsets = (_several(entry.get(f"{name}s"), entry.get(name)) for name in ("split", "subset"))
        for split in splits:
            for subset in subsets:
                yield str(entry.get("task")), split, subset


def _several(listed: Any, single: Any) -> list[str]:
    values = listed if isinstance(listed, list) else [single]
    return [value for value in values if isinstance(value, str)]


def _load(content: bytes, validate: Any) -> Loaded:
    from pydantic import ValidationError

    fields = None
    try:
        fields = _object(content)
        return Loaded(validate(content.decode()), "", fields)
    except EvaluationError as error:
        return Loaded(None, str(error))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        return Loaded(None, f"is not as mteb writes it ({where}: {first['msg']})", fields)
    except Exception as error:  # whatever mteb's validators raise on fields that they do not expect
        return Loaded(None, f"is not as mteb writes it ({type(error).__name__}: {str(error).partition(chr(10))[0]})", fields)


def _object(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content.decode())
    except (ValueError, RecursionError) as error:
        raise EvaluationError(f"is not JSON ({str(error).partition(chr(10))[0]})") from None
    if not isinstance(found, dict):
        raise EvaluationError("is not a JSON object")
    return found
