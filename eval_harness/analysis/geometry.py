"""The geometry of a model's embedding space: what its similarities tell apart, what its texts and clips hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from builders.dataset_folder import DatasetFolder
from builders.errors import EvaluationError
from eval_harness.analysis.embeddings_of import Embeddings
from eval_harness.analysis.intervals import RESAMPLES
from eval_harness.analysis.linear_probes import Probe, holm_corrected, known_sounds, other_sets
from eval_harness.analysis.sensitivity import Sensitivity, TextEncoder, sensitivity
from eval_harness.analysis.separation import Separation, cosines, separation
from eval_harness.analysis.spread import Spread, spread
from eval_harness.analysis.wordings import wordings

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Geometry:
    """One model's embedding space on one dataset.

    Attributes:
        model: its name.
        revision: of the model.
        tasks: those whose queries and clips are all embedded.
        separations: similarity of queries to relevant clips and to foils, for each task.
        sensitivities: paraphrases against twins; empty without a text encoder.
        spreads: alignment and uniformity, for each task and for all together.
        probes: what can be read linearly.
    """

    model: str
    revision: str
    tasks: tuple[str, ...]
    separations: tuple[Separation, ...]
    sensitivities: tuple[Sensitivity, ...]
    spreads: tuple[Spread, ...]
    probes: tuple[Probe, ...]

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`; None for what cannot be told."""
        return {
            "model": self.model,
            "revision": self.revision,
            "separation": {one.task: one.to_json() for one in self.separations},
            "sensitivity": [one.to_json() for one in self.sensitivities],
            "spread": {one.task: one.to_json() for one in self.spreads},
            "probes": [one.to_json() for one in self.probes],
        }


def geometry(
    embeddings: Embeddings,
    folder: DatasetFolder,
    encoder_of: Callable[[str], TextEncoder] | None = None,
    *,
    tasks: Sequence[str] | None = None,
    draws: int = RESAMPLES,
    seed: int = 0,
    progress: Progress = lambda done, total: None,
) -> Geometry:
    """All that is measured here of a model's embeddings.

    Args:
        embeddings: of the dataset's clips and queries, `read_embeddings`.
        folder: the dataset.
        encoder_of: task -> the model's text encoder for the task's queries (prompts may differ); None leaves sensitivity out.
        tasks: those to look at; None is all that are embedded.
        draws: resamples of the intervals.
        seed: of everything that is drawn.
        progress: called with (steps done, steps).

    Raises:
        EvaluationError: a task is not, or not wholly, embedded.
    """
    there = embeddings.tasks(folder)
    chosen = tuple(there if tasks is None else tasks)
    missing = [task for task in chosen if task not in there]
    if missing or not chosen:
        what = f"not all queries and clips of {missing[0]}" if missing else "no task whose queries and clips are all"
        raise EvaluationError(f"{embeddings.model}: {what} embedded; run the model on it with `reasonaudio run`")
    steps = 3 * len(chosen) + 2
    done = 0

    def step() -> None:
        nonlocal done
        done += 1
        progress(done, steps)

    separations: list[Separation] = []
    sensitivities: list[Sensitivity] = []
    probes: list[Probe] = []
    for task in chosen:
        separations.append(separation(cosines(embeddings, folder, task), folder, task, draws, seed))
        step()
        if encoder_of is not None:
            sensitivities += sensitivity(wordings(folder, task), encoder_of(task), draws, seed)
        step()
        probes += known_sounds(embeddings, folder, task, draws, seed)
        step()
    probes += other_sets(embeddings, folder, chosen, draws, seed)
    step()
    spreads = spread(embeddings, folder, chosen, draws, seed)
    step()
    return Geometry(
        embeddings.model, embeddings.revision, chosen, tuple(separations), tuple(sensitivities), spreads, holm_corrected(probes)
    )
