"""equal-spectrum: a zero-phase filter within its limit, spectra nearer to the set's mean, events heard when they were."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import freqz, oaconvolve

from builders.controls import spectrum
from builders.controls.render import ControlRenderer
from builders.heard import EXACT_MS, heard
from builders.recipe import make_recipe
from builders.render import Renderer
from tests.controls.small import renderer, small, treated_sets

SETS = treated_sets("equal-spectrum")
RENDERER = renderer("equal-spectrum")
RECIPE = RENDERER.renderer.recipe
PLAIN = Renderer(small()[0].recipe, small()[1])
BANDS = len(spectrum.centres(32_000))
FLOAT32_DB = 1e-4


def levels(samples):
    return spectrum.in_db(spectrum.band_energies(np.asarray(samples, np.float32), 32_000))


def worst_gains():
    """From one limit to the other and back, as steeply as bands allow, and at random."""
    rng = np.random.default_rng(0)
    yield np.where(np.arange(BANDS) % 2, 6.0, -6.0)
    yield np.where(np.arange(BANDS) < BANDS // 2, 6.0, -6.0)
    yield np.full(BANDS, 6.0)
    yield from rng.uniform(-6, 6, (5, BANDS))


def test_bands_are_third_octaves():
    centres = spectrum.centres(32_000)
    assert 1000.0 in centres
    assert centres[0] == pytest.approx(50, rel=0.02)
    assert centres[-1] * 2 ** (1 / 6) < 0.45 * 32_000
    assert np.diff(np.log2(centres)) == pytest.approx(1 / 3)
    tone = np.sin(2 * np.pi * 1000 * np.arange(320_000) / 32_000)
    energies = spectrum.band_energies(tone.astype(np.float32), 32_000)
    assert energies[centres == 1000.0] == pytest.approx(160_000, rel=1e-3)
    assert energies.sum() == pytest.approx(160_000, rel=1e-3)


def test_the_bed_has_the_energies_that_noise_is_said_to_have():
    found = spectrum.band_energies(PLAIN.bed("00ff"), 32_000)
    expected = spectrum.noise_energies(RECIPE.sound.bed_dbfs, 320_000, 32_000)
    assert np.abs(10 * np.log10(found / expected))[5:].max() < 0.5


@pytest.mark.parametrize("gains", list(worst_gains()))
def test_a_filter_stays_within_its_limit_and_has_no_phase(gains):
    response = spectrum.impulse_response(gains, RECIPE)
    assert np.array_equal(response, response[::-1])
    assert len(response) == 2 * 640 + 1
    hertz, found = freqz(response.astype(np.float64), worN=20_000, fs=32_000)
    zero_phase = found * np.exp(2j * np.pi * hertz * 640 / 32_000)
    assert np.abs(20 * np.log10(np.abs(found))).max() <= 6 + FLOAT32_DB
    assert zero_phase.real.min() > 0
    assert np.abs(zero_phase.imag).max() < 1e-4


def test_filtering_is_convolution_about_the_centre():
    rng = np.random.default_rng(1)
    samples = rng.standard_normal(50_000).astype(np.float32)
    response = spectrum.impulse_response(rng.uniform(-6, 6, BANDS), RECIPE)
    expected = oaconvolve(samples.astype(np.float64), response.astype(np.float64), mode="same")
    np.testing.assert_allclose(spectrum.apply(samples, response), expected, atol=1e-5)


def test_the_echo_before_a_click_is_bounded():
    click = np.zeros(32_000, np.float32)
    click[16_000] = 1
    for gains in worst_gains():
        found = np.abs(spectrum.apply(click, spectrum.impulse_response(gains, RECIPE)))
        main = np.sum(np.square(found[16_000 - 32 : 16_000 + 33], dtype=np.float64))
        assert found[: 16_000 - 640].max() < 1e-6  # nothing but rounding before the reach
        early = np.sum(np.square(found[: 16_000 - 160], dtype=np.float64))  # over 5 ms early
        assert early < 0.01 * main


@pytest.mark.parametrize(("clips", "treatments"), SETS, ids=[clips[0].set for clips, _ in SETS])
def test_spectra_come_nearer_to_the_mean_of_the_set(clips, treatments):
    before = np.array([levels(PLAIN.mix(clip.id, clip.timeline)) for clip in clips])
    after = np.array([levels(RENDERER.treated(clip.id, clip.timeline, treatments[clip.id]) / 32768) for clip in clips])
    common = {treatment.gain_db for treatment in treatments.values()}
    assert len(common) == 1
    after -= common.pop()
    to_mean = [np.sqrt(np.mean(np.square(of - before.mean(axis=0)), axis=1)) for of in (before, after)]
    filtered = np.array([any(treatments[clip.id].filter_db) for clip in clips])
    assert filtered.mean() > 0.8
    assert (to_mean[1] < to_mean[0])[filtered].all()
    assert spectrum.distances(after).mean() < 0.8 * spectrum.distances(before).mean()
    assert np.abs(after - before).max() < 6.1  # rounding to 16 bits adds to what is quietest


def test_events_are_heard_when_they_were():
    weakened = 0
    for clips, treatments in SETS:
        for clip in clips:
            then = heard(PLAIN.mix(clip.id, clip.timeline), clip.timeline, RECIPE)
            samples = RENDERER.treated(clip.id, clip.timeline, treatments[clip.id]).astype(np.float32) / np.float32(32768)
            for now, was in zip(heard(samples, clip.timeline, RECIPE), then, strict=True):
                for error, before in zip(now.errors_ms, was.errors_ms, strict=True):
                    assert abs(error) <= max(EXACT_MS, abs(before))
            weakened += not any(treatments[clip.id].filter_db)
    assert weakened < 10


def test_a_filter_that_moves_an_offset_is_weakened():
    """A dull decay after a bright beginning is 29 dB below it: a filter that lowers it makes the sound seem to end early."""
    from builders.controls.treatment import _exact
    from builders.corpus import Clip
    from builders.timeline import Event, Timeline

    rng = np.random.default_rng(2)
    bright = rng.standard_normal(16_000)
    dull = np.sin(2 * np.pi * 200 * np.arange(16_000) / 32_000) * np.sqrt(2) * 10 ** (-27.5 / 20)
    mixed = np.full(320_000, 1e-6, np.float32)
    mixed[64_000:80_000], mixed[80_000:96_000] = bright * 0.05, dull * 0.05
    clip = Clip("00", "order", "order-1", "order-000", "", Timeline((Event("a", 2000, 3000),)))
    gains = np.where(spectrum.centres(32_000) < 500, -6.0, 6.0)
    (asked,) = heard(spectrum.apply(mixed, spectrum.impulse_response(gains, RECIPE)), clip.timeline, RECIPE)
    assert asked.errors_ms[1] < -400
    weaker, filtered = _exact(mixed, clip, gains, RECIPE)
    (found,) = heard(filtered, clip.timeline, RECIPE)
    assert max(map(abs, found.errors_ms)) <= EXACT_MS
    assert np.abs(weaker).max() <= 1.5
    np.testing.assert_array_equal(_exact(mixed, clip, np.zeros(BANDS), RECIPE)[0], np.zeros(BANDS))


def test_a_set_that_would_clip_is_lowered_as_a_whole():
    def peak(renderer, clips, treatments):
        return max(np.abs(renderer.treated(one.id, one.timeline, treatments[one.id]).astype(int)).max() for one in clips)

    plan, library = small("equal-spectrum")
    clips, treatments = max(treated_sets("equal-spectrum"), key=lambda made: peak(renderer("equal-spectrum"), made[0], made[1]))
    assert peak(renderer("equal-spectrum"), clips, treatments) > 3300
    lower = ControlRenderer(make_recipe(plan.recipe, {"control_rules": {"peak_dbfs": -20.0}}), library, plan.measured)
    treatments = lower.treatments(clips)
    assert len({treatment.gain_db for treatment in treatments.values()}) == 1
    assert peak(lower, clips, treatments) == pytest.approx(3276.8, abs=1)
