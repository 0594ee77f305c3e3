"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_SOUNDS = "Sounds"

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print results and errors only.")]
Processes = Annotated[
    int | None,
    typer.Option("--num-proc", metavar="N", help="Processes to use, at most 4 a core.", show_default="one a core"),
]
Sounds = Annotated[
    str,
    typer.Option(
        metavar="SPEC",
        help="Where the sounds come from: builtin, folder:PATH, fsd50k:PATH, ... (reasonaudio sounds list shows all).",
        rich_help_panel=_SOUNDS,
    ),
]
SourceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--source-option", "-o", metavar="NAME=VALUE", help="How the source is read; may be repeated.", rich_help_panel=_SOUNDS
    ),
]
OntologyFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="AudioSet's ontology.json: which sound is a kind of which.",
        envvar="REASONAUDIO_ONTOLOGY",
        rich_help_panel=_SOUNDS,
    ),
]
Licenses = Annotated[
    str,
    typer.Option(
        metavar="LIST",
        help="Only recordings with these: cc0,cc-by,...; unknown for those without.",
        show_default="any that may be mixed",
        rich_help_panel=_SOUNDS,
    ),
]
Split = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="Only recordings of one side: train, validation or test, which share none.",
        show_default="all",
        rich_help_panel=_SOUNDS,
    ),
]
MaxRecordings = Annotated[
    int | None,
    typer.Option(metavar="N", help="Recordings of each sound at most.", show_default="20", rich_help_panel=_SOUNDS),
]
OverheardFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="What else is heard in recordings, as `reasonaudio sounds check --tagger` writes it: kept out of sets that name it.",
        rich_help_panel=_SOUNDS,
    ),
]
ExcludeFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Recordings and pairs of labels not to use: a CSV with kind,a,b,note, as `reasonaudio listen-results` writes it.",
        rich_help_panel=_SOUNDS,
    ),
]
AllRejected = Annotated[bool, typer.Option("--list-rejected", help="Print every recording that is left out.")]
Host = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 lets other machines in.", show_default="127.0.0.1"),
]
Port = Annotated[
    int | None,
    typer.Option(min=0, max=65535, metavar="N", help="0 takes any that is free.", show_default="listen 8765, browse 8766"),
]
OpenBrowser = Annotated[bool, typer.Option("--open", help="Open the page in the browser.")]
