"""The browser of a corpus: every link leads somewhere, cards tell what `explain` tells, sound plays, strangers are refused."""

from __future__ import annotations

import html
import http.client
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

import pytest

import eval_harness
from builders.dataset_folder import DatasetFolder
from builders.explain import explain
from builders.logic import labels_of
from eval_harness.analysis.results import read_results
from eval_harness.browsing.catalogue import Catalogue, part_of
from eval_harness.browsing.pages import MOST_ELSEWHERE, Pages
from tests.browser import Browser, browser
from tests.cli_fixture import run
from tests.corpus_fixture import ROOT
from tests.scored_corpus import mini_corpus, smoke_corpus  # noqa: F401  # fixtures


@contextmanager
def browsed(*arguments: str | Path) -> Iterator[str]:
    """`reasonaudio browse` on a port that is free: its address."""
    command = [sys.executable, "-m", "eval_harness.cli", "browse", *map(str, arguments), "--port", "0"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            assert url.startswith("http://"), process.communicate(timeout=10)
            yield url
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=20)
    assert process.returncode == 0


@pytest.fixture(scope="module")
def results(smoke_corpus: DatasetFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    out = tmp_path_factory.mktemp("browse") / "results"
    for name in ("random", "oracle"):
        eval_harness.run(f"reasonaudio/{name}", data=smoke_corpus.path, out=out)
    return out


@pytest.fixture(scope="module")
def url(smoke_corpus: DatasetFolder, results: Path) -> Iterator[str]:  # noqa: F811
    with browsed(smoke_corpus.path, "--results", results) as found:
        yield found


def get(url: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body; the path goes out as it stands."""
    place = urlsplit(url)
    with closing(http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)) as connection:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def page(url: str, path: str) -> str:
    status, _, body = get(url, path)
    assert status == 200, path
    return body.decode()


def test_every_link_leads_to_something(url: str, smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    to_do, seen = ["/"], set()
    kinds: dict[str, int] = {}
    while to_do:
        path = to_do.pop()
        kind = path.split("?")[0].rpartition("/")[0] or path.split("?")[0]
        if path in seen or kinds.get(kind, 0) >= 25:
            continue
        seen.add(path)
        kinds[kind] = kinds.get(kind, 0) + 1
        status, headers, body = get(url, path)
        assert status == 200, path
        if headers["content-type"].startswith("text/html"):
            found = re.findall(r'(?:href|src)="([^"]+)"', body.decode())
            to_do += [urljoin(path, html.unescape(one)) for one in found if not one.startswith(("#", "data:"))]
    assert {"/query", "/clip", "/sound", "/sounds", "/queries", "/sound-of", "/spectrogram", "/style.css"} <= set(kinds)


def test_a_query_shows_its_whole_set_and_why(url: str, smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    for query in list(smoke_corpus.queries.values())[::7]:
        text = page(url, f"/query/{query.id}")
        assert html.escape(query.text, quote=False) in html.unescape(text).replace("&", "&amp;") or query.text in html.unescape(
            text
        )
        cards = text.split('<li class="clip">')[1:]
        relevant = smoke_corpus.qrels(None)[query.id]
        elsewhere = sorted(relevant - set(query.clips))[:MOST_ELSEWHERE]
        assert len(cards) >= 20 + len(elsewhere)
        ids = [re.findall(r'href="/clip/(\w+)"', card)[0] for card in cards]
        assert ids[:20] == [*query.relevant, *ids[len(query.relevant) : 20]]
        assert set(ids[:20]) == set(query.clips)
        assert ids[20 : 20 + len(elsewhere)] == elsewhere
        for clip, card in zip(ids, cards, strict=True):
            plain = html.unescape(card)
            for reason in explain(
                query.formula, smoke_corpus.clips[clip].timeline, smoke_corpus.recipe.margins_value(), smoke_corpus.relations
            ):
                assert reason.text in plain
            for event in smoke_corpus.clips[clip].timeline:
                assert f"{event.label}, {event.onset_ms / 1000:.2f} to {event.offset_ms / 1000:.2f} s" in plain
            badge = re.findall(r'<span class="badge[^"]*">([^<]+)</span>', card)[0]
            assert (badge == "relevant") == (clip in relevant)


def test_models_rankings_are_shown_as_they_are(url: str, smoke_corpus: DatasetFolder, results: Path) -> None:  # noqa: F811
    query = next(iter(smoke_corpus.queries.values()))
    text = page(url, f"/query/{query.id}")
    oracle = next(one for one in read_results(results).models if one.model == "reasonaudio/oracle")
    rankings = oracle.rankings(query.task)
    order = [rankings.clips[clip] for clip in rankings.order()[rankings.queries.index(query.id)]]
    cards = text.split('<li class="clip">')[1:]
    for card in cards[:20]:
        clip = re.findall(r'href="/clip/(\w+)"', card)[0]
        row = re.search(r"oracle</th><td class=\"num[^\"]*\">([\d,]+)</td>", card)
        assert row is not None
        assert int(row[1].replace(",", "")) == order.index(clip) + 1
    assert "What each model puts first" in text


def test_without_results_nothing_is_said_of_models(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    pages = Pages(smoke_corpus, {})
    text = pages.query(next(iter(smoke_corpus.queries)))
    assert "Rank of clip" not in text
    assert "What each model" not in text
    assert "Models" not in pages.overview()


def test_queries_are_found_by_words_sounds_ids_forms(smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    catalogue = Catalogue(smoke_corpus)
    query = next(one for one in smoke_corpus.queries.values() if one.task == "mix")
    label = labels_of(query.formula)[0]
    assert query in catalogue.find_queries(label.upper())
    assert catalogue.find_queries(query.id) == [query]
    assert len(catalogue.find_queries(query.set)) == 2
    assert catalogue.find_queries(form=query.form, text=f"{label} {query.id[:6]}") == [query]
    assert {one.task for one in catalogue.find_queries(task="order")} == {"order"}
    assert catalogue.find_queries("no such word anywhere") == []
    assert len(catalogue.find_queries()) == len(smoke_corpus.queries)


def test_a_sound_lists_the_queries_that_name_it_and_the_clips_that_hold_it_or_a_kind_of_it(
    smoke_corpus: DatasetFolder,  # noqa: F811
) -> None:
    catalogue = Catalogue(smoke_corpus)
    for label, use in catalogue.sounds.items():
        naming = {query.id for query in smoke_corpus.queries.values() if label in labels_of(query.formula)}
        assert set(use.queries) == naming
        kinds = {label} | {one for one, above in smoke_corpus.relations.ancestors.items() if label in above}
        assert set(use.clips) == {clip.id for clip in smoke_corpus.clips.values() if kinds & set(clip.timeline.labels)}
    assert any(len(use.clips) for use in catalogue.sounds.values())


def test_long_lists_have_pages(mini_corpus: DatasetFolder) -> None:  # noqa: F811
    pages = Pages(mini_corpus, {})
    first, last = pages.queries("", "", "", 1), pages.queries("", "", "", 999)
    assert "Page 1 of 6" in first
    assert "Page 6 of 6" in last
    found = set()
    for number in range(1, 7):
        found |= set(re.findall(r"/query/(\w+)", pages.queries("", "", "", number)))
    assert found == set(mini_corpus.queries)
    assert part_of([], 3, 10).pages == 1
    assert list(part_of(list(range(25)), 3, 10).items) == [20, 21, 22, 23, 24]


@pytest.mark.parametrize(
    "path",
    [
        "/query/0000000000000000", "/clip/0000000000000000", "/sound?label=none", "/sound", "/sound-of/x", "/spectrogram/x",
        "/nothing", "/query/../../etc/passwd", "/query/..%2f..%2fREADME.md", "/README.md", "/manifest.json", "//etc/passwd",
        "/query/" + "a" * 3000, "/query/%00", "/clip/<script>", "/sound?label=%3Cscript%3E1%3C/script%3E",
    ],
)  # fmt: skip
def test_what_is_not_there_is_a_page_that_says_so(url: str, path: str) -> None:
    status, _, body = get(url, quote(path, safe="/%?=<>"))
    assert status == 404
    assert b"<script" not in body


def test_what_is_looked_for_is_text(url: str) -> None:
    text = page(url, "/queries?text=" + quote('"><script>hacked=1</script><b>'))
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert page(url, "/queries?page=-1&text=")
    assert page(url, "/queries?page=99999999999999999999")
    assert page(url, "/sounds?text=" + quote("<b>"))


def test_labels_with_any_signs_have_pages(tmp_path: Path) -> None:
    from tests.corpus_fixture import make_folder

    folder = DatasetFolder.open(make_folder(tmp_path / "odd <b>name"))
    pages = Pages(folder, {})
    assert "<b>name" not in pages.overview()
    with browsed(folder.path) as url:
        links = [html.unescape(one) for one in re.findall(r'href="(/sound\?[^"]+)"', page(url, "/sounds"))]
        assert len(links) == len(folder.sounds)
        for link in links:
            assert "Clips that hold it" in page(url, link)


def test_what_is_damaged_while_it_is_served_gets_a_line(smoke_corpus: DatasetFolder, tmp_path: Path) -> None:  # noqa: F811
    corpus = Path(shutil.copytree(smoke_corpus.path, tmp_path / "corpus"))
    with browsed(corpus) as url:
        assert get(url, "/")[0] == 200
        query = next(iter(smoke_corpus.queries.values()))
        for file in (corpus / "corpus").iterdir():
            file.write_bytes(b"nothing")
        assert get(url, f"/query/{query.id}")[0] == 200, "what needs no sound is still shown"
        status, _, body = get(url, f"/sound-of/{query.relevant[0]}")
        assert (status, b"damaged" in body) == (500, True)
        shutil.rmtree(corpus)
        status, _, body = get(url, "/sounds")
        assert status in (200, 500)
        assert b"Traceback" not in body


def test_a_player_can_seek(url: str, smoke_corpus: DatasetFolder) -> None:  # noqa: F811
    clip = next(iter(smoke_corpus.clips))
    _, headers, whole = get(url, f"/sound-of/{clip}")
    assert headers["accept-ranges"] == "bytes"
    status, headers, some = get(url, f"/sound-of/{clip}", range="bytes=100-199")
    assert (status, some) == (206, whole[100:200])
    assert headers["content-range"] == f"bytes 100-199/{len(whole)}"
    assert get(url, f"/sound-of/{clip}", range="bytes=100-")[2] == whole[100:]
    assert get(url, f"/sound-of/{clip}", range=f"bytes={len(whole)}-")[0] == 416
    assert get(url, f"/sound-of/{clip}", range="bytes=x")[2] == whole


def test_it_answers_for_its_own_address_alone(url: str) -> None:
    assert get(url, "/", host="evil.example")[0] == 421
    assert get(url, "/", host="127.0.0.2")[0] == 421
    with pytest.raises(OSError):  # noqa: PT011  # which one is the system's choice
        get(url.replace("127.0.0.1", "127.0.0.2"), "/")
    policy = get(url, "/")[1]["content-security-policy"]
    assert "default-src 'none'" in policy


def test_results_of_another_dataset_are_refused(results: Path, mini_corpus: DatasetFolder, tmp_path: Path) -> None:  # noqa: F811
    found = run("browse", mini_corpus.path, "--results", results, "--port", "0")
    assert found.exit_code == 2
    assert "Traceback" not in found.stderr
    assert str(results) in found.stderr
    found = run("browse", tmp_path)
    assert found.exit_code == 2
    assert "not a dataset folder" in found.stderr


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.mark.parametrize("width", [360, 1280])
def test_pages_load_fit_and_play_in_a_browser(url: str, screen: Browser, smoke_corpus: DatasetFolder, width: int) -> None:  # noqa: F811
    query = next(iter(smoke_corpus.queries.values()))
    label = quote(labels_of(query.formula)[0])
    for path in ("/", "/queries", f"/query/{query.id}", f"/clip/{query.relevant[0]}", "/sounds", f"/sound?label={label}"):
        screen.open(urljoin(url, path))
        screen.resize(width, 900, phone=width < 1000)
        assert screen.evaluate("document.documentElement.scrollWidth") <= width, path
        screen.evaluate("[...document.images].forEach(image => { image.loading = 'eager' })")
        screen.wait("[...document.images].every(image => image.complete && image.naturalWidth > 0)")
        assert screen.evaluate("getComputedStyle(document.querySelector('h1')).fontWeight") == "700", "the style is there"
        if "/query/" in path:
            assert screen.evaluate("document.querySelector('audio').play().then(() => true)")
            screen.wait("document.querySelector('audio').ended")
        screen.close()
    assert screen.errors == []
    assert set(screen.requests) <= {"http", "data"}
