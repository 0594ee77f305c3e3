"""Each rule of the results repository, broken once; and what keeps all of them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from builders.errors import EvaluationError
from eval_harness.submission.checks import Checked, Missing, check, general
from eval_harness.submission.gather import LARGEST, gather
from eval_harness.submission.known import Demands, KnownTask, Published
from eval_harness.submission.names import UPSTREAM, not_for_leaderboard, upstream_name
from tests.submission.made_results import CLAP, RANDOM, TASKS, asked, edit, entry_of, meta_of, place, save, save_all, short

FIRST = TASKS[0]
COMMIT, OTHER = "a" * 40, "b" * 40


def checked(*roots: Path, of: Demands | None = None) -> list[Checked]:
    return check(gather(roots, (of or asked()).tasks).models, of or asked())


def only(*roots: Path, of: Demands | None = None) -> Checked:
    (one,) = checked(*roots, of=of)
    return one


def test_what_mteb_writes_is_fit(tmp_path: Path) -> None:
    found = checked(save_all(tmp_path, CLAP, RANDOM))
    assert [(one.model.name, one.fit, one.missing) for one in found] == [(CLAP, TASKS, ()), (RANDOM, TASKS, ())]


def test_a_folder_of_models_will_do_too(tmp_path: Path) -> None:
    assert only(save_all(tmp_path) / "results").fit == TASKS


# --- rules of the model -----------------------------------------------------------------------------------------------


def _remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _set(name: str, field: str, value: Any) -> Callable[[Path], None]:
    return lambda folder: edit(folder / name, lambda content: content.update({field: value}))


@pytest.mark.parametrize(
    ("spoil", "rule", "what"),
    [
        (_remove("model_meta.json"), "meta", "there is no model_meta.json"),
        (lambda folder: (folder / "model_meta.json").write_text("{"), "meta", "model_meta.json is not JSON ("),
        (lambda folder: (folder / "model_meta.json").write_text("[]"), "meta", "model_meta.json is not a JSON object"),
        (lambda folder: (folder / "model_meta.json").write_text(""), "meta", "model_meta.json is empty (0 bytes)"),
        (_set("model_meta.json", "languages", 3), "meta", "model_meta.json is not as mteb writes it (languages"),
        (_set("model_meta.json", "name", RANDOM), "meta", "model_meta.json is of mteb__baseline-random-encoder/8fa0f1"),
        (_set("model_meta.json", "name", "../../../x"), "meta", "model_meta.json is of ..__..__..__x/8fa0f1"),
        (_set("model_meta.json", "name", "../x"), "meta", "model_meta.json is of ..__x/8fa0f1"),
        (_set("model_meta.json", "revision", "c" * 40), "meta", "model_meta.json is of laion__clap-htsat-unfused/cc"),
        (_set("model_meta.json", "revision", None), "revision", "the model's revision is not recorded"),
        (_set("model_meta.json", "experiment_kwargs", {"dtype": "float16"}), "experiment", "was run with settings"),
        (lambda folder: (folder / "run_settings.jsonl").write_text("{}\nno\n"), "settings", "run_settings.jsonl line 2 is no"),
        (lambda folder: (folder / "run_settings.jsonl").write_text("[1]"), "settings", "run_settings.jsonl line 1 is no"),
    ],
)  # fmt: skip
def test_rules_of_the_model(tmp_path: Path, spoil: Callable[[Path], None], rule: str, what: str) -> None:
    spoil(place(save_all(tmp_path)))
    found = only(tmp_path)
    assert found.fit == ()
    (one,) = found.missing
    assert (one.rule, one.tasks, one.model) == (rule, (), f"{CLAP}@{short(CLAP)}")
    assert one.what.startswith(what)
    assert one.way_out
    assert "\n" not in one.line()


@pytest.mark.parametrize(
    ("name", "what", "final"),
    [
        ("someone/new", "is not implemented in mteb ", False),
        ("reasonaudio/random", "is a system of this package", True),
        ("local/mine", "was run from a folder", True),
    ],
)
def test_models_that_mteb_does_not_have(tmp_path: Path, name: str, what: str, final: bool) -> None:
    meta = meta_of(CLAP).model_copy(update={"name": name})
    save(tmp_path, name, FIRST, meta=meta, dataset_revision="d" * 64)
    found = only(tmp_path)
    assert found.fit == ()
    assert found.missing[0].rule == "model"
    assert found.missing[0].what.startswith(what)
    # Of what can never be submitted nothing else is said.
    assert [one.rule for one in found.missing[1:]] == ([] if final else ["dataset", "tasks"])


def test_a_model_without_a_revision(tmp_path: Path) -> None:
    save(tmp_path, CLAP, FIRST, meta=meta_of(CLAP).model_copy(update={"revision": "no_revision_available"}))
    assert only(tmp_path).missing[0].what == "the model's revision is not recorded"


# --- rules of a result ------------------------------------------------------------------------------------------------


def _version(content: dict[str, Any]) -> None:
    content["mteb_version"] = content["scores"]["test"][0]["mteb_version"] = "1.38.0"


def _score(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda content: content["scores"]["test"][0].update({name: value})


@pytest.mark.parametrize(
    ("change", "rule", "what"),
    [
        (_version, "version", "mteb_version is 1.38.0, and 2.0.0 or newer is asked for"),
        (lambda content: content.update(mteb_version=None), "version", "mteb_version is None"),
        (_score("mteb_version", "1.9.9"), "version", "mteb_version is 1.9.9"),
        (lambda content: content.update(task_name=TASKS[1]), "name", f"{FIRST}.json is a result of {TASKS[1]}"),
        (lambda content: content.pop("task_name"), "file", f"{FIRST}.json is not as mteb writes it (task_name: Field required)"),
        (lambda content: content["scores"]["test"][0].pop("main_score"), "file", f"{FIRST}.json is not as mteb writes it"),
        (lambda content: content.update(scores=[]), "file", f"{FIRST}.json is not as mteb writes it (scores"),
        (lambda content: content.update(dataset_revision="d" * 64), "dataset", "was run on a local folder"),
        (lambda content: content.update(dataset_revision="main"), "dataset", "was run on no commit of the published"),
        (lambda content: content.update(dataset_revision=""), "dataset", "was run on no commit of"),
        (lambda content: content.update(dataset_revision=OTHER), "dataset", "was run on revision bbbbbbbbbbbb, and mteb"),
        (lambda content: content.update(scores={}), "scores", "holds no scores"),
        (_score("main_score", float("nan")), "scores", "test/default: main_score is nan, no number from 0 to 1"),
        (_score("main_score", "0.5"), "scores", "test/default: main_score is no number"),
        (_score("main_score", 0.25), "scores", "test/default: main_score is 0.25, and "),
        (_score("recall_at_10", 1.5), "scores", "test/default: recall_at_10 is 1.5, no number from 0 to 1"),
        (_score("recall_at_10", float("inf")), "scores", "test/default: recall_at_10 is inf, no number from 0 to 1"),
        (_score("hit_rate_at_1", 0.00009), "scores", "test/default: hit_rate_at_1 is 9e-05, which is no share of 5585 queries"),
    ],
)  # fmt: skip
def test_rules_of_a_result(tmp_path: Path, change: Callable[[dict[str, Any]], Any], rule: str, what: str) -> None:
    edit(place(save_all(tmp_path)) / f"{FIRST}.json", change)
    found = only(tmp_path)
    assert found.fit == TASKS[1:]  # the others are not kept back
    one = found.missing[0]
    assert (one.rule, one.tasks) == (rule, (FIRST,))
    assert one.what.startswith(what)
    assert one.way_out
    assert "\n" not in one.line()


def test_all_splits_and_subsets_are_there(tmp_path: Path) -> None:
    file = place(save_all(tmp_path)) / f"{FIRST}.json"
    edit(file, lambda content: content["scores"].update(train=content["scores"].pop("test")))
    rules = {one.rule: one for one in only(tmp_path).missing}
    assert rules["parts"].what == "not all of the task was run: test/default is missing"
    assert rules["settings"].what == "run_settings.jsonl lacks train/default"


def test_settings_cover_every_result(tmp_path: Path) -> None:
    file = place(save_all(tmp_path)) / "run_settings.jsonl"
    kept = [line for line in file.read_text().splitlines() if json.loads(line)["task"] != FIRST]
    file.write_text("\n".join(kept))
    (one,) = only(tmp_path).missing
    assert (one.rule, one.what, one.tasks) == ("settings", "run_settings.jsonl lacks test/default", (FIRST,))
    old = {"task": FIRST, "split": "test", "subset": "default"}  # as older mteb wrote them
    file.write_text("\n".join([*kept, json.dumps(old)]))
    assert only(tmp_path).fit == TASKS
    file.unlink()
    (one,) = only(tmp_path).missing
    assert (one.what, set(one.tasks)) == ("there is no run_settings.jsonl", set(TASKS))


def test_all_tasks_are_asked_for(tmp_path: Path) -> None:
    save(tmp_path, CLAP, FIRST)
    found = only(tmp_path)
    assert found.fit == (FIRST,)
    (one,) = found.missing
    assert (one.rule, one.tasks) == ("tasks", TASKS[1:])
    assert one.way_out == f"run `mteb run -m {CLAP} -t {' '.join(TASKS[1:])}`"


# --- files that are none ----------------------------------------------------------------------------------------------


def _linked(path: Path) -> None:
    path.rename(path.with_name("real"))
    path.symlink_to("real")


def _huge(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(LARGEST + 1)


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda path: path.write_text("no result"), "is not JSON ("),
        (lambda path: path.write_text("[1, 2]"), "is not a JSON object"),
        (lambda path: path.write_text("[" * 100_000), "is not JSON (maximum recursion depth exceeded"),
        (lambda path: path.write_bytes(b""), "is empty (0 bytes)"),
        (lambda path: path.write_bytes(b"\xff\xfe\x00"), "is not JSON ("),
        (_linked, "is a link; copy the file itself there"),
        (_huge, "has 10,485,761 bytes, and the results repository takes 10,485,760 at most"),
        (_pipe, "is no file"),
        (_folder, "is no file"),
    ],
)
def test_files_that_are_no_results(tmp_path: Path, spoil: Callable[[Path], Any], what: str) -> None:
    spoil(place(save_all(tmp_path)) / f"{FIRST}.json")
    found = only(tmp_path)
    assert found.fit == TASKS[1:]
    (one,) = found.missing
    assert (one.rule, one.tasks) == ("file", (FIRST,))
    assert one.what.startswith(f"{FIRST}.json {what}")
    assert "\n" not in one.line()


def test_a_result_under_another_name(tmp_path: Path) -> None:
    file = place(save_all(tmp_path)) / f"{FIRST}.json"
    file.rename(file.with_name("copy\n(1).json"))
    rules = {one.rule: one for one in only(tmp_path).missing}
    assert rules["name"].what == f"copy�(1).json is a result of {FIRST}"
    assert rules["tasks"].tasks == (FIRST,)


def test_linked_folders_are_not_followed(tmp_path: Path) -> None:
    elsewhere = place(save_all(tmp_path / "a")).parent
    root = save_all(tmp_path / "b", RANDOM)
    (root / "results" / "laion__clap-htsat-unfused").symlink_to(elsewhere)
    found = gather([root], TASKS)
    assert [model.name for model in found.models] == [RANDOM]
    ((what, way_out),) = found.problems
    assert what.endswith("laion__clap-htsat-unfused is a link, and links are not followed")
    assert way_out == "give the folder that it leads to"


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda path: None, "does not exist; give a folder that `reasonaudio run --out` wrote"),
        (lambda path: path.write_text(""), "is a file; give"),
        (lambda path: path.mkdir(), "holds no results; give"),
        (lambda path: (path / "results" / "a" / "b").mkdir(parents=True), "holds no results; give"),
    ],
)
def test_folders_without_results(tmp_path: Path, make: Callable[[Path], Any], what: str) -> None:
    make(tmp_path / "there")
    with pytest.raises(EvaluationError, match=what):
        gather([tmp_path / "there"], TASKS)


def test_what_is_not_for_the_leaderboard_is_left_out(tmp_path: Path) -> None:
    folder = place(save_all(tmp_path))
    for name in ("ReasonAudio-Order-All", "ReasonAudioText-Order-Story", "STS12"):
        shutil.copy(folder / f"{FIRST}.json", folder / f"{name}.json")
        edit(folder / f"{name}.json", lambda content, name=name: content.update(task_name=name))
    save(tmp_path, CLAP, FIRST, meta=meta_of(CLAP).model_copy(update={"experiment_kwargs": {"dtype": "float16"}}))
    found = gather([tmp_path], TASKS)
    assert found.left_out == {
        "searches of the whole corpus (--scope all) are not part of the leaderboard": 1,
        "probes in text are not part of the benchmark": 1,
        "of other tasks": 1,
        "experiments (settings that are not the model's own) are not for the leaderboard": 1,
    }
    assert only(tmp_path).fit == TASKS


# --- several folders --------------------------------------------------------------------------------------------------


def test_results_of_one_model_in_two_folders(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    save(first, CLAP, TASKS[0])
    for task in TASKS[1:]:
        save(second, CLAP, task)
    assert only(first, second).fit == TASKS
    shutil.copy(place(first) / f"{FIRST}.json", place(second))  # the same twice is one
    assert only(first, second).fit == TASKS
    save(second, CLAP, FIRST, entry=entry_of(FIRST, hits=8))
    found = only(first, second)
    assert found.fit == TASKS[1:]
    (one,) = found.missing
    assert (one.rule, one.tasks) == ("duplicate", (FIRST,))
    assert one.what == f"results differ between {place(first)} and {place(second)}"
    edit(place(second) / "model_meta.json", lambda content: content.update(citation="another"))
    assert only(first, second).missing[0].what == f"model_meta.json differs between {place(first)} and {place(second)}"


def test_one_revision_of_a_model(tmp_path: Path) -> None:
    save_all(tmp_path)
    save(tmp_path, CLAP, FIRST, meta=meta_of(CLAP).model_copy(update={"revision": OTHER}))
    found = checked(tmp_path)
    assert [one.fit for one in found] == [TASKS[1:], ()]
    assert found[0].missing[0].what.startswith(f"there are results of revision {OTHER}, too")
    assert found[0].missing[0].way_out == f"choose: -m {CLAP}@{short(CLAP)}"


# --- the benchmark's tasks --------------------------------------------------------------------------------------------


def of_benchmark(known: bool = False, published: Published | None = None) -> Demands:
    """What is asked for where mteb has the benchmark's tasks, or not yet."""
    there = KnownTask(("org/reasonaudio", COMMIT), "hit_rate_at_1", frozenset({("test", "default")}), 200)
    tasks = dict.fromkeys(UPSTREAM, there) if known else {}
    return Demands(UPSTREAM, tasks, frozenset({CLAP, RANDOM}), "9.9.9", published)


def test_names_in_mteb() -> None:
    assert upstream_name("negation") == "ReasonAudioNegationT2ARetrieval"
    assert [name for name in UPSTREAM if not_for_leaderboard(name)] == []


def test_all_five_once_mteb_has_them(tmp_path: Path) -> None:
    for task in UPSTREAM:
        save(tmp_path, CLAP, task)
    assert only(tmp_path, of=of_benchmark(known=True)).fit == UPSTREAM
    models = gather([tmp_path], UPSTREAM).models
    assert general(models, of_benchmark(known=True)) == ()
    assert only(tmp_path, of=of_benchmark()).fit == ()
    (one,) = general(models, of_benchmark())
    assert one.rule == "mteb"
    assert one.what.startswith("mteb 9.9.9 does not have the tasks ReasonAudioNegationT2ARetrieval, ")
    assert "results named" not in one.what


def test_results_under_this_packages_names(tmp_path: Path) -> None:
    save(tmp_path, CLAP, "ReasonAudio-Order")
    models = gather([tmp_path], UPSTREAM).models
    (before,) = general(models, of_benchmark())
    assert "results named ReasonAudio-Order are of this package's tasks, and a result is never renamed" in before.what
    assert "`reasonaudio upstream OUT` writes the pull request" in before.way_out
    (after,) = general(models, of_benchmark(known=True))
    assert after.way_out == "run the models again on ReasonAudioOrderT2ARetrieval"
    found = only(tmp_path, of=of_benchmark(known=True))
    assert found.fit == ()
    (one,) = found.missing
    assert one.tasks == tuple(name for name in UPSTREAM if name != "ReasonAudioOrderT2ARetrieval")  # that one is told already


def test_all_results_are_of_one_commit(tmp_path: Path) -> None:
    save(tmp_path, CLAP, UPSTREAM[0])
    save(tmp_path, RANDOM, UPSTREAM[0], dataset_revision=OTHER)
    several = [one for found in checked(tmp_path, of=of_benchmark()) for one in found.missing if one.rule == "dataset"]
    assert [one.model.partition("@")[0] for one in several] == [CLAP, RANDOM]
    assert several[0].what.endswith("the results are of several: aaaaaaaaaaaa (1 results), bbbbbbbbbbbb (1 results)")
    named = checked(tmp_path, of=of_benchmark(published=Published("org/reasonaudio", COMMIT)))
    (one,) = [one for found in named for one in found.missing if one.rule == "dataset"]
    assert (one.model.partition("@")[0], one.what) == (RANDOM, "was run on revision bbbbbbbbbbbb, and --data names aaaaaaaaaaaa")


def test_lines() -> None:
    one = Missing("m@1", "scores", "what", "way out", ("a", "b"))
    assert one.line(["a", "b", "c"]) == "m@1, a, b: what; way out"
    assert one.line(["b", "a"]) == "m@1, all results: what; way out"
    assert Missing("", "mteb", "what", "way out").line() == "what; way out"
