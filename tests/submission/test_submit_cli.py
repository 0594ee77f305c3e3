"""`reasonaudio submit`, from folders of results to the folder for a pull request."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import mteb
import pytest
from typer.testing import CliRunner

import eval_harness
from builders.recipe import TASK_NAMES
from eval_harness import submit_cli
from eval_harness.cli import app
from eval_harness.submission import writing
from eval_harness.submission.checks import check
from eval_harness.submission.gather import gather
from eval_harness.submission.known import Demands, KnownTask
from eval_harness.submission.names import UPSTREAM
from eval_harness.tasks import task_name
from tests.corpus_fixture import folder  # noqa: F401  # a fixture
from tests.submission.made_results import CLAP, RANDOM, TASKS, asked, edit, entry_of, meta_of, place, save, save_all, short
from tests.toy_encoder import ToyEncoder


def call(*args: object) -> Any:
    return CliRunner().invoke(app, ["submit", *map(str, args)])


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def _of_mteb(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks that the installed mteb has are asked for."""
    monkeypatch.setattr(submit_cli, "wanted_tasks", lambda: TASKS)


def tree(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


@pytest.mark.usefixtures("_of_mteb")
def test_everything_is_fit(tmp_path: Path) -> None:
    source, out = save_all(tmp_path / "source", CLAP, RANDOM), tmp_path / "new" / "out"
    done = call(out, source)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["model", "revision", "fit", "missing"]
    assert [line.split() for line in lines[1:3]] == [
        [CLAP, short(CLAP), "3/3"],
        [RANDOM, str(meta_of(RANDOM).revision), "3/3"],
    ]
    assert lines[-1] == f"{out}: 11 files"
    assert "make test" in done.stderr
    assert tree(out / "results") == tree(source / "results")  # byte for byte
    assert sorted(path.name for path in out.iterdir()) == ["PULL_REQUEST.md", "results"]
    # mteb itself reads the folder, and finds all that its tasks ask for.
    loaded = mteb.ResultCache(out).load_results(validate_and_filter=True)
    assert {one.model_name: {result.task_name for result in one.task_results} for one in loaded.model_results} == {
        CLAP: set(TASKS),
        RANDOM: set(TASKS),
    }


@pytest.mark.usefixtures("_of_mteb")
def test_the_text(tmp_path: Path) -> None:
    source, out = save_all(tmp_path / "source", CLAP), tmp_path / "out"
    save(source, CLAP, TASKS[1], mteb_version="2.20.0")
    save(source, RANDOM, TASKS[0])
    call(out, source)
    text = (out / "PULL_REQUEST.md").read_text()
    assert text.startswith("# Results of 2 models on 3 tasks\n\n4 results, as mteb wrote them.\n")
    values = [mteb.TaskResult.from_disk(place(source) / f"{task}.json").get_score() for task in TASKS]
    shown = " | ".join(f"{value:.4f}" for value in (*values, sum(values) / 3))
    assert f"| {CLAP} | `{meta_of(CLAP).revision}` | {shown} |" in text
    assert f"| {RANDOM} | `{meta_of(RANDOM).revision}` | {values[0]:.4f} |  |  |  |" in text  # and so without a mean
    for task in TASKS:
        known = asked().known[task]
        assert f"| {task} | {known.main_score} | {known.dataset[0]} | `{known.dataset[1]}` |" in text
    assert f"| {CLAP} | 2.20.0, 2.26.24 |" in text
    assert "- [ ] `make test` was run" in text
    assert "- [ ] `make pre-push` was run" in text
    assert f"- [x] every model is implemented in mteb {mteb.__version__}, " in text


@pytest.mark.usefixtures("_of_mteb")
def test_again_nothing_changes_and_more_may_come(tmp_path: Path) -> None:
    source, out = tmp_path / "source", tmp_path / "out"
    save(source, CLAP, TASKS[0])
    assert call(out, source).exit_code == 1
    times = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
    again = call(out, source)
    assert f"{out}: 4 files, none of them new or changed" in again.stdout
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*")} == times
    save_all(source)
    more = call(out, source)
    assert more.exit_code == 0, more.output
    assert f"{out}: 6 files, 4 of them new or changed" in more.stdout
    assert tree(out / "results") == tree(source / "results")
    assert call(out, out).exit_code == 0  # a submission is a folder of results, too
    assert list(tmp_path.glob(".*")) == []


@pytest.mark.usefixtures("_of_mteb")
def test_what_is_fit_is_written_where_other_things_are_not(tmp_path: Path) -> None:
    source, out = save_all(tmp_path / "source", CLAP, RANDOM), tmp_path / "out"
    (place(source, RANDOM) / "model_meta.json").unlink()
    (place(source) / f"{TASKS[0]}.json").write_text("no")
    written = tmp_path / "told.json"
    done = call(out, source, "--json", written, "-q")
    assert done.exit_code == 1
    assert done.stderr == ""
    assert f"{CLAP}@{short(CLAP)}, {TASKS[0]}: {TASKS[0]}.json is not JSON (" in done.stdout
    assert f"{RANDOM}@{meta_of(RANDOM).revision}: there is no model_meta.json; run the model again" in done.stdout
    assert sorted(tree(out)) == sorted(
        ["PULL_REQUEST.md"]
        + [f"results/laion__clap-htsat-unfused/{meta_of(CLAP).revision}/{name}"
           for name in (f"{TASKS[1]}.json", f"{TASKS[2]}.json", "model_meta.json", "run_settings.jsonl")]
    )  # fmt: skip
    told = json.loads(written.read_text())
    assert [(one["model"], one["fit"]) for one in told["models"]] == [(CLAP, list(TASKS[1:])), (RANDOM, [])]
    assert [one["rule"] for one in told["models"][1]["missing"]] == ["meta"]
    assert (told["missing"], told["tasks"], told["data"]) == ([], list(TASKS), None)


@pytest.mark.usefixtures("_of_mteb")
def test_dry_run_writes_nothing(tmp_path: Path) -> None:
    source, out = save_all(tmp_path / "source"), tmp_path / "out"
    done = call(out, source, "--dry-run")
    assert done.exit_code == 0
    assert f"6 files would be in {out}; nothing was written, as --dry-run asks" in done.stdout
    assert not out.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["source"]


@pytest.mark.usefixtures("_of_mteb")
def test_only_the_models_asked_for(tmp_path: Path) -> None:
    source, out = save_all(tmp_path / "source", CLAP, RANDOM), tmp_path / "out"
    assert call(out, source, "-m", CLAP).exit_code == 0
    assert [path.name for path in (out / "results").iterdir()] == ["laion__clap-htsat-unfused"]
    save(source, CLAP, TASKS[0], meta=meta_of(CLAP).model_copy(update={"revision": "b" * 40}))
    assert call(tmp_path / "x", source, "-m", CLAP).exit_code == 1
    assert call(tmp_path / "y", source, "-m", f"{CLAP}@{short(CLAP)[:6]}", RANDOM).exit_code == 0
    done = call(tmp_path / "z", source, "-m", "laion/clip", RANDOM)
    assert done.exit_code == 1
    assert f"laion/clip: there are no results of it; there are {CLAP}@{short(CLAP)}, " in done.stdout
    assert (tmp_path / "z" / "results" / "mteb__baseline-random-encoder").is_dir()


@pytest.mark.usefixtures("_of_mteb")
def test_models_that_were_run_on_other_tasks_alone(tmp_path: Path) -> None:
    source = tmp_path / "source"
    save(source, RANDOM, "SoundDescsT2ARetrieval")
    none = call(tmp_path / "out", source)
    assert none.exit_code == 1
    assert f"there are no results of the benchmark's tasks; run `mteb run -m MODEL -t {' '.join(TASKS)}`" in none.stdout
    assert "left out: 1 file: of other tasks" in none.stderr
    save_all(source, CLAP)
    assert call(tmp_path / "out", source).exit_code == 0
    assert "there are no results of it" in call(tmp_path / "out", source, "-m", CLAP, RANDOM).stdout


@pytest.mark.usefixtures("_of_mteb")
def test_settings_of_two_folders_are_put_together(tmp_path: Path) -> None:
    first, second, out = tmp_path / "first", tmp_path / "second", tmp_path / "out"
    save(first, CLAP, TASKS[0])
    for task in TASKS[1:]:
        save(second, CLAP, task)
    assert call(out, first, second).exit_code == 0
    lines = [line for root in (first, second) for line in (place(root) / "run_settings.jsonl").read_bytes().splitlines()]
    assert (place(out) / "run_settings.jsonl").read_bytes().splitlines() == lines


@pytest.mark.usefixtures("_of_mteb")
def test_folders_that_hold_other_things_are_refused(tmp_path: Path) -> None:
    source = save_all(tmp_path / "source")
    other = tmp_path / "other"
    (other / "results").mkdir(parents=True)
    (other / "Makefile").write_text("test:\n")
    before = tree(tmp_path)
    for out, said in (
        (other, "holds something else (Makefile); give a new folder, or remove it first"),
        (other / "Makefile", "is a file; give a folder for the submission"),
        (source / "results" / "out", "which holds results; give a folder elsewhere"),
        (source / "results", "which holds results; give a folder elsewhere"),
    ):
        done = call(out, source)
        assert done.exit_code == 2
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
    assert tree(tmp_path) == before
    assert call(tmp_path / "out", tmp_path / "nowhere").exit_code == 2
    assert call(tmp_path / "out", source, "--data", "org/name").exit_code == 2
    assert call(other, source, "--dry-run").exit_code == 2


@pytest.mark.usefixtures("_of_mteb")
def test_results_of_an_earlier_submission_are_neither_changed_nor_dropped(tmp_path: Path) -> None:
    source, out = save_all(tmp_path / "source", CLAP, RANDOM), tmp_path / "out"
    assert call(out, source).exit_code == 0
    before = tree(out)
    fewer = call(out, source, "-m", CLAP)
    assert fewer.exit_code == 2
    assert "holds results that are not in this submission (results/mteb__baseline-random-encoder/" in fewer.stderr
    save(source, CLAP, TASKS[0], entry=entry_of(TASKS[0], hits=8))
    another = call(out, source)
    assert another.exit_code == 2
    assert f"{TASKS[0]}.json is another result than the one to be submitted" in another.stderr
    assert tree(out) == before


@pytest.mark.usefixtures("_of_mteb")
def test_a_link_in_the_folder_is_not_written_through(tmp_path: Path) -> None:
    source, out, elsewhere = save_all(tmp_path / "source"), tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    out.mkdir()
    (out / "results").symlink_to(elsewhere)
    done = call(out, source)
    assert done.exit_code == 2
    assert "holds something else (results)" in done.stderr
    assert list(elsewhere.iterdir()) == []


def test_a_disk_that_is_full_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, content: bytes) -> int:
        raise OSError(28, os.strerror(28), str(path))

    monkeypatch.setattr(submit_cli, "wanted_tasks", lambda: TASKS)
    source = save_all(tmp_path / "source")
    monkeypatch.setattr(Path, "write_bytes", full)
    done = call(tmp_path / "out", source)
    assert done.exit_code == 1
    assert "no space left on device; free some space" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_lines_of_settings_are_put_together_once() -> None:
    assert writing.together([b"a\n\nb"]) == b"a\n\nb"
    assert writing.together([b"a\nb\n", b"b\n\nc"]) == b"a\nb\nc\n"


# --- results of real runs ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """A folder of `run`: a model of mteb's name on all tasks, one of our own systems, a scope and a probe."""
    out = tmp_path_factory.mktemp("real") / "out"
    clap = ToyEncoder(CLAP, str(meta_of(CLAP).revision))
    eval_harness.run(clap, data=folder, out=out)
    eval_harness.run(clap, ["order"], data=folder, out=out, scope="all")
    eval_harness.run("reasonaudio/random", ["order"], data=folder, out=out)
    return out


def test_results_of_a_run_wait_for_the_tasks_in_mteb(real: Path, tmp_path: Path) -> None:
    done = call(tmp_path / "out", real)
    assert done.exit_code == 1
    said = done.stdout.splitlines()
    assert [line.split() for line in said[1:3]] == [
        [CLAP, short(CLAP), "0/5", "dataset"],
        ["reasonaudio/random", "1", "0/5", "model"],
    ]
    assert sum("results named ReasonAudio-Negation, " in line for line in said) == 1
    assert f"mteb {mteb.__version__} does not have the tasks {', '.join(UPSTREAM)} yet" in done.stdout
    assert f"{CLAP}@{short(CLAP)}, all results: was run on a local folder, not the published dataset" in done.stdout
    assert "reasonaudio/random@1: is a system of this package" in done.stdout
    assert "left out: 1 file: searches of the whole corpus (--scope all)" in done.stderr
    assert said[-1] == f"nothing can be submitted yet, and {tmp_path / 'out'} was not written"
    assert list(tmp_path.iterdir()) == []


def test_files_of_a_run_keep_every_rule_but_for_the_data(real: Path) -> None:
    names = {task: task_name(task) for task in TASK_NAMES}
    known = {
        name: KnownTask(("org/reasonaudio", "a" * 40), "hit_rate_at_1", frozenset({("test", task)}), 4)
        for task, name in names.items()
    }
    wanted = Demands(tuple(names.values()), known, frozenset({CLAP}), mteb.__version__)
    found = {one.model.name: one for one in check(gather([real], wanted.tasks).models, wanted)}
    assert [one.rule for one in found[CLAP].missing] == ["dataset"]


def test_a_run_under_other_settings_is_no_result_of_the_model(real: Path, tmp_path: Path) -> None:
    place_ = place(real)
    there = tmp_path / "copy" / "results" / place_.parent.name / place_.name
    there.mkdir(parents=True)
    for file in place_.iterdir():
        (there / file.name).write_bytes(file.read_bytes())
    edit(there / "model_meta.json", lambda content: content.update(experiment_kwargs={"torch_dtype": "float16"}))
    done = call(tmp_path / "out", tmp_path / "copy")
    assert (
        "was run with settings of an experiment ({'torch_dtype': 'float16'}); run it without them, as without --dtype"
        in done.stdout
    )
