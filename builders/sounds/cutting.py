"""Cuts a recording to where it is audible, so that it is audible there again when it stands in a clip."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from builders.errors import UnusableRecordingError
from builders.recipe import Recipe
from builders.sounds.audible import Span, audible_span, audible_spans, frame_levels, longest_gap_ms
from builders.sounds.decoding import MAX_READ_S
from builders.sounds.library import Samples

AGREED_MS = 20
"""Declared and measured ends that are no further apart agree: a frame of audibility is that long."""
_ROUNDS = 8
_DIGITAL_SILENCE = 1e-5  # below half a step of 16 bits
_NOTICEABLE_OFFSET = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """The part of a recording that is used.

    Attributes:
        samples: mono float32 [n], without a DC offset; a multiple of the recipe's hop (5 ms) long. Fades are not applied.
        error_ms: how far the ends of `samples` are from the audible span as measured in a clip, at worst.
    """

    samples: Samples
    duration_ms: int
    continuous: bool
    error_ms: int
    note: str


def cut(samples: Samples, recipe: Recipe) -> Piece:
    """The longest audible piece of a recording.

    Split where it is inaudible for more than `audible.split_gap_ms`; of the pieces the longest (of equals the first), of which at
    most the first `audible.max_piece_ms`; then drawn in until the span measured in a clip agrees (see `measured_error`).

    Args:
        samples: the whole recording, mono [n] at `recipe.sample_rate`.
        recipe: the rules of audibility and the length of fades.

    Raises:
        UnusableRecordingError: nothing long enough is audible, or its ends cannot be told.
    """
    rules, rate = recipe.audible, recipe.sample_rate
    notes = []
    if len(samples) >= MAX_READ_S * rate:
        notes.append(f"only its first {MAX_READ_S} s were looked at")
    samples, offset = _without_offset(samples, recipe.samples(rules.hop_ms))
    if abs(offset) >= _NOTICEABLE_OFFSET:
        notes.append(f"a DC offset of {offset:.2f} was removed")
    spans = audible_spans(frame_levels(samples, rate, rules), rules.split_gap_ms, rules)
    pieces = [_within(span, samples, recipe) for span in spans]
    if not pieces:
        raise UnusableRecordingError("digital silence")
    longest = max(pieces, key=lambda span: span.duration_ms)
    if len(pieces) > 1:
        notes.append(f"the longest of {len(pieces)} pieces")
    _check_length(longest, recipe, len(pieces))
    if longest.duration_ms > rules.max_piece_ms:
        notes.append(f"its first {rules.max_piece_ms / 1000:g} s, of {longest.duration_ms / 1000:g} s")
        longest = _whole_hops(longest.start_ms, longest.start_ms + rules.max_piece_ms, recipe)
    span, error_ms = _settle(samples, longest, recipe)
    piece = np.ascontiguousarray(_take(samples, span, recipe))
    gap_ms = longest_gap_ms(frame_levels(faded(piece, recipe), rate, rules), rules)
    return Piece(piece, span.duration_ms, gap_ms <= rules.continuous_gap_ms, error_ms, "; ".join(notes))


def faded(samples: Samples, recipe: Recipe) -> Samples:
    """`samples` with raised-cosine fades of `recipe.sound.fade_ms` at both ends, as an event has them in a clip."""
    length = min(recipe.samples(recipe.sound.fade_ms), len(samples) // 2)
    rise = (0.5 - 0.5 * np.cos(np.pi * (np.arange(length) + 0.5) / max(length, 1))).astype(np.float32)
    out = np.array(samples)
    out[:length] *= rise
    out[len(out) - length :] *= rise[::-1]
    return out


def measured_error(samples: Samples, recipe: Recipe) -> int:
    """How far, in ms at worst, the audible span of `samples` is from their ends when they stand in an otherwise silent clip.

    They are faded and placed on each of the milliseconds of a hop, as the frames of a clip need not begin where they do.
    """
    rate, rules = recipe.sample_rate, recipe.audible
    edge_ms = 2 * rules.frame_ms
    placed = np.zeros(len(samples) + recipe.samples(2 * edge_ms + rules.hop_ms), dtype=np.float32)
    inner = faded(samples, recipe)
    duration_ms = recipe.milliseconds(len(samples))
    worst = 0
    for onset_ms in range(edge_ms, edge_ms + rules.hop_ms):
        placed[:] = 0
        start = recipe.samples(onset_ms)
        placed[start : start + len(inner)] = inner
        span = audible_span(placed, rate, rules)
        if span is None:
            return duration_ms
        worst = max(worst, abs(span.start_ms - onset_ms), abs(span.end_ms - onset_ms - duration_ms))
    return worst


def _settle(samples: Samples, span: Span, recipe: Recipe) -> tuple[Span, int]:
    """Draws `span` in to what is measured of it, round by round; the first that agrees, else the best.

    Fades, and a loudest frame that lay outside, move the ends of a first cut.
    """
    best: tuple[int, Span] | None = None
    for _ in range(_ROUNDS):
        piece = _take(samples, span, recipe)
        error_ms = measured_error(piece, recipe)
        if best is None or error_ms < best[0]:
            best = (error_ms, span)
        if error_ms <= AGREED_MS:
            break
        inner = audible_span(faded(piece, recipe), recipe.sample_rate, recipe.audible)
        if inner is None:
            break
        drawn_in = _whole_hops(span.start_ms + inner.start_ms, span.start_ms + inner.end_ms, recipe)
        if drawn_in == span:
            break
        span = drawn_in
        if span.duration_ms < recipe.audible.min_piece_ms:
            break
    assert best is not None
    error_ms, span = best
    if error_ms > recipe.audible.max_error_ms:
        raise UnusableRecordingError(
            f"it cannot be told where it begins and ends: cut to where it is audible and faded, it is audible {error_ms} ms less "
            f"(at most {recipe.audible.max_error_ms} ms are allowed)"
        )
    return span, error_ms


def _without_offset(samples: Samples, hop: int) -> tuple[Samples, float]:
    """`samples` less their mean, and the mean. Digital silence (padding) does not count, and stays digital silence."""
    padded = np.zeros(-(-len(samples) // hop) * hop, dtype=np.float32)
    padded[: len(samples)] = samples
    hops = padded.reshape(-1, hop)
    sounding = np.abs(hops).max(axis=1) > _DIGITAL_SILENCE
    if not sounding.any():
        return samples, 0.0
    offset = float(hops[sounding].mean(dtype=np.float64))
    hops[sounding] -= np.float32(offset)
    return padded[: len(samples)], offset


def _within(span: Span, samples: Samples, recipe: Recipe) -> Span:
    length_ms = len(samples) * 1000 // recipe.sample_rate
    return _whole_hops(max(span.start_ms, 0), min(span.end_ms, length_ms), recipe)


def _whole_hops(start_ms: int, end_ms: int, recipe: Recipe) -> Span:
    return Span(start_ms, end_ms - (end_ms - start_ms) % recipe.audible.hop_ms)


def _take(samples: Samples, span: Span, recipe: Recipe) -> Samples:
    """The span's samples: exactly as many as its length asks for, whatever its start rounds to."""
    length = recipe.samples(span.duration_ms)
    start = min(recipe.samples(span.start_ms), len(samples) - length)
    return samples[start : start + length]


def _check_length(span: Span, recipe: Recipe, pieces: int) -> None:
    least = recipe.audible.min_piece_ms
    if span.duration_ms < least:
        what = f"its longest of {pieces} audible pieces lasts" if pieces > 1 else "it is audible for"
        raise UnusableRecordingError(f"too short: {what} {span.duration_ms / 1000:g} s; at least {least / 1000:g} s are needed")
