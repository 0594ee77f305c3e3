"""The tables of a task read and checked: clips with their files, queries, and which clips are relevant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from builders.errors import EvaluationError
from eval_harness.official.clips import ClipFinder
from eval_harness.official.layout import Layout, TaskTables
from eval_harness.official.tables import Row, Table, place, read_table

_MAX_SCORE = 1000


@dataclass(frozen=True)
class OfficialTask:
    """One task of the paper's own data.

    Attributes:
        task: "negation", ...
        clips: id -> file, in the table's order.
        named_by: file -> the first row that names it, as errors begin.
        queries: id -> text, in the table's order.
        relevant: query id -> clip id -> score, 1 or more; each query has one at least.
    """

    task: str
    clips: Mapping[str, Path] = field(repr=False)
    named_by: Mapping[Path, str] = field(repr=False)
    queries: Mapping[str, str] = field(repr=False)
    relevant: Mapping[str, Mapping[str, int]] = field(repr=False)


def read_tasks(layout: Layout) -> tuple[OfficialTask, ...]:
    """All tasks of a folder; reads tables, and no sound.

    Raises:
        EvaluationError: a table or a row cannot be used, or tables contradict each other; says the file and the line.
    """
    finder = ClipFinder(layout.root, layout.others)
    corpora: dict[tuple[Path, ...], tuple[dict[str, Path], dict[Path, str]]] = {}
    return tuple(_read_task(tables, finder, corpora) for tables in layout.tasks)


def _read_task(
    tables: TaskTables,
    finder: ClipFinder,
    corpora: dict[tuple[Path, ...], tuple[dict[str, Path], dict[Path, str]]],
) -> OfficialTask:
    if tables.mixed:
        table = read_table(tables.corpus)
        clip_rows, query_rows = _told_apart(table)
        clips, named_by = _clips(table, clip_rows, finder)
        queries = _queries(table, query_rows)
    else:
        if tables.corpus not in corpora:  # it may be that of several tasks
            table = read_table(tables.corpus)
            table.require("id", "audio")
            corpora[tables.corpus] = _clips(table, table.rows, finder)
        clips, named_by = corpora[tables.corpus]
        table = read_table(tables.queries)
        table.require("id", "text")
        queries = _queries(table, table.rows)
    return OfficialTask(tables.task, clips, named_by, queries, _relevant(read_table(tables.qrels), clips, queries))


Rows = Iterable[tuple[Path, Row]]


def _told_apart(table: Table) -> tuple[list[tuple[Path, Row]], list[tuple[Path, Row]]]:
    """The rows with audio, and the rows with text, of a table that holds clips and queries."""
    table.require("id", "audio", "text")
    clips: list[tuple[Path, Row]] = []
    queries: list[tuple[Path, Row]] = []
    for path, row in table.rows:
        audio, text = row.cells["audio"], row.cells["text"]
        if bool(audio) == bool(text):
            what = "both audio and text" if audio else "neither audio nor text"
            raise EvaluationError(
                f"{place(path, row)}: {what}, so that it is not to be told whether it is a clip or a query; give clips as "
                "corpus.csv and queries as queries.csv"
            )
        (clips if audio else queries).append((path, row))
    return clips, queries


def _clips(table: Table, rows: Rows, finder: ClipFinder) -> tuple[dict[str, Path], dict[Path, str]]:
    found: dict[str, Path] = {}
    named_by: dict[Path, str] = {}
    for path, row in rows:
        where = place(path, row)
        name = _own_id(found, "clip", where, row)
        audio = row.cells["audio"]
        if not audio:
            raise EvaluationError(f"{where}: clip {name} names no file in the column 'audio'")
        found[name] = finder.find(audio, path, where)
        named_by.setdefault(found[name], where)
    if not found:
        raise EvaluationError(f"{table.path}: no clips in it")
    return found, named_by


def _queries(table: Table, rows: Rows) -> dict[str, str]:
    found: dict[str, str] = {}
    for path, row in rows:
        where = place(path, row)
        name = _own_id(found, "query", where, row)
        if row.cells.get("audio"):
            raise EvaluationError(
                f"{where}: query {name} has audio ({row.cells['audio']!r}); the tasks search with text alone: is this the table "
                "of clips? Then name it corpus"
            )
        if not row.cells["text"]:
            raise EvaluationError(f"{where}: query {name} has no text")
        found[name] = row.cells["text"]
    if not found:
        raise EvaluationError(f"{table.path}: no queries in it")
    return found


def _own_id(found: Mapping[str, object], what: str, where: str, row: Row) -> str:
    """The id of a row, which no row before it has."""
    name = row.cells["id"]
    if not name:
        raise EvaluationError(f"{where}: no id in the column '_id'")
    if name in found:
        raise EvaluationError(f"{where}: a {what} {name} was there before; ids must differ, leave one")
    return name


def _relevant(table: Table, clips: Mapping[str, Path], queries: Mapping[str, str]) -> dict[str, dict[str, int]]:
    table.require("query-id", "corpus-id", "score")
    found: dict[str, dict[str, int]] = {query: {} for query in queries}
    seen: set[tuple[str, str]] = set()
    for path, row in table.rows:
        where = place(path, row)
        query, clip = row.cells["query-id"], row.cells["corpus-id"]
        for name, what, known in ((query, "query", queries), (clip, "clip", clips)):
            if name not in known:
                raise EvaluationError(f"{where}: no {what} {name!r} in the table of {'clips' if what == 'clip' else 'queries'}")
        if (query, clip) in seen:
            raise EvaluationError(f"{where}: query {query} with clip {clip} was there before; leave one")
        seen.add((query, clip))
        score = _score(where, row.cells["score"])
        if score:
            found[query][clip] = score
    without = [query for query, relevant in found.items() if not relevant]
    if without:
        raise EvaluationError(
            f"{table.path}: {len(without)} of {len(found)} queries have no relevant clip, as {without[0]}; is the table whole?"
        )
    return found


def _score(where: str, text: str) -> int:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not value.is_integer() or not 0 <= value <= _MAX_SCORE:
        raise EvaluationError(f"{where}: the score {text!r} is no whole number from 0; 1 is relevant, 0 is not")
    return int(value)
