"""A proposal: what `propose` thinks of a table, and the plan to start from."""

from __future__ import annotations

import html
import os
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

from shoal.errors import ParameterError, a_type
from shoal.io import SQL, file_names, require_no_table
from shoal.judging.remarks.person_number import PersonNumber
from shoal.judging.remarks.same_information import SameInformation
from shoal.plan import Plan
from shoal.steward.proposal.doubts import TokenWarning
from shoal.steward.proposal.generalizing import ColumnProposal, spec_of
from shoal.steward.proposal.numerals import Numerals
from shoal.steward.proposal.offers import Offer
from shoal.steward.proposal.place import place_files
from shoal.steward.proposal.profile import ColumnProfile
from shoal.steward.proposal.rarity import DraftLevels
from shoal.steward.proposal.text import PlanText
from shoal.table.hierarchies import Builder, Hierarchy
from shoal.table.levels import write_levels
from shoal.table.missingness import Missingness
from shoal.table.schema import Role

_FOLDER = "hierarchies"


@dataclass(frozen=True, repr=False)
class Proposal:
    """Roles, hierarchies and a plan for a table, for a data steward to check and edit.

    Parameters
    ----------
    columns
        What is proposed for each column, and why.
    hierarchies
        The draft of a hierarchy per categorical quasi-identifier. They hold cells of the table.
    builders
        What built them.
    rows
        How many rows the table has.
    k
        The smallest size of a group.
    missing
        Texts that mean "missing" in every column.
    missingness
        Where cells are missing, by the missing texts that are proposed.
    entity
        The column that tells people apart, if some have several rows.
    doubted
        The column that may tell people apart; until a person says so, the plan does not run.
    one_row_each
        Whether it was stated that no person has two rows.
    warnings
        Texts that could mean "missing" or could be values, for a person to judge.
    levels
        Levels of sensitive values, drafted from rarity, for a person to check. They hold
        cells of the table.
    numerals
        How the file writes numbers.
    offers
        Lines that the plan has as comments, to take or to leave.
    same_information
        Columns of different roles that say the same, for a person to judge.
    source, reading, read_as
        Where the table was read from, how it should be read, and how it was.
    profiles
        What each column is like, which the proposal follows from.

    Examples
    --------
    >>> import shoal
    >>> proposal = shoal.propose(shoal.datasets.patients(1))
    >>> proposal
    Proposal(1 identifier, 3 quasi, 1 sensitive; k = 2)
    >>> proposal.roles["zip"], proposal.reasons["zip"]
    ('quasi', 'A postal code, by its name. Each step hides another character at its end.')
    >>> shoal.anonymize(shoal.datasets.patients(1), proposal.plan)
    Release(5 rows, 2 classes, k = 2, verified)
    """

    columns: tuple[ColumnProposal, ...]
    hierarchies: Mapping[str, Hierarchy]
    builders: Mapping[str, Builder]
    rows: int
    k: int
    missing: tuple[str, ...]
    missingness: Missingness
    entity: str | None = None
    doubted: PersonNumber | None = None
    one_row_each: bool = False
    warnings: tuple[TokenWarning, ...] = ()
    levels: tuple[DraftLevels, ...] = ()
    numerals: Numerals = field(default_factory=Numerals)
    offers: tuple[Offer, ...] = ()
    same_information: tuple[SameInformation, ...] = ()
    source: Path | SQL | None = None
    reading: Mapping[str, str | int] = field(default_factory=dict)
    read_as: str = ""
    profiles: tuple[ColumnProfile, ...] = ()

    @property
    def roles(self) -> dict[str, str]:
        """The role of each column: identifier, quasi, sensitive or other."""
        return {made.name: made.role.value for made in self.columns}

    @property
    def reasons(self) -> dict[str, str]:
        """Why each column has its role; no cell of the table is told."""
        return {made.name: made.reason for made in self.columns}

    @property
    def drafts(self) -> list[str]:
        """The columns whose hierarchy has no groups until somebody joins values."""
        return [made.name for made in self.columns if made.draft]

    @cached_property
    def plan(self) -> Plan:
        """The plan, ready to run on the table: ``shoal.anonymize(table, proposal.plan)``."""
        return Plan.from_dict(tomllib.loads(self.to_toml()))

    def to_toml(self) -> str:
        """Write the plan in one text, with comments; its levels hold cells of the table.

        `write` puts hierarchies and levels into files of their own, which are easier to edit.
        """
        trees = {
            name: spec_of(self.builders[name], tree) for name, tree in self.hierarchies.items()
        }
        source = self.source.as_posix() if isinstance(self.source, Path) else None
        return PlanText(self, source, trees, apart=False).write()

    def write(self, plan_path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Write the plan, and its hierarchies and levels beside it, all of them or none.

        The plan itself holds no cell of the table, except texts that seem to mean "missing".

        Raises
        ------
        OutputError
            If one of the files is there already and ``overwrite`` is not set, or the disk
            refuses.
        """
        if not isinstance(plan_path, str | os.PathLike):
            raise ParameterError(
                f"A plan is written to a file, not to {a_type(plan_path)}.",
                'Name the file, such as "plan.toml".',
            )
        path = Path(plan_path)
        require_no_table(path, "A plan must be a TOML file.", f'Such as "{path.stem}.toml".')
        names = file_names(sorted(self.hierarchies))
        places = {column: f"{_FOLDER}/{name}" for column, name in names.items()}
        source = _relative(self.source, path.parent) if isinstance(self.source, Path) else None
        text = PlanText(self, source, places, apart=True).write()
        # The plan comes last, so that it never names a file that is not there.
        files: dict[str, Callable[[Path], object]] = {
            places[column]: tree.to_csv for column, tree in self.hierarchies.items()
        }
        files |= {made.file: partial(write_levels, levels=made.levels) for made in self.levels}
        write_plan = partial(Path.write_text, data=text, encoding="utf-8", newline="\n")
        place_files(path.parent, {**files, path.name: write_plan}, overwrite=overwrite)
        return path

    def __repr__(self) -> str:
        roles = Counter(self.roles.values())
        columns = ", ".join(f"{roles[role]} {role}" for role in Role if role in roles)
        return f"Proposal({columns}; k = {self.k})"

    def _repr_html_(self) -> str:
        """Show the proposal in a notebook: a row per column."""
        head = "<tr><th>column</th><th>role</th><th>why</th></tr>"
        rows = (
            f"<tr><td>{html.escape(made.name)}</td><td>{made.role}</td>"
            f"<td>{html.escape(made.reason)}</td></tr>"
            for made in self.columns
        )
        return f"<table>{head}{''.join(rows)}</table>"


def _relative(source: Path, folder: Path) -> str:
    """Write the path from the plan's folder to the table, with links of folders resolved."""
    place = source.parent.resolve() / source.name
    try:
        return Path(os.path.relpath(place, folder.resolve())).as_posix()
    except ValueError:  # another drive
        return place.as_posix()
