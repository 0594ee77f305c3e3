"""Tables that `reasonaudio build` and `reasonaudio plan` print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rich.table import Table

from builders.corpus import Plan, Query
from builders.recipe import CLIP_MS, TASK_NAMES
from builders.sounds.library import Rejection, SoundLibrary

SHOWN_REJECTIONS = 10


def library_line(library: SoundLibrary) -> str:
    """One line on what a library holds."""
    sustained = sum(sound.sustained for sound in library.sounds)
    minutes = sum(recording.duration_ms for recording in library.recordings) / 60_000
    return (
        f"{library.name}: {_count(len(library.sounds), 'sound')} ({sustained} sustained), "
        f"{_count(len(library.recordings), 'recording')}, {minutes:.1f} minutes"
    )


def rejections(rejected: Sequence[Rejection], everything: bool = False) -> Table:
    """What is not used and why; the first few, unless `everything` is asked for."""
    table = _table("left out", "reason")
    shown = rejected if everything else rejected[:SHOWN_REJECTIONS]
    for rejection in shown:
        table.add_row(rejection.id or f"the sound {rejection.label!r}", rejection.reason)
    if len(shown) < len(rejected):
        table.add_row(f"and {len(rejected) - len(shown)} more", "--list-rejected prints them all")
    return table


def plan_table(plan: Plan, pairs: Iterable[tuple[str, str]]) -> Table:
    """One line for each form: sets, queries, clips, relevant clips per query in its task's clips and in the whole corpus."""
    own, everywhere = _relevant(plan, pairs)
    table = _table("form", "sets", "queries", "clips", "relevant", "from-to", "in all tasks")

    def row(name: str, queries: Sequence[Query], clips: int) -> None:
        counts = [own[query.id] for query in queries]
        sets = len({(query.task, query.set) for query in queries})
        total = sum(everywhere[query.id] for query in queries)
        span = f"{min(counts, default=0)}-{max(counts, default=0)}"
        table.add_row(name, str(sets), str(len(queries)), str(clips), _mean(sum(counts), queries), span, _mean(total, queries))

    for _, form in sorted({(TASK_NAMES.index(query.task), query.form) for query in plan.queries}):
        row(form, [query for query in plan.queries if query.form == form], sum(clip.form == form for clip in plan.clips))
    table.add_section()
    row("all", plan.queries, len(plan.clips))
    return table


def examples(queries: Sequence[Query]) -> Table:
    """One query of each task."""
    table = _table("task", "for example")
    for task in TASK_NAMES:
        found = next((query for query in queries if query.task == task), None)
        if found:
            table.add_row(task, found.text)
    return table


def build_table(plan: Plan, pairs: Iterable[tuple[str, str]], sizes: Mapping[str, int]) -> Table:
    """One line for each task.

    Args:
        sizes: task -> bytes of its clips on disk.
    """
    own, everywhere = _relevant(plan, pairs)
    table = _table("task", "queries", "clips", "relevant", "in all tasks", "minutes", "size")
    for task in TASK_NAMES:
        queries, clips = plan.queries_of(task), plan.clips_of(task)
        means = (_mean(sum(counts[query.id] for query in queries), queries) for counts in (own, everywhere))
        minutes = len(clips) * CLIP_MS / 60_000
        table.add_row(task, str(len(queries)), str(len(clips)), *means, f"{minutes:.1f}", megabytes(sizes.get(task, 0)))
    return table


def _relevant(plan: Plan, pairs: Iterable[tuple[str, str]]) -> tuple[Counter[str], Counter[str]]:
    """Query id -> number of relevant clips: among its task's own, and in the whole corpus."""
    task_of = {clip.id: clip.task for clip in plan.clips} | {query.id: query.task for query in plan.queries}
    own: Counter[str] = Counter()
    everywhere: Counter[str] = Counter()
    for query, clip in pairs:
        everywhere[query] += 1
        own[query] += task_of[query] == task_of[clip]
    return own, everywhere


def _mean(total: int, queries: Sequence[Query]) -> str:
    return f"{total / max(len(queries), 1):.1f}"


def corpus_sizes(folder: Path) -> dict[str, int]:
    """task -> bytes of its parquet files in a dataset folder."""
    return {task: sum(path.stat().st_size for path in sorted(folder.glob(f"corpus/{task}-*.parquet"))) for task in TASK_NAMES}


def megabytes(size: int) -> str:
    """A size as people read it: "12.3 MB", "1.2 GB"."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


_TEXT_COLUMNS = ("left out", "reason", "form", "task", "for example")


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for name in names:
        table.add_column(name, justify="left" if name in _TEXT_COLUMNS else "right", overflow="fold")
    return table
