"""Conditions by name: "age from 30 to 40, sex Female" turned into codes of a table."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import polars as pl

from shoal.base.cells import Interval, parse_dates, parse_interval, texts
from shoal.errors import ParameterError, a_type, did_you_mean
from shoal.publications.recoding.counts import Wanted
from shoal.table import CategoricalColumn, NumericColumn, Table

Where: TypeAlias = Mapping[str, Any]
"""Per column a value, a list or set of values, or a range as a tuple ``(lo, hi)``.

Ranges are of numbers, or of dates: ``("1955-03-17", "1964")`` ends with the year 1964.
"""

_RANGE = re.compile(r"(.+?)\.\.(.+)\Z", re.DOTALL)


def read_where(conditions: Sequence[str], columns: Collection[str]) -> dict[str, Any]:
    """Read conditions as they are written on the command line.

    Parameters
    ----------
    conditions
        ``column=value`` or ``column=lo..hi``. A column named twice may have either value.
    columns
        The columns there are.

    Examples
    --------
    >>> read_where(["age=30..40", "sex=Female"], ["age", "sex"])
    {'age': (30, 40), 'sex': ['Female']}
    >>> read_where(["birth=1955-01-01..1964-12-31"], ["birth"])
    {'birth': ('1955-01-01', '1964-12-31')}
    """
    made: dict[str, Any] = {}
    for text in conditions:
        name, condition = _split(text, columns)
        found = _RANGE.match(condition)
        ends = tuple(_end(end) for end in found.groups()) if found else (None,)
        ranged = None not in ends
        if isinstance(made.get(name), tuple) or (ranged and name in made):
            raise ParameterError(
                f"Column '{name}' has a range and another condition.", "Give one of them."
            )
        if ranged:
            made[name] = ends
        else:
            made.setdefault(name, []).append(condition)
    return made


def _end(text: str) -> float | int | str | None:
    """Read an end of a range: a number, a date as it is written, or ``None`` if it is neither."""
    number = parse_interval(text)
    if number is not None:
        return number.lo if number.lo == number.hi else None
    return text if parse_dates(text) is not None else None


def _split(text: str, columns: Collection[str]) -> tuple[str, str]:
    """Part a condition at its equals sign; a column's name may hold one, too."""
    fitting = [name for name in columns if text.startswith(f"{name}=")]
    if fitting:
        name = max(fitting, key=len)
        return name, text[len(name) + 1 :]
    name, sign, condition = text.partition("=")
    if not sign:
        raise ParameterError(
            "A condition has no equals sign.", "Write column=value, or column=lo..hi."
        )
    require_column(name.strip(), columns)
    return name.strip(), condition


def require_column(name: str, columns: Collection[str]) -> None:
    """Refuse a condition on a column that cannot be asked for."""
    if name not in columns:
        raise ParameterError(
            f"There is no quasi-identifier and no sensitive column '{name}'.",
            did_you_mean(name, columns),
        )


def alternatives(
    table: Table, where: Where
) -> Iterator[tuple[dict[str, Wanted], dict[str, set[int]]]]:
    """Turn conditions into codes; several numbers of a column become several alternatives.

    No record meets two of them, so their counts can be added.
    """
    columns = {column.name: column for column in table.quasi}
    sensitive: dict[str, set[int]] = {}
    choices: list[list[tuple[str, Wanted]]] = []
    for name, condition in where.items():
        require_column(name, [*columns, *table.sensitive])
        if name in table.sensitive:
            labels = table.sensitive[name].labels
            wanted = {word or None for word in _words(name, condition)}
            sensitive[name] = {code for code, label in enumerate(labels) if label in wanted}
        elif isinstance(column := columns[name], NumericColumn):
            choices.append([(name, each) for each in _ranges(column, condition)])
        else:
            choices.append([(name, _leaves(column, _words(name, condition)))])
    for chosen in itertools.product(*choices):
        yield dict(chosen), sensitive


def _words(name: str, condition: Any) -> list[str]:
    """Write the values asked for as they are published."""
    if isinstance(condition, tuple) and all(
        isinstance(e, str) and parse_dates(e) for e in condition
    ):
        return ["..".join(condition)]  # as trees of neighbours name their nodes
    if isinstance(condition, tuple):
        raise ParameterError(
            f"Column '{name}' holds no numbers, so a range makes no sense.", "List the values."
        )
    return [_word(each) for each in _several(name, condition)]


def _word(value: Any) -> str:
    try:
        return "" if value is None else str(texts(pl.Series([value]))[0])
    except (pl.exceptions.PolarsError, TypeError):
        raise ParameterError(
            f"A condition names {a_type(value)}.", "Name texts, numbers or dates."
        ) from None


def _several(name: str, condition: Any) -> list[Any]:
    several = list(condition) if isinstance(condition, list | set | frozenset) else [condition]
    if not several:
        raise ParameterError(
            f"The condition on column '{name}' names no value.", "Name at least one."
        )
    return several


def _ranges(column: NumericColumn, condition: Any) -> list[tuple[float, float]]:
    """Read one range, or the numbers asked for as ranges of one number each."""
    name = column.name
    if isinstance(condition, tuple):
        if len(condition) != 2:
            raise ParameterError(
                f"A range has two ends, not {len(condition)} (column '{name}').", "Give (lo, hi)."
            )
        if column.dates:
            lo, hi = _dates(name, condition[0]).lo, _dates(name, condition[1]).hi
        else:
            lo, hi = (_number(name, end) for end in condition)
        if lo > hi:
            raise ParameterError(
                f"The range of column '{name}' is empty: it ends before it begins.",
                f"Give the {'earlier date' if column.dates else 'smaller number'} first.",
            )
        return [(lo, hi)]
    several = _several(name, condition)
    if column.dates:
        read = sorted({_dates(name, each)[:2] for each in several})
        if any(one[1] >= other[0] for one, other in itertools.pairwise(read)):
            raise ParameterError(
                f"The date ranges of column '{name}' overlap.", "Name each day once."
            )
        return read
    if len(several) == 1 and (shown := _published_range(several[0], column)) is not None:
        return [shown]
    numbers = {_number(name, each) for each in several}
    return [(number, number) for number in sorted(numbers)]


def _published_range(condition: Any, column: NumericColumn) -> tuple[float, float] | None:
    """Read a range as cells show it, ``[30, 40)``; ``None`` if it is none."""
    found = parse_interval(condition) if isinstance(condition, str) else None
    if found is None or not -math.inf < found.lo < found.hi < math.inf:
        return None
    step = 10.0**-column.decimals if column.exact else 0.0
    return found.lo, found.hi - step if found.open_end else found.hi


def _dates(name: str, value: Any) -> Interval:
    """Read a day, a month, a year or a range of them."""
    read = parse_dates(str(value) if isinstance(value, int) else _word(value))
    if read is None:
        raise ParameterError(
            f"Column '{name}' holds dates, but the condition names something else.",
            "Give a date such as 1955-03-17, 1955-03 or 1955, or a range (on the command "
            "line: 1955-01-01..1964-12-31).",
        )
    return read


def _number(name: str, value: Any) -> float:
    read = parse_interval(_word(value)) if not isinstance(value, bool) else None
    if read is None or read.lo != read.hi or not math.isfinite(read.lo):
        raise ParameterError(
            f"Column '{name}' holds numbers, but the condition names something else.",
            "Give a number, or a range (on the command line: lo..hi).",
        )
    return read.lo


def _leaves(column: CategoricalColumn, words: list[str]) -> set[int]:
    """Find the leaves under the labels asked for: a value, or a group of values."""
    tree = column.hierarchy
    nodes = tree.nodes(pl.Series(words, dtype=pl.String))
    unknown = int((nodes < 0).sum())
    if unknown:
        raise ParameterError(
            f"{unknown} of {len(words)} requested values do not occur in column '{column.name}'.",
            "Check the spelling.",
        )
    ends = zip(tree.first_leaf[nodes].tolist(), tree.last_leaf[nodes].tolist(), strict=True)
    return {code for first, last in ends for code in range(first, last + 1)}
