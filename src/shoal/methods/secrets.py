"""The sensitive attributes as methods that build sensitive groups see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shoal.errors import ParameterError, did_you_mean
from shoal.kernels.centres import Groups
from shoal.kernels.collapse import collapse
from shoal.kernels.inverse import Combinations
from shoal.models import KAnonymity, MultiLDiversity, Requirement
from shoal.table import Table

__all__ = ["GRID", "Secret", "buckets", "combinations", "make_groups", "order_secrets"]

GRID = 2**20
"""Degrees are whole multiples of 1 / GRID, so that equal distances are equal."""

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Secret:
    """A sensitive attribute: its values, how sensitive they are, how many a group needs.

    Parameters
    ----------
    codes
        A value per row.
    degrees
        How sensitive each value is, on the grid.
    wanted
        How many different values a group must show.
    """

    name: str
    codes: Ints
    degrees: Ints
    wanted: int


def order_secrets(
    table: Table, require: Sequence[Requirement], primary: str = "entropy"
) -> list[Secret]:
    """List the sensitive attributes, the primary one first, the others by falling entropy.

    Without a named one, the attribute of highest entropy is primary; the first of equals.
    """
    names = list(table.sensitive)
    if not names:
        raise ParameterError(
            "No column is sensitive, and this method groups by sensitive values.",
            "Give a column the role sensitive.",
        )
    if primary != "entropy" and primary not in names:
        raise ParameterError(
            f"The primary column '{primary}' is not sensitive.", did_you_mean(primary, names)
        )
    ranked = sorted(names, key=lambda name: -round(table.sensitive[name].entropy, 12))
    if primary != "entropy":
        ranked = [primary, *(name for name in ranked if name != primary)]
    made = []
    for name in ranked:
        column = table.sensitive[name]
        given = getattr(table.schema[name], "degrees", None)
        degrees = [round(degree * GRID) for degree in column.degrees(given)]
        wanted = max(
            (
                min(each.l[name], column.size)
                for each in require
                if isinstance(each, MultiLDiversity) and name in each.l
            ),
            default=1,
        )
        made.append(Secret(name, column.codes, np.array(degrees, dtype=np.int64), wanted))
    # A group holds one record per value of the primary column, so it has k records, too.
    k = max((each.k for each in require if isinstance(each, KAnonymity)), default=1)
    first = made[0]
    made[0] = Secret(
        first.name, first.codes, first.degrees, max(first.wanted, min(k, len(first.degrees)))
    )
    return made


def buckets(codes: Ints, size: int) -> Ints:
    """Number values in the order in which the table first shows them."""
    _, first = np.unique(codes, return_index=True)
    number = np.zeros(size, dtype=np.int64)
    number[codes[np.sort(first)]] = np.arange(len(first))
    return number


def make_groups(secrets: Sequence[Secret], most: int) -> Groups:
    """Make room for groups."""
    d = len(secrets)
    words = [-(-len(secret.degrees) // 64) for secret in secrets]
    return Groups(
        words=np.zeros((most, sum(words)), dtype=np.uint64),
        word=np.cumsum([0, *words], dtype=np.int64),
        total=np.zeros((most, d), dtype=np.int64),
        distinct=np.zeros((most, d), dtype=np.int64),
        centre=np.zeros((most, d), dtype=np.int64),
        size=np.zeros(most, dtype=np.int64),
        into=np.arange(most, dtype=np.int64),
    )


def combinations(secrets: Sequence[Secret], queue: Ints) -> Combinations:
    """Collect the rows by combination of sensitive values, combinations by primary value.

    Parameters
    ----------
    queue
        All rows in the order in which they become a group's first record.
    """
    points = collapse([s.codes for s in secrets], [len(s.degrees) for s in secrets])
    rows = np.argsort(points, kind="stable").astype(np.int64)
    tail = np.cumsum(np.bincount(points)).astype(np.int64)
    head = np.concatenate(([0], tail[:-1])).astype(np.int64)
    firsts = rows[head]
    value = np.stack([s.codes[firsts] for s in secrets], axis=1).astype(np.int64)
    degree = np.stack([s.degrees[s.codes[firsts]] for s in secrets], axis=1)
    number = buckets(secrets[0].codes, len(secrets[0].degrees))
    bucket = number[value[:, 0]]
    listed = np.argsort(bucket, kind="stable").astype(np.int64)
    at = np.empty(len(listed), dtype=np.int64)
    at[listed] = np.arange(len(listed))
    of_row = number[secrets[0].codes]
    left = np.bincount(of_row).astype(np.int64)
    width = np.bincount(bucket, minlength=len(left)).astype(np.int64)
    return Combinations(
        value=np.ascontiguousarray(value),
        degree=np.ascontiguousarray(degree),
        rows=rows,
        head=head,
        tail=tail,
        of_row=points,
        bucket=bucket,
        listed=listed,
        begin=np.concatenate(([0], np.cumsum(width))).astype(np.int64),
        open=width.copy(),
        left=left,
        at=at,
        queue=queue[np.argsort(of_row[queue], kind="stable")],
        turn=np.concatenate(([0], np.cumsum(left)[:-1])).astype(np.int64),
        ranked=np.zeros(len(left) + 1, dtype=np.int64),
    )
