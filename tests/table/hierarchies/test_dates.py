from datetime import date, datetime

import polars as pl
import pytest

from shoal.errors import HierarchyError, ParameterError
from shoal.table.hierarchies import Dates


def chain(tree, leaf):
    node, labels = tree.node(leaf), []
    while node >= 0:
        labels.append(tree.labels[node])
        node = tree.parent[node]
    return labels


def test_calendar():
    tree = Dates().build(pl.Series(["2024-03-17", "1999-12-31", None]))
    assert chain(tree, "2024-03-17") == ["2024-03-17", "2024-03", "2024-Q1", "2024", "2020s", "*"]
    assert chain(tree, "1999-12-31") == ["1999-12-31", "1999-12", "1999-Q4", "1999", "1990s", "*"]
    assert tree.leaves == ("1999-12-31", "2024-03-17")


def test_times_are_cut_to_the_day():
    tree = Dates().build(pl.Series(["2024-03-17T08:30:00", "2024-03-17 09:00"]))
    assert chain(tree, "2024-03-17T08:30:00")[1:3] == ["2024-03-17", "2024-03"]
    assert tree.labels[tree.lca_of_codes(0, 1)] == "2024-03-17"


def test_date_columns():
    tree = Dates().build(pl.Series([date(2024, 3, 17)]))
    assert tree.leaves == ("2024-03-17",)
    tree = Dates().build(pl.Series([datetime(2024, 3, 17, 8)]))
    assert tree.labels[tree.parent[tree.leaf_nodes[0]]] == "2024-03-17"


def test_less_exact_dates_start_higher():
    tree = Dates().build(pl.Series(["2024-03", "2024-04-01", "1987"]))
    assert chain(tree, "2024-03") == ["2024-03", "2024-Q1", "2024", "2020s", "*"]
    assert chain(tree, "1987") == ["1987", "1980s", "*"]
    with pytest.raises(HierarchyError, match="1 label is used both"):
        Dates().build(pl.Series(["2024-03", "2024-03-17"]))


def test_some_levels():
    tree = Dates(levels=["quarter", "decade"], root="ever").build(pl.Series(["2024-12-17"]))
    assert chain(tree, "2024-12-17") == ["2024-12-17", "2024-Q4", "2020s", "ever"]
    assert Dates(levels=()).build(pl.Series(["2024"])).height == 1
    assert Dates().build(pl.Series([None], dtype=pl.String)).labels == ("*",)


@pytest.mark.parametrize(
    "text", ["2024-02-30", "2024-13", "2024-00", "17.3.2024", "0000", "2024-03-17Tx", "2024-3-1"]
)
def test_what_is_no_date(text):
    with pytest.raises(HierarchyError, match="1 of 2 values are not dates") as caught:
        Dates().build(pl.Series([text, "2024-03-17"]))
    assert text not in str(caught.value)


@pytest.mark.parametrize("levels", [("week",), ("year", "month"), ("day", "day"), "day"])
def test_levels_are_checked_at_use(levels):
    builder = Dates(levels=levels)
    with pytest.raises(ParameterError, match="levels must be some of day"):
        builder.build(pl.Series(["2024-03-17"]))
