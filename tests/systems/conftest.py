"""A corpus of real recordings, and stock mteb: fixtures for the tests of pipelines."""

from pathlib import Path

import pytest

from eval_harness.data import Data
from tests.corpus_fixture import folder

__all__ = ["folder"]


@pytest.fixture(scope="session")
def real_corpus(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A smoke corpus of real recordings, not to be changed."""
    from typer.testing import CliRunner

    from eval_harness.cli import app

    out = tmp_path_factory.mktemp("real") / "reasonaudio"
    asked = ["build", str(out), "--preset", "smoke", "--sounds", f"folder:{shared / 'sounds' / 'real'}", "--num-proc", "1", "-q"]
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 0, result.output
    return out


@pytest.fixture
def use_data():
    """`registry.use_data` for one test; afterwards the dataset in use is the one before."""
    from eval_harness import registry

    before = registry.current()
    metadata = {cls: cls.metadata for cls in registry.task_classes()}
    yield registry.use_data
    registry._current = before
    for cls, was in metadata.items():
        cls.metadata = was


def scores_of(model: object, data: Data) -> dict[str, float]:
    """Task -> main score of a model in stock mteb."""
    import mteb

    from eval_harness import tasks

    chosen = [cls() for cls in tasks.TASKS if cls.task in data.tasks]
    result = mteb.evaluate(model, chosen, cache=None, co2_tracker=False, show_progress_bar=False)
    return {cls.task: one.scores["test"][0]["main_score"] for cls, one in zip(chosen, result.task_results, strict=True)}
