"""How little any k-anonymous table can lose: bounds that no grouping gets below."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from shoal.base.arguments import is_number, one_of, require_whole
from shoal.base.plural import counted
from shoal.errors import ParameterError, a_type
from shoal.improve.bounds.boxes import Boxes
from shoal.improve.bounds.prices import Clock, Rounds
from shoal.improve.cell_costs import price_cells
from shoal.kernels.bounds.costliest import Costliest
from shoal.kernels.bounds.nearest import nearest
from shoal.kernels.cell_costs import CellCosts
from shoal.measures.base import Measure
from shoal.table import NumericColumn, Table
from shoal.table.schema import SchemaLike

BoundKind: TypeAlias = Literal["nearest", "boxes", "prices"]
"""How a bound is found; each one takes longer than the one before."""

KINDS: tuple[BoundKind, ...] = get_args(BoundKind)

SECONDS = 60.0
"""Default time for a lower bound."""

START = 1.6
"""Prices begin at so many times what the cheapest box costs."""

START_TIME = 0.3
"""Which share of the time the cheapest boxes may take, before prices begin."""

FIRST_RAISE, LAST_RAISE = 0.4, 0.004
"""By which share prices are raised before the first and before the last round."""

BLOCK = 512
"""Points whose neighbours are sought between two looks at the clock."""


@dataclass(frozen=True)
class LowerBound:
    """A number that no k-anonymous table gets below.

    Parameters
    ----------
    value
        The least that the measure can be.
    measure, k, kind
        What was bounded, and how.
    share
        The value as a share of what a table of nothing but ``*`` measures.
    most
        What such a table measures.
    passes
        How many rounds over all boxes were finished; 0 if the bound needs none.
    seconds
        How long it took.
    complete
        Whether there was time to look at all rows, or at all boxes once. If not, those left out
        were taken to cost as little as can be.
    """

    value: float
    measure: str
    k: int
    kind: BoundKind
    share: float
    most: float
    passes: int
    seconds: float
    complete: bool


def lower_bound(
    data: Any,
    schema: SchemaLike,
    k: int,
    *,
    measure: str | Measure = "iloss",
    numbers: Literal["intervals", "tree"] = "intervals",
    bounds: Literal["observed", "rounded"] = "observed",
    kind: BoundKind = "prices",
    seconds: float | None = SECONDS,
    passes: int | None = None,
    looks: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> LowerBound:
    """Find a number that no k-anonymous generalization of a table gets below.

    Every table whose rows are published in groups of at least k, each group showing one cell per
    column, measures this or more, whoever made it. Rows that are not published cost 1 in every
    column, as the measures have it. Any requirement besides k can only cost more. The number
    depends on cells that are not published: it is private.

    Parameters
    ----------
    data
        Any frame.
    k
        The least number of rows of a group.
    measure
        One that adds up over cells: iloss, iloss_rate, loss.
    numbers, bounds
        How numbers are published: as ranges or as nodes of their trees, with observed or with
        rounded ends. With rounded ends, the bound is one of tables that publish every row.
    kind
        ``"prices"`` is the highest, and takes longest. ``"boxes"``: each row pays for the cheapest
        box that holds it and k − 1 others. ``"nearest"``: each row pays for the (k − 1)-th
        nearest row.
    seconds, passes, looks
        When to stop: after so much time, so many rounds over all boxes, or so many looks at rows
        in boxes (some 50 million take a second); ``None`` is no limit, but one of them is needed.
        A clock makes the value depend on the machine: give ``seconds=None`` and ``passes`` or
        ``looks`` for the same value everywhere.
    progress
        Called with what is done and what there is to do, after each round.

    Examples
    --------
    >>> import shoal
    >>> schema = shoal.Schema({"name": "identifier", "age": "quasi", "sex": "quasi",
    ...     "zip": "quasi", "disease": "sensitive"})
    >>> bound = shoal.measures.lower_bound(
    ...     shoal.datasets.patients(1), schema, 2, seconds=None, passes=20)
    >>> release = shoal.anonymize(shoal.datasets.patients(1), schema, require=2)
    >>> bound.value <= release.measures["iloss"]
    True
    """
    table = data if isinstance(data, Table) else Table.encode(data, schema, empty_columns=True)
    measure = _measure(measure)
    _require(table, k, kind, seconds, passes, looks, progress)
    one_of("numbers", numbers, ("intervals", "tree"))
    one_of("bounds", bounds, ("observed", "rounded"))
    clock = Clock(seconds, progress, looks)
    # The grid of rounded ranges follows the groups that show a range, and which do is not known yet
    # where cells are missing.
    missing = any(
        isinstance(column, NumericColumn) and bool((column.codes == column.size).any())
        for column in table.quasi
    )
    ends = "observed" if missing else bounds
    priced = price_cells(table, measure, numbers=numbers, bounds=ends, rounding="down")
    costs, unit = _refined(priced.costs, priced.unit, table.n_rows)
    done, complete, total = 0, True, 0
    if k > 1 and table.quasi:
        boxes = Boxes(priced.columns, costs, k)
        if kind == "nearest":
            total, complete = _by_neighbours(boxes, clock)
        else:
            total, done, complete = _by_boxes(boxes, clock, kind, passes)
    whole = int(costs.full.sum()) * table.n_rows
    return LowerBound(
        value=_down(total * unit),
        measure=measure.name,
        k=k,
        kind=kind,
        share=_down(Fraction(total, max(whole, 1))),
        most=float(whole * unit),
        passes=done,
        seconds=clock.spent,
        complete=complete,
    )


def _by_boxes(
    boxes: Boxes, clock: Clock, kind: BoundKind, passes: int | None
) -> tuple[int, int, bool]:
    """Bound by boxes or by prices; gives the sum, the finished rounds, whether all is done."""
    rounds = Rounds(boxes, clock)
    if kind == "boxes":
        prices, complete = rounds.cheapest()
        return rounds.value(prices), 0, complete
    prices, _ = rounds.cheapest(START_TIME)
    best, done, progressed = rounds.value(prices), 0, 0.0
    prices = rounds.raised(prices, START - 1)
    while passes is None or done < passes:
        complete = rounds.hold(prices, progressed)
        best = max(best, rounds.value(prices))
        if not complete:
            break
        done += 1
        if not prices.any():  # the best table loses nothing
            break
        by_rounds = 0.0 if passes is None else done / max(passes - 1, 1)
        progressed = min(max(clock.progressed, by_rounds), 1.0)
        clock.show(progressed)
        prices = rounds.raised(prices, FIRST_RAISE * (LAST_RAISE / FIRST_RAISE) ** progressed)
    return best, done, done > 0


def _by_neighbours(boxes: Boxes, clock: Clock) -> tuple[int, bool]:
    """Bound by the (k − 1)-th nearest row of each; rows that there is no time for pay nothing."""
    found = np.zeros(len(boxes.rows), dtype=np.int64)
    codes = np.stack([each.astype(np.int32) for each in boxes.codes], axis=1)
    worth, point, held = (np.zeros(boxes.k + 2, dtype=np.int64) for _ in range(3))
    heap = Costliest(worth, point, held, np.zeros(3, dtype=np.int64))
    for first in range(0, len(found), BLOCK):
        if clock.is_up:
            return int(found @ boxes.rows), False
        last = min(first + BLOCK, len(found))
        nearest(boxes.costs, codes, boxes.rows, boxes.k, heap, found, first, last)
        clock.looked += (last - first) * len(found)
        clock.show(last / len(found))
    return int(found @ boxes.rows), True


def _refined(costs: CellCosts, unit: Fraction, rows: int) -> tuple[CellCosts, Fraction]:
    """Give costs a finer unit, so that prices between them are whole numbers as well."""
    whole, times = int(costs.full.sum()), 1
    while whole * times * 2 <= min(2**48, 2**58 // max(rows, 1)):
        times *= 2
    names = ("down", "up", "mass", "full", "base")
    finer = {name: getattr(costs, name) * times for name in names}
    return costs._replace(**finer), unit / times


def _down(exact: Fraction) -> float:
    """Write a fraction as a float that is not above it."""
    near = float(exact)
    return near if Fraction(near) <= exact else math.nextafter(near, -math.inf)


def _measure(given: str | Measure) -> Measure:
    if isinstance(given, Measure):
        return given
    from shoal.measures import MEASURES

    one_of("measure", given, [name for name, each in MEASURES.items() if each.additive])
    return MEASURES[given]


def _require(
    table: Table,
    k: int,
    kind: str,
    seconds: float | None,
    passes: int | None,
    looks: int | None,
    progress: object,
) -> None:
    """Refuse what makes no sense (raises `ParameterError`)."""
    require_whole("k", k, 1)
    one_of("kind", kind, KINDS)
    if k > table.n_rows:
        raise ParameterError(
            f"k is {k}, but the table has {counted(table.n_rows, 'row')}.",
            "No table of it is k-anonymous: choose a smaller k.",
        )
    if seconds is not None and not (is_number(seconds) and seconds > 0):
        raise ParameterError(
            f"seconds must be a number above 0, not {seconds!r}.", "Such as 60, or None."
        )
    if passes is not None:
        require_whole("passes", passes, 1)
    if looks is not None:
        require_whole("looks", looks, 1)
    if seconds is None and passes is None and looks is None and kind == "prices":
        raise ParameterError(
            "Neither seconds nor passes nor looks say when to stop.", "Give one of them."
        )
    if progress is not None and not callable(progress):
        raise ParameterError(
            f"progress must be a function, not {a_type(progress)}.",
            "It is called with what is done and what there is to do.",
        )
