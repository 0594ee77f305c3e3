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
