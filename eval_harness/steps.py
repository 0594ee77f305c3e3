"""Steps that several commands share: the recipe that is asked for, its plan, an open folder, ids, processes."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builders.errors import RecipeError
from eval_harness.ui import Report, Screen, UsageError

if TYPE_CHECKING:
    from builders.corpus import Plan
    from builders.dataset_folder import DatasetFolder
    from builders.recipe import Recipe
    from builders.sounds.excluded import Exclusions
    from builders.sounds.library import SoundLibrary, Source
    from builders.sounds.ontology import Ontology
    from builders.sounds.overheard import Overheard
    from builders.sounds.selection import Selection
    from builders.sounds.tagger import Tagger

MOST_PROCESSES = 256
_PER_CORE = 4


def processes(asked: int | None) -> int:
    """How many processes to use: as many as are asked for, but no more than a machine of this size can feed."""
    cores = _cores()
    if asked is None:
        return cores
    if not 1 <= asked <= MOST_PROCESSES:
        raise UsageError(f"--num-proc: {asked} is not from 1 to {MOST_PROCESSES}")
    return min(asked, _PER_CORE * cores)


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def recipe(
    preset: str,
    file: Path | None,
    seed: int | None,
    queries_per_task: int | None,
    sample_rate: int | None,
    allow_dense: bool,
    control: str | None = None,
) -> Recipe:
    """Preset, then recipe file, then options; a later one wins.

    Raises:
        UsageError: the value of an option cannot be.
        RecipeError: that of the file cannot.
    """
    from builders import recipe as recipes

    options: dict[str, Any] = {
        "seed": seed,
        "queries_per_task": queries_per_task,
        "sample_rate": sample_rate,
        "control": control,
    }
    changes = {name: value for name, value in options.items() if value is not None}
    if allow_dense:
        changes["plan"] = {"allow_dense": True}
    base = recipes.preset(preset)
    written = recipes.load_recipe(file) if file else {}
    try:
        return recipes.make_recipe(base, written, changes)
    except RecipeError as error:
        field, _, what = str(error).removeprefix("recipe: ").partition(": ")
        if changes.get(field) is not None:
            raise UsageError(f"--{field.replace('_', '-')}: {what}") from None
        raise


@dataclass(frozen=True, slots=True)
class SoundsAsked:
    """Which sounds a command is to use: what `open_source` and `Selection` take, as the user wrote it."""

    spec: str
    options: tuple[str, ...] = ()
    ontology: Path | None = None
    licenses: str = ""
    split: str = ""
    max_recordings: int | None = None
    overheard: Path | None = None
    exclude: Path | None = None


def open_selected(asked: SoundsAsked, screen: Screen | None = None) -> tuple[Source, Selection]:
    """The source with the recordings that may be used; `screen` shows how far its files have been looked into.

    Raises:
        UsageError: a source option is no NAME=VALUE.
        SoundLibraryError: the source cannot be read, or nothing is left of it.
    """
    from builders.sounds.selection import MAX_RECORDINGS, Selection, select
    from builders.sounds.sources import open_source

    options: dict[str, str] = {}
    for text in asked.options:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--source-option: {text!r} is not NAME=VALUE, such as votes=any")
        options[name.strip()] = value.strip()
    most = MAX_RECORDINGS if asked.max_recordings is None else asked.max_recordings
    selection = Selection(asked.licenses, asked.split, most)
    shown = screen if screen and ":" in asked.spec else Screen(quiet=True)  # others, such as the built-in ones, lie in no files
    with shown.progress("scanning files") as report:
        source = open_source(asked.spec, options, ontology=asked.ontology, progress=report)
    return select(source, selection), selection


def _overheard(file: Path) -> dict[str, frozenset[str]]:
    from builders.sounds.overheard import read_overheard

    return read_overheard(file)


def _excluded(file: Path) -> Exclusions:
    from builders.sounds.excluded import read_exclusions

    return read_exclusions(file)


def usable_sounds(screen: Screen, recipe: Recipe, asked: SoundsAsked, strict: bool, processes: int) -> SoundLibrary:
    """The usable sounds of what is asked for."""
    from builders.sounds.kept import prepare

    heard = _overheard(asked.overheard) if asked.overheard else None
    excluded = _excluded(asked.exclude) if asked.exclude else None
    source, selection = open_selected(asked, screen)
    with screen.progress("preparing sounds") as report:
        library = prepare(
            source, recipe, strict=strict, num_proc=processes, progress=report, max_recordings=selection.max_recordings
        )
    if heard is not None:
        from builders.sounds.screening import with_overheard

        library = with_overheard(library, heard)
        strangers = len(heard.keys() - {recording.id for recording in library.recordings})
        if strangers:
            screen.note(
                f"note: {asked.overheard}: {strangers} of its {len(heard)} recordings are not in this library, or were left out"
            )
        unknown = sorted(frozenset().union(*heard.values()) - {sound.label for sound in library.sounds})
        if unknown:
            listed = ", ".join(map(repr, unknown[:5])) + (", …" if len(unknown) > 5 else "")
            screen.note(f"note: {asked.overheard}: sounds that this library does not have: {listed}")
    if excluded is not None:
        library = _exclude(screen, library, excluded, f"note: {asked.exclude}")
    return library


def _exclude(screen: Screen, library: SoundLibrary, excluded: Exclusions, note: str) -> SoundLibrary:
    from builders.sounds.excluded import new_pairs, with_exclusions

    strangers = len(excluded.recordings.keys() - {recording.id for recording in library.recordings})
    if strangers:
        screen.note(f"{note}: {strangers} of its {len(excluded.recordings)} recordings are not in this library, or were left out")
    unknown = sum(not pair <= frozenset(library.labels) for pair in excluded.pairs)
    if unknown:
        screen.note(f"{note}: {unknown} of its {len(excluded.pairs)} pairs have a label that this library does not have")
    needless = len(excluded.pairs) - unknown - len(new_pairs(library, excluded))
    if needless:
        screen.note(f"{note}: {needless} of its {len(excluded.pairs)} pairs change nothing: related already, or none left")
    return with_exclusions(library, excluded)


def prepare_library(
    screen: Screen, recipe: Recipe, asked: SoundsAsked, strict: bool, processes: int, list_rejected: bool
) -> SoundLibrary:
    """The usable sounds of what is asked for; says what they are and what was left out."""
    from eval_harness.summary import library_line, rejections

    library = usable_sounds(screen, recipe, asked, strict, processes)
    screen.note(library_line(library))
    for note in library.notes:
        screen.note(f"note: {note}")
    if library.rejected:
        screen.note(rejections(library.rejected, list_rejected))
    return library


def options_by_source(specs: Sequence[str], options: Sequence[str]) -> list[tuple[str, tuple[str, ...]]]:
    """Every source with those of the source options that its kind has; one that no kind has goes to all, which refuse it."""
    from builders.sounds.sources import KINDS

    names = {spec: {option.name for option in kind.options} for spec in specs if (kind := KINDS.get(spec.partition(":")[0]))}
    known = set().union(*names.values()) if names else set()

    def takes(spec: str, option: str) -> bool:
        name = option.partition("=")[0].strip()
        return name in names.get(spec, ()) or name not in known

    return [(spec, tuple(option for option in options if takes(spec, option))) for spec in specs]


def enough(library: SoundLibrary) -> str:
    """Whether the sounds are enough for one set of every form, in words; more than that only a plan can tell."""
    from builders.errors import PlanError
    from builders.plan import require_sounds
    from builders.recipe import make_recipe, preset

    try:
        require_sounds(make_recipe(preset("smoke"), {"sample_rate": library.sample_rate}), library)
    except PlanError as error:
        return f"not enough for a corpus of all tasks: {error}"
    return "enough sounds for every form of every task (--preset smoke); `reasonaudio plan` says whether for more queries, too"


@dataclass(frozen=True, slots=True)
class Listener:
    """A tagger and an ontology, to hear which other labels of a library are in its recordings."""

    path: Path
    tagger: Tagger
    ontology: Ontology

    @classmethod
    def open(cls, path: Path, ontology: Path | None) -> Listener:
        """Raises UsageError without an ontology, and SoundLibraryError where the tagger cannot be opened."""
        from builders.sounds.ontology import find_ontology
        from builders.sounds.tagger import Tagger

        tree = find_ontology(ontology)
        if tree is None:
            raise UsageError("--tagger needs AudioSet's ontology to know which sound is a kind of which; give --ontology FILE")
        return cls(path, Tagger.open(path), tree)

    def cannot_hear(self, library: SoundLibrary) -> list[str]:
        """Labels of which no class of the tagger tells."""
        from builders.sounds.overheard import listened_for

        heard = listened_for(library.sounds, self.tagger, self.ontology)
        return [label for label in library.labels if label not in heard]

    def overheard(self, library: SoundLibrary, processes: int, report: Report) -> list[Overheard]:
        """What else is heard in the recordings."""
        from builders.sounds.overheard import overheard

        return overheard(library, self.path, self.ontology, num_proc=processes, progress=report)


def make_plan(screen: Screen, recipe: Recipe, library: SoundLibrary) -> tuple[Plan, list[tuple[str, str]]]:
    """The plan of a corpus of these sounds, and its relevant (query id, clip id) pairs."""
    from builders import plan as planning
    from builders.relevance import qrels

    with screen.progress("planning") as report:
        made = planning.make_plan(recipe, library, progress=report)
    with screen.progress("relevance"):
        pairs = qrels(made, library.relations)
    return made, pairs


def open_folder(out: Path) -> DatasetFolder:
    """The dataset folder at `out`."""
    from builders.dataset_folder import DatasetFolder

    return DatasetFolder.open(out)


def query_id(folder: DatasetFolder, given: str) -> str:
    """The id of the query whose id begins so."""
    from eval_harness.ids import find_id

    return find_id("query", given, folder.queries)


def clip_id(folder: DatasetFolder, given: str) -> str:
    """The id of the clip whose id begins so."""
    from eval_harness.ids import find_id

    return find_id("clip", given, folder.clips)


def next_steps(out: Path) -> str:
    """What to do with a folder that has been built, ready to be pasted into a shell."""
    name = quoted(out)
    code = f"from datasets import load_dataset; print(load_dataset({json.dumps(str(out), ensure_ascii=False)}))"
    return f"\nreasonaudio check {name}\nreasonaudio show {name}\npython -c {shlex.quote(code)}"


def quoted(path: Path) -> str:
    """A path as a shell takes it."""
    return shlex.quote(str(path))
