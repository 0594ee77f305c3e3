"""`reasonaudio sounds`: where sounds may come from, what a source holds, what is wrong with it, and a page to listen to it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from builders.errors import ReasonAudioError
from eval_harness import steps
from eval_harness.options import (
    AllRejected,
    ExcludeFile,
    Licenses,
    MaxRecordings,
    OntologyFile,
    Processes,
    Quiet,
    SourceOption,
    Split,
)
from eval_harness.ui import Screen, UsageError, plain_errors

if TYPE_CHECKING:
    from builders.sounds.library import SoundLibrary

app = typer.Typer(
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Look at sources of sounds: what they hold, what cannot be used, how labels are said; and listen to them.",
    epilog="To begin: reasonaudio sounds list",
)
_plain_errors = partial(plain_errors, group="sounds")

SourceArgument = Annotated[
    str, typer.Argument(metavar="SOURCE", help="builtin, folder:PATH, ... (reasonaudio sounds list shows all).")
]


@app.command("list")
@_plain_errors
def list_(
    source: Annotated[str | None, typer.Argument(metavar="[SOURCE]", help="Whose labels; without it, all sources.")] = None,
    source_option: SourceOption = None,
    ontology: OntologyFile = None,
    licenses: Licenses = "",
    split: Split = "",
) -> None:
    """List the kinds of sources and their options; or the labels of a source, without reading its audio."""
    from eval_harness import sounds_view as views

    screen = Screen()
    if source is None:
        from builders.sounds.sources import KINDS

        screen.view(views.kinds_table(KINDS))
        screen.note("\nreasonaudio sounds list SOURCE   lists a source's labels")
        return
    asked = steps.SoundsAsked(source, tuple(source_option or ()), ontology, licenses, split)
    found, _ = steps.open_selected(asked, screen)
    screen.view(views.labels_table(found))
    screen.result(views.source_line(found))
    for note in found.notes:
        screen.note(f"note: {note}")
    if found.rejected:
        screen.note(f"{views.counted(len(found.rejected), 'recording')} left out; `reasonaudio sounds check` says why")


@app.command()
@_plain_errors
def check(
    source: SourceArgument,
    source_option: SourceOption = None,
    ontology: OntologyFile = None,
    licenses: Licenses = "",
    split: Split = "",
    max_recordings: MaxRecordings = None,
    exclude: ExcludeFile = None,
    tagger: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Also listen for other labels in each recording, with YAMNet's .tflite file."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write what the tagger hears to this CSV, for `build --overheard`.")
    ] = None,
    num_proc: Processes = None,
    list_rejected: AllRejected = False,
    quiet: Quiet = False,
) -> None:
    """Read every recording: what cannot be used and why, sounds with few recordings, and what is heard besides.

    Exits with 1 only where nothing can be used.
    """
    from builders import recipe as recipes
    from builders.files import check_target
    from eval_harness import sounds_view as views
    from eval_harness.summary import library_line, rejections

    screen = Screen(quiet)
    processes = steps.processes(num_proc)
    if tagger is None and out is not None:
        raise UsageError("--out keeps what a tagger hears; give --tagger PATH as well")
    if out:
        check_target(out)
    asked = steps.SoundsAsked(source, tuple(source_option or ()), ontology, licenses, split, max_recordings, exclude=exclude)
    listener = steps.Listener.open(tagger, ontology) if tagger else None
    recipe = recipes.preset("full")
    library = steps.usable_sounds(screen, recipe, asked, False, processes)
    screen.result(library_line(library))
    for note in library.notes:
        screen.note(f"note: {note}")
    if library.rejected:
        screen.view("")
        screen.view(rejections(library.rejected, True) if list_rejected else views.reasons_table(library.rejected))
    if not library.recordings:
        raise ReasonAudioError(f"{library.name}: none of its recordings can be used")
    screen.view("")
    for line in views.few_recordings(library):
        screen.result(line)
    screen.result(steps.enough(library))
    if listener:
        _listen(screen, listener, library, processes, out)


def _listen(screen: Screen, listener: steps.Listener, library: SoundLibrary, processes: int, out: Path | None) -> None:
    from eval_harness import sounds_view as views

    deaf = listener.cannot_hear(library)
    with screen.progress("listening") as report:
        found = listener.overheard(library, processes, report)
    recordings = len({one.recording for one in found})
    if deaf:
        some = ", ".join(deaf[:12]) + (f" and {len(deaf) - 12} more" if len(deaf) > 12 else "")
        screen.note(f"note: the tagger has no class for {views.counted(len(deaf), 'label')}, and cannot listen for: {some}")
    if out:
        from builders.sounds.overheard import write_overheard

        write_overheard(out, found)
    elif found:
        screen.view("")
        screen.result(*views.overheard_lines(found))
    screen.result(f"another label is heard in {recordings} of {len(library.recordings)} recordings, {len(found)} times in all")
    if out:
        screen.result(str(out))
        screen.note(
            f"reasonaudio build OUT ... --overheard {steps.quoted(out)}   keeps those out of sets that name what is heard"
        )
    elif found:
        screen.note("--out FILE.csv keeps them all, for `reasonaudio build --overheard FILE.csv`")


@app.command()
@_plain_errors
def describe(
    source: SourceArgument,
    labels: Annotated[list[str] | None, typer.Argument(metavar="[LABEL...]", help="Labels; without any, all in short.")] = None,
    source_option: SourceOption = None,
    ontology: OntologyFile = None,
    licenses: Licenses = "",
    split: Split = "",
) -> None:
    """Describe labels: how sentences say them, whether they are sustained, their class, recordings and relatives."""
    from builders.sounds.ontology import find_ontology
    from eval_harness import sounds_view as views
    from eval_harness.sentences import examples, find_sound

    screen = Screen()
    asked = steps.SoundsAsked(source, tuple(source_option or ()), ontology, licenses, split)
    found, _ = steps.open_selected(asked, screen)
    tree = find_ontology(ontology)
    if not labels:
        screen.view(views.briefly(found, tree))
        screen.note("\nreasonaudio sounds describe SOURCE LABEL   says more of one")
        return
    for number, sound in enumerate([find_sound(found, label) for label in labels]):
        if number:
            screen.view("")
        screen.view(views.SoundView(found, sound, tree, examples(found, sound)))


@app.command()
@_plain_errors
def page(
    out: Annotated[Path, typer.Argument(metavar="OUT.html", help="The file to write.")],
    sounds: Annotated[
        list[str] | None,
        typer.Option(metavar="SPEC", help="A source, as `build` takes it; may be repeated.", show_default="builtin"),
    ] = None,
    source_option: SourceOption = None,
    ontology: OntologyFile = None,
    licenses: Licenses = "",
    split: Split = "",
    max_recordings: MaxRecordings = None,
    num_proc: Processes = None,
    list_rejected: AllRejected = False,
    quiet: Quiet = False,
) -> None:
    """Write one HTML file to listen to every recording, with its spectrogram; it needs nothing else and no network.

    With several sources, each takes those of the source options that its kind has.
    """
    from builders import recipe as recipes
    from builders.files import check_target
    from builders.sounds.ontology import find_ontology
    from builders.sounds.page import make_page
    from eval_harness.summary import megabytes

    screen = Screen(quiet)
    processes = steps.processes(num_proc)
    check_target(out)
    tree = find_ontology(ontology)
    libraries = []
    for spec, options in steps.options_by_source(sounds or ["builtin"], source_option or []):
        asked = steps.SoundsAsked(spec, options, ontology, licenses, split, max_recordings)
        libraries.append(steps.prepare_library(screen, recipes.preset("full"), asked, False, processes, list_rejected))
    with screen.progress("writing the page") as report:
        size = make_page(out, libraries, tree, num_proc=processes, progress=report)
    screen.result(str(out))
    screen.note(f"{megabytes(size)}; open it in a browser: space plays, arrows go on")
