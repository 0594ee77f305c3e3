"""Sources by name."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from builders.errors import SoundLibraryError
from builders.sounds.library import Source
from builders.sounds.sources import open_source


def test_builtin_is_imported_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("builders.sounds.builtin")
    module.source = lambda: Source("builtin", (), ())  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    assert open_source("builtin").name == "builtin"


def test_folder(tmp_path: Path) -> None:
    (tmp_path / "dog").mkdir()
    (tmp_path / "dog/a:b.wav").touch()
    assert [candidate.id for candidate in open_source(f"folder:{tmp_path}").candidates] == ["dog/a:b.wav"]


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (
            "foldr:x/y",
            "unknown kind 'foldr'; the sources are builtin, folder:PATH, hub:ID_OR_PATH[:CONFIG]; did you mean 'folder:x/y'?",
        ),
        ("Builtin", "did you mean 'builtin'?"),
        ("zzz", "the sources are builtin, folder:PATH"),
        ("", "unknown kind ''"),
        ("folder", "what it is to read is missing; write 'folder:PATH'"),
        ("builtin:x", "takes no path; write 'builtin'"),
    ],
)
def test_what_is_no_source(spec: str, said: str) -> None:
    with pytest.raises(SoundLibraryError) as caught:
        open_source(spec)
    assert said in str(caught.value)


def test_a_path_without_its_kind(tmp_path: Path) -> None:
    with pytest.raises(SoundLibraryError, match="did you mean 'folder:"):
        open_source(str(tmp_path))
