"""The release: what it is, its steps looked at in order, and the tasks' default that comes of it."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from builders.card import MEASURED, set_section
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import EvaluationError, PublishError
from builders.release import FILE, Release, differences, read_release
from builders.sounds.licenses import wanted
from eval_harness import published
from eval_harness.analysis.audit_card import says_sound
from eval_harness.release import STEPS, Place, commands, steps
from tests.corpus_fixture import ROOT
from tests.end_to_end.test_published_libraries import build, clips
from tests.hub.server import TOKEN, Hub, serving
from tests.hub.test_push import environment
from tests.sounds.made_libraries import RATE, Clip, fsd50k

__all__ = ["clips"]

COMMAND = """
import sys, time
from pathlib import Path
from eval_harness import published
published.FILE = Path(sys.argv.pop(1))
time.sleep = lambda seconds: None
from eval_harness.cli import main
main()
"""
SMALL = (
    f'name = "small"\nversion = "2.0.1"\nsource = "fsd50k"\nlicenses = ["cc0", "cc-by"]\npreset = "smoke"\nsample_rate = {RATE}\n'
)


@pytest.fixture(scope="module")
def library(clips: list[Clip], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fsd50k(tmp_path_factory.mktemp("sounds") / "FSD50K", clips)


@pytest.fixture(scope="module")
def corpus(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("corpus") / "small", f"fsd50k:{library}", "--licenses", "cc0,cc-by", "--seed", 0).path


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("release") / "release.toml"
    file.write_text(SMALL)
    return file


def test_the_release_of_this_package() -> None:
    found = read_release()
    assert (found.source, found.preset) == ("fsd50k", "full")
    assert set(found.licenses) == {"cc0", "cc-by"}
    assert not wanted(",".join(found.licenses)).holds("https://creativecommons.org/licenses/by-nc/3.0/")
    assert found.recipe().queries_per_task == 200
    assert published.published() is None or published.published().version == found.version  # type: ignore[union-attr]
    assert FILE.name == "release.toml"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "name: field required"),
        (SMALL + "colour = 1\n", "colour: extra inputs are not permitted"),
        (SMALL.replace("2.0.1", "two"), "version: string should match"),
        (SMALL.replace("cc-by", "cc-by-nd"), "forbids derivatives"),
        (SMALL.replace("cc-by", "mine"), "'mine' is not understood"),
        (SMALL.replace("fsd50k", "builtin"), "source: the built-in sounds are for trying things, and are not released"),
        (SMALL + "queries_per_task = 3\n", "r.toml: recipe: queries_per_task"),
        ("= 1", "mend the file"),
    ],
)
def test_a_release_that_cannot_be(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "r.toml").write_text(text)
    with pytest.raises(PublishError) as refused:
        read_release(tmp_path / "r.toml")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    with pytest.raises(PublishError, match="no such file"):
        read_release(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, None),
        ({"source": "esc50"}, "its sounds are 'fsd50k', not 'esc50'"),
        ({"seed": 3}, "its recipe has seed = 0, not 3"),
        ({"sample_rate": 32000}, f"its recipe has sample_rate = {RATE}, not 32000"),
        ({"licenses": ("cc0",)}, "it was built with licences cc0,cc-by, not cc0"),
    ],
)
def test_what_is_not_this_release(corpus: Path, small: Path, changes: dict[str, object], said: str | None) -> None:
    asked = Release.model_validate(read_release(small).model_dump() | changes)
    found = list(differences(asked, DatasetFolder.open(corpus)))
    assert found[:1] == ([said] if said else [])


def test_steps_are_looked_at_in_order(corpus: Path, small: Path) -> None:
    release = read_release(small)
    assert [step.done for step in steps(release, Place())] == [None] * len(STEPS)
    wrong = steps(Release.model_validate(release.model_dump() | {"seed": 3}), Place(corpus))
    assert [step.done for step in wrong] == [False] + [None] * 6
    assert "is not this release: its recipe has seed = 0, not 3" in wrong[0].evidence
    found = steps(release, Place(corpus))
    assert [step.done for step in found] == [True, True, False, None, None, None, None]
    assert found[2].evidence == f"not measured yet: {', '.join(MEASURED)}"
    assert found[2].command == f"reasonaudio card {corpus}"
    options = f"--preset smoke --sounds fsd50k:/data/FSD50K --licenses cc0,cc-by --seed 0 --sample-rate {RATE}"
    assert commands(release, Place(corpus, "/data/FSD50K"))["build"] == f"reasonaudio build {corpus} {options}"
    assert says_sound("No shortcuts: all is well.")
    assert not says_sound("3 shortcuts found: something else")
    assert not says_sound("No shortcuts seen, but too small a corpus to rule them out")


def command(hub: Hub, home: Path, default: Path, *args: object, code: int) -> str:
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, str(default), *map(str, args)],
        env=environment(hub, home),
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert TOKEN not in done.stdout + done.stderr
    return done.stdout + done.stderr


def test_from_a_folder_to_the_default_of_the_tasks(corpus: Path, small: Path, tmp_path: Path) -> None:
    for heading, text in zip(MEASURED, ("100.0 [90.0, 100.0]", "No shortcuts: the highest of 46 AUCs is 0.52."), strict=True):
        set_section(corpus, heading, text)
    default = tmp_path / "checkout" / "eval_harness" / "published.json"
    default.parent.mkdir(parents=True)
    asked = ("release", corpus, "--to", "org/small", "--file", small, "--num-proc", "1")
    with serving() as hub:

        def told(*more: str, code: int = 1) -> str:
            return command(hub, tmp_path, default, *asked, *more, code=code)

        first = told()
        assert "[x] card: No shortcuts: the highest" in first
        assert f"[ ] push: org/small is not on the Hub\n      reasonaudio push {corpus} org/small --tag v2.0.1" in first
        assert "nothing was written: the step 'push' is open" in told("--write")
        assert not default.exists()
        command(hub, tmp_path, default, "push", corpus, "org/small", code=0)
        assert "[ ] tag: org/small has no tag v2.0.1" in told()
        command(hub, tmp_path, default, "push", corpus, "org/small", "--tag", "v2.0.1", code=0)
        assert "[ ] defaults: the tasks have no default dataset" in told()
        assert "is an installed package; run from a checkout" in told("--write")
        assert not default.exists()
        (tmp_path / "checkout" / "setup.cfg").touch()
        assert "[ ] package: no wheel in dist" in told("--write")
        commit = hub.repositories["org/small"].head.oid
        expected = {"path": "org/small", "revision": commit, "version": "2.0.1", "content": content_hash(corpus)}
        assert json.loads(default.read_bytes()) == expected
        (tmp_path / "dist").mkdir()
        with zipfile.ZipFile(tmp_path / "dist" / "reasonaudio-0.1.0-py3-none-any.whl", "w") as wheel:
            wheel.write(default, "eval_harness/published.json")
        assert told(code=0).count("[x]") == len(STEPS)
        # Whoever has that package evaluates on it, without naming it.
        hub.repositories["org/small"].add("later", {"README.md": b"something else"})
        ran = command(hub, tmp_path, default, "run", "-m", "reasonaudio/oracle", "-t", "order", "--out", tmp_path / "out", code=0)
        assert f"on the released dataset, org/small@{commit}" in ran
        (result,) = (tmp_path / "out").glob("results/*/*/ReasonAudio-Order.json")
        assert json.loads(result.read_bytes())["dataset_revision"] == commit
        assert "[ ] push:" in told()


METADATA = """
import sys
from pathlib import Path
from eval_harness import published
published.FILE = Path(sys.argv[1])
import mteb
import eval_harness
task = mteb.get_task("ReasonAudio-Order")
print(task.metadata.dataset["path"], task.metadata.dataset["revision"])
"""


def test_the_tasks_are_of_the_released_dataset_without_any_network(tmp_path: Path) -> None:
    default = tmp_path / "published.json"
    made = published.Published(path="org/small", revision="a" * 40, version="2.0.1", content="b" * 64)
    default.write_text(json.dumps(made.model_dump()))
    told = []
    for file in (default, tmp_path / "none.json"):
        done = subprocess.run(
            [sys.executable, "-c", METADATA, str(file)],
            cwd=ROOT,
            env={**environment(Hub(endpoint="http://127.0.0.1:9"), tmp_path)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        told.append(done.stdout.split())
    assert told == [["org/small", "a" * 40], ["reasonaudio", "unset"]]
    default.write_text("{}")
    with pytest.raises(EvaluationError, match="is damaged; write it again"):
        published.published(default)
