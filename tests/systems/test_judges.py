"""Judges: made by hand, and tiny causal language models."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mteb
import numpy as np
import pytest

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.logic import Truth, evaluate
from builders.styles import STYLES
from eval_harness import registry
from eval_harness.data import Data
from eval_harness.rankings import Rankings
from eval_harness.running import run
from eval_harness.scores import score_task
from eval_harness.systems.judges.base import JudgeSearch
from eval_harness.text_loading import texts_of
from tests.corpus_fixture import folder  # noqa: F401  # a fixture
from tests.scored_corpus import smoke_corpus  # noqa: F401  # a fixture


class Oracle:
    """Knows what every text is of, and what every query means.

    Args:
        fail_after: pairs after which it is interrupted.
    """

    name = "oracle"
    revision = "1"

    def __init__(self, data: Data, fail_after: int = 10**9) -> None:
        clips = list(data.folder.clips)
        self._clip = {text: clip for style in STYLES for text, clip in zip(texts_of(data, style, clips), clips, strict=True)}
        self._query = {query.text: query for query in data.folder.queries.values()}
        self._folder = data.folder
        self._left = fail_after
        self.asked: list[tuple[str, str]] = []

    def judge(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
        """1 where the formula holds, else 0."""
        self._left -= len(pairs)
        if self._left < 0:
            raise KeyboardInterrupt
        self.asked += pairs
        return np.array([float(self._holds(*pair)) for pair in pairs])

    def _holds(self, query: str, text: str) -> bool:
        timeline = self._folder.clips[self._clip[text]].timeline
        margins = self._folder.recipe.margins_value()
        return evaluate(self._query[query].formula, timeline, margins, self._folder.relations) is Truth.TRUE


@pytest.fixture
def data(folder: Path) -> Data:  # noqa: F811
    return registry.use_data(folder)


def test_an_oracle_is_right_in_every_set(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:  # noqa: F811
    data = registry.use_data(smoke_corpus.path)
    done = run(Oracle(data), ["ReasonAudioText-Story", "ReasonAudioText-Order-Events"], data=data, out=tmp_path)
    assert (done.model, done.revision, done.scope) == ("judge/oracle", "1", "set")
    assert {style: len(tasks) for style, tasks in done.probes.items()} == {"events": 1, "story": 5}
    for style, tasks in done.probes.items():
        for task, found in tasks.items():
            assert found.scores["in_set"] == found.scores["hit_rate_at_1"] == found.scores["ndcg_at_10"] == 1.0
            assert all(one.share == 1.0 for one in found.foils.values())
            stored = Rankings.read(done.rankings / f"ReasonAudioText-{task.capitalize()}-{style.capitalize()}-Set.parquet")
            assert score_task(stored, smoke_corpus, task, "set").to_json() == found.to_json()
            for query, row in zip(stored.queries, stored.scores, strict=True):
                ranked = {clip for clip, score in zip(stored.clips, row, strict=True) if np.isfinite(score)}
                assert ranked == set(smoke_corpus.queries[query].clips)


def test_all_texts_are_judged_where_that_is_asked_for(data: Data, tmp_path: Path) -> None:
    judge = Oracle(data)
    done = run(judge, ["ReasonAudioText-Order-Sentence"], data=data, out=tmp_path, scope="task", batch_size=5)
    assert len(judge.asked) == 4 * 8 == done.embedded
    assert done.probes["sentence"]["order"].main_score == 1.0
    assert done.probes["sentence"]["order"].clips == 8
    again = Oracle(data)  # what a set holds has been judged
    run(again, ["ReasonAudioText-Order-Sentence"], data=data, out=tmp_path)
    assert again.asked == []


def test_stock_mteb_takes_a_judge(data: Data, tmp_path: Path) -> None:
    judge = Oracle(data)
    search = JudgeSearch(judge, tmp_path / "judged")
    for name, pairs in (("ReasonAudioText-Order-Events-Set", 16), ("ReasonAudioText-Order-Events", 32)):
        found = mteb.evaluate(search, mteb.get_task(name), cache=None, co2_tracker=False).task_results[0]
        assert found.get_score() == 1.0
        assert len(judge.asked) == pairs
    clips = mteb.get_task("ReasonAudio-Order")
    clips.load_data()
    with pytest.raises(EvaluationError, match="judge/oracle judges texts, and these are clips"):
        search.index(clips.dataset["order"]["test"]["corpus"])


def test_an_interrupted_run_goes_on_where_it_was(data: Data, tmp_path: Path) -> None:
    first = Oracle(data, fail_after=10)
    with pytest.raises(KeyboardInterrupt):
        run(first, ["ReasonAudioText-Order-Sentence"], data=data, out=tmp_path, batch_size=3)
    assert len(first.asked) == 9
    second = Oracle(data)
    done = run(second, ["ReasonAudioText-Order-Sentence"], data=data, out=tmp_path, batch_size=3)
    assert len(second.asked) == 16 - 9 == done.embedded
    assert not set(first.asked) & set(second.asked)
    assert done.probes["sentence"]["order"].scores["in_set"] == 1.0


def test_another_revision_judges_anew(data: Data, tmp_path: Path) -> None:
    run(Oracle(data), ["ReasonAudioText-Order-Sentence"], data=data, out=tmp_path)
    judge = Oracle(data)
    judge.revision = "2"
    run(judge, ["ReasonAudioText-Order-Sentence"], data=data, out=tmp_path)
    assert len(judge.asked) == 16


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (lambda n: np.full(n, 0.25), "judge/odd: all 16 judgements are the same, 0.25"),
        (lambda n: np.linspace(0, 1.5, n), "judge/odd: 1.1 is no probability; 5 of 16 .*--dtype"),
        (lambda n: np.full(n, np.nan), "judge/odd: nan is no probability; 16 of 16"),
        (lambda n: np.zeros((n, 2)), r"judge/odd gave judgements of shape \(16, 2\) for 16 pairs"),
    ],
)
def test_judgements_that_cannot_be_ranked_are_refused(data: Data, tmp_path: Path, given: Any, said: str) -> None:
    class Odd:
        name, revision = "odd", "1"

        def judge(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray:
            return given(len(pairs))

    with pytest.raises(EvaluationError, match=said) as caught:
        run(Odd(), ["ReasonAudioText-Order-Sentence"], data=data, out=tmp_path)
    assert "\n" not in str(caught.value)


def test_what_hears_nothing_is_given_no_clips(data: Data, tmp_path: Path) -> None:
    for judge, name in ((Oracle(data), "oracle"), ("judge:somewhere", "judge:somewhere")):
        with pytest.raises(EvaluationError, match=f"{name} is a judge, which reads text and hears nothing; .*-t ReasonAudioText"):
            run(judge, ["order"], data=data, out=tmp_path)

    class Nameless:
        def judge(self, pairs: Any) -> Any:
            return np.zeros(len(pairs))

    with pytest.raises(EvaluationError, match="Nameless is no judge: it needs a name, a revision and judge"):
        run(Nameless(), ["ReasonAudioText"], data=data, out=tmp_path)


# --- causal language models -------------------------------------------------------------------------------------------

WORDS = "yes no a b bell dog rain before is in What heard recording What 0 1 2 3 4 5 s to : , . Answer Does sounding bark"


def save_model(path: Path, kind: str = "gpt2", words: str = WORDS, positions: int = 512) -> Path:
    """A causal model with random weights, some thousand parameters, with a tokenizer of these words."""
    import torch
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace
    from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM, LlamaModel, PreTrainedTokenizerFast

    vocabulary = {word: number for number, word in enumerate(dict.fromkeys(["<unk>", "<end>", *words.split()]))}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))  # noqa: S106 - no password
    tokenizer.pre_tokenizer = Whitespace()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>", eos_token="<end>")  # noqa: S106
    torch.manual_seed(5)
    size = len(vocabulary)
    if kind == "gpt2":
        model: Any = GPT2LMHeadModel(GPT2Config(vocab_size=size, n_positions=positions, n_embd=16, n_layer=2, n_head=2))
    else:
        config = LlamaConfig(
            vocab_size=size,
            hidden_size=16,
            intermediate_size=32,
            num_hidden_layers=2,
            num_attention_heads=2,
            tie_word_embeddings=False,
        )
        model = LlamaForCausalLM(config) if kind == "llama" else LlamaModel(config)
    model.save_pretrained(path)
    fast.save_pretrained(path)
    return path


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_a_causal_model_runs_by_its_folder(data: Data, tmp_path: Path, kind: str) -> None:
    path = save_model(tmp_path / f"tiny-{kind}", kind)
    done = run(f"judge:{path}", ["ReasonAudioText-Order"], data=data, out=tmp_path / "out", device="cpu", batch_size=3)
    assert done.model == f"judge/tiny-{kind}"
    assert done.scope == "set"
    assert done.embedded == 16 + 16 + 8  # the stories of clips that differ by a few ms are the same
    assert set(done.probes) == set(STYLES)
    written = json.loads((done.results / "ReasonAudioText-Order-Story-Set.json").read_text())["scores"]["test"][0]
    assert written["main_score"] == pytest.approx(done.probes["story"]["order"].scores["in_set"], abs=1e-5)
    again = run(f"judge:{path}", ["ReasonAudioText-Order"], data=data, out=tmp_path / "out", device="cpu")
    assert again.embedded == 0


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_the_probability_is_that_of_the_two_words_whatever_else_is_in_the_batch(tmp_path: Path, kind: str) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from eval_harness.systems.judges.causal import QUESTION, open_causal

    path = save_model(tmp_path / "tiny", kind)
    judge = open_causal(str(path), "cpu")
    pairs = [("a bell before rain", "0 to 1 s : a bell"), ("rain", "dog " * 40), ("b", "a bell is heard , rain before a dog .")]
    together = judge.judge(pairs)
    tokenizer, model = AutoTokenizer.from_pretrained(path), AutoModelForCausalLM.from_pretrained(path)
    yes, no = tokenizer.convert_tokens_to_ids(["yes", "no"])
    for (query, text), found in zip(pairs, together, strict=True):
        asked = QUESTION.format(text=text, query=query) + "\nAnswer:"
        with torch.inference_mode():
            logits = model(**tokenizer(asked, return_tensors="pt", return_token_type_ids=False)).logits[0, -1].double()
        likely = logits.log_softmax(0).exp()
        assert found == pytest.approx(float(likely[yes] / (likely[yes] + likely[no])), rel=1e-4)
        assert judge.judge([(query, text)])[0] == pytest.approx(found, rel=1e-4)
    assert len(set(together.round(9))) == 3


def test_a_chat_template_is_used_where_there_is_one(tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    from eval_harness.systems.judges.causal import open_causal

    path = save_model(tmp_path / "tiny")
    plain = open_causal(str(path), "cpu")
    tokenizer = AutoTokenizer.from_pretrained(path)
    tokenizer.chat_template = (
        "{% for m in messages %}bell {{ m.content }} dog{% endfor %}{% if add_generation_prompt %} rain{% endif %}"
    )
    tokenizer.save_pretrained(path)
    chat = open_causal(str(path), "cpu")
    ids = chat._ids("a", "b")
    assert tokenizer.convert_ids_to_tokens(ids)[0] == "bell"
    assert tokenizer.convert_ids_to_tokens(ids)[-2:] == ["dog", "rain"]
    assert tokenizer.convert_ids_to_tokens(plain._ids("a", "b"))[-2:] == ["Answer", ":"]
    assert chat.judge([("a", "b")]) != plain.judge([("a", "b")])


def test_bad_models_are_told_in_one_line(data: Data, tmp_path: Path) -> None:
    save_model(tmp_path / "speechless", words=WORDS.replace("no ", ""))
    save_model(tmp_path / "headless", "headless")
    save_model(tmp_path / "short", positions=16)
    (tmp_path / "empty").mkdir()
    for spec, said in (
        (tmp_path / "speechless", "judge speechless: its tokenizer has no single token for ' no' or ' No'"),
        (tmp_path / "headless", r"its files have no weights for lm_head\.weight \(1 are missing\)"),
        (tmp_path / "short", r"judge short: it reads 16 tokens at most, and a question has \d+"),
        (tmp_path / "empty", "no language model: the folder holds no config.json"),
        (tmp_path / "nowhere", "there is no such folder, and it is no name ORG/NAME on the Hub"),
        ("", "which\\? give judge:FOLDER"),
    ):
        with pytest.raises(EvaluationError, match=said) as caught:
            run(f"judge:{spec}", ["ReasonAudioText-Order-Sentence"], data=data, out=tmp_path / "out", device="cpu")
        assert "\n" not in str(caught.value)


def test_a_dtype_is_a_revision_of_its_own(tmp_path: Path) -> None:
    from eval_harness.systems.judges.causal import open_causal

    path = str(save_model(tmp_path / "tiny"))
    full, half = open_causal(path, "cpu"), open_causal(path, "cpu", "bfloat16")
    assert full.revision != half.revision
    assert full.revision == open_causal(path, "cpu").revision
    assert half.judge([("a", "b")]) == pytest.approx(full.judge([("a", "b")]), abs=0.05)
