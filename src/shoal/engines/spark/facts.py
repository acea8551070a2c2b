"""What may be known in public about a release that Spark made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.engines.spark.columns import collected, quoted
from shoal.engines.spark.grouping import Chosen
from shoal.engines.spark.measuring import Losses
from shoal.judging.verification import Verification
from shoal.judging.verification.spellings import spelling_remarks_on
from shoal.methods import Method
from shoal.models import GroupStatistics, Requirement
from shoal.plan import Plan
from shoal.publications import Publication
from shoal.release.guard import Guard, least_count, loss_facts, measure_facts, search_facts
from shoal.release.head_counts import HeadCounts
from shoal.release.missing_facts import Dropped, missing_facts
from shoal.release.promise import stated
from shoal.release.public_facts import description, missing_texts, verification_facts
from shoal.table.schema import Schema, is_missing

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Held:
    """The different values of each sensitive column that are published, and their counts."""

    values: Mapping[str, pl.Series]
    counts: Mapping[str, pl.Series]
    cells: Mapping[str, pl.Series] = field(default_factory=dict)
    """The different cells of each quasi-identifier."""

    @classmethod
    def read(cls, public: DataFrame, schema: Schema) -> Held:
        """Count them in the written table."""
        values, counts = {}, {}
        for name in schema.sensitive:
            made = collected(public.groupBy(quoted(name)).count())
            values[name], counts[name] = made.to_series(0).rename(name), made["count"]
        cells = {
            name: pl.Series(name, public.select(quoted(name)).distinct().toArrow()[name])
            for name in schema.quasi
        }
        return cls(values, counts, cells)

    def missing(self, schema: Schema) -> dict[str, int]:
        """Count the missing cells of each column."""
        return {
            name: int(self.counts[name].filter(is_missing(each, schema.missing_of(name))).sum())
            for name, each in self.values.items()
        }


@dataclass(frozen=True)
class Made:
    """What is known of a release that is about to be finished."""

    plan: Plan
    schema: Schema
    require: Sequence[Requirement]
    method: Method
    publication: Publication
    whole: GroupStatistics
    losses: Losses
    suppressed: int
    heads: HeadCounts | None
    """People behind counts; ``None`` if they are too different to be counted."""
    held: Held
    verification: Verification
    columns: Sequence[str] = ()
    """Remarks on columns."""
    chosen: Chosen | None = None

    @property
    def guard(self) -> Guard:
        """Stand before every public number, as on one machine; where nobody knows, hide all."""
        least = least_count(self.require)
        if self.heads is None:
            return Guard(least, "people", hides=True)
        return Guard.before(self.heads, least=least)

    @property
    def remarks(self) -> list[str]:
        """What people must know."""
        found = [remark for each in self.require for remark in each.remarks(self.whole)]
        found += self.columns
        found += spelling_remarks_on({**self.held.values, **self.held.cells}, self.schema)
        if self.chosen is not None:
            found += self.chosen.remarks
        if type(self.method).refinement is not Method.refinement:
            found.append(
                f"The groups of '{self.method.name}' are not refined on Spark, where no process "
                "holds all of them: on one machine the method loses less."
            )
        return found

    def missing(self, guard: Guard) -> dict[str, Any]:
        """Say what was missing, and what it cost."""
        heads = None if guard.exact else self.heads
        few = heads is not None and any(map(guard.small, heads.beside))
        hidden = few or (self.heads is None and not guard.exact)
        return missing_facts(
            guard,
            self.losses.missingness,
            self.losses.outcomes,
            dropped=Dropped(0, self.losses.missingness.rows),
            policy=self.plan.publication.missing,
            rule=self.verification.missing_rule,
            suppressed_columns=(),
            sensitive=self.held.missing(self.schema),
            lost=None if hidden else self.losses.marks.beside_missing,
            heads=None if heads is None else heads.missing,
        )


def public_facts(made: Made) -> dict[str, Any]:
    """Collect what ``release.json`` says: the same as of a release made on one machine."""
    proof = verification_facts(made.verification, made.require)
    facts = {**_facts(made, made.guard), "verification": proof}
    return {**facts, "stated": stated(facts)}


def exact_facts(made: Made) -> dict[str, Any]:
    """Collect the same exactly, with nothing rounded or hidden: for the private folder."""
    return {**_facts(made, Guard.none()), "verification": made.verification.to_dict()}


def _facts(made: Made, guard: Guard) -> dict[str, Any]:
    """Collect what a guard lets through."""
    lost = None if made.heads is None or guard.exact else made.heads.suppressed
    apart = guard.apart if made.heads is not None or guard.exact else guard
    leveled = made.chosen is not None
    return {
        **description(
            made,
            made.held.values,
            bounds="hierarchy" if leveled else made.publication.bounds,
            blocks=made.plan.blocks or (None if leveled else "auto"),
            engine={"engine": "spark"},
        ),
        **_search_facts(made, guard),
        "missing": made.missing(guard),
        **missing_texts(made.schema, made.held.values),
        "rows": {
            "published": made.verification.rows,
            "dropped": 0,
            # Rows that could not be placed tell nothing of cells that are missing.
            "suppressed": apart.count(made.suppressed, lost),
        },
        **measure_facts(guard, made.losses.measures, made.losses.shown),
        "loss": loss_facts(guard, made.losses.outcomes, made.losses.shown_outcomes),
    }


def _search_facts(made: Made, guard: Guard) -> dict[str, Any]:
    """Say how far the levels are proven to be the best, where they were searched."""
    if made.chosen is None:
        return {}
    everyone = made.chosen.search["rows"] == made.verification.rows
    found = search_facts(guard, made.chosen.search, everyone=everyone)
    return {"search": found | {"examples": dict(made.chosen.examples)}}
