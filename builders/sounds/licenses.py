"""Licences of recordings, however they are written: what they are, which are asked for, and what binds a corpus made of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from builders.errors import SoundLibraryError

UNKNOWN = "unknown"
_CC = {
    "cc0": "cc0",
    "by": "cc-by",
    "by-sa": "cc-by-sa",
    "by-nc": "cc-by-nc",
    "by-nc-sa": "cc-by-nc-sa",
    "by-nd": "cc-by-nd",
    "by-nc-nd": "cc-by-nc-nd",
}
_PERMISSIVE = {
    "mit": (r"(the )?(mit|expat)", "MIT"),
    "apache": (r"apache( license)?( version)?( 2( 0)?)?", "Apache-2.0"),
    "bsd": (r"(new |modified |simplified )?bsd( [23])?( clause)?", "BSD-3-Clause"),
    "isc": (r"isc", "ISC"),
    "unlicense": (r"(the )?unlicense", "Unlicense"),
}
CLASSES = ("cc0", "public-domain", *_PERMISSIVE, "cc-by", "cc-by-sa", "sampling+", "cc-by-nc", "cc-by-nc-sa", UNKNOWN)
"""What `--licenses` may ask for, from the freest to the most restrictive; what is not understood is `unknown`."""
NO_DERIVATIVES = ("cc-by-nd", "cc-by-nc-nd")
"""These forbid what a composite clip is: a derivative."""
_HUB_LICENSES = {
    *("cc0-1.0", "cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0"),
    *("cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0"),
    *("mit", "apache-2.0", "bsd-3-clause", "isc", "unlicense"),
}
"""Names that the Hub knows (those that occur here)."""

_NON_COMMERCIAL = ("cc-by-nc", "cc-by-nc-sa", "sampling+")


@dataclass(frozen=True, slots=True)
class License:
    """What a text says.

    Attributes:
        kind: one of `CLASSES` or `NO_DERIVATIVES`.
        version: "3.0"; "" where the text gives none, or there is but one.
        ported: the jurisdiction of a ported licence ("uk"), else "".
    """

    kind: str
    version: str = ""
    ported: str = ""

    @property
    def name(self) -> str:
        """The SPDX name where there is one ("CC-BY-3.0", "CC0-1.0")."""
        if self.kind in _PERMISSIVE:
            return _PERMISSIVE[self.kind][1]
        if self.kind == "cc0":
            return "CC0-1.0"
        if self.kind == "sampling+":
            return "CC-Sampling+-1.0"
        if not self.kind.startswith("cc-"):
            return self.kind
        return "-".join(filter(None, (self.kind.upper(), self.version, self.ported.upper())))


def understand(text: str) -> License:
    """The licence that a text names: a URL of Creative Commons, an SPDX name, or a common spelling ("Attribution 3.0", "CC 0").

    A text that says anything else besides ("CC-BY-3.0 and CC0-1.0", "MIT, but not the voices") is `unknown`.
    """
    lower = text.strip().lower()
    url = re.fullmatch(
        r"(?:https?:)?(?://)?(?:www\.)?creativecommons\.org/(licenses|publicdomain)/([a-z+-]+)/(\d\.\d)"
        r"(?:/([a-z]{2,3}))?(?:/(?:deed|legalcode)(?:[.\w-]*))?/?",
        lower,
    )
    if url:
        return _of_url(*url.groups())
    words = re.sub(r"[^a-z0-9.+]+", " ", lower).strip()
    words = re.sub(r"\b(licen[sc]ed?|under|the|a|deed|dedication|international|unported|generic|legalcode|package)\b", " ", words)
    words = re.sub(r"\bv(?=\d)", "", " ".join(words.split()))
    return _of_words(words)


def _of_url(shelf: str, name: str, version: str, ported: str | None) -> License:
    if shelf == "publicdomain":
        return License({"zero": "cc0", "mark": "public-domain"}.get(name, UNKNOWN))
    if name in ("sampling+", "sampling"):
        return License("sampling+") if name == "sampling+" else License(UNKNOWN)
    parts = set(name.split("-"))
    return _of_parts(parts, version, ported or "")


def _of_parts(parts: set[str], version: str, ported: str = "") -> License:
    name = "-".join(part for part in ("by", "nc", "sa", "nd") if part in parts)
    if not parts <= {"by", "nc", "sa", "nd"} or name not in _CC:
        return License(UNKNOWN)
    return License(_CC[name], version, ported if len(ported) <= 3 else "")


_PHRASES = (
    (r"\bnon ?commercial\b", "nc"),
    (r"\bshare ?alike\b", "sa"),
    (r"\bno ?deriv(ative)?s?( works)?\b", "nd"),
    (r"\battribution\b", "by"),
    (r"\bcreative commons\b", "cc"),
)


def _of_words(words: str) -> License:
    if re.fullmatch(
        r"(cc|creative commons)? ?(0|zero)( 1\.0)?( universal)?( public domain)?|cc0( 1\.0)?( universal)?( public domain)?", words
    ):
        return License("cc0")
    if re.fullmatch(r"(cc )?public domain( mark)?( 1\.0)?|publicdomain|pd|no rights reserved|cc pdm?( 1\.0)?", words):
        return License("public-domain")
    if re.fullmatch(r"(cc |creative commons )?sampling ?(\+|plus)( 1\.0)?", words):
        return License("sampling+")
    for kind, (pattern, _) in _PERMISSIVE.items():
        if re.fullmatch(pattern, words.replace(".", " ")):
            return License(kind)
    for pattern, short in _PHRASES:
        words = re.sub(pattern, short, words)
    found = re.fullmatch(r"(?:cc )?((?:by|nc|sa|nd)(?: (?:by|nc|sa|nd))*)(?: (\d\.\d|\d))?(?: ([a-z]{2,3}))?", words)
    if not found:
        return License(UNKNOWN)
    version = found[2] or ""
    return _of_parts(set(found[1].split()), version + ".0" if len(version) == 1 else version, found[3] or "")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which licences are asked for: classes, each with a version or any."""

    asked: tuple[License, ...]

    def holds(self, text: str) -> bool:
        """Whether a recording with this licence is wanted."""
        found = understand(text)
        return any(found.kind == one.kind and one.version in ("", found.version) for one in self.asked)

    def __str__(self) -> str:
        return ",".join(one.kind + (f"-{one.version}" if one.version else "") for one in self.asked)


def wanted(text: str) -> Wanted:
    """What a list such as "cc0,cc-by,unknown" asks for.

    Raises:
        SoundLibraryError: an entry is not understood, forbids derivatives, or the list is empty.
    """
    asked: list[License] = []
    for entry in filter(None, (entry.strip() for entry in text.split(","))):
        found = License(UNKNOWN) if entry.lower() in (UNKNOWN, "none", "other") else understand(entry)
        if found.kind in NO_DERIVATIVES:
            raise SoundLibraryError(
                f"licenses: {entry!r} forbids derivatives, and a clip made of a recording is one; leave it out"
            )
        if found.kind == UNKNOWN and entry.lower() not in (UNKNOWN, "none", "other"):
            raise SoundLibraryError(f"licenses: {entry!r} is not understood; there are {', '.join(CLASSES)}")
        asked.append(found)
    if not asked:
        raise SoundLibraryError(f"licenses: none is named; there are {', '.join(CLASSES)}")
    return Wanted(tuple(dict.fromkeys(asked)))


def corpus_license(texts: Iterable[str]) -> str:
    """The Hub's name of the licence of a corpus made of recordings with these: the most restrictive of them.

    "other" where one is not understood (or names no version, or is a ported one), where two forbid each other (share-alike and
    non-commercial), where the Hub has no name for it, and where there is none.
    """
    found = {understand(text) for text in texts}
    kinds = {one.kind for one in found}
    if not found or UNKNOWN in kinds or kinds & set(NO_DERIVATIVES):
        return "other"
    if any(one.kind.startswith("cc-") and (not one.version or one.ported) for one in found):
        return "other"
    if "cc-by-sa" in kinds and kinds & set(_NON_COMMERCIAL):
        return "other"
    top = max(found, key=lambda one: (CLASSES.index(one.kind), one.version))
    # The public domain has no name on the Hub, and nothing is withheld by calling it CC0.
    name = "cc0-1.0" if top.kind in ("cc0", "public-domain") else top.name.lower()
    return name if name in _HUB_LICENSES else "other"
