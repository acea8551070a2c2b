"""Releases on Spark: the same plan, the same parts, for tables that no machine holds alone."""

from __future__ import annotations

from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.engines.setting import Clock, Report, Setting, take_steps
from shoal.engines.spark import running
from shoal.engines.spark.catalog import CatalogTable, require_lasting
from shoal.engines.spark.columns import require_types, usable
from shoal.engines.spark.failing import telling
from shoal.engines.spark.refusing import require_distributable
from shoal.engines.spark.running import Run, SparkRelease as SparkRelease
from shoal.engines.spark.session import require_spark, start as start
from shoal.errors import InputError, ParameterError, a_type
from shoal.plan import Plan
from shoal.plan.arguments import settle
from shoal.release.signing import read_private_key
from shoal.release.writing import require_writable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def run(
    plan: Plan,
    *,
    output: str | PathLike[str] | None = None,
    master: str = "local[*]",
    progress: Report | None = None,
) -> SparkRelease:
    """Start Spark, read the plan's Parquet file or folder, or table, and write the release.

    Parameters
    ----------
    output
        A folder to use instead of the plan's.
    master
        Where Spark runs, such as ``local[2]`` or ``spark://host:7077``.
    """
    _require_plan(plan)
    _require_typed(plan)
    named = plan.input.spark_table
    source = _parquet(plan) if named is None else None
    target = plan.output_path if output is None else output
    require_writable(target)
    read_private_key(plan.signing_key)  # before any work
    with start(master) as session, telling():
        require_lasting(session, plan)
        if source is None:
            frame = session.table(str(named))
        else:
            frame = session.read.parquet(source.resolve().as_uri())
        return anonymize(frame, plan, output=target, progress=progress, place=source)


def _require_plan(plan: object) -> None:
    if not isinstance(plan, Plan):
        raise ParameterError(
            f"Spark takes a plan, not {a_type(plan)}.", "Read one with shoal.Plan.read."
        )


def _require_typed(plan: Plan) -> None:
    """Refuse what says how texts of a file are read: Spark's columns have types."""
    specified = [name for name, given in plan.input.reading.items() if given is not None]
    unused = [name for name in specified if name not in ("format", "max_unpacked")]
    if unused:
        raise ParameterError(
            f"Parquet files and Spark tables have no {' or '.join(unused)}.",
            "Leave it out under [input], or run the plan without Spark.",
        )


def _parquet(plan: Plan) -> Path:
    """Find the plan's Parquet file or folder."""
    source = plan.source
    if not isinstance(source, Path):
        raise InputError("Spark does not read databases here.", "Give a Parquet file or folder.")
    if not source.exists():
        raise InputError(f"'{source}' does not exist.", "Check the path under [input].")
    if source.is_file() and source.suffix != ".parquet":
        raise InputError(
            f"'{source.name}' is not a Parquet file or folder.", "Convert it to Parquet."
        )
    return source


def anonymize(
    frame: DataFrame,
    plan: Plan,
    *,
    output: str | PathLike[str] | None = None,
    progress: Report | None = None,
    place: Path | None = None,
) -> SparkRelease:
    """Make a release of a Spark table: group, publish, write, recount what was written.

    Everything stays in Spark but the different values of each column, and where rows lie. The
    folders appear when the recount has passed, or not at all. They must lie where the driver and
    all executors can write.

    Parameters
    ----------
    frame
        The table, in a session of yours. Its executors need Shoal installed.
    plan
        The same plan as on one machine.
    output
        The folder of the release, instead of the plan's.
    place
        Where the table was read, for the private plan.

    Raises
    ------
    ParameterError
        If the plan asks for what needs the table in one place.
    VerificationError
        If the recount does not find what is required; nothing is written.
    """
    _require_plan(plan)
    require_spark()
    from pyspark.sql.classic.dataframe import DataFrame as ClassicFrame

    if not isinstance(frame, ClassicFrame):
        raise ParameterError(
            f"shoal.spark.anonymize takes a DataFrame of a Spark session, not {a_type(frame)}.",
            "Use shoal.anonymize for other frames, and a classic session instead of Connect.",
        )
    target = plan.output_path if output is None else output
    require_writable(target)
    read_private_key(plan.signing_key)  # before any work
    plan, schema, require, method = settle(plan)
    require = tuple(each.bind(schema) for each in require)
    for each in require:
        each.validate()
    setting = Setting.of(plan, method)
    require_distributable(plan, schema, require, method, setting.publication)
    require_types(frame, schema)
    clock = Clock(progress or (lambda step, done, total: None))
    saved = None
    if plan.output.spark_table is not None:
        saved = CatalogTable(frame.sparkSession, plan.output.spark_table, plan.output.replace)
    with telling():
        if saved is not None:
            saved.require_free(frame, plan.input.spark_table)
        with ExitStack() as ends:
            rows = usable(frame)
            made = Run(
                rows, plan, schema, require, setting, clock, Path(target), place, saved, ends
            )
            try:
                return take_steps(running, made)
            finally:
                made.forget()
