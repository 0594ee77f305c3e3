"""The README.md of a dataset folder: YAML for `load_dataset` and the Hub, then text for people. Every number is computed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from statistics import mean
from string import Template
from typing import TYPE_CHECKING, Any

from builders import layout
from builders.corpus import Plan
from builders.errors import BuildError, DatasetFolderError
from builders.files import write_whole
from builders.recipe import CLIP_MS, CLIPS_PER_SET, EQUAL_ENERGY, NO_CONTROL, TASK_NAMES, plan_hash
from builders.sounds.library import SoundLibrary
from builders.sounds.licenses import UNKNOWN, corpus_license, understand
from builders.tables import Qrels, labels_used, recordings_used

if TYPE_CHECKING:
    import datasets

TEMPLATE = "dataset_card.md"
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


@dataclass(frozen=True, slots=True)
class FileStats:
    """Rows, bytes on disk and bytes in memory of one parquet file."""

    rows: int
    file_bytes: int
    arrow_bytes: int


def card(plan: Plan, library: SoundLibrary, qrels: Qrels, stats: Mapping[str, FileStats], digest: str) -> str:
    """The text of README.md.

    Args:
        plan: the corpus.
        library: the sounds it was planned for.
        qrels: all pairs of the whole corpus.
        stats: for each parquet file, by its path in the folder.
        digest: `files_digest` of the parquet files.

    Raises:
        BuildError: the template is not installed.
    """
    control = "" if plan.recipe.control == NO_CONTROL else f"control {plan.recipe.control}, "
    yaml = _yaml(plan, library, stats, f"recipe {plan.recipe_hash}, {control}files {digest}")
    return f"---\n{yaml}\n---\n\n{Template(template()).substitute(_values(plan, library, qrels, stats))}"


def template() -> str:
    """The text of `dataset_card.md`: beside the packages in a checkout, among the data files where it is installed."""
    beside = Path(__file__).resolve().parent.parent / TEMPLATE
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    try:
        installed = metadata.files("reasonaudio") or []
    except metadata.PackageNotFoundError:
        installed = []
    for file in installed:
        if file.name == TEMPLATE:
            return Path(str(file.locate())).read_text(encoding="utf-8")
    raise BuildError(f"{TEMPLATE} is not installed with the package; install reasonaudio again, or run from a checkout")


def set_section(folder: Path, heading: str, body: str) -> None:
    """Replaces what the folder's card says under a heading; the rest of it, and the dataset's content, stay as they are.

    Raises:
        DatasetFolderError: the card cannot be read, or has no such heading.
    """
    place = folder / layout.CARD
    try:
        text = place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetFolderError(f"{place} cannot be read ({error}); build the folder again") from None
    before, found, rest = text.partition(f"\n## {heading}\n")
    if not found:
        raise DatasetFolderError(f"{place} has no section {heading!r}; build the corpus with this version")
    _, next_heading, after = rest.partition("\n## ")
    write_whole(place, f"{before}{found}\n{body.strip()}\n{next_heading}{after}".encode())


def files_digest(files: Mapping[str, str]) -> str:
    """16 hex digits for the contents of all parquet files, given the SHA-256 of each: two corpora never share a cache."""
    lines = [f"{name} {digest}\n" for name, digest in sorted(files.items()) if name.endswith(".parquet")]
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]


# --- YAML -------------------------------------------------------------------------------------------------------------


def _yaml(plan: Plan, library: SoundLibrary, stats: Mapping[str, FileStats], description: str) -> str:
    from datasets.info import DatasetInfosDict
    from huggingface_hub import DatasetCardData

    size = next((name for limit, name in SIZES if len(plan.clips) < limit), "n>1M")
    data = DatasetCardData(
        language=["en"],
        license=corpus_license(recording.license for recording in recordings_used(plan, library)),
        annotations_creators=["machine-generated"],
        language_creators=["machine-generated"],
        multilinguality=["monolingual"],
        size_categories=[size],
        source_datasets=["original"],
        task_categories=["text-retrieval", "other"],
        pretty_name="ReasonAudio" + ("" if plan.recipe.control == NO_CONTROL else f" ({plan.recipe.control} control)"),
        tags=["audio", "text", "mteb", "retrieval", "text-to-audio-retrieval", "reasoning", "synthetic"],
        configs=[_config_yaml(config, description) for config in layout.configs()],
    )
    infos = {config.name: _info(config, stats) for config in layout.configs()}
    DatasetInfosDict(infos).to_dataset_card_data(data)
    return data.to_yaml()


def _config_yaml(config: layout.Config, description: str) -> dict[str, Any]:
    """Version and description become part of the key of datasets' cache, which otherwise does not see changed contents."""
    fields: dict[str, Any] = {"config_name": config.name}
    if config.name == layout.DEFAULT_CONFIG:
        fields["default"] = True
    return fields | {
        "version": config.version,
        "description": description,
        "data_files": [{"split": split, "path": pattern} for split, pattern in config.splits.items()],
    }


def _info(config: layout.Config, stats: Mapping[str, FileStats]) -> datasets.DatasetInfo:
    from datasets import DatasetInfo, SplitDict, SplitInfo

    splits = SplitDict()
    download = 0
    for split, pattern in config.splits.items():
        files = [found for name, found in stats.items() if Path(name).match(pattern)]
        splits.add(
            SplitInfo(
                name=split, num_bytes=sum(file.arrow_bytes for file in files), num_examples=sum(file.rows for file in files)
            )
        )
        download += sum(file.file_bytes for file in files)
    total = sum(split.num_bytes for split in splits.values())
    return DatasetInfo(features=layout.features(config.kind), splits=splits, download_size=download, dataset_size=total)


# --- text -------------------------------------------------------------------------------------------------------------


def _values(plan: Plan, library: SoundLibrary, qrels: Qrels, stats: Mapping[str, FileStats]) -> dict[str, Any]:
    recipe, sound, margins = plan.recipe, plan.recipe.sound, plan.recipe.margins
    recordings = recordings_used(plan, library)
    audio_bytes = sum(found.file_bytes for name, found in stats.items() if name.startswith("corpus/"))
    return {
        "recipe_name": recipe.name,
        "recipe_hash": plan.recipe_hash,
        "seed": recipe.seed,
        "library_name": library.name,
        "selection": _selection(library),
        "overheard": _overheard(library),
        "clips": f"{len(plan.clips):,}",
        "queries": f"{len(plan.queries):,}",
        "sets": f"{len({query.set for query in plan.queries}):,}",
        "clips_per_set": CLIPS_PER_SET,
        "pairs": f"{len(qrels):,}",
        "sounds": f"{len(labels_used(plan)):,}",
        "recordings": f"{len(recordings):,}",
        "hours": f"{len(plan.clips) * CLIP_MS / 3_600_000:.1f}",
        "clip_seconds": f"{CLIP_MS / 1000:g}",
        "sample_rate": f"{recipe.sample_rate:,}",
        "audio_size": f"{audio_bytes / 1e9:.2f} GB" if audio_bytes >= 1e8 else f"{audio_bytes / 1e6:.1f} MB",
        "loudness": f"{sound.loudness_lufs:g}",
        "peak": f"{sound.peak_dbfs:g}",
        "max_gain": f"{sound.max_gain_db:g}",
        "fade": sound.fade_ms,
        "bed": f"{sound.bed_dbfs:g}",
        "control_notice": _control_notice(plan, library),
        "treatment": _treatment(plan),
        "range": f"{recipe.audible.range_db:g}",
        "gap": f"{margins.gap_ms / 1000:g}",
        "overlap": f"{margins.overlap_ms / 1000:g}",
        "overlap_share": f"{100 * margins.overlap_share:g}",
        "longer_ratio": f"{margins.longer_ratio:g}",
        "longer": f"{margins.longer_ms / 1000:g}",
        "not_longer_ratio": f"{margins.not_longer_ratio:g}",
        "simultaneous": f"{margins.simultaneous_ms / 1000:g}",
        "together": f"{margins.together_ms / 1000:g}",
        "above_ratio": f"{margins.above_ratio:g}",
        "below_ratio": f"{margins.below_ratio:g}",
        "task_table": _task_table(plan, qrels),
        "foil_table": _foil_table(plan),
        "license_table": _license_table([recording.license for recording in recordings]),
        "config_table": _config_table(stats),
        "example_queries": _examples(plan),
    }


def _control_notice(plan: Plan, library: SoundLibrary) -> str:
    """That this is a control, and of what; "" where it is none."""
    if plan.recipe.control == NO_CONTROL:
        return ""
    original = plan_hash(plan.recipe, library.digest)
    return (
        f"This is the **{plan.recipe.control} control** of a corpus, not the corpus itself. Queries, clip ids, timelines and "
        f"qrels are those of recipe `{original}`, clip by clip; only the sound differs, so that a score that is higher there "
        "than here may rest on an acoustic shortcut. Scores on the two may be compared, query by query.\n\n"
    )


def _treatment(plan: Plan) -> str:
    """What was done to whole clips."""
    rules, sound = plan.recipe.control_rules, plan.recipe.sound
    lowered = f"A set in which a clip would exceed a peak of {rules.peak_dbfs:g} dBFS is lowered as a whole."
    if plan.recipe.control == NO_CONTROL:
        return "Clips are not normalised one by one."
    if plan.recipe.control == EQUAL_ENERGY:
        return (
            "Then, as an equal-energy control, the noise in the gaps (where no event sounds) is raised to "
            f"{rules.gap_bed_db:g} dB below the RMS of the clip's events, with fades of {sound.fade_ms} ms inside the gap, and "
            f"one constant gain brings the clip to the mean RMS of the {CLIPS_PER_SET} clips of its set. {lowered}"
        )
    return (
        "Then, as an equal-spectrum control, one zero-phase filter per clip, smooth and within "
        f"±{rules.filter_db:g} dB, brings its long-term spectrum in third octaves toward the mean (in dB) of its set's. "
        f"A filter delays nothing and spreads nothing further than {rules.filter_reach_ms} ms. {lowered}"
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(" ".join(str(cell).replace("|", "\\|").split()) for cell in line) + " |" for line in lines)


def _task_table(plan: Plan, qrels: Qrels) -> str:
    task_of = {clip.id: clip.task for clip in plan.clips}
    in_task: Counter[str] = Counter()
    in_all: Counter[str] = Counter()
    query_task = {query.id: query.task for query in plan.queries}
    for query, clip in qrels:
        in_all[query] += 1
        in_task[query] += task_of[clip] == query_task[query]
    rows = []
    for task in TASK_NAMES:
        queries = plan.queries_of(task)
        counts = [in_task[query.id] for query in queries]
        spread = f"{mean(counts):.2f} ({min(counts)} to {max(counts)})" if counts else "-"
        everywhere = f"{mean(in_all[query.id] for query in queries):.2f}" if queries else "-"
        forms = len({query.form for query in queries})
        rows.append((task, forms, len(queries), f"{len(plan.clips_of(task)):,}", spread, everywhere))
    return _table(
        ("task", "forms", "queries", "clips", "relevant clips per query: mean (range), in the task's clips", "in all clips"), rows
    )


def _foil_table(plan: Plan) -> str:
    rows = []
    for task in TASK_NAMES:
        kinds = Counter(foil.kind for query in plan.queries_of(task) for foil in query.foils)
        rows.append((task, ", ".join(f"{kind} ({count:,})" for kind, count in sorted(kinds.items())) or "-"))
    return _table(("task", "kinds of foils, and (query, foil) pairs of each"), rows)


def _license_table(licenses: Sequence[str]) -> str:
    """Spellings of one licence are counted together; what is not understood is named as it is written."""
    names = Counter(found.name if (found := understand(text)).kind != UNKNOWN else text or "not stated" for text in licenses)
    return _table(("license", "recordings"), sorted(names.items()))


def _selection(library: SoundLibrary) -> str:
    """What was asked of the library; "" where nothing was."""
    return "".join(f"; {name.replace('_', ' ')} {value}" for name, value in library.selection.items())


def _overheard(library: SoundLibrary) -> str:
    """Whether anybody listened for further sounds behind those that recordings are labelled with."""
    known = len(library.overheard or ())
    if library.listened:
        return (
            f"A tagger listened for other sounds of the library in the recordings and heard some in {known:,}; "
            "such a recording never stands in a clip of a set that names what was heard, nor in a relevant clip of any query "
            "that wants it absent."
        )
    labelled = (
        f"{known:,} recordings are labelled with further sounds of the library; such a recording never stands in a clip of a "
        "set that names one of those. "
    )
    return (labelled if known else "") + (
        "Nobody listened for further sounds in the recordings: a bird behind a dog would make "
        '"without a bird" wrong where both occur in a set.'
    )


def _config_table(stats: Mapping[str, FileStats]) -> str:
    rows = []
    for config in layout.configs():
        counts = {
            split: sum(found.rows for name, found in stats.items() if Path(name).match(pattern))
            for split, pattern in config.splits.items()
        }
        splits = ", ".join(f"{split} ({count:,})" for split, count in counts.items())
        name = f"`{config.name}`" + (" (default)" if config.name == layout.DEFAULT_CONFIG else "")
        rows.append((name, splits, ", ".join(f"`{column}`" for column in layout.features(config.kind))))
    return _table(("config", "splits (rows)", "columns"), rows)


def _examples(plan: Plan) -> str:
    firsts = [queries[0] for task in TASK_NAMES if (queries := plan.queries_of(task))]
    return _table(("task", "query"), ((query.task, query.text) for query in firsts))
