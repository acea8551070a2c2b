"""Methods that only cut or merge: they cannot leave out single rows, so the surplus goes first."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from numpy.random import Generator

from shoal.methods.base import OwnMethod, Progress
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.publications.groups.share_limits import without_surplus
from shoal.table import Table


class TrimmingMethod(OwnMethod):
    """A method that holds any requirement on the rows less those of too frequent values."""

    carries: ClassVar[frozenset[str] | None] = None
    carries_missing: ClassVar[bool] = True

    def find_groups(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Leave out the rows of values that are too frequent, and group the others."""
        return without_surplus(
            table, require, lambda rest: self.group_rest(rest, require, rng, progress)
        )

    @abstractmethod
    def group_rest(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Group rows whose values are not too frequent."""
