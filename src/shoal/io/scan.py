"""Where the records of a CSV file begin, and whether each has as many cells as the header.

Readers built for speed fill up or cut rows of a wrong width without a word. This scan
counts separators outside quotes over the raw bytes, so that no such row slips through.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_CHUNK = 1 << 20  # what is found in it stays in the cache
_NEWLINE, _RETURN = 10, 13


@dataclass(frozen=True)
class Layout:
    """What a scan found.

    ``records``: how many records there are, blank lines apart.
    ``blanks``: start and end, in bytes, of each blank line.
    ``ragged``: start of the first record of a wrong width, and how many cells it has.
    ``content_end``: where the last record ends.
    """

    records: int
    blanks: list[tuple[int, int]]
    ragged: tuple[int, int] | None
    content_end: int


def scan(data: bytes, start: int, width: int, separator: str, quote: str) -> Layout | None:
    r"""Scan the records of UTF-8 bytes from ``start`` on.

    Gives ``None`` if quotes stand where the fast rules cannot judge them: inside an
    unquoted cell, before more text of a quoted cell, or open to the end of the file.
    A carriage return must be part of a line end, or inside quotes before a newline.

    >>> scan(b'1,"a\n,b"\n2\n', 0, 2, ",", '"').ragged
    (9, 1)
    >>> scan(b'1,5" pipe\n', 0, 2, ",", '"') is None
    True
    """
    array = np.frombuffer(data, np.uint8)
    quoted = quote != "" and quote.encode() in data
    quote_byte = ord(quote) if quoted else -1
    size, records, content_end = _CHUNK, 0, start
    blanks: list[tuple[int, int]] = []
    while start < len(array):
        chunk = array[start : start + size]
        last = start + size >= len(array)
        marks = chunk == _NEWLINE
        marks |= chunk == ord(separator)
        if quoted:
            marks |= chunk == quote_byte
        at = np.flatnonzero(marks)
        kinds = chunk[at]
        opened = closed = at[:0]
        if quoted:
            at, kinds, opened, closed, unclosed = _outside_quotes(at, kinds, quote_byte)
            if last and unclosed:
                return None
        ends = np.flatnonzero(kinds == _NEWLINE)
        if not last and not len(ends):
            size *= 2
            continue
        stops = at[ends]
        cells = np.diff(ends, prepend=-1)
        if last and (not len(stops) or stops[-1] + 1 < len(chunk)):
            cells = np.append(cells, len(at) - (ends[-1] + 1 if len(ends) else 0) + 1)
            stops = np.append(stops, len(chunk))
        if quoted and not _well_placed(chunk, opened, closed, int(stops[-1]), separator, quote):
            return None
        starts = np.concatenate(([0], stops[:-1] + 1))
        blank = _blank(chunk, starts, stops, cells)
        filled = np.ones(len(stops), dtype=bool)
        filled[blank] = False
        wrong = np.flatnonzero(filled & (cells != width))
        if len(wrong):
            first = int(wrong[0])
            found = start + int(starts[first]), int(cells[first])
            return Layout(records, blanks, found, content_end)
        blanks.extend((start + int(starts[i]), start + int(stops[i]) + 1) for i in blank)
        records += int(filled.sum())
        if filled.any():
            content_end = start + int(stops[np.flatnonzero(filled)[-1]])
        start += int(stops[-1]) + 1
        size = _CHUNK
    return Layout(records, blanks, None, content_end)


_Bytes = np.ndarray[tuple[int], np.dtype[np.uint8]]
_Places = np.ndarray[tuple[int], np.dtype[np.int64]]


def _outside_quotes(
    at: _Places, kinds: _Bytes, quote: int
) -> tuple[_Places, _Bytes, _Places, _Places, bool]:
    """Keep the separators and line ends outside quotes; tell opening and closing quotes."""
    is_quote = kinds == quote
    inside = (np.cumsum(is_quote, dtype=np.int32) & 1).astype(bool)
    free = ~(inside | is_quote)
    unclosed = bool(len(inside) and inside[-1])
    return at[free], kinds[free], at[is_quote & inside], at[is_quote & ~inside], unclosed


def _well_placed(
    chunk: _Bytes, opened: _Places, closed: _Places, end: int, separator: str, quote: str
) -> bool:
    """Whether quotes up to ``end`` open at the start of a cell and close at its end."""
    before = np.zeros(256, dtype=bool)
    before[[ord(separator), ord(quote), _NEWLINE]] = True
    after = before.copy()
    after[_RETURN] = True
    opened = opened[(opened > 0) & (opened < end)]
    closed = closed[closed < min(end, len(chunk) - 1)]
    return bool(before[chunk[opened - 1]].all() and after[chunk[closed + 1]].all())


def _blank(chunk: _Bytes, starts: _Places, stops: _Places, cells: _Places) -> _Places:
    """Which records are empty lines."""
    one = np.flatnonzero(cells == 1)
    length = stops[one] - starts[one]
    first = chunk[np.minimum(starts[one], len(chunk) - 1)]
    found: _Places = one[(length == 0) | ((length == 1) & (first == _RETURN))]
    return found
