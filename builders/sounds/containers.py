"""What a file's container tells and the decoder does not: that audio is missing, or that there is more of it.

libsndfile reads what is there and says nothing of a WAV that ends too early, an Ogg cut inside a page, a second stream in an
Ogg, or an MP3 cut inside a frame. Only headers are read here, never audio.
"""

from __future__ import annotations

import io
import os
import struct
from pathlib import Path
from typing import BinaryIO

_UNKNOWN_SIZE = 0x7FFF0000
"""Writers that cannot seek put a size from here up to 2^32 - 1 in the header, meaning "to the end of the file"."""


def container_fault(audio: Path | bytes) -> str | None:
    """Why a file does not hold what its container promises, in words for a person; None where nothing is wrong.

    Args:
        audio: the file, or all its bytes.

    Raises:
        OSError: the file cannot be read.
    """
    with _opened(audio) as file:
        magic = file.read(4)
        file.seek(0)
        if magic in (b"RIFF", b"FORM"):
            return _chunk_fault(file, little=magic == b"RIFF")
        if magic == b"OggS":
            return _ogg_fault(file)
    return None


def _opened(audio: Path | bytes) -> BinaryIO:
    return io.BytesIO(audio) if isinstance(audio, bytes) else audio.open("rb")


def _size(file: BinaryIO) -> int:
    """Of the whole file; leaves the position at its end."""
    return file.seek(0, os.SEEK_END)


def _chunk_fault(file: BinaryIO, *, little: bool) -> str | None:
    """WAV and AIFF: whether the chunk that holds the audio is as long as its header says."""
    size_of_file = _size(file)
    wanted = b"data" if little else b"SSND"
    position = 12
    while position + 8 <= size_of_file:
        file.seek(position)
        name, size = struct.unpack("<4sI" if little else ">4sI", file.read(8))
        if name == wanted:
            there = size_of_file - position - 8
            if there < size < _UNKNOWN_SIZE:
                return f"truncated: its header promises {size} bytes of audio, the file holds {there}"
            if size == 0 and there > 8:
                return f"its header says that it holds no audio, though {there} bytes follow; write the file again"
            return None
        position += 8 + size + size % 2
    return None


def _ogg_fault(file: BinaryIO) -> str | None:
    """Ogg (RFC 3533): whether the last page is whole, and whether a further stream follows the first."""
    size_of_file = _size(file)
    position, data_seen = 0, False
    while position + 27 <= size_of_file:
        file.seek(position)
        header = file.read(27)
        if header[:4] != b"OggS":
            return None  # damaged or followed by something else: the decoder's count of frames tells which
        begins_stream = bool(header[5] & 2)
        if begins_stream and data_seen:
            return "several Ogg streams follow each other in this file, and only the first can be read; write them as one stream"
        data_seen = data_seen or not begins_stream
        position += 27 + header[26] + sum(file.read(header[26]))
        if position > size_of_file:
            return "truncated: the file ends inside an Ogg page"
    return None


# MPEG audio, layer III: bit rates in kbit/s by index, for version 1 and for versions 2 and 2.5; sampling rates of version 1.
_BIT_RATES = (
    (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
)
_SAMPLE_RATES = (44100, 48000, 32000)
_RATE_DIVISOR = {3: 1, 2: 2, 0: 4}
"""By the version bits: MPEG 1, 2, 2.5."""


def mp3_fault(audio: Path | bytes, promised: int, decoded: int, limit: int) -> str | None:
    """Why an MP3 does not hold what it should, or cannot be read to its end; None where nothing is wrong, or nobody can tell.

    Args:
        audio: the file, or all its bytes.
        promised: samples a channel, as the decoder says. A guess, often far off, unless a Xing, Info or VBRI header gives it.
        decoded: samples a channel that were decoded.
        limit: more than this was not asked for.

    Raises:
        OSError: the file cannot be read.
    """
    with _opened(audio) as file:
        size_of_file = _size(file)
        file.seek(0)
        position, head = 0, file.read(10)
        if head[:3] == b"ID3" and len(head) == 10:
            # The size of an ID3 tag has seven bits a byte.
            position = 10 + sum((byte & 0x7F) << shift for byte, shift in zip(head[6:], (21, 14, 7, 0), strict=True))
        file.seek(position)
        start = file.read(256)
        stated = any(mark in start for mark in (b"Xing", b"Info", b"VBRI"))
        there = 0
        while position + 4 <= size_of_file:
            file.seek(position)
            length, samples = _mp3_frame(file.read(4))
            if not length:
                break  # a tag at the end, or a format of unknown length
            position += length
            there += samples
    if position > size_of_file:
        return "truncated: the file ends inside an MP3 frame"
    if stated and decoded < min(promised, limit):
        return f"damaged or truncated: {promised} frames are promised, {decoded} can be decoded"
    if not stated and decoded < min(there, limit) - _MP3_SLACK:
        # The decoder stops at its guess.
        return f"an MP3 that does not state its length, of which {decoded} of {there} samples can be read; write it again"
    return None


_MP3_SLACK = 4 * 1152
"""Samples that an encoder's delay and padding, and frames without audio, may account for."""


def _mp3_frame(header: bytes) -> tuple[int, int]:
    """Bytes and samples of the layer III frame that begins with these four bytes; (0, 0) if they begin none of known length."""
    if header[0] != 0xFF or header[1] & 0xE6 != 0xE2:  # sync, and layer III
        return 0, 0
    version, rate_index, bit_rate_index = header[1] >> 3 & 3, header[2] >> 2 & 3, header[2] >> 4
    if version == 1 or rate_index == 3 or bit_rate_index in (0, 15):
        return 0, 0
    samples = 1152 if version == 3 else 576
    bits = _BIT_RATES[0 if version == 3 else 1][bit_rate_index] * 1000
    rate = _SAMPLE_RATES[rate_index] // _RATE_DIVISOR[version]
    return samples // 8 * bits // rate + (header[2] >> 1 & 1), samples
