"""(plan, library, qrels) -> a finished dataset folder, in any number of processes, resumable after any interruption.

Work files live in `.build/` inside the folder. `manifest.json` is written last: a folder that has one is finished. The bytes
of a folder depend on the plan, the library and the package versions alone.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builders import layout
from builders.card import write_card
from builders.crew import MakeRenderer, crew, tidy
from builders.dataset_folder import DatasetFolder
from builders.errors import BuildError
from builders.files import nearest
from builders.output import build_error, check_place, is_finished, only_one, versions
from builders.recipe import CLIP_MS, NO_CONTROL
from builders.render import Renderer
from builders.shards import ClipRenderer, Receipt, Shard, read_receipt, shards, write_aside, write_shard
from builders.tables import Qrels, attribution, tables

if TYPE_CHECKING:
    import pyarrow as pa

    from builders.corpus import Plan
    from builders.sounds.library import SoundLibrary

Progress = Callable[[str, int, int], None]
"""Called with (what is counted, how many are done, of how many). "clips": written; "measured": for a control, before that."""

FLAC_SHARE = 0.5
"""FLAC takes about this share of 16-bit PCM for clips like these; used to foresee a full disk."""


@dataclass(frozen=True, slots=True)
class Built:
    """What `build` did.

    Attributes:
        folder: the finished folder.
        already_there: it was finished before; nothing was done.
        clips_kept: clips taken over from a build that was interrupted.
    """

    folder: Path
    already_there: bool = False
    clips_kept: int = 0


def build(
    plan: Plan,
    library: SoundLibrary,
    qrels: Qrels | Callable[[], Qrels],
    out: Path | str,
    *,
    num_proc: int = 1,
    progress: Progress | None = None,
    make_renderer: MakeRenderer | None = None,
) -> Built:
    """Writes the dataset folder of a plan, or goes on with one that was interrupted.

    Args:
        plan: the corpus to write.
        library: the sounds it was planned for; its relations are written too.
        qrels: all relevant (query id, clip id) pairs of the whole corpus, or what computes them.
        out: the folder; made with its parents where it is missing.
        num_proc: worker processes; 1 works in this one.
        progress: told of finished clips.
        make_renderer: (recipe, library) -> renderer, if not that which the recipe's control asks for; picklable.

    Raises:
        BuildError: `out` holds something else, cannot be written, or the disk is too small. Finished shards stay, and the
            same call goes on from them.
    """
    out = Path(out)
    try:
        if is_finished(out, plan.recipe, plan.recipe_hash):
            return Built(out, already_there=True)
        check_place(out, plan.recipe, plan.recipe_hash)
        pairs = qrels() if callable(qrels) else qrels
        _check_disk(plan, library, out, num_proc)
        (out / layout.WORK).mkdir(parents=True, exist_ok=True)
        with only_one(out):
            state = {
                "recipe_hash": plan.recipe_hash,
                "recipe": plan.recipe.model_dump(mode="json"),
                "layout": layout.LAYOUT_VERSION,
                "versions": versions(),
            }
            write_aside(out / layout.WORK / "state.json", _json(state), out / layout.WORK)
            receipts, kept = _write_shards(plan, library, out, num_proc, progress or _silent, make_renderer)
            _write_rest(plan, library, pairs, receipts, out)
            shutil.rmtree(out / layout.WORK)
    except OSError as error:
        raise build_error(out, error) from error
    return Built(out, clips_kept=kept)


# --- before anything is written ---------------------------------------------------------------------------------------


def _check_disk(plan: Plan, library: SoundLibrary, out: Path, num_proc: int) -> None:
    """Raises BuildError where the folder will not fit. What an earlier run has written is not needed again."""
    per_clip = plan.recipe.samples(CLIP_MS) * 2 * FLAC_SHARE
    needed = int(len(plan.clips) * (per_clip + 1000))
    if num_proc > 1:
        needed += sum(recording.samples.nbytes for recording in library.recordings)
    corpus = out / "corpus"
    there = sum(path.stat().st_size for path in corpus.iterdir()) if corpus.is_dir() else 0
    place = nearest(out)
    free = shutil.disk_usage(place).free
    if free < needed - there:
        raise BuildError(
            f"{out} needs about {_size(needed - there)}, but {place} has only {_size(free)} free; "
            "make room, or build fewer queries_per_task"
        )


# --- shards -----------------------------------------------------------------------------------------------------------


def _write_shards(
    plan: Plan, library: SoundLibrary, out: Path, num_proc: int, progress: Progress, make_renderer: MakeRenderer | None
) -> tuple[dict[str, Receipt], int]:
    """Receipts by file, and the number of clips that need not be rendered again."""
    work = out / layout.WORK
    tidy(work)
    found = {shard.file: read_receipt(shard, out) for shard in shards(plan)}
    receipts = {file: receipt for file, receipt in found.items() if receipt}
    missing = [shard for shard in shards(plan) if shard.file not in receipts]
    done = kept = sum(len(receipt.pcm_sha256) for receipt in receipts.values())
    treated = plan.recipe.control != NO_CONTROL and make_renderer is None
    if treated and not missing:
        progress("measured", len(plan.clips), len(plan.clips))
    progress("clips", done, len(plan.clips))
    if missing:
        maker = make_renderer or _maker(plan, out)
        with crew(min(num_proc, len(missing)), plan.recipe, library, maker, work) as workers:
            if treated:
                from builders.controls.work import treat_sets

                treat_sets(plan, out, workers, progress)
            write = partial(_write, sample_rate=plan.recipe.sample_rate, schema=layout.schema("audio"), folder=out)
            with closing(workers.each(write, missing)) as rendered:
                for shard, receipt in rendered:
                    receipts[shard.file] = receipt
                    done += len(shard.clips)
                    progress("clips", done, len(plan.clips))
    return receipts, kept


def _maker(plan: Plan, out: Path) -> MakeRenderer:
    """What makes the renderer that the recipe asks for."""
    if plan.recipe.control == NO_CONTROL:
        return partial(Renderer, measured=plan.measured)
    from builders.controls.render import ControlRenderer
    from builders.controls.work import FILE

    return partial(ControlRenderer, measured=plan.measured, treatments=out / layout.WORK / FILE)


def _write(shard: Shard, renderer: ClipRenderer, *, sample_rate: int, schema: pa.Schema, folder: Path) -> Receipt:
    return write_shard(shard, renderer, sample_rate, schema, folder)


# --- everything else --------------------------------------------------------------------------------------------------


def _write_rest(plan: Plan, library: SoundLibrary, qrels: Qrels, receipts: dict[str, Receipt], out: Path) -> None:
    work = out / layout.WORK
    files = {file: receipt.sha256 for file, receipt in receipts.items()}
    pcm = {clip: digest for receipt in receipts.values() for clip, digest in receipt.pcm_sha256.items()}
    for config, split, table in tables(plan, library, qrels, pcm):
        name = layout.table_file(config, split)
        (out / name).parent.mkdir(exist_ok=True)
        aside = work / "table.tmp"
        layout.write_table(table, aside)
        aside.replace(out / name)
        content = (out / name).read_bytes()
        files[name] = hashlib.sha256(content).hexdigest()
    for name, content in (
        (layout.RECIPE, _recipe_json(plan, library)),
        (layout.ATTRIBUTION, attribution(plan, library)),
    ):
        write_aside(out / name, content, work)
        files[name] = hashlib.sha256(content).hexdigest()
    manifest = {
        "layout": layout.LAYOUT_VERSION,
        "recipe_hash": plan.recipe_hash,
        "versions": versions(),
        "files": files,
    }
    content = _json(manifest)
    write_card(DatasetFolder(out, manifest), hashlib.sha256(content).hexdigest())
    write_aside(out / layout.MANIFEST, content, work)


def _recipe_json(plan: Plan, library: SoundLibrary) -> bytes:
    """The recipe, and what a reader needs of the library to evaluate formulas again."""
    relations = {
        name: {label: sorted(others) for label, others in sorted(getattr(library.relations, name).items())}
        for name in ("ancestors", "confusable")
    }
    return _json(
        {
            "recipe": plan.recipe.model_dump(mode="json"),
            "recipe_hash": plan.recipe_hash,
            "library": {
                "name": library.name,
                "digest": library.digest,
                "sample_rate": library.sample_rate,
                "relations": relations,
                "selection": dict(library.selection),
                "listened": library.listened,
                "overheard": len(library.overheard or ()),
                "excluded": {"recordings": library.excluded_recordings, "pairs": library.excluded_pairs},
            },
        }
    )


def _json(value: Any) -> bytes:
    return (json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False) + "\n").encode()


def _size(number: int) -> str:
    return f"{number / 1e9:.1f} GB" if number >= 1e9 else f"{number / 1e6:.1f} MB"


def _silent(what: str, done: int, of: int) -> None:
    """No progress is shown."""
