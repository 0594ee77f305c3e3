import pytest

from builders.timeline import Event, Timeline, blocks_of, overlap_ms, overlapping_pairs


def test_events_are_ordered_by_onset_then_label():
    timeline = Timeline((Event("b", 500, 900), Event("c", 0, 100), Event("a", 500, 700)))
    assert timeline.labels == ("c", "a", "b")
    assert timeline.event("b").duration_ms == 400
    with pytest.raises(KeyError):
        timeline.event("x")


@pytest.mark.parametrize(("onset", "offset"), [(-1, 5), (5, 5), (6, 5)])
def test_an_event_must_have_a_length(onset, offset):
    with pytest.raises(ValueError, match="onset"):
        Event("a", onset, offset)


def test_overlap_is_negative_for_a_gap():
    a, b = Event("a", 0, 1000), Event("b", 700, 2000)
    assert overlap_ms(a, b) == overlap_ms(b, a) == 300
    assert overlap_ms(a, Event("c", 1250, 1300)) == -250


def test_blocks_and_pairs():
    a, b, c = Event("a", 0, 1000), Event("b", 700, 2000), Event("c", 2000, 3000)
    timeline = Timeline((c, b, a))
    assert blocks_of(timeline) == ((a, b), (c,))
    assert overlapping_pairs(timeline) == ((a, b),)
