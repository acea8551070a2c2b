"""MICD: several sensitive attributes, protected by inverse clustering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from shoal.grouping import SUPPRESSED, Grouping, Padding
from shoal.kernels import centres, inverse
from shoal.methods.base import Method, Progress, one_of
from shoal.methods.secrets import Secret, combinations, make_groups, order_secrets
from shoal.models import KAnonymity, Requirement
from shoal.table import Table

__all__ = ["MICD"]

Ints = npt.NDArray[np.int64]

BUDGET = 2_000
"""Groups, or rows, between two looks at the clock."""


@dataclass(frozen=True)
class MICD(Method):
    """Group records whose secrets are as unlike as possible, in every sensitive column.

    For tables with several sensitive columns, published as sensitive groups: the
    quasi-identifiers stay exact, and what gets lost is which value belongs to whom. Values of a
    group differ not only in name but in how sensitive they are, so that nobody is found in a
    group of grave secrets only. Where there is one sensitive column, take `LeveledGCA`.

    Parameters
    ----------
    primary
        The column whose values open the groups: ``"entropy"`` for the one of highest entropy,
        or its name.
    leftovers
        Where records go that open no group. ``"spread"``: to the farthest group that does not
        hold their primary value, the smallest of equals; where all do, to the smallest.
        ``"paper"``: to the farthest group, which may then take in thousands.
    noise
        ``"allow"``: a group that finds no partner gets values that are not its own, as in the
        paper. ``"never"``: the smallest group that is diverse already takes it in; where there
        is none, its rows are suppressed.
    picks
        How the first record of a group is chosen: at ``"random"`` from the largest bucket, or
        the ``"first"`` one left.
    seed
        Makes the random picks repeatable.

    Notes
    -----
    Readings of the paper: how sensitive a value is, is ln(rows / rows that hold it), or what the
    schema gives; the centre of a group is the mean over its distinct values, rounded to a grid
    of 2⁻²⁰, so that equal distances are equal. Ties go to the lowest row or the earliest group;
    among equally large buckets to the one that the table shows first. Attributes are treated by
    falling entropy; a group short of values merges with the group that is short, too, and
    farthest from it in all attributes, if both together have enough. A k above the l of the
    primary column raises it.

    Examples
    --------
    >>> import shoal
    >>> adult = shoal.datasets.adult(complete=True).head(500)
    >>> schema = shoal.Schema({name: shoal.other() for name in adult.columns}
    ...     | {"age": shoal.quasi(), "sex": shoal.quasi(),
    ...        "occupation": shoal.sensitive(), "race": shoal.sensitive()})
    >>> require = [shoal.MultiLDiversity({"occupation": 3, "race": 2})]
    >>> from shoal.table import Table
    >>> grouping = shoal.MICD(picks="first").group(
    ...     Table.encode(adult, schema), require, rng=None)
    >>> int(grouping.sizes.min()) >= 3
    True

    References
    ----------
    Zhang, Yang, Zhang, Xie: A multi sensitive attribute data inverse clustering privacy
    preserving algorithm for sensitivity attack. Acta Electronica Sinica 42(5), 2014, 896–903.
    """

    primary: str = "entropy"
    leftovers: Literal["spread", "paper"] = "spread"
    noise: Literal["allow", "never"] = "allow"
    picks: Literal["random", "first"] = "random"
    seed: int | None = None

    name: ClassVar[str] = "micd"
    carries: ClassVar[frozenset[str] | None] = frozenset({"k-anonymity", "multi-l-diversity"})

    def validate(self) -> None:
        """Refuse unknown options."""
        super().validate()
        one_of("leftovers", self.leftovers, ("spread", "paper"))
        one_of("noise", self.noise, ("allow", "never"))

    def describe(self) -> str:
        """Say in words how groups are found."""
        noise = "" if self.noise == "allow" else ", without noise"
        return f"MICD: inverse clustering of sensitive values{noise}"

    def group(
        self,
        table: Table,
        require: Sequence[Requirement],
        *,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Grouping:
        """Open groups from the largest buckets, place the rest, then add what is short."""
        secrets = order_secrets(table, require, self.primary)
        rows = np.arange(table.n_rows)
        made = combinations(secrets, rows if self.picks == "first" else rng.permutation(rows))
        groups = make_groups(secrets, table.n_rows // secrets[0].wanted)
        labels = np.full(table.n_rows, SUPPRESSED, dtype=np.int32)
        count = _open(groups, made, labels, secrets[0].wanted, progress)
        if not count:
            return Grouping(labels)
        _place_rest(groups, made, labels, count, self.leftovers == "spread", progress)
        noise = _diversify(groups, secrets, count, pad=self.noise == "allow")
        _enlarge(groups, secrets, count, require)
        return _settle(labels, groups, secrets, count, noise)


def _open(
    groups: centres.Groups,
    made: inverse.Combinations,
    labels: npt.NDArray[np.int32],
    wanted: int,
    progress: Progress | None,
) -> int:
    """Build the first groups; gives how many there are."""
    count, before = 0, -1
    while count > before:
        before = count
        count = int(inverse.found_groups(groups, made, labels, wanted, count, BUDGET))
        if progress:
            progress(count * wanted, len(labels))
    return count


def _place_rest(
    groups: centres.Groups,
    made: inverse.Combinations,
    labels: npt.NDArray[np.int32],
    count: int,
    spread: bool,
    progress: Progress | None,
) -> None:
    """Let the rows that are left into groups, in row order."""
    left = np.flatnonzero(labels == SUPPRESSED)
    if not len(left):
        return
    index = centres.lay(groups, np.arange(count), skip=0)
    centres.build(groups, index, 0)
    for begin in range(0, len(left), BUDGET):
        inverse.place(groups, index, made, labels, left[begin : begin + BUDGET], spread)
        if progress:
            progress(len(labels) - len(left) + begin, len(labels))


def _diversify(
    groups: centres.Groups, secrets: Sequence[Secret], count: int, *, pad: bool
) -> inverse.Noise:
    """Give every group enough values of every attribute but the first."""
    degrees, start = _laid(secrets)
    most = count * sum(secret.wanted for secret in secrets) if pad else 1
    attribute, group, value = (np.zeros(most, dtype=np.int64) for _ in range(3))
    noise = inverse.Noise(attribute, group, value, np.zeros(1, dtype=np.int64))
    for j, secret in enumerate(secrets):
        short = _short(groups, count, j, secret.wanted)
        if not len(short):
            continue
        index = centres.lay(groups, short)
        centres.build(groups, index, j)
        inverse.diversify(groups, index, degrees, start, j, short, secret.wanted, pad, noise)
        if not pad:
            _merge_further(groups, degrees, start, count, j, secret.wanted)
    return noise


def _alive(groups: centres.Groups, count: int) -> Ints:
    """List the groups that no other has taken in."""
    return np.flatnonzero(groups.into[:count] == np.arange(count))


def _short(groups: centres.Groups, count: int, j: int, wanted: int) -> Ints:
    """List the groups that lack values of an attribute."""
    alive = _alive(groups, count)
    return np.asarray(alive[groups.distinct[alive, j] < wanted])


def _merge_further(
    groups: centres.Groups, degrees: Ints, start: Ints, count: int, j: int, wanted: int
) -> None:
    """Let the smallest diverse group take in one that is short, the first of equals."""
    alive = _alive(groups, count)
    diverse = alive[groups.distinct[alive, j] >= wanted].tolist()
    heap = [(int(groups.size[group]), group) for group in diverse]
    heapify(heap)
    for group in _short(groups, count, j, wanted).tolist():
        if not heap:
            return
        _, host = heap[0]
        inverse.join(groups, degrees, start, host, group)
        heapreplace(heap, (int(groups.size[host]), host))


def _enlarge(
    groups: centres.Groups, secrets: Sequence[Secret], count: int, require: Sequence[Requirement]
) -> None:
    """Merge groups of fewer than k rows with the farthest one."""
    k = max((each.k for each in require if isinstance(each, KAnonymity)), default=1)
    degrees, start = _laid(secrets)
    alive = _alive(groups, count)
    small = alive[groups.size[alive] < k]
    if not len(small):
        return
    index = centres.lay(groups, alive)
    centres.build(groups, index, 0)
    for group in small.tolist():
        while groups.into[group] == group and groups.size[group] < k:
            other = int(centres.partner(groups, index, 0, group, 0))
            if other < 0:
                break
            inverse.join(groups, degrees, start, group, other)
            index.live[index.place[other]] = False
            centres.touch(groups, index, 0, other)
            centres.touch(groups, index, 0, group)


def _laid(secrets: Sequence[Secret]) -> tuple[Ints, Ints]:
    """Lay the degrees of all attributes end to end."""
    degrees = np.concatenate([secret.degrees for secret in secrets])
    return degrees, np.cumsum([0, *(len(secret.degrees) for secret in secrets)], dtype=np.int64)


def _settle(
    labels: npt.NDArray[np.int32],
    groups: centres.Groups,
    secrets: Sequence[Secret],
    count: int,
    noise: inverse.Noise,
) -> Grouping:
    """Number the groups that are left; rows of those that are short are suppressed."""
    into = groups.into[:count].copy()
    while not np.array_equal(into, into[into]):
        into = into[into]
    wanted = np.array([secret.wanted for secret in secrets])
    good = (into == np.arange(count)) & (groups.distinct[:count] >= wanted).all(axis=1)
    number = np.where(good, np.cumsum(good) - 1, SUPPRESSED)[into]
    known = labels >= 0
    final = np.full(len(labels), SUPPRESSED, dtype=np.int32)
    final[known] = number[labels[known]]
    added = int(noise.used[0])
    padding = {}
    for j, secret in enumerate(secrets):
        mine = noise.attribute[:added] == j
        if mine.any():
            group = number[noise.group[:added][mine]]
            padding[secret.name] = Padding(group, noise.value[:added][mine])
    return Grouping(final, padding)
