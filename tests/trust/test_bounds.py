"""Trust 8: where published ranges end, and what is said of it (docs/trust.md)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.base.cells import parse_interval
from tests.examples import examples


def people(n: int = 63, seed: int = 7) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "longitude": rng.uniform(13.08, 13.76, n),
            "latitude": rng.uniform(52.34, 52.68, n),
            "income": rng.integers(8, 90, n) * 1000,
            "children": rng.integers(0, 4, n),
            "ill": rng.choice(["flu", "cold", "gout"], n),
        }
    )


PLACES = shoal.Schema(
    {
        "longitude": shoal.quasi(kind="numeric"),
        "latitude": shoal.quasi(kind="numeric"),
        "income": shoal.other(),
        "children": shoal.other(),
        "ill": shoal.sensitive(),
    }
)


def ends(cells: pl.Series) -> set[float]:
    made = [parse_interval(cell) for cell in cells.unique() if cell != "*"]
    return {float(end) for each in made if each is not None for end in (each.lo, each.hi)}


@pytest.mark.parametrize("method", [shoal.GAACP(seed=1), shoal.KMember(seed=1), shoal.TopDown()])
def test_nobody_s_place_is_the_end_of_a_range(method: shoal.Method, tmp_path: Path) -> None:
    frame = people()
    made = shoal.anonymize(frame, PLACES, require=[shoal.KAnonymity(5)], method=method)
    made.write(tmp_path / "out")
    table = pl.read_csv(tmp_path / "out" / "table.csv", infer_schema=False)
    for name in ("longitude", "latitude"):
        assert not ends(table[name]) & set(frame[name].to_list())
        for value in frame[name].to_list():  # nor is it anywhere else
            assert str(value) not in (tmp_path / "out" / "table.csv").read_text()


@settings(max_examples=examples(60), deadline=None)
@given(
    st.integers(12, 40).flatmap(
        lambda n: st.lists(
            st.floats(-1e9, 1e9, allow_subnormal=False).filter(lambda v: v != round(v, 3)),
            min_size=n,
            max_size=n,
        )
    )
)
def test_rounded_ranges_never_end_at_a_number_of_many_decimals(values: list[float]) -> None:
    frame = pl.DataFrame({"x": values})
    made = shoal.anonymize(
        frame, shoal.Schema({"x": shoal.quasi(kind="numeric")}), require=[shoal.KAnonymity(3)]
    )
    table = made.table.with_columns(shared=pl.col("x").str.starts_with("["))
    assert not ends(table.filter("shared")["x"]) & set(values)


@pytest.mark.parametrize("step", [1, 10, 1000, 0.5, 0.01])
def test_values_that_are_round_already_are_rounded_further(step: float) -> None:
    """A grid as fine as the values would give them all away."""
    rng = np.random.default_rng(3)
    values = [round(float(v) * step, 9) for v in rng.permutation(12)]
    frame = pl.DataFrame({"x": values})
    made = shoal.anonymize(
        frame, shoal.Schema({"x": shoal.quasi(kind="numeric")}), require=[shoal.KAnonymity(3)]
    )
    observed = shoal.anonymize(
        frame,
        shoal.Schema({"x": shoal.quasi(kind="numeric")}),
        require=[shoal.KAnonymity(3)],
        bounds="observed",
    )
    assert made.table["x"].to_list() != observed.table["x"].to_list()
    assert len(ends(made.table["x"]) & set(values)) < len(ends(observed.table["x"]))


def test_the_grid_says_nothing_of_a_removed_person() -> None:
    """A millionaire without a known sex is dropped: the others' ranges stay as they are."""
    rng = np.random.default_rng(5)
    few = pl.DataFrame({"income": rng.integers(10_000, 99_000, 60), "sex": ["m", "f"] * 30})
    rich = pl.DataFrame({"income": [9_876_543], "sex": [None]}, schema=few.schema)
    schema = shoal.Schema({"income": shoal.quasi(kind="numeric"), "sex": shoal.quasi()})
    both = []
    for frame in (few, pl.concat([few, rich])):
        made = shoal.anonymize(
            frame,
            schema,
            require=[shoal.KAnonymity(5)],
            method=shoal.GAACP(picks="first"),
            missing="drop",
            bounds="rounded",
        )
        both.append(made.table.rows())
    assert both[0] == both[1]


def test_a_value_that_a_whole_group_shares_is_published_as_it_is() -> None:
    frame = pl.DataFrame({"age": [17] * 5 + [33, 34, 35, 36, 37]})
    made = shoal.anonymize(
        frame, shoal.Schema({"age": shoal.quasi(kind="numeric")}), require=[shoal.KAnonymity(5)]
    )
    assert made.table["age"].to_list() == ["17"] * 5 + ["[32, 38]"] * 5


def test_observed_ends_that_one_record_holds_are_counted_and_said(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": [20, 20, 20, 20, 29, 40, 40, 40, 49, 49, 60, 60, 60, 60, 60]})
    made = shoal.anonymize(
        frame,
        shoal.Schema({"age": shoal.quasi(kind="numeric")}),
        require=[shoal.KAnonymity(5)],
        bounds="observed",
    )
    assert made.table["age"].unique().sort().to_list() == ["60", "[20, 29]", "[40, 49]"]
    found = made.unique_end_points
    assert found is not None
    assert (found.intervals, found.unique_ends) == (2, 1)
    assert (found.classes, found.classes_with_unique) == (3, 1)
    made.write(tmp_path / "out")
    facts = json.loads((tmp_path / "out" / "release.json").read_text())
    manifest = json.loads((tmp_path / "out.private" / "manifest.json").read_text())
    # One class is fewer than k: the count is in the private folder alone.
    assert facts["lone_ends"]["intervals"] != 0.5
    assert manifest["lone_ends"]["unique_ends"] == 1
    (said,) = [text for text in made.remarks if "only one record" in text]
    assert said in facts["remarks"]
    assert "only one record" in (tmp_path / "out" / "report.html").read_text()


def test_the_share_of_lone_ends_is_public_with_two_digits() -> None:
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"age": rng.integers(17, 90, 3000), "x": rng.integers(0, 999, 3000)})
    schema = shoal.Schema({"age": shoal.quasi(), "x": shoal.quasi()})
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(5)], bounds="observed")
    found = made.unique_end_points
    assert found is not None
    share = found.unique_ends / found.intervals
    said = made.facts()["lone_ends"]["intervals"]
    assert said == float(f"{share:.2g}")
    assert any(f"{said:.0%} of the published ranges" in text for text in made.remarks)


def test_rounded_ends_need_no_remark() -> None:
    made = shoal.anonymize(people(), PLACES, require=[shoal.KAnonymity(5)])
    assert made.unique_end_points is None
    assert "lone_ends" not in made.facts()
    assert not any("only one record" in text for text in made.remarks)


def test_lone_ends_of_people_count_people() -> None:
    """Two rows of one person at the end of a range are still one person's value."""
    frame = pl.DataFrame({"who": ["a", "b", "c", "d", "d"], "age": [20, 20, 21, 29, 29]})
    schema = shoal.Schema({"who": shoal.identifier(), "age": shoal.quasi()}, entity="who")
    made = shoal.anonymize(frame, schema, require=[shoal.KAnonymity(4)], bounds="observed")
    assert made.unique_end_points is not None
    assert made.unique_end_points.unique_ends == 1
