"""What listeners answered, and the files it is kept in: the server's database, and the download of a page opened from disk."""

from __future__ import annotations

import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from builders.errors import EvaluationError
from eval_harness.listening.study import Id, Study

Verdict = Literal["fits", "not", "unsure", "best"]
"""Of a clip: it fits the sentence, it does not, one cannot tell; or it is the best of the trial's clips."""
MOST_NAME = 80
"""Letters in the name of a listener."""
FORMAT = "reasonaudio-listening-1"
"""Of a downloaded file, and (as a number) of the database."""
_MOST_FILE = 64 << 20
_DAY_MS = 24 * 3600 * 1000
_SQLITE = b"SQLite format 3\0"


class Answer(BaseModel):
    """A verdict on one clip of a trial. A later one on the same clip (in mode "best": of the same trial) replaces it.

    Attributes:
        trial: its id in the study.
        clip: id.
        verdict: as `Verdict`.
        ms: from when the trial was shown to the answer.
        plays: how often the clip was started before.
        heard_ms: how far into the clip its listener got.
        at: when, in ms since 1970 (UTC), by the listener's clock.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    trial: Id
    clip: Id
    verdict: Verdict
    ms: int = Field(ge=0, le=100 * _DAY_MS)
    plays: int = Field(ge=0, le=1_000_000)
    heard_ms: int = Field(ge=0, le=_DAY_MS)
    at: int = Field(ge=0, le=2**53)


class _Download(BaseModel):
    """The file that a page opened from disk gives."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["reasonaudio-listening-1"]
    study: Study
    listener: str = Field(min_length=1, max_length=MOST_NAME)
    key: Id
    answers: tuple[Answer, ...] = Field(max_length=100_000)


@dataclass(frozen=True, slots=True)
class Session:
    """What one listener answered in one study.

    Attributes:
        study: what was asked.
        listener: the name that they chose; of two listeners of the same name the second is "name (2)".
        key: tells listeners apart.
        answers: one for each clip, or of mode "best" for each trial; sorted by trial and clip.
        source: the file.
    """

    study: Study
    listener: str
    key: str
    answers: tuple[Answer, ...]
    source: Path


def clean_name(name: str) -> str:
    """A name as it is kept: NFC, on one line, without control characters, at most `MOST_NAME` letters; "" if nothing is left."""
    kept = "".join(" " if letter.isspace() else letter for letter in unicodedata.normalize("NFC", name))
    kept = "".join(letter for letter in kept if unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    return " ".join(kept.split())[:MOST_NAME].strip()


def latest(study: Study, answers: Iterable[Answer]) -> tuple[Answer, ...]:
    """The answers that count: of several to the same question the last by time."""
    found: dict[tuple[str, str], Answer] = {}
    for answer in sorted(answers, key=lambda one: one.at):
        found[answer.trial, "" if study.mode == "best" else answer.clip] = answer
    return tuple(found[key] for key in sorted(found))


def misfit(study: Study, answer: Answer) -> str:
    """What is wrong with an answer to this study, in words; "" where nothing is."""
    trial = study.by_id.get(answer.trial)
    if trial is None:
        return f"trial {answer.trial!r} is not in the study"
    if answer.clip not in trial.clips:
        return f"clip {answer.clip!r} is not in trial {answer.trial!r}"
    if (answer.verdict == "best") != (study.mode == "best"):
        return f"verdict {answer.verdict!r} does not belong to the mode {study.mode!r}"
    return ""


def read_sessions(files: Sequence[Path]) -> tuple[Session, ...]:
    """All sessions in files of answers: databases of `reasonaudio listen`, and downloads.

    The same listener of the same study in several files (a download given twice, an early and a late one) is one session.

    Raises:
        EvaluationError: a file is missing, damaged or something else; its message is one line.
    """
    merged: dict[tuple[str, str], Session] = {}
    for file in files:
        for session in _read(file):
            key = session.study.id, session.key
            before = merged.get(key)
            answers = latest(session.study, (*(before.answers if before else ()), *session.answers))
            merged[key] = replace(before or session, answers=answers)
    return _distinct(merged.values())


def _distinct(sessions: Iterable[Session]) -> tuple[Session, ...]:
    """With names that tell listeners apart: one key is one listener, in all studies."""
    names: dict[str, str] = {}
    given: Counter[str] = Counter()
    found = []
    for session in sessions:
        if session.key not in names:
            given[session.listener] += 1
            number = given[session.listener]
            names[session.key] = session.listener if number == 1 else f"{session.listener} ({number})"
        found.append(replace(session, listener=names[session.key]))
    return tuple(found)


def _read(file: Path) -> list[Session]:
    try:
        with file.open("rb") as opened:
            head = opened.read(len(_SQLITE))
            size = file.stat().st_size
    except OSError as error:
        raise EvaluationError(f"{file}: {(error.strerror or str(error)).lower()}; give a file of answers") from None
    if head == _SQLITE:
        return _read_database(file)
    if size > _MOST_FILE:
        raise EvaluationError(f"{file}: {size >> 20} MB are more than answers take; give what the listening page downloaded")
    return [_read_download(file)]


def _read_download(file: Path) -> Session:
    try:
        found = _Download.model_validate_json(file.read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))[:80]
        what = f"{where}: {first['msg']}" if where else first["msg"]
        raise EvaluationError(
            f"{file} is no file of answers of `reasonaudio listen`: {' '.join(what.split())[:160]}; give its database, or what "
            "the page downloaded"
        ) from None
    name = clean_name(found.listener)
    if not name:
        raise EvaluationError(f"{file}: the listener's name is empty")
    return _session(found.study, name, found.key, found.answers, file)


def _session(study: Study, listener: str, key: str, answers: Iterable[Answer], file: Path) -> Session:
    answers = latest(study, answers)
    for answer in answers:
        wrong = misfit(study, answer)
        if wrong:
            raise EvaluationError(f"{file}: listener {listener!r}: {wrong}; the file was changed, or is damaged")
    return Session(study, listener, key, answers, file)


def _read_database(file: Path) -> list[Session]:
    from eval_harness.listening.store import LISTENERS, answers_of

    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as opened:
            rows = opened.execute(LISTENERS).fetchall()
            return [
                _session(Study.model_validate_json(study), clean_name(name) or key, key, answers_of(opened, study_id, key), file)
                for study_id, study, key, name in rows
            ]
    except (sqlite3.Error, ValidationError) as error:
        what = " ".join(str(error).split())[:160]
        raise EvaluationError(f"{file} is no database of `reasonaudio listen`, or is damaged: {what}") from None
