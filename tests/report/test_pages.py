"""What stands in a report's folder: pages that are whole, say the same as the tables beside them, and load nothing."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest

from builders.dataset_folder import DatasetFolder
from builders.recipe import TASK_NAMES
from eval_harness.analysis.intervals import task_intervals
from eval_harness.analysis.results import read_results
from eval_harness.report.values import escape_markdown, escape_tex, percent
from tests.report.conftest import HOSTILE, SETTINGS, TITLE

PAGES = ("index.html", *(f"{task}.html" for task in TASK_NAMES))
_VOID = {"meta", "link", "img", "br", "wbr", "source", "input", "hr"}
_OPTIONAL_SVG = {"line", "rect"}


@dataclass
class Element:
    """An element with its text and children."""

    name: str
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def all(self, name: str) -> Iterator[Element]:
        if self.name == name:
            yield self
        for child in self.children:
            yield from child.all(name)

    def within(self) -> str:
        """All text in it, in order."""
        return self.text


class Strict(HTMLParser):
    """A parser that refuses tags that are not closed in order, and attributes and ids that stand twice."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        one = Element(tag, {name: value or "" for name, value in attrs})
        if "id" in one.attributes:
            self.ids.append(one.attributes["id"])
        self.open[-1].children.append(one)
        if tag not in _VOID:
            self.open.append(one)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in _OPTIONAL_SVG, f"{tag} closes itself"
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].name == tag, f"</{tag}> closes <{self.open[-1].name}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for one in self.open:
            one.text += data


def parse(path: Path) -> Strict:
    parser = Strict()
    parser.feed(path.read_text(encoding="utf-8"))
    parser.close()
    assert parser.open == [parser.root], [one.name for one in parser.open]
    assert len(parser.ids) == len(set(parser.ids))
    return parser


def rows_of(table: Element) -> dict[str, list[str]]:
    """First cell -> the other cells, as they are read."""
    found = {}
    for row in table.all("tr"):
        cells = [one for one in row.children if one.name in ("th", "td")]
        found[cells[0].text.strip()] = [" ".join(one.text.split()) for one in cells[1:]]
    return found


def leaderboard_of(made: Path) -> Element:
    """The table on the report's first page."""
    return next(one for one in parse(made / "index.html").root.all("table") if one.attributes["id"] == "leaderboard-task")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_well_formed_and_can_be_read_without_seeing_it(made: Path, page: str) -> None:
    found = parse(made / page)
    root = found.root
    levels = [int(match[1]) for match in re.finditer(r"<h([1-6])[ >]", (made / page).read_text(encoding="utf-8"))]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b <= a + 1 for a, b in pairwise(levels)), levels
    assert [one.attributes["lang"] for one in root.all("html")] == ["en"]
    assert all(one.attributes.get("alt") for one in root.all("img"))
    assert all(one.attributes.get("scope") in ("row", "col", "rowgroup") for one in root.all("th"))
    assert all(one.children[0].name == "caption" and one.text.strip() for one in root.all("table"))
    assert all(one.attributes.get("aria-label") for one in (*root.all("audio"), *root.all("svg"), *root.all("nav")))
    assert next(root.all("a")).attributes == {"class": "skip", "href": "#content"}
    labelled = [one for name in ("section", "article", "div") for one in root.all(name)]
    named = {one.attributes["aria-labelledby"] for one in labelled if "aria-labelledby" in one.attributes}
    assert named <= set(found.ids)


@pytest.mark.parametrize("page", [*PAGES, "report.md"])
def test_every_file_and_place_that_is_pointed_to_is_there_and_none_is_elsewhere(made: Path, page: str) -> None:
    text = (made / page).read_text(encoding="utf-8")
    assert not re.search(r"https?:|//[a-z]|@import|url\(", text.replace("http://www.w3.org", ""))
    if page.endswith(".html"):
        elements = list(_all(parse(made / page).root))
        pointed = [one.attributes[name] for one in elements for name in ("href", "src", "srcset") if name in one.attributes]
    else:
        pointed = re.findall(r"(?<!\\)\]\(([^)]+)\)", text)
    assert pointed
    for target in pointed:
        file, _, place = unquote(target).partition("#")
        if target == "data:,":
            continue
        assert not file or (made / file).is_file(), target
        if place:
            assert place in parse(made / (file or page)).ids, target


def _all(one: Element) -> Iterator[Element]:
    yield one
    for child in one.children:
        yield from _all(child)


def test_the_style_sheet_loads_nothing_and_knows_dark_small_and_printed_pages(made: Path) -> None:
    text = (made / "style.css").read_text(encoding="utf-8")
    assert not re.search(r"https?:|@import|url\(", text)
    for wanted in ("prefers-color-scheme: dark", "max-width: 40rem", "@media print", ":focus-visible"):
        assert wanted in text


def test_figures_come_as_png_svg_and_pdf(made: Path) -> None:
    names = {file.stem.removesuffix("-dark") for file in (made / "figures").iterdir()}
    assert {"accuracy-task", "foils-order", "first-mix", "accuracy-overlap"} <= names
    for name in names:
        assert (made / "figures" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert (made / "figures" / f"{name}.pdf").read_bytes().startswith(b"%PDF")
        assert b"<svg" in (made / "figures" / f"{name}.svg").read_bytes()


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_numbers_agree_in_page_csv_markdown_and_latex_and_are_those_of_the_scores(made: Path, scored: Path) -> None:
    table = leaderboard_of(made)
    shown = rows_of(table)
    markdown = (made / "report.md").read_text(encoding="utf-8")
    latex = (made / "leaderboard.tex").read_text(encoding="utf-8")
    with (made / "leaderboard.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    results = {one.name: one for one in read_results(scored).models}
    assert {line["model"] for line in lines} == set(results)
    for line in lines:
        name = line["model"]
        cells = []
        for task in (*TASK_NAMES, "average"):
            if not line[task]:
                cells.append("–")
                continue
            cells.append(f"{line[task]} [{line[f'{task}_low']}, {line[f'{task}_high']}]")
        assert shown[name] == cells
        assert "| " + " | ".join(map(escape_markdown, [name, *cells])) + " |" in markdown
        row = next(text for text in latex.splitlines() if text.startswith(f"{escape_tex(name)} & "))
        assert [re.sub(r"\\textbf\{(.*)\}", r"\1", cell) for cell in row.removesuffix(r" \\").split(" & ")[1:]] == [
            escape_tex(cell.split()[0]) for cell in cells
        ]
        for task in results[name].tasks:
            interval = task_intervals(results[name].scores(task), SETTINGS.resamples).scores["hit_rate_at_1"]
            assert [line[task], line[f"{task}_low"]] == [percent(interval.value), percent(interval.low)]
            assert percent(results[name].scores(task).main_score) == line[task]
        mean = results[name].mean
        assert line["average"] == ("" if mean is None else percent(mean["hit_rate_at_1"]))


def test_values_are_kept_unrounded_for_other_programs(made: Path, scored: Path) -> None:
    found = json.loads((made / "report.json").read_text(encoding="utf-8"))
    results = {one.name: one for one in read_results(scored).models}
    assert {one["name"] for one in found["models"]} == set(results)
    for one in found["models"]:
        for task, values in one["tasks"].items():
            assert values["scores"]["in_set"]["value"] == pytest.approx(results[one["name"]].scores(task).scores["in_set"])
    there = {file.relative_to(made).as_posix() for file in made.rglob("*") if file.is_file()}
    assert set(found["files"]) == there


def test_models_stand_by_their_average_and_the_scale_apart(made: Path) -> None:
    table = leaderboard_of(made)
    models, scale = table.all("tbody")
    averages = [cells[-1] for name, cells in rows_of(models).items()]
    numbers = [float(text.split()[0]) for text in averages if text != "–"]
    assert numbers == sorted(numbers, reverse=True)
    assert averages[-1] == "–"
    assert "lab/partial" in rows_of(models)
    names = [name for name in rows_of(scale) if not name.startswith("The scale")]
    assert names == ["reasonaudio/random", "reasonaudio/bag-of-sounds", "reasonaudio/oracle", "a random order, exactly"]
    assert rows_of(scale)["reasonaudio/oracle"][-1].startswith("100.0 ")


# --- names that are mark-up -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_names_with_mark_up_are_text(made: Path, page: str) -> None:
    text = (made / page).read_text(encoding="utf-8")
    assert HOSTILE in "".join(one.text for one in parse(made / page).root.all("main"))
    assert "<script>alert" not in text
    assert "<b>bold</b>" not in text
    assert TITLE in parse(made / page).root.text
    assert text.count("<script>") == 1


def test_names_with_mark_up_are_text_in_the_other_forms(made: Path) -> None:
    markdown = (made / "report.md").read_text(encoding="utf-8")
    assert "<script>" not in re.sub(r"\\<", "", markdown)
    assert escape_markdown(HOSTILE) in markdown
    latex = (made / "leaderboard.tex").read_text(encoding="utf-8")
    assert r"\&\_\$x\textasciicircum{}2\$|a" in latex
    assert latex.count("{") == latex.count("}")
    svg = (made / "figures" / "accuracy-task.svg").read_text(encoding="utf-8")
    assert "<script" not in svg


# --- examples ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASK_NAMES)
def test_examples_show_query_twin_lanes_sound_and_ranks(made: Path, smoke_corpus: DatasetFolder, task: str) -> None:
    root = parse(made / f"{task}.html").root
    articles = list(root.all("article"))
    forms = {query.form for query in smoke_corpus.queries.values() if query.task == task}
    assert {article.attributes["id"].partition("-")[0] for article in articles} == {task}
    assert {form for form in forms if any(form in article.text for article in articles)} == forms
    by_id = smoke_corpus.queries
    for article in articles:
        query = next(one for one in by_id.values() if f"Query {one.id}" in article.text)
        assert query.text in article.text
        assert by_id[query.twin].text in article.text
        clips = [one for one in article.all("li") if one.attributes.get("class") == "clip"]
        roles = [next(one.all("span")).text for one in clips]
        assert roles[0] == "relevant"
        assert {foil.kind for foil in query.foils} <= set(roles)
        for clip in clips:
            image = next(one for one in clip.all("img"))
            clip_id = Path(image.attributes["src"]).stem
            timeline = smoke_corpus.clips[clip_id].timeline
            drawn = [one for one in clip.all("rect") if re.match(r"named-|free", one.attributes["class"])]
            assert len(drawn) == len(timeline)
            for bar, event in zip(drawn, timeline, strict=True):
                assert float(bar.attributes["x"]) == pytest.approx(0.032 * event.onset_ms, abs=0.05)
                assert float(bar.attributes["width"]) == pytest.approx(0.032 * event.duration_ms, abs=0.05)
            audio = next(clip.all("audio"))
            assert audio.attributes["preload"] == "none"
            ranks = rows_of(next(clip.all("table")))
            if roles[clips.index(clip)] == "relevant":
                own = int(ranks["reasonaudio/oracle"][0])
                assert own <= len(smoke_corpus.qrels(task)[query.id])
