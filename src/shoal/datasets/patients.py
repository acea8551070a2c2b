"""The small patient tables that the papers print."""

from __future__ import annotations

import polars as pl

from shoal.errors import ParameterError, did_you_mean

_NAMES = {"gaa-cp": "1", "kaim": "2", "alpha-i-k": "3", "micd": "4"}

_PAPERS: dict[str, tuple[list[str], list[tuple[int | str | None, ...]]]] = {
    "1": (
        ["name", "age", "sex", "zip", "disease"],
        [
            ("P1", 30, "male", "23208", "cold"),
            ("P2", 35, "male", "23200", "asthma"),
            ("P3", 45, "female", "23085", "gastritis"),
            ("P4", 42, "male", "23220", "hepatitis"),
            ("P5", 55, "female", "23050", "rheumatism"),
        ],
    ),
    "2": (
        ["id", "age", "gender", "zipcode", "disease"],
        [
            (1, None, "M", 12000, "Gastric ulcer"),
            (2, None, "M", 14000, "Dyspepsia"),
            (3, 26, "F", 18000, "Pneumonia"),
            (4, 28, "M", 19000, "Bronchitis"),
            (5, 32, "M", None, None),
            (6, 39, "M", 24000, "Pneumonia"),
            (7, 41, None, None, "Flu"),
            (8, 36, "F", 22000, "Gastritis"),
            (9, 48, "F", None, "Pneumonia"),
            (10, None, "F", 21000, "Flu"),
        ],
    ),
    "3": (
        ["no", "name", "job", "age", "sex", "zipcode", "disease"],
        [
            (1, "P1", "clerk", 23, "F", "13010", "Fever"),
            (2, "P2", "accountant", 25, "F", "13050", "Flu"),
            (3, "P3", "barker", 30, "M", "13020", "Viral Infection"),
            (4, "P4", "editor", 31, "F", "13040", "Flu"),
            (5, "P5", "housewife", 36, "F", "13220", "Fever"),
            (6, "P6", "manager", 39, "M", "13221", "Viral Infection"),
            (7, "P7", "dustman", 42, "M", "13226", "HIV"),
            (8, "P8", "welder", 45, "M", "13228", "Cancer"),
            (9, "P9", "prof.", 52, "F", "14850", "Cancer"),
            (10, "P10", "mechanic", 53, "M", "14862", "Fever"),
            (11, "P11", "manager", 61, "M", "14802", "HIV"),
            (12, "P12", "prof.", 64, "M", "14800", "Heart Disease"),
        ],
    ),
    "4": (
        ["name", "age", "gender", "zipcode", "disease", "salary"],
        [
            ("P1", 24, "F", "13000", "Flu", 1500),
            ("P2", 25, "F", "13009", "Cancer", 4000),
            ("P3", 27, "M", "16000", "HIV", 2500),
            ("P4", 29, "F", "16001", "Gastritis", 3000),
            ("P5", 30, "F", "16004", "H1N1", 5000),
        ],
    ),
}
"""The columns and the rows of each table, by the number of the paper."""


def patients(paper: int | str) -> pl.DataFrame:
    """Give the worked example of a paper: a patient table of 5 to 12 rows.

    ========= ===========  ==== ==========================================================
    paper     source       rows columns
    ========= ===========  ==== ==========================================================
    1 gaa-cp  Table 1      5    name, age, sex, zip, disease
    2 kaim    Table 1      10   id, age, gender, zipcode, disease; ``*`` cells are null
    3 alpha…  Table 1      12   no, name, job, age, sex, zipcode, disease
    4 micd    Tables 1, 3  5    name, age, gender, zipcode, disease, salary
    ========= ===========  ==== ==========================================================

    Changes: names are ``P1``, ``P2``, …; ``gaa-cp`` is translated; "wleder" of
    ``alpha-i-k`` is "welder". Zip codes are text, except in ``kaim``, whose Figure 1 cuts them
    into number ranges. ``micd`` prints the salaries only in Table 3, and there gives the last
    patient another disease; the disease of Table 1 is kept. ``mi-loss`` has no such table.

    Parameters
    ----------
    paper
        Its number, ``1`` to ``4``, or its name: ``"gaa-cp"``, ``"kaim"``, ``"alpha-i-k"``,
        ``"micd"``.

    Returns
    -------
    polars.DataFrame
        Numbers are ``Int64``, texts ``String``.

    Raises
    ------
    ParameterError
        If the paper is unknown or has no patient table.

    Examples
    --------
    >>> patients(1)["disease"].to_list()
    ['cold', 'asthma', 'gastritis', 'hepatitis', 'rheumatism']
    >>> patients("kaim").null_count().row(0)
    (0, 3, 1, 3, 1)
    """
    number = _NAMES.get(str(paper), str(paper))
    if number not in _PAPERS:
        raise ParameterError(
            f"Paper '{paper}' has no patient table.", did_you_mean(str(paper), [*_PAPERS, *_NAMES])
        )
    columns, rows = _PAPERS[number]
    return pl.DataFrame(rows, schema=columns, orient="row", infer_schema_length=None)
