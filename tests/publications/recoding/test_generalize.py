"""Groups become the narrowest cells that cover them, or slightly wider round ones."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.base.cells import parse_interval
from shoal.errors import ParameterError
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize, parse
from shoal.publications.recoding.grid import grid_step
from shoal.table import NumericColumn, Table
from shoal.table.hierarchies import Hierarchy
from tests.examples import examples

TREE = Hierarchy.from_dict(
    {"Public": {"federal": [], "Lower": ["state", "local"]}, "Self": ["shop"], "none": []}
)


@st.composite
def labels(draw: st.DrawFn, n: int) -> list[int]:
    """Labels from 0 without gaps, some rows suppressed, at least one not."""
    drawn = draw(st.lists(st.integers(-1, 3), min_size=n, max_size=n))
    if max(drawn) < 0:
        drawn[0] = 0
    names = {old: new for new, old in enumerate(sorted({own for own in drawn if own >= 0}))}
    return [names.get(own, -1) for own in drawn]


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, list[int]]:
    n = draw(st.integers(1, 15))
    number = st.one_of(
        st.none(),
        draw(
            st.sampled_from(
                [
                    st.integers(-50, 50),
                    st.integers(-(2**63), 2**63 - 1),
                    st.floats(-1e6, 1e6),
                    st.decimals(-100, 100, places=2),
                ]
            )
        ),
    )
    numbers = draw(st.lists(number, min_size=n, max_size=n))
    words = draw(
        st.lists(st.one_of(st.none(), st.sampled_from(TREE.leaves)), min_size=n, max_size=n)
    )
    numbers = [0, *numbers] if all(v is None for v in numbers) else [numbers[0], *numbers]
    frame = pl.DataFrame(
        {"x": pl.Series(numbers, strict=False), "y": pl.Series(["shop", *words])},
    ).with_columns(s=pl.lit("s"))
    schema = shoal.Schema(
        {"y": shoal.quasi(hierarchy=TREE), "x": shoal.quasi(), "s": shoal.sensitive()}
    )
    return Table.encode(frame, schema), draw(labels(n + 1))


def lowest_common(words: list[str]) -> str:
    """The lowest label on the way up of all words."""
    ways = []
    for word in words:
        node, way = TREE.labels.index(word), []
        while node >= 0:
            way.append(TREE.labels[node])
            node = int(TREE.parent[node])
        ways.append(way)
    return next(label for label in ways[0] if all(label in way for way in ways))


@given(tables())
def test_observed_cells_equal_the_obvious(case: tuple[Table, list[int]]) -> None:
    table, own = case
    grouping = Grouping(np.array(own, dtype=np.int32))
    published = generalize(table, grouping, bounds="observed").decode(table)
    assert published.columns == ["x", "y", "s"]
    kept = [i for i, label in enumerate(own) if label >= 0]
    assert published.height == len(kept)
    for row, i in enumerate(kept):
        members = [j for j, label in enumerate(own) if label == own[i]]
        words = [table.frame["y"][j] for j in members]
        numbers = [table.frame["x"][j] for j in members]
        assert published["y"][row] == ("*" if None in words else lowest_common(words))
        if None in numbers:
            assert published["x"][row] == "*"
        else:
            exact = [
                Fraction(v) if isinstance(v, Decimal) and v.as_integer_ratio() else v
                for v in numbers
            ]
            shown = published["x"][row]
            ends = shown.strip("[]").split(", ")
            if isinstance(numbers[0], float):
                assert [float(end) for end in ends] == sorted({min(exact), max(exact)})
            else:
                assert [Fraction(end) for end in ends] == sorted({min(exact), max(exact)})


@given(tables())
def test_reading_what_was_written_gives_the_same_cells(case: tuple[Table, list[int]]) -> None:
    table, own = case
    grouping = Grouping(np.array(own, dtype=np.int32))
    for bounds in ("observed", "rounded"):
        made = generalize(table, grouping, bounds=bounds)
        published = made.decode(table)
        read = parse(table, published, grouping.rows)
        assert read.decode(table).equals(published)
        assert len(set(zip(read.classes, made.classes, strict=True))) == len(set(read.classes))
        for before, after in zip(made.columns, read.columns, strict=True):
            assert before.star[before.index].tolist() == after.star[after.index].tolist()


def check_rounded(values: list[object], own: list[int]) -> None:
    frame = pl.DataFrame({"x": pl.Series(values), "s": [""] * len(values)})
    table = Table.encode(frame, shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive()}))
    column = table.quasi[0]
    assert isinstance(column, NumericColumn)
    step = Fraction(grid_step(column.values)).limit_denominator(10**12)
    grouping = Grouping(np.array(own, dtype=np.int32))
    published = generalize(table, grouping, bounds="rounded").decode(table)["x"]
    for group in range(max(own) + 1):
        inside = [v for v, label in zip(values, own, strict=True) if label == group]
        text = published[own.index(group)]
        interval = parse_interval(text)
        assert interval is not None
        assert interval.lo <= min(inside)
        assert max(inside) <= interval.hi
        if min(inside) == max(inside):
            assert interval.lo == interval.hi  # all of them hold it
            continue
        for end in text.strip("[]").split(", "):
            assert (Fraction(end) / step).denominator == 1, (end, step)
        # No wider than one step beyond the group's own ends.
        assert Fraction(interval.lo) > Fraction(min(inside)) - step - step / 1000
        assert Fraction(interval.hi) < Fraction(max(inside)) + step + step / 1000


@st.composite
def grouped(draw: st.DrawFn, values: st.SearchStrategy[object]) -> tuple[list[object], list[int]]:
    cells = draw(st.lists(values, min_size=1, max_size=12))
    own = [0] + [draw(st.integers(0, 2)) for _ in cells[1:]]
    names = {old: new for new, old in enumerate(sorted(set(own)))}
    return cells, [names[label] for label in own]


@given(grouped(st.integers(-(10**9), 10**9)))
def test_rounded_whole_numbers(case: tuple[list[object], list[int]]) -> None:
    check_rounded(*case)


@given(
    st.integers(1, 9).flatmap(
        lambda p: grouped(st.decimals(-1000, 1000, places=p).map(lambda v, p=p: round(float(v), p)))
    )
)
def test_rounded_decimals(case: tuple[list[object], list[int]]) -> None:
    check_rounded(*case)


@settings(max_examples=examples(300))
@given(grouped(st.floats(-1e6, 1e6, allow_subnormal=False)))
def test_rounded_floats(case: tuple[list[object], list[int]]) -> None:
    values, own = case
    frame = pl.DataFrame({"x": values, "s": [""] * len(values)})
    table = Table.encode(frame, shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive()}))
    grouping = Grouping(np.array(own, dtype=np.int32))
    published = generalize(table, grouping, bounds="rounded").decode(table)["x"]
    for value, text in zip(values, published, strict=True):
        interval = parse_interval(text)
        assert interval is not None
        assert interval.lo <= value <= interval.hi


@given(grouped(st.integers(-(2**63), 2**63 - 1)))
def test_rounded_large_numbers_cover_their_group(case: tuple[list[object], list[int]]) -> None:
    values, own = case
    frame = pl.DataFrame({"x": values, "s": [""] * len(values)})
    table = Table.encode(frame, shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive()}))
    grouping = Grouping(np.array(own, dtype=np.int32))
    published = generalize(table, grouping, bounds="rounded").decode(table)["x"]
    for value, text in zip(values, published, strict=True):
        ends = [Fraction(end) for end in text.strip("[]").split(", ")]
        assert ends[0] <= value <= ends[-1]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([17, 22, 90, 88], ["[15, 25]", "[15, 25]", "[85, 90]", "[85, 90]"]),
        ([0, 1, 99_999, 100_000], ["[0, 5000]"] * 2 + ["[95000, 100000]"] * 2),
        ([0.1, 0.3, 1.1, 2.2], ["[0, 0.4]", "[0, 0.4]", "[1, 2.2]", "[1, 2.2]"]),
        ([-7, -3, 8, 12], ["[-8, -2]"] * 2 + ["[8, 12]"] * 2),
        ([3000, 5000, 9000, 11000], ["[2000, 6000]"] * 2 + ["[8000, 12000]"] * 2),
        ([0, 1, 1, 1], ["[0, 2]"] * 2 + ["1"] * 2),
        ([17, 17, 90, 89], ["17"] * 2 + ["[85, 90]"] * 2),
        ([5, 5, 5, 5], ["5"] * 4),
        ([0.29, 0.57, 1.1, 1.1], ["[0.25, 0.6]"] * 2 + ["1.1"] * 2),
    ],
)
def test_rounded_examples(values: list[float], expected: list[str]) -> None:
    frame = pl.DataFrame({"x": values, "s": [""] * 4})
    table = Table.encode(frame, shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive()}))
    grouping = Grouping(np.array([0, 0, 1, 1], dtype=np.int32))
    published = generalize(table, grouping, bounds="rounded").decode(table)
    assert published["x"].to_list() == expected


def test_a_table_of_quasi_identifiers_only() -> None:
    table = Table.encode(pl.DataFrame({"x": [1, 2, 9]}), shoal.Schema({"x": shoal.quasi()}))
    grouping = Grouping(np.array([0, 0, -1], dtype=np.int32))
    assert generalize(table, grouping).decode(table)["x"].to_list() == ["[0, 2]"] * 2


def test_a_group_of_one_row_shows_its_values() -> None:
    frame = pl.DataFrame({"x": [1, 2], "y": ["state", "local"], "s": ["", ""]})
    schema = shoal.Schema(
        {"x": shoal.quasi(), "y": shoal.quasi(hierarchy=TREE), "s": shoal.sensitive()}
    )
    table = Table.encode(frame, schema)
    published = generalize(table, Grouping(np.array([0, 1], dtype=np.int32))).decode(table)
    assert published.rows() == [("1", "state", ""), ("2", "local", "")]


def test_codes_at_the_edge_of_a_byte() -> None:
    frame = pl.DataFrame({"x": [*range(255), None, 254], "s": [""] * 257})
    table = Table.encode(frame, shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive()}))
    own = np.array([0] * 255 + [1, 2], dtype=np.int32)
    published = generalize(table, Grouping(own), bounds="observed").decode(table)["x"].to_list()
    assert published == ["[0, 254]"] * 255 + ["*", "254"]


def test_bounds_are_two() -> None:
    table = Table.encode(pl.DataFrame({"x": [1]}), shoal.Schema({"x": shoal.quasi()}))
    with pytest.raises(ParameterError, match=r"rounded.*observed"):
        generalize(table, Grouping(np.zeros(1, dtype=np.int32)), bounds="exact")


def test_a_root_named_star_and_a_missing_cell_are_one_class() -> None:
    """What an outsider sees as one class is one class, however each group came to its star."""
    frame = pl.DataFrame({"y": ["shop", "none", "shop", None], "s": [""] * 4})
    schema = shoal.Schema({"y": shoal.quasi(hierarchy=TREE), "s": shoal.sensitive()})
    table = Table.encode(frame, schema)
    made = generalize(table, Grouping(np.array([0, 0, 1, 1], dtype=np.int32)))
    assert made.decode(table)["y"].to_list() == ["*"] * 4
    assert made.classes.tolist() == [0, 0, 0, 0]


def test_a_root_of_another_name_and_a_missing_cell_are_two_classes() -> None:
    frame = pl.DataFrame({"y": ["m", "f", "m", None], "s": [""] * 4})
    tree = Hierarchy.flat(["m", "f"], root="person")
    schema = shoal.Schema({"y": shoal.quasi(hierarchy=tree), "s": shoal.sensitive()})
    table = Table.encode(frame, schema)
    made = generalize(table, Grouping(np.array([0, 0, 1, 1], dtype=np.int32)))
    assert made.decode(table)["y"].to_list() == ["person", "person", "*", "*"]
    assert len(set(made.classes.tolist())) == 2


def test_rounded_to_zero_from_both_sides_is_one_class() -> None:
    values = [-10.5, -0.5, -10.5, 0.0, 30.0, 30.5]
    frame = pl.DataFrame({"x": values, "s": [""] * 6})
    table = Table.encode(frame, shoal.Schema({"x": shoal.quasi(), "s": shoal.sensitive()}))
    grouping = Grouping(np.array([0, 0, 1, 1, 2, 2], dtype=np.int32))
    made = generalize(table, grouping, bounds="rounded")
    texts = made.decode(table)["x"].to_list()
    assert texts[:4] == ["[-15, 0]"] * 4
    assert len(set(made.classes.tolist())) == len(set(texts))


@pytest.mark.parametrize("cells", [100, 200, 300, 70_000])
def test_every_row_shows_the_cell_of_its_own_group_however_many_there_are(cells: int) -> None:
    ages = np.repeat(np.arange(cells), 2)
    table = Table.encode(pl.DataFrame({"age": ages}), {"age": "quasi"})
    grouping = Grouping(ages.astype(np.int32))
    recoded = generalize(table, grouping)
    assert len(recoded.columns[0]) == cells
    assert recoded.decode(table)["age"].to_list() == [str(age) for age in ages]
