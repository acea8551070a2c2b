"""MICD: several sensitive attributes, protected by inverse clustering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappush, heapreplace
from typing import ClassVar, Literal

import numpy as np
from numpy.random import Generator

from shoal.base.arrays import Ints
from shoal.kernels.inverse import centres, cluster
from shoal.kernels.inverse.largest import heap_up
from shoal.methods.base import OwnMethod, Progress
from shoal.methods.inverse._people import PeopleInGroups
from shoal.methods.inverse._sensitive import (
    SensitiveAttribute,
    combinations,
    make_groups,
    order_attributes,
)
from shoal.models import Requirement
from shoal.publications.groups.grouping import (
    SUPPRESSED,
    Grouping,
    Padding,
    follow_merges,
    number_merged,
)
from shoal.publications.groups.share_limits import required_size
from shoal.table import Table

BUDGET = 2_000
"""Groups, or rows, between two looks at the clock."""


@dataclass(frozen=True)
class MICD(OwnMethod):
    """Group records whose sensitive values are as different as possible, in every column.

    For tables with several sensitive columns, published as sensitive groups: the
    quasi-identifiers stay exact, but the link between values and people is lost. Values of a group
    differ both in name and in how sensitive they are, so no group holds only highly sensitive
    values. For one sensitive column, use `LeveledGCA`.

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
        paper: those farthest from its centre. ``"one-by-one"``, ours: as many, but its centre
        moves with each, so that they differ among themselves, too, and fewer groups show mostly
        grave secrets. ``"never"``: it merges with the farthest group that is short, too, and
        brings a new value, until it has enough; where there is none, the smallest diverse group
        takes it in. Groups get larger instead.
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
    farthest from it in all attributes, if both together have enough.

    Not in the paper: a k above the l of the primary column raises it; groups of fewer than k
    people are then merged with the farthest that have fewer, too, or the smallest takes them in.

    Examples
    --------
    >>> import shoal
    >>> adult = shoal.datasets.adult(complete=True).head(500)
    >>> adult = adult.select("age", "sex", "occupation", "race")
    >>> schema = shoal.Schema({"age": shoal.quasi(), "sex": shoal.quasi(),
    ...     "occupation": shoal.sensitive(), "race": shoal.sensitive()})
    >>> release = shoal.anonymize(adult, schema, method=shoal.MICD(picks="first"),
    ...     require=[shoal.MultiLDiversity({"occupation": 3, "race": 2})])
    >>> release.grouping.n_groups, int(release.grouping.sizes.min())
    (166, 3)
    >>> release.measures["noise_ratio"]
    0.188

    References
    ----------
    Zhang, Yang, Zhang, Xie: A multi sensitive attribute data inverse clustering privacy
    preserving algorithm for sensitivity attack. Acta Electronica Sinica 42(5), 2014, 896–903.
    """

    primary: str = "entropy"
    leftovers: Literal["spread", "paper"] = "spread"
    noise: Literal["allow", "one-by-one", "never"] = "allow"
    picks: Literal["random", "first"] = "random"
    seed: int | None = None

    name: ClassVar[str] = "micd"
    publication: ClassVar[str] = "sensitive-groups"
    carries: ClassVar[frozenset[str] | None] = frozenset({"k-anonymity", "multi-l-diversity"})
    needs: ClassVar[Literal["shares", "values", "levels"] | None] = "values"
    carries_missing: ClassVar[bool] = True

    @property
    def adds_values(self) -> bool:
        """Unless noise is never added."""
        return self.noise != "never"

    def describe(self) -> str:
        suffix = {"one-by-one": ", noise one by one", "never": ", without noise"}
        return f"MICD: inverse clustering of sensitive values{suffix.get(self.noise, '')}"

    def find_groups(
        self, table: Table, require: Sequence[Requirement], rng: Generator, progress: Progress
    ) -> Grouping:
        """Open groups from the largest buckets, place the rest, then add what is short."""
        attributes = order_attributes(table, require, self.primary, method=self.name)
        made = combinations(attributes, self.row_order(table.n_rows, rng))
        clustering = _Clustering(attributes, made, table.n_rows, progress)
        clustering.open()
        clustering.place_rest(spread=self.leftovers == "spread")
        clustering.diversify(self.noise)
        clustering.enlarge(required_size(require), table.people)
        return clustering.grouping()


class _Clustering:
    """The groups of some rows while they are made."""

    def __init__(
        self,
        attributes: Sequence[SensitiveAttribute],
        made: cluster.Combinations,
        rows: int,
        progress: Progress,
    ) -> None:
        self.attributes, self.made, self.rows, self.progress = attributes, made, rows, progress
        self.groups = make_groups(attributes, rows // attributes[0].wanted)
        self.labels = np.full(rows, SUPPRESSED, dtype=np.int32)
        self.count = 0

    def open(self) -> None:
        """Build the first groups."""
        before, wanted = -1, self.attributes[0].wanted
        largest = heap_up(np.diff(self.made.turn, append=self.rows))
        while self.count > before:
            before = self.count
            found = cluster.found_groups(
                self.groups, self.made, largest, self.labels, wanted, before, BUDGET
            )
            self.count = int(found)
            self.progress(self.count * wanted, self.rows)

    def place_rest(self, *, spread: bool) -> None:
        """Let the rows that are left into groups, in row order."""
        left = np.flatnonzero(self.labels == SUPPRESSED)
        if not len(left):
            return
        index = centres.lay(self.groups, np.arange(self.count), skip=0)
        centres.build(self.groups, index, 0)
        small = centres.empty_like(index)
        for begin in range(0, len(left), BUDGET):
            some = left[begin : begin + BUDGET]
            cluster.place(self.groups, index, small, self.made, self.labels, some, spread)
            self.progress(self.rows - len(left) + begin, self.rows)

    def diversify(self, how: str) -> None:
        """Give every group enough values of every attribute but the first."""
        groups, pad, follow = self.groups, how != "never", how == "one-by-one"
        most = self.count * sum(sensitive.wanted for sensitive in self.attributes) if pad else 1
        attribute, group, value = (np.zeros(most, dtype=np.int64) for _ in range(3))
        self.noise = cluster.Noise(attribute, group, value, np.zeros(1, dtype=np.int64))
        for j, sensitive in enumerate(self.attributes):
            wanted = sensitive.wanted
            alive = np.flatnonzero(groups.into[: self.count] == np.arange(self.count))
            short = alive[groups.distinct[alive, j] < wanted]
            if not len(short):
                continue
            index = centres.lay(groups, short, alike=j)
            centres.build(groups, index, j)
            for begin in range(0, len(short), BUDGET):
                some = short[begin : begin + BUDGET]
                cluster.diversify(groups, index, j, some, wanted, pad, follow, self.noise)
                self.progress(self.rows, self.rows)
            if not pad:
                hosts = _Hosts(groups, alive[groups.distinct[alive, j] >= wanted])
                alive = short[groups.into[short] == short]
                for each in alive[groups.distinct[alive, j] < wanted].tolist():
                    hosts.take_in(each)

    def enlarge(self, k: int, people: Ints | None) -> None:
        """Merge groups of fewer than k people with the farthest ones that are small, too."""
        groups = self.groups
        now = follow_merges(groups.into[: self.count])[self.labels]
        crowds = PeopleInGroups(now, self.count, people)
        small = crowds.small(k)
        if not len(small):
            return
        hosts = _Hosts(groups, np.flatnonzero(crowds.sizes >= k))
        index = centres.lay(groups, small, alike=0)
        centres.build(groups, index, 0)
        for group in small.tolist():
            if groups.into[group] != group:
                continue
            centres.leave(groups, index, 0, group)
            while crowds.sizes[group] < k:
                other = int(centres.partner(groups, index, 0, group, 0))
                if other < 0:
                    break
                cluster.join(groups, group, other)
                crowds.join(group, other)
                centres.leave(groups, index, 0, other)
            if crowds.sizes[group] >= k:
                hosts.add(group)
            elif hosts.heap:
                crowds.join(hosts.take_in(group), group)

    def grouping(self) -> Grouping:
        """Number the groups that are left."""
        number = number_merged(self.groups.into[: self.count])
        final = number[self.labels]
        added = int(self.noise.counters[cluster.ADDED])
        padding = {}
        for j, sensitive in enumerate(self.attributes):
            mine = self.noise.attribute[:added] == j
            group, value = number[self.noise.group[:added][mine]], self.noise.value[:added][mine]
            # A group that was merged later may hold the value by now, or have it twice.
            width = len(sensitive.degrees)
            keys = group * width + value
            fresh = np.zeros(len(keys), dtype=np.bool_)
            fresh[np.unique(keys, return_index=True)[1]] = True
            fresh &= ~np.isin(keys, final * width + sensitive.codes)
            if fresh.any():
                padding[sensitive.name] = Padding(group[fresh], value[fresh])
        return Grouping(final.astype(np.int32), padding)


class _Hosts:
    """Groups that may take others in, the smallest first, the first of equals."""

    def __init__(self, groups: centres.Groups, hosts: Ints) -> None:
        self.groups = groups
        self.heap: list[tuple[int, int]] = [(int(groups.size[h]), int(h)) for h in hosts]
        heapify(self.heap)

    def add(self, host: int) -> None:
        heappush(self.heap, (int(self.groups.size[host]), host))

    def take_in(self, group: int) -> int:
        _, host = self.heap[0]
        cluster.join(self.groups, host, group)
        heapreplace(self.heap, (int(self.groups.size[host]), host))
        return host
