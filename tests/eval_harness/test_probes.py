"""Probes run alone: whatever an import does, it is an answer."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest

from eval_harness import probes, probing

Fake = Callable[[str, str], Path]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Puts a package of a given name and code before all others on the path of subprocesses."""

    def make(name: str, code: str) -> Path:
        file = tmp_path / "fakes" / name / "__init__.py"
        file.parent.mkdir(parents=True)
        file.write_text(code)
        return file

    paths = [str(tmp_path / "fakes"), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    monkeypatch.syspath_prepend(str(tmp_path / "fakes"))
    return make


def _gone(pid: int) -> bool:
    for _ in range(50):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


def _wait_for(file: Path) -> int:
    for _ in range(100):
        if file.exists() and file.read_text():
            return int(file.read_text())
        time.sleep(0.1)
    raise AssertionError(f"{file} was not written")


def test_what_reasonaudio_decodes_and_resamples_with_is_exact() -> None:
    seen: list[tuple[int, int]] = []
    found = probing.probe(["soxr", "soundfile", "python"], progress=lambda done, total: seen.append((done, total)))
    assert list(found) == ["soxr", "soundfile", "python"]
    assert all(result.ok and result.version and not result.error for result in found.values())
    assert found["soundfile"].facts["max_difference"] == 0.0
    assert found["soxr"].facts["samples"] == 480_000
    assert found["soxr"].facts["error_db"] < -80
    assert found["python"].version == ".".join(map(str, sys.version_info[:3]))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_an_error_while_importing_is_named_with_the_package_it_came_from(fake: Fake) -> None:
    fake("torchaudio", "raise OSError('/some/where/libcuda_of.so: cannot open shared object file: No such file or directory')")
    fake("codecarbon", "try:\n    import torchaudio\nexcept OSError as error:\n    raise RuntimeError('a long story') from error")
    result = probing.probe(["codecarbon"])["codecarbon"]
    assert not result.ok
    assert result.error == "OSError: libcuda_of.so: cannot open shared object file"
    assert result.through == ("torchaudio", "codecarbon")
    assert result.absent == ""


def test_a_crash_hides_nothing_that_shares_its_process(fake: Fake) -> None:
    fake("soxr", "import os\nos.abort()")
    fake("torch", "import os\nos._exit(3)")
    found = probing.probe(["python", "soundfile", "soxr", "torch"])
    assert found["python"].ok
    assert found["soundfile"].ok
    assert found["soxr"].error == "killed by SIGABRT"
    assert found["soxr"].version == metadata.version("soxr")
    assert found["soxr"].through == ("soxr",)
    assert found["torch"].error == "ended the process with exit code 3"


def test_a_no_after_others_is_asked_again_alone(fake: Fake) -> None:
    fake(
        "soxr", "import sys\nif 'soundfile' in sys.modules: raise ImportError('not beside soundfile')\nfrom soxr_double import *"
    )
    fake("soxr_double", "import numpy\ndef resample(x, old, new):\n    return numpy.zeros(480_000)")
    found = probing.probe(["soundfile", "soxr"])
    assert found["soxr"].ok
    assert found["soxr"].facts["error_db"] == 0.0  # silence is as far from the clip as the clip is loud


def test_an_import_that_hangs_is_a_no_and_says_where(fake: Fake, tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    fake("codecarbon", f"import os, time\nopen({str(pid)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)")
    start = time.monotonic()
    result = probing.probe(["codecarbon"], timeout=1.0)["codecarbon"]
    assert time.monotonic() - start < 8
    assert result.error == "no answer after 1 s"
    assert result.through == ("codecarbon",)
    assert _gone(_wait_for(pid))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_probes_end_with_the_process_that_asked(fake: Fake, tmp_path: Path, number: signal.Signals) -> None:
    pid = tmp_path / "pid"
    fake("codecarbon", f"import os, time\nopen({str(pid)!r}, 'w').write(str(os.getpid()))\ntime.sleep(600)")
    code = (
        "import signal, eval_harness.probing as p\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # ignored where the tests run in the background
        "p.probe(['codecarbon'])"
    )
    root = str(Path(probing.__file__).parents[1])
    asking = subprocess.Popen([sys.executable, "-c", code], cwd=root, stderr=subprocess.DEVNULL)
    try:
        probed = _wait_for(pid)
        asking.send_signal(number)
        assert asking.wait(10) != 0
        assert _gone(probed)
    finally:
        asking.kill()
        asking.wait()


def test_what_a_library_prints_is_no_answer(fake: Fake) -> None:
    fake("codecarbon", "print('{\"begin\": 1}', flush=True)\nclass EmissionsTracker: pass")
    assert probing.probe(["codecarbon"])["codecarbon"].facts == {"class": "EmissionsTracker"}


def test_leaving_while_importing_is_a_no(fake: Fake) -> None:
    fake("codecarbon", "import sys\nsys.exit('no licence')")
    assert probing.probe(["codecarbon"])["codecarbon"].error == "SystemExit: no licence"


def test_what_is_not_installed_is_told_from_what_is_broken(fake: Fake, tmp_path: Path) -> None:
    fake("ai_edge_litert", "import nothing_of_this_name")
    (tmp_path / "fakes" / "sitecustomize.py").write_text("import sys\nsys.modules['codecarbon'] = None")
    found = probing.probe(["codecarbon", "ai-edge-litert"])
    assert (found["codecarbon"].error, found["codecarbon"].absent) == ("not installed", "codecarbon")
    assert found["ai-edge-litert"].error == "ModuleNotFoundError: No module named 'nothing_of_this_name'"
    assert found["ai-edge-litert"].absent == "nothing_of_this_name"
    assert found["ai-edge-litert"].through == ("ai_edge_litert",)


def test_the_telling_line_of_torchcodecs_message_is_found() -> None:
    ffmpeg = "OSError: libavutil.so.60: cannot open shared object file: No such file or directory"
    symbol = "OSError: /a/b/libtorchcodec_core5.so: undefined symbol: _ZN3c10"
    message = f"Could not load libtorchcodec.\n{ffmpeg}\n{{}}\n[end of libtorchcodec loading traceback]."
    told = probes.last_line([RuntimeError(message.format(symbol))])
    assert told == "OSError: libtorchcodec_core5.so: undefined symbol: _ZN3c10"
    assert probes.last_line([RuntimeError(message.format(""))]) == "OSError: libavutil.so.60: cannot open shared object file"
    assert probes.last_line([ValueError("first\nlast")]) == "ValueError: last"
    assert probes.last_line([ValueError()]) == "ValueError"
    assert len(probes.last_line([ValueError("x" * 10_000)])) < 400


def test_an_unknown_probe_is_refused_before_anything_runs() -> None:
    with pytest.raises(ValueError, match="no probe named torchadio"):
        probing.probe(["soundfile", "torchadio"])


def test_every_probe_is_in_one_group() -> None:
    assert sorted(name for group in probing._TOGETHER for name in group) == sorted(probes.PROBES)
