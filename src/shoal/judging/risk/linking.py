"""What one known secret tells about the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Floats, Ints, runs
from shoal.errors import ParameterError
from shoal.io.frames import to_coded
from shoal.judging.risk.sight import Sight, sight
from shoal.kernels.collapse import collapse
from shoal.measures import Pair
from shoal.models import Histogram
from shoal.publications.published import Released
from shoal.table.preparing import prepared
from shoal.table.schema import Schema
from shoal.table.sensitive import SensitiveColumn, binned

_AT_ONCE = 4_000_000
"""How many combinations are held in memory at once."""


@dataclass(frozen=True)
class Linkage:
    """How well an attacker who knows a person's cells and one sensitive value guesses another.

    Parameters
    ----------
    known, other
        The sensitive column whose value is known, and the one that is guessed.
    cells, value
        How likely the best guess of an attacker who knows only the cells is right, or the value of
        ``known``, too; a mean over people.
    linked_cells, linked
        The same two, had the values been published beside their rows, with the same cells;
        ``None`` without the original.
    """

    known: str
    other: str
    cells: float
    value: float
    linked_cells: float | None = None
    linked: float | None = None

    @property
    def gain(self) -> float:
        """What the known value adds, in the publication."""
        return self.value - self.cells

    @property
    def linked_gain(self) -> float | None:
        """What the known value would add, were values published beside their rows."""
        if self.linked is None or self.linked_cells is None:
            return None
        return self.linked - self.linked_cells

    def to_dict(self) -> dict[str, Any]:
        """Write the result for programs."""
        return {**asdict(self), "gain": self.gain, "linked_gain": self.linked_gain}


def linkage(
    published: Any,
    schema: Schema | None = None,
    *,
    original: Any = None,
    rows: npt.ArrayLike | None = None,
) -> list[Linkage]:
    """Measure what one known sensitive value reveals about each other; the result is private.

    The adversary knows a person's quasi-identifiers, and so the cells, and the person's value
    in one sensitive column. Where rows show all their values, the rows with these cells and
    this value say the rest. Where sensitive columns are published apart, nothing says which
    values belong together: within a group all are taken for independent, and as likely as
    they are shown. A known value then tells only in which of the groups with these cells the
    person may be.

    Parameters
    ----------
    published, schema
        As in `sight`. A release and a pair bring their original.
    original, rows
        The original table, and for each published row its row there; to compare with what
        linked values would tell.

    Returns
    -------
    list of Linkage
        One for each ordered pair of sensitive columns.

    Raises
    ------
    ParameterError
        If there are fewer than two sensitive columns.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> quasi = pl.DataFrame({"age": [30, 30, 50, 50], "group": [1, 1, 2, 2]})
    >>> ill = pl.DataFrame({"group": [1, 1, 2, 2], "ill": ["HIV", "flu", "TB", "flu"]})
    >>> pay = pl.DataFrame({"group": [1, 1, 2, 2], "pay": ["low", "high", "low", "high"]})
    >>> original = pl.DataFrame({"ill": ["HIV", "flu", "TB", "flu"],
    ...                          "pay": ["low", "high", "low", "high"]})
    >>> schema = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive(),
    ...                        "pay": shoal.sensitive()})
    >>> tables = {"quasi": quasi, "sensitive": {"ill": ill, "pay": pay}}
    >>> first, _ = shoal.risk.linkage(tables, schema, original=original)
    >>> first.value, first.gain  # who has HIV may earn much or little
    (0.5, 0.0)
    >>> first.linked, first.linked_gain  # in one table it would be plain
    (1.0, 0.5)
    """
    seen = sight(published, schema)
    if len(seen.histograms) < 2:
        raise ParameterError(
            "Linkage relates sensitive columns to each other, and there "
            f"{'is' if len(seen.histograms) == 1 else 'are'} {len(seen.histograms)}.",
            "It needs two or more.",
        )
    cells = seen.classes if seen.cells is None else seen.cells
    truth = seen.values if seen.values is not None else _truth(published, seen, original, rows)
    made = []
    for known, other in permutations(seen.histograms, 2):
        both = None if truth is None else _beside(cells, truth[known], truth[other])
        shown = both if seen.values is not None else _apart(seen, cells, known, other)
        assert shown is not None
        made.append(Linkage(known, other, *shown, *(both or ())))
    return made


def _truth(
    published: Any, seen: Sight, original: Any, rows: npt.ArrayLike | None
) -> Mapping[str, Ints] | None:
    """Find the values of each published row, where somebody knows them."""
    if isinstance(published, Pair):
        held = published.table.sensitive
        return {name: column.codes[published.recoded.rows] for name, column in held.items()}
    if original is None and isinstance(published, Released):
        original, rows = published.source, published.rows
    if original is None:
        return None
    table, _ = binned(*prepared(to_coded(original), seen.schema))
    order = np.arange(len(seen.classes)) if rows is None else np.asarray(rows)
    inside = order.dtype.kind in "iu" and order.shape == seen.classes.shape
    if not inside or order.min() < 0 or order.max() >= table.height:
        raise ParameterError(
            f"rows must name an original row for each of the {len(seen.classes)} published rows.",
            "Use the private manifest that was written with this release.",
        )
    return {
        name: SensitiveColumn.of(table[name], seen.schema.missing_of(name)).codes[order]
        for name in seen.histograms
    }


def _beside(cells: Ints, known: Ints, other: Ints) -> tuple[float, float]:
    """Guess from rows that show their values: the most frequent among the fitting rows."""
    fitting = collapse([cells, known], [int(cells.max()) + 1, int(known.max()) + 1])
    return _hits(cells, other), _hits(fitting, other)


def _hits(classes: Ints, values: Ints) -> float:
    """Say how many are right who guess the most frequent value of their class."""
    found = Histogram.count(classes, values, (None,) * (int(values.max()) + 1))
    best = np.maximum.reduceat(found.counts, np.unique(found.group, return_index=True)[1])
    return int(best.sum()) / len(classes)


def _apart(seen: Sight, cells: Ints, known: str, other: str) -> tuple[float, float]:
    """Guess from columns that are published apart, group by group with equal cells."""
    n = len(cells)
    pairs, weight = np.unique(cells * seen.n_classes + seen.classes, return_counts=True)
    cell, group = np.divmod(pairs, seen.n_classes)
    first = _Shares.of(seen, known)
    second = _Shares.of(seen, other)
    work = first.size[group] * second.size[group]
    block = (np.cumsum(work) - 1) // _AT_ONCE
    block = block[np.searchsorted(cell, cell)]  # a cell's groups stay together
    alone = informed = 0.0
    for number in np.unique(block):
        here = block == number
        of, where, rows = cell[here], group[here], weight[here].astype(np.float64)
        entry, value, chance = second.spread(where)
        alone += _best(of[entry], value, rows[entry] * chance, second.width)
        mine, own, likely = first.spread(where)
        entry, value, chance = second.spread(where[mine])
        context = collapse(
            [of[mine][entry] - of[0], own[entry]], [int(of[-1] - of[0]) + 1, first.width]
        )
        informed += _best(context, value, (rows[mine] * likely)[entry] * chance, second.width)
    return alone / n, informed / n


@dataclass(frozen=True)
class _Shares:
    """The values that each group shows, and how likely each is."""

    start: Ints
    size: Ints
    value: Ints
    share: Floats
    width: int

    @classmethod
    def of(cls, seen: Sight, name: str) -> _Shares:
        found = seen.histograms[name]
        size = found.different(seen.n_classes)
        share = found.counts / seen.totals[name][found.group]
        return cls(np.cumsum(size) - size, size, found.value, share, max(len(found.labels), 1))

    def spread(self, groups: Ints) -> tuple[Ints, Ints, Floats]:
        """List the values of some groups: whose they are (by position), codes, shares."""
        whose, at = runs(self.start[groups], self.size[groups])
        return whose, self.value[at], self.share[at]


def _best(context: Ints, value: Ints, weight: Floats, width: int) -> float:
    """Add up the weight of the likeliest value of each context."""
    keys, place = np.unique(context * width + value, return_inverse=True)
    total = np.bincount(place.reshape(-1), weight)
    starts = np.unique(keys // width, return_index=True)[1]
    return float(np.maximum.reduceat(total, starts).sum())
