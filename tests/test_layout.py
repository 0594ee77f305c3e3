"""The table of configs in the benchmark's definition, word for word."""

from __future__ import annotations

import subprocess
import sys

import pytest

from builders import layout
from builders.recipe import TASK_NAMES
from tests.corpus_fixture import ROOT

COLUMNS = {
    "clips": ["id", "audio"],
    "corpus": ["id", "audio"],
    **{f"{task}-corpus": ["id", "audio"] for task in TASK_NAMES},
    **{f"{task}-queries": ["id", "text"] for task in TASK_NAMES},
    **{f"{task}-qrels": ["query-id", "corpus-id", "score"] for task in TASK_NAMES},
    "all-qrels": ["query-id", "corpus-id", "score"],
    "queries": ["id", "text", "formula", "form", "set", "twin", "relevant", "foils"],
    "timelines": ["id", "set", "form", "arrangement", "events", "caption", "pcm_sha256"],
    "sounds": ["label", "noun", "clause", "sustained", "audioset_id", "related", "recordings"],
}
NESTED = {
    ("queries", "foils"): ["clip", "kind"],
    ("timelines", "events"): ["label", "onset", "offset", "gain_db", "recording"],
    ("sounds", "recordings"): ["id", "duration", "license", "attribution", "source"],
}


def test_configs_and_columns() -> None:
    found = {config.name: list(layout.features(config.kind)) for config in layout.configs()}
    assert found == COLUMNS
    for (config, column), names in NESTED.items():
        assert list(layout.features(config)[column].feature) == names
    assert layout.features("qrels")["score"].dtype == "int32"
    assert layout.features("timelines")["events"].feature["onset"].dtype == "float64"


def test_splits() -> None:
    for config in layout.configs():
        five = config.name in ("clips", "queries", "timelines")
        assert tuple(config.splits) == (TASK_NAMES if five else ("test",))
    assert layout.configs()[0].name == layout.DEFAULT_CONFIG == "clips"


def test_no_name_that_mteb_acts_on() -> None:
    names = [config.name for config in layout.configs()]
    assert not {"default", "query", "qrels"} & set(names)
    assert not [name for name in names if name.endswith(("top_ranked", "instruction"))]


def test_the_default_config_has_a_version_of_its_own() -> None:
    default, *others = layout.configs()
    assert default.version not in {config.version for config in others}


@pytest.mark.parametrize("step", [1, 7])
def test_seconds_keep_every_millisecond(step: int) -> None:
    for milliseconds in range(0, 10_001, step):
        assert layout.milliseconds(layout.seconds(milliseconds)) == milliseconds


def test_importing_is_light() -> None:
    code = "import reasonaudio_dataset, sys; print([m for m in ('datasets', 'torch', 'mteb') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
