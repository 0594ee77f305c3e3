"""A causal language model of transformers as a judge: the likelihood of "yes" against that of "no" as the next word."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builders.errors import EvaluationError
from eval_harness.systems.judges.base import Pair

QUESTION = (
    "What is heard in a recording:\n\n{text}\n\nA search for recordings asks for:\n\n{query}\n\nDoes the recording fit what is "
    "asked for? Answer yes or no."
)
_PLAIN = "{question}\nAnswer:"
"""What a model without a chat template reads."""
_ANSWERS = {"yes": (" yes", " Yes", "yes", "Yes"), "no": (" no", " No", "no", "No")}
"""How the two answers may begin; those that are one token count, together."""


class CausalJudge:
    """A language model asked about one pair at a time.

    P(yes) = softmax over the two answers of the log-likelihood of the token that follows the question; each answer's is that of
    all its spellings together (" yes", " Yes", ...). Where the tokenizer has a chat template, the question is a user's message,
    without thinking; else plain text that ends with "Answer:". A batch is padded on the left to its longest question.
    """

    def __init__(self, model: Any, tokenizer: Any, name: str, weights: str) -> None:
        """
        Args:
            model: a `PreTrainedModel` for causal language modelling, on its device.
            tokenizer: its tokenizer.
            name: of the judge.
            weights: a commit, or a hash of the model's files.

        Raises:
            EvaluationError: the tokenizer has no single token for one of the answers.
        """
        self.name = name
        self._model = model.eval()
        self._tokenizer = tokenizer
        self._chat = bool(getattr(tokenizer, "chat_template", None))
        self._answers = [_tokens(tokenizer, name, answer) for answer in _ANSWERS]
        self.revision = revision_of(weights, str(model.dtype).removeprefix("torch."))
        known = inspect.signature(model.forward).parameters
        self._last_only = {"logits_to_keep": 1} if "logits_to_keep" in known else {}
        self._positions = "position_ids" in known

    def judge(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        """As `Judge.judge`. Raises EvaluationError where a question is longer than the model can read."""
        import torch

        asked = [self._ids(query, text) for query, text in pairs]
        longest = max(map(len, asked), default=0)
        most = getattr(self._model.config, "max_position_embeddings", None) or longest
        if longest > most:
            raise EvaluationError(
                f"judge {self.name}: it reads {most} tokens at most, and a question has {longest}; take another"
            )
        ids = torch.zeros((len(asked), longest), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, tokens in enumerate(asked):
            ids[row, longest - len(tokens) :] = torch.tensor(tokens)
            mask[row, longest - len(tokens) :] = 1
        given = {"input_ids": ids, "attention_mask": mask}
        if self._positions:  # else a model with absolute positions would count the padding
            given["position_ids"] = (mask.cumsum(1) - 1).clamp(min=0)
        with torch.inference_mode():
            out = self._model(
                **{name: values.to(self._model.device) for name, values in given.items()}, **self._last_only, use_cache=False
            )
            likely = out.logits[:, -1, :].double().log_softmax(-1)
            both = torch.stack([likely[:, tokens].logsumexp(-1) for tokens in self._answers])
            return np.asarray(both.softmax(0)[0].cpu().numpy(), dtype=np.float64)

    def _ids(self, query: str, text: str) -> list[int]:
        question = QUESTION.format(text=text, query=query)
        if self._chat:
            said = self._tokenizer.apply_chat_template(
                [{"role": "user", "content": question}], tokenize=False, add_generation_prompt=True, enable_thinking=False
            )
            return list(self._tokenizer(said, add_special_tokens=False)["input_ids"])
        found = list(self._tokenizer(_PLAIN.format(question=question))["input_ids"])
        special = set(self._tokenizer.all_special_ids)
        while found and found[-1] in special:  # an end of text, which some tokenizers add
            found.pop()
        return found


def revision_of(weights: str, dtype: str) -> str:
    """What judgements depend on: weights, number format, and the words that are asked with; 40 hex digits."""
    asked = "\n".join((QUESTION, _PLAIN, repr(_ANSWERS)))
    return hashlib.sha256(f"{weights}\n{dtype}\n{asked}".encode()).hexdigest()[:40]


def open_causal(spec: str, device: str | None = None, dtype: str | None = None) -> CausalJudge:
    """A judge of a model in a folder, or of one on the Hub.

    Args:
        spec: a folder that `save_pretrained` wrote, or ORG/NAME.
        device: as torch names it; None is the first GPU, else the CPU.
        dtype: "float32", "float16" or "bfloat16"; None is float32 on the CPU, elsewhere the checkpoint's.

    Raises:
        EvaluationError: there is no such model, it is no causal language model, or its tokenizer lacks the answers.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = Path(spec).expanduser()
    local = folder.is_dir()
    if local and not (folder / "config.json").is_file():
        raise EvaluationError(f"judge:{spec}: no language model: the folder holds no config.json")
    if not local and (spec.count("/") != 1 or spec.startswith((".", "/", "~"))):
        raise EvaluationError(f"judge:{spec}: there is no such folder, and it is no name ORG/NAME on the Hub")
    place = device or ("cuda" if torch.cuda.is_available() else "cpu")
    where = str(folder) if local else spec
    try:
        tokenizer = AutoTokenizer.from_pretrained(where, local_files_only=local)
        chosen = dtype or ("float32" if place.startswith("cpu") else "auto")
        opened: Any = AutoModelForCausalLM.from_pretrained(where, local_files_only=local, dtype=chosen, output_loading_info=True)
        model, loaded = opened
    except Exception as error:  # a damaged folder, the Hub and the network each have their own
        first = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
        raise EvaluationError(f"judge:{spec} cannot be loaded ({type(error).__name__}: {first})") from error
    made_up = sorted(loaded["missing_keys"])
    if made_up:
        raise EvaluationError(
            f"judge:{spec}: its files have no weights for {made_up[0]} ({len(made_up)} are missing), so it was not trained to "
            "predict words; give a causal language model"
        )
    from eval_harness.models import folder_revision

    weights = folder_revision(folder) if local else str(getattr(model.config, "_commit_hash", None) or "unknown")
    name = folder.resolve().name if local else spec.partition("/")[2]
    return CausalJudge(model.to(place), tokenizer, name, weights)


def _tokens(tokenizer: Any, name: str, answer: str) -> list[int]:
    """The tokens that begin an answer."""
    unknown = {tokenizer.unk_token_id, *tokenizer.all_special_ids}
    encoded = [tokenizer(said, add_special_tokens=False)["input_ids"] for said in _ANSWERS[answer]]
    found = sorted({ids[0] for ids in encoded if len(ids) == 1 and ids[0] not in unknown})
    if not found:
        raise EvaluationError(
            f"judge {name}: its tokenizer has no single token for {' or '.join(map(repr, _ANSWERS[answer]))}, so that its answer "
            "cannot be read; give another model"
        )
    return found
