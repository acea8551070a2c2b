"""Full-domain search among the levels that are allowed."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import FullDomain, KAnonymity
from shoal.errors import InfeasibleError, ParameterError
from shoal.methods.lattice._losses import OBJECTIVES
from shoal.table import Table
from tests.examples import examples
from tests.methods.test_full_domain_reference import twin
from tests.tables import tables


@pytest.mark.parametrize("objective", ["loss", "height", "discernibility", "average-class-size"])
@settings(max_examples=examples(60), deadline=None)
@given(tables(), st.sampled_from([0.0, 0.05, 0.3]), st.data())
def test_the_best_of_the_nodes_that_are_allowed(
    objective: str, case: tuple[Table, int, int], limit: float, data: st.DataObject
) -> None:
    table, k, _ = case
    given_: dict[str, dict[str, int]] = {"levels": {}, "minimum": {}, "maximum": {}}
    ends = []
    for tree in table.trees:
        height = tree.hierarchy.height
        low = data.draw(st.integers(0, height))
        high = data.draw(st.integers(low, height))
        if low == high and data.draw(st.booleans()):
            given_["levels"][tree.name] = low
        else:
            given_["minimum"][tree.name], given_["maximum"][tree.name] = low, high
        ends.append((low, high))
    method = FullDomain(objective, suppression_limit=limit, **given_)  # type: ignore[arg-type]
    method.validate()
    require = [KAnonymity(max(k, 2))]
    lattice, found = method.search(table, require)
    expected = twin(table, require).best(objective, int(limit * table.n_rows), ends)
    if expected is None:
        assert found.node is None
        return
    assert found.node is not None
    assert found.optimal
    within = zip(found.node.levels, ends, strict=True)
    assert all(low <= level <= high for level, (low, high) in within)
    score = OBJECTIVES[objective].shown(found.score)
    assert score == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert lattice.evaluated <= lattice.size


FRAME = pl.DataFrame({"zip": ["10115", "10117", "10243", "20095"] * 3, "sex": list("fmfmmf") * 2})
SCHEMA = shoal.Schema(
    {"zip": shoal.quasi(hierarchy=shoal.hierarchies.Prefixes()), "sex": shoal.quasi()}
)


def test_a_node_is_published_as_it_was_named() -> None:
    for levels in ({"zip": 2, "sex": 1}, {"zip": 5, "sex": 0}):
        method = FullDomain(levels=levels)
        made = shoal.anonymize(FRAME, SCHEMA, require=2, method=method)
        assert made.grouping.levels == levels
        assert made.verification.passed
        assert made.grouping.search is not None
        assert made.grouping.search["lattice"] == made.grouping.search["looked_at"] == 1
        assert "with levels given" in method.describe()


def test_a_plan_can_say_it(tmp_path: Any) -> None:
    FRAME.write_csv(tmp_path / "table.csv")
    (tmp_path / "plan.toml").write_text(
        """
        [input]
        path = "table.csv"
        [columns.zip]
        role = "quasi"
        kind = "categorical"
        hierarchy = { builder = "prefixes" }
        [columns.sex]
        role = "quasi"
        [[require]]
        model = "k-anonymity"
        k = 2
        [method]
        name = "full-domain"
        minimum = { zip = 3 }
        maximum = { sex = 0 }
        """
    )
    plan = shoal.Plan.read(tmp_path / "plan.toml")
    made = shoal.anonymize(FRAME, plan)
    assert made.grouping.levels is not None
    assert made.grouping.levels["zip"] >= 3
    assert made.grouping.levels["sex"] == 0


def test_a_node_that_does_not_hold_is_refused() -> None:
    frame = pl.DataFrame({"zip": ["10115", "10117", "10243", "20095"], "sex": list("ffmm")})
    method = FullDomain(levels={"zip": 0, "sex": 1}, suppression_limit=0)
    with pytest.raises(InfeasibleError, match="with the levels that are allowed") as caught:
        shoal.anonymize(frame, SCHEMA, require=2, method=method)
    assert "Allow other levels, or weaken the requirements." in str(caught.value)


@pytest.mark.parametrize(
    ("given_", "said"),
    [
        ({"levels": [1]}, "levels must give a level per column"),
        ({"minimum": {"zip": -1}}, "whole number of 0 or more"),
        ({"maximum": {"zip": True}}, "whole number of 0 or more"),
        ({"maximum": {"zip": "1"}}, "whole number of 0 or more"),
        ({"levels": {"zip": 1}, "maximum": {"zip": 2}}, "levels fixes the level"),
        ({"minimum": {"zip": 2}, "maximum": {"zip": 1}}, "above its maximum"),
        ({"levels": {"zpi": 1}}, "is not a quasi-identifier. Did you mean 'zip'"),
        ({"minimum": {"zip": 9}}, "level 9 of column 'zip', which does not exist"),
    ],
)
def test_wrong_levels(given_: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        shoal.anonymize(FRAME, SCHEMA, require=2, method=FullDomain(**given_))


def test_a_column_that_is_set_aside_has_no_level() -> None:
    frame = FRAME.with_columns(sex=pl.Series([None, *FRAME["sex"][1:]]))
    method = FullDomain(levels={"sex": 0, "zip": 5})
    made = shoal.anonymize(frame, SCHEMA, require=2, method=method, missing="suppress-column")
    assert made.verification.passed
