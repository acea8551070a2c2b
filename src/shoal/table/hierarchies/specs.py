"""Builders by name: how plan files and the command line ask for a hierarchy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from shoal.base.members import Members
from shoal.base.options import from_spec as options_from_spec
from shoal.errors import ParameterError, a_type
from shoal.table.hierarchies.base import Builder
from shoal.table.hierarchies.tree import Hierarchy

BUILDERS: Members[type[Builder]] = Members(
    "shoal.table.hierarchies",
    noun="builder",
    fits=Builder,
    folders=("builders",),
    group="shoal.hierarchies",
)
"""Every builder by the name that plans use."""


def from_spec(
    spec: str | Mapping[str, Any],
    *,
    folder: str | Path = ".",
    known: Mapping[str, type[Builder]] = BUILDERS,
) -> Builder:
    """Read what a plan says about a column's hierarchy.

    Parameters
    ----------
    spec
        The path of a ``.csv`` or ``.json`` file, or a mapping of ``builder`` and its options.
    folder
        Where relative paths start: the folder of the plan.
    known
        Which builders there are.

    Examples
    --------
    >>> from_spec({"builder": "intervals", "width": 10, "fan_out": 3})
    Intervals(width=10, cuts=None, bins=None, fan_out=3, levels=None, start=None, root='*')
    >>> from_spec("sex.csv").to_spec()
    {'builder': 'csv', 'path': 'sex.csv'}
    >>> from_spec({"builder": "prefix"})
    Traceback (most recent call last):
    shoal.errors.ParameterError: There is no builder 'prefix'. Did you mean 'prefixes'?
    """
    if isinstance(spec, str):
        ending = Path(spec).suffix.lower()
        if ending not in (".csv", ".json"):
            raise ParameterError(
                f"A hierarchy file must end in .csv or .json, not '{ending}'.",
                'Name other files in a table: builder = "csv", path = …',
            )
        spec, known = {"builder": "csv" if ending == ".csv" else "tree", "path": spec}, BUILDERS
    if not isinstance(spec, Mapping):
        raise ParameterError(
            f"A hierarchy is a file name or a table with a builder, not {a_type(spec)}.",
            'Such as "sex.csv", or {builder = "prefixes"}.',
        )
    options = {
        key: tuple(value) if isinstance(value, list) and key != "tree" else value
        for key, value in spec.items()
    }
    if options.get("builder") == "tree" and options.get("root") == "":
        options["root"] = None  # plan files know no null
    made = options_from_spec(known, "builder", options, noun="builder", hidden=("folder",))
    # Builders that read files are told where their paths start.
    reads = any(field.name == "folder" for field in fields(made))
    return replace(made, folder=Path(folder)) if reads else made  # type: ignore[call-arg]


def tree_spec(tree: Hierarchy) -> dict[str, Any]:
    """Write a whole tree as a plan says it, so that the plan alone builds it again.

    Its labels are values of a column: such a plan is as private as the table.

    Examples
    --------
    >>> spec = tree_spec(Hierarchy.from_dict({"X": ["a", "c"], "b": None}))
    >>> spec
    {'builder': 'tree', 'tree': {'*': {'X': ['a', 'c'], 'b': []}}, 'root': '*'}
    """
    return {"builder": "tree", "tree": tree.to_dict(), "root": tree.labels[0]}
