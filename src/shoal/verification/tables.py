"""Published tables that share a class id: which column is which."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl

from shoal.cells import texts
from shoal.errors import InputError, ParameterError, SchemaError, did_you_mean
from shoal.frames import to_polars

__all__ = ["PublishedTables", "ValueTable", "find_class_column"]

_TABLES = {"quasi", "sensitive"}


@dataclass(frozen=True, eq=False)
class ValueTable:
    """Class ids and the values of one sensitive column.

    Parameters
    ----------
    label
        What the table is called in messages.
    count_column
        How often each value occurs in its class, where rows do not stand for one record each.
    """

    frame: pl.DataFrame
    label: str
    class_column: str
    secret: str
    count_column: str | None

    @classmethod
    def read(
        cls,
        frame: pl.DataFrame,
        label: str,
        *,
        class_column: str,
        secret: str | None,
        known: Collection[str],
    ) -> ValueTable:
        """Find the columns of a table; without a name, the first that may hold values does."""
        rest = [name for name in frame.columns if name != class_column]
        if secret is None and rest:
            secret = rest[0]
        if secret not in rest or secret is None:
            raise SchemaError(
                f"The published table '{label}' has no column '{secret}'."
                if secret is not None
                else f"The published table '{label}' holds no values.",
                "It needs a class id and the sensitive column.",
            )
        extra = [name for name in rest if name != secret and name not in known]
        counts = extra[0] if len(extra) == 1 else None
        made = cls(frame, label, class_column, secret, counts)
        made._require_counts()
        return made

    @property
    def ids(self) -> pl.Series:
        """The class id of each row, as text."""
        return texts(self.frame[self.class_column])

    @property
    def values(self) -> pl.Series:
        """The sensitive values."""
        return self.frame[self.secret]

    @property
    def counts(self) -> pl.Series:
        """How many records each row stands for; 1 where nobody says."""
        if self.count_column is None:
            return pl.repeat(1, self.frame.height, dtype=pl.Int64, eager=True)
        return texts(self.frame[self.count_column]).cast(pl.Int64)

    @property
    def further(self) -> list[str]:
        """Columns that are neither id nor value nor count."""
        ours = (self.class_column, self.secret, self.count_column)
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
                "Leave the column out if it does not count.",
            )


@dataclass(frozen=True, eq=False)
class PublishedTables:
    """A table of quasi-identifiers, and one of values for each sensitive column.

    Parameters
    ----------
    class_column
        The class id, in all of them.
    secrets
        The tables of values, by sensitive column.
    by_column
        Whether the tables of values were given by column (``sensitive-groups``). Then a class
        may show each of its values once, and others with them. Otherwise there is one table,
        with a value for each record (``two-table``).
    """

    quasi: pl.DataFrame
    class_column: str
    secrets: Mapping[str, ValueTable]
    by_column: bool

    @classmethod
    def read(
        cls,
        tables: Mapping[str, Any],
        *,
        secrets: Sequence[str] | None = None,
        known: Collection[str] = (),
        class_column: str | None = None,
    ) -> PublishedTables:
        """Read tables of any frame type.

        Parameters
        ----------
        tables
            ``{"quasi": …, "sensitive": …}``, the latter a table, or a table per column.
        secrets
            The sensitive columns; ``None`` takes the tables' word.
        known
            Columns that have a role, so that they are neither id nor count.

        Examples
        --------
        >>> quasi = pl.DataFrame({"age": [30, 40], "class": [1, 1]})
        >>> ill = pl.DataFrame({"class": [1], "ill": ["flu"], "n": [2]})
        >>> made = PublishedTables.read({"quasi": quasi, "sensitive": ill}, secrets=["ill"])
        >>> made.class_column, made.secrets["ill"].count_column, made.secrets["ill"].counts[0]
        ('class', 'n', 2)
        """
        if set(tables) != _TABLES:
            raise ParameterError(
                "Tables that share a class id must be named 'quasi' and 'sensitive'.",
                'Give {"quasi": …, "sensitive": …}, or {"quasi": …, "sensitive": {column: …}}.',
            )
        quasi, apart = to_polars(tables["quasi"]), tables["sensitive"]
        by_column = isinstance(apart, Mapping)
        frames = _by_column(apart, secrets) if by_column else _one(apart, secrets)
        labels = {c: f"sensitive: {c}" if by_column else "sensitive" for c in frames}
        for label, frame in [("quasi", quasi), *((labels[c], f) for c, f in frames.items())]:
            if frame.height == 0:
                raise InputError(f"The published table '{label}' has no rows.", "Check the file.")
        named = [name for name in frames if name is not None]
        ids = class_column or find_class_column(quasi, list(frames.values()), [*known, *named])
        for label, frame in [("quasi", quasi), *((labels[c], f) for c, f in frames.items())]:
            if ids not in frame.columns:
                raise SchemaError(
                    f"The published table '{label}' has no class column '{ids}'.",
                    did_you_mean(ids, frame.columns),
                )
        values = [
            ValueTable.read(frame, labels[name], class_column=ids, secret=name, known=known)
            for name, frame in frames.items()
        ]
        return cls(quasi, ids, {each.secret: each for each in values}, by_column)

    @property
    def ids(self) -> pl.Series:
        """The class id of each row of the quasi table, as text."""
        return texts(self.quasi[self.class_column])

    @property
    def columns(self) -> list[str]:
        """The columns of the quasi table but the class id."""
        return [name for name in self.quasi.columns if name != self.class_column]

    def counted(self, secret: str) -> bool:
        """Say whether a table of values shows how many records of a class hold each of them.

        That is so if every class has as many values as rows.
        """
        table = self.secrets[secret]
        if not self.by_column:
            return True
        values = pl.DataFrame({"class": table.ids, "n": table.counts}).group_by("class").sum()
        rows = pl.DataFrame({"class": self.ids}).group_by("class").len("rows")
        both = rows.join(values, on="class", how="full", coalesce=True, nulls_equal=True)
        return bool((both["rows"].cast(pl.Int64) == both["n"]).fill_null(False).all())


def _by_column(
    apart: Mapping[str, Any], secrets: Sequence[str] | None
) -> dict[str | None, pl.DataFrame]:
    """Take a table per column; each sensitive column needs one."""
    wanted = list(apart) if secrets is None else list(secrets)
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


def _one(apart: Any, secrets: Sequence[str] | None) -> dict[str | None, pl.DataFrame]:
    """Take the only table of two."""
    if secrets is not None and len(secrets) != 1:
        raise SchemaError(
            f"Two tables need exactly one sensitive column, not {len(secrets)}.",
            "Give one column the role sensitive, or a table per sensitive column: "
            '{"quasi": …, "sensitive": {column: …}}.',
        )
    return {None if secrets is None else secrets[0]: to_polars(apart)}


def find_class_column(
    quasi: pl.DataFrame, sensitive: Sequence[pl.DataFrame], known: Collection[str]
) -> str:
    """Find the one column that all tables have and that has no role.

    Examples
    --------
    >>> find_class_column(pl.DataFrame({"a": [1], "g": [1]}), [pl.DataFrame({"g": [1]})], ["a"])
    'g'
    """
    shared = [
        name
        for name in quasi.columns
        if name not in known and all(name in frame.columns for frame in sensitive)
    ]
    if len(shared) != 1:
        listed = ", ".join(f"'{name}'" for name in shared) or "none"
        raise SchemaError(
            f"The class id must be the only column without a role that all tables have, but "
            f"there are {len(shared)} ({listed}).",
            "Say which one it is with class_column (--class at the command line).",
        )
    return shared[0]
