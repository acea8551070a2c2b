"""Propose roles, hierarchies and a plan for a table nobody described yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from shoal import io
from shoal.base.cells import STAR
from shoal.errors import InputError, ParameterError, SchemaError, a_type, did_you_mean
from shoal.io import SQL, file_names
from shoal.io.decimals import is_number
from shoal.io.files import STANDARD_INPUT
from shoal.io.frames import Coded, to_polars
from shoal.judging.remarks.same_information import find_same_information
from shoal.models import GroupStatistics, KAnonymity
from shoal.plan.numbers import read_numbers
from shoal.steward.proposal.doubts import token_warnings
from shoal.steward.proposal.generalizing import ColumnProposal, build_draft
from shoal.steward.proposal.numerals import Numerals, find_numerals
from shoal.steward.proposal.offers import make_offers
from shoal.steward.proposal.people import find_people
from shoal.steward.proposal.profile import ColumnProfile, profile
from shoal.steward.proposal.rarity import DraftLevels, draft_levels
from shoal.steward.proposal.result import Proposal
from shoal.steward.proposal.roles import propose_roles
from shoal.steward.proposal.uniqueness import say_who_makes_unique
from shoal.table.missingness import Missingness
from shoal.table.roles import ROLE_OF, Columns, role_lists
from shoal.table.schema import NO_ENTITY, Role, is_missing, read_tokens
from shoal.table.sensitive import SensitiveColumn

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

MISSING = ("", STAR)
"""Texts that always mean missing in a proposed plan."""

_LEVELS = "levels"
_SMALL = 1_000


def propose(
    table: IntoFrame | str | PathLike[str] | SQL,
    *,
    k: int | None = None,
    quasi: Iterable[str] | str | None = None,
    sensitive: Iterable[str] | str | None = None,
    drop: Iterable[str] | str | None = None,
    other: Iterable[str] | str | None = None,
    entity: str | None = None,
    missing: Iterable[str] | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    quote: str | None = None,
    max_unpacked: int | None = None,
    sheet: str | int | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
) -> Proposal:
    """Propose roles, hierarchies and a plan that runs as it is, for people to check and edit.

    Parameters
    ----------
    table
        Any frame, with texts as from CSV or typed, the path of a file (CSV, Parquet, Excel,
        SPSS, Stata or SAS), or a table of a database (`shoal.SQL`).
    k
        The smallest size of a group. Without it, 5 for tables under 1,000 rows and 10 for
        others, but never more than half of the rows.
    quasi, sensitive, drop, other
        Columns whose role is known already; for all others one is proposed.
    entity
        The column that tells people apart, or ``"none"``: nobody has two rows. Without it, one is
        looked for.
    missing
        Texts that mean "missing" in every column, besides ``""`` and ``"*"``. If given,
        even as an empty list, nothing else is guessed to mean it.
    separator, encoding, quote, max_unpacked, sheet, decimal, thousands
        Of a file: how it is read where that should not, or cannot, be detected; see
        `shoal.io.read`.

    Raises
    ------
    InputError
        If the table has fewer than two rows, or no column could be a quasi-identifier.
    InfeasibleError, ParameterError
        If the given ``k`` is larger than the table, or below 2.

    Examples
    --------
    >>> import shoal
    >>> proposal = shoal.propose(shoal.datasets.patients(1))
    >>> proposal.roles
    {'name': 'identifier', 'age': 'quasi', 'sex': 'quasi', 'zip': 'quasi', 'disease': 'sensitive'}
    >>> print(proposal.hierarchies["sex"].show())
    * (2)
    ├── female
    └── male
    >>> text = proposal.to_toml()
    >>> print(text[text.index("[columns.zip]") : text.index("[columns.disease]")])
    [columns.zip]
    # A postal code, by its name. Each step hides another character at its end.
    role = "quasi"
    kind = "categorical"
    hierarchy = {builder = "prefixes"}
    weight = 1.0
    <BLANKLINE>
    <BLANKLINE>
    """
    given = {
        "separator": separator,
        "encoding": encoding,
        "quote": quote,
        "max_unpacked": max_unpacked,
        "sheet": sheet,
        "decimal": decimal,
        "thousands": thousands,
    }
    reading: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    tokens = tuple(dict.fromkeys((*MISSING, *read_tokens(() if missing is None else missing))))
    source: Path | SQL | None = None
    read_as, dialect, numerals = "", None, Numerals()
    if isinstance(table, str | PathLike):
        source = Path(table)
        found = io.read(source, **reading)
        frame, read_as, dialect = found.frame, found.describe(), found.dialect
    elif reading:
        raise ParameterError(
            f"{next(iter(reading))} applies to files, but the table is not a file.",
            "Leave it out, or name the file.",
        )
    elif isinstance(table, SQL):
        source, read_as = table, table.describe()
        frame = to_polars(table)
    else:
        frame = to_polars(table)
    if frame.height == 1:
        raise InputError("The table has one row.", "A person cannot be hidden in a single row.")
    as_written = frame
    if dialect is not None:  # other formats have types, and plans say nothing of frames
        numerals = find_numerals(frame, tokens)
        if decimal or thousands:
            numerals = Numerals(columns=numerals.columns)  # the signs are named
            guessed = {
                each.name: (*tokens, *each.missing_tokens)
                for each in profile(frame, tokens, guess=missing is None)
            }
            frame = read_numbers(
                Coded(frame),
                dialect,
                numeric=(),
                perhaps=frame.columns,
                missing=guessed.__getitem__,
            )[0].frame
        else:
            frame = numerals.read(frame)
    profiles = [
        replace(column, is_amount=column.name in numerals.columns)
        for column in profile(frame, tokens, guess=missing is None)
    ]
    roles = _given_roles(
        frame.columns, {"quasi": quasi, "sensitive": sensitive, "drop": drop, "other": other}
    )
    if entity is not None:
        _require_entity(entity, frame.columns, roles)
        if entity in frame.columns:
            roles[entity] = Role.IDENTIFIER
    found_people = find_people(
        frame, profiles, propose_roles(profiles, roles), tokens, roles, entity
    )
    columns = say_who_makes_unique(frame, found_people.columns, tokens, found_people.entity)
    people = frame.height if found_people.entity is None else frame[found_people.entity].n_unique()
    built = {
        # Only numbers are read by the signs of a plan: categories stay as they are written.
        made.name: build_draft(as_written[made.name], made.hierarchy, (*tokens, *made.missing))
        for made in columns
        if made.hierarchy is not None
    }
    columns = [  # where the proposed hierarchy could not be built, another one is a draft
        replace(made, draft=True)
        if made.name in built and built[made.name][1] != made.hierarchy
        else made
        for made in columns
    ]
    numerals = replace(numerals, listed=_listed(frame, as_written, columns, tokens))
    as_run = as_written.with_columns(frame[name] for name in numerals.listed)
    settled = {made.name: made.role for made in columns}
    twins = {column.name: column.twins for column in profiles}
    least = _choose_k(k, frame.height, people)
    return Proposal(
        columns=tuple(columns),
        hierarchies={name: tree for name, (tree, _) in built.items()},
        builders={name: builder for name, (_, builder) in built.items()},
        rows=frame.height,
        k=least,
        missing=tokens,
        missingness=_missingness(frame, profiles, tokens),
        entity=found_people.entity,
        doubted=found_people.doubted,
        one_row_each=entity is not None and found_people.entity is None,
        warnings=token_warnings(profiles, columns, tokens),
        levels=_levels(as_run, columns, tokens, least, found_people.entity),
        numerals=numerals,
        offers=make_offers(frame, profiles, columns, tokens, least, found_people.entity),
        same_information=tuple(find_same_information(settled, twins, names=True)),
        source=None if isinstance(source, Path) and source.name == STANDARD_INPUT else source,
        reading=reading,
        read_as=read_as,
        profiles=tuple(profiles),
    )


def _given_roles(columns: Sequence[str], lists: Mapping[str, Columns | None]) -> dict[str, Role]:
    """Read lists of columns, each of one role, and of one table."""
    given: dict[str, Role] = {}
    for place, name, options in role_lists(lists):
        if name not in columns:
            raise SchemaError(
                f"{place} names the column '{name}', which is not in the table.",
                did_you_mean(name, columns),
            )
        if options is not None:
            raise ParameterError(
                f"{place} gives options for column '{name}', but `propose` takes only names.",
                "Give only names, and change the proposed options afterwards.",
            )
        given[name] = ROLE_OF[place]
    return given


def _require_entity(entity: str, columns: Sequence[str], given: Mapping[str, Role]) -> None:
    """Refuse an entity that is no column, or one that is to be published."""
    if not isinstance(entity, str):
        raise ParameterError(
            f"entity must be the name of a column, not {a_type(entity)}.",
            'Such as entity="patient".',
        )
    if entity not in columns and entity != NO_ENTITY:
        raise SchemaError(
            f"entity names the column '{entity}', which is not in the table.",
            did_you_mean(entity, columns),
        )
    if given.get(entity, Role.IDENTIFIER) is not Role.IDENTIFIER:
        raise SchemaError(
            f"Column '{entity}' identifies people, but it is listed as {given[entity]}.",
            "It must be removed: leave it out of the list.",
        )


def _listed(
    frame: pl.DataFrame,
    as_written: pl.DataFrame,
    columns: Sequence[ColumnProposal],
    tokens: tuple[str, ...],
) -> tuple[str, ...]:
    """List the columns without a kind whose cells are other texts as numbers than as written."""
    made = []
    for each in columns:
        read = frame[each.name]
        if each.role not in (Role.SENSITIVE, Role.OTHER) or read.equals(as_written[each.name]):
            continue
        known = read.filter(~is_missing(read, (*tokens, *each.missing)))
        if is_number(known).all():
            made.append(each.name)
    return tuple(made)


def _levels(
    table: pl.DataFrame,
    proposals: Sequence[ColumnProposal],
    tokens: tuple[str, ...],
    k: int,
    entity: str | None,
) -> tuple[DraftLevels, ...]:
    """Draft levels for the sensitive columns that can have them."""
    graded = [made for made in proposals if made.has_levels]
    names = file_names(sorted(made.name for made in graded))
    people = None
    if entity is not None:
        people = SensitiveColumn.encode(table[entity], ()).codes
    drafts = [
        draft_levels(
            made.name,
            f"{_LEVELS}/{names[made.name]}",
            SensitiveColumn.encode(table[made.name], (*tokens, *made.missing)),
            k=k,
            people=people,
        )
        for made in graded
    ]
    return tuple(draft for draft in drafts if draft is not None)


def _missingness(
    table: pl.DataFrame, profiles: Sequence[ColumnProfile], tokens: tuple[str, ...]
) -> Missingness:
    """Count missing cells as the profiles do."""
    masks = [is_missing(table[each.name], (*tokens, *each.missing_tokens)) for each in profiles]
    return Missingness.of(np.column_stack(masks), table.columns)


def _choose_k(k: int | None, rows: int, people: int) -> int:
    if k is None:
        return min(5 if rows < _SMALL else 10, max(2, people // 2))
    wanted = KAnonymity(k)
    wanted.validate()
    wanted.require_feasible(GroupStatistics(np.array([people])))
    return wanted.k
