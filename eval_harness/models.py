"""What `-m` names: a model of mteb, a local folder, a system made here, or a pipeline; found first, loaded when it is needed."""

from __future__ import annotations

import difflib
import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from builders.errors import EvaluationError, ReasonAudioError
from builders.files import read_object
from eval_harness.data import Data

DTYPES = ("float32", "float16", "bfloat16")
_DTYPE_NAMES = ("torch_dtype", "dtype")
"""What loaders call it."""


@dataclass(frozen=True)
class Place:
    """Where and with what a model is run.

    Attributes:
        device: "cpu", "cuda", "cuda:1", ...; None leaves the choice to the model.
        dtype: one of `DTYPES`; None is the loader's own.
        store: folder for what pipelines keep of their descriptions.
        tagger: the tagger's model file, for pipelines that use it.
        ontology: AudioSet's ontology.json, likewise.
        judgements: folder for what judges have judged.
        audio: whether it will be given clips; if not, text alone.
        text: whether it will be given text in the clips' place.
    """

    device: str | None = None
    dtype: str | None = None
    store: Path = Path("descriptions")
    tagger: Path | None = None
    ontology: Path | None = None
    judgements: Path = Path("judgements")
    audio: bool = True
    text: bool = False


@dataclass(frozen=True)
class Found:
    """A model that exists but is not loaded yet.

    Attributes:
        name: as it was asked for.
        meta: mteb's `ModelMeta`, if it can be told before loading.
        load: loads it; raises EvaluationError.
        needs: what must work for that, as `doctor.require` names it.
        scope: which clips are searched where nothing else is said.
    """

    name: str
    load: Callable[[], Any] = field(repr=False)
    meta: Any = None
    needs: tuple[str, ...] = ()
    scope: str = "task"


_LIBRARIES = ("sentence-transformers", "mteb")
MINILM = "minilm"
"""As in pipelines: all-MiniLM-L6-v2 from its package."""


def find(model: Any, data: Data, place: Place) -> Found:
    """The model that is meant.

    Args:
        model: a name, a path, or an object that mteb can evaluate.
        data: the dataset that it will run on.
        place: how it is run.

    Raises:
        EvaluationError: there is no such model, or it cannot take what it will be given, or not the dtype.
    """
    from eval_harness.systems.judges.specs import find_judge, is_judge

    if is_judge(model):
        return find_judge(model, place)
    if not isinstance(model, str | Path):
        return _object(model, place)
    name = str(model)
    from eval_harness.systems.pipelines.specs import LOGIC, is_pipeline, open_pipeline, split_spec

    if is_pipeline(name):
        if place.text:
            second = split_spec(name)[1]
            raise EvaluationError(
                f"{name} is a pipeline, which describes clips, and probes in text have none; give a text encoder alone: "
                f"-m {MINILM if second == LOGIC else second}"
            )
        _no_dtype(place, name, "pipelines")
        opened = partial(
            open_pipeline, name, data=data, device=place.device, store=place.store, tagger=place.tagger, ontology=place.ontology
        )
        return Found(name, guarded(name, opened), needs=_LIBRARIES)
    path = Path(name).expanduser()
    if path.is_dir():
        return _folder(name, path, place)
    if name in ("human", "reasonaudio/human"):
        raise EvaluationError(f"{name}: name the files of their answers too: -m human:FILE,FILE")
    if name == MINILM:
        return _minilm(place)
    if path.exists():
        raise EvaluationError(f"{name} is a file; give the folder of a model, or the name of one")
    return _named(name, place)


def check_modalities(meta: Any, audio: bool = True, name: str = "") -> None:
    """Refuses a model that does not take text, or not `audio` where it will be given some.

    Args:
        meta: mteb's record of the model.
        audio: whether it will be given clips.
        name: what it was asked for as; its own name if not given.

    Raises:
        EvaluationError: with what takes a text model.
    """
    modalities = set(meta.modalities or ())
    name = name or meta.name
    if audio and modalities and "audio" not in modalities:
        raise EvaluationError(
            f"{name} takes {' and '.join(sorted(modalities))}, no audio; it runs as the second stage of a pipeline: "
            f"-m yamnet+{name} (a tagger's captions), -m perfect+{name} (perfect ones), -m captions.csv+{name}; or alone on the "
            "probes in text: -t ReasonAudioText"
        )
    if modalities and "text" not in modalities:
        raise EvaluationError(f"{meta.name} takes {' and '.join(sorted(modalities))}, no text; it cannot read the queries")
    if "cross-encoder" in (meta.model_type or ()):
        raise EvaluationError(
            f"{meta.name} is a cross-encoder, which scores pairs one by one, {200 * 2000:,} for a task; only models that embed "
            "are run"
        )


# --- by name ----------------------------------------------------------------------------------------------------------


def _named(name: str, place: Place) -> Found:
    import mteb

    from eval_harness import registry

    if name in registry.model_names():
        meta = mteb.get_model_meta(name)
        check_modalities(meta, place.audio)
        dtype = _dtype(place, meta)
        recorded = meta.model_copy(update={"experiment_kwargs": {**(meta.experiment_kwargs or {}), **dtype} or None})
        ours = name.startswith("reasonaudio/")
        needs = () if ours else (*_LIBRARIES, "mteb-audio") if place.audio else _LIBRARIES
        return Found(name, guarded(name, lambda: meta.load_model(device=place.device, **dtype)), recorded, needs)
    close = difflib.get_close_matches(name, registry.model_names(), n=3, cutoff=0.5)
    hint = f"; close are {', '.join(close)}" if close else ""
    if name.count("/") != 1:
        raise EvaluationError(f"no model {name!r}: no folder is there, and mteb knows no such name{hint}")

    def load() -> Any:
        from mteb.models.model_meta import ModelMeta

        _ask_hub(name, hint)
        meta = ModelMeta.from_hub(name)
        if meta.loader is None:
            raise EvaluationError(
                f"{name}: mteb cannot tell how this model is loaded; run it from Python: eval_harness.run(model)"
            )
        check_modalities(meta, place.audio)
        return meta.load_model(device=place.device, **_dtype(place, meta))

    return Found(name, guarded(name, load))


def _ask_hub(name: str, hint: str) -> None:
    """Raises EvaluationError if the Hub has no such model, or cannot be asked and it was not downloaded before."""
    from huggingface_hub import HfApi, try_to_load_from_cache
    from huggingface_hub.errors import RepositoryNotFoundError

    if isinstance(try_to_load_from_cache(name, "config.json"), str):
        return
    try:
        HfApi().model_info(name)
    except RepositoryNotFoundError:
        raise EvaluationError(
            f"no model {name!r}: mteb does not know it, no folder is there, and the Hub has none{hint}"
        ) from None
    except Exception as error:  # no network, offline mode, no access: whatever the Hub's client raises
        raise EvaluationError(
            f"no model {name!r}: mteb does not know it, no folder is there, and the Hub cannot be asked "
            f"({type(error).__name__}){hint}"
        ) from error


def guarded(name: str, load: Callable[[], Any]) -> Callable[[], Any]:
    """`load`, whose errors are one line. A model's code may raise anything."""

    def loaded() -> Any:
        try:
            return load()
        except ReasonAudioError:
            raise
        except Exception as error:
            lines = [line.strip() for line in str(error).splitlines() if line.strip()]
            said = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
            raise EvaluationError(f"{name} cannot be loaded ({said}); `reasonaudio doctor` says what is broken here") from error

    return loaded


def _dtype(place: Place, meta: Any) -> dict[str, Any]:
    """The keyword that hands the dtype to the loader; mteb records it among the experiment's."""
    if place.dtype is None:
        return {}
    loader = meta.loader.func if isinstance(meta.loader, partial) else meta.loader
    known = inspect.signature(loader).parameters
    for name in _DTYPE_NAMES:
        if name in known:
            return {name: place.dtype}
    raise EvaluationError(
        f"--dtype {place.dtype}: {meta.name} is loaded by {getattr(loader, '__name__', loader)}, which takes no dtype; "
        "leave it out"
    )


def _no_dtype(place: Place, name: str, what: str) -> None:
    if place.dtype is not None:
        raise EvaluationError(
            f"--dtype {place.dtype}: {name} is loaded by ReasonAudio's own loader of {what}, which takes no dtype"
        )


# --- from a folder ----------------------------------------------------------------------------------------------------


def _minilm(place: Place) -> Found:
    """all-MiniLM-L6-v2 from its package, for text alone."""
    from mteb.models.model_meta import ModelMeta

    from eval_harness.systems.pipelines.encoders import open_encoder

    asked = ModelMeta.create_empty({"name": MINILM, "modalities": ["text"]})
    check_modalities(asked, place.audio)
    _no_dtype(place, MINILM, "its package")

    def load() -> Any:
        encoder = open_encoder(MINILM, place.device)
        name = {"name": f"local/{encoder.name}", "revision": encoder.revision[:16]}
        encoder.model.mteb_model_meta = encoder.model.mteb_model_meta.model_copy(update=name)
        return encoder.model

    return Found(MINILM, guarded(MINILM, load), needs=_LIBRARIES)


def _folder(name: str, path: Path, place: Place) -> Found:
    from eval_harness.systems.baseline.saved import is_baseline

    if is_baseline(path):
        _no_dtype(place, name, "baselines")

        def load() -> Any:
            from eval_harness.systems.baseline.encoder import load_baseline

            return load_baseline(path, device=place.device)

        return Found(name, guarded(name, load), needs=_LIBRARIES)
    meta = _folder_meta(name, path)
    return Found(name, guarded(name, lambda: _load_folder(path, meta, place)), meta, _LIBRARIES)


def _folder_meta(name: str, path: Path) -> Any:
    """mteb's record of a model in a folder: named after it, its revision the content of its files."""
    from mteb.models.model_meta import ModelMeta

    fields = {"name": f"local/{path.resolve().name}", "revision": folder_revision(path)}
    if (path / "modules.json").is_file():
        from mteb.models.sentence_transformer_wrapper import SentenceTransformerEncoderWrapper

        return ModelMeta.create_empty(
            {**fields, "loader": SentenceTransformerEncoderWrapper, "framework": ["Sentence Transformers"]}
        )
    if (read_object(path / "config.json") or {}).get("model_type") == "clap":
        from mteb.models.model_implementations.clap_models import ClapZeroShotWrapper

        more = {"loader": ClapZeroShotWrapper, "framework": ["PyTorch"], "modalities": ["text", "audio"]}
        return ModelMeta.create_empty({**fields, **more})
    raise EvaluationError(
        f"{name}: not a model that is known here: neither modules.json (sentence-transformers), nor config.json of a CLAP, nor a "
        "baseline of `reasonaudio train-baseline`; other models run from Python: eval_harness.run(model)"
    )


def _load_folder(path: Path, meta: Any, place: Place) -> Any:
    from mteb.models.sentence_transformer_wrapper import SentenceTransformerEncoderWrapper

    if meta.loader is SentenceTransformerEncoderWrapper:
        from sentence_transformers import SentenceTransformer

        _dtype(place, meta)
        model = SentenceTransformerEncoderWrapper(SentenceTransformer(str(path), device=place.device))
        found = model.mteb_model_meta.model_copy(update={"name": meta.name, "revision": meta.revision})
        model.mteb_model_meta = found
    else:
        loaded = meta.loader(str(path), revision=None, device=place.device, **_dtype(place, meta))
        loaded.mteb_model_meta = meta
        model = loaded
    check_modalities(model.mteb_model_meta, place.audio, str(path))
    return model


def folder_revision(path: Path) -> str:
    """The first 16 hex digits of a SHA-256 of the names and contents of a folder's files."""
    hashed = hashlib.sha256()
    for file in sorted(file for file in path.rglob("*") if file.is_file() and not file.name.startswith(".")):
        hashed.update(f"{file.relative_to(path)}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as opened:
            while block := opened.read(1 << 20):
                hashed.update(block)
    return hashed.hexdigest()[:16]


# --- objects ----------------------------------------------------------------------------------------------------------


def _object(model: Any, place: Place) -> Found:
    if place.dtype is not None:
        raise EvaluationError("dtype: the model is loaded already; load it with the dtype you want")
    if isinstance(model, type):
        raise EvaluationError(f"{model.__name__} is a class; give an object of it: {model.__name__}(...)")
    if not hasattr(model, "mteb_model_meta"):
        from sentence_transformers import SentenceTransformer

        if not isinstance(model, SentenceTransformer):
            raise EvaluationError(
                f"{type(model).__name__} is no model that mteb can evaluate: it has no mteb_model_meta; derive it from "
                "mteb.models.abs_encoder.AbsEncoder and give it one with a name, a revision and modalities text and audio"
            )
        from mteb.models.sentence_transformer_wrapper import SentenceTransformerEncoderWrapper

        model = SentenceTransformerEncoderWrapper(model)
    meta = model.mteb_model_meta
    if not meta.name or meta.name == "no_model_name/available":
        raise EvaluationError(
            f"{type(model).__name__}: its mteb_model_meta has no name; results are kept by name, so give it one"
        )
    check_modalities(meta, place.audio)
    return Found(meta.name, lambda: model, meta)
