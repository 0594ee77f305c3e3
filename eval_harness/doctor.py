"""What works of the software around an evaluation, and the line that repairs what does not.

import eval_harness.doctor as doctor

doctor.require("sentence-transformers", "mteb")  # raises EvaluationError, in one line with the repair
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, TypeAlias

from builders.cache import cache_folder
from builders.errors import EvaluationError
from builders.files import write_whole
from eval_harness import probes, probing, repairs
from eval_harness.probing import Result

State: TypeAlias = Literal["fine", "broken", "missing", "note"]

OURSELVES = "ReasonAudio itself"
_NEEDED_FOR = {
    "ffmpeg": "torchcodec",
    "torchcodec": "mteb's other audio tasks (ReasonAudio's are decoded with soundfile)",
    "datasets-audio": "mteb's other audio tasks (ReasonAudio's are decoded with soundfile)",
    "torchcodec-resample": "models that resample with torchcodec",
    "torchaudio-decode": "models that read files with torchaudio",
    "torchaudio": "mteb's wrappers of audio models (CLAP, ...)",
    "mteb-clap": "mteb's wrapper of CLAP",
    "mteb-audio": "mteb's wrappers of audio models (CLAP, ...)",
    "torchvision": "ImageBind and mteb's random encoder",
    "ai-edge-litert": "the tagger (YAMNet)",
    "codecarbon": "mteb's measurement of emissions (co2_tracker)",
}
"""What needs a thing; ReasonAudio itself needs what is not here."""


@dataclass(frozen=True)
class Finding:
    """The state of one thing.

    Attributes:
        name: of the thing, which is also that of its probe.
        state: "fine"; "broken"; "missing" (not installed, or needs what is not); "note" (it works, but not as one would expect).
        what: what was found, in a few words.
        repair: the line for a shell that repairs it; "" where there is none, or nothing to repair.
        needed_for: what needs it.
        version: "" where unknown.
        hint: a sentence on the repair.
        through: the package in which it failed, where that is another.
    """

    name: str
    state: State
    what: str
    repair: str = ""
    needed_for: str = OURSELVES
    version: str = ""
    hint: str = ""
    through: str = ""

    @property
    def fatal(self) -> bool:
        """Whether ReasonAudio itself cannot do its work for it."""
        return self.needed_for == OURSELVES and self.state in ("broken", "missing")


def findings(results: Mapping[str, Result]) -> list[Finding]:
    """What the answers of the probes mean: one finding for each, but for what only repeats that another thing does not work.

    Args:
        results: of any of the probes; those of "python", "torch" and "ffmpeg" help to find the right repair for others.
    """
    return [
        _finding(result, results)
        for result in results.values()
        if (whole := results.get(_PART_OF.get(result.name, ""))) is None or whole.ok
    ]


def _finding(result: Result, results: Mapping[str, Result]) -> Finding:
    needed_for = _NEEDED_FOR.get(result.name, OURSELVES)
    other = results.get(_WITH.get(result.name, ""))
    state: State
    if result.ok:
        state, what, mended = _judged(result, results)
    elif result.absent.replace("_", "-") == result.name:
        state, what, mended = "missing", result.error, repairs.of(result, results)
    elif other and other.absent:
        state, what, mended = "missing", f"needs {other.name}", repairs.of(other, results)
    else:
        state, what, mended = "broken", result.error, repairs.of(result, results)
    through = repairs.culprit(result, results) if state == "broken" else ""
    through = "" if through == result.name else through
    return Finding(result.name, state, what, mended.line, needed_for, result.version, mended.hint, through)


def _judged(result: Result, results: Mapping[str, Result]) -> tuple[State, str, repairs.Repair]:
    """State, words and repair of what works."""
    facts = result.facts
    if result.name == "torch":
        return _torch(result)
    inexact = ""
    if facts.get("max_difference"):
        inexact = f"a FLAC clip decodes to other samples: up to {facts['max_difference']:.1e} away"
    elif facts.get("error_db", -99.0) > _INEXACT_DB:
        inexact = f"32 to 48 kHz is inexact: error {facts['error_db']:.0f} dB"
    if inexact:
        return ("note", inexact, repairs.NONE) if result.name in _NEEDED_FOR else ("broken", inexact, repairs.of(result, results))
    parts = {
        "python": facts.get("build", ""),
        "ffmpeg": " and ".join(filter(None, ("program" if facts.get("program") else "", facts.get("library", "")))),
        "soundfile": f"FLAC bit for bit; libsndfile {facts.get('libsndfile', '')}",
        "torchcodec": f"FLAC bit for bit; FFmpeg {facts.get('ffmpeg') or '?'}",
        "torchaudio-decode": "FLAC bit for bit",
        "datasets-audio": "Audio columns: FLAC bit for bit",
        "transformers": f"imports, {facts.get('class', '')} too",
        "reasonaudio": f"its tasks are known to mteb {facts.get('mteb', '')}",
        "mteb-clap": "imports",
    }
    what = parts.get(result.name) or ("" if "error_db" in facts else "imports")
    if "error_db" in facts:
        what = "; ".join(filter(None, (what, f"32 to 48 kHz, error {facts['error_db']:.0f} dB")))
    return "fine", what, repairs.NONE


_INEXACT_DB = -40.0
_PART_OF = {"torchcodec-resample": "torchcodec", "torchaudio-decode": "torchaudio"}
_WITH = {"mteb-audio": "torchaudio", "datasets-audio": "torchcodec", "torchaudio-decode": "torchcodec"}
"""What cannot work without another thing that need not be installed."""


def _torch(result: Result) -> tuple[State, str, repairs.Repair]:
    facts = result.facts
    devices = ", ".join(f"{name} ({memory / 2**30:.0f} GiB)" for name, memory in facts.get("devices", ()))
    if devices:
        return "fine", f"CUDA {facts['cuda_build']}: {devices}", repairs.NONE
    if facts.get("mps"):
        return "fine", "Apple's GPU can be used", repairs.NONE
    if facts.get("driver"):
        return "note", repairs.no_cuda_words(result), repairs.no_cuda(result)
    return "fine", repairs.no_cuda_words(result), repairs.NONE


def pasteable(line: str) -> str:
    """A repair's line for this interpreter: `pip` becomes that of the environment it runs in, where the shell's is another."""
    if "pip " not in line:
        return line
    python = shlex.quote(sys.executable)
    if find_spec("pip") is None and shutil.which("uv"):
        return (
            line.replace("uninstall -y", "uninstall")
            .replace("pip install", f"uv pip install --python {python}")
            .replace("pip uninstall", f"uv pip uninstall --python {python}")
        )
    found = shutil.which("pip")
    if found and Path(found).parent == Path(sys.executable).parent:
        return line
    return line.replace("pip install", f"{python} -m pip install").replace("pip uninstall", f"{python} -m pip uninstall")


# What `require` accepts -> the probes that must say yes.
_NEEDS: dict[str, tuple[str, ...]] = {
    **{name: (name,) for name in probes.PROBES},
    "cuda": ("torch",),
    "mteb": ("reasonaudio",),  # imports mteb, and finds our tasks there
}
_CONTEXT = ("python", "torch", "ffmpeg", "torchaudio", "mteb")
_QUICK_TIMEOUT_S = 300.0
"""A first import from a slow disk must not forbid a run."""


def blocking(needs: Iterable[str]) -> list[Finding]:
    """What keeps the needed things from working; an empty list if nothing does.

    That all is well is remembered in the cache folder for as long as the same distributions are installed.

    Args:
        needs: names of probes, "cuda" (a device that can be used), or "mteb" (with our tasks in it).

    Raises:
        ValueError: there is no such need.
    """
    wanted = list(dict.fromkeys(needs))
    unknown = [need for need in wanted if need not in _NEEDS]
    if unknown:
        raise ValueError(f"no such need: {', '.join(unknown)}; there are {', '.join(_NEEDS)}")
    remembered = cache_folder("doctor") / f"{_installed()}.json"
    well = _read(remembered)
    open_needs = [need for need in wanted if need not in well]
    if not open_needs:
        return []
    names = list(dict.fromkeys(name for need in open_needs for name in _NEEDS[need]))
    results = probing.probe(names, timeout=_QUICK_TIMEOUT_S)
    if not all(result.ok for result in results.values()):
        results |= probing.probe([name for name in _CONTEXT if name not in results], timeout=_QUICK_TIMEOUT_S)
    found = {finding.name: finding for finding in findings(results)}
    wrong = [found[name] for name in names if found[name].state in ("broken", "missing")]
    if "cuda" in open_needs and results["torch"].ok and not results["torch"].facts.get("devices"):
        wrong.append(_no_cuda(results["torch"]))
    bad = {finding.name for finding in wrong}
    well |= {need for need in open_needs if need not in bad and not bad.intersection(_NEEDS[need])}
    with suppress(OSError):  # then it is looked at again the next time
        remembered.parent.mkdir(parents=True, exist_ok=True)
        write_whole(remembered, json.dumps(sorted(well)).encode())
    return wrong


def _no_cuda(torch: Result) -> Finding:
    mended = repairs.no_cuda(torch)
    what = f"torch {torch.version}: {repairs.no_cuda_words(torch)}"
    return Finding("cuda", "missing", what, mended.line, "", hint=mended.hint)


def require(*needs: str) -> None:
    """Does nothing if everything that is needed works; `blocking` says what can be named, and that it is remembered.

    Raises:
        EvaluationError: something does not; in one line with the repair.
        ValueError: there is no such need.
    """
    wrong = blocking(needs)
    if not wrong:
        return
    first = wrong[0]
    version = f" {first.version}" if first.version else ""
    where = f" in {first.through}" if first.through else ""
    lines = list(dict.fromkeys(pasteable(finding.repair) for finding in wrong if finding.repair))
    way_out = f"repair it with: {'; '.join(lines)}" if lines else first.hint
    others = f" (nor do {', '.join(finding.name for finding in wrong[1:])})" if len(wrong) > 1 else ""
    raise EvaluationError(
        f"{first.name}{version} does not work here{others}: {first.what}{where}; "
        + (f"{way_out}; `reasonaudio doctor` says more" if way_out else "`reasonaudio doctor` says more")
    )


def _read(path: Path) -> set[str]:
    try:
        kept = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return set()
    return {str(need) for need in kept} if isinstance(kept, list) else set()


_WATCHED = ("torch", "torchaudio", "torchvision", "torchcodec", "transformers", "sentence_transformers", "mteb", "datasets")
_VARIABLES = ("LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES")


def _installed() -> str:
    """A hash (hex) of what is installed: every distribution's name, version, place and time, found without importing any."""
    parts = [sys.version, sys.executable, *(f"{name}={os.environ.get(name, '')}" for name in _VARIABLES)]
    for place in sys.path:
        with suppress(OSError), os.scandir(place or ".") as entries:
            parts += sorted(
                f"{entry.path} {entry.stat().st_mtime_ns}"
                for entry in entries
                if entry.name.endswith((".dist-info", ".egg-info", ".egg-link", ".pth"))
            )
    watched = [probing.where_installed(module) for module in _WATCHED]
    here = Path(__file__).parent
    for path in (*filter(None, watched), here / "probes.py", here / "registry.py"):
        with suppress(OSError):
            parts.append(f"{path} {path.stat().st_mtime_ns}")
    with suppress(OSError):
        parts.append(Path("/proc/driver/nvidia/version").read_text())
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]
