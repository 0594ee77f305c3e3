"""The audit of a corpus: whether anything but the relation tells relevant clips from foils."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from numpy.random import SeedSequence

from builders.errors import EvaluationError
from builders.processes import pool
from builders.recipe import TASK_NAMES
from builders.tasks.forms import ANCHOR_MISSING
from eval_harness.analysis.evidence import RELEVANT, Pairs, pooled, task_pairs
from eval_harness.analysis.holm import holm
from eval_harness.analysis.intervals import LEVEL
from eval_harness.analysis.shortcuts import FOLDS, KindResult, Told, judge_kind, sets_of_kind
from eval_harness.data import Data

if TYPE_CHECKING:
    from eval_harness.analysis.clip_features import ClipFeatures

DRAWS = 10_000
ALPHA = 0.01
"""A foil kind whose p-value, adjusted over all of them, is at most this has a shortcut."""
LIMIT = 0.53
"""The lower limit of every AUC must stay below this; 95 % for all of them at once."""
ENOUGH_SETS = 30
"""With fewer sets of a foil kind, intervals are so wide that their limits say nothing, and finding nothing shows nothing."""
EVIDENCE = ("audio", "metadata", "text")
_VERSION = 2

Progress = Callable[[str, int, int], None]
"""Called with what is being done ("measuring clips", "testing foil kinds"), done, total."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found for one kind of evidence and one foil kind.

    Attributes:
        result: AUCs, intervals and p-value.
        p_adjusted: the p-value after Holm, over all evidence, tasks and foil kinds.
        limits: the lower limit of each classifier's AUC. All of an audit's hold at once with 95 % (Student's t over sets,
            Bonferroni over the AUCs): of a hundred limits that each held with 95 %, some would lie too high in many corpora.
        enough: whether there are sets enough for a verdict of "nothing".
    """

    result: KindResult
    p_adjusted: float
    limits: tuple[float, ...]
    enough: bool

    @property
    def significant(self) -> bool:
        """Whether it is told better than chance, at any size of the corpus."""
        return self.p_adjusted <= ALPHA

    @property
    def shortcut(self) -> bool:
        """Significant; or, where there are sets enough, with a lower limit of `LIMIT` or more."""
        return self.significant or (self.enough and max(self.limits) >= LIMIT)


@dataclass(frozen=True, slots=True)
class Audit:
    """What the audit of a corpus found.

    Attributes:
        content: the dataset's content hash; of several, theirs joined by "+".
        seed, draws: of folds, permutations and resamples.
        findings: by evidence, task and foil kind.
        untested: (task, foil kind) of which there are fewer than five sets.
    """

    content: str
    seed: int
    draws: int
    findings: tuple[Finding, ...]
    untested: tuple[tuple[str, str], ...] = ()

    @property
    def shortcuts(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.shortcut)

    @property
    def sound(self) -> bool:
        return not self.shortcuts

    @property
    def conclusive(self) -> bool:
        """Whether every foil kind has sets enough for "nothing was found" to mean something."""
        return bool(self.findings) and not self.untested and all(finding.enough for finding in self.findings)

    @property
    def highest(self) -> tuple[Finding, Told] | None:
        """The finding with the highest AUC, and the classifier that has it."""
        found = [(finding, one) for finding in self.findings for one in finding.result.told]
        return max(found, key=lambda pair: pair[1].auc, default=None)

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON holds it."""
        return {
            "version": _VERSION,
            "content": self.content,
            "seed": self.seed,
            "draws": self.draws,
            "alpha": ALPHA,
            "limit": LIMIT,
            "sound": self.sound,
            "conclusive": self.conclusive,
            "untested": [list(one) for one in self.untested],
            "findings": [
                asdict(finding.result)
                | {
                    "p_adjusted": finding.p_adjusted,
                    "limits": list(finding.limits),
                    "enough": finding.enough,
                    "shortcut": finding.shortcut,
                }
                for finding in self.findings
            ],
        }

    @classmethod
    def from_json(cls, found: Any) -> Audit:
        """What `to_json` gave; also as text.

        Raises:
            EvaluationError: it is something else.
        """
        try:
            value = json.loads(found) if isinstance(found, str | bytes) else found
            if value["version"] != _VERSION:
                raise EvaluationError(f"an audit of another version of reasonaudio ({value['version']}); audit the folder again")
            findings = tuple(
                Finding(
                    KindResult(
                        **{name: one[name] for name in ("evidence", "task", "kind", "sets", "pairs", "forms", "cues")},
                        told=tuple(Told(**told) for told in one["told"]),
                    ),
                    one["p_adjusted"],
                    tuple(map(float, one["limits"])),
                    one["enough"],
                )
                for one in value["findings"]
            )
            untested = tuple((task, kind) for task, kind in value["untested"])
            return cls(value["content"], value["seed"], value["draws"], findings, untested)
        except (TypeError, KeyError, ValueError):
            raise EvaluationError("not an audit as `reasonaudio audit --json` writes it; audit the folder again") from None


def audit(
    data: Data | Sequence[Data],
    *,
    seed: int = 0,
    num_proc: int = 1,
    draws: int = DRAWS,
    enough_sets: int = ENOUGH_SETS,
    tasks: Sequence[str] = TASK_NAMES,
    progress: Progress | None = None,
) -> Audit:
    """Audits a corpus, or several as one. The same for any number of processes and any order of rows.

    Several corpora of different plans show smaller effects than one, and so whether what one shows is the planner's or chance.

    Args:
        data: the dataset; its files must be those of its manifest (`reasonaudio_dataset.verify`). Or several.
        seed: of folds, permutations and resamples.
        num_proc: processes.
        draws: permutations of each set's labels, and resamples of the sets.
        enough_sets: sets of a foil kind that a verdict needs.
        tasks: which are audited; the family of tests is theirs.
        progress: called as work goes on.

    Raises:
        DatasetFolderError, EvaluationError: a folder cannot be read, or is not whole; or two corpora have the same queries.
    """
    from eval_harness.analysis.clip_features import corpus_features

    report = progress or (lambda what, done, total: None)
    several = (data,) if isinstance(data, Data) else tuple(data)
    require_different(several)
    total = sum(len(one.folder.clips) for one in several)
    features: list[ClipFeatures] = []
    for one in several:
        before = sum(len(measured.ids) for measured in features)

        def measuring(done: int, _: int, before: int = before) -> None:
            report("measuring clips", before + done, total)

        features.append(corpus_features(one.folder, num_proc, measuring))

    def testing(done: int, total: int) -> None:
        report("testing foil kinds", done, total)

    return audit_features(several, features, seed, num_proc, draws, enough_sets, tasks, testing)


def require_different(several: Sequence[Data]) -> None:
    """Raises EvaluationError where two corpora have the same queries, as a corpus and its controls have."""
    seen: dict[str, Data] = {}
    for one in several:
        for query in one.folder.queries:
            if query in seen:
                raise EvaluationError(
                    f"{seen[query].folder.path} and {one.folder.path} have the same queries, so that together they show no more "
                    "than one of them; audit them one by one, or build with another --seed"
                )
        seen |= dict.fromkeys(one.folder.queries, one)


def audit_features(
    several: Sequence[Data],
    features: Sequence[ClipFeatures],
    seed: int = 0,
    num_proc: int = 1,
    draws: int = DRAWS,
    enough_sets: int = ENOUGH_SETS,
    tasks: Sequence[str] = TASK_NAMES,
    progress: Callable[[int, int], None] | None = None,
) -> Audit:
    """As `audit`, with the features of the clips as given."""
    report = progress or (lambda done, total: None)
    cases: list[tuple[Pairs, str]] = []
    untested = []
    for task in tasks:
        found = [task_pairs(one.folder, task, own) for one, own in zip(several, features, strict=True)]
        there = [pairs for pairs in found if pairs is not None]
        if not there:
            continue
        pairs = pooled(there) if len(there) > 1 else there[0]
        for kind in sorted(set(pairs.kind.tolist()) - {RELEVANT}):
            if len(sets_of_kind(pairs, kind)) >= FOLDS:
                cases.append((pairs, kind))
            else:
                untested.append((task, kind))
    results: dict[tuple[str, str], list[KindResult]] = {}
    report(0, len(cases))
    for judged in _judged(cases, seed, draws, num_proc):
        results[judged[0].task, judged[0].kind] = judged
        report(len(results), len(cases))
    ordered = [one for name in EVIDENCE for pairs, kind in cases for one in results[pairs.task, kind] if one.evidence == name]
    adjusted = holm([one.p for one in ordered])
    count = sum(len(one.told) for one in ordered)
    findings = tuple(
        Finding(one, p, lower_limits(one, count), one.sets >= enough_sets) for one, p in zip(ordered, adjusted, strict=True)
    )
    return Audit("+".join(one.content_hash for one in several), seed, draws, findings, tuple(untested))


def lower_limits(result: KindResult, count: int) -> tuple[float, ...]:
    """The lower limits of a result's AUCs, by Student's t, of two-sided intervals that hold for `count` AUCs at once."""
    from scipy.stats import t

    reach = float(t.isf((1 - LEVEL) / (2 * count), result.sets - 1))
    return tuple(one.auc - reach * one.error for one in result.told)


def evidence_about(kind: str) -> tuple[str, ...]:
    """What is tried on a foil kind. Which anchors are there is matching, no shortcut: so text says nothing of missing anchors."""
    return EVIDENCE[:2] if kind == ANCHOR_MISSING else EVIDENCE


def _judged(cases: Sequence[tuple[Pairs, str]], seed: int, draws: int, num_proc: int) -> Iterator[list[KindResult]]:
    if num_proc == 1 or len(cases) <= 1:
        for pairs, kind in cases:
            yield _judge(pairs, kind, seed, draws)
        return
    with pool(min(num_proc, len(cases)), EvaluationError, "foil kinds were tested") as executor:
        jobs = [executor.submit(_judge, pairs, kind, seed, draws) for pairs, kind in cases]
        for job in as_completed(jobs):
            yield job.result()


def _judge(pairs: Pairs, kind: str, seed: int, draws: int) -> list[KindResult]:
    from threadpoolctl import threadpool_limits

    seeds = SeedSequence((seed, zlib.crc32(f"{pairs.task}/{kind}".encode())))
    with threadpool_limits(1):  # the processes are the threads; and sums are then always made in the same order
        return judge_kind(pairs, kind, evidence_about(kind), seeds, draws)
