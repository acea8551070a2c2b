"""A table, encoded once: small integer codes, dictionaries, missing cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Bools, Ints
from shoal.base.cells import STAR, parse_dates, parse_interval, texts
from shoal.base.plural import counted
from shoal.errors import HierarchyError, InputError, ShoalError
from shoal.io.frames import Coded, smallest, to_coded
from shoal.table.columns import NUMBERS, CategoricalColumn, NumericColumn, QuasiColumn, dated
from shoal.table.hierarchies import Builder, Dates, Flat, Hierarchy, check
from shoal.table.missingness import Missingness
from shoal.table.numbers import require_finite, to_numbers
from shoal.table.population import Population, people_texts, population_of
from shoal.table.preparing import prepared, with_formats
from shoal.table.refusing import require_degrees, require_entity, require_levels
from shoal.table.schema import Kind, Role, Schema, SchemaLike, as_schema, is_missing
from shoal.table.sensitive import SensitiveColumn, binned

GRID = 2**32
"""Steps from the least to the largest number, where decimals alone are not exact."""

_MOST_DECIMALS = 9


@dataclass(frozen=True)
class Table:
    """A table and its encoded quasi-identifiers.

    Columns are in the frame as they are prepared (see `shoal.table.preparing`), sensitive ones
    with a hierarchy as they are published (see `shoal.table.sensitive.binned`).

    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": [30, None, 45], "zip": ["01234", "01235", "01234"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "zip": shoal.quasi()})
    >>> table = Table.encode(frame, schema)
    >>> table.quasi[0].codes.tolist(), table.quasi[1].hierarchy.leaves
    ([0, 2, 1], ('01234', '01235'))
    """

    coded: Coded
    schema: Schema
    quasi: tuple[QuasiColumn, ...]
    sensitive: Mapping[str, SensitiveColumn] = field(default_factory=dict)
    """The sensitive columns by name."""
    people: Ints | None = None
    """A number per row that tells people apart; ``None`` if every row is a person."""
    set_aside: tuple[str, ...] = ()
    """Quasi-identifiers that nothing is grouped by: see `without`."""
    private: Mapping[str, SensitiveColumn] = field(default_factory=dict)
    """Columns that no release holds, encoded to judge groups: see `counting.with_private`."""
    population: Population | None = None
    """The people from whom the table was drawn, where a requirement counts them."""
    multiplicity: Ints | None = None
    """How many equal rows each row stands for; ``None``: itself. See `Method.by_points`."""

    @classmethod
    def encode(
        cls,
        data: Any,
        schema: SchemaLike,
        *,
        empty_columns: bool = False,
        part: bool = False,
        population: Any = None,
    ) -> Table:
        """Encode any frame; the caller's object is not touched.

        ``empty_columns``: take quasi-identifiers that are missing everywhere. They can be published
            (as ``*``) and measured (they cost nothing), but not grouped by: see `without`.
        ``part``: the rows are those that stay of a table that was encoded before: columns may be
            empty, and values that the schema names may be gone.
        ``population``: the people whom the table was drawn from: any frame with the
            quasi-identifiers. Trees that are built from the data then cover its values, too.

        Raises `InputError`, `SchemaError` or `HierarchyError` if the table is empty, a column has
        no role, a numeric column holds text, a hierarchy or the levels miss values, or a
        quasi-identifier is missing everywhere and ``empty_columns`` does not allow it.
        """
        coded = to_coded(data)
        schema = as_schema(schema)
        schema.require_roles(coded.columns)
        if coded.height == 0:
            raise InputError("The table has no rows.", "Check the input.")
        if not (empty_columns or part):
            _require_values(coded, schema)
        schema = with_formats(coded, schema)
        people = None if population is None else population_of(population, schema)
        if people is not None:
            try:
                people, _ = prepared(people, schema)
            except ShoalError as error:
                raise error.about("The population") from None
        coded, schema = prepared(coded, schema)
        coded, schema = _require_sound(coded, resolve(coded, schema, people))
        if not part:
            require_degrees(coded, schema)
        quasi = tuple(_encoded(coded, schema, name) for name in schema.quasi)
        made = cls(coded, schema, quasi, _sensitive(coded, schema), _people(coded, schema))
        return replace(
            made, population=None if people is None else Population.encode(people, schema)
        )

    @classmethod
    def judged(cls, data: Coded, schema: Schema, private: Collection[str] = ()) -> Table:
        """Take the columns that requirements judge alone; quasi-identifiers are set aside.

        No tree of theirs is built, so this is done at once. What can be wrong with the other
        columns is refused as `encode` does.

        ``private``: further columns that requirements read: see `counting.with_private`.

        >>> import polars as pl, shoal
        >>> frame = pl.DataFrame({"age": [30, 40], "ill": ["flu", "HIV"]})
        >>> schema = shoal.Schema({"age": "quasi", "ill": "sensitive"})
        >>> Table.judged(Coded(frame), schema).sensitive["ill"].labels
        ('HIV', 'flu')
        """
        schema.require_roles(data.columns)
        aside = tuple(schema.quasi)
        needed = {*schema.sensitive, *private, *filter(None, [schema.entity])}
        coded, schema = prepared(data.only(needed), schema.without([*aside, *schema.other]))
        coded, schema = _require_sound(coded, schema)
        made = cls(coded, schema, (), _sensitive(coded, schema), _people(coded, schema))
        return replace(made, set_aside=aside)

    @property
    def frame(self) -> pl.DataFrame:
        """The table as it came in, in plain columns."""
        return self.coded.frame

    @cached_property
    def trees(self) -> tuple[CategoricalColumn, ...]:
        """All quasi-identifiers as leaves of hierarchies, numbers included."""
        return tuple(c if isinstance(c, CategoricalColumn) else c.tree for c in self.quasi)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.coded.height

    @property
    def total_rows(self) -> int:
        """How many rows these stand for."""
        return self.n_rows if self.multiplicity is None else int(self.multiplicity.sum())

    def select(
        self, rows: npt.NDArray[np.intp], *, ranges: Literal["own", "whole"] = "own"
    ) -> Table:
        """Select some of the rows; quasi-identifiers keep their codes and their trees.

        ``ranges``: ``"own"``: a table of its own. Distances know only its values; sensitive values
            and people are numbered among those that occur in it, since methods and requirements
            count them. ``"whole"``: a piece of the table at hand. Ranges, and the numbers of
            sensitive values and people, stay as they are, also in what is selected from it later;
            cells are left behind.

        >>> import polars as pl, shoal
        >>> schema = shoal.Schema({"age": shoal.quasi()})
        >>> table = Table.encode(pl.DataFrame({"age": [30, 99, 45]}), schema)
        >>> rows = np.array([0, 2])
        >>> [table.select(rows, ranges=of).quasi[0].range for of in ("own", "whole")]
        [15.0, 69.0]
        >>> table.select(rows).quasi[0].codes.tolist()
        [0, 1]
        """
        own = ranges == "own"
        sensitive = {name: each.take(rows) for name, each in self.sensitive.items()}
        people = None if self.people is None else self.people[rows]
        if own:
            sensitive = {name: each.numbered_anew() for name, each in sensitive.items()}
            if people is not None:
                people = np.unique(people, return_inverse=True)[1].astype(np.int64)
        return replace(
            self,
            coded=self.coded.take(rows) if own else Coded({}, len(rows)),
            quasi=tuple(each.select(rows, ranges=ranges) for each in self.quasi),
            sensitive=sensitive,
            people=people,
            private={name: each.take(rows) for name, each in self.private.items()},
            multiplicity=None if self.multiplicity is None else self.multiplicity[rows],
        )

    def with_values(self, name: str, labels: Collection[str | None]) -> Table:
        """Let a sensitive column know further values, which no row holds.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"age": [30, 40], "ill": ["flu", "HIV"]})
        >>> table = Table.encode(frame, {"age": "quasi", "ill": "sensitive"})
        >>> table.with_values("ill", ["cold"]).sensitive["ill"].labels
        ('HIV', 'cold', 'flu')
        """
        column = self.sensitive[name].with_values(labels)
        return replace(self, sensitive={**self.sensitive, name: column})

    def with_weights(self, schema: Schema) -> Table:
        """Let columns count by the weights of a schema.

        >>> import polars as pl, shoal
        >>> table = Table.encode(pl.DataFrame({"age": [30, 40]}), {"age": "quasi"})
        >>> table.with_weights(table.schema.with_column("age", weight=2.0)).quasi[0].weight
        2.0
        """
        quasi = tuple(replace(each, weight=schema[each.name].weight) for each in self.quasi)
        return replace(self, schema=schema, quasi=quasi)

    def without(self, names: Collection[str]) -> Table:
        """Set some columns aside, so that nothing is grouped by them or required of them.

        >>> import polars as pl, shoal
        >>> schema = shoal.Schema({"age": shoal.quasi(), "zip": shoal.quasi()})
        >>> table = Table.encode(pl.DataFrame({"age": [1, None], "zip": [3, 4]}), schema)
        >>> [column.name for column in table.without(["age"]).quasi]
        ['zip']
        """
        schema = self.schema
        for name in names:
            schema = schema.with_column(name, role=Role.IDENTIFIER)
        return replace(
            self,
            schema=schema,
            quasi=tuple(column for column in self.quasi if column.name not in names),
            sensitive={n: each for n, each in self.sensitive.items() if n not in names},
            set_aside=(*self.set_aside, *names),
            population=None if self.population is None else self.population.without(names),
        )

    @cached_property
    def missing(self) -> Bools:
        """Which quasi-identifier cells are missing: rows × columns."""
        return np.stack([column.codes == column.size for column in self.quasi]).T

    @cached_property
    def missingness(self) -> Missingness:
        """How much of the quasi-identifiers is missing, and in which combinations."""
        return Missingness.of(self.missing, [column.name for column in self.quasi])


def _require_sound(table: Coded, schema: Schema) -> tuple[Coded, Schema]:
    """Refuse what is wrong with people and levels; show sensitive columns as they are published."""
    require_entity(table, schema)
    table, schema = binned(table, schema)
    require_levels(table, schema)
    return table, schema


def _sensitive(table: Coded, schema: Schema) -> dict[str, SensitiveColumn]:
    return {
        name: SensitiveColumn.of(table[name], schema.missing_of(name)) for name in schema.sensitive
    }


def _people(table: Coded, schema: Schema) -> Ints | None:
    if schema.entity is None:
        return None
    found = table[schema.entity]
    ranks = (texts(found.values).rank("dense").cast(pl.Int64) - 1).to_numpy()
    return np.asarray(ranks[found.codes])


def resolve(table: Coded, schema: Schema, population: Coded | None = None) -> Schema:
    """Settle what the schema leaves to the data: kinds, and hierarchies yet to be built.

    Where a column is missing everywhere there is nothing to build from: its tree is a root. With a
    population, every column gets a tree, and those that are built cover its values, too.
    """
    for name in schema.quasi:
        column = schema[name]
        kind = column.kind
        if kind is None:
            numeric = table[name].values.dtype.is_numeric() and column.hierarchy is None
            kind = Kind.NUMERIC if numeric else Kind.CATEGORICAL
        # A number needs no tree: most methods publish minimal intervals.
        hierarchy = column.hierarchy or (Flat() if kind is Kind.CATEGORICAL else None)
        if hierarchy is None and population is not None:
            numbers = None if kind is Kind.DATE else _known(table[name].values, schema, kind)
            hierarchy = Dates() if numbers is None else NUMBERS.by_width(numbers)
        if isinstance(hierarchy, Builder):
            # Only flat trees leave open how often a value occurs.
            flat = isinstance(hierarchy, Flat)
            known = _known(table[name].values if flat else table.cells(name), schema, kind)
            if population is not None:
                _require_unnamed(hierarchy, name)
                typed = schema.with_column(name, kind=kind)
                others = people_texts(population, typed, name).drop_nulls()
                others = others.filter(~others.is_in(known.implode())).unique()
                known = pl.concat([known, others])
            try:
                hierarchy = hierarchy.build(known) if len(known) else Hierarchy([STAR], [-1])
            except ShoalError as error:
                raise error.about(f"Column '{name}'") from None
        schema = schema.with_column(name, kind=kind, hierarchy=hierarchy)
    return schema


def _require_unnamed(builder: Builder, name: str) -> None:
    """Refuse nodes that would name values of the population in public."""
    if builder.names_values:
        raise HierarchyError(
            f"The builder '{builder.name}' of column '{name}' names nodes after values, "
            "including values that only the population holds.",
            "Choose another builder, or give the hierarchy as a file.",
        )


def _known(values: pl.Series, schema: Schema, kind: Kind) -> pl.Series:
    """Write the cells that are not missing; numbers that are read from text in their one form."""
    known = texts(values.filter(~is_missing(values, schema.missing_of(values.name))))
    return texts(to_numbers(known, known.is_null())) if kind is Kind.NUMERIC else known


def _require_values(table: Coded, schema: Schema) -> None:
    """Refuse quasi-identifiers that are missing everywhere, all of them at once."""
    empty = [n for n in schema.quasi if is_missing(table[n].values, schema.missing_of(n)).all()]
    if empty:
        listed = ", ".join(f"'{name}'" for name in empty)
        columns = f"Columns {listed} are" if len(empty) > 1 else f"Column {listed} is"
        raise InputError(
            f"{columns} missing in every row ({table.height}).",
            'Give the role identifier, which leaves it out, or use missing = "suppress-column", '
            f"which publishes {STAR}.",
        )


def _encoded(table: Coded, schema: Schema, name: str) -> QuasiColumn:
    """Encode a column value by value; where something is wrong, errors count its cells."""
    found = table[name]
    try:
        column = _encode(found.values, schema)
    except ShoalError:
        return _encode(table.cells(name), schema)
    return replace(column, codes=column.codes[found.codes])


def _encode(values: pl.Series, schema: Schema) -> QuasiColumn:
    weight = schema[values.name].weight
    mask = is_missing(values, schema.missing_of(values.name))
    kind, hierarchy = schema[values.name].kind, schema[values.name].hierarchy
    if kind is Kind.DATE:
        return _encode_dates(values, mask, weight, hierarchy)
    if kind is Kind.NUMERIC:
        return _encode_numbers(values, mask, weight, hierarchy)
    assert isinstance(hierarchy, Hierarchy)
    if STAR in hierarchy.labels[1:]:
        raise HierarchyError(
            f"The hierarchy of column '{values.name}' has a node named {STAR} below its root.",
            f"Missing cells are published as {STAR}: rename the node, or treat it as missing.",
        )
    known = texts(values).set(mask, None)
    check(hierarchy, known, values.name)
    codes = hierarchy.codes(known)
    codes[codes < 0] = hierarchy.n_leaves
    codes = codes.astype(smallest(hierarchy.n_leaves))
    return CategoricalColumn(values.name, codes, hierarchy, weight)


def _encode_dates(
    values: pl.Series, mask: pl.Series, weight: float, hierarchy: object
) -> NumericColumn:
    """Encode days as whole numbers: 1 is the first day of the year 1."""
    days = values.cast(pl.Int32).cast(pl.Int64) + date(1970, 1, 1).toordinal()
    column = replace(_encode_numbers(days, mask, weight, None), dates=True)
    if not isinstance(hierarchy, Hierarchy):
        return column
    hierarchy = dated(hierarchy)
    check(hierarchy, column.labels, column.name)
    words = sum(parse_dates(label) is None for label in hierarchy.labels if label != STAR)
    if words:
        raise HierarchyError(
            f"The hierarchy of the date column '{column.name}' has "
            f"{counted(words, 'node that is not a range', 'nodes that are not ranges')} of "
            "dates.",
            "Write them as 1955, 1955-03 or 1955 to 1964, or make the column categorical.",
        )
    return replace(column, hierarchy=hierarchy)


def _encode_numbers(
    values: pl.Series, mask: pl.Series, weight: float, hierarchy: object
) -> NumericColumn:
    numbers = to_numbers(values, mask)
    known = numbers.drop_nulls()
    require_finite(known, values.name)
    distinct = known.unique().sort().to_numpy()
    codes = np.full(len(values), len(distinct), dtype=np.int64)
    codes[numbers.is_not_null().to_numpy()] = np.searchsorted(distinct, known.to_numpy())
    units, decimals, exact = _units(distinct)
    shown = units if exact and decimals == 0 else distinct
    column = NumericColumn(
        values.name, codes.astype(smallest(len(distinct))), shown, units, decimals, exact, weight
    )
    if isinstance(hierarchy, Hierarchy):
        _require_intervals(hierarchy, column)
        column = replace(column, hierarchy=hierarchy)
    return column


def _require_intervals(hierarchy: Hierarchy, column: NumericColumn) -> None:
    """Refuse a tree over numbers that misses some, or whose nodes are not intervals."""
    check(hierarchy, column.labels, column.name)
    below = slice(hierarchy.labels[0] == STAR, None)
    nodes = zip(hierarchy.labels[below], hierarchy.intervals[below], strict=True)
    # Whoever reads the published table has only the text: it must say the ends.
    words = sum(ends is None or parse_interval(text) != ends for text, ends in nodes)
    if words:
        raise HierarchyError(
            f"The hierarchy of the numeric column '{column.name}' has {words} nodes that are "
            "not intervals.",
            "Write them as [20, 30), or make the column categorical.",
        )


def _units(values: npt.NDArray[Any]) -> tuple[Ints, int, bool]:
    """Write numbers as integers: exactly if they are short decimals, else on a grid."""
    if values.dtype == np.int64 or not len(values):
        return values.astype(np.int64, copy=False), 0, True
    for decimals in range(_MOST_DECIMALS + 1):
        scaled = np.rint(values * 10.0**decimals)
        if np.abs(scaled).max() >= 2**53:
            break
        if np.array_equal(scaled / 10.0**decimals, values):
            return scaled.astype(np.int64), decimals, True
    half = values / 2  # the difference of two floats may be infinite
    span = half[-1] - half[0]
    return np.rint((half - half[0]) / (span or 1.0) * GRID).astype(np.int64), 0, False
