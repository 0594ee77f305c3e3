"""Which corpus is released: read from a file, and compared with a folder."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from builders.dataset_folder import DatasetFolder
from builders.errors import PublishError, RecipeError, SoundLibraryError
from builders.recipe import NO_CONTROL, Recipe, make_recipe
from builders.recipe import preset as preset_recipe
from builders.sounds.library import BUILTIN
from builders.sounds.licenses import wanted

FILE = Path(__file__).with_name("release.toml")
"""The release of this package."""


class Release(BaseModel):
    """A corpus to be released.

    Attributes:
        name: of the dataset, without its organisation.
        version: of the dataset; its tag is "v" and this.
        source: kind of source of its sounds, as `--sounds` has it.
        licenses: what every recording must be under, as `--licenses` has it.
        preset, seed, queries_per_task, sample_rate: of the recipe; None leaves a field as the preset has it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(pattern=r"^[\w.-]+$")]
    version: Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+$")]
    source: Annotated[str, Field(pattern=r"^[a-z0-9]+$")]
    licenses: Annotated[tuple[str, ...], Field(min_length=1)]
    preset: Literal["smoke", "mini", "full"] = "full"
    seed: Annotated[int, Field(ge=0)] = 0
    queries_per_task: int | None = None
    sample_rate: int | None = None

    @property
    def tag(self) -> str:
        return f"v{self.version}"

    def recipe(self) -> Recipe:
        """Raises RecipeError."""
        fields = {"seed": self.seed, "queries_per_task": self.queries_per_task, "sample_rate": self.sample_rate}
        return make_recipe(preset_recipe(self.preset), {name: value for name, value in fields.items() if value is not None})

    def options(self, sounds: str) -> list[str]:
        """What `reasonaudio build` is given after the folder; `sounds` is the place of the source."""
        given = ["--preset", self.preset, "--sounds", f"{self.source}:{sounds}", "--licenses", ",".join(self.licenses)]
        for name in ("seed", "queries_per_task", "sample_rate"):
            if (value := getattr(self, name)) is not None:
                given += [f"--{name.replace('_', '-')}", str(value)]
        return given


def read_release(path: Path = FILE) -> Release:
    """Raises PublishError: it cannot be read, or a field is unknown, missing or cannot be."""
    try:
        found = Release.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        wanted(",".join(found.licenses))
        found.recipe()
        if found.source == BUILTIN:
            raise ValueError("source: the built-in sounds are for trying things, and are not released")
    except OSError as error:
        raise PublishError(f"{path}: {(error.strerror or str(error)).lower()}; give a TOML file of a release") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise PublishError(f"{path}: {'.'.join(map(str, first['loc']))}: {first['msg'].lower()}; mend the file") from None
    except (ValueError, SoundLibraryError, RecipeError) as error:  # not UTF-8, not TOML, or a value that cannot be
        raise PublishError(f"{path}: {error}; mend the file") from None
    return found


def differences(release: Release, folder: DatasetFolder) -> Iterator[str]:
    """How a folder is not the corpus of a release, one line each."""
    library, expected, found = folder.library_name, release.recipe(), folder.recipe
    if library != release.source:
        yield f"its sounds are {library!r}, not {release.source!r}"
    if folder.control != NO_CONTROL:
        yield f"it is the {folder.control} control of a corpus"
    for name in type(expected).model_fields:
        if name not in ("name", "control") and getattr(found, name) != getattr(expected, name):
            yield f"its recipe has {name} = {getattr(found, name)}, not {getattr(expected, name)}"
    asked = str(wanted(",".join(release.licenses)))
    if folder.selection.get("licenses") != asked:
        yield f"it was built with licences {folder.selection.get('licenses', 'unknown')}, not {asked}"
    allowed = wanted(",".join(release.licenses))
    for used in folder.sounds.values():
        for recording in used.recordings:
            if not allowed.holds(recording.license):
                yield f"recording {recording.id} is under {recording.license or 'no licence that is stated'}"
                return
