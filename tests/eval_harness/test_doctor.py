"""From answers of probes to findings, repairs, the command's table, and what forbids a run."""

from __future__ import annotations

import dataclasses
import json
import re
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from builders.errors import EvaluationError
from eval_harness import doctor, doctor_cli, probes, probing, repairs
from eval_harness.doctor import Finding
from eval_harness.probing import Result

CPU = {"cuda_build": "", "driver": False, "devices": [], "mps": False}
CUDA = {"cuda_build": "13.0", "driver": True, "devices": [["NVIDIA A", 80 * 2**30]], "mps": False}
GUESTS = ("torchaudio", "torchcodec", "torchvision", "codecarbon")


def _well() -> dict[str, Result]:
    """All is well on a Linux machine without a GPU."""
    facts = {
        "python": {"build": "linux-x86_64"},
        "ffmpeg": {"program": True, "library": "libavutil.so.57"},
        "torch": CPU,
        "soxr": {"samples": 480_000, "error_db": -90.0},
        "soundfile": {"max_difference": 0.0, "libsndfile": "1.2.2"},
    }
    versions = {
        "torch": "2.13.0+cpu",
        "torchcodec": "0.13.0",
        "torchaudio": "2.11.1",
        "mteb": "2.26.24",
        "ffmpeg": "5.1.9-0+deb12u1",
    }
    return {name: Result(name, True, versions.get(name, "1.0"), facts.get(name, {})) for name in probes.PROBES}


def _with(*changed: Result, **facts: Mapping[str, object]) -> dict[str, Finding]:
    results = _well() | {result.name: result for result in changed}
    for name, new in facts.items():
        results[name] = dataclasses.replace(results[name], facts=results[name].facts | dict(new))
    return {finding.name: finding for finding in doctor.findings(results)}


def _absent(name: str) -> Result:
    return Result(name, False, error="not installed", absent=name.replace("-", "_"))


def _torch(version: str, facts: Mapping[str, object]) -> Result:
    return Result("torch", True, version, dict(facts))


BROKEN_TORCHAUDIO = (
    Result("torchaudio", False, "2.11.1", error="OSError: libc10_cuda.so: gone", through=("torch", "torchaudio")),
    Result(
        "transformers", False, "5.24.0", error="OSError: libc10_cuda.so: gone", through=("torch", "torchaudio", "transformers")
    ),
)


def test_where_all_is_well_nothing_is_to_be_repaired() -> None:
    found = _with()
    assert list(found) == list(probes.PROBES)
    assert {finding.state for finding in found.values()} == {"fine"}
    assert not any(finding.fatal or finding.repair or finding.hint for finding in found.values())
    assert doctor_cli.repair_lines(list(found.values())) == []


def test_what_reasonaudio_itself_needs() -> None:
    ours = [finding.name for finding in _with().values() if finding.needed_for == doctor.OURSELVES]
    assert ours == [
        "python",
        "soundfile",
        "soxr",
        "torch",
        "datasets",
        "transformers",
        "sentence-transformers",
        "mteb",
        "reasonaudio",
    ]


@pytest.mark.parametrize("name", GUESTS)
def test_what_only_some_models_need_may_be_missing(name: str) -> None:
    finding = _with(_absent(name))[name]
    assert (finding.state, finding.what, finding.fatal) == ("missing", "not installed", False)
    assert finding.repair or finding.hint


def test_what_reasonaudio_needs_may_not_be_missing() -> None:
    finding = _with(_absent("sentence-transformers"))["sentence-transformers"]
    assert finding.fatal
    assert finding.repair == "pip install sentence-transformers"
    assert _with(_absent("mteb"))["mteb"].repair == f"pip install mteb=={repairs.MTEB}"


@pytest.mark.parametrize(
    ("torch", "installed", "line"),
    [
        (_torch("2.13.0+cpu", CPU), "0.15.0", "pip install torchcodec==0.13.0"),
        (_torch("2.13.0+cpu", CPU), "0.10.0", "pip install torchcodec==0.13.0"),
        (_torch("2.13.0+cpu", CPU), "0.13.0", "pip install --force-reinstall --no-deps torchcodec==0.13.0"),
        (_torch("2.9.1", CUDA), "0.17.0", 'pip install "torchcodec==0.9.*"'),
        (_torch("2.13.0", CUDA), "0.13.0", "pip install --upgrade torchcodec"),
    ],
)
def test_a_broken_torchcodec_becomes_the_one_that_goes_with_torch(torch: Result, installed: str, line: str) -> None:
    broken = Result("torchcodec", False, installed, error="OSError: libnvrtc.so.13: gone", through=("torchcodec",))
    resample = dataclasses.replace(broken, name="torchcodec-resample")
    columns = dataclasses.replace(broken, name="datasets-audio", through=("torchcodec", "datasets"), version="5.2.0")
    found = _with(torch, broken, resample, columns)
    assert found["torchcodec"].repair == line
    assert found["datasets-audio"].repair == line
    assert found["datasets-audio"].through == "torchcodec"
    assert "torchcodec-resample" not in found  # would only repeat it


def test_torchcodec_without_ffmpeg_needs_ffmpeg() -> None:
    broken = Result("torchcodec", False, "0.13.0", error="OSError: libavutil.so.60: gone", through=("torchcodec",))
    ffmpeg = Result("ffmpeg", False, error="neither the program nor its libraries are found", absent="ffmpeg")
    found = _with(broken, ffmpeg)
    assert found["torchcodec"].repair == found["ffmpeg"].repair == "apt-get install ffmpeg"
    assert found["ffmpeg"].state == "missing"
    found = _with(broken, ffmpeg, python={"build": "macosx-14.0-arm64"})
    assert found["ffmpeg"].repair == "brew install ffmpeg"


def test_a_broken_torchaudio_beside_a_cpu_build_goes() -> None:
    found = _with(*BROKEN_TORCHAUDIO)
    assert found["torchaudio"].repair == found["transformers"].repair == "pip uninstall -y torchaudio"
    assert "CPU build of torchaudio 2.11" in found["torchaudio"].hint
    assert not found["torchaudio"].fatal
    assert found["transformers"].fatal
    assert found["transformers"].through == "torchaudio"


@pytest.mark.parametrize(
    ("version", "line"),
    [("2.13.0", "torchaudio==2.11.*"), ("2.9.1+cu128", "torchaudio==2.9.*"), ("2.11.0", "torchaudio==2.11.*")],
)
def test_a_broken_torchaudio_beside_a_cuda_build_becomes_that_of_torch(version: str, line: str) -> None:
    found = _with(_torch(version, CUDA), *BROKEN_TORCHAUDIO)
    assert found["torchaudio"].repair == f'pip install --force-reinstall --no-deps "{line}"'
    found = _with(_torch(version, CUDA), _absent("torchaudio"))
    assert found["torchaudio"].repair == f'pip install "{line}"'


def test_a_broken_torchvision_is_repaired_likewise() -> None:
    broken = Result("torchvision", False, "0.28.0", error="RuntimeError: no nms", through=("torch", "torchvision"))
    assert _with(broken)["torchvision"].repair == "pip uninstall -y torchvision"
    found = _with(_torch("2.13.0", CUDA), broken)
    assert found["torchvision"].repair == 'pip install --force-reinstall --no-deps "torchvision==0.28.*"'


def test_what_cannot_work_without_something_optional_is_missing_with_it() -> None:
    wrapper = Result("mteb-audio", False, "2.26.24", error="ModuleNotFoundError: x", absent="torchaudio", through=("mteb",))
    finding = _with(wrapper, _absent("torchaudio"))["mteb-audio"]
    assert (finding.state, finding.what, finding.repair) == ("missing", "needs torchaudio", "")
    assert "PyTorch's own index" in finding.hint


def test_another_mteb_is_replaced_by_the_tested_one() -> None:
    moved = Result("reasonaudio", False, "0.1.0", error="EvaluationError: no mteb.get_tasks.TASK_LIST", through=("eval_harness",))
    finding = _with(moved, Result("mteb", True, "3.0.0"))["reasonaudio"]
    assert finding.fatal
    assert finding.repair == f"pip install mteb=={repairs.MTEB}"


def test_the_tested_mteb_itself_is_installed_again() -> None:
    broken = Result("mteb", False, repairs.MTEB, error="SyntaxError: invalid", through=("mteb",))
    assert _with(broken)["mteb"].repair == f"pip install --force-reinstall --no-deps mteb=={repairs.MTEB}"


def test_what_was_only_slow_is_to_be_tried_again() -> None:
    """A package that works is not to blame for what was running when time was up."""
    slow = Result("datasets-audio", False, "5.2.0", error=f"{probing.NO_ANSWER} after 60 s", through=("torchcodec", "datasets"))
    finding = _with(slow)["datasets-audio"]
    assert (finding.state, finding.repair, finding.through) == ("broken", "", "")
    assert "try again" in finding.hint
    hanging = Result("torchcodec", False, "0.13.0", error=f"{probing.NO_ANSWER} after 60 s", through=("torchcodec",))
    assert _with(slow, hanging)["datasets-audio"].through == "torchcodec"
    assert "torchcodec==0.13.0" in _with(slow, hanging)["datasets-audio"].repair


def test_the_tested_mteb_is_that_of_the_constraints_file() -> None:
    constraints = (Path(__file__).parents[2] / "constraints-cpu.txt").read_text()
    pinned = dict(re.findall(r"^(\S+)==(\S+)$", constraints, re.MULTILINE))
    assert pinned["mteb"] == repairs.MTEB
    assert pinned["torchcodec"] == repairs.CPU_TORCHCODEC


def test_a_module_that_is_lacking_is_installed_by_its_distributions_name() -> None:
    lacking = Result("mteb", False, "2.26.24", error="ModuleNotFoundError: x", absent="sklearn.metrics", through=("mteb",))
    assert _with(lacking)["mteb"].repair == "pip install scikit-learn"


def test_devices_are_named_and_their_absence_is_explained() -> None:
    assert _with(_torch("2.13.0", CUDA))["torch"].what == "CUDA 13.0: NVIDIA A (80 GiB)"
    hidden = _with(_torch("2.13.0", CUDA | {"devices": []}))["torch"]
    assert (hidden.state, hidden.repair) == ("note", "")
    assert "CUDA_VISIBLE_DEVICES" in hidden.hint
    unused = _with(_torch("2.13.0+cpu", CPU | {"driver": True}))["torch"]
    assert unused.state == "note"
    assert unused.repair == "pip uninstall -y torch && pip install torch==2.13.0"
    assert not unused.fatal


def test_decoders_and_resamplers_that_are_inexact_are_noted() -> None:
    found = _with(torchcodec={"max_difference": 3e-5}, torchaudio={"error_db": -20.0})
    assert (found["torchcodec"].state, found["torchaudio"].state) == ("note", "note")
    assert "3.0e-05" in found["torchcodec"].what
    assert "-20 dB" in found["torchaudio"].what
    assert not any(finding.fatal for finding in found.values())
    wrong = _with(soundfile={"max_difference": 3e-5})["soundfile"]
    assert wrong.fatal
    assert wrong.repair == "pip install --force-reinstall --no-deps soundfile==1.0"


class _Probed:
    """Stands in for `probing.probe`: answers from a record, and counts."""

    def __init__(self, answers: dict[str, Result]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    def __call__(self, names: Iterable[str] = tuple(probes.PROBES), **settings: object) -> dict[str, Result]:
        wanted = list(names)
        self.asked += wanted
        return {name: self.answers[name] for name in wanted}


@pytest.fixture
def probed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> _Probed:
    stand_in = _Probed(_well())
    monkeypatch.setattr(probing, "probe", stand_in)
    monkeypatch.setenv("REASONAUDIO_CACHE", str(tmp_path / "cache"))
    return stand_in


def test_what_works_is_looked_at_once_until_something_else_is_installed(
    probed: _Probed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doctor.require("sentence-transformers", "mteb")
    assert probed.asked == ["sentence-transformers", "reasonaudio"]
    start = time.monotonic()
    doctor.require("mteb", "sentence-transformers")
    assert time.monotonic() - start < 0.2
    assert len(probed.asked) == 2
    doctor.require("mteb", "torchaudio")
    assert probed.asked[2:] == ["torchaudio"]
    (tmp_path / "site" / "torchaudio-2.0.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    doctor.require("mteb")
    assert probed.asked[3:] == ["reasonaudio"]


def test_what_does_not_work_is_one_line_and_is_looked_at_again(probed: _Probed) -> None:
    probed.answers |= {result.name: result for result in BROKEN_TORCHAUDIO}
    for _ in range(2):
        with pytest.raises(EvaluationError) as caught:
            doctor.require("transformers", "soundfile")
        assert str(caught.value).startswith(
            "transformers 5.24.0 does not work here: OSError: libc10_cuda.so: gone in torchaudio;"
        )
        assert doctor.pasteable("pip uninstall -y torchaudio") in str(caught.value)
        assert "\n" not in str(caught.value)
    assert probed.asked.count("transformers") == 2
    assert probed.asked.count("soundfile") == 1
    probed.answers = _well()
    doctor.require("transformers")


def test_cuda_is_blocking_only_where_it_is_needed(probed: _Probed) -> None:
    assert doctor.blocking(["torch"]) == []
    (finding,) = doctor.blocking(["cuda"])
    assert finding.what == "torch 2.13.0+cpu: CPU build; no NVIDIA driver here"
    with pytest.raises(EvaluationError, match=r"^cuda does not work here: .*; run on the CPU, or on a machine with"):
        doctor.require("cuda")
    probed.answers["torch"] = _torch("2.13.0", CUDA)
    assert doctor.blocking(["cuda"]) == []


def test_a_damaged_or_forbidden_memory_is_no_obstacle(probed: _Probed, tmp_path: Path) -> None:
    doctor.require("mteb")
    (kept,) = (tmp_path / "cache" / "doctor").iterdir()
    kept.write_bytes(b"{")
    doctor.require("mteb")
    assert probed.asked == ["reasonaudio", "reasonaudio"]
    kept.unlink()
    kept.mkdir()
    doctor.require("mteb")
    assert len(probed.asked) == 3


def test_an_unknown_need_is_refused() -> None:
    with pytest.raises(ValueError, match="no such need: tensorflow"):
        doctor.require("tensorflow")


def test_a_real_need_is_met(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REASONAUDIO_CACHE", str(tmp_path))
    doctor.require("soundfile", "soxr")
    monkeypatch.setattr(probing, "probe", None)  # remembered: asked no more
    doctor.require("soundfile", "soxr")


def test_pip_is_that_of_this_interpreter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.executable", str(tmp_path / "bin" / "python"))
    monkeypatch.setattr("shutil.which", lambda name: str(tmp_path / "bin" / name))
    assert doctor.pasteable("pip install x") == "pip install x"
    monkeypatch.setattr("shutil.which", lambda name: f"/elsewhere/{name}")
    python = tmp_path / "bin" / "python"
    line = "pip uninstall -y torch && pip install torch==2.13.0"
    assert doctor.pasteable(line) == f"{python} -m pip uninstall -y torch && {python} -m pip install torch==2.13.0"
    assert doctor.pasteable("apt-get install ffmpeg") == "apt-get install ffmpeg"
    monkeypatch.setattr("sys.executable", "/my things/python")
    assert doctor.pasteable("pip install x") == "'/my things/python' -m pip install x"
    monkeypatch.setattr("sys.executable", str(python))
    monkeypatch.setattr("eval_harness.doctor.find_spec", lambda name: None)
    expected = f"uv pip uninstall --python {python} torch && uv pip install --python {python} torch==2.13.0"
    assert doctor.pasteable(line) == expected


def _run(*arguments: str) -> tuple[int, str, str]:
    app = typer.Typer()
    app.command()(doctor_cli.doctor)
    result = CliRunner(env={"COLUMNS": "80"}).invoke(app, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def test_the_command_says_that_all_is_well(probed: _Probed) -> None:
    code, out, err = _run()
    assert code == 0
    assert "works here" in err
    assert "To repair" not in out
    assert re.search(r"^soundfile +1\.0 +fine +FLAC bit for bit; libsndfile 1\.2\.2 *$", out, re.MULTILINE)
    assert re.search(r"^ffmpeg +5\.1\.9 ", out, re.MULTILINE)


def test_the_command_prints_what_to_paste_and_fails(probed: _Probed) -> None:
    probed.answers |= {result.name: result for result in (*BROKEN_TORCHAUDIO, _absent("torchvision"), _absent("codecarbon"))}
    code, out, err = _run("--quiet")
    assert code == 1
    assert err == "error: ReasonAudio itself needs what does not work here: transformers\n"
    assert re.search(r"^transformers +5\.24\.0 +broken +fails in torchaudio *$", out, re.MULTILINE)
    shown, _, below = out.partition("To repair:\n")
    assert max(map(len, shown.splitlines())) <= 80
    repaired, _, more = below.partition("To add, if you need it:\n")
    assert repaired.startswith("# torchaudio, transformers: ")
    lines = [line for line in repaired.splitlines() if line and not line.startswith("#")]
    assert lines == [doctor.pasteable("pip uninstall -y torchaudio")]
    lines = [line for line in more.splitlines() if line and not line.startswith("#")]
    assert lines == [doctor.pasteable("pip install codecarbon")]


def test_the_command_prints_json(probed: _Probed) -> None:
    probed.answers |= {result.name: result for result in BROKEN_TORCHAUDIO}
    code, out, _ = _run("--json")
    found = {record["name"]: record for record in json.loads(out)}
    assert code == 1
    assert list(found) == [name for name in probes.PROBES if name != "torchaudio-decode"]
    assert found["transformers"]["through"] == "torchaudio"
    assert found["transformers"]["repair"] == doctor.pasteable("pip uninstall -y torchaudio")
