"""(timeline, recordings) -> samples. A pure function: no random number, no clock, no order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from builders.recipe import Recipe
    from builders.sounds.library import SoundLibrary
    from builders.timeline import Timeline


class Renderer:
    """Renders clips of one recipe from one library."""

    def __init__(self, recipe: Recipe, library: SoundLibrary) -> None:
        self.recipe = recipe
        self.library = library

    def clip(self, clip_id: str, timeline: Timeline) -> NDArray[np.int16]:
        """The clip, mono, shape [10 s x rate], 16 bit."""
        raise NotImplementedError
