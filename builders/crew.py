"""Work on clips by any number of processes: each opens the library once and keeps its renderer."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from builders.errors import BuildError
from builders.recipe import Recipe
from builders.shards import ClipRenderer

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from builders.corpus import Clip
    from builders.sounds.library import SoundLibrary
    from builders.timeline import Timeline

MakeRenderer = Callable[[Recipe, "SoundLibrary"], ClipRenderer]
LIBRARY = "library"
"""The workers' copy of the library, among the work files."""

T = TypeVar("T")
U = TypeVar("U")
Work = Callable[[T, Any], U]
"""Called with (item, renderer)."""


class Crew(Protocol):
    """Who works."""

    def each(self, work: Work[T, U], items: Iterable[T]) -> Generator[tuple[T, U], None, None]:
        """(item, its result) as they are done. Closed before its end, it finishes what has begun and begins nothing more."""


@contextmanager
def crew(num_proc: int, recipe: Recipe, library: SoundLibrary, make_renderer: MakeRenderer, work: Path) -> Iterator[Crew]:
    """`num_proc` processes, or this one; for those, the library is written to `work` and removed at the end."""
    if num_proc <= 1:
        yield _Alone(make_renderer(recipe, library))
        return
    from builders.processes import pool
    from builders.sounds import store

    try:
        store.save(library, work / LIBRARY)
        way_out = "finished shards are kept: start again, with fewer processes, to go on"
        with pool(num_proc, BuildError, "clips were made", way_out) as executor:
            yield _Pool(executor, recipe, work / LIBRARY, make_renderer)
    finally:
        tidy(work)  # where the disk is full, the library is in the way


def tidy(work: Path) -> None:
    """Removes what was written aside and never moved, and the workers' copy of the library."""
    import shutil

    for leftover in work.glob("*.tmp"):
        leftover.unlink(missing_ok=True)
    for leftover in work.glob(f"{LIBRARY}*"):
        shutil.rmtree(leftover, ignore_errors=True)


@dataclass(frozen=True)
class _Alone:
    renderer: ClipRenderer

    def each(self, work: Work[T, U], items: Iterable[T]) -> Generator[tuple[T, U], None, None]:
        for item in items:
            yield item, work(item, self.renderer)


@dataclass(frozen=True)
class _Pool:
    executor: ProcessPoolExecutor
    recipe: Recipe
    library: Path
    make_renderer: MakeRenderer

    def each(self, work: Work[T, U], items: Iterable[T]) -> Generator[tuple[T, U], None, None]:
        jobs = {self.executor.submit(_do, work, item, self.recipe, self.library, self.make_renderer): item for item in items}
        try:
            for future in as_completed(jobs):
                yield jobs[future], future.result()
        except BaseException:  # also on Ctrl-C: what has begun is finished, the rest is not begun
            self.executor.shutdown(wait=True, cancel_futures=True)
            raise


_opened: dict[Path, ClipRenderer] = {}
_UNLOAD_AFTER = 10


class _Sparing:
    """A renderer of a library that lies in a file: of the file it keeps in memory only what its latest clips are made of."""

    def __init__(self, renderer: Any, library: SoundLibrary) -> None:
        self.renderer, self.library, self.clips = renderer, library, 0

    def clip(self, clip_id: str, timeline: Timeline) -> NDArray[np.int16]:
        self._used(1)
        samples: NDArray[np.int16] = self.renderer.clip(clip_id, timeline)
        return samples

    def treatments(self, clips: Sequence[Clip]) -> dict[str, Any]:
        """As `builders.controls.render.ControlRenderer` has it."""
        self._used(len(clips))
        found: dict[str, Any] = self.renderer.treatments(clips)
        return found

    def _used(self, clips: int) -> None:
        from builders.sounds import store

        self.clips += clips
        if self.clips >= _UNLOAD_AFTER:
            self.clips = 0
            store.unload(self.library)


def _do(work: Work[T, U], item: T, recipe: Recipe, library: Path, make_renderer: MakeRenderer) -> U:
    """Runs in a worker process, which opens the library once."""
    from builders.sounds import store

    if library not in _opened:
        opened = store.open_library(library)
        _opened[library] = _Sparing(make_renderer(recipe, opened), opened)
    return work(item, _opened[library])
