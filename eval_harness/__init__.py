"""From a dataset folder to a result. Importing it makes the ReasonAudio tasks known to mteb.

import eval_harness
import mteb

eval_harness.registry.use_data("corpus")
mteb.evaluate(mteb.get_model("laion/clap-htsat-unfused"), mteb.get_benchmark("ReasonAudio").tasks)
eval_harness.run("laion/clap-htsat-unfused", data="corpus", out="results")  # the same, and more
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eval_harness import registry
from eval_harness.when_imported import when_imported

# mteb takes seconds to import, and most commands do not need it.
when_imported("mteb", registry.register)

if TYPE_CHECKING:
    from eval_harness.running import ModelRun

__all__ = ["registry", "run"]


def run(model: Any, tasks: list[str] | None = None, **settings: Any) -> ModelRun:
    """Runs a model on tasks: `eval_harness.running.run`."""
    from eval_harness import running

    return running.run(model, tasks, **settings)
