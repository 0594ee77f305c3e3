"""`reasonaudio card`: what is measured of a corpus without a model, in its card."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from builders import card, layout
from builders.build import build
from builders.check import check
from builders.dataset_folder import DatasetFolder, content_hash
from builders.plan import make_plan
from builders.recipe import PRESETS, TASK_NAMES, make_recipe
from builders.relevance import qrels
from tests.cli_fixture import run
from tests.corpus_fixture import RATE
from tests.fake_library import fake_library


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One set of every form, sounded."""
    library = fake_library(60, recordings=2, sample_rate=RATE)
    plan = make_plan(make_recipe(PRESETS["smoke"], {"sample_rate": RATE}), library)
    return build(plan, library, qrels(plan, library.relations), tmp_path_factory.mktemp("card") / "smoke").folder


@pytest.fixture
def corpus(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "corpus"))


def cells(text: str, system: str) -> list[str]:
    (line,) = (line for line in text.splitlines() if line.startswith(f"| `{system}`"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_scale_is_measured_on_this_very_corpus(corpus: Path, tmp_path: Path) -> None:
    before = content_hash(corpus)
    (corpus / layout.CARD).unlink()
    done = run("card", corpus, "--no-audit")
    assert done.exit_code == 0, done.stderr
    assert content_hash(corpus) == before
    assert not check(corpus)
    text = card.read_card(corpus)
    assert card.unmeasured(text) == ["Shortcut audit"]
    out = tmp_path / "results"
    assert run("run", "-m", "reasonaudio/bag-of-sounds", "--data", corpus, "--out", out, "-q").exit_code == 0
    measured = []
    for task in TASK_NAMES:
        (file,) = out.glob(f"scores/*/*/ReasonAudio-{task.capitalize()}.json")
        measured.append(100 * json.loads(file.read_bytes())["scores"]["hit_rate_at_1"])
    found = [float(cell.partition(" ")[0]) for cell in cells(text, "reasonaudio/bag-of-sounds")[2:]]
    assert found == pytest.approx([*measured, sum(measured) / len(measured)], abs=0.05)
    assert {cell.partition(" ")[0] for cell in cells(text, "reasonaudio/oracle")[2:]} == {"100.0"}
    assert f"for content `{before[:16]}`" in text


def test_the_audit_is_measured_too_and_nothing_twice(corpus: Path, tmp_path: Path) -> None:
    first = run("card", corpus, "--num-proc", "1", "--results", tmp_path / "kept")
    assert first.exit_code == 0, first.stderr
    text = card.read_card(corpus)
    assert card.unmeasured(text) == []
    assert re.search(r"Made by `reasonaudio audit` with seed 0, for content", text)
    assert (tmp_path / "kept" / "results").is_dir()
    card.set_section(corpus, "Shortcut audit", "Kept.")
    assert run("card", corpus).exit_code == 0
    assert card.section(card.read_card(corpus), "Shortcut audit") == "Kept."
    again = run("card", corpus, "--again", "--results", tmp_path / "kept", "--num-proc", "1")
    assert again.exit_code == 0, again.stderr
    assert card.read_card(corpus) == text


def test_no_card_for_what_is_damaged(corpus: Path) -> None:
    place = next((corpus / "corpus").iterdir())
    content = bytearray(place.read_bytes())
    content[len(content) // 2] ^= 255
    place.write_bytes(content)
    done = run("card", corpus)
    assert done.exit_code != 0
    assert place.name in done.stderr
    assert DatasetFolder.open(corpus)
    assert card.unmeasured(card.read_card(corpus)) == list(card.MEASURED)
