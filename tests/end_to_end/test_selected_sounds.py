"""Corpora of selected recordings: by licence, by side of a split, and without what is overheard."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
import soundfile
import yaml
from scipy.signal import butter, sosfilt
from typer.testing import CliRunner

from builders.dataset_folder import DatasetFolder, content_hash
from builders.logic import labels_of
from builders.sounds.excluded import Exclusions, write_exclusions
from eval_harness.cli import app

RATE = 16_000
LICENSES = ("http://creativecommons.org/publicdomain/zero/1.0/", "CC BY 3.0", "Attribution-NonCommercial 4.0", "CC BY-ND 4.0", "")


def run(*arguments: object, code: int = 0) -> str:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return str(result.output)


@pytest.fixture(scope="module")
def sounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """24 sounds, 16 of them sustained, with 10 recordings by 5 people each; bands of noise."""
    folder = tmp_path_factory.mktemp("sounds")
    rows = []
    for n in range(24):
        sustained = n < 16
        for take in range(10):
            rng = np.random.default_rng([n, take])
            samples = rng.standard_normal(int(RATE * (rng.uniform(3, 4) if sustained else rng.uniform(0.7, 1.6))))
            low = 150 * 1.15**n
            samples = sosfilt(butter(2, [low, 1.5 * low], "bandpass", fs=RATE, output="sos"), samples)
            name = f"{n:02} {take}.wav"
            soundfile.write(folder / name, 0.3 * samples / np.abs(samples).max(), RATE)
            rows.append((name, f"thing {n:02}", LICENSES[take % 5], f"person {n % 3} {take % 5}", str(sustained)))
    with (folder / "manifest.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("file", "label", "license", "uploader", "sustained"), *rows])
    return folder


def build(out: Path, sounds: Path, *options: object) -> DatasetFolder:
    run("build", out, "--preset", "smoke", "--sample-rate", RATE, "--sounds", f"folder:{sounds}", "--quiet", *options)
    assert "is sound" in run("check", out)
    return DatasetFolder.open(out)


def used(folder: DatasetFolder) -> list[str]:
    with (folder.path / "ATTRIBUTION.csv").open(encoding="utf-8") as file:
        return [row["id"] for row in csv.DictReader(file)]


def test_only_the_licences_asked_for_and_the_most_restrictive_on_the_card(sounds: Path, tmp_path: Path) -> None:
    folder = build(tmp_path / "out", sounds, "--licenses", "cc0,cc-by,cc-by-nc")
    text = (folder.path / "README.md").read_text(encoding="utf-8")
    assert yaml.safe_load(text.split("---")[1])["license"] == "cc-by-nc-4.0"
    assert "licenses cc0,cc-by,cc-by-nc; max recordings 20; split none: all recordings" in " ".join(text.split())
    assert {int(name[3]) % 5 for name in used(folder)} == {0, 1, 2}
    assert "| CC0-1.0 |" in text
    assert "Nobody listened for further sounds" in text
    heard = {event.recording for clip in folder.clips.values() for event in clip.timeline}
    assert set(used(folder)) == heard


def test_what_forbids_derivatives_is_never_used(sounds: Path, tmp_path: Path) -> None:
    folder = build(tmp_path / "out", sounds)
    assert {int(name[3]) % 5 for name in used(folder)} == {0, 1, 2, 4}
    assert yaml.safe_load((folder.path / "README.md").read_text(encoding="utf-8").split("---")[1])["license"] == "other"


def test_corpora_of_two_sides_share_no_person(sounds: Path, tmp_path: Path) -> None:
    sides = {side: build(tmp_path / side, sounds, "--split", side) for side in ("train", "test")}
    with (sounds / "manifest.csv").open(encoding="utf-8") as file:
        person = {row["file"]: row["uploader"] for row in csv.DictReader(file)}
    people = {side: {person[name] for name in used(folder)} for side, folder in sides.items()}
    assert all(people.values())
    assert not people["train"] & people["test"]
    assert (
        json.loads((sides["train"].path / "recipe.json").read_text(encoding="utf-8"))["library"]["selection"]["split"] == "train"
    )


def test_what_is_overheard_stays_out_of_sets_that_name_it(sounds: Path, tmp_path: Path) -> None:
    heard = {f"{n:02} {take}.wav": f"thing {(n + take) % 24:02}" for n in range(24) for take in range(1, 10)}
    with (tmp_path / "heard.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["recording", "label", "other", "seconds", "heard_as"])
        writer.writerows([name, f"thing {name[:2]}", other, "1.5", "Bird"] for name, other in heard.items())
    folder = build(tmp_path / "out", sounds, "--overheard", tmp_path / "heard.csv")
    named: dict[tuple[str, str], set[str]] = {}
    for query in folder.queries.values():
        named.setdefault((query.task, query.set), set()).update(labels_of(query.formula))
    for clip in folder.clips.values():
        assert not named[clip.task, clip.set] & {heard.get(event.recording) for event in clip.timeline}
    text = " ".join((folder.path / "README.md").read_text(encoding="utf-8").split())
    assert "never stands in a clip of a set that names what was heard" in text


@pytest.mark.parametrize("source", ["builtin", "folder"])
def test_what_is_excluded_is_used_nowhere(sounds: Path, tmp_path: Path, source: str) -> None:
    spec = "builtin" if source == "builtin" else f"folder:{sounds}"
    options = ("--preset", "smoke", "--sample-rate", RATE, "--sounds", spec, "--quiet")
    run("build", tmp_path / "all", *options)
    before = DatasetFolder.open(tmp_path / "all")
    recording = used(before)[0]
    pairs = {frozenset(labels) for query in before.queries.values() if len(labels := labels_of(query.formula)) == 2}
    pair = min(pairs, key=sorted)
    file = tmp_path / "exclude.csv"
    write_exclusions(file, Exclusions({recording: "a fox", "none": ""}, {pair: "alike"}))
    run("build", tmp_path / "out", *options, "--exclude", file)
    folder = DatasetFolder.open(tmp_path / "out")
    assert "is sound" in run("check", folder.path)
    assert recording not in used(folder)
    assert all(event.recording != recording for clip in folder.clips.values() for event in clip.timeline)
    assert all(not pair <= {event.label for event in clip.timeline} for clip in folder.clips.values())
    assert all(not pair <= set(labels_of(query.formula)) for query in folder.queries.values())
    one, other = sorted(pair)
    assert folder.relations.related(one, other)
    assert folder.recipe_hash != before.recipe_hash
    assert (dict(before.excluded), dict(folder.excluded)) == ({"recordings": 0, "pairs": 0}, {"recordings": 1, "pairs": 1})
    said = "1 usable recording was left out and 1 pair of labels was declared easy to confuse"
    card = " ".join((folder.path / "README.md").read_text(encoding="utf-8").split())
    assert said in card
    assert said not in (before.path / "README.md").read_text(encoding="utf-8")
    run("build", tmp_path / "again", *options, "--exclude", file)
    assert content_hash(tmp_path / "again") == content_hash(folder.path) != content_hash(before.path)
    write_exclusions(file, Exclusions({"none": ""}, {frozenset(("no", "such")): ""}))
    plan = ["plan", *map(str, options[:-1]), "--exclude", str(file)]
    told = CliRunner().invoke(app, plan)
    assert told.exit_code == 0
    assert f"note: {file}: 1 of its 1 recordings are not in this library" in told.stderr
    assert "1 of its 1 pairs have a label that this library does not have" in told.stderr
    run("build", tmp_path / "none", *options, "--exclude", file)
    assert content_hash(tmp_path / "none") == content_hash(before.path)


def test_excluded_recordings_are_listed(sounds: Path, tmp_path: Path) -> None:
    file = tmp_path / "exclude.csv"
    write_exclusions(file, Exclusions({"03 0.wav": "a fox"}))
    told = CliRunner().invoke(app, ["sounds", "check", f"folder:{sounds}", "--exclude", str(file), "--list-rejected"])
    assert told.exit_code == 0
    assert "excluded: a fox" in told.output


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--licenses", "gpl"), "licenses: 'gpl' is not understood; there are cc0,"),
        (("--licenses", "cc-by-sa"), "none of its 240 recordings is left with licenses cc-by-sa"),
        (("--split", "dev"), "split 'dev': there are train, validation, test"),
        (("--max-recordings", "0"), "max_recordings: at least 1"),
        (("--source-option", "votes"), "--source-option: 'votes' is not NAME=VALUE"),
        (("--source-option", "votes=any"), "folder has no such option"),
        (("--ontology", "no-such-file"), "ontology no-such-file: No such file"),
        (("--overheard", "no-such-file"), "no-such-file"),
        (("--exclude", "no-such-file"), "exclude no-such-file: no such file"),
    ],
)
def test_bad_input_is_one_line(sounds: Path, tmp_path: Path, options: tuple[str, str], said: str) -> None:
    result = CliRunner().invoke(
        app, ["build", str(tmp_path / "out"), "--preset", "smoke", "--sounds", f"folder:{sounds}", "--quiet", *options]
    )
    assert result.exit_code in (1, 2)
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()
