"""One release on Spark, from the table to the folders."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from shoal import io
from shoal.errors import InfeasibleError, InputError
from shoal.io.disk import create_private
from shoal.methods import Method
from shoal.models import Requirement
from shoal.models.exact.shares import allowed, rounded_up
from shoal.plan import Plan
from shoal.plural import counted
from shoal.published.files import digest
from shoal.published.folder import FACTS, MANIFEST, PLAN, ROWS
from shoal.release import report
from shoal.release.guard import Guard
from shoal.release.private import PRIVATE_NOTE, completed_plan
from shoal.release.public_facts import release_id
from shoal.release.report.private.page import Panels
from shoal.release.writing import REPORT, UNWRITTEN, require_passed, targets
from shoal.schema import Schema
from shoal.spark.catalog import CatalogTable, saving
from shoal.spark.columns import GROUP, ORIGINAL, PUBLISHED
from shoal.spark.domain import Domain
from shoal.spark.encoding import encode, missing_people
from shoal.spark.facts import Held, Made, exact_facts, public_facts
from shoal.spark.grouping import Grouped, Work, group
from shoal.spark.levels import group_by_levels
from shoal.spark.marks import count_heads
from shoal.spark.measuring import measure
from shoal.spark.points import whole_statistics
from shoal.spark.private_report import Written, private_panels
from shoal.spark.publishing import Cells, mixed, publish, published_alone, write_parquet
from shoal.spark.recount import recount
from shoal.verification import Verification

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
        from pyspark import StorageLevel

        form = self.plan.publication.build(self.method)
        with self.clock.step("encode"):
            domain = self._domain(schema)
            require = [each.bind(domain.schema) for each in self.require]
            shared = self._share(domain)
            rows = encode(self.frame, shared).persist(StorageLevel.DISK_ONLY)
            self.kept.append(rows)
            whole = whole_statistics(rows, domain, require)
            limit = self.plan.publication.suppression_limit if self.method.by_points else 0.0
            for each in require:
                each.require_feasible(whole, suppression_limit=limit)
        with self.clock.step("group"):
            pinned = [each.against(whole) for each in require]
            grouped = self._group(rows, Work(domain, pinned, self.method, self.seed))
            self._require_enough(grouped, domain.rows, require)
        with self.clock.step("measure"):
            bounds: Any = form.bounds or "rounded"
            cells = self._share(Cells.of(grouped, shared, bounds))
            losses = measure(grouped.rows, cells, grouped.suppressed)
            heads = count_heads(grouped.rows, cells, losses.marks)
        with saving(self.saved), io.replace_folders(targets(target)) as (outside, inside):
            with self.clock.step("write"):
                self._write_tables(grouped, cells, outside, inside)
            with self.clock.step("verify"):
                public, private = self._read(outside / TABLE), self._read(inside / ROWS)
                left_out = grouped.rows.where(f"{GROUP} < 0").select(ORIGINAL)
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
                grouped.suppressed,
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

    def _domain(self, schema: Schema) -> Domain:
        if schema.entity is not None:
            missing = schema.missing_of(schema.entity)
            absent = missing_people(self.frame, schema.entity, missing)
            if absent:
                raise InputError(
                    f"The entity column '{schema.entity}' is missing in {counted(absent, 'row')}.",
                    "People cannot be counted without it: fill it, or remove those rows.",
                )
        return Domain.collect(self.frame, schema)

    def _group(self, rows: DataFrame, work: Work) -> Grouped:
        """Group rows by the levels of their points where that is enough, else in blocks."""
        if not self.method.by_points:
            return group(rows, self._share(work), self.plan.blocks, self.kept)
        report = self.clock.report
        return group_by_levels(
            rows, work, self._share, lambda done, total: report("group", done, total)
        )

    def _require_enough(self, grouped: Grouped, rows: int, require: Sequence[Requirement]) -> None:
        """Refuse to leave too many rows out, or any where blocks are compared with all rows."""
        lost, limit = grouped.suppressed, self.plan.publication.suppression_limit
        relative = [each.name for each in require if each.relative and grouped.chosen is None]
        if lost and relative:
            raise InfeasibleError(
                f"{counted(lost, 'row')} would be suppressed, and '{relative[0]}' compares classes "
                "with all rows.",
                "Weaken the requirements, or run the plan without Spark.",
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
        """Write what is public, and beside it what stays in the house."""
        facts = public_facts(made) | {"files": {TABLE: digest(outside / TABLE)}}
        facts = {"id": release_id(facts), **facts}
        text = json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
        (outside / FACTS).write_text(text, encoding="utf-8")
        (outside / REPORT).write_text(report.page(facts), encoding="utf-8", newline="\n")
        (inside / "hierarchies").mkdir(mode=0o700)
        decided = _Decided(self.plan, made.schema, self.place, self.method, self.seed)
        written = completed_plan(decided, inside).to_toml()
        create_private(inside / PLAN).write_text(written, encoding="utf-8")
        manifest = {
            "note": PRIVATE_NOTE,
            "id": facts["id"],
            "shoal": version("shoal"),
            "engine": "spark",
            "seed": self.seed,
            "rows": {
                "input": made.losses.missingness.rows,
                "published": made.proof.rows,
                "dropped": 0,
                "suppressed": grouped.suppressed,
                "groups": grouped.groups,
                "blocks": grouped.blocks,
            },
            "missing": made.missing(Guard.none()),
            "cells": {name: fates._asdict() for name, fates in made.losses.fates.items()},
            "measures": dict(made.losses.measures),
            "search": made.chosen and dict(made.chosen.search),
            "seconds": self.clock.seconds,
        }
        told = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
        create_private(inside / MANIFEST).write_text(told, encoding="utf-8")
        return facts
