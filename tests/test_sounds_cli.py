"""`reasonaudio sounds`: what it lists, checks and describes, and how it fails."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import soundfile
from typer.testing import CliRunner

from builders.errors import SoundLibraryError
from builders.sounds import overheard as overheard_module
from builders.sounds.library import Rejection, Source
from builders.sounds.overheard import read_overheard
from builders.sounds.sources import KINDS, Kind, Option
from eval_harness import sounds_view as views
from eval_harness.cli import app
from eval_harness.sentences import examples, find_sound
from eval_harness.steps import options_by_source
from tests.sounds.made import MadeCandidate, made_source

RATE = 16_000


def run(*arguments: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, ["sounds", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(scope="module")
def sounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rains, three dogs, a zither, an owl; a dog's recording is too short, the owl's is no audio."""
    folder = tmp_path_factory.mktemp("sounds")
    rows = []
    rng = np.random.default_rng(0)
    for label, lengths in {"rain": (3.0, 4.0), "dog_bark": (0.9, 1.2, 0.1), "zither": (1.5,)}.items():
        for n, seconds in enumerate(lengths):
            name = f"{label} {n}.wav"
            soundfile.write(folder / name, 0.3 * rng.uniform(-1, 1, int(seconds * RATE)), RATE)
            rows.append((name, label, "CC0" if n else "CC BY 4.0", f"person {n}", "/m/06mb1" if label == "rain" else ""))
    (folder / "owl.wav").write_text("no audio")
    rows.append(("owl.wav", "owl", "", "", ""))
    with (folder / "manifest.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("file", "label", "license", "uploader", "audioset_id"), *rows])
    return folder


@pytest.fixture
def ontology(tmp_path: Path) -> Path:
    path = tmp_path / "ontology.json"
    path.write_text('[{"id": "/m/06mb1", "name": "Rain", "child_ids": []}, {"id": "dog", "name": "Dog", "child_ids": []}]')
    return path


# --- list -------------------------------------------------------------------------------------------------------------


def test_kinds_of_sources_and_their_options(monkeypatch: pytest.MonkeyPatch) -> None:
    option = Option("votes", "most", "which clips", ("most", "any"))
    monkeypatch.setitem(KINDS, "shelf", Kind("shelf:PATH", "things on a shelf", lambda asked: made_source([]), (option,)))
    text = run("list").stdout
    for kind in KINDS.values():
        assert re.search(rf"^{re.escape(kind.written)} +\w", text, re.MULTILINE), kind
    assert re.search(r"^  -o votes=most\|any +which clips \(default: most\)", text, re.MULTILINE)


def test_labels_of_a_source(sounds: Path) -> None:
    result = run("list", f"folder:{sounds}")
    assert re.search(r"^dog bark +3 +a dog barking", result.stdout, re.MULTILINE)
    assert re.search(r"^rain +2 +yes +rain falling", result.stdout, re.MULTILINE)
    assert f"folder:{sounds.name}: 4 sounds (1 sustained), 7 recordings (1 cannot be read), 0.2 minutes\n" in result.stdout
    assert "note: said by their label alone" in result.stderr
    fewer = run("list", f"folder:{sounds}", "--licenses", "cc0")
    assert re.search(r"^dog bark +2 ", fewer.stdout, re.MULTILINE)
    assert "2 sounds (1 sustained), 3 recordings" in fewer.stdout
    assert "4 recordings left out; `reasonaudio sounds check` says why" in fewer.stderr


def test_listing_reads_no_audio(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("audio was read")

    monkeypatch.setattr("builders.sounds.builtin.SynthCandidate.read", fail)
    assert "builtin: " in run("list", "builtin").stdout


# --- check ------------------------------------------------------------------------------------------------------------


def test_what_cannot_be_used_and_why(sounds: Path) -> None:
    result = run("check", f"folder:{sounds}", "--num-proc", 1)
    assert f"folder:{sounds.name}: 3 sounds (1 sustained), 5 recordings, 0.2 minutes\n" in result.stdout
    reasons = " ".join(result.stdout.split())
    assert re.search(r" 1 too short: it is audible for 0\.\d+ s", reasons)
    assert "dog_bark 2.wav" in reasons
    assert "1 sound with 1 usable recording: zither\n" in result.stdout
    assert "2 sounds with 2 usable recordings: dog bark, rain\n" in result.stdout
    assert "not enough for a corpus of all tasks: too few sounds: " in result.stdout
    assert "dog_bark 2.wav" in run("check", f"folder:{sounds}", "--list-rejected", "--num-proc", 1).stdout


def test_nothing_usable_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "owl").mkdir()
    (tmp_path / "owl/a.wav").write_text("no audio")
    result = run("check", f"folder:{tmp_path}", "--num-proc", 1, code=1)
    assert result.stderr.endswith(f"error: folder:{tmp_path.name}: none of its recordings can be used\n")
    assert "owl/a.wav" in result.stdout


def test_reasons_are_grouped_by_what_they_have_in_common() -> None:
    reasons = ["0.10 s; at least 0.5 s (a)", "0.20 s; at least 0.5 s (b)", "the same as 'x y'", "the same as 'z'", "empty"]
    rejected = [Rejection("a", f"id {n}", reason) for n, reason in enumerate(reasons)]
    cells = [list(column.cells) for column in views.reasons_table(rejected).columns]
    assert list(zip(*cells, strict=True)) == [
        ("2", "… s; at least 0.5 s …", "id 0"),
        ("2", "the same as …", "id 2"),
        ("1", "empty", "id 4"),
    ]


class FakeTagger:
    classes, names = ("/m/06mb1", "dog"), ("Rain", "Dog")

    def tag(self, samples: np.ndarray, sample_rate: int) -> SimpleNamespace:
        return SimpleNamespace(
            top_by_window=lambda number: np.array([[0, 1, 0, 0, 0]] * (2 if len(samples) > sample_rate else 1))
        )


@pytest.fixture
def tagger(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("REASONAUDIO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(overheard_module.Tagger, "open", classmethod(lambda cls, path: FakeTagger()))
    overheard_module._opened.cache_clear()
    (tmp_path / "model.tflite").write_bytes(b"weights")
    return tmp_path / "model.tflite"


def test_what_is_overheard(sounds: Path, ontology: Path, tagger: Path, tmp_path: Path) -> None:
    asked = ("check", f"folder:{sounds}", "--tagger", tagger, "--ontology", ontology, "--num-proc", 1)
    shown = run(*asked)
    assert "dog_bark 0.wav (dog bark): rain 0.90 s (Rain)\n" in shown.stdout
    assert "rain 1.wav (rain): dog bark 4.00 s (Dog)\n" in shown.stdout
    assert "another label is heard in 5 of 5 recordings, 6 times in all\n" in shown.stdout
    assert "no class for 1 label, and cannot listen for: zither" in shown.stderr
    assert "--out FILE.csv keeps them all" in shown.stderr
    out = tmp_path / "heard.csv"
    kept = run(*asked, "--out", out)
    assert kept.stdout.endswith(f"6 times in all\n{out}\n")
    assert "dog_bark 0.wav (" not in kept.stdout
    assert f"--overheard {out}" in kept.stderr
    assert read_overheard(out)["zither 0.wav"] == {"rain", "dog bark"}


def test_a_file_of_other_recordings_is_told(sounds: Path, tmp_path: Path) -> None:
    heard = tmp_path / "heard.csv"
    heard.write_text("recording,other\nrain 0.wav,dog barq\nrain 9.wav,dog bark\n")
    asked = ["plan", "--preset", "smoke", "--sounds", f"folder:{sounds}", "--overheard", str(heard), "--num-proc", "1"]
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 1  # too few sounds for a plan
    assert f"note: {heard}: 1 of its 2 recordings are not in this library, or were left out\n" in result.stderr
    assert f"note: {heard}: sounds that this library does not have: 'dog barq'\n" in result.stderr


# --- describe ---------------------------------------------------------------------------------------------------------


def test_all_labels_in_short(sounds: Path, ontology: Path) -> None:
    text = run("describe", f"folder:{sounds}", "--ontology", ontology).stdout
    assert re.search(r"^zither +", text, re.MULTILINE)
    assert "Rain (/m/" in text


def test_one_label_in_full(sounds: Path, ontology: Path) -> None:
    text = " ".join(run("describe", f"folder:{sounds}", "Rain", "dog bark", "--ontology", ontology).stdout.split())
    for said in (
        "noun rain falling clause rain falls sustained yes",
        "class Rain (/m/06mb1)",
        "recordings 2 by 2 uploaders; licences: 1 CC-BY-4.0, 1 CC0-1.0",
        "recordings 3 by 3 uploaders; licences: 2 CC0-1.0, 1 CC-BY-4.0",
        "is a kind of none here",
        "sentences Rain falling before",
        "class none known",
    ):
        assert said in text, said


def test_relatives_are_named_both_ways() -> None:
    text = " ".join(run("describe", "builtin", "rain").stdout.split())
    other = re.search(r"confusable ([\w ]+?)(,| sentences)", text)
    assert other
    assert "rain" in run("describe", "builtin", other[1]).stdout


def test_sentences_are_those_of_the_templates() -> None:
    source = made_source([MadeCandidate(f"{name}/0", name) for name in ("a cat", "b cow", "c dog", "d owl")])
    said = examples(source, source.sounds[1])
    assert said[0] == "A b cow before a c dog."
    assert len(said) == 3
    assert all("b cow" in sentence.lower() for sentence in said)
    alone = made_source([MadeCandidate("x/0", "x")])
    assert examples(alone, alone.sounds[0]) == []


def test_labels_are_found_in_other_spellings() -> None:
    source = made_source([MadeCandidate(f"{name}/0", name) for name in ("dog_bark", "Dog bark", "owl")])
    assert find_sound(source, "Dog bark").label == "Dog bark"
    assert find_sound(source, "OWLS").label == "owl"
    with pytest.raises(SoundLibraryError, match="label 'DOG-BARK' may be 'Dog bark' or 'dog_bark'"):
        find_sound(source, "DOG-BARK")
    with pytest.raises(SoundLibraryError, match="there is no label 'owel'; did you mean 'owl'"):
        find_sound(source, "owel")
    with pytest.raises(SoundLibraryError, match="no label 'zzzz'; `reasonaudio sounds list made` lists them"):
        find_sound(source, "zzzz")
    without = replace(source, rejected=(Rejection("Any dog", "x/1", "it has several labels"),))
    with pytest.raises(SoundLibraryError, match=r"'any dogs': .* left out \(1\); of the first, 'x/1': it has"):
        find_sound(without, "any dogs")


# --- page -------------------------------------------------------------------------------------------------------------


def test_a_page_of_a_folder(sounds: Path, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    result = run("page", out, "--sounds", f"folder:{sounds}", "--num-proc", 1)
    assert result.stdout == f"{out}\n"
    assert "open it in a browser" in result.stderr
    text = out.read_text(encoding="utf-8")
    assert text.count("<article ") == 3
    assert text.count('class="take"') == 5


def test_options_go_to_the_sources_that_have_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(asked: object) -> Source:
        return made_source([])

    for name in ("one", "two"):
        options = (Option("both", "", ""), Option(name, "", ""))
        monkeypatch.setitem(KINDS, name, Kind(f"{name}:PATH", "", opened, options))
    specs = ["one:a", "two:b", "builtin"]
    assert options_by_source(specs, ["both=x", "two=y"]) == [
        ("one:a", ("both=x",)),
        ("two:b", ("both=x", "two=y")),
        ("builtin", ()),
    ]
    assert options_by_source(specs, ["none=z"]) == [(spec, ("none=z",)) for spec in specs]  # which will refuse it


# --- failures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("check",), 2, "SOURCE is missing; see reasonaudio sounds check --help"),
        (("nope",), 2, "there is no command 'nope'; see reasonaudio sounds --help"),
        (
            ("check", "builtin", "--out", "x.csv"),
            2,
            "--out keeps what a tagger hears; give --tagger PATH as well; see",
        ),
        (("check", "builtin", "--tagger", "x"), 2, "--tagger needs AudioSet's ontology"),
        (("check", "builtin", "--num-proc", "0"), 2, "--num-proc: 0 is not from 1 to 256; see reasonaudio sounds check --help"),
        (("list", "bultin"), 1, "source 'bultin': unknown kind"),
        (("list", "builtin", "-o", "votes"), 2, "--source-option: 'votes' is not NAME=VALUE"),
        (("list", "builtin", "--split", "dev"), 1, "split 'dev': there are"),
        (("describe", "builtin", "raim"), 1, "builtin: there is no label 'raim'; did you mean 'rain'"),
        (("page", "no-such-folder/x.html"), 1, "no-such-folder/x.html cannot be written"),
        (("page", "x.html", "--sounds", "builtin", "-o", "votes=any"), 1, "builtin has no such option"),
    ],
)
def test_bad_input_is_one_line(
    arguments: tuple[str, ...], code: int, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REASONAUDIO_ONTOLOGY", raising=False)
    result = run(*arguments, code=code)
    assert result.stderr.startswith("error: ")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert not list(tmp_path.iterdir())


def test_a_missing_extra_is_named_before_any_work(ontology: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ai_edge_litert.interpreter", None)
    (tmp_path / "model.tflite").write_bytes(b"weights")
    (tmp_path / "class_map.csv").write_text("index,mid,display_name\n0,/m/06mb1,Rain\n")
    result = run("check", "builtin", "--tagger", tmp_path, "--ontology", ontology, code=1)
    assert result.stderr == "error: the tagger runs with LiteRT: pip install 'reasonaudio[tagger]'\n"


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"], ["--nonsense"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        "from eval_harness.cli import app\n"
        f"try: app(['sounds', *{arguments!r}])\n"
        "except SystemExit: pass\n"
        "print('heavy:', [name for name in ('numpy', 'scipy', 'soundfile', 'PIL', 'ai_edge_litert') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "heavy: []"
