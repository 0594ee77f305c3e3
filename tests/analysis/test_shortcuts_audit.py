"""The audit of whole folders: built, measured, judged, printed."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner

from builders.build import build
from builders.card import set_section
from builders.corpus import Plan
from builders.errors import DatasetFolderError, EvaluationError
from builders.plan import make_plan
from builders.recipe import PRESETS, Recipe, make_recipe
from builders.relevance import qrels
from builders.sounds.library import SoundLibrary
from builders.timeline import Timeline
from eval_harness.analysis import audit as auditing
from eval_harness.analysis.audit import Audit, Finding, audit, audit_features, lower_limits
from eval_harness.analysis.audit_card import card_text
from eval_harness.analysis.clip_features import NAMES, ClipFeatures, clip_features, corpus_features
from eval_harness.analysis.evidence import TEXT, task_pairs
from eval_harness.analysis.shortcuts import KindResult, Told
from eval_harness.cli import app
from eval_harness.data import Data, open_data
from reasonaudio_dataset import verify
from tests.corpus_fixture import RATE, ToneRenderer, folder
from tests.fake_library import fake_library

__all__ = ["folder"]

SETS = 20
FEW: Any = {"tasks": ("overlap",)}


@pytest.fixture(scope="module")
def planned() -> tuple[Plan, SoundLibrary]:
    library = fake_library(60, recordings=2, sample_rate=RATE)
    return make_plan(make_recipe(PRESETS["smoke"], {"sample_rate": RATE, "queries_per_task": 2 * SETS}), library), library


def built(out: Path, planned: tuple[Plan, SoundLibrary], louder: frozenset[str] = frozenset()) -> Data:
    """The planned corpus with tones for audio, some clips half as loud again."""

    class Loud(ToneRenderer):
        def __init__(self, recipe: Recipe, library: SoundLibrary) -> None:
            super().__init__(recipe, library)

        def clip(self, clip_id: str, timeline: Timeline) -> NDArray[np.int16]:
            samples = super().clip(clip_id, timeline)
            return np.asarray(samples * 1.5, np.int16) if clip_id in louder else samples

    plan, library = planned
    build(plan, library, qrels(plan, library.relations), out, num_proc=1, make_renderer=Loud)
    return open_data(out)


@pytest.fixture(scope="module")
def corpus(planned: tuple[Plan, SoundLibrary], tmp_path_factory: pytest.TempPathFactory) -> Data:
    return built(tmp_path_factory.mktemp("audit") / "plain", planned)


@pytest.fixture(scope="module")
def features(corpus: Data) -> ClipFeatures:
    return corpus_features(corpus.folder)


@pytest.fixture(scope="module")
def plain(corpus: Data, features: ClipFeatures) -> Audit:
    return audit_features([corpus], [features], **FEW)


def test_a_planned_corpus_passes(plain: Audit) -> None:
    assert plain.sound
    assert not plain.conclusive, "20 sets are too few"
    assert {finding.result.kind for finding in plain.findings} == {"anchor-missing", "sequential", "wrong-partner"}
    assert not [one for one in plain.findings if one.result.evidence == "text" and one.result.kind == "anchor-missing"]


def test_louder_relevant_clips_fail(planned: tuple[Plan, SoundLibrary], tmp_path: Path) -> None:
    relevant = frozenset(clip for query in planned[0].queries for clip in query.relevant)
    found = audit(built(tmp_path / "loud", planned, relevant), **FEW)
    assert not found.sound
    by_audio = [one for one in found.shortcuts if one.result.evidence == "audio"]
    # Against wrong partners half the foils are as loud, for they are relevant to the twin.
    assert {one.result.kind for one in by_audio} == {"anchor-missing", "sequential", "wrong-partner"}
    assert all(one.result.evidence == "audio" or "file's bytes" in one.result.cues for one in found.shortcuts)


def test_a_cue_in_the_features_fails(corpus: Data, features: ClipFeatures) -> None:
    """Foils of one kind are far quieter, and that kind is found, by its loudness."""
    foils = {foil.clip for query in corpus.folder.queries.values() for foil in query.foils if foil.kind == "sequential"}
    values = features.values.copy()
    values[np.isin(features.ids, sorted(foils)), NAMES.index("rms")] -= 1000
    found = audit_features([corpus], [replace(features, values=values)], **FEW)
    assert ("audio", "sequential") in [(one.result.evidence, one.result.kind) for one in found.shortcuts]
    assert all("rms" in one.result.cues for one in found.shortcuts if one.result.kind == "sequential")


def test_the_order_of_rows_and_the_number_of_processes_do_not_matter(corpus: Data, features: ClipFeatures, plain: Audit) -> None:
    order = np.random.default_rng(0).permutation(len(features.ids))
    mixed = ClipFeatures(
        tuple(np.array(features.ids)[order].tolist()),
        *(column[order] for column in (features.values, features.flac_bytes, features.samples)),
    )
    again = open_data(corpus.folder.path)
    again.folder.__dict__["queries"] = dict(reversed(corpus.folder.queries.items()))
    assert audit_features([again], [mixed], num_proc=2, **FEW) == plain
    assert audit_features([corpus], [features], seed=1, **FEW) != plain


def test_an_audit_survives_json(plain: Audit) -> None:
    assert Audit.from_json(json.dumps(plain.to_json())) == plain
    with pytest.raises(EvaluationError, match="not an audit"):
        Audit.from_json({"findings": [{}]})
    with pytest.raises(EvaluationError, match="not an audit"):
        Audit.from_json("[")


def test_features_are_kept(corpus: Data, features: ClipFeatures, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("measured again")

    monkeypatch.setattr("eval_harness.analysis.clip_features.clip_features", never)
    kept = corpus_features(corpus.folder)
    assert kept.ids == features.ids
    assert np.array_equal(kept.values, features.values)


def test_clips_lacking_in_the_features(corpus: Data, features: ClipFeatures) -> None:
    half = len(features.ids) // 2
    part = ClipFeatures(features.ids[:half], features.values[:half], features.flac_bytes[:half], features.samples[:half])
    with pytest.raises(EvaluationError, match="has no audio"):
        audit_features([corpus], [part])


# --- evidence ---------------------------------------------------------------------------------------------------------


def test_features_measure_what_they_are_called() -> None:
    rate = 32_000
    t = np.arange(10 * rate) / rate
    tone = 8000 * np.sin(2 * np.pi * 2000 * t)
    tone[(t < 2) | ((t > 4) & (t < 6)) | (t > 7)] = 0
    found = dict(zip(NAMES, clip_features(tone.astype(np.int16), rate), strict=True))
    assert found["active time"] == pytest.approx(0.3, abs=0.02)
    assert found["active runs"] == 2
    assert found["first heard"] == pytest.approx(0.2, abs=0.01)
    assert found["last heard"] == pytest.approx(0.7, abs=0.01)
    assert found["longest run"] == pytest.approx(0.2, abs=0.01)
    assert found["longest run, when"] == pytest.approx(0.3, abs=0.01)
    assert found["energy centre"] == pytest.approx((2 * 3 + 1 * 6.5) / 30, abs=0.01)
    assert found["centroid mean"] == pytest.approx(2000, rel=0.05)
    assert found["zero crossings mean"] == pytest.approx(2 * 2000 / rate, rel=0.05)
    assert found["onsets"] in (2, 3)  # of a tone that breaks off, the end may sound like one
    assert found["rms"] == pytest.approx(10 * np.log10((8000 / 32768) ** 2 / 2 * 0.3), abs=0.1)
    assert found["peak"] == pytest.approx(20 * np.log10(8000 / 32768), abs=0.1)
    assert np.isfinite(clip_features(np.zeros(rate, np.int16), rate)).all()


def test_twins_have_opposite_signs_but_where_they_ask_different_things(corpus: Data, features: ClipFeatures) -> None:
    pairs = task_pairs(corpus.folder, "mix", features)
    assert pairs is not None
    audio = pairs.evidence["audio"]
    plain, by_twin = np.hsplit(audio.in_set, 2)
    forms = np.array(pairs.forms)[pairs.set]
    for form, first, second in (("mix-1", 1, -1), ("mix-4", 0, 0), ("mix-5", 0, 0), ("mix-6", 1, -1)):
        for twin, sign in ((0, first), (1, second)):
            rows = (forms == form) & (pairs.twin == twin)
            assert np.array_equal(by_twin[rows], sign * plain[rows])


def test_who_is_named_first_tells_nothing_by_itself(corpus: Data, features: ClipFeatures) -> None:
    """Order is told by "before" and "after": the first-named sound is the earlier one in half of the relevant pairs."""
    pairs = task_pairs(corpus.folder, "order", features)
    assert pairs is not None
    relevant = pairs.evidence["text"].alone[pairs.kind == "relevant", TEXT.index("first-named is earlier")]
    assert set(relevant) == {-1.0, 1.0}
    assert abs(relevant.mean()) < 0.11


# --- the command ------------------------------------------------------------------------------------------------------


def test_a_corpus_too_small_says_so(folder: Path) -> None:
    ran = CliRunner().invoke(app, ["audit", str(folder)])
    assert ran.exit_code == 0, ran.output
    assert "too small a corpus to rule them out" in ran.output
    said = " ".join(ran.output.split())
    assert "few: fewer than" not in said, "there is no table"
    assert "not tried, as fewer than 5 sets have such foils: negation reversed" in said


def test_few_sets_do_not_fail_a_corpus_by_their_intervals(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = made_audit(0.5, 0.56)
    few = replace(few, findings=(replace(few.findings[0], enough=False),))
    assert few.sound
    assert not few.conclusive
    monkeypatch.setattr("builders.check.check", lambda *_, **__: [])
    monkeypatch.setattr(auditing, "audit", lambda *_, **__: few)
    ran = CliRunner().invoke(app, ["check", str(folder), "--deep", "-q"])
    assert ran.exit_code == 0, ran.output
    assert "audit: no shortcuts seen, but too small a corpus" in ran.output


def test_bad_input(tmp_path: Path, folder: Path) -> None:
    ran = CliRunner().invoke(app, ["audit", str(tmp_path / "none")])
    assert ran.exit_code == 2
    assert "does not exist" in ran.output
    ran = CliRunner().invoke(app, ["audit", str(folder), "--json", str(tmp_path / "no" / "a.json")])
    assert ran.exit_code == 2
    assert "does not exist" in ran.output


def made_audit(p: float, limit: float) -> Audit:
    told = (Told("logistic regression", 0.61, 0.55, 0.66, 0.03, p), Told("gradient boosting", 0.55, 0.5, 0.6, 0.03, 0.2))
    result = KindResult("audio", "order", "reversed", 100, 900, told, {"order-1": 0.61}, {"rms": 0.63})
    return Audit("c" * 64, 0, 100, (Finding(result, p, (limit, 0.47), True),))


@pytest.mark.parametrize(("p", "limit", "code"), [(0.5, 0.49, 0), (0.001, 0.49, 1), (0.5, 0.56, 1)])
def test_exit_code_and_verdict(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, p: float, limit: float, code: int
) -> None:
    made = made_audit(p, limit)
    monkeypatch.setattr(auditing, "audit", lambda *_, **__: made)
    ran = CliRunner().invoke(app, ["audit", str(folder), "--json", str(tmp_path / "a.json"), "-q"], env={"COLUMNS": "140"})
    assert ran.exit_code == code, ran.output
    assert ("order, reversed: audio tells (AUC 0.610" in ran.output) == bool(code)
    assert ("no shortcuts: the highest of 1 AUCs" in ran.output) == (not code)
    assert "0.610 " in ran.output
    assert Audit.from_json((tmp_path / "a.json").read_text()) == made


def test_the_deep_check_audits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builders.check.check", lambda *_, **__: [])
    monkeypatch.setattr(auditing, "audit", lambda *_, **__: made_audit(0.001, 0.6))
    ran = CliRunner().invoke(app, ["check", str(folder), "--deep", "-q"])
    assert ran.exit_code == 1
    assert "1 shortcut found" in ran.output
    assert CliRunner().invoke(app, ["check", str(folder), "--deep", "--no-audit", "-q"]).exit_code == 0
    assert CliRunner().invoke(app, ["check", str(folder), "-q"]).exit_code == 0
    monkeypatch.setattr(auditing, "audit", lambda *_, **__: made_audit(0.5, 0.5))
    ran = CliRunner().invoke(app, ["check", str(folder), "--deep", "-q"])
    assert ran.exit_code == 0
    assert "audit: no shortcuts" in ran.output


# --- several corpora --------------------------------------------------------------------------------------------------


def test_limits_hold_for_all_at_once() -> None:
    """Of exchangeable corpora with 90 AUCs each, few have any lower limit above chance; of separate limits, most would."""
    rng = np.random.default_rng(0)
    together, apart = [], []
    for _ in range(200):
        results = [
            KindResult(
                *("audio", "order", "reversed", 60, 900),
                (Told("", float(own.mean()), 0.0, 1.0, float(own.std(ddof=1) / 60**0.5), 0.5),),
                *({}, {}),
            )
            for own in 0.5 + rng.uniform(-0.5, 0.5, (90, 60))
        ]
        together.append(max(lower_limits(one, 90)[0] for one in results) > 0.5)
        apart.append(max(lower_limits(one, 1)[0] for one in results) > 0.5)
    assert np.mean(together) < 0.06  # 2.5 % is expected
    assert np.mean(apart) > 0.8


def test_several_corpora_show_what_one_does_not(corpus: Data, features: ClipFeatures, tmp_path: Path) -> None:
    """The same faint cue in every corpus."""
    library = fake_library(60, recordings=2, sample_rate=RATE)
    corpora, measured = [], []
    for seed in range(3):
        recipe = make_recipe(PRESETS["smoke"], {"sample_rate": RATE, "queries_per_task": 2 * SETS, "seed": seed})
        plan = make_plan(recipe, library)
        build(plan, library, qrels(plan, library.relations), tmp_path / str(seed), num_proc=1, make_renderer=ToneRenderer)
        corpora.append(open_data(tmp_path / str(seed)))
        clips = corpora[-1].folder.clips
        rng = np.random.default_rng(seed)
        values = rng.normal(size=(len(clips), len(NAMES)))
        relevant = {clip for query in plan.queries for clip in query.relevant}
        values[:, NAMES.index("rms")] += 0.55 * np.isin(list(clips), sorted(relevant))
        measured.append(ClipFeatures(tuple(clips), values, np.full(len(clips), 9), np.full(len(clips), RATE * 10)))
    alone = [audit_features([one], [own], **FEW) for one, own in zip(corpora, measured, strict=True)]
    together = audit_features(corpora, measured, **FEW)

    def lowest(found: Audit) -> float:
        return min(one.p_adjusted for one in found.findings if one.result.evidence == "audio")

    assert lowest(together) < min(map(lowest, alone))
    assert ("audio", "anchor-missing") in [(one.result.evidence, one.result.kind) for one in together.shortcuts]
    assert {one.result.sets for one in together.findings} == {3 * SETS}
    assert together.content == "+".join(one.content_hash for one in corpora)
    assert audit_features(corpora[:1], measured[:1], **FEW) == alone[0]


def test_a_corpus_does_not_count_twice(folder: Path) -> None:
    ran = CliRunner().invoke(app, ["audit", str(folder), str(folder)])
    assert ran.exit_code == 2
    assert "have the same queries" in ran.output


# --- the card ---------------------------------------------------------------------------------------------------------


def test_figures_go_into_the_card_and_leave_the_content_as_it_was(folder: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(folder, tmp_path / "corpus"))
    before = open_data(folder).content_hash
    text = (folder / "README.md").read_text()
    assert "Not measured yet: `reasonaudio audit FOLDER --card`" in text
    for _ in range(2):  # the second time in place of the first
        ran = CliRunner().invoke(app, ["audit", str(folder), "--card", "-q"])
        assert ran.exit_code == 0, ran.output
    written = (folder / "README.md").read_text()
    (section,) = re.findall(r"\n## Shortcut audit\n(.*?)\n## ", written, re.DOTALL)
    assert "Not measured yet" not in section
    assert before[:16] in section
    assert written.replace(section, "") == re.sub(r"(\n## Shortcut audit\n).*?(\n## )", r"\1\2", text, flags=re.DOTALL)
    assert open_data(folder).content_hash == before
    verify(folder)
    (folder / "README.md").unlink()
    with pytest.raises(DatasetFolderError, match=r"README\.md is missing"):
        verify(folder)


def test_the_cards_table_has_the_figures_of_the_audit() -> None:
    text = card_text(made_audit(0.5, 0.45), "no shortcuts")
    assert "| order | reversed | 100 | 0.610 [0.55, 0.66] | – | – | 0.500 |" in text
    assert "**0.610** [0.55, 0.66]" in card_text(made_audit(0.001, 0.45), "1 shortcut")


def test_a_card_is_of_one_corpus(folder: Path, tmp_path: Path) -> None:
    ran = CliRunner().invoke(app, ["audit", str(folder), str(folder), "--card"])
    assert ran.exit_code == 2
    assert "give one folder" in ran.output
    (tmp_path / "README.md").write_text("---\n---\n# Another text\n")
    with pytest.raises(DatasetFolderError, match="no section 'Shortcut audit'"):
        set_section(tmp_path, "Shortcut audit", "x")
