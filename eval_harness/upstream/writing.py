"""The Python that goes into mteb's repository, from templates: the tasks, the benchmark, and how the data were made."""

from __future__ import annotations

import json
import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from builders.dataset_folder import DatasetFolder
from builders.recipe import CLIP_MS, TASK_NAMES, preset
from builders.sounds.licenses import UNKNOWN, understand
from eval_harness.submission.names import upstream_name
from eval_harness.upstream.corpus import Offer, is_preset

if TYPE_CHECKING:
    from jinja2 import Environment

CONSTANT = "REASONAUDIO"
"""The benchmark's name in `mteb/benchmarks/benchmarks/benchmarks.py`."""
WIDTH = 88
"""Of a line in mteb's repository."""
DATA_KEY, PAPER_KEY = "reasonaudio-recreation", "reasonaudio2026"
"""The ids of the two citations. mteb keeps entries sorted by id, and the first is the one that it cites in a text."""


def task_module(corpus: Offer) -> str:
    """The text of the module with the five tasks."""
    from eval_harness import tasks

    metadata = {cls.task: cls.metadata for cls in tasks.TASKS}
    found = [
        {
            "name": upstream_name(task),
            "description": task_description(corpus, task),
            "eval_langs": metadata[task].eval_langs,
        }
        for task in TASK_NAMES
    ]
    return _render(
        "tasks.py.jinja",
        path=corpus.data.path,
        revision=corpus.data.revision,
        citation=citation(corpus),
        reference=tasks.REFERENCE,
        metadata=metadata[TASK_NAMES[0]],
        license=corpus.license,
        tasks=found,
        trial=corpus.trial,
    )


def task_description(corpus: Offer, task: str) -> str:
    """What mteb says of a task, first of all what it is not."""
    from eval_harness.tasks import description

    size = corpus.sizes[task]
    end = " TRIAL, not to be submitted." if corpus.trial else ""
    clips = f"{size.clips:,} composite clips of {CLIP_MS // 1000} s"
    return f"{recreation()} {description(task, clips)} {size.queries} queries.{end}"


def recreation() -> str:
    """What the data are and are not: the first sentence of all that is sent."""
    from eval_harness.tasks import REFERENCE

    paper = REFERENCE.removeprefix("https://arxiv.org/abs/")
    return (
        f"An independent re-creation of the benchmark of the ReasonAudio paper (arXiv {paper}), not its data, so that scores "
        "are not the paper's."
    )


def benchmark_entry(corpus: Offer) -> str:
    """The benchmark's definition, to stand at the end of mteb's module of them."""
    from eval_harness import tasks

    return _render(
        "benchmark.py.jinja",
        constant=CONSTANT,
        name=tasks.BENCHMARK,
        tasks=[{"name": upstream_name(task)} for task in TASK_NAMES],
        description=f"{recreation()} {tasks.BENCHMARK_DESCRIPTION}",
        reference=tasks.REFERENCE,
        citation=citation(corpus),
    )


def citation(corpus: Offer) -> str:
    """The data, then the paper, as mteb writes BibTeX: entries by id, fields by name, two spaces, a comma at each end."""
    from eval_harness.tasks import CITATION

    note = f"An independent re-creation of the benchmark of the paper. Recipe {corpus.folder.recipe_hash}"
    fields = {
        "author": "{ReasonAudio contributors}",
        "howpublished": "Hugging Face dataset",
        "note": note if corpus.published else f"TRIAL, not published. {note}",
        "title": "ReasonAudio, re-created: Text-Audio Retrieval that Tests Reasoning",
        "url": corpus.url,
        "version": corpus.version,
    }
    lines = [f"  {name} = {{{value}}}," for name, value in sorted(fields.items()) if value]
    paper = re.sub(r"^(@\w+)\{[^,]+,", rf"\1{{{PAPER_KEY},", CITATION.strip())
    return "\n".join([f"@misc{{{DATA_KEY},", *lines, "}", "", paper])


def create_data(corpus: Offer) -> str:
    """The script that makes the data again and checks that they are the same."""
    folder = corpus.folder
    built_with = folder.manifest["versions"]
    counts = Counter(
        found.name if (found := understand(one.license)).kind != UNKNOWN else one.license or "not stated"
        for sound in folder.sounds.values()
        for one in sound.recordings
    )
    return _render(
        "create_data.py.jinja",
        trial=corpus.trial,
        version=built_with["reasonaudio"],
        versions=", ".join(f"{name} {version}" for name, version in built_with.items()),
        library=folder.library_name,
        sounds=_spec(folder),
        asked="; ".join(f"{name} {value}" for name, value in folder.selection.items()),
        path=corpus.data.path,
        revision=corpus.data.revision,
        license=corpus.license,
        license_counts=", ".join(f"{name} ({count:,})" for name, count in sorted(counts.items())),
        recipe=_recipe(corpus),
        options=_options(corpus),
        recipe_hash=folder.recipe_hash,
        content_hash=corpus.content,
    )


def build_line(corpus: Offer) -> str:
    """The command that made the corpus, for people."""
    words = ["reasonaudio build OUT", f"--sounds {_spec(corpus.folder)}", *_options(corpus)]
    recipe = corpus.folder.recipe
    if is_preset(corpus.folder):
        words += ["--preset", recipe.name, "--seed", str(recipe.seed)]
    else:
        words += ["--recipe", "recipe.json"]
    return " ".join(words)


def _recipe(corpus: Offer) -> str:
    """The recipe as JSON: name and seed, queries, rate, and all else that differs from the preset `full`."""
    recipe = corpus.folder.recipe.model_dump(mode="json")
    usual = preset("full").model_dump(mode="json")
    shown = {name: recipe[name] for name in ("name", "seed", "queries_per_task", "sample_rate")}
    for name, value in recipe.items():
        if name in shown or value == usual.get(name):
            continue
        other = usual.get(name)
        shown[name] = {k: v for k, v in value.items() if v != (other or {}).get(k)} if isinstance(value, dict) else value
    return json.dumps(shown, indent=4)


def _spec(folder: DatasetFolder) -> str:
    """How the sounds are given to `reasonaudio build`; a path in it is everyone's own."""
    from builders.sounds.sources import KINDS

    kind = KINDS.get(folder.library_name.partition(":")[0])
    return kind.written if kind else "SPEC"


def _options(corpus: Offer) -> list[str]:
    """What was asked of the library, as options of `reasonaudio build`; defaults are left out, but for numbers."""
    from builders.sounds.selection import Selection
    from builders.sounds.sources import KINDS

    said, usual = corpus.folder.selection, Selection().described()
    found = [
        text for name in ("licenses", "split") if said.get(name, usual[name]) != usual[name] for text in (f"--{name}", said[name])
    ]
    if said.get("max_recordings"):
        found += ["--max-recordings", said["max_recordings"]]
    kind = KINDS.get(corpus.folder.library_name.partition(":")[0])
    for option in kind.options if kind else ():
        value = said.get(option.name, option.default)
        if value in option.choices and value != option.default:
            found += ["--source-option", f"{option.name}={value}"]
    return found


# --- templates --------------------------------------------------------------------------------------------------------


def render(template: str, values: Mapping[str, Any]) -> str:
    """A template of this room, filled in."""
    return _render(template, **values)


def _render(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(  # noqa: S701  # Python and Markdown, nothing to be escaped
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters.update(lit=literal, wrapped=wrapped, listed=listed)
    return made


def literal(value: object) -> str:
    """A text, number, list or dict of them as Python writes it, in double quotes."""
    return json.dumps(value, ensure_ascii=False)


def listed(values: Sequence[str]) -> str:
    """A list of texts, one a line where they do not fit one."""
    line = literal(list(values))
    if len(line) + len("BUILD = ") <= WIDTH:
        return line
    return "[\n" + "".join(f"    {literal(value)},\n" for value in values) + "]"


def wrapped(text: str, indent: int) -> str:
    """A long text as several string literals that Python joins, each on its line."""
    parts = textwrap.wrap(text, WIDTH - indent - 3, break_long_words=False, break_on_hyphens=False)
    parts = [part + " " for part in parts[:-1]] + parts[-1:]
    return "\n".join(" " * indent + literal(part) for part in parts)
