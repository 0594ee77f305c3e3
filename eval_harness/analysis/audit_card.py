"""What a dataset's card says of its audit."""

from __future__ import annotations

from textwrap import fill

from builders.recipe import TASK_NAMES
from eval_harness.analysis.audit import ALPHA, EVIDENCE, LIMIT, Audit, Finding

HEADING = "Shortcut audit"
NO_SHORTCUTS = "no shortcuts"
"""What every verdict without a finding begins with; a colon follows where the corpus is large enough to rule them out."""
_NAMES = {"audio": "Audio", "metadata": "Metadata", "text": "Wording"}


def says_sound(section: str) -> bool:
    """Whether the section that `card_text` made tells of no shortcut, and of a corpus that is large enough to say so."""
    return section.lower().startswith(f"{NO_SHORTCUTS}:")


def card_text(found: Audit, verdict: str) -> str:
    """The section's text: the verdict, how it is made, and the higher AUC of the two classifiers for every foil kind.

    Args:
        found: the audit of the dataset.
        verdict: in one line, as the command says it.
    """
    explained = (
        "Can anything but the relation tell relevant clips from foils? Classifiers are trained on low-level features of the "
        "audio, on metadata (ids, order, recordings, gains, lengths) and on the wording, and asked about sets that they have not "
        "seen. Below is the AUC inside sets of the better of two, with its 95 % interval; 0.5 is chance. A kind of foil fails "
        f"where labels exchanged in whole sets ({found.draws:,} draws) give p \u2264 {ALPHA:g} after Holm's correction over all "
        f"lines, or where a lower limit that holds for all AUCs at once reaches {LIMIT:g}; of intervals that each hold alone, "
        "some lie above 0.5 by chance."
    )
    lines = [
        f"{verdict[:1].upper()}{verdict[1:]}.",
        "",
        fill(explained, 130),
        "",
        f"| Task | Foil | Sets | {' | '.join(_NAMES[name] for name in EVIDENCE)} | lowest p |",
        f"| --- | --- | ---: | {' | '.join('---:' for _ in EVIDENCE)} | ---: |",
    ]
    by_kind: dict[tuple[str, str], dict[str, Finding]] = {}
    for finding in found.findings:
        by_kind.setdefault((finding.result.task, finding.result.kind), {})[finding.result.evidence] = finding
    for (task, kind), own in sorted(by_kind.items(), key=lambda item: (TASK_NAMES.index(item[0][0]), item[0][1])):
        sets = next(iter(own.values())).result.sets
        cells = " | ".join(_cell(own.get(name)) for name in EVIDENCE)
        lowest = min(finding.p_adjusted for finding in own.values())
        lines.append(f"| {task} | {kind} | {sets} | {cells} | {lowest:.3f} |")
    if found.untested:
        left_out = ", ".join(f"{task} {kind}" for task, kind in found.untested)
        lines += ["", fill(f"Not tried, as too few sets have such foils: {left_out}.", 130)]
    lines += ["", f"Made by `reasonaudio audit` with seed {found.seed}, for content `{found.content[:16]}`."]
    return "\n".join(lines)


def _cell(finding: Finding | None) -> str:
    if finding is None:
        return "\u2013"
    best = max(finding.result.told, key=lambda one: one.auc)
    mark = "**" if finding.shortcut else ""
    return f"{mark}{best.auc:.3f}{mark} [{best.low:.2f}, {best.high:.2f}]"
