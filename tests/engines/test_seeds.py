"""A seed belongs to what draws: methods that do, and the publication."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.errors import ParameterError
from shoal.methods import METHODS, Method
from shoal.table import Table

QUIET = [name for name, kind in METHODS.items() if not kind.draws()]


def files(folder: Path, method: Method, **options: Any) -> dict[str, bytes]:
    made = shoal.anonymize(
        mixed(60), SCHEMA, require=[shoal.KAnonymity(3)], method=method, **options
    )
    made.write(folder)
    return {each.name: each.read_bytes() for each in folder.glob("*.csv")}


LEVELS = {"datafly", "full-domain", "incognito", "samarati"}


def test_who_draws_is_said_by_the_fields() -> None:
    assert LEVELS | {"local-recoding", "mdav", "mondrian"} <= set(QUIET)
    drawing = "anatomy decomposition decomposition-plus ebkc gaa-cp gca k-member kaca kaim"
    assert {*drawing.split(), "leveled-gca", "micd", "top-down"} <= set(METHODS) - set(QUIET)


@pytest.mark.parametrize("name", QUIET)
def test_a_method_without_a_seed_draws_nothing(name: str) -> None:
    table = Table.encode(mixed(80), SCHEMA)
    labels = [
        METHODS[name]().group(table, [shoal.KAnonymity(3)], rng=np.random.default_rng(seed)).labels
        for seed in (1, 2)
    ]
    assert np.array_equal(*labels)


@pytest.mark.parametrize("name", QUIET)
@pytest.mark.parametrize("option", ["seed", "picks"])
def test_a_method_that_draws_nothing_has_no_seed(name: str, option: str) -> None:
    with pytest.raises(ParameterError, match=f"'{name}' has no option '{option}'.*publication"):
        shoal.methods.from_spec({"name": name, option: 7})


@pytest.mark.parametrize("form", ["generalized", "two-table"])
@pytest.mark.parametrize("method", [shoal.FullDomain(), shoal.GAACP(), shoal.GAACP(seed=1)])
def test_the_same_seed_gives_the_same_bytes(tmp_path: Path, method: Method, form: str) -> None:
    def made(name: str, seed: int) -> dict[str, bytes]:
        return files(tmp_path / name, method, publication=form, seed=seed, suppression_limit=0.5)

    one = made("one", 7)
    assert one == made("two", 7)
    assert one != made("three", 8)


def test_a_seed_of_the_publication_does_what_one_of_the_method_does(tmp_path: Path) -> None:
    one = files(tmp_path / "one", shoal.GAACP(seed=7))
    assert one == files(tmp_path / "two", shoal.GAACP(), seed=7)
    assert one != files(tmp_path / "three", shoal.GAACP(seed=7), seed=8)


def test_the_private_plan_repeats_what_a_method_that_draws_nothing_did(tmp_path: Path) -> None:
    mixed(60).write_parquet(tmp_path / "table.parquet")
    made = shoal.anonymize(
        tmp_path / "table.parquet",
        SCHEMA,
        require=[shoal.KAnonymity(3)],
        method=shoal.Datafly(suppression_limit=0.3),
        suppression_limit=0.3,
        seed=5,
    )
    made.write(tmp_path / "out")
    plan = shoal.Plan.read(tmp_path / "out.private" / "plan.toml")
    assert plan.publication.seed == 5
    again = shoal.run(plan, output=tmp_path / "again")
    assert again.table.equals(made.table)
    written = [next((tmp_path / f).glob("*.csv")).read_bytes() for f in ("out", "again")]
    assert written[0] == written[1]
