"""One table of coarse cells, with each row's own sensitive values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Unpack

import numpy as np

from shoal.base.arguments import one_of
from shoal.errors import ParameterError
from shoal.models import Histogram
from shoal.publications._counterfeits import with_counterfeits
from shoal.publications.base import (
    BOUNDS_HELP,
    Ids,
    Made,
    Publication,
    Shown,
    fitting,
    option,
    per_row,
)
from shoal.publications.groups.grouping import Grouping
from shoal.publications.published import Published
from shoal.publications.recoding import Recoded
from shoal.publications.recoding.generalized import CATEGORIES
from shoal.table import Table

CATEGORIES_HELP = (
    "One generalized table: categories as nodes of their trees (the default), or as sets of the "
    "values that a group holds, where these are fewer than those under the node."
)
COUNTERFEITS_HELP = (
    "They keep everyone from an earlier release among the same values as before. The release "
    "does not mark these rows."
)


@dataclass(frozen=True)
class Generalized(Publication):
    """Publish one table: a group shows the same coarse cells in each of its rows.

    Parameters
    ----------
    bounds
        Where ranges of numbers end: at round numbers (``"rounded"``), or at values of the
        group (``"observed"``), which are exact values of people.
    categories
        What categories show: the lowest ``"nodes"`` of their trees, or ``"sets"`` of the values
        that a group holds, where these are fewer than the leaves under the node. Sets lose less,
        and tell which values occur.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": [20, 29, 40], "ill": ["flu", "HIV", "flu"]})
    >>> table = Table.encode(
    ...     frame, shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()}))
    >>> made = Generalized().make(table, Grouping(np.zeros(3, dtype=np.int32)), np.array([1]))
    >>> made.published.frame["age"].to_list()
    ['[20, 40]', '[20, 40]', '[20, 40]']
    """

    bounds: Literal["rounded", "observed"] = option("rounded", BOUNDS_HELP)
    categories: Literal["nodes", "sets"] = option("nodes", CATEGORIES_HELP)

    name: ClassVar[str] = "generalized"
    files: ClassVar[tuple[str, ...]] = ("table",)
    carries_counterfeits: ClassVar[bool] = True
    whole_counterfeits: ClassVar[bool] = True
    cells = "generalized"
    company = "looks like"
    gaps = ()  # nothing beyond what the requirements leave open

    def finds(self, size: int | None, counts: str) -> str:
        return f"An attacker who knows these columns for a person {fitting(size, counts)}."

    def added(self, facts: Mapping[str, Any]) -> str:
        share = facts.get("noise_ratio")
        if not share:
            return ""
        return (
            f"Some rows are counterfeits, which belong to no person: {per_row(share)}. "
            f"{COUNTERFEITS_HELP}"
        )

    @property
    def unbounded(self) -> str | None:
        sets = "a set of values may lose less than the lowest node above them"
        return None if self.categories == "nodes" else sets

    @property
    def keeps_levels(self) -> bool:
        return self.categories == "nodes"

    @property
    def roles(self) -> dict[str, str]:
        return {"quasi": "generalized, because an attacker may know it"}

    def validate(self) -> None:
        super().validate()
        one_of("categories", self.categories, CATEGORIES)

    def make(self, table: Table, grouping: Grouping, ids: Ids, **shown: Unpack[Shown]) -> Made:
        self.require_publishable(table, grouping)
        recoded = self.recode(table, grouping, **shown)
        published = Published(recoded.coded(table))
        if not grouping.counterfeits:
            return Made(recoded, published)
        return _with_rows(table, grouping, recoded, published)

    def facts(self, published: Published) -> dict[str, Any]:
        made = {} if self.categories == "nodes" else {"categories": self.categories}
        return made | ({} if published.counterfeit_rows is None else {"counterfeits": True})

    @classmethod
    def sentences(cls, facts: Mapping[str, Any]) -> list[str]:
        if "categories" not in facts.get(cls.key(), {}):
            return []
        return [
            "A cell such as {a, b} is a set: someone in the class holds each of its values, "
            "and everyone in the class holds one of them. A backslash precedes a comma, a "
            "brace or a backslash that is part of a value."
        ]


def _with_rows(table: Table, grouping: Grouping, recoded: Recoded, published: Published) -> Made:
    """Add a row for each counterfeit, after those of people: the cells of its group, its value.

    Readers see rows of equal cells as one class, which shows the values of all of them.
    """
    ((name, added),) = grouping.padding.items()
    others = [each for each in table.schema.untouched if each != name]
    if others:
        raise ParameterError(
            f"Counterfeits have no value in column '{others[0]}', which would distinguish "
            "them from people.",
            "Leave the column out, or publish two tables.",
        )
    labels, n = grouping.labels[grouping.rows], len(grouping.rows)
    like = np.unique(labels, return_index=True)[1][added.group]
    rows = published.coded.take(np.append(np.arange(n), like))
    values = with_counterfeits(table, grouping, name, table.coded.cells(name)[recoded.rows])
    classes, column = recoded.classes, table.sensitive[name]
    shown = Histogram.count(
        np.append(classes, classes[like]),
        np.append(column.codes[recoded.rows], added.value),
        column.labels,
    )
    return Made(
        replace(recoded, groups=classes, shown={name: shown}),
        replace(
            published,
            table=rows.with_columns({name: values.alias(name)}),
            counterfeit_rows=np.arange(rows.height) >= n,
        ),
    )
