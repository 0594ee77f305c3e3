"""What is installed, and how: metadata, exact versions, the wheel, the Makefile."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def config() -> configparser.ConfigParser:
    parser = configparser.ConfigParser()
    parser.read(ROOT / "setup.cfg", encoding="utf-8")
    return parser


@pytest.fixture(scope="module")
def constraints() -> dict[str, str]:
    lines = [
        line for line in (ROOT / "constraints-cpu.txt").read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#")
    ]
    pairs = [line.split("==") for line in lines]
    assert all(len(pair) == 2 for pair in pairs), "every line is name==version"
    return {canonicalize_name(name): version for name, version in pairs}


def requirements(config: configparser.ConfigParser) -> dict[str, list[Requirement]]:
    found = {"": config["options"]["install_requires"], **config["options.extras_require"]}
    return {extra: [Requirement(line) for line in text.split("\n") if line] for extra, text in found.items()}


def test_metadata(config: configparser.ConfigParser) -> None:
    assert config["metadata"]["name"] == "reasonaudio"
    assert config["metadata"]["license"] == "Apache-2.0"
    assert config["options"]["python_requires"] == ">=3.11"
    assert "reasonaudio = eval_harness.cli:main" in config["options.entry_points"]["console_scripts"]
    version = re.escape(config["metadata"]["version"])
    assert re.search(rf"^## {version}\b", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_every_requirement_has_an_exact_version_that_it_admits(
    config: configparser.ConfigParser, constraints: dict[str, str]
) -> None:
    for extra, needed in requirements(config).items():
        for requirement in needed:
            version = constraints[canonicalize_name(requirement.name)]
            assert requirement.specifier.contains(version), f"{requirement} ({extra or 'always'}) against {version}"
    assert all(re.fullmatch(r"[0-9][0-9a-z.]*", version) for version in constraints.values()), "no local versions (+cpu)"
    assert (constraints["torch"], constraints["torchcodec"]) == ("2.13.0", "0.13.0")


def test_only_torchcodec_is_left_to_an_extra(config: configparser.ConfigParser) -> None:
    audio = requirements(config)["audio"]
    assert [str(requirement) for requirement in audio] == ["torchcodec>=0.12"]
    assert not [requirement for requirement in requirements(config)[""] if requirement.name in ("torchcodec", "torchaudio")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """A wheel built from a copy, so that nothing is left in the checkout."""
    # Not imported here: setuptools refuses where another test has imported the standard library's distutils before it.
    if not find_spec("setuptools") or int(version("setuptools").split(".")[0]) < 77:
        pytest.skip("setuptools 77 or newer is needed to build a wheel")
    copy = tmp_path_factory.mktemp("source")
    for name in ("builders", "eval_harness", "docs"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith(".git"):
            shutil.copy(path, copy / path.name)
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(out), str(copy)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = out.glob("*.whl")
    return zipfile.ZipFile(path)


def test_the_wheel_holds_what_is_needed_and_no_more(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    assert {"builders/logic.py", "builders/sounds/library.py", "eval_harness/cli.py", "reasonaudio_dataset.py"} <= names
    assert "reasonaudio-0.1.0.data/data/share/reasonaudio/dataset_card.md" in names
    for path in sorted((ROOT / "builders").rglob("*")) + sorted((ROOT / "eval_harness").rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            assert path.relative_to(ROOT).as_posix() in names
    top = {name.split("/")[0] for name in names}
    assert top <= {
        "builders", "eval_harness", "reasonaudio_dataset.py", "reasonaudio-0.1.0.data", "reasonaudio-0.1.0.dist-info"
    }  # fmt: skip


def test_there_is_no_folder_that_load_dataset_would_take_for_the_dataset() -> None:
    # `load_dataset("reasonaudio")` in a checkout opens ./reasonaudio if there is such a folder, whatever it holds; and
    # `datasets` refuses a folder with a script of its own name.
    assert not (ROOT / "reasonaudio").is_dir() or (ROOT / "reasonaudio" / "manifest.json").exists()
    assert not (ROOT / "reasonaudio.py").exists()


def test_make_refuses_an_old_python(tmp_path: Path) -> None:
    for name in ("Makefile", "setup.cfg", "constraints-cpu.txt"):
        shutil.copy(ROOT / name, tmp_path)
    old = tmp_path / "python3"
    pretend = "import sys; sys.version_info = (3, 10, 1); sys.version = '3.10.1 (x)'; exec(sys.argv[1])"
    old.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{pretend}" "$2"\n')
    old.chmod(0o755)
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    done = subprocess.run(
        ["make", "test", f"PYTHON={old}"],  # noqa: S607 - make is found on the path
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert f"error: Python 3.11 or newer is needed, {old} is 3.10.1" in done.stderr
    assert not (tmp_path / ".venv").exists()
