"""What mteb itself has, versions, and which scores can be."""

from __future__ import annotations

import pytest

from builders.errors import EvaluationError
from eval_harness.submission.checks import parsed
from eval_harness.submission.known import Published, demands, known_task, models_of_mteb
from eval_harness.submission.scores import part_problem, partial_problem
from tests.submission.made_results import CLAP, RANDOM, TASKS, asked

FIRST = TASKS[0]
COMMIT, OTHER = "a" * 40, "b" * 40


def test_the_installed_mteb() -> None:
    models = models_of_mteb()
    assert {CLAP, RANDOM} <= models
    assert not [name for name in models if name.startswith("reasonaudio/")]
    assert known_task("ReasonAudio-Order") is None  # ours, though mteb.get_task finds it
    assert known_task("NoSuchTask") is None
    clotho = known_task(FIRST)
    assert clotho
    assert (clotho.parts, clotho.queries) == ({("test", "default")}, 5585)


def test_the_dataset_that_is_named() -> None:
    name, commit = asked().known[FIRST].dataset
    assert demands([FIRST], Published(name, commit)).published == Published(name, commit)
    with pytest.raises(EvaluationError, match="the leaderboard takes results on that alone; leave --data out"):
        demands([FIRST], Published(name, OTHER))
    assert Published.parse(f"org/name@{COMMIT}") == Published("org/name", COMMIT)
    for text in ("org/name", "org/name@v1.0.0", f"name@{COMMIT}", f"org/name@{COMMIT}0", f"../x/y@{COMMIT}", ""):
        with pytest.raises(EvaluationError, match="give ORG/NAME@SHA"):
            Published.parse(text)


def test_versions() -> None:
    assert [parsed(text) for text in ("2.26.24", "2.12.16-2.15.4", "2.0", "2.0.0rc1", "new", "", None)] == [
        (2, 26, 24), (2, 12, 16), (2, 0, 0), (2, 0, 0), None, None, None,
    ]  # fmt: skip


def test_scores_that_can_be() -> None:
    whole = {"main_score": 0, "hit_rate_at_1": 0.0, "nauc_x_max": -0.5, "nauc_x_std": float("nan"), "languages": []}
    assert part_problem(whole, "hit_rate_at_1") == ""
    assert part_problem(whole | {"map_at_1": -1e-6}, "") == "map_at_1 is -1e-06, no number from 0 to 1"
    assert part_problem({"main_score": True}, "") == "main_score is no number"
    shares = [round(hits / 200, 6) for hits in range(201)]
    assert [partial_problem({"hit_rate_at_1": share}, 200) for share in shares] == [""] * 201
    assert partial_problem({"hit_rate_at_1": 1 / 3}, 200).endswith("which is no share of 200 queries: not all of them were run")
    assert partial_problem({"hit_rate_at_1": 1 / 3}, 1_000_000) == ""  # five decimals do not tell
    assert partial_problem({}, 200) == ""
