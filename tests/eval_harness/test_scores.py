"""The scores: by hand, as pytrec_eval gives them on the stored file, as mteb gives them, and over the command."""

from __future__ import annotations

import json
from math import log2
from pathlib import Path
from statistics import fmean

import datasets
import mteb
import numpy as np
import pyarrow.parquet as pq
import pytest
import pytrec_eval
import typer
from typer.testing import CliRunner

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError, UnknownIdError
from builders.recipe import TASK_NAMES
from eval_harness import registry
from eval_harness.rankings import Origin, Rankings
from eval_harness.score_cli import score
from eval_harness.scores import clip_ids, mean_scores, score_task
from eval_harness.systems.scale import BagOfSounds
from tests.corpus_fixture import folder
from tests.scored_corpus import ids, mini_corpus, smoke_corpus

__all__ = ["folder", "mini_corpus", "smoke_corpus"]


def bag(corpus: DatasetFolder, task: str, scope: str = "task", seed: int = 1) -> Rankings:
    queries, clips = ids(corpus, task, scope)
    asked = [corpus.queries[query] for query in queries]
    return Rankings(queries, clips, BagOfSounds(seed).scores(asked, clips, None, corpus), Origin(task, scope, "bag", "1"))


def first_query(corpus: DatasetFolder, ranking: list[str]) -> dict[str, float]:
    """The scores of the first Order query, where its clips rank so and nothing else is ranked."""
    query = next(query for query in corpus.queries.values() if query.task == "order")
    made = Rankings.of({query.id: {clip: -float(rank) for rank, clip in enumerate(ranking)}})
    row = score_task(made, corpus, "order").per_query.to_pylist()
    return next(one for one in row if one["query"] == query.id)


def test_scores_by_hand(folder: Path) -> None:
    """The small corpus: 8 clips, sets of 2 relevant clips and 2 foils, 4 relevant clips a query."""
    corpus = DatasetFolder.open(folder)
    query = next(query for query in corpus.queries.values() if query.task == "order")
    relevant = sorted(corpus.qrels("order")[query.id])
    own, other = list(query.relevant), [clip for clip in relevant if clip not in query.relevant]
    foils = [foil.clip for foil in query.foils]
    assert (len(own), len(other), len(foils)) == (2, 2, 2)

    found = first_query(corpus, [foils[0], own[0], foils[1], own[1]])
    ideal = sum(1 / log2(rank + 1) for rank in (1, 2, 3, 4))
    assert found["ndcg_at_10"] == pytest.approx((1 / log2(3) + 1 / log2(5)) / ideal)
    assert found["ap"] == found["ap_at_1000"] == pytest.approx((1 / 2 + 2 / 4) / 4)
    assert (found["hit_rate_at_1"], found["hit_rate_at_5"], found["rr_at_10"]) == (0, 1, 0.5)
    assert (found["recall_at_1"], found["recall_at_5"]) == (0, 0.5)
    assert (found["in_set"], found["reversed_right"], found["reversed_pairs"]) == (0, 1, 4)

    # Found by a clip of another set: a hit, but not inside the set. Of the unranked clips nothing is known.
    found = first_query(corpus, [other[0], foils[0]])
    assert (found["hit_rate_at_1"], found["in_set"], found["recall_at_1"]) == (1, 0, 0.25)
    assert (found["reversed_right"], found["reversed_pairs"]) == (0, 2)


def test_one_relevant_clip_at_rank_two(mini_corpus: DatasetFolder) -> None:
    relevant = mini_corpus.qrels("order")
    query = next(query for query in mini_corpus.queries.values() if query.task == "order" and query.form == "order-2")
    wrong = next(clip for clip in clip_ids(mini_corpus, "order") if clip not in relevant[query.id])
    made = Rankings.of({query.id: {wrong: 1.0, query.relevant[0]: 0.5}})
    row = next(one for one in score_task(made, mini_corpus, "order").per_query.to_pylist() if one["query"] == query.id)
    ideal = sum(1 / log2(rank + 1) for rank in range(1, len(relevant[query.id]) + 1))
    assert row["ndcg_at_10"] * ideal == pytest.approx(0.63093, abs=1e-5)
    assert row["rr_at_10"] == 0.5


def test_a_first_hit_beyond_rank_ten_counts_nothing_in_mrr(mini_corpus: DatasetFolder) -> None:
    relevant = mini_corpus.qrels("order")
    query = next(iter(ids(mini_corpus, "order")[0]))
    wrong = [clip for clip in clip_ids(mini_corpus, "order") if clip not in relevant[query]]
    for before, value in ((9, 0.1), (10, 0.0)):
        ranking = [*wrong[:before], *sorted(relevant[query])]
        made = Rankings.of({query: {clip: -float(rank) for rank, clip in enumerate(ranking)}})
        row = next(one for one in score_task(made, mini_corpus, "order").per_query.to_pylist() if one["query"] == query)
        assert (row["rr_at_10"], row["hit_rate_at_10"]) == (pytest.approx(value), float(value > 0))


def test_ties_are_decided_by_id(folder: Path) -> None:
    corpus = DatasetFolder.open(folder)
    queries, clips = ids(corpus, "order")
    rows = score_task(
        Rankings(queries, clips, np.zeros((len(queries), len(clips)), np.float32)), corpus, "order"
    ).per_query.to_pylist()
    for row in rows:
        query = corpus.queries[row["query"]]
        assert row["hit_rate_at_1"] == (max(clips) in corpus.qrels("order")[query.id])
        of_set = [*query.relevant, *(foil.clip for foil in query.foils)]
        assert row["in_set"] == (max(of_set) in query.relevant)
        assert row["reversed_right"] == sum(clip > foil.clip for clip in query.relevant for foil in query.foils)
    assert {row["in_set"] for row in rows} == {0, 1}


@pytest.mark.parametrize("scope", ["task", "all"])
def test_they_are_pytrec_evals_on_the_stored_file(mini_corpus: DatasetFolder, tmp_path: Path, scope: str) -> None:
    made = bag(mini_corpus, "duration", scope)
    made.write(tmp_path / "r.parquet")
    run: dict[str, dict[str, float]] = {}
    for row in pq.read_table(tmp_path / "r.parquet").to_pylist():
        run.setdefault(row["query-id"], {})[row["corpus-id"]] = row["score"]
    relevant = mini_corpus.qrels(None if scope == "all" else "duration")
    qrels = {query: dict.fromkeys(relevant[query], 1) for query in run}
    names = {
        "success_1": "hit_rate_at_1",
        "ndcg_cut_10": "ndcg_at_10",
        "map": "map",
        "map_cut_1000": "map_at_1000",
        "recall_5": "recall_at_5",
    }
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"success.1", "ndcg_cut.10", "map", "map_cut.1000", "recall.5"}).evaluate(run)
    found = score_task(Rankings.read(tmp_path / "r.parquet"), mini_corpus, "duration", scope)
    assert found.clips == (3000 if scope == "all" else 600)
    for measure, name in names.items():
        assert found.scores[name] == pytest.approx(fmean(one[measure] for one in theirs.values()), abs=1e-12)
    assert 0 < found.main_score < 1


def test_the_order_of_rows_makes_no_difference(mini_corpus: DatasetFolder) -> None:
    made = bag(mini_corpus, "mix")
    rng = np.random.default_rng(0)
    rows, columns = rng.permutation(len(made.queries)), rng.permutation(len(made.clips))
    mixed = Rankings(
        tuple(made.queries[row] for row in rows),
        tuple(made.clips[column] for column in columns),
        made.scores[np.ix_(rows, columns)],
    )
    one, other = (score_task(each, mini_corpus, "mix") for each in (made, mixed))
    assert one.to_json() == other.to_json()
    assert one.per_query.equals(other.per_query)


def test_queries_without_a_ranking_count_nothing(mini_corpus: DatasetFolder) -> None:
    made = bag(mini_corpus, "order")
    whole = score_task(made, mini_corpus, "order")
    half = score_task(Rankings(made.queries[:30], made.clips, made.scores[:30]), mini_corpus, "order")
    unranked = made.scores.copy()
    unranked[30:] = -np.inf
    assert half.to_json() == score_task(Rankings(made.queries, made.clips, unranked), mini_corpus, "order").to_json()
    kept = whole.per_query["ndcg_at_10"].to_pylist()[:30]
    assert half.scores["ndcg_at_10"] == pytest.approx(sum(kept) / 60)


def test_sets_and_forms_add_up(mini_corpus: DatasetFolder) -> None:
    found = score_task(bag(mini_corpus, "mix"), mini_corpus, "mix")
    rows = found.per_query.to_pylist()
    assert len(rows) == 60
    hits = {row["query"]: row["hit_rate_at_1"] for row in rows}
    assert found.scores["twins"] == fmean(hits[row["query"]] * hits[row["twin"]] for row in rows)
    assert found.main_score == pytest.approx(
        sum(scores["hit_rate_at_1"] * sum(row["form"] == form for row in rows) for form, scores in found.forms.items()) / 60
    )
    for kind, foils in found.foils.items():
        assert foils.right == sum(row[f"{kind}_right"] for row in rows) <= foils.pairs
        assert foils.pairs == sum(
            len(query.relevant) * sum(foil.kind == kind for foil in query.foils)
            for query in mini_corpus.queries.values()
            if query.task == "mix"
        )
    assert json.loads(json.dumps(found.to_json()))["scores"] == dict(found.scores)
    other = score_task(bag(mini_corpus, "order"), mini_corpus, "order")
    assert mean_scores([found, other])["map"] == pytest.approx((found.scores["map"] + other.scores["map"]) / 2)


def test_what_does_not_fit_is_refused(mini_corpus: DatasetFolder, smoke_corpus: DatasetFolder) -> None:
    made = bag(mini_corpus, "order")
    with pytest.raises(EvaluationError, match="bag: none of the task's clips are in them"):
        score_task(made, mini_corpus, "mix")
    with pytest.raises(EvaluationError, match="bag: none of the task's clips are in them; are they of another dataset"):
        score_task(made, smoke_corpus, "order")
    with pytest.raises(EvaluationError, match="only the task's own clips are ranked in them"):
        score_task(made, mini_corpus, "order", "all")
    with pytest.raises(UnknownIdError, match="no task 'ordre'"):
        score_task(made, mini_corpus, "ordre")
    bad = made.scores.copy()
    bad[3, 4] = np.nan
    with pytest.raises(EvaluationError, match="1 of 36000 scores are NaN"):
        score_task(Rankings(made.queries, made.clips, bad), mini_corpus, "order")


def test_rankings_of_all_clips_can_be_scored_on_the_tasks_own(mini_corpus: DatasetFolder) -> None:
    whole = score_task(bag(mini_corpus, "order", "all"), mini_corpus, "order", "task")
    assert whole.to_json() == score_task(bag(mini_corpus, "order"), mini_corpus, "order", "task").to_json()


def test_they_are_mtebs(mini_corpus: DatasetFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same system run by mteb: its scores are ours, and so are those of the predictions that it writes."""
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "datasets")
    monkeypatch.setattr(registry, "_current", None)
    datasets.disable_progress_bars()
    registry.use_data(mini_corpus.path)
    task = mteb.get_task("ReasonAudio-Mix")
    results = mteb.evaluate(BagOfSounds(1), task, cache=None, prediction_folder=tmp_path / "p", co2_tracker=False)
    theirs = results.task_results[0].scores["test"][0]
    made = bag(mini_corpus, "mix")
    found = score_task(made, mini_corpus, "mix").scores
    for name in ("hit_rate_at_1", "hit_rate_at_10", "ndcg_at_10", "map_at_1000", "mrr_at_10", "recall_at_1", "recall_at_5"):
        assert theirs[name] == pytest.approx(found[name], abs=5.1e-6), name  # mteb rounds to five digits
    assert theirs["main_score"] == pytest.approx(found["hit_rate_at_1"], abs=5.1e-6)
    read = Rankings.read(tmp_path / "p" / "ReasonAudio-Mix_predictions.json", made.queries, made.clips)
    assert (read.origin.task, read.origin.model) == ("mix", "reasonaudio/bag-of-sounds")
    np.testing.assert_array_equal(read.scores, made.scores)


# --- the command ------------------------------------------------------------------------------------------------------


def command(*arguments: object, code: int | None = 0) -> str:
    app = typer.Typer()
    app.command()(score)
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "80"})
    assert result.exit_code == code or (code is None and result.exit_code in (1, 2)), result.output
    return result.output


def test_the_command_prints_tables_and_writes_all(mini_corpus: DatasetFolder, tmp_path: Path) -> None:
    files = []
    for task in TASK_NAMES:
        files.append(tmp_path / f"{task}.parquet")
        bag(mini_corpus, task).write(files[-1])
    printed = command(*files, "--data", mini_corpus.path, "--json", tmp_path / "out.json", "-q")
    assert "bag (1), scope task" in printed
    assert all(len(line) <= 80 for line in printed.splitlines() if not line.startswith("/"))
    written = json.loads((tmp_path / "out.json").read_text())["systems"]
    assert [one["model"] for one in written] == ["bag"]
    expected = score_task(bag(mini_corpus, "order"), mini_corpus, "order")
    assert written[0]["tasks"]["order"] == expected.to_json()
    assert written[0]["mean"]["map"] == pytest.approx(fmean(one["scores"]["map"] for one in written[0]["tasks"].values()))
    assert f"order          60    600  {expected.main_score:.3f}" in printed
    assert "reversed" in printed
    assert "duration-4" in printed
    only = command(*files[:2], "--data", mini_corpus.path, "--scope", "task", "-q")
    assert "mean" not in only


def test_the_command_finds_out_what_was_searched(mini_corpus: DatasetFolder, tmp_path: Path) -> None:
    bag(mini_corpus, "order", "all").write(tmp_path / "r")
    assert "scope all" in command(tmp_path / "r", "--data", mini_corpus.path, "-q")
    assert "scope task" in command(tmp_path / "r", "--data", mini_corpus.path, "--scope", "task", "-q")


def test_the_command_refuses_what_is_wrong(mini_corpus: DatasetFolder, smoke_corpus: DatasetFolder, tmp_path: Path) -> None:
    made = bag(mini_corpus, "order")
    made.write(tmp_path / "r")
    Rankings(made.queries[1:], made.clips, made.scores[1:]).write(tmp_path / "short")
    for arguments, message in (
        ((tmp_path / "r", "--data", smoke_corpus.path), "60 of its 60 query ids are unknown"),
        ((tmp_path / "r", "--data", mini_corpus.path, "--task", "mix"), "ranks no clips for the queries of mix"),
        ((tmp_path / "r", tmp_path / "r", "--data", mini_corpus.path), "bag on order is in"),
        ((tmp_path / "short", "--data", mini_corpus.path), "with --allow-missing they count 0"),
    ):
        assert message in command(*arguments, code=None)
    assert "give task, all or set" in command(tmp_path / "r", "--scope", "both", code=2)
    assert "order" in command(tmp_path / "short", "--data", mini_corpus.path, "--allow-missing")
