"""What every hierarchy builder must keep."""

from __future__ import annotations

import dataclasses

import polars as pl

from shoal.checks.contract import checks_of, require
from shoal.errors import ShoalError
from shoal.table import hierarchies
from shoal.table.hierarchies import Builder, Hierarchy

COLUMNS = (
    pl.Series(["23208", "23219", "10115", None, "23208"]),
    pl.Series([3, 1, 4, 1, 5, None, 92]),
    pl.Series(["2024-02-29", "2024-03-01", "1999-12-31"]),
    pl.Series(["low", "middle", "high"]),
    pl.Series([], dtype=pl.String),
)
"""Columns of codes, numbers, dates, words, and nothing."""


def only_stores(builder: Builder) -> None:
    """It is frozen, and its plan gives it back."""
    require(type(builder).__dataclass_params__.frozen, "it is not frozen")  # type: ignore[attr-defined]
    again = hierarchies.from_spec(builder.to_spec(), known={builder.name: type(builder)})
    require(again == builder, "its plan gives another builder")


def covers_its_column(builder: Builder) -> None:
    """What it builds covers every value of the column, or it is refused in two sentences."""
    for values in COLUMNS:
        before = values.clone()
        try:
            tree = builder.build(values)
        except ShoalError as error:
            require(error.hint, "a refusal does not say what to do")
            continue
        require(isinstance(tree, Hierarchy), "it does not build a hierarchy")
        require(values.equals(before, null_equal=True), "it changes the column")
        hierarchies.check(tree, values, "checked")


def same_twice(builder: Builder) -> None:
    """It builds the same hierarchy twice, whatever the order and the number of rows."""
    for values in COLUMNS:
        try:
            one, two = builder.build(values), builder.build(values.reverse())
        except ShoalError:
            continue
        same = one.show() == two.show() and one.leaves == two.leaves
        require(same, "the order of rows changes the hierarchy")


def is_a_dataclass(builder: Builder) -> None:
    """Its options are fields, so that plans can name them."""
    require(dataclasses.is_dataclass(builder), "it is not a dataclass")
    require(builder.name, "it has no name")


BUILDER_CHECKS = checks_of(globals(), "Builder")
"""Every check of a builder; each takes it and raises `ContractError`."""
