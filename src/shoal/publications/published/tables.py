"""Published tables, ours or anyone's: which column is which. Nothing is judged here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Bools, Ints
from shoal.base.cells import shown, texts
from shoal.base.plural import counted
from shoal.errors import InputError, ParameterError, SchemaError, did_you_mean
from shoal.io.frames import Coded, number_rows, to_coded, to_polars
from shoal.models import Histogram, Requirement
from shoal.table.schema import Schema, SchemaLike, as_schema
from shoal.table.sensitive import SensitiveColumn

_TABLES = {"quasi", "sensitive"}

COUNTERFEIT = -1
"""The original row of a counterfeit: there is none."""

Counterfeits: TypeAlias = Mapping[str, int] | Bools
"""How many values nobody holds, by class id; or, of one table, which rows nobody holds."""


@dataclass(frozen=True, eq=False)
class ValueTable:
    """Class ids and the values of one sensitive column.

    ``label``: what the table is called in messages.
    ``count_column``: how often each value occurs in its class, where rows do not stand for one
        record each.
    """

    frame: pl.DataFrame
    label: str
    class_column: str
    sensitive_column: str
    count_column: str | None

    @classmethod
    def read(
        cls,
        frame: pl.DataFrame,
        label: str,
        *,
        class_column: str,
        sensitive_column: str | None,
        known: Collection[str],
    ) -> ValueTable:
        """Find the columns of a table; without a name, the first that may hold values does."""
        rest = [name for name in frame.columns if name != class_column]
        if sensitive_column is None and rest:
            sensitive_column = rest[0]
        if sensitive_column not in rest or sensitive_column is None:
            raise SchemaError(
                f"The published table '{label}' has no column '{sensitive_column}'."
                if sensitive_column is not None
                else f"The published table '{label}' holds no values.",
                "It needs a class id and the sensitive column.",
            )
        extra = [name for name in rest if name != sensitive_column and name not in known]
        counts = extra[0] if len(extra) == 1 else None
        made = cls(frame, label, class_column, sensitive_column, counts)
        made._require_counts()
        return made

    @property
    def ids(self) -> pl.Series:
        """The class id of each row, as text."""
        return texts(self.frame[self.class_column])

    @property
    def values(self) -> pl.Series:
        """The sensitive values."""
        return self.frame[self.sensitive_column]

    @property
    def counts(self) -> pl.Series:
        """How many records each row represents; 1 if unknown."""
        if self.count_column is None:
            return pl.repeat(1, self.frame.height, dtype=pl.Int64, eager=True)
        return texts(self.frame[self.count_column]).cast(pl.Int64)

    @property
    def further(self) -> list[str]:
        """Columns that are neither id nor value nor count."""
        ours = (self.class_column, self.sensitive_column, self.count_column)
        return [name for name in self.frame.columns if name not in ours]

    @cached_property
    def once(self) -> bool:
        """Whether every value stands once in its class, so that nobody says how often it occurs."""
        if self.count_column is not None:
            return False
        cells = pl.DataFrame({"class": self.ids, "value": texts(self.values)})
        return not cells.is_duplicated().any()

    def _require_counts(self) -> None:
        if self.count_column is None:
            return
        read = texts(self.frame[self.count_column]).cast(pl.Int64, strict=False)
        bad = int((read.is_null() | (read < 1).fill_null(False)).sum())
        if bad:
            raise InputError(
                f"Column '{self.count_column}' of the {self.label} table should count values, but "
                f"{bad} of its cells are not whole numbers from 1 on.",
                "Leave the column out if it holds no counts.",
            )


@dataclass(frozen=True, eq=False)
class Published:
    """One published table; or a table of quasi-identifiers and tables of values, by class.

    ``table``: the only table, or the one of quasi-identifiers.
    ``class_column``: of several tables: the class id, in all of them.
    ``value_tables``: of several tables: those of values, by sensitive column.
    ``by_column``: whether the tables of values were given by column (``sensitive-groups``). Then a
        class may show each of its values once, and others with them. Otherwise there is one table,
        with a value for each record (``two-table``).
    ``exact``: whether quasi-identifiers are published unchanged; ``None`` if unknown.
    ``given``: a frame of the type that came in, for answers of that type.
    ``centres``: whether cells are centres of their class, with the mean or the median of numbers;
        ``None`` where they cover what their rows hold, or if unknown.
    ``counterfeits``: of two tables: how many values of a class nobody holds, by the ids of classes
        that have any. Which values they are is not said.
    ``counterfeit_rows``: of one table: which rows nobody holds, as only those who made it know;
        ``None`` if there are none, or if unknown.
    """

    table: pl.DataFrame | Coded
    class_column: str | None = None
    value_tables: Mapping[str, ValueTable] = field(default_factory=dict)
    by_column: bool = False
    exact: bool | None = None
    given: Any = None
    centres: Literal["mean", "median"] | None = None
    counterfeits: Mapping[str, int] = field(default_factory=dict)
    counterfeit_rows: Bools | None = None

    @classmethod
    def read(
        cls,
        published: Any,
        schema: SchemaLike | None = None,
        *,
        class_column: str | None = None,
        exact: bool | None = None,
        centres: Literal["mean", "median"] | None = None,
        counterfeits: Counterfeits | None = None,
    ) -> Published:
        """Read published tables of any frame type.

        ``published``: one frame; ``{"quasi": …, "sensitive": …}``, the latter a frame, or a frame
            per sensitive column; a release; or what was read before.
        ``schema``: the roles of the columns; without them the tables are taken at their word.
        ``class_column``: the class id of several tables; found by itself if it is the only column
            that all have and that has no role.
        ``exact``, ``centres``, ``counterfeits``: what cells are, and how many values nobody holds,
            by class id, or of one table which rows; where somebody said it.

        >>> quasi = pl.DataFrame({"age": [30, 40], "class": [1, 1]})
        >>> ill = pl.DataFrame({"class": [1], "ill": ["flu"], "n": [2]})
        >>> made = Published.read({"quasi": quasi, "sensitive": ill})
        >>> found = made.value_tables["ill"]
        >>> made.class_column, found.count_column, found.counts[0]
        ('class', 'n', 2)
        """
        if isinstance(published, Released):
            return published.published
        if isinstance(published, cls):
            _require_rows({"": published.coded})
            return published
        if not isinstance(published, Mapping):
            made = cls(to_coded(published), exact=exact, given=_given(published), centres=centres)
            _require_rows({"": made.coded})
            return made._with_counterfeits(counterfeits)
        if set(published) != _TABLES:
            raise ParameterError(
                "Tables that share a class id must be named 'quasi' and 'sensitive'.",
                'Give {"quasi": …, "sensitive": …}, or {"quasi": …, "sensitive": {column: …}}.',
            )
        known = [] if schema is None else list(schema)
        sensitive = None if schema is None else as_schema(schema).sensitive
        quasi, apart = to_coded(published["quasi"]), published["sensitive"]
        by_column = isinstance(apart, Mapping)
        frames = _by_column(apart, sensitive) if by_column else _one(apart, sensitive)
        labels = {c: f"sensitive: {c}" if by_column else "sensitive" for c in frames}
        everything: dict[str, pl.DataFrame | Coded] = {"quasi": quasi}
        everything |= {labels[c]: frame for c, frame in frames.items()}
        _require_rows(everything)
        named = [name for name in frames if name is not None]
        ids = class_column or find_class_column(quasi, list(frames.values()), [*known, *named])
        for label, frame in everything.items():
            if ids not in frame.columns:
                raise SchemaError(
                    f"The published table '{label}' has no class column '{ids}'.",
                    did_you_mean(ids, frame.columns),
                )
        values = [
            ValueTable.read(frame, labels[c], class_column=ids, sensitive_column=c, known=known)
            for c, frame in frames.items()
        ]
        tables = {each.sensitive_column: each for each in values}
        given = _given(published["quasi"])
        return cls(quasi, ids, tables, by_column, exact, given)._with_counterfeits(counterfeits)

    def _with_counterfeits(self, given_counterfeits: Counterfeits | None) -> Published:
        """Keep what somebody said of counterfeits; refuse what cannot be of these tables."""
        if given_counterfeits is None or isinstance(given_counterfeits, Mapping):
            if self.linked or not given_counterfeits:
                return replace(self, counterfeits=given_counterfeits or {})
        elif self.linked:
            raise ParameterError(
                "Counterfeits of several tables are counted by class id.",
                'Give them as in release.json, such as {"1": 2}.',
            )
        rows = np.asarray(given_counterfeits)
        if rows.dtype != np.bool_ or rows.shape != (self.coded.height,):
            raise ParameterError(
                "Counterfeits of one table are rows: a truth value for each of the "
                f"{counted(self.coded.height, 'published row')}.",
                "The private folder lists them: they have no original row.",
            )
        return replace(self, counterfeit_rows=rows) if rows.any() else self

    @cached_property
    def coded(self) -> Coded:
        """The first table, whose columns become dictionaries."""
        return self.table if isinstance(self.table, Coded) else Coded(self.table)

    @property
    def frame(self) -> pl.DataFrame:
        """The first table in plain columns."""
        return self.coded.frame

    @cached_property
    def held(self) -> Coded:
        """The rows of the first table that people hold: all but counterfeits."""
        if self.counterfeit_rows is None:
            return self.coded
        return self.coded.take(np.flatnonzero(~self.counterfeit_rows))

    def in_order(self, held: Ints, others: Ints | int) -> Ints:
        """Say something of every row of the first table, given it of people and of counterfeits.

        >>> frame = pl.DataFrame({"age": ["30", "30"]})
        >>> made = Published.read(frame, counterfeits=np.array([True, False]))
        >>> made.in_order(np.array([7]), COUNTERFEIT).tolist()
        [-1, 7]
        """
        if self.counterfeit_rows is None:
            return held
        made = np.empty(len(self.counterfeit_rows), dtype=np.int64)
        made[~self.counterfeit_rows], made[self.counterfeit_rows] = held, others
        return made

    @property
    def linked(self) -> bool:
        """Whether there are several tables, which share a class id."""
        return bool(self.value_tables)

    @property
    def tables(self) -> Any:
        """The tables as `read` takes them: one frame, or several by name."""
        return self.together(self.frame, {n: each.frame for n, each in self.value_tables.items()})

    def together(self, first: Any, value_tables: Mapping[Any, Any]) -> Any:
        """Name things that stand for these tables as `read` takes them; one stays as it is."""
        if not self.linked:
            return first
        apart = value_tables if self.by_column else next(iter(value_tables.values()))
        return {"quasi": first, "sensitive": apart}

    @property
    def ids(self) -> pl.Series:
        """The class id of each row of the table of quasi-identifiers, as text."""
        assert self.class_column is not None, "one table has no class ids"
        return texts(self.frame[self.class_column])

    @property
    def columns(self) -> list[str]:
        """The columns of the first table but the class id."""
        return [name for name in self.coded.columns if name != self.class_column]

    def require_columns(self, names: Sequence[str], hint: str) -> None:
        """Refuse a first table that lacks one of the columns, or none that are asked for."""
        absent = [name for name in names if name not in self.coded.columns]
        if absent or not names:
            table = "The published table 'quasi'" if self.linked else "The published table"
            raise SchemaError(
                f"{table} has no column '{absent[0]}'."
                if absent
                else "No column has the role quasi.",
                hint,
            )

    def equal_cells(self, names: Sequence[str]) -> pl.Series:
        """Number the rows by equal cells of some columns, from 0 on; a null or NaN is a ``*``."""
        return pl.Series("class", number_rows([self.coded[name].map(shown) for name in names])[0])

    def by_class(self, schema: Schema) -> tuple[Ints, dict[str, Histogram]]:
        """Number the rows by class id, and count the values that each class shows.

        Classes are numbered from 0 on in the order of their ids; those that only a table of
        values has follow.
        """
        ids = [self.ids, *(table.ids for table in self.value_tables.values())]
        every = pl.concat([ids[0].unique().sort(), *ids[1:]]).unique(maintain_order=True)
        numbers = pl.Series(range(len(every)), dtype=pl.Int64)

        def number(given: pl.Series) -> Ints:
            found = given.replace_strict(every, numbers, return_dtype=pl.Int64)
            return np.asarray(found.to_numpy(), dtype=np.int64)

        made = {}
        for name, table in self.value_tables.items():
            missing = schema.missing_of(name) if name in schema else schema.missing
            column = SensitiveColumn.encode(table.values, missing)
            counts = np.asarray(table.counts.to_numpy())
            owners, codes = np.repeat(number(table.ids), counts), np.repeat(column.codes, counts)
            made[name] = Histogram.count(owners, codes, column.labels)
        return number(ids[0]), made

    def counted(self, sensitive_column: str) -> bool:
        """Say whether a table of values shows how many records of a class hold each of them.

        That is so if every class has as many values as rows.
        """
        table = self.value_tables[sensitive_column]
        if not self.by_column:
            return True
        values = pl.DataFrame({"class": table.ids, "n": table.counts}).group_by("class").sum()
        rows = pl.DataFrame({"class": self.ids}).group_by("class").len("rows")
        both = rows.join(values, on="class", how="full", coalesce=True, nulls_equal=True)
        return bool((both["rows"].cast(pl.Int64) == both["n"]).fill_null(False).all())


class Released:
    """A release, fresh or opened: as much of it as the rooms below it need.

    ``published``
        The tables.
    ``schema``, ``require``
        The roles of the columns, and what must hold.
    ``source``, ``rows``
        The original, and for each published row the original one; ``None`` if nobody knows.
        Counterfeits stand for none: they are left out here, and below.
    ``input_rows``
        How many rows the original has; ``None`` if nobody knows.
    ``persons``
        For each published row whose it is; ``None`` if every row is a person.
    ``names``
        For each published row the name of its person, which other releases of the table know,
        too; ``None`` unless it was made to be published again.
    ``has_original``, ``pair``
        Whether the original and its rows are at hand; then it is there as codes beside what was
        published, as a `shoal.measures.Pair`.
    """

    if TYPE_CHECKING:  # some are fields of a dataclass, others properties

        @property
        def published(self) -> Published: ...
        @property
        def schema(self) -> Schema: ...
        @property
        def require(self) -> Sequence[Requirement]: ...
        @property
        def source(self) -> pl.DataFrame | None: ...
        @property
        def rows(self) -> npt.NDArray[np.intp] | None: ...
        @property
        def input_rows(self) -> int | None: ...
        @property
        def persons(self) -> Ints | None: ...
        @property
        def names(self) -> npt.NDArray[np.str_] | None: ...
        @property
        def has_original(self) -> bool: ...
        @property
        def pair(self) -> Any: ...


def _given(table: Any) -> Any:
    """Keep a frame whose type answers are to have; what was read from a file has none."""
    return None if isinstance(table, Coded) else table


def _require_rows(frames: Mapping[str, pl.DataFrame | Coded]) -> None:
    for label, frame in frames.items():
        if frame.height == 0:
            named = f" '{label}'" if label else ""
            raise InputError(f"The published table{named} has no rows.", "Check the file.")


def _by_column(
    apart: Mapping[str, Any], sensitive: Sequence[str] | None
) -> dict[str | None, pl.DataFrame]:
    """Take a table per column; each sensitive column needs one."""
    wanted = list(apart) if sensitive is None else list(sensitive)
    absent = [name for name in wanted if name not in apart]
    strange = [name for name in apart if name not in wanted]
    if absent or not wanted:
        raise SchemaError(
            f"There is no table for the sensitive column '{absent[0]}'."
            if absent
            else "There is no table of sensitive values.",
            'Give one per column: {"quasi": …, "sensitive": {column: …}}.',
        )
    if strange:
        raise SchemaError(
            f"There is a table for '{strange[0]}', which is not a sensitive column.",
            did_you_mean(strange[0], wanted),
        )
    return {name: to_polars(apart[name]) for name in wanted}


def _one(apart: Any, sensitive: Sequence[str] | None) -> dict[str | None, pl.DataFrame]:
    """Take the only table of two."""
    if sensitive is not None and len(sensitive) != 1:
        raise SchemaError(
            f"Two tables need exactly one sensitive column, not {len(sensitive)}.",
            "Give one column the role sensitive, or a table per sensitive column: "
            '{"quasi": …, "sensitive": {column: …}}.',
        )
    return {None if sensitive is None else sensitive[0]: to_polars(apart)}


def find_class_column(
    quasi: pl.DataFrame | Coded, sensitive: Sequence[pl.DataFrame | Coded], known: Collection[str]
) -> str:
    """Find the one column that all tables have and that has no role.

    >>> find_class_column(pl.DataFrame({"a": [1], "g": [1]}), [pl.DataFrame({"g": [1]})], ["a"])
    'g'
    """
    unknown = [name for name in quasi.columns if name not in known]
    shared = [name for name in unknown if all(name in frame.columns for frame in sensitive)]
    if len(shared) != 1:
        listed = ", ".join(f"'{name}'" for name in shared) or "none"
        raise SchemaError(
            f"The class id must be the only column without a role that all tables have, but "
            f"there are {len(shared)} ({listed}).",
            "Name it with class_column (--class on the command line).",
        )
    return shared[0]
