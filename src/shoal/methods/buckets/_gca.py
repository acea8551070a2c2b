"""What (α, k)-GCA and (αᵢ, k)-GCA share: their options, and how classes grow from buckets."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from shoal.base.arrays import Ints
from shoal.errors import ParameterError
from shoal.kernels.buckets.dealing import Deck, most_classes
from shoal.methods.base import OwnMethod, Progress, unheard
from shoal.methods.buckets._classes import bucket_classes
from shoal.methods.buckets._terms import Terms, terms_of
from shoal.models import Requirement
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.publications.groups.share_limits import without_surplus
from shoal.table import Table

TRIES = 20_000
"""Numbers of classes that are tried between two looks at the clock."""


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
    needs: ClassVar[Literal["shares", "values", "levels"] | None] = "shares"
    carries_missing: ClassVar[bool] = True

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


def require_one_record_each(table: Table) -> None:
    """Refuse people with several records: dealt to one class, they would make it too small."""
    if table.people is not None and len(np.unique(table.people)) < table.n_rows:
        raise ParameterError(
            "spend = 'even' deals out records, but some people have several.",
            "Use spend = 'greedy', which counts people, or keep one record per person.",
        )


def deal(table: Table, terms: Terms, order: Ints, progress: Progress = unheard) -> Grouping:
    """Deal all records to as many classes as k and the shares allow.

    ``order``: all rows in the order in which they count as earlier or later.
    """
    n = table.n_rows
    cards = _sorted(terms, order)
    deck = _deck(terms, cards)
    classes, top = 0, n // max(terms.k, 1)
    while top > 0 and not classes:
        classes = most_classes(deck, n, top, max(top - TRIES, 1))
        top -= TRIES + 1
        progress(0, n)
    labels = np.full(n, SUPPRESSED, dtype=np.int32)
    if classes:
        labels[cards] = np.arange(n) % classes
    progress(n, n)
    return Grouping(labels)


def _sorted(terms: Terms, order: Ints) -> Ints:
    """Sort rows by level, then by value: the frequent first, then the earliest."""
    value = terms.codes[order]
    _, first, code, count = np.unique(
        value, return_index=True, return_inverse=True, return_counts=True
    )
    level = np.zeros(len(value)) if terms.level is None else terms.level[value]
    return order[np.lexsort((first[code], -count[code], level))]


def _deck(terms: Terms, cards: Ints) -> Deck:
    """Find the runs of every term that is bounded."""
    runs: list[list[tuple[int, int]]] = [[] for _ in terms.shares]
    for column in range(terms.terms.shape[1]):
        held = terms.terms[terms.codes[cards], column]
        begins = np.flatnonzero(np.diff(held, prepend=-1))
        sizes = np.diff(begins, append=len(held))
        for term, begin, size in zip(
            held[begins].tolist(), begins.tolist(), sizes.tolist(), strict=True
        ):
            runs[term].append((begin, size))
    bounded = [t for t, share in enumerate(terms.shares) if share < 1 and runs[t]]
    flat = [run for t in bounded for run in runs[t]]
    return Deck(
        first=np.cumsum([0, *(len(runs[t]) for t in bounded)]),
        place=np.array([begin for begin, _ in flat], dtype=np.int64),
        size=np.array([size for _, size in flat], dtype=np.int64),
        above=np.array([terms.shares[t].numerator for t in bounded], dtype=np.int64),
        below=np.array([terms.shares[t].denominator for t in bounded], dtype=np.int64),
    )
