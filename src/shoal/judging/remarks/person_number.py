"""Columns that seem to identify people where no entity is named, so rows are counted as people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl

from shoal.io.frames import Coded, count_pairs
from shoal.judging.remarks.seen import Seen
from shoal.judging.remarks.words import Name
from shoal.table.schema import Role, Schema

_FEWEST = 30  # different people; fewer values are categories
_LEAST_REPEATS, _MOST_REPEATS = 1.5, 100.0
_EVEN = 0.25  # of what chance explains
_MOST_EVEN_REPEATS = 50.0
_SAMPLE = 500
_CONSTANT = 0.98  # some cells are always typed wrongly
_MOST_FREQUENT = 0.9
_OCCASIONS = 2  # different ones, as a multiple of the rows of a person


@dataclass(frozen=True)
class PersonNumber:
    """Why a column seems to number people who have several rows.

    Parameters
    ----------
    named, even
        Whether its name suggests it, and whether each value occurs about as often as any other.
    agree
        Two columns, neither of which follows from the other, that are the same in all rows of a
        value, as sex and year of birth are for a person; or none.
    occasion
        A column, such as the year, in which no value of this one comes twice; or none.
    """

    column: str
    named: bool
    even: bool
    agree: tuple[str, ...]
    occasion: str | None

    @property
    def signs(self) -> int:
        """How many signs there are."""
        return sum((self.named, self.even, bool(self.agree), self.occasion is not None))

    @property
    def sure(self) -> bool:
        """Whether that is enough to take it for granted: the name, or two signs of its values."""
        return self.named or self.signs >= 2

    @property
    def reason(self) -> str:
        """Say the signs in words; no cell is told.

        Examples
        --------
        >>> PersonNumber("nr", False, True, ("sex", "born"), "year").reason[:76]
        "each value occurs in about as many rows, its rows agree in 'sex' and 'born',"
        """
        reasons = []
        if self.named:
            reasons.append("its name suggests it")
        if self.even:
            reasons.append("each value occurs in about as many rows")
        if self.agree:
            reasons.append(f"its rows agree in {' and '.join(map(repr, self.agree))}")
        if self.occasion is not None:
            reasons.append(f"no pair with '{self.occasion}' occurs twice")
        return ", ".join(reasons[:-1]) + (", and " if len(reasons) > 1 else "") + reasons[-1]


def person_number(table: Coded | None, schema: Schema, seen: Mapping[str, Seen]) -> list[str]:
    """Remark on columns that seem to number people who have several rows.

    They do so by their name, or by their values: each occurs about as often as any other, or
    rows of one value agree in two further columns that have nothing to do with each other, as
    the rows of a person agree in sex and year of birth. Without the table, only its name and how
    often values occur are looked at.
    """
    if schema.entity is not None or schema.one_row_each:
        return []
    names = [name for name in schema if schema[name].role is not Role.SENSITIVE]
    return [
        f"Column '{found.column}' seems to identify people with several rows, and the plan "
        "names no entity: rows are counted, so k rows may belong to fewer than k people. If "
        "the column identifies people, make it an identifier and set entity = "
        f'"{found.column}".'
        for found in find_person_numbers(table, seen, names)
    ]


def find_person_numbers(
    table: Coded | None, seen: Mapping[str, Seen], names: Iterable[str]
) -> list[PersonNumber]:
    """Find those of the columns that seem to number people who have several rows, surest first.

    What the rows of a number have in common is looked for in all columns.

    Examples
    --------
    >>> rows = [(100 + i, year, "fm"[i % 2], 1950 + i % 29) for i in range(60) for year in (1, 2)]
    >>> table = Coded(pl.DataFrame(rows, schema=["nr", "year", "sex", "born"], orient="row"))
    >>> seen = {name: Seen.of(table[name], ()) for name in table.columns}
    >>> find_person_numbers(table, seen, seen)
    [PersonNumber(column='nr', named=False, even=True, agree=('sex', 'born'), occasion='year')]
    """
    made = [
        _evidence(table, name, seen) for name in names if seen[name].distinct != seen[name].known
    ]
    return sorted([each for each in made if each.signs], key=lambda each: -each.signs)


def _evidence(table: Coded | None, name: str, seen: Mapping[str, Seen]) -> PersonNumber:
    found = seen[name]
    named = Name(name).is_person_number and found.distinct >= _FEWEST
    fits = found.distinct >= _FEWEST and _LEAST_REPEATS <= found.repeats <= _MOST_EVEN_REPEATS
    even = fits and found.unevenness < _EVEN
    if table is None:
        return PersonNumber(name, named, even, (), None)
    agree = _agreeing(table, name, seen)
    occasion = _occasion(table, name, seen) if named or even or agree else None
    return PersonNumber(name, named, even, agree, occasion)


def _agreeing(table: Coded, name: str, seen: Mapping[str, Seen]) -> tuple[str, ...]:
    """Find two columns in which rows of a value agree, and that do not follow from each other."""
    found = seen[name]
    if found.distinct < _FEWEST or not _LEAST_REPEATS <= found.repeats <= _MOST_REPEATS:
        return ()
    others = [
        each for each in seen if each != name and 2 <= seen[each].distinct <= found.distinct / 2
    ]
    some = found.counts.filter(pl.col("count") > 1)["value"].head(_SAMPLE)
    if len(some) < _FEWEST or not others:
        return ()
    among = table[name].values.is_in(some.implode()).to_numpy()
    part = table.take(np.flatnonzero(among[table[name].codes])).frame
    # Numbered names: a column of the table may have any name.
    plain = pl.DataFrame({"p": part[name], **{str(i): part[o] for i, o in enumerate(others)}})
    agree = plain.group_by("p").agg(pl.exclude("p").n_unique() == 1).drop("p").mean().row(0)
    constant = [
        str(place)
        for place, share in enumerate(agree)
        if share >= _CONSTANT and _most_frequent(plain[str(place)]) <= _MOST_FREQUENT
    ]
    for a, b in combinations(constant, 2):
        if _are_apart(plain, a, b):
            return others[int(a)], others[int(b)]
    return ()


def _occasion(table: Coded, name: str, seen: Mapping[str, Seen]) -> str | None:
    """Find a column of few values in which no value of this one comes twice, as the year."""
    most = int(str(seen[name].counts["count"].max()))
    if most < 2 or seen[name].known < seen[name].rows:
        return None
    for other, found in seen.items():
        few = most <= found.distinct <= _OCCASIONS * most and found.known == found.rows
        if other != name and few:
            pairs, *_ = count_pairs(table[name].codes, table[other].codes, len(table[other]))
            if len(pairs) == table.height:
                return other
    return None


def _most_frequent(values: pl.Series) -> float:
    counts = values.value_counts(name="rows of it")["rows of it"]
    return float(str(counts.max())) / len(values)


def _are_apart(plain: pl.DataFrame, a: str, b: str) -> bool:
    """Say whether neither of two columns follows from the other, as a state does from a city."""
    both = plain.select(a, b).n_unique()
    return both >= 1.2 * max(plain[a].n_unique(), plain[b].n_unique())
