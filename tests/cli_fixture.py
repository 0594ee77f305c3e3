"""Calling the command in this process, with modules replaced by others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from typer.testing import CliRunner

from eval_harness import cli

Replace = Callable[..., ModuleType]


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments])
