"""Fixtures for all tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


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
