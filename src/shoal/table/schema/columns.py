"""One column's part in a release: its role, its kind, and how its cells are prepared."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, TypeAlias

from shoal.base.arguments import is_number, plain
from shoal.errors import ParameterError, SchemaError, a_type, did_you_mean
from shoal.table import hierarchies
from shoal.table.hierarchies import Builder, Hierarchy
from shoal.table.levels import check_degrees, check_levels, read_degrees, read_levels
from shoal.table.preparation import OPTIONS, Preparation, iso_day


class Role(StrEnum):
    """What happens to a column in a release."""

    IDENTIFIER = "identifier"
    QUASI = "quasi"
    SENSITIVE = "sensitive"
    OTHER = "other"


class Kind(StrEnum):
    """How a quasi-identifier is generalized: to intervals, up a hierarchy, or to ranges of days."""

    NUMERIC = "numeric"
    CATEGORICAL = "categorical"
    DATE = "date"


@dataclass(frozen=True)
class Column:
    """One column's part in a release; made by `identifier`, `quasi`, `sensitive`, `other`.

    ``role``: `identifier` is removed and `quasi` generalized. The values of `sensitive` are
        published unchanged, and whose they are is protected; `other` is published unchanged, and
        nothing protects it.
    ``kind``: `numeric`, `categorical` or `date`; ``None`` lets the data decide (numbers are numeric
        unless a hierarchy is given). Only for quasi-identifiers.
    ``hierarchy``: a tree, or a builder that makes one from the column's values. A categorical
        quasi-identifier without one has only two levels: the value and ``*``. The values of a
        sensitive column with one are counted and published as the nodes above its leaves, such as
        the intervals of a salary.
    ``weight``: how much this column counts in distances and weighted measures.
    ``missing``: texts that mean "missing" in this column, instead of the schema's.
    ``levels``: how sensitive each value is: 1 is the most sensitive, ``""`` is the missing value.
        Only for sensitive columns, and only where a requirement or a measure needs it; then every
        value needs one.
    ``degrees``: how sensitive some values are, where rarity says it wrongly: 0 is harmless, ``""``
        is the missing value. Only for sensitive columns; a value without one has ln(rows / rows
        that hold it).
    ``draft``: whether the hierarchy was drafted by a program. While it has no groups, a release
        says so. Only for quasi-identifiers.
    ``format``, ``age_at``, ``top``, ``bottom``, ``round_to``, ``normalize``: what becomes of cells
        as they come in: see `shoal.table.preparation.Preparation`.
    """

    role: Role
    kind: Kind | None = None
    hierarchy: Hierarchy | Builder | None = None
    weight: float = 1.0
    missing: tuple[str, ...] | None = None
    levels: Mapping[str, int] | None = None
    degrees: Mapping[str, float] | None = None
    format: str | None = None
    age_at: str | None = None
    top: float | int | None = None
    bottom: float | int | None = None
    round_to: float | int | None = None
    normalize: bool | None = None
    draft: bool = False

    @property
    def preparation(self) -> Preparation:
        """What becomes of cells as they come in; false if nothing does."""
        return Preparation(**{name: getattr(self, name) for name in OPTIONS})

    @property
    def prepared(self) -> Column:
        """The same column once its cells are prepared: nothing is left to do."""
        if not self.preparation:
            return self
        nothing: dict[str, Any] = dict.fromkeys(OPTIONS)
        return replace(self, **nothing)


def identifier() -> Column:
    """Name a column that points at a person; it is removed from every release."""
    return Column(Role.IDENTIFIER)


def quasi(
    *,
    kind: Literal["numeric", "categorical", "date"] | None = None,
    hierarchy: Hierarchy | Builder | None = None,
    weight: float = 1.0,
    missing: Iterable[str] | None = None,
    format: str | None = None,  # noqa: A002  the calendar's word
    age_at: str | date | None = None,
    top: float | int | None = None,
    bottom: float | int | None = None,
    round_to: float | int | None = None,
    normalize: bool = False,
) -> Column:
    """Describe a column that others may know, and that is generalized.

    A ``date`` is published as a range of days, months or years, of any width; ``format`` says how
    dates are written, where the cells do not tell. With ``age_at``, dates of birth become ages on
    that day. ``top``, ``bottom`` and ``round_to`` are for numbers: larger ones become ``top``,
    smaller ones ``bottom``, and all the nearest multiple of ``round_to``. With ``normalize``, texts
    that differ only in case, spaces or Unicode form are one value.

    Examples
    --------
    >>> quasi(kind="numeric").kind
    <Kind.NUMERIC: 'numeric'>
    >>> quasi(age_at="2026-01-01", top=90).kind
    <Kind.NUMERIC: 'numeric'>
    """
    _require_tree(hierarchy)
    if not is_number(weight) or not 0 < weight < float("inf"):
        raise ParameterError(f"weight must be a positive number, not {weight!r}.", "Such as 2.0.")
    day = None if age_at is None else iso_day(age_at)
    settings = Preparation(format, day, top, bottom, round_to, _normalize(normalize))
    return Column(
        Role.QUASI,
        _settled_kind(kind, settings),
        hierarchy,
        plain(weight),
        None if missing is None else read_tokens(missing),
        **vars(settings),
    )


def sensitive(
    *,
    levels: Mapping[str, int] | None = None,
    degrees: Mapping[str, float] | None = None,
    hierarchy: Hierarchy | Builder | None = None,
    missing: Iterable[str] | None = None,
    top: float | int | None = None,
    bottom: float | int | None = None,
    round_to: float | int | None = None,
    normalize: bool = False,
) -> Column:
    """Name a column whose values are published, while whose they are must stay hidden.

    ``levels`` say how sensitive each value is, 1 being the most sensitive; ``degrees`` how
    sensitive some are, where rarity alone says it wrongly. Files of them are read by
    `shoal.levels.read_levels` and `read_degrees`. With a ``hierarchy``, values are counted and
    published as the lowest nodes above them: numbers as intervals. Levels and degrees are then
    those of the nodes. ``top``, ``bottom`` and ``round_to`` change numbers before all that. With
    ``normalize``, texts that differ only in case, spaces or Unicode form are one value value.

    Examples
    --------
    >>> sensitive(levels={"HIV": 1, "Flu": 4}).levels
    {'HIV': 1, 'Flu': 4}
    >>> from shoal.hierarchies import Intervals
    >>> sensitive(hierarchy=Intervals(width=1000), degrees={"[0, 1000)": 9}).degrees
    {'[0, 1000)': 9.0}
    >>> sensitive(round_to=100, top=20_000).preparation.says()[1]
    '20000 means 20000 and above'
    """
    settings = Preparation(
        top=top, bottom=bottom, round_to=round_to, normalize=_normalize(normalize)
    )
    settings.require_sound()
    _require_tree(hierarchy)
    if levels is not None:
        check_levels(levels)
    if degrees is not None:
        check_degrees(degrees)
    return Column(
        Role.SENSITIVE,
        hierarchy=hierarchy,
        missing=None if missing is None else read_tokens(missing),
        levels=None if levels is None else plain(dict(levels)),
        degrees=None if degrees is None else {name: float(d) for name, d in degrees.items()},
        **vars(settings),
    )


def other(
    *,
    top: float | int | None = None,
    bottom: float | int | None = None,
    round_to: float | int | None = None,
) -> Column:
    """Name a column that is published without protection, and listed as such in the release.

    Its cells are published untouched, but for what ``top``, ``bottom`` and ``round_to`` ask.
    """
    settings = Preparation(top=top, bottom=bottom, round_to=round_to)
    settings.require_sound()
    return Column(Role.OTHER, **vars(settings))


def sound(column: Column) -> Column:
    """Refuse a kind and options that do not go together, and settle the kind by them.

    >>> sound(Column(Role.QUASI, age_at="2026-01-01")).kind
    <Kind.NUMERIC: 'numeric'>
    """
    if column.role is Role.QUASI:
        return replace(column, kind=_settled_kind(column.kind, column.preparation))
    column.preparation.require_sound()
    return column


def _normalize(normalize: Any) -> Any:
    """Take false as not said; what is no truth value is refused elsewhere."""
    return None if normalize is False or normalize is None else normalize


def _settled_kind(kind: str | None, settings: Preparation) -> Kind | None:
    """Settle the kind of a column by what is asked of it; refuse what does not go together."""
    if kind is not None and (not isinstance(kind, str) or kind not in set(Kind)):
        raise ParameterError(
            f"kind must be 'numeric', 'categorical' or 'date', not {kind!r}.",
            did_you_mean(str(kind), Kind),
        )
    settings.require_sound()
    numbers = settings.of_numbers
    if settings.normalize:
        if kind not in (None, Kind.CATEGORICAL):
            raise ParameterError(
                f"normalize is for texts, but the column's kind is {kind}.",
                "Leave normalize out: numbers and days have only one form.",
            )
        return Kind.CATEGORICAL
    if kind == Kind.CATEGORICAL and settings:
        option = next(name for name, given in vars(settings).items() if given is not None)
        wanted = "dates" if option in ("format", "age_at") else "numbers"
        raise ParameterError(
            f"{option} is only for {wanted}, but the column is categorical.",
            f'Set kind = "{wanted.removesuffix("s") if wanted == "dates" else "numeric"}", or '
            f"leave {option} out.",
        )
    if numbers and kind == Kind.DATE and settings.age_at is None:
        raise ParameterError(
            f"{numbers[0]} is only for numbers, but the column holds dates.",
            f"Leave {numbers[0]} out, or turn dates of birth into ages with age_at.",
        )
    if settings.format is not None and settings.age_at is None and kind != Kind.DATE:
        raise ParameterError(
            "format is only for dates, but the column holds none.",
            'Set kind = "date", or leave it out.',
        )
    if settings.age_at is not None or numbers:
        return Kind.NUMERIC
    return None if kind is None else Kind(kind)


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

    ``given``: ``"quasi"``, or ``{"role": "quasi", "kind": "numeric"}``. A hierarchy, levels and
        degrees may be files; a hierarchy may also be a table such as ``{"builder": "prefixes"}``.
    ``folder``: where relative paths start.

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


def _require_tree(hierarchy: object) -> None:
    """Refuse a hierarchy that is neither a tree nor a builder."""
    if hierarchy is not None and not isinstance(hierarchy, Hierarchy | Builder):
        raise ParameterError(
            f"hierarchy must be a Hierarchy or a builder, not {a_type(hierarchy)}.",
            'Such as shoal.Hierarchy.from_csv("sex.csv") or shoal.hierarchies.Prefixes().',
        )


def read_tokens(missing: Iterable[str]) -> tuple[str, ...]:
    """Take one text as one token, not as its letters."""
    several = (
        [missing] if isinstance(missing, str) or not isinstance(missing, Iterable) else missing
    )
    tokens = tuple(several)
    if not all(isinstance(token, str) for token in tokens):
        raise ParameterError("missing must list texts.", 'Such as ["", "NA", "-9"].')
    return tokens
