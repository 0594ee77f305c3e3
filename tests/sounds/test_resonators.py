"""The bodies that struck sounds are made of: what they ring at, and for how long."""

from __future__ import annotations

import numpy as np
import pytest

from builders.sounds.synth.blocks import RATE, Signal
from builders.sounds.synth.declare import TAKES, Take
from builders.sounds.synth.resonators import BELL, bar, cast, melody, tap, tube


def level_db(signal: Signal, frequency: float, width: float = 8.0) -> float:
    """Largest magnitude within `width` Hz of a frequency, in dB."""
    spectrum = np.abs(np.fft.rfft(signal * np.hanning(len(signal))))
    at = np.fft.rfftfreq(len(signal), 1 / RATE)
    return float(20 * np.log10(spectrum[np.abs(at - frequency) < width].max()))


def test_bar_rings_at_its_ratios_and_nowhere_between() -> None:
    ring = bar(1.0, 300, (1, 2, 1), (2.756, 2, 1), (5.404, 2, 1))
    for ratio in (1, 2.756, 5.404):
        assert level_db(ring, 300 * ratio) > level_db(ring, 300 * ratio * 1.3) + 30


@pytest.mark.parametrize("t60", [0.2, 0.8])
def test_bar_falls_by_60_db_in_its_t60(t60: float) -> None:
    ring = np.square(bar(1.0, 1000, (1, t60, 1)))
    early, late = (ring[round(at * RATE) :][: RATE // 100].mean() for at in (0.02, 0.02 + t60 / 2))
    assert 10 * np.log10(early / late) == pytest.approx(30, abs=1)


def test_bell_has_the_minor_third_and_tilt_makes_it_brighter() -> None:
    dark, bright = (cast(Take("a bell", 0), 400, 2.0, tilt, 4.0) for tilt in (-1.0, 0.5))
    for ratio in BELL[:5]:
        assert level_db(dark, 400 * ratio) > level_db(dark, 400 * ratio * 1.1) + 15, ratio
    assert level_db(bright, 4000, 400) - level_db(bright, 400) > level_db(dark, 4000, 400) - level_db(dark, 400) + 20


def test_tube_has_an_octave_and_a_twelfth_over_its_pitch() -> None:
    ring = tube(Take("a tube", 0), 300, 0.5)
    for ratio in (1, 2, 3.02, 4.2):
        assert level_db(ring, 300 * ratio) > level_db(ring, 300 * ratio * 1.12) + 15


def test_tap_is_short_and_within_its_band() -> None:
    blow = tap(np.random.default_rng(0), 0.5, 2000, 4000, 0.05)
    assert np.square(blow[: RATE // 20]).sum() > 0.99 * np.square(blow).sum()
    assert level_db(blow, 3000, 900) > level_db(blow, 300, 200) + 20


def test_melodies_move_by_a_step_or_two_and_differ_by_take() -> None:
    tunes = [melody(Take("a tune", number), 40, 6) for number in range(TAKES)]
    for tune in tunes:
        assert len(tune) == 40
        assert set(tune) <= set(range(7))
        assert np.abs(np.diff(tune)).max() == 2
    assert len({tuple(tune) for tune in tunes}) == TAKES
