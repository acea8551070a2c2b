"""Requirements that compare the values of a group with those of all published rows."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import ClassVar, Self, TypeAlias

import numpy as np

from shoal.models._statistics import GroupStatistics, Histogram
from shoal.models.base import Outcome, Requirement
from shoal.models.exact.shares import Ints

__all__ = ["Compared", "Labels"]

Labels: TypeAlias = tuple[str | None, ...]


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
    _whole: ClassVar[tuple[Labels, Ints] | None] = None

    @property
    def judges_alone(self) -> bool:
        """Whether it was told what to compare groups with."""
        return self._whole is not None

    def against(self, whole: GroupStatistics | None) -> Self:
        """Judge groups against the values of these rows, or of all groups given (``None``)."""
        made: Self = replace(self)  # type: ignore[type-var]
        if whole is not None:
            _, found = whole.histogram(self.column)
            object.__setattr__(made, "_whole", (found.labels, found.totals))
        return made

    def aligned(self, found: Histogram) -> tuple[Labels, Ints, Ints]:
        """Give the values, how often each occurs in the whole, and the codes of the entries."""
        if self._whole is None:
            return found.labels, found.totals, found.value
        labels, totals = self._whole
        if found.labels == labels:
            return labels, totals, found.value
        known = {label: code for code, label in enumerate(labels)}
        codes = [known.setdefault(label, len(known)) for label in found.labels]
        totals = np.append(totals, np.zeros(len(known) - len(labels), dtype=np.int64))
        return tuple(known), totals, np.array(codes, dtype=np.int64)[found.value]

    @abstractmethod
    def judge(self, groups: GroupStatistics) -> Outcome:
        """Say which groups hold the requirement beside the whole."""

    def where(self) -> str:
        """Name the column in a sentence, where it is named."""
        return "" if self.column is None else f" of '{self.column}'"
