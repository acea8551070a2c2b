"""The tiny tables that pictures are drawn from, and Shoal's answers about them."""

from __future__ import annotations

from typing import Any

import polars as pl

import shoal

__all__ = [
    "AGES_AND_ZIPS",
    "PLANE",
    "grouped",
    "patients",
    "plane",
    "published_patients",
    "released",
]

PLANE = {
    "age": [22, 25, 29, 24, 31, 58, 63, 66, 61, 44, 41, 47],
    "height": [158, 163, 155, 184, 188, 160, 166, 158, 186, 172, 178, 181],
}
"""Twelve people by age in years and height in centimetres: what everybody sees of them."""


def plane() -> pl.DataFrame:
    """Give twelve people as points in a plane."""
    return pl.DataFrame(PLANE)


def grouped(table: pl.DataFrame, method: Any, require: Any, roles: Any = None) -> list[int]:
    """Let a method group a table; gives the class of each row, −1 for a suppressed one."""
    found: list[int] = released(table, method, require, roles).grouping.labels.tolist()
    return found


def released(table: pl.DataFrame, method: Any, require: Any, roles: Any = None, **how: Any) -> Any:
    """Make a release of a tiny table; rows keep their order, and bounds are the observed ones."""
    schema = shoal.Schema(dict.fromkeys(table.columns, shoal.quasi()) if roles is None else roles)
    how = {"bounds": "observed"} | how
    return shoal.anonymize(table, schema, require=require, method=method, **how)


AGES_AND_ZIPS = {
    "age": shoal.quasi(kind="numeric", hierarchy=shoal.hierarchies.Intervals(width=10)),
    "zip": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes()),
}
"""Roles of tables with an age, in bands of ten years, and a zip code, which climbs by prefix."""


def patients() -> tuple[pl.DataFrame, shoal.Schema]:
    """Give Table 1 of Jiang et al. (2017), five patients, and what its columns are."""
    schema = shoal.Schema(
        {
            "name": shoal.identifier(),
            "age": shoal.quasi(kind="numeric"),
            "sex": shoal.quasi(),
            "zip": AGES_AND_ZIPS["zip"],
            "disease": shoal.sensitive(),
        }
    )
    return shoal.datasets.patients(1), schema


def published_patients() -> pl.DataFrame:
    """Publish the five patients with k = 2, by GAA-CP from the first row."""
    table, schema = patients()
    method = shoal.GAACP(picks="first")
    release = shoal.anonymize(table, schema, require=2, method=method, bounds="observed")
    published: pl.DataFrame = release.table
    return published
