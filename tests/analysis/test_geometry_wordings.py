"""Queries in other words, and whether an encoder of texts goes by meaning or by wording."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.logic import Lacks, canonical, conjuncts
from builders.recipe import TASK_NAMES
from eval_harness.analysis.sensitivity import Sensitivity, TextEncoder, sensitivity
from eval_harness.analysis.wordings import EXCHANGED, TWIN, Wordings, wordings
from tests.analysis.planted import corpus, direction  # noqa: F401  # a fixture


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def by_words(texts: list[str]) -> np.ndarray:
    """Word order makes no difference."""
    return np.array([np.sum([direction(word) * number for word, number in Counter(words(t)).items()], axis=0) for t in texts])


def by_names(texts: list[str]) -> np.ndarray:
    """Which sound is named first, and nothing else."""
    return np.array(
        [np.sum([direction(name) / (n + 1) for n, name in enumerate(re.findall(r"\d\d\d", text))], axis=0) for text in texts]
    )


def by_meaning(said: tuple[Wordings, ...]) -> TextEncoder:
    """Equal for texts that mean the same."""
    meaning = {text: canonical(one.query.formula) for one in said for text in one.own}
    for one in said:
        meaning |= dict.fromkeys(one.contrasts.get(EXCHANGED, ()), f"other than {one.query.id}")
    return lambda texts: np.array([direction(meaning[text]) for text in texts])


def of_task(found: tuple[Sensitivity, ...], contrast: str = TWIN) -> Sensitivity:
    return next(one for one in found if not one.form and one.contrast == contrast)


@pytest.mark.parametrize("task", TASK_NAMES)
def test_every_query_is_among_its_wordings(corpus: DatasetFolder, task: str) -> None:  # noqa: F811
    said = wordings(corpus, task)
    assert [one.query.id for one in said] == [query.id for query in corpus.queries.values() if query.task == task]
    of_query = {one.query.id: one for one in said}
    for one in said:
        assert one.query.text in one.own
        assert len(set(one.own)) == len(one.own) >= 8
        assert one.contrasts[TWIN] == of_query[one.query.twin].own
        assert not set(one.own) & set(one.contrasts[TWIN])
        lacks = any(isinstance(part, Lacks) for part in conjuncts(one.query.formula))
        assert (EXCHANGED in one.contrasts) == lacks


def test_exchanged_has_the_same_words_in_another_place(corpus: DatasetFolder) -> None:  # noqa: F811
    for one in wordings(corpus, "negation"):
        absent = {part.a for part in conjuncts(one.query.formula) if isinstance(part, Lacks)}
        for own, other in zip(one.own, one.contrasts[EXCHANGED], strict=True):
            assert own != other
            assert Counter(re.findall(r"sound \d+", own)) == Counter(re.findall(r"sound \d+", other))
        last = one.contrasts[EXCHANGED][0].rpartition("without " if one.query.form == "negation-1" else "neither ")[2]
        assert not any(f"a {label} playing" == last.removesuffix(".").partition(" nor ")[0] for label in absent)


def test_other_words_than_this_versions_are_refused(corpus: DatasetFolder) -> None:  # noqa: F811
    queries = {key: replace(one, text="Bells.") if one.set == "order-003" else one for key, one in corpus.queries.items()}
    odd = cast("Any", SimpleNamespace(path="x", queries=queries, sounds=corpus.sounds))
    with pytest.raises(EvaluationError, match="x: set order-003 is not a set of order-"):
        wordings(odd, "order")


def test_an_encoder_without_word_order_has_twins_nearer_than_paraphrases(corpus: DatasetFolder) -> None:  # noqa: F811
    found = of_task(sensitivity(wordings(corpus, "order"), by_words, draws=200))
    assert found.same_words.value == pytest.approx(1)
    assert found.paraphrase.value < 0.95
    assert found.hard.value == 0
    assert found.fair.value == 0.5
    assert found.queries == 20


def test_an_encoder_of_meaning_has_all_right(corpus: DatasetFolder) -> None:  # noqa: F811
    for task in TASK_NAMES:
        said = wordings(corpus, task)
        for one in sensitivity(said, by_meaning(said), draws=50):
            assert (one.hard.value, one.fair.value) == (1, 1)
            assert one.paraphrase.value == pytest.approx(1)


def test_an_encoder_of_the_order_of_names_has_three_of_seven_right(corpus: DatasetFolder) -> None:  # noqa: F811
    found = sensitivity(wordings(corpus, "order"), by_names, draws=50)
    assert [one.fair.value for one in found] == pytest.approx([3 / 7] * 3)


def test_an_encoder_of_nothing_is_at_chance(corpus: DatasetFolder) -> None:  # noqa: F811
    found = of_task(sensitivity(wordings(corpus, "mix"), lambda texts: np.array([direction(text) for text in texts]), draws=1000))
    assert found.fair.low < 0.5 < found.fair.high


def test_each_text_is_encoded_once(corpus: DatasetFolder) -> None:  # noqa: F811
    calls: list[list[str]] = []

    def encode(texts: list[str]) -> np.ndarray:
        calls.append(texts)
        return by_words(texts)

    sensitivity(wordings(corpus, "negation"), encode, draws=50)
    assert len(calls) == 1
    assert len(set(calls[0])) == len(calls[0]) > 300
    with pytest.raises(EvaluationError, match="no finite matrix with a row for each of"):
        sensitivity(wordings(corpus, "negation"), lambda texts: np.zeros((3, 2)))
