"""A whole number of NumPy is one wherever one is taken; a text or a truth value is none."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.base.arguments import plain
from shoal.checks.tables import SCHEMA, mixed
from shoal.errors import ParameterError, PlanError
from shoal.methods import METHODS
from shoal.models import MODELS
from shoal.risk import ATTACKS
from shoal.table import Table

FRAME = mixed(40)
TWO = np.int64(2)
ILLNESS = SCHEMA.sensitive[0]


def published(**options: Any) -> shoal.Release[pl.DataFrame]:
    return shoal.anonymize(FRAME, SCHEMA, **{"require": 2, "method": "gaa-cp", **options})


WAYS: dict[str, Callable[[], Any]] = {
    "k": lambda: published(require=shoal.KAnonymity(TWO)),
    "require": lambda: published(require=TWO),
    "a table for a requirement": lambda: published(require={"model": "k-anonymity", "k": TWO}),
    "l": lambda: published(require=[2, shoal.LDiversity(TWO, column=ILLNESS)]),
    "ls": lambda: published(require=[2, shoal.MultiLDiversity({ILLNESS: TWO})]),
    "p": lambda: published(require=shoal.PSensitiveK(TWO, TWO, column=ILLNESS)),
    "alpha": lambda: published(require=shoal.AlphaK(np.float64(0.9), TWO, column=ILLNESS)),
    "seed of a method": lambda: published(method=shoal.GAACP(seed=TWO)),
    "a table for a method": lambda: published(method={"name": "gaa-cp", "seed": TWO}),
    "seed": lambda: published(seed=TWO),
    "blocks": lambda: published(blocks=TWO),
    "steps": lambda: published(refine=shoal.Refinement(steps=TWO)),
    "looks": lambda: published(bound={"looks": np.int64(100)}),
    "weights": lambda: published(weights={SCHEMA.quasi[0]: TWO}),
}


@pytest.mark.parametrize("name", WAYS)
def test_numbers_of_numpy_are_numbers(name: str, tmp_path: Path) -> None:
    release = WAYS[name]()
    release.write(tmp_path / "release")
    assert "np." not in repr((release.plan.model_dump(), release.method, release.require))


@pytest.mark.parametrize(
    "call",
    [
        lambda: shoal.quasi(weight=TWO),
        lambda: shoal.sensitive(levels={"HIV": np.int64(1)}),
        lambda: shoal.hierarchies.Intervals(width=np.int64(10)).build(pl.Series([1, 30])),
        lambda: shoal.hierarchies.Prefixes(step=TWO).build(pl.Series(["1234", "1256"])),
        lambda: shoal.propose(FRAME, k=TWO),
        lambda: shoal.risk.negation(FRAME, SCHEMA, known=TWO),
        lambda: shoal.datasets.census(TWO, seed=TWO),
        lambda: shoal.KMap(TWO).validate(),
        lambda: shoal.MInvariance(TWO).validate(),
    ],
)
def test_numbers_of_numpy_are_taken_elsewhere(call: Callable[[], Any]) -> None:
    assert "np." not in repr(call())


def example(kind: type[shoal.models.Requirement]) -> dict[str, Any]:
    made = kind.example()
    return {name: getattr(made, name) for name in inspect.signature(kind).parameters}


@pytest.mark.parametrize("kind", MODELS.values(), ids=lambda kind: kind.__name__)
def test_every_requirement_takes_numbers_of_numpy(kind: type[shoal.models.Requirement]) -> None:
    def numpys(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: numpys(each) for key, each in value.items()}
        whole = isinstance(value, int) and not isinstance(value, bool)
        return np.int64(value) if whole else value

    made = kind(**numpys(example(kind)))
    made.validate()
    assert made == kind.example()
    assert repr(made) == repr(kind.example())


NO_SEEDS = ("7", 7.0, True, -1)


@pytest.mark.parametrize("seed", NO_SEEDS)
def test_what_is_no_whole_number_is_no_seed(seed: Any) -> None:
    for name, kind in METHODS.items():
        if kind.draws():
            with pytest.raises(ParameterError, match="seed must be a whole number"):
                kind(seed=seed).validate()
            with pytest.raises(ParameterError, match="seed must be a whole number"):
                published(method={"name": name, "seed": seed})
    for drawn in (
        lambda: shoal.datasets.census(5, seed=seed),
        lambda: shoal.datasets.missing.with_missing(FRAME, 0.1, seed=seed),
        lambda: next(shoal.measures.workload(Table.encode(FRAME, SCHEMA), seed=seed)),
        lambda: next(shoal.measures.mean_workload(Table.encode(FRAME, SCHEMA), seed=seed)),
        lambda: shoal.utility.utility(FRAME, FRAME, SCHEMA, ILLNESS, seed=seed),
    ):
        with pytest.raises(ParameterError, match="seed must be a whole number"):
            drawn()
    with pytest.raises(ParameterError, match="seed is not valid: it must be a whole number of 0"):
        published(seed=seed)
    plan = {"columns": {"age": {"role": "quasi"}}, "require": [{"model": "k-anonymity", "k": 2}]}
    with pytest.raises(PlanError, match=r"'publication\.seed' is not valid: it must be a whole"):
        shoal.Plan.from_dict({**plan, "publication": {"seed": seed}})


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_draws_from_a_whole_number(name: str) -> None:
    if "seed" in inspect.signature(ATTACKS[name]).parameters:
        with pytest.raises(ParameterError, match="seed must be a whole number of 0 or more"):
            ATTACKS[name](FRAME, SCHEMA, seed="7")


def test_what_is_no_number_stays_as_it_is() -> None:
    given = {"text": "7", "truth": True, "none": None, "list": [1, (2.5, "x")]}
    assert plain(given) == given
    assert plain(given)["truth"] is True
    assert type(plain(np.float64(0.5))) is float
