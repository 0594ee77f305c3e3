"""Which data are refused, what the folder may hold, which boxes are ticked, and what the written files say."""

from __future__ import annotations

import ast
import copy
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from builders.recipe import TASK_NAMES
from eval_harness.data import Corpus, Data, open_data
from eval_harness.submission.names import upstream_name
from eval_harness.upstream import corpus as corpora
from eval_harness.upstream import measuring, patching, pull_request, writing
from eval_harness.upstream.checklist import Box, boxes, open_boxes
from eval_harness.upstream.corpus import Offer, describe, mteb_license
from eval_harness.upstream.evidence import Evidence, read_evidence, trivial_or_random
from eval_harness.upstream.overlay import overlay
from eval_harness.upstream.quality import problems
from tests.cli_fixture import run

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def statistics(queries: int = 4, clips: int = 8) -> dict[str, Any]:
    """Of a task in which nothing is wrong, as mteb computes them."""
    part = {
        "num_samples": queries + clips,
        "num_queries": queries,
        "num_documents": clips,
        "queries_text_statistics": {"min_text_length": 20, "unique_texts": queries},
        "documents_audio_statistics": {"min_duration_seconds": 10.0, "unique_audios": clips},
        "relevant_docs_statistics": {"min_relevant_docs_per_query": 1, "unique_relevant_docs": clips},
    }
    return {"test": {**part, "hf_subset_descriptive_stats": {"order": copy.deepcopy(part)}}}


def measured(missing: tuple[str, ...] = ()) -> dict[str, dict[str, Any]]:
    """What a run of mteb finds."""
    scan = {"mteb": "2.26.24", "t2a": ["ClothoT2ARetrieval"], "tasks": 9, "near": {"XT2A": ["order"]}, "same_paper": []}
    random = {"main_score": 0.25, "ndcg_at_10": 0.5, "seconds": 6.0, "missing": list(missing)}
    task = {
        "filled": True,
        "samples": {"test": 12},
        "public": True,
        "statistics": json.dumps(statistics()),
        "random": random,
    }
    return {"scan": scan, **{name: dict(task) for name in TASK_NAMES}}


def altered(folder: Path, **library: str) -> DatasetFolder:
    """The folder, with other words on its library."""
    made = DatasetFolder.open(folder)
    made.__dict__["_recipe_json"] = {**made._recipe_json, "library": {**made._recipe_json["library"], **library}}
    return made


@pytest.fixture
def small(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Data:
    """The small corpus as if it were a commit on the Hub, and as if it were what is asked for."""
    monkeypatch.setattr(corpora, "CLIPS", 8)
    monkeypatch.setattr(corpora, "QUERIES", 4)
    monkeypatch.setattr(corpora, "_license", lambda folder: "cc-by-4.0")
    return Corpus("org/name", COMMIT, DatasetFolder.open(folder))


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """mteb replaced by what `measured` says; the steps it was asked for."""
    asked: list[str] = []

    def answer(place: Path, steps: list[str]) -> Any:
        for step in steps:
            asked.append(step)
            yield step, measured()[step]

    monkeypatch.setattr(measuring, "_run", answer)
    return asked


def many_queries(corpus: Offer) -> None:
    """As if each task had 200: at 4 queries no score is clearly above chance."""
    for size in corpus.sizes.values():
        object.__setattr__(size, "queries", 200)


def real(**scores: float) -> Evidence:
    """Results of a model that mteb knows."""
    return Evidence("laion/clap", "1", {task: scores.get(task, 0.9) for task in TASK_NAMES}, 3.5, True, False)


# --- which data -------------------------------------------------------------------------------------------------------


def test_names() -> None:
    assert upstream_name("negation") == "ReasonAudioNegationT2ARetrieval"


def test_data_that_may_be_sent(small: Data) -> None:
    found = describe(small, "org/name@v1.0.0")
    assert (found.version, found.license, found.trial) == ("v1.0.0", "cc-by-4.0", False)
    assert found.url == "https://huggingface.co/datasets/org/name"
    for ref in (f"@{COMMIT}", "@main", "@0123abc", ""):
        assert describe(small, f"org/name{ref}").version == COMMIT[:12]
    size = found.sizes["order"]
    assert (size.clips, size.queries, size.relevant) == (8, 4, (4, 4, 4, 4))
    assert size.chance == 0.5


@pytest.mark.parametrize("name", ["builtin", "folder:x+builtin"])
def test_built_in_sounds_are_refused(small: Data, name: str) -> None:
    with pytest.raises(EvaluationError, match=r"^org/name: its sounds are the built-in ones.*--trial"):
        describe(Corpus("org/name", COMMIT, altered(small.folder.path, name=name)))


def test_controls_are_refused(small: Data) -> None:
    opened = DatasetFolder.open(small.folder.path)
    opened.__dict__["recipe"] = opened.recipe.model_copy(update={"control": "equal-energy"})
    with pytest.raises(EvaluationError, match="it is a control"):
        describe(Corpus("org/name", COMMIT, opened))


def test_other_sizes_are_refused(small: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpora, "CLIPS", 2_000)
    with pytest.raises(EvaluationError, match=r"negation has 8 clips and 4 queries \(preset smoke\), not 2,000 and 4"):
        describe(small)


def test_licences_without_a_name_are_refused(small: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpora, "_license", lambda folder: "other")
    with pytest.raises(EvaluationError, match="licences"):
        describe(small)


@pytest.mark.parametrize(("path", "revision"), [("/data/x", "a" * 64), ("org/name", "v1.0.0"), ("org/name", "a" * 39)])
def test_data_without_a_commit_on_the_hub_are_refused(small: Data, path: str, revision: str) -> None:
    with pytest.raises(EvaluationError, match="a whole commit of 40 hex digits"):
        describe(Corpus(path, revision, small.folder))


def test_a_trial_takes_them_but_for_a_missing_task(folder: Path) -> None:
    data = open_data(folder)
    assert describe(data, str(folder), trial=True).trial
    data.__dict__["tasks"] = TASK_NAMES[1:]
    with pytest.raises(EvaluationError, match="no queries of negation"):
        describe(data, str(folder), trial=True)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cc-by-4.0", "cc-by-4.0"),
        ("cc0-1.0", "cc0-1.0"),
        ("cc-by-2.5", "https://creativecommons.org/licenses/by/2.5/"),
        ("cc-by-nc-sa-2.0", "https://creativecommons.org/licenses/by-nc-sa/2.0/"),
        ("other", "multiple"),
    ],
)
def test_licences_as_mteb_names_them(name: str, expected: str) -> None:
    assert mteb_license(name) == expected


# --- the folder -------------------------------------------------------------------------------------------------------


def files(out: Path) -> dict[str, tuple[bytes, int]]:
    return {str(path.relative_to(out)): (path.read_bytes(), path.stat().st_mtime_ns) for path in out.rglob("*") if path.is_file()}


def test_a_second_run_measures_and_writes_nothing(folder: Path, tmp_path: Path, plain: list[str]) -> None:
    out = tmp_path / "out"
    first = run("upstream", out, "--data", folder, "--trial")
    assert first.exit_code == 0, first.output
    assert plain == ["scan", *TASK_NAMES]
    there = files(out)
    assert set(there) == pull_request.own_files()
    again = run("upstream", out, "--data", folder, "--trial")
    assert again.exit_code == 0
    assert plain == ["scan", *TASK_NAMES]
    now = files(out)
    marker = pull_request.MARKER
    assert {name: found for name, found in now.items() if name != marker} == {k: v for k, v in there.items() if k != marker}
    assert now[marker][0] == there[marker][0]


def test_what_was_measured_before_an_interruption_is_kept(
    folder: Path, tmp_path: Path, plain: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = measuring._run

    def stops(place: Path, steps: Any) -> Any:
        for step, found in answer(place, steps):
            if step == "overlap":
                raise EvaluationError("mteb could not run overlap")
            yield step, found

    with monkeypatch.context() as broken:
        broken.setattr(measuring, "_run", stops)
        assert run("upstream", tmp_path / "out", "--data", folder, "--trial").exit_code == 2
    plain.clear()
    assert run("upstream", tmp_path / "out", "--data", folder, "--trial").exit_code == 0
    assert plain == ["overlap", "duration", "mix"]


def test_packages_that_are_there_now_make_it_measure_again(
    folder: Path, tmp_path: Path, plain: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("upstream", tmp_path / "out", "--data", folder, "--trial").exit_code == 0
    monkeypatch.setattr(pull_request, "_beside", lambda: "torchaudio torchvision")
    assert run("upstream", tmp_path / "out", "--data", folder, "--trial").exit_code == 0
    assert len(plain) == 12


def test_folders_that_hold_something_else_are_refused(folder: Path, tmp_path: Path, plain: list[str], small: Data) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "thesis.txt").write_text("mine")
    assert "is not empty, and no pull request" in run("upstream", full, "--data", folder, "--trial").output
    assert "is a file" in run("upstream", full / "thesis.txt", "--data", folder, "--trial").output
    out = tmp_path / "out"
    assert run("upstream", out, "--data", folder, "--trial").exit_code == 0
    with pytest.raises(EvaluationError, match="is the pull request of other data"):
        pull_request.open_out(out, describe(small))
    (out / "mteb" / "notes.txt").write_text("mine")
    refused = run("upstream", out, "--data", folder, "--trial")
    assert refused.exit_code == 2
    assert "holds mteb/notes.txt, which is no part" in refused.output
    assert (full / "thesis.txt").read_text() == "mine"


def test_final_names_every_open_box(folder: Path, tmp_path: Path, plain: list[str]) -> None:
    done = run("upstream", tmp_path / "out", "--data", folder, "--trial", "--final")
    assert done.exit_code == 1
    lines = [line for line in done.output.splitlines() if line.startswith("open: ")]
    text = (tmp_path / "out" / "PULL_REQUEST.md").read_text()
    assert len(lines) == len(re.findall(r"^ *- \[ \]", text, re.M)) - 1  # the box of both models is open by its part
    assert any("the Hub, at a fixed commit" in line for line in lines)
    assert any("reasonaudio run -m laion/clap-htsat-unfused --data" in line for line in lines)
    assert f"{len(lines)} boxes are open" in done.output
    assert "TRIAL" in text


def test_data_that_may_not_be_sent_are_one_line(folder: Path, tmp_path: Path) -> None:
    done = run("upstream", tmp_path / "out", "--data", folder)
    assert done.exit_code == 2
    assert len(done.output.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()


# --- the checklist ----------------------------------------------------------------------------------------------------


def test_with_everything_measured_no_box_is_open(small: Data, tmp_path: Path, plain: list[str]) -> None:
    corpus = describe(small, "org/name@v1.0.0")
    many_queries(corpus)
    made = pull_request.write(corpus, tmp_path / "out", [real()], lambda done, total: None)
    assert open_boxes(made.boxes) == []
    text = (tmp_path / "out" / "PULL_REQUEST.md").read_text()
    assert "[ ]" not in text
    assert "TRIAL" not in "".join(path.read_text() for path in (tmp_path / "out").rglob("*.py")) + text
    assert "| `laion/clap` | `1` | 0.900 |" in text
    assert "`laion/clap`: 3.5 minutes" in text


def by_text(corpus: Offer, found: list[Evidence], what: dict[str, dict[str, Any]]) -> Callable[[str], Box]:
    made = boxes(corpus, what, found)
    return lambda text: next(box for box in made if text in box.text)


def test_what_was_not_measured_is_open(small: Data) -> None:
    corpus = describe(small)
    box = by_text(corpus, [], measured(("torchaudio",)))
    assert not box("baseline-random-encoder").ticked
    assert "another draw" in box("baseline-random-encoder").evidence[1]
    assert not box("following models").ticked
    assert "reasonaudio run -m laion/clap-htsat-unfused --data org/name@" in box("a small audio-text model").command
    assert not box("neither trivial").ticked
    assert not box("how long").ticked
    assert box("the dataset runs").ticked
    assert box("size of the dataset").ticked


def test_systems_of_our_own_tick_no_box(small: Data) -> None:
    scale = Evidence("reasonaudio/oracle", "1", dict.fromkeys(TASK_NAMES, 1.0), 1.0, False, True)
    box = by_text(describe(small), [scale], measured())
    assert not box("a small audio-text model").ticked
    assert not box("neither trivial").ticked
    assert any("reasonaudio/oracle" in note for note in box("neither trivial").evidence)


def test_bad_findings_open_their_boxes(small: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = describe(small)
    found = measured()
    found["scan"]["same_paper"] = ["OtherT2ARetrieval"]
    found["mix"]["filled"] = False
    found["order"]["public"] = False
    wrong = statistics()
    wrong["test"]["queries_text_statistics"]["unique_texts"] = 3
    found["duration"]["statistics"] = json.dumps(wrong)
    box = by_text(corpus, [], found)
    assert not box("filling an existing gap").ticked
    assert not box("metadata are filled").ticked
    assert not box("public on the Hub").ticked
    assert "duration: test: 3 different texts among 4" in box("Descriptive statistics").evidence
    assert not box("Descriptive statistics").ticked


def test_trivial_and_random_scores(small: Data) -> None:
    corpus = describe(small)
    many_queries(corpus)
    assert trivial_or_random([real()], corpus) == []
    assert trivial_or_random([real(order=0.95)], corpus) == ["order: nearly perfect (0.950)"]
    assert trivial_or_random([real(mix=0.51)], corpus) == ["mix: not clearly above chance (0.510 against 0.5000)"]
    assert trivial_or_random([real(mix=0.51), real(mix=0.7)], corpus) == []


FAULTS = [
    ("queries_text_statistics", "min_text_length", 3, "a query of 3 characters"),
    ("queries_text_statistics", "unique_texts", 197, "197 different texts among 200"),
    ("queries_text_statistics", "unique_texts", 201, "201 different texts, more than the 200 there are"),
    ("documents_audio_statistics", "unique_audios", 1979, "1979 different clips among 2000"),
    ("documents_audio_statistics", "min_duration_seconds", 0.0, "a clip without length"),
    ("relevant_docs_statistics", "min_relevant_docs_per_query", 0, "a query without a relevant clip"),
    ("relevant_docs_statistics", "unique_relevant_docs", 2001, "relevant clips that are not in the corpus"),
]


@pytest.mark.parametrize(("part", "name", "value", "expected"), FAULTS)
def test_statistics_that_mteb_would_refuse(part: str, name: str, value: float, expected: str) -> None:
    good = statistics(200, 2000)
    assert problems(good) == []
    good["test"]["hf_subset_descriptive_stats"]["order"][part][name] = value
    assert problems(good) == [f"test order: {expected}"]


def test_a_hundredth_may_be_there_twice() -> None:
    found = statistics(200, 2000)
    found["test"]["queries_text_statistics"]["unique_texts"] = 198
    assert problems(found) == []


def test_evidence_of_results(scored: Any) -> None:
    """Of a folder of results as `reasonaudio run` writes it."""
    out, data = scored
    found = read_evidence(out, describe(data, trial=True))
    assert [one.model for one in found] == ["reasonaudio/oracle", "reasonaudio/random"]
    assert found[0].scores == dict.fromkeys(TASK_NAMES, 1.0)
    assert all(one.scale and not one.real and one.minutes > 0 for one in found)


@pytest.fixture(scope="module")
def scored(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Data]:
    out = tmp_path_factory.mktemp("scored") / "results"
    done = run("run", "-m", "reasonaudio/oracle", "reasonaudio/random", "--data", folder, "--out", out, "-q")
    assert done.exit_code == 0, done.output
    return out, open_data(folder)


# --- the written files ------------------------------------------------------------------------------------------------


INIT = """from .a import A
from .real_x import (
    R,
)
from .rp import P

__all__ = [
    "ZZ",
    "A",
    "RP1",
    "RealX",
    "Zed",
    "z",
]
"""


def test_lines_go_where_their_order_wants_them() -> None:
    made = patching.with_tasks(INIT, ["ReasonB", "ReasonA"])
    block = "from .reasonaudio_t2a_retrieval import (\n    ReasonA,\n    ReasonB,\n)\n"
    expected = INIT.replace("from .rp", f"{block}from .rp").replace('    "Zed"', '    "ReasonA",\n    "ReasonB",\n    "Zed"')
    assert made == expected
    with pytest.raises(EvaluationError, match="already; there is nothing to be sent"):
        patching.with_tasks(made, ["ReasonA"])


def test_lines_go_to_the_end_where_all_else_comes_before() -> None:
    text = 'from .a import A\n\n__all__ = [\n    "A",\n]\n'
    made = patching.with_tasks(text, ["ReasonA"])
    assert made == (
        "from .a import A\nfrom .reasonaudio_t2a_retrieval import (\n    ReasonA,\n)\n\n"
        '__all__ = [\n    "A",\n    "ReasonA",\n]\n'
    )
    module = 'from mteb.benchmarks.benchmarks.benchmarks import (\n    BEIR,\n)\n\n__all__ = [\n    "BEIR",\n]\n'
    assert patching.with_benchmark_name(module, "RX") == module.replace("    BEIR,\n", "    BEIR,\n    RX,\n").replace(
        '    "BEIR",\n', '    "BEIR",\n    "RX",\n'
    )


def test_a_patch_tells_of_missing_line_ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "mteb").mkdir()
    (tmp_path / "mteb" / "x.py").write_text("a\nb\n")
    monkeypatch.setattr(patching, "mteb_folder", lambda: tmp_path / "mteb")
    text = patching.patch({"mteb/x.py": "a\nc\nb\n", "mteb/new.json": "{}", "scripts/y.py": "y\n"})
    assert "new file mode 100644\n--- /dev/null\n+++ b/mteb/new.json\n@@ -0,0 +1 @@\n+{}\n\\ No newline at end of file\n" in text
    assert "--- a/mteb/x.py\n+++ b/mteb/x.py\n@@ -1,2 +1,3 @@\n a\n+c\n b\n" in text
    assert "+++ b/scripts/y.py\n@@ -0,0 +1 @@\n+y\n" in text


def test_a_missing_file_of_mteb_is_named() -> None:
    with pytest.raises(EvaluationError, match=r"has no mteb/nowhere\.py"):
        patching.original("mteb/nowhere.py")


def test_an_overlay_leaves_the_installed_mteb_as_it_is() -> None:
    installed = patching.mteb_folder()
    before = (installed / "benchmarks/benchmarks/benchmarks.py").read_bytes()
    with overlay({patching.BENCHMARKS_FILE: "other\n", "scripts/x.py": "no part of the package\n"}) as place:
        assert (place / patching.BENCHMARKS_FILE).read_text() == "other\n"
        statistics_folder = place / patching.STATISTICS
        assert statistics_folder.is_dir()
        assert not statistics_folder.is_symlink()
        (statistics_folder / "Mine.json").write_text("{}")
        assert (place / "mteb/evaluate.py").samefile(installed / "evaluate.py")
        assert not (place / "scripts").exists()
    assert not place.exists()
    assert (installed / "benchmarks/benchmarks/benchmarks.py").read_bytes() == before
    assert not (installed / "descriptive_stats/Image/Any2AnyRetrieval/Mine.json").exists()


def test_long_texts_are_wrapped_as_literals() -> None:
    text = "It's a 'dog', then a bell. " * 9
    made = writing.wrapped(text.strip(), 12)
    assert ast.literal_eval(f"({made})") == text.strip()
    assert max(map(len, made.splitlines())) <= writing.WIDTH


BUILDER = """#!{python}
import shutil, sys
out, recipe = sys.argv[2], sys.argv[sys.argv.index("--recipe") + 1]
assert sys.argv[1] == "build" and sys.argv[sys.argv.index("--sounds") + 1] == "tests:here", sys.argv
shutil.copytree({folder!r}, out)
"""


def test_the_script_makes_the_data_again_and_compares(folder: Path, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "reasonaudio"
    program.parent.mkdir()
    program.write_text(BUILDER.format(python=sys.executable, folder=str(folder)))
    program.chmod(0o755)
    script = tmp_path / "create_data.py"
    script.write_text(writing.create_data(describe(open_data(folder), trial=True)))
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}

    def made(name: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(script), str(tmp_path / name), "--sounds", "tests:here"]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    same = made("same")
    assert same.returncode == 0, same.stderr
    script.write_text(re.sub(r'CONTENT_HASH = "\w+"', 'CONTENT_HASH = "00"', script.read_text()))
    other = made("other")
    assert other.returncode == 1
    assert "content hash" in other.stderr
    script.write_text(re.sub(r'RECIPE_HASH = "\w+"', 'RECIPE_HASH = "00"', script.read_text()))
    assert "other recordings or recipe" in made("another").stderr


def test_the_script_knows_recipe_and_options(folder: Path) -> None:
    from builders.recipe import make_recipe, preset

    corpus = describe(open_data(folder), trial=True)
    shown = json.loads(re.search(r'"""\n(\{.*?\})\n"""', writing.create_data(corpus), re.S)[1])  # type: ignore[index]
    assert make_recipe(preset("full"), shown) == corpus.folder.recipe
    selection = {
        "licenses": "cc0,cc-by",
        "split": "test",
        "max_recordings": "5",
        "votes": "any",
        "labels": "leaf",
        "part": "dev+eval",
    }
    opened = altered(folder, name="fsd50k", selection=selection)  # type: ignore[arg-type]
    other = describe(Corpus(str(folder), "x", opened), trial=True)
    assert (
        "--sounds fsd50k:PATH --licenses cc0,cc-by --split test --max-recordings 5 --source-option votes=any --recipe"
        in writing.build_line(other)
    )
    script = writing.create_data(other)
    assert '    "--licenses",\n    "cc0,cc-by",\n' in script
    assert "Asked of them: licenses cc0,cc-by; split test; max_recordings 5; votes any" in script


def test_what_mteb_cannot_run_is_one_line(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "program.py"
    program.write_text("import sys\nprint('noise')\nsys.stderr.write('  File x\\nOSError: no decoder\\n')\nsys.exit(1)\n")
    monkeypatch.setattr(measuring, "_PROGRAM", program)
    done = run("upstream", tmp_path / "out", "--data", folder, "--trial")
    assert done.exit_code == 2
    assert "mteb could not run scan: OSError: no decoder; what is finished is kept" in done.output
