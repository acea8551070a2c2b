"""Records: the quasi-identifiers of a table, and whose rows are whose. Any table will do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Bools, Floats, Ints
from shoal.base.cells import STAR, shown
from shoal.errors import ParameterError, SchemaError, a_type, did_you_mean
from shoal.io.frames import Coded, Dictionary, number_rows
from shoal.kernels.collapse import collapse
from shoal.measures._pairs import numbered_rows
from shoal.publications.published import Published, Released
from shoal.table.schema import Schema, SchemaLike, as_schema, is_missing


@dataclass(frozen=True, eq=False)
class Records:
    """What an attacker may know of each row, as numbers; made by `records`.

    Parameters
    ----------
    names
        The quasi-identifiers.
    columns
        Their cells, as texts; a missing cell is a ``*``.
    people
        A number of the person per row, from 0 on; ``None`` if every row is a person.
    schema
        Roles and hierarchies, where somebody gave them.
    """

    names: tuple[str, ...]
    columns: tuple[Dictionary, ...]
    people: Ints | None
    schema: Schema

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.columns[0].codes)

    @cached_property
    def n_people(self) -> int:
        """How many people there are; rows, where every row is a person."""
        return self.n_rows if self.people is None else int(self.people.max(initial=-1)) + 1

    @cached_property
    def _numbered(self) -> tuple[Ints, int]:
        return number_rows(self.columns)

    @property
    def classes(self) -> Ints:
        """The class of each row: rows with equal cells, numbered by their first rows."""
        return self._numbered[0]

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return self._numbered[1]

    @cached_property
    def rows_per_class(self) -> Ints:
        """How many rows each class has."""
        return np.bincount(self.classes, minlength=self.n_classes).astype(np.int64)

    @cached_property
    def sizes(self) -> Ints:
        """How many people each class holds; rows, where every row is a person."""
        return self.people_per(self.classes, self.n_classes)

    @cached_property
    def points(self) -> list[Ints]:
        """The cells of each class, as codes, column by column."""
        first = np.zeros(self.n_classes, dtype=np.int64)
        first[self.classes[::-1]] = np.arange(self.n_rows - 1, -1, -1)
        return [column.codes[first].astype(np.int64) for column in self.columns]

    @cached_property
    def stars(self) -> tuple[int, ...]:
        """The code of ``*`` in each column; -1 where it has none."""
        found = [column.values.index_of(STAR) for column in self.columns]
        return tuple(-1 if code is None else code for code in found)

    def people_per(self, classes: Ints, n_classes: int) -> Ints:
        """Count the people of each class of a numbering of the rows."""
        if self.people is None:
            return np.bincount(classes, minlength=n_classes).astype(np.int64)
        met = np.unique(classes * self.n_people + self.people) // self.n_people
        return np.bincount(met, minlength=n_classes).astype(np.int64)

    def per_person(self, values: Floats) -> Floats:
        """Give each person the largest value of the person's classes."""
        if self.people is None:
            return values[self.classes]
        made = np.full(self.n_people, -np.inf)
        np.maximum.at(made, self.people, values[self.classes])
        return made

    def people_in(self, marked: Bools) -> int:
        """Count the people with a row in one of the marked classes."""
        inside = marked[self.classes]
        if self.people is None:
            return int(np.count_nonzero(inside))
        return len(np.unique(self.people[inside]))

    def grouped(self, columns: Sequence[int]) -> Ints:
        """Number the classes by equal cells of some of the columns, from 0 on."""
        codes = [self.points[j] for j in columns]
        return collapse(codes, [len(self.columns[j]) for j in columns])


def records(
    table: Any,
    schema: SchemaLike | None = None,
    *,
    quasi: Sequence[str] | None = None,
    people: npt.ArrayLike | None = None,
    class_column: str | None = None,
) -> Records:
    """Read the quasi-identifiers of any table: raw or published, ours or anyone's.

    The arguments are those of `reidentification`.

    Examples
    --------
    >>> found = records(pl.DataFrame({"age": [30, 30, None], "sex": ["f", "f", "m"]}),
    ...                 quasi=["age", "sex"])
    >>> found.sizes.tolist(), found.stars
    ([2, 1], (1, -1))
    """
    if isinstance(table, Records):
        return table
    if isinstance(table, Released):
        schema = table.schema if schema is None else schema
        people = table.persons if people is None else people
    roles = None if schema is None else as_schema(schema)
    read = Published.read(table, roles, class_column=class_column)
    names = _names(read, roles, quasi)
    roles = roles or Schema(dict.fromkeys(names, "quasi"))
    columns = tuple(_column(read.held, name, roles) for name in names)
    made = Records(names, columns, None, roles)
    return replace(made, people=_people(read.held, made, people))


def _names(read: Published, schema: Schema | None, quasi: Sequence[str] | None) -> tuple[str, ...]:
    """Find the quasi-identifiers, and refuse those that the table does not have."""
    if quasi is None and schema is None:
        raise ParameterError(
            "No quasi-identifiers were given.",
            "Name them with quasi (--quasi on the command line), or give a schema or a plan.",
        )
    if quasi is not None and (isinstance(quasi, str) or not isinstance(quasi, Iterable)):
        raise ParameterError(
            f"quasi must be a list of columns, not {a_type(quasi)}.", 'Such as ["age", "sex"].'
        )
    if quasi is None:
        assert schema is not None
        held = read.columns
        quasi = [name for name in schema.quasi if not read.linked or name in held]
    names = tuple(dict.fromkeys(quasi))
    if not names:
        raise SchemaError("No column is a quasi-identifier.", "Name one or more with quasi.")
    for name in names:
        if name not in read.columns:
            raise SchemaError(
                f"The table has no column '{name}'.", did_you_mean(str(name), read.columns)
            )
    return names


def _column(coded: Coded, name: str, schema: Schema) -> Dictionary:
    """Read a column as texts, with one form for what is missing."""
    tokens = schema.missing_of(name) if name in schema else schema.missing

    def read(values: pl.Series) -> pl.Series:
        return shown(values).set(is_missing(values, tokens), STAR)

    return coded[name].map(read)


def _people(coded: Coded, made: Records, people: npt.ArrayLike | None) -> Ints | None:
    """Number the people, where a person may have several rows."""
    entity = made.schema.entity
    if people is not None:
        problem = f"people must name one person for each of the {made.n_rows} rows."
        return numbered_rows(people, made.n_rows, problem)
    if entity is None:
        return None
    if entity not in coded.columns:
        raise ParameterError(
            f"'{entity}' identifies people, but the table does not hold it.",
            "Give the release with its private folder, or people.",
        )
    return coded[entity].codes.astype(np.int64)
