"""Which columns of a Spark table are used, and what their rows are called on the way."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.cells import texts
from shoal.errors import InputError, SchemaError
from shoal.table.schema import Role, Schema

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, functions as functions
    from pyspark.sql.types import StructType
else:

    class _Functions:
        """PySpark's functions, imported when one is used: what is refused needs no PySpark."""

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module("pyspark.sql.functions"), name)

    functions = _Functions()

ORIGINAL, PUBLISHED, GROUP = "original", "published", "group"
"""What rows hold in the private folder: the cells as they came, those that are published, and
which group they are in."""

BESIDE = "beside"
"""In which columns the group of a row shows ``*`` only because a cell is missing: a bit for each.
Rows have it where they were grouped in blocks."""

PLAIN = ("tinyint", "smallint", "int", "bigint", "float", "double", "boolean", "string", "date")
"""Types of columns that can be published; decimals besides."""


@dataclass(frozen=True)
class Layout:
    """Where things stand in a row while it is worked on.

    Rows keep their original cells under `ORIGINAL`, and beside them codes: ``q0``, ``q1``, … of
    quasi-identifiers and ``s0``, … of sensitive columns.
    """

    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    entity: str | None
    codes: list[str]
    values: list[str]
    """The codes of quasi-identifiers, and of sensitive columns."""
    least: list[str]
    largest: list[str]
    """The least and the largest code in the group of a row, by quasi-identifier."""
    places: list[str]
    """Where a row lies, by quasi-identifier: only where people are told apart."""

    @classmethod
    def of(cls, schema: Schema) -> Layout:
        """Lay out the columns of a schema."""
        quasi, sensitive = tuple(schema.quasi), tuple(schema.sensitive)
        return cls(
            quasi,
            sensitive,
            schema.entity,
            codes=[f"q{at}" for at in range(len(quasi))],
            values=[f"s{at}" for at in range(len(sensitive))],
            least=[f"least{at}" for at in range(len(quasi))],
            largest=[f"largest{at}" for at in range(len(quasi))],
            places=[f"p{at}" for at in range(len(quasi))] if schema.entity else [],
        )

    @property
    def of_groups(self) -> list[str]:
        """What cells are made from: codes, the ends of groups, and which group it is."""
        return [*self.codes, *self.least, *self.largest, GROUP, BESIDE]

    @property
    def person(self) -> str:
        """The cell that tells people apart."""
        assert self.entity is not None, "nobody tells people apart"
        return f"{ORIGINAL}.{quoted(self.entity)}"


def quoted(name: str) -> str:
    """Write the name of a column so that Spark reads it as it is, dots and all.

    Examples
    --------
    >>> quoted("a.b")
    '`a.b`'
    """
    return "`" + name.replace("`", "``") + "`"


def is_missing_cell(cell: Column, missing: tuple[str, ...]) -> Column:
    """Say in Spark's terms whether a cell is missing."""
    return cell.isNull() | cell.cast("string").isin(*missing)


def collected(rows: DataFrame) -> pl.DataFrame:
    """Bring rows to this process."""
    made: Any = pl.from_arrow(rows.toArrow())
    return pl.DataFrame(made)


def numbered(people: pl.Series) -> npt.NDArray[np.int64]:
    """Number people from 0 on, by the cells that tell them apart."""
    return (texts(people).rank("dense").cast(pl.Int64) - 1).to_numpy()


def with_fields(rows: DataFrame, **added: str) -> StructType:
    """Give the schema of rows with further columns, by name and type."""
    from pyspark.sql.types import StructType

    made = StructType(list(rows.schema.fields))  # `add` changes what it is called on
    for name, kind in added.items():
        made.add(name, kind)
    return made


def require_types(frame: DataFrame, schema: Schema) -> None:
    """Refuse columns that nobody can generalize or publish, by name; and two of one name.

    Identifiers are left out anyway: see `usable`.
    """
    small = [name.lower() for name in frame.columns]
    twice = [name for name in frame.columns if small.count(name.lower()) > 1]
    if twice:
        raise InputError(
            f"Spark reads the columns '{twice[0]}' and '{twice[1]}' as the same name.",
            "Rename one of them.",
        )
    schema.require_roles(frame.columns)
    kinds: dict[str, Any] = dict(frame.dtypes)
    for name, column in schema.items():
        used = column.role is not Role.IDENTIFIER or name == schema.entity
        if not used or _is_plain(kinds[name]):
            continue
        raise SchemaError(
            f"Column '{name}' is of the Spark type {kinds[name].split('<')[0]}, which cannot be "
            "published.",
            "Cast it to text, a number or a date, or give it the role identifier, which leaves it "
            "out.",
        )


def usable(frame: DataFrame) -> DataFrame:
    """Leave out identifiers that are lists, maps or the like: they could not name a row."""
    return frame.select(*(quoted(name) for name, kind in frame.dtypes if _is_plain(kind)))


def _is_plain(kind: str) -> bool:
    return kind in PLAIN or kind.startswith("decimal")
