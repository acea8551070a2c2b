"""The end point attack: a range ends at a value that one person holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arrays import Bools, Ints
from shoal.judging.risk.base import Attack, attack
from shoal.judging.risk.control import SEED, redrawn
from shoal.judging.risk.sight import Sight, sight
from shoal.measures import Pair
from shoal.publications.recoding import NumberCells
from shoal.table import NumericColumn
from shoal.table.schema import SchemaLike


@attack(fits=lambda seen, _: not seen.pair.recoded.exact, needs=("original",), of_column=False)
def end_points(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    column: str | None = None,
    original: Any = None,
    rows: npt.ArrayLike | None = None,
    seed: int = SEED,
) -> Attack:
    """Count the people whose exact number a published range ends at, and who alone hold it.

    With ``bounds = "observed"`` a range ends at the least and the largest number of its class:
    exact values of real people. An attacker who knows that a person is the oldest of a class reads
    the age. It is for adversaries who do not know the numbers yet. The result is private.

    Parameters
    ----------
    published, schema, original, rows
        As in `sight`.
    column
        Nothing: it is about all quasi-identifiers that are numbers.
    seed
        Draws the control.

    Returns
    -------
    Attack
        Its control draws each number anew from all numbers that its range covers: so often
        an end is somebody's number by chance. Details: ``values``, how many exact numbers are
        given away; ``ends`` and ``singles``, how many ends of ranges there are, and how many of
        them one person alone holds.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> original = pl.DataFrame({"age": [20, 25, 29, 40, 40]})
    >>> published = pl.DataFrame({"age": ["[20, 29]"] * 3 + ["40"] * 2})
    >>> schema = shoal.Schema({"age": shoal.quasi()})
    >>> attack = shoal.risk.end_points(published, schema, original=original)
    >>> attack.people, attack.details
    (2, {'values': 2, 'ends': 2, 'lone': 2})
    """
    seen = sight(published, schema, original=original, rows=rows)
    exposed, ends, singles = _given_away(seen, seen.pair)
    by_chance, *_ = _given_away(seen, seen.pair, np.random.default_rng(seed))
    hits = (np.asarray(each.any(axis=0)) for each in (exposed, by_chance))
    people, chance = map(seen.people_of, hits)
    meaning = "a range ends at the person's exact number, which no other person in the class has"
    details = {"values": int(exposed.sum()), "ends": ends, "lone": singles}
    return Attack.counted("end_points", None, people, chance, seen.n_people, meaning, details)


def _given_away(
    seen: Sight, pair: Pair, rng: np.random.Generator | None = None
) -> tuple[Bools, int, int]:
    """Mark the cells at lone ends, by column and row; also count ends, and lone ones."""
    places = pair.recoded.rows
    classes = pair.sensitive_classes
    made, ends, singles = [np.zeros(len(places), dtype=np.bool_)], 0, 0
    for column, cells in zip(pair.table.quasi, pair.recoded.columns, strict=True):
        if not isinstance(column, NumericColumn) or not isinstance(cells, NumberCells):
            continue
        codes = np.asarray(column.codes)[places].astype(np.int64)
        known = codes < column.size
        if rng is not None:
            codes = redrawn(column, cells, codes, rng)
        values = np.append(column.values, 0)[codes]
        wide = (~cells.star & (cells.lo != cells.hi))[cells.index] & known
        hit = np.zeros(len(places), dtype=np.bool_)
        for end in (cells.lo, cells.hi):
            at_end = wide & (values == end[cells.index])
            alone = _holders(seen, classes, at_end) == 1
            hit |= at_end & alone[classes]
            singles += int(alone.sum())
            ends += len(np.unique(classes[wide]))
        made.append(hit)
    return np.stack(made), ends, singles


def _holders(seen: Sight, classes: Ints, marked: Bools) -> Ints:
    """Count the people with a marked row, per class."""
    found = classes[marked]
    if seen.people is not None:
        found = np.unique(np.stack([found, seen.people[marked]]), axis=1)[0]
    return np.bincount(found, minlength=int(classes.max(initial=-1)) + 1).astype(np.int64)
