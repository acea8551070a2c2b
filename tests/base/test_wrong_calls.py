"""A wrong argument is answered by an error of Shoal, in two sentences: never by a TypeError."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import shoal
from shoal.errors import ShoalError

FRAME = shoal.datasets.patients(1)
LISTS: dict[str, Any] = {
    "quasi": ["age", "sex", "zip"],
    "sensitive": ["disease"],
    "drop": ["name"],
}
SCHEMA = shoal.Schema(
    {"name": "identifier", "age": "quasi", "sex": "quasi", "zip": "quasi", "disease": "sensitive"}
)
PUBLISHED = FRAME.select(
    age=pl.lit("*"), sex=pl.lit("*"), zip=pl.lit("*"), disease=pl.col("disease")
)


def call(data: Any = FRAME, plan: Any = None, **options: Any) -> Callable[[], object]:
    return lambda: shoal.anonymize(data, plan, **options)


def listed(**options: Any) -> Callable[[], object]:
    return call(**{"k": 2, **LISTS, **options})


def release() -> shoal.Release:
    return shoal.anonymize(FRAME, k=2, **LISTS)


CALLS: dict[str, Callable[[], object]] = {
    "no table": call(None),
    "a number for a table": call(3),
    "bytes for a table": call(b"x"),
    "a dict for a table": call({"age": [1]}),
    "a series for a table": call(FRAME["age"]),
    "no file": call("there-is-no-such-file.csv", k=2, **LISTS),
    "no roles": call(),
    "a number for roles": call(plan=3),
    "a text for roles": call(plan="plan.toml"),
    "pairs for roles": call(plan=[("age", "quasi")], k=2),
    "a number for a role": call(plan={"age": 3}, k=2),
    "a number for a name": call(plan={3: "quasi"}, k=2),
    "a role that is not one": call(plan={"age": "qasi"}, k=2),
    "a table without a role": call(plan={"age": {"kind": "numeric"}}, k=2),
    "no roles in a dict": call(plan={}, k=2),
    "a text for k": listed(k="x"),
    "a truth value for k": listed(k=True),
    "half a person": listed(k=2.5),
    "one column": listed(quasi="age"),
    "numbers for names": listed(quasi=[1]),
    "a number for names": listed(quasi=3),
    "a set of names": listed(quasi={"age", "sex", "zip"}),
    "no kind": listed(quasi={"age": {"kind": 3}}),
    "no weight": listed(quasi={"age": {"weight": "x"}}),
    "no missing texts": listed(quasi={"age": {"missing": 3}}),
    "no hierarchy": listed(quasi={"age": {"hierarchy": 3}}),
    "no levels": listed(sensitive={"disease": {"levels": 3}}),
    "no degrees": listed(sensitive={"disease": {"degrees": 3}}),
    "no entity": listed(entity=3),
    "nothing required": listed(k=None),
    "an empty list": listed(k=None, require=[]),
    "a text for a requirement": listed(require="x"),
    "a truth value for a requirement": listed(require=True),
    "nothing for a requirement": listed(require=[None]),
    "a class for a requirement": listed(require=shoal.KAnonymity),
    "no such model": listed(require={"model": "x"}),
    "a table without a model": listed(require={"k": 2}),
    "alpha": listed(require=shoal.AlphaK("x", 2)),
    "alphas": listed(require=shoal.LeveledAlphaK(None, 3, 2)),  # type: ignore[arg-type]
    "l": listed(require=shoal.LDiversity("x")),  # type: ignore[arg-type]
    "ls": listed(require=shoal.MultiLDiversity(3)),  # type: ignore[arg-type]
    "t": listed(require=shoal.TCloseness("x")),
    "a number for a method": listed(method=3),
    "a class for a method": listed(method=shoal.KACA),
    "no such method": listed(method="kacca"),
    "a table without a name": listed(method={}),
    "seed": listed(method={"name": "kaim", "seed": "x"}),
    "publication": listed(publication=3),
    "quasi_cells": listed(quasi_cells=3),
    "bounds": listed(bounds="x"),
    "missing": listed(missing="x"),
    "suppression_limit": listed(suppression_limit="x"),
    "weights": listed(weights=3),
    "weights of names": listed(weights={1: 2}),
    "weights of texts": listed(weights={"age": "x"}),
    "label": listed(weights="mutual-information", label=3),
    "progress": listed(progress=3),
    "verify numbers": lambda: shoal.verify(1, 2, 3),  # type: ignore[arg-type]
    "verify nothing": lambda: shoal.verify(None, None, None),  # type: ignore[arg-type]
    "verify a number": lambda: shoal.verify(1, SCHEMA, 2),
    "verify by nothing": lambda: shoal.verify(PUBLISHED, SCHEMA, None),  # type: ignore[arg-type]
    "verify against a number": lambda: shoal.verify(PUBLISHED, SCHEMA, 2, original=3),
    "verify rows": lambda: shoal.verify(PUBLISHED, SCHEMA, 2, original=FRAME, rows="x"),
    "verify odd tables": lambda: shoal.verify({1: 2}, SCHEMA, 2),
    "propose a number": lambda: shoal.propose(3),  # type: ignore[arg-type]
    "propose nothing": lambda: shoal.propose(None),  # type: ignore[arg-type]
    "propose no file": lambda: shoal.propose("there-is-no-such-file.csv"),
    "propose a text for k": lambda: shoal.propose(FRAME, k="x"),  # type: ignore[arg-type]
    "propose a truth value": lambda: shoal.propose(FRAME, k=True),
    "propose missing": lambda: shoal.propose(FRAME, missing=3),  # type: ignore[arg-type]
    "propose missing numbers": lambda: shoal.propose(FRAME, missing=[3]),  # type: ignore[list-item]
    "propose to a number": lambda: shoal.propose(FRAME).write(3),  # type: ignore[arg-type]
    "propose no rows": lambda: shoal.propose(FRAME.head(0)),
    "read a number": lambda: shoal.Plan.read(3),  # type: ignore[arg-type]
    "read nothing": lambda: shoal.Plan.read(None),  # type: ignore[arg-type]
    "plan of a number": lambda: shoal.Plan.from_dict(3),  # type: ignore[arg-type]
    "plan of nothing": lambda: shoal.Plan.from_dict(None),  # type: ignore[arg-type]
    "plan of a text": lambda: shoal.Plan.from_dict("x"),  # type: ignore[arg-type]
    "plan of no columns": lambda: shoal.Plan.from_dict({"columns": 3}),
    "run a text": lambda: shoal.run("plan.toml"),  # type: ignore[arg-type]
    "run nothing": lambda: shoal.run(None),  # type: ignore[arg-type]
    "run a number": lambda: shoal.run(release().plan, data=3, output="out"),
    "run to a number": lambda: shoal.run(release().plan, data=FRAME, output=3),  # type: ignore[arg-type]
    "write to a number": lambda: release().write(3),  # type: ignore[arg-type]
    "write to nothing": lambda: release().write(None),  # type: ignore[arg-type]
    "write a format": lambda: release().write("out", format=3),  # type: ignore[arg-type]
    "schema of a number": lambda: shoal.Schema(3),  # type: ignore[arg-type]
    "schema of missing": lambda: shoal.Schema({}, missing=3),  # type: ignore[arg-type]
    "a truth value for a weight": lambda: shoal.quasi(weight=True),
    "attacks on a number": lambda: shoal.risk.attacks(3),
    "attacks by a number": lambda: shoal.risk.attacks(PUBLISHED, 3),  # type: ignore[arg-type]
    "attacks by a text": lambda: shoal.risk.attacks(PUBLISHED, SCHEMA, require="x"),  # type: ignore[arg-type]
    "attacks on no column": lambda: shoal.risk.homogeneity(PUBLISHED, SCHEMA, column=3),  # type: ignore[arg-type]
    "measure numbers": lambda: shoal.measures.iloss_rate(1, 2, 3),  # type: ignore[arg-type]
    "weights of a number": lambda: shoal.measures.weights(FRAME, 3),  # type: ignore[arg-type]
    "count a number": lambda: shoal.query.count(release(), 3),  # type: ignore[arg-type]
    "count an object": lambda: shoal.query.count(release(), {"age": object()}),
    "count a nameless column": lambda: shoal.query.count(release(), {3: 4}),  # type: ignore[dict-item]
    "learn a number": lambda: shoal.utility.utility(FRAME, release(), SCHEMA, 3),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_is_answered(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ShoalError) as caught:
        CALLS[name]()
    assert caught.value.problem.endswith(".")
    assert caught.value.hint.endswith((".", "?"))
    assert not list(tmp_path.iterdir())
