"""Personalised k-anonymity: everyone says among how many to be hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Self

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.base.plural import counted
from shoal.errors import InputError
from shoal.models._cases import HandCase, written
from shoal.models._private import Private
from shoal.models._statistics import GroupStatistics, Histogram
from shoal.models.base import Outcome
from shoal.models.k_anonymity import GROUP_SIZE, KAnonymity
from shoal.table.hierarchies.values import as_number

UNREAD = 0
"""Marks a cell that holds no wish."""

MOST = 2**62
"""Larger wishes count as this one: no table has more rows."""


@dataclass(frozen=True)
class PersonalK(Private):
    """Every group has as many people as each of its members wants to be hidden among.

    For people with different wishes: one k for all would be the largest of them, and generalize all
    rows for the sake of a few. `KAnonymity` requires the same of every group.

    Parameters
    ----------
    column
        The column of the input with the number of people among whom each person wants to be hidden,
        themselves included: a whole number, 1 or more. It has the role identifier, so it is not
        published.
    k
        The least size of every group, 2 or more, whatever is wished for.

    Notes
    -----
    An empty cell asks for k. Where the schema names an entity column, people are counted, and a
    person's largest wish counts in all their rows. The union of two groups that hold it holds it; a
    row that joins may ask for more.

    Examples
    --------
    >>> groups = written(private={"wanted": ["2 4 *", "* 3 2", "2"]})
    >>> PersonalK("wanted").judge(groups).holds.tolist()
    [False, True, False]

    References
    ----------
    Gedik, Liu: Protecting location privacy with personalized k-anonymity: architecture and
    algorithms, IEEE Transactions on Mobile Computing 7 (1), 2008.
    """

    column: str
    k: int = 2

    name: ClassVar[str] = "personal-k"
    limits: ClassVar = {"k": GROUP_SIZE}
    monotone: ClassVar[bool] = True

    @property
    def private_columns(self) -> tuple[str, ...]:  # type: ignore[override]
        """The column of wishes."""
        return (self.column,)

    @property
    def least_size(self) -> int:
        """The least size of a group: k."""
        return self.k

    @classmethod
    def example(cls) -> Self:
        return cls("wanted")

    @classmethod
    def private_examples(cls) -> dict[str, tuple[str | None, ...]]:
        """Give wishes of up to 3."""
        return {"wanted": (None, "2", "3", "1")}

    @classmethod
    def cases(cls) -> list[HandCase]:
        """Ask for the size, for what members wish, and for people where they are told apart."""
        wishes = written(private={"wanted": ["1 1", "2 3", "3 2 1", "* *", "*", "1 4 * *"]})
        three = written(private={"wanted": ["* *", "* 1 2", "1 2 4", "4 4 4 4"]})
        people = written(
            private={"wanted": ["2 2 2", "2 2 3", "2 2 *"]},
            people=["ann ann ann", "ann ann bob", "ann bob bob"],
        )
        return [
            HandCase(cls("wanted"), wishes, [True, False, True, True, False, True]),
            HandCase(cls("wanted", 3), three, [False, True, False, True]),
            HandCase(cls("wanted"), people, [False, False, True]),
        ]

    def validate(self) -> None:
        """Refuse a k below 2, and a column that is not named."""
        super().validate()
        self.require_columns()

    def ranks(self, name: str, labels: Sequence[str | None], cells: Ints) -> Ints:
        """Read wishes: of a person with several rows the largest counts."""
        wishes = _wishes(tuple(labels))
        unread = int(cells[wishes == UNREAD].sum())
        if unread:
            raise InputError(
                f"Column '{name}' says among how many people each person wants to be hidden, "
                f"but {counted(unread, 'cell is', 'cells are')} not a whole number of at "
                "least 1.",
                "Write such a number, or leave the cell empty for the smallest k.",
            )
        return wishes

    def _read(self, groups: GroupStatistics) -> tuple[Histogram, Ints]:
        found = groups.private_histogram(self.column)
        return found, self.ranks(self.column, found.labels, found.totals)

    def judge(self, groups: GroupStatistics) -> Outcome:
        """Compare each group's people (or rows) with k, and with the largest wish in it."""
        found, wishes = self._read(groups)
        largest = np.full(len(groups.sizes), self.k, dtype=np.int64)
        np.maximum.at(largest, found.group, wishes[found.value])
        counts = groups.counts
        return Outcome(counts >= largest, {"k": int(counts.min()) if counts.size else 0})

    def describe(self) -> str:
        return (
            f"personalised k-anonymity (every group holds at least {self.k}, and as many as "
            "each member wants)"
        )

    def require_fitting(self, whole: GroupStatistics) -> None:
        """Refuse wishes that are no numbers."""
        self._read(whole)

    def impossible(self, whole: GroupStatistics) -> dict[str, Bools]:
        """Mark the wishes that the table cannot meet once larger ones are gone."""
        return {self.column: self._read(whole)[1] > self._met(whole)}

    def least_suppression(self, whole: GroupStatistics) -> int | None:
        """Count the rows that ask for more people than there are; of people, at least so many."""
        (found, wishes), most = self._read(whole), self._met(whole)
        if most < self.k:
            return None
        return int(found.totals[wishes > most].sum())

    def _met(self, whole: GroupStatistics) -> int:
        """Find the largest wish that can be met; 0 if even k cannot."""
        (found, wishes), people = self._read(whole), int(whole.counts.sum())
        wishes = np.maximum(wishes, self.k)
        held = found.totals > 0
        wanted, at = np.unique(wishes[held], return_inverse=True)
        holders = np.bincount(at, found.totals[held]).astype(np.int64)
        # A person who loses a row may have others: then nobody need be gone.
        gone = holders.sum() - np.cumsum(holders) if whole.people is None else 0
        return int(wanted[wanted <= people - gone].max(initial=0))

    def nearest_feasible(self, whole: GroupStatistics) -> str:
        """Say how many ask for more than there are, without saying what they ask for."""
        (found, wishes), people = self._read(whole), int(whole.counts.sum())
        if people < self.k:
            return KAnonymity(self.k).nearest_feasible(whole)
        beyond = int(found.totals[wishes > people].sum())
        return (
            f"The table has {people} {whole.noun}, but {beyond} of them want more in "
            f"'{self.column}': lower these wishes, or leave those rows out."
        )


@lru_cache(maxsize=64)
def _wishes(labels: tuple[str | None, ...]) -> Ints:
    """Read texts as wishes; an empty cell is 1, and one that cannot be read 0."""
    read = [1 if label is None else as_number(label) for label in labels]
    whole = [number if number is not None and number == int(number) else 0 for number in read]
    made = np.array([min(max(int(number), 0), MOST) for number in whole], dtype=np.int64)
    made.flags.writeable = False
    return made
