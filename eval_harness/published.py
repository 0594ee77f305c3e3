"""The dataset that the tasks have by default: where the release was published, written by `reasonaudio release --write`."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from builders.errors import EvaluationError
from builders.files import write_whole

FILE = Path(__file__).with_name("published.json")
"""Is not there before a release was made."""


class Published(BaseModel):
    """A released dataset.

    Attributes:
        path: "ORG/NAME" on the Hub.
        revision: its commit, 40 hex digits.
        version: of the dataset.
        content: its content hash.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str = Field(pattern=r"^[\w.-]+/[\w.-]+$")
    revision: str = Field(pattern=r"^[0-9a-f]{40}$")
    version: str
    content: str = Field(pattern=r"^[0-9a-f]{64}$")

    @property
    def name(self) -> str:
        """As `--data` takes it."""
        return f"{self.path}@{self.revision}"


def published(file: Path | None = None) -> Published | None:
    """The released dataset; None before there is one. Reaches no network.

    Raises:
        EvaluationError: the file is damaged.
    """
    place = file or FILE
    if not place.is_file():
        return None
    try:
        return Published.model_validate(json.loads(place.read_bytes()))
    except (ValidationError, ValueError):
        raise EvaluationError(f"{place} is damaged; write it again with `reasonaudio release --write`") from None


def write(release: Published) -> None:
    """Makes a dataset the default of the tasks. Raises OSError."""
    write_whole(FILE, (json.dumps(release.model_dump(), indent=1) + "\n").encode())
