"""The styles in which a timeline is told as text: a plain sentence, a list of events with their times, a story.

Each is a full account: what is relevant to a query can be told from the text alone. They differ in how: the sentence and the
list give times, from which a reader must work out what overlaps and what is longer; the story says it in words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from builders.captions import caption, in_seconds
from builders.logic import Margins
from builders.sounds.library import AtomicSound
from builders.timeline import Event, Timeline, blocks_of, overlap_ms

Sounds: TypeAlias = Mapping[str, AtomicSound]
Style: TypeAlias = Callable[[Timeline, Sounds], str]
"""Text of a timeline; the sounds by label, at least those of the timeline."""

NOTHING = "Nothing is heard."
_TOGETHER_MS = Margins().together_ms


def event_list(timeline: Timeline, sounds: Sounds) -> str:
    """One line for each event, in order of onset, exact to the millisecond.

    0.8 to 3.1 s: a dog barking
    4 to 6 s: a bell ringing
    """
    lines = (f"{in_seconds(event.onset_ms)} to {in_seconds(event.offset_ms)} s: {sounds[event.label].noun}" for event in timeline)
    return "\n".join(lines) or NOTHING


def story(timeline: Timeline, sounds: Sounds) -> str:
    """A paragraph that tells the events in order of onset, without a digit; lengths to a tenth of a second.

    "A dog barks for about two point three seconds. Then a bell rings for about two seconds. Meanwhile, rain falls for about two
    and a half seconds, together with a bell ringing for about one and a half seconds."

    "Then", "After that" and "Finally" begin what starts when everything before has ended, "Meanwhile" and "At the same time" what
    starts while something before it is still heard; the latter where the two start within 0.1 s, as in `Margins.together_ms`.
    Which earlier events a later one is heard together with is said of each, so that those not named have ended.
    """
    told: list[str] = []
    blocks = blocks_of(timeline)
    for number, block in enumerate(blocks):
        for place, event in enumerate(block):
            first = not place
            opening = _after(number, len(blocks)) if first else _during(event, block[place - 1])
            clause = f"{sounds[event.label].clause} for {about(event.duration_ms)}"
            told.append(_sentence(f"{opening}{clause}{'' if first else _together(event, block[:place], sounds)}"))
    return " ".join(told) or NOTHING


STYLES: Mapping[str, Style] = MappingProxyType({"sentence": caption, "events": event_list, "story": story})
"""Style -> text of a timeline."""


# --- the parts of a story ---------------------------------------------------------------------------------------------


def _after(block: int, blocks: int) -> str:
    if not block:
        return ""
    if block == blocks - 1 and blocks > 2:
        return "finally, "
    return "then " if block % 2 else "after that, "


def _during(event: Event, before: Event) -> str:
    return "at the same time, " if event.onset_ms - before.onset_ms <= _TOGETHER_MS else "meanwhile, "


def _together(event: Event, earlier: tuple[Event, ...], sounds: Sounds) -> str:
    pairs = ((other, overlap_ms(event, other)) for other in earlier)
    found = [f"together with {sounds[other.label].noun} for {about(shared)}" for other, shared in pairs if shared > 0]
    return f", {' and '.join(found)}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
    *("fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def about(milliseconds: int) -> str:
    """A length in words, to the nearest tenth of a second: "about two and a half seconds"; under 0.05 s "a moment".

    Args:
        milliseconds: from 0 to 99 s.
    """
    tenths = (milliseconds + 50) // 100
    whole, rest = divmod(tenths, 10)
    if not tenths:
        return "a moment"
    if tenths == 5:
        return "about half a second"
    if rest == 5:
        return f"about {_words(whole)} and a half seconds"
    if rest:
        return f"about {_words(whole)} point {_ONES[rest]} seconds"
    return f"about {_words(whole)} second{'s' if whole > 1 else ''}"


def _words(number: int) -> str:
    if number < len(_ONES):
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens]}-{_ONES[ones]}" if ones else _TENS[tens]
