"""Classes that show each value once, and to everyone the values that they stood among before.

The algorithm of Xiao and Tao (2007), with a method's own closeness in place of their split:

1. Divide: records whose signature is known, the values that they stood among, make a bucket each.
2. Balance: a bucket needs equally many records of each value of its signature. New records fill the
   holes, as many as can be while the others can still be dealt (see `models.exact.eligible`);
   counterfeits fill the rest.
3. Assign: other new records make classes of at least m different values. One whose signature a
   bucket has joins that bucket.
4. Split: a bucket is cut into classes that take one record of each value, each time the nearest.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Ints
from shoal.methods._closeness import Closeness, NearestRecords
from shoal.methods.base import Progress
from shoal.models.exact.eligible import dealt, must_take
from shoal.publications.groups.grouping import SUPPRESSED, Grouping, Padding
from shoal.table import Table

ROWS_PER_DEALT = 8
"""Rows are gone through until one in so many of them is dealt; then these are left out."""

NEW = -1
"""The signature of a record that no release showed."""


@dataclass(frozen=True, eq=False)
class Signatures:
    """Among which values earlier releases showed each record.

    ``of_row``: the number of each row's signature; `NEW` where no release showed it. ``values``:
    the texts of each signature; ``None`` is the missing value.
    """

    of_row: Ints
    values: Sequence[Collection[str | None]]

    @classmethod
    def none(cls, rows: int) -> Signatures:
        """Say that all rows are new: there is no earlier release."""
        return cls(np.full(rows, NEW, dtype=np.int64), ())

    @property
    def labels(self) -> set[str | None]:
        """All values of all signatures."""
        return {label for each in self.values for label in each}

    def take(self, rows: npt.NDArray[np.intp]) -> Signatures:
        """Take some of the rows."""
        return Signatures(self.of_row[rows], self.values)


@dataclass(eq=False)
class _Bucket:
    """The records of a signature; ``layers`` is how many classes they will be."""

    signature: Ints
    rows: Ints
    layers: int


def group_invariant(
    table: Table,
    column: str,
    m: int,
    how: Closeness,
    *,
    known: Signatures,
    progress: Progress | None = None,
) -> Grouping:
    """Find classes of m values or more, each once, that keep everyone's signature.

    A record whose value is no longer in its signature, and a new one for which there are not enough
    others, is suppressed.

    - ``column``: the sensitive column.
    - ``how``: what is near to what.
    - ``known``: what earlier releases showed; the table's column must know all its values.

    Examples
    --------
    Ann was among flu and cold before. Nobody new has a cold, so hers is filled by a counterfeit:

    >>> import polars as pl, shoal
    >>> frame = pl.DataFrame({"age": [30, 31, 32], "ill": ["flu", "HIV", "flu"]})
    >>> table = Table.encode(frame, {"age": "quasi", "ill": "sensitive"})
    >>> known = Signatures(np.array([0, NEW, NEW]), [("flu", "cold")])
    >>> table = table.with_values("ill", known.labels)
    >>> how = shoal.GAACP(picks="first").closeness(table, rng=np.random.default_rng(1))
    >>> made = group_invariant(table, "ill", 2, how, known=known)
    >>> made.labels.tolist(), made.padding["ill"].group.tolist()
    ([0, 1, 1], [0])
    """
    return _Dealing(table, column, m, how, known, progress).run()


class _Dealing:
    """Rows that have no class yet, and the classes that are made."""

    def __init__(
        self,
        table: Table,
        column: str,
        m: int,
        how: Closeness,
        known: Signatures,
        progress: Progress | None,
    ) -> None:
        self.column, self.m, self.known, self.progress = column, m, known, progress
        self.codes = table.sensitive[column].codes
        self.size = table.sensitive[column].size
        codes = {label: code for code, label in enumerate(table.sensitive[column].labels)}
        self.signatures = [
            np.array(sorted(codes[label] for label in each), dtype=np.int64)
            for each in known.values
        ]
        self.near = NearestRecords(how)
        self.free = known.of_row == NEW
        self.new = np.flatnonzero(self.free)
        self.done = 0

    def run(self) -> Grouping:
        buckets = self._divide()
        filled = self._balance(buckets)
        classes: list[list[int]] = []
        signatures: list[Ints] = []
        split = [self._split(bucket, mine) for bucket, mine in zip(buckets, filled, strict=True)]
        apart = self._assign(buckets, split)
        for bucket, made in zip(buckets, split, strict=True):
            if len(made) < bucket.layers:  # new classes joined it
                made = self._split(bucket, np.zeros(self.size, dtype=np.int64))
            classes += made
            signatures += [bucket.signature] * len(made)
        classes += apart
        signatures += [np.sort(self.codes[rows]) for rows in apart]
        return self._grouping(classes, signatures)

    def _divide(self) -> list[_Bucket]:
        """Put records of one signature together; one whose value is not in it is left out."""
        made = []
        for number, signature in enumerate(self.signatures):
            rows = np.flatnonzero(self.known.of_row == number)
            rows = rows[np.isin(self.codes[rows], signature)]
            if len(rows):
                layers = int(np.bincount(self.codes[rows]).max())
                made.append(_Bucket(signature, rows, layers))
        return made

    def _balance(self, buckets: Sequence[_Bucket]) -> list[Ints]:
        """Say how many new records of each value every bucket gets."""
        vacant = np.zeros((len(buckets), self.size), dtype=np.int64)
        for at, bucket in enumerate(buckets):
            held = np.bincount(self.codes[bucket.rows], minlength=self.size)
            vacant[at, bucket.signature] = (bucket.layers - held)[bucket.signature]
        counts = np.bincount(self.codes[self.new], minlength=self.size).astype(np.int64)
        filling, self.own = dealt(counts, vacant.sum(axis=0), self.m)
        # The first buckets are filled first.
        before = np.cumsum(vacant, axis=0) - vacant
        return list(np.clip(filling - before, 0, vacant))

    def _split(self, bucket: _Bucket, filled: Ints) -> list[list[int]]:
        """Cut a bucket into classes with one record of each value, while there are any.

        ``filled``: how many new records of each value it takes.
        """
        wanted = filled.copy()
        made: list[list[int]] = []
        rows = bucket.rows
        if wanted.any():
            pool = self.new[self.free[self.new]]
            rows = np.union1d(rows, pool[(wanted > 0)[self.codes[pool]]])
        mine, codes = ~self.free[rows], self.codes[rows]
        left = np.ones(len(rows), dtype=np.bool_)
        for _ in range(bucket.layers):
            members: list[int] = []
            open_ = np.zeros(self.size, dtype=np.bool_)
            open_[bucket.signature] = True
            may = left & mine
            while may.any():
                row = self.near.join(rows, may) if members else self.near.seed(rows, may)
                members.append(row)
                at = int(np.searchsorted(rows, row))
                open_[codes[at]] = left[at] = False
                if not mine[at]:
                    self.free[row] = False
                    wanted[codes[at]] -= 1
                may = left & (mine & open_[codes] | (open_ & (wanted > 0))[codes] & ~mine)
            made.append(members)
            self._tell(len(members))
        return made

    def _assign(
        self, buckets: Sequence[_Bucket], split: Sequence[Sequence[Sequence[int]]]
    ) -> list[list[int]]:
        """Deal the other new records; classes of a known signature join its bucket."""
        by_signature = {bucket.signature.tobytes(): bucket for bucket in buckets}
        for bucket, made in zip(buckets, split, strict=True):
            bucket.rows = np.sort(np.array([row for rows in made for row in rows], dtype=np.int64))
        apart: list[list[int]] = []
        counts = self.own.copy()
        rows = self.new[self.free[self.new]]
        codes, dealt_ = self.codes[rows], 0
        while counts.any():
            members = self._one_of_each(rows, codes, counts)
            values = np.sort(self.codes[members])
            counts[values] -= 1
            self.free[members] = False
            dealt_ += len(members)
            if dealt_ * ROWS_PER_DEALT > len(rows):
                rows, dealt_ = rows[self.free[rows]], 0
                codes = self.codes[rows]
            same = by_signature.get(values.tobytes())
            if same is None:
                apart.append(members)
            else:
                same.rows = np.sort(np.append(same.rows, members))
                same.layers += 1
            self._tell(len(members))
        return apart

    def _one_of_each(self, rows: Ints, codes: Ints, counts: Ints) -> list[int]:
        """Grow a class of new records, so that the others can still be dealt."""
        needed, size = must_take(counts, self.m)
        open_ = counts > 0
        free = self.free[rows]
        members: list[int] = []
        while len(members) < size:
            takes = open_ & needed if int((open_ & needed).sum()) == size - len(members) else open_
            may = free & takes[codes]
            row = self.near.join(rows, may) if members else self.near.seed(rows, may)
            members.append(row)
            open_[self.codes[row]] = False
        return members

    def _grouping(self, classes: Sequence[Sequence[int]], signatures: Sequence[Ints]) -> Grouping:
        """Number classes by their first rows; what a class lacks of its signature is added."""
        order = sorted(range(len(classes)), key=lambda at: min(classes[at]))
        labels = np.full(len(self.codes), SUPPRESSED, dtype=np.int32)
        owners, values = [], []
        for label, at in enumerate(order):
            rows = np.array(classes[at])
            labels[rows] = label
            absent = np.setdiff1d(signatures[at], self.codes[rows])
            owners += [label] * len(absent)
            values += absent.tolist()
        if not owners:
            return Grouping(labels)
        added = Padding(np.array(owners, dtype=np.int64), np.array(values, dtype=np.int64))
        return Grouping(labels, {self.column: added}, counterfeits=True)

    def _tell(self, rows: int) -> None:
        if self.progress is not None:
            self.done = min(self.done + rows, len(self.codes))
            self.progress(self.done, len(self.codes))
