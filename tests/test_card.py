"""The card: YAML that datasets and the Hub read, numbers that are the plan's."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from builders import card, layout
from builders.errors import BuildError
from tests.corpus_fixture import folder, make_library, make_plan, make_qrels

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
    assert card.files_digest({"a.parquet": "1"}) != card.files_digest({"a.parquet": "2"})
    assert card.files_digest({"a.parquet": "1", "b": "x"}) == card.files_digest({"b": "y", "a.parquet": "1"})


def test_the_template_is_found_where_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = card.template()
    (tmp_path / "dataset_card.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(card, "__file__", str(tmp_path / "site-packages" / "builders" / "card.py"))
    entry = SimpleNamespace(name="dataset_card.md", locate=lambda: tmp_path / "dataset_card.md")
    monkeypatch.setattr(card.metadata, "files", lambda _: [entry])
    assert card.template() == text
    monkeypatch.setattr(card.metadata, "files", lambda _: None)
    with pytest.raises(BuildError, match="not installed"):
        card.template()


def test_a_card_of_another_seed_differs() -> None:
    stats = {"corpus/negation-00000-of-00001.parquet": card.FileStats(8, 10, 10)}
    plans = [make_plan(seed=seed) for seed in (0, 1)]
    texts = {card.card(plan, make_library(), make_qrels(plan), stats, "0" * 16) for plan in plans}
    assert len(texts) == 2
