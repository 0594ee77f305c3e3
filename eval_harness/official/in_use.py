"""Which of the paper's own data the tasks `ReasonAudioOfficial-...` are of. `eval_harness.registry` does this for our corpora."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from builders.errors import EvaluationError, ReasonAudioError

if TYPE_CHECKING:
    from eval_harness.official.data import OfficialData

_current: OfficialData | None = None
_failed: str | None = None
"""The folder of the environment that could not be read: it is not read again each time that mteb makes a task."""


def use(data: OfficialData) -> OfficialData:
    """From now on the tasks are those of this data; may be called again with other."""
    from eval_harness.official import tasks

    global _current
    _current = data
    for cls in tasks.OFFICIAL_TASKS:
        cls.metadata = cls.metadata.model_copy(update={"dataset": {"path": data.path, "revision": data.revision}})
    return data


def current() -> OfficialData | None:
    """The data in use, if some is."""
    return _current


def data() -> OfficialData:
    """The data in use; the first time, if none was named, that of `REASONAUDIO_OFFICIAL`.

    Raises:
        EvaluationError: neither names any, or something is wrong with it.
    """
    from eval_harness.official.data import VARIABLE, open_official

    if _current is not None:
        return _current
    if not os.environ.get(VARIABLE):
        raise EvaluationError(
            f"the paper's own data is not part of reasonaudio: call eval_harness.official.use(FOLDER), or set {VARIABLE}"
        )
    return use(open_official(""))


def use_environment() -> None:
    """Takes the data of `REASONAUDIO_OFFICIAL`, if none is in use and it names some; `data` says what is wrong with it."""
    from eval_harness.official.data import VARIABLE

    global _failed
    named = os.environ.get(VARIABLE)
    if _current is not None or not named or named == _failed:
        return
    try:
        data()
    except ReasonAudioError:
        _failed = named


def data_of(metadata: Any) -> OfficialData:
    """The data of a task's metadata: that in use, or the one it was made for. Raises EvaluationError."""
    from eval_harness.data import OFFICIAL
    from eval_harness.official.data import open_official

    path, revision = metadata.dataset["path"], metadata.dataset["revision"]
    if _current is not None and (path, revision) == (_current.path, _current.revision):
        return _current
    return open_official(path.removeprefix(OFFICIAL)) if path.startswith(OFFICIAL) else data()
