"""Two published tables, counted again from their cells: what holds, and every tampering."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.errors import InputError, ParameterError, SchemaError
from shoal.judging.verification import row_order
from tests.examples import examples

SCHEMA = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive()})
QUASI = pl.DataFrame({"age": [20, 21, 22, 40, 41, 42], "class": [2, 2, 2, 1, 1, 1]})
SENSITIVE = pl.DataFrame(
    {"class": [1, 1, 1, 2, 2, 2], "ill": ["flu", "HIV", "cold", "flu", "HIV", "flu"]}
)
K, ALPHA = shoal.KAnonymity(3), shoal.AlphaK("2/3", 3)


def check(
    quasi: Any = QUASI,
    sensitive: Any = SENSITIVE,
    require: Any = ALPHA,
    schema: shoal.Schema = SCHEMA,
    **rest: Any,
) -> shoal.Verification:
    return shoal.verify({"quasi": quasi, "sensitive": sensitive}, schema, [require], **rest)


def failed(result: shoal.Verification) -> dict[str, str]:
    return {each.check: each.detail for each in result.findings if not each.passed}


def test_k_and_alpha_are_counted_from_the_two_tables() -> None:
    result = check()
    assert result.passed
    assert (result.rows, result.classes) == (6, 2)
    assert result.achieved == {"k": 3, "alpha": pytest.approx(2 / 3)}
    assert not check(require=shoal.AlphaK(0.5, 3)).passed
    assert check(require=shoal.AlphaK(0.5, 3)).judgements[0].failing_classes == 1
    assert not check(require=shoal.KAnonymity(4)).passed


def test_counts_of_values_are_the_same_as_rows() -> None:
    counted = SENSITIVE.group_by("class", "ill").len("n")
    assert check(sensitive=counted).achieved == check().achieved
    with pytest.raises(InputError, match="'n' of the sensitive table should count"):
        check(sensitive=counted.with_columns(n=pl.lit(0)))


def test_any_frame_and_texts_from_files_will_do() -> None:
    pandas = pd.DataFrame(QUASI.to_dict(as_series=False))
    assert check(pandas, SENSITIVE.to_arrow()).passed
    assert check(QUASI.cast(pl.String), SENSITIVE).passed


def test_a_class_that_is_too_small_is_found() -> None:
    quasi = QUASI.with_columns(pl.Series("class", [2, 2, 2, 1, 1, 3]))
    sensitive = SENSITIVE.with_columns(pl.Series("class", [1, 1, 3, 2, 2, 2]))
    result = check(quasi, sensitive, K)
    assert result.achieved["k"] == 1
    assert result.judgements[0].failing_classes == 2
    assert not failed(result)


def test_a_value_moved_to_another_class_is_found() -> None:
    sensitive = SENSITIVE.with_columns(pl.Series("class", [1, 1, 2, 2, 2, 2]))
    found = failed(check(sensitive=sensitive))
    assert found == {"values per class": "2 of 2 classes have more or fewer values than rows"}


def test_values_swapped_between_classes_are_found_with_the_original() -> None:
    original = pl.DataFrame(
        {"age": [20, 21, 22, 40, 41, 42], "ill": ["HIV", "flu", "flu", "cold", "flu", "HIV"]}
    )
    assert check(original=original).passed
    swapped = SENSITIVE.with_columns(pl.Series("class", [1, 1, 2, 2, 2, 1]))
    assert not failed(check(sensitive=swapped, require=K))
    found = failed(check(sensitive=swapped, require=K, original=original))
    assert found == {"values of 'ill' per class": "2 values differ"}
    with pytest.raises(ParameterError, match="different row"):
        check(original=original, rows=[0, 0, 1, 2, 3, 4])
    wrong = failed(check(original=original, rows=[5, 4, 3, 2, 1, 0]))
    assert "cells cover their originals" in wrong


@pytest.mark.parametrize(
    ("quasi", "sensitive", "detail"),
    [
        ([2, 2, 2, 1, 1, 3], [1, 1, 1, 2, 2, 2], "1 classes have no values"),
        ([2, 2, 2, 1, 1, 1], [1, 1, 4, 2, 2, 2], "1 classes have no rows"),
        ([2, 2, 2, 1, 1, None], [1, 1, None, 2, 2, 2], "2 rows have no id"),
    ],
)
def test_ids_that_are_not_in_both_are_found(
    quasi: list[int | None], sensitive: list[int | None], detail: str
) -> None:
    left = QUASI.with_columns(pl.Series("class", quasi))
    right = SENSITIVE.with_columns(pl.Series("class", sensitive))
    assert detail in failed(check(left, right))["class ids"]


def test_columns_that_publish_the_link_are_found() -> None:
    leaky = QUASI.with_columns(ill=pl.lit("flu"))
    # With the value in both tables nobody could guess which column is the id.
    assert failed(check(leaky, class_column="class")) == {
        "tables apart": "the link is published: ill"
    }
    leaky = SENSITIVE.with_columns(age=pl.lit(20))
    assert failed(check(sensitive=leaky, class_column="class")) == {
        "tables apart": "the link is published: age"
    }
    named = shoal.Schema({**SCHEMA, "name": shoal.identifier()})
    found = failed(check(sensitive=SENSITIVE.with_columns(name=pl.lit("x")), schema=named))
    assert found["identifiers removed"] == "published: name"


def test_the_class_column_is_found_or_must_be_named() -> None:
    other = {"class": "group id"}
    assert check(QUASI.rename(other), SENSITIVE.rename(other)).passed
    both = (QUASI.with_columns(x=1), SENSITIVE.with_columns(x=1))
    with pytest.raises(SchemaError, match="there are 2 \\('class', 'x'\\)"):
        check(*both)
    with pytest.raises(SchemaError, match="there are 0 \\(none\\)"):
        check(QUASI.rename(other))
    with pytest.raises(SchemaError, match="no class column 'clas'"):
        check(class_column="clas")


def test_what_cannot_be_judged_is_refused() -> None:
    with pytest.raises(ParameterError, match="'quasi' and 'sensitive'"):
        shoal.verify({"quasi": QUASI}, SCHEMA, [K])
    with pytest.raises(SchemaError, match="exactly one sensitive column, not 0"):
        check(schema=shoal.Schema({"age": shoal.quasi()}))
    with pytest.raises(SchemaError, match="no column 'sex'"):
        check(schema=shoal.Schema({**SCHEMA, "sex": shoal.quasi()}))
    with pytest.raises(SchemaError, match="no column 'ill'"):
        check(sensitive=SENSITIVE.rename({"ill": "illness"}))
    with pytest.raises(InputError, match="'quasi' has no rows"):
        check(QUASI.head(0))


def test_people_need_someone_who_knows_them() -> None:
    schema = shoal.Schema({**SCHEMA, "who": shoal.identifier()}, entity="who")
    original = pl.DataFrame(
        {
            "who": [1, 1, 2, 3, 4, 5],
            "age": [20, 21, 22, 40, 41, 42],
            "ill": ["HIV", "flu", "flu", "cold", "flu", "HIV"],
        }
    )
    with pytest.raises(ParameterError, match="'who' identifies people"):
        check(schema=schema, require=K)
    counted = check(schema=schema, require=K, people=[1, 1, 2, 3, 4, 5])
    assert (counted.counted, counted.achieved["k"]) == ("people", 2)
    with pytest.raises(ParameterError, match="does not say to whom"):
        check(schema=schema, people=[1, 1, 2, 3, 4, 5])
    # Both people of class 2 have the flu; one of them has HIV besides.
    known = check(schema=schema, original=original)
    assert known.achieved == {"k": 2, "alpha": 1.0}


def test_missing_values_are_a_value_of_their_own() -> None:
    gone = SENSITIVE.with_columns(ill=pl.Series(["flu", None, "", "*", "HIV", "flu"]))
    assert check(sensitive=gone).achieved["alpha"] == pytest.approx(2 / 3)


def test_row_order_is_judged_with_the_original() -> None:
    n = 300
    original = pl.DataFrame({"age": range(n), "ill": [f"v{i:03d}" for i in range(n)]})
    quasi = pl.DataFrame({"age": range(n), "class": [i % 60 for i in range(n)]})
    sensitive = pl.DataFrame({"class": quasi["class"], "ill": original["ill"]})
    rows = list(range(n))

    def order(left: pl.DataFrame, right: pl.DataFrame, rows: Any = rows) -> Any:
        return row_order({"quasi": left, "sensitive": right}, SCHEMA, original, rows)

    assert "links 300 of 300 values" in order(quasi, sensitive).detail
    assert not order(
        quasi.sort("class"), sensitive.sort("class"), quasi.sort("class")["age"]
    ).passed
    assert order(quasi, sensitive.sample(fraction=1, shuffle=True, seed=1)).passed
    counted = sensitive.with_columns(n=1)
    assert order(quasi, counted).passed
    assert not order(quasi, sensitive.with_columns(pl.col("class") + 1)).passed


@settings(max_examples=examples(40))
@given(st.data())
def test_every_released_pair_verifies(data: st.DataObject) -> None:
    n = data.draw(st.integers(4, 25))
    column = st.lists(st.one_of(st.none(), st.integers(0, 9)), min_size=n, max_size=n)
    words = st.lists(st.sampled_from([None, "", "*", "x", "y", "z"]), min_size=n, max_size=n)
    frame = pl.DataFrame(
        {
            "age": pl.Series([5, *data.draw(column)[1:]], dtype=pl.Int64),
            "class": pl.Series(["x", *data.draw(words)[1:]], dtype=pl.String),
            "count": pl.Series(data.draw(words), dtype=pl.String),
            "note": range(n),
        }
    )
    schema = shoal.Schema(
        {
            "age": shoal.quasi(),
            "class": shoal.quasi(),
            "count": shoal.sensitive(),
            "note": shoal.other(),
        }
    )
    require = [shoal.KAnonymity(data.draw(st.integers(2, min(n, 5))))]
    if data.draw(st.booleans()):
        require = [shoal.AlphaK(1, require[0].k)]
    made = shoal.anonymize(
        frame,
        schema,
        require=require,
        method=shoal.GAACP(seed=data.draw(st.one_of(st.none(), st.integers(0, 99)))),
        publication="two-table",
        quasi_cells=data.draw(st.sampled_from(["exact", "generalized"])),
        sensitive_cells=data.draw(st.sampled_from(["rows", "counts"])),
    )
    assert made.verification.passed
    assert shoal.verify(made.tables, schema, require).passed
    assert shoal.verify(made.tables, schema, require, original=frame, rows=made.rows).passed
    ids = made.tables["quasi"]["class_1"]
    assert set(ids) == set(range(1, made.grouping.n_groups + 1))
    moved = made.tables | {"sensitive": made.tables["sensitive"].head(-1)}
    assert made.tables["sensitive"].height == 1 or not shoal.verify(moved, schema, require).passed
