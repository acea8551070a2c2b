"""t-closeness: exact distances, and the published table as what groups are compared with."""

from __future__ import annotations

import tomllib
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings, strategies as st

import shoal
from shoal import KAnonymity, TCloseness
from shoal.checks import MODEL_CHECKS
from shoal.errors import ParameterError
from shoal.methods._relative import merge_or_drop_failing
from shoal.models import GroupStatistics, Histogram, Requirement, holding
from shoal.models.exact.distances import equal_distance, ordered_distance
from shoal.publications.groups.counting import one_group
from shoal.publications.groups.grouping import Grouping
from shoal.table import Table
from shoal.table.sensitive import SensitiveColumn
from tests.examples import examples
from tests.reference.spread import apart, moved
from tests.tables import seeded

SECRET = "Xy9secret"
SCHEMA = shoal.Schema({"a": shoal.quasi(), "s": shoal.sensitive()})


def counted(groups: list[list[int]], lacking: int = 0) -> GroupStatistics:
    """Groups of numbers; some codes may belong to no row."""
    rows = [value for group in groups for value in group]
    labels = np.repeat(np.arange(len(groups)), [len(group) for group in groups]).astype(np.int32)
    known = sorted({*map(str, rows), *(str(1000 + i) for i in range(lacking))})
    codes = np.array([known.index(str(value)) for value in rows], dtype=np.int64)
    column = SensitiveColumn(codes, tuple(known))
    return Grouping(labels).statistics(None, {"s": column})


def distances(need: TCloseness, groups: GroupStatistics) -> list[float]:
    return [
        need.against(groups).judge(groups.only(np.arange(len(groups.sizes)) == g)).achieved["t"]
        for g in range(len(groups.sizes))
    ]


SALARIES = [[3, 4, 5], [6, 8, 11], [7, 9, 10]]
"""Table 3 of the paper, in thousands; the whole has nine values, once each."""


def test_salaries_of_the_paper() -> None:
    need = TCloseness("3/8", distance="ordered")
    first, second, _ = distances(need, counted(SALARIES))
    assert first == 0.375  # the paper: 0.375
    assert second == pytest.approx(1 / 6, abs=1e-15)  # the paper: 0.167
    assert need.judge(counted(SALARIES)).holds.tolist() == [True, True, True]
    assert need.judge(counted(SALARIES)).achieved == {"t": 0.375}
    less = TCloseness("0.37499999999999999999", distance="ordered").judge(counted(SALARIES))
    assert less.holds.tolist() == [False, True, True]
    # As mere values any three of nine are 2/3 away.
    assert TCloseness("2/3").judge(counted(SALARIES)).passed
    assert not TCloseness(0.6666666666666666).judge(counted(SALARIES)).passed


GROUPS = st.lists(st.lists(st.integers(-3, 12), min_size=1, max_size=9), min_size=1, max_size=6)


@settings(max_examples=examples(200), deadline=None)
@given(GROUPS, st.integers(0, 2), st.sampled_from(["0", "1/6", "1/4", "0.3", "1/2", "1"]))
def test_distances_are_those_of_the_slow_twin(
    groups: list[list[int]], lacking: int, t: str
) -> None:
    whole = [value for group in groups for value in group]
    for distance, twin in (("equal", apart), ("ordered", moved)):
        need = TCloseness(t, distance=distance)  # type: ignore[arg-type]
        expected = [twin(group, whole) for group in groups]
        outcome = need.judge(counted(groups, lacking))
        assert outcome.holds.tolist() == [each <= Fraction(t) for each in expected]
        assert outcome.achieved["t"] == float(max(expected))
        # A distance of exactly t holds, whatever t is; one step less does not.
        tight = TCloseness(str(max(expected)), distance=distance)  # type: ignore[arg-type]
        assert tight.judge(counted(groups, lacking)).passed
        if max(expected):
            under = str(max(expected) - Fraction(1, 10**15))
            less = TCloseness(under, distance=distance)  # type: ignore[arg-type]
            assert not less.judge(counted(groups, lacking)).passed


@settings(max_examples=examples(60), deadline=None)
@given(GROUPS, GROUPS)
def test_other_rows_to_compare_with(groups: list[list[int]], others: list[list[int]]) -> None:
    """Told what to compare with, it does so, though values and codes are others."""
    told = counted(others)
    whole = [value for group in others for value in group]
    for distance, twin in (("equal", apart), ("ordered", moved)):
        need = TCloseness(1, distance=distance).against(told)  # type: ignore[arg-type]
        alone = [need.judge(counted([group])).achieved["t"] for group in groups]
        assert alone == [float(twin(group, whole)) for group in groups]


def test_long_numbers_stay_exact() -> None:
    """Past 64 bits the same is computed with whole numbers of any length."""
    group, place = np.array([0, 0, 1]), np.array([0, 2, 1])
    counts, whole = np.array([2, 1, 4]), np.array([2, 4, 1])
    factor = 10**9
    for distance in (equal_distance, ordered_distance):
        small = distance(group, place, counts, 2, whole)
        large = distance(group, place, counts * factor, 2, whole * factor)
        assert large.dtype == object
        assert large.tolist() == [each * factor**2 for each in small.tolist()]
    huge = GroupStatistics(
        np.array([2, 1]),
        None,
        {"s": Histogram(group, place, counts * factor, ("0", "1", "2"))},
    )
    assert TCloseness("4/7").judge(huge).passed
    assert not TCloseness("3999999999999/7000000000000").judge(huge).passed


def test_equal_numbers_have_one_place() -> None:
    frame = pl.DataFrame({"a": ["x", "x", "y", "y"], "s": ["1", "2", "1.0", "2e0"]})
    result = shoal.verify(frame, SCHEMA, [TCloseness(0, distance="ordered")])
    assert result.achieved == {"t": 0.0}
    assert shoal.verify(frame, SCHEMA, [TCloseness(0)]).achieved == {"t": 0.5}


def test_order_is_that_of_numbers() -> None:
    """As texts, 10 comes before 9."""
    groups = [[9, 9], [10, 10], [100, 100]]
    assert distances(TCloseness(1, distance="ordered"), counted(groups)) == [
        0.5,
        pytest.approx(1 / 3),
        0.5,
    ]


def test_a_strict_one_keeps_the_contract() -> None:
    for check in MODEL_CHECKS:
        check(TCloseness("2/5"))


def test_unions_hold_against_a_fixed_table() -> None:
    rng = np.random.default_rng(3)
    for _ in range(100):
        groups = [rng.integers(0, 6, rng.integers(1, 9)).tolist() for _ in range(4)]
        for distance in ("equal", "ordered"):
            one, two, *_ = distances(TCloseness(1, distance=distance), counted(groups))  # type: ignore[arg-type]
            joined = [groups[0] + groups[1], *groups[2:]]
            both = distances(TCloseness(1, distance=distance), counted(joined))[0]  # type: ignore[arg-type]
            assert both <= max(one, two) + 1e-15


@pytest.mark.parametrize(
    ("need", "match"),
    [
        (TCloseness(-0.1), "t must be from 0 to 1, not -0.1"),
        (TCloseness(1.0001), "t must be from 0 to 1"),
        (TCloseness("x"), "t must be from 0 to 1, not 'x'"),
        (TCloseness(True), "t must be"),
        (TCloseness(None), "t must be"),  # type: ignore[arg-type]
        (TCloseness(float("nan")), "t must be"),
        (TCloseness(0.2, distance="order"), "Did you mean 'ordered'"),  # type: ignore[arg-type]
        (
            TCloseness(0.2, distance=1),
            "distance must be one of 'equal', 'ordered', 'hierarchical', not 1",
        ),  # type: ignore[arg-type]
    ],
)
def test_what_makes_no_sense_is_refused(need: TCloseness, match: str) -> None:
    with pytest.raises(ParameterError, match=match):
        need.validate()


def test_values_without_an_order_are_refused() -> None:
    need = TCloseness(0.5, distance="ordered")
    for odd in ([SECRET, "1", "2", "3"], [None, "1", "2", "3"]):
        frame = pl.DataFrame({"a": [1, 1, 2, 2], "s": odd})
        for call in (
            lambda frame=frame: shoal.anonymize(frame, SCHEMA, require=[need, KAnonymity(2)]),
            lambda frame=frame: shoal.verify(frame, SCHEMA, [need]),
        ):
            with pytest.raises(
                ParameterError, match="1 of 4 values of 's' are something else or missing"
            ) as e:
                call()
            assert SECRET not in str(e.value)
        assert shoal.verify(frame, SCHEMA, [TCloseness(0.5)]).passed


def test_columns_are_named() -> None:
    frame = pl.DataFrame({"a": [1, 2], "s": ["x", "y"]})
    with pytest.raises(ParameterError, match="'t' is not sensitive"):
        shoal.anonymize(frame, SCHEMA, require=[TCloseness(0.5, column="t")])
    with pytest.raises(ParameterError, match="no column is sensitive"):
        shoal.anonymize(
            frame.select("a"), shoal.Schema({"a": shoal.quasi()}), require=[TCloseness(0.5)]
        )


@pytest.mark.parametrize("t", [0, 0.2, "1/3", Fraction(1, 3)])
def test_plans_hold_it(t: float | str) -> None:
    spec = TCloseness(t, column="s", distance="ordered").to_spec()
    columns = {"a": {"role": "quasi"}, "s": {"role": "sensitive"}}
    plan = shoal.Plan.from_dict({"columns": columns, "require": [spec]})
    (again,) = shoal.Plan.from_dict(tomllib.loads(plan.to_toml())).requirements()
    assert isinstance(again, TCloseness)
    assert again.most == TCloseness(t).most
    assert (again.column, again.distance) == ("s", "ordered")


@pytest.mark.parametrize("distance", ["equal", "ordered"])
def test_a_group_without_values_is_not_close(distance: str) -> None:
    """Verification may meet a class of which no value is published."""
    need = TCloseness("1/2", distance=distance)  # type: ignore[arg-type]
    found = Histogram(
        np.array([0, 0, 2, 2]), np.array([0, 1, 0, 1]), np.array([1, 1, 2, 2]), ("1", "2")
    )
    groups = GroupStatistics(np.array([2, 3, 4]), None, {"s": found})
    assert need.judge(groups).holds.tolist() == [True, False, True]
    assert need.judge(groups).achieved == {"t": 1.0}
    none = groups.only(np.zeros(3, dtype=np.bool_))
    assert need.judge(none).passed
    assert need.judge(none).achieved == {"t": 0.0}


# What is published decides.


def test_holding_looks_again_when_groups_go() -> None:
    # Of 10 rows 4 are 1. The first group is all 1, so it goes; without it 2 of 8 are 1, and the
    # second group, of which half are, is 1/4 away instead of 1/10.
    groups = counted([[1, 1], [1, 1, 2, 2], [2, 2, 2, 2]])
    need = TCloseness("2/5")
    assert distances(need, groups) == [0.6, 0.1, 0.4]
    assert holding([need], groups).tolist() == [False, True, True]
    assert holding([TCloseness("6/25")], groups).tolist() == [False, True, False]
    assert holding([KAnonymity(3), TCloseness("1/4")], groups).tolist() == [False, True, True]
    assert holding([TCloseness("1/4"), KAnonymity(9)], groups).tolist() == [False] * 3
    assert holding([], groups).all()


@settings(max_examples=examples(100), deadline=None)
@given(GROUPS, st.sampled_from(["1/10", "1/4", "2/5", "3/5"]))
def test_what_is_left_holds_together(groups: list[list[int]], t: str) -> None:
    need, every = TCloseness(t, distance="ordered"), counted(groups)
    kept = holding([need], every)
    if kept.any():
        assert need.judge(every.only(kept)).passed
    # The same, group by group.
    left = list(range(len(groups)))
    while True:
        whole = [value for g in left for value in groups[g]]
        fine = [g for g in left if moved(groups[g], whole) <= Fraction(t)]
        if fine == left:
            break
        left = fine
    assert np.flatnonzero(kept).tolist() == left


LOSSY = pl.DataFrame(
    {"a": [0] * 4 + [10] * 8 + [20] * 4, "s": ["x"] * 4 + ["y"] * 8 + ["x", "x", "y", "z"]}
)


def test_a_group_that_fails_beside_the_published_ones_is_merged() -> None:
    """Each is close to the whole table, but not to the other one when a third is lost."""
    table = Table.encode(LOSSY, SCHEMA)
    labels = np.repeat([0, 1, -1], [4, 8, 4]).astype(np.int32)
    need = TCloseness("5/8")
    told = need.against(one_group(table, [need]))
    groups = Grouping(labels).statistics(None, table.sensitive)
    assert told.judge(groups).holds.tolist() == [True, True]  # 5/8 and 7/16 from 6 x, 9 y, 1 z
    assert need.judge(groups).holds.tolist() == [False, True]  # 2/3 and 1/3 from 4 x, 8 y
    require = [told, KAnonymity(2)]
    merged = merge_or_drop_failing(table, Grouping(labels), require, table.quasi, most=4)
    assert merged.labels.tolist() == [0] * 12 + [-1] * 4
    # Fewer may be lost: the four come back, and hold beside the others by themselves.
    whole = merge_or_drop_failing(table, Grouping(labels), require, table.quasi, most=3)
    assert whole.n_suppressed == 0
    assert need.judge(whole.statistics(None, table.sensitive)).passed
    same = Grouping(labels)
    assert merge_or_drop_failing(table, same, [KAnonymity(2)], table.quasi, most=4) is same
    fewer = merge_or_drop_failing(table, same, [KAnonymity(2)], table.quasi, most=3)
    assert fewer.n_suppressed == 0  # whatever is required, no more are lost than may be


def test_classes_of_chosen_levels_are_not_merged() -> None:
    table = Table.encode(LOSSY, SCHEMA)
    labels = np.repeat([0, 1, -1], [4, 8, 4]).astype(np.int32)
    chosen = Grouping(labels, levels={"a": 1})
    left = merge_or_drop_failing(table, chosen, [TCloseness("5/8")], table.quasi, most=0)
    assert left.labels.tolist() == [-1] * 4 + [0] * 8 + [-1] * 4
    assert left.levels == {"a": 1}


class _Careless(shoal.GAACP):
    """Loses the last rows, whatever is required."""

    def group(self, table: Table, require: object, **rest: object) -> Grouping:
        (need,) = (each for each in require if isinstance(each, TCloseness))  # type: ignore[attr-defined]
        labels = np.repeat([0, 1, -1], [4, 8, 4]).astype(np.int32)
        groups = Grouping(labels).statistics(None, table.sensitive)
        assert need.judge(groups).passed, "methods judge against the whole table"
        return Grouping(labels)


@pytest.mark.parametrize(("limit", "lost"), [(0.5, 4), (0.25, 4), (0.2, 0), (0, 0)])
def test_the_pipeline_loses_no_more_than_the_method_or_the_limit(limit: float, lost: int) -> None:
    need: list[Requirement] = [KAnonymity(2), TCloseness("5/8")]
    made = shoal.anonymize(LOSSY, SCHEMA, require=need, method=_Careless(), suppression_limit=limit)
    assert made.grouping.n_suppressed == lost
    assert made.verification.passed


ANY = [kind for kind in shoal.methods.METHODS.values() if kind.carries is None]


def skewed(rng: np.random.Generator) -> pl.DataFrame:
    """A table in which the secret goes with age."""
    n = int(rng.integers(60, 160))
    age = rng.integers(18, 80, n)
    place = rng.choice(["north", "south", "sea", None], n).tolist()
    return pl.DataFrame(
        {
            "a": age,
            "b": pl.Series(place, dtype=pl.String),
            "who": rng.integers(0, n // 2, n),
            "s": age // 16 + rng.integers(0, 3, n),
        }
    )


@pytest.mark.parametrize("people", [False, True], ids=["rows", "people"])
@pytest.mark.parametrize("kind", ANY, ids=lambda kind: kind.name)
def test_nobody_gives_up_where_one_group_would_hold(
    kind: type[shoal.methods.Method], people: bool
) -> None:
    roles = {"who": shoal.identifier(), "s": shoal.sensitive()}
    schema = shoal.Schema(
        {"a": shoal.quasi(), "b": shoal.quasi(), **roles}, entity="who" if people else None
    )
    for seed in range(8):
        need = TCloseness(
            ["1/100", "1/20", "1/8", "1/4"][seed % 4],
            distance="equal" if seed % 3 else "ordered",  # type: ignore[arg-type]
        )
        made = shoal.anonymize(
            skewed(np.random.default_rng(seed)),
            schema,
            require=[KAnonymity(3), need],
            method=seeded(kind, seed),
            suppression_limit=0.05,
        )
        assert made.verification.passed


@pytest.mark.parametrize("name", ["gaa-cp", "k-member", "kaim", "kaca", "ebkc", "top-down"])
def test_rows_that_must_go_do_not_take_the_others_along(name: str) -> None:
    """30 of 40 hold one value, and half may: 20 must go, and the rest is compared with itself."""
    frame = pl.DataFrame(
        {"a": [7 * i % 40 for i in range(40)], "s": ["x"] * 30 + ["y"] * 6 + ["z"] * 4}
    )
    made = shoal.anonymize(
        frame,
        SCHEMA,
        require=[shoal.AlphaK(0.5, 2), TCloseness("1/20")],
        method=seeded(shoal.methods.METHODS[name]),
        suppression_limit=0.5,
    )
    assert made.grouping.n_suppressed == 20
    assert made.verification.passed


@pytest.mark.parametrize("distance", ["equal", "ordered"])
@pytest.mark.parametrize(
    "method",
    [
        shoal.GAACP(seed=1),
        shoal.KMember(seed=1),
        shoal.KACA(seed=1),
        shoal.TopDown(seed=1),
        shoal.FullDomain(),
    ],
    ids=lambda method: method.name,
)
def test_methods_hold_it(method: shoal.methods.Method, distance: str) -> None:
    rng = np.random.default_rng(4)
    age = rng.integers(20, 60, 200)
    frame = pl.DataFrame(
        {"a": age, "b": rng.choice(["f", "m"], 200), "s": age // 15 + rng.integers(0, 4, 200)}
    )
    schema = shoal.Schema({"a": shoal.quasi(), "b": shoal.quasi(), "s": shoal.sensitive()})
    need = TCloseness(0.3, distance=distance)  # type: ignore[arg-type]
    made = shoal.anonymize(
        frame, schema, require=[KAnonymity(4), need], method=method, suppression_limit=0.2
    )
    assert made.verification.passed
    published = made.table
    whole = published["s"].to_list()
    groups = [list(each) for each in published.group_by("a", "b").agg("s")["s"]]
    assert len(groups) > 1
    twin = apart if distance == "equal" else moved
    found = [twin(group, whole) for group in groups]
    assert max(found) <= Fraction(3, 10)
    assert made.verification.achieved["t"] == float(max(found))


def test_people_are_counted() -> None:
    rng = np.random.default_rng(6)
    frame = pl.DataFrame(
        {
            "id": np.repeat(np.arange(50), 3),
            "a": rng.integers(0, 40, 150),
            "s": rng.choice(list("aabc"), 150),
        }
    )
    schema = shoal.Schema(
        {"id": shoal.identifier(), "a": shoal.quasi(), "s": shoal.sensitive()}, entity="id"
    )
    made = shoal.anonymize(
        frame, schema, require=[KAnonymity(4), TCloseness(0.35)], method=shoal.GAACP(seed=1),
        suppression_limit=0.3,
    )  # fmt: skip
    assert made.verification.passed
    assert made.verification.counted == "people"
    # Once for each value in each group.
    rows = made.table.with_columns(id=frame["id"].gather(made.rows)).unique(["id", "a", "s"])
    groups = [list(each) for each in rows.group_by("a").agg("s")["s"]]
    found = max(apart(group, rows["s"].to_list()) for group in groups)
    assert made.verification.achieved["t"] == float(found)


@pytest.mark.parametrize("how", ["rows", "counts"])
def test_two_tables_carry_it(how: str) -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"a": range(120), "s": rng.choice(list("aabcd"), 120)})
    made = shoal.anonymize(
        frame,
        SCHEMA,
        require=[KAnonymity(3), TCloseness(0.3)],
        method=shoal.KMember(seed=1),
        publication="two-table",
        sensitive_cells=how,
    )
    assert made.verification.passed
    groups = made.grouping.labels
    whole = frame["s"].to_list()
    found = [
        apart(frame["s"].filter(groups == g).to_list(), whole) for g in range(groups.max() + 1)
    ]
    assert made.grouping.n_suppressed == 0
    assert made.verification.achieved["t"] == float(max(found))


def test_values_shown_once_cannot_carry_it() -> None:
    frame = pl.DataFrame({"a": range(30), "s": ["x", "y", "z"] * 10})
    options = {"require": [TCloseness(0.5), KAnonymity(3)], "publication": "sensitive-groups"}
    with pytest.raises(ParameterError, match="'t-closeness' counts how often a value occurs"):
        shoal.anonymize(frame, SCHEMA, **options)  # type: ignore[arg-type]
    made = shoal.anonymize(frame, SCHEMA, sensitive_cells="counts", **options)  # type: ignore[arg-type]
    assert made.verification.passed


def test_methods_by_sensitive_values_refuse_it() -> None:
    frame = pl.DataFrame({"a": range(30), "s": ["x", "y", "z"] * 10})
    with pytest.raises(ParameterError, match="cannot carry 't-closeness'"):
        shoal.anonymize(frame, SCHEMA, require=[TCloseness(0.5)], method=shoal.Anatomy())


@pytest.mark.parametrize("value", ["", None])
def test_an_empty_text_stays_in_public_whether_it_is_missing_or_a_value(value: str | None) -> None:
    shown = {"ill": {"flu", value}}
    tree = {"flu": "any", "": "any", "HIV": "any"}
    said = TCloseness(0.5, "ill", "hierarchical", parents=tree).published(shown).to_spec()
    assert said["parents"] == {"flu": "any", "": "any", "not published 1": "any"}
    ordered = TCloseness(0.5, "ill", "ordered", ["HIV", "", "flu"]).published(shown).to_spec()
    assert ordered["order"] == ["", "flu"]


TREE = {"0": "low", "1": "low", "2": "high", "3": "high", "low": "any", "high": "any"}


@settings(deadline=None, max_examples=examples(60))
@given(
    seed=st.integers(0, 10**6),
    t=st.sampled_from(["0", "1/20", "1/6", "0.3"]),
    how=st.sampled_from(
        [{}, {"distance": "ordered"}, {"distance": "hierarchical", "parents": TREE}]
    ),
)
def test_no_fewer_rows_than_are_lacking_bring_a_group_near(
    seed: int, t: str, how: dict[str, object]
) -> None:
    rng = np.random.default_rng(seed)
    whole = np.concatenate((np.arange(4), rng.choice(4, 60, p=[0.5, 0.3, 0.1, 0.1])))
    need = TCloseness(t, None, **how).against(counted([whole.tolist()]))  # type: ignore[arg-type]
    group = rng.choice(4, int(rng.integers(1, 40)), p=[0.05, 0.05, 0.2, 0.7]).tolist()
    lacking = int(need.rows_lacking(_within(group))[0])
    assert (lacking == 0) == need.judge(_within(group)).passed
    shortest = [value for value in (0, 1) for _ in range(lacking)]  # what lacks most joins
    for more in range(1, lacking):
        for joins in (shortest[::2], rng.choice(4, lacking).tolist()):
            assert not need.judge(_within(group + joins[:more])).passed


def _within(values: list[int]) -> GroupStatistics:
    """One group, beside codes of all four values."""
    column = SensitiveColumn(np.array(values, dtype=np.int64), tuple("0123"))
    return Grouping(np.zeros(len(values), dtype=np.int32)).statistics(None, {"s": column})


def test_many_rows_can_be_lacking() -> None:
    need = TCloseness("1/20").against(counted([[0, 1, 2, 3] * 5]))
    # 3/4 away, and a row moves 40 times that by one at most: (40 * 3/4 - 2) / (1 + 1/20).
    assert need.rows_lacking(_within([0] * 40)).tolist() == [27]
    assert TCloseness("1/20").rows_lacking(_within([0] * 40)).tolist() == [0]


def test_where_values_may_come_to_be_shown_a_row_may_be_enough() -> None:
    need = TCloseness("1/4", distance="ordered").against(counted([[0, 1, 2] * 5], lacking=1))
    assert need.rows_lacking(_within([0] * 40)).tolist() == [1]
