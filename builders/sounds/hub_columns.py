"""Which columns of a dataset hold the audio, its label, and what is to be said of it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from builders.errors import SoundLibraryError
from builders.sounds.licenses import UNKNOWN, understand
from builders.sounds.manifest import COLUMNS, tidy_label

LABEL_NAMES = (
    *COLUMNS["label"],
    *("labels", "categories", "classes", "sounds", "sound_class", "sound_event", "sound_type"),
    *("event", "events", "event_label", "target", "tag", "tags"),
)
"""Names by which a column of texts is taken for the label; case, spaces and hyphens make no difference."""
_ROLE_NAMES = {
    "license": COLUMNS["license"],
    "uploader": (*COLUMNS["uploader"], "user"),
    "original": COLUMNS["original"],
    "source": COLUMNS["source"],
    "attribution": ("attribution", "credit", "author", "artist", "creator"),
}
"""What else is taken from a column, by its name; the first that is there."""
_INTEGERS = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
_TEXTS = ("string", "large_string", "string_view")
_LEAST_SHARED = 2
"""Rows of each label, on average, from which the only column of texts can be the label; titles and captions are all different."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that are used; "" where there is none.

    Attributes:
        license_text: the licence of the recordings that state none, where the user gives one.
    """

    audio: str
    label: str
    license: str = ""
    license_text: str = ""
    uploader: str = ""
    original: str = ""
    source: str = ""
    attribution: str = ""

    def described(self) -> str:
        """In words for a dataset's card: "audio 'audio', label 'category'"."""
        used = ("audio", "label", "license", "uploader", "original", "source", "attribution")
        return ", ".join(f"{role} {getattr(self, role)!r}" for role in used if getattr(self, role))


def choose(
    name: str, features: Mapping[str, Any], asked: Mapping[str, str], distinct: Callable[[str], tuple[int, int]]
) -> Columns:
    """The columns that are asked for; the others by their types and names.

    Args:
        name: of the dataset, for messages.
        features: the dataset's, by column.
        asked: "audio", "label", "license", "uploader", "original", each a column's name or "" for none; "license" may be a
            licence's name as well, for the rows that state none.
        distinct: how many different values a column has, and how many rows.

    Raises:
        SoundLibraryError: one line that lists the columns with their types.
    """

    def fail(what: str, option: str) -> SoundLibraryError:
        listed = ", ".join(f"{column} ({type_of(feature)})" for column, feature in features.items())
        return SoundLibraryError(f"{name}: {what}; its columns are {listed}; give the option {option}=COLUMN")

    def named(option: str) -> str:
        column = asked.get(option, "")
        if column and column not in features:
            close = difflib.get_close_matches(column, list(features), n=1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            raise fail(f"option {option}: there is no column {column!r}{hint}", option)
        return column

    roles = {role: _role(role, features, named, fail) for role in ("uploader", "original", "source", "attribution")}
    license_column, license_text = _license(features, asked.get("license", ""), named, fail)
    audio = named("audio") or _audio(features, fail)
    if not holds_audio(features[audio]):
        raise fail(f"column {audio!r} holds no audio but {type_of(features[audio])}", "audio")
    taken = {audio, license_column, *roles.values()}
    others = {column: feature for column, feature in features.items() if column not in taken}
    label = named("label") or _label(others, distinct, fail)
    if not _is_label(features[label]):
        raise fail(_no_names(label, features[label]), "label")
    free = {role: "" if column == label and not asked.get(role) else column for role, column in roles.items()}
    return Columns(audio, label, license_column, license_text, **free)


_Fail = Callable[[str, str], SoundLibraryError]


def _audio(features: Mapping[str, Any], fail: _Fail) -> str:
    found = [column for column, feature in features.items() if type_of(feature) == "Audio"]
    if len(found) != 1:
        what = f"several columns hold audio ({', '.join(found)})" if found else "no column holds audio"
        raise fail(what, "audio")
    return found[0]


def _label(features: Mapping[str, Any], distinct: Callable[[str], tuple[int, int]], fail: _Fail) -> str:
    """By type, then by name, then the only column of texts that repeat themselves."""
    classes = [column for column, feature in features.items() if _has_names(feature)]
    texts = [column for column, feature in features.items() if _is_label(feature) and not _has_names(feature)]
    called = [column for column in features if _key(column) in LABEL_NAMES]
    for found in (classes, [column for column in classes if column in called]):
        if len(found) == 1:
            return found[0]
    if classes:
        raise fail(f"several columns may be the label ({', '.join(classes)})", "label")
    found = [column for column in texts if column in called]
    numbers = [column for column in called if type_of(features[column]) in (*_INTEGERS, "ClassLabel")]
    if not found and numbers:
        raise fail(_no_names(numbers[0], features[numbers[0]]), "label")
    if not found:
        for column in texts:
            different, rows = distinct(column) if type_of(features[column]) in _TEXTS else (0, 0)
            if different > 1 and different * _LEAST_SHARED <= rows:
                found.append(column)
    if len(found) != 1:
        what = f"several columns may be the label ({', '.join(found)})" if found else "no column is clearly the label"
        raise fail(what, "label")
    return found[0]


def _license(features: Mapping[str, Any], asked: str, named: Callable[[str], str], fail: _Fail) -> tuple[str, str]:
    """The column of licences, and the licence of rows that state none: what a row says is never overruled by one for all."""
    if not asked or asked in features:
        return _role("license", features, named, fail), ""
    text = UNKNOWN if asked.lower() in (UNKNOWN, "other", "none") else asked
    if text != UNKNOWN and understand(text).kind == UNKNOWN:
        raise fail(f"option license: {asked!r} is neither a column nor a licence that is understood", "license")
    return _role("license", features, lambda _: "", fail), text


def _role(role: str, features: Mapping[str, Any], named: Callable[[str], str], fail: _Fail) -> str:
    asked = named(role)
    if asked:
        if not _is_plain(features[asked]):
            raise fail(f"option {role}: column {asked!r} holds {type_of(features[asked])}, not texts", role)
        return asked
    keys = {_key(column): column for column in reversed(list(features)) if _is_plain(features[column])}
    return next((keys[alias] for alias in _ROLE_NAMES[role] if alias in keys), "")


def _key(column: str) -> str:
    return column.strip().casefold().replace(" ", "_").replace("-", "_")


def _no_names(column: str, feature: Any) -> str:
    kind = type_of(feature)
    if kind in (*_INTEGERS, "ClassLabel"):
        return f"label column {column!r} is {kind} without names; cast it to a ClassLabel with names, or choose another"
    return f"column {column!r} holds no labels but {kind}"


# --- types ------------------------------------------------------------------------------------------------------------


def type_of(feature: Any) -> str:
    """A feature of `datasets` in a word or two: "string", "int64", "Audio", "ClassLabel", "list of string"."""
    inner = _inner(feature)
    if inner is not None:
        return f"list of {type_of(inner)}"
    if isinstance(feature, dict):
        return "struct"
    kind = type(feature).__name__
    return str(feature.dtype) if kind == "Value" else kind


def holds_audio(feature: Any) -> bool:
    """Whether rows have the bytes of a file, or its path: the feature Audio, or what is left of it where it got lost."""
    return type_of(feature) == "Audio" or (isinstance(feature, dict) and {"bytes", "path"} <= feature.keys())


def _inner(feature: Any) -> Any:
    """The feature of a list's elements; None where it is no list."""
    if isinstance(feature, list):
        return feature[0]
    return feature.feature if type(feature).__name__ in ("List", "LargeList") else None


def _is_plain(feature: Any) -> bool:
    return type_of(feature) in ("ClassLabel", *_TEXTS, *_INTEGERS)


def _has_names(feature: Any) -> bool:
    """Whether it is of classes with names; where nobody gave them any, `datasets` calls them "0", "1", and so on."""
    one = feature if _inner(feature) is None else _inner(feature)
    return type_of(one) == "ClassLabel" and not all(name.isdecimal() for name in one.names)


def _is_label(feature: Any) -> bool:
    return _has_names(feature) or type_of(feature if _inner(feature) is None else _inner(feature)) in _TEXTS


def text_reader(feature: Any) -> Callable[[Any], str]:
    """What makes a text of a value of a plain column: the name of a class, a number's digits; "" of None."""
    names = feature.names if type_of(feature) == "ClassLabel" else None

    def text(value: Any) -> str:
        if value is None:
            return ""
        if names is None:
            return str(value).strip()
        return names[value].strip() if 0 <= value < len(names) else ""

    return text


def label_reader(feature: Any) -> Callable[[Any], list[str]]:
    """What gives the labels of a value of the label column, tidied, each once, in order; none of None, -1 or ""."""
    inner = _inner(feature)
    text = text_reader(feature if inner is None else inner)

    def labels(value: Any) -> list[str]:
        values = [value] if inner is None else value or []
        return list(dict.fromkeys(filter(None, (tidy_label(text(one)) for one in values))))

    return labels
