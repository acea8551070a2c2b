"""The contract of a form of publication: how groups are released."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar, Literal, Self, TypeAlias, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from shoal.base.arguments import Optioned, one_of
from shoal.errors import ParameterError
from shoal.io import file_names
from shoal.publications.groups.grouping import Grouping
from shoal.publications.published import Published
from shoal.publications.recoding import Recoded, generalize
from shoal.table import Table

BOUNDS_HELP = (
    "Where intervals end: at round numbers (the default), or at observed values, which are exact "
    "values of people."
)


Ids: TypeAlias = npt.NDArray[np.integer[Any]]
"""An id for each group."""


def option(default: Any, description: str) -> Any:
    """Declare an option of a form, with the sentence that the plan's JSON Schema says of it."""
    return field(default=default, metadata={"description": description})


def per_row(share: float | str) -> str:
    """Write how much was added, as a share of the rows that are published.

    >>> per_row(0.195), per_row("above 0")
    ('0.195 per published row', 'above 0 per published row')
    """
    return f"{share if isinstance(share, str) else format(share, '.3g')} per published row"


def fitting(size: int | None, counts: str) -> str:
    """Say what an attacker finds where rows of a class show the same cells.

    >>> fitting(5, "people")
    'finds at least 5 matching people, but not which of them is the person'
    """
    if size is None:
        return "finds a class of rows that look alike, which may be those of one person"
    if counts == "people":
        return f"finds at least {size} matching people, but not which of them is the person"
    return (
        f"finds at least {size} matching rows; if no person has two rows, these are {size} people"
    )


@dataclass(frozen=True, eq=False)
class Made:
    """What a form makes of groups: the published cells as codes, and the tables.

    Verification and every reader start from the tables alone (`Published.tables`), so they say
    which is the table of quasi-identifiers and which are tables of values.
    """

    recoded: Recoded
    published: Published


class Shown(TypedDict, total=False):
    """How cells are shown; `Publication.make` says what each means."""

    numbers: Literal["intervals", "tree"]
    suppressed: Collection[str]


class Publication(metaclass=Optioned):
    """How groups are released.

    Subclasses are frozen dataclasses whose constructors only store; their fields are the options
    under ``[publication]`` in a plan. They state facts about themselves:

    ``name``
        The spelling in plans. What a form says of its tables in ``release.json`` (`facts`)
        stands under this name.
    ``files``
        What its files are called, without their endings; ``*`` stands for a column's name.
    ``names_groups``
        Whether readers are told which rows form a group. Otherwise groups that show the same
        cells are one to them, and must hold as one.
    ``carries_padding``
        Whether it can publish groups to which a method added values.
    ``carries_counterfeits``
        Whether it can publish groups with counterfeits, so that nothing tells them from values
        that people hold.
    ``whole_counterfeits``
        Whether a counterfeit is a row of its own, with cells and value, because values stand
        beside the cells. Then it would need a cell in every other column, too.
    ``shows_counts``
        Whether readers can count how often a value occurs in a group. Counts would tell added
        values from the others.
    ``sensitive_columns``
        How many sensitive columns it takes, at least and at most (``None``: any number).
    ``centre``
        What numbers show, where cells are centres of their groups; ``None`` where they cover what
        their rows hold.
    ``cost_measure``, ``lost``
        Which measure says what a release costs, and of what it is a share.

    `shoal.plan.compatibility` judges from these facts which combinations can work.

    Every interface takes its sentences about a release from the form: `cells` (what becomes of
    quasi-identifiers), `company` (what rows of a class have in common), `finds` (what an attacker
    who knows the quasi-identifiers finds), `gaps` (what it leaves open whatever is required) and
    `added` (what is published that nobody holds). The defaults promise nothing: a form that
    protects more declares it. `shoal.publications.from_facts` makes a form again from the public
    facts, so every option that a sentence depends on is among its `facts`.
    """

    name: ClassVar[str]
    files: ClassVar[tuple[str, ...]]
    names_groups: ClassVar[bool] = False
    carries_padding: ClassVar[bool] = False
    carries_counterfeits: ClassVar[bool] = False
    whole_counterfeits: ClassVar[bool] = False
    sensitive_columns: ClassVar[tuple[int, int | None]] = (0, None)
    centre: Literal["mean", "median"] | None = None
    cost_measure: ClassVar[str] = "iloss_rate"
    bounds: Literal["rounded", "observed"] | None
    categories: Literal["nodes", "sets"] = "nodes"

    @property
    def exact(self) -> bool:
        """Whether quasi-identifiers are published as they are."""
        return False

    @property
    def lost(self) -> str:
        """Of what its cost is a share, such as "of the information"."""
        return "of the information"

    @property
    def cells(self) -> str:
        """What becomes of the cells of quasi-identifiers, as what follows "the cells are"."""
        return f"published in the form '{self.name}', which does not state how it protects them"

    @property
    def company(self) -> str:
        """What a row has in common with the others of its class, as a verb."""
        return "is in a class with"

    @property
    def gaps(self) -> tuple[str, ...]:
        """What the form leaves open, whatever is required, as what follows "this"."""
        return ("is not known to hide which row belongs to whom",)

    def finds(self, size: int | None, counts: str) -> str:
        """Say what an attacker who knows the quasi-identifiers of a person finds.

        Parameters
        ----------
        size
            How many rows or people a class has at least; ``None`` if nothing is required of it.
        counts
            What ``size`` counts: ``"rows"`` or ``"people"``.
        """
        return (
            "An attacker who knows these columns for a person may find the person's own row: "
            f"the form '{self.name}' does not state otherwise."
        )

    def added(self, facts: Mapping[str, Any]) -> str:
        """Say what is published that nobody holds, and its share; empty if nothing is.

        Parameters
        ----------
        facts
            The facts of a release, public or exact.
        """
        share = facts.get("noise_ratio")
        if not share:
            return ""
        return f"Some published values were added and belong to no person: {per_row(share)}."

    @property
    def unbounded(self) -> str | None:
        """Why no lower bound of the loss holds for it; ``None`` if one does.

        One holds where cells are the least ranges and the lowest nodes that cover their groups. A
        form that says nothing has none.
        """
        return f"the form '{self.name}' does not state that its cells are nodes and ranges"

    @property
    def keeps_levels(self) -> bool:
        """Whether cells stay at the level that a method chose for their column."""
        return True

    def validate(self) -> None:
        """Refuse options that make no sense (raises `ParameterError`)."""
        one_of("bounds", self.bounds, ("rounded", "observed"))

    def completed(self) -> Publication:
        """Fill in every option that was left open, so that a plan can be repeated."""
        return self

    @property
    def shows_counts(self) -> bool:
        """Whether readers can count how often a value occurs in a group."""
        return True

    def misfit(self, sensitive: int) -> str | None:
        """Say why a table with so many sensitive columns cannot be published so, if it cannot.

        Examples
        --------
        >>> from shoal.publications import TwoTable
        >>> TwoTable().misfit(2)
        "The form 'two-table' needs exactly one sensitive column, but there are 2."
        """
        least, most = self.sensitive_columns
        if sensitive >= least and (most is None or sensitive <= most):
            return None
        if (least, most, sensitive) == (1, None, 0):
            return f"The form '{self.name}' needs a sensitive column, but there is none."
        are = "is" if sensitive == 1 else "are"
        return f"The form '{self.name}' needs {self.columns_in_words}, but there {are} {sensitive}."

    @property
    def columns_in_words(self) -> str:
        """How many sensitive columns it takes, in words."""
        least, most = self.sensitive_columns
        if least == most:
            many = "exactly one" if least == 1 else f"exactly {least}"
        elif most is None:
            many = "at least one" if least == 1 else f"at least {least}"
        else:
            many = f"{least} to {most}"
        return f"{many} sensitive column{'s' * ((most or least) != 1)}"

    def require_publishable(self, table: Table, grouping: Grouping) -> None:
        """Refuse columns that do not fit, and added values that would be lost or stand out."""
        why = self.misfit(len(table.schema.sensitive))
        if why is not None:
            raise ParameterError(why, "Change roles, or publish one generalized table.")
        if grouping.counterfeits:
            if self.carries_counterfeits:
                return
            raise ParameterError(
                f"Groups hold counterfeits, which the form '{self.name}' cannot publish.",
                "Publish two tables, or one generalized table.",
            )
        if grouping.padding and not self.carries_padding:
            raise ParameterError(
                f"A method added values to groups, which the form '{self.name}' cannot publish.",
                'Publish as sensitive-groups, or let the method add none (micd: noise = "never").',
            )
        if grouping.padding and self.shows_counts:
            raise ParameterError(
                "Groups hold values that a method added, and counts would distinguish them "
                "from the others.",
                'Publish each value once: sensitive_cells = "values".',
            )

    def recode(self, table: Table, grouping: Grouping, **shown: Unpack[Shown]) -> Recoded:
        """Give each row the cells of its group; the arguments are those of `make`.

        Where groups are not named, those that show the same cells must hold as one, so this is
        asked for before tables are made.
        """
        bounds = self.bounds or "rounded"
        return generalize(table, grouping, bounds=bounds, categories=self.categories, **shown)

    @abstractmethod
    def make(self, table: Table, grouping: Grouping, ids: Ids, **shown: Unpack[Shown]) -> Made:
        """Make the published tables of a grouping.

        Parameters
        ----------
        ids
            An id for each group: a random order of the numbers from 1 on. Labels of a grouping
            follow the input and must not be published.
        numbers
            How the method's groups publish numbers (`shoal.methods.Method.numbers`).
        suppressed
            Columns that show ``*`` in every row.
        """

    @classmethod
    def key(cls) -> str:
        """Where ``release.json`` says how the tables are to be read."""
        return cls.name.replace("-", "_")

    def file_names(self, sensitive: Sequence[str]) -> dict[str | None, str]:
        """Name the file of the first table (``None``), and of each sensitive column's values."""
        first, *apart = self.files
        named = file_names(sensitive, "").items() if apart else ()
        return {None: first} | {column: apart[0].replace("*", name) for column, name in named}

    def facts(self, published: Published) -> dict[str, Any]:
        """Say in public how several tables are to be read: see `published.Layout`."""
        return {}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Self:
        """Make the form again, with the options that the facts of a release give."""
        given = facts.get(cls.key(), {})
        names = {each.name: each.name.removesuffix("_cells") for each in fields(cls)}  # type: ignore[arg-type]
        older = {name: given[short] for name, short in names.items() if short in given}
        return cls(**older | {name: given[name] for name in names if name in given})

    @classmethod
    def sentences(cls, facts: Mapping[str, Any]) -> list[str]:
        """Tell people, from the public facts alone, how the tables are to be read.

        What was added is told by `added`.
        """
        return []

    @property
    def roles(self) -> dict[str, str]:
        """What becomes of columns of a role; of others, what always does."""
        return {"quasi": self.cells}

    def to_spec(self) -> dict[str, Any]:
        """Write the form as a plan's table."""
        options = asdict(self)  # type: ignore[call-overload]
        return {"form": self.name, **{k: v for k, v in options.items() if v is not None}}
