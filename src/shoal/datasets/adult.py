"""UCI Adult, the table most of the papers measure on."""

from __future__ import annotations

import polars as pl

from shoal.datasets.files import DATA


def adult(complete: bool = False) -> pl.DataFrame:
    """UCI Adult ("Census Income"), 48,842 rows and 15 columns, in the original order.

    The train part is the first 32,561 rows, the test part the rest. Cells that are ``?``
    in the original are null: workclass and occupation together, and native-country.
    For another number of rows take ``census``.

    Parameters
    ----------
    complete
        Keep only the 45,222 rows without a missing cell, as the papers of GAA-CP and MICD do.

    Returns
    -------
    polars.DataFrame
        Numbers are ``Int64``, texts ``String``.

    References
    ----------
    B. Becker and R. Kohavi, Adult, UCI Machine Learning Repository, 1996,
    DOI 10.24432/C5XW20, licence CC BY 4.0.

    Examples
    --------
    >>> adult().shape, adult(complete=True).height
    ((48842, 15), 45222)
    >>> adult()["age"].head(3).to_list()
    [39, 50, 38]
    """
    table = pl.read_parquet(DATA / "adult.parquet")
    return table.drop_nulls() if complete else table
