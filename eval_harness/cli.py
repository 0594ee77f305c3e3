"""The `reasonaudio` command. Thin: parse, call, print. Everything heavy is imported where it is used."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from builders.errors import ReasonAudioError
from eval_harness import (
    audit_cli,
    card_cli,
    compare_cli,
    describe_cli,
    doctor_cli,
    geometry_cli,
    listen_results_cli,
    push_cli,
    release_cli,
    report_cli,
    run_cli,
    score_cli,
    sounds_cli,
    steps,
    submit_cli,
    train_cli,
    upstream_cli,
)
from eval_harness.options import (
    AllRejected,
    ExcludeFile,
    Licenses,
    MaxRecordings,
    OntologyFile,
    OverheardFile,
    Processes,
    Quiet,
    Sounds,
    SourceOption,
    Split,
)
from eval_harness.ui import Screen, UsageError, plain_errors, stop_cleanly
from eval_harness.usage import OneLineGroup

app = typer.Typer(
    cls=OneLineGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="ReasonAudio: a text-audio retrieval benchmark that tests reasoning. Built from any library of sounds, offline.",
    epilog="To begin: reasonaudio build demo/reasonaudio --preset smoke",
)

_MAKE, _LOOK, _USE, _EVALUATE = "Make", "Look", "Use", "Evaluate"


class Preset(StrEnum):
    """How large a corpus: the names in `builders.recipe.PRESETS`."""

    smoke = "smoke"
    mini = "mini"
    full = "full"


class Control(StrEnum):
    """What a recipe's `control` may be."""

    none = "none"
    equal_energy = "equal-energy"
    equal_spectrum = "equal-spectrum"


Folder = Annotated[Path, typer.Argument(metavar="OUT", help="A dataset folder.")]
PresetOption = Annotated[
    Preset, typer.Option(help="smoke: one set of every form; mini: 20 queries a task; full: 200 queries a task.")
]
Seed = Annotated[int | None, typer.Option(metavar="N", help="Another seed is another corpus.")]
Queries = Annotated[int | None, typer.Option("--queries-per-task", metavar="N", help="An even number.")]
Rate = Annotated[int | None, typer.Option("--sample-rate", metavar="HZ", help="Of the clips.", show_default="32000")]
RecipeFile = Annotated[
    Path | None,
    typer.Option(
        "--recipe", metavar="FILE", help="TOML or JSON, or a built folder's recipe.json; over the preset, under the options."
    ),
]
ControlOption = Annotated[
    Control | None,
    typer.Option(
        help="The same queries and timelines, with the clips of each set made alike in level (equal-energy) or in long-term "
        "spectrum (equal-spectrum): to see whether a model's scores rest on such shortcuts.",
        show_default="none",
    ),
]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first unusable recording instead of leaving it out.")]
Dense = Annotated[bool, typer.Option("--allow-dense", help="Accept more than 10 relevant clips a query.")]


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"reasonaudio {version('reasonaudio')}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    pass


@app.command(rich_help_panel=_MAKE)
@plain_errors
def build(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to make; an unfinished one is continued.")],
    preset: PresetOption = Preset.full,
    sounds: Sounds = "builtin",
    source_option: SourceOption = None,
    ontology: OntologyFile = None,
    licenses: Licenses = "",
    split: Split = "",
    max_recordings: MaxRecordings = None,
    overheard: OverheardFile = None,
    exclude: ExcludeFile = None,
    seed: Seed = None,
    queries_per_task: Queries = None,
    sample_rate: Rate = None,
    num_proc: Processes = None,
    recipe: RecipeFile = None,
    control: ControlOption = None,
    strict: Strict = False,
    allow_dense: Dense = False,
    list_rejected: AllRejected = False,
    quiet: Quiet = False,
) -> None:
    """Build a dataset folder: sounds, plan, relevance, clips. Can be interrupted: the same command goes on."""
    from builders import build as building
    from builders.dataset_folder import content_hash
    from builders.output import check_output
    from builders.recipe import NO_CONTROL
    from eval_harness.summary import build_table, corpus_sizes

    screen = Screen(quiet)
    processes = steps.processes(num_proc)
    chosen = steps.recipe(
        preset.value, recipe, seed, queries_per_task, sample_rate, allow_dense, control.value if control else None
    )
    check_output(out, chosen)
    asked = steps.SoundsAsked(sounds, tuple(source_option or ()), ontology, licenses, split, max_recordings, overheard, exclude)
    library = steps.prepare_library(screen, chosen, asked, strict, processes, list_rejected)
    plan, qrels = steps.make_plan(screen, chosen, library)
    passes = 1 if chosen.control == NO_CONTROL else 2  # for a control, every clip is first measured, then written
    with screen.progress("rendering" if passes == 1 else "measuring and rendering") as report:
        counts: dict[str, int] = {}

        def count(what: str, done: int, total: int) -> None:
            counts[what] = done
            report(sum(counts.values()), passes * total)

        built = building.build(plan, library, qrels, out, num_proc=processes, progress=count)
    if built.already_there:
        screen.note(f"{out} was finished before; nothing was to be done")
    elif built.clips_kept:
        screen.note(f"{built.clips_kept} clips were kept of the build that was interrupted")
    screen.view(build_table(plan, qrels, corpus_sizes(out)))
    screen.result(f"content {content_hash(out)}")
    screen.note(steps.next_steps(out))


@app.command(rich_help_panel=_MAKE)
@plain_errors
def plan(
    preset: PresetOption = Preset.full,
    sounds: Sounds = "builtin",
    source_option: SourceOption = None,
    ontology: OntologyFile = None,
    licenses: Licenses = "",
    split: Split = "",
    max_recordings: MaxRecordings = None,
    overheard: OverheardFile = None,
    exclude: ExcludeFile = None,
    seed: Seed = None,
    queries_per_task: Queries = None,
    sample_rate: Rate = None,
    num_proc: Processes = None,
    recipe: RecipeFile = None,
    strict: Strict = False,
    allow_dense: Dense = False,
    list_rejected: AllRejected = False,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the plan to this file.")] = None,
    quiet: Quiet = False,
) -> None:
    """Plan a corpus without its audio, and say what it would hold.

    A recipe file sets any field of the recipe; the README shows one, and builders/recipe.py says what each field means.
    """
    import time

    from builders.files import check_target
    from builders.plan_json import save
    from eval_harness.summary import examples, plan_table

    screen = Screen(quiet)
    start = time.monotonic()
    processes = steps.processes(num_proc)
    chosen = steps.recipe(preset.value, recipe, seed, queries_per_task, sample_rate, allow_dense)
    if json:
        check_target(json)
    asked = steps.SoundsAsked(sounds, tuple(source_option or ()), ontology, licenses, split, max_recordings, overheard, exclude)
    library = steps.prepare_library(screen, chosen, asked, strict, processes, list_rejected)
    made, qrels = steps.make_plan(screen, chosen, library)
    seconds = time.monotonic() - start
    screen.view(plan_table(made, qrels))
    screen.view("")
    screen.view(examples(made.queries))
    if json:
        save(made, json)
        screen.result(str(json))
    screen.note(f"{seconds:.1f} s")


@app.command(rich_help_panel=_MAKE)
@plain_errors
def check(
    out: Folder,
    deep: Annotated[bool, typer.Option("--deep", help="Measure the events in the audio, and look for shortcuts.")] = False,
    audit: Annotated[bool, typer.Option(help="With --deep: look for shortcuts, as `reasonaudio audit` does.")] = True,
    num_proc: Processes = None,
    quiet: Quiet = False,
) -> None:
    """Check a dataset folder. Prints what is wrong and exits with 1, or says what was checked."""
    from builders.check import check as find_problems

    screen = Screen(quiet)
    processes = steps.processes(num_proc)
    with screen.progress("checking") as report:
        problems = find_problems(out, deep=deep, num_proc=processes, progress=report)
    for problem in problems:
        screen.result(f"{problem.where}: {problem.what}")
    if problems:
        raise ReasonAudioError(f"{out}: {len(problems)} {'problem' if len(problems) == 1 else 'problems'} found")
    audited = audit_cli.audit_for_check(screen, out, processes) if deep and audit else ""
    folder = steps.open_folder(out)
    screen.result(
        f"{out} is sound: {len(folder.queries)} queries, {len(folder.clips)} clips; checksums, sets, texts, relevance, timelines"
        + (" and the events in the audio" if deep else " (--deep also measures the events in the audio)")
    )
    if audited:
        screen.result(f"audit: {audited}")


@app.command(rich_help_panel=_LOOK)
@plain_errors
def show(
    out: Folder,
    query_id: Annotated[
        str | None, typer.Argument(metavar="[QUERY_ID]", help="A query; the beginning of its id will do.")
    ] = None,
    task: Annotated[
        str | None, typer.Option(metavar="NAME", help="Only this task's queries (order) or form's (order-1).")
    ] = None,
    number: Annotated[int | None, typer.Option("--list", min=1, metavar="N", help="List this many queries.")] = None,
) -> None:
    """Show a query, its twin and the clips of its set as lanes, with why each is relevant or not; or list queries."""
    from eval_harness import show as views

    screen = Screen()
    if query_id is not None and (number is not None or task is not None):
        raise UsageError("QUERY_ID shows one query, --list and --task list several; give one or the other")
    folder = steps.open_folder(out)
    if query_id is not None:
        query = folder.queries[steps.query_id(folder, query_id)]
        screen.view(
            views.QueryView(query, folder.queries.get(query.twin), folder.clips, folder.recipe.margins_value(), folder.relations)
        )
        return
    queries = [query for query in folder.queries.values() if task in (None, query.task, query.form)]
    if not queries:
        known = sorted({name for query in folder.queries.values() for name in (query.task, query.form)})
        raise ReasonAudioError(f"--task {task!r}: no such task or form; there are {', '.join(known)}")
    if number is None:
        screen.view(views.overview(queries))
        screen.note(f"\nreasonaudio show {steps.quoted(out)} {queries[0].id}   shows one; --task order --list 5 lists more")
    else:
        screen.view(views.listing(queries[:number]))
        if len(queries) > number:
            screen.note(f"{len(queries) - number} more; --list {len(queries)} lists them all")


@app.command(rich_help_panel=_LOOK)
@plain_errors
def explain(
    out: Folder,
    query_id: Annotated[str, typer.Argument(metavar="QUERY_ID", help="A query; the beginning of its id will do.")],
    clip_id: Annotated[str, typer.Argument(metavar="CLIP_ID", help="Any clip of the corpus; likewise.")],
) -> None:
    """Explain why any clip is relevant to any query, or not: each part of the formula with the numbers behind it."""
    from eval_harness.show import PairView

    folder = steps.open_folder(out)
    query, clip = steps.query_id(folder, query_id), steps.clip_id(folder, clip_id)
    listed = clip in folder.qrels().get(query, ())
    Screen().view(PairView(folder.queries[query], folder.clips[clip], listed, folder.recipe.margins_value(), folder.relations))


@app.command("export-wav", rich_help_panel=_LOOK)
@plain_errors
def export_wav(
    out: Folder,
    clip_ids: Annotated[list[str], typer.Argument(metavar="CLIP_ID...", help="Clips; the beginning of an id will do.")],
    to: Annotated[Path, typer.Option(metavar="FOLDER", help="Where to write; made where it is missing.")] = Path(),
) -> None:
    """Write clips as 16-bit WAV files and print their paths."""
    from builders.files import check_target, make_folder, write_whole
    from builders.shards import encode_wav

    screen = Screen()
    folder = steps.open_folder(out)
    found = dict.fromkeys(steps.clip_id(folder, clip_id) for clip_id in clip_ids)  # each once
    make_folder(to)
    for clip in found:
        check_target(to / f"{clip}.wav")
    for clip in found:
        samples, rate = folder.audio(clip)
        write_whole(to / f"{clip}.wav", encode_wav(samples, rate))
        screen.result(str(to / f"{clip}.wav"))


@app.command(rich_help_panel=_USE)
@plain_errors
def install(
    out: Folder,
    everything: Annotated[bool, typer.Option("--all", help="Also the configs that hold the same audio again.")] = False,
    quiet: Quiet = False,
) -> None:
    """Make load_dataset("reasonaudio") open this folder's dataset from anywhere, offline."""
    from datasets import disable_progress_bars

    import reasonaudio_dataset
    from eval_harness.summary import megabytes

    screen = Screen(quiet)
    disable_progress_bars()  # one for every split of every config; ours counts the configs
    with screen.progress("checksums, MB") as report:
        reasonaudio_dataset.verify(out, report)
    needed = reasonaudio_dataset.install_bytes(out, everything=everything)
    screen.note(f"{megabytes(needed)} to be written into the cache of `datasets`" if needed else "all of it is there already")
    with screen.progress("installing") as report:
        done = reasonaudio_dataset.install(
            out, everything=everything, progress=lambda what, done, total: report(done, total), verified=True
        )
    screen.note(f"{len(done.configs)} configs now lie in {done.cache}")
    if done.replaced:
        screen.note("they replace those of the dataset that was installed before")
    screen.result('load_dataset("reasonaudio") now opens it from any folder, offline')
    screen.note(
        "but where a folder named reasonaudio lies (such as a clone of the repository), that one is opened: run elsewhere"
    )
    screen.note("without network, set HF_HUB_OFFLINE=1: else datasets tries to reach its hub first")


app.command(rich_help_panel=_MAKE)(audit_cli.audit)
app.command(rich_help_panel=_MAKE)(card_cli.card)
app.command(rich_help_panel=_MAKE)(push_cli.push)
app.command(rich_help_panel=_MAKE)(release_cli.release)
app.command(rich_help_panel=_MAKE)(upstream_cli.upstream)
app.command(rich_help_panel=_EVALUATE, cls=run_cli.SeveralCommand)(run_cli.run)
app.command(rich_help_panel=_EVALUATE)(score_cli.score)
app.command(rich_help_panel=_EVALUATE)(compare_cli.compare)
app.command(rich_help_panel=_EVALUATE)(report_cli.report)
app.command(rich_help_panel=_EVALUATE)(geometry_cli.geometry)
app.command("listen-results", rich_help_panel=_EVALUATE)(listen_results_cli.listen_results)
app.command(rich_help_panel=_EVALUATE)(describe_cli.describe)
app.command(rich_help_panel=_EVALUATE, cls=run_cli.SeveralCommand)(submit_cli.submit)
app.command("train-baseline", rich_help_panel=_EVALUATE)(train_cli.train_baseline)
app.command(rich_help_panel=_EVALUATE)(doctor_cli.doctor)
app.command(rich_help_panel=_EVALUATE, context_settings=run_cli.PASS_ON)(run_cli.mteb)
app.add_typer(sounds_cli.app, name="sounds", rich_help_panel=_LOOK)


def main() -> None:
    """Entry point of the console script."""
    stop_cleanly()
    app()


if __name__ == "__main__":
    main()
