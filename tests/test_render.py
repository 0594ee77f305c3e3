import numpy as np
import pytest

from builders.errors import BuildError
from builders.render import Renderer
from builders.timeline import Event, Timeline
from tests.fake_library import smoke


@pytest.fixture(scope="module")
def renderer():
    plan, library = smoke()
    return Renderer(plan.recipe, library)


def test_exactly_ten_seconds_below_full_scale(renderer):
    for clip in smoke()[0].clips[::7]:
        samples = renderer.clip(clip.id, clip.timeline)
        assert samples.dtype == np.int16
        assert samples.shape == (320_000,)
        assert np.abs(samples.astype(int)).max() < 32768 * 10 ** (-2 / 20)


def test_stems_sum_to_the_mix(renderer):
    for clip in smoke()[0].clips[::11]:
        total = renderer.bed(clip.id).astype(np.float64)
        for event in clip.timeline:
            start = event.onset_ms * 32
            stem = renderer.event(event)
            total[start : start + len(stem)] += stem
        np.testing.assert_allclose(renderer.mix(clip.id, clip.timeline), total, atol=1e-6)
        assert np.abs(renderer.clip(clip.id, clip.timeline) / 32768 - total).max() <= 0.51 / 32768


def test_rendering_is_pure(renderer):
    plan, library = smoke()
    clips = plan.clips[:30]
    once = {clip.id: renderer.clip(clip.id, clip.timeline) for clip in clips}
    other = Renderer(plan.recipe, library)
    for clip in reversed(clips):
        np.testing.assert_array_equal(other.clip(clip.id, clip.timeline), once[clip.id])


def test_no_two_clips_are_the_same(renderer):
    clips = smoke()[0].clips
    assert len({renderer.clip(clip.id, clip.timeline).tobytes() for clip in clips}) == len(clips)


def test_gain_is_as_planned(renderer):
    recording = renderer.library.recordings[0]
    levels = [
        10 * np.log10(np.mean(renderer.event(Event(recording.label, 0, recording.duration_ms, recording.id, gain)) ** 2))
        for gain in (-3.0, 0.0, 2.5)
    ]
    assert np.diff(levels) == pytest.approx([3.0, 2.5], abs=0.01)


def test_a_damaged_timeline_is_refused(renderer):
    recording = renderer.library.recordings[0]
    late = Timeline((Event(recording.label, 9900, 9900 + recording.duration_ms, recording.id),))
    with pytest.raises(BuildError, match=f"clip 00ff.*{recording.label}.*after 10000 ms"):
        renderer.clip("00ff", late)
