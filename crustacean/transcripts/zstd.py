"""Zstandard frames of others, decoded within bounds."""

from __future__ import annotations

import io
from pathlib import Path

import zstandard

_WINDOW = 1 << 27
_PIECE = 256 << 10
_HEADER = 18


class TooLong(ValueError):
    """It decodes to more than it may."""


class CutOff(ValueError):
    """It ends before its end."""


def decode(data: bytes, limit: int) -> bytes:
    """What the frame holds, at most `limit` bytes. Raises TooLong, and zstandard.ZstdError where it is no such frame.

    Decoded as a stream: the size that a frame claims for itself is not believed.
    """
    with zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(io.BytesIO(data)) as stream:
        out = stream.read(limit + 1)
    if len(out) > limit:
        raise TooLong(f"more than {limit} bytes")
    return out


def unpack(source: Path, target: Path, limit: int) -> None:
    """Decode one file into another, piece by piece; frames that follow one another too.

    Raises TooLong, CutOff, OSError, and zstandard.ZstdError where it is damaged; what was decoded before that stays
    written.
    """
    size = 0
    decoder = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
    with (
        source.open("rb") as packed,
        target.open("wb") as file,
        decoder.stream_reader(packed, read_across_frames=True) as stream,
    ):
        while piece := stream.read(_PIECE):
            size += len(piece)
            if size > limit:
                raise TooLong(f"more than {limit >> 20} MB")
            file.write(piece)
        packed.seek(0)
        claimed = zstandard.get_frame_parameters(packed.read(_HEADER)).content_size
    if size < (claimed if claimed != zstandard.CONTENTSIZE_UNKNOWN else 1):
        raise CutOff("it is cut off")
