"""How the values of a column are spread, in a few bins: what a small picture shows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Ints
from shoal.base.cells import dates_text, number_text, texts
from shoal.io.frames import Dictionary
from shoal.judging.remarks.seen import as_numbers
from shoal.steward.proposal.appearance import Appearance
from shoal.table.schema import is_missing
from shoal.table.written_dates import read_dates

MOST_BINS = 12
"""More bars make no small picture."""

_EPOCH = date(1970, 1, 1).toordinal()


@dataclass(frozen=True)
class Distribution:
    """How many cells lie in each bin. The labels may be cells of the table."""

    labels: tuple[str, ...]
    """What each bin is called; none if no value comes twice, or none is known."""
    counts: tuple[int, ...]
    """How many cells it holds."""
    ordered: bool
    """Whether the bins follow each other on a scale; else the most frequent come first."""
    joined: int = 0
    """How many values are joined in the last bin, because they are too many; 0 if none."""


def distribution(
    column: pl.Series | Dictionary,
    appearance: Appearance,
    missing: Sequence[str] = (),
    *,
    most: int = MOST_BINS,
) -> Distribution:
    """Count the known cells of a column in bins.

    Numbers and dates lie in bins of one width, with round ends; of categories the most frequent
    values are told apart, and the rest is one bin.

    `appearance`: what its values look like: see `ColumnProfile`.
    `missing`: texts that mean "missing" in it.
    `most`: the largest number of bins.

    Examples
    --------
    >>> distribution(pl.Series([3, 18, 24, 36, 39]), Appearance.INTEGER, most=4)
    Distribution(labels=('0 to 9', '10 to 19', '20 to 29', '30 to 39'), counts=(1, 1, 1, 2),
    ordered=True, joined=0)
    >>> distribution(pl.Series(["a", "b", "b", "c", "d"]), Appearance.CATEGORY, most=3)
    Distribution(labels=('b', 'a', ''), counts=(2, 1, 2), ordered=False, joined=2)
    """
    held = column if isinstance(column, Dictionary) else Dictionary.of(column)
    known = (~is_missing(held.values, missing)).to_numpy()
    values, counts = held.values.filter(pl.Series(known)), held.counts[known]
    if not len(values):
        return Distribution((), (), ordered=True)
    if appearance.is_number and (numbers := as_numbers(values, ())) is not None:
        return _of_numbers(numbers.to_numpy(), counts, most)
    if appearance is Appearance.DATE and (days := _days(values)) is not None:
        return _of_days(days, counts, most)
    return _of_categories(values, counts, most)


def _of_categories(values: pl.Series, counts: Ints, most: int) -> Distribution:
    if counts.max() == 1 and len(counts) > most:
        return Distribution((), (), ordered=False)
    found = pl.DataFrame({"value": texts(values), "count": counts})
    first = found.sort("count", "value", descending=[True, False])
    if found.height <= most:
        return Distribution(tuple(first["value"]), tuple(first["count"]), ordered=False)
    kept, rest = first.head(most - 1), first.tail(-(most - 1))
    return Distribution(
        (*kept["value"], ""),
        (*kept["count"], int(rest["count"].sum())),
        ordered=False,
        joined=rest.height,
    )


def _of_numbers(numbers: npt.NDArray[np.float64], counts: Ints, most: int) -> Distribution:
    least, largest = float(numbers.min()), float(numbers.max())
    whole = bool((numbers == np.round(numbers)).all())
    span = largest - least
    if whole and span < most:
        return _binned((numbers - least).astype(np.int64), counts, lambda i: short_text(least + i))
    step = _width(span, least, most)
    if whole:
        step = max(step, 1.0)
    first = math.floor(least / step)
    place = np.floor(numbers / step).astype(np.int64) - first

    def label(at: int) -> str:
        low = (first + at) * step
        return f"{short_text(low)} to {short_text(low + step - (1 if whole else 0))}"

    return _binned(place, counts, label)


def _width(span: float, least: float, most: int) -> float:
    """Find the least round width of which few bins hold all."""
    if span <= 0:
        return abs(least) or 1.0
    power = 10.0 ** math.floor(math.log10(span / most))
    widths = (each * power for each in (1, 2, 5, 10, 20, 50, 100))
    return next(w for w in widths if math.floor((least + span) / w) - math.floor(least / w) < most)


def _days(values: pl.Series) -> pl.Series | None:
    if values.dtype == pl.String:
        return read_dates(values)
    return values.cast(pl.Date) if values.dtype.is_temporal() and values.dtype != pl.Time else None


def _of_days(days: pl.Series, counts: Ints, most: int) -> Distribution:
    """Count by days, months or years, or several of them, whichever is finest and makes few."""
    ordinal = days.to_physical().to_numpy().astype(np.int64)
    years = days.dt.year().to_numpy().astype(np.int64)
    months = years * 12 + days.dt.month().to_numpy() - 1
    scales: list[tuple[Ints, tuple[int, ...], Callable[[int], date]]] = [
        (ordinal, (1,), lambda at: date.fromordinal(_EPOCH + at)),
        (months, (1, 3), lambda at: date(at // 12, at % 12 + 1, 1)),
        (years, (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000), lambda at: date(max(at, 1), 1, 1)),
    ]
    for number, widths, begin in scales:
        for width in widths:
            place = number // width
            first = int(place.min())
            if place.max() - first < most:
                return _binned(place - first, counts, partial(_days_text, begin, width, first))
    raise AssertionError("a calendar has ten thousand years at most")


def _days_text(begin: Callable[[int], date], width: int, first: int, at: int) -> str:
    start = begin((first + at) * width).toordinal()
    try:
        end = begin((first + at + 1) * width).toordinal() - 1
    except (ValueError, OverflowError):  # past the year 9999
        end = date.max.toordinal()
    return dates_text(start, end)


def _binned(place: Ints, counts: Ints, label: Callable[[int], str]) -> Distribution:
    held = np.bincount(place, counts).astype(np.int64)
    return Distribution(
        tuple(label(at) for at in range(len(held))), tuple(held.tolist()), ordered=True
    )


def short_text(number: float) -> str:
    """Write a number without what binary fractions add: 0.30000000000000004 is 0.3."""
    short = float(f"{number:.12g}")
    return number_text(int(short) if short.is_integer() else short)
