"""The folder of `reasonaudio listen-results --out`: values, what to leave out of a build, and the contradictions to see and hear."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from builders.dataset_folder import content_hash
from builders.logic import Truth, to_text
from builders.recipe import CLIP_MS
from eval_harness.listening.contradictions import JudgedPair
from eval_harness.listening.excluding import write_exclude
from eval_harness.listening.findings import Findings
from eval_harness.listening.suspects import Fault, faults
from eval_harness.listening.tables import verdicts
from eval_harness.report.examples import Lane, label_styles, lanes, overlaps
from eval_harness.report.media import write_media
from eval_harness.report.pages import STYLE, Page, render, style
from eval_harness.report.place import Kind, mark, written_aside

PLACE = Kind("results.json", "reasonaudio listen-results", "folder of listening results", "--out")
EXCLUDE, PAGE = "exclude.csv", "contradictions.html"

Shown = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]


@dataclass(frozen=True, slots=True)
class Shown1:
    """placeholder"""
