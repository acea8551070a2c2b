"""What each column of a table is: its role, its kind, its hierarchy, its weight."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import polars as pl

from shoal import hierarchies
from shoal.cells import STAR, texts
from shoal.errors import ParameterError, SchemaError, ShoalError, a_type, did_you_mean
from shoal.hierarchies import Builder, Hierarchy
from shoal.levels import check_degrees, check_levels, read_degrees, read_levels

__all__ = [
    "NO_ENTITY",
    "Column",
    "ColumnLike",
    "Kind",
    "Linkage",
    "Role",
    "Schema",
    "SchemaLike",
    "as_schema",
    "column_of",
    "identifier",
    "is_missing",
    "other",
    "quasi",
    "read_tokens",
    "sensitive",
]


NO_ENTITY = "none"
"""Said instead of an entity column: nobody has two rows."""

Linkage: TypeAlias = Literal["any-row", "all-rows"]
"""How many rows of a person an outsider may know: see `Schema`."""


class Role(StrEnum):
    """What happens to a column in a release."""

    IDENTIFIER = "identifier"
    QUASI = "quasi"
    SENSITIVE = "sensitive"
    OTHER = "other"


class Kind(StrEnum):
    """How a quasi-identifier is generalized: to intervals, or up a hierarchy."""

    NUMERIC = "numeric"
    CATEGORICAL = "categorical"


@dataclass(frozen=True)
class Column:
    """One column's part in a release; made by `identifier`, `quasi`, `sensitive`, `other`.

    Parameters
    ----------
    role
        `identifier` is removed and `quasi` generalized. The values of `sensitive` are
        published unchanged, and whose they are is protected; `other` is published unchanged,
        and nothing protects it.
    kind
        `numeric` or `categorical`; ``None`` lets the data decide (numbers are numeric
        unless a hierarchy is given). Only for quasi-identifiers.
    hierarchy
        A tree, or a builder that makes one from the column's values. A categorical
        quasi-identifier without one has only two levels: the value and ``*``. The values of a
        sensitive column with one are counted and published as the nodes above its leaves,
        such as the intervals of a salary.
    weight
        How much this column counts in distances and weighted measures.
    missing
        Texts that mean "missing" in this column, instead of the schema's.
    levels
        How sensitive each value is: 1 is the most sensitive, ``""`` is the missing value. Only
        for sensitive columns, and only where a requirement or a measure needs it; then every
        value needs one.
    degrees
        How sensitive some values are, where rarity says it wrongly: 0 is harmless, ``""`` is
        the missing value. Only for sensitive columns; a value without one has
        ln(rows / rows that hold it).
    """

    role: Role
    kind: Kind | None = None
    hierarchy: Hierarchy | Builder | None = None
    weight: float = 1.0
    missing: tuple[str, ...] | None = None
    levels: Mapping[str, int] | None = None
    degrees: Mapping[str, float] | None = None


def identifier() -> Column:
    """Name a column that points at a person; it is removed from every release."""
    return Column(Role.IDENTIFIER)


def quasi(
    *,
    kind: Literal["numeric", "categorical"] | None = None,
    hierarchy: Hierarchy | Builder | None = None,
    weight: float = 1.0,
    missing: Iterable[str] | None = None,
) -> Column:
    """Describe a column that others may know, and that is generalized.

    Examples
    --------
    >>> quasi(kind="numeric").kind
    <Kind.NUMERIC: 'numeric'>
    """
    if kind is not None and (not isinstance(kind, str) or kind not in set(Kind)):
        raise ParameterError(
            f"kind must be 'numeric' or 'categorical', not {kind!r}.", did_you_mean(str(kind), Kind)
        )
    _require_tree(hierarchy)
    number = isinstance(weight, int | float) and not isinstance(weight, bool)
    if not number or not 0 < weight < float("inf"):
        raise ParameterError(f"weight must be a positive number, not {weight!r}.", "Such as 2.0.")
    return Column(
        Role.QUASI,
        None if kind is None else Kind(kind),
        hierarchy,
        weight,
        None if missing is None else read_tokens(missing),
    )


def sensitive(
    *,
    levels: Mapping[str, int] | None = None,
    degrees: Mapping[str, float] | None = None,
    hierarchy: Hierarchy | Builder | None = None,
    missing: Iterable[str] | None = None,
) -> Column:
    """Name a column whose values are published, while whose they are must stay hidden.

    ``levels`` say how sensitive each value is, 1 being the most sensitive; ``degrees`` how
    sensitive some are, where rarity alone says it wrongly. Files of them are read by
    `shoal.levels.read_levels` and `read_degrees`. With a ``hierarchy``, values are counted and
    published as the lowest nodes above them: numbers as intervals. Levels and degrees are then
    those of the nodes.

    Examples
    --------
    >>> sensitive(levels={"HIV": 1, "Flu": 4}).levels
    {'HIV': 1, 'Flu': 4}
    >>> from shoal.hierarchies import Intervals
    >>> sensitive(hierarchy=Intervals(width=1000), degrees={"[0, 1000)": 9}).degrees
    {'[0, 1000)': 9.0}
    """
    _require_tree(hierarchy)
    if levels is not None:
        check_levels(levels)
    if degrees is not None:
        check_degrees(degrees)
    return Column(
        Role.SENSITIVE,
        hierarchy=hierarchy,
        missing=None if missing is None else read_tokens(missing),
        levels=None if levels is None else dict(levels),
        degrees=None if degrees is None else {name: float(d) for name, d in degrees.items()},
    )


def other() -> Column:
    """Name a column that is published untouched, and listed as such in the release."""
    return Column(Role.OTHER)


ColumnLike: TypeAlias = Column | str | Mapping[str, Any]
"""A column, the name of its role, or a table of its options as in a plan."""

_MADE_BY: dict[str, Callable[..., Column]] = {
    Role.IDENTIFIER: identifier,
    Role.QUASI: quasi,
    Role.SENSITIVE: sensitive,
    Role.OTHER: other,
}


def column_of(given: ColumnLike, *, folder: str | Path = ".") -> Column:
    """Make a column from the name of its role, or from a table of options as in a plan.

    Parameters
    ----------
    given
        ``"quasi"``, or ``{"role": "quasi", "kind": "numeric"}``. A hierarchy, levels and degrees
        may be files; a hierarchy may also be a table such as ``{"builder": "prefixes"}``.
    folder
        Where relative paths start.

    Examples
    --------
    >>> column_of("sensitive").role
    <Role.SENSITIVE: 'sensitive'>
    >>> column_of({"role": "quasi", "hierarchy": {"builder": "prefixes"}}).hierarchy
    Prefixes(mask='*', keep=None, root='*', step=1)
    >>> column_of({"role": "quasi", "wait": 2})
    Traceback (most recent call last):
    shoal.errors.SchemaError: A column of the role quasi has no option 'wait'. Did you mean
    'weight'?
    """
    if isinstance(given, Column):
        return given
    if not isinstance(given, str | Mapping):
        raise SchemaError(
            f"A column is described by a role or by a table of options, not by {a_type(given)}.",
            'Such as "quasi", shoal.quasi(kind="numeric") or {"role": "quasi", "kind": "numeric"}.',
        )
    options: dict[str, Any] = {"role": given} if isinstance(given, str) else dict(given)
    role = options.pop("role", None)
    if not isinstance(role, str) or role not in _MADE_BY:
        raise SchemaError(
            "The column's role is missing." if role is None else f"There is no role {role!r}.",
            did_you_mean(str(role), Role),
        )
    known = inspect.signature(_MADE_BY[role]).parameters
    for option in options:
        if option not in known:
            raise SchemaError(
                f"A column of the role {role} has no option '{option}'.",
                did_you_mean(str(option), known) if known else "It has none.",
            )
    if isinstance(options.get("hierarchy"), str | Mapping):
        options["hierarchy"] = hierarchies.from_spec(options["hierarchy"], folder=folder)
    if isinstance(options.get("levels"), str):
        options["levels"] = read_levels(Path(folder, options["levels"]))
    if isinstance(options.get("degrees"), str):
        options["degrees"] = read_degrees(Path(folder, options["degrees"]))
    return _MADE_BY[role](**options)


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
        What an outsider may know of a person with several rows: ``"any-row"``, one of them, or
        ``"all-rows"``. With the second, at least k people must fit all rows of each person.
    missing
        Texts that mean "missing". A missing cell is published as ``*``.

    Examples
    --------
    >>> schema = Schema({"name": identifier(), "age": quasi(kind="numeric"),
    ...                  "disease": sensitive()})
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
                "It says how many rows of a person an outsider may know.",
            )
        said_none = isinstance(entity, str) and entity == NO_ENTITY
        self.one_row_each = said_none and NO_ENTITY not in self._columns
        """Whether somebody said that nobody has two rows."""
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
    def entity_said(self) -> str | None:
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
        >>> Schema({"age": quasi(), "illness": other()}).with_column("illness", role="sensitive")
        Schema(quasi: age; sensitive: illness)
        """
        known = self._known(name)
        facts = {each.name for each in fields(Column)} - {"role"}
        said = {k: v for k, v in changes.items() if v is not None or k not in facts}
        read = _named(name, {"role": known.role, **said})
        column = replace(known, **{fact: getattr(read, fact) for fact in changes})
        return Schema(
            {**self._columns, name: column},
            entity=self.entity_said,
            linkage=self.linkage,
            missing=self.missing,
        )

    def without(self, names: Collection[str]) -> Schema:
        """Copy the schema without some columns.

        Examples
        --------
        >>> Schema({"age": quasi(), "wish": identifier()}).without(["wish"])
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
                f"The table was read as one column only, and the schema names {len(self)}.",
                "Check the separator: `separator` under [input] says what stands between columns.",
            )
        if absent:  # first: a misspelt name leaves the right one without a role, too
            raise SchemaError(
                f"{_columns(absent)} a role but no place in the table.",
                did_you_mean(absent[0], present),
            )
        nameless = [name for name in present if name not in self]
        if nameless:
            raise SchemaError(
                f"{_columns(nameless)} no role.",
                "Give each one a role: identifier (which drops it), quasi, sensitive or other.",
            )
        if not self.quasi:
            raise SchemaError(
                "No column has the role quasi.",
                "Name the columns that others may know, such as age, sex or zip code.",
            )
        if self.entity is not None and self.entity not in self.identifiers:
            raise SchemaError(
                f"The entity column '{self.entity}' must be an identifier of the table.",
                "Give it the role identifier, or name another entity column.",
            )
        if self.linkage == "all-rows" and self.entity is None:
            raise SchemaError(
                "linkage = 'all-rows' speaks of all rows of a person, and nobody says whose rows "
                "are whose.",
                "Name the column that tells people apart as entity.",
            )


SchemaLike: TypeAlias = Schema | Mapping[str, ColumnLike]
"""A schema, or the mapping that makes one."""


def as_schema(given: SchemaLike) -> Schema:
    """Take a schema as it is, and make one of a role per column.

    Examples
    --------
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


def _named(name: object, given: ColumnLike) -> Column:
    """Make a column, and name it in what is wrong with it."""
    if not isinstance(name, str):
        raise SchemaError(
            f"A column is named by {a_type(name)}.",
            "Name it by a text, as the table does.",
        )
    try:
        return column_of(given)
    except ShoalError as error:
        raise error.about(f"Column '{name}'") from None


def _require_tree(hierarchy: object) -> None:
    """Refuse a hierarchy that is neither a tree nor a builder."""
    if hierarchy is not None and not isinstance(hierarchy, Hierarchy | Builder):
        raise ParameterError(
            f"hierarchy must be a Hierarchy or a builder, not {a_type(hierarchy)}.",
            'Such as shoal.Hierarchy.from_csv("sex.csv") or shoal.hierarchies.Prefixes().',
        )


def _columns(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:5]) + (", …" if len(names) > 5 else "")
    return f"{len(names)} columns ({shown}) have" if len(names) > 1 else f"Column {shown} has"


def read_tokens(missing: Iterable[str]) -> tuple[str, ...]:
    """Take one text as one token, not as its letters."""
    several = (
        [missing] if isinstance(missing, str) or not isinstance(missing, Iterable) else missing
    )
    tokens = tuple(several)
    if not all(isinstance(token, str) for token in tokens):
        raise ParameterError("missing must list texts.", 'Such as ["", "NA", "-9"].')
    return tokens
