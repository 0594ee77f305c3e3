"""The whole way, from real recordings to a folder that passes the deep check: the command as people run it."""

import csv
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile
from typer.testing import CliRunner

from builders.dataset_folder import DatasetFolder
from builders.render import Renderer
from builders.sounds.screening import prepare
from builders.sounds.sources import open_source
from eval_harness.cli import app


def run(*arguments, code=0):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result.output


@pytest.fixture(scope="module")
def real(shared):
    return shared / "sounds" / "real"


@pytest.fixture(scope="module")
def built(real, tmp_path_factory):
    out = tmp_path_factory.mktemp("real") / "reasonaudio"
    run("build", out, "--preset", "smoke", "--sounds", f"folder:{real}", "--num-proc", "2", "--quiet")
    return out


def test_a_folder_of_real_recordings_passes_the_deep_check(built):
    assert "is sound: 30 queries, 300 clips" in run("check", built, "--deep", "--num-proc", "2")


def test_licences_and_attributions_come_along(built, real):
    with (real / "manifest.csv").open(encoding="utf-8") as file:
        expected = {row["file"]: row["license"] for row in csv.DictReader(file)}
    recordings = [r for sound in DatasetFolder.open(built).sounds.values() for r in sound.recordings]
    assert recordings
    assert all(r.license == expected[r.id] for r in recordings)
    attributed = (built / "ATTRIBUTION.csv").read_text(encoding="utf-8")
    assert all(r.id in attributed for r in recordings)
    assert "/shared/" not in attributed


def test_a_clip_can_be_rendered_again_from_the_folder_and_its_library(built, real):
    folder = DatasetFolder.open(built)
    library = prepare(open_source(f"folder:{real}"), folder.recipe, num_proc=2)
    assert library.digest == folder.library_digest
    renderer = Renderer(folder.recipe, library)
    for clip in list(folder.clips.values())[::37]:
        samples, _ = folder.audio(clip.id)
        np.testing.assert_array_equal(renderer.clip(clip.id, clip.timeline), samples)


def test_everything_nasty_in_one_folder(shared, built, real, tmp_path):
    """Unusable recordings are listed with the reason, and the build goes on with the others."""
    sounds = tmp_path / "sounds"
    sounds.mkdir()
    for label in sorted(path for path in real.iterdir() if path.is_dir()):
        (sounds / label.name).symlink_to(label)
    with (real / "manifest.csv").open(encoding="utf-8") as file:
        rows = [(row["file"], row["label"], row["sustained"]) for row in csv.DictReader(file)]
    for path in sorted((shared / "sounds" / "nasty").iterdir()):
        label = sounds / f"nasty {path.stem}"
        label.mkdir(exist_ok=True)
        shutil.copyfile(path, label / path.name)
        rows.append((f"{label.name}/{path.name}", label.name, "false"))
    with (sounds / "manifest.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("file", "label", "sustained"), *rows])
    text = run("build", tmp_path / "out", "--preset", "smoke", "--sounds", f"folder:{sounds}", "--list-rejected")
    flat = " ".join(text.split())
    for name in ("text.wav", "zero_frames.wav", "nan_inf.wav", "near_silence.wav", "truncated.flac", "same_audio_badger.ogg"):
        assert name in flat
    assert "is sound" in run("check", tmp_path / "out")
    text = run("build", tmp_path / "strict", "--preset", "smoke", "--sounds", f"folder:{sounds}", "--strict", "--quiet", code=1)
    assert text.startswith("error: ")
    assert "cannot be used" in text
    assert not (tmp_path / "strict").exists()


def test_too_few_sounds_name_every_task_that_lacks_some(tmp_path):
    rng = np.random.default_rng(0)
    for label in ("bell", "dog", "horn"):
        (tmp_path / "sounds" / label).mkdir(parents=True)
        soundfile.write(tmp_path / "sounds" / label / "a.wav", rng.normal(0, 0.1, 48_000), 32_000)
    text = run("build", tmp_path / "out", "--preset", "smoke", "--sounds", f"folder:{tmp_path / 'sounds'}", "--quiet", code=1)
    for task in ("negation", "order", "overlap", "duration", "mix"):
        assert f"task {task} " in text
    assert "lacks 4 of 4 unrelated sustained sounds" in " ".join(text.split())
    assert len(text.splitlines()) == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("hz", [16_000, 44_100])
def test_another_rate(tmp_path, hz):
    out = tmp_path / "other"
    run("build", out, "--preset", "smoke", "--sample-rate", hz, "--queries-per-task", "2", "--quiet")
    assert "is sound" in run("check", out, "--deep")
    samples, rate = DatasetFolder.open(out).audio(next(iter(DatasetFolder.open(out).clips)))
    assert (rate, samples.shape) == (hz, (10 * hz,))


def test_built_in_sounds_in_another_place_and_process_count_are_the_same_bytes(tmp_path):
    for name, processes in (("a", "1"), ("b", "2")):
        run("build", tmp_path / name, "--preset", "smoke", "--queries-per-task", "2", "--num-proc", processes, "--quiet")
    files = [
        {path.relative_to(folder): path.read_bytes() for path in sorted(Path(folder).rglob("*")) if path.is_file()}
        for folder in (tmp_path / "a", tmp_path / "b")
    ]
    assert files[0] == files[1]
    assert json.loads(files[0][Path("recipe.json")])["library"]["name"] == "builtin"
