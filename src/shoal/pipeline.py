"""The way of the data, one function per step; every face of Shoal calls only these."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from shoal import io
from shoal.counting import one_group
from shoal.errors import InfeasibleError, InputError, ParameterError, a_type
from shoal.frames import to_polars
from shoal.grouping import Grouping
from shoal.hierarchies import Hierarchy
from shoal.measures import Pair, cells_by_fate, informed_losses, measure_all, weighed
from shoal.methods import Method, Progress, method_of
from shoal.methods.indistinguishable import merge_indistinguishable
from shoal.methods.lattice._objective import ObjectiveMethod
from shoal.methods.relative import merge_or_drop_failing, pinned
from shoal.missing_policy import Part, apply_missing_policy
from shoal.models import Requirement, Requirements, requirements
from shoal.models.exact.shares import allowed, rounded_up
from shoal.options import require_texts
from shoal.plan import ColumnPlan, InputPlan, Plan, PublicationPlan, WeightsPlan
from shoal.plural import counted
from shoal.recode import (
    LinkedTables,
    LoneEnds,
    Recoded,
    generalize,
    lone_ends,
    sensitive_groups,
    two_table,
)
from shoal.release import Release, require_passed, require_writable
from shoal.release.guard import least_count
from shoal.remarks import column_remarks
from shoal.schema import Schema, SchemaLike, as_schema
from shoal.shuffling import CLASS_IDS, permutation
from shoal.table import NumericColumn, Table
from shoal.verification import verify

__all__ = ["Report", "anonymize", "run"]

LARGEST = 1e300
"""Numbers from here on are too near to infinity to measure between them."""

Report: TypeAlias = Callable[[str, int, int], None]
"""Called with the step's name, the work done and the work in all."""


def anonymize(
    data: Any,
    plan: Plan | SchemaLike,
    *,
    require: Requirements | None = None,
    method: Method | str | Mapping[str, Any] | None = None,
    publication: str | None = None,
    quasi: str | None = None,
    sensitive: str | None = None,
    bounds: str | None = None,
    missing: str = "keep",
    suppression_limit: float = 0.05,
    weights: str | Mapping[str, float] | None = None,
    label: str | None = None,
    seed: int | None = None,
    progress: Report | None = None,
) -> Release:
    """Make a release: group, publish, verify, measure. Nothing is written to disk.

    `shoal.anonymize` takes columns in lists as well, and says what the arguments mean.

    Raises
    ------
    VerificationError
        If what the method made does not hold what is required; no release is given.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({"name": "identifier", "age": "quasi", "sex": "quasi",
    ...     "zip": "quasi", "disease": "sensitive"})
    >>> anonymize(shoal.datasets.patients(1), schema, require=2)
    Release(5 rows, 2 classes, k = 2, verified)
    """
    if not isinstance(plan, Plan | Mapping):
        raise ParameterError(
            f"The second argument must be a Plan, a Schema or a role per column, not "
            f"{a_type(plan)}.",
            "Read a plan file with shoal.Plan.read.",
        )
    if progress is not None and not callable(progress):
        raise ParameterError(
            f"progress must be a function, not {a_type(progress)}.",
            "It is called with the step's name, the work done and the work in all.",
        )
    if isinstance(plan, Plan):
        said = (
            publication,
            quasi,
            sensitive,
            weights,
            label,
            bounds,
            missing,
            suppression_limit,
            seed,
        )
        defaults = (None, None, None, None, None, None, "keep", 0.05, None)
        if require is not None or method is not None or said != defaults:
            raise ParameterError(
                "A plan already says what is required and by which method.",
                "Give a plan, or a schema with require and method.",
            )
        schema, needs, how = plan.schema_(), plan.requirements(), plan.build_method()
    else:
        schema, needs, how = as_schema(plan), requirements(require), method_of(method)
        schema, found = _weigh(schema, weights, label)
        plan = _plan_of(
            schema,
            needs,
            how,
            PublicationPlan.of(
                form=publication,
                quasi=quasi,
                sensitive=sensitive,
                bounds=bounds,
                missing=missing,
                suppression_limit=suppression_limit,
                seed=seed,
            ),
            found,
        )
    plan = plan.model_copy(update={"publication": plan.publication.completed(how)})
    require_publishable(schema, plan.publication, needs)
    needs = [each.bind(schema) for each in needs]
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
    if not isinstance(plan, Plan):
        raise ParameterError(
            f"run takes a plan, not {a_type(plan)}.",
            "Read one with shoal.Plan.read, or call shoal.anonymize.",
        )
    target = plan.output_path if output is None else output
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
        max_unpacked=source.max_unpacked,
    )
    return found.frame, found.describe()


def require_publishable(
    schema: Schema, publication: PublicationPlan, require: Sequence[Requirement] = ()
) -> None:
    """Refuse, before any work, what the form of publication cannot carry."""
    secrets = len(schema.sensitive)
    if publication.form == "two-table" and secrets != 1:
        raise ParameterError(
            f"A two-table publication needs exactly one sensitive column, but there are {secrets}.",
            "Give one column the role sensitive, or publish one generalized table"
            + (" or sensitive-groups." if secrets else "."),
        )
    if publication.form == "sensitive-groups" and not secrets:
        raise ParameterError(
            "A publication of sensitive groups needs a sensitive column, and there is none.",
            "Give a column the role sensitive, or publish one generalized table.",
        )
    if publication.form != "sensitive-groups" or publication.values != "values":
        return
    for each in require:
        if "histograms" in each.needs and each.counts_matter:
            raise ParameterError(
                f"'{each.name}' asks how often a value occurs in a group, and sensitive groups "
                "show each value once.",
                'Publish them with sensitive = "rows" or "counts", or require multi-l-diversity or '
                "distinct l-diversity.",
            )


def require_feasible(
    table: Table, require: Sequence[Requirement], method: Method, *, suppression_limit: float = 0.0
) -> None:
    """Refuse, before any work, what cannot hold or cannot be carried."""
    require_texts(method, method.name)
    _require_measurable(table)
    method.validate()
    for requirement in require:
        require_texts(requirement, requirement.name)
        requirement.validate()
    method.require_carried(require)
    whole = one_group(table, require)
    for requirement in require:
        requirement.require_feasible(whole, suppression_limit=suppression_limit)


def _require_measurable(table: Table) -> None:
    """Refuse numbers between which a distance, or the end of an interval, could be infinite."""
    for column in table.quasi:
        if isinstance(column, NumericColumn) and column.size:
            ends = (float(column.values[0]), float(column.values[-1]))
            if max(map(abs, ends)) > LARGEST:
                raise InputError(
                    f"The numeric column '{column.name}' holds numbers beyond {LARGEST:g}.",
                    "Mark them as missing, use another unit, or make the column categorical.",
                )


def group(
    part: Part,
    require: Sequence[Requirement],
    method: Method,
    *,
    seed: int,
    bounds: str,
    suppression_limit: float = 0.05,
    named: bool = False,
    progress: Progress | None = None,
) -> Grouping:
    """Find groups; rows of the input that are not in the part are suppressed.

    Unless groups are ``named`` in what is published, those that show the same cells, with the
    publication's ``bounds``, are one to a reader, and must hold as one. Requirements that compare
    a group with all published ones are given the publishable rows to compare with at first; then
    groups that fail beside the others are merged.
    """
    table = part.table
    require_feasible(table, require, method, suppression_limit=suppression_limit)

    def unite(groups: Grouping, needs: Sequence[Requirement]) -> Grouping:
        if named:
            return groups
        return merge_indistinguishable(table, groups, needs, numbers=method.numbers, bounds=bounds)

    needs = pinned(table, require)
    found = method.group(table, needs, rng=np.random.default_rng(seed), progress=progress)
    found = merge_or_drop_failing(
        table,
        unite(found, needs),
        require,
        table.trees if method.numbers == "tree" else table.quasi,
        most=allowed(suppression_limit, table.n_rows),
        unite=unite,
    )
    _require_enough(found, suppression_limit)
    return part.widen(found)


@dataclass(frozen=True, eq=False)
class Publication:
    """Published tables: one, or several in a `LinkedTables`."""

    recoded: Recoded
    frame: pl.DataFrame
    linked: LinkedTables | None = None

    @property
    def published(self) -> Any:
        """What verification reads."""
        return self.frame if self.linked is None else self.linked.tables


def publish(
    table: Table,
    grouping: Grouping,
    publication: PublicationPlan,
    method: Method,
    suppressed: Sequence[str] = (),
) -> Publication:
    """Make the published tables of a grouping."""
    form = publication.form or method.publication
    if grouping.padding and form != "sensitive-groups":
        raise ParameterError(
            f"The method '{method.name}' added values to groups, which the form '{form}' cannot "
            "publish.",
            'Publish as sensitive-groups, or let the method add none (micd: noise = "never").',
        )
    if form == "generalized":
        recoded = generalize(
            table,
            grouping,
            bounds=publication.bounds or "rounded",
            numbers=method.numbers,
            suppressed=suppressed,
        )
        return Publication(recoded, recoded.decode(table))
    apart: Callable[..., LinkedTables] = two_table if form == "two-table" else sensitive_groups
    made = apart(
        table,
        grouping,
        permutation(grouping.n_groups, publication.fixed_seed(method), CLASS_IDS) + 1,
        quasi=publication.quasi or "exact",
        sensitive=publication.values,
        bounds=publication.bounds or "rounded",
        numbers=method.numbers,
        suppressed=suppressed,
    )
    return Publication(made.recoded, made.quasi, made)


def measure(table: Table, recoded: Recoded) -> dict[str, float]:
    """Take every measure that makes sense of a publication."""
    return measure_all(Pair(table, recoded))


def measure_informed(original: Any, both: Pair, plan: Plan, method: Method) -> dict[str, float]:
    """Take the losses of Gu and Dong (2022) that the weights of a plan or method ask for."""
    kinds: list[Any] = [] if plan.weights is None else [plan.weights.kind]
    label = None if plan.weights is None else plan.weights.label
    if isinstance(method, ObjectiveMethod):
        kinds.append(method.weighing)
        label = method.label or label
    return informed_losses(both, original, label=label, entropy="entropy" in kinds)


def remarks(
    table: Table,
    grouping: Grouping,
    require: Sequence[Requirement],
    ends: LoneEnds | None = None,
) -> tuple[str, ...]:
    """Collect what people must know of a release; it is public, so no small count is in it."""
    whole = one_group(table, require, grouping.rows)
    made = [remark for each in require for remark in each.remarks(whole)]
    uneven = ", ".join(f"'{name}'" for name in _uneven(table, grouping))
    if uneven:
        made.append(
            f"Levels are filled upward where a hierarchy is of uneven depth ({uneven}): "
            "a value that lies less deep stays as it is until the level of its own parent."
        )
    made += column_remarks(table.frame, table.schema)
    if ends is not None and ends.lone:
        made.append(ends.remark(least_count(require)))
    return tuple(made)


def _uneven(table: Table, grouping: Grouping) -> list[str]:
    """Name the columns of which a level was chosen in a hierarchy of uneven depth."""
    levels = grouping.levels or {}
    chosen = [column for column in table.quasi if column.name in levels]
    return [
        column.name
        for column in chosen
        if not (column.tree if isinstance(column, NumericColumn) else column).hierarchy.even
    ]


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

    seed = plan.publication.seed if method.seed is None else method.seed
    seed = secrets.randbits(53) if seed is None else seed
    with step("read"):
        frame, read_as = read(data, plan)
    with step("encode"):
        policy = plan.publication.missing
        if plan.weights is not None:
            schema = weighed(frame, schema, plan.weights.kind, plan.weights.label)
        table = Table.encode(frame, schema, empty_columns=policy == "suppress-column")
        part = apply_missing_policy(table, policy)
    with step("group"):
        grouping = group(
            part,
            require,
            method,
            seed=seed,
            bounds=plan.publication.bounds or "rounded",
            named=plan.publication.form != "generalized",
            suppression_limit=plan.publication.suppression_limit,
            progress=lambda done, total: report("group", done, total),
        )
    with step("recode"):
        made = publish(table, grouping, plan.publication, method, part.suppressed_columns)
    with step("verify"):
        proof = verify(made.published, table.schema, require, original=frame, rows=grouping.rows)
        require_passed(
            proof, "Nothing was published: take another method, and report this one as a defect."
        )
    with step("measure"):
        both = Pair(table, made.recoded)
        measures = measure(table, made.recoded) | measure_informed(frame, both, plan, method)
        fates = cells_by_fate(both)
        observed = plan.publication.bounds == "observed" and method.numbers == "intervals"
        ends = lone_ends(table, made.recoded) if observed else None
    return Release(
        frame=made.frame,
        linked=made.linked,
        remarks=remarks(table, grouping, require, ends),
        lone_ends=ends,
        original=data,
        source=table.frame,
        plan=plan,
        schema=table.schema,
        require=tuple(require),
        method=method,
        grouping=grouping,
        n_dropped=part.n_dropped,
        suppressed_columns=part.suppressed_columns,
        missingness=table.missingness,
        pair=both,
        measures=measures,
        fates=fates,
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
            f"All {counted(n, 'row')} would be suppressed.",
            "Weaken the requirements or change the method.",
        )
    if lost > allowed(limit, n):
        raise InfeasibleError(
            f"{lost:,} of {counted(n, 'row')} would be suppressed, more than the limit of "
            f"{limit:.1%}.",
            f"Weaken the requirements, or raise suppression_limit to {rounded_up(lost, n)}.",
        )


def _weigh(
    schema: Schema, weights: str | Mapping[str, float] | None, label: str | None
) -> tuple[Schema, WeightsPlan | None]:
    """Take weights as they are given, or note how they will be found in the table."""
    if weights is None:
        if label is not None:
            raise ParameterError(
                "A label is only used to weigh columns.", 'Add weights="mutual-information".'
            )
        return schema, None
    if isinstance(weights, Mapping):
        return weighed(None, schema, weights, label), None
    found = WeightsPlan.of(weights, label)
    for name in schema.quasi:  # what is found replaces what the schema says
        schema = schema.with_column(name, weight=1.0)
    return schema, found


def _plan_of(
    schema: Schema,
    require: Sequence[Requirement],
    method: Method,
    publication: PublicationPlan,
    weights: WeightsPlan | None,
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
            levels=None if column.levels is None else dict(column.levels),
            degrees=None if column.degrees is None else dict(column.degrees),
        )
        for name, column in schema.items()
    }
    return Plan(
        entity=schema.entity,
        input=InputPlan(missing=schema.missing),
        columns=columns,
        require=[requirement.to_spec() for requirement in require],
        method=method.to_spec(),
        weights=weights,
        publication=publication,
    )


def _quiet(step: str, done: int, total: int) -> None:
    """Report nothing."""
