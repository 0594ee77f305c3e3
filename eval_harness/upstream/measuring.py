"""What is measured of the written tasks, by a plain mteb that they are laid over, and kept: nothing is measured twice."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from builders.errors import EvaluationError
from builders.files import read_object, write_whole
from builders.recipe import TASK_NAMES
from eval_harness.submission.names import upstream_name
from eval_harness.ui import Report
from eval_harness.upstream.overlay import overlay

_PROGRAM = Path(__file__).with_name("plain_mteb.py")
SCAN = "scan"
_HARMLESS = ("UserWarning", "FutureWarning", "DeprecationWarning")


def measure(files: Mapping[str, str], key: Mapping[str, str], kept: Path, report: Report) -> dict[str, dict[str, Any]]:
    """What mteb says of itself ("scan") and of every task (by our name, "order").

    Args:
        files: all files of the pull request by path, without statistics.
        key: what the measurements depend on besides the files: data and mteb's version.
        kept: a JSON file that keeps what was measured; written after each measurement.
        report: called after each.

    Raises:
        EvaluationError: mteb cannot run a task, in one line.
    """
    wanted = {**key, "files": _digest(files)}
    there = read_object(kept) or {}
    found: dict[str, dict[str, Any]] = dict(there.get("measured", {})) if there.get("key") == wanted else {}
    steps = [SCAN, *TASK_NAMES]
    missing = [step for step in steps if step not in found]
    report(len(steps) - len(missing), len(steps))
    if not missing:
        return found
    with overlay(files) as place:
        for step, one in _run(place, missing):
            found[step] = one
            write_whole(kept, (json.dumps({"key": wanted, "measured": found}, indent=1) + "\n").encode())
            report(len(found), len(steps))
    return found


def _digest(files: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps(sorted(files.items())).encode()).hexdigest()


def _run(place: Path, steps: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The steps, one after the other, in one process of their own: importing mteb takes longer than measuring a small task."""
    names = {step if step == SCAN else upstream_name(step): step for step in steps}
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "stderr").open("w+", encoding="utf-8") as errors:
        path = os.pathsep.join(filter(None, (str(place), os.environ.get("PYTHONPATH", ""))))
        environment = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "TQDM_DISABLE": "1"}
        # -P: the program's own folder holds modules of this package, which are not to be found
        command = [sys.executable, "-P", str(_PROGRAM), folder, *names]
        left = list(names)
        with subprocess.Popen(  # noqa: S603  # our own program
            command, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=folder
        ) as child:
            assert child.stdout is not None
            try:
                for line in child.stdout:
                    name = line.strip()
                    if name in left:  # all else is what mteb or its data print
                        left.remove(name)
                        yield names[name], _checked(read_object(Path(folder) / f"{name}.json"), name, place)
            finally:
                if child.poll() is None:
                    child.kill()
        if left:
            errors.seek(0)
            raise EvaluationError(
                f"mteb could not run {left[0]}: {_last_line(errors.read())}; what is finished is kept, and `reasonaudio doctor` "
                "says what is missing here"
            )


def _checked(found: dict[str, Any] | None, name: str, place: Path) -> dict[str, Any]:
    if found is None:
        raise EvaluationError(f"what mteb found of {name} cannot be read; run the same command again")
    if not found["alone"] or not Path(found["place"]).is_relative_to(place):
        raise EvaluationError(f"{name} was run by the mteb at {found['place']}, not by the one with the written files in it")
    return found


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith(" ")]
    told = [line for line in lines if not any(word in line for word in _HARMLESS)]
    return (told or lines or ["it said nothing"])[-1][:300]
