"""What may be known in public about a release that Spark made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.cells import STAR, texts
from shoal.methods import Method
from shoal.models import GroupStatistics, Requirement
from shoal.plan import Plan
from shoal.publications import Publication
from shoal.release.guard import Guard, least_count, loss_facts, measure_facts, search_facts
from shoal.release.missing_facts import missing_facts
from shoal.release.public_facts import verification_facts
from shoal.schema import Schema, is_missing
from shoal.spark.columns import GROUP, quoted
from shoal.spark.domain import Domain
from shoal.spark.grouping import Chosen
from shoal.spark.measuring import Losses
from shoal.verification import Verification

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["Heads", "Held", "Made", "public_facts"]


@dataclass(frozen=True)
class Heads:
    """How many people stand behind counts; rows where nobody tells people apart."""

    suppressed: int
    missing: Mapping[str, int]

    @classmethod
    def count(cls, rows: DataFrame, domain: Domain) -> Heads | None:
        """Count people in Spark, where they are told apart."""
        from pyspark.sql import functions as f

        layout = domain.layout
        if layout.entity is None:
            return None
        person = f.col(layout.person)
        asked = [f.count_distinct(f.when(f.col(GROUP) < 0, person))]
        asked += [
            f.count_distinct(f.when(f.col(code) == column.size, person))
            for code, column in zip(layout.codes, domain.quasi, strict=True)
        ]
        lost, *holes = rows.agg(*asked).collect()[0]
        return cls(lost, dict(zip(layout.quasi, holes, strict=True)))


@dataclass(frozen=True)
class Held:
    """The different values of each sensitive column that are published, and their counts."""

    values: Mapping[str, pl.Series]
    counts: Mapping[str, pl.Series]

    @classmethod
    def read(cls, public: DataFrame, schema: Schema) -> Held:
        """Count them in the written table."""
        values, counts = {}, {}
        for name in schema.sensitive:
            found: Any = pl.from_arrow(public.groupBy(quoted(name)).count().toArrow())
            made = pl.DataFrame(found)
            values[name], counts[name] = made.to_series(0).rename(name), made["count"]
        return cls(values, counts)

    def published(self, schema: Schema) -> dict[str, set[str | None]]:
        """List them as texts; ``None`` is missing."""
        return {
            name: set(texts(each).set(is_missing(each, schema.missing_of(name)), None))
            for name, each in self.values.items()
        }

    def missing(self, schema: Schema) -> dict[str, int]:
        """Count the missing cells of each column."""
        return {
            name: int(self.counts[name].filter(is_missing(each, schema.missing_of(name))).sum())
            for name, each in self.values.items()
        }

    def missing_texts(self, schema: Schema) -> dict[str, Any]:
        """Say which texts mean missing, where a reader would not think so."""
        made = {}
        for name, each in self.values.items():
            held, usual = set(texts(each)), ("", STAR)
            meant = [t for t in schema.missing_of(name) if t in usual or t in held]
            if set(meant) != set(usual):
                made[name] = meant
        return {"missing_texts": made} if made else {}


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
    heads: Heads | None
    held: Held
    proof: Verification
    chosen: Chosen | None = None

    @property
    def guard(self) -> Guard:
        """Stand before every public number.

        Where a cell is missing or a row is left out, all that could tell how many is hidden: who
        stands behind small differences of such counts is not worked out over a cluster.
        """
        hidden = self.suppressed or self.losses.missingness.cells
        noun = "rows" if self.schema.entity is None else "people"
        return Guard(least_count(self.require), noun, hides=bool(hidden))

    def missing(self, guard: Guard) -> dict[str, Any]:
        """Say what was missing, and what it cost."""
        return missing_facts(
            guard,
            self.losses.missingness,
            self.losses.fates,
            policy=self.plan.publication.missing,
            rule=self.proof.missing_rule,
            suppressed_columns=(),
            sensitive=self.held.missing(self.schema),
            lost=None,  # what holes cost others is not worked out over a cluster
            heads=None if self.heads is None else self.heads.missing,
        )


def public_facts(made: Made) -> dict[str, Any]:
    """Collect what ``release.json`` says: the same as of a release made on one machine."""
    guard, schema, form = made.guard, made.schema, made.publication
    values = made.held.published(schema)
    lost = None if made.heads is None else made.heads.suppressed
    return {
        "shoal": version("shoal"),
        "engine": "spark",
        "publication": form.name,
        "remarks": _remarks(made),
        "bounds": form.bounds if made.chosen is None else "hierarchy",
        "columns": {name: column.role.value for name, column in schema.items()},
        "entity": schema.entity,
        "counted": made.proof.counted,
        "counted_rule": made.proof.counted_rule,
        "require": [each.published(values).to_spec() for each in made.require],
        "method": _method_facts(made),
        **_search_facts(made, guard),
        "missing": made.missing(guard),
        **made.held.missing_texts(schema),
        "rows": {
            "published": made.proof.rows,
            "dropped": 0,
            "suppressed": guard.count(made.suppressed, lost),
        },
        **measure_facts(guard, made.losses.measures, made.losses.shown),
        "loss": loss_facts(guard, made.losses.fates, made.losses.shown_fates),
        "verification": verification_facts(made.proof, made.require),
    }


def _method_facts(made: Made) -> dict[str, Any]:
    """Name the method and its options; given weights are among the facts of the search."""
    told = {k: v for k, v in made.method.to_spec().items() if k not in ("seed", "picks")}
    if isinstance(told.get("weights"), Mapping):
        told["weights"] = "given"
    blocks = made.plan.blocks or ("auto" if made.chosen is None else None)
    return told if blocks is None else {**told, "blocks": blocks}


def _search_facts(made: Made, guard: Guard) -> dict[str, Any]:
    """Say how far the levels are proven to be the best, where they were searched."""
    if made.chosen is None:
        return {}
    found = search_facts(guard, made.chosen.search)
    return {"search": found | {"examples": dict(made.chosen.examples)}}


def _remarks(made: Made) -> list[str]:
    """Collect what people must know."""
    said = [remark for each in made.require for remark in each.remarks(made.whole)]
    if made.chosen is not None:
        said += made.chosen.remarks
    if type(made.method).refinement is not Method.refinement:
        said.append(
            f"The groups of '{made.method.name}' are not refined on Spark, where no place holds "
            "all of them: on one machine it loses less."
        )
    return said
