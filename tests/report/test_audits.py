"""The audit in a report: read for the dataset at hand alone, and told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from eval_harness.analysis.audit import Audit, Finding
from eval_harness.analysis.shortcuts import KindResult, Told
from eval_harness.data import open_data
from eval_harness.report.audits import audit_sections, read_audit
from eval_harness.report.values import markdown


def made(content: str, p: float) -> Audit:
    told = (Told("logistic regression", 0.512, 0.48, 0.54, 0.02, p), Told("gradient boosting", 0.731, 0.7, 0.76, 0.02, p))
    result = KindResult(evidence="audio", task="order", kind="reversed", sets=50, pairs=900, told=told, forms={}, cues={})
    return Audit(content, 0, 100, (Finding(result, p, (0.45, 0.67), True),))


def test_an_audit_is_told_with_its_figures(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    data = open_data(smoke_corpus.path)
    (tmp_path / "audit.json").write_text(json.dumps(made(data.content_hash, 0.0001).to_json()))
    (section,) = audit_sections(read_audit(tmp_path / "audit.json", data))
    assert "1 shortcut found" in section.texts[1].lower()
    assert "| audio | Order | reversed | 50 | 0.512 \\[0.480, 0.540\\] | 0.731 \\[0.700, 0.760\\] | \\< 0.001 |" in markdown(
        section.parts[0].tables[0]
    )
    assert audit_sections(None) == ()


def test_an_audit_of_another_dataset_or_none_is_refused(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    data = open_data(smoke_corpus.path)
    with pytest.raises(EvaluationError, match="no such file or directory; `reasonaudio audit FOLDER --json"):
        read_audit(tmp_path / "none.json", data)
    for content, said in ((json.dumps(made("ab" * 32, 0.5).to_json()), "is of another dataset"), ("[1]", "not an audit")):
        (tmp_path / "audit.json").write_text(content)
        with pytest.raises(EvaluationError, match=said):
            read_audit(tmp_path / "audit.json", data)
