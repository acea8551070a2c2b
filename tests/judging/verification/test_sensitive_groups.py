"""A table per sensitive column, counted again: what holds, and every tampering."""

from __future__ import annotations

from typing import Any

import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal.errors import InfeasibleError, InputError, ParameterError, SchemaError
from shoal.judging.verification import row_order
from tests.examples import examples

SCHEMA = shoal.Schema({"age": shoal.quasi(), "ill": shoal.sensitive(), "pay": shoal.sensitive()})
ORIGINAL = pl.DataFrame(
    {
        "age": [20, 21, 22, 40, 41, 42],
        "ill": ["flu", "HIV", "flu", "cold", "flu", "cold"],
        "pay": ["low", "low", "low", "high", "low", "mid"],
    }
)
QUASI = ORIGINAL.select("age", pl.Series("group", [2, 2, 2, 1, 1, 1]))
ILL = pl.DataFrame({"group": [2, 1, 1, 2], "ill": ["HIV", "cold", "flu", "flu"]})
PAY = pl.DataFrame({"group": [1, 1, 2, 1, 2], "pay": ["high", "mid", "high", "low", "low"]})
DIVERSE = shoal.MultiLDiversity({"ill": 2, "pay": 2})


def check(
    quasi: Any = QUASI,
    ill: Any = ILL,
    pay: Any = PAY,
    require: Any = DIVERSE,
    schema: shoal.Schema = SCHEMA,
    **rest: Any,
) -> shoal.Verification:
    tables = {"quasi": quasi, "sensitive": {"ill": ill, "pay": pay}}
    return shoal.verify(tables, schema, [require], **rest)


def failed(result: shoal.Verification) -> dict[str, str]:
    return {each.check: each.detail for each in result.findings if not each.passed}


def test_k_and_every_l_are_counted_from_the_tables_alone() -> None:
    result = check()
    assert result.passed
    assert (result.rows, result.classes) == (6, 2)
    assert result.achieved == {"l of ill": 2, "l of pay": 2}
    assert check(require=shoal.KAnonymity(3)).achieved == {"k": 3}
    assert not check(require=shoal.KAnonymity(4)).passed
    worse = check(require=shoal.MultiLDiversity({"ill": 3, "pay": 2}))
    assert worse.judgements[0].failing_classes == 2
    # The value that was added counts: without it group 2 shows one.
    assert not check(pay=PAY.filter(~((pl.col("group") == 2) & (pl.col("pay") == "high")))).passed


def test_with_the_original_all_values_are_there_and_none_is_invented() -> None:
    assert check(original=ORIGINAL).passed
    lost = ILL.filter(~((pl.col("group") == 1) & (pl.col("ill") == "flu")))
    found = failed(check(ill=lost, original=ORIGINAL))
    assert found == {"values of 'ill' per class": "1 value of a row is not shown in their class"}
    invented = pl.concat([ILL, pl.DataFrame({"group": [1], "ill": ["Zq7"]})])
    assert check(ill=invented).passed
    found = failed(check(ill=invented, original=ORIGINAL))
    assert found == {"values of 'ill' occur": "1 value is of no published row"}
    assert "Zq7" not in str(found)


def test_a_value_only_unpublished_rows_hold_is_as_good_as_invented() -> None:
    more = pl.concat([ORIGINAL, pl.DataFrame({"age": [9], "ill": ["rare"], "pay": ["low"]})])
    shown = pl.concat([ILL, pl.DataFrame({"group": [1], "ill": ["rare"]})])
    assert "values of 'ill' occur" in failed(check(ill=shown, original=more, rows=range(6)))


@pytest.mark.parametrize(
    ("column", "ids", "detail"),
    [
        ("ill", [2, 3, 3, 2], "1 classes have no values of 'ill'; 1 classes of 'ill' have no rows"),
        ("pay", [1, 1, 1, 1, 1], "1 classes have no values of 'pay'"),
        ("pay", [1, 1, 2, 7, 2], "1 classes of 'pay' have no rows"),
        ("ill", [2, None, 1, 2], "1 row has no id"),
    ],
)
def test_ids_in_one_table_and_not_in_another_are_found(
    column: str, ids: list[int | None], detail: str
) -> None:
    wrong = {"ill": ILL, "pay": PAY}[column].with_columns(pl.Series("group", ids))
    assert detail in failed(check(**{column: wrong}))["class ids"]


def test_counts_are_those_of_the_rows_where_values_are_repeated() -> None:
    rows = pl.DataFrame({"group": QUASI["group"], "pay": ORIGINAL["pay"]})
    ill = pl.DataFrame({"group": QUASI["group"], "ill": ORIGINAL["ill"]})
    k = shoal.KAnonymity(3)
    assert check(pay=rows, require=k, original=ORIGINAL).passed
    alpha = shoal.AlphaK("2/3", 3, column="ill")
    assert check(ill=ill, pay=rows, require=alpha).achieved["alpha"] == pytest.approx(2 / 3)
    more = pl.concat([rows, rows.head(1)])
    found = failed(check(pay=more, require=k))
    assert found["values per class"].startswith("1 of 2 classes have more or fewer values")
    counted = rows.group_by("group", "pay").len("n")
    assert check(pay=counted, require=k).passed
    assert failed(check(pay=counted.with_columns(n=pl.col("n") + 1), require=k))


def test_shares_of_values_that_are_shown_once_are_refused() -> None:
    for requirement in (
        shoal.AlphaK(0.9, 3, column="ill"),
        shoal.LeveledAlphaK({"flu": 1, "HIV": 1, "cold": 1}, [0.9], 3, column="ill"),
    ):
        with pytest.raises(ParameterError, match="how often a value of 'ill' occurs"):
            check(require=requirement, original=ORIGINAL)


def test_columns_that_publish_a_link_are_found() -> None:
    both = ILL.with_columns(pay=pl.lit("low"))
    assert failed(check(ill=both)) == {"tables apart": "the link is published: pay"}
    beside = QUASI.with_columns(ill=pl.lit("flu"))
    assert failed(check(beside)) == {"tables apart": "the link is published: ill"}
    numbered = failed(check(ill=ILL.with_row_index("row").with_columns(x=1)))
    assert numbered["roles known"] == "without a role: row, x"
    with pytest.raises(InputError, match="'row' of the sensitive: pay table should count"):
        check(pay=PAY.with_row_index("row"))
    counted = failed(check(pay=PAY.with_row_index("row", offset=1)))
    assert "have more or fewer values of 'pay' than rows" in counted["values per class"]


def test_what_cannot_be_judged_is_refused() -> None:
    with pytest.raises(SchemaError, match="no table for the sensitive column 'pay'"):
        shoal.verify({"quasi": QUASI, "sensitive": {"ill": ILL}}, SCHEMA, [DIVERSE])
    tables = {"quasi": QUASI, "sensitive": {"ill": ILL, "pay": PAY, "salary": PAY}}
    with pytest.raises(SchemaError, match="'salary', which is not a sensitive column"):
        shoal.verify(tables, SCHEMA, [DIVERSE])
    with pytest.raises(SchemaError, match="exactly one sensitive column, not 2"):
        shoal.verify({"quasi": QUASI, "sensitive": ILL}, SCHEMA, [DIVERSE])
    with pytest.raises(SchemaError, match="'sensitive: pay' has no column 'pay'"):
        check(pay=PAY.rename({"pay": "wage"}))
    with pytest.raises(InputError, match="'sensitive: ill' has no rows"):
        check(ill=ILL.head(0))
    with pytest.raises(SchemaError, match="'sensitive: ill' has no class column 'group'"):
        check(ill=ILL.rename({"group": "g"}), class_column="group")


def test_any_frame_will_do() -> None:
    assert check(pd.DataFrame(QUASI.to_dict(as_series=False)), ILL.to_arrow(), PAY).passed
    assert check(QUASI.cast(pl.String), ILL, PAY).passed


def test_people_are_counted_among_the_rows_and_values_from_their_tables() -> None:
    schema = shoal.Schema({**SCHEMA, "who": shoal.identifier()}, entity="who")
    people = [1, 1, 2, 3, 4, 5]
    counted = check(schema=schema, require=shoal.KAnonymity(2), people=people)
    assert (counted.counted, counted.achieved["k"]) == ("people", 2)
    assert check(schema=schema, people=people).achieved == {"l of ill": 2, "l of pay": 2}
    with pytest.raises(ParameterError, match="identifies people"):
        check(schema=schema)


def test_a_missing_value_is_one_of_its_own() -> None:
    gone = ILL.with_columns(ill=pl.Series([None, "cold", "flu", "flu"]))
    original = ORIGINAL.with_columns(ill=pl.Series(["flu", "", "*", "cold", "flu", "cold"]))
    assert check(ill=gone, original=original).passed


N = 300


def linked_tables() -> tuple[pl.DataFrame, dict[str, Any]]:
    """Tables in the order of the rows, each value of its own."""
    original = pl.DataFrame(
        {
            "age": range(N),
            "ill": [f"i{i:03d}" for i in range(N)],
            "pay": [f"p{i % 30:03d}" for i in range(N)],
        }
    )
    ids = pl.Series("group", [i % 50 for i in range(N)])
    apart = {
        name: original.select(ids, name).unique(maintain_order=True) for name in ("ill", "pay")
    }
    return original, {"quasi": original.select("age", ids), "sensitive": apart}


def shuffled(frame: pl.DataFrame, seed: int) -> pl.DataFrame:
    return frame.sample(fraction=1, shuffle=True, seed=seed)


def test_orders_that_link_columns_to_rows_or_to_each_other_are_found() -> None:
    original, tables = linked_tables()
    apart = tables["sensitive"]

    def order(quasi: pl.DataFrame, ill: pl.DataFrame, pay: pl.DataFrame) -> Any:
        made = {"quasi": quasi, "sensitive": {"ill": ill, "pay": pay}}
        return row_order(made, SCHEMA, original, quasi["age"])

    quasi = tables["quasi"]
    unshuffled = order(quasi, apart["ill"], apart["pay"])
    assert not unshuffled.passed
    assert "links 300 of 300 values of 'ill' to their rows" in unshuffled.detail
    assert "the order of 'ill' and 'pay' links" in unshuffled.detail
    # The rows may be in any order: the two columns still link each other.
    together = order(shuffled(quasi, 1), apart["ill"], apart["pay"])
    assert "to their rows" not in together.detail
    assert "the order of 'ill' and 'pay' links" in together.detail
    for seed in range(5):
        good = [shuffled(each, 10 * seed + i) for i, each in enumerate((quasi, *apart.values()))]
        found = order(*good)
        assert found.passed
        assert "which values belong together" in found.detail


def test_added_values_that_stand_last_are_found() -> None:
    original, tables = linked_tables()
    ids = tables["sensitive"]["pay"]["group"].unique()
    wanted = [f"p{(i + 1) % 30:03d}" for i in ids]
    noise = pl.DataFrame({"group": ids, "pay": wanted}).join(
        tables["sensitive"]["pay"], on=["group", "pay"], how="anti"
    )
    quasi, ill = shuffled(tables["quasi"], 1), shuffled(tables["sensitive"]["ill"], 2)

    def order(pay: pl.DataFrame) -> Any:
        made = {"quasi": quasi, "sensitive": {"ill": ill, "pay": pay}}
        return row_order(made, SCHEMA, original, quasi["age"])

    real = shuffled(tables["sensitive"]["pay"], 3)
    last = order(pl.concat([real, noise]))
    assert last.detail == (
        "added values of 'pay' can be distinguished from the others by their position"
    )
    assert order(shuffled(pl.concat([real, noise]), 4)).passed


METHODS = st.sampled_from(["micd", "decomposition", "decomposition-plus", "gaa-cp", "top-down"])


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_every_released_set_verifies(data: st.DataObject) -> None:
    n = data.draw(st.integers(6, 30))
    words = st.lists(st.sampled_from([None, "", "*", "x", "y", "z", "w"]), min_size=n, max_size=n)
    numbers = st.lists(st.one_of(st.none(), st.integers(0, 4)), min_size=n, max_size=n)
    frame = pl.DataFrame(
        {
            "age": pl.Series([5, *data.draw(numbers)[1:]], dtype=pl.Int64),
            "group": pl.Series(["x", *data.draw(words)[1:]], dtype=pl.String),
            "count": pl.Series(data.draw(words), dtype=pl.String),
            "pay": pl.Series(data.draw(numbers), dtype=pl.Int64),
            "note": range(n),
        }
    )
    roles = {"age": shoal.quasi(), "group": shoal.quasi(), "note": shoal.other()}
    roles |= {"count": shoal.sensitive(), "pay": shoal.sensitive()}
    schema = shoal.Schema(roles)
    wanted = {name: data.draw(st.integers(2, 4)) for name in ("count", "pay")}
    require: list[Any] = [shoal.MultiLDiversity(wanted, lower=True)]
    if data.draw(st.booleans()):
        require.append(shoal.KAnonymity(data.draw(st.integers(2, 4))))
    seed = data.draw(st.one_of(st.none(), st.integers(0, 99)))
    method = shoal.methods.METHODS[data.draw(METHODS)](seed=seed)  # type: ignore[call-arg]
    missing = data.draw(st.sampled_from(["keep", "drop"]))
    try:
        made = shoal.anonymize(
            frame,
            schema,
            require=require,
            method=method,
            publication="sensitive-groups",
            quasi_cells=data.draw(st.sampled_from(["exact", "generalized"])),
            missing=missing,
            suppression_limit=1.0,
        )
    except InfeasibleError:
        return
    assert made.verification.passed, made.verification.reasons()
    assert shoal.verify(made.tables, schema, require).passed
    assert shoal.verify(made.tables, schema, require, original=frame, rows=made.rows).passed
    # Every row is published once, and no value is invented.
    assert made.table["note"].to_list() == made.rows.tolist()
    for name, shown in made.tables["sensitive"].items():
        assert set(shown[name]) <= set(frame[name].gather(made.rows))
        assert set(shown["group_1"]) == set(made.table["group_1"])


def test_verify_asks_the_order_of_tables_as_written() -> None:
    n = 240
    original = pl.DataFrame(
        {"age": range(n), "ill": [f"i{i}" for i in range(n)], "pay": [f"p{i}" for i in range(n)]}
    )
    ids = pl.Series("group", [i // 8 for i in range(n)])
    linked = {"ill": original.select(ids, "ill"), "pay": original.select(ids, "pay")}
    tables = {"quasi": original.select("age", ids), "sensitive": linked}
    options = {"original": original, "rows": range(n)}
    assert shoal.verify(tables, SCHEMA, [DIVERSE], **options).passed
    told = shoal.verify(tables, SCHEMA, [DIVERSE], **options, as_written=True)
    assert "'ill' and 'pay' links 240 of 240" in failed(told)["row order"]
    apart = {
        "quasi": tables["quasi"].sample(fraction=1, seed=1, shuffle=True),
        "sensitive": {
            name: frame.sample(fraction=1, seed=seed, shuffle=True)
            for seed, (name, frame) in enumerate(linked.items(), start=2)
        },
    }
    options["rows"] = apart["quasi"]["age"].to_numpy()
    assert shoal.verify(apart, SCHEMA, [DIVERSE], **options, as_written=True).passed
    with pytest.raises(ParameterError, match="without the original"):
        shoal.verify(apart, SCHEMA, [DIVERSE], as_written=True)
