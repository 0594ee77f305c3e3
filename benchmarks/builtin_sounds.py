"""How good the built-in sounds are, by a pretrained tagger: told apart, takes that differ, true to their names.

    python benchmarks/builtin_sounds.py --tagger ../shared/models --ontology ../shared/data/audioset_ontology.json \
        --real ../shared/sounds/real [--only "dog bark,cat meow"] [--family animals] [--fresh] [--markdown FILE]

- told apart: nearest neighbour by cosine over mean embeddings. For each n, take n of every sound is left out and looks for its
  sound among all other takes.
- takes differ: the median over pairs of takes of a sound of the cosine distance between their embeddings, against the same for
  the labels of a folder of real recordings; and the largest correlation (normalised, any lag) of two takes.
- true to their names: the sound's class, its parent or its child is among the five highest mean scores (over the windows of a
  take) in most of its takes.

Many recipes were tuned with this tagger at hand, on the takes that the library has. `--fresh` therefore measures as many takes
that it does not have: how many find their sound among the library's, and how many are heard as their class.

Embeddings are kept in the user's cache by the bytes of the audio, so that only what has changed is tagged again.
"""

from __future__ import annotations

import argparse
import hashlib
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import mean, median

import numpy as np
from scipy import fft

from builders.sounds.folder import source as folder_source
from builders.sounds.ontology import Ontology, read_ontology
from builders.sounds.synth import SOUNDS, TAKES, SynthSound, render
from builders.sounds.tagger import Tagger

RATE = 32_000
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "reasonaudio" / "benchmark-tags"

_tagger: Tagger | None = None


def _open(path: str) -> None:
    global _tagger
    _tagger = Tagger.open(path)


@dataclass(frozen=True)
class Take:
    """One recording's name, its embedding [1024], its five best classes (by index) and, of built-in sounds, its audio [n]."""

    name: str
    embedding: np.ndarray
    top: tuple[int, ...]
    samples: np.ndarray | None = None


def _tag(samples: np.ndarray, name: str, keep: bool) -> Take:
    assert _tagger is not None
    path = CACHE / f"{hashlib.sha256(samples.tobytes()).hexdigest()[:32]}.npz"
    if path.is_file():
        stored = np.load(path)
        embedding, top = stored["embedding"], stored["top"]
    else:
        tags = _tagger.tag(samples, RATE)
        embedding, top = tags.embedding, tags.top(5)
        CACHE.mkdir(parents=True, exist_ok=True)
        aside = path.with_suffix(f".{os.getpid()}.npz")
        np.savez(aside, embedding=embedding, top=top)
        aside.replace(path)
    return Take(name, embedding, tuple(int(k) for k in top), samples if keep else None)


def _builtin(label: str, first: int = 0) -> list[Take]:
    return [_tag(render(SOUNDS[label], n, RATE), f"{label} {n}", True) for n in range(first, first + TAKES)]


def _fresh(label: str) -> list[Take]:
    return _builtin(label, TAKES)


def _real(candidate: object) -> tuple[str, Take] | None:
    from builders.errors import UnusableRecordingError
    from builders.recipe import preset
    from builders.sounds.cutting import cut

    try:
        piece = cut(candidate.read(RATE), preset("full"))  # type: ignore[attr-defined]
    except UnusableRecordingError:
        return None
    return candidate.label, _tag(piece.samples, candidate.id, False)  # type: ignore[attr-defined]


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def take_distance(takes: list[Take]) -> float | None:
    """Median cosine distance between two takes of one sound; None of a single one."""
    vectors = unit(np.stack([take.embedding for take in takes]))
    distances = [1 - float(a @ b) for a, b in combinations(vectors, 2)]
    return median(distances) if distances else None


def correlation(takes: list[Take]) -> float:
    """The largest absolute normalised correlation of two takes over all lags."""
    audio = [take.samples for take in takes if take.samples is not None]
    size = fft.next_fast_len(2 * max(map(len, audio)), real=True)
    spectra = [fft.rfft(samples / np.sqrt(np.sum(np.square(samples))), size) for samples in audio]
    return max(float(np.abs(fft.irfft(a * np.conj(b), size)).max()) for a, b in combinations(spectra, 2))


def neighbours(takes: dict[str, list[Take]]) -> tuple[list[bool], Counter[tuple[str, str]]]:
    """Whether each left-out take finds its sound, and which sounds are taken for which how often."""
    labels = list(takes)
    vectors = unit(np.stack([[take.embedding for take in takes[label]] for label in labels]))  # [sounds, takes, 1024]
    right: list[bool] = []
    mixed: Counter[tuple[str, str]] = Counter()
    for n in range(vectors.shape[1]):
        others = np.delete(vectors, n, axis=1)
        similar = np.einsum("sd,otd->sot", vectors[:, n], others).max(axis=2)
        for s, o in enumerate(similar.argmax(axis=1)):
            right.append(bool(s == o))
            if s != o:
                mixed[labels[s], labels[o]] += 1
    return right, mixed


def at_home(takes: dict[str, list[Take]], fresh: dict[str, list[Take]]) -> float:
    """Share of fresh takes whose nearest neighbour among the library's takes is of their sound."""
    labels = list(takes)
    known = unit(np.stack([[take.embedding for take in takes[label]] for label in labels]))
    new = unit(np.stack([[take.embedding for take in fresh[label]] for label in labels]))
    nearest = np.einsum("snd,otd->snot", new, known).max(axis=3).argmax(axis=2)
    return float(np.mean(nearest == np.arange(len(labels))[:, None]))


def hits(sound: SynthSound, takes: list[Take], classes: tuple[str, ...], ontology: Ontology) -> tuple[int, int] | None:
    """In how many takes the class, and the class or a parent or child of it, is in the top five; None where it has no class."""
    if sound.audioset_id is None:
        return None
    close = ontology.close(sound.audioset_id)
    found = [{classes[k] for k in take.top} for take in takes]
    return sum(sound.audioset_id in top for top in found), sum(bool(close & top) for top in found)


def _truth(classed: dict[str, tuple[int, int]]) -> str:
    most = (TAKES + 1) // 2
    itself = [own for own, _ in classed.values()]
    near = [close for _, close in classed.values()]
    return (
        f"of {len(classed)} with a class: the class itself in most takes {100 * mean(n >= most for n in itself):.0f} %, "
        f"it or a parent or child {100 * mean(n >= most for n in near):.0f} %; of all takes "
        f"{100 * mean(itself) / TAKES:.0f} % and {100 * mean(near) / TAKES:.0f} %"
    )


def _table(
    takes: dict[str, list[Take]],
    heard: dict[str, tuple[int, int] | None],
    distance: dict[str, float],
    mixed: Counter[tuple[str, str]],
    ontology: Ontology,
) -> str:
    """A row for each sound, by family, in Markdown."""
    families: dict[str, list[str]] = {}
    for label, sound in SOUNDS.items():
        families.setdefault(sound.synthesize.__module__.rsplit(".", 1)[1].replace("_", " "), []).append(label)
    lines = []
    for family in sorted(families):
        lines += ["", f"### {family.capitalize()}", ""]
        lines += [
            "| sound | | class | heard as it | or near it | takes apart | taken for |",
            "| --- | --- | --- | --- | --- | --- | --- |",
        ]
        for label in families[family]:
            sound, found = SOUNDS[label], heard[label]
            name = ontology.names[sound.audioset_id] if sound.audioset_id else "–"
            counts = f"{found[0]} | {found[1]}" if found else "– | –"
            wrong = ", ".join(f"{other} ({n})" for (one, other), n in mixed.most_common() if one == label)
            row = (label, "sustained" if sound.sustained else "", name, counts, f"{distance[label]:.2f}", wrong)
            lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines[1:]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tagger", required=True)
    parser.add_argument("--ontology", required=True)
    parser.add_argument("--real", help="folder of real recordings, for the distance between takes")
    parser.add_argument("--only", help="labels, separated by commas: print these sounds' details")
    parser.add_argument("--family", help="a module of builders/sounds/synth: print its sounds' details")
    parser.add_argument("--fresh", action="store_true", help="measure takes that the library does not have as well")
    parser.add_argument("--markdown", help="file for a table of all sounds")
    parser.add_argument("--num-proc", type=int, default=2)
    options = parser.parse_args()
    ontology = read_ontology(options.ontology)
    with ProcessPoolExecutor(options.num_proc, initializer=_open, initargs=(options.tagger,)) as pool:
        takes = dict(zip(SOUNDS, pool.map(_builtin, SOUNDS), strict=True))
        fresh = dict(zip(SOUNDS, pool.map(_fresh, SOUNDS), strict=True)) if options.fresh else {}
        real: dict[str, list[Take]] = {}
        if options.real:
            for found in pool.map(_real, folder_source(options.real).candidates, chunksize=8):
                if found:
                    real.setdefault(found[0], []).append(found[1])
    _open(options.tagger)
    assert _tagger is not None
    classes, names = _tagger.classes, _tagger.names
    right, mixed = neighbours(takes)
    distance = {label: take_distance(found) or 0.0 for label, found in takes.items()}
    correlated = {label: correlation(found) for label, found in takes.items()}
    heard = {label: hits(SOUNDS[label], found, classes, ontology) for label, found in takes.items()}
    shown = set((options.only or "").split(",")) | {
        label for label, sound in SOUNDS.items() if sound.synthesize.__module__.endswith(f".{options.family}")
    }
    for label in sorted(shown & takes.keys()):
        wrong = {other: n for (one, other), n in mixed.items() if one == label}
        print(
            f"{label}: class, close {heard[label]} of {TAKES}; distance {distance[label]:.3f}; correlation "
            f"{correlated[label]:.2f}; taken for {wrong or '-'}"
        )
        for take in takes[label]:
            print(f"    {take.name}: {', '.join(names[k] for k in take.top)}")
    if shown & takes.keys():
        print()
    print(f"{len(takes)} sounds ({sum(SOUNDS[label].sustained for label in takes)} sustained), {TAKES} takes each")
    print(f"told apart: {100 * mean(right):.1f} % of left-out takes find their sound")
    print(f"median distance between two takes: {median(distance.values()):.3f}", end="")
    apart = [d for found in real.values() if (d := take_distance(found)) is not None]
    if apart:
        ratio = median(distance.values()) / median(apart)
        print(f"; real recordings: {median(apart):.3f} ({len(apart)} labels); ratio {ratio:.2f}", end="")
    print()
    worst = max(correlated, key=correlated.__getitem__)
    print(
        f"largest correlation of two takes: {correlated[worst]:.2f} ({worst}); above 0.9: "
        f"{[label for label, value in correlated.items() if value > 0.9] or 'none'}"
    )
    classed = {label: found for label, found in heard.items() if found}
    print("true to their names,", _truth(classed))
    if fresh:
        new = {label: hits(SOUNDS[label], found, classes, ontology) for label, found in fresh.items()}
        print(
            f"takes that the library does not have: {100 * at_home(takes, fresh):.1f} % find their sound among the library's; "
            f"true to their names, {_truth({label: found for label, found in new.items() if found})}"
        )
    print("never heard as their class, parent or child:", ", ".join(label for label, (_, b) in classed.items() if not b))
    print("mixed up:", "; ".join(f"{a} for {b} ({n})" for (a, b), n in mixed.most_common()))
    if options.markdown:
        Path(options.markdown).write_text(_table(takes, heard, distance, mixed, ontology), encoding="utf-8")


if __name__ == "__main__":
    main()
