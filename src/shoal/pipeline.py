"""The way of the data, one function per step; every face of Shoal calls only these."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from shoal import io
from shoal.errors import InfeasibleError, ParameterError
from shoal.frames import to_polars
from shoal.grouping import SUPPRESSED, Grouping
from shoal.hierarchies import Hierarchy
from shoal.measures import MEASURES, Pair
from shoal.methods import GAACP, Method, Progress
from shoal.models import GroupStatistics, Requirement
from shoal.plan import ColumnPlan, InputPlan, Plan, PublicationPlan
from shoal.recode import Recoded, generalize
from shoal.release import Release, require_writable
from shoal.schema import Schema
from shoal.table import Table
from shoal.verification import verify

__all__ = ["Report", "anonymize", "run"]

Report: TypeAlias = Callable[[str, int, int], None]
"""Called with the step's name, the work done and the work in all."""


def anonymize(
    data: Any,
    plan: Plan | Schema,
    *,
    require: Requirement | Sequence[Requirement] | None = None,
    method: Method | None = None,
    publication: str = "generalized",
    bounds: str = "observed",
    missing: str = "keep",
    suppression_limit: float = 0.05,
    progress: Report | None = None,
) -> Release:
    """Make a release: group, publish, verify, measure. Nothing is written to disk.

    Parameters
    ----------
    data
        Any frame (pandas, polars, pyarrow, DuckDB …), or the path of a CSV or Parquet file.
    plan
        A `Plan`, which decides everything, or a `Schema` with the arguments below.
    require
        What must hold, such as ``[shoal.KAnonymity(10)]``.
    method
        How groups are found; `GAACP` if left out.
    publication, bounds, missing, suppression_limit
        As in a plan.
    progress
        Called with the step's name, the work done and the work in all.

    Examples
    --------
    >>> import shoal
    >>> patients = shoal.datasets.patients(1)
    >>> schema = shoal.Schema({"name": shoal.identifier(), "age": shoal.quasi(),
    ...     "sex": shoal.quasi(), "zip": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes()),
    ...     "disease": shoal.sensitive()})
    >>> release = shoal.anonymize(patients, schema, require=[shoal.KAnonymity(2)])
    >>> release.table["zip"].to_list()
    ['232**', '232**', '230**', '232**', '230**']
    """
    if not isinstance(plan, Plan | Schema):
        raise ParameterError(
            f"The second argument must be a Plan or a Schema, not a {type(plan).__name__}.",
            "Read a plan file with shoal.Plan.read.",
        )
    if isinstance(plan, Plan):
        said = (publication, bounds, missing, suppression_limit)
        defaults = ("generalized", "observed", "keep", 0.05)
        if require is not None or method is not None or said != defaults:
            raise ParameterError(
                "A plan already says what is required and by which method.",
                "Give a plan, or a schema with require and method.",
            )
        schema, needs, how = plan.schema_(), plan.requirements(), plan.build_method()
    else:
        if not require:
            raise ParameterError("Nothing is required.", "Give require=[shoal.KAnonymity(10)].")
        needs = [require] if isinstance(require, Requirement) else list(require)
        schema, how = plan, method or GAACP()
        if not all(isinstance(each, Requirement) for each in needs):
            raise ParameterError(
                "require must list requirements.", "Such as [shoal.KAnonymity(10)]."
            )
        if not isinstance(how, Method):
            raise ParameterError("method must be a method.", "Such as shoal.GAACP().")
        plan = _plan_of(
            schema,
            needs,
            how,
            PublicationPlan.of(
                form=publication,
                bounds=bounds,
                missing=missing,
                suppression_limit=suppression_limit,
            ),
        )
    return _release(data, plan, schema, needs, how, progress or _quiet)


def run(
    plan: Plan,
    *,
    data: Any = None,
    output: str | PathLike[str] | None = None,
    progress: Report | None = None,
) -> Release:
    """Read the plan's table, make the release and write it.

    Parameters
    ----------
    data, output
        A table and a folder to use instead of the plan's.
    """
    target = plan.output_path if output is None else Path(output)
    require_writable(target)
    release = anonymize(plan.input_path if data is None else data, plan, progress=progress)
    with _step("write", release.seconds, progress or _quiet):
        release.write(target)
    return release


def read(data: Any, plan: Plan) -> tuple[pl.DataFrame, str]:
    """Take a frame, or read a file as the plan says; also say how a file was read."""
    if not isinstance(data, str | PathLike):
        return to_polars(data), ""
    source = plan.input
    found = io.read(
        Path(data),
        format=source.format,
        separator=source.separator,
        encoding=source.encoding,
        quote=source.quote,
    )
    return found.frame, found.describe()


def require_feasible(table: Table, require: Sequence[Requirement], method: Method) -> None:
    """Refuse, before any work, what cannot hold or cannot be carried."""
    method.validate()
    for requirement in require:
        requirement.validate()
    method.require_carried(require)
    people = None if table.people is None else np.array([len(np.unique(table.people))])
    whole = GroupStatistics(np.array([table.n_rows]), people)
    for requirement in require:
        requirement.require_feasible(whole)


def group(
    table: Table,
    require: Sequence[Requirement],
    method: Method,
    *,
    seed: int,
    missing: str = "keep",
    suppression_limit: float = 0.05,
    progress: Progress | None = None,
) -> tuple[Grouping, int]:
    """Find groups; also say how many rows were dropped for a missing cell."""
    kept = np.arange(table.n_rows)
    if missing == "drop":
        kept = np.flatnonzero(~table.missing.any(axis=1))
    dropped = table.n_rows - len(kept)
    if not len(kept):
        raise InfeasibleError(
            "Every row has a missing cell, so dropping them leaves nothing.",
            'Use missing = "keep".',
        )
    part = table.take(kept) if dropped else table
    require_feasible(part, require, method)
    found = method.group(part, require, rng=np.random.default_rng(seed), progress=progress)
    labels = np.full(table.n_rows, SUPPRESSED, dtype=np.int32)
    labels[kept] = found.labels
    _require_enough(found, suppression_limit)
    return Grouping(labels), dropped


def measure(table: Table, recoded: Recoded) -> dict[str, float]:
    """Take every measure of a publication."""
    both = Pair(table, recoded)
    return {name: each.of(both) for name, each in MEASURES.items()}


def _release(
    data: Any,
    plan: Plan,
    schema: Schema,
    require: Sequence[Requirement],
    method: Method,
    report: Report,
) -> Release:
    seconds: dict[str, float] = {}

    def step(name: str) -> AbstractContextManager[None]:
        return _step(name, seconds, report)

    seed = secrets.randbits(53) if method.seed is None else method.seed
    with step("read"):
        frame, read_as = read(data, plan)
    with step("encode"):
        table = Table.encode(frame, schema)
    with step("group"):
        grouping, dropped = group(
            table,
            require,
            method,
            seed=seed,
            missing=plan.publication.missing,
            suppression_limit=plan.publication.suppression_limit,
            progress=lambda done, total: report("group", done, total),
        )
    with step("recode"):
        recoded = generalize(
            table, grouping, bounds=plan.publication.bounds, numbers=method.numbers
        )
        published = recoded.decode(table)
    with step("verify"):
        proof = verify(published, table.schema, require, original=table.frame, rows=grouping.rows)
    with step("measure"):
        measures = measure(table, recoded)
    return Release(
        frame=published,
        original=data,
        source=table.frame,
        plan=plan,
        schema=table.schema,
        require=tuple(require),
        method=method,
        grouping=grouping,
        n_dropped=dropped,
        measures=measures,
        verification=proof,
        seed=seed,
        seconds=seconds,
        people=table.people,
        read_as=read_as,
    )


@contextmanager
def _step(name: str, seconds: dict[str, float], report: Report) -> Iterator[None]:
    """Report the start and the end of a step, and note how long it took."""
    report(name, 0, 1)
    began = time.perf_counter()
    yield
    seconds[name] = round(time.perf_counter() - began, 4)
    report(name, 1, 1)


def _require_enough(grouping: Grouping, limit: float) -> None:
    """Refuse a grouping that leaves too many rows out."""
    n, lost = len(grouping.labels), grouping.n_suppressed
    if lost == n:
        raise InfeasibleError(
            f"All {n} rows would be suppressed.", "Weaken the requirements or change the method."
        )
    if lost > limit * n:
        raise InfeasibleError(
            f"{lost} of {n} rows would be suppressed, more than the limit of {limit:.1%}.",
            f"Weaken the requirements, or raise suppression_limit to {lost / n:.4f}.",
        )


def _plan_of(
    schema: Schema, require: Sequence[Requirement], method: Method, publication: PublicationPlan
) -> Plan:
    """Write down what was asked in Python, so that the release can be repeated."""
    columns = {
        name: ColumnPlan(
            role=column.role,
            kind=column.kind,
            hierarchy=None
            if column.hierarchy is None or isinstance(column.hierarchy, Hierarchy)
            else column.hierarchy.to_spec(),
            weight=column.weight,
            missing=column.missing,
        )
        for name, column in schema.items()
    }
    return Plan(
        entity=schema.entity,
        input=InputPlan(missing=schema.missing),
        columns=columns,
        require=[requirement.to_spec() for requirement in require],
        method=method.to_spec(),
        publication=publication,
    )


def _quiet(step: str, done: int, total: int) -> None:
    """Report nothing."""
