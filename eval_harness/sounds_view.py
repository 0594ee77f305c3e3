"""What `reasonaudio sounds` prints: sources, labels, what was left out, and what is overheard."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType
from rich.table import Table
from rich.text import Text

from builders.sounds.library import AtomicSound, Rejection, SoundLibrary, Source
from builders.sounds.licenses import understand
from builders.sounds.ontology import Ontology
from builders.sounds.overheard import Overheard
from builders.sounds.scan import total_s, unreadable
from builders.sounds.sources import Kind

SHOWN_OVERHEARD = 20
FEW_RECORDINGS = 3
"""With fewer, a sound stands in many clips as the same recording."""
_HOURS_FROM_S = 3 * 3600  # shorter is said in minutes


def kinds_table(kinds: Mapping[str, Kind]) -> Table:
    """How each kind of source is written, with its options and what they do."""
    table = _table("source", "what it is")
    for kind in kinds.values():
        table.add_row(Text(kind.written, style="bold"), kind.what)
        for option in kind.options:
            values = "|".join(option.choices) or "VALUE"
            default = f" (default: {option.default})" if option.default else ""
            table.add_row(f"  -o {option.name}={values}", f"{option.help}{default}")
    return table


def labels_table(source: Source) -> Table:
    """One line for each label of a source, as far as that is known without reading audio."""
    counts = Counter(candidate.label for candidate in source.candidates)
    table = _table("label", "recordings", "sustained", "noun")
    for sound in source.sounds:
        table.add_row(sound.label, str(counts[sound.label]), _yes(sound.sustained), sound.noun)
    return table


def source_line(source: Source) -> str:
    """One line on what a source offers."""
    counts = Counter(candidate.label for candidate in source.candidates)
    sounds = [sound for sound in source.sounds if counts[sound.label]]
    sustained = sum(sound.sustained for sound in sounds)
    line = f"{source.name}: {counted(len(sounds), 'sound')} ({sustained} sustained), {counted(counts.total(), 'recording')}"
    broken = sum(bool(unreadable(candidate)) for candidate in source.candidates)
    seconds = total_s(source.candidates)
    if broken:
        line += f" ({broken} cannot be read)"
    if seconds is None:
        return line
    return line + (f", {seconds / 60:.1f} minutes" if seconds < _HOURS_FROM_S else f", {seconds / 3600:.1f} hours")


def reasons_table(rejected: Sequence[Rejection]) -> Table:
    """Why recordings are left out, each reason once, the most frequent first."""
    groups: dict[tuple[str, ...], list[Rejection]] = {}
    for rejection in rejected:
        groups.setdefault(tuple(_VARYING.split(rejection.reason)[::2]), []).append(rejection)
    table = _table("left out", "reason", "for example")
    for _, group in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        first = group[0]
        reason = _in_common([rejection.reason for rejection in group])
        table.add_row(str(len(group)), reason, first.id or f"the sound {first.label!r}")
    return table


_VARYING = re.compile(r"""(\([^()]*\)|'[^']*'|"[^"]*"|-?\d+(?:[.,]\d+)*)""")
"""What may differ from recording to recording where the reason is the same: what stands in brackets or quotes, and numbers."""


def _in_common(reasons: Sequence[str]) -> str:
    """Reasons that differ in such places only, as one: "…" stands where they do."""
    places = zip(*(_VARYING.split(reason) for reason in reasons), strict=True)
    return "".join(parts[0] if len(set(parts)) == 1 else "…" for parts in places)


def few_recordings(library: SoundLibrary) -> list[str]:
    """Lines on the sounds that have few usable recordings."""
    lines = []
    for number in range(1, FEW_RECORDINGS):
        labels = [label for label in library.labels if len(library.recordings_of(label)) == number]
        if labels:
            some = ", ".join(labels[:12]) + (f" and {len(labels) - 12} more" if len(labels) > 12 else "")
            lines.append(f"{counted(len(labels), 'sound')} with {counted(number, 'usable recording')}: {some}")
    return lines


def overheard_lines(found: Sequence[Overheard]) -> list[str]:
    """The first few recordings in which something else is heard, each with all of it."""
    of: dict[str, list[Overheard]] = {}
    for one in found:
        of.setdefault(one.recording, []).append(one)
    lines = [
        f"{recording} ({heard[0].label}): " + "; ".join(f"{one.other} {one.seconds:.2f} s ({one.heard_as})" for one in heard)
        for recording, heard in list(of.items())[:SHOWN_OVERHEARD]
    ]
    return lines + ([f"and {len(of) - SHOWN_OVERHEARD} more recordings"] if len(of) > SHOWN_OVERHEARD else [])


def briefly(source: Source, ontology: Ontology | None) -> Table:
    """One line for each label: how it is said, and how many labels it is related to."""
    near = source.relations.neighbours([sound.label for sound in source.sounds])
    table = _table("label", "noun", "clause", "sustained", "related", "class")
    for sound in source.sounds:
        related = str(len(near[sound.label]) - 1)
        table.add_row(
            sound.label, sound.noun, sound.clause, _yes(sound.sustained), related, class_name(sound.audioset_id, ontology)
        )
    return table


@dataclass(frozen=True, slots=True)
class SoundView:
    """One label in full: how it is said, its class, its recordings, its relatives, and sentences that name it."""

    source: Source
    sound: AtomicSound
    ontology: Ontology | None
    sentences: Sequence[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        relations, label = self.source.relations, self.sound.label
        rows = [
            ("noun", self.sound.noun),
            ("clause", self.sound.clause),
            ("sustained", "yes: may be cut to a length, or looped" if self.sound.sustained else "no"),
            ("class", class_name(self.sound.audioset_id, self.ontology) or "none known"),
            ("recordings", self._recordings()),
            ("is a kind of", _names(relations.ancestors.get(label, ()))),
            ("has kinds", _names(other for other, above in relations.ancestors.items() if label in above)),
            ("confusable", _names(relations.confusable.get(label, ()))),
            *(("sentences" if not number else "", sentence) for number, sentence in enumerate(self.sentences)),
        ]
        yield Text(label, style="bold")
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(min_width=14)
        grid.add_column(overflow="fold")
        for name, value in rows:
            grid.add_row(Text(f"  {name}", style="dim"), Text(value))
        yield grid

    def _recordings(self) -> str:
        own = [candidate for candidate in self.source.candidates if candidate.label == self.sound.label]
        licenses = Counter(understand(candidate.license).name for candidate in own)
        people = len({candidate.uploader for candidate in own if candidate.uploader})
        parts = [str(len(own))]
        parts += [f"by {counted(people, 'uploader')}"] if people else []
        kinds = ", ".join(f"{count} {name}" for name, count in sorted(licenses.items(), key=lambda item: (-item[1], item[0])))
        return " ".join(parts) + (f"; licences: {kinds}" if kinds else "")


def class_name(class_id: str | None, ontology: Ontology | None) -> str:
    """A class of AudioSet as people read it: "Dog (/m/0bt9lr)", without its name where there is no ontology; "" for none."""
    if not class_id:
        return ""
    name = ontology.names.get(class_id) if ontology else None
    return f"{name} ({class_id})" if name else class_id


def counted(number: int, noun: str) -> str:
    """ "1 sound", "2 sounds"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _names(labels: Iterable[str]) -> str:
    return ", ".join(sorted(labels)) or "none here"


def _yes(value: bool) -> str:
    return "yes" if value else ""


_NUMBERS = ("recordings", "left out", "seconds", "related")


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for name in names:
        table.add_column(name, justify="right" if name in _NUMBERS else "left", overflow="fold")
    return table
