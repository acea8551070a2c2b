"""Two tables that share only a class id: quasi-identifiers in one, the sensitive value apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from shoal.base.plural import counted
from shoal.publications._linked import SENSITIVE_HELP, Linked
from shoal.publications.base import option, per_row

COUNTERFEITS_HELP = (
    "They keep everyone from an earlier release among the same values as before. A class has "
    "as many counterfeits as it has values beyond its rows; the release does not mark them."
)


@dataclass(frozen=True)
class TwoTable(Linked):
    """Publish quasi-identifiers and the sensitive value apart, so that their link is lost.

    Whoever finds a person in the first table learns the person's class, and in the second
    table the values of that class: which one belongs to the person is not said.

    Parameters
    ----------
    quasi_cells
        ``"exact"``: every cell as it is (a missing one as ``*``); ``"generalized"``: as
        `Generalized` publishes them.
    sensitive_cells
        ``"rows"``: one row per record; ``"counts"``: one per value of a class, with its count.
    bounds
        As in `Generalized`; only for ``quasi_cells="generalized"``.

    Examples
    --------
    >>> import numpy as np, polars as pl, shoal
    >>> from shoal.table import Table
    >>> frame = pl.DataFrame({"age": [20, 29, 40], "ill": ["flu", "HIV", "flu"]})
    >>> table = Table.encode(
    ...     frame, shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()}))
    >>> grouping = shoal.Grouping(np.zeros(3, dtype=np.int32))
    >>> made = TwoTable(sensitive_cells="counts").make(table, grouping, np.array([1])).published
    >>> made.frame.rows(), made.value_tables["ill"].frame.rows()
    ([('20', 1), ('29', 1), ('40', 1)], [(1, 'HIV', 1), (1, 'flu', 2)])

    References
    ----------
    Wong, Liu, Yin, Huang, Fu, Pei: (α, k)-anonymity based privacy preservation by lossy join,
    2007; published so by "(αᵢ, k)-anonymity by graded sensitivity".
    """

    sensitive_cells: Literal["rows", "counts"] = option("rows", SENSITIVE_HELP)

    name: ClassVar[str] = "two-table"
    files: ClassVar[tuple[str, ...]] = ("quasi", "sensitive")
    sensitive_columns: ClassVar[tuple[int, int | None]] = (1, 1)
    carries_counterfeits: ClassVar[bool] = True
    by_column: ClassVar[bool] = False
    class_column: ClassVar[str] = "class"

    @classmethod
    def sentences(cls, facts: Mapping[str, Any]) -> list[str]:
        return [
            "There are two tables. They share only the column "
            f"“{facts[cls.key()]['class_column']}”: an attacker who finds a person in the "
            "first learns the values of that person’s class from the second, but not which "
            "of them is the person’s."
        ]

    def added(self, facts: Mapping[str, Any]) -> str:
        """Say how many values nobody holds: anyone can count them."""
        counterfeits = facts.get(self.key(), {}).get("counterfeits", {})
        if not counterfeits:
            return ""
        values = sum(counterfeits.values())
        share = per_row(values / max(facts["rows"]["published"], 1))
        return (
            "Counterfeits, values that no person in the class holds, were added: "
            f"{counted(values, 'value')} in {counted(len(counterfeits), 'class')}, {share}. "
            f"{COUNTERFEITS_HELP}"
        )
