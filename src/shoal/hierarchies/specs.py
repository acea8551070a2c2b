"""Builders by name: how plan files and the command line ask for a hierarchy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.errors import ParameterError, a_type
from shoal.hierarchies.base import Builder
from shoal.hierarchies.builders.auto import Auto
from shoal.hierarchies.builders.csv import CsvFile
from shoal.hierarchies.builders.dates import Dates
from shoal.hierarchies.builders.flat import Flat
from shoal.hierarchies.builders.intervals import Intervals
from shoal.hierarchies.builders.order import Order
from shoal.hierarchies.builders.prefixes import Prefixes
from shoal.hierarchies.builders.tree import Tree
from shoal.options import from_spec as options_from_spec

__all__ = ["BUILDERS", "from_spec"]

BUILDERS: dict[str, type[Builder]] = {
    builder.name: builder
    for builder in (Auto, CsvFile, Dates, Flat, Intervals, Order, Prefixes, Tree)
}
"""Every builder by the name that plans use."""


def from_spec(spec: str | Mapping[str, Any], *, folder: str | Path = ".") -> Builder:
    """Read what a plan says about a column's hierarchy.

    Parameters
    ----------
    spec
        The path of a ``.csv`` or ``.json`` file, or a mapping of ``builder`` and its options.
    folder
        Where relative paths start: the folder of the plan.

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
    place = Path(folder)
    if isinstance(spec, str):
        return _of_file(spec, place)
    if not isinstance(spec, Mapping):
        raise ParameterError(
            f"A hierarchy is a file name or a table with a builder, not {a_type(spec)}.",
            'Such as "sex.csv", or {builder = "prefixes"}.',
        )
    options = {key: _frozen(key, value) for key, value in spec.items()}
    if options.get("builder") == Tree.name and options.get("root") == "":
        options["root"] = None  # plan files know no null
    made = options_from_spec(BUILDERS, "builder", options, noun="builder", hidden=("folder",))
    if isinstance(made, CsvFile | Tree):
        return replace(made, folder=place)
    return made


def _of_file(spec: str, folder: Path) -> Builder:
    suffix = Path(spec).suffix.lower()
    if suffix == ".csv":
        return CsvFile(spec, folder=folder)
    if suffix == ".json":
        return Tree(path=spec, folder=folder)
    raise ParameterError(
        f"A hierarchy file must end in .csv or .json, not '{suffix}'.",
        'Name other files in a table: builder = "csv", path = …',
    )


def _frozen(key: str, value: Any) -> Any:
    return tuple(value) if isinstance(value, list) and key != "tree" else value
