"""Tables are encoded exactly, and what cannot be encoded is refused with counts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st
from polars.testing import assert_frame_equal

import shoal
from shoal.base.cells import Interval
from shoal.errors import HierarchyError, InputError, SchemaError, ShoalError
from shoal.table import CategoricalColumn, NumericColumn, Table
from shoal.table.hierarchies import Hierarchy
from shoal.table.schema import Column

INTEGERS = [pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64]
SECRET = "Xanthippe"


def encode(values: Any, column: Column | None = None, **options: Any) -> Any:
    """Encode one column named ``a``."""
    cells = values if isinstance(values, pl.Series) else pl.Series(values)
    schema = shoal.Schema({"a": column or shoal.quasi()}, **options)
    return Table.encode(pl.DataFrame({"a": cells}), schema).quasi[0]


def decoded(column: NumericColumn | CategoricalColumn) -> list[str | None]:
    return [None if c == column.size else column.label(c) for c in column.codes.tolist()]


@pytest.mark.parametrize("dtype", [*INTEGERS, pl.Float32, pl.Float64, pl.Decimal(9, 2)])
def test_numbers_of_every_type(dtype: pl.DataType) -> None:
    column = encode(pl.Series([5, 1, None, 5, 127], dtype=dtype))
    assert isinstance(column, NumericColumn)
    assert column.codes.tolist() == [1, 0, 3, 1, 2]
    assert column.values.tolist() == [1, 5, 127]
    assert (column.decimals, column.exact, column.range) == (0, True, 126.0)
    assert decoded(column) == ["5", "1", None, "5", "127"]


@pytest.mark.parametrize("dtype", [*INTEGERS, pl.Float64, pl.Decimal(9, 2)])
def test_numbers_as_categories(dtype: pl.DataType) -> None:
    column = encode(pl.Series([5, 1, None, 5, 20], dtype=dtype), shoal.quasi(kind="categorical"))
    assert isinstance(column, CategoricalColumn)
    assert decoded(column) == ["5", "1", None, "5", "20"]


def test_categories_of_other_types() -> None:
    assert decoded(encode([True, None, False])) == ["true", None, "false"]
    assert decoded(encode([dt.date(2024, 1, 2), None])) == ["2024-01-02", None]
    moments = decoded(encode([dt.datetime(2024, 1, 2, 3, 4), None]))
    assert moments == ["2024-01-02 03:04:00.000000", None]
    assert decoded(encode(pl.Series(["b", "a"], dtype=pl.Categorical))) == ["b", "a"]
    assert decoded(encode(pl.Series(["b", "a"], dtype=pl.Enum(["a", "b", "c"])))) == ["b", "a"]


def test_leading_zeros_stay_unless_the_schema_says_numeric() -> None:
    assert decoded(encode(["01234", "1234"])) == ["01234", "1234"]
    assert decoded(encode(["01234", "1234"], shoal.quasi(kind="numeric"))) == ["1234", "1234"]


def test_strange_texts_are_values() -> None:
    values = [" ", "ü", "日本", "a\nb", "class", "NULL", "nan", "-1", "é", "e\u0301"]
    assert decoded(encode(values)) == values


def test_text_in_a_numeric_column_may_have_spaces_and_exponents() -> None:
    column = encode([" 7", "1e3 ", "-2.5", ""], shoal.quasi(kind="numeric"))
    assert decoded(column) == ["7", "1000", "-2.5", None]


def test_missing_texts_by_schema_and_by_column() -> None:
    cells = ["", "*", "NA", "?", None, "x"]
    assert decoded(encode(cells)) == [None, None, "NA", "?", None, "x"]
    assert decoded(encode(cells, missing=["*", "NA"])) == ["", None, None, "?", None, "x"]
    own = shoal.quasi(missing=["?", "*"])
    assert decoded(encode(cells, own, missing=["NA"])) == ["", None, "NA", None, None, "x"]
    numeric = shoal.quasi(kind="numeric", missing=["NA", "unknown"])
    assert decoded(encode(["NA", "3", "unknown", None], numeric)) == [None, "3", None, None]


def test_the_star_is_refused_as_a_value_below_the_star() -> None:
    with pytest.raises(HierarchyError):
        encode(["*", "x"], shoal.quasi(missing=()))


def test_the_star_is_refused_as_a_value_below_another_root() -> None:
    """Published, it would equal the missing cells."""
    tree = Hierarchy.flat(["*", "x"], root="any")
    with pytest.raises(ShoalError):
        encode(["*", "x"], shoal.quasi(missing=(), hierarchy=tree))


@pytest.mark.parametrize(
    ("size", "dtype"),
    [(255, np.uint8), (256, np.uint16), (65535, np.uint16), (65536, np.uint32)],
)
@pytest.mark.parametrize("kind", ["numeric", "categorical"])
def test_codes_are_as_small_as_the_missing_code_allows(size: int, dtype: type, kind: str) -> None:
    values = pl.Series([*range(size), None]).cast(pl.Int64)
    column = encode(values, shoal.quasi(kind=kind))
    assert column.codes.dtype == dtype
    assert column.size == size
    assert int(column.codes[-1]) == size
    assert int(column.codes[:-1].max()) == size - 1
    assert len(np.unique(column.codes)) == size + 1


def test_tenths_have_exact_units() -> None:
    values = [i / 10 for i in range(-50, 51)]
    column = encode(values)
    assert (column.decimals, column.exact) == (1, True)
    assert column.units.tolist() == list(range(-50, 51))


@given(
    st.integers(0, 9),
    st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=20, unique=True),
)
def test_short_decimals_have_exact_units(places: int, units: list[int]) -> None:
    for make in (lambda u: u / 10**places, lambda u: Decimal(u).scaleb(-places)):
        column = encode([make(u) for u in units])
        assert column.exact
        scale = 10 ** (places - column.decimals)
        assert (column.units * scale).tolist() == sorted(units)


def test_decimals_of_ten_places_fall_back_to_the_grid() -> None:
    column = encode([0.0, 0.1234567891, 1.0])
    assert not column.exact
    assert column.units[[0, -1]].tolist() == [0, 2**32]
    assert column.units[1] == round(0.1234567891 * 2**32)
    assert column.values.tolist() == [0.0, 0.1234567891, 1.0]


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=20, unique=True))
def test_units_keep_the_order_of_any_floats(values: list[float]) -> None:
    column = encode(values)
    assert column.values.tolist() == sorted(values)
    assert (np.diff(column.units) >= 0).all()
    assert column.units[0] <= column.units[-1]
    if len(values) > 1:
        assert column.units[0] < column.units[-1]


def test_numbers_at_the_ends_of_int64() -> None:
    column = encode([-(2**63), 0, 2**63 - 1])
    assert column.values.tolist() == [-(2**63), 0, 2**63 - 1]
    assert column.range == 2.0**64
    assert decoded(column) == ["-9223372036854775808", "0", "9223372036854775807"]


def test_numbers_at_the_ends_of_floats() -> None:
    column = encode([-1.7e308, 0.5, 1.7e308])
    assert column.units.tolist() == [0, 2**31, 2**32]


def test_whole_numbers_past_2_to_the_53_stay_apart() -> None:
    column = encode([2**53, 2**53 + 1, 2**53 + 2])
    assert column.size == 3
    assert decoded(column)[1] == "9007199254740993"


def test_unsigned_numbers_past_int64_are_numbers() -> None:
    column = encode(pl.Series([10**19, 5, None], dtype=pl.UInt64))
    assert decoded(column)[:2] == [str(10**19), "5"]


def test_unsigned_numbers_that_a_float_rounds_are_refused() -> None:
    """Published as 18446744073709552000, the first would be another number."""
    with pytest.raises(InputError, match="but 2 whole numbers past"):
        encode(pl.Series([2**64 - 1, 10**19, 2**63, 5, None], dtype=pl.UInt64))


def test_minus_zero_is_zero() -> None:
    column = encode([-0.0, 0.0, 1.5])
    assert column.size == 2
    assert decoded(column) == ["0", "0", "1.5"]


@pytest.mark.parametrize("wild", [float("nan"), float("inf"), -float("inf")])
def test_wild_numbers_are_counted(wild: float) -> None:
    with pytest.raises(InputError, match="'a' holds 2 infinite or NaN"):
        encode([1.0, wild, wild, None])


def test_wild_numbers_as_text_are_counted() -> None:
    with pytest.raises(InputError, match="'a' holds 2 infinite or NaN"):
        encode(["1.5", "inf", "NaN"], shoal.quasi(kind="numeric"))


def test_text_in_a_numeric_column_is_counted_not_shown() -> None:
    with pytest.raises(InputError, match="'a' is numeric, but 2 cells are not numbers") as caught:
        encode(["1", SECRET, SECRET, None, "2.5"], shoal.quasi(kind="numeric"))
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("cells", [[True, False], [dt.date(2024, 1, 1)]])
def test_other_types_are_not_numeric(cells: list[object]) -> None:
    with pytest.raises(SchemaError, match="'a' is numeric in the schema, but holds"):
        encode(cells, shoal.quasi(kind="numeric"))


@pytest.mark.parametrize("kind", ["numeric", "categorical"])
@pytest.mark.parametrize("cells", [["", "*", None], [None, None]])
def test_a_column_that_is_missing_everywhere_is_refused(kind: str, cells: list[object]) -> None:
    with pytest.raises(InputError, match="'a' is missing in every row"):
        encode(pl.Series(cells, dtype=pl.String), shoal.quasi(kind=kind))


def test_a_column_of_null_type_is_refused() -> None:
    with pytest.raises(InputError, match="missing in every row"):
        encode(pl.Series([None, None]))


NOTHING = pl.Series("a", [None, None], dtype=pl.String)


def test_a_given_hierarchy_carries_a_column_that_is_missing_everywhere() -> None:
    schema = shoal.Schema({"a": shoal.quasi(hierarchy=Hierarchy.flat(["x", "y"]))})
    with pytest.raises(InputError, match="'a' is missing in every row"):
        Table.encode(NOTHING.to_frame(), schema)
    (column,) = Table.encode(NOTHING.to_frame(), schema, empty_columns=True).quasi
    assert column.codes.tolist() == [2, 2]


@pytest.mark.parametrize(
    "column",
    [
        shoal.quasi(),
        shoal.quasi(kind="numeric"),
        shoal.quasi(kind="numeric", hierarchy=shoal.hierarchies.Intervals()),
        shoal.quasi(hierarchy=shoal.hierarchies.Prefixes()),
    ],
)
def test_a_column_that_is_missing_everywhere_is_taken_when_asked(column: Column) -> None:
    schema = shoal.Schema({"a": column, "b": shoal.quasi()})
    frame = pl.DataFrame([NOTHING, pl.Series("b", [1, 2])])
    table = Table.encode(frame, schema, empty_columns=True)
    for made in (table, table.select(np.array([1]))):
        assert made.missing[:, 0].all()
        assert not made.missing[:, 1].any()
    assert [c.name for c in table.without(["a"]).quasi] == ["b"]
    assert table.without(["a"]).select(np.array([0])).schema.quasi == ["b"]
    assert table.missingness.columns == {"a": 2, "b": 0}


def test_the_refusal_names_every_column_and_both_ways_out() -> None:
    frame = pl.DataFrame([NOTHING, NOTHING.alias("b"), pl.Series("c", [1, 2])])
    schema = shoal.Schema({name: shoal.quasi() for name in "abc"})
    with pytest.raises(InputError) as caught:
        Table.encode(frame, schema)
    assert "'a', 'b' are missing in every row (2)" in caught.value.problem
    assert "identifier" in caught.value.hint
    assert "suppress-column" in caught.value.hint


def test_an_empty_table_is_refused() -> None:
    with pytest.raises(InputError, match="no rows"):
        encode(pl.Series([], dtype=pl.Int64))


def test_a_column_without_a_role_is_refused() -> None:
    with pytest.raises(SchemaError, match=r"'b'.* role"):
        Table.encode(pl.DataFrame({"a": [1], "b": [2]}), shoal.Schema({"a": shoal.quasi()}))


def test_a_column_that_the_table_lacks_is_refused() -> None:
    schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.other()})
    with pytest.raises(SchemaError, match=r"'b'.* table"):
        Table.encode(pl.DataFrame({"a": [1]}), schema)


def test_numbers_with_a_hierarchy_are_categories() -> None:
    column = encode([1.0, 2.0, None], shoal.quasi(hierarchy=Hierarchy.flat(["1", "2"])))
    assert column.codes.tolist() == [0, 1, 2]


def test_values_that_the_hierarchy_misses_are_counted_not_shown() -> None:
    tree = Hierarchy.flat(["x", "y"])
    with pytest.raises(HierarchyError, match="'a' misses 2 of 3 values") as caught:
        encode(["x", SECRET, SECRET, "z", None], shoal.quasi(hierarchy=tree))
    assert SECRET not in str(caught.value)


def test_an_inner_node_is_no_value() -> None:
    tree = Hierarchy.from_dict({"X": ["a", "b"]})
    with pytest.raises(HierarchyError, match="misses 1 of 2"):
        encode(["a", "X"], shoal.quasi(hierarchy=tree))


ENTITY = shoal.Schema({"a": shoal.quasi(), "who": shoal.identifier()}, entity="who")


@pytest.mark.parametrize("who", [["p", "q", "p"], [7, 8, 7], [2**62, -1, 2**62], [0.5, 1.0, 0.5]])
def test_people_are_told_apart(who: list[object]) -> None:
    table = Table.encode(pl.DataFrame({"a": [1, 2, 3], "who": who}), ENTITY)
    assert table.people is not None
    first, second, third = table.people.tolist()
    assert first == third != second
    assert sorted({first, second}) == [0, 1]


def test_without_an_entity_every_row_is_a_person() -> None:
    table = Table.encode(pl.DataFrame({"a": [1]}), shoal.Schema({"a": shoal.quasi()}))
    assert table.people is None


@pytest.mark.parametrize("who", [["p", None, None], ["p", "", "*"]])
def test_rows_without_a_person_are_refused_with_their_number(who: list[object]) -> None:
    with pytest.raises(InputError, match="'who' is missing in 2 rows"):
        Table.encode(pl.DataFrame({"a": [1, 2, 3], "who": who}), ENTITY)


def test_missing_cells_row_by_column() -> None:
    frame = pl.DataFrame({"a": [1, None, 3], "b": ["x", "", None]})
    table = Table.encode(frame, shoal.Schema({"b": shoal.quasi(), "a": shoal.quasi()}))
    assert table.missing.tolist() == [[False, False], [True, True], [True, False]]
    assert [column.name for column in table.quasi] == ["b", "a"]


def test_taking_rows_selects_their_codes() -> None:
    frame = pl.DataFrame({"a": [1, 50, 3, None], "b": ["x", "y", "z", "x"]})
    table = Table.encode(frame, shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi()}))
    part = table.select(np.array([2, 0]))
    for mine, whole in zip(part.quasi, table.quasi, strict=True):
        assert mine.codes.tolist() == whole.codes[[2, 0]].tolist()
        assert mine.size == whole.size
    assert part.quasi[0].values.tolist() == [1, 3, 50]
    assert part.quasi[0].tree.hierarchy.labels == table.quasi[0].tree.hierarchy.labels
    assert part.quasi[1].hierarchy is table.quasi[1].hierarchy
    assert (part.n_rows, table.n_rows) == (2, 4)


def test_a_part_ranges_over_the_numbers_that_it_holds() -> None:
    ages = [-(2**63), 20, 35, 2**63 - 1, None]
    table = Table.encode(pl.DataFrame({"a": ages}), shoal.Schema({"a": shoal.quasi()}))
    part = table.select(np.array([2, 4, 1])).quasi[0]
    assert (part.range, part.reach, part.offsets.tolist()) == (15.0, 15, [0, 0, 15, 15])
    assert part.domain == table.quasi[0].range == 2.0**64
    assert table.quasi[0].reach == 2**64 - 1
    nothing = table.select(np.array([4])).quasi[0]
    assert (nothing.range, nothing.reach) == (0.0, 0)


def test_a_part_knows_the_sensitive_values_that_it_holds() -> None:
    schema = shoal.Schema({"a": shoal.quasi(), "s": shoal.sensitive(), "who": shoal.identifier()})
    frame = pl.DataFrame({"a": [1, 2, 3], "s": ["x", "y", None], "who": ["p", "q", "p"]})
    part = Table.encode(frame, shoal.Schema(dict(schema), entity="who")).select(
        np.array([2, 1]), ranges="own"
    )
    assert part.sensitive["s"].labels == ("y", None)
    assert part.people is not None
    assert len(set(part.people.tolist())) == 2


DATA = {"a": [3, None, 1], "s": ["x", "y", None]}


def _pandas() -> Any:
    frame = pd.DataFrame(DATA, index=[7, 8, 9])
    frame["s"] = frame["s"].astype("category")
    return frame


@pytest.mark.parametrize(
    ("make", "copy", "same"),
    [
        (lambda: pl.DataFrame(DATA), lambda f: f.clone(), assert_frame_equal),
        (_pandas, lambda f: f.copy(deep=True), pd.testing.assert_frame_equal),
        (lambda: pa.table(DATA), lambda f: f, lambda f, g: f.equals(g) or pytest.fail("changed")),
        (
            lambda: duckdb.from_arrow(pa.table(DATA)),
            lambda f: f.fetchall(),
            lambda f, g: f.fetchall() == g or pytest.fail("changed"),
        ),
    ],
    ids=["polars", "pandas", "pyarrow", "duckdb"],
)
def test_the_callers_frame_is_not_touched(
    make: Callable[[], Any], copy: Callable[[Any], Any], same: Callable[[Any, Any], None]
) -> None:
    frame = make()
    before = copy(frame)
    table = Table.encode(frame, shoal.Schema({"a": shoal.quasi(), "s": shoal.quasi()}))
    assert table.quasi[0].codes.tolist() == [1, 2, 0]
    assert table.quasi[1].codes.tolist() == [0, 1, 2]
    same(frame, before)


def test_numbers_may_have_a_tree_of_intervals() -> None:
    frame = pl.DataFrame({"age": ["17", "23.0", None, "31"]})
    tree = shoal.hierarchies.Intervals(width=10)
    schema = shoal.Schema({"age": shoal.quasi(kind="numeric", hierarchy=tree)})
    table = Table.encode(frame, schema)
    (column,) = table.trees
    assert column.hierarchy.leaves == ("17", "23", "31")
    assert column.codes.tolist() == [0, 1, 3, 2]
    words = shoal.quasi(kind="numeric", hierarchy=shoal.Hierarchy.from_dict({"young": ["17"]}))
    with pytest.raises(shoal.errors.HierarchyError, match="misses 2 of 3"):
        Table.encode(frame, shoal.Schema({"age": words}))
    words = shoal.Hierarchy.from_dict({"young": ["17", "23"], "old": ["31"]})
    told = shoal.Hierarchy(
        words.labels,
        words.parent.tolist(),
        {"young": Interval(0, 30), "old": Interval(30, 99)},  # the published text still hides them
    )
    for tree in (words, told):
        age = shoal.quasi(kind="numeric", hierarchy=tree)
        with pytest.raises(shoal.errors.HierarchyError, match="2 nodes that are not intervals"):
            Table.encode(frame, shoal.Schema({"age": age}))
