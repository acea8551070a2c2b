"""One release on Spark, from the table to the folders."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from shoal import io
from shoal.base.plural import counted
from shoal.engines.rebuilding import found_trees, has_built_trees
from shoal.engines.spark.catalog import CatalogTable, saving
from shoal.engines.spark.columns import GROUP, ORIGINAL, PUBLISHED, quoted
from shoal.engines.spark.domain import Domain
from shoal.engines.spark.encoding import encode, missing_people
from shoal.engines.spark.facts import Held, Made, exact_facts, public_facts
from shoal.engines.spark.grouping import Grouped, Work, group
from shoal.engines.spark.levels import group_by_levels
from shoal.engines.spark.marks import count_heads
from shoal.engines.spark.measuring import measure
from shoal.engines.spark.points import whole_statistics
from shoal.engines.spark.private_report import Written, private_panels
from shoal.engines.spark.publishing import Cells, mixed, publish, published_alone, write_parquet
from shoal.engines.spark.recount import recount
from shoal.errors import InfeasibleError, InputError
from shoal.io.disk import create_private
from shoal.judging.verification import Verification
from shoal.methods import FullDomain, Method
from shoal.models import GroupStatistics, Requirement
from shoal.models.exact.shares import allowed, rounded_up
from shoal.plan import Plan
from shoal.publications.published.files import digest
from shoal.publications.published.folder import FACTS, MANIFEST, PLAN, ROWS
from shoal.release import report
from shoal.release.accounting import REPORT, public_record
from shoal.release.guard import Guard
from shoal.release.head_counts import Removed
from shoal.release.private import PRIVATE_NOTE, completed_plan
from shoal.release.public_facts import release_id
from shoal.release.report.private.page import Panels
from shoal.release.signing import read_private_key, sign_files
from shoal.release.writing import UNWRITTEN, require_passed, targets
from shoal.table.schema import Schema

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Clock", "Report", "Run", "SparkRelease"]

TABLE = "table.parquet"
ORDER = 1
"""Beside the seed: what the order of rows is drawn from is not what the method drew."""

Report = Callable[[str, int, int], None]
T = TypeVar("T")


@dataclass(frozen=True)
class SparkRelease:
    """A release that Spark made, verified and wrote.

    Parameters
    ----------
    folder
        Where it is.
    facts
        What ``release.json`` says.
    measures
        What it lost, in all digits (private).
    """

    folder: Path
    facts: Mapping[str, Any]
    verification: Verification
    require: Sequence[Requirement]
    method: Method
    measures: Mapping[str, float]
    blocks: int
    seconds: Mapping[str, float]
    saved: str | None = None
    """The table of Spark's catalog that it is, too."""

    def table(self, session: SparkSession) -> DataFrame:
        """Read the published table."""
        return session.read.parquet((self.folder / TABLE).resolve().as_uri())


@dataclass(frozen=True)
class _Decided:
    plan: Plan
    schema: Schema
    original: Any
    method: Method
    seed: int
    n_removed: int
    to_be_found: frozenset[str]


@dataclass(frozen=True, eq=False)
class _Encoded:
    """Rows as codes, and all that follows from them."""

    domain: Domain
    shared: Broadcast[Domain]
    rows: DataFrame
    require: Sequence[Requirement]
    whole: GroupStatistics


@dataclass
class Clock:
    """Reports each step, and notes how long it takes."""

    report: Report
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Go through a step."""
        self.report(name, 0, 1)
        began = time.perf_counter()
        yield
        self.seconds[name] = round(time.perf_counter() - began, 4)
        self.report(name, 1, 1)


@dataclass
class Run:
    """One release on its way."""

    frame: DataFrame
    plan: Plan
    require: Sequence[Requirement]
    method: Method
    seed: int
    clock: Clock
    place: Path | None
    saved: CatalogTable | None = None
    kept: list[DataFrame] = field(default_factory=list)
    shared: list[Broadcast[Any]] = field(default_factory=list)

    def forget(self) -> None:
        """Let Spark keep nothing of it; one that died keeps nothing, and says why elsewhere."""
        from py4j.protocol import Py4JError

        held: list[Any] = [*self.kept, *self.shared]
        for each in held:
            with suppress(Py4JError, OSError):
                each.unpersist()

    def _share(self, what: T) -> Broadcast[T]:
        """Let every worker know something."""
        self.shared.append(self.frame.sparkSession.sparkContext.broadcast(what))
        return self.shared[-1]

    def write(self, target: Path, schema: Schema) -> SparkRelease:
        """Make the release in a private place, and put it where it belongs when it is whole."""
        form = self.plan.publication.build(self.method)
        with self.clock.step("encode"):
            self._require_people(schema)
            found = self._encoded(self.frame, schema)
            limit = self.plan.publication.suppression_limit if self.method.by_points else 0.0
            for each in found.require:
                each.require_feasible(found.whole, suppression_limit=limit)
        with self.clock.step("group"):
            encoded, grouped, left_out = self._settled(found, schema)
            domain, require, whole = encoded.domain, encoded.require, encoded.whole
            lost = found.domain.rows - domain.rows
        with self.clock.step("measure"):
            bounds: Any = form.bounds or "rounded"
            cells = self._share(Cells.of(grouped, encoded.shared, bounds))
            losses = measure(grouped.rows, cells, lost)
            heads = count_heads(
                grouped.rows, cells, losses.marks, _heads(left_out, lost, schema.entity)
            )
        with saving(self.saved), io.replace_folders(targets(target)) as (outside, inside):
            with self.clock.step("write"):
                self._write_tables(grouped, cells, outside, inside)
            with self.clock.step("verify"):
                public, private = self._read(outside / TABLE), self._read(inside / ROWS)
                proof = recount(public, private, self.frame, left_out, domain.asked, require)
                require_passed(proof, UNWRITTEN)
                held = Held.read(public, domain.schema)
            made = Made(
                self.plan,
                domain.asked,
                require,
                self.method,
                form,
                whole,
                losses,
                lost,
                heads,
                held,
                proof,
                domain.remarks,
                chosen=grouped.chosen,
            )
            with self.clock.step("report"):
                written = Written(grouped.rows, public, private, domain)
                panels = self._panels(written, made, target)
            facts = self._write_facts(made, grouped, outside, inside)
            page = panels.page(exact_facts(made) | {"files": facts["files"]})
            create_private(inside / REPORT).write_text(page, encoding="utf-8", newline="\n")
            if self.saved is not None:  # last: what failed before leaves nothing there
                with self.clock.step("save"):
                    self.saved.write(public, facts["id"])
        return SparkRelease(
            target,
            facts,
            proof,
            require,
            self.method,
            losses.measures,
            grouped.blocks,
            self.clock.seconds,
            self.plan.output.spark_table,
        )

    def _require_people(self, schema: Schema) -> None:
        """Refuse rows that belong to nobody, where people are counted."""
        if schema.entity is not None:
            missing = schema.missing_of(schema.entity)
            absent = missing_people(self.frame, schema.entity, missing)
            if absent:
                raise InputError(
                    f"The entity column '{schema.entity}' is missing in {counted(absent, 'row')}.",
                    "People cannot be counted without it: fill it, or remove those rows.",
                )

    def _encoded(self, frame: DataFrame, schema: Schema) -> _Encoded:
        """Encode rows by what they alone say of their columns."""
        from pyspark import StorageLevel

        domain = Domain.collect(frame, schema)
        require = [each.bind(domain.schema) for each in self.require]
        shared = self._share(domain)
        rows = encode(frame, shared).persist(StorageLevel.DISK_ONLY)
        self.kept.append(rows)
        return _Encoded(domain, shared, rows, require, whole_statistics(rows, domain, require))

    def _settled(self, found: _Encoded, schema: Schema) -> tuple[_Encoded, Grouped, DataFrame]:
        """Group rows; where some are left out, encode and group those that stay anew.

        So what is published follows from the published rows alone. Where levels are chosen in trees
        of the plan, they stay as they are.

        Returns
        -------
        encoded, grouped, left_out
            The rows that stay, with their groups, and the others under `ORIGINAL`.
        """
        encoded, method = found, self.method
        grouped = self._group(encoded, method)
        search = None if grouped.chosen is None else grouped.chosen.search
        left_out = grouped.rows.where(f"{GROUP} < 0").select(ORIGINAL)
        while grouped.suppressed:
            lost = found.domain.rows - encoded.domain.rows + grouped.suppressed
            self._require_enough(lost, found, levels=search is not None)
            planned = search is not None and not has_built_trees(schema, encoded.domain.schema)
            if search is not None:
                method = FullDomain(levels=search["levels"]) if planned else method
                method = replace(method, suppression_limit=0.0)  # type: ignore[type-var]
            stay = grouped.rows.where(f"{GROUP} >= 0").select(f"{ORIGINAL}.*")
            encoded = self._encoded(stay, schema)
            grouped = self._group(encoded, method)
            left_out = left_out.unionByName(grouped.rows.where(f"{GROUP} < 0").select(ORIGINAL))
            if planned and search is not None and grouped.chosen is not None:
                grouped = replace(grouped, chosen=replace(grouped.chosen, search=search))
        return encoded, grouped, left_out

    def _group(self, encoded: _Encoded, method: Method) -> Grouped:
        """Group rows by the levels of their points where that is enough, else in blocks."""
        pinned = [each.against(encoded.whole) for each in encoded.require]
        work = Work(encoded.domain, pinned, method, self.seed)
        if not method.by_points:
            return group(encoded.rows, self._share(work), self.plan.blocks, self.kept)
        report = self.clock.report
        return group_by_levels(
            encoded.rows, work, self._share, lambda done, total: report("group", done, total)
        )

    def _require_enough(self, lost: int, found: _Encoded, *, levels: bool) -> None:
        """Refuse to leave too many rows out, or any where blocks are compared with all rows."""
        rows, limit = found.domain.rows, self.plan.publication.suppression_limit
        relative = [each.name for each in found.require if each.relative and not levels]
        if lost and relative:
            raise InfeasibleError(
                f"{counted(lost, 'row')} would be suppressed, and '{relative[0]}' compares classes "
                "with all rows.",
                "Weaken the requirements or run the plan without Spark.",
            )
        if lost == rows or lost > allowed(limit, rows):
            raise InfeasibleError(
                f"{lost:,} of {counted(rows, 'row')} would be suppressed, more than the limit of "
                f"{limit:.1%}.",
                f"Weaken the requirements, or raise suppression_limit to {rounded_up(lost, rows)}.",
            )

    def _write_tables(
        self, grouped: Grouped, cells: Broadcast[Cells], outside: Path, inside: Path
    ) -> None:
        """Write rows beside their originals; then, from what was written, the public ones alone."""
        fixed = self.plan.publication.fixed_seed(self.method)
        drawn = np.random.default_rng(None if fixed is None else [fixed, ORDER])
        salt = int(drawn.integers(2**62))
        write_parquet(publish(grouped.rows, cells, salt), inside / ROWS)
        private = self._read(inside / ROWS)
        files = len(list((inside / ROWS).glob("*.parquet")))
        alone = published_alone(mixed(private.select(PUBLISHED), files, salt))
        write_parquet(alone, outside / TABLE)

    def _panels(self, written: Written, made: Made, target: Path) -> Panels:
        """Look at what was written, for the private report."""
        return private_panels(
            written,
            self.plan,
            tuple(made.require),
            self.method,
            made.proof,
            made.losses.fates,
            seed=self.seed,
            folder=target,
            source=self.place is not None or self.plan.input.spark_table is not None,
        )

    def _read(self, folder: Path) -> DataFrame:
        return self.frame.sparkSession.read.parquet(folder.as_uri())

    def _write_facts(
        self, made: Made, grouped: Grouped, outside: Path, inside: Path
    ) -> dict[str, Any]:
        """Write the public folder, and the private one beside it."""
        facts = public_facts(made) | {"files": {TABLE: digest(outside / TABLE)}}
        facts = {"id": release_id(facts), **facts}
        text = json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
        (outside / FACTS).write_text(text, encoding="utf-8")
        (outside / REPORT).write_text(report.page(facts), encoding="utf-8", newline="\n")
        sign_files(outside, read_private_key(self.plan.signing_key))
        (inside / "hierarchies").mkdir(mode=0o700)
        decided = _Decided(
            self.plan,
            made.schema,
            self.place,
            self.method,
            self.seed,
            made.suppressed,
            found_trees(self.plan.schema_()) if made.suppressed else frozenset(),
        )
        written = completed_plan(decided, inside).to_toml()
        create_private(inside / PLAN).write_text(written, encoding="utf-8")
        manifest = {
            "note": PRIVATE_NOTE,
            "id": facts["id"],
            "shoal": version("shoal"),
            "engine": "spark",
            "seed": self.seed,
            "rows": {
                "input": made.losses.missingness.rows + made.suppressed,
                "published": made.proof.rows,
                "dropped": 0,
                "suppressed": made.suppressed,
                "groups": grouped.groups,
                "blocks": grouped.blocks,
            },
            "missing": made.missing(Guard.none()),
            "cells": {name: fates._asdict() for name, fates in made.losses.fates.items()},
            "measures": dict(made.losses.measures),
            "search": made.chosen and dict(made.chosen.search),
            "seconds": self.clock.seconds,
            "public": public_record(outside, facts),
        }
        told = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        create_private(inside / MANIFEST).write_text(told, encoding="utf-8")
        return facts


def _heads(left_out: DataFrame, rows: int, entity: str | None) -> Removed:
    """Count the people, or rows, that were left out."""
    if rows and entity is not None:
        rows = left_out.select(f"{ORIGINAL}.{quoted(entity)}").distinct().count()
    return Removed(0, rows, rows)
