"""What (α, k)-GCA and (αᵢ, k)-GCA share: their options, and how classes grow from buckets."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Literal

from numpy.random import Generator

from shoal.errors import ParameterError
from shoal.methods.base import OwnMethod, Progress
from shoal.methods.buckets._classes import bucket_classes
from shoal.methods.buckets._even import deal, require_one_record_each
from shoal.methods.buckets._terms import Terms, terms_of
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.publications.groups.share_limits import without_surplus
from shoal.table import Table


@dataclass(frozen=True)
class BucketMethod(OwnMethod):
    """A method that takes records from buckets, in an order of its own, until a class is valid."""

    within: Literal["order", "nearest"] = "order"
    stop: Literal["exhausted", "paper"] = "exhausted"
    picks: Literal["random", "first"] = "first"
    seed: int | None = None
    spend: Literal["greedy", "even"] = "greedy"

    publication: ClassVar[str] = "two-table"
    carries: ClassVar[frozenset[str] | None] = frozenset(
        {"k-anonymity", "alpha-k", "leveled-alpha-k"}
    )
    carries_bounds: ClassVar[bool] = True
    carries_missing: ClassVar[bool] = True
    needs: ClassVar[Literal["shares", "values", "levels"] | None] = "shares"

    def validate(self) -> None:
        """Refuse options that dealing ignores, too."""
        super().validate()
        for each in fields(self) if self.spend == "even" else ():
            used = each.name in ("picks", "seed", "spend")
            if not used and getattr(self, each.name) != each.default:
                raise ParameterError(
                    f"{each.name} sets how a class chooses its records, but spend = 'even' deals "
                    "them out.",
                    f"Leave {each.name} out, or use spend = 'greedy'.",
                )

    @property
    def which(self) -> str:
        """Which record of a bucket is taken, in words."""
        return "first" if self.within == "order" else "nearest"

    def described(self, found: str) -> str:
        """Add to a description how long classes are begun, or that records are dealt."""
        if self.spend == "even":
            return f"{found.split(':')[0]}, even: records dealt to classes like cards"
        return f"{found}, while k values are left" if self.stop == "paper" else found

    @property
    @abstractmethod
    def rule(self) -> int:
        """Whose turn it is: a rule of `shoal.kernels.buckets.classes`."""

    @property
    def from_record(self) -> bool:
        """Whether left-over records go far from their own level, not from the first."""
        return False

    def find_groups(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Grow classes and place the left-over records, or deal."""
        if self.spend == "even":
            require_one_record_each(table)
            return without_surplus(
                table,
                require,
                lambda part: deal(
                    part, self._terms(part, require), self.row_order(part.n_rows, rng), progress
                ),
            )
        return bucket_classes(
            table,
            self._terms(table, require),
            rule=self.rule,
            order=self.row_order(table.n_rows, rng),
            near=self.within == "nearest",
            stop=self.stop,
            from_record=self.from_record,
            progress=progress,
        )

    def _terms(self, table: Table, require: Sequence[Requirement]) -> Terms:
        return terms_of(table, require, leveled=self.needs == "levels", method=self.name)
