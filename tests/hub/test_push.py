"""Pushing to a double of the Hub, with the real client, and loading from it in another process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from builders import layout
from builders.build import build
from builders.plan import make_plan
from builders.recipe import PRESETS, make_recipe
from builders.relevance import qrels
from tests.corpus_fixture import RATE
from tests.fake_library import fake_library
from tests.hub.server import READ_ONLY, TOKEN, Hub, always, once, serving

NAME = "org/reasonaudio"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One set of every form; sound, as `push` asks."""
    library = fake_library(60, recordings=2, sample_rate=RATE)
    plan = make_plan(make_recipe(PRESETS["smoke"], {"sample_rate": RATE}), library)
    return build(plan, library, qrels(plan, library.relations), tmp_path_factory.mktemp("push") / "smoke", num_proc=1).folder


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serving() as found:
        yield found


def environment(hub: Hub, home: Path, token: str = TOKEN) -> dict[str, str]:
    settings = {"HF_ENDPOINT": hub.endpoint, "HF_HUB_DISABLE_XET": "1", "HF_HUB_OFFLINE": "0", "HF_HOME": str(home)}
    return {**os.environ, **settings, **({"HF_TOKEN": token} if token else {}), "HF_HUB_DISABLE_TELEMETRY": "1"}


def pushed(
    hub: Hub, folder: Path, home: Path, *more: str, token: str = TOKEN, name: str = NAME
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "eval_harness.cli", "push", str(folder), name, *more]
    root = Path(__file__).parents[2]
    done = subprocess.run(
        command, env=environment(hub, home, token), cwd=root, capture_output=True, text=True, timeout=120, check=False
    )
    assert TOKEN not in done.stdout + done.stderr
    return done


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def on_hub(hub: Hub, name: str = NAME) -> dict[str, bytes]:
    return {path: content for path, content in hub.repositories[name].head.files.items() if path != ".gitattributes"}


def test_what_is_pushed_is_there_byte_for_byte_and_not_sent_again(hub: Hub, folder: Path, tmp_path: Path) -> None:
    first = pushed(hub, folder, tmp_path, "--tag", "v1.0.0")
    assert first.returncode == 0, first.stderr
    assert on_hub(hub) == files_of(folder)
    repository = hub.repositories[NAME]
    assert repository.refs["v1.0.0"] == repository.head.oid
    assert f"commit {repository.head.oid}" in first.stdout
    assert f'load_dataset("{NAME}", revision="v1.0.0")' in first.stdout
    sent, commits = hub.sent("PUT", "/lfs/"), len(repository.commits)
    again = pushed(hub, folder, tmp_path, "--tag", "v1.0.0")
    assert again.returncode == 0, again.stderr
    assert "all files are there already" in again.stderr
    assert (hub.sent("PUT", "/lfs/"), len(repository.commits)) == (sent, commits)


def test_a_dry_run_changes_nothing(hub: Hub, folder: Path, tmp_path: Path) -> None:
    done = pushed(hub, folder, tmp_path, "--dry-run", "--tag", "v1")
    assert done.returncode == 0, done.stderr
    assert f"new dataset {NAME}" in done.stderr
    assert "add manifest.json" in done.stderr
    assert hub.repositories == {}
    assert not [one for one in hub.requests if one.method in ("PUT", "DELETE")]


def test_old_parquet_files_are_removed_and_a_tag_is_kept(hub: Hub, folder: Path, tmp_path: Path) -> None:
    assert pushed(hub, folder, tmp_path, "--tag", "v1").returncode == 0
    repository = hub.repositories[NAME]
    repository.add("by hand", {**repository.head.files, "corpus/order-00009-of-00010.parquet": b"PAR1", "notes.txt": b"kept"})
    refused = pushed(hub, folder, tmp_path, "--tag", "v1")
    assert refused.returncode == 1
    assert f"error: {NAME} has a tag v1 already, of other files" in refused.stderr
    done = pushed(hub, folder, tmp_path, "--tag", "v2")
    assert done.returncode == 0, done.stderr
    assert "remove corpus/order-00009-of-00010.parquet" in done.stderr
    assert on_hub(hub) == {**files_of(folder), "notes.txt": b"kept"}


LOAD = """
import json, sys
from datasets import get_dataset_config_names, load_dataset
name, revision = sys.argv[1:]
found = {}
for config in get_dataset_config_names(name, revision=revision):
    loaded = load_dataset(name, config, revision=revision)
    found[config] = {split: len(rows) for split, rows in loaded.items()}
stream = load_dataset(name, "queries", split="order", streaming=True, revision=revision)
found["stream"] = next(iter(stream))["text"]
print(json.dumps(found))
"""


def test_every_config_is_loaded_by_tag_and_by_commit(hub: Hub, folder: Path, tmp_path: Path) -> None:
    assert pushed(hub, folder, tmp_path / "a", "--tag", "v1.0.0").returncode == 0
    told = []
    for n, revision in enumerate(("v1.0.0", hub.repositories[NAME].head.oid)):
        env = environment(hub, tmp_path / f"home-{n}", "")
        env.pop("HF_TOKEN", None)
        done = subprocess.run(
            [sys.executable, "-c", LOAD, NAME, revision],
            env=env,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        told.append(json.loads(done.stdout.splitlines()[-1]))
    assert told[0] == told[1]
    assert set(told[0]) == {config.name for config in layout.configs()} | {"stream"}


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (always("POST", "/preupload/", 500), "answered 500"),
        (always("POST", "/commit/", 412), "was changed by someone else meanwhile"),
        (always("POST", "/repos/create", 403), "the token may not write to"),
        (always("POST", "/repos/create", 409), "is in the way"),
        (always("PUT", "/lfs/", 0), "was lost"),
    ],
)
def test_what_the_hub_refuses_is_one_line(hub: Hub, folder: Path, tmp_path: Path, fault: object, said: str) -> None:
    hub.faults.append(fault)  # type: ignore[arg-type]
    done = pushed(hub, folder, tmp_path)
    assert done.returncode == 1
    error = done.stderr.splitlines()[-1]
    assert error.startswith("error: ")
    assert said in error
    assert "Traceback" not in done.stderr


def test_a_cut_connection_in_the_middle_goes_on_where_it_was(hub: Hub, folder: Path, tmp_path: Path) -> None:
    hub.faults.append(always("POST", "/commit/", 500))
    assert pushed(hub, folder, tmp_path).returncode == 1
    sent = hub.sent("PUT", "/lfs/")
    hub.faults.clear()
    done = pushed(hub, folder, tmp_path)
    assert done.returncode == 0, done.stderr
    assert hub.sent("PUT", "/lfs/") == sent
    assert on_hub(hub) == files_of(folder)


def test_tokens(hub: Hub, folder: Path, tmp_path: Path) -> None:
    for token, said in ((READ_ONLY, "may not write"), ("hf_wrong", "does not take the token"), ("", "no token of the Hub")):
        done = pushed(hub, folder, tmp_path, token=token)
        assert done.returncode == 1
        assert said in done.stderr.splitlines()[-1], done.stderr


def test_what_is_not_published(hub: Hub, folder: Path, tmp_path: Path) -> None:
    hub.faults.append(once("GET", "/never", 500))
    damaged = Path(shutil.copytree(folder, tmp_path / "damaged"))
    (damaged / layout.ATTRIBUTION).write_text("x")
    done = pushed(hub, damaged, tmp_path / "h")
    assert done.returncode == 1
    assert "is not published: ATTRIBUTION.csv: is not as it was built" in done.stderr
    assert hub.requests == []
