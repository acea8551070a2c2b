"""The membership attack: is this person in the table at all?"""

from __future__ import annotations

from datetime import date
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arrays import Bools, Ints
from shoal.base.cells import texts
from shoal.errors import InputError, ParameterError, SchemaError
from shoal.io.frames import Coded, to_polars
from shoal.judging.risk.base import Attack, attack
from shoal.judging.risk.control import SEED
from shoal.judging.risk.sight import sight
from shoal.measures import Pair
from shoal.publications.recoding import CategoryCells, Cells, NumberCells
from shoal.table import NumericColumn, QuasiColumn
from shoal.table.numbers import to_numbers
from shoal.table.preparing import prepared
from shoal.table.schema import Role, Schema, SchemaLike, is_missing

_Values: TypeAlias = tuple[npt.NDArray[Any], Bools]
"""Numbers, or codes of values (-1 for one that nobody in the table has), and which are missing."""

MOST = 2_000
"""The number of people outside that are tried in larger tables, and as many inside."""

_AT_ONCE = 20_000_000
_EPOCH = date(1970, 1, 1).toordinal()


@attack(
    fits=lambda seen, _: seen.pair.recoded.centres is None,
    needs=("original", "outside"),
    of_column=False,
)
def membership(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    column: str | None = None,
    outside: Any = None,
    original: Any = None,
    rows: npt.ArrayLike | None = None,
    seed: int = SEED,
) -> Attack:
    """Count the people for whom it is certain that they are not in the table.

    Whoever is in the table fits a class. The finer the classes, the fewer others do, and the
    more it tells to fit one: that a person is in a table of patients is a secret, too. The result
    is private.

    Parameters
    ----------
    published, schema, outside, original, rows
        As in `sight`. ``outside`` are people of the same population who are not in the table,
        such as a part that was held out.
    column
        Nothing: it is about the publication as a whole.
    seed
        Draws a sample of people where there are more than 2,000.

    Returns
    -------
    Attack
        ``people`` are people outside who fit no class, of ``total`` outside. Its control is the
        same of people inside, who all should fit. Details: ``guessed``, how often it is guessed
        right whether a person is in the table if half of those asked about are and who fits a
        class is taken to be (0.5 is chance); ``tried``, how many outside and inside.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> original = pl.DataFrame({"age": [20, 25, 40, 45]})
    >>> published = pl.DataFrame({"age": ["[20, 25]"] * 2 + ["[40, 45]"] * 2})
    >>> schema = shoal.Schema({"age": shoal.quasi()})
    >>> others = pl.DataFrame({"age": [22, 30, 35, 44]})
    >>> attack = shoal.risk.membership(published, schema, original=original, outside=others)
    >>> attack.people, attack.control, attack.details["guessed"]  # 30 and 35 are not in it
    (2, 0.0, 0.75)

    References
    ----------
    M. E. Nergiz, M. Atzori, C. Clifton: Hiding the presence of individuals from shared databases,
    SIGMOD 2007.
    """
    seen = sight(published, schema, original=original, rows=rows, outside=outside)
    if seen.outside is None:
        raise ParameterError(
            "No people outside the table were given.",
            "Give outside: people of the same population, with the same quasi-identifiers.",
        )
    pair = seen.pair
    if pair.recoded.centres is not None:
        raise ParameterError(
            "Cells are centres of their class, so no person can match them.",
            "The membership attack needs cells that cover the values of their rows.",
        )
    rng = np.random.default_rng(seed)
    roles = {name: column for name, column in seen.schema.items() if column.role is Role.QUASI}
    wanted = Schema(roles, missing=seen.schema.missing)
    outsiders, _ = prepared(Coded(_frame(pair, seen.outside, rng)), wanted)
    out = _fits(pair, _cells_of(pair, outsiders.frame))
    own = _some(len(pair.recoded.rows), rng)
    inside = _fits(pair, [_known(each, pair.recoded.rows[own]) for each in pair.table.quasi])
    strangers = int((~out).sum())
    guessed = (float(inside.mean()) + strangers / len(out)) / 2
    return Attack(
        "membership",
        None,
        strangers / len(out),
        strangers,
        len(out),
        "a person outside matches no class, so an attacker knows that they are not in the table",
        {"guessed": guessed, "tried": [len(out), len(inside)]},
        f"; membership is guessed right for {guessed:.1%}, compared with 50.0% by chance",
        control=float((~inside).mean()),
        unit="people outside",
    )


def _some(n: int, rng: np.random.Generator) -> Ints:
    """Choose the rows to try."""
    return np.arange(n) if n <= MOST else np.sort(rng.choice(n, MOST, replace=False))


def _frame(pair: Pair, outside: Any, rng: np.random.Generator) -> pl.DataFrame:
    """Take some people outside, with their quasi-identifiers."""
    frame = to_polars(outside)
    names = [each.name for each in pair.table.quasi]
    absent = [name for name in names if name not in frame.columns]
    if absent:
        raise SchemaError(
            f"The table of people outside has no column '{absent[0]}'.",
            "It needs every quasi-identifier.",
        )
    if frame.height == 0:
        raise InputError(
            "The table of people outside is empty.", "Give people who are not in the table."
        )
    return pl.DataFrame([frame[name] for name in names])[_some(frame.height, rng)]


def _cells_of(pair: Pair, frame: pl.DataFrame) -> list[_Values]:
    """Read the cells of strangers, whose values need not occur in the table."""
    made = []
    for column in pair.table.quasi:
        given = frame[column.name]
        unknown = is_missing(given, pair.table.schema.missing_of(column.name))
        if isinstance(column, NumericColumn) and column.dates:
            values = given.dt.epoch("d").fill_null(0).cast(pl.Int64).to_numpy() + _EPOCH
        elif isinstance(column, NumericColumn):
            values = to_numbers(given, unknown).fill_null(0).to_numpy()
        else:
            leaves = column.hierarchy.leaves
            numbers = pl.Series(range(len(leaves)), dtype=pl.Int64)
            known = texts(given).set(unknown, None)
            values = known.replace_strict(
                pl.Series(leaves), numbers, default=-1, return_dtype=pl.Int64
            ).to_numpy()
        made.append((np.asarray(values), unknown.to_numpy()))
    return made


def _known(column: QuasiColumn, rows: npt.NDArray[np.intp]) -> _Values:
    """Take the cells of people inside."""
    codes = np.asarray(column.codes)[rows].astype(np.int64)
    unknown = codes == column.size
    if isinstance(column, NumericColumn):
        return np.append(column.values, 0)[codes], unknown
    return np.where(unknown, -1, codes), unknown


def _fits(pair: Pair, people: list[_Values]) -> Bools:
    """Say who fits a class in every column; a `*` fits everybody, a missing cell nothing else."""
    _, first = np.unique(pair.recoded.classes, return_index=True)
    n = len(people[0][0])
    made = np.zeros(n, dtype=np.bool_)
    step = max(1, _AT_ONCE // len(first))
    for begin in range(0, n, step):
        some = slice(begin, min(begin + step, n))
        fits = np.ones((some.stop - some.start, len(first)), dtype=np.bool_)
        for (values, unknown), cells in zip(people, pair.recoded.columns, strict=True):
            distinct, place = np.unique(values[some], return_inverse=True)
            held = _covered(cells, distinct)[place.reshape(-1)]
            held[unknown[some]] = _everything(cells)
            fits &= held[:, cells.index[first]]
        made[some] = fits.any(axis=1)
    return made


def _covered(cells: Cells, values: npt.NDArray[Any]) -> Bools:
    """Say which value fits which distinct cell."""
    if isinstance(cells, NumberCells):
        below = np.where(cells.open_end, values[:, None] < cells.hi, values[:, None] <= cells.hi)
        return np.asarray(((values[:, None] >= cells.lo) & below) | cells.star)
    value, cell = np.divmod(np.arange(len(values) * len(cells)), max(len(cells), 1))
    held = (values[value] >= 0) & cells.cover(cell, values[value])
    return np.asarray(held.reshape(len(values), len(cells)) | _everything(cells))


def _everything(cells: Cells) -> Bools:
    """Mark the distinct cells that say nothing."""
    if isinstance(cells, CategoryCells):
        listed = np.array([each is not None for each in cells.sets or [None] * len(cells)])
        return np.asarray(cells.star | ((cells.nodes == 0) & ~listed))
    return cells.star
