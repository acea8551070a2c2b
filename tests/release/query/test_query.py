"""What a reader can do: join two tables, and ask how many."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.errors import InputError, ParameterError, SchemaError
from shoal.release.query import columns, count, join, read_where, true_count
from shoal.table.hierarchies import Hierarchy, Prefixes

QUASI = pl.DataFrame({"age": [30, 41, 50, 62], "sex": ["f", "m", "*", "m"], "class": [1, 1, 2, 2]})
SENSITIVE = pl.DataFrame({"class": [2, 2, 1, 1], "ill": ["flu", "flu", "HIV", "flu"]})
TABLES = {"quasi": QUASI, "sensitive": SENSITIVE}


def release(**options: object) -> shoal.Release:
    return shoal.anonymize(
        mixed(80, missing=0.1),
        SCHEMA,
        require=[shoal.KAnonymity(4)],
        method=shoal.GAACP(seed=1),
        **options,  # type: ignore[arg-type]
    )


def test_a_join_gives_every_value_of_the_class() -> None:
    made = join(TABLES)
    assert made.columns == ["age", "sex", "class", "ill", "probability"]
    assert made.filter(age=30).rows() == [
        (30, "f", 1, "HIV", 0.5),
        (30, "f", 1, "flu", 0.5),
    ]
    assert made.filter(age=62).rows() == [(62, "m", 2, "flu", 1.0)]


def test_a_join_keeps_the_frame_type_and_adds_up() -> None:
    made = join({name: pd.DataFrame(t.to_dict(as_series=False)) for name, t in TABLES.items()})
    assert isinstance(made, pd.DataFrame)
    for form in (
        {},
        {"publication": "two-table"},
        {"publication": "two-table", "sensitive_cells": "counts"},
    ):
        made = join(release(**form))
        assert made["probability"].sum() == pytest.approx(80)
        shares = made.group_by("illness").agg(pl.col("probability").sum())
        true = dict(mixed(80)["illness"].value_counts().iter_rows())
        assert dict(shares.iter_rows()) == pytest.approx(true)


def test_names_that_are_taken_stay_as_they_are() -> None:
    odd = {"quasi": QUASI.rename({"age": "probability"}), "sensitive": SENSITIVE}
    assert join(odd).columns[-1] == "probability_1"


def test_counting_in_two_tables() -> None:
    assert count(TABLES, {}) == 4
    assert count(TABLES, {"ill": "flu"}) == 3
    assert count(TABLES, {"age": (40, 62), "ill": "flu"}) == 2.5
    assert count(TABLES, {"sex": "m"}) == 2  # the * is a missing cell
    assert count(TABLES, {"sex": {"m", "f"}, "ill": ["HIV", "flu"]}) == 3
    assert count(TABLES, {"age": [30, 50], "ill": "HIV"}) == 0.5
    assert count(TABLES, {"ill": "nobody has it"}) == 0


def test_counts_and_rows_tell_the_same() -> None:
    where = {"age": (30, 60), "illness": "i1"}
    rows = release(publication="two-table")
    counts = release(publication="two-table", sensitive_cells="counts")
    assert count(rows, where) == pytest.approx(count(counts, where))
    tables = {name: table.sample(fraction=1, shuffle=True) for name, table in rows.tables.items()}
    assert count(tables, where) == pytest.approx(count(rows, where))


def test_exact_tables_answer_questions_about_quasi_identifiers_exactly() -> None:
    made = release(publication="two-table")
    for where in ({"age": (20, 50)}, {"sex": "f", "region": ["north", "sea"]}):
        assert count(made, where) == true_count(mixed(80, missing=0.1), SCHEMA, where)


def test_counting_in_one_table() -> None:
    tree = Hierarchy.from_dict({"N": ["a", "b", "c"], "S": ["d"]})
    schema = shoal.Schema(
        {
            "age": shoal.quasi(kind="numeric"),
            "place": shoal.quasi(hierarchy=tree),
            "ill": shoal.sensitive(),
        }
    )
    table = pl.DataFrame(
        {"age": ["[20, 29]", "30", "*"], "place": ["N", "d", "*"], "ill": ["flu", "flu", None]}
    )

    def ask(**where: object) -> float:
        return count(table, where, schema=schema)

    assert ask(age=(25, 34)) == pytest.approx(0.5 + 1 + 6 / 11)
    assert ask(age=25) == pytest.approx(0.1 + 1 / 11)
    assert ask(place="a", ill="flu") == pytest.approx(1 / 3)
    assert ask(place="N") == pytest.approx(1 + 3 / 4)
    assert ask(ill=None) == 1
    assert join(table, schema=schema)["probability"].to_list() == [1.0] * 3


def test_cells_whose_meaning_nobody_knows_are_refused() -> None:
    table = pl.DataFrame({"zip": ["232**", "232**"], "ill": ["flu", "flu"]})
    for hierarchy in (None, Prefixes()):
        schema = shoal.Schema({"zip": shoal.quasi(hierarchy=hierarchy), "ill": shoal.sensitive()})
        with pytest.raises(ParameterError, match="no hierarchy says what they cover"):
            count(table, {"zip": "23210"}, schema=schema)
        assert count(table, {"ill": "flu"}, schema=schema) == 2
    with pytest.raises(ParameterError, match="No quasi-identifiers were given"):
        count(table, {"ill": "flu"})


def test_codes_are_no_numbers() -> None:
    tables = {
        "quasi": pl.DataFrame({"zip": ["01234", "1234"], "class": [1, 1]}),
        "sensitive": pl.DataFrame({"class": [1, 1], "ill": ["a", "b"]}),
    }
    assert count(tables, {"zip": "1234"}) == 1


def test_wrong_questions_are_refused_without_cells() -> None:
    with pytest.raises(ParameterError, match="Did you mean 'age'"):
        count(TABLES, {"aeg": 30})
    with pytest.raises(ParameterError, match="is empty: it ends before it begins"):
        count(TABLES, {"age": (40, 30)})
    with pytest.raises(ParameterError, match="holds numbers") as caught:
        count(TABLES, {"age": "thirty"})
    assert "thirty" not in str(caught.value)
    with pytest.raises(ParameterError, match="a range makes no sense"):
        count(TABLES, {"sex": (1, 2)})
    with pytest.raises(ParameterError, match="two ends, not 3"):
        count(TABLES, {"age": (1, 2, 3)})
    with pytest.raises(ParameterError, match="names no value"):
        count(TABLES, {"ill": []})
    with pytest.raises(
        ParameterError, match="1 of 1 requested values do not occur in column 'sex'"
    ) as caught:
        count(TABLES, {"sex": "Zq7"})
    assert "Zq7" not in str(caught.value)
    with pytest.raises(InputError, match="shoal verify"):
        count(TABLES | {"sensitive": SENSITIVE.head(3)}, {"ill": "flu"})
    with pytest.raises(SchemaError, match="class id"):
        count(TABLES | {"sensitive": SENSITIVE.rename({"class": "k"})}, {"ill": "flu"})


def test_conditions_are_read_from_text() -> None:
    names = ["age", "a=b", "sex"]
    assert read_where(["age=30..40"], names) == {"age": (30, 40)}
    assert read_where(["age=-1.5..2e3"], names) == {"age": (-1.5, 2000.0)}
    assert read_where(["a=b=c", "sex=f", "sex=m"], names) == {"a=b": ["c"], "sex": ["f", "m"]}
    assert read_where(["sex=x..y"], names) == {"sex": ["x..y"]}
    for wrong in (["age"], ["aeg=1"], ["age=1..2", "age=3"], ["age=3", "age=1..2"]):
        with pytest.raises(ParameterError):
            read_where(wrong, names)
    assert columns(TABLES) == ["age", "sex", "ill"]


GROUPS = {
    "quasi": QUASI,
    "sensitive": {
        "ill": pl.DataFrame({"class": [2, 1, 1], "ill": ["flu", "HIV", "flu"]}),
        "pay": pl.DataFrame({"class": [2, 1, 2, 2], "pay": ["low", "low", "mid", "high"]}),
    },
}


def test_values_of_sensitive_groups_are_equally_likely() -> None:
    assert count(GROUPS, {}) == 4
    assert count(GROUPS, {"pay": "low"}) == pytest.approx(2 + 2 / 3)
    assert count(GROUPS, {"age": (60, 70), "pay": ["low", "mid"]}) == pytest.approx(2 / 3)
    assert count(GROUPS, {"ill": "flu", "pay": "low"}) == pytest.approx(2 * 0.5 + 2 / 3)
    assert columns(GROUPS) == ["age", "sex", "ill", "pay"]
    made = join(GROUPS)
    assert made.columns == ["age", "sex", "class", "ill", "pay", "probability"]
    assert made.filter(age=30).rows() == [
        (30, "f", 1, "HIV", "low", 0.5),
        (30, "f", 1, "flu", "low", 0.5),
    ]
    assert made["probability"].sum() == pytest.approx(4)
    assert join(GROUPS, columns=["pay"]).columns == ["age", "sex", "class", "pay", "probability"]
    with pytest.raises(ParameterError, match="no sensitive column 'wage'"):
        join(GROUPS, columns=["wage"])
    apart = GROUPS["sensitive"] | {"ill": GROUPS["sensitive"]["ill"].head(1)}
    with pytest.raises(InputError, match="shoal verify"):
        count(GROUPS | {"sensitive": apart}, {"ill": "flu"})


@pytest.mark.parametrize("how", ["values", "rows", "counts"])
def test_a_release_and_its_tables_answer_alike(how: str) -> None:
    made = release(publication="sensitive-groups", sensitive_cells=how)
    where = {"age": (30, 60), "illness": ["i1", "i2"]}
    assert count(made, where) == pytest.approx(count(made.tables, where, schema=made.schema))
    assert join(made)["probability"].sum() == pytest.approx(80)
