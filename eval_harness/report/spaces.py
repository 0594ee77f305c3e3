"""The embedding spaces of the best models that embed, as a section of a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from eval_harness.analysis import geometry_figures
from eval_harness.analysis.embeddings_of import embeddings_of
from eval_harness.analysis.geometry import Geometry, geometry
from eval_harness.analysis.linear_probes import FEW_SETS
from eval_harness.analysis.plane import Plane, plane
from eval_harness.analysis.text_encoders import kept_encoder
from eval_harness.report.content import Part, Section, Sketch
from eval_harness.report.gather import Findings
from eval_harness.report.sharing import opened, shared_out
from eval_harness.report.values import Cell, Column, Rows, Table, count, measured, number, p_value, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from eval_harness.report.drawing import Theme

_TEXTS = (
    "What the similarities tell apart a model ranks by. Shown: {names}; there are results of {there} that embed text and "
    "clips in one space. The command reasonaudio geometry measures all of them.",
    "d′ is the distance of the mean similarity of relevant clips from that of foils, in standard deviations: 0 where the space "
    "does not tell them apart, below 0 where it has them the wrong way round.",
)
_PLANE = (
    "t-SNE lays similar embeddings side by side; distances between groups and the axes mean nothing. Queries apart from "
    "clips are a gap between the modalities.",
)


@dataclass(frozen=True, eq=False)
class Space:
    """One model's embedding space.

    Attributes:
        name: of the model, as the report calls it.
        geometry: what was measured.
        plane: its t-SNE.
    """

    name: str
    geometry: Geometry
    plane: Plane


def spaces(
    findings: Findings, most: int, num_proc: int = 1, progress: Callable[[int, int], None] = lambda done, total: None
) -> tuple[tuple[Space, ...], int]:
    """The spaces of the best models that kept embeddings of at least one whole task, `most` at most; and how many there are.

    Raises:
        EvaluationError: embeddings cannot be used, or a worker process died.
    """
    results = findings.results
    numbers = {id_of(one): number for number, one in enumerate(results.models)}
    jobs, names = [], []
    for entry in findings.models(findings.main_scope):
        if entry.result.embeddings() is not None:
            jobs.append((results.path, results.data.folder.path, numbers[id_of(entry.result)]))
            names.append(entry.name)
    found = []
    for name, one in zip(names, shared_out(_measure, jobs[:most], num_proc, "spaces were measured"), strict=False):
        if one is not None:
            found.append(Space(name, *one))
        progress(len(found), min(most, len(jobs)))
    return tuple(found), len(jobs)


def id_of(result: object) -> tuple[str, str, str, str]:
    """What names a run of a model."""
    return tuple(getattr(result, name) for name in ("model", "revision", "experiment", "scope"))


_Job: TypeAlias = tuple[Path, Path, int]
_Measured: TypeAlias = tuple[Geometry, Plane] | None


def _measure(job: _Job) -> _Measured:
    out, data, model = job
    results = opened(out, data)
    folder = results.data.folder
    found = embeddings_of(results.models[model])
    if found is None or not found.tasks(folder):
        return None
    made = geometry(found, folder, kept_encoder(out, found, results.data))
    return made, plane(found, folder, made.tasks)


# --- the section ------------------------------------------------------------------------------------------------------


def space_sections(found: Sequence[Space], there: int) -> tuple[Section, ...]:
    """The section of the spaces; none without any."""
    if not found:
        return ()
    texts = [_TEXTS[0].format(names=", ".join(one.name for one in found), there=there), *_TEXTS[1:]]
    if any(probe.sets < FEW_SETS for one in found for probe in one.geometry.probes):
        texts.append(f"Lines that rest on fewer than {FEW_SETS} sets say little, whatever their intervals and p values.")
    parts = [part for number, one in enumerate(found, 1) for part in _parts(one, number)]
    return (Section("spaces", "The space of embeddings", tuple(texts), tuple(parts)),)


def _parts(one: Space, number: int) -> Iterator[Part]:
    queries = int(one.plane.is_text.sum())
    clips = len(one.plane.ids) - queries
    yield Part(
        one.name,
        _PLANE,
        (
            Sketch(
                f"space-{number}",
                f"{one.name}: t-SNE of {queries:,} queries and {clips:,} clips.",
                f"Two scatter plots of the same points, {queries:,} queries and {clips:,} clips: by modality, and by task.",
                partial(_plane, one),
                dark=False,
            ),
        ),
    )
    yield Part(
        "",
        (),
        (
            Sketch(
                f"similarity-{number}",
                f"{one.name}: similarity of queries to relevant clips and to each kind of foil.",
                "Distributions of cosines, one panel a task, with the numbers of the table that follows.",
                partial(_similarity, one),
                dark=False,
            ),
        ),
        (separation_table(one, number),),
    )
    yield Part(
        "",
        ("What a linear function reads from the clips of a set: an area under the ROC curve of 0.5 is chance.",),
        (
            Sketch(
                f"probes-{number}",
                f"{one.name}: what is linearly readable from its clips.",
                "Dots with intervals against what permuted answers give, with the numbers of the table that follows.",
                partial(_probes, one),
                dark=False,
            ),
        ),
        (probe_table(one, number),),
    )
    if one.geometry.sensitivities:
        yield Part(
            "",
            ("Whether texts of the same meaning in other words are nearer than texts of another meaning in the same words.",),
            (
                Sketch(
                    f"wording-{number}",
                    f"{one.name}: meaning against wording.",
                    "Dots of cosines by form, with the numbers of the table that follows.",
                    partial(_wording, one),
                    dark=False,
                ),
            ),
            (wording_table(one, number),),
        )


def _plane(one: Space, theme: Theme) -> Figure:
    return geometry_figures.plane_figure(one.plane)


def _similarity(one: Space, theme: Theme) -> Figure:
    return geometry_figures.similarity_figure(one.geometry)


def _probes(one: Space, theme: Theme) -> Figure:
    return geometry_figures.probe_figure(one.geometry)


def _wording(one: Space, theme: Theme) -> Figure:
    return geometry_figures.sensitivity_figure(one.geometry)


def separation_table(one: Space, place: int) -> Table:
    """How far relevant clips are from each foil kind."""
    columns = (
        Column("Task", numeric=False),
        Column("Against", numeric=False),
        Column("Cosine, relevant"),
        Column("Cosine, foils"),
        Column("d′"),
        Column("d′ within queries"),
    )
    rows = tuple(
        (
            Cell(own.task.capitalize()),
            Cell(kind.kind),
            number(own.relevant.mean),
            number(kind.similarity.mean),
            measured(kind.d_prime),
            measured(kind.d_prime_within),
        )
        for own in one.geometry.separations
        for kind in own.kinds
    )
    caption = f"{one.name}: similarity of queries to relevant clips and to foils, with 95 % intervals of d′."
    return Table(f"separation-{place}", caption, columns, (Rows(rows),), True)


def probe_table(one: Space, place: int) -> Table:
    """What can be read linearly."""
    columns = (
        Column("Read", numeric=False),
        Column("From", numeric=False),
        Column("Sets"),
        Column("AUC"),
        Column("By chance"),
        Column("p, Holm"),
    )
    rows = tuple(
        (Cell(own.name), Cell(own.kind), count(own.sets), measured(own.auc), measured(own.chance), p_value(own.p_holm))
        for own in one.geometry.probes
    )
    return Table(f"probes-{place}", f"{one.name}: what a linear function reads from clips.", columns, (Rows(rows),), True)


def wording_table(one: Space, place: int) -> Table:
    """Paraphrases against contrasts."""
    columns = (
        Column("Queries", numeric=False),
        Column("Against", numeric=False),
        Column("Cosine, same meaning"),
        Column("Cosine, same words"),
        Column("Nearer, % (its own pattern)"),
        Column("Nearer, % (the same pattern)"),
    )
    rows = tuple(
        (
            Cell(own.form or own.task.capitalize()),
            Cell(own.contrast),
            measured(own.paraphrase),
            measured(own.same_words),
            Cell(percent(own.hard.value), sort=own.hard.value),
            Cell(percent(own.fair.value), sort=own.fair.value),
        )
        for own in one.geometry.sensitivities
    )
    caption = f"{one.name}: cosines of texts, and the share of paraphrases that are nearer than a text of another meaning."
    return Table(f"wording-{place}", caption, columns, (Rows(rows),), True)
