"""The folder that a trained baseline is: what is in it, written and read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from builders import layout
from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.files import write_whole
from builders.output import package_versions
from eval_harness.data import Data
from eval_harness.systems.baseline.mel import MelSettings
from eval_harness.systems.baseline.model import DualEncoder, ModelSettings, parameters

RECORD = "reasonaudio_baseline.json"
WEIGHTS = "model.safetensors"
CARD = "README.md"
FORMAT = 1
_PACKAGES = ("reasonaudio", "torch", "transformers", "numpy", "mteb")


@dataclass(frozen=True)
class Baseline:
    """A trained baseline as it was saved.

    Attributes:
        path: its folder.
        model: in evaluation mode, on the CPU.
        mel: how its spectrograms are made.
        record: the whole of reasonaudio_baseline.json.
        revision: the first 16 hex digits of the SHA-256 of the weights' file.
    """

    path: Path
    model: DualEncoder
    mel: MelSettings
    record: Mapping[str, Any]
    revision: str


def is_baseline(path: Path | str) -> bool:
    """Whether `path` is the folder of a baseline that has been trained to its end."""
    return (Path(path) / RECORD).is_file()


def described(data: Data) -> dict[str, Any]:
    """What a model's record says of a dataset: enough to know later what it has heard."""
    library = json.loads((data.folder.path / layout.RECIPE).read_bytes())["library"]
    return {
        "content_hash": data.content_hash,
        "recipe_hash": data.folder.recipe_hash,
        "library": data.folder.library_name,
        "split": library.get("selection", {}).get("split", "unknown"),
        "queries": len(data.folder.queries),
        "clips": len(data.folder.clips),
        "recordings": {label: [one.id for one in used.recordings] for label, used in data.folder.sounds.items()},
    }


def leakage(record: Mapping[str, Any], folder: DatasetFolder) -> str:
    """What an evaluation on `folder` has to be told: that the model was trained on the same recordings. "" if it was not.

    Recordings are the same if they have the same label and id.
    """
    trained = {(label, one) for label, ids in record["training"]["dataset"]["recordings"].items() for one in ids}
    heard = {(label, one.id) for label, used in folder.sounds.items() for one in used.recordings}
    shared = len(trained & heard)
    if not shared:
        return ""
    return (
        f"{shared} of the {len(heard)} recordings of {folder.path} were also heard in training (split "
        f"{record['training']['dataset']['split']!r}), so its scores say little about new sounds; "
        "`reasonaudio build --split test` makes a corpus of others"
    )


def save(out: Path, model: DualEncoder, mel: MelSettings, text_encoder: Mapping[str, Any], training: Mapping[str, Any]) -> None:
    """Writes a baseline's folder; its record comes last, so that an unfinished one is none. Raises OSError."""
    from safetensors.torch import save as to_bytes

    record = {
        "format": FORMAT,
        "model": asdict(model.settings),
        "mel": asdict(mel),
        "text_encoder": dict(text_encoder),
        "trainable_parameters": parameters(model),
        "training": dict(training),
        "versions": versions(),
    }
    state = {name: value.detach().cpu().contiguous() for name, value in model.state_dict().items()}
    write_whole(out / WEIGHTS, to_bytes(state))
    write_whole(out / CARD, _card(record).encode())
    write_whole(out / RECORD, (json.dumps(record, indent=1, ensure_ascii=False) + "\n").encode())


def read_record(path: Path | str) -> dict[str, Any]:
    """The record of a baseline. Raises EvaluationError."""
    file = Path(path) / RECORD
    try:
        record = json.loads(file.read_bytes())
        found = record["format"]
        _ = record["training"]["dataset"]["recordings"], record["model"], record["mel"], record["text_encoder"]
    except FileNotFoundError:
        raise EvaluationError(f"{path} is no baseline: it holds no {RECORD}; `reasonaudio train-baseline` makes one") from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise EvaluationError(f"{file} is damaged ({type(error).__name__}: {error}); train the baseline again") from None
    if found != FORMAT:
        raise EvaluationError(f"{file}: format {found!r} is not known here, only {FORMAT}; use the version that made it")
    return dict(record)


def read(path: Path | str) -> Baseline:
    """A baseline that was saved.

    Raises:
        EvaluationError: the folder is none, or it is damaged.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load

    path = Path(path)
    record = read_record(path)
    try:
        content = (path / WEIGHTS).read_bytes()
        sizes = {**record["model"], "channels": tuple(record["model"]["channels"])}
        model = DualEncoder(ModelSettings(**sizes))
        model.load_state_dict(load(content))
        mel = MelSettings(**record["mel"])
    except FileNotFoundError:
        raise EvaluationError(f"{path / WEIGHTS} is missing; train the baseline again") from None
    except (OSError, SafetensorError, RuntimeError, TypeError, KeyError) as error:
        first = str(error).strip().partition("\n")[0]
        raise EvaluationError(f"{path} is damaged ({type(error).__name__}: {first}); train the baseline again") from None
    return Baseline(path, model.eval(), mel, record, hashlib.sha256(content).hexdigest()[:16])


def versions() -> dict[str, str]:
    """The packages that a training depends on."""
    return {"threads": str(torch.get_num_threads()), **package_versions(_PACKAGES)}


def _card(record: Mapping[str, Any]) -> str:
    training, data = record["training"], record["training"]["dataset"]
    foils = "with" if training["settings"]["hard_negatives"] else "without"
    encoder = record["text_encoder"]
    return f"""# A ReasonAudio baseline

A small dual encoder for text-to-audio retrieval, trained with a contrastive loss {foils} each set's foils as hard negatives.
It is a baseline of the ReasonAudio benchmark, not a model for other uses: it knows the sounds of one library and sentences of
one kind.

| | |
| --- | --- |
| trainable parameters | {record["trainable_parameters"]:,} |
| text encoder, frozen | {Path(encoder["name"]).name}, SHA-256 of its weights {encoder["fingerprint"][:16]} |
| trained on | {data["clips"]:,} clips and {data["queries"]:,} queries, content {data["content_hash"][:16]} |
| sounds | {data["library"]}: {len(data["recordings"])} sounds, split {data["split"]} |
| steps, epochs | {training["steps"]:,}, {training["epochs"]} |
| minutes | {training["seconds"] / 60:.1f} |
| last loss | {training["loss"][-1]:.3f} |
| epoch kept | {_kept(training)} |

`{RECORD}` holds all settings, the loss and the validation of every epoch, and the recordings that were heard. In Python:

```python
from eval_harness.systems.baseline.encoder import load_baseline

model = load_baseline("this folder")  # an encoder of mteb
```

Evaluate it on a corpus of other recordings (`reasonaudio build OUT --split test`): what it was trained on, it has heard.
"""


def _kept(training: Mapping[str, Any]) -> str:
    if not training["validation"]:
        return f"{training['kept']}, the last"
    found = training["validation"][training["kept"] - 1]
    return (
        f"{training['kept']}, of the highest mean reciprocal rank on a validation corpus ({found['reciprocal_rank']:.3f}; "
        f"inside sets {found['inside_sets']:.1%} were right)"
    )
