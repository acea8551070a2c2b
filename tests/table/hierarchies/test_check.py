import polars as pl
import pytest

from shoal.errors import HierarchyError
from shoal.table.hierarchies import Hierarchy, check


def test_covered_columns_pass():
    check(Hierarchy.flat(["a", "b"]), pl.Series(["a", None]), "letter")
    check(Hierarchy.flat(["1", "2"]), pl.Series([1, 2]), "number")


def test_message_names_column_and_counts_only():
    values = pl.Series(["a", "canary-1", "canary-2", "canary-2", None])
    with pytest.raises(HierarchyError) as caught:
        check(Hierarchy.flat(["a"]), values, "letter")
    assert caught.value.problem == "The hierarchy of column 'letter' misses 2 of 3 values."
    assert "canary" not in str(caught.value)
