"""AudioSet's ontology: which class is a kind of which. Read from a file of the user's."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from builders.errors import SoundLibraryError

VARIABLE = "REASONAUDIO_ONTOLOGY"
"""Environment variable that names the file, where no path is given."""


@dataclass(frozen=True)
class Ontology:
    """The classes by id ("/m/0bt9lr").

    Attributes:
        names: what each class is called ("Dog").
        children: the classes directly below each; a class may have several parents.
    """

    names: Mapping[str, str]
    children: Mapping[str, tuple[str, ...]] = field(repr=False)

    @cached_property
    def parents(self) -> Mapping[str, tuple[str, ...]]:
        """The classes directly above each."""
        found: dict[str, list[str]] = {name: [] for name in self.names}
        for parent, children in self.children.items():
            for child in children:
                found.setdefault(child, []).append(parent)
        return {child: tuple(sorted(above)) for child, above in found.items()}

    def ancestors(self, class_id: str) -> frozenset[str]:
        """Everything above a class, without itself."""
        return _reach(class_id, self.parents)

    def descendants(self, class_id: str) -> frozenset[str]:
        """Everything below a class, without itself."""
        return _reach(class_id, self.children)

    def close(self, class_id: str) -> frozenset[str]:
        """The class, its parents and its children."""
        return frozenset({class_id, *self.parents.get(class_id, ()), *self.children.get(class_id, ())})

    def related(self, a: str, b: str) -> bool:
        """Whether they are the same, or one is above the other."""
        return a == b or a in self.ancestors(b) or b in self.ancestors(a)


def _reach(start: str, steps: Mapping[str, Iterable[str]]) -> frozenset[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        for found in steps.get(waiting.pop(), ()):
            if found not in seen:
                seen.add(found)
                waiting.append(found)
    return frozenset(seen - {start})


def read_ontology(path: Path | str) -> Ontology:
    """The ontology in a file as AudioSet publishes it: a JSON list of nodes with `id`, `name` and `child_ids`.

    Raises:
        SoundLibraryError: the file cannot be read, or is something else.
    """
    try:
        nodes = json.loads(Path(path).expanduser().read_text(encoding="utf-8"))
        return Ontology({node["id"]: node["name"] for node in nodes}, {node["id"]: tuple(node["child_ids"]) for node in nodes})
    except OSError as error:
        raise SoundLibraryError(f"ontology {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        raise SoundLibraryError(
            f"ontology {path}: not AudioSet's ontology (a JSON list of nodes with id, name and child_ids)"
        ) from None


def find_ontology(path: Path | str | None = None) -> Ontology | None:
    """The ontology at `path`, else at the path in `REASONAUDIO_ONTOLOGY`; None where neither is given.

    Raises:
        SoundLibraryError: the file that is named cannot be read.
    """
    chosen = path or os.environ.get(VARIABLE)
    return read_ontology(chosen) if chosen else None
