"""Files of descriptions: round trips, and every way in which one can be wrong."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from builders.errors import EvaluationError
from builders.timeline import Event, Timeline
from eval_harness.systems.pipelines.captions import read_descriptions, write_descriptions
from eval_harness.systems.pipelines.describers import Description

LABELS = ("bell", "dog bark")
HEARD = {
    "c2": Description(
        'A bell rings, "loudly",\nthen a dog barks.',
        Timeline((Event("bell", 137, 1138), Event("dog bark", 3000, 4003))),
        {"bell": 0.5, "dog bark": 0.25},
    ),
    "c1": Description("Nothing is heard.", Timeline(()), {}),
    "c3": Description("Ünusual.", Timeline((Event("bell", 0, 480),)), {"bell": 1.0}),
}


def test_jsonl_keeps_captions_timelines_and_how_sure_one_is(tmp_path):
    write_descriptions(tmp_path / "a.jsonl", HEARD)
    assert read_descriptions(tmp_path / "a.jsonl", ("c1", "c2", "c3"), LABELS) == HEARD


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_csv_and_parquet_keep_captions(tmp_path, suffix):
    path = tmp_path / f"a{suffix}"
    write_descriptions(path, HEARD)
    found = read_descriptions(path, ("c1", "c2", "c3"), LABELS)
    assert list(found) == ["c1", "c2", "c3"]
    assert found == {clip: Description(one.caption) for clip, one in HEARD.items()}


def test_further_columns_do_no_harm_and_parquet_may_hold_events(tmp_path):
    events = [[{"label": "bell", "onset": 0.5, "offset": 2.0}], []]
    table = pa.table({"model": ["m", "m"], "id": ["a", "b"], "caption": ["A bell.", "None."], "events": events})
    pq.write_table(table, tmp_path / "a.parquet")
    found = read_descriptions(tmp_path / "a.parquet", ("a", "b"), LABELS)
    assert found["a"] == Description("A bell.", Timeline((Event("bell", 500, 2000),)), {"bell": 1.0})
    assert found["b"].timeline == Timeline(())


ROW = '{"id": "a", "caption": "A bell."}\n'
EVENT = '{{"id": "a", "caption": "A bell.", "events": [{}]}}\n'


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.txt", "", r"ends with \.csv, \.jsonl or \.parquet"),
        ("none.csv", None, r"none\.csv: no such file.*reasonaudio describe"),
        ("a.csv", "clip,text\na,A bell.\n", r"line 1: no id and no caption there, but clip, text"),
        ("a.csv", "id,text\na,A bell.\n", r"no caption there, but id, text"),
        ("a.csv", "", r"no id and no caption there, but nothing"),
        ("a.csv", "id,caption\na,One.\na,Two.\nb,Three.\n", r"1 id \(a\) is there more than once"),
        ("a.csv", "id,caption\na,One.\nb,Two.\nx,Three.\ny,Four.\n", r"2 ids \(x, y\) are not among the 2 clips"),
        ("a.csv", "id,caption\na,One.\n", r"1 clip \(b\) is not described, of the dataset's 2"),
        ("a.csv", "id,caption\na,One.\nb,  \n", r"line 3, clip b: the caption is empty"),
        ("a.csv", "id,caption\na,A bell, then rain.\n", r"line 2: 3 fields, the header has 2; put captions that hold commas"),
        ("a.csv", "id,caption\na\nb,Two.\n", r"line 2, clip a: the caption is empty"),
        ("a.csv", b"id,caption\na,\xff\nb,x\n", r"not a csv file in UTF-8"),
        ("a.jsonl", ROW + "{", r"line 2: not JSON"),
        ("a.jsonl", ROW + "[]", r"line 2: an object with id and caption is needed"),
        ("a.jsonl", ROW + '{"id": "b"}', r"line 2: no caption there, but id"),
        ("a.jsonl", ROW + '{"id": "b", "caption": 3}', r"line 2, clip b: the caption is no text"),
        ("a.jsonl", ROW.replace('"a"', '"b"') + EVENT.format('{"label": "bell"}'), r"clip a: an event has no 'onset'"),
        ("a.jsonl", ROW.replace('"a"', '"b"') + EVENT.format('{"label": "bel", "onset": 0, "offset": 1}'), r"'bel' is no label"),
        ("a.jsonl", ROW.replace('"a"', '"b"') + EVENT.format('{"label": "bell", "onset": 2, "offset": 1}'), r"onset < offset"),
        ("a.jsonl", ROW.replace('"a"', '"b"') + EVENT.format("7"), r"events: a list of"),
        ("a.parquet", "PAR?", r"not a parquet file"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path, name, text, says):
    path = tmp_path / name
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(EvaluationError, match=says) as caught:
        read_descriptions(path, ("a", "b"), LABELS)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_of_many_ids_three_are_shown(tmp_path):
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"id": f"x{n}", "caption": "x"}) + "\n" for n in range(9)))
    with pytest.raises(EvaluationError, match=r"9 ids \(x0, x1, x2, …\) are not among"):
        read_descriptions(tmp_path / "a.jsonl", ("a",), LABELS)
