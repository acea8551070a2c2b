"""No method refuses a table that one group would hold."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import polars as pl

from shoal.base.cells import STAR
from shoal.checks.contract import require, verifies
from shoal.checks.tables import SCHEMA, mixed
from shoal.engines.pipeline import anonymize
from shoal.errors import InfeasibleError
from shoal.judging.verification import verify
from shoal.methods import Method
from shoal.models import (
    AlphaK,
    KAnonymity,
    LDiversity,
    LeveledAlphaK,
    MultiLDiversity,
    Requirement,
    TCloseness,
)
from shoal.plan.compatibility import Combination, refusals
from shoal.publications import FORMS
from shoal.publications.groups.missing_policy import MissingPolicy
from shoal.table.schema import Schema

SEEDS = 3
"""How many seeds are tried of a method that draws."""


def publishes_what_one_group_holds(method: Method) -> None:
    """Whatever the seed, it publishes what all rows hold as one group, and nothing beyond.

    Requirements are as strict as the table allows, so that hardly any other group holds them.
    """
    policy: MissingPolicy = "keep" if method.carries_missing else "drop"
    form = FORMS[method.publication]()
    frame = mixed(24, missing=0.1).drop_nulls() if policy == "drop" else mixed(24, missing=0.1)
    people = frame.with_columns(id=pl.int_range(frame.height) // 2)
    for rows, schema in ((frame, SCHEMA), (people, Schema(dict(SCHEMA), entity="id"))):
        for needs in tight(rows):
            combination = Combination(method, tuple(needs), form, policy)
            if refusals(combination, schema) or not held_by_one_group(rows, schema, needs):
                continue
            how: dict[str, Any] = {"require": needs, "method": method, "missing": policy}
            for seed in range(SEEDS if method.draws() else 1):
                try:
                    with verifies():
                        anonymize(rows, schema, seed=seed, suppression_limit=0.05, **how)
                except InfeasibleError as error:
                    named = ", ".join(each.name for each in needs)
                    require(False, f"with {named} it refuses what holds: {error.problem}")


def held_by_one_group(rows: pl.DataFrame, schema: Schema, needs: list[Requirement]) -> bool:
    """Say whether all rows hold as one group, by the independent recount."""
    one = rows.drop("id").with_columns(pl.lit(STAR).alias(name) for name in schema.quasi)
    people = None if schema.entity is None else rows[schema.entity]
    return verify(one, schema, needs, people=people).passed


def tight(rows: pl.DataFrame) -> Iterator[list[Requirement]]:
    """Ask as much of a table as it holds as one group, or more where people have several rows."""
    n = rows.height
    counts = rows["illness"].value_counts(sort=True)["count"].to_list()
    most, values = counts[0], len(counts)
    share = str(Fraction(most, n))
    yield [KAnonymity(n // 2 + 1)]
    yield [AlphaK(share, 5)]
    yield [AlphaK(share, 2), TCloseness("1/100")]
    yield [LDiversity(values)]
    yield [LDiversity(values - 1, "entropy")]
    yield [LDiversity(2, "recursive", c=str(Fraction(most, n - most) + Fraction(1, 1000)))]
    yield [MultiLDiversity({"illness": values})]
    levels = {each: 1 + at % 2 for at, each in enumerate(rows["illness"].unique().sort())}
    yield [LeveledAlphaK(levels, [share, share], 3)]
