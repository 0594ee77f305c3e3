"""equal-energy: one gain a clip, equal levels in a set, a bed in the gaps, and no clip at full scale."""

from __future__ import annotations

import numpy as np
import pytest

from builders.controls import energy
from builders.controls.render import ControlRenderer, sets_of
from builders.recipe import make_recipe
from builders.render import Renderer
from builders.timeline import Event, Timeline
from tests.controls.small import renderer, small, treated_sets

SETS = treated_sets("equal-energy")
RENDERER = renderer("equal-energy")
RECIPE = RENDERER.renderer.recipe
PLAIN = Renderer(small()[0].recipe, small()[1])


def in_full_scale(samples):
    return samples.astype(np.float64) / 32768


@pytest.mark.parametrize(("clips", "treatments"), SETS, ids=[clips[0].set for clips, _ in SETS])
def test_every_clip_of_a_set_has_the_mean_rms_of_the_set(clips, treatments):
    before, filled, after = [], [], []
    for clip in clips:
        mixed = PLAIN.mix(clip.id, clip.timeline)
        before.append(energy.rms_db(mixed))
        energy.fill_gaps(mixed, clip.timeline, RECIPE, treatments[clip.id].gap_bed_dbfs)
        filled.append(np.sqrt(np.mean(np.square(mixed, dtype=np.float64))))
        after.append(energy.rms_db(in_full_scale(RENDERER.treated(clip.id, clip.timeline, treatments[clip.id]))))
    assert np.ptp(before) > 0.5
    assert np.ptp(after) < 0.001
    assert np.mean(after) == pytest.approx(20 * np.log10(np.mean(filled)), abs=0.001)


def test_one_constant_gain_and_nothing_else_where_events_sound():
    for clips, treatments in SETS:
        for clip in clips[::7]:
            sounding = energy.sounding(clip.timeline, RECIPE, PLAIN.clip_samples)
            plain = PLAIN.mix(clip.id, clip.timeline)[sounding]
            treated = in_full_scale(RENDERER.treated(clip.id, clip.timeline, treatments[clip.id]))[sounding]
            gain = 10 ** (treatments[clip.id].gain_db / 20)
            assert np.abs(treated - gain * plain).max() < 0.51 / 32768


def test_gaps_hold_a_bed_20_db_below_the_events():
    for clips, treatments in SETS:
        for clip in clips[::7]:
            samples = in_full_scale(RENDERER.treated(clip.id, clip.timeline, treatments[clip.id]))
            fade = RECIPE.samples(RECIPE.sound.fade_ms)
            gaps = np.concatenate([samples[a + fade : b - fade] for a, b in energy.gaps(clip.timeline, RECIPE, len(samples))])
            events = samples[energy.sounding(clip.timeline, RECIPE, len(samples))]
            assert energy.rms_db(events) - energy.rms_db(gaps) == pytest.approx(20, abs=0.15)


def test_no_clip_comes_near_full_scale():
    for clips, treatments in SETS:
        for clip in clips:
            assert np.abs(RENDERER.treated(clip.id, clip.timeline, treatments[clip.id]).astype(int)).max() < 32768 * 10 ** (
                -1 / 20
            )


def test_a_set_that_would_clip_is_lowered_as_a_whole():
    plan, library = small("equal-energy")
    limit = -20.0
    lower = ControlRenderer(make_recipe(plan.recipe, {"control_rules": {"peak_dbfs": limit}}), library, plan.measured)
    clips = sets_of(plan.clips)[0]
    treatments = lower.treatments(clips)
    samples = [lower.treated(clip.id, clip.timeline, treatments[clip.id]) for clip in clips]
    assert max(np.abs(s.astype(int)).max() for s in samples) == pytest.approx(32768 * 10 ** (limit / 20), abs=1)
    assert np.ptp([energy.rms_db(in_full_scale(s)) for s in samples]) < 0.002


def test_gaps_are_where_no_event_sounds():
    timeline = Timeline((Event("a", 1000, 2000), Event("b", 1500, 1800), Event("c", 9000, 10_000)))
    assert energy.gaps(timeline, RECIPE, 320_000) == ((0, 32_000), (64_000, 288_000))
    sounding = energy.sounding(timeline, RECIPE, 320_000)
    assert sounding.sum() == 64_000
    assert energy.gaps(Timeline(()), RECIPE, 320_000) == ((0, 320_000),)


def test_a_gap_shorter_than_its_fades_is_filled_without_a_jump():
    weights = energy.gap_weights(1000, 1100, 320_000, RECIPE)
    assert weights.shape == (100,)
    assert 0 < weights.max() <= 1
    assert max(weights[0], weights[-1]) < 0.02
    assert np.abs(np.diff(weights)).max() < 0.1
    assert (energy.gap_weights(0, 4000, 320_000, RECIPE)[:3600] == 1).all()  # no fade at the start of the clip
