"""What describes clips: the protocol, and those that read descriptions instead of listening."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from builders.timeline import Timeline
from eval_harness.data import Data


def _none() -> Mapping[str, float]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Description:
    """One clip in words.

    Attributes:
        caption: English text, never empty.
        timeline: what sounds when, in labels of the corpus; None from a describer that writes text alone.
        heard: label -> how sure the describer is that the clip holds it, in [0, 1]; labels that are not listed: 0.
    """

    caption: str
    timeline: Timeline | None = None
    heard: Mapping[str, float] = field(default_factory=_none)


@dataclass(frozen=True, slots=True)
class HeardClip:
    """A clip to describe.

    Attributes:
        id: of the clip.
        audio: {"array": float32 mono, shape [n], "sampling_rate": Hz}; decoded when it is first looked at.
    """

    id: str
    audio: Mapping[str, Any]

    @property
    def array(self) -> NDArray[np.float32]:
        """Samples in [-1, 1), shape [n]."""
        return np.asarray(self.audio["array"], dtype=np.float32)

    @property
    def sampling_rate(self) -> int:
        """In Hz."""
        return int(self.audio["sampling_rate"])


class Describer(Protocol):
    """Puts clips into words. One instance is for one dataset, whose labels and words it may use.

    Attributes:
        name: "yamnet": part of the pipeline's name, so of letters that a folder may have.
        revision: changes whenever a description may, so it covers weights, settings and words.
        gives_timelines: whether descriptions have timelines.
        listens: whether it works on audio, so that its descriptions are worth keeping.
    """

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...

    @property
    def gives_timelines(self) -> bool: ...

    @property
    def listens(self) -> bool: ...

    def describe(self, clips: Sequence[HeardClip]) -> list[Description]:
        """One description for each clip, in order."""
        ...


class PerfectDescriber:
    """The dataset's own captions and timelines: what a faultless describer would say. Listens to nothing."""

    name = "perfect"
    gives_timelines = True
    listens = False

    def __init__(self, data: Data) -> None:
        self._folder = data.folder
        self.revision = hashlib.sha256(f"perfect 1 {data.content_hash}".encode()).hexdigest()

    def describe(self, clips: Sequence[HeardClip]) -> list[Description]:
        """The folder's captions. Raises UnknownIdError for a clip that it does not hold."""
        return [self._of(clip.id) for clip in clips]

    def _of(self, clip_id: str) -> Description:
        timeline = self._folder.clips[clip_id].timeline
        return Description(self._folder.caption(clip_id), timeline, dict.fromkeys(timeline.labels, 1.0))


class FileDescriber:
    """Descriptions from a file, made elsewhere or by `reasonaudio describe`. Listens to nothing."""

    listens = False

    def __init__(self, path: Path, clips: Collection[str], labels: Collection[str]) -> None:
        """
        Args:
            path: as `captions.read_descriptions` takes it.
            clips: ids of all clips of the dataset.
            labels: all labels of the dataset.

        Raises:
            EvaluationError: the file is not what it should be.
        """
        from eval_harness.systems.pipelines.captions import read_descriptions

        self._found = read_descriptions(path, clips, labels)
        stem = "".join(c if c.isalnum() or c in "-_." else "-" for c in path.stem)
        self.name = f"captions-{stem}"
        self.revision = hashlib.sha256(path.read_bytes()).hexdigest()
        self.gives_timelines = all(one.timeline is not None for one in self._found.values())

    def describe(self, clips: Sequence[HeardClip]) -> list[Description]:
        """The file's captions."""
        return [self._found[clip.id] for clip in clips]
