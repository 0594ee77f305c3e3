"""What the card's template asks for: numbers, tables and sentences, all computed from the folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from builders import layout
from builders.card.files import FileStats
from builders.card.markdown import table
from builders.corpus import Query
from builders.dataset_folder import DatasetFolder
from builders.recipe import CLIP_MS, CLIPS_PER_SET, EQUAL_ENERGY, NO_CONTROL, TASK_NAMES
from builders.sounds.library import BUILTIN
from builders.sounds.licenses import UNKNOWN, understand


def values(folder: DatasetFolder, stats: Mapping[str, FileStats]) -> dict[str, Any]:
    """What the template's names stand for.

    Raises:
        DatasetFolderError: a table cannot be read.
    """
    recipe, sound, margins = folder.recipe, folder.recipe.sound, folder.recipe.margins
    recordings = [recording for used in folder.sounds.values() for recording in used.recordings]
    audio_bytes = sum(found.file_bytes for name, found in stats.items() if name.startswith("corpus/"))
    return {
        "recipe_name": recipe.name,
        "recipe_hash": folder.recipe_hash,
        "seed": recipe.seed,
        "library_name": folder.library_name,
        "selection": _selection(folder),
        "overheard": _overheard(folder),
        "excluded": _excluded(folder),
        "clips": f"{len(folder.clips):,}",
        "queries": f"{len(folder.queries):,}",
        "sets": f"{len({query.set for query in folder.queries.values()}):,}",
        "clips_per_set": CLIPS_PER_SET,
        "pairs": f"{_pairs(folder):,}",
        "sounds": f"{len(folder.sounds):,}",
        "recordings": f"{len(recordings):,}",
        "hours": f"{len(folder.clips) * CLIP_MS / 3_600_000:.1f}",
        "clip_seconds": f"{CLIP_MS / 1000:g}",
        "sample_rate": f"{recipe.sample_rate:,}",
        "audio_size": f"{audio_bytes / 1e9:.2f} GB" if audio_bytes >= 1e8 else f"{audio_bytes / 1e6:.1f} MB",
        "loudness": f"{sound.loudness_lufs:g}",
        "peak": f"{sound.peak_dbfs:g}",
        "max_gain": f"{sound.max_gain_db:g}",
        "fade": sound.fade_ms,
        "bed": f"{sound.bed_dbfs:g}",
        "control_notice": _control_notice(folder),
        "treatment": _treatment(folder),
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
        "task_table": _task_table(folder),
        "foil_table": _foil_table(folder),
        "license_table": _license_table([recording.license for recording in recordings]),
        "config_table": _config_table(stats),
        "example_queries": _examples(folder),
        "synthesis": _synthesis(folder),
    }


def _control_notice(folder: DatasetFolder) -> str:
    """That this is a control, and of what; "" where it is none."""
    if folder.control == NO_CONTROL:
        return ""
    return (
        f"This is the **{folder.control} control** of a corpus, not the corpus itself. Queries, clip ids, timelines and "
        f"qrels are those of recipe `{folder.plan_hash}`, clip by clip; only the sound differs, so that a score that is higher "
        "there than here may rest on an acoustic shortcut. Scores on the two may be compared, query by query.\n\n"
    )


def _treatment(folder: DatasetFolder) -> str:
    """What was done to whole clips."""
    rules, sound = folder.recipe.control_rules, folder.recipe.sound
    lowered = f"A set in which a clip would exceed a peak of {rules.peak_dbfs:g} dBFS is lowered as a whole."
    if folder.control == NO_CONTROL:
        return "Clips are not normalised one by one."
    if folder.control == EQUAL_ENERGY:
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


def _pairs(folder: DatasetFolder) -> int:
    """The (query, clip) pairs of the whole corpus that are relevant."""
    return sum(len(clips) for clips in folder.qrels().values())


def _task_table(folder: DatasetFolder) -> str:
    everywhere = folder.qrels()
    rows = []
    for task in TASK_NAMES:
        queries = _queries(folder, task)
        own = folder.qrels(task)
        counts = [len(own.get(query.id, ())) for query in queries]
        spread = f"{mean(counts):.2f} ({min(counts)} to {max(counts)})" if counts else "-"
        in_all = f"{mean(len(everywhere.get(query.id, ())) for query in queries):.2f}" if queries else "-"
        forms = len({query.form for query in queries})
        clips = sum(clip.task == task for clip in folder.clips.values())
        rows.append((task, forms, len(queries), f"{clips:,}", spread, in_all))
    return table(
        ("task", "forms", "queries", "clips", "relevant clips per query: mean (range), in the task's clips", "in all clips"), rows
    )


def _queries(folder: DatasetFolder, task: str) -> list[Query]:
    return [query for query in folder.queries.values() if query.task == task]


def _foil_table(folder: DatasetFolder) -> str:
    rows = []
    for task in TASK_NAMES:
        kinds = Counter(foil.kind for query in _queries(folder, task) for foil in query.foils)
        rows.append((task, ", ".join(f"{kind} ({count:,})" for kind, count in sorted(kinds.items())) or "-"))
    return table(("task", "kinds of foils, and (query, foil) pairs of each"), rows)


def _license_table(licenses: Sequence[str]) -> str:
    """Spellings of one licence are counted together; what is not understood is named as it is written."""
    names = Counter(found.name if (found := understand(text)).kind != UNKNOWN else text or "not stated" for text in licenses)
    return table(("license", "recordings"), sorted(names.items()))


def _selection(folder: DatasetFolder) -> str:
    """What was asked of the library; "" where nothing was."""
    return "".join(f"; {name.replace('_', ' ')} {value}" for name, value in folder.selection.items())


def _overheard(folder: DatasetFolder) -> str:
    """Whether anybody listened for further sounds behind those that recordings are labelled with."""
    if folder.listened:
        return (
            f"A tagger listened for other sounds of the library in the recordings and heard some in {folder.overheard:,}; "
            "such a recording never stands in a clip of a set that names what was heard, nor in a relevant clip of any query "
            "that wants it absent."
        )
    labelled = (
        f"{folder.overheard:,} recordings are labelled with further sounds of the library; such a recording never stands in a "
        "clip of a set that names one of those. "
    )
    return (labelled if folder.overheard else "") + (
        "Nobody listened for further sounds in the recordings: a bird behind a dog would make "
        '"without a bird" wrong where both occur in a set.'
    )


def _excluded(folder: DatasetFolder) -> str:
    """How much a person's list took out; "" where nothing."""
    recordings, pairs = folder.excluded["recordings"], folder.excluded["pairs"]
    if not recordings and not pairs:
        return ""
    left_out = f"{recordings:,} usable recording{' was' if recordings == 1 else 's were'} left out"
    apart = f"{pairs:,} pair{' of labels was' if pairs == 1 else 's of labels were'} declared easy to confuse"
    return f"* By a list of what not to use, {left_out} and {apart}: such labels never meet in a clip or a query.\n"


def _synthesis(folder: DatasetFolder) -> str:
    """What is to be said of the built-in sounds; "" where others were used."""
    if folder.library_name != BUILTIN:
        return ""
    return (
        "* The sounds are **synthesis**, not recordings: they let everything be tried without any file, and a model's score "
        "on them says little about real sound.\n"
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
    return table(("config", "splits (rows)", "columns"), rows)


def _examples(folder: DatasetFolder) -> str:
    firsts = [queries[0] for task in TASK_NAMES if (queries := _queries(folder, task))]
    return table(("task", "query"), ((query.task, query.text) for query in firsts))
