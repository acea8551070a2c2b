"""Arguments of the wrong kind end in an error of ours that says what is wrong and what to do."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import measures
from shoal.checks.tables import SCHEMA, mixed
from shoal.errors import ShoalError
from shoal.methods import METHODS
from shoal.models import MODELS
from shoal.table import Table
from shoal.table.hierarchies import BUILDERS, Hierarchy

WRONG: dict[str, Any] = {
    "none": None,
    "negative": -1,
    "whole": 3,
    "half": 1.5,
    "nan": float("nan"),
    "infinite": float("inf"),
    "true": True,
    "text": "x",
    "bytes": b"x",
    "list": [],
    "numbers": [1],
    "mapping": {"a": "b"},
    "of numbers": {1: 2},
    "array": np.array([1, 2]),
    "object": object(),
}

TREE = Hierarchy.flat(["a", "b"])
FRAME = mixed(20)
TABLE = Table.encode(FRAME, SCHEMA)
PAIR = measures.pair(FRAME, FRAME, SCHEMA)
FILE = str(Path(__file__).with_name("no such file.csv"))


def _methods() -> Iterator[tuple[str, Callable[[Any], Any]]]:
    for name, kind in METHODS.items():
        for field in dataclasses.fields(kind):  # type: ignore[arg-type]
            yield f"{name}: {field.name}", _validated(kind(), field.name)


def _models() -> Iterator[tuple[str, Callable[[Any], Any]]]:
    for name, kind in MODELS.items():
        for field in dataclasses.fields(kind):  # type: ignore[arg-type]
            if field.init:
                yield f"{name}: {field.name}", _validated(kind.example(), field.name)


def _validated(thing: Any, field: str) -> Callable[[Any], Any]:
    def make(wrong: Any) -> None:
        made = dataclasses.replace(thing, **{field: wrong})
        made.validate()
        made.describe()
        made.to_spec()

    return make


def _builders() -> Iterator[tuple[str, Callable[[Any], Any]]]:
    for name, kind in BUILDERS.items():
        given = {"path": FILE} if name == "csv" else {}

        def build(wrong: Any, kind: Any = kind, given: Any = given) -> None:
            kind(**given).build(wrong)

        yield f"{name}: build", build
        for field in dataclasses.fields(kind):

            def option(wrong: Any, kind: Any = kind, given: Any = given, f: Any = field) -> None:
                kind(**{**given, f.name: wrong}).build(pl.Series(["1", "2", "30"]))

            yield f"{name}: {field.name}", option


def _encoded(column: shoal.table.schema.Column) -> None:
    frame = pl.DataFrame({"a": ["u", "v"], "b": [1, 2]})
    Table.encode(frame, shoal.Schema({"a": column, "b": shoal.quasi()}))


CALLS: dict[str, Callable[[Any], Any]] = {
    **dict(_methods()),
    **dict(_models()),
    **dict(_builders()),
    "methods.from_spec": shoal.methods.from_spec,
    "models.from_spec": shoal.models.from_spec,
    "hierarchies.from_spec": shoal.hierarchies.from_spec,
    "Hierarchy labels": lambda x: Hierarchy(x, [-1]),
    "Hierarchy parents": lambda x: Hierarchy(["a"], x),
    "Hierarchy parent": lambda x: Hierarchy(["a", "b"], [x, -1]),
    "from_paths": Hierarchy.from_paths,
    "from_parents": Hierarchy.from_parents,
    "from_dict": Hierarchy.from_dict,
    "from_dict root": lambda x: Hierarchy.from_dict({"a": ["b"]}, root=x),
    "from_json": Hierarchy.from_json,
    "from_csv": Hierarchy.from_csv,
    "from_csv encoding": lambda x: Hierarchy.from_csv(__file__, encoding=x),
    "from_csv separator": lambda x: Hierarchy.from_csv(__file__, separator=x),
    "flat": Hierarchy.flat,
    "flat root": lambda x: Hierarchy.flat(["a"], root=x),
    "to_csv separator": lambda x: TREE.to_csv(FILE + "/x", x),
    **{
        name: getattr(TREE, name)
        for name in ("uncovered", "covers", "codes", "node", "nodes", "level_labels", "show")
    },
    "at_level": TREE.at_level,
    "lca": lambda x: TREE.lca(x, 0),
    "lca_of_codes": lambda x: TREE.lca_of_codes(x, 0),
    "covers_code": lambda x: TREE.covers_code(x, 0),
    "Schema": shoal.Schema,
    "Schema column": lambda x: shoal.Schema({"a": x}),
    "Schema missing": lambda x: shoal.Schema({"a": shoal.quasi()}, missing=x),
    "Schema entity": lambda x: shoal.Schema({"a": "quasi"}, entity=x).require_roles(["a"]),
    "with_column": lambda x: SCHEMA.with_column(x, weight=2.0),
    "missing_of": SCHEMA.missing_of,
    **{
        f"quasi {name}": lambda x, name=name: _encoded(shoal.quasi(**{name: x}))
        for name in ("kind", "hierarchy", "weight", "missing")
    },
    **{
        f"sensitive {name}": lambda x, name=name: _encoded(shoal.sensitive(**{name: x}))
        for name in ("levels", "degrees", "hierarchy", "missing")
    },
    "Table.encode schema": lambda x: Table.encode(FRAME, x),
    "pair schema": lambda x: measures.pair(FRAME, FRAME, x),
    "Table.encode": lambda x: Table.encode(x, SCHEMA),
    "pair original": lambda x: measures.pair(x, FRAME, SCHEMA),
    "pair published": lambda x: measures.pair(FRAME, x, SCHEMA),
    **{
        f"pair {name}": lambda x, name=name: measures.pair(FRAME, FRAME, SCHEMA, **{name: x})
        for name in ("rows", "groups", "values")
    },
    "measure of": measures.iloss.of,
    "measure applies": measures.iloss.applies,
    "by_column": lambda x: measures.iloss.by_column(x, x, SCHEMA),
    "by_column_of": measures.iloss.by_column_of,
    "measure_all": measures.measure_all,
    "summary": measures.summary,
    "weights table": lambda x: measures.weights(x, ["age"]),
    "weights columns": lambda x: measures.weights(FRAME, x),
    "weights kind": lambda x: measures.weights(FRAME, ["age"], x),
    "weights label": lambda x: measures.weights(FRAME, ["age"], "mutual-information", x),
    "mutual_information_loss label": lambda x: measures.mutual_information_loss(
        FRAME, FRAME, SCHEMA, label=x
    ),
    "workload table": lambda x: list(measures.workload(x)),
    **{
        f"workload {name}": lambda x, name=name: list(measures.workload(TABLE, **{name: x}))
        for name in ("queries", "columns", "secrets", "selectivity", "seed")
    },
    "average_query_error": measures.average_query_error,
    "cells_by_outcome": measures.cells_by_outcome,
    "group_sizes": measures.group_sizes,
    "highly_sensitive": measures.highly_sensitive,
    "vulnerable_share": measures.vulnerable_share,
    "vulnerable_share share": lambda x: measures.vulnerable_share(PAIR, share=x),
    "mean_sensitivity_distance": measures.mean_sensitivity_distance,
}


@pytest.mark.parametrize("call", CALLS)
def test_a_wrong_argument_is_refused_in_two_sentences(call: str) -> None:
    said = {kind: _problem(CALLS[call], wrong) for kind, wrong in WRONG.items()}
    assert {kind: text for kind, text in said.items() if text} == {}


def _problem(call: Callable[[Any], Any], wrong: Any) -> str:
    """Say what is wrong with a refusal, if there is one."""
    try:
        call(wrong)
    except ShoalError as error:
        return "" if error.problem.endswith(".") and error.hint else f"no two sentences: {error}"
    except Exception as error:
        return repr(error)
    return ""


@pytest.mark.parametrize("name", measures.MEASURES)
def test_a_measure_of_no_tables_is_refused(name: str) -> None:
    with pytest.raises(ShoalError, match=r"\. \w"):
        measures.MEASURES[name](1, 2, 3)  # type: ignore[arg-type]


def test_a_measure_shows_itself_in_a_line() -> None:
    assert repr(measures.iloss) == "Measure(iloss, lower is better)"


@pytest.mark.parametrize(
    "call",
    [
        lambda: shoal.KAnonymity(),  # type: ignore[call-arg]
        lambda: shoal.KAnonymity(3, 4),  # type: ignore[call-arg]
        lambda: shoal.KAnonymity(3, k=4),  # type: ignore[misc]
        lambda: shoal.GAACP(sead=3),  # type: ignore[call-arg]
        lambda: shoal.hierarchies.Prefixes(stepp=2),  # type: ignore[call-arg]
        lambda: shoal.publications.TwoTable(quasi="exact"),  # type: ignore[call-arg]
        lambda: shoal.Plan(),  # type: ignore[call-arg]
        lambda: shoal.Plan(columns={}, require=[]),
    ],
)
def test_options_that_lack_or_are_unknown_are_named(call: Callable[[], object]) -> None:
    with pytest.raises(ShoalError) as caught:
        call()
    assert caught.value.hint
