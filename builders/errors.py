"""The exceptions of this package: one tree, so that a caller can catch everything with `ReasonAudioError`.

Each message names the thing that is wrong, what was found, and what to do about it. The command line prints the message
alone, without a traceback.
"""

from __future__ import annotations


class ReasonAudioError(Exception):
    """Root of everything this package raises on purpose."""


class RecipeError(ReasonAudioError, ValueError):
    """A field of a recipe is unknown, of the wrong type, out of range, or contradicts another."""


class SoundLibraryError(ReasonAudioError):
    """A source of sounds cannot be read, or it holds too little for what is asked of it."""


class UnusableRecordingError(SoundLibraryError):
    """One recording cannot be used; the message is the reason, without the name of the recording."""


class PlanError(ReasonAudioError):
    """No corpus that keeps every rule was found for this recipe and library."""


class BuildError(ReasonAudioError):
    """The output folder cannot be written, or it holds something else."""


class DatasetFolderError(ReasonAudioError):
    """A dataset folder is missing, unfinished, or not in the layout that this version reads."""


class UnknownIdError(DatasetFolderError, KeyError):
    """No query, clip or label of that name is in the dataset; close names are offered."""

    def __str__(self) -> str:  # KeyError would print the message in quotes
        return str(self.args[0]) if self.args else ""


class EvaluationError(ReasonAudioError):
    """A model, a result or a setting of an evaluation cannot be used; what was computed before is kept."""


class PublishError(ReasonAudioError):
    """A dataset cannot be published; the message says why, and whether the Hub was changed."""


class FormulaSyntaxError(ReasonAudioError, ValueError):
    """A text is not a formula."""
