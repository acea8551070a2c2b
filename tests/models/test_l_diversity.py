"""l-diversity: exact at the boundary for all kinds, refusals that help."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given, settings, strategies as st

import shoal
from shoal import KAnonymity, LDiversity
from shoal.checks import MODEL_CHECKS
from shoal.errors import InfeasibleError, ParameterError
from shoal.models import GroupStatistics, Histogram, Requirement
from shoal.models.exact.logarithms import at_least_one
from tests.examples import examples
from tests.reference import spread

SECRET = "Xy9secret"
CHARS = "abcdef"

KINDS = [
    LDiversity(3),
    LDiversity("5/2", "entropy"),
    LDiversity(2, "recursive", c=2),
    LDiversity(3, "recursive", c="2/3"),
]


def of_counts(*groups: list[int]) -> GroupStatistics:
    """Groups in which the i-th value occurs so often."""
    entries = [(g, v, c) for g, row in enumerate(groups) for v, c in enumerate(row) if c]
    group, value, counts = (np.array(each, dtype=np.int64) for each in zip(*entries, strict=True))
    labels = tuple(f"v{i}" for i in range(max(map(len, groups))))
    found = Histogram(group, value, counts, labels)
    return GroupStatistics(np.array([sum(row) for row in groups]), None, {"s": found})


def of_rows(groups: list[str]) -> GroupStatistics:
    """Groups of one-letter values."""
    return of_counts(*([rows.count(letter) for letter in CHARS] for rows in groups))


def holds(need: Requirement, *groups: list[int]) -> list[bool]:
    return [bool(each) for each in need.judge(of_counts(*groups)).holds]


@pytest.mark.parametrize("need", KINDS, ids=str)
def test_shares_as_of_its_least_size_make_a_group_diverse(need: LDiversity) -> None:
    groups = of_counts(*(list(counts) for counts in product(range(4), repeat=5) if sum(counts)))
    mixed = need.as_shares().judge(groups).holds
    assert mixed.any()
    assert not (mixed & ~need.judge(groups).holds).any()


@pytest.mark.parametrize("least", [2, 3, 5, 6, 7, 10, 11, 100])
@pytest.mark.parametrize("count", [1, 2, 3, 7, 10, 999, 10**5, 123_457, 10**8])
def test_equal_counts_have_the_entropy_of_their_number(least: int, count: int) -> None:
    assert holds(LDiversity(least, "entropy"), [count] * least) == [True]
    assert holds(LDiversity(f"{least}.000000000000000000001", "entropy"), [count] * least) == [
        False
    ]
    assert LDiversity(least, "entropy").judge(of_counts([count] * least)).achieved == {"l": least}


@pytest.mark.parametrize(
    ("counts", "least", "expected"),
    [
        ([4, 1, 1, 1, 1], 4, True),  # ln 8 - 4 ln 4 / 8 = ln 8 - ln 2
        ([4, 1, 1, 1, 1], "4.0000000000000001", False),
        ([40_000, 10_000, 10_000, 10_000, 10_000], 4, True),
        ([40_001, 10_000, 10_000, 10_000, 9_999], 4, False),
        ([9 * 27, 27, 27, 27, *[9] * 3], 4, False),
        ([50_000, 50_001], 2, False),
        ([50_000_000, 50_000_001], 2, False),  # the logarithms are the same to 16 digits
        ([50_000_000, 50_000_001, 1], 2, True),
        ([10**9, 10**9 + 1, 10**9 - 1], 3, False),
        ([2, 1], 1.88, True),  # 3 / 4^(1/3) = 1.8898…
        ([2, 1], 1.89, False),
    ],
)
def test_entropy_is_exact(counts: list[int], least: float | str, expected: bool) -> None:
    assert holds(LDiversity(least, "entropy"), counts) == [expected]
    # Among others it is the same, so that arrays and single groups agree.
    assert (
        holds(LDiversity(least, "entropy"), [1], counts, [1, 0, 5], counts)[1::2] == [expected] * 2
    )


def test_products_of_powers() -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        powers = [
            (int(base), int(exponent))
            for base, exponent in zip(rng.integers(1, 40, 5), rng.integers(-9, 10, 5), strict=True)
        ]
        value = Fraction(1)
        for base, exponent in powers:
            value *= Fraction(base) ** exponent
        assert at_least_one(powers) is (value >= 1)
        assert at_least_one([*powers, *((base, -exponent) for base, exponent in powers)])


@settings(max_examples=examples(200), deadline=None)
@given(
    st.lists(st.text(CHARS, min_size=1, max_size=12), min_size=1, max_size=6),
    st.sampled_from(["3/2", "2", "5/2", "2.8284271247", "2.8284271248", "3", "4"]),
    st.sampled_from(["1/3", "1/2", "1", "3/2", "2", "7/3"]),
    st.integers(2, 4),
)
def test_every_kind_is_its_slow_twin(groups: list[str], even: str, c: str, least: int) -> None:
    counted = of_rows(groups)
    entropy = LDiversity(even, "entropy").judge(counted)
    assert entropy.holds.tolist() == [spread.even_enough(g, Fraction(even)) for g in groups]
    recursive = LDiversity(least, "recursive", c=c).judge(counted)
    assert recursive.holds.tolist() == [spread.recursive(g, least, Fraction(c)) for g in groups]
    assert (recursive.achieved["l"] >= least) == recursive.passed
    distinct = LDiversity(least).judge(counted)
    assert distinct.holds.tolist() == [len(set(g)) >= least for g in groups]
    assert distinct.achieved == {"l": min(len(set(g)) for g in groups)}


@pytest.mark.parametrize("need", KINDS, ids=str)
def test_a_group_without_values_is_not_diverse(need: LDiversity) -> None:
    found = Histogram(
        np.repeat([0, 2], 5), np.tile(np.arange(5), 2), np.ones(10, dtype=np.int64), ()
    )
    groups = GroupStatistics(np.array([5, 3, 5]), None, {"s": found})
    assert need.judge(groups).holds.tolist() == [True, False, True]
    assert need.judge(groups).achieved == {"l": 0}
    none = groups.only(np.zeros(3, dtype=np.bool_))
    assert need.judge(none).passed
    assert need.judge(none).achieved == {"l": 0}


def test_recursive_bound_is_strict() -> None:
    # 5 < c * (2 + 1): c = 5/3 is not enough.
    assert holds(LDiversity(3, "recursive", c="5/3"), [5, 3, 2, 1]) == [False]
    assert holds(LDiversity(3, "recursive", c="1.66666666666666666667"), [5, 3, 2, 1]) == [True]
    assert holds(LDiversity(5, "recursive", c=1000), [5, 3, 2, 1]) == [False]


@pytest.mark.parametrize("need", KINDS, ids=str)
def test_every_kind_keeps_the_contract(need: LDiversity) -> None:
    for check in MODEL_CHECKS:
        check(need)


def test_facts_depend_on_the_kind() -> None:
    distinct, entropy, recursive, _ = KINDS
    assert distinct.monotone_in_rows
    assert distinct.monotone_in_people
    assert not distinct.counts_matter
    for need in (entropy, recursive):
        assert not need.monotone_in_rows
        assert not need.monotone_in_people
        assert need.counts_matter
    # A group that holds, with rows that join, does not: the facts are needed.
    assert holds(LDiversity(2, "entropy"), [1, 1], [2, 1]) == [True, False]
    assert holds(LDiversity(2, "recursive", c=1.5), [1, 1], [2, 1]) == [True, False]


def test_least_size_is_reached() -> None:
    for need in KINDS:
        ones = [1] * need.least_size
        assert holds(need, ones) == [True]
        assert holds(need, ones[:-1]) == [False]
    assert [need.least_size for need in KINDS] == [3, 3, 2, 4]


def test_people_are_counted() -> None:
    """Ten visits of one patient are one holder of the value."""
    values, people = np.array([0] * 10 + [1]), np.array([0] * 10 + [1])
    by_rows = GroupStatistics(np.array([11]), None, {"s": Histogram.of_one(values, ("a", "b"))})
    by_people = GroupStatistics(
        np.array([11]), np.array([2]), {"s": Histogram.of_one(values, ("a", "b"), people)}
    )
    for need in (LDiversity(2, "entropy"), LDiversity(2, "recursive", c=2)):
        assert not need.judge(by_rows).passed
        assert need.judge(by_people).passed


def fewest_removed(counts: list[int], need: LDiversity) -> int | None:
    """Try every way to remove rows."""
    best = None
    for kept in product(*(range(count + 1) for count in counts)):
        gone = sum(counts) - sum(kept)
        if sum(kept) and holds(need, list(kept)) == [True]:
            best = gone if best is None else min(best, gone)
    return best


@settings(max_examples=examples(150), deadline=None)
@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=4),
    st.sampled_from([*KINDS, LDiversity("7/2", "entropy")]),
)
@example([1, 5, 6, 6], LDiversity("7/2", "entropy"))  # one of the two largest loses one row
@example([1, 5, 7, 9], LDiversity("7/2", "entropy"))
def test_no_fewer_rows_can_go(counts: list[int], need: LDiversity) -> None:
    assert need.least_suppression(of_counts(counts)) == fewest_removed(counts, need)


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=6),
    st.sampled_from([LDiversity(2), LDiversity(2, "entropy"), LDiversity(2, "recursive", c=2)]),
)
def test_of_people_it_is_a_lower_bound(rows: list[tuple[int, int]], need: LDiversity) -> None:
    """Whatever rows are kept, however grouped: never fewer are removed than said."""

    def counted(some: list[tuple[int, int]]) -> GroupStatistics:
        people, values = (np.array(each) for each in zip(*some, strict=True))
        found = Histogram.of_one(values, ("a", "b", "c"), people)
        return GroupStatistics(np.array([len(some)]), np.array([len(set(people))]), {"s": found})

    said = need.least_suppression(counted(rows))
    for labels in product(range(-1, 2), repeat=len(rows)):  # two groups, or removed
        groups = [[row for row, at in zip(rows, labels, strict=True) if at == g] for g in (0, 1)]
        groups = [each for each in groups if each]
        if groups and all(need.judge(counted(each)).passed for each in groups):
            assert said is not None
            assert said <= labels.count(-1)


@pytest.mark.parametrize(
    ("need", "match"),
    [
        (LDiversity(1), "whole number of at least 2, not 1"),
        (LDiversity(0), "whole number of at least 2"),
        (LDiversity(2.5), "whole number of at least 2, not 2.5. 3 is usual; only kind"),
        (LDiversity("many"), "whole number"),
        (LDiversity(True), "whole number"),
        (LDiversity(1, "entropy"), "l must be a number above 1, not 1"),
        (LDiversity(0.5, "entropy"), "above 1"),
        (LDiversity("x", "entropy"), "above 1, not 'x'"),
        (LDiversity(float("nan"), "entropy"), "above 1"),
        (LDiversity(None, "entropy"), "above 1"),  # type: ignore[arg-type]
        (LDiversity(3, "entropie"), "Did you mean 'entropy'"),  # type: ignore[arg-type]
        (LDiversity(3, "recursive"), "needs c"),
        (LDiversity(3, "recursive", c=0), "c must be above 0, not 0"),
        (LDiversity(3, "recursive", c=-1), "c must be above 0, not -1"),
        (LDiversity(3, "recursive", c="x"), "c must be above 0"),
        (LDiversity(3, c=2), "c is not used with kind = 'distinct'"),
        (LDiversity(3, "entropy", c=2), "c is not used with kind = 'entropy'"),
    ],
)
def test_what_makes_no_sense_is_refused(need: LDiversity, match: str) -> None:
    with pytest.raises(ParameterError, match=match):
        need.validate()


SCHEMA = shoal.Schema({"a": shoal.quasi(), "s": shoal.sensitive()})


def release(values: list[str], *need: Requirement, **options: object) -> shoal.Release:
    frame = pl.DataFrame({"a": range(len(values)), "s": values})
    return shoal.anonymize(frame, SCHEMA, require=list(need), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("need", "values", "match"),
    [
        (LDiversity(4), "abcabc", "has 3 different values: l = 3 is the largest possible"),
        (LDiversity(4, "entropy"), "abcabc", "has 3 different values: l = 3 is the largest "
            "possible"),
        (LDiversity(3, "recursive", c=1), "ababab", "has 2 different values: l = 2 is the "
            "largest possible"),
        (LDiversity(2), "aaaa", "the same value in all rows: no l is possible"),
        (LDiversity(2, "entropy"), "aab", "at least 1 of 3 rows .* l = 1.8898 is the largest "
            "possible"),
        (LDiversity(2, "recursive", c=1), "aaabb", "all from number 2 on by 2: any c above 1.5 "),
        (LDiversity(2, "entropy"), "a" * 999_999 + "b", "Nearly all rows hold one value"),
    ],
)  # fmt: skip
def test_impossible_is_refused_with_the_way_out(need: LDiversity, values: str, match: str) -> None:
    with pytest.raises(InfeasibleError, match=match) as caught:
        need.require_feasible(of_rows([values]))
    assert SECRET not in str(caught.value)


def test_the_named_way_out_holds() -> None:
    rng = np.random.default_rng(8)
    for _ in range(60):
        counts = [int(each) for each in rng.integers(1, 30, rng.integers(2, 6))]
        said = LDiversity(len(counts), "entropy").nearest_feasible(of_counts(counts))
        if "is the largest possible" in said or "Nearly" in said:
            continue
        least = said.split("l = ")[1].split(" ")[0]
        assert holds(LDiversity(least, "entropy"), counts) == [True]
        more = str(Fraction(least) + Fraction(1, 5000))
        assert holds(LDiversity(more, "entropy"), counts) == [False]
        said = LDiversity(2, "recursive", c="1/1000").nearest_feasible(of_counts(counts))
        above = Fraction(said.split("above ")[1].split(" ")[0])
        assert holds(LDiversity(2, "recursive", c=str(above + Fraction(1, 10**6))), counts) == [
            True
        ]
        below = above - Fraction(2, 10_000)
        assert below <= 0 or holds(LDiversity(2, "recursive", c=str(below)), counts) == [False]


def test_no_cell_is_in_a_message() -> None:
    for need in (LDiversity(5), LDiversity(3, "entropy"), LDiversity(2, "recursive", c="1/9")):
        with pytest.raises(InfeasibleError) as caught:
            release([SECRET] * 18 + [f"{SECRET}2", f"{SECRET}3"], need)
        assert SECRET not in str(caught.value)
    with pytest.raises(ParameterError, match="no column is sensitive"):
        shoal.anonymize(pl.DataFrame({"a": [1, 2]}), shoal.Schema({"a": shoal.quasi()}),
                        require=[LDiversity(2)])  # fmt: skip
    with pytest.raises(ParameterError, match="'t' is not sensitive"):
        release(["x", "y"], LDiversity(2, column="t"))


@pytest.mark.parametrize(
    "need", [*KINDS, LDiversity(Fraction(5, 2), "entropy", column="s")], ids=str
)  # type: ignore[arg-type]
def test_plans_hold_it(need: LDiversity) -> None:
    columns = {"a": {"role": "quasi"}, "s": {"role": "sensitive"}}
    plan = shoal.Plan.from_dict({"columns": columns, "require": [need.to_spec()]})
    (again,) = shoal.Plan.from_dict(tomllib.loads(plan.to_toml())).requirements()
    assert isinstance(again, LDiversity)
    assert (again.least, again.factor) == (need.least, need.factor)
    assert (again.kind, again.column) == (need.kind, need.column)


@pytest.mark.parametrize("need", KINDS, ids=str)
@pytest.mark.parametrize(
    "method",
    [shoal.GAACP(seed=1), shoal.KMember(seed=1), shoal.TopDown(seed=1), shoal.KACA(seed=1)],
)
def test_methods_hold_it(need: LDiversity, method: shoal.methods.Method) -> None:
    plan = shoal.Plan.read(shoal.datasets.folder("adult") / "adult.toml")
    table = shoal.datasets.adult(complete=True).head(300)
    made = shoal.anonymize(table, plan.schema_(), require=[KAnonymity(3), need], method=method)
    assert made.verification.passed
    cells = made.table.group_by(plan.schema_().quasi).agg(pl.col("occupation"))["occupation"]
    groups = [list(each) for each in cells]
    assert len(groups) > 5
    if need.kind == "distinct":
        assert min(len(set(each)) for each in groups) >= 3
    elif need.kind == "entropy":
        assert all(spread.even_enough(each, need.least) for each in groups)
    else:
        assert all(spread.recursive(each, int(need.least), need.factor) for each in groups)


def test_people_are_counted_in_a_release() -> None:
    rng = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "id": np.repeat(np.arange(60), 3),
            "a": rng.integers(0, 50, 180),
            "s": rng.choice(list("aaaabc"), 180),
        }
    )
    schema = shoal.Schema(
        {"id": shoal.identifier(), "a": shoal.quasi(), "s": shoal.sensitive()}, entity="id"
    )
    need = [KAnonymity(4), LDiversity(1.8, "entropy")]
    made = shoal.anonymize(frame, schema, require=need, method=shoal.GAACP(seed=1))
    assert made.verification.passed
    assert made.verification.counted == "people"


def test_values_shown_once_carry_different_values_only() -> None:
    values = ["x", "y", "z"] * 10
    made = release(
        values,
        KAnonymity(5),
        LDiversity(3),
        method=shoal.GAACP(seed=1),
        publication="sensitive-groups",
    )
    assert made.verification.passed
    assert made.verification.achieved["l"] == 3
    for need in (LDiversity(2, "entropy"), LDiversity(2, "recursive", c=2)):
        with pytest.raises(ParameterError, match="'l-diversity' counts how often a value occurs"):
            release(values, need, publication="sensitive-groups")
        counted = release(values, need, publication="sensitive-groups", sensitive_cells="counts")
        assert counted.verification.passed
        with pytest.raises(ParameterError, match="the tables do not have one value per row"):
            shoal.verify(made.tables, SCHEMA, [need])
    assert not shoal.verify(made.tables, SCHEMA, [LDiversity(4)]).passed


@pytest.mark.parametrize("how", ["rows", "counts"])
def test_two_tables_carry_every_kind(how: str) -> None:
    rng = np.random.default_rng(2)
    values = rng.choice(list("abcdefg"), 120).tolist()
    for need in KINDS:
        made = release(values, KAnonymity(3), need, method=shoal.KMember(seed=1),
                       publication="two-table", sensitive_cells=how)  # fmt: skip
        assert made.verification.passed


@pytest.mark.parametrize("need", [*KINDS, LDiversity(4.5, "entropy")], ids=str)
def test_anatomy_carries_every_kind(need: LDiversity) -> None:
    """Every value once: as many of them as hold it."""
    values = [letter for letter in "abcdefgh" for _ in range(7)]
    made = release(values, need, method=shoal.Anatomy(seed=3))
    assert made.verification.passed
    assert made.plan.publication.form == "two-table"
    assert made.n_suppressed == 0
    assert made.grouping.sizes.min() == need.least_size
    # No two groups of three values can be made; one of all rows holds.
    one = release(list("aaaaabbc"), LDiversity(3), method=shoal.Anatomy(seed=3))
    assert one.grouping.n_groups == 1
    with pytest.raises(InfeasibleError):
        release(list("aaaaabbb"), LDiversity(3), method=shoal.Anatomy(seed=3))
