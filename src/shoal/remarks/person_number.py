"""Columns that tell people apart while no entity is named, so that rows are counted for people."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import polars as pl

from shoal.frames import Coded
from shoal.remarks.seen import Seen
from shoal.remarks.words import Name
from shoal.schema import Role, Schema

__all__ = ["person_number"]

_FEWEST = 30  # different people; fewer values are categories
_LEAST_REPEATS, _MOST_REPEATS = 1.5, 100.0
_EVEN = 0.25  # of what chance explains
_MOST_EVEN_REPEATS = 50.0
_SAMPLE = 500
_CONSTANT = 0.98  # some cells are always typed wrongly
_MOST_FREQUENT = 0.9


def person_number(table: Coded, schema: Schema, seen: Mapping[str, Seen]) -> list[str]:
    """Remark on columns that seem to number people who have several rows.

    They do so by their name, or by their values: each occurs about as often as any other, or
    rows of one value agree in two further columns that have nothing to do with each other, as
    the rows of a person agree in sex and year of birth.
    """
    if schema.entity is not None:
        return []
    made = []
    for name in schema:
        if schema[name].role is Role.SENSITIVE or seen[name].distinct == seen[name].known:
            continue
        if _is_named_so(name, seen[name]) or _is_even(seen[name]) or _is_one(table, name, seen):
            made.append(
                f"Column '{name}' seems to tell people apart who have several rows, and no entity "
                "is named: rows are counted, so that k rows may be fewer than k people. If it "
                f'numbers people, make it an identifier and set entity = "{name}".'
            )
    return made


def _is_named_so(name: str, found: Seen) -> bool:
    return Name(name).is_person_number and found.distinct >= _FEWEST


def _is_even(found: Seen) -> bool:
    fits = found.distinct >= _FEWEST and _LEAST_REPEATS <= found.repeats <= _MOST_EVEN_REPEATS
    return fits and found.unevenness < _EVEN


def _is_one(table: Coded, name: str, seen: Mapping[str, Seen]) -> bool:
    """Say whether the rows of a value agree in two columns that do not follow from each other."""
    found = seen[name]
    if found.distinct < _FEWEST or not _LEAST_REPEATS <= found.repeats <= _MOST_REPEATS:
        return False
    others = [
        each for each in seen if each != name and 2 <= seen[each].distinct <= found.distinct / 2
    ]
    some = found.counts.filter(pl.col("count") > 1)["value"].head(_SAMPLE)
    if len(some) < _FEWEST or not others:
        return False
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
    return any(_are_apart(plain, a, b) for a, b in combinations(constant, 2))


def _most_frequent(values: pl.Series) -> float:
    counts = values.value_counts(name="rows of it")["rows of it"]
    return float(str(counts.max())) / len(values)


def _are_apart(plain: pl.DataFrame, a: str, b: str) -> bool:
    """Say whether neither of two columns follows from the other, as a state does from a city."""
    both = plain.select(a, b).n_unique()
    return both >= 1.2 * max(plain[a].n_unique(), plain[b].n_unique())
