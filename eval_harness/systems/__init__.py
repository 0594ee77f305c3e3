"""Systems that are not in mteb: the scale, caption pipelines, tagger + logic, and the baseline trained here."""

from __future__ import annotations

import mteb  # noqa: F401  # first: it makes the systems of this package known to mteb, for which they must not be half imported
