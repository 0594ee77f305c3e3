"""Answers beside what they answer: every trial of every listener with its query and the clips that fit by the rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder, content_hash
from builders.errors import EvaluationError
from eval_harness.listening.answers import Answer, Session
from eval_harness.listening.study import Mode, Trial, fitting

VALUES = {"fits": 1.0, "unsure": 0.5, "not": 0.0}
"""How far a verdict says that a clip fits."""
RELEVANT = "relevant"


@dataclass(frozen=True, slots=True)
class Judged:
    """What one listener answered in one trial.

    Attributes:
        listener: their name.
        mode: as `Study.mode`.
        trial: what was asked: of the kind "asked" or "catch".
        query: None in catch trials.
        fits: the clips that fit by the rule.
        answers: clip -> answer, of those that were given; of the mode "best" it is one.
    """

    listener: str
    mode: Mode
    trial: Trial
    query: Query | None
    fits: frozenset[str]
    answers: Mapping[str, Answer]

    @property
    def complete(self) -> bool:
        """Whether all that was asked is answered."""
        return bool(self.answers) if self.mode == "best" else all(clip in self.answers for clip in self.trial.clips)

    @property
    def telling(self) -> bool:
        """Whether some of the clips fit and some do not: else one answer for all of them would be right."""
        return 0 < len(self.fits) < len(self.trial.clips)

    @property
    def said(self) -> Mapping[str, float]:
        """Clip -> how far it is said to fit: 1, 0.5 or 0; of the mode "best" 1 for the chosen one and 0 for the others."""
        if self.mode == "best":
            return {clip: float(clip in self.answers) for clip in self.trial.clips} if self.answers else {}
        return {clip: VALUES[answer.verdict] for clip, answer in self.answers.items()}

    @property
    def accuracy(self) -> float:
        """Of a complete, telling trial. Mode "judge": the mean of the share of the fitting clips that are said to fit and the
        share of the others that are said not to, so that one answer for all clips gets 0.5. Mode "best": 1 if the chosen clip
        fits."""
        said = self.said
        if self.mode == "best":
            return float(any(said[clip] for clip in self.fits))
        others = [clip for clip in self.trial.clips if clip not in self.fits]
        right = sum(said[clip] for clip in self.fits) / len(self.fits)
        return (right + sum(1 - said[clip] for clip in others) / len(others)) / 2

    @property
    def chance(self) -> float:
        """What its accuracy is for answers that know nothing."""
        return len(self.fits) / len(self.trial.clips) if self.mode == "best" else 0.5


def judged(folder: DatasetFolder, sessions: Iterable[Session]) -> tuple[Judged, ...]:
    """All trials that something was answered in, without those of the practice.

    Raises:
        EvaluationError: the answers are of another dataset, or a study does not fit the dataset.
    """
    own = content_hash(folder.path)
    found = []
    for session in sessions:
        if session.study.content_hash != own:
            raise EvaluationError(
                f"{session.source}: answers on another dataset (content {session.study.content_hash[:12]}) than {folder.path} "
                f"(content {own[:12]}); give the dataset that was listened to with --data"
            )
        answers: dict[str, dict[str, Answer]] = {}
        for answer in session.answers:
            answers.setdefault(answer.trial, {})[answer.clip] = answer
        for trial in session.study.trials:
            if trial.kind != "practice" and trial.id in answers:
                query = _checked(folder, session, trial)
                fits = fitting(folder, trial)
                found.append(Judged(session.listener, session.study.mode, trial, query, fits, answers[trial.id]))
    return tuple(found)


def _checked(folder: DatasetFolder, session: Session, trial: Trial) -> Query | None:
    """The trial's query; None for catch trials. Raises EvaluationError where the dataset has not what is asked."""
    where = f"{session.source}: trial {trial.id!r}"
    if trial.kind == "catch":
        if trial.sound not in folder.sounds:
            raise EvaluationError(f"{where}: no sound {trial.sound!r} in {folder.path}; the file was changed, or is damaged")
        known: Sequence[str] | Mapping[str, object] = folder.clips
        query = None
    else:
        if trial.query not in folder.queries:
            raise EvaluationError(f"{where}: no query {trial.query!r} in {folder.path}; the file was changed, or is damaged")
        query = folder.queries[trial.query]
        known = query.clips
    for clip in trial.clips:
        if clip not in known:
            what = f"in {folder.path}" if query is None else f"in the set of query {query.id}"
            raise EvaluationError(f"{where}: no clip {clip!r} {what}; the file was changed, or is damaged")
    return query


def role(query: Query, clip: str) -> str:
    """What a clip of a query's set is to it: "relevant", or the kind of foil."""
    return RELEVANT if clip in query.relevant else next(foil.kind for foil in query.foils if foil.clip == clip)


def without_inattentive(found: Sequence[Judged], most_failures: int | None) -> tuple[tuple[Judged, ...], tuple[str, ...]]:
    """The trials without those of listeners who failed more catch trials than that, and the names of these; None: of nobody."""
    out = [] if most_failures is None else [name for name, (failed, _) in catches(found).items() if failed > most_failures]
    return tuple(one for one in found if one.listener not in out), tuple(out)


def catches(found: Iterable[Judged]) -> dict[str, tuple[int, int]]:
    """Listener -> catch trials failed, and answered completely.

    One is failed unless every clip is judged as the rule says ("cannot tell" is not), or a fitting one is chosen.
    """
    counts: dict[str, tuple[int, int]] = {}
    for one in found:
        failed, of = counts.setdefault(one.listener, (0, 0))
        if one.trial.kind == "catch" and one.complete:
            if one.mode == "best":
                wrong = not one.accuracy
            else:
                wrong = any(value != float(clip in one.fits) for clip, value in one.said.items())
            counts[one.listener] = failed + wrong, of + 1
    return counts
