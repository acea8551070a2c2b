"""A table of quasi-identifiers and one per sensitive column, which share only a group id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from shoal.publications._linked import SENSITIVE_HELP, Linked
from shoal.publications.base import option, per_row


@dataclass(frozen=True)
class SensitiveGroups(Linked):
    """Publish quasi-identifiers, and each sensitive column in a table of its own.

    Neither is it said which value of its group belongs to a row, nor which values of two
    columns belong together. Values that a method added are among the others, unmarked.

    Parameters
    ----------
    sensitive_cells
        ``"values"``: the different values of a group, each once; ``"rows"`` and
        ``"counts"`` as in `TwoTable`. With added values only ``"values"`` will do: counts
        would show that a value held twice is no added one, and how many are.
    quasi_cells, bounds
        As in `TwoTable`.

    Examples
    --------
    >>> import numpy as np, polars as pl, shoal
    >>> from shoal.publications.groups.grouping import Grouping, Padding
    >>> from shoal.table import Table
    >>> frame = pl.DataFrame({"age": [20, 29, 40, 41], "ill": ["flu", "flu", "HIV", "flu"],
    ...                       "pay": ["low", "high", "low", "high"]})
    >>> table = Table.encode(frame, shoal.Schema(
    ...     {"age": shoal.quasi(), "ill": shoal.sensitive(), "pay": shoal.sensitive()}))
    >>> added = {"ill": Padding(np.array([0]), np.array([0]))}  # HIV, to those who are 20 and 29
    >>> grouping = Grouping(np.array([0, 0, 1, 1], dtype=np.int32), added)
    >>> made = SensitiveGroups().make(table, grouping, np.array([2, 1]))
    >>> made.published.value_tables["ill"].frame.rows()
    [(1, 'HIV'), (1, 'flu'), (2, 'HIV'), (2, 'flu')]

    References
    ----------
    Ye, Liu, Wang: Decomposition, DASFAA 2009; published so by Zhang et al. (2014).
    """

    sensitive_cells: Literal["values", "rows", "counts"] = option("values", SENSITIVE_HELP)

    name: ClassVar[str] = "sensitive-groups"
    files: ClassVar[tuple[str, ...]] = ("quasi", "sensitive-*")
    carries_padding: ClassVar[bool] = True
    sensitive_columns: ClassVar[tuple[int, int | None]] = (1, None)
    by_column: ClassVar[bool] = True
    class_column: ClassVar[str] = "group"
    cells_allowed: ClassVar[Sequence[str]] = ("values", "rows", "counts")

    @classmethod
    def sentences(cls, facts: Mapping[str, Any]) -> list[str]:
        return [
            "There is one table of quasi-identifiers and one for each sensitive column. They "
            f"share only the column “{facts[cls.key()]['class_column']}”: an attacker who "
            "finds a person in the first learns the values of that person’s class from the "
            "others, but neither which of them are the person’s nor which belong together."
        ]

    def added(self, facts: Mapping[str, Any]) -> str:
        share = facts.get("noise_ratio")
        if not share:
            return ""
        return (
            f"False values were added: {per_row(share)} (noise ratio). No person in the class "
            "holds them; they give a class enough distinct values, and are not marked."
        )
