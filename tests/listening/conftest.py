"""Fixtures: a browser for each module, and the corpus."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser import Browser, browser
from tests.scored_corpus import mini_corpus, smoke_corpus  # noqa: F401  # fixtures


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found
