"""Where trials begin: a plan that says all, with a seed, and a table that is not too large."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
import polars as pl

from shoal.engines import pipeline
from shoal.errors import ParameterError, a_type
from shoal.io.frames import Coded, to_polars
from shoal.plan import Plan
from shoal.plan.changing import change_of, changed
from shoal.plan.reading import read
from shoal.release import Release
from shoal.table.hierarchies import Hierarchy, tree_spec


@dataclass(frozen=True)
class Beginning:
    """What all trials have in common."""

    plan: Plan
    """What is varied; it has a seed."""
    source: Any
    """The table: its file, or rows of it."""
    rows: int
    of: int
    """How many rows take part, and how many there are."""
    made: Release | None = None
    """The release as it is, if it is there already."""

    def release(self) -> Release:
        """Make the release as it is, unless it is there."""
        return self.made or pipeline.anonymize(self.source, self.plan)


def begin(what: Any, data: Any, rows: int) -> Beginning:
    """Take a plan or a release; draw rows where there are more."""
    if not isinstance(what, Plan | Release):
        raise ParameterError(
            f"advise takes a plan or a release that was just made, not {a_type(what)}.",
            "Read a plan with shoal.Plan.read.",
        )
    if isinstance(what, Plan):
        require_advisable(what)
        what.schema_()  # what is wrong with the plan itself is said at once
        source = what.input_path if data is None else data
        source = source if isinstance(source, str | PathLike) else to_polars(source)
        own = what.build_method().seed
        seed = what.publication.seed if own is None else own
        plan = _with_seed(what, secrets.randbits(53) if seed is None else seed)
        table = read(source, plan)[0]
        if table.height > rows:
            drawn = _drawn(table, plan, rows)
            return Beginning(plan, drawn, drawn.height, table.height)
        return Beginning(plan, source, table.height, table.height)
    if data is not None:
        raise ParameterError(
            "The release already holds its table, but data names another one.",
            "Give its plan, or no data.",
        )
    require_advisable(what.plan)
    if what.earlier is not None:
        raise ParameterError(
            "The release continues an earlier one, whose classes advice cannot change.",
            "Ask for advice before the first release.",
        )
    plan, source = _with_seed(_complete(what), what.seed), what.original
    source = source if isinstance(source, str | PathLike) else to_polars(source)
    if what.input_rows > rows:
        drawn = _drawn(read(source, plan)[0], plan, rows)
        return Beginning(plan, drawn, drawn.height, what.input_rows)
    return Beginning(plan, source, what.input_rows, what.input_rows, what)


def require_advisable(plan: Plan) -> None:
    """Refuse plans whose cells are centres: none of them is coarse (raises `ParameterError`)."""
    if plan.publication.build(plan.build_method()).centre is not None:
        raise ParameterError(
            "Cells are centres of their class, so no column can be coarse.",
            "Use `shoal compare` to compare several k and methods.",
        )


def _with_seed(plan: Plan, seed: int) -> Plan:
    """Let all runs draw alike, so that what differs is due to the lever."""
    change = change_of(("publication", "seed"), seed)
    return Plan.from_dict(changed(plan.to_dict(), [change]), folder=plan.folder)


def _complete(made: Release) -> Plan:
    """Write what Python alone knew of the columns into the plan: kinds, and trees that are given.

    A tree that has every value below its root, and no other, is built again of itself.
    """
    columns = dict(made.plan.columns)
    sizes = {column.name: column.size for column in made.pair.table.quasi}
    for name in [*made.schema.quasi, *made.schema.sensitive]:
        column, reported = made.schema[name], columns[name]
        options: dict[str, Any] = {"kind": column.kind} if name in sizes else {}
        tree: Any = column.hierarchy
        given = isinstance(tree, Hierarchy) and reported.hierarchy is None
        if given and (tree.height > 1 or tree.n_leaves != sizes.get(name)):
            options["hierarchy"] = tree_spec(tree)
        columns[name] = reported.model_copy(update=options)
    return made.plan.model_copy(update={"columns": columns})


def _drawn(table: Coded, plan: Plan, rows: int) -> pl.DataFrame:
    """Draw rows, all rows of a person together, in the order of the table."""
    rng = np.random.default_rng(plan.publication.seed)
    if plan.entity is None or plan.entity not in plan.columns:
        return table.take(np.sort(rng.permutation(table.height)[:rows])).frame
    people = table[plan.entity].codes
    order = rng.permutation(int(people.max()) + 1)
    reached = np.cumsum(np.bincount(people)[order])
    kept = np.zeros(len(order), dtype=np.bool_)
    kept[order[reached <= max(rows, reached[0])]] = True
    return table.take(np.flatnonzero(kept[people])).frame
