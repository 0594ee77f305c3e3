"""The recipe: every number that shapes a corpus. A recipe and a library determine every byte of it."""

from __future__ import annotations

import difflib
import hashlib
import json
import math
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)

from builders.errors import RecipeError
from builders.logic import Margins

TASK_NAMES = ("negation", "order", "overlap", "duration", "mix")
CLIP_MS = 10_000
CLIPS_PER_SET = 20
ONE_SET_PER_FORM = "one-set-per-form"
NO_CONTROL, EQUAL_ENERGY, EQUAL_SPECTRUM = "none", "equal-energy", "equal-spectrum"

_M = Margins()
Milliseconds = Annotated[int, Field(ge=0)]


def ceil_ms(milliseconds: float) -> int:
    """Rounded up to whole milliseconds, but for what floating point adds (1.6 * 1000 is a hair over 1600)."""
    return math.ceil(milliseconds - 1e-9)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class AudibleRules(_Part):
    """When a sound counts as audible, and which pieces of a recording are used."""

    frame_ms: Milliseconds = 20
    hop_ms: Milliseconds = 5
    range_db: Annotated[float, Field(gt=0)] = 30.0
    """A frame is audible within this many dB of the recording's loudest frame."""
    split_gap_ms: Milliseconds = 600
    """A recording inaudible for longer is split there, and its longest piece is used."""
    continuous_gap_ms: Milliseconds = 250
    """A recording without a longer inaudible stretch is continuous."""
    min_piece_ms: Annotated[int, Field(ge=100)] = 500
    max_piece_ms: Annotated[int, Field(le=9000)] = 6000
    max_error_ms: Milliseconds = 120
    """A recording whose onset or offset, measured again as placed, is further off is screened out."""


class SoundRules(_Part):
    """How events are brought into a clip."""

    loudness_lufs: Annotated[float, Field(ge=-60, le=-10)] = -30.0
    peak_dbfs: Annotated[float, Field(ge=-40, le=-6)] = -12.0
    max_gain_db: Annotated[float, Field(ge=0, le=6)] = 3.0
    fade_ms: Milliseconds = 10
    bed_dbfs: Annotated[float, Field(ge=-96, le=-55)] = -75.0
    loop_material_ms: Milliseconds = 2000
    """A sustained recording may be looped if it has this much material."""
    loop_crossfade_ms: Annotated[int, Field(ge=200)] = 200


class PlanRules(_Part):
    """How clips are laid out."""

    clearance_ms: Milliseconds = 20
    """The planner keeps this far from every margin."""
    edge_ms: Milliseconds = 100
    """No event begins or ends this near to the ends of a clip."""
    shortest_event_ms: Annotated[int, Field(ge=300)] = 500
    sustained_ms: tuple[int, int] = (1200, 2600)
    """Lengths given to sustained sounds where the form plans no lengths."""
    length_ratio: Annotated[float, Field(ge=1.6)] = 1.6
    length_step_ms: Annotated[int, Field(ge=1020)] = 1020
    """Long, middle and short: each this ratio and this much over the next."""
    at_least_seconds: tuple[float, ...] = (2.0, 2.5, 3.0)
    at_most_seconds: tuple[float, ...] = (1.5, 2.0)
    heard_bands: Annotated[int, Field(ge=1)] = 24
    heard_ms: Milliseconds = 500
    """Each of an overlapping pair exceeds the other in at least one of so many bands for so long."""
    clip_attempts: Annotated[int, Field(ge=1)] = 200
    set_attempts: Annotated[int, Field(ge=1)] = 200
    max_mean_relevant: Annotated[float, Field(gt=0)] = 10.0
    """A recipe that gives more relevant clips a query, on average, is refused unless `allow_dense`."""
    allow_dense: bool = False

    def length_above(self, length_ms: int) -> int:
        """The shortest length that is clearly longer than `length_ms`, as planned lengths are."""
        return max(ceil_ms(length_ms * self.length_ratio), length_ms + self.length_step_ms)

    def length_below(self, length_ms: int) -> int:
        """The longest length that is clearly shorter than `length_ms`; it may be negative."""
        return min(int(length_ms / self.length_ratio), length_ms - self.length_step_ms)


class MarginRules(_Part):
    """`builders.logic.Margins`, as fields of a recipe."""

    gap_ms: Milliseconds = _M.gap_ms
    overlap_ms: Milliseconds = _M.overlap_ms
    overlap_share: Annotated[float, Field(gt=0, le=1)] = _M.overlap_share
    simultaneous_ms: Milliseconds = _M.simultaneous_ms
    together_ms: Milliseconds = _M.together_ms
    longer_ratio: Annotated[float, Field(gt=1)] = _M.longer_ratio
    longer_ms: Milliseconds = _M.longer_ms
    not_longer_ratio: Annotated[float, Field(ge=1)] = _M.not_longer_ratio
    above_ratio: Annotated[float, Field(ge=1)] = _M.above_ratio
    below_ratio: Annotated[float, Field(gt=0, le=1)] = _M.below_ratio


class ControlRules(_Part):
    """How a control against acoustic shortcuts is made; without effect where the recipe's `control` is "none"."""

    gap_bed_db: Annotated[float, Field(ge=10, le=40)] = 20.0
    """equal-energy: the bed in the gaps lies so far below the events of its clip (RMS)."""
    filter_db: Annotated[float, Field(gt=0, le=6)] = 6.0
    """equal-spectrum: no filter raises or lowers anything by more."""
    filter_reach_ms: Annotated[int, Field(ge=5, le=20)] = 20
    """equal-spectrum: a filter spreads nothing further than this, before it or after it."""
    peak_dbfs: Annotated[float, Field(ge=-20, le=-0.1)] = -1.0
    """A set in which a clip would exceed this peak is lowered as a whole."""


class Recipe(_Part):
    """Every number that shapes a corpus. Times in ms, levels in dB; the defaults are the benchmark's `full` corpus."""

    name: str = "full"
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    queries_per_task: Annotated[int, Field(ge=2, le=100_000)] | Literal["one-set-per-form"] = 200
    sample_rate: Annotated[int, Field(ge=8000, le=192_000)] = 32_000
    """Hz."""
    audible: AudibleRules = AudibleRules()
    sound: SoundRules = SoundRules()
    plan: PlanRules = PlanRules()
    margins: MarginRules = MarginRules()
    control: Literal["none", "equal-energy", "equal-spectrum"] = "none"
    """How the sound of a set's clips is made alike. Queries, timelines and ids are those of the same recipe without it."""
    control_rules: ControlRules = ControlRules()

    @model_serializer(mode="wrap")
    def _without_what_has_no_effect(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Fields of a control are written where there is one: a recipe without keeps the text, and hash, that it always had."""
        fields: dict[str, Any] = dump(self)
        if self.control == NO_CONTROL:
            for unused in ("control", "control_rules"):
                fields.pop(unused, None)
        return fields

    @model_validator(mode="after")
    def _consistent(self) -> Recipe:
        queries = self.queries_per_task
        if isinstance(queries, int) and queries % 2:
            near = f"{max(2, queries - 1)} or {queries + 1}"
            raise ValueError(f"queries_per_task: {queries} is odd, but every set serves two twin queries; use {near}")
        if self.control == NO_CONTROL and self.control_rules != ControlRules():
            raise ValueError('control_rules: without effect, as control is "none"; set control too, or leave them out')
        self._check_seconds()
        return self

    def _check_seconds(self) -> None:
        """Numbers of seconds must leave room for a middle and a short sound below them."""
        plan = self.plan
        for name, seconds in [
            *(("at_least_seconds", s) for s in plan.at_least_seconds),
            *(("at_most_seconds", s) for s in plan.at_most_seconds),
        ]:
            most = int(self.margins.below_ratio * seconds * 1000) - plan.clearance_ms
            short = plan.length_below(most) if name == "at_least_seconds" else most
            if short < plan.shortest_event_ms:
                raise ValueError(
                    f"plan.{name}: {seconds:g} leaves no room for a short sound: it would last {max(short, 0)} ms at most, "
                    f"but plan.shortest_event_ms is {plan.shortest_event_ms}; leave {seconds:g} out"
                )
        if not plan.at_least_seconds or not plan.at_most_seconds:
            raise ValueError("plan.at_least_seconds and plan.at_most_seconds need at least one number each")

    def margins_value(self) -> Margins:
        return Margins(**self.margins.model_dump())

    def planned(self) -> Recipe:
        """The recipe without its control: what decides queries, timelines and ids."""
        return self.model_copy(update={"control": NO_CONTROL, "control_rules": ControlRules()})

    def canonical_json(self) -> str:
        """The same text for equal recipes, whatever the order in which the fields were given."""
        return json.dumps(self.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    def samples(self, milliseconds: int) -> int:
        """Number of samples that last `milliseconds`, to the nearest."""
        return round(milliseconds * self.sample_rate / 1000)

    def milliseconds(self, samples: int) -> int:
        """How long so many samples last, in ms, to the nearest: undoes `samples`."""
        return round(samples * 1000 / self.sample_rate)


PRESETS: dict[str, Recipe] = {
    "smoke": Recipe(name="smoke", queries_per_task="one-set-per-form"),
    "mini": Recipe(name="mini", queries_per_task=20),
    "full": Recipe(name="full", queries_per_task=200),
}


def recipe_hash(recipe: Recipe, library_digest: str) -> str:
    """SHA-256 (hex) of the recipe and the library's digest: what fixes every byte of a corpus."""
    return hashlib.sha256(f"{recipe.canonical_json()}\n{library_digest}".encode()).hexdigest()


def plan_hash(recipe: Recipe, library_digest: str) -> str:
    """The recipe hash of the same corpus without a control: all ids derive from it. Corpora that share it share their plan."""
    return recipe_hash(recipe.planned(), library_digest)


def preset(name: str) -> Recipe:
    """The preset of that name. Raises RecipeError that lists them."""
    if name not in PRESETS:
        raise RecipeError(f"preset: {name!r} is unknown; the presets are {', '.join(PRESETS)}{_did_you_mean(name, PRESETS)}")
    return PRESETS[name]


def load_recipe(path: Path | str) -> dict[str, Any]:
    """The fields that a recipe file sets, not yet validated: TOML or JSON, or the `recipe.json` of a built folder.

    Raises:
        RecipeError: it cannot be read, is of another format, or sets a field twice.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (".toml", ".json"):
        raise RecipeError(
            f"recipe {path}: a name that ends in .toml or .json is needed, to tell what it is written in; rename it"
        )
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise RecipeError(f"recipe {path}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
    except FileNotFoundError:
        raise RecipeError(f"recipe {path}: no such file; give a TOML or JSON file of recipe fields, or leave it out") from None
    except OSError as error:
        raise RecipeError(f"recipe {path}: {(error.strerror or str(error)).lower()}; give a TOML or JSON file") from None
    try:
        fields = json.loads(text, object_pairs_hook=_once) if suffix == ".json" else tomllib.loads(text)
    except ValueError as error:  # JSONDecodeError and TOMLDecodeError both are
        raise RecipeError(f"recipe {path}: not valid {suffix[1:].upper()}: {error}") from None
    if not isinstance(fields, dict):
        raise RecipeError(f"recipe {path}: expected a table of fields, found {type(fields).__name__}")
    if {"recipe", "recipe_hash", "library"} <= fields.keys() and isinstance(fields["recipe"], dict):
        return fields["recipe"]  # what a build wrote; its library is described there, too, but sounds are given apart
    return fields


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object. Raises ValueError where a key is there twice: nobody could tell which one counts."""
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            raise ValueError(f"{name!r} is there twice; leave one")
        fields[name] = value
    return fields


def make_recipe(base: Recipe, *changes: Mapping[str, Any]) -> Recipe:
    """`base` with `changes` laid over it in order, nested tables field by field. Raises RecipeError naming the field."""
    fields = base.model_dump()
    for change in changes:
        _merge(fields, change, Recipe, "")
    try:
        return Recipe.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(
            str(part) for part in first["loc"] if not str(part).startswith(("constrained", "literal", "int", "tuple"))
        )
        raise RecipeError(f"recipe: {where + ': ' if where else ''}{_in_words(first, where)}") from None


def _merge(fields: dict[str, Any], change: Mapping[str, Any], model: type[BaseModel], prefix: str) -> None:
    for name, value in change.items():
        if name not in model.model_fields:
            raise RecipeError(
                f"recipe: unknown field {prefix + str(name)!r}{_did_you_mean(str(name), model.model_fields)}; "
                f"the fields here are {', '.join(model.model_fields)}"
            )
        kind = model.model_fields[name].annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            if not isinstance(value, Mapping):
                raise RecipeError(f"recipe: {prefix + name}: a table of fields is needed, found {value!r}")
            _merge(fields.setdefault(name, {}), value, kind, f"{prefix}{name}.")
        else:
            fields[name] = tuple(value) if isinstance(value, list) else value


_WORDS = {
    "greater_than_equal": "is below the least, {ge}",
    "less_than_equal": "is above the most, {le}",
    "greater_than": "is not above {gt}",
    "less_than": "is not below {lt}",
    "int_type": "is not a whole number",
    "float_type": "is not a number",
    "string_type": "is not a text; put it in quotes",
    "bool_type": "is neither true nor false",
    "tuple_type": "is not a list",
}


def _in_words(error: Any, where: str) -> str:
    """What pydantic found, as people say it."""
    words = _WORDS.get(error["type"])
    if words:
        return f"{error['input']!r} {words.format(**error.get('ctx', {}))}"
    what = str(error["msg"]).removeprefix("Value error, ")
    return f"{what[:1].lower()}{what[1:]} (found {error['input']!r})" if where else what


def _did_you_mean(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
