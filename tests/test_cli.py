"""The command: what it passes on, what it prints where, and how it fails."""

from __future__ import annotations

import errno
import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from builders.corpus import Plan
from builders.errors import BuildError, ReasonAudioError, SoundLibraryError
from builders.plan_json import from_json, save, to_json
from builders.recipe import PRESETS, Recipe
from builders.sounds.library import AtomicSound, Rejection, SoundLibrary, Source
from eval_harness import cli, steps
from eval_harness.ui import StoppedError
from tests.cli_fixture import Replace, run
from tests.fake_folder import FakeFolder


@pytest.fixture
def pipeline(replace: Replace, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The modules that make a dataset, replaced by ones that note how they are called."""
    calls: list[tuple[Any, ...]] = []
    fake = FakeFolder()
    rejected = tuple(Rejection("bell", f"bell/{number}.wav", "silent") for number in range(14))
    library = SoundLibrary("builtin", 32_000, (AtomicSound("rain", "rain", "it rains", True),), (), rejected=rejected)

    def open_source(spec: str, options: Any, *, ontology: Any, progress: Any) -> Source:
        calls.append(("open_source", spec))
        if spec == "folder:missing":
            raise SoundLibraryError("missing: no such\nfolder")
        return Source(spec, (), ())

    def prepare(
        source: Source, recipe: Recipe, *, strict: bool, num_proc: int, progress: Any, max_recordings: int
    ) -> SoundLibrary:
        calls.append(("prepare", strict, num_proc))
        progress(1, 2)
        return library

    def make_plan(recipe: Recipe, library: SoundLibrary, progress: Any) -> Plan:
        calls.append(("make_plan", recipe))
        return Plan(recipe, "ab" * 32, tuple(fake.clips.values()), tuple(fake.queries.values()))

    def build(plan: Plan, library: Any, qrels: Any, out: Path, *, num_proc: int, progress: Any) -> Any:
        calls.append(("build", out, num_proc))
        progress("clips", 8, 8)
        (out / "corpus").mkdir(parents=True)
        (out / "corpus" / "mix-0.parquet").write_bytes(b"x" * 1_500_000)
        return SimpleNamespace(already_there=False, clips_kept=3)

    def check_output(out: Path, recipe: Recipe) -> None:
        calls.append(("check_output", out))
        if out.name == "taken":
            raise BuildError(f"{out}: holds something else")

    replace("builders.sounds.sources", open_source=open_source)
    replace("builders.sounds.kept", prepare=prepare)
    replace("builders.plan", make_plan=make_plan)
    replace(
        "builders.relevance",
        qrels=lambda plan, relations: [(query, clip) for query, clips in fake.qrels().items() for clip in sorted(clips)],
    )
    replace("builders.build", build=build)
    replace("builders.dataset_folder", content_hash=lambda out: "c0ffee")
    replace("builders.output", check_output=check_output)
    monkeypatch.setattr(steps, "_cores", lambda: 2)
    return calls


def planned(calls: list[tuple[Any, ...]]) -> Recipe:
    (recipe,) = (call[1] for call in calls if call[0] == "make_plan")
    assert isinstance(recipe, Recipe)
    return recipe


# --- start ------------------------------------------------------------------------------------------------------------

_HEAVY = (
    "torch",
    "mteb",
    "datasets",
    "transformers",
    "sentence_transformers",
    "numpy",
    "scipy",
    "pyarrow",
    "soundfile",
)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["build", "--help"],
        ["show", "--help"],
        ["listen", "--help"],
        ["listen-results", "--help"],
        ["browse", "--help"],
        ["--nonsense"],
    ],
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        "from eval_harness.cli import app\n"
        f"try: app({arguments!r})\n"
        "except SystemExit: pass\n"
        f"print('heavy:', [name for name in {_HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "heavy: []"


def test_help_lists_every_command() -> None:
    text = run("--help").output
    for command in ("build", "plan", "check", "show", "explain", "export-wav", "sounds", "install"):
        assert re.search(rf"^\W*{command} ", text, re.MULTILINE)


def test_presets_are_those_of_the_recipe() -> None:
    assert [preset.value for preset in cli.Preset] == list(PRESETS)


# --- build and plan ---------------------------------------------------------------------------------------------------


def test_build_runs_the_steps_and_tells_the_result(pipeline: list[tuple[Any, ...]], tmp_path: Path) -> None:
    out = tmp_path / "my sounds"
    result = run("build", out, "--preset", "smoke", "--num-proc", 3, "--strict")
    assert result.exit_code == 0, result.output
    assert [call[0] for call in pipeline] == ["check_output", "open_source", "prepare", "make_plan", "build"]
    assert ("open_source", "builtin") in pipeline
    assert ("prepare", True, 3) in pipeline
    assert ("build", out, 3) in pipeline
    assert re.search(r"^mix +2 +8 +1\.5 +1\.5 +1\.3 +1\.5 MB", result.stdout, re.MULTILINE)
    assert "content c0ffee\n" in result.stdout
    assert "3 clips were kept" in result.stderr
    assert f"reasonaudio check '{out}'" in result.stderr
    assert "builtin: 1 sound (1 sustained), 0 recordings" in result.stderr
    assert "bell/9.wav" in result.stderr
    assert "bell/10.wav" not in result.stderr
    assert "and 4 more" in result.stderr


def test_a_control_is_a_field_of_the_recipe(pipeline: list[tuple[Any, ...]], tmp_path: Path) -> None:
    assert [control.value for control in cli.Control] == list(get_args(Recipe.model_fields["control"].annotation))
    result = run("build", tmp_path / "x", "--preset", "smoke", "--control", "equal-energy")
    assert result.exit_code == 0, result.output
    assert planned(pipeline).control == "equal-energy"
    pipeline.clear()
    wanted = tmp_path / "recipe.toml"
    wanted.write_text('control = "equal-spectrum"\n')
    assert run("build", tmp_path / "y", "--recipe", wanted).exit_code == 0
    assert planned(pipeline).control == "equal-spectrum"
    pipeline.clear()
    assert run("build", tmp_path / "z", "--recipe", wanted, "--control", "none").exit_code == 0
    assert planned(pipeline) == PRESETS["full"]
    assert run("build", tmp_path / "z", "--control", "loud").exit_code == 2


def test_every_rejection_is_listed_on_demand(pipeline: list[tuple[Any, ...]]) -> None:
    result = run("plan", "--list-rejected")
    assert "bell/13.wav" in result.stderr
    assert "more" not in result.stderr


def test_quiet_leaves_results_only(pipeline: list[tuple[Any, ...]], tmp_path: Path) -> None:
    result = run("build", tmp_path / "out", "--quiet")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "content " in result.stdout


def test_the_output_is_looked_at_before_any_work(pipeline: list[tuple[Any, ...]], tmp_path: Path) -> None:
    result = run("build", tmp_path / "taken")
    assert result.exit_code == 1
    assert result.stderr == f"error: {tmp_path / 'taken'}: holds something else\n"
    assert [call[0] for call in pipeline] == ["check_output"]


def test_options_win_over_the_recipe_file_and_that_over_the_preset(pipeline: list[tuple[Any, ...]], tmp_path: Path) -> None:
    file = tmp_path / "recipe.toml"
    file.write_text('name = "mine"\nseed = 4\nqueries_per_task = 10\n[plan]\nclearance_ms = 30\n')
    assert run("plan", "--preset", "mini", "--recipe", file, "--seed", 9, "--sample-rate", 16000, "--allow-dense").exit_code == 0
    recipe = planned(pipeline)
    assert (recipe.name, recipe.seed, recipe.queries_per_task, recipe.sample_rate) == ("mine", 9, 10, 16_000)
    assert (recipe.plan.clearance_ms, recipe.plan.allow_dense) == (30, True)


def test_defaults_are_the_full_preset(pipeline: list[tuple[Any, ...]]) -> None:
    run("plan")
    assert planned(pipeline) == PRESETS["full"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--recipe", "no such file.toml"], "no such file.toml"),
        (["--sounds", "folder:missing"], "missing: no such folder"),
    ],
)
def test_bad_input_is_one_line(pipeline: list[tuple[Any, ...]], arguments: list[str], words: str) -> None:
    result = run("plan", *arguments)
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("error: ")
    assert words in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["build"], "OUT is missing; see reasonaudio build --help"),
        (["shwo"], "there is no command 'shwo', did you mean 'show'?; see reasonaudio --help"),
        (["plan", "--nope"], "there is no option --nope; see reasonaudio plan --help"),
        (["plan", "--preset", "huge"], "--preset: 'huge' is not one of 'smoke', 'mini', 'full'; see reasonaudio plan --help"),
        (["plan", "--num-proc", "0"], "--num-proc: 0 is not from 1 to 256; see reasonaudio plan --help"),
        (["build", "x", "--num-proc", "100000"], "--num-proc: 100000 is not from 1 to 256; see reasonaudio build --help"),
        (["plan", "--queries-per-task", "abc"], "--queries-per-task: a whole number is needed; see reasonaudio plan --help"),
        (["plan", "--queries-per-task", "-2"], "--queries-per-task: -2 is below the least, 2; see reasonaudio plan --help"),
        (["plan", "--queries-per-task", "7"], "--queries-per-task: 7 is odd, but every set serves two twin queries; use 6 or 8"),
        (["plan", "--sample-rate", "0"], "--sample-rate: 0 is below the least, 8000; see reasonaudio plan --help"),
        (["plan", "--seed", "-1"], "--seed: -1 is below the least, 0; see reasonaudio plan --help"),
        (["show", "x", "--list", "0"], "--list: the least is 1; see reasonaudio show --help"),
        (["show", "x", "aa", "--list", "3"], "QUERY_ID shows one query, --list and --task list several; give one or the other"),
    ],
)
def test_wrong_usage_is_one_line_and_2(pipeline: list[tuple[Any, ...]], arguments: list[str], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"error: {words}")
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert pipeline == []


def test_no_more_processes_than_cores_can_feed(pipeline: list[tuple[Any, ...]]) -> None:
    run("plan", "--num-proc", 200)
    assert ("prepare", False, 8) in pipeline


def test_a_plan_is_made_only_where_it_can_be_written(pipeline: list[tuple[Any, ...]], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for place, words in (
        (tmp_path / "no" / "x.json", f"the folder {tmp_path / 'no'} does not exist; make it first"),
        (tmp_path / "file" / "x.json", f"{tmp_path / 'file'} is a file, not a folder"),
        (tmp_path, "is a folder; give the name of a file"),
    ):
        result = run("plan", "--json", place)
        assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
        assert result.stderr.startswith(f"error: {place} ")
        assert words in result.stderr
    assert pipeline == []


def test_the_next_steps_can_be_pasted(tmp_path: Path) -> None:
    for name in ("plain", "it's", 'a "b" c', "$HOME"):
        command = steps.next_steps(Path(name)).splitlines()[-1]
        code = shlex.split(command)[2].replace("from datasets import load_dataset", "load_dataset = str")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout == f"{name}\n"


def test_plan_prints_counts_and_examples(pipeline: list[tuple[Any, ...]], tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    result = run("plan", "--json", file)
    assert result.exit_code == 0, result.output
    assert re.search(r"^mix-1 +1 +2 +8 +1\.5 +1-2", result.stdout, re.MULTILINE)
    assert "A dog barks and later" in result.stdout or "A car horn honks" in result.stdout
    assert re.search(r"^\d+\.\d s$", result.stderr, re.MULTILINE)
    read = from_json(file.read_text(encoding="utf-8"))
    fake = FakeFolder()
    assert (read.clips, read.queries) == (tuple(fake.clips.values()), tuple(fake.queries.values()))
    assert (read.recipe, read.recipe_hash) == (PRESETS["full"], "ab" * 32)
    assert list(tmp_path.iterdir()) == [file]


def test_plans_that_are_none_are_refused(tmp_path: Path) -> None:
    for text in ("", "[]", "{}", '{"layout": 2}', json.dumps({"layout": 1, "recipe": {}})):
        with pytest.raises(ReasonAudioError, match="plan: "):
            from_json(text)
    plan = Plan(PRESETS["smoke"], "00", (), ())
    with pytest.raises(OSError, match="No such file"):
        save(plan, tmp_path / "no" / "plan.json")
    assert to_json(plan) == to_json(from_json(to_json(plan)))


# --- errors -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (
            KeyboardInterrupt(),
            130,
            "interrupted; the same command can be given again; what build, run and push finished is kept",
        ),
        (StoppedError(signal.SIGTERM), 143, "stopped by SIGTERM; the same command can be given again"),
        (StoppedError(signal.SIGHUP), 129, "stopped by SIGHUP; the same command can be given again"),
        (OSError(errno.ENOSPC, "No space left on device"), 1, "error: no space left on device; free some space"),
        (PermissionError(errno.EACCES, "Permission denied", "/x/y"), 1, "error: /x/y: permission denied; choose a folder"),
        (OSError("odd"), 1, "error: odd"),
    ],
)
def test_failures_while_building_are_one_line(
    pipeline: list[tuple[Any, ...]], replace: Replace, tmp_path: Path, error: BaseException, code: int, words: str
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    replace("builders.build", build=fail)
    result = run("build", tmp_path / "out", "--quiet")
    assert result.exit_code == code
    assert words in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_bug_keeps_its_traceback(pipeline: list[tuple[Any, ...]], replace: Replace, tmp_path: Path) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("a bug")

    replace("builders.build", build=fail)
    assert isinstance(run("build", tmp_path / "out").exception, RuntimeError)
