"""The audit of the corpus, as a section of a report: whether anything but the relation tells what is relevant."""

from __future__ import annotations

from pathlib import Path

from builders.errors import EvaluationError
from eval_harness.analysis.audit import ALPHA, Audit, Finding
from eval_harness.data import Data
from eval_harness.report.content import Part, Section
from eval_harness.report.values import Cell, Column, Rows, Table, count, p_value


def read_audit(path: Path, data: Data) -> Audit:
    """What `reasonaudio audit --json` wrote of the dataset.

    Raises:
        EvaluationError: it is missing, something else, or of another dataset.
    """
    try:
        found = Audit.from_json(path.read_bytes())
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise EvaluationError(f"{path}: {reason}; `reasonaudio audit FOLDER --json {path}` writes it") from None
    except EvaluationError as error:
        raise EvaluationError(f"{path}: {error}") from None
    if "+" in found.content:
        raise EvaluationError(f"{path} is of several corpora; give the audit of the one that was searched")
    if found.content != data.content_hash:
        raise EvaluationError(
            f"{path} is of another dataset (content {found.content[:12]}) than the results (content {data.content_hash[:12]})"
        )
    return found


def audit_sections(found: Audit | None) -> tuple[Section, ...]:
    """The section of the audit; none without one."""
    if found is None:
        return ()
    from eval_harness.audit_cli import verdict

    texts = (
        "Whether anything but the relation tells relevant clips from foils: classifiers are trained on low-level features of the "
        "audio, on metadata and on the wording, and asked about sets that they have not seen. An AUC of 0.5 is chance.",
        f"{verdict(found)[:1].upper()}{verdict(found)[1:]}.",
    )
    return (Section("audit", "Shortcuts in the corpus", texts, (Part(tables=(audit_table(found),)),)),)


def audit_table(found: Audit) -> Table:
    """One line for each kind of evidence and foil kind."""
    classifiers = tuple(dict.fromkeys(one.classifier for finding in found.findings for one in finding.result.told))
    columns = (
        Column("Evidence", numeric=False),
        Column("Task", numeric=False),
        Column("Foil", numeric=False),
        Column("Sets"),
        *(Column(f"AUC, {name}") for name in classifiers),
        Column("p, Holm"),
    )
    rows = tuple(_row(finding, classifiers) for finding in found.findings)
    caption = f"Mean AUC inside sets, with 95 % intervals; p corrected over all lines, a shortcut where it is at most {ALPHA:g}."
    return Table("audit-table", caption, columns, (Rows(rows),), True)


def _row(finding: Finding, classifiers: tuple[str, ...]) -> tuple[Cell, ...]:
    result = finding.result
    told = {one.classifier: one for one in result.told}
    mark = "below" if finding.shortcut else ""
    cells = []
    for name in classifiers:
        one = told.get(name)
        cells.append(Cell(f"{one.auc:.3f}", f"[{one.low:.3f}, {one.high:.3f}]", one.auc, mark) if one else Cell("–"))
    return (
        Cell(result.evidence),
        Cell(result.task.capitalize()),
        Cell(result.kind),
        count(result.sets),
        *cells,
        p_value(finding.p_adjusted),
    )
