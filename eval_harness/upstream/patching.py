"""What changes in mteb's own files: lines put where their order wants them, and all of it as one patch."""

from __future__ import annotations

import ast
import difflib
import importlib.metadata
import importlib.util
from collections.abc import Mapping
from pathlib import Path

from builders.errors import EvaluationError

ENG = "mteb/tasks/retrieval/eng"
MODULE = "reasonaudio_t2a_retrieval"
TASKS_FILE = f"{ENG}/{MODULE}.py"
TASKS_INIT = f"{ENG}/__init__.py"
BENCHMARKS_FILE = "mteb/benchmarks/benchmarks/benchmarks.py"
BENCHMARKS_INIT = "mteb/benchmarks/benchmarks/__init__.py"
STATISTICS = "mteb/descriptive_stats/Image/Any2AnyRetrieval"
_BENCHMARKS_MODULE = "mteb.benchmarks.benchmarks.benchmarks"


def mteb_version() -> str:
    """Of the mteb that is installed."""
    return importlib.metadata.version("mteb")


def mteb_folder() -> Path:
    """Where the package lies. Imports nothing."""
    spec = importlib.util.find_spec("mteb")
    if spec is None or spec.origin is None:
        raise EvaluationError("mteb is not installed; `reasonaudio doctor` says what is missing")
    return Path(spec.origin).parent


def original(path: str) -> str:
    """A file of the installed mteb, by its path in mteb's repository. Raises EvaluationError where there is none."""
    place = mteb_folder().parent / path
    try:
        return place.read_text(encoding="utf-8")
    except OSError:
        raise EvaluationError(
            f"mteb {mteb_version()} has no {path}, where the tasks belong; use the mteb that the constraints file names"
        ) from None


def with_tasks(text: str, names: list[str]) -> str:
    """The `__init__.py` of the folder of tasks with ours imported and listed."""
    block = "".join(f"    {name},\n" for name in sorted(names, key=_rank))
    imports = [node for node in ast.parse(text).body if isinstance(node, ast.ImportFrom)]
    if any(node.module == MODULE for node in imports):
        raise EvaluationError(f"mteb {mteb_version()} has {TASKS_FILE} already; there is nothing to be sent")
    after = next((node for node in imports if (node.module or "") > MODULE), None)
    at = (after.lineno if after else imports[-1].end_lineno or 0) - (1 if after else 0)
    lines = text.splitlines(keepends=True)
    lines.insert(at, f"from .{MODULE} import (\n{block})\n")
    text = "".join(lines)
    for name in names:
        text = _listed(text, name)
    return text


def with_benchmark(text: str, entry: str) -> str:
    """The module of benchmarks with ours at its end."""
    return text.rstrip("\n") + "\n" + entry.rstrip("\n") + "\n"


def with_benchmark_name(text: str, constant: str) -> str:
    """The `__init__.py` beside it with our constant imported and listed."""
    found = next(
        (node for node in ast.parse(text).body if isinstance(node, ast.ImportFrom) and node.module == _BENCHMARKS_MODULE), None
    )
    if found is None:
        raise EvaluationError(f"mteb {mteb_version()}: {BENCHMARKS_INIT} imports no {_BENCHMARKS_MODULE}; use another mteb")
    after = next((alias for alias in found.names if _rank(alias.name) > _rank(constant)), None)
    at = after.lineno - 1 if after else (found.end_lineno or 0) - 1
    lines = text.splitlines(keepends=True)
    lines.insert(at, f"    {constant},\n")
    return _listed("".join(lines), constant)


def _listed(text: str, name: str) -> str:
    """`text` with a name put into its `__all__`."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == "__all__" for to in node.targets):
            assert isinstance(node.value, ast.List)
            after = next(
                (one for one in node.value.elts if isinstance(one, ast.Constant) and _rank(str(one.value)) > _rank(name)), None
            )
            lines = text.splitlines(keepends=True)
            lines.insert(after.lineno - 1 if after else (node.end_lineno or 0) - 1, f'    "{name}",\n')
            return "".join(lines)
    raise EvaluationError(f"mteb {mteb_version()}: a module to be changed has no __all__; use the mteb of the constraints file")


def _rank(name: str) -> tuple[int, str]:
    """Constants, then classes, then all else: the order that mteb's linter asks for."""
    kind = 0 if len(name) > 1 and name.isupper() else 1 if name[:1].isupper() else 2
    return kind, name


def patch(files: Mapping[str, str]) -> str:
    """All files, by their paths in mteb's repository, as one patch for `git apply` or `patch -p1` to the installed version."""
    parts = []
    for path, text in sorted(files.items()):
        place = mteb_folder().parent / path
        there = place.is_file() and path.startswith("mteb/")
        old = place.read_text(encoding="utf-8").splitlines(keepends=True) if there else []
        made = list(
            difflib.unified_diff(
                old, text.splitlines(keepends=True), fromfile=f"a/{path}" if there else "/dev/null", tofile=f"b/{path}"
            )
        )
        if made:
            head = f"diff --git a/{path} b/{path}\n" + ("" if there else "new file mode 100644\n")
            parts.append(head + "".join(map(_whole_line, made)))
    return "".join(parts)


def _whole_line(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
