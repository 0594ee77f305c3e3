"""The checklist of mteb's guide to adding a dataset: each box ticked by what was measured, or open with what is due."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from builders.recipe import TASK_NAMES
from eval_harness.submission.names import upstream_name
from eval_harness.upstream.corpus import Offer, megabytes
from eval_harness.upstream.evidence import Evidence, trivial_or_random
from eval_harness.upstream.measuring import SCAN
from eval_harness.upstream.plain_mteb import RANDOM
from eval_harness.upstream.quality import DUPLICATES, SHORTEST_TEXT, problems

SMALL_MODEL = "laion/clap-htsat-unfused"
"""A small audio-text model that mteb knows."""
LARGE = 2_048
"""Examples that mteb's guide finds enough for most tasks."""


@dataclass(frozen=True)
class Box:
    """One line of the checklist.

    Attributes:
        text: what is claimed, as mteb's guide words it where it does.
        ticked: whether it was measured and holds.
        evidence: what was measured.
        command: what to do where it is open.
        part: it belongs to the box before it.
    """

    text: str
    ticked: bool
    evidence: tuple[str, ...] = ()
    command: str = ""
    part: bool = False


def boxes(corpus: Offer, measured: Mapping[str, Mapping[str, Any]], found: list[Evidence]) -> list[Box]:
    """The checklist.

    Args:
        corpus: the data.
        measured: what `measuring.measure` found.
        found: what results of models there are.
    """
    return [
        _gap(measured[SCAN]),
        _published(corpus, measured),
        _runs(measured),
        *_models(corpus, measured, found),
        _neither_trivial_nor_random(corpus, found),
        _size(corpus),
        _minutes(corpus, measured, found),
        _metadata(measured),
        _quality(measured),
        Box(
            "I reproduced scores from the original paper (if applicable)",
            True,
            ("Not applicable: the data are an independent re-creation, and scores on them are not the paper's.",),
        ),
    ]


def open_boxes(all_boxes: list[Box]) -> list[Box]:
    """Those that are not ticked; of a box with parts, the parts."""
    return [
        box
        for box, after in zip(all_boxes, [*all_boxes[1:], None], strict=True)
        if not box.ticked and (box.part or after is None or not after.part)
    ]


def _gap(scan: Mapping[str, Any]) -> Box:
    near = [f"`{name}` ({', '.join(words)})" for name, words in scan["near"].items()]
    return Box(
        "I have outlined why this dataset is filling an existing gap in `mteb`",
        not scan["same_paper"],
        (
            f"mteb {scan['mteb']} has {len(scan['t2a'])} text-to-audio tasks among {scan['tasks']:,}. They ask which recording "
            "matches a caption, a label, a lyric or a transcript. As far as their descriptions tell, none has foils that hold "
            "the same sounds in another relation: a model that hears what is there, but not what is absent, first, together or "
            "longer, passes.",
            "Nearest by words of name, description and subtypes: " + ("; ".join(near) if near else "none") + ".",
            *(f"Already of this paper: {name}." for name in scan["same_paper"]),
        ),
        "compare with the tasks named here" if scan["same_paper"] else "",
    )


def _published(corpus: Offer, measured: Mapping[str, Mapping[str, Any]]) -> Box:
    public = all(measured[task]["public"] for task in TASK_NAMES)
    return Box(
        "The data are public on the Hub, at a fixed commit and under a licence; no remote code is trusted",
        corpus.published and public and not corpus.trial,
        (f"`{corpus.data.path}` at `{corpus.data.revision}`, licence {corpus.license}.",),
        "`reasonaudio push FOLDER ORG/NAME`, then `reasonaudio upstream OUT --data ORG/NAME@COMMIT`",
    )


def _runs(measured: Mapping[str, Mapping[str, Any]]) -> Box:
    return Box(
        "I have tested that the dataset runs with the `mteb` package",
        True,
        (
            f"mteb {measured[SCAN]['mteb']}, with these files laid over it and nothing else loaded: `mteb.get_task`, "
            f"`mteb.get_benchmark` and `mteb.evaluate` on {', '.join(f'`{upstream_name(task)}`' for task in TASK_NAMES)}.",
        ),
    )


def _models(corpus: Offer, measured: Mapping[str, Mapping[str, Any]], found: list[Evidence]) -> list[Box]:
    draws = {task: measured[task]["random"] for task in TASK_NAMES}
    missing = sorted({name for one in draws.values() for name in one["missing"]})
    notes = [f"main score {_row({task: one['main_score'] for task, one in draws.items()})}; measured by `mteb.evaluate`"]
    if missing:
        notes.append(
            f"{' and '.join(missing)} not installed here: clips were hashed at {corpus.folder.recipe.sample_rate:,} Hz, not "
            "at the 16,000 Hz that mteb brings them to, so that these are another draw than the command gives"
        )
    real = [one for one in found if one.real]
    random = Box(
        f"`{RANDOM}`",
        not missing,
        tuple(notes),
        f"install {' and '.join(missing)} in builds that fit torch (`reasonaudio doctor` says which), then this command again",
        part=True,
    )
    small = Box(
        f"a small audio-text model (`{SMALL_MODEL}` or another)",
        bool(real),
        tuple(
            f"`{one.model}` at `{one.revision}`: main score {_row(one.scores)}, by `reasonaudio run` on the same files"
            for one in real
        ),
        f"{run_command(corpus, SMALL_MODEL)} and then `--results RESULTS` here",
        part=True,
    )
    head = Box(
        "I have run the following models on the task (adding the results to the pr). These can be run using the "
        "`mteb run -m {model_name} -t {task_name}` command",
        random.ticked and small.ticked,
    )
    return [head, random, small]


def _neither_trivial_nor_random(corpus: Offer, found: list[Evidence]) -> Box:
    real = [one for one in found if one.real]
    wrong = trivial_or_random(real, corpus) if real else []
    notes = [f"`{one.model}` {_row(one.scores)}" for one in found if one.real or one.scale]
    chance = _row({task: size.chance for task, size in corpus.sizes.items()}, 4)
    return Box(
        "I have checked that the performance is neither trivial (both models gain close to perfect scores) nor random (both "
        "models gain close to random scores)",
        bool(real) and not wrong,
        (f"chance {chance}", *notes, *wrong),
        "look at the tasks named here" if wrong else f"{run_command(corpus, SMALL_MODEL)} and then `--results RESULTS` here",
    )


def _size(corpus: Offer) -> Box:
    largest = max(size.clips for size in corpus.sizes.values())
    total = sum(size.megabytes for size in corpus.sizes.values())
    clips = sum(size.clips for size in corpus.sizes.values())
    queries = sum(size.queries for size in corpus.sizes.values())
    return Box(
        "I have considered the size of the dataset and reduced it if it is too big (2048 examples is typically large enough for "
        "most tasks)",
        largest <= LARGE,
        (
            f"{clips:,} clips, {queries:,} queries, {megabytes(total)} MB of FLAC in one dataset; a task reads its own clips, "
            f"{largest:,} at most. Clips, queries, MB and relevant clips of each task are in the table above.",
        ),
        "build the corpus with `--preset full`, which has 2,000 clips a task",
    )


def _minutes(corpus: Offer, measured: Mapping[str, Mapping[str, Any]], found: list[Evidence]) -> Box:
    seconds = sum(measured[task]["random"]["seconds"] for task in TASK_NAMES)
    real = [one for one in found if one.real and one.minutes]
    return Box(
        "I have measured how long an evaluation takes",
        bool(real),
        (
            f"loading, decoding and scoring, without a model (`{RANDOM}`): {seconds / 60:.1f} minutes for all five tasks",
            *(
                f"`{one.model}`: {one.minutes:.1f} minutes for all five tasks (the `evaluation_time` of their results; less "
                "where embeddings were kept)"
                for one in real
            ),
        ),
        f"{run_command(corpus, SMALL_MODEL)} and then `--results RESULTS` here",
    )


def _metadata(measured: Mapping[str, Mapping[str, Any]]) -> Box:
    return Box(
        "All metadata are filled and valid (`tests/test_tasks/test_metadata.py`)",
        all(measured[task]["filled"] and measured[task]["samples"] for task in TASK_NAMES),
        ("`metadata.is_filled()`, `metadata._validate_metadata()` and `metadata.n_samples` of each task.",),
        "look at the fields of the written module that are None",
    )


def _quality(measured: Mapping[str, Mapping[str, Any]]) -> Box:
    found = [f"{task}: {text}" for task in TASK_NAMES for text in problems(json.loads(measured[task]["statistics"]))]
    return Box(
        "Descriptive statistics are there and pass mteb's rules (`tests/test_tasks/test_task_quality.py`)",
        not found,
        (
            f"`task.calculate_descriptive_statistics()`: at most {DUPLICATES:.0%} duplicates by text and by decoded audio, texts "
            f"of more than {SHORTEST_TEXT} characters, no clip without length, no query without a relevant clip.",
            *found,
        ),
        "build a corpus without them",
    )


def run_command(corpus: Offer, model: str) -> str:
    """What to type to run a model on the data, as Markdown."""
    place = f"{corpus.data.path}@{corpus.data.revision}" if corpus.published else corpus.data.path
    return f"`reasonaudio run -m {model} --data {place} --out RESULTS`"


def _row(scores: Mapping[str, float], digits: int = 3) -> str:
    return ", ".join(f"{task} {score:.{digits}f}" for task, score in scores.items())
