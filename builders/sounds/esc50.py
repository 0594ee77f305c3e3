"""ESC-50 (Piczak 2015) as a source of sounds: 50 categories, 2,000 clips of 5 s cut from recordings on Freesound."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from builders.errors import SoundLibraryError
from builders.sounds.assemble import assemble
from builders.sounds.candidates import FileCandidate
from builders.sounds.library import Rejection, Samples, Source
from builders.sounds.manifest import tidy_label
from builders.sounds.scan import looked_into
from builders.sounds.sources import Asked
from builders.sounds.texts import Row, read_table

_NAMES = (
    "airplane breathing brushing_teeth can_opening car_horn cat chainsaw chirping_birds church_bells clapping clock_alarm "
    "clock_tick coughing cow crackling_fire crickets crow crying_baby dog door_wood_creaks door_wood_knock drinking_sipping "
    "engine fireworks footsteps frog glass_breaking hand_saw helicopter hen insects keyboard_typing laughing mouse_click "
    "pig pouring_water rain rooster sea_waves sheep siren sneezing snoring thunderstorm toilet_flush train vacuum_cleaner "
    "washing_machine water_drops wind"
)
CATEGORIES = frozenset(_NAMES.split())
"""What ESC-50 calls its sounds."""

_TABLE = "meta/esc50.csv"
_PADDING = 1e-5
"""Below half a step of 16 bits: what resampling leaves of digital silence."""
_NAMES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class PaddedCandidate(FileCandidate):
    """A recording that was filled up with digital silence."""

    def read(self, sample_rate: int) -> Samples:
        """The recording without the digital silence before and after it; that inside it is a pause like any other."""
        samples = FileCandidate.read(self, sample_rate)
        sounding = np.flatnonzero(np.abs(samples) > _PADDING)
        return samples[sounding[0] : sounding[-1] + 1] if len(sounding) else samples


def source(asked: Asked) -> Source:
    """ESC-50's recordings; `original` is the recording on Freesound that each was cut from.

    Args:
        asked: the folder that holds `meta` and `audio`; the option `esc10`, "yes" for only those under CC BY.

    Raises:
        SoundLibraryError: there is no ESC-50, or its table is wrong; one line that says what, where, and what to do.
    """
    root = Path(asked.argument).expanduser()
    only_esc10 = asked.options.get("esc10", "no") == "yes"
    try:
        rows = read_table(_table(root), ("filename", "category", "esc10", "src_file"), key="filename")
        audio = {entry.name for entry in (root / "audio").iterdir() if not entry.name.startswith(".")}
    except OSError as error:
        raise SoundLibraryError(f"{error.filename or root}: {error.strerror or error}") from None
    candidates: list[FileCandidate] = []
    rejected: list[Rejection] = []
    others = 0
    for row in rows:
        name, category = row["filename"], row["category"]
        esc10 = _is_esc10(row, root)
        if only_esc10 and not esc10:
            others += 1
        elif category not in CATEGORIES:
            reason = f"its category {category!r} is none of ESC-50's (line {row.number} of {_TABLE})"
            rejected.append(Rejection(tidy_label(category), f"audio/{name}", reason))
        elif name not in audio:
            rejected.append(
                Rejection(tidy_label(category), f"audio/{name}", f"there is no such file (line {row.number} of {_TABLE})")
            )
        else:
            candidates.append(_candidate(row, root, esc10))
    if not candidates:
        raise SoundLibraryError(_nothing(root, rows, rejected, others))
    unlisted = sorted(audio - {row["filename"] for row in rows})
    notes = [f"{others} recordings are not part of ESC-10 and are not used"] if others else []
    if unlisted:
        more = ", ..." if len(unlisted) > _NAMES_SHOWN else ""
        shown = ", ".join(unlisted[:_NAMES_SHOWN])
        notes.append(f"{len(unlisted)} file(s) in audio are not in {_TABLE}; they are not used: {shown}{more}")
    made = assemble("esc50", looked_into(candidates, asked.progress), notes=notes, ontology=asked.ontology, rejected=rejected)
    return replace(made, selection={"esc10": "only ESC-10" if only_esc10 else "all of ESC-50"})


def _table(root: Path) -> Path:
    table = root / _TABLE
    if table.is_file() and (root / "audio").is_dir():
        return table
    if not root.is_dir():
        raise SoundLibraryError(f"esc50: {root}: there is no such folder; give the one that holds meta and audio")
    inside = next((path.parent.parent for path in sorted(root.glob(f"*/{_TABLE}"))), None)
    inside = inside or (root.parent if (root.parent / _TABLE).is_file() else None)
    what = f"{_TABLE} is missing" if not table.is_file() else "the folder audio is missing"
    hint = f"give {inside}" if inside else "give the folder of ESC-50 that holds both (github.com/karolpiczak/ESC-50)"
    raise SoundLibraryError(f"esc50: {root}: {what}; {hint}")


def _is_esc10(row: Row, root: Path) -> bool:
    said = row["esc10"].casefold()
    if said not in ("true", "false"):
        raise SoundLibraryError(f"{root / _TABLE}, line {row.number}: esc10 is {row['esc10']!r}, neither True nor False")
    return said == "true"


def _candidate(row: Row, root: Path, esc10: bool) -> PaddedCandidate:
    original = row["src_file"]
    return PaddedCandidate(
        id=f"audio/{row['filename']}",
        label=tidy_label(row["category"]),
        path=root / "audio" / row["filename"],
        license="CC-BY-3.0" if esc10 else "CC-BY-NC-3.0",
        attribution=f"ESC-50 (K. J. Piczak, 2015), from freesound.org/s/{original}",
        source=f"https://freesound.org/s/{original}",
        original=original,
    )


def _nothing(root: Path, rows: list[Row], rejected: list[Rejection], others: int) -> str:
    if not rows:
        return f"{root / _TABLE}: no recordings are listed below the header; take the file as it was published"
    if not rejected:
        return f"esc50: {root}: none of its {others} recordings is part of ESC-10; leave out esc10=yes"
    reason, count = Counter(one.reason.partition(" (line")[0] for one in rejected).most_common(1)[0]
    return f"esc50: {root}: none of its {len(rows)} recordings can be used; of {count}, such as {rejected[0].id}: {reason}"
