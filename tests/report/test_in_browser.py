"""The report in a browser, from disk: nothing fails, nothing is loaded from elsewhere, tables sort, phones see all of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import Browser, browser

PHONE = 360
_ROWS = "[...document.querySelectorAll('#leaderboard-task tbody:first-of-type tr')]"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


def column(page: Browser, number: int) -> list[str]:
    return page.evaluate(f"{_ROWS}.map(row => row.cells[{number}].firstChild.textContent.trim())")  # type: ignore[no-any-return]


def test_the_first_page_opens_from_disk_without_errors(page: Browser, made: Path) -> None:
    page.open(made / "index.html")
    assert page.evaluate("[...document.images].every(image => (image.loading = 'eager', true))")
    page.wait("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
    assert page.evaluate("getComputedStyle(document.querySelector('h1')).fontWeight") == "700"
    assert page.errors == []
    assert set(page.requests) <= {"file", "data"}


def test_a_column_sorts_both_ways_and_by_keyboard(page: Browser, made: Path) -> None:
    page.open(made / "index.html")
    before = column(page, 6)
    page.click("#leaderboard-task thead th:nth-child(3) button")
    assert page.evaluate("document.querySelector('#leaderboard-task thead th:nth-child(3)').ariaSort") == "descending"
    numbers = [float(text) for text in column(page, 2)]
    assert numbers == sorted(numbers, reverse=True)
    page.press("Enter")
    if page.evaluate("document.querySelector('#leaderboard-task thead th:nth-child(3)').ariaSort") == "descending":
        page.press(" ")
    assert [float(text) for text in column(page, 2)] == sorted(numbers)
    page.click("#leaderboard-task thead th:nth-child(7) button")
    assert column(page, 6) == before, "what has no average stays last"
    page.click("#leaderboard-task thead th:nth-child(7) button")
    assert column(page, 6)[-1] == "–"
    page.click("#leaderboard-task thead th:nth-child(1) button")
    assert column(page, 0) == sorted(column(page, 0), key=str.lower)
    scale = "[...document.querySelectorAll('#leaderboard-task tbody.scale th')].map(one => one.textContent)"
    assert page.evaluate(scale)[0].startswith("The scale"), "it is sorted apart"
    assert set(page.evaluate(scale)[1:]) >= {"reasonaudio/oracle", "a random order, exactly"}
    assert page.errors == []


@pytest.mark.parametrize("file", ["index.html", "order.html", "mix.html"])
@pytest.mark.parametrize("width", [PHONE, 1280])
def test_no_page_is_wider_than_the_screen(page: Browser, made: Path, file: str, width: int) -> None:
    page.open(made / file)
    page.resize(width, phone=width == PHONE)
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(
        "[...document.querySelectorAll('main p, main h2, main h3, main li')].every(one => one.scrollWidth <= innerWidth)"
    )
    assert page.errors == []


@pytest.mark.parametrize("width", [PHONE, 768, 1280])
def test_headings_of_scores_stand_in_one_line(page: Browser, made: Path, width: int) -> None:
    page.open(made / "index.html")
    page.resize(width, phone=width == PHONE)
    heads = "[...document.querySelectorAll('#measures-task thead th, #leaderboard-task thead th')]"
    assert "nDCG@10" in page.evaluate(f"{heads}.map(one => one.textContent.trim())")
    heights = page.evaluate(f"{heads}.map(one => one.offsetHeight)")
    assert max(heights) < 40, "two lines are 50 px"


def test_a_wide_figure_is_scrolled_by_keyboard_on_a_phone(page: Browser, made: Path) -> None:
    page.open(made / "index.html")
    page.resize(PHONE, phone=True)
    figure = "document.querySelector('figure .scroll')"
    assert page.evaluate(f"{figure}.scrollWidth > {figure}.clientWidth + 100")
    page.evaluate(f"{figure}.focus()")
    assert page.evaluate(f"document.activeElement === {figure}")
    page.press("ArrowRight")
    page.wait(f"{figure}.scrollLeft > 0")
    assert page.errors == []


def test_a_dark_phone_has_light_text_on_dark_ground_and_dark_figures(page: Browser, made: Path) -> None:
    page.open(made / "index.html")
    page.resize(PHONE, phone=True, dark=True)
    dark = (
        "(of => getComputedStyle(document.querySelector(of)).backgroundColor.match(/\\d+/g).slice(0, 3).every(one => one < 60))"
    )
    for of in ("main p", "main h2", "#leaderboard-task td.num", "figcaption"):
        assert page.evaluate(f"getComputedStyle(document.querySelector('{of}')).color.match(/\\d+/g).every(one => one > 130)"), of
    for of in ("body", "#leaderboard-task tbody tr", "figure .scroll"):
        assert page.evaluate(f"{dark}('{of}')"), of
    page.evaluate("document.querySelectorAll('img').forEach(one => one.loading = 'eager')")
    page.wait("[...document.querySelectorAll('figure:not(.plain) img')].every(one => one.currentSrc.endsWith('-dark.svg'))")
    assert page.errors == []


def test_a_clip_can_be_played(page: Browser, made: Path) -> None:
    page.open(made / "overlap.html")
    assert page.evaluate(
        "(async () => { const one = document.querySelector('audio'); await one.play(); return one.duration > 0.5 })()"
    )
    assert page.errors == []
