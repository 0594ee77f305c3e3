"""What `check --deep` says of controls: nothing of whole ones, and what is wrong with damaged ones."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from builders.build import build
from builders.check import check
from builders.check.control import check_heard, listen
from builders.controls import energy, spectrum
from builders.controls.render import ControlRenderer
from builders.recipe import make_recipe
from builders.relevance import qrels
from builders.timeline import blocks_of
from tests.controls.small import renderer, small, treated_sets

ENERGY, SPECTRUM = "equal-energy", "equal-spectrum"


def said(control, change=lambda clip, treatment: treatment, sets=slice(2)):
    """What is said of the first sets where `change` gives the treatment of each clip, or its samples."""
    recipe, found = small(control)[0].recipe, []
    measured, treated = [], []
    for clips, treatments in treated_sets(control)[sets]:
        for clip in clips:
            changed = change(clip, treatments[clip.id])
            samples = changed if isinstance(changed, np.ndarray) else renderer(control).treated(clip.id, clip.timeline, changed)
            events, about, problems = listen(clip, samples, recipe)
            measured += events
            treated += about
            found += problems
    return "\n".join(map(str, [*found, *check_heard(measured, treated, recipe)]))


def only(one, change):
    """Changes the treatment of one clip."""
    return lambda clip, treatment: change(clip, treatment) if clip.id == one.id else treatment


@pytest.mark.parametrize("control", [ENERGY, SPECTRUM])
def test_a_whole_corpus_is_sound(tmp_path, control):
    plan, library = small(control)
    folder = build(plan, library, qrels(plan, library.relations), tmp_path / "x").folder
    assert "\n".join(map(str, check(folder, deep=True))) == ""


@pytest.mark.parametrize("control", [ENERGY, SPECTRUM])
def test_what_is_as_planned_is_not_spoken_of(control):
    assert said(control) == ""


def test_the_gain_of_a_clip_is_found():
    chosen = treated_sets(ENERGY)[0][0][3]
    text = said(ENERGY, only(chosen, lambda clip, treatment: replace(treatment, gain_db=treatment.gain_db + 0.5)))
    assert text == f"set {chosen.set}: its clips differ by 0.50 dB in RMS; in this control they are equal"


def test_one_event_at_another_level_is_found():
    clips = treated_sets(ENERGY)[0][0]
    alone = [(clip, block[0]) for clip in clips for block in blocks_of(clip.timeline) if len(block) == 1]
    times = Counter((event.recording, event.duration_ms) for _, event in alone)
    # An event is compared with others of the same recording and length.
    chosen, event = next((clip, event) for clip, event in alone if times[event.recording, event.duration_ms] >= 3)

    def louder(clip, treatment):
        samples = renderer(ENERGY).treated(clip.id, clip.timeline, treatment)
        part = slice(event.onset_ms * 32, event.offset_ms * 32)
        samples[part] = np.rint(samples[part] * 0.8)
        return samples

    text = said(ENERGY, only(chosen, louder))
    assert re.search(rf"clip {chosen.id}: {event.label!r} is -(1\.9|2\.0) dB off its planned gain", text)


def test_the_bed_in_the_gaps_is_looked_at():
    chosen = treated_sets(ENERGY)[0][0][3]
    text = said(ENERGY, only(chosen, lambda clip, treatment: replace(treatment, gap_bed_dbfs=treatment.gap_bed_dbfs - 3)))
    assert f"clip {chosen.id}: the bed in its gaps lies 23.0 dB below its events, not 20 dB" in text

    def other_noise(clip, treatment):
        samples = renderer(ENERGY).treated(clip.id, clip.timeline, treatment)
        gap = ~energy.sounding(clip.timeline, small(ENERGY)[0].recipe, len(samples))
        samples[gap] = np.random.default_rng(0).permutation(samples[gap])
        return samples

    assert f"clip {chosen.id}: its gaps hold something other than the bed" in said(ENERGY, only(chosen, other_noise))


def test_an_event_elsewhere_is_found():
    for control in (ENERGY, SPECTRUM):
        clips, treatments = treated_sets(control)[0]
        clip = clips[0]
        first = clip.timeline.events[0]
        moved = replace(first, onset_ms=first.onset_ms + 200, offset_ms=first.offset_ms + 200)
        claimed = replace(clip, timeline=replace(clip.timeline, events=(moved, *clip.timeline.events[1:])))
        samples = renderer(control).treated(clip.id, clip.timeline, treatments[clip.id])
        assert listen(claimed, samples, small(control)[0].recipe)[2]


def test_no_filter_and_another_filter_are_found():
    (clips, treatments) = treated_sets(SPECTRUM)[1]
    strong = max(clips, key=lambda clip: np.std(treatments[clip.id].filter_db))

    def turned_round(clip, treatment):
        return replace(treatment, filter_db=tuple(-gain for gain in treatment.filter_db))

    text = said(SPECTRUM, only(strong, turned_round), slice(1, 2))
    assert f"clip {strong.id}: its filter is" in text
    assert "off that which brings its set's spectra together" in text


def test_a_filter_beyond_its_limit_is_found():
    chosen = treated_sets(SPECTRUM)[0][0][3]
    bands = len(spectrum.centres(32_000))
    text = said(
        SPECTRUM, only(chosen, lambda clip, treatment: replace(treatment, filter_db=tuple([9.0, *[-9.0] * 5] * bands)[:bands]))
    )
    assert f"clip {chosen.id}: its filter goes from -9" in text
    assert "more than ±6 dB" in text


def test_a_delay_is_found():
    chosen = treated_sets(SPECTRUM)[0][0][3]

    def delayed(clip, treatment):
        return np.roll(renderer(SPECTRUM).treated(clip.id, clip.timeline, treatment), 2)

    assert f"clip {chosen.id}: its filter is not zero-phase" in said(SPECTRUM, only(chosen, delayed))


def test_a_bed_too_quiet_to_see_is_no_problem():
    plan, library = small(SPECTRUM)
    recipe = make_recipe(plan.recipe, {"sound": {"bed_dbfs": -95.0}})
    quiet = ControlRenderer(recipe, library, plan.measured)
    clips = treated_sets(SPECTRUM)[0][0]
    treatments = quiet.treatments(clips)
    measured, treated, problems = listen(clips[0], quiet.treated(clips[0].id, clips[0].timeline, treatments[clips[0].id]), recipe)
    assert (treated, problems) == ([], [])
    assert list(check_heard(measured, treated, recipe)) == []
