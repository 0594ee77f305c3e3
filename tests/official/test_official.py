"""The paper's own data in a folder: found, checked, run, scored; every fault is one line."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import mteb
import pytest

import eval_harness.official
from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.data import open_data
from eval_harness.official import in_use, tasks
from eval_harness.official.data import open_official
from eval_harness.rankings import Rankings
from eval_harness.running import run
from tests.cli_fixture import run as call
from tests.corpus_fixture import folder  # noqa: F401  # a fixture
from tests.official.folder_fixture import CLIPS, QRELS, clip_rows, query_rows, write_clip, write_official, write_table, write_task
from tests.toy_encoder import ToyEncoder

NAMES = [f"ReasonAudioOfficial-{task.capitalize()}" for task in TASK_NAMES]


@pytest.fixture(autouse=True)
def _before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    metadata = {cls: cls.metadata for cls in tasks.OFFICIAL_TASKS}
    monkeypatch.delenv("REASONAUDIO_OFFICIAL", raising=False)
    monkeypatch.setattr(in_use, "_current", None)
    monkeypatch.setattr(in_use, "_failed", None)
    yield
    for cls, was in metadata.items():
        cls.metadata = was


@pytest.fixture
def official(tmp_path: Path) -> Path:
    return write_official(tmp_path / "data")


def test_scores_by_hand(official: Path) -> None:
    scores = {"0": {"0": 0.9, "1": 0.8, "2": 0.7, "3": 0.6}, "1": {"2": 0.9, "0": 0.5, "1": 0.4, "3": 0.1}}
    found = open_official(official).score(Rankings.of(scores), "order").scores
    assert found["hit_rate_at_1"] == 0.5
    assert found["mrr_at_10"] == pytest.approx((1 / 2 + 1) / 2)
    assert found["map"] == pytest.approx(((1 / 2 + 2 / 4) / 2 + 1) / 2)
    ideal = 1 + 1 / math.log2(3)
    assert found["ndcg_at_10"] == pytest.approx(((1 / math.log2(3) + 1 / math.log2(5)) / ideal + 1) / 2)
    assert not {"in_set", "twins"} & found.keys()


def test_a_run_gives_what_stock_mteb_gives_and_embeds_each_clip_once(official: Path, tmp_path: Path) -> None:
    model = ToyEncoder()
    done = run(model, data=f"official:{official}", out=tmp_path / "ours", num_workers=0)
    assert len(model.clips) == 5 * CLIPS
    assert len(model.queries) == 10
    mteb.evaluate(ToyEncoder(), mteb.get_tasks(tasks=NAMES), cache=mteb.ResultCache(tmp_path / "stock"), co2_tracker=False)
    for task, name in zip(TASK_NAMES, NAMES, strict=True):
        ours, stock = (
            json.loads((tmp_path / one / "results" / "toys__levels" / "1" / f"{name}.json").read_text())
            for one in ("ours", "stock")
        )
        assert ours["dataset_revision"] == stock["dataset_revision"] == open_official(official).revision
        mine, theirs = ours["scores"]["test"][0], stock["scores"]["test"][0]
        for score in ("hit_rate_at_1", "ndcg_at_10", "recall_at_5", "main_score"):
            assert mine[score] == pytest.approx(theirs[score])
        assert done.tasks[task].scores["ndcg_at_10"] == pytest.approx(theirs["ndcg_at_10"], abs=1e-5)
    again = ToyEncoder()
    run(again, data=f"official:{official}", out=tmp_path / "ours", num_workers=0)
    assert not again.clips


def test_tasks_may_share_the_only_corpus_and_its_clips_are_embedded_once(official: Path, tmp_path: Path) -> None:
    for task in TASK_NAMES[:-1]:
        (official / task.capitalize() / "corpus.csv").unlink()
    data = open_official(official)
    assert len(data.notes) == 4
    assert data.notes[0] == "negation has no table of clips, so its queries search those of Mix/corpus.csv"
    model = ToyEncoder()
    run(model, data=data, out=tmp_path / "out", num_workers=0)
    assert len(model.clips) == CLIPS


def test_the_content_is_the_same_however_it_is_spelled(official: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    for task in TASK_NAMES:
        place = write_task(other / f"ReasonAudio-{task}", task, tables=False)
        (place / "audio").rename(place / "wavs")
        rows = [*clip_rows(task), *query_rows(task)]
        write_table(place / "table.tsv", ("id", "audio", "text"), rows[::-1], "\t")
        (place / "table.tsv").write_bytes(b"\xef\xbb\xbf" + (place / "table.tsv").read_bytes().replace(b"\n", b"\r\n"))
        lines = [json.dumps({"query_id": int(q), "corpus_id": int(c), "score": float(s)}) for q, c, s in QRELS]
        (place / "qrels.jsonl").write_text("\n".join(lines))
    assert open_official(other).revision == open_official(official).revision
    write_clip(official / "Mix" / "audio" / "mix_0000.wav", 99)
    assert open_official(other).revision != open_official(official).revision


def test_one_tasks_folder_alone_and_stereo(tmp_path: Path) -> None:
    place = write_task(tmp_path / "ReasonAudio-Order", "order")
    write_clip(place / "audio" / "order_0000.wav", 0, channels=2)
    data = open_data(f"official:{place}")
    assert data.tasks == ("order",)
    clip = data.put_to_use() and mteb.get_task("ReasonAudioOfficial-Order")
    clip.load_data()
    assert clip.dataset["order"]["test"]["corpus"][0]["audio"]["array"].shape == (4000,)


def _cell(table: str, old: str, new: str) -> Callable[[Path], None]:
    def change(place: Path) -> None:
        text = (place / table).read_text()
        assert old in text
        (place / table).write_text(text.replace(old, new, 1))

    return change


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda place: (place / "queries.csv").unlink(), r"order has no table of queries"),
        (
            lambda place: shutil.copy(place / "queries.csv", place / "queries.tsv"),
            r"is .*queries\.csv or .*queries\.tsv the table",
        ),
        (_cell("corpus.csv", "_id,audio", "_id,sound"), r"corpus\.csv: no column 'audio'; it has '_id', 'sound', 'text'"),
        (_cell("corpus.csv", "1,order_0001", "0,order_0001"), r"corpus\.csv, line 3: a clip 0 was there before"),
        (_cell("corpus.csv", "order_0001.wav", "gone.wav"), r"corpus\.csv, line 3: no file 'gone\.wav' in"),
        (_cell("corpus.csv", "order_0001.wav", "../x.wav"), r"line 3: '\.\./x\.wav' leads out of the folder"),
        (_cell("corpus.csv", "order_0001.wav", "/etc/x.wav"), r"line 3: '/etc/x\.wav' leads out of the folder"),
        (_cell("corpus.csv", "order_0001.wav,", "order_0001.wav"), r"line 3: 2 cells, but 3 columns"),
        (lambda place: (place / "audio" / "order_0002.wav").write_bytes(b"RIFF"), r"line 4: .* is no sound that can be read"),
        (_cell("queries.csv", "1,,", "0,,"), r"queries\.csv, line 3: a query 0 was there before"),
        (_cell("qrels/test.tsv", "0\t3\t1", "0\t77\t1"), r"test\.tsv, line 3: no clip '77' in the table of clips"),
        (_cell("qrels/test.tsv", "0\t3\t1", "9\t3\t1"), r"test\.tsv, line 3: no query '9' in the table of queries"),
        (_cell("qrels/test.tsv", "0\t3\t1", "0\t1\t1"), r"test\.tsv, line 3: query 0 with clip 1 was there before"),
        (_cell("qrels/test.tsv", "0\t3\t1", "0\t3\t0.5"), r"line 3: the score '0\.5' is no whole number"),
        (_cell("qrels/test.tsv", "1\t2\t1", "1\t2\t0"), r"1 of 2 queries have no relevant clip, as 1"),
        (lambda place: (place / "queries.csv").write_bytes(b"_id,text\n0,caf\xe9\n"), r"queries\.csv, line 2: not UTF-8"),
    ],
)
def test_each_fault_is_one_line(tmp_path: Path, spoil: Callable[[Path], object], said: str) -> None:
    spoil(write_task(tmp_path / "data" / "Order", "order"))
    with pytest.raises(EvaluationError, match=said) as caught:
        open_official(tmp_path / "data")
    assert "\n" not in str(caught.value)


def test_what_is_no_such_folder(tmp_path: Path, folder: Path) -> None:  # noqa: F811
    with pytest.raises(EvaluationError, match="does not exist"):
        open_official(tmp_path / "none")
    with pytest.raises(EvaluationError, match="holds no task"):
        open_official(tmp_path)
    with pytest.raises(EvaluationError, match="is a corpus of `reasonaudio build`"):
        open_official(folder)
    with pytest.raises(EvaluationError, match="no folder is named; give official:FOLDER, or set REASONAUDIO_OFFICIAL"):
        open_official("")
    with pytest.raises(EvaluationError, match=r"not part of reasonaudio: call eval_harness\.official\.use"):
        mteb.get_task(NAMES[0]).load_data()


def test_the_variable_names_it(official: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REASONAUDIO_OFFICIAL", str(official))
    assert mteb.get_task(NAMES[0]).metadata.dataset["path"] == f"official:{official}"
    assert eval_harness.official.use(official).tasks == TASK_NAMES


def test_the_command_line(official: Path, tmp_path: Path, folder: Path) -> None:  # noqa: F811
    data, out = f"official:{official}", tmp_path / "out"
    assert call("run", "-m", "reasonaudio/random", "--data", data, "--out", out, "-q").exit_code == 0
    for args, said in (
        (("run", "-m", "reasonaudio/oracle", "--data", data, "--out", out), "reasonaudio/oracle: this takes sets, forms and"),
        (("run", "-m", "reasonaudio/random", "--data", data, "--out", out, "--scope", "all"), "scope 'all': on official:"),
        (("run", "-m", "reasonaudio/random", "--data", data, "--out", out, "-t", "ReasonAudio-Order"), "no task 'ReasonAudio-Or"),
        (("run", "-m", "reasonaudio/random", "--data", folder, "--out", out), "holds results on another dataset (official:"),
        (("compare", out), "this command takes sets"),
        (("report", out), "this command takes sets"),
        (("score", next(out.rglob("*.parquet")), "--data", data), "this takes sets, forms and timelines"),
    ):
        result = call(*args)
        assert result.exit_code == 2
        assert said in result.stderr.splitlines()[-1]


def test_another_tasks_file_of_the_same_name_is_another_sound(official: Path) -> None:
    gone = min((official / "Negation").rglob("*.wav"))
    other = official / "Order" / "audio" / gone.name
    other.parent.mkdir(parents=True, exist_ok=True)
    gone.rename(other)
    with pytest.raises(EvaluationError, match=f"no file '.*{gone.name}'"):
        open_official(official)
    other.rename(official / gone.name)  # that of no task may be meant
    assert open_official(official).tasks == TASK_NAMES


def test_a_task_that_is_not_there_is_told(official: Path) -> None:
    shutil.rmtree(official / "Mix")
    found = open_official(official)
    assert found.tasks == TASK_NAMES[:-1]
    assert f"{official} has no task mix" in found.notes
