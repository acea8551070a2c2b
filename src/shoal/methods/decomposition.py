"""Decomposition: sensitive groups from the largest buckets, made diverse by noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import ClassVar, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from shoal.grouping import SUPPRESSED, Grouping, Padding
from shoal.methods.base import Method, Progress
from shoal.methods.secrets import Secret, buckets, order_secrets
from shoal.models import Requirement
from shoal.table import Table

__all__ = ["Decomposition", "decompose"]

Ints = npt.NDArray[np.int64]
Draw: TypeAlias = Callable[[Secret, set[int], int], list[int]]
"""Draws, for an attribute and the values a group holds, so many values it does not hold."""

_PACE = 4096


@dataclass(frozen=True)
class Decomposition(Method):
    """Build groups of l different primary values, and add noise for all other columns.

    A baseline of paper 4: groups are opened from the largest buckets as in `MICD`, but records
    are taken at random, and a group that is short of values of another column gets values that
    are not its own, drawn at random from those it lacks. Choose it to compare.

    Parameters
    ----------
    primary
        The column whose values open the groups: ``"entropy"`` for the one of highest entropy,
        or its name.
    picks
        How records and noise are drawn: at ``"random"``, or always the ``"first"`` row and the
        first value.
    seed
        Makes random picks repeatable.

    Notes
    -----
    The original gives no rule for records that open no group; here each joins the smallest
    group that does not hold its primary value, the earliest of equals, or the smallest if all
    do. A k above the l of the primary column raises it.

    Examples
    --------
    >>> import shoal
    >>> from shoal.table import Table
    >>> schema = shoal.Schema({"job": shoal.quasi(), "disease": shoal.sensitive(),
    ...     **{name: shoal.other() for name in ("name", "age", "sex", "zipcode")}})
    >>> table = Table.encode(shoal.datasets.patients(3), schema)
    >>> grouping = shoal.Decomposition(picks="first").group(
    ...     table, [shoal.MultiLDiversity({"disease": 3})], rng=None)
    >>> grouping.sizes.tolist()
    [3, 3, 3, 3]

    References
    ----------
    Ye, Liu, Wang: Decomposition: privacy preservation for multiple sensitive attributes,
    DASFAA 2009.
    """

    primary: str = "entropy"
    picks: Literal["random", "first"] = "random"
    seed: int | None = None

    name: ClassVar[str] = "decomposition"
    carries: ClassVar[frozenset[str] | None] = frozenset({"k-anonymity", "multi-l-diversity"})

    def describe(self) -> str:
        """Say in words how groups are found."""
        return "Decomposition: groups from the largest buckets, noise for the rest"

    def group(
        self,
        table: Table,
        require: Sequence[Requirement],
        *,
        rng: np.random.Generator,
        progress: Progress | None = None,
    ) -> Grouping:
        """Open groups, place the rest, then add noise from the values a group lacks."""

        def draw(secret: Secret, held: set[int], count: int) -> list[int]:
            lacking = [value for value in range(len(secret.degrees)) if value not in held]
            if self.picks == "first":
                return lacking[:count]
            return [int(v) for v in rng.choice(lacking, size=count, replace=False)]

        secrets = order_secrets(table, require, self.primary)
        rows = np.arange(table.n_rows)
        queue = rows if self.picks == "first" else rng.permutation(rows)
        return decompose(secrets, queue, draw, progress)


def decompose(
    secrets: Sequence[Secret], queue: Ints, draw: Draw, progress: Progress | None
) -> Grouping:
    """Open groups from the largest buckets, place the rest, and fill up with noise.

    Parameters
    ----------
    queue
        All rows in the order in which they are taken from their buckets.
    """
    first = secrets[0]
    number = buckets(first.codes, len(first.degrees))
    of_row = number[first.codes]
    waiting = [queue[of_row[queue] == bucket].tolist() for bucket in range(of_row.max() + 1)]
    for rows in waiting:
        rows.reverse()  # the next one is taken from the end
    members: list[list[int]] = []
    while True:
        ranked = sorted(
            (b for b, rows in enumerate(waiting) if rows), key=lambda b: (-len(waiting[b]), b)
        )[: first.wanted]
        if len(ranked) < first.wanted:
            break
        members.append([waiting[bucket].pop() for bucket in ranked])
        if progress and len(members) % _PACE == 0:
            progress(len(members) * first.wanted, len(queue))
    labels = np.full(len(queue), SUPPRESSED, dtype=np.int32)
    if not members:
        return Grouping(labels)
    _place(members, sorted(row for rows in waiting for row in rows), first.codes)
    for label, rows in enumerate(members):
        labels[rows] = label
    return Grouping(labels, _pad(members, secrets, draw))


def _place(members: list[list[int]], left: list[int], codes: Ints) -> None:
    """Let each row that is left into the smallest group without its primary value."""
    values = {int(codes[row]) for row in left}
    holding: dict[int, set[int]] = {value: set() for value in values}
    for label, rows in enumerate(members):
        for value in {int(codes[row]) for row in rows} & values:
            holding[value].add(label)
    everyone = [(len(rows), label) for label, rows in enumerate(members)]
    heaps = {
        value: [entry for entry in everyone if entry[1] not in held]
        for value, held in holding.items()
    }
    for heap in (everyone, *heaps.values()):
        heapify(heap)
    for row in left:
        value = int(codes[row])
        chosen = _smallest(heaps[value], members, holding[value])
        if chosen is None:
            chosen = _smallest(everyone, members, set())
        assert chosen is not None  # every group has an entry of its present size
        members[chosen].append(row)
        holding[value].add(chosen)
        for heap in (everyone, *heaps.values()):
            heappush(heap, (len(members[chosen]), chosen))


def _smallest(
    heap: list[tuple[int, int]], members: list[list[int]], without: set[int]
) -> int | None:
    """Find the smallest group, the earliest of equals; entries that are out of date go."""
    while heap:
        size, label = heap[0]
        if size == len(members[label]) and label not in without:
            return label
        heappop(heap)
    return None


def _pad(members: list[list[int]], secrets: Sequence[Secret], draw: Draw) -> dict[str, Padding]:
    """Add values to groups that are short of them."""
    padding = {}
    for secret in secrets[1:]:
        group, value = [], []
        for label, rows in enumerate(members):
            held = set(secret.codes[rows].tolist())
            if len(held) < secret.wanted:
                added = draw(secret, held, secret.wanted - len(held))
                group += [label] * len(added)
                value += added
        if group:
            padding[secret.name] = Padding(np.array(group), np.array(value))
    return padding
