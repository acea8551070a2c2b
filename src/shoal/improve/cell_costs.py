"""What the cells of a table cost by an additive measure, as whole numbers for kernels.

Costs are multiples of a common unit. Where sums of these do not fit in 64 bits, the unit is a
power of two instead and costs are rounded: to the nearest multiple, or down, where a bound must
never be above what is true.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor, lcm
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Floats, Ints, Small
from shoal.base.cells import STAR
from shoal.errors import ParameterError
from shoal.kernels.cell_costs import CellCosts
from shoal.measures._additive import Fractions, NumberCost, TreeCost, decimal
from shoal.measures.base import Measure
from shoal.publications.recoding.rounding import outward_of
from shoal.table import CategoricalColumn, NumericColumn, QuasiColumn, Table

SUMS_BELOW = 2**61
"""Sums stay below it, with room to add two of them."""

EXACT_VALUES = 100_000
"""Numbers of more different values than this are not scaled one by one."""

SMALL_TREE = 512
"""Trees of at most so many nodes have a table of lowest common ancestors."""


@dataclass(frozen=True, eq=False)
class PricedCells:
    """What cells cost, and how a sum of costs is read.

    - ``costs``: the costs, for kernels.
    - ``unit``: what one of them is in terms of the measure.
    - ``exact``: whether they are exact multiples of the unit; else they are rounded.
    - ``columns``: the quasi-identifiers as they are published.
    """

    costs: CellCosts
    unit: Fraction
    exact: bool
    columns: tuple[QuasiColumn, ...]

    def value(self, total: int) -> float:
        """Read a sum of costs as the measure."""
        return float(total * self.unit)


def price_cells(
    table: Table,
    measure: Measure,
    *,
    numbers: Literal["intervals", "tree"] = "intervals",
    bounds: Literal["rounded", "observed"] = "observed",
    rounding: Literal["nearest", "down"] = "nearest",
) -> PricedCells:
    """Work out what every cell that may be published of a table costs.

    - ``measure``: an additive one, such as `iloss`; others are refused.
    - ``numbers``, ``bounds``: how numbers are published: see
      `shoal.publications.recoding.generalize`.
    - ``rounding``: what becomes of costs that are no multiples of a unit that fits: the
      ``"nearest"``, or the next one ``"down"``.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> schema = shoal.Schema({"age": shoal.quasi()})
    >>> table = Table.encode(pl.DataFrame({"age": [30, 31, 40]}), schema)
    >>> priced = price_cells(table, shoal.measures.iloss)
    >>> (priced.costs.up[2] - priced.costs.down[1]) * priced.unit  # from 31 to 40
    Fraction(9, 10)
    """
    if measure.additive is None:
        raise ParameterError(
            f"The measure '{measure.name}' is not a sum over cells.",
            "Use iloss, iloss_rate or loss.",
        )
    by_tree = numbers == "tree"
    columns = table.trees if by_tree else table.quasi
    weights = measure.additive.weights(table)
    heaviest = max(weights)
    priced: list[_Number | TreeCost] = []
    for own, column in zip(table.quasi, columns, strict=True):
        if isinstance(column, NumericColumn):
            priced.append(_Number.of(column, measure.additive.number(column), bounds))
        elif isinstance(own, NumericColumn):
            priced.append(_by_intervals(column, measure.additive.number(own)))
        else:
            priced.append(_starred(column, measure.additive.tree(column)))
    shares = [weight / heaviest for weight in weights]
    scale = _common(priced, shares, table.n_rows)
    exact = scale is not None
    if scale is None:
        scale = 1
        while scale * 4 * sum(shares) * table.n_rows < SUMS_BELOW:
            scale *= 2
    layout = _Layout(scale, rounding if not exact else "nearest")
    for column, cost, share in zip(columns, priced, shares, strict=True):
        layout.add(column, cost, share)
    return PricedCells(layout.made(), heaviest / scale, exact, tuple(columns))


@dataclass(frozen=True, eq=False)
class _Number:
    """The published ends of a numeric column's ranges, as parts of the whole."""

    down: Fractions | Floats
    up: Fractions | Floats

    @classmethod
    def of(cls, column: NumericColumn, cost: NumberCost, bounds: str) -> _Number:
        if cost.whole == 0 or column.size == 0:
            return cls([Fraction(0)] * column.size, [Fraction(0)] * column.size)
        low: npt.NDArray[Any] = column.values
        high: npt.NDArray[Any] = column.values
        if bounds == "rounded":
            held = np.unique(column.codes[column.codes < column.size])
            outward = outward_of(column, held)
            # Ends that differ, whatever the value, so that each is rounded.
            first = int(column.dates)  # days are counted from 1
            other = (column.values == first).astype(column.values.dtype) + first
            low, high = outward(column.values, other)[0], outward(other, column.values)[1]
        if not column.exact or column.size > EXACT_VALUES:
            least, whole = float(column.values[0]), float(cost.whole)
            extra = float(cost.extra)
            return cls(
                (low.astype(np.float64) - least) / whole,
                (high.astype(np.float64) - least + extra) / whole,
            )
        start = decimal(column.values[0].item())
        return cls(
            [(decimal(v) - start) / cost.whole for v in low.tolist()],
            [(decimal(v) - start + cost.extra) / cost.whole for v in high.tolist()],
        )


def _by_intervals(column: CategoricalColumn, cost: NumberCost) -> TreeCost:
    """Price the nodes of a tree over numbers as the ranges that they are published as."""
    base = []
    for label, interval in zip(column.hierarchy.labels, column.hierarchy.intervals, strict=True):
        if interval is None or label == STAR:
            base.append(Fraction(1))
        elif (interval.lo == interval.hi and not interval.open_end) or cost.whole == 0:
            base.append(Fraction(0))
        else:
            wide = decimal(interval.hi) - decimal(interval.lo)
            base.append(min((wide + cost.extra) / cost.whole, Fraction(1)))
    return TreeCost.same_for_all(base, column.size)


def _starred(column: CategoricalColumn, cost: TreeCost) -> TreeCost:
    """Price a root that reads ``*`` as what it is to a reader."""
    if column.hierarchy.labels[0] != STAR:
        return cost
    base, slope = list(cost.base), list(cost.slope)
    base[0], slope[0] = Fraction(1), Fraction(0)
    return TreeCost(base, slope, cost.mass)


def _common(priced: list[_Number | TreeCost], shares: Fractions, rows: int) -> int | None:
    """Find the least common denominator of all costs; ``None`` if sums would not fit."""
    common, most = 1, SUMS_BELOW // max(rows, 1)
    total = 4 * sum(shares)
    for cost, share in zip(priced, shares, strict=True):
        if isinstance(cost, _Number):
            if isinstance(cost.down, np.ndarray) or isinstance(cost.up, np.ndarray):
                return None
            denominators = {each.denominator for each in (*cost.down, *cost.up)}
        else:
            denominators = {each.denominator for each in cost.base}
            slopes = {each.denominator for each in cost.slope}
            masses = {each.denominator for each in cost.mass}
            denominators |= {a * b for a in slopes for b in masses}
        common = lcm(common, share.denominator, *(share.denominator * d for d in denominators))
        if common * total >= most:
            return None
    return common


class _Layout:
    """Lays columns end to end."""

    def __init__(self, scale: int, rounding: str) -> None:
        self.scale, self.rounding = scale, rounding
        self.numeric: list[bool] = []
        self.plain: list[bool] = []
        self.full: list[int] = []
        self.by_code: dict[str, list[Ints]] = {n: [] for n in ("down", "up", "node", "mass")}
        self.by_node: dict[str, list[Ints]] = {n: [] for n in ("parent", "base", "slope")}
        self.meets: list[int] = []
        self.meeting: list[Small] = []

    def add(self, column: QuasiColumn, cost: _Number | TreeCost, share: Fraction) -> None:
        known = not bool((column.codes == column.size).any())
        zero = np.zeros(column.size + 1, dtype=np.int64)
        self.full.append(self._scaled([Fraction(1)], share)[0])
        self.numeric.append(isinstance(cost, _Number))
        if isinstance(cost, _Number):
            self.plain.append(known)
            # A range is what is left between its ends, so its begin is rounded the other way.
            down = self._scaled(cost.down, share, up=True)
            ends = {"down": down, "up": self._scaled(cost.up, share), "node": zero, "mass": zero}
            nodes = np.zeros((3, 0), dtype=np.int64)
            self.meets.append(-1)
        else:
            assert isinstance(column, CategoricalColumn)
            tree = column.hierarchy
            slopes = [int(slope) for slope in cost.slope]
            self.plain.append(known and not any(slopes))
            mass = self._scaled([*cost.mass, Fraction(0)], share, up=True)
            leaf = np.append(tree.leaf_nodes.astype(np.int64) + 1, 0)
            ends = {"down": zero, "up": zero, "node": leaf, "mass": mass}
            above = np.append(0, tree.parent.astype(np.int64) + 1)
            base = np.append(self.full[-1], self._scaled(cost.base, share))
            nodes = np.stack([above, base, np.append(0, slopes)])
            small = tree.n_nodes < SMALL_TREE
            self.meets.append(sum(map(len, self.meeting)) if small else -1)
            if small:
                self.meeting.append(_meetings(above))
        for name, values in ends.items():
            self.by_code[name].append(np.resize(values, column.size + 1))
        for name, row in zip(self.by_node, nodes, strict=True):
            self.by_node[name].append(row)

    def _scaled(self, costs: Fractions | Floats, share: Fraction, *, up: bool = False) -> Ints:
        times = self.scale * share
        if isinstance(costs, np.ndarray):
            exact = costs * float(times)
            if self.rounding == "nearest":
                return np.rint(exact).astype(np.int64)
            slack = np.abs(exact) * 1e-12 + 1  # more than floats may be wrong by
            whole = np.ceil(exact + slack) if up else np.floor(exact - slack)
            return whole.astype(np.int64)
        made = [cost * times for cost in costs]
        if self.rounding == "nearest":
            return np.array([round(cost) for cost in made], dtype=np.int64)
        return np.array([-floor(-cost) if up else floor(cost) for cost in made], dtype=np.int64)

    def made(self) -> CellCosts:
        none = np.zeros(0, dtype=np.int64)
        sizes = [len(each) for each in self.by_code["down"]]
        nodes = [len(each) for each in self.by_node["base"]]
        code = {name: np.concatenate([none, *each]) for name, each in self.by_code.items()}
        node = {name: np.concatenate([none, *each]) for name, each in self.by_node.items()}
        return CellCosts(
            numeric=np.array(self.numeric),
            plain=np.array(self.plain),
            start=np.cumsum([0, *sizes]).astype(np.int64),
            full=np.array(self.full, dtype=np.int64),
            first=np.cumsum([0, *nodes]).astype(np.int64),
            meets=np.array(self.meets, dtype=np.int64),
            meeting=np.concatenate([none.astype(np.int32), *self.meeting]),
            **code,
            **node,
        )


def _meetings(parent: Ints) -> Small:
    """Give the lowest common ancestor of each two nodes; children come after their parents."""
    a, b = np.meshgrid(np.arange(len(parent)), np.arange(len(parent)), indexing="ij")
    while (apart := a != b).any():
        a, b = np.maximum(a, b), np.minimum(a, b)
        a = np.where(apart, parent[a], a)
    return a.ravel().astype(np.int32)
