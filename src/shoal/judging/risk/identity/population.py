"""A population table: how many of its people each published class could mean."""

from __future__ import annotations

from typing import Any

import numpy as np

from shoal.base.arrays import Bools, Ints
from shoal.base.cells import STAR, parse_dates, parse_interval, parse_set
from shoal.errors import SchemaError
from shoal.io.frames import Dictionary, to_coded
from shoal.judging.risk.identity.records import Records, records
from shoal.judging.risk.identity.wildcard import star_patterns
from shoal.kernels.collapse import collapse
from shoal.table.hierarchies import Hierarchy
from shoal.table.preparing import prepared
from shoal.table.schema import Column, Kind, Schema


def population_sizes(found: Records, population: Any) -> Ints:
    """Count for each class the people of a population whom its cells cover.

    A ``*`` covers everyone, an interval its numbers, a set its values, and a node of the schema's
    hierarchies what lies below it. A missing cell of the population is covered by ``*`` alone. The
    population is any frame with a row for each person; it is refused if it lacks a quasi-identifier
    (raises `SchemaError`).
    """
    roles = Schema(dict.fromkeys(found.names, "quasi"), missing=found.schema.missing)
    wanted = Schema(
        {name: found.schema[name] for name in found.names if name in found.schema},
        missing=found.schema.missing,
    )
    try:
        people, _ = prepared(to_coded(population), wanted)
        whole = records(people, roles, quasi=found.names)
    except SchemaError as error:
        raise error.about("The population") from None
    reach = [
        _Reach.of(mine, theirs, found.schema.get(name))
        for name, mine, theirs in zip(found.names, found.columns, whole.columns, strict=True)
    ]
    exact = np.ones(found.n_classes, dtype=np.bool_)
    for codes, star, each in zip(found.points, found.stars, reach, strict=True):
        exact &= each.exact[codes] | (codes == star)
    made = np.zeros(found.n_classes, dtype=np.int64)
    _join(found, whole, reach, np.flatnonzero(exact), made)
    _walk(found, whole, reach, np.flatnonzero(~exact), made)
    return made


class _Reach:
    """Which values of the population each cell of a column covers.

    Per cell, ``same`` is the value that is equal to it, or the number of values where none is; of
    those that cover others, too, ``wide`` lists all that they cover.
    """

    def __init__(self, same: Ints, wide: dict[int, Ints], n_values: int) -> None:
        self.same, self.wide, self.n_values = same, wide, n_values
        self.exact = np.ones(len(same), dtype=np.bool_)
        self.exact[list(wide)] = False

    @classmethod
    def of(cls, cells: Dictionary, values: Dictionary, column: Column | None) -> _Reach:
        tree = None if column is None else column.hierarchy
        nodes = _nodes(tree) if isinstance(tree, Hierarchy) else {}
        dates = column is not None and column.kind is Kind.DATE
        read = parse_dates if dates else parse_interval
        known = {text: code for code, text in enumerate(values.values.to_list()) if text != STAR}
        rising = sorted((one.lo, code) for text, code in known.items() if (one := read(text)))
        numbers = np.array([float(number) for number, _ in rising])
        at = np.array([code for _, code in rising], dtype=np.int64)

        def below(text: str) -> Ints | None:
            """List the values below a cell that covers several; ``None`` if it is a value."""
            if (several := nodes.get(text) or parse_set(text)) is not None:
                found = [known[value] for value in several if value in known]
                return np.array(found, dtype=np.int64)
            interval = read(text)
            if interval is None or (interval.lo == interval.hi and text in known):
                return None
            low = np.searchsorted(numbers, float(interval.lo))
            side: Any = "left" if interval.open_end else "right"
            return at[low : np.searchsorted(numbers, float(interval.hi), side=side)]

        texts = cells.values.to_list()
        same = np.array([known.get(text, len(values)) for text in texts], dtype=np.int64)
        wide: dict[int, Ints] = {}
        for code, text in enumerate(texts):
            if text != STAR and (found := below(text)) is not None:
                wide[code] = np.union1d(found, same[code : code + 1][same[code] < len(values)])
        return cls(same, wide, len(values))

    def covers(self, cell: int) -> Bools:
        """Mark the values that a cell covers."""
        made = np.zeros(self.n_values + 1, dtype=np.bool_)
        made[self.wide.get(cell, self.same[cell])] = True
        made[self.n_values] = False
        return made


def _nodes(tree: Hierarchy) -> dict[str, tuple[str, ...]]:
    """List the leaves below each node that is no leaf."""
    inner = sorted(set(range(tree.n_nodes)) - set(tree.leaf_nodes.tolist()))
    return {
        tree.labels[node]: tree.leaves[tree.first_leaf[node] : tree.last_leaf[node] + 1]
        for node in inner
    }


def _join(found: Records, whole: Records, reach: list[_Reach], classes: Ints, made: Ints) -> None:
    """Count for classes of values and stars: those with stars in the same columns at once."""
    if not len(classes):
        return
    patterns, which = star_patterns(found)
    held = whole.sizes
    for number, starred in enumerate(patterns):
        mine = classes[which[classes] == number]
        columns = np.flatnonzero(~starred).tolist()
        if not len(mine):
            continue
        if not columns:
            made[mine] = whole.n_people
            continue
        codes = [
            np.concatenate([reach[j].same[found.points[j][mine]], whole.points[j]]) for j in columns
        ]
        numbers = collapse(codes, [reach[j].n_values + 1 for j in columns])
        own, of = numbers[: len(mine)], numbers[len(mine) :]
        width = int(numbers.max()) + 1
        made[mine] = np.bincount(of, held, minlength=width)[own].astype(np.int64)


def _walk(found: Records, whole: Records, reach: list[_Reach], classes: Ints, made: Ints) -> None:
    """Count for all other classes, cell by cell: classes with equal first cells share the way."""
    held = whole.sizes

    def step(j: int, mine: Ints, people: Ints) -> None:
        if j == len(reach) or not len(people):
            made[mine] = held[people].sum()
            return
        cells = found.points[j][mine]
        for cell in np.unique(cells).tolist():
            inside = people
            if cell != found.stars[j]:
                inside = people[reach[j].covers(cell)[whole.points[j][people]]]
            step(j + 1, mine[cells == cell], inside)

    if len(classes):
        step(0, classes, np.arange(whole.n_classes))
