from dataclasses import replace

import numpy as np
import pytest

from builders.check.audio import check_measured, check_samples, measure
from builders.render import Renderer
from builders.shards import pcm_sha256
from builders.timeline import Timeline
from tests.fake_library import smoke


@pytest.fixture(scope="module")
def rendered():
    plan, library = smoke()
    renderer = Renderer(plan.recipe, library)
    return [(clip, renderer.clip(clip.id, clip.timeline)) for clip in plan.clips]


RECIPE = smoke()[0].recipe


def moved(clip, by_ms, which=0):
    events = list(clip.timeline.events)
    events[which] = replace(events[which], onset_ms=events[which].onset_ms + by_ms, offset_ms=events[which].offset_ms + by_ms)
    return replace(clip, timeline=Timeline(tuple(events)))


def test_events_are_found_where_they_are_planned(rendered):
    everything = []
    for clip, samples in rendered:
        measured, problems = measure(clip, samples, RECIPE)
        assert problems == []
        everything += measured
    assert len(everything) > 500
    assert max(max(abs(m.onset_error_ms), abs(m.offset_error_ms)) for m in everything) <= 20
    assert list(check_measured(everything)) == []


def test_a_moved_event_is_found(rendered):
    clip, samples = next((c, s) for c, s in rendered if c.form == "negation-1" and c.timeline.events[0].onset_ms > 500)
    _, problems = measure(moved(clip, -200), samples, RECIPE)
    assert len(problems) == 1
    assert repr(clip.timeline.events[0].label) in problems[0].what


def test_a_slightly_moved_event_differs_from_its_likes(rendered):
    chosen = next(c for c, _ in rendered if c.form == "negation-1" and c.timeline.events[0].onset_ms > 500)
    everything = []
    for clip, samples in rendered:
        measured, problems = measure(moved(clip, -60) if clip.id == chosen.id else clip, samples, RECIPE)
        assert problems == []
        everything += measured
    found = list(check_measured(everything))
    assert [problem.where for problem in found] == [f"clip {chosen.id}"]


def test_an_event_that_is_heard_where_it_is_planned_may_differ_from_its_likes(rendered):
    """The end of some sounds is so quiet that it is audible in some clips and not in others."""
    by_event = {}
    for clip, samples in rendered:
        for m in measure(clip, samples, RECIPE)[0]:
            by_event.setdefault((m.event.recording, m.event.duration_ms), []).append(m)
    group = max(by_event.values(), key=len)
    everything = [replace(m, offset_error_ms=-80) for m in group[1:]]
    assert not any("as in other clips" in problem.what for problem in check_measured([group[0], *everything]))
    moved_too = replace(group[0], offset_error_ms=60)
    assert any("as in other clips" in problem.what for problem in check_measured([moved_too, *everything]))


def test_a_removed_event_is_found(rendered):
    clip, samples = next((c, s) for c, s in rendered if c.form == "negation-1")
    event = clip.timeline.events[1]
    silenced = samples.copy()
    silenced[event.onset_ms * 32 - 320 : event.offset_ms * 32 + 320] = 0
    _, problems = measure(clip, silenced, RECIPE)
    assert [str(problem) for problem in problems] == [
        f"clip {clip.id}: nothing is heard where {event.label!r} should be, {event.onset_ms} to {event.offset_ms} ms"
    ]


def test_a_changed_level_is_found(rendered):
    chosen, everything = None, []
    for clip, samples in rendered:
        if chosen is None and clip.form == "negation-1":
            chosen, event = clip, clip.timeline.events[0]
            samples = samples.copy()
            samples[event.onset_ms * 32 : event.offset_ms * 32] = (
                samples[event.onset_ms * 32 : event.offset_ms * 32] * 0.8
            ).astype(np.int16)
        everything += measure(clip, samples, RECIPE)[0]
    assert [problem.where for problem in check_measured(everything)] == [f"clip {chosen.id}"]


def test_samples_are_checked(rendered):
    clip, samples = rendered[0]
    good = pcm_sha256(samples)
    assert list(check_samples(clip.id, samples, 32_000, RECIPE, good)) == []
    flipped = samples.copy()
    flipped[1000] ^= 1
    assert "pcm_sha256" in str(*check_samples(clip.id, flipped, 32_000, RECIPE, good))
    assert "16000 Hz" in str(*check_samples(clip.id, samples, 16_000, RECIPE, good))
    assert "shape" in str(next(check_samples(clip.id, samples[:-1], 32_000, RECIPE, pcm_sha256(samples[:-1]))))
    flipped[1000] = 32767
    assert "full scale" in str(next(check_samples(clip.id, flipped, 32_000, RECIPE, pcm_sha256(flipped))))
