"""`reasonaudio run`: models on the tasks; and `reasonaudio mteb`: mteb's own command, with the tasks known to it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from builders.errors import EvaluationError, ReasonAudioError
from eval_harness.options import OntologyFile, Quiet
from eval_harness.ui import Screen, UsageError, bad_input_is_2

Dataset = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER",
        envvar="REASONAUDIO_DATA",
        help="The dataset to search: a folder, ORG/NAME[@REVISION], or official:FOLDER.",
    ),
]
TaggerFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", envvar="REASONAUDIO_TAGGER", help="YAMNet's .tflite file, for the pipelines that tag."),
]


class SeveralCommand(TyperCommand):
    """A command whose options -m and -t take several values: `-m A B` is `-m A -m B`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses the arguments, repeating the option before each of its values."""
        expanded: list[str] = []
        option = ""
        for arg in args:
            if arg.startswith("-"):
                option = arg if arg in ("-m", "--model", "-t", "--task", "--tasks") else ""
                expanded += [] if option else [arg]
            elif option:
                expanded += [option, arg]
            else:
                expanded.append(arg)
        return super().parse_args(ctx, expanded)


@bad_input_is_2
def run(
    model: Annotated[
        list[str],
        typer.Option("--model", "-m", metavar="MODEL...", help="mteb's name, a folder, a system, a pipeline, a judge, people."),
    ],
    task: Annotated[
        list[str] | None,
        typer.Option(
            "--task",
            "--tasks",
            "-t",
            metavar="TASK...",
            help="ReasonAudio-Order, or order; ReasonAudioText.",
            show_default="all five",
        ),
    ] = None,
    data: Dataset = None,
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where results go; one dataset, many models.")] = Path("results"),
    scope: Annotated[
        str | None,
        typer.Option(
            metavar="task|all|set",
            help="Search the task's clips, the whole corpus, or (in text) the query's set.",
            show_default="task; set for judges",
        ),
    ] = None,
    device: Annotated[str | None, typer.Option(metavar="NAME", help="cpu, cuda, cuda:1, ...", show_default="the model's")] = None,
    batch_size: Annotated[int, typer.Option(metavar="N", help="Clips at a time.")] = 32,
    num_workers: Annotated[int, typer.Option(metavar="N", help="Threads that decode beside the model.")] = 1,
    dtype: Annotated[
        str | None, typer.Option(metavar="NAME", help="float32, float16 or bfloat16, where the model's loader takes one.")
    ] = None,
    tagger: TaggerFile = None,
    ontology: OntologyFile = None,
    quiet: Quiet = False,
) -> None:
    """Run models on the tasks. Can be interrupted: the same command goes on.

    Systems: reasonaudio/random, reasonaudio/bag-of-sounds, reasonaudio/relation-blind, reasonaudio/oracle.

    Pipelines, DESCRIBER+SECOND: yamnet, perfect or a captions file, then minilm, any sentence-transformers model, or logic.

    Probes in text: -t ReasonAudioText[-TASK][-STYLE], styles sentence, events, story; for text models (minilm too) and judges,
    judge:FOLDER or judge:ORG/NAME, which are causal language models asked for yes or no.

    People: human:FILE[,FILE...], answers of `reasonaudio listen`, on the queries and clips that they were asked.
    """
    from eval_harness import running
    from eval_harness.data import open_data
    from eval_harness.embedding import EmbedSettings
    from eval_harness.published import published
    from eval_harness.quiet import quiet_libraries
    from eval_harness.score_cli import Scored, headline_table, probe_table
    from eval_harness.wanted import wanted

    screen = Screen(quiet)
    settings = running.RunSettings(scope, device, dtype, EmbedSettings(batch_size, num_workers), tagger, ontology)
    released = published()
    if data is None and released:
        screen.note(f"on the released dataset, {released.name}")
        data = released.name
    if data is None:
        raise UsageError("--data: name a dataset folder, or ORG/NAME on the Hub; or set REASONAUDIO_DATA")
    opened = open_data(data, shown=screen.progress)
    for text in opened.notes:
        screen.note(text)
    wanted(task, opened)
    quiet_libraries()
    failed: list[str] = []
    for name in model:
        try:
            done = running.run(
                name, task, data=opened, out=out, settings=settings, shown=screen.progress, note=lambda text: screen.note(text)
            )
        except Exception as error:  # also what a model's own code raises: the others are still run
            if len(model) == 1:
                raise
            kind = "" if isinstance(error, ReasonAudioError) else f"{type(error).__name__}: "
            failed.append(f"{name}: {kind}{str(error).partition(chr(10))[0]}")
            screen.note(failed[-1])
            continue
        screen.result(f"{done.model} ({done.revision}), scope {done.scope}")
        if done.tasks:
            screen.view(headline_table(Scored(done.model, done.revision, done.scope, (), done.tasks)))
            screen.view("")
        if done.probes:
            screen.view(probe_table(done.probes))
            screen.view("")
        screen.note(f"results in {done.results}, rankings in {done.rankings}")
    if failed:
        raise EvaluationError(f"{len(failed)} of {len(model)} models failed; {'; '.join(failed)}")


PASS_ON = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}


@bad_input_is_2
def mteb(
    context: typer.Context,
    data: Dataset = None,
) -> None:
    """Run mteb's own command with ReasonAudio's tasks: reasonaudio mteb run -m MODEL -t ReasonAudio-Order --data FOLDER."""
    from eval_harness import registry

    args = list(context.args)
    if {"-h", "--help"} & set(args) or not args:
        typer.echo(
            "mteb's own command, with the tasks of ReasonAudio and the benchmark ReasonAudio known to it, and --data FOLDER\n"
            "for the dataset (or REASONAUDIO_DATA). `reasonaudio run` runs the same tasks, and also: embeds each clip once for\n"
            "both scopes, goes on after an interruption, decodes beside the model, refuses NaN and constant embeddings and\n"
            "damaged data, keeps every ranking, and runs folders, systems and pipelines.\n"
        )
    elif data is not None:
        registry.use_data(data)
    import mteb.cli

    sys.argv = ["reasonaudio mteb", *args]
    try:
        mteb.cli.main()
    except KeyError as error:  # mteb's way to say that it knows no such task or model
        raise EvaluationError(str(error.args[0] if error.args else error).removeprefix("KeyError: ")) from None
