"""Planted contradictions: that they are found, with what is at fault."""

from __future__ import annotations

from pathlib import Path

from builders.dataset_folder import DatasetFolder
from builders.logic import Has, Lacks, Truth, conjuncts, evaluate, labels_of, required_labels
from builders.sounds.excluded import read_exclusions, with_exclusions
from eval_harness.listening.excluding import write_exclude
from eval_harness.listening.findings import findings
from eval_harness.listening.study import Trial
from eval_harness.listening.suspects import Fault, Suspect
from tests.corpus_fixture import RATE
from tests.fake_library import fake_library
from tests.listening.made import Says, by_rule, session, study_of
from tests.scored_corpus import RELATED, smoke_corpus  # noqa: F401  # fixture

FEW = {"resamples": 200}


def heard_for(folder: DatasetFolder, present: str, asked: str) -> Says:
    """A listener who takes the sound `present` for the sound `asked`, and else follows the rule."""

    def holds(clip: str, label: str) -> bool:
        labels = folder.clips[clip].timeline.labels
        found = evaluate(Has(label), folder.clips[clip].timeline, relations=folder.relations) is Truth.TRUE
        return found or (label == asked and present in labels)

    def says(trial: Trial, clip: str) -> str:
        rule = by_rule(folder)(trial, clip)
        if trial.kind == "catch":
            return rule
        parts = conjuncts(folder.queries[trial.query].formula)
        if any(isinstance(part, Lacks) and part.a == asked for part in parts) and holds(clip, asked):
            return "not"
        missing = [label for part in parts if not isinstance(part, Lacks) for label in labels_of(part) if not holds(clip, label)]
        had = [label for label in required_labels(folder.queries[trial.query].formula) if not _has(folder, clip, label)]
        return "fits" if had == [asked] and not missing else rule

    return says


def _has(folder: DatasetFolder, clip: str, label: str) -> bool:
    return evaluate(Has(label), folder.clips[clip].timeline, relations=folder.relations) is Truth.TRUE


def test_a_sound_that_is_taken_for_a_forbidden_one_is_found(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    folder = smoke_corpus
    query = next(query for query in folder.queries.values() if query.form == "negation-1")
    (forbidden,) = (part.a for part in conjuncts(query.formula) if isinstance(part, Lacks))
    clip = folder.clips[query.relevant[0]]
    other = next(label for label in clip.timeline.labels if label not in labels_of(query.formula))
    study = study_of(folder, clips=20)
    found = findings(folder, [session(study, heard_for(folder, other, forbidden), name) for name in "ABC"], **FEW)
    assert found.contradictions
    assert {one.query.set for one in found.contradictions} == {query.set}
    assert all(one.verdicts == {"not": 3} and one.fits for one in found.contradictions if one.query.id == query.id)
    assert {one.clip for one in found.contradictions if one.query.id == query.id} == {
        clip for clip in query.relevant if other in folder.clips[clip].timeline.labels
    }
    proposed = [one.fault for one in found.suspects if one.proposed]
    assert Fault("pair", other, forbidden) in proposed
    told = found.to_json()["contradictions"][0]
    assert told["text"] in {one.text for one in folder.queries.values()}
    assert {"formula", "verdicts", "rule", "is", "reasons", "arrangement", "events"} <= told.keys()


def test_a_sound_that_is_taken_for_a_missing_anchor_is_found(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    folder = smoke_corpus
    study = study_of(folder, clips=20)
    query = next(query for query in folder.queries.values() if query.form == "order-1")
    foil = next(
        foil for foil in query.foils if foil.kind == "anchor-missing" and _missing(folder, query.id, foil.clip) != {*_of(query)}
    )
    (missing,) = _missing(folder, query.id, foil.clip)
    other = next(label for label in folder.clips[foil.clip].timeline.labels if label not in _of(query))
    fooled = heard_for(folder, other, missing)

    def says(trial: Trial, clip: str) -> str:
        return "fits" if trial.kind != "catch" and clip in clips and trial.query in twins else fooled(trial, clip)

    twins = {query.id, query.twin}
    clips = {
        one.clip
        for one in query.foils
        if _missing(folder, query.id, one.clip) == {missing} and other in folder.clips[one.clip].timeline.labels
    }
    found = findings(folder, [session(study, says, name) for name in "AB"], **FEW)
    assert {one.clip for one in found.contradictions if one.query.id == query.id} == clips
    proposed = [one for one in found.suspects if one.proposed]
    assert Fault("pair", other, missing) in [one.fault for one in proposed]
    assert all(one.fault.kind == "pair" for one in proposed)


def _of(query: object) -> tuple[str, ...]:
    return labels_of(query.formula)  # type: ignore[attr-defined]


def _missing(folder: DatasetFolder, query: str, clip: str) -> set[str]:
    return {label for label in required_labels(folder.queries[query].formula) if not _has(folder, clip, label)}


def test_a_recording_that_nobody_hears_as_what_it_is_is_found(
    smoke_corpus: DatasetFolder,  # noqa: F811
    tmp_path: Path,
) -> None:
    """Listeners judge every clip wrongly in which one recording decides; a build can leave it out."""
    folder = smoke_corpus
    query = next(query for query in folder.queries.values() if query.form == "overlap-1")
    label = labels_of(query.formula)[0]
    recording = next(
        event.recording
        for event in folder.clips[query.relevant[0]].timeline
        if folder.relations.holds(event.label, label) is Truth.TRUE
    )

    def says(trial: Trial, clip: str) -> str:
        rule = by_rule(folder)(trial, clip)
        if trial.kind == "catch" or label not in labels_of(folder.queries[trial.query].formula):
            return rule
        there = any(event.recording == recording for event in folder.clips[clip].timeline)
        return "not" if there and rule == "fits" else "fits" if there and not _missing(folder, trial.query, clip) else rule

    found = findings(folder, [session(study_of(folder, clips=20), says, name) for name in "AB"], **FEW)
    assert found.contradictions
    proposed = [one.fault for one in found.suspects if one.proposed]
    assert recording in [one.a for one in proposed if one.kind == "recording"]
    write_exclude(tmp_path / "exclude.csv", found.suspects)
    library = fake_library(120, recordings=2, sample_rate=RATE, relations=RELATED)  # that the corpus was built from
    without = with_exclusions(library, read_exclusions(tmp_path / "exclude.csv"))
    assert recording in {one.id for one in library.recordings} - {one.id for one in without.recordings}


def test_half_of_the_listeners_are_no_majority(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    study = study_of(smoke_corpus)
    rule = by_rule(smoke_corpus)

    def against(trial: Trial, clip: str) -> str:
        return "not" if rule(trial, clip) == "fits" else "fits"

    half = [session(study, rule, "A"), session(study, against, "B")]
    assert not findings(smoke_corpus, half, **FEW).contradictions
    most = [*half, session(study, against, "C")]
    found = findings(smoke_corpus, most, **FEW)
    assert len(found.contradictions) == len(found.pairs)
    unsure = [*half, session(study, lambda trial, clip: "unsure", "D")]  # one of three is against
    assert not findings(smoke_corpus, unsure, **FEW).contradictions


def test_who_chooses_a_foil_contradicts_by_it(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    study = study_of(smoke_corpus, mode="best")
    rule = by_rule(smoke_corpus)
    wrong = session(study, lambda trial, clip: "not" if rule(trial, clip) == "fits" else "fits")
    found = findings(smoke_corpus, [wrong], **FEW)
    assert len(found.contradictions) == 30
    assert all(one.verdicts == {"chosen": 1} and not one.fits for one in found.contradictions)
    assert not any(one.fits for one in found.pairs)
    assert sum(one.contradicted for one in found.pairs) == 30 < len(found.pairs)


def test_once_is_no_proposal_and_the_file_is_what_a_build_takes(tmp_path: Path) -> None:
    bark = Fault("recording", 'a "b", c\n#x', "dog bark")
    found = [
        Suspect(Fault("pair", "cowbell", "bell"), 2, 3),
        Suspect(Fault("recording", "rain/1", "rain"), 3, 3),
        Suspect(Fault("pair", "bell", "cowbell"), 2, 4),
        Suspect(Fault("pair", "rain", "frying"), 1, 1),
        Suspect(bark, 2, 4),
    ]
    assert [one.proposed for one in found] == [True, True, False, False, False]
    write_exclude(tmp_path / "exclude.csv", found)
    read = read_exclusions(tmp_path / "exclude.csv")
    assert set(read.pairs) == {frozenset(("bell", "cowbell"))}
    assert set(read.recordings) == {"rain/1"}
    assert read.recordings["rain/1"] == "of the sound 'rain': listeners contradict 3 of the 3 judged pairs that it may explain"
    comments = [line for line in (tmp_path / "exclude.csv").read_text().splitlines() if line.startswith("#")]
    assert any("frying" in line for line in comments)
    assert not any("cowbell" in line for line in comments)
