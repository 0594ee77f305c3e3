"""From a dataset folder to a result. Importing it makes the ReasonAudio tasks known to mteb.

import eval_harness
import mteb

eval_harness.registry.use_data("corpus")
mteb.evaluate(mteb.get_model("laion/clap-htsat-unfused"), mteb.get_benchmark("ReasonAudio").tasks)
eval_harness.run("laion/clap-htsat-unfused", data="corpus", out="results")  # the same, and more
"""

from __future__ import annotations

from eval_harness import registry
from eval_harness.when_imported import when_imported

# mteb takes seconds to import, and most commands do not need it.
when_imported("mteb", registry.register)

__all__ = ["registry"]
