"""Methods that only cut or merge: they cannot leave out single rows, so the surplus goes first."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from numpy.random import Generator

from shoal.methods.base import Method, Progress, unheard
from shoal.models import Requirement
from shoal.publications.groups.grouping import Grouping
from shoal.publications.groups.share_limits import without_surplus
from shoal.table import Table


class TrimmingMethod(Method):
    """A method that holds any requirement on the rows less those of too frequent values."""

    carries: ClassVar[frozenset[str] | None] = None
    carries_missing: ClassVar[bool] = True

    def group(
        self,
        table: Table,
        require: Sequence[Requirement],
        *,
        rng: Generator,
        progress: Progress | None = None,
    ) -> Grouping:
        """Leave out the rows of values that are too frequent, and group the others."""

        def rest(part: Table) -> Grouping:
            return self.group_rest(part, require, rng, progress or unheard)

        return without_surplus(table, require, rest)

    @abstractmethod
    def group_rest(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Group rows whose values are not too frequent."""
