"""The contract of a form of publication: how groups are released."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from shoal.arguments import Optioned, one_of
from shoal.errors import ParameterError
from shoal.grouping import Grouping
from shoal.models import Requirement
from shoal.published import Published
from shoal.recode import Recoded, generalize
from shoal.schema import Schema
from shoal.table import Table

__all__ = ["BOUNDS_TOLD", "Made", "Publication", "option"]

BOUNDS_TOLD = (
    "Where intervals end: at round numbers (the default), or at observed values, which are exact "
    "values of people."
)


def option(default: Any, description: str) -> Any:
    """Declare an option of a form, with the sentence that the plan's JSON Schema says of it."""
    return field(default=default, metadata={"description": description})


@dataclass(frozen=True, eq=False)
class Made:
    """What a form makes of groups: the published cells as codes, and the tables.

    Verification and every reader start from the tables alone (`Published.tables`), so they say
    which is the table of quasi-identifiers and which are tables of values.
    """

    recoded: Recoded
    published: Published


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
    ``centre``
        What numbers show, where cells are centres of their groups; ``None`` where they cover what
        their rows hold.
    """

    name: ClassVar[str]
    files: ClassVar[tuple[str, ...]]
    names_groups: ClassVar[bool] = False
    carries_padding: ClassVar[bool] = False
    centre: Literal["mean", "median"] | None = None
    bounds: Literal["rounded", "observed"] | None

    @property
    def exact(self) -> bool:
        """Whether quasi-identifiers are published as they are."""
        return False

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

    def require_fitting(self, schema: Schema, require: Sequence[Requirement] = ()) -> None:
        """Refuse, before any work, columns and requirements that the form cannot carry."""

    def require_no_lost_padding(self, grouping: Grouping) -> None:
        """Refuse groups with added values, where the form cannot publish these."""
        if grouping.padding and not self.carries_padding:
            raise ParameterError(
                f"A method added values to groups, which the form '{self.name}' cannot publish.",
                'Publish as sensitive-groups, or let the method add none (micd: noise = "never").',
            )

    def recode(
        self,
        table: Table,
        grouping: Grouping,
        *,
        numbers: Literal["intervals", "tree"] = "intervals",
        suppressed: Collection[str] = (),
    ) -> Recoded:
        """Give each row the cells of its group; the arguments are those of `make`.

        Where groups are not named, those that show the same cells must hold as one, so this is
        asked for before tables are made.
        """
        return generalize(
            table,
            grouping,
            bounds=self.bounds or "rounded",
            numbers=numbers,
            suppressed=suppressed,
        )

    @abstractmethod
    def make(
        self,
        table: Table,
        grouping: Grouping,
        ids: npt.NDArray[np.integer[Any]],
        *,
        numbers: Literal["intervals", "tree"] = "intervals",
        suppressed: Collection[str] = (),
    ) -> Made:
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

    @abstractmethod
    def file_names(self, sensitive: Sequence[str]) -> dict[str | None, str]:
        """Name the file of the first table (``None``), and of each sensitive column's values."""

    def facts(self, published: Published) -> dict[str, Any]:
        """Say in public how several tables are to be read: see `shoal.published.Layout`."""
        return {}

    @classmethod
    def told(cls, facts: Mapping[str, Any]) -> list[str]:
        """Tell people, from the public facts alone, how the tables are to be read."""
        return []

    @classmethod
    def roles_told(cls, facts: Mapping[str, Any]) -> dict[str, str]:
        """Say what became of columns of a role, where the form does more than generalize."""
        return {}

    def to_spec(self) -> dict[str, Any]:
        """Write the form as a plan's table."""
        options = asdict(self)  # type: ignore[call-overload]
        return {"form": self.name, **{k: v for k, v in options.items() if v is not None}}
