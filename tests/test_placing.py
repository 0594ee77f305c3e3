import numpy as np
import pyloudnorm
import pytest

from builders.errors import SoundLibraryError
from builders.placing import Placer, bed_noise, bed_start
from builders.recipe import PRESETS, make_recipe
from builders.sounds.audible import audible_span
from builders.sounds.library import AtomicSound, Recording, SoundLibrary
from tests.fake_library import smoke

RATE = 32_000


def library_of(samples, *, sustained=True, continuous=True, rate=RATE):
    recording = Recording("r", "x", samples.astype(np.float32), len(samples) * 1000 // rate, continuous)
    return SoundLibrary("test", rate, (AtomicSound("x", "an x", "an x sounds", sustained),), (recording,))


def noise(seconds, level=0.1, seed=0):
    return np.random.default_rng(seed).standard_normal(int(seconds * RATE)) * level


@pytest.fixture(scope="module")
def placer():
    plan, library = smoke()
    return Placer(plan.recipe, library)


def test_events_have_their_exact_length_and_level(placer):
    meter = pyloudnorm.Meter(RATE)
    for event in {e for clip in smoke()[0].clips[:60] for e in clip.timeline}:
        samples = placer.samples(event.recording, event.duration_ms)
        assert samples.shape == (event.duration_ms * RATE // 1000,)
        loudness, peak = meter.integrated_loudness(samples.astype(np.float64)), 20 * np.log10(np.abs(samples).max())
        assert loudness <= -30 + 0.1
        assert peak <= -12 + 0.01
        assert loudness >= -30 - 0.1 or peak >= -12 - 0.01
        span = audible_span(samples, RATE)
        assert span.start_ms <= 20
        assert span.end_ms >= event.duration_ms - 20


def test_a_sustained_sound_is_cut_or_looped_and_others_are_not():
    placer = Placer(PRESETS["full"], library_of(noise(2.5)))
    recording = placer.library.recording("r")
    assert placer.can_last(recording, 1000)
    assert placer.can_last(recording, 5000)
    assert not placer.can_last(recording, 1002)  # lengths are whole hops
    short = Placer(PRESETS["full"], library_of(noise(1.9)))
    assert not short.can_last(short.library.recording("r"), 5000)  # under 2 s of material: no loop
    other = Placer(PRESETS["full"], library_of(noise(2.5), sustained=False))
    assert other.can_last(recording, 2500)
    assert not other.can_last(recording, 1000)
    with pytest.raises(SoundLibraryError, match=r"'r'.*2500 ms.*cannot be an event of 1000 ms"):
        other.samples("r", 1000)


def test_a_loop_has_no_seam():
    placer = Placer(PRESETS["full"], library_of(noise(2.0)))
    looped = placer.samples("r", 6000)
    levels = np.sqrt(np.mean(looped[1600:-1600].reshape(-1, 1600) ** 2, axis=1))  # 50 ms each
    assert levels.max() / levels.min() < 1.6  # some noise, no dip and no bump where the ends meet
    assert np.abs(np.diff(looped)).max() < 8 * np.std(np.diff(looped))


def test_a_cut_starts_and_ends_where_the_sound_is_audible():
    samples = noise(5.0)
    samples[: RATE // 2] *= 1e-3  # half a second that is too quiet, and another in the middle
    samples[2 * RATE : 2 * RATE + RATE // 5] *= 1e-3
    placer = Placer(PRESETS["full"], library_of(samples))
    for length in range(500, 3500, 85):
        span = audible_span(placer.samples("r", length), RATE)
        assert span.start_ms <= 20
        assert span.end_ms >= length - 20


def test_quiet_files_come_out_as_loud_as_loud_ones():
    loud, quiet = (Placer(PRESETS["full"], library_of(noise(2.0, level))).samples("r", 2000) for level in (0.1, 1e-4))
    np.testing.assert_allclose(loud, quiet, atol=1e-5)


def test_a_short_event_is_repeated_to_be_measured():
    recipe = make_recipe(PRESETS["full"], {"plan": {"shortest_event_ms": 300}})
    samples = Placer(recipe, library_of(noise(0.3), sustained=False)).samples("r", 300)
    repeated = np.tile(samples, 4).astype(np.float64)
    assert pyloudnorm.Meter(RATE).integrated_loudness(repeated) == pytest.approx(-30, abs=0.5)


def test_both_of_a_pair_are_heard_only_if_neither_is_masked():
    n = 2 * RATE
    low = np.sin(2 * np.pi * 300 * np.arange(n) / RATE)
    high = np.sin(2 * np.pi * 3000 * np.arange(n) / RATE)
    sounds = tuple(AtomicSound(x, f"a {x}", f"a {x} sounds") for x in ("high", "low", "same"))
    recordings = tuple(
        Recording(label, label, (0.2 * data).astype(np.float32), 2000, True)
        for label, data in (("high", high), ("low", low), ("same", low))
    )
    placer = Placer(PRESETS["full"], SoundLibrary("test", RATE, sounds, recordings))
    assert placer.both_heard(("low", 2000, 0.0), ("high", 2000, 0.0), 0)
    assert placer.both_heard(("low", 2000, 0.0), ("high", 2000, 0.0), -900)
    assert not placer.both_heard(("low", 2000, 0.0), ("high", 2000, 0.0), 1700)  # together for 0.3 s only
    assert not placer.both_heard(("low", 2000, -3.0), ("same", 2000, 3.0), 0)  # one is louder everywhere


def test_the_bed_is_noise_at_its_level_read_from_planned_places():
    bed = bed_noise(PRESETS["full"])
    assert 20 * np.log10(np.sqrt(np.mean(bed.astype(np.float64) ** 2))) == pytest.approx(-75, abs=0.1)
    assert not np.array_equal(bed, bed_noise(make_recipe(PRESETS["full"], {"seed": 1})))
    starts = {bed_start(f"{n:016x}", len(bed), 320_000) for n in range(2**40, 2**40 + 50)}
    assert len(starts) == 50
    assert max(starts) < len(bed) - 320_000
