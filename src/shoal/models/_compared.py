"""Requirements that compare the values of a group with those of all published rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, Self, TypeAlias

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.models._statistics import GroupStatistics, Histogram
from shoal.models.base import Requirement
from shoal.models.exact.logarithms import whole_numbers
from shoal.models.exact.shares import exact

Labels: TypeAlias = tuple[str | None, ...]


class Beside(NamedTuple):
    """The shares of values in groups over their shares in the whole.

    Per value that a group shows and the whole has: its group, the ratio ``above`` / ``below`` of
    both shares, as whole numbers, and how often the whole has it (``counts``) of its ``rows``.
    ``holds`` marks the groups that show values, and only such as the whole has; it has so many
    ``values``.
    """

    holds: Bools
    group: Ints
    above: Any
    below: Any
    counts: Any
    rows: Any
    values: int


class Compared(Requirement):
    """A group is judged by its values and those of the whole, which is the published table.

    Two groups that hold it hold it together, if what they are compared with stays; not so where a
    person has rows in both.
    """

    column: str | None

    monotone: ClassVar[bool] = True
    monotone_in_people: ClassVar[bool] = False
    needs: ClassVar[frozenset[str]] = frozenset({"histograms"})
    relative: ClassVar[bool] = True
    _reference: ClassVar[tuple[Labels, Ints] | None] = None

    @property
    def most(self) -> Fraction:
        """The number that it limits, exactly."""
        (option,) = self.limits
        return exact(getattr(self, option)) or Fraction(0)

    def against(self, whole: GroupStatistics | None) -> Self:
        """Judge groups against the values of these rows, or of all groups given (``None``)."""
        if whole is None:
            return self._told(None)
        _, found = whole.histogram(self.column)
        return self._told((found.labels, found.totals))

    def aligned(self, found: Histogram) -> tuple[Labels, Ints, Ints]:
        """Give the values, how often each occurs in the whole, and the codes of the entries."""
        if self._reference is None:
            return found.labels, found.totals, found.value
        labels, totals = self._reference
        if found.labels == labels:
            return labels, totals, found.value
        known = {label: code for code, label in enumerate(labels)}
        codes = [known.setdefault(label, len(known)) for label in found.labels]
        totals = np.append(totals, np.zeros(len(known) - len(labels), dtype=np.int64))
        return tuple(known), totals, np.array(codes, dtype=np.int64)[found.value]

    def beside(self, groups: GroupStatistics) -> Beside:
        """Set the share of each value in each group beside its share in the whole."""
        _, found = groups.histogram(self.column)
        _, whole, value = self.aligned(found)
        held = found.held(len(groups.sizes))
        holds = held > 0  # a group that shows no value tells us nothing good
        known = whole[value] > 0
        holds[found.group[~known]] = False
        group = found.group[known]
        total = np.array([int(whole.sum())])
        counts, mine, all_, rows = whole_numbers(
            found.counts[known], held[group], whole[value[known]], total
        )
        return Beside(holds, group, counts * rows, all_ * mine, all_, rows, int((whole > 0).sum()))
