"""Small line and bar plots as PNG, drawn with integers alone: the same bytes on every machine.

Black on white, without text: labels and values are in the data that a plot is made from.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import numpy as np
import numpy.typing as npt

WIDTH: Final = 160
HEIGHT: Final = 120
_MARGIN: Final = 10
_WHITE: Final = 3
_GREY: Final = 2
_BLACK: Final = 0

Canvas = npt.NDArray[np.uint8]


def png_of(values: Sequence[float], *, bars: bool = False) -> bytes:
    """Plots values at equal distances, from the least (or 0, for bars) to the largest.

    Args:
        values: Finite values, at least one.
        bars: Whether bars are drawn, else a line with a mark at each point.

    Returns:
        The bytes of a PNG of 160 by 120 pixels in four greys, about 5 KB.
    """
    canvas = np.full((HEIGHT, WIDTH), _WHITE, dtype=np.uint8)
    bottom, left = HEIGHT - _MARGIN, _MARGIN
    canvas[_MARGIN : bottom + 1, left] = _BLACK
    canvas[bottom, left : WIDTH - _MARGIN] = _BLACK
    exact = [Fraction(repr(float(value))) for value in values]
    low = min([*exact, Fraction(0)]) if bars else min(exact)
    span = max(exact) - low or Fraction(1)
    rows = [bottom - 2 - int((value - low) * (bottom - _MARGIN - 6) / span) for value in exact]
    step = (WIDTH - 2 * _MARGIN) // len(exact)
    columns = [left + step * place + step // 2 for place in range(len(exact))]
    if bars:
        for column, row in zip(columns, rows, strict=True):
            canvas[row:bottom, column - step // 3 : column + step // 3 + 1] = _GREY
            canvas[row, column - step // 3 : column + step // 3 + 1] = _BLACK
    else:
        for place in range(len(rows) - 1):
            _line(canvas, columns[place], rows[place], columns[place + 1], rows[place + 1])
        for column, row in zip(columns, rows, strict=True):
            canvas[row - 2 : row + 3, column - 2 : column + 3] = _BLACK
    return _encode(canvas)


def _line(canvas: Canvas, x0: int, y0: int, x1: int, y1: int) -> None:
    steps = max(abs(x1 - x0), abs(y1 - y0), 1)
    for step in range(steps + 1):
        canvas[y0 + (y1 - y0) * step // steps, x0 + (x1 - x0) * step // steps] = _GREY


def _encode(canvas: Canvas) -> bytes:
    four = canvas.reshape(HEIGHT, WIDTH // 4, 4)  # pixels that share a byte
    packed = four[:, :, 0] << 6 | four[:, :, 1] << 4 | four[:, :, 2] << 2 | four[:, :, 3]
    raw = b"".join(b"\0" + row.tobytes() for row in packed.astype(np.uint8))  # no filter in any line
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 2, 0, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", _stored(raw)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def _stored(raw: bytes) -> bytes:
    """A zlib stream of one stored block: what a compressor makes differs between its versions."""
    size = len(raw)
    return b"\x78\x01\x01" + struct.pack("<HH", size, size ^ 0xFFFF) + raw + struct.pack(">I", zlib.adler32(raw))
