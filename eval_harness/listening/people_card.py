"""What a dataset's card says of people: how well they do, and whether they agree with the rule. It names nobody."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from textwrap import fill

from builders.card.markdown import table
from builders.dataset_folder import content_hash
from eval_harness.analysis.intervals import Interval
from eval_harness.listening.findings import Findings
from eval_harness.listening.scoring import ModeScores

_ASKED = {
    "judge": "said of every clip whether the query fits it: balanced accuracy, *cannot tell* counting half",
    "best": "chose the clip that fits the query best: share of choices that fit",
}


def card_text(found: Findings) -> str:
    """The section's text: accuracy on each task with its interval, agreement, pairs in which a majority contradicts the rule."""
    listeners = {one.name for one in found.listeners if not one.left_out and one.answers}
    clips = {pair.clip for pair in found.pairs}
    queries = {pair.query.id for pair in found.pairs}
    many = "listener was" if len(listeners) == 1 else "listeners were"
    lines = [
        f"{len(listeners)} {many} asked about {len(queries)} queries and {len(clips)} clips of their sets, in per cent with 95 % "
        "intervals over sets: of these listeners, not of others. A few clips of a query's set are no whole task, so the numbers "
        "compare with models only on the same queries and clips (`reasonaudio run -m human:FILE`)."
    ]
    for scores in found.modes:
        lines += [f"Listeners {_ASKED[scores.mode]}.", _accuracies(scores)]
    lines += list(_agreement(found))
    contradicted = len(found.contradictions)
    lines.append(
        f"More than half of those who were asked contradict the rule in {contradicted} of {len(found.pairs)} judged pairs of a "
        f"query and a clip ({100 * contradicted / len(found.pairs):.1f} %)."
    )
    lines.append(f"Made by `reasonaudio listen-results --card`, for content `{content_hash(found.folder.path)[:16]}`.")
    return "\n\n".join(line if line.startswith("|") else fill(line, 130) for line in lines)


def _accuracies(scores: ModeScores) -> str:
    rows = [(task, str(one.queries), _cell(one.interval), f"{100 * one.chance:.1f}") for task, one in scores.tasks.items()]
    if scores.mean and len(rows) > 1:
        rows.append(("mean", str(scores.mean.queries), _cell(scores.mean.interval), f"{100 * scores.mean.chance:.1f}"))
    return table(("task", "queries", "accuracy", "chance"), rows)


def _agreement(found: Findings) -> Iterator[str]:
    one = found.agreement.get("all")
    if one is not None and not isnan(one.alpha.value):
        low = "" if isnan(one.alpha.low) else f" [{one.alpha.low:.2f}, {one.alpha.high:.2f}]"
        yield f"Agreement of listeners, Krippendorff's α over {one.pairs} pairs: {one.alpha.value:.2f}{low}."


def _cell(interval: Interval) -> str:
    return f"{100 * interval.value:.1f} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"
