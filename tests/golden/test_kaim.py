"""Printed numbers of Gong, Yang and Luo (2013), KAIM: measures and missingness."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.measures import (
    Pair,
    generalization_loss_rate,
    iloss_rate,
    record_missing_rate,
    starred_rate,
    suppression_loss_rate,
    value_missing_rate,
)
from shoal.publications.recoding import parse
from shoal.table import Table
from shoal.table.hierarchies import Hierarchy
from shoal_papers.kaim.experiment import KaimExperiment

PATIENTS = shoal.datasets.patients(2)
AGE = {"[20,50)": {"[20,30)": ["26", "28"], "[30,40)": ["32", "36", "39"], "[40,50)": ["41", "48"]}}
SCHEMA = shoal.Schema(
    {
        "id": shoal.identifier(),
        "age": shoal.quasi(kind="numeric"),
        "gender": shoal.quasi(hierarchy=Hierarchy.flat(["M", "F"], root="Person")),
        "zipcode": shoal.quasi(kind="numeric"),
        "disease": shoal.sensitive(),
    }
)
ZIPS = {
    "[10000,25000)": {
        "[10000,15000)": ["12000", "14000"],
        "[15000,20000)": ["18000", "19000"],
        "[20000,25000)": ["21000", "22000", "24000"],
    }
}
FIGURE_1 = SCHEMA.with_column("age", hierarchy=Hierarchy.from_dict(AGE, root=None)).with_column(
    "zipcode", hierarchy=Hierarchy.from_dict(ZIPS, root=None)
)
# The cells of Table 2; rows are the complete ones of Table 1.
TABLE_2 = [
    ("[20,30)", "Person", "[15000,20000)"),
    ("[20,30)", "Person", "[15000,20000)"),
    ("[30,40)", "Person", "[20000,25000)"),
    ("[30,40)", "Person", "[20000,25000)"),
]
# Table 3, which is printed group by group; rows are those of Table 1, from 0.
TEXTS = KaimExperiment.file.tables["texts"]
SEEDS = TEXTS["seeds"]
TABLE_3_FROM = {"equation-9": TEXTS["equation_nine"], "entropy-change": TEXTS["entropy_change"]}

TABLE_3 = [
    (0, "*", "M", "[10000,15000)", "Gastric ulcer"),
    (1, "*", "M", "[10000,15000)", "Dyspepsia"),
    (2, "[20,30)", "*", "[15000,20000)", "Pneumonia"),
    (3, "[20,30)", "*", "[15000,20000)", "Bronchitis"),
    (4, "[30,40)", "M", "*", None),
    (5, "[30,40)", "M", "*", "Pneumonia"),
    (7, "*", "F", "[20000,25000)", "Gastritis"),
    (9, "*", "F", "[20000,25000)", "Flu"),
    (6, "[40,50)", "*", "*", "Flu"),
    (8, "[40,50)", "*", "*", "Pneumonia"),
]
QUASI = [
    "age",
    "sex",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
]


def published(rows: list[tuple[object, ...]]) -> tuple[pl.DataFrame, list[int]]:
    names = ["row", "age", "gender", "zipcode", "disease"]
    frame = pl.DataFrame(rows, schema=names, orient="row")
    return frame.drop("row"), frame["row"].to_list()


def beside_all(frame: pl.DataFrame, rows: list[int]) -> Pair:
    """Set a publication beside the whole table, whose range the paper divides by."""
    table = Table.encode(PATIENTS, SCHEMA)
    return Pair(table, parse(table, frame, rows))


def one(column: str, cell: str) -> float:
    """What one published cell of row 3 (26, F, 18000) costs; the others stay as they are."""
    cells = {"age": "26", "gender": "F", "zipcode": "18000"} | {column: cell}
    frame = pl.DataFrame({name: [text] for name, text in cells.items()})
    table = PATIENTS.height * 3
    return iloss_rate.of(beside_all(frame, [2])) * table - (PATIENTS.height - 1) * 3


def test_an_age_of_table_2() -> None:
    assert one("age", "[20,30)") == pytest.approx(11 / 23)
    assert round(one("age", "[20,30)"), 2) == 0.48


def test_a_gender_of_table_2() -> None:
    assert one("gender", "Person") == pytest.approx(1)
    assert one("gender", "*") == pytest.approx(1)
    assert one("gender", "F") == pytest.approx(0)


def test_k_member_gives_table_2_by_trees_alone() -> None:
    """From the complete rows, by the trees of Figure 1; by intervals both women share a class.

    By trees it costs a row the same to meet either neighbour, and the row to begin with decides.
    """
    complete = PATIENTS.drop_nulls(["age", "gender", "zipcode"])
    found = []
    for numbers in ("tree", "intervals"):
        for first in range(4):
            order = [*range(first, 4), *range(first)]
            made = shoal.anonymize(
                complete[order],
                FIGURE_1,
                require=[shoal.KAnonymity(2)],
                method=shoal.KMember(numbers=numbers, picks="first"),
            )
            shown = made.frame.select("age", "gender", "zipcode").rows()
            cells = dict(zip(order, shown, strict=True))
            if [cells[row] for row in range(4)] == TABLE_2:
                found.append((numbers, first))
    assert found == [("tree", 1), ("tree", 3)]


def test_table_3() -> None:
    frame, rows = published(TABLE_3)
    rate = iloss_rate(PATIENTS, frame, SCHEMA, rows=rows)
    assert round(rate, 6) == 0.345662
    assert round(rate * 30, 6) == 10.369857
    age, zipcode = Fraction(11, 23), Fraction(5001, 12001)
    # Age: 6 intervals and one * for a known value; gender: 3 stars for known values;
    # zip code: 6 intervals and one * for a known value. Stars for missing cells are free.
    exact = 6 * age + 1 + 3 + 6 * zipcode + 1
    assert rate * 30 == pytest.approx(float(exact), abs=1e-12)


def test_equation_9_gives_table_3() -> None:
    """With the trees of Figure 1, and always the first row as the next seed."""
    method = shoal.KAIM(distance="equation-9", picks="first")
    made = shoal.anonymize(
        PATIENTS, FIGURE_1, require=[shoal.KAnonymity(2)], method=method, bounds="observed"
    )
    groups = [np.flatnonzero(made.grouping.labels == g).tolist() for g in range(5)]
    assert groups == [[0, 1], [2, 3], [4, 5], [6, 8], [7, 9]]
    assert round(made.measures["iloss_rate"] * 30, 6) == 10.369857
    cells = {row: made.frame.row(row)[:3] for row in range(10)}
    for row, *printed, _ in TABLE_3:
        # The paper prints * for Person; intervals are spelled without a blank.
        shown = tuple(cell.replace(", ", ",").replace("Person", "*") for cell in cells[row])
        assert shown == tuple(printed)


@pytest.mark.parametrize("distance", TABLE_3_FROM)
def test_from_how_many_seeds_each_distance_gives_table_3(distance: str) -> None:
    """What the method's page and the paper's page say beside the default."""
    printed = {row: tuple(cells) for row, *cells, _ in TABLE_3}
    found = 0
    for seed in range(SEEDS):
        made = shoal.anonymize(
            PATIENTS,
            FIGURE_1,
            require=[shoal.KAnonymity(2)],
            method=shoal.KAIM(distance=distance, seed=seed),  # type: ignore[arg-type]
            bounds="observed",
        )
        shown = {
            row: tuple(cell.replace(", ", ",").replace("Person", "*") for cell in cells[:3])
            for row, cells in enumerate(made.frame.iter_rows())
        }
        found += shown == printed
    assert found == TABLE_3_FROM[distance]
    said = Path("docs/methods/kaim.md").read_text(encoding="utf-8")
    assert f"**{found} of {SEEDS}**" in said


def test_in_row_order_the_default_distance_does_not_give_table_3() -> None:
    made = shoal.anonymize(
        PATIENTS, FIGURE_1, require=[shoal.KAnonymity(2)], method=shoal.KAIM(picks="first")
    )
    assert round(made.measures["iloss_rate"], 3) == 0.454


def test_table_3_is_2_anonymous() -> None:
    frame, rows = published(TABLE_3)
    result = shoal.verify(frame, SCHEMA, [shoal.KAnonymity(2)], original=PATIENTS, rows=rows)
    assert result.reasons() == []
    assert (result.classes, result.achieved) == (5, {"k": 2})


def test_a_deleted_record_costs_its_quasi_identifiers() -> None:
    frame, rows = published(TABLE_3[:-2])
    whole, every = published(TABLE_3)
    lost = iloss_rate.of(beside_all(frame, rows)) * 30
    full = iloss_rate(PATIENTS, whole, SCHEMA, rows=every) * 30
    # The last group paid 2 intervals and one star (its other cells were missing).
    assert lost - full == pytest.approx(6 - float(2 * Fraction(11, 23) + 1))
    # Equations 6 and 7: what cells lost, and what records lost, add up.
    assert suppression_loss_rate(PATIENTS, frame, SCHEMA, rows=rows) == 2 / 10
    cells = generalization_loss_rate.of(beside_all(frame, rows)) * 30
    assert cells == pytest.approx(lost - 6)


def test_what_table_3_hid() -> None:
    frame, rows = published(TABLE_3)
    assert starred_rate(PATIENTS, frame, SCHEMA, rows=rows) == pytest.approx(5 / 30)
    hidden = starred_rate.by_column(PATIENTS, frame, SCHEMA, rows=rows)
    assert hidden == pytest.approx({"age": 0.1, "gender": 0.3, "zipcode": 0.1})


def test_ages_by_tree() -> None:
    """The tree of Figure 1 as it is drawn: leaves counted, not years."""
    schema = SCHEMA.with_column("age", kind=None, hierarchy=Hierarchy.from_dict(AGE, root=None))
    frame, rows = published(TABLE_3)
    found = iloss_rate(PATIENTS, frame, schema, rows=rows) * 30
    ages = 2 * Fraction(2, 7) + 2 * Fraction(3, 7) + 2 * Fraction(2, 7) + 1
    assert found == pytest.approx(float(ages + 3 + 6 * Fraction(5001, 12001) + 1))


def test_missingness_of_adult() -> None:
    adult = shoal.datasets.adult().select(QUASI)
    table = Table.encode(adult, shoal.Schema({name: shoal.quasi() for name in QUASI}))
    stars = adult.with_columns(pl.lit("*").alias(name) for name in QUASI)
    schema = shoal.Schema({name: shoal.quasi() for name in QUASI})
    values = value_missing_rate(adult, stars, schema)
    records = record_missing_rate(adult, stars, schema)
    assert round(100 * values, 4) == 1.6546
    assert round(100 * records, 4) == 7.4117
    assert 1 <= records / values <= 8
    assert table.missingness.incomplete == 3_620
    assert starred_rate(adult, stars, schema) == pytest.approx(1 - values)
    assert value_missing_rate.by_column(adult, stars, schema)["workclass"] == 2_799 / 48_842


def test_share_of_men_in_adult() -> None:
    assert round((shoal.datasets.adult()["sex"] == "Male").mean(), 6) == 0.668482
