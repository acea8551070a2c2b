from decimal import Decimal

import polars as pl
import pytest

from shoal.table.hierarchies.values import as_number, count_texts, distinct_texts, natural_order


@pytest.mark.parametrize("text", ["", "-", "1_000", "nan", "inf", "1e999", "0x1", "٣", "1,5"])
def test_what_is_no_number(text):
    assert as_number(text) is None


def test_numbers_keep_their_digits():
    assert as_number(" 9007199254740993 ") == 9007199254740993
    assert as_number("-.5") == -0.5
    assert isinstance(as_number("1e3"), float)


def test_texts_of_any_column():
    assert distinct_texts(pl.Series([True, None, False, True])) == ["true", "false"]
    assert distinct_texts(pl.Series([Decimal("1.50"), Decimal("2.00")])) == ["1.5", "2"]
    assert distinct_texts(pl.Series([None, None])) == []
    assert count_texts(pl.Series([None, None])) == {}
    assert count_texts(pl.Series([1.0, 1.0, 2.5])) == {"1": 2, "2.5": 1}


def test_equal_numbers_are_ordered_by_text():
    assert natural_order(["7.0", "07", "7", "-1"]) == ["-1", "07", "7", "7.0"]
