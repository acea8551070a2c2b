import polars as pl
import pytest

from shoal.datasets import patients
from shoal.errors import ParameterError


def test_paper_1_table_1() -> None:
    assert patients(1).rows() == [
        ("P1", 30, "male", "23208", "cold"),
        ("P2", 35, "male", "23200", "asthma"),
        ("P3", 45, "female", "23085", "gastritis"),
        ("P4", 42, "male", "23220", "hepatitis"),
        ("P5", 55, "female", "23050", "rheumatism"),
    ]


def test_paper_2_table_1_has_its_holes() -> None:
    table = patients(2)
    assert table.height == 10
    assert table["age"].to_list() == [None, None, 26, 28, 32, 39, 41, 36, 48, None]
    assert table.row(4) == (5, 32, "M", None, None)
    assert table.row(6) == (7, 41, None, None, "Flu")
    assert table["zipcode"].min() == 12000
    assert table["zipcode"].max() == 24000


def test_paper_3_table_1() -> None:
    table = patients(3)
    assert table.height == 12
    assert table["disease"].to_list() == [
        "Fever",
        "Flu",
        "Viral Infection",
        "Flu",
        "Fever",
        "Viral Infection",
        "HIV",
        "Cancer",
        "Cancer",
        "Fever",
        "HIV",
        "Heart Disease",
    ]
    assert table["age"].to_list() == [23, 25, 30, 31, 36, 39, 42, 45, 52, 53, 61, 64]
    assert "".join(table["sex"]) == "FFMFFMMMFMMM"
    assert table.row(7) == (8, "P8", "welder", 45, "M", "13228", "Cancer")


def test_paper_4_tables_1_and_3() -> None:
    table = patients(4)
    assert table["salary"].to_list() == [1500, 4000, 2500, 3000, 5000]
    assert table["disease"].to_list() == ["Flu", "Cancer", "HIV", "Gastritis", "H1N1"]


@pytest.mark.parametrize(("name", "number"), [("gaa-cp", 1), ("kaim", 2), ("3", 3), ("micd", 4)])
def test_names_and_numbers_mean_the_same(name: str, number: int) -> None:
    assert patients(name).equals(patients(number))


@pytest.mark.parametrize("paper", [1, 2, 3, 4])
def test_columns_are_plain(paper: int) -> None:
    table = patients(paper)
    assert all(name == name.lower() for name in table.columns)
    assert set(table.dtypes) <= {pl.Int64, pl.String}


@pytest.mark.parametrize("paper", [0, 5, "", "kain"])
def test_other_papers_are_refused(paper: int | str) -> None:
    with pytest.raises(ParameterError, match="no patient table"):
        patients(paper)
