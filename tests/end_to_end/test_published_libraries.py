"""From FSD50K and ESC-50 in miniature to corpora that pass the check: the command as people run it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from builders.dataset_folder import DatasetFolder
from builders.sounds.screening import prepare
from builders.sounds.sources import open_source
from eval_harness.cli import app
from tests.sounds.made_libraries import BY, CC0, MIRROR, RATE, Clip, EscClip, esc50, fsd50k

SUSTAINED = ("Applause", "Bus", "Cricket", "Drill", "Siren", "Stream", "Train", "Wind")
SHORT = (
    *("Church_bell", "Cough", "Crow", "Drip", "Electric_guitar", "Fireworks", "Frog", "Hi-hat"),
    *("Knock", "Meow", "Piano", "Sneeze", "Bark", "Chink_and_clink"),
)
ESC_SUSTAINED = ("chainsaw", "crackling_fire", "crickets", "engine", "helicopter", "rain", "siren", "vacuum_cleaner", "insects")
ESC_SHORT = (
    *("dog", "rooster", "pig", "cow", "frog", "cat", "sheep", "crow", "sneezing", "coughing", "glass_breaking", "car_horn"),
    *("door_wood_knock", "mouse_click", "church_bells"),
)


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return str(result.output)


def build(out: Path, sounds: str, *options: object) -> DatasetFolder:
    run("build", out, "--preset", "smoke", "--sample-rate", RATE, "--sounds", sounds, "--quiet", *options)
    assert "is sound" in run("check", out)
    return DatasetFolder.open(out)


@pytest.fixture(scope="module")
def clips() -> list[Clip]:
    """Four usable clips of each of 22 sounds in both parts, and some that the rules leave out."""
    found = []
    for number, label in enumerate((*SUSTAINED, *SHORT)):
        for take in range(4):
            seconds = 2.5 + 0.2 * take if label in SUSTAINED else 0.8 + 0.2 * take
            side = ("train", "val", "eval", "eval")[take]
            license = (CC0, BY)[take % 2]
            name = str(1000 + 10 * number + take)
            found.append(Clip(name, (label,), side, seconds=seconds, license=license, uploader=f"person {name}"))
        found.append(Clip(str(1009 + 10 * number), (label, "Thunder")))
    return found


def test_fsd50k(clips: list[Clip], tmp_path: Path) -> None:
    root = fsd50k(tmp_path / "FSD50K", clips)
    folder = build(tmp_path / "out", f"fsd50k:{root}")
    with (folder.path / "ATTRIBUTION.csv").open(encoding="utf-8") as file:
        rows = {row["id"]: row for row in csv.DictReader(file)}
    by_id = {f"{clip.part}/{clip.id}.wav": clip for clip in clips}
    assert rows
    for name, row in rows.items():
        clip = by_id[name]
        assert clip.labels == (row["label"].replace(" ", "_"),)
        assert row["license"] == clip.license
        assert row["attribution"] == f"a title by {clip.uploader}, freesound.org/s/{clip.id}"
    text = (folder.path / "README.md").read_text(encoding="utf-8")
    assert yaml.safe_load(text.split("---")[1])["license"] == "cc-by-3.0"
    for asked in ("; labels leaf", "; part dev+eval", "; votes predominant"):
        assert asked in " ".join(text.split())
    assert str(tmp_path) not in text
    mirrored = fsd50k(tmp_path / "mirror", clips, MIRROR)
    assert prepare(open_source(f"fsd50k:{mirrored}"), folder.recipe).digest == folder.library_digest


def test_esc50(tmp_path: Path) -> None:
    names = [(category, take) for category in (*ESC_SUSTAINED, *ESC_SHORT) for take in "ABC"]
    root = esc50(
        tmp_path / "ESC-50",
        [
            EscClip(
                f"1-{1000 + n // 3}-{take}-{n // 3}.wav",
                category,
                esc10=category in ("dog", "rain"),
                seconds=2.5 if category in ESC_SUSTAINED else 1.1 + 0.2 * (n % 3),
            )
            for n, (category, take) in enumerate(names)
        ],
    )
    folder = build(tmp_path / "out", f"esc50:{root}", "--queries-per-task", 2)
    recordings = [recording for sound in folder.sounds.values() for recording in sound.recordings]
    assert {recording.license for recording in recordings} <= {"CC-BY-3.0", "CC-BY-NC-3.0"}
    assert all(recording.attribution.startswith("ESC-50 (K. J. Piczak, 2015), from freesound.org/s/") for recording in recordings)
    text = (folder.path / "README.md").read_text(encoding="utf-8")
    assert yaml.safe_load(text.split("---")[1])["license"] == "cc-by-nc-3.0"


@pytest.mark.parametrize(
    ("sounds", "options", "said"),
    [
        ("fsd50k:{}", (), "fsd50k: {} holds no folder FSD50K.dev_audio, FSD50K.eval_audio, clips/dev or clips/eval"),
        ("esc50:{}", (), "esc50: {}: meta/esc50.csv is missing"),
        ("esc50", (), "what it is to read is missing; write 'esc50:PATH'"),
        ("fsd50k:{}", ("-o", "labels=all"), "source option labels: 'all' is none of leaf, single, any"),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, sounds: str, options: tuple[str, ...], said: str) -> None:
    arguments = ["build", str(tmp_path / "out"), "--preset", "smoke", "--sounds", sounds.format(tmp_path), "--quiet", *options]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    assert said.format(tmp_path) in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
