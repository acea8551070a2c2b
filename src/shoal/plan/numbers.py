"""Read the numbers of a CSV file by the signs that a plan names: 3.865,11 is 3865.11."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import polars as pl

from shoal.base.plural import counted
from shoal.errors import InputError
from shoal.io import Dialect
from shoal.io.decimals import with_point
from shoal.io.frames import Coded
from shoal.io.frames.dictionary import Dictionary
from shoal.table.schema import is_missing


def read_numbers(
    table: Coded,
    dialect: Dialect | None,
    *,
    numeric: Iterable[str],
    perhaps: Iterable[str] = (),
    missing: Callable[[str], tuple[str, ...]],
) -> tuple[Coded, tuple[str, ...]]:
    """Write numbers with a decimal point; also say in which columns.

    `dialect`: the signs in numbers; without one, nothing is changed.
    `numeric`: columns that are numbers. A cell that is none is an error.
    `perhaps`: columns that are, if all their known cells are; else they stay as they are. Only for
    drafts: of a release, the plan decides, not its cells.
    `missing`: the texts that mean missing in a column; they stay as they are, too.
    Raises `InputError` if a cell of a numeric column is no number, as these signs have it.

    Examples
    --------
    >>> given = Coded(pl.DataFrame({"pay": ["3.865,11", ""], "code": ["1.2", "1.3"]}))
    >>> table, changed = read_numbers(given, Dialect(";", "utf-8", decimal=",", thousands="."),
    ...     numeric=["pay"], perhaps=["code"], missing=lambda name: ("",))
    >>> table.frame.rows(), changed
    ([('3865.11', '1.2'), ('', '1.3')], ('pay',))
    """
    if dialect is None:
        return table, ()
    wanted = [*numeric]
    made: dict[str, Dictionary] = {}
    for name in [*wanted, *perhaps]:
        if name not in table.columns:
            continue  # who checks the roles says so
        found = table[name]
        known = ~is_missing(found.values, missing(name))
        read = with_point(found.values, dialect.decimal, dialect.thousands)
        wrong = (read.is_null() & known).to_numpy()
        if not wrong.any():
            new = read.zip_with(known, found.values)
            made[name] = found.map(lambda values, new=new: new)  # type: ignore[misc]
        elif name in wanted:
            raise _no_numbers(name, int(found.counts[wrong].sum()), dialect)
    columns: dict[str, pl.Series | Dictionary | None] = {
        name: made[name] if name in made else table.column(name) for name in table.columns
    }
    return Coded(columns, table.height), tuple(made)


def _no_numbers(name: str, cells: int, dialect: Dialect) -> InputError:
    signs = f"the decimal sign '{dialect.decimal}'"
    signs += f" and the thousands sign '{dialect.thousands}'" if dialect.thousands else ""
    return InputError(
        f"Column '{name}' is numeric, but "
        f"{counted(cells, 'cell is not a number', 'cells are not numbers')} with {signs}.",
        "Check decimal and thousands under [input], list the texts that mean missing, or make "
        "the column categorical.",
    )
