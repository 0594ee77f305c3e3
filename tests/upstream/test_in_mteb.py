"""The written pull request in mteb itself: applied to a copy, with this package not loaded."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import mteb
import pytest

from builders.recipe import TASK_NAMES
from eval_harness import registry, tasks
from eval_harness.submission.names import upstream_name
from eval_harness.upstream.patching import mteb_folder
from eval_harness.upstream.quality import problems
from tests.corpus_fixture import ROOT
from tests.toy_encoder import ToyEncoder
from tests.upstream.conftest import NAME, Made


@pytest.fixture(scope="module")
def checkout(made: Made, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the installed mteb with the patch applied to it; files are links, but for those that the patch changes."""
    place = tmp_path_factory.mktemp("checkout")
    shutil.copytree(mteb_folder(), place / "mteb", copy_function=os.symlink, ignore=shutil.ignore_patterns("__pycache__"))
    patch = (made.out / "reasonaudio.patch").read_text()
    for path in re.findall(r"^--- a/(.*)$", patch, re.M):
        (place / path).unlink()
        shutil.copy(mteb_folder().parent / path, place / path)
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not installed")
    done = subprocess.run(
        [git, "apply", str(made.out / "reasonaudio.patch")], cwd=place, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return place


@pytest.fixture(scope="module")
def plain(made: Made, checkout: Path) -> dict[str, Any]:
    """What a plain mteb finds in the copy."""
    program = Path(__file__).with_name("in_plain_mteb.py")
    environment = {**made.environment, "PYTHONPATH": os.pathsep.join((str(checkout), str(ROOT)))}
    done = subprocess.run(
        [sys.executable, "-P", str(program)], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert Path(found["mteb"]).is_relative_to(checkout)
    assert not found["plugin"]
    return found


def test_the_patch_makes_the_written_files(made: Made, checkout: Path) -> None:
    written = [
        path.relative_to(made.out) for top in ("mteb", "scripts") for path in (made.out / top).rglob("*") if path.is_file()
    ]
    assert len(written) == 10
    for path in written:
        assert (checkout / path).read_bytes() == (made.out / path).read_bytes()


def test_mteb_knows_tasks_and_benchmark(plain: dict[str, Any]) -> None:
    names = [upstream_name(task) for task in TASK_NAMES]
    assert plain["benchmark"] == names
    assert plain["listed"] == sorted(names)
    assert {one["module"] for one in plain["tasks"].values()} == {"mteb.tasks.retrieval.eng.reasonaudio_t2a_retrieval"}


def test_metadata_pass_what_mteb_asks(plain: dict[str, Any], made: Made) -> None:
    for name, one in plain["tasks"].items():
        assert one["filled"], name
        assert one["trusts"] is False
        assert one["dataset"] == {"path": NAME, "revision": made.commit}
        assert one["description"].startswith("An independent re-creation of the benchmark of the ReasonAudio paper")
        assert one["prompt"] == tasks.PROMPT
        assert one["samples"] == {"test": one["statistics"]["test"]["num_samples"]}
        assert problems(one["statistics"]) == []


def test_citations_are_written_as_mteb_writes_them(plain: dict[str, Any], made: Made) -> None:
    """Its tests compare with bibtexparser's output: entries by id, fields by name, each indented by two and with a comma."""
    (text,) = {one["citation"] for one in plain["tasks"].values()}
    entries = re.findall(r"^@(\w+)\{([^,]+),\n(.*?)\n\}$", text, re.M | re.S)
    ids = [entry[1] for entry in entries]
    assert ids == sorted(ids) == ["reasonaudio-recreation", "reasonaudio2026"]
    assert "\n\n".join(f"@{kind}{{{key},\n{fields}\n}}" for kind, key, fields in entries) == text.strip()
    for _, _, fields in entries:
        names = [re.fullmatch(r"  (\w+) = \{.*\},", line) for line in fields.splitlines()]
        assert all(names)
        assert [match[1] for match in names if match] == sorted(match[1] for match in names if match)
    assert plain["tasks"][upstream_name("mix")]["in_text"] == r"\cite{reasonaudio-recreation}"
    assert f"https://huggingface.co/datasets/{NAME}" in entries[0][2]
    assert "version = {v0.0.1}" in entries[0][2]
    assert "2605.03361" in entries[1][2]


def test_scores_are_those_of_our_own_tasks(plain: dict[str, Any], made: Made) -> None:
    registry.use_data(made.data)
    for cls in tasks.TASKS:
        results = mteb.evaluate(ToyEncoder(), cls(), cache=None, co2_tracker=False, show_progress_bar=False).task_results
        (ours,) = results[0].scores["test"]
        theirs = plain["scores"][upstream_name(cls.task)]
        assert theirs.keys() == {key for key, value in ours.items() if isinstance(value, float)}
        assert theirs == pytest.approx({key: ours[key] for key in theirs}, abs=0, nan_ok=True)
        assert 0 < theirs["ndcg_at_10"] < 1


def test_every_random_score_is_a_share_of_queries(made: Made) -> None:
    measured = json.loads((made.out / "measured.json").read_text())["measured"]
    assert [name for name in measured if name != "scan"] == list(TASK_NAMES)
    for task in TASK_NAMES:
        queries = json.loads(measured[task]["statistics"])["test"]["num_queries"]
        score = measured[task]["random"]["main_score"]
        assert score * queries == pytest.approx(round(score * queries), abs=1e-3)
    assert "ClothoT2ARetrieval" in measured["scan"]["t2a"]
    assert measured["scan"]["same_paper"] == []


@pytest.mark.skipif(shutil.which("ruff", path=str(Path(sys.executable).parent)) is None, reason="ruff is not installed")
def test_written_python_passes_the_linter(made: Made, tmp_path: Path) -> None:
    """With the rules and the line length of mteb's own pyproject.toml."""
    ruff = str(Path(sys.executable).parent / "ruff")
    ignore = "E501,E741,F403,D100,D101,D102,D103,D104,D105,D107,D205,D415,C408"
    rules = ["--isolated", "--select", "F,I,E,D,UP,FA,C4", "--ignore", ignore, "--config", 'lint.pydocstyle.convention="google"']
    own = [made.out / "mteb/tasks/retrieval/eng/reasonaudio_t2a_retrieval.py", *made.out.glob("scripts/**/*.py")]
    assert len(own) == 2
    lint = subprocess.run([ruff, "check", *rules, *own], capture_output=True, text=True, check=False)
    assert lint.returncode == 0, lint.stdout
    changed = [*own, *made.out.glob("mteb/**/*.py")]
    style = subprocess.run(
        [ruff, "format", "--isolated", "--line-length", "88", "--diff", *changed], capture_output=True, text=True, check=False
    )
    assert style.returncode == 0, style.stdout
    order = [ruff, "check", "--isolated", "--select", "I,RUF022,F401,F811,F822", "--output-format", "concise", "--no-cache"]
    for path in ("mteb/tasks/retrieval/eng/__init__.py", "mteb/benchmarks/benchmarks/__init__.py"):
        shutil.copy(mteb_folder().parent / path, tmp_path / "__init__.py")
        before = subprocess.run([*order, "__init__.py"], cwd=tmp_path, capture_output=True, text=True, check=False).stdout
        shutil.copy(made.out / path, tmp_path / "__init__.py")
        after = subprocess.run([*order, "__init__.py"], cwd=tmp_path, capture_output=True, text=True, check=False).stdout
        assert re.sub(r"\d+", "", after) == re.sub(r"\d+", "", before)
