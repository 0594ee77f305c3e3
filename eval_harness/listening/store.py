"""Answers in an SQLite database: several listeners, studies and processes at once; what was saved stays saved."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from builders.errors import EvaluationError
from eval_harness.listening.answers import Answer, clean_name, misfit
from eval_harness.listening.study import Study

_VERSION = 1
_APPLICATION = 0x52415544
_TABLES = (
    "create table study (id text primary key, content text not null) strict",
    "create table listener (study text not null references study (id), key text not null, name text not null, "
    "folded text not null, primary key (study, key), unique (study, folded)) strict",
    "create table answer (study text not null, key text not null, trial text not null, place text not null, clip text not null, "
    "verdict text not null, ms integer not null, plays integer not null, heard_ms integer not null, at integer not null, "
    "primary key (study, key, trial, place), foreign key (study, key) references listener (study, key)) strict",
)
LISTENERS = (
    "select study.id, study.content, listener.key, listener.name from listener join study on study.id = listener.study "
    "order by study.rowid, listener.rowid"
)
"""Rows (study id, study as JSON, listener's key, name), in the order in which they came."""
_PATIENCE_S = 30.0


class NameTakenError(EvaluationError):
    """A listener of that name has begun the study.

    Attributes:
        answers: how many they have given.
    """

    def __init__(self, name: str, answers: int) -> None:
        super().__init__(f"{name!r} has begun this study, with {answers} answers")
        self.answers = answers


class AnswerStore:
    """The answers to one study in a database, which may hold other studies too. Any number of threads may use it.

    Raises:
        EvaluationError: the file is something else, or cannot be written.
    """

    def __init__(self, path: Path, study: Study) -> None:
        self.path = path
        self.study = study
        if path.is_file() and path.stat().st_size and path.open("rb").read(16) != b"SQLite format 3\0":
            raise EvaluationError(f"--answers {path}: not a database; give another file, which will be made")
        with self._open() as opened:
            self._prepare(opened)
            opened.execute("insert into study values (?, ?) on conflict do nothing", (study.id, study.model_dump_json()))

    def enter(self, name: str, again: bool = False) -> str:
        """The key of a listener; `again` takes up what a listener of that name has begun.

        Raises:
            NameTakenError: there is one, and `again` was not said.
            EvaluationError: nothing is left of the name.
        """
        name = clean_name(name)
        if not name:
            raise EvaluationError("a name is needed; any will do")
        with self._open() as opened:
            row = opened.execute(
                "select key, name from listener where study = ? and folded = ?", (self.study.id, name.casefold())
            ).fetchone()
            if row is None:
                key = secrets.token_hex(16)
                opened.execute("insert into listener values (?, ?, ?, ?)", (self.study.id, key, name, name.casefold()))
                return key
            count = opened.execute("select count(*) from answer where study = ? and key = ?", (self.study.id, row[0])).fetchone()[
                0
            ]
        if not again:
            raise NameTakenError(row[1], count)
        return str(row[0])

    def name_of(self, key: str) -> str | None:
        """The name of a listener; None where no listener has that key."""
        with self._open() as opened:
            row = opened.execute("select name from listener where study = ? and key = ?", (self.study.id, key)).fetchone()
        return str(row[0]) if row else None

    def save(self, key: str, answers: Iterable[Answer]) -> int:
        """Keeps answers, all or none; a later one replaces an earlier one. Returns how many.

        Raises:
            EvaluationError: there is no such listener, or an answer does not fit the study.
        """
        found = list(answers)
        for answer in found:
            wrong = misfit(self.study, answer)
            if wrong:
                raise EvaluationError(wrong)
        if self.name_of(key) is None:
            raise EvaluationError("no listener has that key; begin again with a name")
        with self._open() as opened:
            opened.executemany(
                "insert into answer values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do update set clip = excluded.clip, "
                "verdict = excluded.verdict, ms = excluded.ms, plays = excluded.plays, heard_ms = excluded.heard_ms, "
                "at = excluded.at where excluded.at >= answer.at",
                [
                    (
                        self.study.id, key, one.trial, "" if self.study.mode == "best" else one.clip,
                        one.clip, one.verdict, one.ms, one.plays, one.heard_ms, one.at,
                    )
                    for one in found
                ],
            )  # fmt: skip
        return len(found)

    def answers(self, key: str) -> list[Answer]:
        """What a listener has answered."""
        with self._open() as opened:
            return answers_of(opened, self.study.id, key)

    def counts(self) -> dict[str, int]:
        """Name of a listener -> answers given, of all of this study."""
        with self._open() as opened:
            rows = opened.execute(
                "select listener.name, count(answer.clip) from listener left join answer on answer.study = listener.study and "
                "answer.key = listener.key where listener.study = ? group by listener.key order by listener.rowid",
                (self.study.id,),
            ).fetchall()
        return {str(name): int(count) for name, count in rows}

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A connection in a transaction, which is committed unless an error comes."""
        try:
            with closing(sqlite3.connect(self.path, timeout=_PATIENCE_S)) as opened:
                opened.execute("pragma foreign_keys = on")
                opened.execute("pragma synchronous = full")
                with opened:
                    yield opened
        except sqlite3.Error as error:
            raise EvaluationError(f"--answers {self.path}: {error}; free some space, or give another file") from None

    def _prepare(self, opened: sqlite3.Connection) -> None:
        opened.execute("begin immediate")  # another process may be about to do the same
        application = opened.execute("pragma application_id").fetchone()[0]
        if application == _APPLICATION:
            version = opened.execute("pragma user_version").fetchone()[0]
            if version != _VERSION:
                raise EvaluationError(
                    f"--answers {self.path}: of another version of reasonaudio ({version}, here {_VERSION}); give another file"
                )
            return
        if opened.execute("select count(*) from sqlite_master").fetchone()[0]:
            raise EvaluationError(f"--answers {self.path}: a database of something else; give another file")
        for statement in (*_TABLES, f"pragma application_id = {_APPLICATION}", f"pragma user_version = {_VERSION}"):
            opened.execute(statement)


def answers_of(opened: sqlite3.Connection, study: str, key: str) -> list[Answer]:
    """What a listener of a study has answered."""
    rows = opened.execute(
        "select trial, clip, verdict, ms, plays, heard_ms, at from answer where study = ? and key = ? order by trial, place",
        (study, key),
    )
    return [
        Answer(trial=trial, clip=clip, verdict=verdict, ms=ms, plays=plays, heard_ms=heard, at=at)
        for trial, clip, verdict, ms, plays, heard, at in rows
    ]
