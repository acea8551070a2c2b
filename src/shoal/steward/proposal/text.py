"""Write a proposed plan as TOML, with a comment on every decision."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import tomlkit
from tomlkit.items import InlineTable, Table
from tomlkit.toml_document import TOMLDocument

from shoal.base.plural import counted
from shoal.plan.about import AboutPlan
from shoal.plan.plan import UNANSWERED
from shoal.plan.sql import sql_input
from shoal.steward.proposal.generalizing import ColumnProposal
from shoal.steward.proposal.people import entity_question
from shoal.steward.proposal.rarity import WARNING, DraftLevels
from shoal.table.schema import NO_ENTITY, Role

if TYPE_CHECKING:
    from shoal.steward.proposal.result import Proposal

_BUILT = "2. The hierarchies, from the value to *. Group values by meaning, in a file or a tree."
_SEVERAL_ROWS = "Some people have several rows, so k counts people, not rows."
_WEIGHT = (
    "The weight of the column: with a larger one it stays finer, and the others become coarser."
)
_DRAFT = (
    "While the hierarchy has no groups, `shoal run` reports it. Remove this line if you want "
    "only the value or *."
)
_METHOD = (
    "Chooses a method that suits the table and refines its groups. `shoal methods` lists others."
)
_SEED = "A seed makes the release repeatable; keep it secret."
_BOUNDS = (
    'Ranges end at round numbers. With "observed" they end at values of people, which is narrower '
    "but reveals these values."
)
_MISSING = (
    'A missing cell is published as *. With "drop", rows that have one are left out; with '
    '"suppress-column", columns that have one are published as * in every row.'
)
_WIDTH = 88
_MANY = 8


@dataclass(frozen=True)
class PlanText:
    """What a proposed plan says; `write` gives its text."""

    proposal: Proposal
    source: str | None
    """Path of the table as the plan sees it; ``None`` if it is no file."""
    hierarchies: Mapping[str, str | Mapping[str, Any]]
    """The file of each column's hierarchy, or how it is built."""
    apart: bool
    """Whether hierarchies and levels are in files of their own."""

    @property
    def entity(self) -> str | None:
        """The column that tells people apart, if some have several rows."""
        return NO_ENTITY if self.proposal.one_row_each else self.proposal.entity

    @property
    def levels(self) -> dict[str, DraftLevels]:
        """The drafted levels of each sensitive column that has some."""
        return {made.column: made for made in self.proposal.levels}

    def write(self) -> str:
        """Write the plan."""
        made = tomlkit.document()
        self._head(made)
        made.add("version", tomlkit.item(1))
        self._entity(made)
        made.add("input", self._input())
        columns = tomlkit.table(is_super_table=True)
        for proposal in self.proposal.columns:
            columns.append(proposal.name, self._column(proposal))
        made.add("columns", columns)
        made.add("require", self._require())
        made.add("method", _table(("name", "auto"), _METHOD, _SEED, "seed = 7"))
        form = (("form", "generalized"), _BOUNDS, ("bounds", "rounded"), _MISSING)
        made.add("publication", _table(*form, ("missing", "keep")))
        made.add("output", _table(("path", "release"), ("format", "csv")))
        made.add("about", self._about())
        return tomlkit.dumps(made).rstrip("\n") + "\n"

    def _names(self, role: Role) -> list[str]:
        return [proposal.name for proposal in self.proposal.columns if proposal.role is role]

    def _head(self, made: TOMLDocument) -> None:
        table = "a table" if self.source is None else f"'{self.source}'"
        _say(
            made,
            f"A plan for {table} ({counted(self.proposal.rows, 'row')}, "
            f"{counted(len(self.proposal.columns), 'column')}), "
            "proposed by `shoal plan`. "
            + ("You can run it now, but a" if self.proposal.doubted is None else "A")
            + " program cannot know what an attacker knows about the people in the table. So "
            "check, in this order:",
        )
        _say(made, "1. The roles. A comment below each column gives the reason for its role.")
        for line in (
            "     identifier  is removed",
            "     quasi       is generalized, because an attacker may know it about a person",
            "     sensitive   keeps its values, but hides whose they are",
            "     other       is published unchanged, and nothing protects it",
        ):
            made.add(tomlkit.comment(line))
        if self.hierarchies:
            _say(
                made,
                _BUILT
                if not self.apart
                else "2. The hierarchies, in the folder hierarchies: one line per value, from the "
                "value to *. Group values by meaning. These files hold values of the table: "
                "keep them as safe as the table itself.",
                indent="   ",
            )
        place = 3 if self.hierarchies else 2
        if self.levels:
            place_of, these = (
                (", in the folder levels", "These files") if self.apart else ("", "They")
            )
            _say(
                made,
                f"{place}. The levels{place_of}: how sensitive each value is, from 1 (most) on, "
                f"drafted from how rare it is. {WARNING} {these} hold values of the table, too.",
                indent="   ",
            )
            place += 1
        doubts = self.proposal.numerals.doubts or self.proposal.doubted is not None
        if self.proposal.warnings or self.proposal.same_information or doubts:
            _say(
                made,
                f"{place}. The lines that begin with CHECK: only you can decide what is right.",
                indent="   ",
            )
            place += 1
        _say(made, f"{place}. k, under [[require]].")
        made.add(tomlkit.nl())
        if not self._names(Role.SENSITIVE):
            _say(
                made,
                "No column name suggests sensitive values, so none has this role. Give it to "
                "values that must not be traced to a person.",
            )
            made.add(tomlkit.nl())
        quasi = len(self._names(Role.QUASI))
        if quasi > _MANY:
            _say(
                made,
                f"{quasi} columns are quasi-identifiers. That is safe, but each one makes all "
                "others coarser: turn those that no reader needs into identifiers.",
            )
            made.add(tomlkit.nl())

    def _entity(self, made: TOMLDocument) -> None:
        if self.entity is not None:
            made.add(tomlkit.nl())
            named = self.entity in [proposal.name for proposal in self.proposal.columns]
            _say(made, _SEVERAL_ROWS if named else "Each person has one row, as specified.")
            made.add("entity", tomlkit.item(self.entity))
        elif self.proposal.doubted is not None:
            made.add(tomlkit.nl())
            _say(made, f"CHECK: {entity_question(self.proposal.doubted)}")
            made.add("entity", tomlkit.item(UNANSWERED))

    def _input(self) -> Table:
        made, sql = tomlkit.table(), sql_input(self.proposal.source)
        where = "The"
        if self.source:
            where = "The table, relative to this file, and the"
        elif sql:
            where = "The table, whose password must not be here (set PGPASSWORD), and the"
        _say(made, f"{where} texts that mean a missing value.")
        if self.source is not None:
            made.add("path", self.source)
        if sql is not None:
            made.add("sql", _inline(sql.model_dump(exclude_none=True)))
        for key, value in self.proposal.reading.items():
            made.add(key, value)
        for key, sign in self.proposal.numerals.lines.items():
            made.add(key, sign)
        if self.proposal.numerals.listed:
            made.add("numbers", list(self.proposal.numerals.listed))
        for doubt in self.proposal.numerals.doubts:
            _say(made, f"CHECK: {doubt}")
        made.add("missing", list(self.proposal.missing))
        made.add(tomlkit.nl())
        return made

    def _column(self, proposal: ColumnProposal) -> Table:
        made = tomlkit.table()
        _say(made, proposal.reason)
        for found in self.proposal.same_information:
            if found.columns[1] == proposal.name:
                _say(made, f"CHECK: {found.sentence}")
        made.add("role", proposal.role.value)
        if proposal.kind is not None:
            made.add("kind", proposal.kind.value)
        if proposal.date_format is not None:
            made.add("format", proposal.date_format)
        if (tree := self.hierarchies.get(proposal.name)) is not None:
            made.add("hierarchy", tree if isinstance(tree, str) else _inline(tree))
        if proposal.draft:
            if proposal.name == next(each.name for each in self.proposal.columns if each.draft):
                _say(made, _DRAFT)
            made.add("draft", True)
        if proposal.role is Role.QUASI:
            if proposal.name == self._names(Role.QUASI)[0]:
                _say(made, _WEIGHT)
            made.add("weight", 1.0)
        for offer in self.proposal.offers:
            if offer.column == proposal.name:
                _say(made, offer.reason)
                made.add(tomlkit.comment(offer.line))
        if proposal.missing:
            _say(
                made,
                "The last of these seem to mean missing. Remove those that are real values "
                "here (NA may be Namibia)"
                + (
                    "; then the column is categorical."
                    if proposal.kind == "numeric"
                    else ", and add it to the hierarchy."
                    if proposal.name in self.hierarchies
                    else "."
                ),
            )
            made.add("missing", [*self.proposal.missing, *proposal.missing])
        self._doubts(made, proposal)
        if proposal.name in self.levels:
            _say(made, f"A draft of levels, by rarity: 1 is the rarest. {WARNING}")
            draft = self.levels[proposal.name]
            made.add("levels", draft.file if self.apart else _inline(draft.levels))
        made.add(tomlkit.nl())
        return made

    def _doubts(self, made: Table, proposal: ColumnProposal) -> None:
        """Ask the reader what a text means, with the line to write if the guess is wrong."""
        for warning in self.proposal.warnings:
            if warning.column != proposal.name:
                continue
            also = f"{warning.also}, and " if warning.also else ""
            instead = "write instead" if proposal.missing else "write"
            _say(made, f"CHECK: {warning.problem} {warning.condition}, {also}{instead}:")
            made.add(tomlkit.comment(_plain(warning.line)))

    def _require(self) -> object:
        made = tomlkit.table()
        what = "rows" if self.entity in (None, NO_ENTITY) else "people"
        _say(
            made,
            f"Each row looks like those of a group of k {what}. A larger k protects more and "
            "shows less. It does not hide a sensitive value that a whole group shares.",
        )
        made.add("model", "k-anonymity")
        made.add("k", self.proposal.k)
        for draft in self.levels.values():
            made.add(tomlkit.nl())
            _say(
                made,
                f"To limit the share of each value of '{draft.column}' in a group by its "
                "level, check the levels, then remove the # from these lines. The shares, "
                "level 1 first, are possible for this table; smaller ones protect more.",
            )
            for line in (
                "[[require]]",
                'model = "leveled-alpha-k"',
                f"column = {tomlkit.item(draft.column).as_string()}",
                f"alphas = {list(draft.alphas)}",
                f"k = {self.proposal.k}",
            ):
                made.add(tomlkit.comment(_plain(line)))
        made.add(tomlkit.nl())
        several = tomlkit.aot()
        several.append(made)
        return several

    def _about(self) -> Table:
        made = tomlkit.table()
        _say(
            made,
            "What the release is, for people who decide about it: the title is at the top of "
            "both reports, the rest only in the private one. Remove the # and fill in.",
        )
        for key in AboutPlan.model_fields:
            made.add(tomlkit.comment(f'{key} = "…"'))
        return made


def _table(*lines: str | tuple[str, str]) -> Table:
    """Write comments, and keys with their values."""
    made = tomlkit.table()
    for line in lines:
        if isinstance(line, str):
            _say(made, line)
        else:
            made.add(*line)
    made.add(tomlkit.nl())
    return made


def _inline(table: Mapping[str, Any]) -> InlineTable:
    """Write a table in one line."""
    made = tomlkit.inline_table()
    for key, value in table.items():
        made.add(key, _inline(value) if isinstance(value, Mapping) else value)
    return made


def _say(place: TOMLDocument | Table, text: str, *, indent: str = "") -> None:
    """Add a comment; line ends and control characters of names would end it."""
    for line in textwrap.wrap(
        _plain(text),
        _WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    ):
        place.add(tomlkit.comment(line))


def _plain(text: str) -> str:
    return re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]", " ", text)
