"""Propose a whole plan for a table: roles, draft hierarchies, and the file to edit."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

from shoal.cells import STAR, texts
from shoal.errors import HierarchyError, InputError, ParameterError
from shoal.frames import to_polars
from shoal.hierarchies import Auto, Flat, Hierarchy
from shoal.io import file_names
from shoal.levels import write_levels
from shoal.models import GroupStatistics, KAnonymity
from shoal.propose.doubts import TokenWarning, token_warnings
from shoal.propose.place import place_files
from shoal.propose.profile import ColumnProfile, profile
from shoal.propose.rarity import DraftLevels, draft_levels
from shoal.propose.roles import Proposal, propose_roles
from shoal.propose.text import PlanText
from shoal.schema import is_missing
from shoal.table.missingness import Missingness
from shoal.table.sensitive import SensitiveColumn

__all__ = ["Draft", "propose"]

MISSING = ("", STAR)
"""Texts that always mean missing in a proposed plan."""

_FOLDER = "hierarchies"
_LEVELS = "levels"
_SMALL = 1_000


@dataclass(frozen=True)
class Draft:
    """A proposed plan, not yet on the disk.

    Parameters
    ----------
    text
        The plan, as TOML with comments. It holds no cell of the table, except texts that
        seem to mean "missing".
    hierarchies
        A hierarchy per file name relative to the plan. They do hold cells of the table.
    proposals
        The role of each column and why.
    folder
        Where the plan is meant to lie: its path to the table starts there.
    missingness
        Where the table has holes, by the missing texts that the plan proposes.
    warnings
        Texts that could mean "missing" or could be values, for a person to judge.
    levels
        Levels of sensitive values, drafted from rarity, for a person to check. They hold
        cells of the table.
    """

    text: str
    hierarchies: Mapping[str, Hierarchy]
    proposals: tuple[Proposal, ...]
    folder: Path
    missingness: Missingness
    warnings: tuple[TokenWarning, ...] = ()
    levels: tuple[DraftLevels, ...] = ()

    def write(self, plan_path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the plan, and its hierarchies and levels beside it, all of them or none.

        Raises
        ------
        OutputError
            If one of the files is there already and ``overwrite`` is not set, or the disk
            refuses.
        ParameterError
            If the plan is meant to lie in another folder.
        """
        path = Path(plan_path)
        if path.parent.resolve() != self.folder.resolve():
            raise ParameterError(
                f"The draft was made for a plan in '{self.folder}', not in '{path.parent}'.",
                "Propose it again for that folder: paths in a plan start from its place.",
            )
        # The plan comes last, so that it never names a file that is not there.
        files: dict[str, Callable[[Path], object]] = {
            name: tree.to_csv for name, tree in self.hierarchies.items()
        }
        files |= {made.file: partial(write_levels, levels=made.levels) for made in self.levels}
        write_plan = partial(Path.write_text, data=self.text, encoding="utf-8", newline="\n")
        place_files(path.parent, {**files, path.name: write_plan}, overwrite=overwrite)
        return path


def propose(
    frame: pl.DataFrame,
    *,
    source: str | Path,
    folder: str | Path = ".",
    k: int | None = None,
    reading: Mapping[str, str | int] | None = None,
    missing: Iterable[str] | None = None,
) -> Draft:
    """Propose a plan that runs as it is, for a data steward to check and edit.

    Parameters
    ----------
    frame
        The table, with texts as from CSV or typed.
    source
        The file it was read from; the plan names it relative to ``folder``.
    folder
        Where the plan will lie.
    k
        The least size of a group. Without it, 5 for tables under 1,000 rows and 10 for
        others, but never more than half of the rows.
    reading
        How the file was read where that is not detected, as in ``{"separator": ";"}``.
    missing
        Texts that mean "missing" in every column, besides ``""`` and ``"*"``. If given,
        even as an empty list, nothing else is guessed to mean it.

    Raises
    ------
    InputError
        If the table has fewer than two rows, or no column could be a quasi-identifier.
    InfeasibleError, ParameterError
        If the given ``k`` is larger than the table, or below 2.

    Examples
    --------
    >>> import shoal
    >>> draft = propose(shoal.datasets.patients(1), source="patients.csv")
    >>> [(made.name, made.role.value) for made in draft.proposals][:3]
    [('name', 'identifier'), ('age', 'quasi'), ('sex', 'quasi')]
    >>> print(draft.hierarchies["hierarchies/sex.csv"].show())
    * (2)
    ├── female
    └── male
    >>> print(draft.text[draft.text.index("[columns.sex]") : draft.text.index("[columns.zip]")])
    [columns.sex]
    # 2 different values. Others may know it; shown as it is or as *.
    role = "quasi"
    kind = "categorical"
    hierarchy = "hierarchies/sex.csv"
    """
    table = to_polars(frame)
    if table.height == 1:
        raise InputError("The table has one row.", "Nobody can be hidden in it.")
    given = () if missing is None else (missing,) if isinstance(missing, str) else missing
    tokens = tuple(dict.fromkeys((*MISSING, *given)))
    profiles = profile(table, tokens, guess=missing is None)
    proposals = propose_roles(profiles)
    warnings = token_warnings(profiles, proposals, tokens)
    entity = _entity(profiles, proposals)
    people = table.height if entity is None else entity.distinct
    built = {made.name for made in proposals if made.hierarchy is not None}
    names = {c: f"{_FOLDER}/{file}" for c, file in file_names(sorted(built)).items()}
    trees = {
        names[made.name]: _build(table[made.name], made, tokens)
        for made in proposals
        if made.name in built
    }
    least = _choose_k(k, table.height, people)
    levels = _levels(table, proposals, tokens, least, None if entity is None else entity.name)
    text = PlanText(
        source=_relative(Path(source), Path(folder)),
        rows=table.height,
        proposals=proposals,
        files=names,
        missing=tokens,
        k=least,
        entity=None if entity is None else entity.name,
        reading=reading or {},
        warnings=warnings,
        levels={made.column: made for made in levels},
    ).write()
    found = _missingness(table, profiles, tokens)
    return Draft(text, trees, tuple(proposals), Path(folder), found, warnings, levels)


def _levels(
    table: pl.DataFrame,
    proposals: Sequence[Proposal],
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
    """Count the holes as the profiles count them."""
    holes = np.empty((table.height, table.width), dtype=bool)
    for place, column in enumerate(profiles):
        mask = is_missing(table[column.name], (*tokens, *column.missing_tokens))
        holes[:, place] = mask.to_numpy()
    return Missingness.of(holes, table.columns)


def _entity(profiles: list[ColumnProfile], proposals: list[Proposal]) -> ColumnProfile | None:
    """Find the column by which people with several rows are told apart."""
    for column, made in zip(profiles, proposals, strict=True):
        if made.is_entity and not column.missing and column.distinct >= 2:
            return column
    return None


def _choose_k(k: int | None, rows: int, people: int) -> int:
    if k is None:
        return min(5 if rows < _SMALL else 10, max(2, people // 2))
    wanted = KAnonymity(k)
    wanted.validate()
    wanted.require_feasible(GroupStatistics(np.array([people])))
    return k


def _build(values: pl.Series, made: Proposal, tokens: tuple[str, ...]) -> Hierarchy:
    """Build the draft of a hierarchy; if values are named like groups, a plainer one."""
    known = texts(values.filter(~is_missing(values, (*tokens, *made.missing))))
    assert made.hierarchy is not None
    for builder in (made.hierarchy, Auto()):
        try:
            return builder.build(known)
        except HierarchyError:
            continue
    return Flat().build(known)


def _relative(source: Path, folder: Path) -> str:
    """Write the way from the plan's folder to the table, with links of folders resolved."""
    place = source.parent.resolve() / source.name
    try:
        return Path(os.path.relpath(place, folder.resolve())).as_posix()
    except ValueError:  # another drive
        return place.as_posix()
