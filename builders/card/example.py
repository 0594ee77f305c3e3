"""One set of the corpus, drawn and in a table: what twin queries share, and what tells their answers apart."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from builders.card.markdown import table
from builders.corpus import Clip, Query
from builders.dataset_folder import DatasetFolder
from builders.errors import DatasetFolderError
from builders.logic import labels_of, to_text
from builders.recipe import CLIP_MS, TASK_NAMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FIRST = "order"
"""The task whose sets are easiest to read."""
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Okabe and Ito's (2008), which most people who are colour-blind can tell apart."""
_OTHERS, _SOFT, _TEXT = "#b9bac4", "#d9dae0", "#1d1d22"
_COLUMNS = 4
_YES = "\N{CHECK MARK}"


@dataclass(frozen=True, slots=True)
class Example:
    """A set: its two queries, and its clips in order of arrangement, those of the first query's answers first."""

    queries: tuple[Query, ...]
    clips: tuple[Clip, ...]

    def verdict(self, clip: Clip, query: Query) -> str:
        """ "" where the clip is relevant to the query, else the kind of foil it is."""
        return {foil.clip: foil.kind for foil in query.foils}.get(clip.id, "")

    def rank(self, clip: Clip) -> int:
        """The number of the first query that the clip is relevant to, from 0; the number of queries where there is none."""
        return [self.verdict(clip, query) for query in self.queries].index("") if self.answers(clip) else len(self.queries)

    def answers(self, clip: Clip) -> bool:
        """Whether the clip is relevant to one of the queries."""
        return any(clip.id in query.relevant for query in self.queries)


def example(folder: DatasetFolder) -> Example:
    """The first set of the task that is easiest to read, of those that the folder has.

    Raises:
        DatasetFolderError: it has no query.
    """
    order = (FIRST, *TASK_NAMES)
    queries = sorted(folder.queries.values(), key=lambda query: (order.index(query.task), query.form, query.set, query.id))
    if not queries:
        raise DatasetFolderError(f"{folder.path} has no queries; build it again")
    twins = tuple(query for query in queries if query.set == queries[0].set)
    shown = Example(twins, tuple(folder.clips[clip] for clip in twins[0].clips))
    return replace(shown, clips=tuple(sorted(shown.clips, key=lambda clip: (shown.rank(clip), clip.arrangement, clip.id))))


def example_text(shown: Example) -> dict[str, Any]:
    """What the template's names for the example stand for: the queries, the letters, and a table of the arrangements."""
    numbers = [f"query {number}" for number in range(1, len(shown.queries) + 1)]
    groups: dict[tuple[str, ...], int] = {}
    for clip in shown.clips:
        row = (
            clip.arrangement,
            *(f"foil: {kind}" if (kind := shown.verdict(clip, query)) else "**relevant**" for query in shown.queries),
        )
        groups[row] = groups.get(row, 0) + 1
    return {
        "example_set": shown.queries[0].set,
        "example_task": shown.queries[0].task,
        "example_twins": table(("", "text", "formula"), _twins(shown)),
        "example_table": table(("arrangement", "clips", *numbers), ((row[0], count, *row[1:]) for row, count in groups.items())),
    }


def _twins(shown: Example) -> list[tuple[str, str, str]]:
    return [(f"query {n}", query.text, f"`{to_text(query.formula)}`") for n, query in enumerate(shown.queries, 1)]


def draw(shown: Example) -> bytes:
    """The clips of a set as lanes over time, as a PNG file; equal sets give equal bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    named = list(dict.fromkeys(label for query in shown.queries for label in sorted(labels_of(query.formula))))
    colours = dict(zip(named, _COLOURS, strict=False))
    rows = -(-len(shown.clips) // _COLUMNS)
    with mpl.rc_context({"font.size": 8, "font.family": "DejaVu Sans", "text.parse_math": False, "text.color": _TEXT}):
        figure = Figure(figsize=(10.4, 0.7 + 1.15 * rows), layout="constrained")
        figure.suptitle("\n".join(f"{n}: {query.text}" for n, query in enumerate(shown.queries, 1)), fontsize=10, ha="center")
        axes = figure.subplots(rows, _COLUMNS, sharex=True, squeeze=False).ravel()
        for place in axes[len(shown.clips) :]:
            place.set_visible(False)
        for clip, place in zip(shown.clips, axes, strict=False):
            _clip(place, clip, shown, colours)
        figure.supxlabel("seconds", fontsize=7)
        buffer = io.BytesIO()
        figure.savefig(buffer, dpi=130, format="png", metadata={"Software": None})
    return buffer.getvalue()


def _clip(axes: Axes, clip: Clip, shown: Example, colours: Mapping[str, str]) -> None:
    events: Sequence[Any] = tuple(clip.timeline)
    verdicts = [shown.verdict(clip, query) for query in shown.queries]
    for lane, event in enumerate(events):
        start, length = event.onset_ms / 1000, (event.offset_ms - event.onset_ms) / 1000
        axes.broken_barh([(start, length)], (lane + 0.45, 0.5), color=colours.get(event.label, _OTHERS))
        late = start > 0.6 * CLIP_MS / 1000
        axes.text(
            start + length if late else start, lane + 0.4, event.label, fontsize=6, va="bottom", ha="right" if late else "left"
        )
    axes.set_title(
        "   ".join(f"{n}: {verdict or _YES + ' relevant'}" for n, verdict in enumerate(verdicts, 1)),
        fontsize=7, fontweight="bold" if "" in verdicts else "normal", loc="left", pad=3,
    )  # fmt: skip
    axes.set_xlim(0, CLIP_MS / 1000)
    axes.set_ylim(max(len(events), 1) + 0.1, 0)
    axes.set_yticks([])
    axes.set_xticks(range(0, CLIP_MS // 1000 + 1, 2))
    axes.tick_params(labelsize=6, color=_SOFT, length=2)
    for spine in axes.spines.values():
        spine.set_color(_TEXT if "" in verdicts else _SOFT)
