"""Blocks go with every requirement that may be asked of them, by every method, rows or people."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed, with_wishes
from shoal.methods import METHODS
from shoal.models import MODELS, AlphaK, Requirement
from shoal.plan.compatibility import Combination, refusals
from shoal.publications import FORMS
from shoal.table import Table
from shoal.table.schema import Role, Schema

NAMES = [name for name, each in METHODS.items() if each.in_blocks]


def asked(method: Any, two: bool) -> list[Requirement]:
    """List what a method may be asked for in blocks."""
    made: list[Requirement] = [kind.example() for kind in MODELS.values()]
    made += [AlphaK(0.2, 2), shoal.LDiversity(5, "entropy"), shoal.LDiversity(3, "recursive", c=1)]
    form = FORMS[method.publication]()
    made = [each for each in made if "population" not in each.needs]
    made = [each for each in made if not refusals(Combination(method, (each,), form, blocks=True))]
    if not two:
        return made
    return [
        replace(each, column="illness")  # type: ignore[type-var]
        if any(field.name == "column" for field in fields(each))  # type: ignore[arg-type]
        and getattr(each, "column", "") is None
        else each
        for each in made
    ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("entity", "two"), [(None, False), ("id", True)], ids=["rows", "people"])
def test_blocks_hold_every_requirement(name: str, entity: str | None, two: bool) -> None:
    frame = mixed(72, missing=0.1).with_columns(
        id=pl.int_range(72) // (2 if entity else 1), note=pl.col("note").cast(pl.String)
    )
    schema = SCHEMA.with_column("note", role=Role.SENSITIVE) if two else SCHEMA
    method = METHODS[name]()
    quick: dict[str, Any] = {"refine": {"times": 0}, "bound": {"times": 0}}
    how = {"blocks": 3, "suppression_limit": 0.6, **(quick if name == "auto" else {})}
    for need in asked(method, two):
        rows, own = with_wishes(frame, Schema(dict(schema), entity=entity), [need])
        made = shoal.anonymize(rows, own, require=[need], method=method, seed=1, **how)
        assert made.verification.passed


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("entity", [None, "id"])
def test_the_surplus_is_left_out_before_blocks_are_cut(name: str, entity: str | None) -> None:
    if (name, entity) == ("auto", "id"):
        pytest.xfail("auto depends on the order of rows where people have several")
    frame = mixed(120).with_columns(
        id=pl.int_range(120) // (2 if entity else 1),
        illness=pl.Series((["i0"] * 5 + ["i1", "i2", "i3"]) * 15),
    )
    schema = Schema(dict(SCHEMA), entity=entity)
    how: dict[str, Any] = {"require": [AlphaK("3/5", 2)], "blocks": 3, "suppression_limit": 0.4}
    made = shoal.anonymize(frame, schema, method=name, seed=1, **how)
    assert 0 < made.n_suppressed <= 48
    order = np.random.default_rng(7).permutation(120)
    again = shoal.anonymize(frame[order], schema, method=name, seed=1, **how)
    shown = made.frame.sort(made.frame.columns)
    assert again.frame.sort(again.frame.columns).equals(shown)


@pytest.mark.parametrize("entity", [None, "id"])
def test_a_part_of_a_part_knows_its_values_and_people(entity: str | None) -> None:
    frame = mixed(30).with_columns(id=pl.int_range(30) // 3)
    table = Table.encode(frame, Schema(dict(SCHEMA), entity=entity))
    some = np.array([7, 3, 21, 4, 5])
    direct = table.select(some)
    left_behind = table.select(np.arange(30), ranges="whole").select(some)
    for made in (left_behind, table.select(np.arange(30)).select(some)):
        for name, column in direct.sensitive.items():
            assert made.sensitive[name].labels == column.labels
            assert made.sensitive[name].codes.tolist() == column.codes.tolist()
        if direct.people is None:
            assert made.people is None
        else:
            assert made.people is not None
            assert made.people.tolist() == direct.people.tolist()
