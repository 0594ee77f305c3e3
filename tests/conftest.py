"""Fixtures for all tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

import builders
from tests.cli_fixture import Replace

settings.register_profile("untimed", deadline=None)  # a busy machine is no fault of the code
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared test data (real recordings, odd files): $REASONAUDIO_SHARED, else `shared` beside the repository."""
    folder = Path(os.environ.get("REASONAUDIO_SHARED") or Path(__file__).parents[2] / "shared")
    if not folder.is_dir():
        pytest.skip(f"no shared test data: {folder} does not exist; set REASONAUDIO_SHARED")
    return folder


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is kept between runs lies in a temporary folder that all workers and subprocesses of this run share."""
    base = tmp_path_factory.getbasetemp()
    shared_base = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    os.environ["REASONAUDIO_CACHE"] = str(shared_base / "cache")


@pytest.fixture
def replace(monkeypatch: pytest.MonkeyPatch) -> Replace:
    """Puts a module with the given attributes in place of another, which need not be importable."""

    def put(name: str, **attributes: Any) -> ModuleType:
        module = ModuleType(name)
        vars(module).update(attributes)
        monkeypatch.setitem(sys.modules, name, module)
        package, _, last = name.rpartition(".")
        if package == "builders":
            monkeypatch.setattr(builders, last, module, raising=False)
        return module

    return put
