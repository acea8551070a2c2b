"""What (α, k)-GCA and (αᵢ, k)-GCA share: their options, and how classes grow from buckets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from shoal.arguments import one_of
from shoal.grouping import Grouping
from shoal.methods.base import Method, Progress
from shoal.methods.buckets._classes import bucket_classes
from shoal.methods.buckets._terms import Terms
from shoal.table import Table

__all__ = ["BucketMethod"]


@dataclass(frozen=True)
class BucketMethod(Method):
    """A method that takes records from buckets, in an order of its own, until a class is valid."""

    within: Literal["order", "nearest"] = "order"
    stop: Literal["exhausted", "paper"] = "exhausted"
    picks: Literal["random", "first"] = "first"
    seed: int | None = None

    publication: ClassVar[str] = "two-table"
    carries: ClassVar[frozenset[str] | None] = frozenset(
        {"k-anonymity", "alpha-k", "leveled-alpha-k"}
    )
    carries_bounds: ClassVar[bool] = True

    def validate(self) -> None:
        """Refuse unknown ways to choose records, and to stop."""
        super().validate()
        one_of("within", self.within, ("order", "nearest"))
        one_of("stop", self.stop, ("exhausted", "paper"))

    @property
    def which(self) -> str:
        """Which record of a bucket is taken, in words."""
        return "first" if self.within == "order" else "nearest"

    def until(self, found: str) -> str:
        """Add to a description how long classes are begun."""
        return f"{found}, while k values are left" if self.stop == "paper" else found

    def grow(
        self,
        table: Table,
        terms: Terms,
        rule: int,
        rng: np.random.Generator,
        progress: Progress | None,
    ) -> Grouping:
        """Grow classes by a rule of `shoal.kernels.buckets.classes`; place the rest."""
        return bucket_classes(
            table,
            terms,
            rule=rule,
            order=self.row_order(table.n_rows, rng),
            near=self.within == "nearest",
            stop=self.stop,
            progress=progress,
        )
