"""What builders ask of a column: its distinct texts, their numbers, their natural order."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arguments import require_kind
from shoal.base.cells import texts

Number = int | float

_NUMBER = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*\Z", re.ASCII)
_INTEGER = re.compile(r"\s*[+-]?\d+\s*\Z", re.ASCII)


def distinct_texts(values: pl.Series) -> list[str]:
    """Give the distinct values as texts, in order of first appearance, without nulls.

    >>> distinct_texts(pl.Series([2.0, 1.5, None, 2.0]))
    ['2', '1.5']
    """
    _require_series(values)
    cells = texts(values.drop_nulls().unique(maintain_order=True)).cast(pl.String)
    return list(dict.fromkeys(cells.to_list()))


def count_texts(values: pl.Series) -> dict[str, int]:
    """Count how often each value occurs, without nulls.

    >>> count_texts(pl.Series(["b", "a", None, "b"]))
    {'b': 2, 'a': 1}
    """
    _require_series(values)
    cells = texts(values.drop_nulls()).cast(pl.String).alias("value")
    counted = cells.to_frame().group_by("value", maintain_order=True).len()
    return dict(zip(counted["value"].to_list(), counted["len"].to_list(), strict=True))


def as_number(text: str) -> Number | None:
    """Read a finite number; a whole number keeps all its digits.

    >>> as_number("70"), as_number("7e1"), as_number("tall"), as_number("inf")
    (70, 70.0, None, None)
    """
    if not _NUMBER.match(text):
        return None
    value = float(text)
    whole = _INTEGER.match(text) is not None
    return (int(text) if whole else value) if math.isfinite(value) else None


def natural_order(values: Iterable[str]) -> list[str]:
    """Sort numerically if every value is a number, else by text.

    >>> natural_order(["10", "9", "-1"]), natural_order(["10", "9", "x"])
    (['-1', '9', '10'], ['10', '9', 'x'])
    """
    listed = list(values)
    numbers = [number for value in listed if (number := as_number(value)) is not None]
    if len(numbers) < len(listed):
        return sorted(listed)
    return [value for _, value in sorted(zip(numbers, listed, strict=True))]


def positions_of(values: pl.Series, labels: Sequence[str]) -> npt.NDArray[np.int32]:
    """Find each value among labels: -1 for null, -2 for one that is not there.

    >>> positions_of(pl.Series(["b", None, "x"]), ["a", "b"]).tolist()
    [1, -1, -2]
    """
    _require_series(values)
    cells = texts(values).cast(pl.String)
    found: npt.NDArray[np.int32] = cells.replace_strict(
        pl.Series(labels, dtype=pl.String),
        pl.Series(np.arange(len(labels), dtype=np.int32)),
        default=-2,
        return_dtype=pl.Int32,
    ).to_numpy(writable=True)
    found[cells.is_null().to_numpy()] = -1
    return found


def _require_series(values: object) -> None:
    hint = "Such as pl.Series(['a', 'b']), or a column of a polars frame."
    require_kind("values", values, pl.Series, "a polars Series", hint)
