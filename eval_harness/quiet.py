"""Other libraries held quiet while one of our commands works."""

from __future__ import annotations

import sys


def quiet_libraries() -> None:
    """One bar of ours instead of one for every file of theirs; what they warn of is not about this run."""
    import logging
    import warnings

    import datasets
    from transformers.utils.logging import disable_progress_bar

    datasets.disable_progress_bars()
    disable_progress_bar()  # type: ignore[no-untyped-call]  # transformers' own
    logging.getLogger("mteb").setLevel(logging.ERROR)
    warnings.simplefilter("ignore")


def quiet_hub(quiet: bool) -> None:
    """Leaves out what the Hub's client says of each try, and its bars where they are not wanted or go into a file."""
    from huggingface_hub.utils import logging as of_hub
    from huggingface_hub.utils.tqdm import disable_progress_bars

    if quiet or not sys.stderr.isatty():
        disable_progress_bars()
    of_hub.set_verbosity_error()  # type: ignore[no-untyped-call]  # huggingface_hub's own
