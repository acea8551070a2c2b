"""Population uniqueness from a sampling fraction: all estimators, and the rule that chooses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from shoal.base.limits import number
from shoal.judging.risk.identity.records import Records, records
from shoal.models.estimates.estimate import Estimate, Sample, dankar
from shoal.models.estimates.pitman import pitman
from shoal.models.estimates.snb import snb
from shoal.models.estimates.zayatz import zayatz
from shoal.table.schema import SchemaLike


@dataclass(frozen=True)
class PopulationUniqueness:
    """How many people are unique in the population, by each estimator.

    Parameters
    ----------
    fraction, population
        Which part of the population the sample is, and how many people that is.
    sample_uniques
        How many people are unique in the sample.
    pitman, zayatz, snb, dankar
        The estimates; ``share`` is ``None`` where one does not exist, with the reason.
    """

    fraction: float
    population: float
    sample_uniques: int
    pitman: Estimate
    zayatz: Estimate
    snb: Estimate
    dankar: Estimate

    @classmethod
    def of(cls, found: Records, fraction: float) -> PopulationUniqueness:
        """Estimate from the sizes of classes."""
        sample = Sample.of(found.sizes, fraction)
        models = pitman(sample), zayatz(sample), snb(sample)
        rule = dankar(fraction, *models)
        return cls(fraction, sample.population, sample.of_size(1), *models, rule)

    def to_dict(self) -> dict[str, Any]:
        """Write them for programs."""
        return {
            "sampling_fraction": self.fraction,
            "population": self.population,
            "sample_uniques": self.sample_uniques,
            **{
                each.name: {"share": each.share, "reason": each.reason}
                for each in (self.pitman, self.zayatz, self.snb, self.dankar)
            },
        }


def population_uniqueness(
    table: Any,
    schema: SchemaLike | None = None,
    *,
    sampling_fraction: float,
    quasi: Sequence[str] | None = None,
    people: npt.ArrayLike | None = None,
) -> PopulationUniqueness:
    """Estimate which share of the population is unique; the result is private.

    Somebody unique in a sample may have doubles outside of it. Four estimates of how many people
    are unique in the whole population: Pitman's model, Zayatz's, the slide negative binomial, and
    Dankar's rule, which says which of them to believe at this sampling fraction.

    Parameters
    ----------
    table, schema, quasi, people
        As in `reidentification`.
    sampling_fraction
        Which part of the population the table is: rows divided by the population's size.

    Examples
    --------
    >>> import shoal
    >>> adult = shoal.datasets.adult().head(2_000)
    >>> found = shoal.risk.population_uniqueness(
    ...     adult, quasi=["age", "sex", "race", "occupation"], sampling_fraction=0.01)
    >>> found.sample_uniques, round(found.dankar.share, 3), found.dankar.reason
    (601, 0.004, 'pitman')
    """
    require_fraction(sampling_fraction)
    found = records(table, schema, quasi=quasi, people=people)
    return PopulationUniqueness.of(found, float(sampling_fraction))


def require_fraction(value: object) -> None:
    """Refuse what is no part of a population."""
    hint = "It is the rows divided by the population's size, such as 0.01."
    number("(0, 1]", hint).check("sampling_fraction", value)
