"""How much of what is mixed into recordings is overheard, and how often something is heard in recordings as they are.

    python benchmarks/overheard.py --tagger ../shared/models --ontology ../shared/data/audioset_ontology.json \
        --real ../shared/sounds/real [--mixes 150]

Of a folder of real recordings, those labels are used that have ten usable recordings or more. Another label's recording is laid
under one, at 0, -6, -12 and -18 dB of its mean power, over its whole length; it is found if `overheard` lists its label.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from builders.recipe import preset
from builders.sounds.library import Recording, SoundLibrary
from builders.sounds.ontology import Ontology, read_ontology
from builders.sounds.overheard import listened_for, overheard
from builders.sounds.screening import prepare
from builders.sounds.sources import open_source
from builders.sounds.tagger import Tagger

LEVELS_DB = (0, -6, -12, -18)
SHORTEST_MS = 1500


def mixes(library: SoundLibrary, labels: list[str], number: int, level_db: float) -> dict[str, tuple[Recording, str]]:
    """Recording id -> a recording with another one under it, and the other's label."""
    rng = np.random.default_rng([number, int(-level_db)])
    near = library.relations.neighbours(library.labels)
    pool = [recording for label in labels for recording in library.recordings_of(label)]
    long = [recording for recording in pool if recording.duration_ms >= SHORTEST_MS]
    made: dict[str, tuple[Recording, str]] = {}
    while len(made) < number:
        above, below = long[rng.integers(len(long))], pool[rng.integers(len(pool))]
        if below.label in near[above.label]:
            continue
        under = np.resize(below.samples, len(above.samples))
        gain = 10 ** (level_db / 20) * np.sqrt(np.mean(above.samples**2) / max(float(np.mean(under**2)), 1e-12))
        name = f"mix {len(made)}"
        samples = np.clip(above.samples + gain * under, -1, 1).astype(np.float32)
        made[name] = (replace(above, id=name, samples=samples), below.label)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tagger", required=True)
    parser.add_argument("--ontology", required=True)
    parser.add_argument("--real", required=True, help="a folder of real recordings")
    parser.add_argument("--mixes", type=int, default=150, help="at each level")
    parser.add_argument("--num-proc", type=int, default=2)
    options = parser.parse_args()
    ontology: Ontology = read_ontology(options.ontology)
    source = open_source(f"folder:{Path(options.real)}", ontology=options.ontology)
    library = prepare(source, preset("full"), num_proc=options.num_proc)
    heard = listened_for(library.sounds, Tagger.open(options.tagger), ontology)
    labels = [label for label in library.labels if label in heard and len(library.recordings_of(label)) >= 10]
    print(f"{len(library.labels)} labels, {len(heard)} listened for, {len(labels)} with ten recordings: {', '.join(labels)}")

    def listen(recordings: tuple[Recording, ...]) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for one in overheard(replace(library, recordings=recordings), options.tagger, ontology, num_proc=options.num_proc):
            found.setdefault(one.recording, set()).add(one.other)
        return found

    as_they_are = tuple(recording for label in labels for recording in library.recordings_of(label))
    found = listen(as_they_are)
    print(f"as they are: something is heard in {len(found)} of {len(as_they_are)}, {sum(map(len, found.values()))} labels in all")
    for level_db in LEVELS_DB:
        mixed = mixes(library, labels, options.mixes, level_db)
        found = listen(tuple(recording for recording, _ in mixed.values()))
        hits = sum(label in found.get(name, ()) for name, (_, label) in mixed.items())
        print(f"{level_db:4} dB: {hits} of {len(mixed)} found ({hits / len(mixed):.0%})")


if __name__ == "__main__":
    main()
