"""The roles of all columns of a table."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import reduce
from operator import or_
from typing import Literal, TypeAlias, get_args

import polars as pl

from shoal.base.cells import STAR, texts
from shoal.errors import SchemaError, ShoalError, a_type, did_you_mean
from shoal.table.schema.columns import Column, ColumnLike, Role, column_of, read_tokens, sound

NO_ENTITY = "none"
"""In place of an entity column: no person has two rows."""

Linkage: TypeAlias = Literal["any-row", "all-rows"]
"""How many rows of a person an attacker may know: see `Schema`."""


class Schema(Mapping[str, Column]):
    """The roles of all columns of a table, in the order that methods use.

    Parameters
    ----------
    columns
        A `Column` per column name, or what `column_of` makes one of. Every column of the table
        must be here.
    entity
        An identifier column that tells people apart: k then counts people, not rows. ``"none"``
        says that nobody has two rows, unless a column is called so.
    linkage
        What an attacker may know of a person with several rows: ``"any-row"``, one of them, or
        ``"all-rows"``. With the second, at least k people must match all rows of each person.
    missing
        Texts that mean "missing". A missing cell is published as ``*``.

    Examples
    --------
    >>> import shoal
    >>> schema = Schema({"name": shoal.identifier(), "age": shoal.quasi(kind="numeric"),
    ...                  "disease": shoal.sensitive()})
    >>> schema.quasi, schema.sensitive
    (['age'], ['disease'])
    >>> Schema({"name": "identifier", "age": "quasi"})
    Schema(identifier: name; quasi: age)
    """

    def __init__(
        self,
        columns: Mapping[str, ColumnLike],
        *,
        entity: str | None = None,
        linkage: Linkage = "any-row",
        missing: Iterable[str] = ("", STAR),
    ) -> None:
        if not isinstance(columns, Mapping):
            raise SchemaError(
                f"A schema is made of a role per column, not of {a_type(columns)}.",
                'Such as {"age": "quasi", "disease": "sensitive"}.',
            )
        self._columns = {name: _named(name, column) for name, column in columns.items()}
        if linkage not in get_args(Linkage):
            raise SchemaError(
                f"linkage must be 'any-row' or 'all-rows', not {linkage!r}.",
                "It sets how many rows of a person an attacker may know.",
            )
        declared_none = isinstance(entity, str) and entity == NO_ENTITY
        self.one_row_each = declared_none and NO_ENTITY not in self._columns
        """Whether it was stated that no person has two rows."""
        self.entity = None if self.one_row_each else entity
        self.linkage: Linkage = linkage
        self.missing = read_tokens(missing)

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        parts = (f"{role.value}: {', '.join(self.of(role))}" for role in Role if self.of(role))
        return f"Schema({'; '.join(parts)})"

    def of(self, role: Role) -> list[str]:
        """List the columns of one role."""
        return [name for name, column in self.items() if column.role is role]

    @property
    def identifiers(self) -> list[str]:
        """Columns that a release must not hold."""
        return self.of(Role.IDENTIFIER)

    @property
    def quasi(self) -> list[str]:
        """Columns that are generalized."""
        return self.of(Role.QUASI)

    @property
    def sensitive(self) -> list[str]:
        """Columns that are protected."""
        return self.of(Role.SENSITIVE)

    @property
    def other(self) -> list[str]:
        """Columns that are published untouched."""
        return self.of(Role.OTHER)

    @property
    def untouched(self) -> list[str]:
        """Columns that are published as they are: sensitive and other."""
        return [n for n, c in self.items() if c.role in (Role.SENSITIVE, Role.OTHER)]

    @property
    def declared_entity(self) -> str | None:
        """What was said of people with several rows: a column, that there are none, or nothing."""
        return NO_ENTITY if self.one_row_each else self.entity

    def missing_of(self, name: str) -> tuple[str, ...]:
        """Texts that mean "missing" in one column."""
        own = self._known(name).missing
        return self.missing if own is None else own

    def with_column(self, name: str, **changes: object) -> Schema:
        """Copy the schema with some facts about one column changed, as `column_of` reads them.

        Examples
        --------
        >>> Schema({"age": "quasi", "illness": "other"}).with_column("illness", role="sensitive")
        Schema(quasi: age; sensitive: illness)
        """
        known = self._known(name)
        draft = bool(changes.pop("draft", known.draft))  # only a program says so
        options = {} if "role" in changes else _options_of(known)  # one option may need another
        facts = {each.name for each in fields(Column)} - {"role"}
        options |= {k: v for k, v in changes.items() if v is not None or k not in facts}
        for fact in (k for k, v in changes.items() if v is None and k in facts):
            options.pop(fact, None)
        read = _named(name, {"role": known.role, **options})
        changed = {fact: getattr(read, fact) for fact in changes}
        return self.with_columns({name: replace(known, draft=draft, **changed)})

    def with_columns(self, columns: Mapping[str, Column]) -> Schema:
        """Copy the schema with some columns described anew.

        Examples
        --------
        >>> Schema({"age": "quasi", "ill": "other"}).with_columns({"ill": column_of("sensitive")})
        Schema(quasi: age; sensitive: ill)
        """
        anew = {name: sound(column) for name, column in columns.items() if self._known(name)}
        return Schema(
            {**self._columns, **anew},
            entity=self.declared_entity,
            linkage=self.linkage,
            missing=self.missing,
        )

    def without(self, names: Collection[str]) -> Schema:
        """Copy the schema without some columns.

        Examples
        --------
        >>> Schema({"age": "quasi", "wish": "identifier"}).without(["wish"])
        Schema(quasi: age)
        """
        if not names:
            return self
        return Schema(
            {name: column for name, column in self.items() if name not in names},
            entity=self.entity,
            linkage=self.linkage,
            missing=self.missing,
        )

    def _known(self, name: str) -> Column:
        if not isinstance(name, str) or name not in self._columns:
            raise SchemaError(f"The schema has no column {name!r}.", did_you_mean(name, self))
        return self._columns[name]

    def require_roles(self, columns: Iterable[str]) -> None:
        """Refuse a table whose columns are not the schema's (raises `SchemaError`)."""
        present = list(columns)
        absent = [name for name in self if name not in set(present)]
        if absent and len(present) == 1 < len(self) and set(present[0]) & set(",;\t|"):
            raise SchemaError(
                f"The table was read as a single column, but the schema names {len(self)}.",
                "Check `separator` under [input].",
            )
        nameless = [name for name in present if name not in self]
        if absent:  # first: a misspelt name leaves the right one without a role, too
            near = difflib.get_close_matches(absent[0], nameless, n=1, cutoff=0.6)
            if near and len(absent) == 1:
                raise SchemaError(
                    f"Column '{absent[0]}' has a role but is not in the table, and the "
                    f"table's column '{near[0]}' has no role: they may be the same.",
                    "Spell its name as in the table.",
                )
            raise SchemaError(
                f"{_columns(absent)} a role but no place in the table.",
                did_you_mean(absent[0], present),
            )
        if nameless:
            raise SchemaError(
                f"{_columns(nameless)} no role.",
                "Give each one a role: identifier (which drops it), quasi, sensitive or other.",
            )
        if not self.quasi:
            raise SchemaError(
                "No column has the role quasi.",
                "Name the columns that an attacker may know, such as age, sex or zip code.",
            )
        if self.entity is not None and self.entity not in self.identifiers:
            raise SchemaError(
                f"The entity column '{self.entity}' must be an identifier of the table.",
                "Give it the role identifier, or name another entity column.",
            )
        if self.linkage == "all-rows" and self.entity is None:
            raise SchemaError(
                "linkage = 'all-rows' concerns all rows of a person, but no entity column "
                "identifies people.",
                "Name the column that identifies people as entity.",
            )


SchemaLike: TypeAlias = Schema | Mapping[str, ColumnLike]
"""A schema, or the mapping that makes one."""


def as_schema(given: SchemaLike) -> Schema:
    """Take a schema as it is, and make one of a role per column.

    >>> as_schema({"age": "quasi", "disease": "sensitive"})
    Schema(quasi: age; sensitive: disease)
    """
    return given if isinstance(given, Schema) else Schema(given)


def is_missing(values: pl.Series, tokens: Iterable[str]) -> pl.Series:
    """Mark the missing cells of a column: nulls, and texts that are missing tokens."""
    wanted = list(tokens)
    if values.dtype != pl.String:
        # A code such as -9 means missing in a column of numbers too.
        wanted = [token for token in wanted if token not in ("", STAR)]
    if not wanted:
        return values.is_null()
    cells = texts(values)
    found = reduce(or_, (cells == token for token in wanted))  # `is_in` takes ten times as long
    return found | values.is_null() if values.null_count() else found


def known_texts(values: pl.Series, tokens: Iterable[str]) -> pl.Series:
    """Write the cells of a column as texts, null where they are missing."""
    return texts(values).set(is_missing(values, tokens), None)


def _options_of(column: Column) -> dict[str, object]:
    """List what is said of a column besides its role, as `column_of` takes it."""
    plain = Column(column.role)
    every = ((each.name, getattr(column, each.name)) for each in fields(Column))
    return {k: v for k, v in every if k not in ("role", "draft") and v != getattr(plain, k)}


def _named(name: object, given: ColumnLike) -> Column:
    """Make a column, and name it in what is wrong with it."""
    if not isinstance(name, str):
        raise SchemaError(
            f"A column is named by {a_type(name)}.", "Name it by a text, as the table does."
        )
    try:
        return column_of(given)
    except ShoalError as error:
        raise error.about(f"Column '{name}'") from None


def _columns(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:5]) + (", …" if len(names) > 5 else "")
    return f"{len(names)} columns ({shown}) have" if len(names) > 1 else f"Column {shown} has"
