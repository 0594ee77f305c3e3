"""The commands `run` and `mteb`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from eval_harness.cli import app
from eval_harness.systems.scale import Random
from tests.corpus_fixture import ROOT, folder, make_folder, make_plan  # noqa: F401  # a fixture


def call(*args: object) -> Result:
    return CliRunner().invoke(app, [str(arg) for arg in args])


def test_several_models_and_tasks_after_one_option(folder: Path, tmp_path: Path) -> None:  # noqa: F811
    result = call(
        "run",
        "-m",
        "reasonaudio/oracle",
        "reasonaudio/random",
        "-t",
        "ReasonAudio-Order",
        "mix",
        "--data",
        folder,
        "--out",
        tmp_path,
    )
    assert result.exit_code == 0, result.output
    assert "reasonaudio/oracle (1), scope task\n" in result.stdout
    assert "reasonaudio/random (1), scope task\n" in result.stdout
    assert result.stdout.count("order  ") == result.stdout.count("mix  ") == 2
    assert "negation" not in result.stdout
    assert f"results in {tmp_path / 'results' / 'reasonaudio__oracle' / '1'}, rankings in " in result.stderr
    assert sorted(path.name for path in (tmp_path / "results" / "reasonaudio__random" / "1").iterdir()) == [
        "ReasonAudio-Mix.json", "ReasonAudio-Order.json", "model_meta.json", "run_settings.jsonl",
    ]  # fmt: skip


def test_the_table_ends_with_the_mean_of_five(folder: Path, tmp_path: Path) -> None:  # noqa: F811
    result = call("run", "-m", "reasonaudio/oracle", "--data", folder, "--out", tmp_path, "--scope", "all", "-q")
    lines = result.stdout.splitlines()
    assert lines[0] == "reasonaudio/oracle (1), scope all"
    assert [line.split()[0] for line in lines[1:8]] == ["task", "negation", "order", "overlap", "duration", "mix", "mean"]
    assert result.stderr == ""


def test_one_model_that_fails_does_not_keep_the_others(folder: Path, tmp_path: Path) -> None:  # noqa: F811
    result = call("run", "-m", "orakle", "reasonaudio/oracle", "-t", "mix", "--data", folder, "--out", tmp_path)
    assert result.exit_code == 2
    assert "reasonaudio/oracle (1), scope task" in result.stdout
    assert result.stderr.splitlines()[-1].startswith("error: 1 of 2 models failed; orakle: no model 'orakle'")


def test_a_model_that_crashes_does_not_keep_the_others(
    folder: Path,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def crash(*args: object) -> None:
        raise RuntimeError("out of memory\nat line 3")

    monkeypatch.setattr(Random, "rank_in", crash)
    result = call("run", "-m", "reasonaudio/random", "reasonaudio/oracle", "-t", "mix", "--data", folder, "--out", tmp_path)
    assert result.exit_code == 2
    assert "reasonaudio/oracle (1), scope task" in result.stdout
    assert result.stderr.splitlines()[-1] == "error: 1 of 2 models failed; reasonaudio/random: RuntimeError: out of memory"
    alone = call("run", "-m", "reasonaudio/random", "-t", "mix", "--data", folder, "--out", tmp_path)
    assert isinstance(alone.exception, RuntimeError)  # alone, it keeps its traceback


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["-m", "reasonaudio/oracle", "-t", "Ordr"], "no task 'Ordr'"),
        (["-m", "reasonaudio/oracl"], "no model 'reasonaudio/oracl'"),
        (["-m", "reasonaudio/oracle", "--scope", "some"], "scope 'some': give task or all"),
        (["-m", "reasonaudio/oracle", "--data", "nowhere"], "nowhere does not exist; give the folder that a build wrote"),
        ([], "--model"),
    ],
)
def test_bad_input_ends_in_one_line_and_2(folder: Path, tmp_path: Path, args: list[str], said: str) -> None:  # noqa: F811
    done = subprocess.run(
        [sys.executable, "-m", "eval_harness.cli", "run", "--out", tmp_path / "out", "--data", folder, *args, "-q"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )
    assert done.returncode == 2, done.stderr
    assert said in done.stderr
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1


def test_without_data_the_way_out_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REASONAUDIO_DATA", raising=False)
    result = call("run", "-m", "reasonaudio/oracle", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "--data: name a dataset folder, or ORG/NAME on the Hub; or set REASONAUDIO_DATA" in result.stderr


def test_mtebs_own_command_knows_the_tasks(folder: Path, tmp_path: Path) -> None:  # noqa: F811
    command = [sys.executable, "-m", "eval_harness.cli", "mteb"]
    run = ["run", "-m", "reasonaudio/oracle", "-t", "ReasonAudio-Order", "--data", folder, "--output-folder", tmp_path]
    done = subprocess.run([*command, *run], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "results" / "reasonaudio__oracle" / "1" / "ReasonAudio-Order.json").is_file()
    wrong = subprocess.run(
        [*command, "run", "-m", "reasonaudio/oracle", "-t", "ReasonAudio-Ordr"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert wrong.returncode == 2
    assert wrong.stderr.splitlines()[-1] == "error: 'ReasonAudio-Ordr' not found. Did you mean: 'ReasonAudio-Order'?"
    told = subprocess.run([*command, "--help"], capture_output=True, text=True, cwd=ROOT, check=False).stdout
    assert "embeds each clip once" in told
    assert "available-tasks" in told


def test_a_signal_keeps_what_is_finished(tmp_path: Path) -> None:
    made = make_folder(tmp_path / "corpus", make_plan())
    script = tmp_path / "slow.py"
    script.write_text(
        "from eval_harness.cli import main\nfrom eval_harness import running\nfrom tests.toy_encoder import ToyEncoder\n"
        "real = running.run\n"
        "def slow(name, task, **settings):\n"
        "    return real(ToyEncoder(slow=0.2), task, **settings)\n"
        "running.run = slow\n"
        "main()\n"
    )
    out = tmp_path / "out"
    args = [sys.executable, script, "run", "-m", "toys/levels", "--data", made, "--out", out, "--batch-size", "2"]
    victim = subprocess.Popen(args, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    deadline = time.monotonic() + 180
    while not list(out.glob("embeddings/*/*/shard-*.npz")) and time.monotonic() < deadline:
        time.sleep(0.05)
    victim.send_signal(signal.SIGTERM)
    _, errors = victim.communicate(timeout=180)
    assert victim.returncode == 143
    assert (
        errors.splitlines()[-1]
        == "stopped by SIGTERM; the same command can be given again; what build, run and push finished is kept"
    )
    assert list(out.glob("embeddings/*/*/shard-*.npz"))
