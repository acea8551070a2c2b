"""Profile a table: facts about each column that hold no cell of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

import polars as pl

from shoal.base.cells import STAR
from shoal.errors import InputError
from shoal.io.frames import Coded, to_polars
from shoal.judging.remarks.twins import find_rising, find_twins
from shoal.steward.proposal.appearance import Appearance, appearance_of
from shoal.steward.proposal.orders import MOST, known_order
from shoal.steward.proposal.tokens import Doubt, suspects
from shoal.table.schema import is_missing
from shoal.table.written_dates import are_plain, read_dates

_FIRST_YEAR = 1850
_LONGEST_LIFE = 120


@dataclass(frozen=True)
class ColumnProfile:
    """What is known about a column without knowing any of its cells."""

    name: str
    rows: int
    missing: int
    """How many cells there are, and how many of them are missing (suspected ones too)."""
    distinct: int
    most_frequent: float
    """The share of the most frequent value among the known cells."""
    appearance: Appearance
    date_format: str | None = None
    """How dates are written, as in ``%d.%m.%Y``."""
    missing_tokens: tuple[str, ...] = ()
    """Texts, from a fixed list, that seem to mean "missing" in this column."""
    doubts: tuple[Doubt, ...] = ()
    """Texts of that list of which nobody can be sure: missing here, or a value?"""
    plain_dates: bool = False
    """Whether the values are dates without a time of day."""
    within_a_life: bool = False
    """Whether they are dates that people alive at one time can be born on."""
    has_order: bool = False
    """Whether the values are words with an order that everybody knows."""
    is_counter: bool = False
    """Whether the values are whole numbers without repeats and without gaps."""
    is_amount: bool = False
    """Whether the numbers are written with thousands apart or a decimal comma."""
    twins: tuple[str, ...] = ()
    """Columns that say the same: one-to-one to this one, or numbers in the same order."""

    @property
    def known(self) -> int:
        """How many cells are not missing."""
        return self.rows - self.missing

    @property
    def unique_share(self) -> float:
        """Distinct values per known cell: 1 if no value comes twice."""
        return self.distinct / self.known if self.known else 0.0


def profile(
    frame: pl.DataFrame, missing: Iterable[str] = ("", STAR), *, guess: bool = True
) -> list[ColumnProfile]:
    """Profile each column of a table, of texts (as from CSV) or typed.

    `frame`: the table.
    `missing`: texts that mean "missing".
    `guess`: whether to look for further texts that seem to mean "missing".
    Raises `InputError` if the table has no rows.

    Examples
    --------
    >>> found = profile(pl.DataFrame({"age": ["39", "NA", "50"], "zip": ["01067", "10115", ""]}))
    >>> [(column.name, column.appearance.value, column.missing) for column in found]
    [('age', 'integer', 1), ('zip', 'code', 1)]
    >>> found[0].missing_tokens
    ('NA',)
    """
    table = to_polars(frame)
    if table.height == 0:
        raise InputError("The table has no rows.", "Check the input.")
    tokens = tuple(missing)
    found = [_column(column, tokens, guess) for column in table.iter_columns()]
    # What means missing beyond doubt in one column hardly means something else in another.
    sure = {
        token
        for column in found
        for token in column.missing_tokens
        if token not in {doubt.token for doubt in column.doubts}
    }
    found = [
        _column(table[column.name], tokens, guess, sure)
        if any(not doubt.believed and doubt.token in sure for doubt in column.doubts)
        else column
        for column in found
    ]
    coded = Coded(table)
    distinct = {column.name: column.distinct for column in found}
    unknown = {column.name: (*tokens, *column.missing_tokens) for column in found}
    twins = find_twins(coded, distinct, unknown)
    numbers = {column.name: column.distinct for column in found if column.appearance.is_number}
    rising = find_rising(coded, numbers, unknown)
    same = {name: (*twins.get(name, ()), *rising.get(name, ())) for name in unknown}
    return [replace(each, twins=tuple(dict.fromkeys(same[each.name]))) for each in found]


def _column(
    values: pl.Series, tokens: tuple[str, ...], guess: bool, elsewhere: Collection[str] = ()
) -> ColumnProfile:
    # Counting first makes every test below a test of the distinct values only.
    counts = values.rename("value").value_counts(name="count")
    counts = counts.filter(~is_missing(counts["value"], tokens))
    meant: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    if guess and values.dtype == pl.String:
        meant, doubts = suspects(counts, elsewhere)
        if meant:
            counts = counts.filter(~is_missing(counts["value"], meant))
    known = int(counts["count"].sum())
    distinct = counts["value"]
    appearance, written = appearance_of(distinct, known)
    dates = appearance is Appearance.DATE
    words = appearance is Appearance.CATEGORY and distinct.dtype == pl.String
    return ColumnProfile(
        name=values.name,
        rows=values.len(),
        missing=values.len() - known,
        distinct=counts.height,
        most_frequent=int(str(counts["count"].max())) / known if known else 0.0,
        appearance=appearance,
        date_format=written,
        missing_tokens=meant,
        doubts=doubts,
        plain_dates=dates and are_plain(distinct),
        within_a_life=dates and _within_a_life(distinct),
        has_order=words and distinct.len() <= MOST and known_order(distinct.to_list()) is not None,
        is_counter=appearance is Appearance.INTEGER and _is_counter(distinct, known),
    )


def _is_counter(distinct: pl.Series, known: int) -> bool:
    if known < 3 or distinct.len() < known:
        return False
    numbers = distinct.str.strip_chars() if distinct.dtype == pl.String else distinct
    whole = numbers.cast(pl.Float64)
    return bool(float(str(whole.max())) - float(str(whole.min())) == known - 1)


def _within_a_life(distinct: pl.Series) -> bool:
    """Say whether dates span no more years than people live, and begin in times of registers."""
    days = read_dates(distinct) if distinct.dtype == pl.String else distinct
    if days is None:
        return False
    years = days.dt.year()
    first, last = int(str(years.min())), int(str(years.max()))
    return first >= _FIRST_YEAR and last - first <= _LONGEST_LIFE
