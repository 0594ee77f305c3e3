"""A corpus of the sounds of a dataset in the Hub's layout, from the command line to a check of every rule."""

from __future__ import annotations

import csv
import io
import os
import re
from pathlib import Path

import numpy as np
import pytest
import soundfile
import yaml
from scipy.signal import butter, sosfilt
from typer.testing import CliRunner

from eval_harness.cli import app
from tests.sounds.made_dataset import RATE, dataset, in_hub_layout

datasets = pytest.importorskip("datasets")

SUSTAINED = (
    *("rain", "wind", "applause", "washing_machine", "vacuum_cleaner", "siren", "train", "helicopter"),
    *("airplane", "chainsaw", "drill", "motorcycle", "electric_sparking", "3d_printer", "drum_roll", "crickets"),
)
SHORT = ("dog_bark", "cow_moo", "sneeze", "door_wood_knock", "mouse_click", "piano", "cat_meow", "violin")
TAKES = 6


def recording(label: int, take: int, sustained: bool) -> bytes:
    """Noise in a band of its own for each label."""
    rng = np.random.default_rng([label, take])
    samples = rng.standard_normal(int(RATE * (rng.uniform(3, 4) if sustained else rng.uniform(0.7, 1.6))))
    low = 150 * 1.15**label
    samples = sosfilt(butter(2, [low, 1.5 * low], "bandpass", fs=RATE, output="sos"), samples)
    file = io.BytesIO()
    soundfile.write(file, 0.3 * samples / np.abs(samples).max(), RATE, format=("WAV", "FLAC", "OGG")[take % 3])
    return file.getvalue()


@pytest.fixture(scope="module")
def sounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """24 sounds, 16 of them sustained, with 6 recordings each: four on the split `train`, two on `test`."""
    labels = (*SUSTAINED, *SHORT)
    splits = {}
    for split, takes in (("train", range(4)), ("test", range(4, TAKES))):
        rows = [(label, take) for label in range(len(labels)) for take in takes]
        splits[split] = dataset(
            {
                "audio": [
                    {"bytes": recording(label, take, label < len(SUSTAINED)), "path": f"{label} {take}.audio"}
                    for label, take in rows
                ],
                "category": [label for label, _ in rows],
                "uploader": [f"person {label % 3} {take}" for label, take in rows],
            },
            category=datasets.ClassLabel(names=list(labels)),
        )
    return in_hub_layout(tmp_path_factory.mktemp("hub") / "made-sounds", splits, "license: cc-by-4.0")


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output
    return str(result.output)


def test_a_corpus_of_one_side_is_sound(sounds: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("build", out, "--preset", "smoke", "--sample-rate", RATE, "--sounds", f"hub:{sounds}", "--split", "train", "--quiet")
    assert "is sound" in run("check", out)
    with (out / "ATTRIBUTION.csv").open(encoding="utf-8") as file:
        used = list(csv.DictReader(file))
    assert {row["id"].split("/")[0] for row in used} == {"train"}
    assert {row["license"] for row in used} == {"cc-by-4.0"}
    assert all(re.fullmatch(r"made-sounds, train/(\d+) \d\.audio, by person \d \d", row["attribution"]) for row in used)
    card = (out / "README.md").read_text(encoding="utf-8")
    assert yaml.safe_load(card.split("---")[1])["license"] == "cc-by-4.0"
    assert "made-sounds" in card
    assert not [path.name for path in out.rglob("*") if path.is_file() and os.fsencode(sounds.parent) in path.read_bytes()]


def test_what_is_wrong_is_one_line(sounds: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["build", str(tmp_path / "out"), "--sounds", f"hub:{sounds}", "-o", "label=kind"])
    assert result.exit_code == 1
    assert "option label: there is no column 'kind'; its columns are audio (Audio), category (ClassLabel)" in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
