"""The card: YAML that datasets and the Hub read, numbers that are the plan's."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet as pq
import pytest
import yaml
from PIL import Image

from builders import card, layout
from builders.card.files import files_digest
from builders.check import check
from builders.dataset_folder import DatasetFolder
from builders.errors import BuildError
from tests.corpus_fixture import folder, make_folder, make_plan, make_qrels

__all__ = ["folder"]


def parts(folder: Path) -> tuple[dict[str, object], str]:
    _, header, text = (folder / layout.CARD).read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(header), text


def test_yaml(folder: Path) -> None:
    data, _ = parts(folder)
    assert data["language"] == ["en"]
    assert data["license"] == "other"  # one of the recordings used says nothing
    assert data["size_categories"] == ["n<1K"]
    configs = {config["config_name"]: config for config in data["configs"]}  # type: ignore[attr-defined]
    assert list(configs) == [config.name for config in layout.configs()]
    assert [name for name, config in configs.items() if config.get("default")] == ["clips"]
    for config in configs.values():
        assert re.fullmatch(rf"recipe {make_plan().recipe_hash}, files [0-9a-f]{{16}}", config["description"])
        assert re.fullmatch(r"\d+\.\d+\.\d+", config["version"])
    infos = {info["config_name"]: info for info in data["dataset_info"]}  # type: ignore[attr-defined]
    assert set(infos) == set(configs)
    assert {split["name"]: split["num_examples"] for split in infos["clips"]["splits"]} == dict.fromkeys(
        ("negation", "order", "overlap", "duration", "mix"), 8
    )
    audio = sum(file.stat().st_size for file in (folder / "corpus").iterdir())
    assert infos["clips"]["download_size"] == infos["corpus"]["download_size"] == audio
    assert infos["all-qrels"]["splits"][0]["num_examples"] == len(make_qrels(make_plan()))


def test_text(folder: Path) -> None:
    _, text = parts(folder)
    assert not re.search(r"\$\w", text)
    assert "independent re-creation" in text
    assert "arxiv.org/abs/2605.03361" in text
    assert "40 sound scenes" in text
    assert "20 English queries" in text
    assert "| order | 1 | 4 | 8 | 4.00 (4 to 4) | 20.00 |" in text
    assert "| mix | reversed (8) |" in text
    assert "| not stated | 1 |" in text
    assert "8,000 Hz" in text
    assert make_plan().recipe_hash in text


def test_two_corpora_have_two_descriptions() -> None:
    assert files_digest({"a.parquet": "1"}) != files_digest({"a.parquet": "2"})
    assert files_digest({"a.parquet": "1", "b": "x"}) == files_digest({"b": "y", "a.parquet": "1"})


def test_the_template_is_found_where_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = card.template()
    (tmp_path / "dataset_card.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(card, "__file__", str(tmp_path / "site-packages" / "builders" / "card" / "__init__.py"))
    entry = SimpleNamespace(name="dataset_card.md", locate=lambda: tmp_path / "dataset_card.md")
    monkeypatch.setattr(card.metadata, "files", lambda _: [entry])
    assert card.template() == text
    monkeypatch.setattr(card.metadata, "files", lambda _: None)
    with pytest.raises(BuildError, match="not installed"):
        card.template()


def test_the_card_is_made_again_from_the_folder_alone(folder: Path) -> None:
    before = {name: (folder / name).read_bytes() for name in layout.ABOUT}
    for name in layout.ABOUT:
        (folder / name).unlink()
    assert {str(problem.where) for problem in check(folder)} >= set(layout.ABOUT)
    card.write_card(DatasetFolder.open(folder))
    assert {name: (folder / name).read_bytes() for name in layout.ABOUT} == before


def test_what_was_measured_stays_where_the_content_is_the_same(folder: Path) -> None:
    heading = card.MEASURED[0]
    assert card.unmeasured(card.read_card(folder)) == list(card.MEASURED)
    card.set_section(folder, heading, "0.5 of everything.")
    card.write_card(DatasetFolder.open(folder))
    text = card.read_card(folder)
    assert card.section(text, heading) == "0.5 of everything."
    assert card.unmeasured(text) == [card.MEASURED[1]]
    other = re.sub("content_hash: [0-9a-f]{64}", "content_hash: " + "0" * 64, text)
    (folder / layout.CARD).write_text(other, encoding="utf-8")
    assert "was made for other content" in " ".join(str(problem) for problem in check(folder))
    card.write_card(DatasetFolder.open(folder))
    assert card.unmeasured(card.read_card(folder)) == list(card.MEASURED)


def test_a_set_is_shown(folder: Path) -> None:
    _, text = parts(folder)
    opened = DatasetFolder.open(folder)
    shown = card.example(opened)
    assert [query.task for query in shown.queries] == ["order", "order"]
    assert shown.queries[0].twin == shown.queries[1].id
    assert {clip.id for clip in shown.clips} == set(shown.queries[0].clips)
    assert [shown.verdict(clip, shown.queries[0]) for clip in shown.clips] == ["", "", "reversed", "reversed"]
    for query in shown.queries:
        assert query.text in text
    assert "| rain before bell | 2 | **relevant** | foil: reversed |" in text  # the first query by id
    with Image.open(folder / layout.PICTURE) as picture:
        assert picture.width > 1000
    assert f"]({layout.PICTURE})" in text


def test_the_name_on_the_hub_in_the_lines_to_copy(folder: Path) -> None:
    text = card.read_card(folder)
    there = card.named(text, "someone/sounds")
    assert 'path = "someone/sounds"  # or its name on the Hub' in there
    assert card.named(there, "path/to/this/folder") == text


@pytest.mark.parametrize("config", [config.name for config in layout.configs() if not config.duplicate])
def test_croissant(folder: Path, config: str) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed (pip install '.[dev]')")
    described = mlcroissant.Dataset(str(folder / layout.CROISSANT))  # raises where the file is not valid
    assert not described.metadata.issues.errors
    assert {str(issue).partition("Property ")[2].partition(" ")[0] for issue in described.metadata.issues.warnings} <= {
        '"https://schema.org/datePublished"'  # the bytes of a folder know no date
    }
    listed = {file.id: file.sha256 for file in described.metadata.file_objects}
    manifest = DatasetFolder.open(folder).manifest["files"]
    assert listed == {name: digest for name, digest in manifest.items() if name.endswith(".parquet")}
    rows = list(described.records(config))
    files = sorted({file for pattern in layout.config(config).splits.values() for file in folder.glob(pattern)})
    expected = [row for file in files for row in pq.read_table(file).to_pylist()]
    assert len(rows) == len(expected)
    key = next(iter(layout.features(layout.config(config).kind)))
    assert {row[f"{config}/{key}"].decode() for row in rows} == {row[key] for row in expected}
    if config == "clips":
        found = {row["clips/id"].decode(): (row["clips/task"].decode(), bytes(row["clips/audio"])) for row in rows}
        opened = DatasetFolder.open(folder)
        assert found == {clip.id: (clip.task, opened.flac(clip.id)) for clip in opened.clips.values()}
    if config == "queries":
        found_foils = {row["queries/id"].decode(): len(row["queries/foils"]) for row in rows}
        assert found_foils == {row["id"]: len(row["foils"]) for row in expected}


def test_a_card_of_another_seed_differs(tmp_path: Path) -> None:
    texts = {card.read_card(make_folder(tmp_path / str(seed), make_plan(seed=seed))) for seed in (0, 1)}
    assert len(texts) == 2
