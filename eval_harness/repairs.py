"""Which line repairs what. Facts about distributions, kept in one place: what was tried out, and what their makers say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from eval_harness.probing import NO_ANSWER, Result

MTEB = "2.26.24"
"""The mteb that this version is tested with; also in the constraints file."""
CPU_TORCHCODEC = "0.13.0"
"""The newest torchcodec whose ordinary wheels run beside a CPU build of torch on Linux; tried with torch 2.13."""
LAST_TORCHAUDIO = (2, 11)
"""From this version on, one torchaudio is for its torch and all later ones."""
_TORCHCODEC_OF = {(2, 7): "0.5", (2, 8): "0.7", (2, 9): "0.9"}
"""torch -> the torchcodec that its makers name for it."""
_GUESTS = ("torchaudio", "torchvision", "torchcodec")
"""Packages that others import where they are installed, so that their failure is that of others."""
_OF_MTEB = ("mteb", "reasonaudio", "mteb-clap", "mteb-audio")
_DISTRIBUTION = {"sklearn": "scikit-learn", "yaml": "pyyaml", "PIL": "pillow", "cv2": "opencv-python", "google": "protobuf"}
"""Module -> distribution, where the names differ by more than a hyphen."""


@dataclass(frozen=True)
class Repair:
    """A way out.

    Attributes:
        line: to be pasted into a shell; "" if there is none that fits every machine.
        hint: a sentence on it.
    """

    line: str = ""
    hint: str = ""


NONE = Repair()


def culprit(result: Result, results: Mapping[str, Result]) -> str:
    """The thing whose failure this is, as far as the traceback tells: torchaudio, where importing it is what failed."""
    well = {name for name, other in results.items() if other.ok}
    return next((package for package in result.through if package in _GUESTS and package not in well), result.name)


def of(result: Result, results: Mapping[str, Result]) -> Repair:
    """How to repair what failed.

    Args:
        result: of the probe that failed.
        results: of other probes: "python", "torch" and "ffmpeg" say what this machine has, others whether it is their failure.
    """
    if result.name == "ffmpeg":
        return _ffmpeg(results)
    absent = result.absent.partition(".")[0]
    guilty = absent if absent in _GUESTS else culprit(result, results).removesuffix("-resample").removesuffix("-decode")
    if guilty in _GUESTS:
        return {"torchaudio": _torchaudio, "torchvision": _torchvision, "torchcodec": _torchcodec}[guilty](result, results)
    if absent:
        return Repair(f"pip install {_requirement(_DISTRIBUTION.get(absent, absent.replace('_', '-')))}")
    if result.error.startswith(NO_ANSWER):
        return Repair("", "try again, if need be with a longer --timeout: the first import from a slow disk takes long")
    if result.name in _OF_MTEB:
        mteb = results.get("mteb", result)
        again = "--force-reinstall --no-deps " if mteb.version == MTEB else ""
        return Repair(f"pip install {again}mteb=={MTEB}", f"ReasonAudio is tested with mteb {MTEB}")
    if result.name == "torch":
        return Repair("pip install --force-reinstall torch", "a CPU build comes from PyTorch's own index")
    version = f"=={result.version}" if result.version else ""
    return Repair(f"pip install --force-reinstall --no-deps {result.name.removesuffix('-audio')}{version}")


def _requirement(distribution: str) -> str:
    return f"mteb=={MTEB}" if distribution == "mteb" else distribution


def no_cuda_words(torch: Result) -> str:
    """Why torch sees no CUDA device."""
    cuda = torch.facts.get("cuda_build")
    build = f"CUDA {cuda} build" if cuda else "CPU build"
    return f"{build}; {'no device seen, though an' if torch.facts.get('driver') else 'no'} NVIDIA driver here"


def no_cuda(torch: Result) -> Repair:
    """How to make torch see a CUDA device."""
    if not torch.facts.get("driver"):
        return Repair("", "run on the CPU, or on a machine with an NVIDIA device and its driver")
    if torch.facts.get("cuda_build"):
        return Repair("", "the driver may be older than this CUDA, or CUDA_VISIBLE_DEVICES hides the device")
    release = torch.version.partition("+")[0]
    return Repair(
        f"pip uninstall -y torch && pip install torch=={release}",
        "on Linux the ordinary wheel is a CUDA build; torchaudio, torchvision and torchcodec must then be CUDA builds as well",
    )


def _torch_version(results: Mapping[str, Result]) -> tuple[int, int] | None:
    torch = results.get("torch")
    parts = torch.version.split(".") if torch else []
    return (int(parts[0]), int(parts[1])) if len(parts) > 1 and parts[0].isdigit() and parts[1].isdigit() else None


def _on_linux_cpu(results: Mapping[str, Result]) -> bool:
    """Whether torch is a CPU build where the ordinary wheels of its companions are CUDA builds."""
    torch, python = results.get("torch"), results.get("python")
    linux = python is None or str(python.facts.get("build", "linux")).startswith("linux")
    return linux and torch is not None and torch.ok and not torch.facts.get("cuda_build")


def _ffmpeg(results: Mapping[str, Result]) -> Repair:
    python = results.get("python")
    if python and str(python.facts.get("build", "")).startswith("macosx"):
        return Repair("brew install ffmpeg", "or: conda install ffmpeg")
    return Repair("apt-get install ffmpeg", "or your system's own way, or: conda install ffmpeg")


def _torchcodec(result: Result, results: Mapping[str, Result]) -> Repair:
    if "libav" in result.error:
        return _ffmpeg(results)
    version = _torch_version(results)
    cpu = _on_linux_cpu(results)
    if version in _TORCHCODEC_OF:
        wanted = f"torchcodec=={_TORCHCODEC_OF[version]}.*"
    elif cpu:
        wanted = f"torchcodec=={CPU_TORCHCODEC}"
    else:
        wanted = "torchcodec"
    hint = f"beside a CPU build of torch; ordinary wheels newer than {CPU_TORCHCODEC} are CUDA builds" if cpu else ""
    installed = results.get("torchcodec", result)
    if installed.absent or f"=={installed.version}" not in wanted:
        return Repair(f"pip install {'--upgrade ' if wanted == 'torchcodec' else ''}{_quoted(wanted)}", hint)
    return Repair(f"pip install --force-reinstall --no-deps {_quoted(wanted)}", hint)


def _torchaudio(result: Result, results: Mapping[str, Result]) -> Repair:
    version = min(_torch_version(results) or LAST_TORCHAUDIO, LAST_TORCHAUDIO)
    return _companion("torchaudio", f"torchaudio=={version[0]}.{version[1]}.*", result, results)


def _torchvision(result: Result, results: Mapping[str, Result]) -> Repair:
    version = _torch_version(results)
    wanted = f"torchvision==0.{version[1] + 15}.*" if version and version[0] == 2 else "torchvision"  # 0.28 for 2.13
    return _companion("torchvision", wanted, result, results)


def _companion(name: str, wanted: str, result: Result, results: Mapping[str, Result]) -> Repair:
    """Repairs a package whose version and build must be those of torch; without it, what imports it works again."""
    absent = result.absent.partition(".")[0] == name
    if _on_linux_cpu(results):
        build = f"beside a CPU build of torch goes the CPU build of {_plain(wanted)} from PyTorch's own index; others need CUDA"
        return Repair("", build) if absent else Repair(f"pip uninstall -y {name}", f"what imports it works without it; {build}")
    if absent:
        return Repair(f"pip install {_quoted(wanted)}")
    return Repair(f"pip install --force-reinstall --no-deps {_quoted(wanted)}", f"if that does not help: pip uninstall -y {name}")


def _quoted(requirement: str) -> str:
    return f'"{requirement}"' if "*" in requirement else requirement


def _plain(requirement: str) -> str:
    return requirement.replace("==", " ").removesuffix(".*")
