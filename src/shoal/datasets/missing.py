"""Holes in a table: missing cells added until a wanted share of cells is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.arguments import require_share, require_whole
from shoal.errors import InputError, ParameterError, a_type, did_you_mean

_TEXTS = (pl.String, pl.Categorical, pl.Enum)


def with_missing(
    table: pl.DataFrame,
    rate: float,
    seed: int,
    columns: Sequence[str] | None = None,
    depends_on: str | None = None,
    *,
    missing: Iterable[str] = ("", "*"),
) -> pl.DataFrame:
    """Add missing cells to a table until the share of missing cells is ``rate``.

    The share is the value missing rate (VMR) of Gong et al. (2013): missing cells over rows ×
    columns, those that are missing already included. Of N such cells, round(rate · N) are missing
    afterwards, to the cell; halves go to the even number. Known cells become null at random
    without replacement. The same seed gives the same table, and with the same seed the holes
    of a larger rate include those of a smaller one.

    Parameters
    ----------
    table
        A polars frame; it is left as it is. Convert others with ``pl.from_pandas`` or
        ``pl.from_arrow``.
    rate
        The wanted share, from what is missing already to 1.
    seed
        Start of the random numbers, at least 0.
    columns
        Which columns get missing cells, and over which the share is counted; all if left out,
        except ``depends_on``.
    depends_on
        If left out, every known cell is as likely as every other to be lost (missing completely at
        random). If it names a column, which gets no missing cells itself, the probability grows
        with its value (missing at random): its distinct known values, in ascending order (numbers
        by size, texts by their letters), have the weights 1, 2, …, D; a row where it is missing has
        the weight (D + 1) / 2. Cells are lost one after the other, each time one of the known cells
        with a chance in proportion to its row's weight.
    missing
        Texts that mean "missing" in columns of texts, as in a schema; nulls always do.

    Returns
    -------
    polars.DataFrame
        The same rows, columns and types.

    Raises
    ------
    InputError
        If the table is no polars frame.
    ParameterError
        If the rate is not between 0 and 1 or below the present one, a column is unknown, or
        ``depends_on`` is among the columns.

    Examples
    --------
    >>> from shoal.datasets import adult
    >>> table = adult().select("age", "sex", "workclass")
    >>> holes = with_missing(table, 0.1, seed=7)
    >>> sum(holes.null_count().row(0)), round(0.1 * 3 * holes.height)
    (14653, 14653)
    >>> older = with_missing(table, 0.1, seed=7, columns=["sex"], depends_on="age")
    >>> older.filter(older["sex"].is_null())["age"].mean() > table["age"].mean()
    True
    """
    if not isinstance(table, pl.DataFrame):
        raise InputError(
            f"The table must be a polars DataFrame, not {a_type(table)}.",
            "Convert it, for example with pl.from_pandas or pl.from_arrow.",
        )
    names = _columns(table, columns, depends_on)
    tokens = [missing] if isinstance(missing, str) else list(missing)
    known = ~np.column_stack([_absent(table[name], tokens).to_numpy() for name in names])
    add = _missing_to_add(rate, known)
    require_whole("seed", seed, 0, "Give 1, for example.")
    clock = np.random.default_rng(int(seed)).standard_exponential(known.shape)
    if depends_on is not None:
        # The first of exponential clocks to ring is drawn in proportion to their speeds.
        clock /= _weights(table[depends_on], tokens)[:, np.newaxis]
    cells = np.flatnonzero(known)
    lost = cells[np.argsort(clock.ravel()[cells], kind="stable")[:add]]
    emptied = np.zeros(known.shape, dtype=bool)
    emptied.ravel()[lost] = True
    return table.with_columns(
        pl.when(pl.Series(emptied[:, place])).then(None).otherwise(pl.col(name)).alias(name)
        for place, name in enumerate(names)
    )


def _columns(
    table: pl.DataFrame, columns: Sequence[str] | None, depends_on: str | None
) -> list[str]:
    """Give the columns that get holes, each once."""
    if isinstance(columns, str):
        raise ParameterError("columns must list names.", f"Give ['{columns}'].")
    if columns is None:
        names = [name for name in table.columns if name != depends_on]
    else:
        names = list(dict.fromkeys(columns))
    for name in (*names, *(() if depends_on is None else (depends_on,))):
        if name not in table.columns:
            raise ParameterError(
                f"The table has no column '{name}'.", did_you_mean(str(name), table.columns)
            )
    if depends_on in names:
        raise ParameterError(
            f"depends_on names '{depends_on}', which is itself to get missing cells.",
            "Leave it out of columns, or name another column.",
        )
    if not names:
        raise ParameterError(
            "No column was given to get missing cells.", "Name at least one in columns."
        )
    return names


def _absent(values: pl.Series, tokens: Sequence[str]) -> pl.Series:
    absent = values.is_null()
    if tokens and isinstance(values.dtype, _TEXTS):
        absent |= values.cast(pl.String).is_in(list(tokens)).fill_null(False)
    return absent


def _missing_to_add(rate: float, known: npt.NDArray[np.bool_]) -> int:
    """Count the cells to lose; refuses a rate that cannot be reached by losing cells."""
    require_share("rate", rate, "Give 0.1 for ten per cent.")
    present = known.size - int(known.sum())
    # The decimal number that was written: 0.15 of 10 cells is 1.5, not a little less.
    add = round(Fraction(str(float(rate))) * known.size) - present
    if add < 0:
        raise ParameterError(
            f"{present:,} of {known.size:,} cells are already missing, a rate of "
            f"{present / known.size:.6f}; {float(rate):g} is below that.",
            "Give a larger rate: the function only removes cells.",
        )
    return add


def _weights(values: pl.Series, tokens: Sequence[str]) -> npt.NDArray[Any]:
    """Rank the distinct known values 1, 2, …; missing ones stand in the middle."""
    if values.dtype == pl.Categorical:
        values = values.cast(pl.String)  # by letters, not by order of appearance
    known = pl.select(pl.when(~_absent(values, tokens)).then(values)).to_series()
    ranks = known.rank("dense")
    middle = (int(known.drop_nulls().n_unique()) + 1) / 2
    return ranks.cast(pl.Float64).fill_null(middle).to_numpy()
