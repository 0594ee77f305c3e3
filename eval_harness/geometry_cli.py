"""`reasonaudio geometry`: the embedding spaces of the models of a folder of results."""

from __future__ import annotations

import json as json_text
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from builders.errors import EvaluationError
from eval_harness.options import Quiet
from eval_harness.ui import Screen, bad_input_is_2

if TYPE_CHECKING:  # they load numpy and pyarrow, which --help does not need
    from eval_harness.analysis.embeddings_of import Embeddings
    from eval_harness.analysis.geometry import Geometry
    from eval_harness.analysis.intervals import Interval
    from eval_harness.data import Data


@bad_input_is_2
def geometry(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A folder of results, as `reasonaudio run` writes it.")],
    model: Annotated[
        list[str] | None, typer.Option("--model", "-m", metavar="NAME", help="Only this model.", show_default="all that embed")
    ] = None,
    load: Annotated[
        list[str] | None,
        typer.Option(metavar="MODEL", help="Load a model, named as for `run`, and embed every query in all of its wordings."),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", envvar="REASONAUDIO_DATA", help="The dataset.", show_default="where it was at the run"),
    ] = None,
    figures: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write figures: PNG, SVG and PDF.")] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all numbers to this file.")] = None,
    device: Annotated[str | None, typer.Option(metavar="NAME", help="For --load: cpu, cuda, ...")] = None,
    quiet: Quiet = False,
) -> None:
    """Look at embedding spaces: what similarities tell apart, what texts and clips hold.

    Works on the embeddings that a run kept. To see whether a text encoder tells meaning from wording, --load the model once.
    """
    from builders.files import check_target, make_folder, write_whole
    from eval_harness.analysis import text_encoders
    from eval_harness.analysis.embeddings_of import read_embeddings
    from eval_harness.analysis.geometry import geometry as measure
    from eval_harness.analysis.linear_probes import FEW_SETS
    from eval_harness.analysis.results import read_results
    from eval_harness.data import open_data

    screen = Screen(quiet)
    if json:
        check_target(json)
    if figures:
        make_folder(figures)  # measuring takes long: better refused before it
    results = read_results(out, open_data(data) if data else None)
    opened = results.data
    found = read_embeddings(results, model)
    for spec in load or ():
        _keep_wordings(screen, out, spec, read_embeddings(results), opened, device)
    measured = []
    for one in found:
        encoder_of = text_encoders.kept_encoder(out, one, opened)
        with screen.progress("measuring") as report:
            measured.append(measure(one, opened.folder, encoder_of, progress=report))
        show(screen, measured[-1])
        if any(probe.sets < FEW_SETS for probe in measured[-1].probes):
            screen.note(f"lines that rest on fewer than {FEW_SETS} sets say little, whatever their intervals and p values")
        if encoder_of is None:
            screen.note("meaning against wording was not measured: give --load MODEL, once")
        if figures:
            with screen.progress("figures") as report:
                written = write_figures(measured[-1], one, opened, figures / _file_name(one, found))
            screen.result(*map(str, written))
    if json:
        content = {"data": opened.path, "content": opened.content_hash, "models": [one.to_json() for one in measured]}
        write_whole(json, (json_text.dumps(content, indent=1) + "\n").encode())
        screen.result(str(json))


def _keep_wordings(screen: Screen, out: Path, spec: str, found: Sequence[Embeddings], data: Data, device: str | None) -> None:
    from eval_harness.analysis.text_encoders import is_of, keep_wordings
    from eval_harness.models import Place, find
    from eval_harness.quiet import quiet_libraries

    quiet_libraries()
    with screen.progress(f"loading {spec}"):
        loaded = find(spec, data, Place(device=device, store=out / "descriptions")).load()
    own = [one for one in found if is_of(one, loaded)]
    if not own:
        meta = loaded.mteb_model_meta
        raise EvaluationError(
            f"--load {spec}: {out} has no embeddings of {meta.name} ({meta.revision}); run it first, on the same data"
        )
    with screen.progress("wordings") as report:
        keep_wordings(out, own[0], data, loaded, progress=report)


def write_figures(measured: Geometry, embeddings: Embeddings, data: Data, stem: Path) -> list[Path]:
    """All figures of one model; their names begin with that of `stem`. Returns their paths."""
    from eval_harness.analysis import geometry_figures as drawing
    from eval_harness.analysis.plane import plane

    made = {"similarity": drawing.similarity_figure(measured), "probes": drawing.probe_figure(measured)}
    if measured.sensitivities:
        made["wording"] = drawing.sensitivity_figure(measured)
    made["space"] = drawing.plane_figure(plane(embeddings, data.folder, measured.tasks))
    return [path for name, figure in made.items() for path in drawing.save(figure, stem.parent, f"{stem.name}-{name}")]


def _file_name(one: Embeddings, found: Sequence[Embeddings]) -> str:
    """The model's name; with the revision where there are several of it."""
    name = one.model.replace("/", "__")
    same = sum(other.model == one.model for other in found)
    return name if same == 1 else f"{name}-{one.revision[:8]}"


# --- tables -----------------------------------------------------------------------------------------------------------


def show(screen: Screen, measured: Geometry) -> None:
    """Prints the tables of one model."""
    screen.result(f"{measured.model} ({measured.revision})")
    for table in (separation_table(measured), sensitivity_table(measured), spread_table(measured), probe_table(measured)):
        if table.row_count:
            screen.view("")
            screen.view(table)


def separation_table(measured: Geometry) -> Table:
    """How far relevant clips are from each foil kind."""
    table = _table("task", "clips", "cosine", "d′ [95 %]", "d′ within queries")
    table.title = "similarity of queries and clips; d′ of relevant clips from the foils"
    for one in measured.separations:
        table.add_row(one.task, "relevant", f"{one.relevant.mean:.3f}", "", "")
        for kind in one.kinds:
            table.add_row("", kind.kind, f"{kind.similarity.mean:.3f}", _span(kind.d_prime), _span(kind.d_prime_within))
    return table


def sensitivity_table(measured: Geometry) -> Table:
    """Paraphrases against contrasts, for each task and form."""
    table = _table("queries", "against", "same", "other", "hard [95 %]", "fair [95 %]")
    table.title = (
        "texts: cosine of the same meaning in other words, of another in the same words; share of paraphrases that are nearer "
        "than the other meaning in the query's pattern (hard), in the paraphrase's (fair; chance 0.5)"
    )
    for one in measured.sensitivities:
        cosines = (f"{one.paraphrase.value:.3f}", f"{one.same_words.value:.3f}")
        table.add_row(f"  {one.form}" if one.form else one.task, one.contrast, *cosines, _span(one.hard), _span(one.fair))
    return table


def spread_table(measured: Geometry) -> Table:
    """Alignment, uniformity, and the gap."""
    table = _table("task", "alignment", "texts", "clips", "gap")
    table.title = "alignment of relevant pairs, uniformity of texts and of clips (lower is better), gap of the means"
    for one in measured.spreads:
        values = (_span(one.alignment), _span(one.uniformity_texts), _span(one.uniformity_clips), f"{one.gap:.3f}")
        table.add_row(one.task, *values)
    return table


def probe_table(measured: Geometry) -> Table:
    """What can be read linearly."""
    table = _table("read", "from", "sets", "AUC [95 %]", "by chance", "p")
    table.title = "what a linear function reads from clips, inside sets; p after Holm over these lines"
    for one in measured.probes:
        chance = f"[{one.chance.low:.2f}, {one.chance.high:.2f}]"
        table.add_row(one.name, one.kind, str(one.sets), _span(one.auc), chance, f"{one.p_holm:.3f}")
    return table


def _span(one: Interval) -> str:
    if one.low != one.low:  # NaN: too few sets
        return f"{one.value:.2f}"
    return f"{one.value:.2f} [{one.low:.2f}, {one.high:.2f}]"


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False, title_justify="left", title_style="italic")
    for name in names:
        left = name in ("task", "clips", "queries", "against", "read", "from") and not (name == "clips" and "texts" in names)
        table.add_column(name, justify="left" if left else "right", no_wrap=True)
    return table
