"""One table in which one record stands for all of its group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Unpack

from shoal.base.arguments import one_of
from shoal.publications.base import Ids, Made, Publication, Shown, option
from shoal.publications.groups.grouping import Grouping
from shoal.publications.published import Published
from shoal.publications.recoding import Recoded, represent
from shoal.table import Table

CENTRE_HELP = (
    "Microaggregated: what numbers show of their group, the mean (the default) or the median; both "
    "rounded to the column's decimals."
)


@dataclass(frozen=True)
class Microaggregated(Publication):
    """Publish one table: a group shows one record, its centre, in each of its rows.

    Numbers stay numbers, which readers can compute with; means of groups add up to the mean of
    the table, but for rounding. Choose `Generalized` where every cell must be true of its row: a
    centre need not be anyone's value, and tells nothing of how far a group spreads.

    Parameters
    ----------
    centre
        What numbers show: the ``"mean"`` of the group, or the ``"median"``, rounded to the
        decimals of the column. Categories show the medoid: the value of the group from which
        the paths in the tree to all its values are shortest.

    Notes
    -----
    A group in which a cell is missing shows ``*`` in that column. An attacker who knows all others
    of a group
    can work the last one's number out of a mean, up to the rounding; a median of an odd number,
    and a medoid, are values of someone. `shoal.measures.sse` says what is lost.

    Examples
    --------
    >>> import numpy as np, polars as pl, shoal
    >>> frame = pl.DataFrame({"age": [20, 29, 40], "ill": ["flu", "HIV", "flu"]})
    >>> table = Table.encode(
    ...     frame, shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()}))
    >>> grouping = Grouping(np.zeros(3, dtype=np.int32))
    >>> for centre in ("mean", "median"):
    ...     made = Microaggregated(centre).make(table, grouping, np.array([1]))
    ...     print(made.published.frame["age"].to_list())
    ['30', '30', '30']
    ['29', '29', '29']

    References
    ----------
    Domingo-Ferrer, Torra: Ordinal, continuous and heterogeneous k-anonymity through
    microaggregation. Data Mining and Knowledge Discovery 11(2), 2005, 195–212.
    """

    centre: Literal["mean", "median"] = option("mean", CENTRE_HELP)

    name: ClassVar[str] = "microaggregated"
    files: ClassVar[tuple[str, ...]] = ("table",)
    cost_measure: ClassVar[str] = "sse"
    lost = "of the variance"
    bounds = None
    cells = "centres of their classes, not the values of each person"
    company = "looks like"
    unbounded = "cells are centres of their groups and cover no range"

    @property
    def gaps(self) -> tuple[str, ...]:
        if self.centre == "median":
            return ("shows the exact number of one person where a class has an odd number of rows",)
        return ("reveals a number to an attacker who knows the numbers of all others in its class",)

    def finds(self, size: int | None, counts: str) -> str:
        of = "a whole class" if size is None else f"at least {size} {counts}"
        return (
            "An attacker who knows these columns for a person finds records that each stand "
            f"for {of} and need not match the person's values."
        )

    def validate(self) -> None:
        one_of("centre", self.centre, ("mean", "median"))

    def recode(self, table: Table, grouping: Grouping, **shown: Unpack[Shown]) -> Recoded:
        """Give each row the centre of its group; trees of numbers play no part."""
        hidden = shown.get("suppressed", ())
        return represent(table, grouping, centre=self.centre, suppressed=hidden)

    def make(self, table: Table, grouping: Grouping, ids: Ids, **shown: Unpack[Shown]) -> Made:
        self.require_publishable(table, grouping)
        recoded = self.recode(table, grouping, **shown)
        return Made(recoded, Published(recoded.coded(table), centres=self.centre))

    def facts(self, published: Published) -> dict[str, Any]:
        return {"centre": self.centre}

    @classmethod
    def sentences(cls, facts: Mapping[str, Any]) -> list[str]:
        centre = facts[cls.key()]["centre"]
        sentences = [
            f"Each class shows one record that stands for all its rows: the {centre} of a "
            "number, rounded to the decimals of its column, or the category nearest to all "
            "others in the class. So a cell is neither the value of each person nor a range "
            "that covers it."
        ]
        if centre == "median":
            sentences.append(
                "The median of an odd number of rows is the exact number of one of them."
            )
        return sentences

    @property
    def roles(self) -> dict[str, str]:
        return {"quasi": "replaced by the centre of its class, because an attacker may know it"}
