"""Embedding spaces in a report: of the best model that keeps embeddings, with the numbers of `reasonaudio geometry`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import eval_harness
from builders.dataset_folder import DatasetFolder
from eval_harness.analysis.embeddings_of import embeddings_of
from eval_harness.analysis.geometry import Geometry, geometry
from eval_harness.analysis.results import read_results
from eval_harness.data import open_data
from eval_harness.report.gather import Findings, gather
from eval_harness.report.making import Settings, make_report
from eval_harness.report.spaces import space_sections, spaces
from eval_harness.report.values import Table, markdown
from eval_harness.ui import Screen
from tests.report.conftest import write_rankings
from tests.report.test_controls import section
from tests.toy_encoder import ToyEncoder


@pytest.fixture(scope="module")
def embedded(smoke_corpus: DatasetFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results on one task of two encoders, and of a better model without embeddings."""
    out = tmp_path_factory.mktemp("spaces") / "out"
    for encoder in (ToyEncoder(), ToyEncoder("toys/other", "2")):
        eval_harness.run(encoder, ["order"], data=smoke_corpus.path, out=out, num_workers=0)
    write_rankings(out, open_data(smoke_corpus.path), "lab/better", 1.0, ("order",))
    return out


@pytest.fixture(scope="module")
def findings(embedded: Path) -> Findings:
    return gather(read_results(embedded), 200)


@pytest.fixture(scope="module")
def measured(embedded: Path) -> Geometry:
    results = read_results(embedded)
    (own,) = [one for one in results.models if one.model == "toys/levels"]
    found = embeddings_of(own)
    assert found is not None
    return geometry(found, results.data.folder)


def test_the_best_that_embed_are_chosen(findings: Findings) -> None:
    assert spaces(findings, 0) == ((), 2)
    told = []
    found, there = spaces(findings, 1, progress=lambda *done: told.append(done))
    assert there == 2
    assert [one.name for one in found] == ["toys/levels"], "of equals the first by name, and not the better one without any"
    assert told == [(1, 1)]


def test_the_section_tells_what_was_measured(findings: Findings, measured: Geometry) -> None:
    found, there = spaces(findings, 1)
    (made,) = space_sections(found, there)
    assert made.id == "spaces"
    assert "Shown: toys/levels; there are results of 2 that embed text and clips in one space." in made.texts[0]
    tables = {table.id: table for part in made.parts for table in part.tables}
    assert set(tables) == {"separation-1", "probes-1"}, "no texts were embedded in other words"
    (own,) = measured.separations
    assert told(tables["separation-1"]) == [
        ["Order", kind.kind, f"{own.relevant.mean:.3f}", f"{kind.similarity.mean:.3f}", f"{kind.d_prime.value:.2f}"]
        for kind in own.kinds
    ]
    assert [row[:3] for row in told(tables["probes-1"])] == [[one.name, one.kind, f"{one.sets:,}"] for one in measured.probes]
    assert [row[3].text for row in tables["probes-1"].rows] == [
        "–" if one.auc.value != one.auc.value else f"{one.auc.value:.2f}" for one in measured.probes
    ]
    assert space_sections((), 0) == ()


def told(table: Table) -> list[list[str]]:
    """The texts of the first five columns."""
    return [[cell.text for cell in row[:5]] for row in table.rows]


def test_page_markdown_and_figures_have_it(embedded: Path, findings: Findings, tmp_path: Path) -> None:
    settings = Settings(examples=0, spaces=1, resamples=100)
    make_report(read_results(embedded), tmp_path / "report", settings, Screen(quiet=True).progress)
    text = (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
    (made,) = space_sections(*spaces(findings, 1))
    shown = {one.attributes["id"]: one for one in section(tmp_path / "report", "spaces").all("table")}
    for part in made.parts:
        for table in part.tables:
            assert markdown(table) in text
            cells = [" ".join(cell.text.split()) for cell in shown[table.id].all("td")]
            assert cells == [cell.plain for row in table.rows for cell in row[1:]]
        for figure in part.figures:
            assert (tmp_path / "report" / "figures" / f"{figure.name}.svg").is_file()
    assert json.loads((tmp_path / "report" / "report.json").read_text())["title"]
