"""What `reasonaudio doctor` looks at. Each probe imports or runs something, and returns facts or raises.

Run as a script, `probes.py NAME...`, this file answers with one line of JSON for each probe as it begins and as it ends;
`eval_harness.probing` starts it that way, as an import may crash or hang the interpreter. So it needs the standard library alone.
"""

from __future__ import annotations

import io
import os
import re
import sys
import sysconfig
from collections.abc import Callable, Iterator
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

Facts: TypeAlias = dict[str, Any]
"""What a probe found: values that JSON holds."""

RATE = 32_000
OTHER_RATE = 48_000
SECONDS = 10
_TONES = ((220.5, 0.3), (1000.0, 0.2), (5000.0, 0.1))
"""Hz and amplitude of the test clip's sines: their exact values are known at any rate."""
_ERROR_LENGTH = 300


class NotThereError(Exception):
    """The thing that is probed is not installed."""


def _tones(rate: int) -> Any:
    """The test clip at a rate in Hz: float64, shape [SECONDS * rate]."""
    import numpy as np

    times = np.arange(SECONDS * rate) / rate
    return sum(amplitude * np.sin(2 * np.pi * hertz * times) for hertz, amplitude in _TONES)


def _samples() -> Any:
    """The test clip as 16-bit samples."""
    import numpy as np

    return np.round(_tones(RATE) * 32768).astype(np.int16)


def _flac() -> bytes:
    """The test clip as a FLAC file, made in memory."""
    import soundfile

    file = io.BytesIO()
    soundfile.write(file, _samples(), RATE, format="FLAC", subtype="PCM_16")
    return file.getvalue()


def _compared(decoded: Any) -> Facts:
    """How far a decoded clip is from what was written. Raises ValueError if it is of another length."""
    import numpy as np

    written = _samples().astype(np.float32) / np.float32(32768)
    found = np.asarray(decoded, dtype=np.float32).reshape(-1)
    if found.shape != written.shape:
        raise ValueError(f"a clip of {len(written)} samples was decoded to {len(found)}")
    return {"max_difference": float(np.abs(found - written).max())}


def _resampled(found: Any) -> Facts:
    """How far a resampled clip is from the sines' exact values, in dB below the clip, without 0.1 s at both ends."""
    import numpy as np

    exact = _tones(OTHER_RATE)
    found = np.asarray(found, dtype=np.float64).reshape(-1)
    if abs(len(found) - len(exact)) > 1:
        raise ValueError(f"10 s at {RATE} Hz became {len(found)} samples at {OTHER_RATE} Hz")
    inner = slice(OTHER_RATE // 10, -OTHER_RATE // 10)
    wrong = found[: len(exact)][inner] - exact[: len(found)][inner]
    return {"samples": len(found), "error_db": round(float(10 * np.log10(np.mean(wrong**2) / np.mean(exact**2) + 1e-30)), 1)}


def _python() -> Facts:
    return {"version": ".".join(map(str, sys.version_info[:3])), "build": sysconfig.get_platform()}


def _torch() -> Facts:
    import torch

    facts: Facts = {"version": torch.__version__, "cuda_build": torch.version.cuda or torch.version.hip or ""}
    facts["driver"] = _driver()
    facts["devices"] = []
    if torch.cuda.is_available():
        for number in range(torch.cuda.device_count()):
            about = torch.cuda.get_device_properties(number)
            facts["devices"].append([about.name, about.total_memory])
        total = torch.arange(4, device="cuda").sum().item()  # a device that this build has no code for fails here
        if total != 6:
            raise RuntimeError(f"the CUDA device adds 0, 1, 2, 3 up to {total}")
    facts["mps"] = bool(torch.backends.mps.is_available())
    return facts


def _driver() -> bool:
    """Whether the machine has a driver for NVIDIA's devices."""
    import shutil

    return Path("/proc/driver/nvidia/version").exists() or shutil.which("nvidia-smi") is not None


def _ffmpeg() -> Facts:
    import ctypes.util
    import shutil
    import subprocess

    library = ctypes.util.find_library("avutil") or ""
    program = shutil.which("ffmpeg")
    if not library and not program:
        raise NotThereError("neither the program nor its libraries are found")
    facts: Facts = {"library": Path(library).name, "program": bool(program)}
    if program:
        answer = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=20, check=True)  # noqa: S603
        words = answer.stdout.split()
        facts["version"] = words[2] if len(words) > 2 else ""
    return facts


def _soundfile() -> Facts:
    import soundfile

    decoded, rate = soundfile.read(io.BytesIO(_flac()), dtype="float32")
    return {"libsndfile": soundfile.__libsndfile_version__, "rate": int(rate), **_compared(decoded)}


def _soxr() -> Facts:
    import soxr

    return _resampled(soxr.resample(_samples() / 32768.0, RATE, OTHER_RATE))


def _torchcodec() -> Facts:
    torchcodec, decoders = import_module("torchcodec"), import_module("torchcodec.decoders")
    facts = _compared(decoders.AudioDecoder(_flac()).get_all_samples().data.numpy())
    return {**facts, "ffmpeg": str(getattr(torchcodec, "ffmpeg_major_version", ""))}


def _torchcodec_resample() -> Facts:
    decoders = import_module("torchcodec.decoders")
    return _resampled(decoders.AudioDecoder(_flac(), sample_rate=OTHER_RATE).get_all_samples().data.numpy())


def _torchaudio() -> Facts:
    import torch

    torchaudio = import_module("torchaudio")
    return _resampled(torchaudio.functional.resample(torch.from_numpy(_samples() / 32768.0), RATE, OTHER_RATE).numpy())


def _torchaudio_decode() -> Facts:
    decoded, rate = import_module("torchaudio").load(io.BytesIO(_flac()))
    return {"rate": int(rate), **_compared(decoded.numpy())}


def _torchvision() -> Facts:
    import torch

    torchvision = import_module("torchvision")
    kept = torchvision.ops.nms(torch.tensor([[0.0, 0.0, 1.0, 1.0]]), torch.tensor([1.0]), 0.5)  # compiled code
    return {"version": torchvision.__version__, "boxes": len(kept)}


def _datasets() -> Facts:
    import datasets

    rows = datasets.Dataset.from_list([{"id": "a"}, {"id": "b"}])
    return {"version": datasets.__version__, "rows": len(rows)}


def _datasets_audio() -> Facts:
    import datasets

    return _compared(datasets.Audio().decode_example({"bytes": _flac(), "path": None})["array"])


def _transformers() -> Facts:
    from transformers import ClapModel

    return {"class": ClapModel.__name__}


def _sentence_transformers() -> Facts:
    from sentence_transformers import SentenceTransformer

    return {"class": SentenceTransformer.__name__}


def _mteb() -> Facts:
    import mteb

    return {"version": mteb.__version__}


def _mteb_clap() -> Facts:
    from mteb.models.model_implementations import clap_models

    return {"wrapper": clap_models.ClapZeroShotWrapper.__name__}


def _mteb_audio() -> Facts:
    collators = import_module("mteb.models.modality_collators")
    clip = {"id": "a", "audio": {"array": (_samples() / 32768.0).astype("float32"), "sampling_rate": RATE}}
    return _resampled(collators.AudioCollator.resample_audios([clip], target_sampling_rate=OTHER_RATE)["audio"][0]["array"])


def _reasonaudio() -> Facts:
    here = str(Path(__file__).resolve().parents[1])
    if here not in sys.path:
        sys.path.append(here)
    import mteb

    from eval_harness import registry

    registry.register()
    task = mteb.get_task("ReasonAudio-Negation")
    return {"version": _version("reasonaudio"), "task": task.metadata.name, "mteb": mteb.__version__}


def _litert() -> Facts:
    from ai_edge_litert.interpreter import Interpreter

    return {"class": Interpreter.__name__}


def _codecarbon() -> Facts:
    return {"class": import_module("codecarbon").EmissionsTracker.__name__}


PROBES: dict[str, tuple[Callable[[], Facts], str]] = {
    "python": (_python, ""),
    "ffmpeg": (_ffmpeg, ""),
    "soundfile": (_soundfile, "soundfile"),
    "soxr": (_soxr, "soxr"),
    "torch": (_torch, "torch"),
    "torchvision": (_torchvision, "torchvision"),
    "torchcodec": (_torchcodec, "torchcodec"),
    "torchcodec-resample": (_torchcodec_resample, "torchcodec"),
    "torchaudio": (_torchaudio, "torchaudio"),
    "torchaudio-decode": (_torchaudio_decode, "torchaudio"),
    "datasets": (_datasets, "datasets"),
    "datasets-audio": (_datasets_audio, "datasets"),
    "transformers": (_transformers, "transformers"),
    "sentence-transformers": (_sentence_transformers, "sentence_transformers"),
    "mteb": (_mteb, "mteb"),
    "reasonaudio": (_reasonaudio, ""),
    "mteb-clap": (_mteb_clap, "mteb"),
    "mteb-audio": (_mteb_audio, "mteb"),
    "ai-edge-litert": (_litert, "ai_edge_litert"),
    "codecarbon": (_codecarbon, "codecarbon"),
}
"""Name -> what is run, and the module without which the thing is not installed ("": none)."""


def _version(module: str) -> str:
    """The version of the distribution that a module is of; "" where none says so."""
    try:
        return "" if not module else metadata.version(module.replace("_", "-"))
    except metadata.PackageNotFoundError:
        return ""


def answer(name: str) -> Facts:
    """Runs a probe. Never raises an `Exception`: what went wrong is in "error", "through" and "absent".

    Returns:
        {"name", "ok", "version", "facts", "error", "through", "absent"}: "through" names the packages whose code was running
        when it failed, innermost first; "absent" is the module that was not found, if that was the reason.
    """
    run, module = PROBES[name]
    told: Facts = {"name": name, "ok": False, "version": "", "facts": {}, "error": "", "through": [], "absent": ""}
    try:
        if module:
            if find_spec(module) is None:
                told["absent"] = module
                raise NotThereError("not installed")
            told["version"] = _version(module)
        told["facts"] = run()
        told["version"] = told["facts"].get("version") or told["version"]
        told["ok"] = True
    except NotThereError as error:
        told["absent"] = told["absent"] or name
        told["error"] = str(error)
    except BaseException as error:  # SystemExit is a no as well
        causes = list(_causes(error))
        told["error"] = last_line(causes)
        told["through"] = list(dict.fromkeys(package for cause in causes for package in _packages(cause)))
        told["absent"] = next((cause.name or "" for cause in causes if isinstance(cause, ModuleNotFoundError)), "")
    return told


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and those it comes from, the first cause first."""
    chain = [error]
    while (before := chain[-1].__cause__ or chain[-1].__context__) is not None and before not in chain:
        chain.append(before)
    return reversed(chain)


def last_line(causes: list[BaseException]) -> str:
    """The first cause in one line: its class and the last line of its message, or the one that names a missing file."""
    for cause in causes:
        lines = [line.strip() for line in str(cause).splitlines() if line.strip()]
        if lines:
            # torchcodec tries the libraries of every FFmpeg, one of which is there: what fails for another reason tells.
            telling = [line for line in lines if _LINKER.search(line)]
            line = next((line for line in telling if not _FFMPEG.search(line)), (telling or lines)[-1])
            line = _FOLDERS.sub("", line).removesuffix(": No such file or directory")
            return _short(line if _CLASS.match(line) else f"{type(cause).__name__}: {line}")
    return type(causes[-1]).__name__


_LINKER = re.compile("cannot open shared object file|undefined symbol|Library not loaded")
_FFMPEG = re.compile("lib(av|sw)[a-z]+")
_FOLDERS = re.compile(r"(?<!\S)/\S*/")
_CLASS = re.compile(r"\w+(Error|Exception): ")


def _short(text: str) -> str:
    return text if len(text) <= _ERROR_LENGTH else f"{text[:_ERROR_LENGTH]}..."


def _packages(error: BaseException) -> list[str]:
    """The packages whose files are in an error's traceback, innermost first."""
    import traceback

    found = (package_of(frame.filename) for frame in reversed(traceback.extract_tb(error.__traceback__)))
    return [package for package in found if package]


def package_of(filename: str) -> str:
    """The package that a source file is of; "" for the standard library, for this file and for what is no file."""
    if filename == __file__ or not filename.endswith(".py"):
        return ""
    places = [place for place in sys.path if place and filename.startswith(place.rstrip(os.sep) + os.sep)]
    if not places:
        return ""
    package = Path(filename).relative_to(max(places, key=len)).parts[0].removesuffix(".py")
    return "" if package in sys.stdlib_module_names else package


def _end_with_owner() -> None:
    """Ends this process when the one that started it is gone, and with it the other end of stdin."""
    os.read(0, 1)
    os._exit(1)


def _main(names: list[str]) -> None:
    """Answers on the original stdout, which no library can write to. Ends after the first no: the rest needs a new process."""
    import faulthandler
    import json
    import resource
    import threading
    import warnings

    answers = os.dup(1)
    os.dup2(2, 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash is an answer here, not something to keep
    threading.Thread(target=_end_with_owner, daemon=True).start()
    faulthandler.enable(all_threads=False)
    warnings.simplefilter("ignore")
    for name in names:  # os.write: a crash right after must not lose a line in a buffer
        os.write(answers, (json.dumps({"begin": name, "version": _version(PROBES[name][1])}) + "\n").encode())
        told = answer(name)
        os.write(answers, (json.dumps(told) + "\n").encode())
        if not told["ok"]:
            break
    os._exit(0)  # libraries that crash while the interpreter ends have done their work


if __name__ == "__main__":
    _main(sys.argv[1:])
