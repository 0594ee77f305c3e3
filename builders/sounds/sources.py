"""The sources of sounds by name, as a user writes them: "builtin", "folder:my_sounds", "fsd50k:/data/FSD50K"."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from builders.errors import SoundLibraryError
from builders.sounds.library import Source
from builders.sounds.ontology import Ontology, find_ontology

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can be said about how a source is read (`--source-option NAME=VALUE`).

    Attributes:
        default: what holds where it is not given.
        help: one line.
        choices: the values it may have; empty where any text will do.
    """

    name: str
    default: str
    help: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """What a source is opened with.

    Attributes:
        argument: what stands behind the colon ("my_sounds"), never empty where the kind takes one.
        options: a value for each of the kind's options.
        ontology: AudioSet's, where the user has it.
        given: the options that the user named; the others have their default.
        progress: called with (done, total) where files are looked into.
    """

    argument: str
    options: Mapping[str, str] = field(default_factory=dict)
    ontology: Ontology | None = None
    given: frozenset[str] = frozenset()
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of source. `open` is a function of its module, which is imported only where it is used."""

    written: str
    what: str
    open: Callable[[Asked], Source]
    options: tuple[Option, ...] = ()

    @property
    def takes_argument(self) -> bool:
        return ":" in self.written


def _builtin(asked: Asked) -> Source:
    made: Source = import_module("builders.sounds.builtin").source()
    return made


def _folder(asked: Asked) -> Source:
    made: Source = import_module("builders.sounds.folder").source(asked.argument, asked.ontology, asked.progress)
    return made


def _fsd50k(asked: Asked) -> Source:
    made: Source = import_module("builders.sounds.fsd50k").source(asked)
    return made


def _esc50(asked: Asked) -> Source:
    made: Source = import_module("builders.sounds.esc50").source(asked)
    return made


def _hub(asked: Asked) -> Source:
    made: Source = import_module("builders.sounds.hub").source(asked)
    return made


_HUB_OPTIONS = (
    Option("audio", "", "the column with the audio; else the only one of type Audio"),
    Option("label", "", "the column with the label; else the only ClassLabel, a column of texts named label, category, ..."),
    Option("split", "", "one split of the dataset, by its name; else all of them"),
    Option(
        "license",
        "",
        "the column with the licence, or the licence of rows that state none; else a column named so, or the card's",
    ),
    Option("uploader", "", "the column with who recorded or published it; else one named uploader, username or user"),
    Option("original", "", "the column with what it was cut from; else one named original, src_file or freesound_id"),
    Option("revision", "", "a branch, tag or commit of a dataset on the Hub"),
)

_FSD50K_OPTIONS = (
    Option("part", "both", "which clips: dev, eval, or both of them, as far as they are there", ("both", "dev", "eval")),
    Option(
        "labels",
        "leaf",
        "leaf: only clips with one label, of which there are no kinds; single: with one label; any: the first of several",
        ("leaf", "single", "any"),
    ),
    Option(
        "votes",
        "predominant",
        "predominant: only clips of which everyone who listened said that the label is the main sound; any: all",
        ("predominant", "any"),
    ),
    Option("metadata", "", "the folder of the labels and metadata, where they are not beside the audio"),
)

KINDS: dict[str, Kind] = {
    "builtin": Kind("builtin", "made by synthesis, with no file at hand", _builtin),
    "folder": Kind("folder:PATH", "one folder of audio files for each label, or a manifest (CSV, TSV)", _folder),
    "fsd50k": Kind(
        "fsd50k:PATH",
        "FSD50K as it is published or mirrored: 51,197 clips from Freesound",
        _fsd50k,
        _FSD50K_OPTIONS,
    ),
    "esc50": Kind(
        "esc50:PATH",
        "ESC-50 as it is published: 2,000 clips of 5 s",
        _esc50,
        (Option("esc10", "no", "yes: only ESC-10, the part under CC BY", ("no", "yes")),),
    ),
    "hub": Kind("hub:ID_OR_PATH[:CONFIG]", "a dataset of the Hugging Face Hub, or a folder in its layouts", _hub, _HUB_OPTIONS),
}
"""Every kind of source by its name."""


def open_source(
    spec: str,
    options: Mapping[str, str] = {},
    *,
    ontology: Path | str | None = None,
    progress: Progress | None = None,
) -> Source:
    """The source that `spec` names: "builtin", "folder:PATH", and so on (`KINDS`).

    Args:
        spec: the kind and, behind a colon, what it takes.
        options: by name; those of the kind.
        ontology: the file of AudioSet's ontology; else the one that `REASONAUDIO_ONTOLOGY` names is used, if any.
        progress: called with (files looked into, files in all), where the source lies in files.

    Raises:
        SoundLibraryError: the kind or an option is unknown (the known ones are listed), or the source cannot be read.
    """
    name, _, argument = spec.strip().partition(":")
    argument = argument.strip()
    kind = KINDS.get(name)
    if kind is None:
        raise SoundLibraryError(_unknown(spec, name, argument))
    if argument and not kind.takes_argument:
        raise SoundLibraryError(f"source {spec!r}: {name} takes no path; write {kind.written!r}")
    if not argument and kind.takes_argument:
        raise SoundLibraryError(f"source {spec!r}: what it is to read is missing; write {kind.written!r}")
    complete = _complete(name, kind, options)
    return kind.open(Asked(argument, complete, find_ontology(ontology), frozenset(options), progress))


def _complete(name: str, kind: Kind, given: Mapping[str, str]) -> dict[str, str]:
    """A value for every option of the kind."""
    known = {option.name: option for option in kind.options}
    for key, value in given.items():
        if key not in known:
            there = ", ".join(known) or "it has none"
            raise SoundLibraryError(f"source option {key!r}: {name} has no such option; its options are: {there}")
        choices = known[key].choices
        if choices and value not in choices:
            raise SoundLibraryError(f"source option {key}: {value!r} is none of {', '.join(choices)}")
    return {key: given.get(key, option.default) for key, option in known.items()}


def _unknown(spec: str, kind: str, argument: str) -> str:
    close = difflib.get_close_matches(kind.lower(), list(KINDS), n=1, cutoff=0.5)
    if close:
        hint = f"; did you mean {close[0] + (':' + argument if argument else '')!r}?"
    elif Path(spec).expanduser().exists():
        hint = f"; did you mean {'folder:' + spec!r}?"
    else:
        hint = ""
    return f"source {spec!r}: unknown kind {kind!r}; the sources are {', '.join(kind.written for kind in KINDS.values())}{hint}"
