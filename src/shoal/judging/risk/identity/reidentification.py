"""How likely people are found in a table, by three kinds of adversaries (El Emam 2013)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arguments import is_number
from shoal.base.arrays import Floats, Ints
from shoal.errors import ParameterError, ShoalError
from shoal.judging.risk.identity.individual import expected_risk
from shoal.judging.risk.identity.population import population_sizes
from shoal.judging.risk.identity.records import Records, records
from shoal.judging.risk.identity.wildcard import wildcard_sizes
from shoal.judging.risk.uniqueness.population import PopulationUniqueness, require_fraction
from shoal.publications.published import Released
from shoal.table.schema import SchemaLike

THRESHOLDS = (0.05, 0.09, 0.2, 0.33)
"""Limits in use: groups of 20 and of 11 (public data), of 5 and of 3 (trusted readers)."""


@dataclass(frozen=True)
class RiskFigures:
    """How likely people are found.

    Parameters
    ----------
    highest, average, lowest
        Over people: the probability that a guess at whose record it is hits.
    above
        For each threshold the share of people whose probability is above it.

    Examples
    --------
    >>> made = RiskFigures.of(np.array([1.0, 0.5, 0.5, 0.2]), (0.2, 0.5))
    >>> made.highest, made.average, made.above
    (1.0, 0.55, {0.2: 0.75, 0.5: 0.25})
    """

    highest: float
    average: float
    lowest: float
    above: Mapping[float, float]

    @classmethod
    def of(
        cls, risks: Floats, thresholds: Iterable[float], people: Ints | None = None
    ) -> RiskFigures:
        """Sum up the probability of each person, or of groups of people."""
        return cls(
            float(risks.max()),
            float(np.average(risks, weights=people)),
            float(risks.min()),
            {
                float(limit): float(np.average(risks > limit, weights=people))
                for limit in thresholds
            },
        )

    def to_dict(self) -> dict[str, Any]:
        """Write them for programs."""
        return {
            "highest": self.highest,
            "average": self.average,
            "lowest": self.lowest,
            "above": {f"{limit:g}": share for limit, share in self.above.items()},
        }


def read_thresholds(given: Iterable[float]) -> tuple[float, ...]:
    """Take thresholds, and refuse what is no probability.

    Examples
    --------
    >>> read_thresholds([2])
    Traceback (most recent call last):
    shoal.errors.ParameterError: thresholds must be numbers from 0 to 1. Such as 0.05, 0.2.
    """
    usual = "Such as 0.05, 0.2."
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ParameterError("thresholds must be a list of numbers.", usual)
    made = tuple(given)
    if not all(is_number(each) and 0 <= each <= 1 for each in made):
        raise ParameterError("thresholds must be numbers from 0 to 1.", usual)
    return tuple(dict.fromkeys(map(float, made)))


@dataclass(frozen=True)
class Reidentification:
    """How likely people are found; made by `reidentification`.

    Parameters
    ----------
    columns
        The quasi-identifiers.
    rows, people, classes
        How many there are; people are rows, where every row is a person.
    has_entity
        Whether people were counted, who may have several rows.
    prosecutor
        For an attacker who knows that a person is in the table: 1 over the people of the person's
        class. Of a person with several rows, by the smallest class.
    wildcard, has_stars
        The same if a ``*`` matches every value, and whether there is a ``*`` at all.
    journalist
        For who does not know it: 1 over the people of the class in the population. ``None`` where
        nothing is known about the population.
    marketer
        The share of records that an attacker with a table of names for all of them links correctly:
        of the population where it is known, else of the same people.
    uniques, uniqueness
        How many people are unique in their class, and in the population, estimated.
    sizes
        For each size of a class, how many people are in classes of that size.
    outside
        How many people the population's table does not have.
    counted_population
        Whether the population was counted in a table; else the journalist's risk is an estimate.
    before
        The same of the original.
    """

    columns: tuple[str, ...]
    rows: int
    people: int
    classes: int
    has_entity: bool
    prosecutor: RiskFigures
    wildcard: RiskFigures
    has_stars: bool
    journalist: RiskFigures | None
    marketer: float
    uniques: int
    sizes: Mapping[int, int]
    uniqueness: PopulationUniqueness | None = None
    outside: int = 0
    counted_population: bool = False
    before: Reidentification | None = None

    @property
    def smallest(self) -> int:
        """How many people the smallest class has."""
        return min(self.sizes)

    def to_dict(self) -> dict[str, Any]:
        """Write the result for programs."""
        made = {each.name: getattr(self, each.name) for each in fields(self)}
        del made["has_entity"], made["has_stars"]
        for name, each in made.items():
            made[name] = each.to_dict() if hasattr(each, "to_dict") else each
        sizes = {str(size): people for size, people in self.sizes.items()}
        return made | {"columns": list(self.columns), "sizes": sizes}


def reidentification(
    table: Any,
    schema: SchemaLike | None = None,
    *,
    quasi: Sequence[str] | None = None,
    people: npt.ArrayLike | None = None,
    original: Any = None,
    population: Any = None,
    sampling_fraction: float | None = None,
    thresholds: Iterable[float] = THRESHOLDS,
    class_column: str | None = None,
) -> Reidentification:
    """Say how likely people are found in a table, raw or published; the result is private.

    Parameters
    ----------
    table
        Any frame, a release, or tables that share a class id: ``{"quasi": …, "sensitive": …}``.
    schema
        The roles; a release brings its own. No column need be sensitive.
    quasi
        The quasi-identifiers, instead of the schema's.
    people
        For each row whose it is, where a person may have several. A release knows; of a raw
        table the schema's ``entity`` says it.
    original
        The table before it was published, to say how it was. A fresh release knows its own.
    population
        A table with a row for each person of the population, and the quasi-identifiers as they
        are: for the journalist. Cells of the table cover them by intervals, sets and the schema's
        hierarchies.
    sampling_fraction
        Which part of the population the table is. It gives population uniqueness and, without
        ``population``, an estimate of the journalist's risk (as `individual_risk` with the same
        weight for all).
    thresholds
        For which risks to say how many people are above.
    class_column
        The column of class ids, of several tables.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> raw = pl.DataFrame({"age": [31, 31, 34, 38, 39, 52], "sex": list("ffmffm")})
    >>> shown = pl.DataFrame({"age": ["[30, 39]"] * 5 + ["*"], "sex": list("ffffff")})
    >>> found = shoal.risk.reidentification(shown, quasi=["age", "sex"], original=raw)
    >>> found.uniques, found.prosecutor.highest, round(found.prosecutor.average, 3)
    (1, 1.0, 0.333)
    >>> found.before.uniques, found.wildcard.highest  # the * could be any of them
    (4, 0.16666666666666666)
    """
    limits = read_thresholds(thresholds)
    if sampling_fraction is not None:
        require_fraction(sampling_fraction)
    found = records(table, schema, quasi=quasi, people=people, class_column=class_column)
    before = None
    known = people
    if original is None and isinstance(table, Released) and table.source is not None:
        original, known = table.source, getattr(table, "people", None)
    elif original is not None:
        known = None
    if original is not None:
        try:
            raw = records(original, found.schema, quasi=found.names, people=known)
        except ShoalError as error:
            raise error.about("The original") from None
        # The original is all of the sample, and its people stand for as many as the table's do.
        before = _figures(raw, limits, population, sampling_fraction)
    made = _figures(found, limits, population, sampling_fraction)
    return replace(made, before=before)


def _figures(
    found: Records, limits: Sequence[float], population: Any, fraction: float | None
) -> Reidentification:
    """Count one table."""
    sizes = found.sizes
    alone = found.per_person(1 / sizes)
    meant = np.unique(np.rint(1 / alone).astype(np.int64), return_counts=True)
    journalist: Floats | None = None
    outside = 0
    if population is not None:
        held = population_sizes(found, population)
        lacks = held < sizes
        outside = int(found.people_in(lacks)) if lacks.any() else 0
        journalist = found.per_person(1 / np.maximum(held, sizes))
    elif fraction is not None:
        each, of = np.unique(sizes, return_inverse=True)
        chance = np.full(len(each), float(fraction))
        journalist = found.per_person(expected_risk(each.astype(np.float64), chance)[of])
    return Reidentification(
        found.names,
        found.n_rows,
        found.n_people,
        found.n_classes,
        found.people is not None,
        RiskFigures.of(alone, limits),
        RiskFigures.of(found.per_person(1 / wildcard_sizes(found)), limits),
        max(found.stars) >= 0,
        None if journalist is None else RiskFigures.of(journalist, limits),
        float((alone if journalist is None else journalist).mean()),
        int((alone == 1).sum()),
        dict(zip(*(each.tolist() for each in meant), strict=True)),
        None if fraction is None else PopulationUniqueness.of(found, float(fraction)),
        outside,
        population is not None,
    )
