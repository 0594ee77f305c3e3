"""The pages of the browser: what each tells, as HTML. The cards of clips are those of a report's examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from builders.corpus import Query
from builders.dataset_folder import DatasetFolder, content_hash
from builders.recipe import CLIP_MS
from builders.sounds.licenses import understand
from eval_harness.analysis.results import ModelResult
from eval_harness.browsing.catalogue import Catalogue, part_of
from eval_harness.report.choosing import put_first
from eval_harness.report.clips import lanes, overlaps, show_clip
from eval_harness.report.examples import Ranked, judges, make_example
from eval_harness.report.leaderboard import TASKS
from eval_harness.report.media import Media
from eval_harness.report.pages import environment, style
from eval_harness.scores import clip_ids

_TEMPLATES = Path(__file__).with_name("templates")
QUERIES_A_PAGE, CLIPS_A_PAGE = 50, 24
MOST_ELSEWHERE = 12
"""Relevant clips of other sets that a query's page shows."""


class Pages:
    """All pages of one corpus.

    Args:
        folder: the dataset.
        models: whose rankings are shown, by what they are called.
    """

    def __init__(self, folder: DatasetFolder, models: Mapping[str, ModelResult]) -> None:
        self.folder = folder
        self.catalogue = Catalogue(folder)
        self._models = models
        self._common = {
            "name": folder.path.resolve().name,
            "hash": content_hash(folder.path)[:12],
            "tasks": self.catalogue.forms,
            "seconds": CLIP_MS // 1000,
            "models": list(models),
        }

    def overview(self) -> str:
        """The first page: tasks and forms, with counts."""
        facts = {
            "Queries": f"{len(self.folder.queries):,}",
            "Clips": f"{len(self.folder.clips):,}",
            "Sounds": f"{len(self.folder.sounds):,}",
            "Library": self.folder.library_name,
        }
        return self._page("overview", facts=facts, about=TASKS)

    def queries(self, text: str, task: str, form: str, number: int) -> str:
        """Queries that were looked for."""
        found = part_of(self.catalogue.find_queries(text, task, form), number, QUERIES_A_PAGE)
        sounds = self.catalogue.find_sounds(text)[:QUERIES_A_PAGE] if text else []
        asked = {"text": text, "task": task, "form": form}
        return self._page("queries", part=found, asked=asked, sounds=sounds, here=_to("/queries", asked))

    def query(self, query_id: str) -> str:
        """A query with all clips of its set, those elsewhere that are relevant to it, and those that models put first.

        Raises:
            UnknownIdError: no query is called so.
        """
        query = self.folder.queries[query_id]
        ranked, searched = self._ranked(query)
        relevant = self.catalogue.qrels[query.id]
        foils = sorted(query.foils, key=lambda foil: (foil.kind == "anchor-missing", foil.kind, foil.clip))
        own = (*query.relevant, *(foil.clip for foil in foils))
        elsewhere = sorted(relevant - set(own))
        firsts = [clip for clip in put_first(judges(ranked), own) if clip not in elsewhere[:MOST_ELSEWHERE]]
        shown = [*own, *elsewhere[:MOST_ELSEWHERE], *firsts]
        example = make_example(self.folder, query, "example", "", shown, ranked, searched, self.catalogue.qrels)
        groups = (
            (f"The {len(own)} clips of the set", example.clips[: len(own)]),
            (_counted(len(elsewhere)), example.clips[len(own) : len(own) + len(elsewhere[:MOST_ELSEWHERE])]),
            ("Clips of other sets that models put first", example.clips[len(shown) - len(firsts) :]),
        )
        return self._page("query", it=example, groups=[one for one in groups if one[1]], media=self._media(shown))

    def clip(self, clip_id: str) -> str:
        """A clip by itself: what is heard, what it is relevant to, whose recordings.

        Raises:
            UnknownIdError: no clip is called so.
        """
        clip = self.folder.clips[clip_id]
        asking = [self.folder.queries[query] for query in self.catalogue.asked_for[clip.id]]
        of_set = [query for query in self.folder.queries.values() if query.set == clip.set]
        cards = [
            (query, show_clip(self.folder, clip, query, self.folder.queries[query.twin], self.catalogue.qrels))
            for query in of_set[:1]
        ]
        recordings = [
            {**one, "license": understand(one["used"].license).name if one["used"] and one["used"].license else ""}
            for one in self.catalogue.recordings(clip)
        ]
        return self._page(
            "clip", clip=clip, cards=cards, of_set=of_set, asking=asking, recordings=recordings, media=self._media([clip.id])
        )

    def sounds(self, text: str) -> str:
        """The sounds of the corpus, or those that were looked for."""
        return self._page("sounds", sounds=self.catalogue.find_sounds(text), text=text)

    def sound(self, label: str, number: int) -> str:
        """A sound: how it is said, its recordings, the queries that name it and the clips that hold it.

        Raises:
            UnknownIdError: no sound is called so.
        """
        used = self.folder.sounds[label]
        use = self.catalogue.sounds[label]
        found = part_of(use.clips, number, CLIPS_A_PAGE)
        cards = []
        for clip_id in found.items:
            clip = self.folder.clips[clip_id]
            drawn = lanes(clip, {label: "named-0"}, None, CLIP_MS)
            cards.append({"id": clip.id, "clip": clip, "lanes": drawn, "overlaps": overlaps(clip, CLIP_MS)})
        queries = [self.folder.queries[query] for query in use.queries]
        return self._page(
            "sound",
            use=use,
            used=used,
            queries=queries[:QUERIES_A_PAGE],
            more=max(0, len(queries) - QUERIES_A_PAGE),
            part=found,
            cards=cards,
            media=self._media(found.items),
            here=_to("/sound", {"label": label}),
        )

    def missing(self, what: str) -> str:
        """The page of an address that leads nowhere."""
        return self._page("missing", title="Not found", what=what)

    def failed(self, what: str) -> str:
        """The page of something that cannot be read."""
        return self._page("missing", title="This cannot be shown", what=what)

    def style(self) -> str:
        """The style sheet of all pages."""
        return style() + (_TEMPLATES / "browse.css").read_text(encoding="utf-8")

    def _ranked(self, query: Query) -> tuple[list[Ranked], int]:
        models = {name: one for name, one in self._models.items() if query.task in one.tasks}
        if not models:
            return [], 0
        searched = clip_ids(self.folder, query.task, next(iter(models.values())).scope)
        found = [Ranked.of(name, one.is_scale, one.rankings(query.task), query, searched) for name, one in models.items()]
        return found, len(searched)

    def _media(self, clips: Sequence[str]) -> dict[str, Media]:
        return {clip: Media(f"/sound-of/{clip}", "", f"/spectrogram/{clip}") for clip in clips}

    def _page(self, template: str, **values: Any) -> str:
        return environment(_TEMPLATES).get_template(f"{template}.html.jinja").render(**{**self._common, "to": _to, **values})


def _to(path: str, query: Mapping[str, object]) -> str:
    """An address of this server; what is empty is left out."""
    asked = urlencode({name: value for name, value in query.items() if value not in ("", None)}, quote_via=quote)
    return f"{path}?{asked}" if asked else path


def _counted(elsewhere: int) -> str:
    if elsewhere > MOST_ELSEWHERE:
        return f"Relevant clips of other sets: {MOST_ELSEWHERE} of {elsewhere}"
    return "Relevant clips of other sets"
