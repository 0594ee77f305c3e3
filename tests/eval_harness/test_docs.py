"""The documentation's code does what it says."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.corpus_fixture import ROOT, folder  # noqa: F401  # a fixture


def test_your_own_model_in_ten_lines(
    folder: Path,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")
    found = re.search(r"## Your own model in ten lines\n\n```python\n(.*?)```", text, re.DOTALL)
    assert found
    (tmp_path / "corpus").symlink_to(folder)
    monkeypatch.chdir(tmp_path)
    embed = {
        "embed_text": lambda texts: np.array([[len(text), text.index("bell"), 1.0] for text in texts]),
        "embed_audio": lambda clips: np.array([[clip["array"].std(), clip["array"][:4000].std(), 1.0] for clip in clips]),
    }
    exec(compile(found[1], "evaluation.md", "exec"), embed)  # noqa: S102 - our own documentation
    assert 0 <= float(capsys.readouterr().out.split()[-1]) <= 1
    assert (tmp_path / "results" / "results" / "me__mine" / "1" / "ReasonAudio-Mix.json").is_file()
