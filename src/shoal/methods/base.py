"""The contract of a method: how groups are found."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
from numpy.random import Generator

from shoal.base.arguments import Optioned
from shoal.base.arrays import Ints
from shoal.base.limits import Limit, check_options, whole
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table

if TYPE_CHECKING:
    from shoal.improve import Refinement
    from shoal.improve.loss_bound import Bounding
    from shoal.methods._closeness import Closeness

USUAL_LIMIT = 0.05
"""The largest share of rows that may be suppressed, unless another one is given."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called with rows done and rows in all, often enough for a smooth bar and Ctrl-C."""


def unheard(done: int, rows: int) -> None:
    """Report progress to nobody."""


class Method(metaclass=Optioned):
    """How groups are found.

    Subclasses are frozen dataclasses whose constructors only store; `validate` refuses
    what makes no sense. They state facts about themselves:

    ``name``
        The spelling in plans and on the command line.
    ``limits``
        Which numbers its options may be (`shoal.base.limits`), besides those that all methods have;
        words and texts are declared by the types of fields.
    ``carries``
        The requirements it can hold, ``None`` for any; others are refused before any work.
    ``carries_bounds``
        Whether it also holds any requirement, whoever wrote it, that asks for nothing but a size
        and bounds on shares (`Requirement.complete`).
    ``carries_missing``
        Whether it groups rows with missing cells. Unless it says so, only a policy that leaves
        none will do.
    ``needs``
        What it groups by, and so must find: bounds on ``"shares"`` of sensitive values or numbers
        of different ``"values"`` among the requirements, ``"levels"`` there or in the schema;
        ``None`` if nothing.
    ``adds_values``
        Whether it may add values to groups that are short of them, where values of more than one
        column are asked for.
    ``picks``, ``seed``
        How it makes a paper's random choices: at random from the seed, or always the first. Only
        a method that draws has them as fields; another has no such options.
    ``weighing``, ``label``
        Where its weights of columns come from, and the column to predict that they speak of;
        ``None`` where they are the schema's.
    ``numbers``
        How its groups publish numbers: as minimal intervals, or as nodes of a tree. A method
        that leaves the choice has it as a field.
    ``one_level``
        Whether it chooses one level per column for the whole table, which not every form keeps.
    ``fixed``
        Why its groups may not be changed afterwards (see `shoal.Refinement`), such as "one level
        per column is its point"; ``None`` if they may.
    ``needs_rows``
        Why it cannot group people with all their rows as one (``linkage = "all-rows"``), such as
        "it groups by sensitive values"; ``None`` if it can.
    ``in_blocks``
        Whether a large table may be cut into blocks that it groups one by one, given the ranges of
        the whole table (see `shoal.engines.blocks`). Unless it says so, it sees every table whole.
    ``by_points``
        Whether it looks at nothing but different rows and how many there are of each: equal rows
        may be given once, with their number (`Table.multiplicity`), and get the same groups. So it
        groups tables that no machine holds, where it also chooses one level per column (see
        `shoal.spark`). Unless it says so, every row is given.
    ``has_closeness``
        Whether it can say which record is nearest to a class, whatever else decides which records
        a class may take: so it does if it writes `closeness`. Only such methods form classes that
        keep their values from release to release.
    ``counts_population``
        Whether it counts which people of a population fit its groups. Unless it says so,
        requirements about them are refused.
    ``publication``
        The form it is made for: ``"generalized"``, ``"two-table"`` or ``"sensitive-groups"``.
        A plan that names no form gets this one, so the contract checks publish so, too. Any
        other form can be named.

    `shoal.plan.compatibility` judges from these facts which combinations can work.
    """

    name: ClassVar[str]
    limits: ClassVar[Mapping[str, Limit]] = {
        "seed": whole(0, "Leave it out to let the operating system choose.")
    }
    picks: Literal["random", "first"] = "first"
    numbers: Literal["intervals", "tree"] = "intervals"
    publication: ClassVar[str] = "generalized"
    one_level: ClassVar[bool] = False
    in_blocks: ClassVar[bool] = False
    by_points: ClassVar[bool] = False
    counts_population: ClassVar[bool] = False
    carries: ClassVar[frozenset[str] | None]
    carries_bounds: ClassVar[bool] = False
    carries_missing: ClassVar[bool] = False
    needs: ClassVar[Literal["shares", "values", "levels"] | None] = None
    seed: int | None = None
    label: str | None = None

    @property
    def adds_values(self) -> bool:
        """Whether it may add values to groups that are short of them."""
        return False

    @property
    def fixed(self) -> str | None:
        """Why its groups may not be changed afterwards; ``None`` if they may."""
        return "it adds values to groups" if self.adds_values else None

    @property
    def needs_rows(self) -> str | None:
        """Why it cannot group people with all their rows as one; ``None`` if it can.

        Whoever puts one row per person into groups can: the other rows follow.
        """
        if self.one_level:
            return "every column has one level in all rows, so a person's rows differ"
        return None if self.needs is None else "it groups rows by their sensitive values"

    @property
    def weighing(self) -> str | Mapping[str, float] | None:
        """Where its weights of columns come from; ``None``: from the schema."""
        return None

    def suppressing(self, limit: float | None) -> Self:
        """Give the method with the limit of the publication, if its search needs one."""
        return self

    def suppressing_at_most(self, rows: int, table: Table) -> Self:
        """Give the method that suppresses at most so many rows, if its search needs a limit."""
        return self

    def one_group(self, table: Table, require: Sequence[Requirement]) -> Grouping | None:
        """Make all rows one group, in the form of its groups; ``None`` if its options forbid it.

        So a table is published that the method finds no groups in, though one group holds. Of
        those that count a population, each says who fits that group.
        """
        if table.population is not None:
            return None
        return Grouping(np.zeros(table.n_rows, dtype=np.int32))

    def refinement(self, table: Table, require: Sequence[Requirement]) -> Refinement | None:
        """Say how its groups are refined unless a plan says it; ``None``: not at all."""
        return None

    def bounding(self, table: Table, require: Sequence[Requirement]) -> Bounding | None:
        """Say how a lower bound is sought unless a plan says it; ``None``: not at all."""
        return None

    def closeness(self, table: Table, *, rng: Generator) -> Closeness | None:
        """Say which record is nearest to a class, and which begins one; ``None`` if it cannot."""
        return None

    @property
    def has_closeness(self) -> bool:
        """Whether it can say which record is nearest to a class."""
        return type(self).closeness is not Method.closeness

    @classmethod
    def draws(cls) -> bool:
        """Say whether it makes random choices: then, and only then, it takes a ``seed``."""
        return any(field.name == "seed" for field in fields(cls))  # type: ignore[arg-type]

    def validate(self) -> None:
        """Refuse options that make no sense (raises `ParameterError`)."""
        check_options(self)

    @abstractmethod
    def group(
        self,
        table: Table,
        require: Sequence[Requirement],
        *,
        rng: Generator,
        progress: Progress | None = None,
    ) -> Grouping:
        """Find groups that hold every requirement."""

    @abstractmethod
    def describe(self) -> str:
        """Say in words how groups are found."""

    def row_order(self, n: int, rng: Generator) -> Ints:
        """Put rows into a random order, or leave them as they are if it picks the first."""
        rows = np.arange(n)
        return rows if self.picks == "first" else rng.permutation(rows)

    def to_spec(self) -> dict[str, Any]:
        """Write the method as a plan's table."""
        options = asdict(self)  # type: ignore[call-overload]
        return {"name": self.name, **{k: v for k, v in options.items() if v is not None}}


class OwnMethod(Method):
    """A method of this package: it always can report how far it is."""

    def group(
        self,
        table: Table,
        require: Sequence[Requirement],
        *,
        rng: Generator,
        progress: Progress | None = None,
    ) -> Grouping:
        """Find groups that hold every requirement."""
        return self.find_groups(table, require, rng, progress or unheard)

    @abstractmethod
    def find_groups(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Find them; it need not ask whether anybody wants reports."""
