"""The sensitive attributes as methods that build sensitive groups see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.base.arrays import Ints
from shoal.errors import ParameterError, did_you_mean
from shoal.kernels.collapse import collapse
from shoal.kernels.inverse.centres import Groups
from shoal.kernels.inverse.cluster import Combinations
from shoal.kernels.ordering import order_by
from shoal.methods._scaling import on_grid
from shoal.models import Requirement
from shoal.publications.groups.share_limits import required_size
from shoal.table import Table

LARGEST_DEGREE = 1_000_000
"""The largest degree: sums over many values must fit into 64 bits."""


@dataclass(frozen=True, eq=False)
class SensitiveAttribute:
    """A sensitive attribute: its values, how sensitive they are, how many a group needs.

    - ``codes``: a value per row.
    - ``degrees``: how sensitive each value is, on the grid.
    - ``wanted``: how many different values a group must show.
    """

    name: str
    codes: Ints
    degrees: Ints
    wanted: int


def order_attributes(
    table: Table, require: Sequence[Requirement], primary: str = "entropy", *, method: str
) -> list[SensitiveAttribute]:
    """List the sensitive attributes, the primary one first, the others by falling entropy.

    Without a named one, the attribute of highest entropy is primary, of those that a
    requirement names; the first of equals.
    """
    required = [each.required_values for each in require if each.required_values]
    if not required:
        raise ParameterError(
            f"The method '{method}' needs the number of values of each sensitive column that "
            "a group must show.",
            "Require MultiLDiversity, or use a method that needs only k: gaa-cp.",
        )
    sizes = {name: column.size for name, column in table.sensitive.items()}
    wanted = {
        name: max(min(each.get(name, 1), size) for each in required) for name, size in sizes.items()
    }
    named = [name for name in sizes if any(name in each for each in required)]
    if primary != "entropy" and primary not in sizes:
        raise ParameterError(
            f"The primary column '{primary}' is not sensitive.", did_you_mean(primary, sizes)
        )
    if primary != "entropy" and primary not in named:
        raise ParameterError(
            f"No requirement concerns the primary column '{primary}'.",
            f"Name its l, or choose a column that has one: {', '.join(named)}.",
        )
    ranked = sorted(sizes, key=lambda name: -round(table.sensitive[name].entropy, 12))
    if primary == "entropy":
        primary = next(name for name in ranked if name in named)
    # A group holds one record per value of the primary column, so it has k records, too.
    wanted[primary] = max(wanted[primary], min(required_size(require), sizes[primary]))
    made = []
    for name in [primary, *(name for name in ranked if name != primary)]:
        column = table.sensitive[name]
        given = column.degrees(table.schema[name].degrees)
        if max(given, default=0) > LARGEST_DEGREE:
            raise ParameterError(
                f"A degree of column '{name}' is above {LARGEST_DEGREE:,}.",
                "Only differences count: divide all of them by the same number.",
            )
        degrees = [on_grid(degree) for degree in given]  # equal distances are equal
        made.append(
            SensitiveAttribute(name, column.codes, np.array(degrees, dtype=np.int64), wanted[name])
        )
    return made


def buckets(codes: Ints, size: int) -> Ints:
    """Number values in the order in which the table first shows them."""
    _, first = np.unique(codes, return_index=True)
    number = np.zeros(size, dtype=np.int64)
    number[codes[np.sort(first)]] = np.arange(len(first))
    return number


def make_groups(attributes: Sequence[SensitiveAttribute], most: int) -> Groups:
    """Make room for groups."""
    d = len(attributes)
    words = [-(-len(attribute.degrees) // 64) for attribute in attributes]
    return Groups(
        words=np.zeros((most, sum(words)), dtype=np.uint64),
        word=np.cumsum([0, *words], dtype=np.int64),
        total=np.zeros((most, d), dtype=np.int64),
        distinct=np.zeros((most, d), dtype=np.int64),
        centre=np.zeros((most, d), dtype=np.int64),
        size=np.zeros(most, dtype=np.int64),
        into=np.arange(most, dtype=np.int64),
        degrees=np.concatenate([attribute.degrees for attribute in attributes]),
        start=np.cumsum([0, *(len(each.degrees) for each in attributes)], dtype=np.int64),
    )


def combinations(attributes: Sequence[SensitiveAttribute], queue: Ints) -> Combinations:
    """Collect the rows by combination of sensitive values, combinations by primary value.

    ``queue``: all rows in the order in which they become a group's first record.
    """
    points = collapse([s.codes for s in attributes], [len(s.degrees) for s in attributes])
    count = np.bincount(points).astype(np.int64)
    rows = order_by(points, len(count)).astype(np.int64)
    head = np.cumsum(count) - count
    firsts = rows[head]
    value = np.stack([s.codes[firsts] for s in attributes], axis=1).astype(np.int64)
    degree = np.stack([s.degrees[s.codes[firsts]] for s in attributes], axis=1)
    number = buckets(attributes[0].codes, len(attributes[0].degrees))
    bucket = number[value[:, 0]]
    listed = np.argsort(bucket, kind="stable").astype(np.int64)
    at = np.empty(len(listed), dtype=np.int64)
    at[listed] = np.arange(len(listed))
    of_row = number[attributes[0].codes]
    held = np.bincount(of_row).astype(np.int64)
    width = np.bincount(bucket, minlength=len(held)).astype(np.int64)
    return Combinations(
        value=np.ascontiguousarray(value),
        degree=np.ascontiguousarray(degree),
        rows=rows,
        head=head,
        left=count,
        of_row=points,
        bucket=bucket,
        listed=listed,
        begin=np.concatenate(([0], np.cumsum(width))).astype(np.int64),
        open=width.copy(),
        at=at,
        queue=queue[order_by(of_row[queue], len(held))],
        turn=np.concatenate(([0], np.cumsum(held)[:-1])).astype(np.int64),
    )
