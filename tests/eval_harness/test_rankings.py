"""Files of rankings: written and read again, in every form, and refused in one line where something is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builders.errors import EvaluationError
from eval_harness.rankings import COLUMNS, Origin, Rankings

ORIGIN = Origin("order", "task", "org/model", "r1", "c" * 64)
QUERIES, CLIPS = ("q2", "q1"), ("c1", "c3", "c2")
SCORES = np.array([[0.5, 0.5, 0.9], [-1.0, -np.inf, 2.0]], np.float32)
RANKINGS = Rankings(QUERIES, CLIPS, SCORES, ORIGIN)
ROWS = [("q1", "c2", 2.0), ("q1", "c1", -1.0), ("q2", "c2", 0.9), ("q2", "c3", 0.5), ("q2", "c1", 0.5)]
DICTS = {"q1": {"c1": -1.0, "c2": 2.0}, "q2": {"c3": 0.5, "c1": 0.5, "c2": 0.9}}


def test_ties_are_broken_by_id_descending() -> None:
    assert [[CLIPS[clip] for clip in row] for row in RANKINGS.order()] == [["c2", "c3", "c1"], ["c2", "c1", "c3"]]
    assert list(RANKINGS.top(2)["q2"]) == ["c2", "c3"]


def test_a_file_holds_the_ranked_pairs_best_first(tmp_path: Path) -> None:
    RANKINGS.write(tmp_path / "r.parquet")
    table = pq.read_table(tmp_path / "r.parquet")
    assert table.column_names == list(COLUMNS)
    assert table.schema.field("score").type == pa.float32()
    rows = [tuple(row.values()) for row in table.to_pylist()]
    assert rows == [(query, clip, pytest.approx(score)) for query, clip, score in ROWS]
    assert [path.name for path in tmp_path.iterdir()] == ["r.parquet"]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    RANKINGS.write(tmp_path / "r.parquet")
    found = Rankings.read(tmp_path / "r.parquet", QUERIES, CLIPS)
    assert (found.queries, found.clips, found.origin) == (QUERIES, CLIPS, ORIGIN)
    np.testing.assert_array_equal(found.scores, SCORES)


def test_equal_rankings_give_equal_bytes(tmp_path: Path) -> None:
    RANKINGS.write(tmp_path / "a")
    Rankings(QUERIES[::-1], CLIPS[::-1], SCORES[::-1, ::-1], ORIGIN).write(tmp_path / "b")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_task_takes_little_room(tmp_path: Path) -> None:
    scores = np.random.default_rng(0).random((200, 2000), dtype=np.float32)
    made = Rankings(tuple(f"{n:016x}" for n in range(200)), tuple(f"{n:016x}" for n in range(2000)), scores)
    made.write(tmp_path / "r")
    assert (tmp_path / "r").stat().st_size < 4e6
    np.testing.assert_array_equal(Rankings.read(tmp_path / "r").scores, scores)


def test_scores_without_an_order_are_not_written(tmp_path: Path) -> None:
    bad = SCORES.copy()
    bad[1, 2] = np.nan
    with pytest.raises(EvaluationError, match=r"org/model: 1 of 6 scores are NaN or infinite, first for query q1 and clip c2"):
        Rankings(QUERIES, CLIPS, bad, ORIGIN).write(tmp_path / "r")
    assert not list(tmp_path.iterdir())


def written(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize("content", [json.dumps(DICTS), "\n".join(f"{q} Q0 {c} 7 {s} org/model" for q, c, s in ROWS)])
def test_a_byte_order_mark_is_read_over(tmp_path: Path, content: str) -> None:
    (tmp_path / "r").write_text(content, encoding="utf-8-sig")
    np.testing.assert_array_equal(Rankings.read(tmp_path / "r", QUERIES, CLIPS).scores, SCORES)


@pytest.mark.parametrize(
    ("content", "origin"),
    [
        (DICTS, Origin()),
        (
            {"mteb_model_meta": {"model_name": "org/model", "revision": "r1"}, "order": {"test": DICTS}},
            Origin(task="order", model="org/model", revision="r1"),
        ),
        ("\n".join(f"{q} Q0 {c} 7 {s} org/model" for q, c, s in reversed(ROWS)) + "\n\n", Origin(model="org/model")),
    ],
    ids=["plain", "mteb", "trec"],
)
def test_other_files_are_read(tmp_path: Path, content: object, origin: Origin) -> None:
    found = Rankings.read(written(tmp_path / "r", content), QUERIES, CLIPS)
    np.testing.assert_array_equal(found.scores, SCORES)
    assert found.origin == origin
    alone = Rankings.read(tmp_path / "r")
    assert (alone.queries, alone.clips) == (("q1", "q2"), ("c1", "c2", "c3"))


def test_missing_queries_are_refused_or_left_out(tmp_path: Path) -> None:
    path = written(tmp_path / "r", {"q1": {"c1": 1}})
    with pytest.raises(EvaluationError, match="no ranking for 1 of 2 queries, the first q2"):
        Rankings.read(path, QUERIES, CLIPS)
    assert Rankings.read(path, QUERIES, CLIPS, allow_missing=True).queries == ("q1",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty; a file of rankings is parquet"),
        ("{}", "ranks no clip for any query"),
        ("[1]", "a JSON list, where an object is needed"),
        ('{"q1": {"c1": 1.0,}}', "line 1: not JSON"),
        ('{"q1": {"c1": 1, "c1": 2}}', "the name 'c1' stands twice"),
        ('{"q1": {"c1": "high"}}', "query q1: the score of clip c1 is 'high', not a number"),
        ('{"q1": 3}', "'q1' is int, where clips with their scores are needed"),
        ('{"q1": {"c1": NaN, "c2": 1e39}}', r"query q1: the score nan is no finite float32 number \(2 are not\)"),
        ("q1 Q0 c1 1 0.5 x\nq1 c2 0.5\n", "line 2: 3 columns"),
        ("q1 Q0 c1 1 much x\n", "line 1: the score 'much' is not a number"),
        ("q1 Q0 c1 1 0.5 x\n\nq1 Q0 c1 2 0.4 x\n", r"line 3: query q1 and clip c1 stand there a second time \(1 such rows\)"),
        (
            "q1 Q0 c1 1 0.5 x\nq11 Q0 c1 1 0.5 x\n",
            r"line 2: unknown query 'q11' \(1 of its 2 query ids are unknown\); did you mean q1",
        ),
        ("q1 Q0 zz 1 0.5 x\n", r"line 1: unknown clip 'zz' .*rankings of another dataset"),
        ("query-id,corpus-id,score\n", "line 1: 1 columns"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, content: str, message: str) -> None:
    path = written(tmp_path / "r", content)
    with pytest.raises(EvaluationError, match=message) as caught:
        Rankings.read(path, QUERIES, CLIPS, allow_missing=True)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"query": ["q1"], "corpus-id": ["c1"], "score": [1.0]}, "no column query-id; it has query, corpus-id, score"),
        ({"query-id": ["q1"], "corpus-id": ["c1"], "score": ["high"]}, "ids must be texts and the score a number"),
        ({"query-id": ["q1"], "corpus-id": [None], "score": [1.0]}, "row 0: corpus-id is empty"),
        (
            {"query-id": ["q1"] * 2, "corpus-id": ["c1"] * 2, "score": [1.0, 2.0]},
            "row 1: query q1 and clip c1 stand there a second",
        ),
        (
            {"query-id": pa.array([], pa.string()), "corpus-id": pa.array([], pa.string()), "score": pa.array([], "f4")},
            "ranks no clip",
        ),
    ],
)
def test_a_wrong_table_is_refused(tmp_path: Path, columns: dict[str, object], message: str) -> None:
    pq.write_table(pa.table(columns), tmp_path / "r")
    with pytest.raises(EvaluationError, match=message):
        Rankings.read(tmp_path / "r", QUERIES, CLIPS, allow_missing=True)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    for path, message in ((tmp_path / "no", "does not exist"), (tmp_path, "is a folder")):
        with pytest.raises(EvaluationError, match=message):
            Rankings.read(path)
    RANKINGS.write(tmp_path / "r")
    (tmp_path / "r").write_bytes((tmp_path / "r").read_bytes()[:-20])
    with pytest.raises(EvaluationError, match="is damaged"):
        Rankings.read(tmp_path / "r")
