"""The paper's own data, where it is at hand: its five tasks on it, under names of their own.

Source: "ReasonAudio: A Benchmark for Evaluating Reasoning Beyond Matching in Text-Audio Retrieval", arXiv 2605.03361. The
corpora that `reasonaudio build` makes are an independent re-creation of that benchmark; here is the original. Scores on it are
the paper's own data's: they are never put beside scores on our corpora, and a folder of results holds the one or the other.

What is known of the data, from pages that anyone can see: an account ReasonAudio on the Hugging Face Hub has the datasets
`Negation`, `Order`, `Duration` and `Mix` of 200 rows each, `Overlap` and one called `ReasonAudio` of some 11,100 rows, and
`Natural` of some 2,460 rows. That last one's clips have the columns `_id` (whole numbers from 0), `audio` (the name of a wav
file) and `text` (empty). The paper has 10,000 clips and 200 queries for each task.

What is assumed: queries have the same columns, with `audio` empty; qrels have `query-id`, `corpus-id` and `score`; ids are
counted anew in each table, so that a query and a clip, or clips of two tasks, may have the same; and the rows suggest that
not each task brings its own clips, so that tasks may share one table of them. The wav files are expected as files. None
of this could be tried on the data themselves. `layout` says what is read; nothing is guessed in silence.

import eval_harness.official
import mteb

eval_harness.official.use("ReasonAudio")  # the folder; or the variable REASONAUDIO_OFFICIAL names it
mteb.evaluate(mteb.get_model("laion/clap-htsat-unfused"), mteb.get_tasks(tasks=["ReasonAudioOfficial-Negation"]))
eval_harness.run("laion/clap-htsat-unfused", data="official:ReasonAudio", out="results-official")  # the same, and more
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from eval_harness.official.data import OfficialData

__all__ = ["use"]


def use(folder: str | Path) -> OfficialData:
    """From now on the tasks `ReasonAudioOfficial-...` are those of the data in this folder.

    Raises:
        EvaluationError: it is not there, or something is wrong with it: one line says what, and where.
    """
    from eval_harness.official import in_use
    from eval_harness.official.data import open_official

    return in_use.use(open_official(folder))
