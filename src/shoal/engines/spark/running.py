"""The steps of a Spark table to its release, as `shoal.engines.setting.Engine` names them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from shoal import io
from shoal.base.plural import counted
from shoal.engines.rebuilding import found_trees, has_built_trees
from shoal.engines.setting import Clock, Setting
from shoal.engines.spark.catalog import CatalogTable, saving
from shoal.engines.spark.columns import GROUP, ORIGINAL, PUBLISHED, quoted
from shoal.engines.spark.domain import Domain
from shoal.engines.spark.encoding import encode as encoded_rows, missing_people
from shoal.engines.spark.facts import Held, Made, exact_facts, public_facts
from shoal.engines.spark.grouping import Grouped, Work, group as group_in_blocks, on_disk
from shoal.engines.spark.levels import group_by_levels
from shoal.engines.spark.marks import count_heads
from shoal.engines.spark.measuring import measure as measured
from shoal.engines.spark.points import whole_statistics
from shoal.engines.spark.private_report import Written, private_panels
from shoal.engines.spark.publishing import (
    Cells,
    mixed,
    publish as cells_beside,
    published_alone,
    write_parquet,
)
from shoal.engines.spark.recount import recount
from shoal.errors import InfeasibleError
from shoal.io.disk import create_private
from shoal.judging.verification import Verification
from shoal.methods import FullDomain, Method
from shoal.models import GroupStatistics, Requirement
from shoal.plan import Plan
from shoal.plan.feasibility import require_enough, require_holdable
from shoal.publications.published.files import digest
from shoal.publications.published.folder import FACTS, MANIFEST, PLAN, ROWS
from shoal.release import report
from shoal.release.accounting import REPORT, public_record
from shoal.release.guard import Guard
from shoal.release.head_counts import Removed
from shoal.release.private import PRIVATE_NOTE, Decided, completed_plan
from shoal.release.public_facts import release_id
from shoal.release.signing import read_private_key, sign_files
from shoal.release.writing import UNWRITTEN, require_passed, targets
from shoal.table.refusing import require_people
from shoal.table.schema import Schema

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import DataFrame, SparkSession

TABLE = "table.parquet"
ORDER = 1
"""Beside the seed: what the order of rows is drawn from is not what the method drew."""

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


@dataclass(frozen=True, eq=False)
class _Encoded:
    """Rows as codes, and all that follows from them."""

    domain: Domain
    shared: Broadcast[Domain]
    rows: DataFrame
    require: Sequence[Requirement]
    whole: GroupStatistics


@dataclass
class Run:
    """A Spark table on its way to a release."""

    frame: DataFrame
    plan: Plan
    schema: Schema
    require: Sequence[Requirement]
    """What is to be done; the columns and what must hold, before any tree is built."""
    setting: Setting
    clock: Clock
    target: Path
    """The folder of the release."""
    place: Path | None
    """Where the table was read, for the private plan."""
    saved: CatalogTable | None
    """The table of Spark's catalog that the release is, too."""
    ends: ExitStack
    """What ends with the run: folders appear if it ends well."""
    kept: list[DataFrame] = field(default_factory=list)
    shared: list[Broadcast[Any]] = field(default_factory=list)

    whole: _Encoded = field(init=False)
    """All rows of the input."""
    encoded: _Encoded = field(init=False)
    """The rows that stay, encoded as if there had never been others."""
    grouped: Grouped = field(init=False)
    left_out: DataFrame = field(init=False)
    """The rows that are not published, under `ORIGINAL`."""
    cells: Broadcast[Cells] = field(init=False)
    outside: Path = field(init=False)
    inside: Path = field(init=False)
    public: DataFrame = field(init=False)
    private: DataFrame = field(init=False)
    """The two written tables, read back."""
    proof: Verification = field(init=False)

    @property
    def lost(self) -> int:
        """How many rows are not published."""
        return self.whole.domain.rows - self.encoded.domain.rows

    def forget(self) -> None:
        """Let Spark keep nothing of it; one that died keeps nothing, and says why elsewhere."""
        from py4j.protocol import Py4JError

        held: list[Any] = [*self.kept, *self.shared]
        for each in held:
            with suppress(Py4JError, OSError):
                each.unpersist()

    def share(self, what: T) -> Broadcast[T]:
        """Let every worker know something."""
        self.shared.append(self.frame.sparkSession.sparkContext.broadcast(what))
        return self.shared[-1]

    def stored(self, folder: Path) -> DataFrame:
        """Read a folder that was written."""
        return self.frame.sparkSession.read.parquet(folder.as_uri())


def read(run: Run) -> None:
    """Refuse rows that belong to nobody; rows stay where they are, in Spark."""
    name = run.schema.entity
    if name is not None:
        require_people(name, missing_people(run.frame, name, run.schema.missing_of(name)))


def encode(run: Run) -> None:
    """Encode all rows; refuse what they cannot hold."""
    with run.clock.step("encode"):
        run.whole = _encoded(run, run.frame)
        setting, found = run.setting, run.whole
        limit = setting.suppression_limit if setting.method.by_points else 0.0
        require_holdable(found.domain.quasi, found.whole, found.require, suppression_limit=limit)


def group(run: Run) -> None:
    """Group rows; where some are left out, encode and group those that stay anew.

    So what is published follows from the published rows alone. Where levels are chosen in trees
    of the plan, they stay as they are.
    """
    with run.clock.step("group"):
        method = run.setting.method
        encoded = run.whole
        grouped = _grouped(run, encoded, method)
        search = None if grouped.chosen is None else grouped.chosen.search
        left_out = grouped.rows.where(f"{GROUP} < 0").select(ORIGINAL)
        while grouped.suppressed:
            lost = run.whole.domain.rows - encoded.domain.rows + grouped.suppressed
            _require_enough(run, lost, levels=search is not None)
            planned = search is not None and not has_built_trees(run.schema, encoded.domain.schema)
            if search is not None:
                method = FullDomain(levels=search["levels"]) if planned else method
                method = method.suppressing(0.0)
            stay = grouped.rows.where(f"{GROUP} >= 0").select(f"{ORIGINAL}.*")
            encoded = _encoded(run, stay)
            grouped = _grouped(run, encoded, method)
            left_out = left_out.unionByName(grouped.rows.where(f"{GROUP} < 0").select(ORIGINAL))
            if planned and search is not None and grouped.chosen is not None:
                grouped = replace(grouped, chosen=replace(grouped.chosen, search=search))
        run.encoded, run.grouped, run.left_out = encoded, grouped, left_out


def improve(run: Run) -> None:
    """Leave groups as they are: no process holds all of them (see `refusing`)."""


def publish(run: Run) -> None:
    """Write rows beside their originals in a private place; from these, the public ones alone."""
    bounds: Any = run.setting.publication.bounds or "rounded"
    with run.clock.step("write"):
        run.cells = run.share(Cells.of(run.grouped, run.encoded.shared, bounds))
        run.ends.enter_context(saving(run.saved))
        folders = run.ends.enter_context(io.replace_folders(targets(run.target)))
        run.outside, run.inside = folders
        fixed = run.plan.publication.fixed_seed(run.setting.method)
        drawn = np.random.default_rng(None if fixed is None else [fixed, ORDER])
        salt = int(drawn.integers(2**62))
        write_parquet(cells_beside(run.grouped.rows, run.cells, salt), run.inside / ROWS)
        run.private = run.stored(run.inside / ROWS)
        files = len(list((run.inside / ROWS).glob("*.parquet")))
        alone = published_alone(mixed(run.private.select(PUBLISHED), files, salt))
        write_parquet(alone, run.outside / TABLE)
        run.public = run.stored(run.outside / TABLE)


def verify(run: Run) -> None:
    """Recount what was written."""
    with run.clock.step("verify"):
        requested, require = run.encoded.domain.requested, run.encoded.require
        run.proof = recount(run.public, run.private, run.frame, run.left_out, requested, require)
        require_passed(run.proof, UNWRITTEN)


def measure(run: Run) -> SparkRelease:
    """Measure what was lost; write the facts and the reports, and put all in its place."""
    domain, grouped = run.encoded.domain, run.grouped
    with run.clock.step("measure"):
        losses = measured(grouped.rows, run.cells, run.lost)
        heads, entity = run.lost, run.schema.entity
        if heads and entity is not None:
            heads = run.left_out.select(f"{ORIGINAL}.{quoted(entity)}").distinct().count()
        removed = Removed(0, heads, heads)
        made = Made(
            run.plan,
            domain.requested,
            run.encoded.require,
            run.setting.method,
            run.setting.publication,
            run.encoded.whole,
            losses,
            run.lost,
            count_heads(grouped.rows, run.cells, losses.marks, removed),
            Held.read(run.public, domain.schema),
            run.proof,
            domain.remarks,
            chosen=grouped.chosen,
        )
    with run.clock.step("report"):
        panels = private_panels(
            Written(grouped.rows, run.public, run.private, domain),
            made,
            seed=run.setting.seed,
            folder=run.target,
            source=run.place is not None or run.plan.input.spark_table is not None,
        )
    facts = _write_facts(run, made)
    page = panels.page(exact_facts(made) | {"files": facts["files"]})
    create_private(run.inside / REPORT).write_text(page, encoding="utf-8", newline="\n")
    if run.saved is not None:  # last: what failed before leaves nothing there
        with run.clock.step("save"):
            run.saved.write(run.public, facts["id"])
    return SparkRelease(
        run.target,
        facts,
        run.proof,
        made.require,
        made.method,
        losses.measures,
        grouped.blocks,
        run.clock.seconds,
        run.plan.output.spark_table,
    )


def _encoded(run: Run, frame: DataFrame) -> _Encoded:
    """Encode rows by what they alone say of their columns."""
    domain = Domain.collect(frame, run.schema)
    require = [each.bind(domain.schema) for each in run.require]
    shared = run.share(domain)
    rows = on_disk(encoded_rows(frame, shared), run.kept)
    return _Encoded(domain, shared, rows, require, whole_statistics(rows, domain, require))


def _grouped(run: Run, encoded: _Encoded, method: Method) -> Grouped:
    """Group rows by the levels of their points where that is enough, else in blocks."""
    pinned = [each.against(encoded.whole) for each in encoded.require]
    work = Work(encoded.domain, pinned, method, run.setting.seed)
    if not method.by_points:
        return group_in_blocks(encoded.rows, run.share(work), run.plan.blocks, run.kept)
    return group_by_levels(encoded.rows, work, run.share, partial(run.clock.report, "group"))


def _require_enough(run: Run, lost: int, *, levels: bool) -> None:
    """Refuse to leave too many rows out, or any where blocks are compared with all rows."""
    relative = [each.name for each in run.whole.require if each.relative and not levels]
    if lost and relative:
        raise InfeasibleError(
            f"{counted(lost, 'row')} would be suppressed, and '{relative[0]}' compares classes "
            "with all rows.",
            "Weaken the requirements or run the plan without Spark.",
        )
    require_enough(run.whole.domain.rows, lost, run.setting.suppression_limit)


def _write_facts(run: Run, made: Made) -> dict[str, Any]:
    """Write the public folder, and the private one beside it."""
    outside, inside, seed = run.outside, run.inside, run.setting.seed
    facts = public_facts(made) | {"files": {TABLE: digest(outside / TABLE)}}
    facts = {"id": release_id(facts), **facts}
    text = json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
    (outside / FACTS).write_text(text, encoding="utf-8")
    (outside / REPORT).write_text(report.page(facts), encoding="utf-8", newline="\n")
    sign_files(outside, read_private_key(run.plan.signing_key))
    (inside / "hierarchies").mkdir(mode=0o700)
    decided = Decided(
        run.plan,
        made.schema,
        run.place,
        made.method,
        seed,
        made.suppressed,
        found_trees(run.plan.schema_()) if made.suppressed else frozenset(),
    )
    written = completed_plan(decided, inside).to_toml()
    create_private(inside / PLAN).write_text(written, encoding="utf-8")
    manifest = {
        "note": PRIVATE_NOTE,
        "id": facts["id"],
        "shoal": version("shoal"),
        "engine": "spark",
        "seed": seed,
        "rows": {
            "input": made.losses.missingness.rows + made.suppressed,
            "published": made.verification.rows,
            "dropped": 0,
            "suppressed": made.suppressed,
            "groups": run.grouped.groups,
            "blocks": run.grouped.blocks,
        },
        "missing": made.missing(Guard.none()),
        "cells": {name: outcomes._asdict() for name, outcomes in made.losses.outcomes.items()},
        "measures": dict(made.losses.measures),
        "search": made.chosen and dict(made.chosen.search),
        "seconds": run.clock.seconds,
        "public": public_record(outside, facts),
    }
    manifest_text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    create_private(inside / MANIFEST).write_text(manifest_text, encoding="utf-8")
    return facts
