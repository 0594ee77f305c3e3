"""Pushing to a double of the Hub, with the real client, and loading from it in another process."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import reasonaudio_dataset
from builders import layout
from builders.build import build
from builders.dataset_folder import DatasetFolder
from builders.errors import PublishError
from builders.plan import make_plan
from builders.publishing import push
from builders.recipe import PRESETS, make_recipe
from builders.relevance import qrels
from tests.corpus_fixture import RATE, ROOT
from tests.fake_library import fake_library
from tests.hub.server import READ_ONLY, TOKEN, Hub, Repository, Request, always, once, serving

NAME = "org/reasonaudio"
COMMAND = "import time; time.sleep = lambda seconds: None; from eval_harness.cli import main; main()"


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
    done = command(hub, home, "push", str(folder), name, *more, token=token)
    assert not [path for path in folder.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]
    return done


def command(hub: Hub, home: Path, *args: str, token: str = TOKEN, **settings: str) -> subprocess.CompletedProcess[str]:
    """`reasonaudio` in a process of its own, with the client's pauses between tries left out."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *args],
        env=environment(hub, home, token) | settings,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert TOKEN not in done.stdout + done.stderr
    assert not [path for path in home.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]
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
from mteb.abstasks.retrieval_dataset_loaders import RetrievalDatasetLoader
name, revision = sys.argv[1:]
found = {}
for config in get_dataset_config_names(name, revision=revision):
    loaded = load_dataset(name, config, revision=revision)
    found[config] = {split: len(rows) for split, rows in loaded.items()}
stream = load_dataset(name, "queries", split="order", streaming=True, revision=revision)
found["stream"] = next(iter(stream))["text"]
clips = load_dataset(name, split="order", streaming=True, revision=revision)
found["heard"] = len(next(iter(clips.decode(False)))["audio"]["bytes"])
split = RetrievalDatasetLoader(name, revision=revision, split="test", config="order").load()
found["mteb"] = [len(split["corpus"]), len(split["queries"]), sum(map(len, split["relevant_docs"].values()))]
print(json.dumps(found))
"""


def test_every_config_is_loaded_by_tag_and_by_commit(hub: Hub, folder: Path, tmp_path: Path) -> None:
    assert pushed(hub, folder, tmp_path / "a", "--tag", "v1.0.0").returncode == 0
    head = hub.repositories[NAME].head
    told = []
    for n, revision in enumerate(("v1.0.0", head.oid)):
        hub.repositories[NAME].add(f"{n}", {**head.files, "manifest.json": b"{}", "README.md": b"changed"})  # main moves on
        done = subprocess.run(
            [sys.executable, "-c", LOAD, NAME, revision],
            env=environment(hub, tmp_path / f"home-{n}", ""),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        told.append(json.loads(done.stdout.splitlines()[-1]))
    assert told[0] == told[1]
    opened = DatasetFolder.open(folder)
    order = [query for query in opened.queries.values() if query.task == "order"]
    expected = {
        config.name: {split: rows(folder, pattern) for split, pattern in config.splits.items()} for config in layout.configs()
    }
    assert {name: told[0][name] for name in expected} == expected
    assert told[0]["stream"] in {query.text for query in order}
    assert told[0]["heard"] in {len(opened.flac(clip.id)) for clip in opened.clips.values() if clip.task == "order"}
    relevant = opened.qrels("order")
    assert told[0]["mteb"] == [
        expected["order-corpus"]["test"],
        len(order),
        sum(len(relevant[query.id]) for query in order),
    ]


def rows(folder: Path, pattern: str) -> int:
    return sum(pq.read_metadata(place).num_rows for place in folder.glob(pattern))


def test_a_model_is_run_on_what_was_pushed(hub: Hub, folder: Path, tmp_path: Path) -> None:
    assert pushed(hub, folder, tmp_path / "a", "--tag", "v1.0.0").returncode == 0
    commit = hub.repositories[NAME].head.oid
    hub.repositories[NAME].add("later", {"README.md": b"another dataset"})
    out = tmp_path / "results"
    done = command(
        hub,
        tmp_path / "b",
        "run",
        "-m",
        "reasonaudio/oracle",
        "-t",
        "order",
        "--data",
        f"{NAME}@v1.0.0",
        "--out",
        str(out),
        token="",
    )
    assert done.returncode == 0, done.stderr
    (result,) = out.glob("results/*/*/ReasonAudio-Order.json")
    found = json.loads(result.read_bytes())
    assert found["dataset_revision"] == commit
    assert found["scores"]["test"][0]["main_score"] == 1.0


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (always("POST", "/preupload/", 500), "answered 500"),
        (always("POST", "/commit/", 412), "was changed by someone else meanwhile"),
        (always("POST", "/repos/create", 403), "the token may not write to"),
        (always("POST", "/repos/create", 409), "is in the way"),
        (always("PUT", "/lfs/", 0), "was lost"),
        (always("PUT", "/lfs/", 422), "the folder changed while it was sent"),
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
    assert "Retry" not in done.stderr


def test_a_connection_that_breaks_once_is_tried_again(hub: Hub, folder: Path, tmp_path: Path) -> None:
    hub.faults += [once("PUT", "/lfs/", 0, after=2), once("POST", "/info/lfs/", 500), once("PUT", "/lfs/", 503, after=5)]
    done = pushed(hub, folder, tmp_path)
    assert done.returncode == 0, done.stderr
    assert on_hub(hub) == files_of(folder)


@pytest.mark.parametrize(("method", "where", "status"), [("PUT", "/lfs/", 0), ("POST", "/commit/", 500), ("POST", "/commit/", 0)])
def test_an_upload_that_is_cut_goes_on_where_it_was(
    hub: Hub, folder: Path, tmp_path: Path, method: str, where: str, status: int
) -> None:
    hub.faults.append(always(method, where, status, after=3 if method == "PUT" else 0))
    cut = pushed(hub, folder, tmp_path)
    assert cut.returncode == 1
    assert "the same command goes on" in cut.stderr.splitlines()[-1]
    there = set(hub.objects)
    assert len(there) >= 3
    hub.faults.clear()
    before = len(hub.requests)
    done = pushed(hub, folder, tmp_path)
    assert done.returncode == 0, done.stderr
    assert on_hub(hub) == files_of(folder)
    put = [one.path.rpartition("/")[2] for one in hub.requests[before:] if one.method == "PUT"]
    assert not there & set(put)
    assert len(put) == len(set(put)) == len(set(hub.objects) - there)


def test_a_branch_that_moved_is_not_overwritten(hub: Hub, folder: Path, tmp_path: Path) -> None:
    assert pushed(hub, folder, tmp_path).returncode == 0
    repository = hub.repositories[NAME]
    first = repository.head
    repository.add("someone else", {name: content for name, content in first.files.items() if name != "recipe.json"})
    moved = []

    def move(request: Request) -> None:
        if request.method == "POST" and "/commit/" in request.path and not moved:
            moved.append(repository.add("meanwhile", {**repository.head.files, "note.txt": b"theirs"}))

    hub.faults.append(move)
    done = pushed(hub, folder, tmp_path)
    assert done.returncode == 1
    assert "was changed by someone else meanwhile" in done.stderr.splitlines()[-1]
    assert repository.head.oid == moved[0].oid
    assert pushed(hub, folder, tmp_path).returncode == 0
    assert on_hub(hub) == {**files_of(folder), "note.txt": b"theirs"}


def test_tokens(hub: Hub, folder: Path, tmp_path: Path) -> None:
    before = files_of(folder)
    for token, said in (
        (READ_ONLY, "may not write"),
        ("hf_wrong", "does not take the token"),
        ("", "no token of the Hub"),
        ("hf_\u00e9\u20ac", "holds characters that no token has"),
    ):
        done = pushed(hub, folder, tmp_path, token=token, name="org/refused")
        assert done.returncode == 1
        assert said in done.stderr.splitlines()[-1], done.stderr
        assert "Traceback" not in done.stderr
    assert files_of(folder) == before  # also the card


def test_the_card_names_the_repository_here_and_there(hub: Hub, folder: Path, tmp_path: Path) -> None:
    own = Path(shutil.copytree(folder, tmp_path / "own"))
    dry = pushed(hub, own, tmp_path / "h", "--dry-run", name="org/mine")
    assert files_of(own) == files_of(folder)
    assert "nothing measured yet in the card: Scores of the scale systems, Shortcut audit" in dry.stderr
    assert pushed(hub, own, tmp_path / "h", name="org/mine").returncode == 0
    assert b'path = "org/mine"' in (own / layout.CARD).read_bytes()
    assert on_hub(hub, "org/mine") == files_of(own)
    again = pushed(hub, own, tmp_path / "h", "--dry-run", name="org/mine")
    assert "all files are there already" in again.stderr


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"HF_HUB_OFFLINE": "1"}, "HF_HUB_OFFLINE is set"),
        ({"HF_ENDPOINT": "foo"}, "HF_ENDPOINT is 'foo', which is no address"),
        ({"HF_ENDPOINT": "http://127.0.0.1:9"}, "there is no connection to http://127.0.0.1:9"),
    ],
)
def test_a_hub_that_cannot_be_asked(hub: Hub, folder: Path, tmp_path: Path, settings: dict[str, str], said: str) -> None:
    done = command(hub, tmp_path, "push", str(folder), NAME, **settings)
    assert done.returncode == 1
    assert said in done.stderr.splitlines()[-1], done.stderr


def test_another_dataset_is_not_written_over(hub: Hub, folder: Path, tmp_path: Path) -> None:
    hub.repositories[NAME] = Repository(NAME)
    hub.repositories[NAME].add("theirs", {"data.csv": b"1,2"})
    done = pushed(hub, folder, tmp_path)
    assert done.returncode == 1
    assert f"{NAME} holds another dataset (with data.csv)" in done.stderr.splitlines()[-1]


def test_recordings_without_a_licence_are_not_published(hub: Hub, tmp_path: Path) -> None:
    library = fake_library(60, recordings=2, sample_rate=RATE)
    without = replace(library, recordings=tuple(replace(one, license="") for one in library.recordings))
    plan = make_plan(make_recipe(PRESETS["smoke"], {"sample_rate": RATE}), without)
    made = build(plan, without, qrels(plan, without.relations), tmp_path / "without", num_proc=1).folder
    done = pushed(hub, made, tmp_path / "h")
    assert done.returncode == 1
    assert "is not published: the licence of" in done.stderr.splitlines()[-1]
    assert hub.requests == []


@pytest.mark.parametrize(
    ("name", "tag", "said"),
    [
        ("org/../../etc", "", "'org/../../etc' is no name of a dataset; give ORG/NAME"),
        ("alone", "", "'alone' is no name of a dataset; give ORG/NAME"),
        ("org/a--b", "", "'org/a--b' is no name of a dataset"),
        (NAME, "v 2", "'v 2' is no name of a tag"),
        (NAME, "../main", "'../main' is no name of a tag"),
        (NAME, "main", "'main' is no name of a tag"),
        (NAME, "refs/tags/v1", "'refs/tags/v1' is no name of a tag"),
    ],
)
def test_names_that_cannot_be(folder: Path, name: str, tag: str, said: str) -> None:
    assert reasonaudio_dataset.push is push
    with pytest.raises(PublishError) as refused:
        push(folder, name, tag=tag, dry_run=True, token=READ_ONLY)
    assert said in str(refused.value)


def test_what_is_not_published(hub: Hub, folder: Path, tmp_path: Path) -> None:
    damaged = Path(shutil.copytree(folder, tmp_path / "damaged"))
    (damaged / layout.ATTRIBUTION).write_text("x")
    done = pushed(hub, damaged, tmp_path / "h")
    assert done.returncode == 1
    assert "is not published: ATTRIBUTION.csv: is not as it was built" in done.stderr
    assert hub.requests == []
