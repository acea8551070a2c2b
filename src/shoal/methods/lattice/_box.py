"""Which levels a search may choose: of each column the lowest and the highest one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from shoal.base.limits import whole
from shoal.errors import ParameterError, did_you_mean
from shoal.methods.lattice._snapshots import Levels
from shoal.table import Table

LEVEL = whole(0, "0 shows original values.")


@dataclass(frozen=True)
class Box:
    """The levels that are allowed, by column; others are free.

    ``levels``: the one level that is allowed. ``minimum``, ``maximum``: the lowest and the highest
    one.
    """

    levels: Mapping[str, int] = field(default_factory=dict)
    minimum: Mapping[str, int] = field(default_factory=dict)
    maximum: Mapping[str, int] = field(default_factory=dict)

    @property
    def named(self) -> dict[str, Mapping[str, int]]:
        """The three, by name."""
        return {"levels": self.levels, "minimum": self.minimum, "maximum": self.maximum}

    def validate(self) -> None:
        """Refuse what are no levels, and levels that exclude each other (`ParameterError`)."""
        for name, given in self.named.items():
            if not isinstance(given, Mapping) or not all(isinstance(each, str) for each in given):
                raise ParameterError(
                    f"{name} must give a level per column.", 'Such as {"age": 1, "zip": 2}.'
                )
            for column, level in given.items():
                LEVEL.check(f"The level of '{column}' in {name}", level)
        for column in self.levels:
            if column in self.minimum or column in self.maximum:
                raise ParameterError(
                    f"levels fixes the level of '{column}', but a minimum or maximum is also "
                    "given.",
                    "Leave one of them out.",
                )
        for column, least in self.minimum.items():
            if least > self.maximum.get(column, least):
                raise ParameterError(
                    f"The minimum of '{column}' is above its maximum.",
                    "Lower the minimum or raise the maximum.",
                )

    def of(self, table: Table) -> tuple[Levels, Levels]:
        """Give the lowest and the highest level of each column of a table.

        A column that the policy for missing cells set aside has no level.

        Raises
        ------
        ParameterError
            If a column is no quasi-identifier, or has no such level.
        """
        heights = {column.name: column.hierarchy.height for column in table.trees}
        low, high = dict.fromkeys(heights, 0), dict(heights)
        for name, given in self.named.items():
            for column, level in given.items():
                if column in table.set_aside:
                    continue
                if column not in heights:
                    raise ParameterError(
                        f"'{column}' in {name} is not a quasi-identifier.",
                        did_you_mean(column, heights),
                    )
                if level > heights[column]:
                    raise ParameterError(
                        f"{name} names level {level} of column '{column}', which does not exist.",
                        f"The column's highest level, which shows *, is {heights[column]}.",
                    )
                if name != "maximum":
                    low[column] = level
                if name != "minimum":
                    high[column] = level
        return tuple(low.values()), tuple(high.values())
