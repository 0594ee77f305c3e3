"""All that answers tell: scores, listeners, agreement, contradictions and suspects, as one value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import EvaluationError
from eval_harness.analysis.intervals import RESAMPLES
from eval_harness.listening.agreement import Agreement, agreement
from eval_harness.listening.answers import Session
from eval_harness.listening.contradictions import JudgedPair, contradictions, judged_pairs
from eval_harness.listening.judged import judged, without_inattentive
from eval_harness.listening.listeners import Listener, listeners
from eval_harness.listening.scoring import ModeScores, score_mode
from eval_harness.listening.study import Mode
from eval_harness.listening.suspects import Suspect, suspects


@dataclass(frozen=True, eq=False)
class Findings:
    """What answers tell of listeners and rule.

    Attributes:
        folder: the dataset.
        modes: scores in each mode that was answered in.
        listeners: all of them.
        agreement: task -> agreement, and "all".
        pairs: (query, clip) pairs that were judged.
        contradictions: those that a majority contradicts.
        suspects: what may be at fault.
    """

    folder: DatasetFolder
    modes: tuple[ModeScores, ...]
    listeners: tuple[Listener, ...]
    agreement: dict[str, Agreement]
    pairs: tuple[JudgedPair, ...]
    contradictions: tuple[JudgedPair, ...]
    suspects: tuple[Suspect, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        return {
            "dataset": content_hash(self.folder.path),
            "intervals": "95 %, of a bootstrap over sets: of these listeners; of agreement percentiles",
            "modes": [one.to_json() for one in self.modes],
            "listeners": [one.to_json() for one in self.listeners],
            "agreement": {task: one.to_json() for task, one in self.agreement.items()},
            "judged_pairs": len(self.pairs),
            "contradictions": [one.to_json(self.folder) for one in self.contradictions],
            "suspects": [one.to_json() for one in self.suspects],
        }


def findings(
    folder: DatasetFolder,
    sessions: Sequence[Session],
    most_catch_failures: int | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Findings:
    """All that sessions tell.

    Args:
        folder: the dataset that was listened to.
        sessions: `answers.read_sessions`.
        most_catch_failures: listeners who failed more catch trials count nowhere; None: all count.
        resamples, seed: of the bootstrap.

    Raises:
        EvaluationError: the answers are of another dataset, there are none, or nobody's are left.
    """
    found = judged(folder, sessions)
    kept, left_out = without_inattentive(found, most_catch_failures)
    if not any(one.answers for one in kept if one.trial.kind == "asked"):
        why = f"; all {len(left_out)} who answered failed more than {most_catch_failures} catch trials" if left_out else ""
        raise EvaluationError(f"no answers to count, but of practice and catch trials{why}; let somebody listen first")
    modes = [mode for mode in get_args(Mode) if any(one.mode == mode and one.trial.kind == "asked" for one in kept)]
    pairs = judged_pairs(kept)
    return Findings(
        folder,
        tuple(score_mode(kept, mode, resamples, seed) for mode in modes),
        listeners(sessions, found, left_out, resamples, seed),
        agreement(kept, resamples, seed),
        pairs,
        contradictions(pairs),
        suspects(folder, pairs),
    )
