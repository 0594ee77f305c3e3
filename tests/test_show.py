"""What `show` and `explain` print: lanes in the right columns, inside the terminal, in the right groups."""

from __future__ import annotations

import dataclasses
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console, RenderableType

from builders.corpus import Query
from builders.logic import And, Before, Lacks
from builders.timeline import Event, Timeline
from eval_harness.lanes import ASCII, Lanes, label_styles
from eval_harness.show import PairView, QueryView, listing, overview
from tests.fake_folder import QUERY_ID, FakeFolder


def rendered(view: RenderableType, width: int, encoding: str = "utf-8") -> str:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
    Console(file=file, width=width, highlight=False, legacy_windows=False).print(view, markup=False)
    file.seek(0)
    return file.read()


@pytest.fixture
def folder() -> FakeFolder:
    return FakeFolder()


def view(folder: FakeFolder, **changes: object) -> QueryView:
    query = dataclasses.replace(folder.queries[QUERY_ID], **changes)  # type: ignore[arg-type]  # any field of a query
    return QueryView(query, folder.queries[query.twin], folder.clips)


def test_one_clip_looks_as_it_should() -> None:
    timeline = Timeline((Event("dog bark", 800, 3100), Event("rain", 4000, 9000), Event("car horn", 4020, 5000)))
    lanes = Lanes.fitting(80, timeline.labels, label_styles(Before("dog bark", "car horn")))
    assert [line.plain for line in (lanes.axis(), *lanes.draw(timeline))] == [
        "           0          2          4          6          8          10 s",
        "  dog bark ····▇▇▇▇▇▇▇▇▇▇▇▇▇·····┊··········┊··········┊··········  0.80 – 3.10",
        "  rain     ···········┊··········░░░░░░░░░░░░░░░░░░░░░░░░░░░░·····  4.00 – 9.00",
        "  car horn ···········┊··········▇▇▇▇▇▇·····┊··········┊··········  4.02 – 5.00",
    ]


events = st.builds(
    lambda label, onset, length: Event(label, onset, min(onset + length, 10_000)),
    st.text("abcdefgh ü鐘🔔", min_size=1, max_size=40).filter(str.strip),
    st.integers(0, 9_990),
    st.integers(10, 6_000),
)


@given(st.lists(events, min_size=1, max_size=5, unique_by=lambda event: event.label), st.integers(60, 200))
def test_lanes_are_true_to_scale_and_fit(found: list[Event], width: int) -> None:
    timeline = Timeline(tuple(found))
    lanes = Lanes.fitting(width, timeline.labels, {found[0].label: "red"}, ASCII)
    lines = list(lanes.draw(timeline))
    assert len(lines) == len(timeline)
    assert cell_len(lanes.axis().plain) <= width
    for event, line in zip(timeline, lines, strict=True):
        assert cell_len(line.plain) <= width
        times = f" {event.onset_ms / 1000:5.2f} - {event.offset_ms / 1000:.2f}"
        label_part = line.plain[: -lanes.axis_width - len(times)]
        cells = line.plain[len(label_part) : -len(times)]
        assert line.plain.endswith(times)
        assert cell_len(label_part) == lanes.indent + lanes.label_width + 1
        glyph = ASCII.bar if event.label == found[0].label else ASCII.free
        per_second = lanes.axis_width / 10
        assert cells.strip(glyph + ASCII.rest + ASCII.tick) == ""
        assert abs(cells.index(glyph) - event.onset_ms / 1000 * per_second) <= 1
        assert abs(cells.count(glyph) - event.duration_ms / 1000 * per_second) <= 1


@pytest.mark.parametrize("width", [80, 100, 140, 300])
def test_views_fit_the_terminal(folder: FakeFolder, width: int) -> None:
    pair = PairView(folder.queries[QUERY_ID], next(iter(folder.clips.values())), False)
    for shown in (view(folder), pair, overview(folder.queries.values()), listing(list(folder.queries.values()))):
        assert max(map(cell_len, rendered(shown, width).splitlines())) <= width


def test_lanes_grow_with_the_terminal(folder: FakeFolder) -> None:
    bars = [rendered(view(folder), width).count("▇") for width in (80, 140)]
    assert bars[1] > 1.5 * bars[0]


def test_a_query_is_shown_with_its_twin_and_every_clip_in_its_group(folder: FakeFolder) -> None:
    query = folder.queries[QUERY_ID]
    text = rendered(view(folder), 140)
    head = text[: text.index("relevant (")]
    for expected in (query.id, query.text, 'And(Before("dog bark", "car horn"), Lacks("siren"))', query.twin):
        assert expected in head
    assert folder.queries[query.twin].text in text
    order = [text.index(title) for title in ("relevant (", "before-broken (", "both-broken (", "anchor-missing (")]
    assert order == sorted(order)
    for clip in folder.clips:
        assert text.count(clip) == 1
    for foil in query.foils:
        assert text.index(f"{foil.kind} (") < text.index(foil.clip)
    assert text.index("relevant (") < text.index(query.relevant[0]) < text.index("before-broken (")
    assert "✓ dog bark ends at 2.73 s, car horn starts at 3.20 s: 0.47 s apart" in text
    assert "✗ siren from 4.65 to 6.39 s" in text


def test_the_same_reason_is_given_once(folder: FakeFolder) -> None:
    formula = And(Before("owl", "dog bark"), Before("car horn", "owl"))
    text = rendered(view(folder, formula=formula), 100)
    assert [line.strip() for line in text.splitlines()].count("✗ no owl") == len(folder.clips)


def test_a_query_without_its_twin_is_shown(folder: FakeFolder) -> None:
    query = folder.queries[QUERY_ID]
    assert query.text in rendered(QueryView(query, None, folder.clips), 80)


def test_a_folder_that_contradicts_itself_is_told(folder: FakeFolder) -> None:
    query = folder.queries[QUERY_ID]
    wrong = view(folder, relevant=(), foils=(*query.foils, type(query.foils[0])(query.relevant[0], "reversed")))
    assert rendered(view(folder), 140).count("reasonaudio check") == 0
    assert "lists it as not relevant, but the formula is TRUE" in rendered(wrong, 140)
    pair = PairView(query, folder.clips[query.foils[0].clip], True)
    assert "lists it as relevant, but the formula is FALSE" in rendered(pair, 140)


def test_a_pair_is_explained_part_by_part(folder: FakeFolder) -> None:
    query = folder.queries[QUERY_ID]
    text = rendered(PairView(query, folder.clips[query.relevant[0]], True), 100)
    assert '✓ TRUE    Before("dog bark", "car horn")' in text
    assert '✓ TRUE    Lacks("siren")' in text
    assert "formula TRUE; the pair is listed as relevant" in text
    assert "the query's own set" in text


def test_ascii_terminals_get_ascii(folder: FakeFolder) -> None:
    text = rendered(view(folder), 80, encoding="ascii")
    assert text.isascii()
    assert "####" in text


def test_colours() -> None:
    query, twin = And(Before("a", "b"), Lacks("c")), And(Before("b", "a"), Lacks("e"))
    styles = label_styles(query, twin)
    assert list(styles) == ["a", "b", "c", "e"]
    assert styles["c"] == "red"
    assert len({styles[label] for label in "abe"}) == 3
    many = label_styles(And(*(Lacks(str(number)) for number in range(30))), Before("x", "y"))
    assert len(many) == 32


def test_overview_has_one_line_a_form(folder: FakeFolder) -> None:
    queries: list[Query] = list(folder.queries.values())
    other = dataclasses.replace(queries[0], id="0" * 16, task="order", form="order-1")
    lines = rendered(overview([*queries, other]), 140).splitlines()
    assert [line.split()[:3] for line in lines[1:]] == [["order-1", "1", "0" * 16], ["mix-1", "2", queries[0].id]]
